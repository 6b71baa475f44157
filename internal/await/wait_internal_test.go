package await

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/testkit"
)

func TestEachThingEndsOnceAndAsSoonAsItIsDone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		times, want, all := map[string]time.Duration{}, []string{}, []string{}
		for i := range 40 {
			id := fmt.Sprint(i)
			times[id] = time.Duration(40-i) * 7 * time.Second
			all, want = append(all, id), append([]string{id}, want...)
		}
		s := running(times)
		w := waitFor(s, Options{}, append(all, all[3], all[3])...)
		require.Empty(t, s.trace, "nothing is sent before the loop")
		var got []string
		for end := range w.Run(t.Context()) {
			require.Equal(t, Done, end.Reason)
			require.Equal(t, "ended", *end.State.(*string))
			require.Equal(t, times[end.ID], time.Since(s.began))
			require.Equal(t, time.Now(), end.SeenAt)
			require.False(t, end.Running())
			got = append(got, end.ID)
		}
		require.Equal(t, want, got)
		require.Equal(t, Progress{Total: 40, Finished: 40, States: w.Progress().States}, w.Progress())
	})
	require.Empty(t, ids(waitFor(&scripted{}, Options{}).Run(t.Context())), "without things there are no ends")
}

func TestAnInterruptedWaitYieldsAnEndForEachThingThatStillRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := running(map[string]time.Duration{"short": time.Second, "long": time.Hour, "longer": 2 * time.Hour})
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		defer stop()
		w := waitFor(s, Options{}, "short", "gone", "long", "longer")
		got := slices.Collect(w.Run(ctx))
		read := s.began.Add(unseenDelay)
		require.Equal(t, []End{
			{ID: "gone", Reason: Failed, Err: errRefused},
			{ID: "short", State: new("ended"), SeenAt: s.began.Add(time.Second)},
			{ID: "long", Reason: Interrupted, State: new("going"), SeenAt: read},
			{ID: "longer", Reason: Interrupted, State: new("going"), SeenAt: read.Add(readsApart)},
		}, got)
		require.True(t, got[2].Running())
		require.Equal(t, time.Minute, time.Since(s.began))
		require.Equal(t, 2, w.Progress().Finished, "what still runs is not finished")
	})
}

// A loop may be left at each of the ends, and nothing is sent from then on.
func TestALoopIsLeftAtAnyEnd(t *testing.T) {
	for most := range 4 {
		synctest.Test(t, func(t *testing.T) {
			s := running(map[string]time.Duration{"short": time.Second, "long": time.Hour, "longer": 2 * time.Hour})
			ctx, stop := context.WithTimeout(t.Context(), time.Minute)
			defer stop()
			n := 0
			for range waitFor(s, Options{}, "short", "gone", "long", "longer").Run(ctx) {
				if n++; n > most {
					break
				}
				time.Sleep(time.Minute) // the next ones are there when it comes back
			}
			require.Equal(t, most+1, n)
			sent := len(s.trace)
			time.Sleep(3 * time.Hour)
			require.Len(t, s.trace, sent)
		})
	}
}

func TestEndsThatComeDuringASlowLoopAreYieldedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &scripted{intercept: func(ctx context.Context, _, id string) *Response {
			if id == "hangs" {
				<-ctx.Done()
				return &Response{Outcome: Temporary, Err: ctx.Err()}
			}
			time.Sleep(map[string]time.Duration{"slow": 41 * time.Second, "late": 41 * time.Second}[id]) // it does not end with its context
			return &Response{Outcome: Ended, State: new("ended")}
		}}
		ctx, stop := context.WithTimeout(t.Context(), 30*time.Second)
		defer stop()
		got, reasons := map[string]Reason{}, map[Reason]int{}
		early := strings.Split("abcdefghijklmnopqrst", "")
		for end := range waitFor(s, Options{CancelRunning: true}, append(early, "late", "slow", "hangs")...).Run(ctx) {
			require.NotContains(t, got, end.ID)
			require.NoError(t, end.Err, "the end of the context is not a failure")
			got[end.ID] = end.Reason
			reasons[end.Reason]++
			time.Sleep(2 * time.Second)
		}
		require.Equal(t, map[Reason]int{Done: 22, Interrupted: 1}, reasons, "also what ended before the others were cancelled")
		require.Equal(t, Interrupted, got["hangs"])
		require.Equal(t, []string{"hangs"}, s.cancelIDs)
	})
}

