package limiter

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestTimesWithoutRefusalsAreAveraged(t *testing.T) {
	const s = time.Second
	now := time.Now()
	for _, c := range []struct {
		name        string
		gaps        []time.Duration
		gap, recent time.Duration
	}{
		{"the first alone", []time.Duration{10 * s}, 10 * s, 10 * s},
		{"the second counts for half", []time.Duration{10 * s, 20 * s}, 15 * s, 12500 * time.Millisecond},
		{"the fourth for a quarter", []time.Duration{10 * s, 10 * s, 10 * s, 18 * s}, 12 * s, 12 * s},
		{"later ones for a twelfth", append(repeated(10*s, 20), 22*s), 11 * s, 13 * s},
		{"more than 45 s ends a series", append(repeated(10*s, 20), 45*s+1), 45*s + 1, 45*s + 1},
		{"45 s do not", []time.Duration{15 * s, 45 * s}, 30 * s, 22500 * time.Millisecond},
	} {
		t.Run(c.name, func(t *testing.T) {
			var cut cuts
			for _, gap := range c.gaps {
				require.False(t, cut.futile(now, gap, 0, 0.9))
			}
			require.Equal(t, c.gap, cut.gap)
			require.Equal(t, c.recent, cut.recent)
		})
	}
}

func repeated(d time.Duration, n int) (list []time.Duration) {
	for range n {
		list = append(list, d)
	}
	return list
}

func TestShortTimesWithoutRefusalsShowAMistake(t *testing.T) {
	const s = time.Second
	now := time.Now()
	for _, c := range []struct {
		fair    int           // times without refusals that are not shorter
		doubted time.Duration // the length of the doubt before
		want    time.Duration
	}{
		{0, 0, time.Minute}, {1, 0, time.Minute}, {2, 0, 0},
		{0, time.Minute, 2 * time.Minute}, {0, 5 * time.Minute, 10 * time.Minute}, {0, 6 * time.Minute, 10 * time.Minute},
	} {
		var cut cuts
		require.Equal(t, 7, series(&cut, now, repeated(8*s, 7)...))
		cut.doubted = c.doubted
		for range c.fair {
			require.True(t, cut.futile(now, 8*s, 0, 0.9))
		}
		for range 3 { // with the fourth, the average is under 0.4 of the old one
			require.True(t, cut.futile(now, 0, 0, 0.9))
		}
		require.False(t, cut.futile(now, 0, 0, 0.9))
		if c.want == 0 {
			require.Zero(t, cut.doubt)
		} else {
			require.Equal(t, now.Add(c.want), cut.doubt)
		}
		require.Equal(t, 1, cut.n, "a new series has begun")
	}
}

func TestASeriesNeedsSevenRefusals(t *testing.T) {
	now := time.Now()
	var cut cuts
	for n, share := range []float64{0.9, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5} {
		require.Equal(t, n == 6, cut.futile(now, 10*time.Second, 0, share), "refusal %d", n+1)
	}
}

func TestARatioToZeroCountsZeroAsOne(t *testing.T) {
	require.Equal(t, 0.0, ratio(0, 0))
	require.Equal(t, 5.0, ratio(5, 0))
	require.Equal(t, 5.0, ratio(5, 1))
	require.Equal(t, 2.5, ratio(5, 2))
}

func TestLongRefusalsAreComparedWithTheFirstOnes(t *testing.T) {
	const s = time.Second
	now := time.Now()
	var cut cuts
	require.False(t, cut.futileLong(now, 0.8, 50*s, 10*s))
	require.False(t, cut.futileLong(now, 0.8, 50*s, 20*s), "the share is not smaller")
	require.Equal(t, []any{0.8, 10 * s}, []any{cut.longShare, cut.longOff}, "nor greater")
	require.False(t, cut.futileLong(now, 0.81, 50*s, 20*s))
	require.Equal(t, []any{0.81, 20 * s}, []any{cut.longShare, cut.longOff})
	require.False(t, cut.futileLong(now, 0.8, 50*s, 18*s-1))
	require.Equal(t, []any{0.8, 18*s - 1}, []any{cut.longShare, cut.longOff}, "they became shorter by a tenth")
	cut = cuts{longShare: 1, longOff: 10 * s}
	require.False(t, cut.futileLong(now, longShare+1e-9, 50*s, 9*s))
	require.True(t, cut.futileLong(now, longShare, 50*s, 9*s))
	require.True(t, cut.long)
	cut = cuts{longShare: 1, longOff: 10 * s, doubt: now.Add(1)}
	require.False(t, cut.futileLong(now, 0.1, 50*s, 10*s), "it was a mistake lately")
	require.True(t, cut.futileLong(now.Add(1), 0.1, 50*s, 10*s))
}

