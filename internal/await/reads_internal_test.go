package await

import (
	"cmp"
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

// idle makes a refresher that keeps states fresh. All its things were seen just now. It sends
// nothing by itself.
func idle(s *scripted, things int) *refresher {
	b := newBoard(s.Changed)
	f := &refresher{requests: &requests{service: s, board: b}, keep: true, began: time.Now()}
	for i := range things {
		b.add(Thing{ID: fmt.Sprint(i), State: new("going")}, f.began)
	}
	return f
}

func TestWhichThingIsReadNext(t *testing.T) {
	type fresher = *refresher
	type one = *thing
	for name, c := range map[string]struct {
		change func(f fresher, oldest one)
		want   string // the id of the thing, none if there is nothing to read
		in     time.Duration
	}{
		"the thing that was seen longest ago":               {func(fresher, one) {}, "0", -90 * time.Second},
		"one that was asked for already, later":             {func(f fresher, oldest one) { oldest.asked = f.began }, "1", -30 * time.Second},
		"and half a minute later if there is no other":      {func(f fresher, oldest one) { oldest.asked, f.board.things[1].over = f.began, true }, "0", staleAfter},
		"not one whose poller has only failures":            {func(f fresher, oldest one) { oldest.fails = readsStepIn }, "1", -30 * time.Second},
		"not one for which the service asked for a pause":   {func(f fresher, oldest one) { oldest.notBefore = f.began.Add(time.Minute) }, "1", -30 * time.Second},
		"one that was never seen":                           {func(f fresher, oldest one) { f.keep, oldest.seen = false, nil }, "0", unseenDelay},
		"but once, if states are not kept fresh":            {func(f fresher, oldest one) { f.keep, oldest.seen, oldest.asked = false, nil, f.began }, "none", 0},
		"not later because of the end of the timeout":       {func(f fresher, _ one) { f.late = f.began.Add(time.Minute) }, "0", -90 * time.Second},
		"before the last part of the timeout, all that run": {func(f fresher, _ one) { f.keep, f.late = false, f.began.Add(time.Minute) }, "0", time.Minute},
	} {
		f := idle(&scripted{}, 2)
		for i, t := range f.board.things {
			t.seenAt = f.began.Add(time.Duration(i-2) * time.Minute)
		}
		c.change(f, f.board.things[0])
		next, at, urgent := f.next(f.began)
		if c.want == "none" {
			require.Nil(t, next, name)
			continue
		}
		require.Equal(t, c.want, next.id, name)
		require.Equal(t, c.in, at.Sub(f.began), name)
		require.False(t, urgent, name)
	}
}

func TestReadsBesideThePolls(t *testing.T) {
	for name, c := range map[string]struct {
		options Options
		things  string
		want    []string // the times of reads
		poll    string
	}{
		"keep states fresh if changes are reported": {Options{OnChange: func() {}}, "a", []string{"5s", "35s", "1m5s", "1m35s"}, ""},
		"or show each thing once":                   {Options{}, "a", []string{"5s"}, ""},
		"are apart":                                 {Options{}, "abc", []string{"5s", "5.2s", "5.4s"}, ""},
		"wait for the end of a pause":               {Options{}, "a", []string{"20s"}, "runs pause 20s"},
		"but not in the last third of the timeout, and at its end": {
			Options{Timeout: 90 * time.Second}, "abc", []string{"5s", "5.2s", "5.4s", "1m0s", "1m0s", "1m0s", "1m30s", "1m30s", "1m30s"}, "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &scripted{polls: []string{cmp.Or(c.poll, "runs after 30s"), "runs after 30s"}, reads: []string{"going"}, began: time.Now()}
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
		var waiting atomic.Int64
		s := &scripted{polls: []string{"runs after 29s"}, reads: []string{"going"}, began: time.Now(), place: func(ctx context.Context) error {
			require.EqualValues(t, 1, waiting.Add(1), "one request at a time waits for a place")
			defer waiting.Add(-1)
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
			require.Equal(t, "ended", *end.State.(*string))
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
		want         End
		after        time.Duration // the timeout of ten seconds
	}{
		{"the end", []string{"going", "going", "ended"}, []string{poll}, 0, End{Reason: Done, State: new("ended")}, 0},
		{"that it runs, although a poll failed before", []string{"going"}, []string{"temporary pause 20s"}, 0, End{Reason: TimedOut, State: new("going")}, 0},
		{"that it is gone", []string{"going", "going", "absent"}, []string{poll}, 0, End{Reason: Failed, State: new("going"), Err: errAbsent}, 0},
		{"that it is not there yet", []string{"going", "going", "absent"}, []string{poll}, time.Hour, End{Reason: TimedOut, State: new("going"), Err: errAbsent}, 0},
		{"a failure", []string{"going", "going", "temporary"}, []string{poll}, 0, End{Reason: TimedOut, State: new("going"), Err: errTemporary}, 0},
		{"nothing in time", []string{"going", "going", "other after 1h"}, []string{poll}, 0, End{Reason: TimedOut, State: new("going")}, lastReadsTime},
		{"nothing after a poll that failed", []string{"going", "other after 1h"}, []string{"absent"}, 0, End{Reason: TimedOut, State: new("going"), Err: errAbsent}, lastReadsTime},
		{"nothing after a later poll", []string{"going", "other after 1h"}, []string{"temporary", "two after 2s", poll}, 0, End{Reason: TimedOut, State: new("two")}, lastReadsTime},
		{"nothing after a later read", []string{"going", "two after 1s", "other after 1h"}, []string{"absent", poll}, 0, End{Reason: TimedOut, State: new("two")}, lastReadsTime},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := waitFor(&scripted{reads: c.reads, polls: c.polls}, Options{Timeout: 10 * time.Second})
				began := time.Now()
				a := Thing{ID: "a", ReadFirst: true, NewUntil: began.Add(c.newFor)}
				if c.newFor > 0 { // a thing that a response has shown before is no longer new
					a.State = new("made")
				}
				w.Add(a)
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
		s := &scripted{place: func(ctx context.Context) error { sleep(ctx, 100*time.Millisecond); return ctx.Err() }, intercept: func(context.Context, string, string) *Response {
			time.Sleep(7 * time.Second) // it does not end with its context
			return &Response{Outcome: Runs, State: new("going")}
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

func TestATurnIsNotLostIfItsContextEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var turns turns
		for i := range 20 {
			require.True(t, turns.take(t.Context(), inTurn))
			ctx, stop := context.WithCancel(t.Context())
			go func() {
				if turns.take(ctx, inTurn) {
					turns.pass()
				}
			}()
			synctest.Wait()
			stop()
			if i%2 == 0 { // otherwise just then
				synctest.Wait()
			}
			turns.pass()
			synctest.Wait()
			require.False(t, turns.take(ctx, inTurn), "its context has ended")
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

func TestTheMostUrgentTurnIsNext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var turns turns
		var got []int
		require.True(t, turns.take(t.Context(), whenIdle))
		for i, u := range []urgency{whenIdle, inTurn, atOnce, whenIdle, inTurn, atOnce} {
			go func() {
				turns.take(t.Context(), u)
				got = append(got, i)
				turns.pass()
			}()
			synctest.Wait()
		}
		turns.pass()
		synctest.Wait()
		require.Equal(t, []int{2, 5, 1, 4, 0, 3}, got)
	})
}
