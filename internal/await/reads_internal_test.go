package await

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/workers"
)

// idle makes a refresher that keeps states fresh. All its things were seen just now. It sends nothing
// by itself.
func idle(s *scripted, things int) *refresher[string] {
	b := newBoard(s.Changed)
	f := &refresher[string]{requests: &requests[string]{service: s, board: b}, keep: true, began: time.Now()}
	for i := range things {
		b.add(Thing[string]{ID: fmt.Sprint(i), State: new("going")}, f.began)
	}
	return f
}

func TestWhichThingIsReadNext(t *testing.T) {
	type fresher = *refresher[string]
	const none = -1
	seen := func(ages ...time.Duration) func(fresher) {
		return func(f fresher) {
			for i, age := range ages {
				f.board.things[i].seenAt = f.began.Add(-age)
			}
		}
	}
	old := seen(time.Hour, 2*time.Minute, time.Minute)
	and := func(steps ...func(fresher)) func(fresher) {
		return func(f fresher) {
			for _, step := range steps {
				step(f)
			}
		}
	}
	unseen := func(f fresher) { f.board.things[1].seen, f.board.things[2].seen = nil, nil }
	over := func(i int) func(fresher) { return func(f fresher) { f.board.things[i].over = true } }
	asked := func(i int) func(fresher) { return func(f fresher) { f.board.things[i].asked = f.began.Add(1) } }
	failing := func(i int) func(fresher) { return func(f fresher) { f.board.things[i].fails = 2 } }
	quiet := func(f fresher) { f.keep = false }
	late := func(in time.Duration) func(fresher) { return func(f fresher) { f.late = f.began.Add(in) } }
	for _, c := range []struct {
		name   string
		state  func(fresher)
		want   int
		in     time.Duration
		urgent bool
	}{
		{"the thing that was seen longest ago", seen(31*time.Second, 33*time.Second, 32*time.Second), 1, -3 * time.Second, false},
		{"when its state is half a minute old", seen(0, 0, time.Second), 2, 29 * time.Second, false},
		{"a thing that was never seen, after five seconds", unseen, 1, 5 * time.Second, false},
		{"one that was asked for already, half a minute later", and(old, over(1), over(2), asked(0)), 0, 30*time.Second + 1, false},
		{"so not if there is another", and(old, asked(0)), 1, -90 * time.Second, false},
		{"not one that is over", and(old, over(0)), 1, -90 * time.Second, false},
		{"not one whose poller has only failures", and(old, failing(0)), 1, -90 * time.Second, false},
		{"not one for which the service asked for a pause", and(seen(time.Minute), func(f fresher) { f.board.things[0].notBefore = f.began.Add(time.Minute) }), 1, 30 * time.Second, false},
		{"none if all are over", and(old, over(0), over(1), over(2)), none, 0, false},
		{"if states are not kept fresh, one that was never seen", and(unseen, quiet), 1, 5 * time.Second, false},
		{"if states are not kept fresh, that one is asked for once", and(unseen, quiet, asked(1), over(2)), none, 0, false},
		{"if states are not kept fresh, none that was seen", and(old, quiet), none, 0, false},
		{"before the last part of the timeout, each", and(old, quiet, late(time.Minute)), 0, time.Minute, false},
		{"in it, at once those that were not seen in it", and(seen(time.Hour, time.Second, -time.Hour), quiet, late(0), over(0)), 1, 0, true},
		{"even if others are older", and(seen(0, -time.Hour, time.Second), late(0)), 2, 0, true},
		{"and none if each was seen in it", and(seen(-1, -1, -1), quiet, late(0)), none, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := idle(&scripted{}, 3)
				c.state(f)
				next, at, urgent := f.next(f.began)
				if c.want == none {
					require.Nil(t, next)
					return
				}
				require.Same(t, f.board.things[c.want], next)
				require.Equal(t, c.in, at.Sub(f.began))
				require.Equal(t, c.urgent, urgent)
			})
		})
	}
}

