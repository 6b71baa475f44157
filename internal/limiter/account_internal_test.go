package limiter

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/testkit"
)

// standard is the limit of most tests.
var standard = Rate{Requests: 600, Per: time.Minute}

// newAccount makes a limiter with a limit, and with a route that has a limit of its own.
func newAccount(limit Rate) *Account {
	l, err := New(limit, map[string]Rate{"GET /v1/alert-notifications": {Requests: 5, Per: 10 * time.Second, Burst: 5}})
	if err != nil {
		panic(err)
	}
	return l
}

// refuse reports a 429 to a limiter, for an attempt that was sent just now.
func refuse(l *Account, operation string, retryAfter time.Duration) {
	l.Ended(Attempt{Operation: operation}, Outcome{StatusCode: 429, RetryAfter: retryAfter})
}

// takeAll takes all places that are there now, and returns their number.
func takeAll(t *testing.T, l *Account, a Attempt) (n int) {
	for began := time.Now(); ; n++ {
		require.NoError(t, l.Wait(t.Context(), a))
		if time.Since(began) > 0 {
			return n
		}
	}
}

func TestTheBurstIsThatOfTheRateLimit(t *testing.T) {
	for _, c := range []struct {
		limit Rate
		burst int
	}{
		{Rate{Requests: 600, Per: time.Minute}, 100},
		{Rate{Requests: 5, Per: time.Minute}, 1},
		{Rate{Requests: 12, Per: time.Minute}, 2},
		{Rate{Requests: 600, Per: time.Minute, Burst: 1}, 1},
		{Rate{Requests: 600, Per: time.Minute, Burst: 500}, 500},
		{Rate{Requests: 600, Per: time.Minute, Burst: 600}, 600},
	} {
		synctest.Test(t, func(t *testing.T) {
			l := newAccount(c.limit)
			require.Equal(t, c.burst, l.State().Places)
			require.Equal(t, c.burst, takeAll(t, l, oneOperation))
			time.Sleep(3 * time.Minute)
			require.Equal(t, c.burst, takeAll(t, l, oneOperation), "the burst is there again after a rest")
		})
	}
	for _, burst := range []int{-1, 601} {
		_, err := New(Rate{Requests: 600, Per: time.Minute, Burst: burst}, nil)
		require.EqualError(t, err, fmt.Sprintf("rate limit of 600 in 1m0s: the burst is %d, want 0 to 600", burst))
	}
}

func TestTheLimitsThatAreAllowed(t *testing.T) {
	for limit, want := range map[Rate]string{
		{Requests: 1, Per: 1}:                      "",
		{Requests: 1, Per: 1, Burst: 1}:            "",
		{Requests: 5, Per: time.Second, Burst: 5}:  "",
		{Requests: 0, Per: time.Second}:            "rate limit of 0 in 1s: want a positive number and time",
		{Requests: -1, Per: time.Second}:           "rate limit of -1 in 1s: want a positive number and time",
		{Requests: 1, Per: 0}:                      "rate limit of 1 in 0s: want a positive number and time",
		{Requests: 1, Per: -1}:                     "rate limit of 1 in -1ns: want a positive number and time",
		{Requests: 5, Per: time.Second, Burst: 6}:  "rate limit of 5 in 1s: the burst is 6, want 0 to 5",
		{Requests: 5, Per: time.Second, Burst: -1}: "rate limit of 5 in 1s: the burst is -1, want 0 to 5",
	} {
		_, err := New(limit, nil)
		require.Equal(t, err, limit.Check())
		if want == "" {
			require.NoError(t, err)
		} else {
			require.EqualError(t, err, want)
		}
	}
}

func TestABurstOfTheWholeLimitIsThereEachMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newAccount(Rate{Requests: 600, Per: time.Minute, Burst: 600})
		for range 3 {
			began := time.Now()
			for range 500 {
				require.NoError(t, l.Wait(t.Context(), Attempt{}))
			}
			require.Zero(t, time.Since(began))
			time.Sleep(61 * time.Second)
		}
	})
}

func TestTheStateHasPlacesPauseAndWaiters(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newAccount(standard)
		require.Equal(t, State{Limit: standard, Places: 100}, l.State())
		for range 100 {
			require.NoError(t, l.Wait(t.Context(), Attempt{}))
		}
		require.Equal(t, State{Limit: standard}, l.State())
		ctx, stop := context.WithCancel(t.Context())
		var waiters sync.WaitGroup
		refuse(l, "", 20*time.Second)
		for _, class := range []Class{Ordinary, Poll} {
			waiters.Go(func() { l.Wait(ctx, Attempt{Class: class}) })
		}
		synctest.Wait()
		require.Equal(t, State{Limit: standard, Waiters: 2, PausedUntil: time.Now().Add(20 * time.Second)}, l.State())
		stop()
		waiters.Wait()
		require.Zero(t, l.State().Waiters)
		time.Sleep(20 * time.Second)
		require.Zero(t, l.State().PausedUntil)
	})
}

