package limiter

import (
	"math"
	"slices"
	"time"

	"golang.org/x/time/rate"
)

// pacer keeps one limit: a bucket for pace and burst, a window that counts places, and what
// was learned from 429s. It is not safe for concurrent use: the limiter's lock guards it.
type pacer struct {
	limit   Rate
	bucket  *rate.Limiter
	window  *placeWindow
	unknown bool // the limit is only learned from 429s: the window counts, but has no maximum
	learned learned
	spread  waySpread

	synced time.Time // the time up to which the bucket is filled
	taken  time.Time // the last place
	spent  time.Time // the last token
}

// longestWindow keeps sums of times from overflowing.
const longestWindow = time.Duration(math.MaxInt64 / 4)

func newPacer(limit Rate, now time.Time) *pacer {
	limit.Per = min(limit.Per, longestWindow)
	p := &pacer{limit: limit, learned: newLearned(limit.pace(limit.Per), now), synced: now}
	p.spread.per = limit.Per
	p.window = newPlaceWindow(limit.Requests, limit.Per+p.spread.slack(now), now)
	p.window.keeps = min(paceLeast, 1-float64(limit.AtOnce())/float64(limit.Requests))
	p.bucket = rate.NewLimiter(rate.Limit(p.even()), limit.AtOnce())
	return p
}

// newLearningPacer is the pacer of a route that was refused and whose limit is not known.
// It begins at the pace of the common limit.
func newLearningPacer(common *pacer, now time.Time) *pacer {
	p := &pacer{limit: common.limit, learned: newLearned(common.learned.pace, now), synced: now}
	p.window = newPlaceWindow(math.MaxInt, common.window.length, common.window.epoch)
	p.window.runs, p.window.count = slices.Clone(common.window.runs), common.window.count
	p.unknown = true
	p.learned.served, p.learned.resumed = common.learned.served, common.learned.resumed
	p.bucket = rate.NewLimiter(rate.Limit(p.even()), common.limit.AtOnce())
	return p
}

// even is the pace of the whole limit, in places per second.
func (p *pacer) even() float64 {
	return p.limit.pace(p.window.length)
}

// until brings the pacer up to now, and returns the time until there is a place; 0 if there is
// one now. contended means that attempts have waited since the last call: that time is then no
// rest that fills the bucket.
func (p *pacer) until(now time.Time, contended bool) time.Duration {
	if wait := p.untilFree(now); wait > 0 {
		return wait
	}
	p.fill(now, contended)
	missing := 1 - p.bucket.TokensAt(now)
	if p.window.burst(now) < 1-tokenError { // what is in the bucket must last until the window is over
		missing = max(missing, 1-now.Sub(p.spent).Seconds()*float64(p.bucket.Limit()))
	}
	if missing <= tokenError {
		return 0
	}
	look := p.window.length.Seconds() / windowLook // by then the pace may have changed
	wait := min(missing/float64(p.bucket.Limit()), look)
	return max(1, time.Duration(math.Ceil(wait*float64(time.Second))))
}

// untilFree brings the pause and the window up to now, and returns the time for which they delay
// the next place.
func (p *pacer) untilFree(now time.Time) time.Duration {
	p.learned.endProbe(now)
	if wait := p.learned.hold(now); wait > 0 {
		return wait
	}
	if !p.unknown {
		p.window.length = p.limit.Per + p.spread.slack(now)
	}
	return p.window.untilFree(now)
}

// tokenError is how much of a token may be missing because of rounding.
const tokenError = 1e-6

// rest is the time without attempts after which the bucket fills at the whole pace.
const rest = time.Second

// fill brings the bucket up to now.
func (p *pacer) fill(now time.Time, contended bool) {
	p.learned.grow(now)
	pace := p.even() * p.learned.share
	if busy := contended || now.Sub(p.taken) < rest; busy && !p.unknown {
		if p.learned.share == 1 {
			pace = p.window.pace(now)
		} else {
			pace = min(pace, p.window.pace(now))
		}
	}
	p.bucket.SetLimitAt(p.synced, rate.Limit(pace))
	burst := p.limit.AtOnce()
	if p.learned.share < 1 { // no burst while the share is reduced
		burst = 1
	}
	if burst != p.bucket.Burst() {
		p.bucket.SetBurstAt(now, burst)
	}
	p.synced = now
}

// take takes a place and a token. until must have returned 0.
func (p *pacer) take(now time.Time) *rate.Reservation {
	p.count(now)
	p.spent = now
	return p.bucket.ReserveN(now, 1)
}

// count counts a place that is taken.
func (p *pacer) count(now time.Time) {
	p.taken = now
	p.window.take(now)
	p.learned.took(now)
}

// giveBack returns a place that was taken at a time and not used, and its token if it has one.
func (p *pacer) giveBack(at time.Time, token *rate.Reservation) {
	p.window.giveBack(at)
	p.learned.gaveBack()
	if token != nil {
		token.CancelAt(at)
	}
}

// refused records a 429 to an attempt that was sent at a time.
func (p *pacer) refused(now, sent time.Time, retryAfter time.Duration) {
	p.window.expire(now.Sub(p.window.epoch))
	p.learned.refused(now, sent, retryAfter, float64(p.window.count)/float64(p.limit.Requests))
}

// halfFull reports whether at least half of the burst is there, and how long it takes if not.
func (p *pacer) halfFull(now time.Time) (bool, time.Duration) {
	missing := float64(p.bucket.Burst())/2 - p.bucket.TokensAt(now)
	if missing <= tokenError {
		return true, 0
	}
	return false, max(time.Millisecond, time.Duration(missing/max(float64(p.bucket.Limit()), 0.1)*float64(time.Second)))
}

// places is how many places could be taken at once now.
func (p *pacer) places(now time.Time, contended bool) int {
	if p.until(now, contended) > 0 {
		return 0
	}
	return min(int(min(p.bucket.TokensAt(now), max(1, p.window.burst(now)))+tokenError), p.window.free(now))
}
