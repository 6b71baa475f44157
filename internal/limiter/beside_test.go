package limiter

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/testkit"
)

// beside makes limits beside an Own, with a route that has one.
func beside(t *testing.T, own *testkit.Limiter) *Beside {
	b, err := NewBeside(own, Rate{Requests: 600, Per: time.Minute}, map[string]Rate{"GET /v1/alert-notifications": {Requests: 5, Per: 10 * time.Second, Burst: 5}})
	require.NoError(t, err)
	return b
}

// locations is an attempt of a route without a limit of its own.
var locations = Attempt{Operation: "GET /v1/locations"}

// throttle reports a 429 to an attempt of an operation.
func throttle(b *Beside, operation string, retryAfter time.Duration) {
	b.Ended(Attempt{Operation: operation}, Outcome{StatusCode: 429, RetryAfter: retryAfter})
}

func TestAPlainLimiterIsCalledOnceForEachAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		plain := &testkit.Limiter{}
		l := beside(t, plain)
		require.NoError(t, l.Wait(t.Context(), locations))
		l.Ended(locations, Outcome{StatusCode: 200})
		require.Equal(t, []string{"wait"}, plain.Seen)
		throttle(l, locations.Operation, 5*time.Second)
		require.Equal(t, []string{"wait", "throttled 5s"}, plain.Seen)
		require.Zero(t, l.State())

		alerts := Attempt{Operation: "GET /v1/alert-notifications"}
		for range 2 {
			require.NoError(t, l.Wait(t.Context(), alerts))
		}
		require.Len(t, plain.Seen, 4, "the plain limiter is called besides the limit of the route")
		throttle(l, alerts.Operation, 5*time.Second)
		require.Len(t, plain.Seen, 4, "a 429 of the route pauses only the route")
		began := time.Now()
		require.NoError(t, l.Wait(t.Context(), alerts))
		require.Equal(t, 5*time.Second, time.Since(began))

		plain.Err = errors.New("redis is down")
		require.EqualError(t, l.Wait(t.Context(), locations), "waiting for the rate limit: redis is down")
		require.ErrorIs(t, l.Wait(t.Context(), alerts), plain.Err)
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		l.route(alerts.Operation).turn <- struct{}{}
		require.ErrorIs(t, l.Wait(ctx, alerts), context.DeadlineExceeded)
	})
}

func TestLimitsOfRoutesHoldBesideAPlainLimiter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := beside(t, &testkit.Limiter{Slow: 2500 * time.Millisecond})
		operation := "GET /v1/x/{id}"
		require.NoError(t, l.LimitRoute(operation, Rate{Requests: 3, Per: 10 * time.Second, Burst: 3}))
		require.NoError(t, l.LimitRoute(operation, Rate{Requests: 3, Per: 10 * time.Second, Burst: 3}))
		require.Error(t, l.LimitRoute(operation, Rate{}))
		require.Error(t, l.LimitRoute("x", Rate{Requests: 600, Per: time.Minute}))
		require.NotNil(t, l.route("GET /v1/alert-notifications"), "the other routes stay")
		route := l.route(operation)
		require.NoError(t, l.LimitRoute(operation, Rate{Requests: 3, Per: 10 * time.Second, Burst: 3}))
		require.Same(t, route, l.route(operation), "the same once more changes nothing")
		require.NoError(t, l.LimitRoute(operation, Rate{Requests: 3, Per: 10 * time.Second, Burst: 1}))
		require.NotSame(t, route, l.route(operation))
		require.NoError(t, l.LimitRoute(operation, Rate{Requests: 3, Per: 10 * time.Second, Burst: 3}))
		var mu sync.Mutex
		var left []time.Time
		var all sync.WaitGroup
		for range 12 {
			all.Go(func() {
				require.NoError(t, l.Wait(t.Context(), Attempt{Operation: "GET /v1/x/5"}))
				mu.Lock()
				defer mu.Unlock()
				left = append(left, time.Now())
			})
		}
		all.Wait()
		for i := 3; i < len(left); i++ {
			require.GreaterOrEqual(t, left[i].Sub(left[i-3]), 10*time.Second)
		}
		require.Less(t, left[11].Sub(left[0]), 45*time.Second)
	})
}

func TestLongPollsBesideAPlainLimiterLeaveAQuarterOfTheDefaultLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := beside(t, &testkit.Limiter{})
		ctx, stop := context.WithTimeout(t.Context(), 10*time.Minute)
		defer stop()
		n := 0
		for l.Wait(ctx, Attempt{Waiting: true}) == nil {
			n++
		}
		require.InDelta(t, 4500, n, 150)

		ctx, stop = context.WithTimeout(t.Context(), 10*time.Minute)
		defer stop()
		for n = 0; l.Wait(ctx, Attempt{Waiting: true, Share: 0.25}) == nil; {
			n++
		}
		require.InDelta(t, 1500, n, 100, "or their share if that is less")
		plain := &testkit.Limiter{}
		require.ErrorIs(t, beside(t, plain).Wait(ctx, Attempt{Waiting: true}), context.DeadlineExceeded)
		require.Empty(t, plain.Seen, "a poll without a place asks for no other")
	})
}
