package monitoring

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

var (
	_ AccountLimiter = (*limiter)(nil)
	_ AccountLimiter = (*plainLimiter)(nil)
	_ AccountLimiter = unlimited{}
)

// refuse tells a limiter of a 429 to an attempt that was sent just now.
func refuse(l AccountLimiter, operation string, retryAfter time.Duration) {
	l.Ended(LimitedAttempt{Operation: operation}, AttemptOutcome{StatusCode: 429, RetryAfter: retryAfter})
}

// takeAll takes places until none is left at once.
func takeAll(t *testing.T, l AccountLimiter, a LimitedAttempt) (n int) {
	for began := time.Now(); ; n++ {
		require.NoError(t, l.WaitFor(t.Context(), a))
		if time.Since(began) > 0 {
			return n
		}
	}
}

func TestTheBurstIsTheUsers(t *testing.T) {
	for _, c := range []struct {
		limit RateLimit
		burst int
	}{
		{RateLimit{Requests: 600, Per: time.Minute}, 100},
		{RateLimit{Requests: 5, Per: time.Minute}, 1},
		{RateLimit{Requests: 12, Per: time.Minute}, 2},
		{RateLimit{Requests: 600, Per: time.Minute, Burst: 1}, 1},
		{RateLimit{Requests: 600, Per: time.Minute, Burst: 500}, 500},
		{RateLimit{Requests: 600, Per: time.Minute, Burst: 600}, 600},
	} {
		synctest.Test(t, func(t *testing.T) {
			l := newLimiter(c.limit)
			require.Equal(t, c.burst, l.State().Places)
			require.Equal(t, c.burst, takeAll(t, l, oneOperation))
			time.Sleep(3 * time.Minute)
			require.Equal(t, c.burst, takeAll(t, l, oneOperation), "again after a rest")
		})
	}
	for _, burst := range []int{-1, 601} {
		_, err := NewLimiter(RateLimit{Requests: 600, Per: time.Minute, Burst: burst})
		require.EqualError(t, err, fmt.Sprintf("rate limit of 600 in 1m0s: the burst is %d, want 0 to 600", burst))
	}
}

func TestAJobOfTheSizeOfTheBurstLeavesAtOnceOnceAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(RateLimit{Requests: 600, Per: time.Minute, Burst: 600})
		for range 3 {
			began := time.Now()
			for range 500 {
				require.NoError(t, l.Wait(t.Context()))
			}
			require.Zero(t, time.Since(began))
			time.Sleep(61 * time.Second)
		}
	})
}

func TestTheStateTellsPlacesPauseAndWaiters(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(DefaultRateLimit)
		require.Equal(t, LimiterState{Limit: DefaultRateLimit, Places: 100}, l.State())
		for range 100 {
			require.NoError(t, l.Wait(t.Context()))
		}
		require.Equal(t, LimiterState{Limit: DefaultRateLimit}, l.State())
		ctx, stop := context.WithCancel(t.Context())
		var waiters sync.WaitGroup
		l.Throttled(20 * time.Second)
		for _, waiting := range []bool{false, true} {
			waiters.Go(func() { l.WaitFor(ctx, LimitedAttempt{Waiting: waiting}) })
		}
		synctest.Wait()
		require.Equal(t, LimiterState{Limit: DefaultRateLimit, Waiters: 2, PausedUntil: time.Now().Add(20 * time.Second)}, l.State())
		stop()
		waiters.Wait()
		require.Zero(t, l.State().Waiters)
		time.Sleep(20 * time.Second)
		require.Zero(t, l.State().PausedUntil)
	})
}

func TestAWaiterWithoutAChanceReturnsAtItsDeadlineNotBefore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(RateLimit{Requests: 1, Per: time.Hour})
		require.NoError(t, l.Wait(t.Context()))
		ctx, stop := within(t, 2*time.Second)
		defer stop()
		began := time.Now()
		err := l.Wait(ctx)
		require.Equal(t, 2*time.Second, time.Since(began))
		require.EqualError(t, err, "waiting for the rate limit: context deadline exceeded")
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.NotErrorIs(t, err, ErrRateLimited)
	})
}

