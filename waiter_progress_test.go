package monitoring

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// idle makes a waiter with OnProgress. All its sessions were polled and seen just now. It sends
// nothing by itself.
func idle(t *testing.T, sessions int) *waiter {
	w := testClient(t, status(500, "")).CheckSessions.newWaiter(WaitOptions{OnProgress: func(WaitProgress) {}}, nil)
	for i := range sessions {
		s := w.add(fmt.Sprint(i))
		s.seen, s.seenAt, s.due = &CheckSession{Status: SessionProgress}, w.began, w.began.Add(maxCompletionWait)
	}
	return w
}

func TestWhichSessionIsReadNext(t *testing.T) {
	const none = -1
	seen := func(ages ...time.Duration) func(*waiter) {
		return func(w *waiter) {
			for i, age := range ages {
				w.order[i].seenAt = w.began.Add(-age)
			}
		}
	}
	old := seen(time.Hour, time.Minute, time.Minute)
	and := func(steps ...func(*waiter)) func(*waiter) {
		return func(w *waiter) {
			for _, step := range steps {
				step(w)
			}
		}
	}
	every := func(d time.Duration) func(*waiter) {
		return func(w *waiter) {
			for _, s := range w.order {
				s.every = d
			}
		}
	}
	unseen := func(w *waiter) { w.order[1].seen, w.order[2].seen = nil, nil }
	over := func(i int) func(*waiter) { return func(w *waiter) { w.order[i].over = true } }
	quiet := func(w *waiter) { w.options.OnProgress = nil }
	for _, c := range []struct {
		name  string
		state func(*waiter)
		want  int
		pause time.Duration // before the next look, if none is to be read
	}{
		{"the session that was seen longest ago", seen(31*time.Second, 33*time.Second, 32*time.Second), 1, 0},
		{"a session whose status is half a minute old", seen(0, 0, 30*time.Second), 2, 0},
		{"none a nanosecond before that", seen(0, 0, 30*time.Second-1), none, 1},
		{"none for half a minute if all were seen just now", seen(), none, 30 * time.Second},
		{"the first session that was never seen", unseen, 1, 0},
		{"not one that is being read", and(old, func(w *waiter) { w.order[0].asked = w.began }), 1, 0},
		{"not one that is over", and(old, over(0)), 1, 0},
		{"none if all are over", and(old, over(0), over(1), over(2)), none, 0},
		{"none before each session had its first poll", and(old, func(w *waiter) { w.unpolled = 1 }), none, 500 * time.Millisecond},
		{"none right after another read", and(old, func(w *waiter) { w.nextRead = w.began.Add(3 * time.Second) }), none, 3 * time.Second},
		{"none if polls take nearly all of the limit", and(old, every(336*time.Millisecond)), none, 500 * time.Millisecond},
		{"one if polls leave a little of it", and(old, every(338*time.Millisecond)), 0, 0},
		{"polls of sessions that are over do not count", and(old, every(338*time.Millisecond), over(1)), 0, 0},
		{"without OnProgress, an unseen session after five seconds", and(unseen, quiet), none, 5 * time.Second},
		{"without OnProgress, not one that was read already", and(unseen, quiet, func(w *waiter) {
			w.began = w.began.Add(-5 * time.Second)
			w.order[1].asked = w.began
		}), 2, 0},
		{"without OnProgress, none that was seen", and(old, quiet), none, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := idle(t, 3)
				c.state(w)
				next, pause := w.nextToRead(time.Now())
				require.Equal(t, c.pause, pause)
				if c.want == none {
					require.Nil(t, next)
					return
				}
				require.Same(t, w.order[c.want], next)
				require.Equal(t, time.Now(), next.asked, "it is marked, so that it is not read twice")
			})
		})
	}
}

func TestReadsFollowEachOtherAsFastAsTheLimitAllows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := idle(t, 3)
		for _, s := range w.order {
			s.seenAt = w.began.Add(-time.Hour)
		}
		free := 9 - 3/maxCompletionWait.Seconds() // places a second that polls and other calls leave, of ten
		for i := range 2 {
			next, pause := w.nextToRead(time.Now())
			require.Same(t, w.order[i], next)
			require.Zero(t, pause)
			_, pause = w.nextToRead(time.Now())
			require.InDelta(t, float64(time.Second)/free, pause, 2)
			time.Sleep(pause)
		}
	})
}

func TestNoReadTakesAPlaceThatPollsNeedSoon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := idle(t, 16)
		for i, s := range w.order {
			s.seenAt = w.began.Add(-time.Hour)
			if i > 0 { // their polls are due before that of the first
				s.due = w.began
			}
		}
		for range 85 {
			require.NoError(t, w.service.core.account.Wait(t.Context()))
		}
		next, pause := w.nextToRead(time.Now())
		require.Nil(t, next, "there are 15 places, but a read and 15 polls need 16")
		require.Equal(t, 500*time.Millisecond, pause)
		w.order[1].over = true
		next, _ = w.nextToRead(time.Now())
		require.Same(t, w.order[0], next)
	})
}

func TestEightSessionsAreReadAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &scripted{reads: []string{"PROGRESS after 1h"}, polls: []string{"408 after 30s"}, began: time.Now()}
		ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
		defer stop()
		for _, err := range testClient(t, s).CheckSessions.WaitAll(ctx, strings.Split("abcdefghijkl", ""), WaitOptions{OnProgress: func(WaitProgress) {}}) {
			require.ErrorIs(t, err, context.DeadlineExceeded)
		}
		require.Equal(t, 8, strings.Count(fmt.Sprint(s.trace), "read"))
	})
}
