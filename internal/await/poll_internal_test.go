package await

import (
	"context"
	"slices"
	"strings"
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
			[]string{"0s read", "0s poll 6", "1.999s poll 4", "4.998s read", "4.998s poll 1"}},
		{"after immediate responses the pause grows to 15 s, and there are reads", []string{going}, []string{"runs"}, 59 * time.Second,
			[]string{"0s read", "0s poll 30", "1s poll 30", "3s read", "3s poll 30", "7s read", "7s poll 30", "15s read", "15s poll 30", "30s read", "30s poll 29", "45s read", "45s poll 14"}},
		{"without reads if they have a state", []string{going}, []string{going}, 14 * time.Second,
			[]string{"0s read", "0s poll 14", "1s poll 13", "3s poll 11", "7s poll 7"}},
		{"a poll that is held ends the pauses", []string{going}, []string{"runs", "runs", "runs after 9s", "runs"}, 14 * time.Second,
			[]string{"0s read", "0s poll 14", "1s poll 13", "3s read", "3s poll 11", "12s poll 2", "13s poll 1"}},
		{"a pause that a held poll asks for is obeyed", []string{going}, []string{"runs pause 7s after 2s"}, 13 * time.Second,
			[]string{"0s read", "0s poll 13", "9s poll 4"}},
		{"after two failures reads replace polls, for longer each time", []string{going}, []string{"temporary"}, 56 * time.Second,
			[]string{"0s read", "0s poll 30", "1s poll 30",
				"5s read", "10s poll 30",
				"11s read", "16s read", "21s poll 30",
				"22s read", "27s read", "32s read", "37s read", "42s poll 14",
				"43s read", "48s read", "53s read"}},
		{"two failures that are not in a row do not count", []string{going}, []string{"temporary", "runs after 9s", "temporary", "temporary", "runs after 30s"}, 16 * time.Second,
			[]string{"0s read", "0s poll 16", "1s poll 15", "10s poll 6", "11s poll 5", "15s read"}},
		{"if reads fail, too, the pause grows to 40 s", []string{going, "temporary"}, []string{"temporary"}, 102 * time.Second,
			[]string{"0s read", "0s poll 30", "1s poll 30", "5s read", "21s poll 30", "1m1s poll 30", "1m41s poll 1"}},
		{"a failed first read is followed by a poll", []string{"temporary"}, []string{"runs after 30s"}, 20 * time.Second,
			[]string{"0s read", "1s poll 19", "5s read"}},
		{"a read that is limited, too", []string{"limited pause 4s"}, []string{"runs after 30s"}, 20 * time.Second,
			[]string{"0s read", "4s poll 16", "5s read"}},
		{"an absent poll is tried again after 5 s", []string{going}, []string{"absent pause 1h", "runs after 30s"}, 20 * time.Second,
			[]string{"0s read", "0s poll 20", "0s read", "5s poll 15"}},
		{"after one cut the next poll comes soon and asks for less", []string{going}, []string{"temporary after 20s", "runs after 18s"}, 50 * time.Second,
			[]string{"0s read", "0s poll 30", "20s poll 18", "38s poll 12"}},
		{"a poll that ends early does not show that longer ones are held", []string{going}, []string{"temporary after 20s", "runs after 5s"}, 59 * time.Second,
			[]string{"0s read", "0s poll 30", "20s poll 18", "25s poll 18", "30s poll 18", "35s poll 18", "40s poll 18", "45s poll 14", "50s poll 9", "55s poll 4"}},
		{"after two cuts there is a pause", []string{going}, []string{"temporary after 20s", "temporary after 10s", "runs after 9s"}, 50 * time.Second,
			[]string{"0s read", "0s poll 30", "20s poll 18", "31s read", "36s poll 9", "45s poll 5"}},
		{"a failure within a second is not a cut", []string{going}, []string{"temporary after 999ms", "runs after 30s"}, 20 * time.Second,
			[]string{"0s read", "0s poll 20", "1.999s poll 18"}},
		{"a failure after a second is a cut", []string{going}, []string{"temporary after 1s", "runs after 1s"}, 3500 * time.Millisecond,
			[]string{"0s read", "0s poll 3", "1s poll 1", "2s poll 1", "3s poll 1"}},
		{"too many requests are not a failure of polls", []string{going}, []string{"temporary", "limited pause 10s", "temporary", "runs after 30s"}, 17 * time.Second,
			[]string{"0s read", "0s poll 17", "1s poll 16", "11s poll 6"}},
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

