package limits_test

import (
	"context"
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
	locations := func(ctx context.Context, c *monitoring.Client) error { return kit.Second(c.Locations.List(ctx)) }
	alerts := func(ctx context.Context, c *monitoring.Client) error {
		return kit.Second(c.AlertNotifications.List(ctx, monitoring.AlertNotificationListOptions{}))
	}
	for _, s := range []struct {
		gate    gates.SlidingLog
		latency time.Duration
		call    func(context.Context, *monitoring.Client) error
		most    int // in three minutes
	}{
		{gates.SlidingLog{Most: 600, Window: time.Minute}, 300 * time.Millisecond, locations, 1800},
		{gates.SlidingLog{Most: 5, Window: 10 * time.Second}, 0, alerts, 90},
	} {
		synctest.Test(t, func(t *testing.T) {
			service := &gated{Gate: &s.gate, latency: s.latency}
			shared, err := monitoring.NewLimiter(monitoring.DefaultRateLimit)
			require.NoError(t, err)
			end := time.Now().Add(3 * time.Minute)
			var callers sync.WaitGroup
			for range 2 {
				client := kit.Client(t, service, monitoring.WithLimiter(shared))
				for range 16 {
					callers.Go(func() {
						for time.Now().Before(end) {
							require.NoError(t, s.call(t.Context(), client))
						}
					})
				}
			}
			callers.Wait()
			require.Zero(t, service.refused)
			require.GreaterOrEqual(t, service.admitted, s.most*98/100)
		})
	}
}
