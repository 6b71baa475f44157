package redislimit

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/route"
)

func TestAClockKnowsRedissTimeBetweenTwoBounds(t *testing.T) {
	epoch := time.Now()
	at := func(ms int) time.Time { return epoch.Add(time.Duration(ms) * time.Millisecond) }
	c := redisClock{epoch: epoch}
	c.sync(at(0), at(100), 5000) // read somewhere in these 100 ms
	require.Equal(t, at(200), c.reached(5100), "certainly reached only if it was read at the end")
	require.Equal(t, at(100), c.notPassed(5100), "perhaps passed already if it was read at the beginning")

	c.sync(at(200), at(210), 5190) // a faster reply says more
	require.WithinDuration(t, at(120), c.reached(5100), time.Millisecond)
	require.WithinDuration(t, at(110), c.notPassed(5100), time.Millisecond)

	c.sync(at(300), at(400), 5295) // a slow one takes nothing away
	require.WithinDuration(t, at(120), c.reached(5100), time.Millisecond)

	c.sync(at(500), at(510), 905505) // Redis's clock was set
	require.WithinDuration(t, at(510), c.reached(905505), time.Millisecond)
	require.WithinDuration(t, at(500), c.notPassed(905505), time.Millisecond)
}

func TestTheOrderOfWaiters(t *testing.T) {
	now := time.Now()
	in := func(ms int) time.Time { return now.Add(time.Duration(ms) * time.Millisecond) }
	poll := monitoring.LimitedAttempt{Class: monitoring.ClassPoll}
	shared := monitoring.LimitedAttempt{Class: monitoring.ClassPoll, Share: 0.5}
	const need = 100 * time.Millisecond
	for _, test := range []struct {
		name    string
		waiting []*waiter
		passed  int
		polls   bool
		want    uint64 // 0: nobody
	}{
		{"the first that came", []*waiter{{number: 1}, {number: 2}}, 0, true, 1},
		{"one with time before one without", []*waiter{{number: 1, deadline: in(150), need: need}, {number: 2}}, 0, true, 2},
		{
			"of two without much time the one with more",
			[]*waiter{{number: 1, deadline: in(150), need: need}, {number: 2, deadline: in(190), need: need}}, 0, true, 2,
		},
		{
			"one that can be helped before one that cannot",
			[]*waiter{{number: 1, deadline: in(90), need: need}, {number: 2, deadline: in(150), need: need}}, 0, true, 2,
		},
		{"one that can hardly be helped if there is nobody else", []*waiter{{number: 1, deadline: in(90), need: need}}, 0, true, 1},
		{"an ordinary attempt before a long poll", []*waiter{{number: 1, attempt: poll}, {number: 2}}, 0, true, 2},
		{"a long poll that many have passed", []*waiter{{number: 1}, {number: 2, attempt: poll}}, passedMost, true, 2},
		{"a long poll before one that cannot be helped", []*waiter{{number: 1, deadline: in(90), need: need}, {number: 2, attempt: poll}}, 0, true, 2},
		{"no long poll beyond its share", []*waiter{{number: 1, attempt: shared}}, 0, false, 0},
		{"a long poll without a share", []*waiter{{number: 1, attempt: poll}}, 0, false, 1},
		{"nobody", nil, 0, true, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			l := newLine("", route.Pattern{}, monitoring.DefaultRateLimit)
			l.waiting, l.passed = test.waiting, test.passed
			first := l.first(now, test.polls)
			if test.want == 0 {
				require.Nil(t, first)
				return
			}
			require.NotNil(t, first)
			require.Equal(t, test.want, first.number)
		})
	}
}

