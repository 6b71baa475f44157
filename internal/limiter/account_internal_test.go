package limiter

import (
	"context"
	"fmt"
	"math"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

var oneOperation = Attempt{Operation: "GET /v1/locations"}

// newAccount makes a limiter with a limit, and with a route that has a limit of its own.
func newAccount(limit Rate) *Account {
	l, err := New(limit, map[string]Rate{"GET /v1/alert-notifications": {Requests: 5, Per: 10 * time.Second, Burst: 5}}, nil)
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

func TestTheBurstIsThereAgainAfterARest(t *testing.T) {
	for limit, burst := range map[Rate]int{standard: 100, {Requests: 5, Per: time.Minute}: 1, {Requests: 600, Per: time.Minute, Burst: 600}: 600} {
		synctest.Test(t, func(t *testing.T) {
			l := newAccount(limit)
			for name, rest := range []func(){
				func() {},
				func() { time.Sleep(2 * time.Minute) },
				func() {
					refuse(l, "", time.Second)
					time.Sleep(time.Second)
					require.LessOrEqual(t, l.State().Places, 1, "while others use the limit there is no burst")
					time.Sleep(4 * time.Hour)
				},
			} {
				rest()
				require.Equal(t, burst, l.State().Places, name)
				require.Equal(t, burst, takeAll(t, l, oneOperation), name)
			}
		})
	}
}

func TestTheLimitsThatAreAllowed(t *testing.T) {
	for limit, want := range map[Rate]string{
		{Requests: 1, Per: 1}:                      "",
		{Requests: 1, Per: math.MaxInt64}:          "",
		{Requests: math.MaxInt, Per: time.Minute}:  "",
		{Requests: 5, Per: time.Second, Burst: 5}:  "",
		{Requests: 0, Per: time.Second}:            "rate limit of 0 requests in 1s: want a positive number and time",
		{Requests: -1, Per: time.Second}:           "rate limit of -1 requests in 1s: want a positive number and time",
		{Requests: 1, Per: 0}:                      "rate limit of 1 requests in 0s: want a positive number and time",
		{Requests: 5, Per: time.Second, Burst: 6}:  "rate limit of 5 requests in 1s: want a burst from 0 to 5, got 6",
		{Requests: 5, Per: time.Second, Burst: -1}: "rate limit of 5 requests in 1s: want a burst from 0 to 5, got -1",
	} {
		l, err := New(limit, nil, nil)
		if want == "" {
			require.NoError(t, err)
			require.NoError(t, l.Wait(t.Context(), oneOperation))
		} else {
			require.EqualError(t, err, want)
		}
	}
	_, err := New(standard, map[string]Rate{"nonsense": standard}, nil)
	require.ErrorContains(t, err, `route "nonsense": want a method and a path`)
	_, err = New(standard, map[string]Rate{"GET /v1/x": {}}, nil)
	require.EqualError(t, err, `route "GET /v1/x": rate limit of 0 requests in 0s: want a positive number and time`)
}

func TestTheStateTellsOfPausesClassesAndRoutes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newAccount(standard)
		alerts := RouteState{Operation: "GET /v1/alert-notifications", Limit: Rate{Requests: 5, Per: 10 * time.Second, Burst: 5}, Places: 5, Share: 1}
		require.Equal(t, State{Limit: standard, Places: 100, Share: 1, Routes: []RouteState{alerts}}, l.State())
		for range 95 {
			require.NoError(t, l.Wait(t.Context(), oneOperation))
		}
		for range 5 {
			require.NoError(t, l.Wait(t.Context(), Attempt{Operation: alerts.Operation}))
		}
		alerts.Places = 0
		require.Equal(t, State{Limit: standard, Share: 1, Routes: []RouteState{alerts}}, l.State())

		refuse(l, "GET /v1/x", 5*time.Second)
		refuse(l, "", 20*time.Second)
		ctx, stop := context.WithCancel(t.Context())
		var waiters sync.WaitGroup
		for _, a := range []Attempt{oneOperation, {Operation: "GET /v1/x"}, {Operation: alerts.Operation, Class: Background}, {Class: Poll}, {Class: Poll}} {
			waiters.Go(func() { l.Wait(ctx, a) })
		}
		synctest.Wait()
		alerts.Waiters = 1
		state := l.State()
		require.Equal(t, State{
			Limit: standard, PausedUntil: time.Now().Add(20 * time.Second), Share: 0.94, Waiters: 5, Classes: [classes]int{2, 1, 2},
			Routes: []RouteState{alerts, {Operation: "GET /v1/x", PausedUntil: time.Now().Add(5 * time.Second), Share: 0.94, Waiters: 1}},
		}, state)
		stop()
		waiters.Wait()
		time.Sleep(5 * time.Minute)
		alerts.Waiters, alerts.Places = 0, 5
		require.Equal(t, State{Limit: standard, Places: 100, Share: 1, Routes: []RouteState{alerts}}, l.State())
	})
}

