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
	t.Parallel()
	sliding := func() gates.Gate { return &gates.SlidingLog{Most: 600, Window: time.Minute} }
	fixed := func() gates.Gate {
		return &gates.FixedWindows{Most: 600, Window: time.Minute, Begin: time.Now().Add(-17 * time.Second)}
	}
	bucket := func() gates.Gate { return &gates.TokenBucket{Most: 600, Window: time.Minute} }
	five := func() string { return "5" }
	for _, c := range testkit.Figures([]struct {
		name       string
		retryAfter func() string
		gate       func() gates.Gate
		burst      int // how many requests the other process sends at once
	}{
		{"a sliding log", nil, sliding, 1},
		{"a sliding log with a Retry-After of 5 s", five, sliding, 1},
		{"a sliding log beside bursts", nil, sliding, 50},
		{"fixed windows", nil, fixed, 1},
		{"fixed windows with a Retry-After of 5 s", five, fixed, 1},
		{"a token bucket", nil, bucket, 1},
		{"a token bucket beside bursts", nil, bucket, 50},
	}...) {
		t.Run(c.name, func(t *testing.T) {
			testkit.InOneOfThree(t, func(t *testing.T) bool {
				service := &limitedService{latency: 300 * time.Millisecond, retryAfter: c.retryAfter, gate: c.gate()}
				stop := time.Now().Add(10 * time.Minute)
				for range 300 { // the other process was running before
					service.gate.Admit(time.Now())
				}
				var others sync.WaitGroup
				others.Go(func() {
					for time.Now().Before(stop) {
						time.Sleep(200 * time.Millisecond * time.Duration(c.burst))
						service.mu.Lock()
						for range c.burst {
							service.gate.Admit(time.Now())
						}
						service.mu.Unlock()
					}
				})
				client := kit.Client(t, service)
				errs := saturate(client, 64, 10*time.Minute)
				others.Wait()
				require.Empty(t, errs, "all calls succeed")
				all := service.admitted + service.refused
				t.Logf("shared: %d requests, %d refused (%.2f %%)", all, service.refused, 100*float64(service.refused)/float64(all))
				few := float64(service.refused) < 0.05*float64(all)
				require.Greater(t, service.admitted, 300*10*3/4, "most of what is left of the limit is used")

				saturate(client, 64, 3*time.Minute)
				service.admitted, service.refused = 0, 0
				saturate(client, 64, 5*time.Minute)
				t.Logf("alone again: %d admitted, %d refused", service.admitted, service.refused)
				require.Zero(t, service.refused)
				require.GreaterOrEqual(t, service.admitted, 3000*98/100)
				return few
			})
		})
	}
}

// TestTwoProcessesThatLearnShareTheLimit has two saturated clients without a common limiter, as
// in two processes.
func TestTwoProcessesThatLearnShareTheLimit(t *testing.T) {
	t.Parallel()
	testkit.InOneOfThree(t, func(t *testing.T) bool {
		service := &limitedService{latency: 300 * time.Millisecond, gate: &gates.SlidingLog{Most: 600, Window: time.Minute}}
		var workers sync.WaitGroup
		for range 2 {
			client := kit.Client(t, service)
			workers.Go(func() {
				if errs := saturate(client, 32, 20*time.Minute); len(errs) > 0 {
					t.Errorf("%d calls failed, the first with %v", len(errs), errs[0])
				}
			})
		}
		workers.Wait()
		all := service.admitted + service.refused
		t.Logf("%d requests, %d refused (%.2f %%)", all, service.refused, 100*float64(service.refused)/float64(all))
		return float64(service.refused) < 0.05*float64(all) && service.admitted > 12_000*3/4
	})
}