func TestReadsBesideThePolls(t *testing.T) {
	for name, c := range map[string]struct {
		options Options
		things  string
		want    []string // the times of reads
	}{
		"keep states fresh if changes are reported": {Options{OnChange: func() {}}, "a", []string{"5s", "35s", "1m5s", "1m35s"}},
		"or show each thing once":                   {Options{}, "a", []string{"5s"}},
		"are apart":                                 {Options{}, "abc", []string{"5s", "5.2s", "5.4s"}},
		"but not in the last third of the timeout, and at its end": {
			Options{Timeout: 90 * time.Second}, "abc", []string{"5s", "5.2s", "5.4s", "1m0s", "1m0s", "1m0s", "1m30s", "1m30s", "1m30s"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &scripted{polls: []string{"runs after 30s"}, reads: []string{"going"}, began: time.Now()}
				ctx, stop := context.WithTimeout(t.Context(), 100*time.Second)
				defer stop()
				ids(waitFor(s, c.options, strings.Split(c.things, "")...).Run(ctx))
				var reads []string
				for _, r := range s.trace {
					if at, ok := strings.CutSuffix(r, " read"); ok {
						reads = append(reads, at)
					}
				}
				require.Equal(t, c.want, reads)
			})
		})
	}
}

func TestReadsWaitUntilNoPollWantsAPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		// There is a place each second, and things need one each second.
		s := &scripted{polls: []string{"runs after 29s"}, reads: []string{"going"}, began: time.Now(), place: func(ctx context.Context) error {
			sleep(ctx, time.Second)
			return ctx.Err()
		}}
		var things []string
		for i := range 40 {
			things = append(things, fmt.Sprint(i))
		}
		for end := range waitFor(s, Options{Timeout: 3 * time.Minute}, things...).Run(t.Context()) {
			require.Less(t, time.Since(end.SeenAt), time.Minute+lastReadsTime, "%v", end)
		}
		require.NotContains(t, fmt.Sprint(s.trace[:120]), "read", "before the last third of the timeout")
		require.NotContains(t, fmt.Sprint(s.trace[121:160]), "poll", "then reads go first")
	})
}

func TestAReadThatFindsTheEndOfAThingEndsItsPoll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &scripted{polls: []string{"runs after 1h"}, reads: []string{"going", "ended"}, began: time.Now()}
		for end := range waitFor(s, Options{OnChange: func() {}}, "a").Run(t.Context()) {
			require.Equal(t, Done, end.Reason)
			require.Equal(t, "ended", *end.State)
		}
		require.Equal(t, 35*time.Second, time.Since(s.began), "the poll does not delay the end of Run")
	})
}

func TestWhatTheLastReadFinds(t *testing.T) {
	const poll = "runs after 1h"
	for _, c := range []struct {
		name         string
		reads, polls []string
		newFor       time.Duration
		want         End[string]
		after        time.Duration // the timeout of ten seconds
	}{
		{"the end", []string{"going", "going", "ended"}, []string{poll}, 0, End[string]{Reason: Done, State: new("ended")}, 0},
		{"that it runs, although a poll failed before", []string{"going"}, []string{"temporary pause 20s"}, 0, End[string]{Reason: TimedOut, State: new("going")}, 0},
		{"that it is gone", []string{"going", "going", "absent"}, []string{poll}, 0, End[string]{Reason: Failed, State: new("going"), Err: errAbsent}, 0},
		{"that it is not there yet", []string{"going", "going", "absent"}, []string{poll}, time.Hour, End[string]{Reason: TimedOut, State: new("going"), Err: errAbsent}, 0},
		{"a failure", []string{"going", "going", "temporary"}, []string{poll}, 0, End[string]{Reason: TimedOut, State: new("going"), Err: errTemporary}, 0},
		{"nothing in time", []string{"going", "going", "other after 1h"}, []string{poll}, 0, End[string]{Reason: TimedOut, State: new("going")}, lastReadsTime},
		{"nothing after a poll that failed", []string{"going", "other after 1h"}, []string{"absent"}, 0, End[string]{Reason: TimedOut, State: new("going"), Err: errAbsent}, lastReadsTime},
		{"nothing after a later poll", []string{"going", "other after 1h"}, []string{"temporary", "two after 2s", poll}, 0, End[string]{Reason: TimedOut, State: new("two")}, lastReadsTime},
		{"nothing after a later read", []string{"going", "two after 1s", "other after 1h"}, []string{"absent", poll}, 0, End[string]{Reason: TimedOut, State: new("two")}, lastReadsTime},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := waitFor(&scripted{reads: c.reads, polls: c.polls}, Options{Timeout: 10 * time.Second})
				began := time.Now()
				w.Add(Thing[string]{ID: "a", ReadFirst: true, NewUntil: began.Add(c.newFor)})
				for end := range w.Run(t.Context()) {
					require.Equal(t, 10*time.Second+c.after, time.Since(began))
					require.NotZero(t, end.SeenAt)
					end.SeenAt, c.want.ID = time.Time{}, "a"
					require.Equal(t, c.want, end)
				}
			})
		})
	}
}

