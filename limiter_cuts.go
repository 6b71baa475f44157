package monitoring

import "time"

// cuts remembers how the share was cut, and whether it helped. Refusals become fewer with
// a smaller share if the limit is used up; if they come all the same, as those of a gateway
// that restarts every few seconds, the share goes back to where it was, and stays there for
// a while.
type cuts struct {
	share float64       // before the first cut of a series
	gap   time.Duration // how long there was no refusal before it
	n     int           // cuts in the series

	until time.Time // cuts are known to be futile
	lasts time.Duration

	longShare float64       // before the last cut after long refusals
	longOff   time.Duration // how long they were
}

const (
	seriesGap   = 45 * time.Second // a longer time without refusals ends a series
	seriesCuts  = 6                // that many must have been futile,
	seriesShare = 0.67             // and have left no more than this of the share
	longShare   = 0.87             // the same after long refusals,
	longOff     = 0.9              // if they became hardly shorter
	calmLeast   = 5 * time.Second

	futileFirst     = time.Minute
	futileLongFirst = 2 * time.Minute
	futileMost      = 10 * time.Minute
)

// calm is after how long without a refusal the share goes back to where it was.
func (c *cuts) calm() time.Duration { return max(c.gap, calmLeast) * 3 / 2 }

// futile reports whether to cut the share is of no use. It is asked after each time without
// refusals, with the share at its end.
func (c *cuts) futile(now time.Time, gap time.Duration, share float64) bool {
	if now.Before(c.until) {
		if gap >= c.gap/2 {
			return true
		}
		c.until, c.lasts, c.n = time.Time{}, 0, 0 // there are more of them now: look again
	}
	if c.n == 0 || gap > 2*c.gap || gap > seriesGap {
		c.share, c.gap, c.n = share, gap, 1
		return false
	}
	c.n++
	if c.n <= seriesCuts || share > c.share*seriesShare {
		return false
	}
	c.n = 0
	c.declare(now, futileFirst)
	return true
}

// futileLong reports whether it was of no use to cut the share after long refusals: they
// are as long as before. It is asked after each long one.
func (c *cuts) futileLong(now time.Time, share float64, on, off time.Duration) bool {
	c.gap = max(c.gap, on+off)
	if share <= c.longShare*longShare && float64(off) >= float64(c.longOff)*longOff {
		c.declare(now, futileLongFirst)
		return true
	}
	c.longShare, c.longOff = share, off
	return false
}

// declare believes for a while that cuts are futile, each time for longer.
func (c *cuts) declare(now time.Time, first time.Duration) {
	c.lasts = min(max(first, 2*c.lasts), futileMost)
	c.until = now.Add(c.lasts)
}
