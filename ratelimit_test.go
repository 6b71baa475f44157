package monitoring

import (
	"context"
	"fmt"
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

	"github.com/monitoring-api/monitoring-go/internal/gates"
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
	for _, name := range figures(slices.Sorted(maps.Keys(services))...) {
		newGate := services[name]
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				service := &limitedService{latency: 300 * time.Millisecond, gate: newGate(time.Now())}
				errs := saturate(testClient(t, service), 64, 10*time.Minute)
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
		saturate(testClient(t, service), 64, 5*time.Minute)
		slices.SortFunc(service.arrivals, time.Time.Compare)
		for i := 600; i < len(service.arrivals); i++ {
			require.Greater(t, service.arrivals[i].Sub(service.arrivals[i-600]), time.Minute)
		}
	})
}

func TestANewClientSendsItsFirst100RequestsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		client := testClient(t, &limitedService{gate: &gates.SlidingLog{Most: 600, Window: time.Minute}})
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

func TestWaitersAreServedInOrderAndACancelledOneTakesNoPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(RateLimit{Requests: 600, Per: time.Minute})
		for range 100 {
			require.NoError(t, l.Wait(t.Context()))
		}
		began := time.Now()
		var mu sync.Mutex
		var served []int
		var when []time.Duration
		var workers sync.WaitGroup
		for i := range 30 {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			workers.Go(func() {
				if i%3 == 1 { // these are cancelled before their turn
					time.AfterFunc(50*time.Millisecond, cancel)
				}
				if err := l.Wait(ctx); err != nil {
					return
				}
				mu.Lock()
				defer mu.Unlock()
				served, when = append(served, i), append(when, time.Since(began))
			})
			synctest.Wait() // the waiters queue in this order
		}
		workers.Wait()
		require.True(t, slices.IsSorted(served), "%v", served)
		require.Len(t, served, 20)
		require.InDelta(t, when[18]/19, when[19]-when[18], 10, "an even pace")
	})
}

func TestACancelledWaiterReturnsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(RateLimit{Requests: 1, Per: time.Hour})
		require.NoError(t, l.Wait(t.Context()))
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(3*time.Second, cancel)
		began := time.Now()
		require.ErrorIs(t, l.Wait(ctx), context.Canceled)
		require.Equal(t, 3*time.Second, time.Since(began))

		ctx, cancel = context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		began = time.Now()
		require.ErrorIs(t, l.Wait(ctx), context.DeadlineExceeded)
		require.Equal(t, time.Minute, time.Since(began))
	})
}

func TestARouteWithItsOwnLimitKeepsBothLimits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		own := &gates.SlidingLog{Most: 5, Window: 10 * time.Second}
		common := &gates.SlidingLog{Most: 600, Window: time.Minute}
		var refused, alerts atomic.Int64
		var mu sync.Mutex
		client := testClient(t, roundTripper(func(req *http.Request) (*http.Response, error) {
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
				return respondWith(429, nil, ""), nil
			}
			return respondWith(200, nil, "[]"), nil
		}))
		ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
		defer stop()
		var workers sync.WaitGroup
		for range 10 {
			workers.Go(func() {
				for ctx.Err() == nil {
					client.AlertNotifications.List(ctx, AlertNotificationListOptions{})
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

func TestA429PausesAllCallsForItsRetryAfter(t *testing.T) {
	for name, header := range map[string]func() string{
		"in seconds": func() string { return "20" },
		"as a date":  func() string { return time.Now().Add(20 * time.Second).UTC().Format(http.TimeFormat) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var first atomic.Bool
				var mu sync.Mutex
				var sent []time.Duration
				began := time.Now()
				client := testClient(t, roundTripper(func(*http.Request) (*http.Response, error) {
					mu.Lock()
					sent = append(sent, time.Since(began))
					mu.Unlock()
					if first.CompareAndSwap(false, true) {
						return respondWith(429, http.Header{"Retry-After": {header()}}, ""), nil
					}
					return respondWith(200, nil, "[]"), nil
				}))
				_, err := client.Locations.List(t.Context(), WithMaxRetries(0))
				require.ErrorIs(t, err, ErrRateLimited)
				var workers sync.WaitGroup
				for range 30 {
					workers.Go(func() {
						_, err := client.Locations.List(t.Context())
						require.NoError(t, err)
					})
				}
				workers.Wait()
				require.GreaterOrEqual(t, sent[1], 20*time.Second)
				require.Less(t, sent[1], 21*time.Second)
				slices.Sort(sent)
				for i := 2; i < len(sent); i++ {
					require.Greater(t, sent[i], sent[i-1], "the calls are sent one after the other")
				}
			})
		})
	}
}

func TestA429WithALongRetryAfterIsReturnedAtOnce(t *testing.T) {
	for name, c := range map[string]struct {
		retryAfter string
		timeout    time.Duration
	}{
		"beyond the policy's maximum":   {"3600", time.Hour * 24},
		"beyond the context's deadline": {"60", 30 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := testClient(t, roundTripper(func(*http.Request) (*http.Response, error) {
					return respondWith(429, http.Header{"Retry-After": {c.retryAfter}}, ""), nil
				}))
				ctx, stop := context.WithTimeout(t.Context(), c.timeout)
				defer stop()
				began := time.Now()
				_, err := client.Locations.List(ctx)
				require.ErrorIs(t, err, ErrRateLimited)
				require.Zero(t, time.Since(began))
			})
		})
	}
}

