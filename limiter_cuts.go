package monitoring

import "time"

// cuts remembers how the share was cut, and whether it helped. Refusals become fewer with
// a smaller share if the limit is used up; if they come all the same, as those of a gateway
// that restarts now and then, the share goes back to where it was, and stays there for a
// while. Refusals may be irregular, so that only several of them together say something.
type cuts struct {
	share  float64       // before the first cut of a series
	back   float64       // to where it grows back in the series
	n      int           // refusals in the series
	gap    time.Duration // how long there was no refusal before each of them, on average
	recent time.Duration // the same of the last few

	until    time.Time // cuts are known to be futile
	lasts    time.Duration
	long     bool // long refusals have shown it
	believed int  // refusals since then

	doubt   time.Time // it was a mistake: not believed again before
	doubted time.Duration

	longShare float64       // before the first cut after long refusals
	longOff   time.Duration // how long they were
}

const (
	seriesGap    = 45 * time.Second // a longer time without refusals ends a series
	seriesCuts   = 6                // that many must have been futile,
	seriesShare  = 0.67             // have left no more than this of the share,
	seriesLonger = 1.3              // and not made the times without refusals longer by this
	seriesMean   = 12               // the last gaps count in an average as if they were that many,
	recentMean   = 4                // or that many
	longShare    = 0.67             // the same as seriesShare after long refusals,
	longOff      = 0.9              // if they became hardly shorter
	calmLeast    = 5 * time.Second

	futileFirst     = time.Minute
	futileLongFirst = 2 * time.Minute
	futileMost      = 10 * time.Minute
	futileGap       = 0.4 // of the time without refusals: if it becomes shorter, cuts did help
	futileLongGap   = 0.5 // the same of a single one, after long refusals
	futileTrial     = 5   // refusals in which that shows a mistake
	doubtFirst      = time.Minute
	doubtMost       = 10 * time.Minute
)

// calm is after how long without a refusal the share goes back to where it was.
func (c *cuts) calm() time.Duration { return 2 * max(c.gap, calmLeast) }

// futile reports whether to cut the share is of no use. It is asked after each time without
// refusals, with the share at its end.
func (c *cuts) futile(now time.Time, gap time.Duration, share float64) bool {
	c.recent += (min(gap, seriesGap) - c.recent) / recentMean
	if now.Before(c.until) {
		c.believed++
		if c.stillFutile(gap) {
			return true
		}
		if c.believed <= futileTrial {
			c.doubted = min(max(doubtFirst, 2*c.doubted), doubtMost)
			c.doubt = now.Add(c.doubted)
		}
		c.until, c.lasts, c.n = time.Time{}, 0, 0 // look again
	}
	if c.n == 0 || gap > seriesGap {
		c.share, c.back, c.gap, c.recent, c.n = share, share, gap, gap, 1
		return false
	}
	if gap > c.calm() { // the share was growing back, and that was too much
		c.back = min(c.back, share)
	}
	c.n++
	c.gap += (gap - c.gap) / time.Duration(min(c.n, seriesMean))
	if c.n <= seriesCuts || share > seriesShare*c.share || ratio(c.recent, c.gap) > seriesLonger || now.Before(c.doubt) {
		return false
	}
	c.recent, c.long = c.gap, false
	c.declare(now, futileFirst)
	return true
}

// stillFutile reports whether refusals are as rare as they were with a smaller share.
func (c *cuts) stillFutile(gap time.Duration) bool {
	if c.long {
		return ratio(gap, c.gap) >= futileLongGap
	}
	return ratio(c.recent, c.gap) >= futileGap
}

// ratio is the first of two times as a part of the second.
func ratio(a, b time.Duration) float64 { return float64(a) / float64(max(b, 1)) }

// futileLong reports whether it was of no use to cut the share after long refusals: they
// are as long as before. It is asked after each long one, which is no part of a series.
func (c *cuts) futileLong(now time.Time, share float64, on, off time.Duration) bool {
	c.gap, c.n = max(c.gap, on+off), 0
	if share > c.longShare || ratio(off, c.longOff) < longOff {
		c.longShare, c.longOff = share, off
		return false
	}
	if share > longShare*c.longShare || now.Before(c.doubt) {
		return false
	}
	c.long = true
	c.declare(now, futileLongFirst)
	return true
}

// declare believes for a while that cuts are futile, each time for longer.
func (c *cuts) declare(now time.Time, first time.Duration) {
	c.n, c.believed = 0, 0
	c.lasts = min(max(first, 2*c.lasts), futileMost)
	c.until = now.Add(c.lasts)
}