func TestPollsThatFailAreTriedLessAndLessOften(t *testing.T) {
	for _, failure := range []string{"absent", "temporary"} {
		synctest.Test(t, func(t *testing.T) {
			s := &scripted{reads: []string{"going"}, polls: []string{failure}, began: time.Now()}
			ctx, stop := context.WithTimeout(t.Context(), 25*time.Minute)
			defer stop()
			require.Equal(t, Interrupted, waitForOne(ctx, s, Options{}).Reason)
			var polls []time.Duration
			for _, request := range s.trace {
				if at, ok := strings.CutSuffix(request, " poll 30"); ok {
					polls = append(polls, duration(at))
				}
			}
			for i := range polls[len(polls)-9:] {
				apart := polls[len(polls)-9+i] - polls[len(polls)-10+i]
				require.InDelta(t, min(readsAtMost, readEvery<<i), apart, float64(readEvery))
			}
		})
	}
}

func TestPollsAskToBeHeldNoLongerThanTheRestOfTheWait(t *testing.T) {
	for _, c := range []struct {
		timeout, deadline time.Duration
		want              []string
	}{
		{0, 0, []string{"0s poll 30", "30s poll 30"}},
		{40 * time.Second, 0, []string{"0s poll 30", "26.666666667s read", "30s poll 10"}},
		{0, 40 * time.Second, []string{"0s poll 30", "30s poll 10"}},
		{40 * time.Second, 35500 * time.Millisecond, []string{"0s poll 30", "26.666666667s read", "30s poll 5"}},
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
			w.Add(Thing{ID: "a", State: new("going")})
			ids(w.Run(ctx))
			require.Equal(t, c.want, s.trace[:len(c.want)])
		})
	}
}

func TestReadsInsteadOfPollsAreApart(t *testing.T) {
	for running, want := range map[int]time.Duration{1: 5 * time.Second, 25: 5 * time.Second, 26: 5200 * time.Millisecond, 100: 20 * time.Second} {
		f := idle(&scripted{}, running+10)
		for _, t := range f.board.things[:10] {
			t.over = true
		}
		require.Equal(t, want, (&poller{requests: f.requests}).untilRead())
	}
}

func TestAServiceWithoutPollsIsReadAtGrowingTimes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &scripted{reads: []string{"going", "going", "going", "temporary", "going", "going pause 40s", "ended"}, began: time.Now()}
		w := New(s, Options{})
		w.Add(Thing{ID: "a"})
		for end := range w.Run(t.Context()) {
			require.Equal(t, Done, end.Reason)
		}
		require.Equal(t, []string{"0s read", "1s read", "3s read", "7s read", "8s read", "16s read", "56s read"}, s.trace)
	})
}

func TestGiveUpAfterCountsFromTheFirstFailure(t *testing.T) {
	for name, c := range map[string]struct {
		reads, polls []string
		after, want  time.Duration
		failing      time.Duration
	}{
		"of a poll":                   {[]string{"going", "temporary"}, []string{"runs after 30s", "temporary"}, 20 * time.Second, 51 * time.Second, 21 * time.Second},
		"of a first read":             {[]string{"temporary"}, []string{"temporary"}, 20 * time.Second, 21 * time.Second, 21 * time.Second},
		"of a read instead of a poll": {[]string{"going", "temporary"}, []string{"absent"}, 20 * time.Second, 21 * time.Second, 21 * time.Second},
		"and requests may time out":   {[]string{"late"}, []string{"late"}, 20 * time.Second, 21 * time.Second, 21 * time.Second},
		"and is five minutes if it is not set": {
			[]string{"temporary"}, []string{"temporary"}, 0, 5*time.Minute + time.Second, 5*time.Minute + time.Second,
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

func TestATimeOfFailuresBeginsWithItsFirstRequest(t *testing.T) {
	const held = "runs after 30s"
	for name, c := range map[string]struct {
		polls        []string
		place, after time.Duration // how long each request waits for its place, and GiveUpAfter
	}{
		"so one failure after a long request is survived": {[]string{"temporary after 29s", "ended"}, 0, 20 * time.Second},
		"and ends with a poll that was held":              {[]string{"temporary", held, "temporary", held, "ended"}, 0, 20 * time.Second},
		"when that has its place":                         {[]string{"temporary", "temporary", "ended"}, time.Minute, 62 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &scripted{reads: []string{"going"}, polls: c.polls, place: func(ctx context.Context) error { sleep(ctx, c.place); return ctx.Err() }}
				require.Equal(t, Done, waitForOne(t.Context(), s, Options{GiveUpAfter: c.after}).Reason)
			})
		})
	}
}

