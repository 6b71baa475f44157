package limiter

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestTheLimitOfARouteCanBeReplaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newAccount(standard)
		a := Attempt{Operation: "GET /v1/alert-notifications"}
		require.Equal(t, 5, takeAll(t, l, a))
		require.NoError(t, l.LimitRoute(a.Operation, Rate{Requests: 50, Per: 10 * time.Second, Burst: 50}))
		require.Equal(t, 50, takeAll(t, l, a))
		pacer := l.routes.known[0].pacer
		require.NoError(t, l.LimitRoute(a.Operation, Rate{Requests: 50, Per: 10 * time.Second, Burst: 50}))
		require.Same(t, pacer, l.routes.known[0].pacer, "setting the same limit again changes nothing")
		require.NoError(t, l.LimitRoute("GET /v1/{any}", standard))
		require.Equal(t, "GET /v1/{any}", l.lineOf(a.Operation, time.Now()).pattern.Operation, "the pattern that was set last is found first")
		require.NoError(t, l.LimitRoute(a.Operation, standard))
		require.Equal(t, a.Operation, l.lineOf(a.Operation, time.Now()).pattern.Operation)
		require.Len(t, l.routes.known, 2)
		require.Error(t, l.LimitRoute("nonsense", standard))
	})
	_, err := New(standard, map[string]Rate{"nonsense": standard})
	require.ErrorContains(t, err, `route "nonsense": want a method and a path`)
}

func TestARefusalOfARoutePausesOnlyThatRoute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newAccount(standard)
		x, y := Attempt{Operation: "GET /v1/x"}, Attempt{Operation: "GET /v1/y"}
		began := time.Now()
		refuse(l, x.Operation, 30*time.Second)
		require.NoError(t, l.Wait(t.Context(), y))
		require.Zero(t, time.Since(began))
		require.NoError(t, l.Wait(t.Context(), x))
		require.Equal(t, 30*time.Second, time.Since(began))
	})
}

func TestWaitersOfARefusedRouteWaitForItsPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newAccount(standard)
		takeAll(t, l, oneOperation)
		began := time.Now()
		var all sync.WaitGroup
		for _, class := range []Class{Ordinary, Background, Poll} {
			all.Go(func() {
				require.NoError(t, l.Wait(t.Context(), Attempt{Operation: "GET /v1/x", Class: class}))
				require.GreaterOrEqual(t, time.Since(began), 30*time.Second)
			})
		}
		synctest.Wait()
		refuse(l, "GET /v1/x", 30*time.Second)
		require.NoError(t, l.Wait(t.Context(), oneOperation))
		require.Less(t, time.Since(began), time.Second)
		all.Wait()
	})
}

func TestRefusalsOfTwoOperationsTogetherPauseTheAccount(t *testing.T) {
	for name, c := range map[string]struct {
		apart   time.Duration
		account bool
	}{"together": {time.Second, true}, "nearly together": {2 * time.Second, true}, "at different times": {3 * time.Second, false}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newAccount(standard)
				refuse(l, "GET /v1/x", 0)
				time.Sleep(c.apart)
				refuse(l, "GET /v1/y", 30*time.Second)
				require.Equal(t, c.account, !l.State().PausedUntil.IsZero())
			})
		})
	}
}

func TestTheAccountIsBlamedForMinutesUnlessOneRouteAloneIsRefused(t *testing.T) {
	var b blame
	now := time.Now()
	require.False(t, b.refused("x", now))
	require.True(t, b.refused("y", now.Add(time.Second)))
	require.True(t, b.refused("y", now.Add(time.Minute)))
	require.True(t, b.refused("", now.Add(time.Minute)), "an attempt without an operation")
	require.True(t, b.refused("y", now.Add(5*time.Minute+time.Second)))
	require.False(t, b.refused("y", now.Add(5*time.Minute+time.Second+1)))
	require.False(t, b.refused("y", now.Add(10*time.Minute)))

	b = blame{}
	b.refused("x", now)
	require.True(t, b.refused("y", now))
	for i := range 3 {
		b.responded("x")
		require.Equal(t, i < 2, b.refused("y", now), "refusal %d while others succeed", i)
	}
	b.responded("y")
	require.False(t, b.others, "a success of the same operation does not count")
}

func TestAResponseEndsTheRefusalsOfItsRoute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newAccount(standard)
		alerts := Attempt{Operation: "GET /v1/alert-notifications"}
		learned := &l.lineOf(alerts.Operation, time.Now()).pacer.learned
		refuse(l, alerts.Operation, time.Second)
		require.NoError(t, l.Wait(t.Context(), alerts))
		require.True(t, learned.probing)
		l.Ended(alerts, Outcome{StatusCode: 200})
		require.False(t, learned.probing)
	})
}

func TestARouteIsBlamedAloneAfterThreeMoreRefusals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newAccount(standard)
		refuse(l, "GET /v1/x", 0)
		refuse(l, "GET /v1/y", 0)
		for i := range blameAlone {
			time.Sleep(time.Minute)
			l.Ended(Attempt{Operation: "GET /v1/x"}, Outcome{StatusCode: 200})
			refuse(l, "GET /v1/y", 10*time.Second)
			require.Equal(t, i < blameAlone-1, !l.State().PausedUntil.IsZero(), "refusal %d", i)
		}
	})
}

