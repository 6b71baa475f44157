package monitoring

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// withdrawals takes all retries that a budget has now, and returns their number.
func withdrawals(b *retryBudget) (n int) {
	for b.withdraw() {
		n++
	}
	return n
}

func TestABudgetHoldsAtMostAHundredRetries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newRetryBudget()
		b.deposit()
		b.refund(7)
		require.Equal(t, 100, withdrawals(b))
		b.refund(3)
		require.Equal(t, 3, withdrawals(b))
		b.refund(0)
		require.Zero(t, withdrawals(b))
		b.refund(1000)
		require.Equal(t, 100, withdrawals(b))
	})
}

func TestTwelveCallsAddARetryToTheBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newRetryBudget()
		withdrawals(b)
		for range 11 {
			b.deposit()
			require.False(t, b.withdraw())
		}
		b.deposit()
		require.Equal(t, 1, withdrawals(b))
	})
}

func TestAfterAQuietMinuteTheBudgetHasTenRetries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newRetryBudget()
		require.Equal(t, 100, withdrawals(b))
		time.Sleep(time.Minute - 1)
		require.Zero(t, withdrawals(b), "a refused retry also restarts the quiet minute")
		time.Sleep(time.Minute)
		require.Equal(t, 10, withdrawals(b))
		b.refund(50)
		time.Sleep(time.Hour)
		require.Equal(t, 50, withdrawals(b), "the quiet minute takes nothing away")
	})
}