func TestALineWantsPlacesForThoseWhoCanBeHelped(t *testing.T) {
	now := time.Now()
	hopeless := func() *waiter { return &waiter{deadline: now.Add(time.Millisecond), need: time.Second} }
	l := newLine("", route.Pattern{}, monitoring.DefaultRateLimit)
	l.waiting = []*waiter{hopeless(), hopeless()}
	require.Equal(t, 1, l.wanted(now, 9), "the estimate of response times may be wrong")
	l.waiting = append(l.waiting, &waiter{}, &waiter{})
	require.Equal(t, 2, l.wanted(now, 9))
	for range 5 {
		l.waiting = append(l.waiting, &waiter{attempt: monitoring.LimitedAttempt{Class: monitoring.ClassPoll, Share: 0.5}})
	}
	require.Equal(t, 5, l.wanted(now, 3), "long polls want no more than their share")
}

func TestLocalSharesTogetherStayInTheWindow(t *testing.T) {
	now := time.Now()
	for _, test := range []struct {
		name      string
		limit     monitoring.RateLimit
		processes int
	}{
		{"600 a minute for 8", monitoring.DefaultRateLimit, 8},
		{"600 a minute for 599", monitoring.DefaultRateLimit, 599},
		{"100 a second for 3", monitoring.RateLimit{Requests: 100, Per: time.Second}, 3},
		{"7 a second for 1", monitoring.RateLimit{Requests: 7, Per: time.Second}, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			l := newLine("", route.Pattern{}, test.limit)
			gap := l.spacing(now, test.processes)
			inWindow := int((test.limit.Per-1)/gap) + 1 // at 0, gap, 2 gap, …
			require.LessOrEqual(t, inWindow*test.processes, test.limit.Requests)

			even := float64(test.limit.Requests) / window(test.limit).Seconds()
			l.paces = []paced{{now, 0.1 / test.limit.Per.Seconds()}, {now.Add(window(test.limit)), even}}
			require.Equal(t, window(test.limit), l.spacing(now, test.processes).Round(time.Microsecond), "the window is full")
			require.Equal(t, gap, l.spacing(now.Add(2*window(test.limit)), test.processes), "that was long ago")
		})
	}
}

func TestALocalShareFollowsThePacesThatRedisHasTold(t *testing.T) {
	now := time.Now()
	in := func(ms int) time.Time { return now.Add(time.Duration(ms) * time.Millisecond) }
	l := newLine("", route.Pattern{}, monitoring.RateLimit{Requests: 1000, Per: 10 * time.Second})
	require.Equal(t, now, l.after(now, 3), "nothing is known")
	l.paces = []paced{{in(100), 2}, {in(1100), 10}, {in(2100), 100}}
	for _, test := range []struct {
		from   int
		places float64
		want   int
	}{
		{0, 1, 500}, {0, 2, 1000}, {100, 2, 1100}, {100, 7, 1600}, {100, 13, 2110}, {600, 2, 1200}, {1100, 5, 1600}, {2000, 2, 2110}, {5000, 10, 5100},
	} {
		require.WithinDuration(t, in(test.want), l.after(in(test.from), test.places), time.Millisecond, "%v places from %d ms on", test.places, test.from)
	}
}

func TestA429IsCountedOnceForAllAttemptsInFlight(t *testing.T) {
	now := time.Now()
	l := newLine("", route.Pattern{}, monitoring.DefaultRateLimit)
	l.refused(now, now.Add(-time.Second), 0)
	require.Equal(t, now.Add(time.Second), l.pause.until)
	share := l.share
	l.refused(now.Add(time.Millisecond), now.Add(-time.Second), 0)
	require.Equal(t, share, l.share)
	require.Equal(t, now.Add(time.Second), l.pause.until)
	l.refused(now.Add(time.Millisecond), now.Add(-time.Second), 9*time.Second)
	require.Equal(t, now.Add(9*time.Second+time.Millisecond), l.pause.until, "a longer Retry-After counts")
	again := now.Add(10 * time.Second)
	l.refused(again, again.Add(-time.Millisecond), 0)
	require.Equal(t, again.Add(2*time.Second), l.pause.until, "the second pause in a row is longer")
	require.Less(t, l.share, share)
	l.refused(again.Add(time.Hour), again.Add(time.Hour), 2*time.Hour)
	require.Equal(t, again.Add(time.Hour+time.Second), l.pause.until, "an absurd Retry-After is ignored")
}