func TestALongRefusalEndsASeriesOfShortOnes(t *testing.T) {
	now := time.Now()
	var cut cuts
	for range 3 {
		cut.futile(now, 10*time.Second, 0, 0.9)
	}
	require.False(t, cut.futileLong(now, 0.8, 50*time.Second, 10*time.Second))
	require.Zero(t, cut.n)
	require.Equal(t, time.Minute, cut.gap)
	require.False(t, cut.futile(now, 10*time.Second, 0, 0.5))
	require.Equal(t, 1, cut.n)
	require.Equal(t, 0.5, cut.share)
}

func TestPlacesBefore429sAreAveragedOverSeries(t *testing.T) {
	now := time.Now()
	var cut cuts
	cut.futile(now, time.Second, 500, 0.9)
	cut.refused(0)
	require.Zero(t, cut.count, "the first refusal of a series does not count, nor what is refused with it")
	require.Equal(t, 500.0/futileMean, cut.lately)
	cut.lately = 10
	cut.futile(now, time.Second, 6, 0.9)
	require.Equal(t, []float64{6, 9}, []float64{cut.places, cut.lately})
	cut.refused(0)
	require.Equal(t, []float64{3, 6.75}, []float64{cut.places, cut.lately}, "each 429 counts")
	for range 30 {
		cut.refused(3)
	}
	cut.refused(15)
	require.InDelta(t, 4, cut.places, 1e-9, "later ones for a twelfth")
	cut.futile(now, 46*time.Second, 4, 0.9)
	require.Equal(t, 1, cut.n)
	require.InDelta(t, 4, cut.places, 1e-9, "a new series does not begin at 0")
}

// evenSeries reports refusals after ever longer times, each after so many places.
func evenSeries(now time.Time, places ...int) *cuts {
	var c cuts
	gap, share := time.Second/2, 0.9
	for _, n := range places {
		c.futile(now, gap, n, share)
		gap, share = gap*2, share*0.9
	}
	return &c
}

func TestCutsAreFutileIfTheyDoNotChangeThePlacesBefore429s(t *testing.T) {
	now := time.Now()
	for _, c := range []struct {
		name   string
		places []int
		want   bool
	}{
		{"the same number", []int{9, 9, 9, 9, 9, 9, 9}, true},
		{"too few of them", []int{9, 9, 9, 9, 9, 9}, false},
		{"at least 4", repeatedInt(4, 7), true},
		{"not 3", repeatedInt(3, 7), false},
		{"at most 30", repeatedInt(30, 7), true},
		{"not 31", repeatedInt(31, 7), false},
		{"irregular numbers", []int{200, 1, 14, 3, 22, 2, 11}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.want, evenSeries(now, c.places...).evenly(now))
		})
	}
	for last, want := range map[int]bool{18: true, 30: false} {
		var c cuts
		for range 20 {
			c.futile(now, 10*time.Second, 4, 0.9)
		}
		c.futile(now, 40*time.Second, last, 0.5)
		require.Equal(t, want, c.even, "after %d places instead of 4", last)
	}
	c := evenSeries(now, repeatedInt(9, 7)...)
	require.False(t, c.evenly(now.Add(time.Minute)), "for a minute")
	c.long = true
	require.False(t, c.evenly(now), "long refusals have another reason")
	c = &cuts{}
	series(c, now, repeated(8*time.Second, 7)...)
	require.False(t, c.evenly(now), "they come at times of their own")
	require.NotZero(t, c.until)
}

func repeatedInt(n, times int) (list []int) {
	for range times {
		list = append(list, n)
	}
	return list
}