func TestAPauseThatOutlastsTheDeadlineIsInTheError(t *testing.T) {
	for _, operation := range []string{"", "GET /v1/locations", "GET /v1/alert-notifications"} {
		t.Run(operation, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newLimiter(DefaultRateLimit)
				refuse(l, operation, 90*time.Second)
				until := time.Now().Add(90 * time.Second)
				ctx, stop := within(t, 3*time.Second)
				defer stop()
				began := time.Now()
				err := l.WaitFor(ctx, LimitedAttempt{Operation: operation})
				require.Equal(t, 3*time.Second, time.Since(began))
				require.ErrorIs(t, err, ErrRateLimited)
				require.ErrorIs(t, err, context.DeadlineExceeded)
				require.EqualError(t, err, "waiting for the rate limit: the service responded with 429, so that nothing is sent until "+
					until.Format(time.RFC3339)+": context deadline exceeded")
			})
		})
	}
}

func TestTheLimiterPausesAsLongAsItWasAsked(t *testing.T) {
	for asked, c := range map[time.Duration]struct{ least, most time.Duration }{
		0:                {600 * time.Millisecond, 900 * time.Millisecond},
		7 * time.Second:  {7 * time.Second, 7 * time.Second},
		time.Hour:        {time.Hour, time.Hour},
		time.Hour + 1:    {600 * time.Millisecond, 900 * time.Millisecond},
		24 * time.Hour:   {600 * time.Millisecond, 900 * time.Millisecond},
		-5 * time.Second: {600 * time.Millisecond, 900 * time.Millisecond},
	} {
		t.Run(asked.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newLimiter(DefaultRateLimit)
				began := time.Now()
				l.Throttled(asked)
				require.NoError(t, l.Wait(t.Context()))
				require.GreaterOrEqual(t, time.Since(began), c.least)
				require.LessOrEqual(t, time.Since(began), c.most)
			})
		})
	}
}

func TestTheClientCutsAnAskedPause(t *testing.T) {
	require.Equal(t, time.Minute, pauseAsked(time.Minute, 2*time.Minute))
	require.Equal(t, 2*time.Minute, pauseAsked(time.Hour, 2*time.Minute))
	require.Zero(t, pauseAsked(24*time.Hour, 2*time.Minute), "absurd")
}

func TestOneAttemptGoesAloneAfterAPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(DefaultRateLimit)
		l.Throttled(5 * time.Second)
		var left []time.Duration
		var mu sync.Mutex
		var all sync.WaitGroup
		began := time.Now()
		for range 5 {
			all.Go(func() {
				require.NoError(t, l.Wait(t.Context()))
				mu.Lock()
				left = append(left, time.Since(began))
				mu.Unlock()
				time.Sleep(400 * time.Millisecond) // the response
				l.Ended(LimitedAttempt{}, AttemptOutcome{StatusCode: 200, Duration: 400 * time.Millisecond})
			})
		}
		all.Wait()
		require.Equal(t, 5*time.Second, left[0])
		require.Equal(t, 5400*time.Millisecond, left[1], "when the first has its response")
		require.Less(t, left[4], 6*time.Second)

		l.Throttled(5 * time.Second)
		began = time.Now()
		require.NoError(t, l.Wait(t.Context()))
		require.NoError(t, l.Wait(t.Context()))
		require.Equal(t, 6*time.Second, time.Since(began), "or after a second without a response")
	})
}

