package limiter

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestWhenAPacerHasItsNextPlace(t *testing.T) {
	now := time.Now()
	spent := func(p *pacer) {
		for range p.limit.AtOnce() {
			p.take(now)
		}
	}
	for _, c := range []struct {
		name  string
		limit Rate
		state func(p *pacer)
		want  time.Duration
	}{
		{"now", standard, func(*pacer) {}, 0},
		{"after a pause", standard, func(p *pacer) { p.learned.until = now.Add(1) }, 1},
		{"after the window", Rate{Requests: 2, Per: 10 * time.Second, Burst: 2}, spent, 10*time.Second + 500*time.Millisecond},
		{"when there is a token", standard, spent, 80 * time.Millisecond},
		{"when the pace must be computed again", standard, func(p *pacer) { spent(p); p.learned.share, p.learned.until = 0.01, now }, 118750 * time.Microsecond},
		{"at the pace if a burst would take too much", standard, func(p *pacer) {
			for range 500 {
				p.window.take(now)
			}
			p.spent = now
		}, 118750 * time.Microsecond},
		{"but not later than that", standard, func(p *pacer) {
			for range 500 {
				p.window.take(now)
			}
			p.spent = now.Add(-608 * time.Millisecond)
		}, 0},
		{"as long as a burst of one takes too much", standard, func(p *pacer) {
			for range 450 {
				p.window.take(now.Add(-202 * time.Millisecond))
			}
			p.spent = now
		}, 118750 * time.Microsecond},
		{"but not if it does not", standard, func(p *pacer) {
			for range 449 {
				p.window.take(now.Add(-202 * time.Millisecond))
			}
			p.spent = now
		}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPacer(c.limit, now)
			c.state(p)
			require.InDelta(t, c.want, p.until(now, true), float64(2*time.Millisecond))
			require.Equal(t, c.want == 0, p.until(now, true) == 0)
		})
	}
	p := newPacer(standard, now)
	p.learned.until = now.Add(1)
	require.Equal(t, time.Duration(1), p.until(now, true), "the time is exact")
}

func TestTheBurstIsHalfFullWithHalfOfItsPlaces(t *testing.T) {
	now := time.Now()
	p := newPacer(standard, now)
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
	common := newPacer(standard, now.Add(-time.Minute))
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
	for range 2 * standard.Requests {
		p.window.take(now)
	}
	require.Zero(t, p.window.untilFree(now), "the window of a learned route only counts")
}

func TestTheLongestWindowHasAPlaceAndThenNone(t *testing.T) {
	now := time.Now()
	p := newPacer(Rate{Requests: 2, Per: math.MaxInt64, Burst: 1}, now)
	require.Equal(t, longestWindow, p.limit.Per)
	require.Zero(t, p.until(now, true))
	p.take(now)
	require.Equal(t, p.window.length/windowLook, p.until(now, true).Truncate(time.Second)+p.window.length/windowLook%time.Second)
}

func TestThePlacesOfAPacer(t *testing.T) {
	now := time.Now()
	for used, want := range map[int]int{0: 100, 350: 100, 351: 99, 448: 2, 449: 1, 450: 1, 500: 1, 599: 1, 600: 0} {
		p := newPacer(standard, now)
		for range used {
			p.window.take(now)
		}
		require.Equal(t, want, p.places(now, true), used)
	}
	p := newPacer(standard, now)
	p.bucket.ReserveN(now, 97)
	require.Equal(t, 3, p.places(now, true), "tokens")
}

func TestAPacerFillsItsBucketNoFasterThanTheWindowAndTheShareAllow(t *testing.T) {
	now := time.Now()
	for _, c := range []struct {
		name      string
		share     float64
		used      int
		contended bool
		want      float64 // places per second
	}{
		{"eager", 1, 0, true, 1.25 * 600 / 60.8},
		{"even after a rest", 1, 0, false, 600 / 60.8},
		{"as the window allows", 1, 500, true, 100 / 60.8},
		{"even if nobody waits", 1, 500, false, 600 / 60.8},
		{"the share", 0.5, 0, true, 300 / 60.8},
		{"the share after a rest", 0.5, 500, false, 300 / 60.8},
		{"less than the share if the window allows less", 0.5, 500, true, 100 / 60.8},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPacer(standard, now)
			for range c.used {
				p.window.take(now)
			}
			p.learned.share, p.learned.grown = c.share, now
			p.fill(now, c.contended)
			require.InDelta(t, c.want, float64(p.bucket.Limit()), 1e-6)
			require.Equal(t, c.share < 1, p.bucket.Burst() == 1)
		})
	}
}

func TestTheWindowOfAPacerIsAsLongAsTheWaySpreads(t *testing.T) {
	now := time.Now()
	p := newPacer(Rate{Requests: 100, Per: 2 * time.Second}, now)
	learning := newLearningPacer(p, now)
	require.Equal(t, 2400*time.Millisecond, p.window.length)
	for i := range spreadKnown {
		took := 100*time.Millisecond + time.Duration(i%2)*100*time.Millisecond
		p.spread.responded(now, took)
		learning.spread.responded(now, took)
	}
	p.until(now, true)
	require.Equal(t, 2106*time.Millisecond, p.window.length)
	learning.until(now, true)
	require.Equal(t, 2400*time.Millisecond, learning.window.length, "that of a limit that is not known stays")
}

func TestARefusalKnowsWhatWasUsedOfTheLastWindow(t *testing.T) {
	now := time.Now()
	p := newPacer(standard, now)
	for range 300 {
		p.window.take(now)
	}
	p.window.take(now.Add(time.Minute))
	at := now.Add(time.Minute + 800*time.Millisecond)
	p.refused(at.Add(-1), at.Add(-1), 0)
	require.InDelta(t, 301.0/600, p.learned.fitted, 1e-9)
	p = newPacer(standard, now)
	for range 300 {
		p.window.take(now)
	}
	p.refused(at, at, 0)
	require.Zero(t, p.learned.fitted)
}

func TestABurstLeavesAQuarterOfThePaceOrWhatItIsAllowedTo(t *testing.T) {
	for burst, keeps := range map[int]float64{0: 0.25, 100: 0.25, 450: 0.25, 480: 0.2, 600: 0} {
		p := newPacer(Rate{Requests: 600, Per: time.Minute, Burst: burst}, time.Now())
		require.InDelta(t, keeps, p.window.keeps, 1e-9)
	}
}