func TestFewerPlacesBefore429sShowAMistake(t *testing.T) {
	now := time.Now()
	c := evenSeries(now, repeatedInt(10, 7)...)
	require.Equal(t, 10.0, c.lately)
	for range 3 {
		require.True(t, c.futile(now, 0, 10, 0.9), "the times may be shorter")
	}
	for range 5 {
		c.refused(0)
	}
	require.True(t, c.futile(now, 0, 4, 0.9), "half of the places is enough")
	for range 2 {
		c.refused(0)
	}
	require.Equal(t, 10.0, c.places, "the average from before stays")
	require.False(t, c.futile(now, 0, 4, 0.9))
	require.Equal(t, now.Add(time.Minute), c.doubt)
}

func TestWhenAFixedPartIsRefusedTheLimitIsTriedSoon(t *testing.T) {
	now := time.Now()
	even := func() learned {
		c := evenSeries(now.Add(-time.Second), repeatedInt(9, 7)...)
		return learned{share: 0.5, pace: 10, until: now.Add(-time.Second), resumed: now.Add(-time.Second), served: 9, cuts: *c}
	}
	l := even()
	require.InDelta(t, growAlways, l.growth(now), 1e-12)
	l.cuts.believed = futileTrial
	require.InDelta(t, growAlways, l.growth(now), 1e-12)
	l.cuts.believed = futileTrial + 1
	l.cuts.long = true
	require.InDelta(t, growAlways, l.growth(now), 1e-12, "long refusals have another reason")
	l.cuts.long = false
	require.InDelta(t, growCalmly, l.growth(now), 1e-12, "the share may have been small before")

	l = even()
	l.refused(now, now, 0, 0)
	require.InDelta(t, 0.9, l.share, 1e-9)
	require.GreaterOrEqual(t, l.until.Sub(now), pauseFirst/4)
	require.Less(t, l.until.Sub(now), pauseFirst/4*5/4)
	lately := l.cuts.lately
	l.refused(now, now, 0, 0)
	require.InDelta(t, lately*7/8, l.cuts.lately, 1e-9, "an attempt before the pause")
	l.refused(l.until, l.until, 0, 0)
	require.InDelta(t, lately*49/64, l.cuts.lately, 1e-9, "the first one after it")

	l = even()
	l.refused(now, now, 7*time.Second, 0)
	require.Equal(t, 7*time.Second, l.until.Sub(now), "a Retry-After is kept")
}

func TestTwoRefusalsInARowAreNotLongIfAFixedPartIsRefused(t *testing.T) {
	now := time.Now()
	for _, c := range []struct {
		even    bool
		strikes int
		want    bool // the share is cut more
	}{{true, 2, false}, {true, 1, true}, {true, 3, true}, {false, 2, true}} {
		l := learned{share: 0.5, before: 0.5, probing: true, strikes: c.strikes, cuts: cuts{even: c.even}}
		l.resumed, l.began, l.until = now.Add(-20*time.Second), now.Add(-10*time.Second), now
		l.responded(now, now)
		require.Equal(t, c.want, l.share < 0.5, c)
	}
}

// series reports times without refusals, with a smaller share after each. It returns after how
// many of them the cuts are known to be futile; 0 for never.
func series(c *cuts, now time.Time, gaps ...time.Duration) int {
	share := 0.9
	for i, gap := range gaps {
		if c.futile(now, gap, 0, share) {
			return i + 1
		}
		share *= 0.93
	}
	return 0
}

func TestCutsThatDoNotHelpAreFutile(t *testing.T) {
	const s = time.Second
	now := time.Now()
	var c cuts
	require.Equal(t, 7, series(&c, now, 5*s, 5*s, 5*s, 5*s, 5*s, 5*s, 5*s))
	require.InDelta(t, 0.9, c.share, 1e-9)
	c = cuts{}
	require.Equal(t, 7, series(&c, now, 9*s, 1*s, 12*s, 2*s, 1*s, 8*s, 3*s), "irregular times")
	c = cuts{}
	require.Zero(t, series(&c, now, s/2, s, 2*s, 4*s, 8*s, 16*s, 32*s, 44*s), "each time without refusals is longer")
	c = cuts{}
	require.Zero(t, series(&c, now, 5*s, 5*s, 5*s, 46*s, 5*s, 5*s, 5*s, 5*s, 5*s), "a long time begins a new series")
	c = cuts{}
	for range 20 {
		require.False(t, c.futile(now, 5*time.Second, 0, 0.7), "the share is not smaller")
	}
	c = cuts{}
	c.declare(now, time.Minute)
	c.declare(now, time.Minute)
	require.Equal(t, now.Add(2*time.Minute), c.until)
	for range 5 {
		c.declare(now, time.Minute)
	}
	require.Equal(t, now.Add(10*time.Minute), c.until)
}