func TestAWaiterReturnsWhenItsContextEndsNotBefore(t *testing.T) {
	for want, patience := range map[error]time.Duration{context.DeadlineExceeded: 2 * time.Second, context.Canceled: time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			l := newAccount(Rate{Requests: 1, Per: time.Hour})
			require.NoError(t, l.Wait(t.Context(), Attempt{}))
			ctx, stop := context.WithTimeout(t.Context(), patience)
			defer stop()
			if want == context.Canceled {
				time.AfterFunc(2*time.Second, stop)
			}
			began := time.Now()
			err := l.Wait(ctx, Attempt{})
			require.Equal(t, 2*time.Second, time.Since(began))
			require.Equal(t, &EndedError{Err: want}, err)
			require.EqualError(t, err, "no place before the context ended: "+want.Error())
			require.ErrorIs(t, err, want)
			require.Equal(t, &EndedError{Err: want}, l.Wait(ctx, Attempt{}), "at once if it has ended")
		})
	}
}

func TestTheErrorNamesThePauseThatOutlastsTheContext(t *testing.T) {
	for operation, paused := range map[string]bool{"": true, "GET /v1/alert-notifications": true, "GET /v1/x": false} {
		synctest.Test(t, func(t *testing.T) {
			l := newAccount(Rate{Requests: 5, Per: time.Minute, Burst: 5})
			takeAll(t, l, oneOperation)
			refuse(l, operation, time.Minute)
			want := &EndedError{Err: context.DeadlineExceeded}
			if paused {
				want.PausedUntil = time.Now().Add(time.Minute)
			}
			ctx, stop := context.WithTimeout(t.Context(), 2*time.Second)
			defer stop()
			require.Equal(t, want, l.Wait(ctx, Attempt{Operation: "GET /v1/alert-notifications"}))
		})
	}
}

// TestThePlaceOfACancelledWaiterIsGivenBack has a waiter whose context ends at the moment at which
// it gets its place.
func TestThePlaceOfACancelledWaiterIsGivenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newAccount(Rate{Requests: 2, Per: time.Minute, Burst: 2})
		require.NoError(t, l.LimitRoute("GET /v1/x", Rate{Requests: 2, Per: time.Minute, Burst: 2}))
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		now := time.Now()
		w := &waiter{attempt: Attempt{Operation: "GET /v1/x"}, onPlace: func() {}}
		l.sched.join(l.sched.lineOf("GET /v1/x", now), w)
		l.mu.Lock()
		l.dispatch(now)
		l.mu.Unlock()
		require.False(t, w.place.IsZero())
		require.Equal(t, []int{1, 1}, []int{l.State().Places, l.State().Routes[0].Places})
		require.ErrorIs(t, l.leave(ctx, w), context.Canceled)
		require.Equal(t, []int{2, 2}, []int{l.State().Places, l.State().Routes[0].Places})
	})
}

// TestAnAccountIsUsedInSeveralBubbles uses one account in bubbles that all begin at the same time,
// which is long before the account was made.
func TestAnAccountIsUsedInSeveralBubbles(t *testing.T) {
	l, err := New(Rate{Requests: 100, Per: 10 * time.Second}, nil, nil)
	require.NoError(t, err)
	for range 3 {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			began := time.Now()
			for range 300 {
				require.NoError(t, l.Wait(ctx, Attempt{}))
				l.Ended(Attempt{}, Outcome{StatusCode: 200})
			}
			require.InDelta(t, 30, time.Since(began).Seconds(), 4)
			l.Ended(Attempt{}, Outcome{StatusCode: 429, RetryAfter: 5 * time.Second})
			require.Equal(t, time.Now().Add(5*time.Second), l.State().PausedUntil)
			time.Sleep(time.Hour)
			require.Zero(t, l.State().PausedUntil)
		})
	}
}

func TestTheRouteThatWasSetLastCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newAccount(standard)
		a := Attempt{Operation: "GET /v1/alert-notifications"}
		require.Equal(t, 5, takeAll(t, l, a))
		fifty := Rate{Requests: 50, Per: 10 * time.Second, Burst: 50}
		require.NoError(t, l.LimitRoute(a.Operation, fifty))
		require.Equal(t, 50, takeAll(t, l, a))
		require.NoError(t, l.LimitRoute(a.Operation, fifty))
		require.Zero(t, l.State().Routes[0].Places, "setting the same limit again changes nothing")
		require.NoError(t, l.LimitRoute("GET /v1/{any}", standard))
		require.Equal(t, "GET /v1/{any}", l.sched.lineOf(a.Operation, time.Now()).pattern.Operation)
		require.NoError(t, l.LimitRoute(a.Operation, standard))
		require.Equal(t, a.Operation, l.sched.lineOf(a.Operation, time.Now()).pattern.Operation)
		require.Len(t, l.State().Routes, 2)
		for _, other := range []string{"POST /v1/alert-notifications", "GET /v1/alert-notifications/5", ""} {
			require.Same(t, &l.sched.others, l.sched.lineOf(other, time.Now()), "it has no route")
		}
		require.Error(t, l.LimitRoute("nonsense", standard))
	})
}

func TestWhatIsKnownIsBoundedAndTheLeastUsedIsForgotten(t *testing.T) {
	s := newScheduler(standard, epoch)
	now := epoch
	for i := range mostRoutes + 1 {
		now = now.Add(time.Second)
		require.NoError(t, s.routes.limit(fmt.Sprintf("GET /v1/r%d", i), standard, now, func(string, *pacer) {}))
		s.lineOf("GET /v1/r0", now)
	}
	require.Len(t, s.routes.set, mostRoutes)
	require.True(t, s.lineOf("GET /v1/r0", now).known, "it was used")
	require.False(t, s.lineOf("GET /v1/r1", now).known)
	require.True(t, s.lineOf("GET /v1/r2", now).known)

	for i := range mostOperations + 1 {
		s.ended(now, Attempt{Operation: fmt.Sprintf("GET /v1/o%d", i)}, Outcome{StatusCode: 200, Duration: time.Second})
		s.ended(now, Attempt{Operation: "GET /v1/o0"}, Outcome{StatusCode: 200, Duration: 3 * time.Second})
	}
	require.Equal(t, mostOperations, s.known.order.Len())
	require.Len(t, s.known.byName, mostOperations)
	require.Equal(t, 3*time.Second, s.probably("GET /v1/o0", now))
	require.NotContains(t, s.known.byName, "GET /v1/o1")
	require.Equal(t, time.Second, s.known.of("GET /v1/o2").times.probably(now))
}

func TestARefusalOfOneOperationPausesOnlyThat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newAccount(standard)
		takeAll(t, l, oneOperation)
		began := time.Now()
		var waiters sync.WaitGroup
		for _, class := range []Class{Ordinary, Background, Poll} {
			waiters.Go(func() {
				require.NoError(t, l.Wait(t.Context(), Attempt{Operation: "GET /v1/x", Class: class}))
				require.GreaterOrEqual(t, time.Since(began), 30*time.Second)
			})
		}
		synctest.Wait()
		refuse(l, "GET /v1/x", 30*time.Second)
		require.NoError(t, l.Wait(t.Context(), oneOperation))
		require.Less(t, time.Since(began), time.Second)
		waiters.Wait()
	})
}

func TestARefusalOfARouteWhoseLimitWasSetPausesOnlyThatRoute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newAccount(standard)
		alerts := Attempt{Operation: "GET /v1/alert-notifications"}
		refuse(l, "GET /v1/x", time.Second) // two operations are refused together
		refuse(l, alerts.Operation, 30*time.Second)
		refuse(l, alerts.Operation, 30*time.Second)
		state := l.State()
		require.Zero(t, state.PausedUntil, "the account has no pause")
		require.Equal(t, []float64{1, 0.94}, []float64{state.Share, state.Routes[0].Share})
		began := time.Now()
		require.NoError(t, l.Wait(t.Context(), oneOperation))
		require.Zero(t, time.Since(began))
		require.NoError(t, l.Wait(t.Context(), alerts))
		require.Equal(t, 30*time.Second, time.Since(began))
	})
}

func TestWhoWaitsInARouteGetsItsPlaceWhenTheLimitIsRaised(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newAccount(standard)
		alerts := Attempt{Operation: "GET /v1/alert-notifications"}
		takeAll(t, l, alerts)
		began := time.Now()
		var waiting sync.WaitGroup
		waiting.Go(func() {
			require.NoError(t, l.Wait(t.Context(), alerts))
			require.Zero(t, time.Since(began), "it does not wait for the place of the former limit")
		})
		synctest.Wait()
		require.NoError(t, l.LimitRoute(alerts.Operation, standard))
		waiting.Wait()
	})
}

