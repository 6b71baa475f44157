package await

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// idle makes a refresher that keeps states fresh. All its things had their first request and were
// seen just now. It sends nothing by itself.
func idle(s *scripted, things int) *refresher[string] {
	f := &refresher[string]{requests: newRequests[string](s), keep: true, began: time.Now(), asked: make(map[*thing[string]]time.Time)}
	for i := range things {
		t := f.board.add(fmt.Sprint(i), new("going"), maxHold, f.began)
		t.due, t.placed = f.began.Add(maxHold), true
	}
	f.board.unplaced = 0
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
	old := seen(time.Hour, time.Minute, time.Minute)
	and := func(steps ...func(fresher)) func(fresher) {
		return func(f fresher) {
			for _, step := range steps {
				step(f)
			}
		}
	}
	every := func(d time.Duration) func(fresher) {
		return func(f fresher) {
			for _, t := range f.board.things {
				t.every = d
			}
		}
	}
	unseen := func(f fresher) { f.board.things[1].seen, f.board.things[2].seen = nil, nil }
	over := func(i int) func(fresher) { return func(f fresher) { f.board.things[i].over = true } }
	quiet := func(f fresher) { f.keep = false }
	for _, c := range []struct {
		name  string
		state func(fresher)
		want  int
		pause time.Duration // before the next look, if none is to be read
	}{
		{"the thing that was seen longest ago", seen(31*time.Second, 33*time.Second, 32*time.Second), 1, 0},
		{"a thing whose state is half a minute old", seen(0, 0, 30*time.Second), 2, 0},
		{"none a nanosecond before that", seen(0, 0, 30*time.Second-1), none, 1},
		{"none for half a minute if all were seen just now", seen(), none, 30 * time.Second},
		{"the first thing that was never seen", unseen, 1, 0},
		{"not one that is being read", and(old, func(f fresher) { f.asked[f.board.things[0]] = f.began }), 1, 0},
		{"not one that is over", and(old, over(0)), 1, 0},
		{"none if all are over", and(old, over(0), over(1), over(2)), none, 0},
		{"none before each thing had its first request", and(old, func(f fresher) { f.board.unplaced = 1 }), none, 500 * time.Millisecond},
		{"none right after another read", and(old, func(f fresher) { f.next = f.began.Add(3 * time.Second) }), none, 3 * time.Second},
		{"none if polls take nearly all of the limit", and(old, every(336*time.Millisecond)), none, 500 * time.Millisecond},
		{"one if polls leave a little of it", and(old, every(338*time.Millisecond)), 0, 0},
		{"polls of things that are over do not count", and(old, every(338*time.Millisecond), over(1)), 0, 0},
		{"if states are not kept fresh, an unseen thing after five seconds", and(unseen, quiet), none, 5 * time.Second},
		{"if states are not kept fresh, not one that was read already", and(unseen, quiet, func(f fresher) {
			f.began = f.began.Add(-5 * time.Second)
			f.asked[f.board.things[1]] = f.began
		}), 2, 0},
		{"if states are not kept fresh, none that was seen", and(old, quiet), none, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := idle(&scripted{}, 3)
				c.state(f)
				next, pause := f.takeNext(time.Now())
				require.Equal(t, c.pause, pause)
				if c.want == none {
					require.Nil(t, next)
					return
				}
				require.Same(t, f.board.things[c.want], next)
				require.Equal(t, time.Now(), f.asked[next], "it is marked, so that it is not read twice")
			})
		})
	}
}

func TestReadsFollowEachOtherAsFastAsTheLimitAllows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := idle(&scripted{}, 3)
		for _, t := range f.board.things {
			t.seenAt = f.began.Add(-time.Hour)
		}
		free := 9 - 3/maxHold.Seconds() // places a second that polls and other requests leave, of ten
		for i := range 2 {
			next, pause := f.takeNext(time.Now())
			require.Same(t, f.board.things[i], next)
			require.Zero(t, pause)
			_, pause = f.takeNext(time.Now())
			require.InDelta(t, float64(time.Second)/free, pause, 2)
			time.Sleep(pause)
		}
	})
}

func TestNoReadTakesAPlaceThatPollsNeedSoon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := idle(&scripted{room: Room{Places: 15, Most: 100, PerSecond: 10}}, 16)
		for i, t := range f.board.things {
			t.seenAt = f.began.Add(-time.Hour)
			if i > 0 { // their polls are due before that of the first
				t.due = f.began
			}
		}
		next, pause := f.takeNext(time.Now())
		require.Nil(t, next, "there are 15 places, but a read and 15 polls need 16")
		require.Equal(t, 500*time.Millisecond, pause)
		f.board.things[1].over = true
		next, _ = f.takeNext(time.Now())
		require.Same(t, f.board.things[0], next)
	})
}

func TestEightThingsAreReadAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &scripted{reads: []string{"going after 1h"}, polls: []string{"runs after 30s"}}
		ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
		defer stop()
		ids(waitFor(s, Options{OnChange: func() {}}, strings.Split("abcdefghijkl", "")...).Run(ctx))
		require.Equal(t, 8, strings.Count(fmt.Sprint(s.trace), "read"))
	})
}

func TestReadsKeepStatesFreshIfChangesAreReported(t *testing.T) {
	for name, c := range map[string]struct {
		onChange func()
		reads    []string
	}{
		"each half minute": {func() {}, []string{"0s", "30s", "1m0s", "1m30s"}},
		"or once":          {nil, []string{"5s"}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := running(map[string]time.Duration{"a": time.Hour})
				ctx, stop := context.WithTimeout(t.Context(), 100*time.Second)
				defer stop()
				ids(waitFor(s, Options{OnChange: c.onChange}, "a").Run(ctx))
				var reads []string
				for _, r := range s.trace {
					if at, ok := strings.CutSuffix(r, " read"); ok {
						reads = append(reads, at)
					}
				}
				require.Len(t, reads, len(c.reads))
				for i := range reads {
					require.InDelta(t, duration(c.reads[i]), duration(reads[i]), float64(time.Second), reads)
				}
			})
		})
	}
}

func TestNothingIsReadForItsStateIfItIsKnownOrReadFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := running(map[string]time.Duration{"a": time.Hour, "b": time.Hour})
		w := waitFor(s, Options{})
		w.Add(Thing[string]{ID: "a", State: new("going")})
		w.Add(Thing[string]{ID: "b", ReadFirst: true})
		ctx, stop := context.WithTimeout(t.Context(), 100*time.Second)
		defer stop()
		ids(w.Run(ctx))
		require.Equal(t, 1, strings.Count(fmt.Sprint(s.trace), "read"))
	})
}

func TestAReadThatFindsTheEndOfAThingEndsItsPoll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &scripted{polls: []string{"runs after 1h"}, reads: []string{"going", "ended"}, began: time.Now()}
		for end := range waitFor(s, Options{OnChange: func() {}}, "a").Run(t.Context()) {
			require.Equal(t, Done, end.Reason)
			require.Equal(t, "ended", *end.State)
			require.InDelta(t, 30*time.Second, time.Since(s.began), float64(time.Second))
		}
		require.Less(t, time.Since(s.began), time.Minute, "the poll does not delay the end of Run")
	})
}
