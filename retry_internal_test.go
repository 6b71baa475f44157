package monitoring

import (
	"testing"
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