func TestWhatStillRunsIsCancelled(t *testing.T) {
	leave := errors.New("leave")
	for name, c := range map[string]struct {
		b       time.Duration // how long b runs; a runs for a second, and c for an hour
		within  time.Duration
		options Options
		loop    func() bool // whether the loop goes on
		want    []string
	}{
		"at the end of the context":             {time.Hour, time.Minute, Options{}, nil, []string{"b", "c"}},
		"at the timeout":                        {time.Hour, 0, Options{Timeout: time.Minute}, nil, []string{"b", "c"}},
		"if the loop is left":                   {time.Hour, 0, Options{}, func() bool { return false }, []string{"b", "c"}},
		"if it is left after the timeout":       {time.Hour, 0, Options{Timeout: time.Minute}, func() bool { return time.Now().Minute() == 0 }, []string{"b", "c"}},
		"but not what has ended in a slow loop": {10 * time.Second, 0, Options{}, func() bool { time.Sleep(20 * time.Second); return false }, []string{"c"}},
		"after a panic of the loop":             {time.Hour, 0, Options{}, func() bool { panic(leave) }, []string{"b", "c"}},
		"after a panic of OnStart":              {time.Hour, 0, Options{OnStart: func() { panic(leave) }}, nil, []string{"a", "b", "c"}},
		"and nothing if all has ended":          {time.Hour, 0, Options{}, nil, nil},
	} {
		for _, on := range []bool{true, false} {
			t.Run(fmt.Sprint(name, ": ", on), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := running(map[string]time.Duration{"a": time.Second, "b": c.b, "c": time.Hour})
					type key struct{}
					s.cancelled = func(ctx context.Context, _ string) {
						require.NoError(t, ctx.Err())
						require.Zero(t, s.open, "the requests of the wait have ended")
						require.Equal(t, "kept", ctx.Value(key{}), "the values of the context")
					}
					ctx := context.WithValue(t.Context(), key{}, "kept")
					if c.within > 0 {
						var stop context.CancelFunc
						ctx, stop = context.WithTimeout(ctx, c.within)
						defer stop()
					}
					c.options.CancelRunning = on
					panicked, _ := testkit.Ending(func() {
						for range waitFor(s, c.options, "a", "b", "c").Run(ctx) {
							if c.loop != nil && !c.loop() {
								break
							}
						}
					})
					if panicked != nil {
						require.Equal(t, leave, panicked)
					}
					slices.Sort(s.cancelIDs)
					if !on {
						c.want = nil
					}
					require.Equal(t, c.want, s.cancelIDs)
				})
			})
		}
	}
}

func TestCancellingIsBounded(t *testing.T) {
	for grace, want := range map[time.Duration]time.Duration{0: 12 * time.Second, 3 * time.Second: 3 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			var all []string
			for i := range 20 {
				all = append(all, fmt.Sprint(i))
			}
			var cancels, most atomic.Int64
			s := &scripted{polls: []string{"runs after 1h"}, reads: []string{"going"}, cancelled: func(ctx context.Context, _ string) {
				most.Store(max(most.Load(), cancels.Add(1)))
				<-ctx.Done()
				cancels.Add(-1)
			}}
			ctx, stop := context.WithTimeout(t.Context(), time.Minute)
			defer stop()
			began := time.Now()
			require.Equal(t, all, ids(waitFor(s, Options{CancelRunning: true, CancelGrace: grace}, all...).Run(ctx)))
			require.Equal(t, time.Minute+want, time.Since(began), "a tenth of a second for each, and ten seconds")
			require.EqualValues(t, 8, most.Load(), "eight are cancelled at once")
		})
	}
}