func TestCutsAreNoLongerFutileWhenRefusalsBecomeMoreFrequent(t *testing.T) {
	const s = time.Second
	now := time.Now()
	futile := func() *cuts {
		var c cuts
		require.NotZero(t, series(&c, now, 8*s, 8*s, 8*s, 8*s, 8*s, 8*s, 8*s))
		return &c
	}
	c := futile()
	for _, gap := range []time.Duration{8 * s, 0, 2 * s, 30 * s, 1 * s, 0, 9 * s} {
		require.True(t, c.futile(now, gap, 0, 0.9), "a few short times do not matter")
	}
	require.False(t, c.futile(now.Add(61*s), 8*s, 0, 0.9), "cuts are futile for a minute")
	require.Zero(t, c.doubt)

	c = futile()
	for range 3 {
		require.True(t, c.futile(now, 0, 0, 0.9))
	}
	require.False(t, c.futile(now, 0, 0, 0.9), "many short times do")
	require.Equal(t, now.Add(time.Minute), c.doubt, "the cuts were not futile")
	require.Zero(t, series(c, now.Add(59*s), 8*s, 8*s, 8*s, 8*s, 8*s, 8*s, 8*s, 8*s), "the mistake is not made again for a while")
	require.True(t, c.futile(now.Add(61*s), 8*s, 0, 0.5))
	for range 3 {
		c.futile(now.Add(61*s), 0, 0, 0.9)
	}
	require.False(t, c.futile(now.Add(61*s), 0, 0, 0.9))
	require.Equal(t, now.Add((61+120)*s), c.doubt, "longer after each mistake")

	c = futile()
	for range 5 {
		require.True(t, c.futile(now, 8*s, 0, 0.9))
	}
	for range 4 {
		c.futile(now, 0, 0, 0.9)
	}
	require.Zero(t, c.until)
	require.Zero(t, c.doubt, "refusals became more frequent later, so it was not a mistake")
}

func TestTheShareGrowsBackOnlyToWhereItHelped(t *testing.T) {
	now := time.Now()
	var c cuts
	c.futile(now, 10*time.Second, 0, 0.9)
	require.Equal(t, 20*time.Second, c.calm())
	c.futile(now, 20*time.Second, 0, 0.8)
	require.InDelta(t, 0.9, c.back, 1e-9)
	c.futile(now, 31*time.Second, 0, 0.85)
	require.InDelta(t, 0.85, c.back, 1e-9, "the share was growing back")
	require.InDelta(t, 0.9, c.share, 1e-9, "the share to return to if cuts are futile")
}

func TestCutsThatDoNotShortenLongRefusalsAreFutile(t *testing.T) {
	now := time.Now()
	var c cuts
	require.False(t, c.futileLong(now, 1, 50*time.Second, 10*time.Second))
	require.Equal(t, 2*time.Minute, c.calm())
	require.False(t, c.futileLong(now, 0.8, 50*time.Second, 8*time.Second), "refusals became shorter")
	require.False(t, c.futileLong(now, 0.6, 50*time.Second, 8*time.Second), "the share is not much smaller")
	require.True(t, c.futileLong(now, 0.53, 50*time.Second, 8*time.Second))
	require.Equal(t, now.Add(2*time.Minute), c.until)
	require.Equal(t, 0.8, c.longShare)
	require.True(t, c.futile(now, 30*time.Second, 0, 0.8))
	require.False(t, c.futile(now, 29*time.Second, 0, 0.8), "a single short time without refusals shows a mistake")
}
