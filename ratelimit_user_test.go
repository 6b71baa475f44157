package monitoring

import (
	"context"
	"fmt"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

var (
	_ Limiter = (*localLimiter)(nil)
	_ Limiter = unlimited{}
)

// locations is an attempt of a route without a limit of its own.
var locations = LimitedAttempt{Operation: "GET /v1/locations"}

// throttle reports a 429 to an attempt of an operation.
func throttle(l Limiter, operation string, retryAfter time.Duration) {
	l.Ended(LimitedAttempt{Operation: operation}, AttemptOutcome{StatusCode: 429, RetryAfter: retryAfter})
}

func TestWithoutALimitNoAttemptWaits(t *testing.T) {
	l := unlimited{}
	for range 10_000 {
		require.NoError(t, l.Wait(t.Context(), locations))
	}
	throttle(l, "", time.Hour)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	require.ErrorIs(t, l.Wait(ctx, locations), context.Canceled)
	require.Equal(t, math.MaxInt, l.State().Places)
	require.ErrorContains(t, l.LimitRoute("GET /v1/x", DefaultRateLimit), "WithoutRateLimit")
}

// pausingLimiter is a user's limiter in a pause that outlasts every context.
type pausingLimiter struct{ unlimited }

func (pausingLimiter) Wait(ctx context.Context, _ LimitedAttempt) error {
	<-ctx.Done()
	return fmt.Errorf("%w: %w", ErrRateLimited, ctx.Err())
}

func TestAPauseOfAUsersLimiterThatOutlastsTheContextMatchesErrRateLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := testClient(t, status(200, "[]"), WithLimiter(pausingLimiter{})).Locations.List(ctx)
		require.ErrorIs(t, err, ErrRateLimited)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.ErrorContains(t, err, "waiting for the rate limit")
	})
}