func TestRefusalsOfAttemptsSentBeforeThePauseMakeItNoLonger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(DefaultRateLimit)
		l.Throttled(2 * time.Second)
		until := l.State().PausedUntil
		l.Throttled(0)
		require.Equal(t, until, l.State().PausedUntil)
		time.Sleep(3 * time.Second)
		l.Ended(LimitedAttempt{}, AttemptOutcome{StatusCode: 429, Duration: 4 * time.Second})
		require.Zero(t, l.State().PausedUntil)
		l.Ended(LimitedAttempt{}, AttemptOutcome{StatusCode: 429, Duration: 4 * time.Second, RetryAfter: 9 * time.Second})
		require.Equal(t, time.Now().Add(9*time.Second), l.State().PausedUntil, "unless the service asks for it")
	})
}

func TestThePausesOfRefusalsInARowBecomeLonger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(DefaultRateLimit)
		var before time.Duration
		for range 10 {
			began := time.Now()
			l.Throttled(0)
			require.NoError(t, l.Wait(t.Context()))
			pause := time.Since(began)
			require.Greater(t, pause, before*8/10)
			require.Less(t, pause, 38*time.Second)
			before = pause
		}
		require.Greater(t, before, 30*time.Second-1)
		l.Ended(LimitedAttempt{}, AttemptOutcome{StatusCode: 200})
		time.Sleep(10 * time.Second)
		began := time.Now()
		l.Throttled(0)
		require.NoError(t, l.Wait(t.Context()))
		require.Less(t, time.Since(began), 9*time.Second, "and short again after a good one")
	})
}

func TestTheLimitOfARouteIsSharedByThoseWhoShareTheLimiter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shared := newLimiter(DefaultRateLimit)
		own := &slidingLog{most: 5, window: 10 * time.Second}
		var mu sync.Mutex
		refused, alerts := 0, 0
		service := roundTripper(func(*http.Request) (*http.Response, error) {
			mu.Lock()
			defer mu.Unlock()
			alerts++
			if !own.admit(time.Now()) {
				refused++
			}
			return answer(200, nil, "[]"), nil
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

func TestTheLimitOfARouteCanBeReplaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(DefaultRateLimit)
		a := LimitedAttempt{Operation: "GET /v1/alert-notifications"}
		require.Equal(t, 5, takeAll(t, l, a))
		require.NoError(t, l.LimitRoute(a.Operation, RateLimit{Requests: 50, Per: 10 * time.Second, Burst: 50}))
		require.Equal(t, 50, takeAll(t, l, a))
		pacer := l.routes.known[0].pacer
		require.NoError(t, l.LimitRoute(a.Operation, RateLimit{Requests: 50, Per: 10 * time.Second, Burst: 50}))
		require.Same(t, pacer, l.routes.known[0].pacer, "the same once more changes nothing")
		require.NoError(t, l.LimitRoute("GET /v1/{any}", DefaultRateLimit))
		require.Equal(t, "GET /v1/{any}", l.lineOf(a.Operation, time.Now()).pattern.operation, "the last one is found first")
		require.NoError(t, l.LimitRoute(a.Operation, DefaultRateLimit))
		require.Equal(t, a.Operation, l.lineOf(a.Operation, time.Now()).pattern.operation)
		require.Len(t, l.routes.known, 2)
		require.Error(t, l.LimitRoute("nonsense", DefaultRateLimit))
	})
	_, err := NewClient("https://monitoring.test", "k", WithRouteRateLimit("nonsense", DefaultRateLimit))
	require.ErrorContains(t, err, `monitoring: new client: route "nonsense": want a method and a path`)
}

func TestARouteThatIsRefusedWaitsAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(DefaultRateLimit)
		x, y := LimitedAttempt{Operation: "GET /v1/x"}, LimitedAttempt{Operation: "GET /v1/y"}
		began := time.Now()
		refuse(l, x.Operation, 30*time.Second)
		require.NoError(t, l.WaitFor(t.Context(), y))
		require.Zero(t, time.Since(began))
		require.NoError(t, l.WaitFor(t.Context(), x))
		require.Equal(t, 30*time.Second, time.Since(began))
	})
}

