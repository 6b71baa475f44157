package limits_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
)

func TestAnInvalidRateLimitIsAnError(t *testing.T) {
	for _, limit := range []monitoring.RateLimit{{}, {Requests: 5}, {Per: time.Second}, {Requests: -1, Per: time.Second}} {
		_, err := monitoring.NewLimiter(limit)
		require.Error(t, err)
		_, err = monitoring.NewClient("https://monitoring.test", "k", monitoring.WithRateLimit(limit))
		require.ErrorContains(t, err, "monitoring: new client: rate limit")
	}
	_, err := monitoring.NewClient("https://monitoring.test", "k", monitoring.WithRouteRateLimit("nonsense", monitoring.DefaultRateLimit))
	require.ErrorContains(t, err, `monitoring: new client: route "nonsense": want a method and a path`)
	_, err = monitoring.NewClient("https://monitoring.test", "k", monitoring.WithRouteRateLimit("GET /v1/x", monitoring.RateLimit{Requests: 1}))
	require.EqualError(t, err, `monitoring: new client: route "GET /v1/x": rate limit of 1 in 0s: want a positive number and time`)
}

func TestTheLimitsOfRoutesThatAreDocumented(t *testing.T) {
	require.Equal(t, map[string]monitoring.RateLimit{
		"GET /v1/alert-notifications":     {Requests: 5, Per: 10 * time.Second, Burst: 5},
		"GET /v2/check-results/{checkId}": {Requests: 60, Per: time.Minute},
	}, monitoring.DefaultRouteLimits())
}

// oneAnHour makes a limiter whose only place is taken.
func oneAnHour(t *testing.T) monitoring.Limiter {
	l, err := monitoring.NewLimiter(monitoring.RateLimit{Requests: 1, Per: time.Hour})
	require.NoError(t, err)
	require.NoError(t, l.Wait(t.Context(), monitoring.LimitedAttempt{}))
	return l
}

func TestTheCauseOfAContextIsMatchedButNotWhatItWraps(t *testing.T) {
	inner := errors.New("inner")
	cause := fmt.Errorf("another call failed: %w", fmt.Errorf("%w: %w", inner, monitoring.ErrRateLimited))
	for name, before := range map[string]bool{"a context that has ended": true, "a context that ends while waiting": false} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := oneAnHour(t)
				ctx, stop := context.WithCancelCause(t.Context())
				if before {
					stop(cause)
				} else {
					time.AfterFunc(time.Second, func() { stop(cause) })
				}
				err := l.Wait(ctx, monitoring.LimitedAttempt{})
				require.ErrorIs(t, err, context.Canceled)
				require.ErrorIs(t, err, cause)
				require.NotErrorIs(t, err, inner)
				require.NotErrorIs(t, err, monitoring.ErrRateLimited)
				require.EqualError(t, err, "waiting for the rate limit: context canceled: another call failed: inner: monitoring: rate limited")
			})
		})
	}
}

func TestAPauseThatOutlastsTheDeadlineMatchesErrRateLimited(t *testing.T) {
	for name, attempt := range map[string]monitoring.LimitedAttempt{
		"of the account": {},
		"of a route":     {Operation: "GET /v1/alert-notifications"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l, err := monitoring.NewLimiter(monitoring.DefaultRateLimit)
				require.NoError(t, err)
				l.Ended(attempt, monitoring.AttemptOutcome{StatusCode: 429, RetryAfter: 90 * time.Second})
				until := time.Now().Add(90 * time.Second)
				ctx, stop := context.WithTimeout(t.Context(), 3*time.Second)
				defer stop()
				err = l.Wait(ctx, attempt)
				require.ErrorIs(t, err, monitoring.ErrRateLimited)
				require.ErrorIs(t, err, context.DeadlineExceeded)
				require.EqualError(t, err, "waiting for the rate limit, which is paused until "+until.Format(time.RFC3339)+" after a 429: context deadline exceeded")
			})
		})
	}
}

func TestTheStateOfALimiter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limit := monitoring.RateLimit{Requests: 60, Per: time.Minute, Burst: 7}
		l, err := monitoring.NewLimiter(limit)
		require.NoError(t, err)
		alerts := monitoring.RouteState{Operation: "GET /v1/alert-notifications", Limit: monitoring.DefaultRouteLimits()["GET /v1/alert-notifications"], Places: 5}
		state := func() monitoring.LimiterState {
			s := l.State()
			require.Len(t, s.Routes, len(monitoring.DefaultRouteLimits()))
			s.Routes = s.Routes[:1]
			return s
		}
		require.Equal(t, monitoring.LimiterState{Limit: limit, Places: 7, Share: 1, Routes: []monitoring.RouteState{alerts}}, state())
		for _, operation := range []string{"", alerts.Operation} {
			l.Ended(monitoring.LimitedAttempt{Operation: operation}, monitoring.AttemptOutcome{StatusCode: 429, RetryAfter: 20 * time.Second})
		}
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		var waiting sync.WaitGroup
		for _, class := range []monitoring.AttemptClass{monitoring.ClassOrdinary, monitoring.ClassPoll, monitoring.ClassPoll} {
			waiting.Go(func() { l.Wait(ctx, monitoring.LimitedAttempt{Class: class}) })
		}
		synctest.Wait()
		until := time.Now().Add(20 * time.Second)
		alerts.Places, alerts.PausedUntil = 0, until
		require.Equal(t, monitoring.LimiterState{
			Limit: limit, PausedUntil: until, Share: 0.7, Waiters: 3, Routes: []monitoring.RouteState{alerts},
			WaitersByClass: map[monitoring.AttemptClass]int{monitoring.ClassOrdinary: 1, monitoring.ClassPoll: 2},
		}, state())
		waiting.Wait()
	})
}

func TestPollsAndBackgroundGetHalfOfTheBurstAtMost(t *testing.T) {
	for attempt, want := range map[monitoring.LimitedAttempt]int{
		{Share: 0.5}:                              100, // a share is for polls only
		{Class: 7}:                                100, // no constant has this number
		{Class: monitoring.ClassBackground}:       50,
		{Class: monitoring.ClassPoll}:             50,
		{Class: monitoring.ClassPoll, Share: 0.5}: 25,
	} {
		synctest.Test(t, func(t *testing.T) {
			l, err := monitoring.NewLimiter(monitoring.DefaultRateLimit)
			require.NoError(t, err)
			began, places := time.Now(), 0
			for ; time.Now().Equal(began); places++ {
				require.NoError(t, l.Wait(t.Context(), attempt))
			}
			require.Equal(t, want, places-1)
		})
	}
}