func TestAPanicOfTheServiceReachesTheCaller(t *testing.T) {
	for _, c := range []struct {
		at   time.Duration // the first request from then on breaks
		what string        // and what it is
	}{{0, "poll"}, {5 * time.Second, "read"}, {time.Minute, "read"}} {
		synctest.Test(t, func(t *testing.T) { // a bubble fails if a goroutine is left
			s := running(map[string]time.Duration{"a": 45 * time.Second, "b": time.Hour})
			inner := s.intercept
			s.intercept = func(ctx context.Context, request, id string) *Response {
				if time.Since(s.began) >= c.at && request[:4] == c.what {
					panic(errRefused)
				}
				return inner(ctx, request, id)
			}
			panicked, _ := testkit.Ending(func() {
				for end := range waitFor(s, Options{Timeout: time.Minute, CancelRunning: true}, "a", "b").Run(t.Context()) {
					require.Equal(t, "a", end.ID, "a broken wait yields no ends for what runs")
				}
			})
			require.ErrorIs(t, panicked.(error), errRefused)
			require.Less(t, time.Since(s.began), c.at+time.Second)
			require.Contains(t, s.cancelIDs, "b")
			require.NotContains(t, s.trace, "30s read", "there are no last reads")
		})
	}
}

func TestTheStartAndEachChangeOfAStateAreReportedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &scripted{polls: []string{"runs after 1h"}, reads: []string{"one", "one", "two", "two", "ended"}, began: time.Now()}
		var calls []string
		var w *Wait
		w = waitFor(s, Options{
			OnStart: func() {
				time.Sleep(time.Second)
				require.Empty(t, s.trace, "no request was sent before")
				calls = append(calls, "start")
			},
			OnChange: func() {
				p := w.Progress()
				calls = append(calls, fmt.Sprintf("%s: %d of %d, %s", time.Since(s.began), p.Finished, p.Total, *p.States[0].(*string)))
			},
		})
		w.Add(Thing{ID: "a", State: new("none")})
		ids(w.Run(t.Context()))
		require.Equal(t, []string{"start", "1s: 0 of 1, none", "30s: 0 of 1, one", "1m30s: 0 of 1, two"}, calls)
	})
}

func TestTheFirstStateOfAThingIsReported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &scripted{polls: []string{"runs after 1h"}, reads: []string{"one", "one", "ended"}, began: time.Now()}
		var states []string
		var w *Wait
		w = waitFor(s, Options{OnChange: func() {
			state := "none"
			if p := w.Progress(); p.States[0] != nil {
				state = *p.States[0].(*string)
			}
			states = append(states, time.Since(s.began).String()+": "+state)
		}}, "a")
		ids(w.Run(t.Context()))
		require.Equal(t, []string{"0s: none", "5s: one"}, states)
	})
}

func TestProgressHasTheAgeOfTheOldestStateOfWhatRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := running(map[string]time.Duration{"a": 10 * time.Second, "b": time.Hour, "c": 20 * time.Second})
		w := waitFor(s, Options{})
		for _, id := range []string{"a", "b", "c"} {
			w.Add(Thing{ID: id})
			time.Sleep(time.Second) // the age of what was not seen counts from New
		}
		w.Add(Thing{ID: "d", State: new("going")})
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		defer stop()
		require.Equal(t, 3*time.Second, w.Progress().Oldest)
		var got []time.Duration
		for range w.Run(ctx) {
			got = append(got, w.Progress().Oldest.Truncate(time.Second))
		}
		// d ends at once. The others are read after five seconds, to see each of them once.
		require.Equal(t, []time.Duration{3 * time.Second, 4 * time.Second, 14 * time.Second, 57 * time.Second}, got)
	})
}