func TestAThingThatIsNewMayBeAbsent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &scripted{reads: []string{"absent"}, polls: []string{"absent"}}
		w := waitFor(s, Options{})
		time.Sleep(time.Second)
		s.began = time.Now()
		w.Add(Thing{ID: "a", State: new("new"), NewUntil: s.began.Add(10 * time.Second)})
		require.Equal(t, []End{{ID: "a", Reason: Failed, State: new("new"), SeenAt: s.began, Err: errAbsent}}, slices.Collect(w.Run(t.Context())))
		require.Equal(t, []string{
			"0s poll 30", "0s read", "1s poll 30", "1s read", "3s poll 30", "3s read", "7s poll 30", "7s read", "10s poll 30", "10s read",
		}, s.trace)
	})
	synctest.Test(t, func(t *testing.T) {
		s := &scripted{reads: []string{"refused"}, began: time.Now()}
		ctx, stop := context.WithTimeout(t.Context(), 5*time.Second)
		defer stop()
		w := waitFor(s, Options{})
		w.Add(Thing{ID: "a", ReadFirst: true, NewUntil: s.began.Add(10 * time.Second)})
		require.Equal(t, []End{{ID: "a", Reason: Failed, Err: errRefused}}, slices.Collect(w.Run(ctx)))
		require.Equal(t, []string{"0s read"}, s.trace, "one that is refused is not only new")
	})
}

// poll makes one poll, which asks for what next returns. It is cut if that is at least cut.
func (h *holds) poll(now *time.Time, cut time.Duration) (asked time.Duration, wasCut bool) {
	asked = h.next()
	if asked >= cut {
		*now = now.Add(cut)
		h.wasCut(asked, cut, *now)
		return asked, true
	}
	*now = now.Add(asked)
	h.held(asked, *now)
	return asked, false
}

func TestHoldsStayBelowACutAndTryLongerOnesLessAndLessOften(t *testing.T) {
	for _, c := range []struct {
		cut   time.Duration
		below time.Duration
		// The numbers of cuts in a minute, in ten minutes and in an hour: a few at first, then
		// every 4 minutes.
		minute, ten, hour int
	}{
		{29 * time.Second, 26 * time.Second, 1, 3, 14},
		{20 * time.Second, 18 * time.Second, 2, 3, 15},
		{5 * time.Second, 4 * time.Second, 2, 4, 16},
		{1500 * time.Millisecond, time.Second, 2, 4, 16},
	} {
		t.Run(c.cut.String(), func(t *testing.T) {
			h := holds{most: maxHold}
			start := time.Now()
			now, cuts, last := start, 0, false
			counts := map[time.Duration]int{}
			for now.Sub(start) < time.Hour {
				asked, cut := h.poll(&now, c.cut)
				require.False(t, cut && last, "there are never two cuts in a row")
				if !cut {
					require.LessOrEqual(t, asked, c.below)
				}
				last = cut
				if cut {
					cuts++
				}
				for _, d := range []time.Duration{time.Minute, 10 * time.Minute, time.Hour} {
					if now.Sub(start) <= d {
						counts[d] = cuts
					}
				}
			}
			require.Equal(t, map[time.Duration]int{time.Minute: c.minute, 10 * time.Minute: c.ten, time.Hour: c.hour}, counts)
			require.Equal(t, c.below, min(h.next(), c.below))
			for mended := now; h.next() < maxHold; {
				h.poll(&now, time.Hour)
				require.Less(t, now.Sub(mended), 5*time.Minute)
			}
		})
	}
}

func TestHoldsAreBetweenASecondAndTheMaximum(t *testing.T) {
	h := holds{most: maxHold}
	now := time.Now()
	h.held(maxHold, now)
	require.Equal(t, maxHold, h.next())
	h.wasCut(30*time.Second, 35*time.Second, now)
	require.Equal(t, 27*time.Second, h.next(), "a poll that took longer than asked for also shortens them")
	for range 2 {
		h.wasCut(time.Second, time.Second, now)
		require.Equal(t, time.Second, h.next())
	}
	h.held(3*time.Second, now)
	require.Equal(t, 6*time.Second, h.next(), "a longer poll was held: the cut is forgotten")
	h.held(time.Second, now)
	require.Equal(t, 6*time.Second, h.next(), "a shorter poll changes nothing")
}
