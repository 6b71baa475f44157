package monitoring

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// withdrawals is how many retries a budget allows now.
func withdrawals(b *retryBudget) (n int) {
	for b.withdraw() {
		n++
	}
	return n
}

func TestABudgetHoldsAHundredRetriesAndNotMore(t *testing.T) {
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

func TestAboutElevenCallsEarnARetry(t *testing.T) {
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

func TestAfterAQuietMinuteTenRetriesAreThere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newRetryBudget()
		require.Equal(t, 100, withdrawals(b))
		time.Sleep(time.Minute - 1)
		require.Zero(t, withdrawals(b), "that was asked for, too")
		time.Sleep(time.Minute)
		require.Equal(t, 10, withdrawals(b))
		b.refund(50)
		time.Sleep(time.Hour)
		require.Equal(t, 50, withdrawals(b), "at least ten, not at most")
	})
}
