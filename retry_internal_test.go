package monitoring

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestWhichRetryPoliciesAreRefused(t *testing.T) {
	for name, p := range map[string]RetryPolicy{
		"negative retries":               {MaxRetries: -1},
		"a negative minimum":             {MinBackoff: -1},
		"a negative minimum and maximum": {MaxBackoff: -1, MinBackoff: -2},
		"a negative maximum":             {MaxBackoff: -1},
		"a negative MaxRetryAfter":       {MaxRetryAfter: -1},
		"bounds in the wrong order":      {MinBackoff: 2, MaxBackoff: 1},
	} {
		require.ErrorContains(t, p.check(), "retry policy: want ", name)
	}
	for name, p := range map[string]RetryPolicy{
		"nothing":                     {},
		"a minimum alone":             {MinBackoff: time.Hour},
		"a maximum alone":             {MaxBackoff: 1},
		"both the same":               {MinBackoff: 1, MaxBackoff: 1},
		"the smallest of each":        {MaxRetries: 1, MinBackoff: 1, MaxBackoff: 2, MaxRetryAfter: 1},
		"more than the default waits": {MaxRetries: 100, MinBackoff: time.Hour, MaxBackoff: 2 * time.Hour, MaxRetryAfter: time.Hour},
	} {
		require.NoError(t, p.check(), name)
	}
}

func TestABackOffThatIsNotSetHasADefaultThatFitsTheOther(t *testing.T) {
	d := DefaultRetryPolicy()
	require.Equal(t, RetryPolicy{MaxRetries: 0, MinBackoff: d.MinBackoff, MaxBackoff: d.MaxBackoff, MaxRetryAfter: d.MaxRetryAfter}, RetryPolicy{}.withDefaults())
	require.Equal(t, RetryPolicy{MinBackoff: time.Hour, MaxBackoff: time.Hour, MaxRetryAfter: d.MaxRetryAfter}, RetryPolicy{MinBackoff: time.Hour}.withDefaults())
	least := RetryPolicy{MaxRetries: 1, MinBackoff: 1, MaxBackoff: 1, MaxRetryAfter: 1}
	require.Equal(t, least, least.withDefaults())
}

func TestACallWaitsHalfOfEachBoundOnAverage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sums := make([]time.Duration, 5)
		hook := WithAttemptHook(func(_ context.Context, a Attempt) {
			if a.Retry {
				sums[a.Number-1] += a.RetryIn
			}
		})
		const calls = 400
		for range calls {
			client := testClient(t, faults["504"], hook) // each with a budget of its own: other tests are about that
			var response Response
			_, err := client.CheckGroups.Get(t.Context(), 1, WithResponse(&response))
			require.ErrorIs(t, err, ErrServer)
			require.Equal(t, 6, response.Attempts)
		}
		for n, sum := range sums {
			bound := time.Second / 2 << n
			require.InDelta(t, bound.Seconds()/2, sum.Seconds()/calls, bound.Seconds()*0.08, "retry %d", n+1)
		}
	})
}
