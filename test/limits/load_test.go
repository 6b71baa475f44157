package limits_test

import (
	"context"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/gates"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestASaturatedClientGetsNo429AndNearlyTheWholeLimit(t *testing.T) {
	t.Parallel()
	const window = time.Minute
	services := map[string]func(now time.Time) gates.Gate{
		"sliding log":             func(time.Time) gates.Gate { return &gates.SlidingLog{Most: 600, Window: window} },
		"token bucket":            func(now time.Time) gates.Gate { return &gates.TokenBucket{Most: 600, Window: window} },
		"fixed windows, in phase": func(now time.Time) gates.Gate { return &gates.FixedWindows{Most: 600, Window: window, Begin: now} },
		"fixed windows, phase 7.3 s": func(now time.Time) gates.Gate {
			return &gates.FixedWindows{Most: 600, Window: window, Begin: now.Add(-7300 * time.Millisecond)}
		},
		"fixed windows, phase 31 s": func(now time.Time) gates.Gate {
			return &gates.FixedWindows{Most: 600, Window: window, Begin: now.Add(-31 * time.Second)}
		},
		"fixed windows, phase 59 s": func(now time.Time) gates.Gate {
			return &gates.FixedWindows{Most: 600, Window: window, Begin: now.Add(-59 * time.Second)}
		},
	}
	for _, name := range testkit.Figures(slices.Sorted(maps.Keys(services))...) {
		newGate := services[name]
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				service := &limitedService{latency: 300 * time.Millisecond, gate: newGate(time.Now())}
				errs := saturate(kit.Client(t, service), 64, 10*time.Minute)
				require.Empty(t, errs)
				require.Zero(t, service.refused)
				require.GreaterOrEqual(t, service.admitted, 6000*98/100)
				t.Logf("%d of 6000 requests in ten minutes", service.admitted)
			})
		})
	}
}

func TestNoWindowHasMoreRequestsThanTheLimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		service := &limitedService{gate: &gates.SlidingLog{Most: 1 << 30, Window: time.Minute}}
		saturate(kit.Client(t, service), 64, 5*time.Minute)
		slices.SortFunc(service.arrivals, time.Time.Compare)
		for i := 600; i < len(service.arrivals); i++ {
			require.Greater(t, service.arrivals[i].Sub(service.arrivals[i-600]), time.Minute)
		}
	})
}

func TestANewClientSendsItsFirst100RequestsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		client := kit.Client(t, &limitedService{gate: &gates.SlidingLog{Most: 600, Window: time.Minute}})
		for range 100 {
			_, err := client.Locations.List(t.Context())
			require.NoError(t, err)
		}
		require.Zero(t, time.Since(began))
		_, err := client.Locations.List(t.Context())
		require.NoError(t, err)
		require.Less(t, time.Since(began), 100*time.Millisecond)
	})
}

func TestARouteWithItsOwnLimitKeepsBothLimits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		own := &gates.SlidingLog{Most: 5, Window: 10 * time.Second}
		common := &gates.SlidingLog{Most: 600, Window: time.Minute}
		var refused, alerts atomic.Int64
		var mu sync.Mutex
		client := kit.Client(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			time.Sleep(rand.N(300 * time.Millisecond))
			mu.Lock()
			defer mu.Unlock()
			now := time.Now()
			ok := common.Admit(now)
			if req.URL.Path == "/v1/alert-notifications" {
				alerts.Add(1)
				ok = own.Admit(now) && ok
			}
			if !ok {
				refused.Add(1)
				return testkit.Respond(429, nil, ""), nil
			}
			return testkit.Respond(200, nil, "[]"), nil
		}))
		ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
		defer stop()
		var workers sync.WaitGroup
		for range 10 {
			workers.Go(func() {
				for ctx.Err() == nil {
					client.AlertNotifications.List(ctx, monitoring.AlertNotificationListOptions{})
				}
			})
			workers.Go(func() {
				for ctx.Err() == nil {
					client.Locations.List(ctx)
				}
			})
		}
		workers.Wait()
		require.Zero(t, refused.Load())
		require.GreaterOrEqual(t, alerts.Load(), int64(48), "at least 48 of 60 in two minutes")
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
