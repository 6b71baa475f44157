package monitoring

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestWhenAPacerHasItsNextPlace(t *testing.T) {
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
		{"when there is a token", DefaultRateLimit, spent, 80 * time.Millisecond},
		{"when the pace must be computed again", DefaultRateLimit, func(p *pacer) { spent(p); p.learned.share, p.learned.until = 0.01, now }, 118750 * time.Microsecond},
		{"at the pace if a burst would take too much", DefaultRateLimit, func(p *pacer) {
			for range 500 {
				p.window.take(now)
			}
			p.spent = now
		}, 118750 * time.Microsecond},
		{"but not later than that", DefaultRateLimit, func(p *pacer) {
			for range 500 {
				p.window.take(now)
			}
			p.spent = now.Add(-608 * time.Millisecond)
		}, 0},
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
	require.Equal(t, time.Duration(1), p.until(now, true), "the time is exact")
}

func TestTheBurstIsHalfFullWithHalfOfItsPlaces(t *testing.T) {
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

func TestALearnedRouteBeginsWithTheStateOfTheCommonLimit(t *testing.T) {
	now := time.Now()
	common := newPacer(DefaultRateLimit, now.Add(-time.Minute))
	for range 7 {
		common.take(now)
	}
	p := newLearningPacer(common, now)
	require.True(t, p.unknown)
	require.Equal(t, 7, p.learned.served)
	require.Equal(t, common.learned.resumed, p.learned.resumed)
	require.Equal(t, 1.0, p.learned.share)
	require.Equal(t, 7, p.window.count)
	require.Equal(t, common.window.runs, p.window.runs)
	require.InDelta(t, common.even(), p.even(), 1e-9)
	p.take(now)
	require.Equal(t, 7, common.window.count, "from then on both count separately")
	for range 2 * DefaultRateLimit.Requests {
		p.window.take(now)
	}
	require.Zero(t, p.window.untilFree(now), "the window of a learned route only counts")
}
