package monitoring

import (
	"context"
	"errors"
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
	_, err := NewClient("https://monitoring.test", "k", WithRouteRateLimit("nonsense", DefaultRateLimit))
	require.ErrorContains(t, err, `monitoring: new client: route "nonsense": want a method and a path`)
	_, err = NewClient("https://monitoring.test", "k", WithRouteRateLimit("GET /v1/x", RateLimit{Requests: 1}))
	require.EqualError(t, err, `monitoring: new client: route "GET /v1/x": rate limit of 1 in 0s: want a positive number and time`)
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

func TestTheCauseOfAContextIsMatchedButNotWhatItWraps(t *testing.T) {
	inner := errors.New("inner")
	cause := fmt.Errorf("another call failed: %w", fmt.Errorf("%w: %w", inner, ErrRateLimited))
	for name, before := range map[string]bool{"a context that has ended": true, "a context that ends while waiting": false} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := oneAnHour(t)
				ctx, stop := context.WithCancelCause(t.Context())
				if before {
					stop(cause)
				} else {
					time.AfterFunc(time.Second, func() { stop(cause) })
				}
				err := l.Wait(ctx, LimitedAttempt{})
				require.ErrorIs(t, err, context.Canceled)
				require.ErrorIs(t, err, cause)
				require.NotErrorIs(t, err, inner)
				require.NotErrorIs(t, err, ErrRateLimited)
				require.EqualError(t, err, "waiting for the rate limit: context canceled: another call failed: inner: monitoring: rate limited")
			})
		})
	}
}

func TestClientsThatShareALimiterShareTheLimitsOfRoutes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shared, err := NewLimiter(DefaultRateLimit)
		require.NoError(t, err)
		own := &gates.SlidingLog{Most: 5, Window: 10 * time.Second}
		var mu sync.Mutex
		refused, alerts := 0, 0
		service := roundTripper(func(*http.Request) (*http.Response, error) {
			mu.Lock()
			defer mu.Unlock()
			alerts++
			if !own.Admit(time.Now()) {
				refused++
			}
			return respondWith(200, nil, "[]"), nil
		})
		var clients sync.WaitGroup
		for range 2 {
			client := testClient(t, service, WithLimiter(shared))
			clients.Go(func() {
				for range 10 {
					_, err := client.AlertNotifications.List(t.Context(), AlertNotificationListOptions{})
					require.NoError(t, err)
				}
			})
		}
		clients.Wait()
		require.Zero(t, refused)
		require.Equal(t, 20, alerts)
	})
}

func TestTheClientBoundsTheRetryAfterOfAPause(t *testing.T) {
	require.Equal(t, time.Minute, pauseAsked(time.Minute, 2*time.Minute))
	require.Equal(t, 2*time.Minute, pauseAsked(time.Hour, 2*time.Minute))
	require.Zero(t, pauseAsked(24*time.Hour, 2*time.Minute), "more than an hour is ignored")
}

// oneAnHour makes a limiter whose only place is taken.
func oneAnHour(t *testing.T) Limiter {
	l, err := NewLimiter(RateLimit{Requests: 1, Per: time.Hour})
	require.NoError(t, err)
	require.NoError(t, l.Wait(t.Context(), LimitedAttempt{}))
	return l
}

func TestAWaiterWithoutAPlaceGetsAnErrorAtItsDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithTimeout(t.Context(), 2*time.Second)
		defer stop()
		began := time.Now()
		err := oneAnHour(t).Wait(ctx, LimitedAttempt{})
		require.Equal(t, 2*time.Second, time.Since(began))
		require.EqualError(t, err, "waiting for the rate limit: context deadline exceeded")
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.NotErrorIs(t, err, ErrRateLimited)
	})
}

func TestAPauseThatOutlastsTheDeadlineMatchesErrRateLimited(t *testing.T) {
	const route = "GET /v1/alert-notifications"
	for name, c := range map[string]struct {
		refuse  func(Limiter)
		attempt LimitedAttempt
	}{
		"of the account": {func(l Limiter) {
			l.Ended(LimitedAttempt{}, AttemptOutcome{StatusCode: 429, RetryAfter: 90 * time.Second})
		}, LimitedAttempt{}},
		"of a route": {func(l Limiter) {
			l.Ended(LimitedAttempt{Operation: route}, AttemptOutcome{StatusCode: 429, RetryAfter: 90 * time.Second})
		}, LimitedAttempt{Operation: route}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l, err := NewLimiter(DefaultRateLimit)
				require.NoError(t, err)
				c.refuse(l)
				until := time.Now().Add(90 * time.Second)
				ctx, stop := context.WithTimeout(t.Context(), 3*time.Second)
				defer stop()
				err = l.Wait(ctx, c.attempt)
				require.ErrorIs(t, err, ErrRateLimited)
				require.ErrorIs(t, err, context.DeadlineExceeded)
				require.EqualError(t, err, "waiting for the rate limit, which is paused until "+until.Format(time.RFC3339)+" after a 429: context deadline exceeded")
			})
		})
	}
}

func TestTheStateOfALimiter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limit := RateLimit{Requests: 60, Per: time.Minute, Burst: 7}
		l, err := NewLimiter(limit)
		require.NoError(t, err)
		require.Equal(t, LimiterState{Limit: limit, Places: 7}, l.State())
		l.Ended(LimitedAttempt{}, AttemptOutcome{StatusCode: 429, RetryAfter: 20 * time.Second})
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		var waiting sync.WaitGroup
		waiting.Go(func() { l.Wait(ctx, LimitedAttempt{Class: ClassPoll}) })
		synctest.Wait()
		require.Equal(t, LimiterState{Limit: limit, PausedUntil: time.Now().Add(20 * time.Second), Waiters: 1}, l.State())
		waiting.Wait()
	})
}

func TestTheLimitsOfRoutesThatAreDocumented(t *testing.T) {
	require.Equal(t, map[string]RateLimit{
		"GET /v1/alert-notifications": {Requests: 5, Per: 10 * time.Second, Burst: 5},
	}, DefaultRouteLimits())
}
