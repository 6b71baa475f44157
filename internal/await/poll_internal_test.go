package await

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestWhenTheNextRequestAboutAThingIsSent(t *testing.T) {
	const going = "going"
	for _, c := range []struct {
		name         string
		reads, polls []string
		within       time.Duration
		want         []string
	}{
		{"a poll that was held is followed at once", []string{going}, []string{"runs after 30s"}, 95 * time.Second,
			[]string{"0s read", "0s poll 30", "30s poll 30", "1m0s poll 30", "1m30s poll 5"}},
		{"a poll with the state is followed at once, too", []string{going}, []string{going + " after 30s"}, 65 * time.Second,
			[]string{"0s read", "0s poll 30", "30s poll 30", "1m0s poll 5"}},
		{"a poll of a second counts as held", []string{going}, []string{"runs after 1s"}, 3500 * time.Millisecond,
			[]string{"0s read", "0s poll 3", "1s poll 2", "2s poll 1", "3s poll 1"}},
		{"a shorter poll does not", []string{going}, []string{"runs after 999ms"}, 6 * time.Second,
			[]string{"0s read", "0s poll 6", "1.999s poll 4", "4.998s poll 1"}},
		{"after immediate responses the pause grows to 15 s", []string{going}, []string{"runs"}, 59 * time.Second,
			[]string{"0s read", "0s poll 30", "1s poll 30", "3s poll 30", "7s poll 30", "15s poll 30", "30s poll 29", "45s poll 14"}},
		{"a poll that is held ends the pauses", []string{going}, []string{"runs", "runs", "runs after 9s", "runs"}, 16 * time.Second,
			[]string{"0s read", "0s poll 16", "1s poll 15", "3s poll 13", "12s poll 4", "13s poll 3", "15s poll 1"}},
		{"a pause that a held poll asks for is obeyed", []string{going}, []string{"runs pause 7s after 2s"}, 13 * time.Second,
			[]string{"0s read", "0s poll 13", "9s poll 4"}},
		{"after two failures reads replace polls, for longer each time", []string{going}, []string{"temporary"}, 56 * time.Second,
			[]string{"0s read", "0s poll 30", "1s poll 30",
				"3s read", "8s read", "13s read", "18s poll 30",
				"19s read", "24s read", "29s read", "34s read", "39s read", "44s read", "49s poll 7",
				"50s read", "55s read"}},
		{"two failures that are not in a row do not count", []string{going}, []string{"temporary", "runs after 9s", "temporary", "temporary", "runs after 30s"}, 15 * time.Second,
			[]string{"0s read", "0s poll 15", "1s poll 14", "10s poll 5", "11s poll 4", "13s read"}},
		{"if reads fail, too, the pause grows to 10 s", []string{going, "temporary"}, []string{"temporary"}, time.Minute,
			[]string{"0s read", "0s poll 30", "1s poll 30", "3s read", "7s read", "15s read", "25s poll 30", "35s read", "45s read", "55s poll 5"}},
		{"a failed first read is followed by a poll", []string{"temporary"}, []string{"runs after 30s"}, 20 * time.Second,
			[]string{"0s read", "1s poll 19"}},
		{"a read that is limited, too", []string{"limited pause 4s"}, []string{"runs after 30s"}, 20 * time.Second,
			[]string{"0s read", "4s poll 16"}},
		{"an absent poll is tried again after a minute", []string{going}, []string{"absent pause 1h", "runs after 30s"}, 65 * time.Second,
			[]string{"0s read", "0s poll 30", "0s read", "5s read", "10s read", "15s read", "20s read", "25s read", "30s read",
				"35s read", "40s read", "45s read", "50s read", "55s read", "1m0s poll 5"}},
		{"after one cut the next poll comes soon and asks for less", []string{going}, []string{"temporary after 20s", "runs after 18s"}, 50 * time.Second,
			[]string{"0s read", "0s poll 30", "20s poll 18", "38s poll 12"}},
		{"a poll that ends early does not show that longer ones are held", []string{going}, []string{"temporary after 20s", "runs after 5s"}, 59 * time.Second,
			[]string{"0s read", "0s poll 30", "20s poll 18", "25s poll 18", "30s poll 18", "35s poll 18", "40s poll 18", "45s poll 14", "50s poll 9", "55s poll 4"}},
		{"after two cuts there is a pause", []string{going}, []string{"temporary after 20s", "temporary after 10s", "runs after 9s"}, 50 * time.Second,
			[]string{"0s read", "0s poll 30", "20s poll 18", "31s read", "36s read", "41s read", "46s poll 4"}},
		{"a failure within a second is not a cut", []string{going}, []string{"temporary after 999ms", "runs after 30s"}, 20 * time.Second,
			[]string{"0s read", "0s poll 20", "1.999s poll 18"}},
		{"a failure after a second is a cut", []string{going}, []string{"temporary after 1s", "runs after 1s"}, 3500 * time.Millisecond,
			[]string{"0s read", "0s poll 3", "1s poll 1", "2s poll 1", "3s poll 1"}},
		{"too many requests are not a failure of polls", []string{going}, []string{"temporary", "limited pause 10s", "temporary", "runs after 30s"}, 17 * time.Second,
			[]string{"0s read", "0s poll 17", "1s poll 16", "11s poll 6", "15s read"}},
		{"a pause that a failure asks for is obeyed", []string{going}, []string{"temporary pause 20s", "runs after 30s"}, 30 * time.Second,
			[]string{"0s read", "0s poll 30", "20s poll 10"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &scripted{reads: c.reads, polls: c.polls, began: time.Now()}
				ctx, stop := context.WithTimeout(t.Context(), c.within)
				defer stop()
				require.Equal(t, Interrupted, waitForOne(ctx, s, Options{}).Reason)
				require.Equal(t, c.want, s.trace)
			})
		})
	}
}

