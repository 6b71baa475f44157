package limits_test

import (
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
