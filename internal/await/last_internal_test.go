package await

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/workers"
)

func TestSixteenThingsAreReadForTheLastTimeAtOnce(t *testing.T) {
	for things, want := range map[int]time.Duration{16: 5 * time.Second, 17: 7 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			s := &scripted{reads: []string{"going after 2s"}, polls: []string{"runs after 1h"}}
			began := time.Now()
			for end := range waitFor(s, Options{Timeout: 3 * time.Second}, strings.Split("abcdefghijklmnopq", "")[:things]...).Run(t.Context()) {
				require.Equal(t, TimedOut, end.Reason)
				require.Equal(t, "going", *end.State)
				require.NoError(t, end.Err)
			}
			require.Equal(t, want, time.Since(began), "%d things", things)
		})
	}
}

func TestTheLastReadsBeginWithTheThingThatWasSeenLongestAgo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &scripted{reads: []string{"going after 1s"}}
		f := idle(s, 20)
		for i, t := range f.board.things {
			t.seenAt = f.began.Add(time.Duration(i%7) * time.Second)
			t.over = i == 7
		}
		team := workers.New(nil)
		f.lastReads(t.Context(), team)
		team.Wait()
		require.Len(t, s.asked, 19)
		require.NotContains(t, s.asked, "7", "thing 7 is over")
		require.Equal(t, f.began.Add(2*time.Second), time.Now())
		require.Subset(t, s.asked[16:], []string{"6", "13"}, "sixteen are read at once")
	})
}

func TestWhatTheLastReadFinds(t *testing.T) {
	for _, c := range []struct {
		name         string
		reads, polls []string
		want         End[string]
		after        time.Duration // the timeout of ten seconds
	}{
		{"the end", []string{"going", "ended"}, []string{"runs after 1h"}, End[string]{Reason: Done, State: new("ended")}, 0},
		{"that it runs, although a poll failed before", []string{"going"}, []string{"temporary pause 20s"}, End[string]{Reason: TimedOut, State: new("going")}, 0},
		{"that it is gone", []string{"going", "absent"}, []string{"runs after 1h"}, End[string]{Reason: Failed, State: new("going"), Err: errAbsent}, 0},
		{"a failure, and tries again each second", []string{"going", "temporary"}, []string{"runs after 1h"}, End[string]{Reason: TimedOut, State: new("going"), Err: errTemporary}, 5 * time.Second},
		{"too many requests", []string{"going", "limited", "limited", "other"}, []string{"runs after 1h"}, End[string]{Reason: TimedOut, State: new("other")}, 2 * time.Second},
		{"nothing within five seconds", []string{"going", "other after 1h"}, []string{"runs after 1h"}, End[string]{Reason: TimedOut, State: new("going")}, 5 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				end := waitForOne(t.Context(), &scripted{reads: c.reads, polls: c.polls}, Options{Timeout: 10 * time.Second})
				require.Equal(t, 10*time.Second+c.after, time.Since(began))
				require.NotZero(t, end.SeenAt)
				end.SeenAt, c.want.ID = time.Time{}, "a"
				require.Equal(t, c.want, end)
			})
		})
	}
}

func TestTheEndOfTheContextEndsTheLastReads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		ctx, stop := context.WithTimeout(t.Context(), 12*time.Second)
		defer stop()
		end := waitForOne(ctx, &scripted{reads: []string{"going", "temporary"}, polls: []string{"runs after 1h"}}, Options{Timeout: 10 * time.Second})
		require.Equal(t, Interrupted, end.Reason)
		require.Equal(t, errTemporary, end.Err)
		require.Equal(t, 12*time.Second, time.Since(began))
	})
}

func TestALastReadThatIsInterruptedIsNotAFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := idle(&scripted{reads: []string{"going after 1h"}}, 1)
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		f.lastRead(ctx, f.board.things[0])
		require.NoError(t, f.board.things[0].failure)
		require.False(t, f.board.things[0].over)
	})
}

func TestTheTimeoutEndsPolls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &scripted{reads: []string{"going", "temporary after 100ms"}, polls: []string{"runs after 4s"}, began: time.Now()}
		require.Equal(t, TimedOut, waitForOne(t.Context(), s, Options{Timeout: 10 * time.Second}).Reason)
		require.Equal(t, []string{
			"0s read", "0s poll 10", "4s poll 6", "8s poll 2", "10s read", "11.1s read", "12.2s read", "13.3s read", "14.4s read",
		}, s.trace)
	})
}

func TestLastReadsAreNotAwaitedForLongerThanFiveSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := idle(&scripted{intercept: func(context.Context, string, string) *Response[string] {
			time.Sleep(7 * time.Second) // it does not end with its context
			return &Response[string]{Outcome: Runs, State: new("going")}
		}}, 1)
		team := workers.New(nil)
		f.lastReads(t.Context(), team)
		require.Equal(t, 5*time.Second, time.Since(f.began))
		team.Wait()
	})
}