func TestARefusalOfTheAccountEndsWhatWasLearnedOfARoute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newAccount(standard)
		x := Attempt{Operation: "GET /v1/x"}
		refuse(l, x.Operation, 30*time.Second)
		refuse(l, "GET /v1/y", time.Second)
		time.Sleep(ms)
		refuse(l, x.Operation, 5*time.Second)
		began := time.Now()
		require.NoError(t, l.Wait(t.Context(), x))
		require.Equal(t, 5*time.Second, time.Since(began))
	})
}

func TestWhetherARouteOrTheAccountIsBlamed(t *testing.T) {
	type refusal struct {
		operation string
		after     time.Duration // the one before
		account   bool
	}
	for name, refusals := range map[string][]refusal{
		"one operation":                       {{"x", 0, false}, {"x", time.Second, false}},
		"without an operation":                {{"", 0, true}},
		"two operations together":             {{"x", 0, false}, {"y", 2 * time.Second, true}},
		"two operations, one after the other": {{"x", 0, false}, {"y", 2*time.Second + 1, false}},
		"the account, for five minutes":       {{"x", 0, false}, {"y", 0, true}, {"y", 5 * time.Minute, true}, {"y", 1, false}},
	} {
		t.Run(name, func(t *testing.T) {
			var b blame
			now := epoch
			for i, r := range refusals {
				now = now.Add(r.after)
				require.Equal(t, r.account, b.refused(r.operation, now), "refusal %d", i)
			}
		})
	}
}

func TestAnOperationThatIsRefusedFarMoreThanOthersHasALimitOfItsOwn(t *testing.T) {
	type counts = map[string][2]float64 // answered and refused
	for _, c := range []struct {
		name  string
		of    counts
		alone bool
	}{
		{"nobody else is answered", counts{"x": {10, 3}}, false},
		{"others are never refused", counts{"x": {10, 1}, "y": {30, 0}}, true},
		{"others are refused as often", counts{"x": {94, 6}, "y": {188, 12}, "z": {47, 3}}, false},
		{"others are refused half as often", counts{"x": {94, 6}, "y": {97, 3}}, false},
		{"others are refused a quarter as often", counts{"x": {92, 8}, "y": {98, 2}}, true},
		{"another one is like it, and most are not", counts{"x": {27, 3}, "y": {27, 3}, "z": {300, 1}}, true},
		{"a few others had luck", counts{"x": {94, 6}, "y": {94, 6}, "z": {30, 0}}, false},
		{"a third of the others is not refused", counts{"x": {94, 6}, "y": {100, 7}, "z": {50, 0}}, true},
		{"others like it have most, but one would have been refused five times", counts{"x": {9, 1}, "y": {90, 10}, "z": {90, 10}, "o": {50, 0}}, true},
		{"or only four times", counts{"x": {9, 1}, "y": {90, 10}, "z": {90, 10}, "o": {40, 0}}, false},
		{"an attempt without an operation", counts{"": {10, 3}, "y": {30, 0}}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			var o operations
			for name, n := range c.of {
				o.of(name).tally.add(epoch, n[0], n[1])
			}
			who := "x"
			if _, ok := c.of[""]; ok {
				who = ""
			}
			require.Equal(t, c.alone, o.alone(o.of(who), epoch))
		})
	}
}

// Before others began to use the account, one operation was used far more than the other.
func TestWhatWasAnsweredLongAgoDoesNotSayWhoIsRefused(t *testing.T) {
	var o operations
	o.of("x").tally.add(epoch, 100, 0)
	o.of("y").tally.add(epoch, 10_000, 0)
	now := epoch.Add(20 * time.Minute)
	for range 20 {
		now = now.Add(time.Minute)
		for _, name := range []string{"x", "y"} {
			o.of(name).tally.add(now, 47, 3)
		}
	}
	require.False(t, o.alone(o.of("x"), now))
}

// Two routes with limits that nobody told are refused together, while others are answered.
func TestTwoUnknownRoutesAreNamedAndTheAccountGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newAccount(standard)
		for range 20 {
			l.Ended(Attempt{Operation: "GET /v1/others"}, Outcome{StatusCode: 200})
		}
		refuse(l, "GET /v1/x", 7*time.Second)
		refuse(l, "GET /v1/y", 9*time.Second)
		state := l.State()
		require.Zero(t, state.PausedUntil)
		require.Equal(t, 1.0, state.Share)
		require.Len(t, state.Routes, 3, "one of them is set")
		require.Equal(t, "GET /v1/y", state.Routes[1].Operation)
		require.Equal(t, "GET /v1/x", state.Routes[2].Operation)
		require.Equal(t, 7*time.Second, time.Until(state.Routes[2].PausedUntil))
	})
}