func TestTheLastReadsBeginWithTheThingThatWasSeenLongestAgoAndAreNotAwaited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &scripted{place: func(ctx context.Context) error { sleep(ctx, 100*time.Millisecond); return ctx.Err() }, intercept: func(context.Context, string, string) *Response[string] {
			time.Sleep(7 * time.Second) // it does not end with its context
			return &Response[string]{Outcome: Runs, State: new("going")}
		}}
		f := idle(s, 5)
		for i, t := range f.board.things {
			t.seenAt, t.over = f.began.Add(time.Duration(i%2)*time.Second), i == 3
		}
		team := workers.New(nil)
		f.lastReads(t.Context(), team)
		require.Equal(t, lastReadsTime, time.Since(f.began))
		team.Wait()
		require.Equal(t, []string{"0", "2", "4", "1"}, s.asked, "thing 3 is over")
	})
}

func TestTheEndOfTheContextEndsTheLastReads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		ctx, stop := context.WithTimeout(t.Context(), 10500*time.Millisecond)
		defer stop()
		s := &scripted{reads: []string{"going", "going", "going after 1h"}, polls: []string{"runs after 1h"}}
		end := waitForOne(ctx, s, Options{Timeout: 10 * time.Second})
		require.Equal(t, Interrupted, end.Reason)
		require.NoError(t, end.Err, "it is not a failure")
		require.Equal(t, 10500*time.Millisecond, time.Since(began))
	})
}

func TestOneRequestAtATimeWaitsForAPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var waiting, most atomic.Int64
		s := &scripted{polls: []string{"runs after 30s"}, began: time.Now(), place: func(ctx context.Context) error {
			most.Store(max(most.Load(), waiting.Add(1)))
			defer waiting.Add(-1)
			sleep(ctx, time.Second)
			return ctx.Err()
		}}
		ctx, stop := context.WithTimeout(t.Context(), 4500*time.Millisecond)
		defer stop()
		for end := range waitFor(s, Options{}, strings.Split("abcdef", "")...).Run(ctx) {
			require.Equal(t, Interrupted, end.Reason)
			require.NoError(t, end.Err, "the end of the context is not a failure")
		}
		require.Len(t, s.trace, 4, "requests that have a place do not delay others: %v", s.trace)
		require.EqualValues(t, 1, most.Load())
	})
}

func TestTheMostUrgentTurnIsNext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var turns turns
		require.True(t, turns.take(t.Context(), whenIdle))
		ctx, stop := context.WithCancel(t.Context())
		var got []string
		take := func(ctx context.Context, u urgency, name string) {
			go func() {
				if turns.take(ctx, u) {
					got = append(got, name)
					turns.pass()
				}
			}()
			synctest.Wait()
		}
		for i := range 2 {
			take(t.Context(), whenIdle, fmt.Sprint("idle ", i))
			take(t.Context(), inTurn, fmt.Sprint("in turn ", i))
			take(ctx, inTurn, fmt.Sprint("cancelled ", i))
			take(t.Context(), atOnce, fmt.Sprint("at once ", i))
		}
		stop()
		synctest.Wait()
		turns.pass()
		synctest.Wait()
		require.Equal(t, []string{"at once 0", "at once 1", "in turn 0", "in turn 1", "idle 0", "idle 1"}, got)
		require.False(t, turns.take(ctx, atOnce), "its context has ended")
		require.True(t, turns.take(t.Context(), whenIdle), "the turn is free")
	})
}

func TestATurnIsNotLostIfItsContextEndsJustThen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var turns turns
		for range 20 {
			require.True(t, turns.take(t.Context(), inTurn))
			ctx, stop := context.WithCancel(t.Context())
			go func() {
				if turns.take(ctx, inTurn) {
					turns.pass()
				}
			}()
			synctest.Wait()
			stop()
			turns.pass()
			synctest.Wait()
		}
	})
}

func TestARequestThatEndsWithoutAPlaceEndsItsTurn(t *testing.T) {
	r := idle(&scripted{place: func(context.Context) error { return errTemporary }}, 1).requests
	for range 2 {
		require.True(t, r.turns.take(t.Context(), inTurn))
		response, _ := r.read(t.Context(), r.board.things[0])
		require.Equal(t, errTemporary, response.Err)
	}
}
