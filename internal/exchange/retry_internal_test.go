package exchange

import (
	"math"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestTheBoundsOfTheBackOff(t *testing.T) {
	policy := Backoff{Min: time.Second / 2, Max: 30 * time.Second}
	var bounds []time.Duration
	for n := range 8 {
		bounds = append(bounds, policy.bound(n))
	}
	s := time.Second
	require.Equal(t, []time.Duration{s / 2, s, 2 * s, 4 * s, 8 * s, 16 * s, 30 * s, 30 * s}, bounds)
	require.Equal(t, 30*s, policy.bound(31))
	require.Equal(t, 30*s, policy.bound(1000), "large numbers do not overflow")
	page, err := os.ReadFile("../../docs/limits-and-retries.md")
	require.NoError(t, err)
	require.Contains(t, string(page), "up to 0.5, 1, 2, 4 and 8 seconds")
	require.Zero(t, Backoff{}.wait(0))

	// Full jitter: each time up to the bound is equally likely.
	for n := range 4 {
		below := 0
		var most time.Duration
		for range 2000 {
			d := policy.wait(n)
			require.GreaterOrEqual(t, d, time.Duration(0))
			require.Less(t, d, bounds[n])
			most = max(most, d)
			if d < bounds[n]/2 {
				below++
			}
		}
		require.InDelta(t, 1000, below, 150)
		require.Greater(t, most, bounds[n]*9/10)
	}
}

func TestTheBoundOfTheBackOffDoublesUpToTheMaximum(t *testing.T) {
	odd := Backoff{Min: 2, Max: 5}
	for n, want := range []time.Duration{2, 4, 5, 5} {
		require.Equal(t, want, odd.bound(n), n)
	}
	wide := Backoff{Min: 1, Max: math.MaxInt64}
	require.Equal(t, time.Duration(1<<62), wide.bound(62))
	for _, n := range []int{63, 64, 65, 1000} {
		require.Equal(t, time.Duration(math.MaxInt64), wide.bound(n), n)
		require.GreaterOrEqual(t, wide.wait(n), time.Duration(0))
	}
	for range 64 {
		require.Zero(t, Backoff{}.wait(0))
		require.Zero(t, Backoff{Min: 1, Max: 1}.wait(0), "less than its bound")
	}
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