func TestWaitersOfARouteThatIsRefusedStopToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(DefaultRateLimit)
		takeAll(t, l, oneOperation)
		x := LimitedAttempt{Operation: "GET /v1/x"}
		began := time.Now()
		var all sync.WaitGroup
		for _, waiting := range []bool{false, true} {
			x.Waiting = waiting
			all.Go(func() {
				require.NoError(t, l.WaitFor(t.Context(), x))
				require.GreaterOrEqual(t, time.Since(began), 30*time.Second)
			})
		}
		synctest.Wait()
		refuse(l, x.Operation, 30*time.Second)
		require.NoError(t, l.WaitFor(t.Context(), oneOperation))
		require.Less(t, time.Since(began), time.Second)
		all.Wait()
	})
}

func TestTwoOperationsThatAreRefusedTogetherPauseTheAccount(t *testing.T) {
	for name, c := range map[string]struct {
		apart   time.Duration
		account bool
	}{"together": {time.Second, true}, "at different times": {3 * time.Second, false}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newLimiter(DefaultRateLimit)
				refuse(l, "GET /v1/x", 0)
				time.Sleep(c.apart)
				refuse(l, "GET /v1/y", 30*time.Second)
				require.Equal(t, c.account, !l.State().PausedUntil.IsZero())
			})
		})
	}
}

func TestTheAccountIsRememberedForMinutesUnlessOneRouteAloneIsRefused(t *testing.T) {
	var b blame
	now := time.Now()
	require.False(t, b.refused("x", now))
	require.True(t, b.refused("y", now.Add(time.Second)))
	require.True(t, b.refused("y", now.Add(time.Minute)))
	require.True(t, b.refused("", now.Add(time.Minute)), "an operation that is not known")
	require.False(t, b.refused("y", now.Add(10*time.Minute)))

	b = blame{}
	b.refused("x", now)
	require.True(t, b.refused("y", now))
	for i := range 3 {
		b.responded("x")
		require.Equal(t, i < 2, b.refused("y", now), "refusal %d while others go through", i)
	}
	b.responded("y")
	require.False(t, b.others, "its own success says nothing of others")
}

func TestALearnedRouteIsForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(DefaultRateLimit)
		for i := range 2 * mostLearned {
			refuse(l, fmt.Sprintf("GET /v1/%d", i), 0)
			time.Sleep(blameTogether + 1)
		}
		require.LessOrEqual(t, len(l.routes.learned), mostLearned)
		time.Sleep(10 * time.Minute)
		for i := range 2 * mostLearned {
			require.Same(t, &l.others, l.lineOf(fmt.Sprintf("GET /v1/%d", i), time.Now()))
		}
		require.Empty(t, l.routes.learned)
	})
}

func TestLongPollsComeLastAndAreNotForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(DefaultRateLimit)
		takeAll(t, l, oneOperation)
		var mu sync.Mutex
		var order string
		var all sync.WaitGroup
		wait := func(name string, a LimitedAttempt) {
			all.Go(func() {
				require.NoError(t, l.WaitFor(t.Context(), a))
				mu.Lock()
				order += name
				mu.Unlock()
			})
			synctest.Wait()
		}
		wait("P", LimitedAttempt{Waiting: true})
		wait("P", LimitedAttempt{Waiting: true})
		for range 14 {
			wait("o", oneOperation)
		}
		all.Wait()
		require.Equal(t, "ooooooooooPooooP", order)
	})
}