func TestAnAbsentPollIsTriedLessAndLessOften(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &scripted{reads: []string{"going"}, polls: []string{"absent"}, began: time.Now()}
		ctx, stop := context.WithTimeout(t.Context(), 20*time.Minute)
		defer stop()
		require.Equal(t, Interrupted, waitForOne(ctx, s, Options{}).Reason)
		var polls []string
		for _, request := range s.trace {
			var at, what string
			fmt.Sscan(request, &at, &what)
			if what == "poll" {
				polls = append(polls, at)
			}
		}
		require.Equal(t, []string{"0s", "1m0s", "3m0s", "7m0s", "12m0s", "17m0s"}, polls)
	})
}

func TestPollsAskToBeHeldNoLongerThanTheRestOfTheWait(t *testing.T) {
	for _, c := range []struct {
		timeout, deadline time.Duration
		want              []string
	}{
		{0, 0, []string{"0s poll 30", "30s poll 30"}},
		{40 * time.Second, 0, []string{"0s poll 30", "30s poll 10"}},
		{0, 40 * time.Second, []string{"0s poll 30", "30s poll 10"}},
		{40 * time.Second, 35500 * time.Millisecond, []string{"0s poll 30", "30s poll 5"}},
		{300 * time.Millisecond, 0, []string{"0s poll 1"}},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := &scripted{polls: []string{"runs after 30s", "runs after 30s", "ended"}, reads: []string{"going"}, began: time.Now()}
			ctx := t.Context()
			if c.deadline > 0 {
				var stop context.CancelFunc
				ctx, stop = context.WithTimeout(ctx, c.deadline)
				defer stop()
			}
			w := waitFor(s, Options{Timeout: c.timeout})
			w.Add(Thing[string]{ID: "a", State: new("going")})
			ids(w.Run(ctx))
			require.Equal(t, c.want, s.trace[:len(c.want)])
		})
	}
}

func TestReadsInsteadOfPollsTakeHalfOfTheLimit(t *testing.T) {
	for _, c := range []struct {
		running, over int
		want          time.Duration
	}{
		{1, 0, 5 * time.Second}, {25, 0, 5 * time.Second}, {26, 0, 5200 * time.Millisecond}, {100, 0, 20 * time.Second}, {26, 100, 5200 * time.Millisecond},
	} {
		r := idle(&scripted{}, c.running+c.over).requests
		for _, t := range r.board.things[:c.over] {
			t.over = true
		}
		require.Equal(t, c.want, (&poller[string]{requests: r}).untilRead(), "%d of %d run", c.running, len(r.board.things))
	}
}

func TestAFailureBeforeARequestThatNeverEndsIsInTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &scripted{reads: []string{"going", "going after 1h"}, polls: []string{"absent"}}
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		defer stop()
		end := waitForOne(ctx, s, Options{})
		require.Equal(t, Interrupted, end.Reason)
		require.Equal(t, errAbsent, end.Err)
	})
}

func TestWhatALaterRequestFindsIsInTheEnd(t *testing.T) {
	for name, c := range map[string]struct {
		reads, polls []string
		want         string
	}{
		"of a poll": {[]string{"one"}, []string{"temporary", "two after 10s", "runs after 1h"}, "two"},
		"of a read": {[]string{"one", "two after 1s", "three after 1h"}, []string{"absent"}, "two"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
				defer stop()
				end := waitForOne(ctx, &scripted{reads: c.reads, polls: c.polls}, Options{})
				require.Equal(t, Interrupted, end.Reason)
				require.Equal(t, c.want, *end.State)
				require.NoError(t, end.Err, "the last request that has a response did not fail")
			})
		})
	}
}

