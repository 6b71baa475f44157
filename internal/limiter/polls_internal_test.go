package limiter

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/gates"
)

var onePoll = Attempt{Operation: "GET /v2/check-sessions/{checkSessionId}/completion", Class: Poll}

func TestPollsTakeHalfOfTheBurstAtOnce(t *testing.T) {
	for _, c := range []struct {
		share       float64
		polls, rest int
	}{{0, 50, 50}, {1, 50, 50}, {0.5, 25, 75}, {0.01, 1, 99}} {
		synctest.Test(t, func(t *testing.T) {
			l := newAccount(standard)
			require.Equal(t, c.polls, takeAll(t, l, Attempt{Class: Poll, Share: c.share}), "with a share of %g", c.share)
			require.InDelta(t, c.rest, takeAll(t, l, oneOperation), 2)
			require.NoError(t, l.Wait(t.Context(), onePoll))
			time.Sleep(3 * time.Minute)
			require.Equal(t, 50, takeAll(t, l, onePoll), "without a share, after one of %g", c.share)
		})
	}
}

func TestPollsComeAtAPaceOfTheirOwn(t *testing.T) {
	for share, perSecond := range map[float64]float64{0: 1.6, 1: 1.6, 0.99: 0.99, 0.1: 0.1} {
		synctest.Test(t, func(t *testing.T) {
			l := newAccount(standard)
			a := Attempt{Class: Poll, Share: share}
			takeAll(t, l, a)
			began := time.Now()
			for range 10 {
				require.NoError(t, l.Wait(t.Context(), a))
			}
			require.InDelta(t, 10/(perSecond*l.common.even()), time.Since(began).Seconds(), 1e-6, "a share of %g", share)
		})
	}
}

func TestWhenAPollHasAPlace(t *testing.T) {
	const look = 60800 * time.Millisecond / windowLook
	use := func(n int) func(*Account, time.Time) {
		return func(l *Account, now time.Time) {
			for range n {
				l.common.window.take(now)
			}
		}
	}
	for _, c := range []struct {
		name  string
		state func(*Account, time.Time)
		want  time.Duration
	}{
		{"now", func(*Account, time.Time) {}, 0},
		{"without a token", func(l *Account, now time.Time) { l.common.bucket.ReserveN(now, 100) }, 0},
		{"after a pause", func(l *Account, now time.Time) { l.common.learned.until = now.Add(time.Second) }, time.Second},
		{"after the window", use(600), 60800 * time.Millisecond},
		{"when its own bucket has a token", func(l *Account, now time.Time) { l.polls.ReserveN(now, 50) }, 63333334},
		{"with an eighth of the pace to be left, and three places", use(600 - 75 - 3), 0},
		{"not with less", use(600 - 75 - 3 + 1), look},
		{"with what ordinary attempts take and a tenth", func(l *Account, now time.Time) {
			use(269)(l, now) // leaves 328 and three places for 60.8 s
			l.ordinary = recentPace{pace: 4.904, last: now}
		}, 0},
		{"not with less", func(l *Account, now time.Time) {
			use(269)(l, now)
			l.ordinary = recentPace{pace: 4.905, last: now}
		}, look},
		{"with a token after 429s", func(l *Account, _ time.Time) { l.common.learned.share = 0.5 }, 0},
		{"not without one", func(l *Account, now time.Time) {
			l.common.learned.share, l.common.learned.grown = 0.5, now
			l.common.bucket.SetBurstAt(now, 1)
			l.common.bucket.ReserveN(now, 1)
		}, look},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newAccount(standard)
				now := time.Now()
				c.state(l, now)
				require.Equal(t, c.want, l.untilPoll(onePoll, now))
			})
		})
	}
}

func TestAPollTakesATokenIfThereAreManyOrItNeedsOne(t *testing.T) {
	for _, c := range []struct {
		name          string
		spent, passed int
		share         float64
		want          bool
	}{
		{"eleven", 89, 0, 1, true},
		{"ten are for ordinary attempts", 90, 0, 1, false},
		{"of ordinary attempts that wait", 99, passedMost, 1, true},
		{"but not before so many passed", 99, passedMost - 1, 1, false},
		{"none is there", 100, passedMost, 1, false},
		{"after 429s", 99, 0, 0.5, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newAccount(standard)
				now := time.Now()
				l.common.bucket.ReserveN(now, c.spent)
				l.passed, l.common.learned.share = c.passed, c.share
				token := l.takePoll(now)
				require.Equal(t, c.want, token != nil)
				require.Equal(t, 1, l.common.window.count, "but always a place")
				require.InDelta(t, 49, l.polls.TokensAt(now), 1e-9)
				l.common.giveBack(now, token)
				require.Zero(t, l.common.window.count)
				require.InDelta(t, 100-c.spent, l.common.bucket.TokensAt(now), 1e-9)
			})
		})
	}
}

func TestTheRecentPace(t *testing.T) {
	now := time.Now()
	var p recentPace
	require.Zero(t, p.at(now))
	p.took(now)
	require.InDelta(t, 0.1, p.at(now), 1e-9)
	require.InDelta(t, 0.1/2.718281828, p.at(now.Add(10*time.Second)), 1e-9, "it falls to a third in ten seconds")
	for range 200 {
		now = now.Add(500 * time.Millisecond)
		p.took(now)
	}
	require.InDelta(t, 2, p.at(now), 0.06)
	require.InDelta(t, 2, p.at(now.Add(500*time.Millisecond)), 0.06)
}

func TestTheTimeSinceAPollOrACallIsNoRest(t *testing.T) {
	for name, a := range map[string]Attempt{"a poll": onePoll, "a call": oneOperation} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newAccount(standard)
				takeAll(t, l, oneOperation)
				time.Sleep(4 * time.Second)
				require.NoError(t, l.Wait(t.Context(), a))
				require.Equal(t, 38, l.State().Places, "four seconds at the even pace, less one")
				time.Sleep(999 * time.Millisecond)
				require.NoError(t, l.Wait(t.Context(), a))
				require.Equal(t, 49, l.State().Places, "a second at the eager pace, less one")
				time.Sleep(time.Second)
				require.NoError(t, l.Wait(t.Context(), a))
				require.Equal(t, 58, l.State().Places, "a whole one is a rest")
			})
		})
	}
}

func TestABurstOfCallsBesidePollsDoesNotEmptyTheWindow(t *testing.T) {
	for name, a := range map[string]Attempt{"polls": onePoll, "other calls, and a rest": oneOperation} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newSimulation(gates.Named("sliding log", standard.Requests, standard.Per), nil)
				l := newAccount(standard)
				before, stop := within(t, 35*time.Second)
				defer stop()
				s.loop(before, l, 10, 0, a)
				time.Sleep(8 * time.Second)
				burst := takeAll(t, l, oneOperation)
				require.Less(t, burst, 40)
				resumed := time.Now()
				ctx, stop := within(t, 15*time.Second)
				defer stop()
				s.left = nil
				s.loop(ctx, l, 10, 0, oneOperation)
				require.Less(t, longestGap(s.left, resumed), time.Second, "after %d at once", burst)
				require.Empty(t, s.refused)
			})
		})
	}
}
