package limits_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
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

func TestTheStateOfALimiterAndTheErrorsInItsPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limit := monitoring.RateLimit{Requests: 60, Per: time.Minute, Burst: 7}
		l, err := monitoring.NewLimiter(limit)
		require.NoError(t, err)
		alerts := monitoring.RouteState{Operation: "GET /v1/alert-notifications", Limit: monitoring.RateLimit{Requests: 5, Per: 10 * time.Second, Burst: 5}, Places: 5}
		results := monitoring.RouteState{Operation: "GET /v2/check-results/{checkId}", Limit: monitoring.RateLimit{Requests: 60, Per: time.Minute}, Places: 10}
		require.Equal(t, monitoring.LimiterState{Limit: limit, Places: 7, Share: 1, Routes: []monitoring.RouteState{alerts, results}}, l.State())
		for _, operation := range []string{"", alerts.Operation} {
			l.Ended(monitoring.LimitedAttempt{Operation: operation}, monitoring.AttemptOutcome{StatusCode: 429, RetryAfter: 20 * time.Second})
		}
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		var waiting sync.WaitGroup
		until := time.Now().Add(20 * time.Second)
		for _, class := range []monitoring.AttemptClass{monitoring.ClassOrdinary, monitoring.ClassPoll, monitoring.ClassPoll} {
			waiting.Go(func() {
				err := l.Wait(ctx, monitoring.LimitedAttempt{Class: class})
				require.ErrorIs(t, err, monitoring.ErrRateLimited)
				require.EqualError(t, err, "waiting for the rate limit, which is paused until "+until.Format(time.RFC3339)+" after a 429: context deadline exceeded")
			})
		}
		synctest.Wait()
		alerts.Places, alerts.PausedUntil = 0, until
		require.Equal(t, monitoring.LimiterState{
			Limit: limit, PausedUntil: until, Share: 0.94, Waiters: 3, Routes: []monitoring.RouteState{alerts, results},
			WaitersByClass: map[monitoring.AttemptClass]int{monitoring.ClassOrdinary: 1, monitoring.ClassPoll: 2},
		}, l.State())
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

func TestMain(m *testing.M) { testkit.Main(m) }

// What a limiter does with all kinds of loads is tested in internal/limiter.

func TestClientsThatShareALimiterUseNearlyAllOfItAndGetNo429(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New(monitoringtest.WithLatency(300*time.Millisecond), monitoringtest.WithRouteLimits(),
			monitoringtest.WithRateLimit(monitoring.RateLimit{Requests: 600, Per: time.Minute}), monitoringtest.WithRateLimitKind(monitoringtest.SlidingLog))
		shared, err := monitoring.NewLimiter(monitoring.DefaultRateLimit)
		require.NoError(t, err)
		end := time.Now().Add(3 * time.Minute)
		var callers sync.WaitGroup
		for i := range 32 {
			client := kit.Fake(t, svc, monitoring.WithLimiter(shared))
			callers.Go(func() {
				for time.Now().Before(end) {
					if i < 4 {
						require.NoError(t, kit.Second(client.AlertNotifications.List(t.Context(), monitoring.AlertNotificationListOptions{})))
					} else {
						require.NoError(t, kit.Second(client.Locations.List(t.Context())))
					}
				}
			})
		}
		callers.Wait()
		for _, r := range svc.Requests() {
			require.Equal(t, 200, r.Status)
		}
		require.GreaterOrEqual(t, len(svc.Requests()), 1800*98/100)
		require.GreaterOrEqual(t, svc.Count("GET /v1/alert-notifications"), 90*98/100)
	})
}
