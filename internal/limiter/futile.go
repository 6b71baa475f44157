package limiter

import "time"

// cuts records how the share was cut, and whether it helped. If the limit is used up, a
// smaller share means fewer refusals. If it does not, as with a gateway that refuses while
// it restarts, cuts are futile: the share goes back to where it was, and is not cut for a
// while. Refusals may be irregular, so only several of them together show this.
//
// The refusals that do not depend on the share come at times of their own, or hit a fixed part
// of the requests. Cuts do not change the times without refusals then, or the places between
// two 429s.
//
// As equations: with s the share at the n-th refusal of a series that began with s0, T the average
// time without refusals and T' that of the last few, cuts are futile if
//
//	n > seriesCuts  and  s ≤ seriesShare·s0  and  T' ≤ seriesLonger·T
//
// or, in place of the last condition, if there are evenLeast to evenMost places P before a 429,
// and lately P' ≤ evenMore·P. They stay so until the time is over, or T' < futileGap·T and lately
// P' < futileGap·P. After refusals of a length D that cut s0 to s, they are futile if the next
// ones have a length D' ≥ longOff·D although s ≤ longShare·s0.
type cuts struct {
	share  float64       // the share before the first cut of a series
	back   float64       // the share to which it grows back in the series
	n      int           // refusals in the series
	gap    time.Duration // the time without refusals before each of them, on average
	recent time.Duration // the same for the last few
	count  int           // 429s in all series, at most seriesMean
	places float64       // places before each of them, on average
	lately float64       // the same for the last few
	even   bool          // a fixed part of the requests seems to be refused

	until    time.Time     // until then cuts are taken to be futile
	lasts    time.Duration // for how long
	long     bool          // long refusals have shown it, and not a series
	believed int           // refusals since it was shown

	doubt   time.Time     // after a mistake: until then cuts are not taken to be futile
	doubted time.Duration // for how long

	longShare float64       // the share before the first cut after long refusals
	longOff   time.Duration // how long they were
}

const (
	seriesGap    = 45 * time.Second // a longer time without refusals ends a series
	seriesCuts   = 6                // cuts are futile if a series has more refusals than this,
	seriesShare  = 0.67             // they left no more than this part of the share,
	seriesLonger = 1.3              // and the times without refusals are not longer by this factor
	seriesMean   = 12               // gap and places are averages of about so many times,
	recentMean   = 4                // and recent and lately of so many
	evenLeast    = 4                // a fixed part is refused if there are at least so many places before a 429,
	evenMost     = 30               // at most so many: with more, refusals have another reason or cost little,
	evenMore     = 1.5              // and the last few are not more than the average by this factor
	longShare    = 0.67             // after long refusals: cuts left no more than this part of the share,
	longOff      = 0.9              // and the refusals are still at least this part as long
	calmLeast    = 5 * time.Second

	futileFirst     = time.Minute
	futileLongFirst = 2 * time.Minute
	futileMost      = 10 * time.Minute
	futileGap       = 0.4 // if the times without refusals, or the places, fall below this part, cuts did help
	futileMean      = 8   // lately is then the average of about so many times
	futileLongGap   = 0.5 // the same for a single time, after long refusals
	futileTrial     = 5   // if this shows within so many refusals, it was a mistake
	doubtFirst      = time.Minute
	doubtMost       = 10 * time.Minute
)

// calm is the time without a refusal after which the share goes back to where it was.
func (c *cuts) calm() time.Duration { return 2 * max(c.gap, calmLeast) }

// refused counts a 429 after a number of places without one. That is 0 for each more attempt
// that is refused together with another one, and for the first one after a pause: if the
// limit is used up, nearly all of these are refused.
func (c *cuts) refused(places int) {
	if c.n == 1 && places == 0 {
		return // together with the first refusal of a series, which does not count either
	}
	mean := futileMean
	if c.n > 0 {
		mean = recentMean
		c.count = min(c.count+1, seriesMean)
		c.places += (float64(places) - c.places) / float64(c.count)
	}
	c.lately += (float64(places) - c.lately) / float64(mean)
}

// evenly reports whether cuts are futile because a fixed part of the requests is refused.
func (c *cuts) evenly(now time.Time) bool { return c.even && !c.long && now.Before(c.until) }

// futile counts a refusal, and reports whether cuts of the share do not help. It is called after
// each time without refusals (gap), with the places in it and the share at its end. It counts and
// answers in one, because each refusal has one answer, which depends on all counts.
func (c *cuts) futile(now time.Time, gap time.Duration, places int, share float64) bool {
	c.recent += (min(gap, seriesGap) - c.recent) / recentMean
	c.refused(places)
	if now.Before(c.until) {
		c.believed++
		if c.stillFutile(gap) {
			return true
		}
		if c.believed <= futileTrial {
			c.doubted = min(max(doubtFirst, 2*c.doubted), doubtMost)
			c.doubt = now.Add(c.doubted)
		}
		c.until, c.lasts, c.n = time.Time{}, 0, 0 // begin a new series
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
	c.even = c.places >= evenLeast && c.places <= evenMost && c.lately <= evenMore*c.places
	if c.n <= seriesCuts || share > seriesShare*c.share || now.Before(c.doubt) {
		return false
	}
	if !c.even && ratio(c.recent, c.gap) > seriesLonger {
		return false
	}
	c.recent, c.lately, c.long = c.gap, c.places, false
	c.declare(now, futileFirst)
	return true
}

// stillFutile reports whether refusals are about as rare as they were with a smaller share.
func (c *cuts) stillFutile(gap time.Duration) bool {
	if c.long {
		return ratio(gap, c.gap) >= futileLongGap
	}
	return ratio(c.recent, c.gap) >= futileGap || c.even && c.lately >= futileGap*c.places
}

// ratio is a divided by b.
func ratio(a, b time.Duration) float64 { return float64(a) / float64(max(b, 1)) }

// futileLong counts a long refusal, and reports whether cuts of the share after such refusals did
// not help: the refusals (off) are about as long as before. It is called after each of them; they
// are not part of a series.
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

// declare makes cuts count as futile for a while, each time for longer.
func (c *cuts) declare(now time.Time, first time.Duration) {
	c.n, c.believed = 0, 0
	c.lasts = min(max(first, 2*c.lasts), futileMost)
	c.until = now.Add(c.lasts)
}
