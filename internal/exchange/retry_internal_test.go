package exchange

import (
	"math"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestTheBoundOfTheBackOffDoublesUpToTheMaximum(t *testing.T) {
	s, most := time.Second, time.Duration(math.MaxInt64)
	for _, c := range []struct {
		policy Backoff
		bounds map[int]time.Duration
	}{
		{Backoff{Min: s / 2, Max: 30 * s}, map[int]time.Duration{0: s / 2, 1: s, 2: 2 * s, 3: 4 * s, 4: 8 * s, 5: 16 * s, 6: 30 * s, 31: 30 * s, 1000: 30 * s}},
		{Backoff{Min: 2, Max: 5}, map[int]time.Duration{0: 2, 1: 4, 2: 5, 3: 5}},
		{Backoff{Min: 1, Max: most}, map[int]time.Duration{62: 1 << 62, 63: most, 64: most, 1000: most}},
		{Backoff{}, map[int]time.Duration{0: 0}}, {Backoff{Min: 1, Max: 1}, map[int]time.Duration{0: 1}},
	} {
		for n, bound := range c.bounds {
			require.Equal(t, bound, c.policy.bound(n), n)
			below, longest := 0, time.Duration(0)
			for range 1000 { // each wait up to the bound is equally likely
				wait := c.policy.wait(n)
				require.True(t, wait >= 0 && wait < max(bound, 1), wait)
				longest = max(longest, wait)
				if wait < bound/2 {
					below++
				}
			}
			if bound >= s/2 {
				require.InDelta(t, 500, below, 100)
				require.Greater(t, longest, bound/10*9)
			}
		}
	}
	page, err := os.ReadFile("../../docs/limits-and-retries.md")
	require.NoError(t, err)
	require.Contains(t, string(page), "up to 0.5, 1, 2, 4 and 8 seconds")
}

// withdrawals takes all retries that a budget has now, and returns their number.
func withdrawals(b *Budget) (n int) {
	for b.withdraw() {
		n++
	}
	return n
}

func TestABudgetHoldsAtMostAHundredRetries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := NewBudget()
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
		b := NewBudget()
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
		b := NewBudget()
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

func TestTheBudgetLastsIfFewCallsFail(t *testing.T) {
	b := NewBudget()
	for i := range 10_000 {
		b.deposit()
		if i%60 == 0 {
			for range 5 {
				require.True(t, b.withdraw(), "a retry of call %d", i)
			}
		}
	}
}

func TestAJobEveryFewMinutesDoesNotMultiplyAnOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := NewBudget()
		withdrawals(b)
		for range 30 {
			time.Sleep(2 * time.Minute)
			retries := 0
			for range 100 {
				b.deposit()
				for n := 0; n < 5 && b.withdraw(); n++ {
					retries++
				}
			}
			require.LessOrEqual(t, retries, 20)
		}
	})
}