func TestTheRouteThatWasSetLastIsFoundFirst(t *testing.T) {
	now := time.Now()
	var r routes
	order := func() (operations []string) {
		for _, l := range r.known {
			operations = append(operations, l.pattern.Operation)
		}
		return operations
	}
	for _, operation := range []string{"GET /v1/a", "GET /v1/b", "GET /v1/c", "GET /v1/d"} {
		require.NoError(t, r.set(operation, standard, now))
	}
	require.Equal(t, []string{"GET /v1/d", "GET /v1/c", "GET /v1/b", "GET /v1/a"}, order())
	require.NoError(t, r.set("GET /v1/b", standard, now))
	require.Equal(t, []string{"GET /v1/b", "GET /v1/d", "GET /v1/c", "GET /v1/a"}, order())
	require.EqualError(t, r.set("GET /v1/b", Rate{}, now), `route "GET /v1/b": rate limit of 0 in 0s: want a positive number and time`)
}

func TestALearnedRouteIsForgottenWhenItHasRecovered(t *testing.T) {
	now := time.Now()
	for name, c := range map[string]struct {
		until, probed time.Duration // ago
		share         float64
		want          bool
	}{
		"after the calm":                     {growCalm + 1, 0, 1, true},
		"not in it":                          {growCalm, 0, 1, false},
		"not with a share that grows slowly": {growCalm + 1, 0, 0.5, false},
		"not while the probe is under way":   {growCalm + 1, time.Millisecond, 1, false},
	} {
		t.Run(name, func(t *testing.T) {
			learned := &newLearningPacer(newPacer(standard, now), now).learned
			learned.until, learned.grown, learned.share = now.Add(-c.until), now, c.share
			if c.probed > 0 {
				learned.probing, learned.probeAt = true, now.Add(-c.probed)
			}
			require.Equal(t, c.want, learned.forgotten(now))
		})
	}
}

func TestLearnedRoutesAreForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newAccount(standard)
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

func TestTheNumberOfLearnedRoutesIsBounded(t *testing.T) {
	now := time.Now()
	common := newPacer(standard, now)
	var r routes
	for i := range mostLearned {
		l := r.learn(fmt.Sprint(i), common, now)
		require.NotNil(t, l)
		l.pacer.learned.refused(now, now, time.Minute, 0)
	}
	require.Nil(t, r.learn("one more", common, now))
	require.Len(t, r.learned, mostLearned)
}

func TestTheAccountPausesIfNoMoreRoutesCanBeLearned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newAccount(standard)
		for i := range mostLearned {
			line := l.routes.learn(fmt.Sprint(i), l.common, time.Now())
			line.pacer.refused(time.Now(), time.Now(), time.Minute)
		}
		refuse(l, "GET /v1/x", 30*time.Second)
		require.Equal(t, time.Now().Add(30*time.Second), l.State().PausedUntil)
	})
}

func TestARefusalOfAnotherOperationResetsTheCount(t *testing.T) {
	now := time.Now()
	var b blame
	b.refused("x", now)
	require.True(t, b.refused("y", now))
	for range 2 {
		b.responded("z")
		require.True(t, b.refused("y", now))
	}
	require.True(t, b.refused("x", now))
	for i := range 3 {
		b.responded("z")
		require.Equal(t, i < 2, b.refused("x", now), "refusal %d", i)
	}
}

func TestTheAccountsRefusalEndsThePauseOfTheRoute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newAccount(standard)
		x := Attempt{Operation: "GET /v1/x"}
		refuse(l, x.Operation, 30*time.Second)
		require.Equal(t, time.Now().Add(30*time.Second), l.lineOf(x.Operation, time.Now()).pacer.learned.until)
		refuse(l, "GET /v1/y", time.Second)
		time.Sleep(time.Millisecond)
		refuse(l, x.Operation, 5*time.Second)
		began := time.Now()
		require.NoError(t, l.Wait(t.Context(), x))
		require.Equal(t, 5*time.Second, time.Since(began), "the pause is the last one, of the account")
	})
}

func TestPlacesReturnAtTheEvenPaceWhenIdle(t *testing.T) {
	for _, c := range []struct {
		name  string
		limit Rate // of the route
		want  int
	}{
		{"of the route", Rate{Requests: 60, Per: time.Minute, Burst: 10}, 4},
		{"of the common limit", Rate{Requests: 6000, Per: time.Minute, Burst: 6000}, 49},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newAccount(standard)
				x := Attempt{Operation: "GET /v1/x"}
				require.NoError(t, l.LimitRoute(x.Operation, c.limit))
				takeAll(t, l, x)
				time.Sleep(5 * time.Second)
				require.Equal(t, c.want, takeAll(t, l, x))
			})
		})
	}
}

func TestRoutesAreFoundByTheirPath(t *testing.T) {
	var r routes
	for _, operation := range []string{"GET /v1/alert-notifications", "GET /v1/check-groups/{id}"} {
		require.NoError(t, r.set(operation, standard, time.Now()))
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
		require.ErrorContains(t, r.set(wrong, standard, time.Now()), "want a method and a path", fmt.Sprintf("%q", wrong))
	}
	require.ErrorContains(t, r.set("GET /v1/x", Rate{}, time.Now()), "want a positive number and time")
}

func TestThePlaceInTheLimitOfARouteIsGivenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newAccount(standard)
		require.NoError(t, l.LimitRoute("GET /v1/x", Rate{Requests: 2, Per: time.Minute, Burst: 2}))
		ctx, cancel := context.WithCancel(t.Context())
		l.mu.Lock()
		line := l.lineOf("GET /v1/x", time.Now())
		w := l.enqueue(ctx, line, Attempt{Operation: "GET /v1/x"}, time.Now())
		l.dispatch(time.Now())
		require.Equal(t, 1, line.pacer.places(time.Now(), false))
		l.mu.Unlock()
		cancel()
		require.ErrorIs(t, l.leave(ctx, w), context.Canceled)
		require.Equal(t, 2, line.pacer.places(time.Now(), false))
		require.Equal(t, 100, l.State().Places)
	})
}
