package monitoring

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/testkit"
)

var (
	_ AccountLimiter = (*localLimiter)(nil)
	_ AccountLimiter = unlimited{}
)

// locations is an attempt of a route without a limit of its own.
var locations = LimitedAttempt{Operation: "GET /v1/locations"}

// throttle reports a 429 to an attempt of an operation.
func throttle(l AccountLimiter, operation string, retryAfter time.Duration) {
	l.Ended(LimitedAttempt{Operation: operation}, AttemptOutcome{StatusCode: 429, RetryAfter: retryAfter})
}

// beside makes an AccountLimiter of a user's limiter.
func beside(t *testing.T, plain *testkit.Limiter) AccountLimiter {
	l, err := accountLimiter(plain)
	require.NoError(t, err)
	return l
}

func TestAUsersLimiterGetsTheLimitsOfRoutesBesideIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		plain := &testkit.Limiter{}
		l := beside(t, plain)
		for range 6 {
			require.NoError(t, l.WaitFor(t.Context(), LimitedAttempt{Operation: "GET /v1/alert-notifications"}))
		}
		require.Len(t, plain.Seen, 6)
		throttle(l, "GET /v1/alert-notifications", 5*time.Second)
		throttle(l, locations.Operation, 7*time.Second)
		require.Equal(t, "throttled 7s", plain.Seen[6], "a 429 of the route pauses only the route")
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		require.ErrorIs(t, l.WaitFor(ctx, LimitedAttempt{Operation: "GET /v1/alert-notifications"}), ErrRateLimited)
		plain.Err = errors.New("redis is down")
		require.EqualError(t, l.WaitFor(t.Context(), locations), "waiting for the rate limit: redis is down")
		require.Zero(t, l.State())
	})
	own, err := NewLimiter(DefaultRateLimit)
	require.NoError(t, err)
	account, err := accountLimiter(own)
	require.NoError(t, err)
	require.Same(t, own, account)
}

func TestWithoutALimitNoAttemptWaits(t *testing.T) {
	l := unlimited{}
	for range 10_000 {
		require.NoError(t, l.WaitFor(t.Context(), locations))
	}
	l.Throttled(time.Hour)
	throttle(l, "", time.Hour)
	require.NoError(t, l.Wait(t.Context()))
	ctx, stop := context.WithCancel(t.Context())
	stop()
	require.ErrorIs(t, l.Wait(ctx), context.Canceled)
	require.ErrorIs(t, l.WaitFor(ctx, locations), context.Canceled)
	require.Equal(t, math.MaxInt, l.State().Places)
	require.ErrorContains(t, l.LimitRoute("GET /v1/x", DefaultRateLimit), "WithoutRateLimit")
}

// pausingLimiter is a user's limiter in a pause that outlasts every context.
type pausingLimiter struct{ unlimited }

func (pausingLimiter) WaitFor(ctx context.Context, _ LimitedAttempt) error {
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