func TestAWaiterThatGetsNoPlaceReturnsAtItsDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newAccount(Rate{Requests: 1, Per: time.Hour})
		require.NoError(t, l.Wait(t.Context(), Attempt{}))
		ctx, stop := within(t, 2*time.Second)
		defer stop()
		began := time.Now()
		err := l.Wait(ctx, Attempt{})
		require.Equal(t, 2*time.Second, time.Since(began))
		require.Equal(t, &EndedError{Err: context.DeadlineExceeded}, err)
		require.EqualError(t, err, "no place before the context ended: context deadline exceeded")
		require.ErrorIs(t, err, context.DeadlineExceeded)
	})
}

func TestLongPollsGoLastButGetPlaces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newAccount(standard)
		takeAll(t, l, oneOperation)
		var mu sync.Mutex
		var order string
		var all sync.WaitGroup
		wait := func(name string, a Attempt) {
			all.Go(func() {
				require.NoError(t, l.Wait(t.Context(), a))
				mu.Lock()
				order += name
				mu.Unlock()
			})
			synctest.Wait()
		}
		wait("P", Attempt{Class: Poll})
		wait("P", Attempt{Class: Poll})
		for range 14 {
			wait("o", oneOperation)
		}
		all.Wait()
		require.Equal(t, "ooooooooooPooooP", order)
	})
}

func TestThePlaceOfACancelledWaiterIsGivenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newAccount(Rate{Requests: 2, Per: time.Minute, Burst: 2})
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

func hasTimer(l *Account) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.timer != nil
}

func TestThereIsNoTimerWithoutWaiters(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newAccount(standard)
		takeAll(t, l, oneOperation)
		require.False(t, hasTimer(l))
		ctx, stop := within(t, time.Millisecond)
		defer stop()
		require.Error(t, l.Wait(ctx, Attempt{}))
		require.False(t, hasTimer(l))
		require.Empty(t, l.lines)
	})
}

func TestAHugeLimitTakesLittleMemoryAndDoesNotOverflow(t *testing.T) {
	testkit.SkipUnderRace(t)
	for _, requests := range []int{2_000_000, math.MaxInt} {
		synctest.Test(t, func(t *testing.T) {
			l := newAccount(Rate{Requests: requests, Per: time.Minute})
			for range 10_000 {
				require.NoError(t, l.Wait(t.Context(), Attempt{Class: Poll, Share: 0.9}))
				time.Sleep(time.Millisecond)
			}
			require.LessOrEqual(t, len(l.common.window.runs), windowRuns+1)
			require.Positive(t, l.State().Places)
		})
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	l := newAccount(Rate{Requests: 2_000_000, Per: time.Minute, Burst: 2_000_000})
	for range 2_000_000 {
		l.common.take(time.Now())
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	require.Less(t, int64(after.HeapAlloc)-int64(before.HeapAlloc), int64(1<<20))
	require.Equal(t, 2_000_000, l.common.window.count)
	runtime.KeepAlive(l)

	_, err := New(Rate{Requests: 1, Per: math.MaxInt64}, nil)
	require.NoError(t, err)
}

func BenchmarkPlaceThatIsThere(b *testing.B) {
	l := newAccount(Rate{Requests: math.MaxInt, Per: time.Millisecond})
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if err := l.Wait(b.Context(), oneOperation); err != nil {
				b.Error(err)
			}
			l.Ended(oneOperation, Outcome{StatusCode: 200})
		}
	})
}

func TestReadingTheStateDoesNotChangeThePace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newAccount(standard)
		takeAll(t, l, oneOperation)
		began := time.Now()
		places := l.State().Places
		for time.Since(began) < 5*time.Second {
			time.Sleep(time.Second)
			l.State()
		}
		require.InDelta(t, 50, l.State().Places-places, 2, "places come at the even pace")
	})
}

func TestTheErrorOfAWaiterDoesNotNameAPauseThatIsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newAccount(Rate{Requests: 1, Per: time.Hour})
		refuse(l, "", 2*time.Second)
		require.NoError(t, l.Wait(t.Context(), Attempt{}))
		ctx, stop := within(t, 10*time.Second)
		defer stop()
		err := l.Wait(ctx, Attempt{})
		require.Equal(t, &EndedError{Err: context.DeadlineExceeded}, err)
	})
}

func TestWaitersAreServedInOrderAndACancelledOneTakesNoPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newAccount(Rate{Requests: 600, Per: time.Minute})
		for range 100 {
			require.NoError(t, l.Wait(t.Context(), Attempt{}))
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
				if err := l.Wait(ctx, Attempt{}); err != nil {
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
		l := newAccount(Rate{Requests: 1, Per: time.Hour})
		require.NoError(t, l.Wait(t.Context(), Attempt{}))
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(3*time.Second, cancel)
		began := time.Now()
		require.ErrorIs(t, l.Wait(ctx, Attempt{}), context.Canceled)
		require.Equal(t, 3*time.Second, time.Since(began))

		ctx, cancel = context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		began = time.Now()
		require.ErrorIs(t, l.Wait(ctx, Attempt{}), context.DeadlineExceeded)
		require.Equal(t, time.Minute, time.Since(began))
	})
}
