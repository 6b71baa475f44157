package monitoring

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestWhenAPacerHasAPlace(t *testing.T) {
	now := time.Now()
	spent := func(p *pacer) {
		for range p.limit.burst() {
			p.take(now)
		}
	}
	for _, c := range []struct {
		name  string
		limit RateLimit
		state func(p *pacer)
		want  time.Duration
	}{
		{"now", DefaultRateLimit, func(*pacer) {}, 0},
		{"after a pause", DefaultRateLimit, func(p *pacer) { p.learned.until = now.Add(1) }, 1},
		{"after the window", RateLimit{Requests: 2, Per: 10 * time.Second, Burst: 2}, spent, 10*time.Second + 500*time.Millisecond},
		{"when a token is there", DefaultRateLimit, spent, 80 * time.Millisecond},
		{"when the pace may be another", DefaultRateLimit, func(p *pacer) { spent(p); p.learned.share, p.learned.until = 0.01, now }, 118750 * time.Microsecond},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPacer(c.limit, now)
			c.state(p)
			require.InDelta(t, c.want, p.until(now, true), float64(2*time.Millisecond))
			require.Equal(t, c.want == 0, p.until(now, true) == 0)
		})
	}
	p := newPacer(DefaultRateLimit, now)
	p.learned.until = now.Add(1)
	require.Equal(t, time.Duration(1), p.until(now, true), "to the moment")
}

func TestABurstIsHalfFullWithHalfOfItsPlaces(t *testing.T) {
	now := time.Now()
	p := newPacer(DefaultRateLimit, now)
	for taken := range 101 {
		half, wait := p.halfFull(now)
		require.Equal(t, taken <= 50, half, taken)
		if half {
			require.Zero(t, wait)
		} else {
			require.InDelta(t, float64(taken-50)/p.even(), wait.Seconds(), 1e-6)
		}
		p.take(now)
	}
}

func TestWhatIsAskedMeanwhileDoesNotChangeTheRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(DefaultRateLimit)
		takeAll(t, l, oneOperation)
		began := time.Now()
		places := l.State().Places
		for time.Since(began) < 5*time.Second {
			time.Sleep(time.Second)
			l.State()
		}
		require.InDelta(t, 50, l.State().Places-places, 2, "the even pace")
	})
}

func TestTheErrorOfAWaiterNamesNoPauseThatIsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(RateLimit{Requests: 1, Per: time.Hour})
		l.Throttled(2 * time.Second)
		require.NoError(t, l.Wait(t.Context()))
		ctx, stop := within(t, 10*time.Second)
		defer stop()
		err := l.Wait(ctx)
		require.NotErrorIs(t, err, ErrRateLimited)
		require.EqualError(t, err, "waiting for the rate limit: context deadline exceeded")
	})
}

func TestAnAttemptWithoutAResponseTellsThatOneTakesLonger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(DefaultRateLimit)
		for _, c := range []struct {
			status     int
			took, want time.Duration
		}{
			{0, 2 * time.Second, 3 * time.Second},     // half as long again
			{0, 3 * time.Second, 3 * time.Second},     // nothing new
			{200, 4 * time.Second, 4 * time.Second},   // as long as it took
			{0, 4*time.Second + 2, 6*time.Second + 3}, // longer than that
		} {
			l.Ended(oneOperation, AttemptOutcome{StatusCode: c.status, Duration: c.took})
			require.Equal(t, c.want, l.response(oneOperation.Operation, time.Now()))
		}
		l.Ended(LimitedAttempt{Operation: "GET /v1/x", Waiting: true}, AttemptOutcome{StatusCode: 200, Duration: 30 * time.Second})
		require.Equal(t, 6*time.Second+3, l.response("GET /v1/x", time.Now()), "a long poll tells nothing")
	})
}

func TestNoMoreRoutesAreLearnedThanFit(t *testing.T) {
	now := time.Now()
	common := newPacer(DefaultRateLimit, now)
	var r routes
	for i := range mostLearned {
		l := r.learn(fmt.Sprint(i), common, now)
		require.NotNil(t, l)
		l.pacer.learned.refused(now, now, time.Minute, 0)
	}
	require.Nil(t, r.learn("one more", common, now))
	require.Len(t, r.learned, mostLearned)
}

func TestPlacesOfAWindowAreCountedOneByOneUpToTheMostRuns(t *testing.T) {
	now := time.Now()
	for most, want := range map[int]int{windowRuns: 2, windowRuns + 1: 1} {
		w := newPlaceWindow(most, windowRuns*time.Second, now)
		w.take(now)
		w.take(now.Add(time.Second))
		require.Len(t, w.runs, want, most)
		require.Equal(t, 2, w.count)
	}
}
