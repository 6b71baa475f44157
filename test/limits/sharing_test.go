package limits_test

import (
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/gates"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestTwoClientsThatShareALimiterKeepItTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := &limitedService{latency: 300 * time.Millisecond, gate: &gates.SlidingLog{Most: 600, Window: time.Minute}}
		shared, err := monitoring.NewLimiter(monitoring.DefaultRateLimit)
		require.NoError(t, err)
		var workers sync.WaitGroup
		for range 2 {
			client := kit.Client(t, service, monitoring.WithLimiter(shared))
			workers.Go(func() { saturate(client, 32, 5*time.Minute) })
		}
		workers.Wait()
		require.Zero(t, service.refused)
		require.GreaterOrEqual(t, service.admitted, 3000*98/100)
	})
}

func TestClientsThatShareALimiterShareTheLimitsOfRoutes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shared, err := monitoring.NewLimiter(monitoring.DefaultRateLimit)
		require.NoError(t, err)
		own := &gates.SlidingLog{Most: 5, Window: 10 * time.Second}
		var mu sync.Mutex
		refused, alerts := 0, 0
		service := testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
			mu.Lock()
			defer mu.Unlock()
			alerts++
			if !own.Admit(time.Now()) {
				refused++
			}
			return testkit.Respond(200, nil, "[]"), nil
		})
		var clients sync.WaitGroup
		for range 2 {
			client := kit.Client(t, service, monitoring.WithLimiter(shared))
			clients.Go(func() {
				for range 10 {
					_, err := client.AlertNotifications.List(t.Context(), monitoring.AlertNotificationListOptions{})
					require.NoError(t, err)
				}
			})
		}
		clients.Wait()
		require.Zero(t, refused)
		require.Equal(t, 20, alerts)
	})
}

// TestAClientLearnsToShareTheLimitWithAnotherProcess has a second process, which takes half of
// the limit and then stops.
func TestAClientLearnsToShareTheLimitWithAnotherProcess(t *testing.T) {
	testkit.InOneOfThree(t, func(t *testing.T) bool {
		service := &limitedService{latency: 300 * time.Millisecond, gate: gates.Named("fixed windows out of phase", 600, time.Minute)}
		stop := time.Now().Add(10 * time.Minute)
		var others sync.WaitGroup
		others.Go(func() {
			for time.Now().Before(stop) {
				time.Sleep(200 * time.Millisecond)
				service.mu.Lock()
				service.gate.Admit(time.Now())
				service.mu.Unlock()
			}
		})
		client := kit.Client(t, service)
		require.Empty(t, saturate(client, 16, 10*time.Minute), "all calls succeed")
		others.Wait()
		few := float64(service.refused) < 0.05*float64(service.admitted)
		require.Greater(t, service.admitted, 300*10*3/4, "most of what is left of the limit is used")

		saturate(client, 16, 2*time.Minute)
		service.admitted, service.refused = 0, 0
		saturate(client, 16, 2*time.Minute)
		require.Zero(t, service.refused)
		require.GreaterOrEqual(t, service.admitted, 1200*98/100)
		return few
	})
}
