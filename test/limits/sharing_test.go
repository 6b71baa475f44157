package limits_test

import (
	"math/rand/v2"
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

func TestMain(m *testing.M) { testkit.Main(m) }

// gated is a service behind a gate. Requests have a random latency, and a random part of it passes before the request arrives.
type gated struct {
	gates.Gate
	latency time.Duration // at most

	mu                sync.Mutex
	admitted, refused int
}

func (s *gated) RoundTrip(*http.Request) (*http.Response, error) {
	whole := rand.N(s.latency + 1)
	there := time.Duration(rand.Float64() * float64(whole))
	time.Sleep(there)
	defer time.Sleep(whole - there)
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.Admit(time.Now()) {
		s.refused++
		return testkit.Respond(http.StatusTooManyRequests, nil, ""), nil
	}
	s.admitted++
	return testkit.Respond(http.StatusOK, nil, "[]"), nil
}

// What a limiter does with all kinds of loads is tested in internal/limiter.

func TestClientsThatShareALimiterUseNearlyAllOfItAndGetNo429(t *testing.T) {
	for _, limit := range []monitoring.RateLimit{{Requests: 600, Per: time.Minute}, {Requests: 5, Per: 10 * time.Second}} {
		synctest.Test(t, func(t *testing.T) {
			service := &gated{Gate: &gates.SlidingLog{Most: limit.Requests, Window: limit.Per}, latency: limit.Per / 200}
			shared, err := monitoring.NewLimiter(monitoring.DefaultRateLimit)
			require.NoError(t, err)
			list := func(c *monitoring.Client) error { return kit.Second(c.Locations.List(t.Context())) }
			if limit.Requests == 5 { // that of a route
				list = func(c *monitoring.Client) error {
					return kit.Second(c.AlertNotifications.List(t.Context(), monitoring.AlertNotificationListOptions{}))
				}
			}
			end := time.Now().Add(3 * time.Minute)
			var callers sync.WaitGroup
			for range 2 {
				client := kit.Client(t, service, monitoring.WithLimiter(shared))
				for range 16 {
					callers.Go(func() {
						for time.Now().Before(end) {
							require.NoError(t, list(client))
						}
					})
				}
			}
			callers.Wait()
			require.Zero(t, service.refused)
			require.GreaterOrEqual(t, service.admitted, int(3*time.Minute/limit.Per)*limit.Requests*98/100)
		})
	}
}