func TestGiveUpAfterCountsFromTheFirstFailure(t *testing.T) {
	for name, c := range map[string]struct {
		reads, polls []string
		after, want  time.Duration
		failing      time.Duration
	}{
		"of a poll":                   {[]string{"going", "temporary"}, []string{"runs after 30s", "temporary"}, 20 * time.Second, 30*time.Second + 25*time.Second, 25 * time.Second},
		"of a first read":             {[]string{"temporary"}, []string{"temporary"}, 20 * time.Second, 25 * time.Second, 25 * time.Second},
		"of a read instead of a poll": {[]string{"going", "temporary"}, []string{"absent"}, 20 * time.Second, 25 * time.Second, 25 * time.Second},
		"and requests may time out":   {[]string{"late"}, []string{"late"}, 20 * time.Second, 25 * time.Second, 25 * time.Second},
		"and is five minutes if it is not set": {
			[]string{"temporary"}, []string{"temporary"}, 0, 5*time.Minute + 5*time.Second, 5*time.Minute + 5*time.Second,
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				end := waitForOne(t.Context(), &scripted{reads: c.reads, polls: c.polls}, Options{GiveUpAfter: c.after})
				require.Equal(t, GaveUp, end.Reason)
				require.Contains(t, []error{errTemporary, errLate}, end.Err)
				require.Equal(t, c.failing, end.Failing)
				require.Equal(t, c.want, time.Since(began))
				require.False(t, end.Running())
			})
		})
	}
}

func TestAFirstFailureAfterALongRequestIsSurvived(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &scripted{reads: []string{"going"}, polls: []string{"temporary after 29s", "ended"}, began: time.Now()}
		require.Equal(t, Done, waitForOne(t.Context(), s, Options{GiveUpAfter: 20 * time.Second}).Reason)
		require.Equal(t, []string{"0s read", "0s poll 30", "29s poll 26"}, s.trace)
	})
}

func TestASuccessfulPollEndsTheTimeOfFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const held = "runs after 30s"
		s := &scripted{reads: []string{"going"}, polls: []string{"temporary", held, "temporary", held, "temporary", held, "ended"}}
		require.Equal(t, Done, waitForOne(t.Context(), s, Options{GiveUpAfter: 20 * time.Second}).Reason)
	})
}

func TestAThingThatIsNewMayBeAbsent(t *testing.T) {
	for name, c := range map[string]struct {
		newFor time.Duration
		polls  []string
		want   []string
		reason Reason
	}{
		"for some time": {10 * time.Second, []string{"absent"}, []string{
			"0s poll 30", "0s read", "1s poll 30", "1s read", "3s poll 30", "3s read", "7s poll 30", "7s read", "15s poll 30", "15s read",
		}, Failed},
		"until it is there": {10 * time.Second, []string{"absent", "absent", "ended"}, []string{
			"0s poll 30", "0s read", "1s poll 30", "1s read", "3s poll 30",
		}, Done},
		"but not if it is not new": {0, []string{"absent"}, []string{"0s poll 30", "0s read"}, Failed},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &scripted{reads: []string{"absent"}, polls: c.polls, began: time.Now()}
				w := waitFor(s, Options{})
				time.Sleep(time.Second)
				s.began = time.Now()
				w.Add(Thing[string]{ID: "a", State: new("new"), NewUntil: s.began.Add(c.newFor)})
				for end := range w.Run(t.Context()) {
					require.Equal(t, c.reason, end.Reason)
					if c.reason == Failed {
						require.Equal(t, errAbsent, end.Err)
						require.Equal(t, "new", *end.State)
						require.Equal(t, s.began, end.SeenAt)
					}
				}
				require.Equal(t, c.want, s.trace)
			})
		})
	}
}

func TestWhenTheNextPlaceOfAThingIsDue(t *testing.T) {
	for _, c := range []struct {
		poll       string
		look       bool
		due, every time.Duration // after 12 seconds
	}{
		{"runs after 5s", false, 40 * time.Second, 5 * time.Second}, // the third poll was sent after 10 s
		{"runs after 1s", false, 41 * time.Second, time.Second},
		{"runs", false, 15 * time.Second, 8 * time.Second},      // after 1, 2, 4 and 8 seconds
		{"runs after 30s", true, 30 * time.Second, time.Second}, // a read before the first poll
	} {
		t.Run(c.poll, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := idle(&scripted{reads: []string{"going"}, polls: []string{c.poll}}, 1)
				one := f.board.things[0]
				ctx, stop := context.WithCancel(t.Context())
				defer stop()
				go (&poller[string]{requests: f.requests, thing: one, look: c.look, holds: holds{most: maxHold}}).watch(ctx)
				time.Sleep(12*time.Second - 1)
				synctest.Wait()
				f.board.mu.Lock()
				defer f.board.mu.Unlock()
				require.Equal(t, f.began.Add(c.due), one.due)
				require.Equal(t, c.every, one.every)
			})
		})
	}
}
