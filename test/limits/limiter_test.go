package limits_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
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

func TestTheCauseOfAContextIsMatchedButNotWhatItWraps(t *testing.T) {
	inner := errors.New("inner")
	cause := fmt.Errorf("another call failed: %w", fmt.Errorf("%w: %w", inner, monitoring.ErrRateLimited))
	synctest.Test(t, func(t *testing.T) {
		l, err := monitoring.NewLimiter(monitoring.RateLimit{Requests: 1, Per: time.Hour})
		require.NoError(t, err)
		require.NoError(t, l.Wait(t.Context(), monitoring.LimitedAttempt{}))
		ctx, stop := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second, func() { stop(cause) })
		for range 2 { // it ends while it waits, and has ended before
			err := l.Wait(ctx, monitoring.LimitedAttempt{})
			require.ErrorIs(t, err, context.Canceled)
			require.ErrorIs(t, err, cause)
			require.NotErrorIs(t, err, inner)
			require.NotErrorIs(t, err, monitoring.ErrRateLimited)
			require.EqualError(t, err, "waiting for the rate limit: context canceled: another call failed: inner: monitoring: rate limited")
		}
	})
}

func TestAPauseThatOutlastsTheDeadlineMatchesErrRateLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, err := monitoring.NewLimiter(monitoring.DefaultRateLimit)
		require.NoError(t, err)
		l.Ended(monitoring.LimitedAttempt{}, monitoring.AttemptOutcome{StatusCode: 429, RetryAfter: 90 * time.Second})
		until := time.Now().Add(90 * time.Second)
		ctx, stop := context.WithTimeout(t.Context(), 3*time.Second)
		defer stop()
		err = l.Wait(ctx, monitoring.LimitedAttempt{})
		require.ErrorIs(t, err, monitoring.ErrRateLimited)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.EqualError(t, err, "waiting for the rate limit, which is paused until "+until.Format(time.RFC3339)+" after a 429: context deadline exceeded")
	})
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
			Limit: limit, PausedUntil: until, Share: 0.94, Waiters: 3, Routes: []monitoring.RouteState{alerts},
			WaitersByClass: map[monitoring.AttemptClass]int{monitoring.ClassOrdinary: 1, monitoring.ClassPoll: 2},
		}, state())
		waiting.Wait()
	})
}

func TestWithoutALimitNoCallWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		client := kit.Client(t, testkit.InTurn(testkit.Faults["429"], testkit.Status(200, "[]")), monitoring.WithoutRateLimit())
		require.ErrorIs(t, kit.Second(client.Locations.List(t.Context(), monitoring.WithMaxRetries(0))), monitoring.ErrRateLimited)
		for range 1000 {
			require.NoError(t, kit.Second(client.Locations.List(t.Context())))
		}
		require.Zero(t, time.Since(began), "a 429 pauses nobody")
	})
	_, err := monitoring.NewClient(kit.Base, kit.Key, monitoring.WithoutRateLimit(), monitoring.WithRouteRateLimit("GET /v1/x", monitoring.DefaultRateLimit))
	require.EqualError(t, err, "monitoring: new client: a route cannot have a limit, because WithoutRateLimit is set")
}

func TestWithoutALimitAContextThatEndsIsTheReasonOfTheError(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	source := func(context.Context, monitoring.Secret) (string, error) {
		cancel() // before the attempt asks for its place
		return kit.Key, nil
	}
	client := kit.NewClient(t, kit.Base, "", &http.Client{Transport: testkit.Status(200, "[]")}, monitoring.WithoutRateLimit(), monitoring.WithKeySource(source))
	err := kit.Second(client.Locations.List(ctx))
	require.ErrorContains(t, err, ": context canceled") // in the wait for the key or for the place, whichever sees it first
	require.ErrorIs(t, err, context.Canceled)
}
