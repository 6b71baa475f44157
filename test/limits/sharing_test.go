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

func TestTwoClientsThatShareALimiterUseNearlyAllOfItAndGetNo429(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := &gated{Gate: &gates.SlidingLog{Most: 600, Window: time.Minute}, latency: 300 * time.Millisecond}
		shared, err := monitoring.NewLimiter(monitoring.DefaultRateLimit)
		require.NoError(t, err)
		end := time.Now().Add(3 * time.Minute)
		var callers sync.WaitGroup
		for range 2 {
			client := kit.Client(t, service, monitoring.WithLimiter(shared))
			for range 16 {
				callers.Go(func() {
					for time.Now().Before(end) {
						require.NoError(t, kit.Second(client.Locations.List(t.Context())))
					}
				})
			}
		}
		callers.Wait()
		require.Zero(t, service.refused)
		require.GreaterOrEqual(t, service.admitted, 1800*98/100)
	})
}

func TestClientsThatShareALimiterShareTheLimitsOfRoutes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := &gated{Gate: &gates.SlidingLog{Most: 5, Window: 10 * time.Second}}
		shared, err := monitoring.NewLimiter(monitoring.DefaultRateLimit)
		require.NoError(t, err)
		var clients sync.WaitGroup
		for range 2 {
			client := kit.Client(t, service, monitoring.WithLimiter(shared))
			clients.Go(func() {
				for range 10 {
					require.NoError(t, kit.Second(client.AlertNotifications.List(t.Context(), monitoring.AlertNotificationListOptions{})))
				}
			})
		}
		clients.Wait()
		require.Equal(t, []int{20, 0}, []int{service.admitted, service.refused})
	})
}

// TestCallsThatMeetAUsedUpMinuteSucceed has calls without a deadline, in a minute that others have used up.
func TestCallsThatMeetAUsedUpMinuteSucceed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := &gated{Gate: &gates.FixedWindows{Most: 600, Window: time.Minute, Begin: time.Now()}, latency: 100 * time.Millisecond}
		for range 600 {
			service.Admit(time.Now())
		}
		client, began := kit.Client(t, service), time.Now()
		var calls sync.WaitGroup
		for range 20 {
			calls.Go(func() { require.NoError(t, kit.Second(client.Locations.List(t.Context()))) })
		}
		calls.Wait()
		require.Less(t, time.Since(began), 2*time.Minute)
	})
}
