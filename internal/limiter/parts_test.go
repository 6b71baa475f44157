package limiter

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestAWaiterIsServedAsLongAsAResponseCanBeInTime(t *testing.T) {
	now := time.Now()
	at := func(d time.Duration) time.Time { return now.Add(d) }
	for _, c := range []struct {
		name               string
		patience, response time.Duration
		ample, hopeless    time.Duration
	}{
		{"the response time is unknown", 2 * time.Second, 0, 1980 * time.Millisecond, 1995 * time.Millisecond},
		{"fast responses", 2 * time.Second, 160 * time.Millisecond, 1660 * time.Millisecond, 1815 * time.Millisecond},
		{"slow responses leave half of the time", 2 * time.Second, 800 * time.Millisecond, time.Second, 1095 * time.Millisecond},
		{"responses that take nearly all of the time", time.Second, 800 * time.Millisecond, 95 * time.Millisecond, 95 * time.Millisecond},
		{"responses that take longer than that", time.Second, 2 * time.Second, -1255 * time.Millisecond, -1255 * time.Millisecond},
	} {
		t.Run(c.name, func(t *testing.T) {
			var w queued
			w.setTimes(now, at(c.patience), c.response)
			require.Equal(t, at(c.patience), w.deadline)
			require.Equal(t, at(c.ample), w.late)
			require.Equal(t, at(c.hopeless), w.hopeless)
		})
	}
}

func TestTheOldestWaiterWithAmpleTimeIsServedFirst(t *testing.T) {
	now := time.Now()
	var q placeQueue
	add := func(number uint64, patience time.Duration) *queued {
		w := &queued{number: number, line: &line{}}
		if patience > 0 {
			w.setTimes(now, now.Add(patience), 0)
		}
		q.add(w)
		return w
	}
	patient, first, second, third := add(1, 0), add(2, time.Second), add(3, 2*time.Second), add(4, 3*time.Second)
	q.advance(now)
	require.Same(t, patient, q.first())
	q.remove(patient)
	q.advance(now.Add(979 * time.Millisecond))
	require.Same(t, first, q.first())
	q.advance(now.Add(980 * time.Millisecond))
	require.Same(t, second, q.first(), "the first has too little time now")
	q.remove(second)
	q.remove(third)
	require.Same(t, first, q.first(), "it is served if there is no other")
	fourth := add(5, 990*time.Millisecond)
	q.advance(now.Add(980 * time.Millisecond))
	require.Contains(t, []*queued{first, fourth}, q.first())
	q.advance(now.Add(time.Second))
	require.Nil(t, q.first())
	require.Equal(t, 2, q.lost.Len())
	require.Empty(t, q.due)
	q.remove(first)
	q.remove(fourth)
	require.Zero(t, q.lost.Len())
}

func TestResponseTimesIgnoreOutliersAndOldOnes(t *testing.T) {
	var r responseTimes
	now := time.Now()
	require.Zero(t, r.most(now))
	r.add(now, time.Second)
	require.Equal(t, time.Second, r.most(now), "a single response counts")
	for range responsesFew - 2 {
		r.add(now, 50*time.Millisecond)
	}
	require.Equal(t, time.Second, r.most(now))
	r.add(now, 60*time.Millisecond)
	require.Equal(t, 60*time.Millisecond, r.most(now), "one slow response among many is an outlier")
	r.add(now, 900*time.Millisecond)
	require.Equal(t, 900*time.Millisecond, r.most(now), "two slow responses are not outliers")
	require.Equal(t, 900*time.Millisecond, r.most(now.Add(responsesFresh)))
	require.Zero(t, r.most(now.Add(responsesFresh+1)))
	r = responseTimes{}
	for range 2 {
		r.add(now, time.Second)
	}
	for range len(r.took) - 2 {
		r.add(now, 10*time.Millisecond)
	}
	require.Equal(t, time.Second, r.most(now), "all of the last ones do")
	for range 2 {
		r.add(now, 10*time.Millisecond)
	}
	require.Equal(t, 10*time.Millisecond, r.most(now), "only the last ones count")
}

func TestTheWindowCountsItsPlaces(t *testing.T) {
	now := time.Now()
	at := func(s float64) time.Time { return now.Add(time.Duration(s * float64(time.Second))) }
	w := newPlaceWindow(3, 10*time.Second, now)
	require.Equal(t, 3, w.free(now))
	for i, s := range []float64{1, 2, 2} {
		require.Zero(t, w.untilFree(at(s)), i)
		w.take(at(s))
	}
	require.Zero(t, w.free(at(2)))
	require.Equal(t, 8*time.Second, w.untilFree(at(3)))
	require.Equal(t, time.Duration(1), w.untilFree(at(11).Add(-1)))
	require.Equal(t, 1, w.free(at(11)))
	require.Equal(t, 3, w.free(at(12)))

	w.take(at(20))
	w.take(at(21))
	w.giveBack(at(20.5))
	require.Equal(t, 1, w.free(at(21)), "no place was taken at this time")
	w.giveBack(at(20))
	require.Equal(t, 2, w.free(at(21)))
	w.giveBack(at(20))
	require.Equal(t, 2, w.free(at(21)), "a place is given back only once")
	require.Equal(t, 3, w.free(at(31)), "an old place is not given back again")
}