func TestAnInvalidRateLimitIsAnError(t *testing.T) {
	for _, limit := range []RateLimit{{}, {Requests: 5}, {Per: time.Second}, {Requests: -1, Per: time.Second}} {
		_, err := NewLimiter(limit)
		require.Error(t, err)
		_, err = NewClient("https://monitoring.test", "k", WithRateLimit(limit))
		require.ErrorContains(t, err, "monitoring: new client: rate limit")
	}
}

func TestRoutesAreFoundByTheirPath(t *testing.T) {
	var r routes
	for _, operation := range []string{"GET /v1/alert-notifications", "GET /v1/check-groups/{id}"} {
		require.NoError(t, r.set(operation, DefaultRateLimit, time.Now()))
	}
	for operation, found := range map[string]string{
		"GET /v1/alert-notifications":       "GET /v1/alert-notifications",
		"POST /v1/alert-notifications":      "",
		"GET /v1/alert-notifications/5":     "",
		"GET /v1/alert-notifications/{id}":  "",
		"GET /v1/check-groups/42":           "GET /v1/check-groups/{id}",
		"GET /v1/check-groups/{groupId}":    "GET /v1/check-groups/{id}",
		"GET /v1/check-groups":              "",
		"GET /v1/check-groups/42/x":         "",
		"GET /v1/check-groups/42/x/{other}": "",
		"":                                  "",
	} {
		line := r.find(operation, time.Now())
		if found == "" {
			require.Nil(t, line, operation)
		} else {
			require.Equal(t, found, line.pattern.Operation, operation)
		}
	}
	for _, wrong := range []string{"", "GET", "get /v1/x", "GET v1/x", " /v1/x"} {
		require.ErrorContains(t, r.set(wrong, DefaultRateLimit, time.Now()), "want a method and a path", fmt.Sprintf("%q", wrong))
	}
	require.ErrorContains(t, r.set("GET /v1/x", RateLimit{}, time.Now()), "want a positive number and time")
}

func TestARetryAfterOfAnHourDelaysOtherCallsForTwoMinutesAtMost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sent := 0
		client := testClient(t, roundTripper(func(*http.Request) (*http.Response, error) {
			if sent++; sent == 1 {
				return respondWith(429, http.Header{"Retry-After": {"3600"}}, ""), nil
			}
			return respondWith(200, nil, "[]"), nil
		}))
		_, err := client.Locations.List(t.Context())
		require.ErrorIs(t, err, ErrRateLimited)
		began := time.Now()
		_, err = client.Locations.List(t.Context())
		require.NoError(t, err)
		require.LessOrEqual(t, time.Since(began), DefaultRetryPolicy().MaxRetryAfter+time.Second)
	})
}
