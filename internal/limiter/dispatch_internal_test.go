package limiter

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestWhichOfTwoWaitersIsServedFirst(t *testing.T) {
	waiter := func(number uint64, tight bool) *queued {
		w := &queued{number: number, line: &line{}}
		w.line.ordinary.add(w)
		if tight {
			w.put(&w.line.ordinary.tight)
		}
		return w
	}
	early, late := waiter(1, false), waiter(2, false)
	tightEarly, tightLate := waiter(1, true), waiter(2, true)
	for _, c := range []struct {
		name      string
		a, b, who *queued
	}{
		{"nil of none", nil, nil, nil},
		{"the only one", early, nil, early},
		{"the first", early, late, early},
		{"the one with ample time", tightEarly, late, late},
		{"the first of two without", tightEarly, tightLate, tightEarly},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Same(t, c.who, sooner(c.a, c.b))
			require.Same(t, c.who, sooner(c.b, c.a))
		})
	}
}

func TestTimeInTheQueueOfTheLimitIsNoRest(t *testing.T) {
	for _, operation := range []string{"", "GET /v1/x"} {
		for name, ask := range map[string]time.Duration{"nobody asks": time.Hour, "the state is asked for": time.Second} {
			t.Run(operation+" "+name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					slow := Rate{Requests: 6, Per: time.Minute, Burst: 5}
					a, l := Attempt{Operation: operation}, newAccount(slow)
					if operation != "" {
						l = newAccount(standard)
						require.NoError(t, l.LimitRoute(operation, slow))
					}
					for range 5 {
						require.NoError(t, l.Wait(t.Context(), a))
					}
					began := time.Now()
					ticker := time.NewTicker(ask)
					defer ticker.Stop()
					got := make(chan error)
					go func() { got <- l.Wait(t.Context(), a) }()
					for waits := true; waits; {
						select {
						case err := <-got:
							require.NoError(t, err)
							waits = false
						case <-ticker.C:
							l.State()
						}
					}
					require.InDelta(t, 29.1, time.Since(began).Seconds(), 1, "a rest would bring a token in ten seconds")
				})
			})
		}
	}
}

func TestAWaiterThatIsTooLateGetsOnlySparePlaces(t *testing.T) {
	for name, c := range map[string]struct {
		burst int
		after time.Duration // 0: not before its deadline
	}{"with half of the burst": {2, 4 * time.Second}, "not with less": {4, 0}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newAccount(Rate{Requests: 12, Per: time.Minute, Burst: c.burst})
				takeAll(t, l, oneOperation)
				l.Ended(oneOperation, Outcome{StatusCode: 200, Duration: 20 * time.Second})
				ctx, stop := within(t, 6*time.Second)
				defer stop()
				began := time.Now()
				err := l.Wait(ctx, oneOperation)
				if c.after == 0 {
					require.ErrorIs(t, err, context.DeadlineExceeded)
					return
				}
				require.NoError(t, err)
				require.InDelta(t, c.after.Seconds(), time.Since(began).Seconds(), 0.1)
			})
		})
	}
}

func TestAPollIsServedAfterTenOrdinaryAttempts(t *testing.T) {
	classes := map[rune]Class{'o': Ordinary, 'b': Background, 'P': Poll}
	for _, c := range []struct{ come, want string }{
		{"oPoo", "oooP"},
		{"oPbo", "oboP"},
		{"Poooooooooooo", "ooooooooooPoo"},
		{"PPoooooooooooooooooooooo", "ooooooooooPooooooooooPoo"},
	} {
		synctest.Test(t, func(t *testing.T) {
			l := newAccount(standard)
			takeAll(t, l, oneOperation)
			for range 30 { // they pass no poll, and do not count
				require.NoError(t, l.Wait(t.Context(), oneOperation))
			}
			var mu sync.Mutex
			var order string
			var all sync.WaitGroup
			for _, which := range c.come {
				all.Go(func() {
					require.NoError(t, l.Wait(t.Context(), Attempt{Class: classes[which]}))
					mu.Lock()
					defer mu.Unlock()
					order += string(which)
				})
				synctest.Wait()
			}
			all.Wait()
			require.Equal(t, c.want, order)
		})
	}
}

func TestATimerThatFiresTooOftenOrTooLateDoesNoHarm(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newAccount(standard)
		l.onTimer()
		require.False(t, hasTimer(l))
		takeAll(t, l, oneOperation)
		began := time.Now()
		time.AfterFunc(10*time.Millisecond, l.onTimer)
		time.AfterFunc(20*time.Millisecond, l.onTimer)
		require.NoError(t, l.Wait(t.Context(), Attempt{}))
		require.InDelta(t, 0.081, time.Since(began).Seconds(), 0.001)
		require.False(t, hasTimer(l))
	})
}