func TestACauseIsShownAndMatchedButNotWhatItWraps(t *testing.T) {
	inner := errors.New("inner")
	cause := fmt.Errorf("another call failed: %w", fmt.Errorf("%w: %w", inner, ErrRateLimited))
	for name, before := range map[string]bool{"a context that has ended": true, "a context that ends while waiting": false} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newLimiter(RateLimit{Requests: 1, Per: time.Hour})
				require.NoError(t, l.Wait(t.Context()))
				ctx, stop := context.WithCancelCause(t.Context())
				if before {
					stop(cause)
				} else {
					time.AfterFunc(time.Second, func() { stop(cause) })
				}
				err := l.Wait(ctx)
				require.ErrorIs(t, err, context.Canceled)
				require.ErrorIs(t, err, cause)
				require.NotErrorIs(t, err, inner)
				require.NotErrorIs(t, err, ErrRateLimited)
				require.EqualError(t, err, "waiting for the rate limit: context canceled (another call failed: inner: monitoring: rate limited)")
			})
		})
	}
	require.False(t, sameError(uncomparable{}, uncomparable{}), "and does not panic")
}

type uncomparable struct{ _ []int }

func (uncomparable) Error() string { return "" }

func TestAPlaceGivenToACancelledWaiterGoesToTheNext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(RateLimit{Requests: 2, Per: time.Minute, Burst: 2})
		ctx, cancel := context.WithCancel(t.Context())
		l.mu.Lock()
		w := l.enqueue(ctx, &l.others, oneOperation, time.Now())
		l.dispatch(time.Now())
		require.False(t, w.place.IsZero())
		l.mu.Unlock()
		require.Equal(t, 1, l.State().Places)
		cancel()
		require.ErrorIs(t, l.leave(ctx, w), context.Canceled)
		require.Equal(t, 2, l.State().Places)
	})
}

func TestNoTimerIsLeftWhenNobodyWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(DefaultRateLimit)
		takeAll(t, l, oneOperation)
		require.Nil(t, l.timer)
		ctx, stop := within(t, time.Millisecond)
		defer stop()
		require.Error(t, l.Wait(ctx))
		require.Nil(t, l.timer)
	})
}

func TestALimiterOfMillionsKeepsLittleMemoryAndDoesNotOverflow(t *testing.T) {
	for _, requests := range []int{2_000_000, math.MaxInt} {
		synctest.Test(t, func(t *testing.T) {
			l := newLimiter(RateLimit{Requests: requests, Per: time.Minute})
			for range 10_000 {
				require.NoError(t, l.WaitFor(t.Context(), LimitedAttempt{Waiting: true, Share: 0.9}))
				time.Sleep(time.Millisecond)
			}
			require.LessOrEqual(t, len(l.common.window.runs), windowRuns+1)
			require.Positive(t, l.State().Places)
		})
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	l := newLimiter(RateLimit{Requests: 2_000_000, Per: time.Minute, Burst: 2_000_000})
	for range 2_000_000 {
		l.common.take(time.Now())
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	require.Less(t, int64(after.HeapAlloc)-int64(before.HeapAlloc), int64(1<<20))
	require.Equal(t, 2_000_000, l.common.window.count)
	runtime.KeepAlive(l)

	_, err := NewLimiter(RateLimit{Requests: 1, Per: math.MaxInt64})
	require.NoError(t, err)
}

func TestAPlainLimiterIsAskedOnceForEachAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		plain := &plainOne{}
		l := accountLimiter(plain)
		require.NoError(t, l.WaitFor(t.Context(), oneOperation))
		l.Ended(oneOperation, AttemptOutcome{StatusCode: 200})
		require.Equal(t, []string{"wait"}, plain.seen)
		refuse(l, oneOperation.Operation, 5*time.Second)
		require.Equal(t, []string{"wait", "throttled 5s"}, plain.seen)
		require.Zero(t, l.State())

		alerts := LimitedAttempt{Operation: "GET /v1/alert-notifications"}
		for range 2 {
			require.NoError(t, l.WaitFor(t.Context(), alerts))
		}
		require.Len(t, plain.seen, 4, "besides the limit of the route")
		refuse(l, alerts.Operation, 5*time.Second)
		require.Len(t, plain.seen, 4, "a 429 of the route is the route's")
		began := time.Now()
		require.NoError(t, l.WaitFor(t.Context(), alerts))
		require.Equal(t, 5*time.Second, time.Since(began))

		plain.err = errors.New("redis is down")
		require.EqualError(t, l.WaitFor(t.Context(), oneOperation), "waiting for the rate limit: redis is down")
		require.ErrorIs(t, l.WaitFor(t.Context(), alerts), plain.err)
		ctx, stop := within(t, time.Second)
		defer stop()
		l.(*plainLimiter).route(alerts.Operation).turn <- struct{}{}
		require.ErrorIs(t, l.WaitFor(ctx, alerts), context.DeadlineExceeded)
	})
	own := newLimiter(DefaultRateLimit)
	require.Same(t, own, accountLimiter(own))
}