func TestTheWindowSpreadsItsLastPlaces(t *testing.T) {
	now := time.Now()
	w := newPlaceWindow(600, time.Minute, now)
	require.InDelta(t, 12.5, w.pace(now), 1e-9, "a quarter more than the even pace")
	for range 100 {
		w.take(now)
	}
	w.lookAgain = 0
	require.InDelta(t, 12.5, w.pace(now), 1e-9, "500 places for a minute are enough")
	for range 400 {
		w.take(now)
	}
	require.InDelta(t, 100.0/60, w.pace(now), 1e-9, "100 places for a minute")
	require.InDelta(t, 100.0/60, w.pace(now.Add(100*time.Millisecond)), 1e-9, "the pace is not computed for every place")
	require.InDelta(t, 2.5, w.pace(now.Add(20*time.Second)), 1e-9, "100 places for 40 s")
	require.InDelta(t, 3.125+9.25*0.625/0.75, w.pace(now.Add(28*time.Second)), 1e-9, "a little faster, for 32 s")
	require.InDelta(t, 12.5, w.pace(now.Add(30*time.Second)), 1e-9, "enough again, for 30 s")
	require.InDelta(t, 12.5, w.pace(now.Add(time.Minute)), 1e-9, "when the burst has left the window")
}

func TestTheSlackIsTheSpreadOfResponseTimesWithinBounds(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		per, shortest, longest, unknown, known time.Duration
	}{
		{time.Minute, 0, 300 * ms, 800 * ms, 800 * ms},
		{2 * time.Second, 0, 0, 400 * ms, 2 * time.Second / 75},
		{2 * time.Second, 300 * ms, 300 * ms, 400 * ms, 2 * time.Second / 75},
		{2 * time.Second, 0, 100 * ms, 400 * ms, 106 * ms},
		{2 * time.Second, 200 * ms, 300 * ms, 400 * ms, 106 * ms},
		{2 * time.Second, 0, 3 * time.Second, 400 * ms, 400 * ms},
		{6 * time.Second, time.Second, 3 * time.Second, 500 * ms, 500 * ms},
	} {
		now := time.Now()
		s := waySpread{per: c.per}
		learns := func(first, last time.Duration) {
			for range spreadKnown - 1 {
				require.Equal(t, c.unknown, s.slack(now))
				s.responded(now, first)
			}
			require.Equal(t, c.unknown, s.slack(now))
			s.responded(now, last)
			require.Equal(t, c.known, s.slack(now), "%v", c)
		}
		learns(c.longest, c.shortest)
		epoch := max(5*c.per, 10*time.Second)
		require.Equal(t, c.known, s.slack(now.Add(2*epoch-1)))
		now = now.Add(3 * epoch)
		learns(c.shortest, c.longest) // it has forgotten
	}
}

func TestTheShareIsCutAndGrowsBack(t *testing.T) {
	now := time.Now()
	l := newLearned(10, now.Add(-time.Hour))
	l.served = 1000
	l.refused(now, now, 10*time.Second, 1)
	require.InDelta(t, 0.94, l.share, 1e-9, "cut by the minimum")
	l.responded(now.Add(10*time.Second), now.Add(10*time.Second))
	require.InDelta(t, 0.94, l.share, 1e-9, "ten seconds in an hour do not matter")
	at := now.Add(20 * time.Second)
	l.served, l.earlier = 9, 9
	l.refused(at, at, time.Second, 0)
	require.InDelta(t, 0.94*0.7, l.share, 0.01, "cut by the maximum")
	at = now.Add(30 * time.Second)
	l.responded(at, at)
	l.served, l.earlier = 30, 24
	l.refused(at, at, time.Second, 0)
	require.InDelta(t, 0.66*0.9, l.share, 0.01, "cut by 5.4 in 54")
	l.responded(at.Add(time.Second), at.Add(time.Second))
	l.served, l.earlier = 0, 0
	l.refused(at.Add(2*time.Second), at.Add(2*time.Second), time.Second, 0.6)
	require.InDelta(t, 0.6*0.94, l.share, 0.02, "not below the used part of the window, and then by the minimum")
	l.grow(at.Add(2 * time.Hour))
	require.Equal(t, 1.0, l.share)
}

func TestTheLengthOfRefusalsSaysHowMuchToCut(t *testing.T) {
	now := time.Now()
	for off, want := range map[time.Duration]float64{
		5 * time.Second:  0.94, // too short to tell
		6 * time.Second:  60.0 / 66,
		20 * time.Second: 0.75,
		10 * time.Minute: 0.1, // bounded: it depends on the callers
	} {
		l := newLearned(10, now.Add(-time.Minute))
		l.served = 600
		l.refused(now, now, off, 0)
		l.responded(now.Add(off), now.Add(off))
		require.InDelta(t, want, l.share, 1e-9, off)
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
