package limiter

import (
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

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
		require.NoError(t, s.routes.limit(fmt.Sprintf("GET /v1/r%d", i), standard, now))
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
		others    string        // was not refused in between
		account   bool
	}
	for name, refusals := range map[string][]refusal{
		"one operation":                       {{"x", 0, "", false}, {"x", time.Second, "", false}},
		"without an operation":                {{"", 0, "", true}},
		"two operations together":             {{"x", 0, "", false}, {"y", 2 * time.Second, "", true}},
		"two operations, one after the other": {{"x", 0, "", false}, {"y", 2*time.Second + 1, "", false}},
		"the account, for five minutes":       {{"x", 0, "", false}, {"y", 0, "", true}, {"y", 5 * time.Minute, "", true}, {"y", 1, "", false}},
		"a route again, the third time alone": {{"x", 0, "", false}, {"y", 0, "", true}, {"y", 0, "x", true}, {"y", 0, "x", true}, {"y", 0, "x", false}},
		"not by its own responses":            {{"x", 0, "", false}, {"y", 0, "", true}, {"y", 0, "y", true}, {"y", 0, "y", true}, {"y", 0, "y", true}},
		"another operation begins the count":  {{"x", 0, "", false}, {"y", 0, "", true}, {"y", 0, "z", true}, {"y", 0, "z", true}, {"x", 0, "z", true}, {"x", 0, "z", true}, {"x", 0, "z", true}, {"x", 0, "z", false}},
	} {
		t.Run(name, func(t *testing.T) {
			var b blame
			now := epoch
			for i, r := range refusals {
				now = now.Add(r.after)
				if r.others != "" {
					b.responded(r.others)
				}
				require.Equal(t, r.account, b.refused(r.operation, now), "refusal %d", i)
			}
		})
	}
}