func TestRoutesBesideAPlainLimiterKeepTheirWindows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := accountLimiter(&plainOne{slow: 2500 * time.Millisecond})
		operation := "GET /v1/x/{id}"
		require.NoError(t, l.LimitRoute(operation, RateLimit{Requests: 3, Per: 10 * time.Second, Burst: 3}))
		require.NoError(t, l.LimitRoute(operation, RateLimit{Requests: 3, Per: 10 * time.Second, Burst: 3}))
		require.Error(t, l.LimitRoute(operation, RateLimit{}))
		require.Error(t, l.LimitRoute("x", DefaultRateLimit))
		var mu sync.Mutex
		var left []time.Time
		var all sync.WaitGroup
		for range 12 {
			all.Go(func() {
				require.NoError(t, l.WaitFor(t.Context(), LimitedAttempt{Operation: "GET /v1/x/5"}))
				mu.Lock()
				defer mu.Unlock()
				left = append(left, time.Now())
			})
		}
		all.Wait()
		for i := 3; i < len(left); i++ {
			require.GreaterOrEqual(t, left[i].Sub(left[i-3]), 10*time.Second)
		}
		require.Less(t, left[11].Sub(left[0]), 45*time.Second)
	})
}

func TestLongPollsBesideAPlainLimiterLeaveAQuarterOfTheDefaultLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := accountLimiter(&plainOne{})
		ctx, stop := within(t, 10*time.Minute)
		defer stop()
		n := 0
		for l.WaitFor(ctx, LimitedAttempt{Waiting: true}) == nil {
			n++
		}
		require.InDelta(t, 4500, n, 150)
	})
}

// plainOne is a limiter with the two methods only.
type plainOne struct {
	mu   sync.Mutex
	slow time.Duration
	seen []string
	err  error
}

func (p *plainOne) Wait(ctx context.Context) error {
	p.mu.Lock()
	p.seen = append(p.seen, "wait")
	p.mu.Unlock()
	time.Sleep(p.slow)
	return p.err
}

func (p *plainOne) Throttled(d time.Duration) { p.seen = append(p.seen, "throttled "+d.String()) }

func TestWithoutALimitAttemptsLeaveWhenTheyCome(t *testing.T) {
	l := unlimited{}
	for range 10_000 {
		require.NoError(t, l.WaitFor(t.Context(), oneOperation))
	}
	l.Throttled(time.Hour)
	refuse(l, "", time.Hour)
	require.NoError(t, l.Wait(t.Context()))
	ctx, stop := context.WithCancel(t.Context())
	stop()
	require.ErrorIs(t, l.Wait(ctx), context.Canceled)
	require.Equal(t, math.MaxInt, l.State().Places)
	require.ErrorContains(t, l.LimitRoute("GET /v1/x", DefaultRateLimit), "WithoutRateLimit")
}

func BenchmarkPlaceThatIsThere(b *testing.B) {
	l := newLimiter(RateLimit{Requests: math.MaxInt, Per: time.Millisecond})
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if err := l.WaitFor(b.Context(), oneOperation); err != nil {
				b.Error(err)
			}
			l.Ended(oneOperation, AttemptOutcome{StatusCode: 200})
		}
	})
}
