package redislimit

import (
	"math"
	"testing"
	"testing/synctest"
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

func TestWhatA429DoesInTheProcessAndInRedis(t *testing.T) {
	type refusal struct{ at, sent, after, pause, share float64 } // in seconds; pause is its end
	for _, test := range []struct {
		name     string
		refusals []refusal
	}{
		{"it pauses and cuts the share", []refusal{{0, -1, 0, 1, 0.8}}},
		{"attempts in flight count once", []refusal{{0, -1, 0, 1, 0.8}, {0.1, -1, 0, 1, 0.8}, {0.9, 0, 0, 1, 0.8}}},
		{"but a longer Retry-After counts", []refusal{{0, -1, 0, 1, 0.8}, {0.1, -1, 9, 9.1, 0.8}}},
		{"a shorter one does not end the pause", []refusal{{0, -1, 9, 9, 0.8}, {1, -1, 2, 9, 0.8}, {2, -1, 0, 9, 0.8}}},
		{"pauses in a row get longer", []refusal{{0, -1, 0, 1, 0.8}, {2, 1.5, 0, 4, 0.64}, {5, 4.5, 0, 9, 0.512}}},
		{"up to half a minute", []refusal{
			{0, -1, 0, 1, 0.8}, {1.1, 1.1, 0, 3.1, 0.64}, {3.2, 3.2, 0, 7.2, 0.512}, {7.3, 7.3, 0, 15.3, 0.4096}, {15.4, 15.4, 0, 31.4, 0.3277},
			{31.5, 31.5, 0, 61.5, 0.2621}, {61.6, 61.6, 0, 91.6, 0.2097},
		}},
		{"the fleet keeps a twentieth", []refusal{
			{0, 0, 1, 1, 0.8}, {1.01, 1.01, 1, 2.01, 0.64}, {2.02, 2.02, 1, 3.02, 0.512}, {3.03, 3.03, 1, 4.03, 0.4096}, {4.04, 4.04, 1, 5.04, 0.3277},
			{5.05, 5.05, 1, 6.05, 0.2621}, {6.06, 6.06, 1, 7.06, 0.2097}, {7.07, 7.07, 1, 8.07, 0.1678}, {8.08, 8.08, 1, 9.08, 0.1342}, {9.09, 9.09, 1, 10.09, 0.1074},
			{10.1, 10.1, 1, 11.1, 0.0859}, {11.11, 11.11, 1, 12.11, 0.0687}, {12.12, 12.12, 1, 13.12, 0.055}, {13.13, 13.13, 1, 14.13, 0.05}, {14.14, 14.14, 1, 15.14, 0.05},
		}},
		{"all is forgotten after a window without one", []refusal{{0, -1, 0, 1, 0.8}, {2, 1.5, 0, 4, 0.64}, {80, 80, 0, 81, 0.8}}},
		{"an absurd Retry-After is ignored", []refusal{{0, -1, 7200, 1, 0.8}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			v := startVirtual(t)
			settle(t, v.real, "429", time.Minute)
			synctest.Test(t, func(t *testing.T) {
				epoch := time.Now()
				at := func(s float64) time.Time { return epoch.Add(time.Duration(s * float64(time.Second))) }
				l := &Limiter{client: v, keys: []string{"{429}:window", "{429}:processes", "{429}:turns"}}
				line := newLine("", route.Pattern{}, monitoring.DefaultRateLimit)
				tell := func() replyLine {
					asked := requestLine{Limit: 600, Span: ms(window(line.limit)), Burst: 1, Refused: line.pause.news}
					r, err := l.exchange(t.Context(), &request{Parts: parts, Sent: math.MaxInt64, Lines: []requestLine{asked}})
					require.NoError(t, err)
					return r.Lines[0]
				}
				for i, r := range test.refusals {
					time.Sleep(time.Until(at(r.at)))
					line.refused(time.Now(), at(r.sent), time.Duration(r.after*float64(time.Second)))
					require.WithinDuration(t, at(r.pause), line.pause.until, 2*time.Millisecond, "429 %d in the process", i)
					require.InDelta(t, r.share, line.share, 0.01, "429 %d in the process", i)
					told := tell()
					require.WithinDuration(t, at(r.pause), time.Now().Add(span(told.Paused)), 2*time.Millisecond, "429 %d in Redis", i)
					require.InDelta(t, r.share, told.Share, 0.01, "429 %d in Redis", i)
				}
			})
		})
	}
}
