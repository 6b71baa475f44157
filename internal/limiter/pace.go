package limiter

import (
	"math"
	"time"

	"golang.org/x/time/rate"
)

// pacer keeps one limit: a bucket for pace and burst, a window that counts places, and what
// was learned from 429s. It is not safe for concurrent use: the limiter's lock guards it.
type pacer struct {
	limit   Rate
	bucket  *rate.Limiter
	window  *window
	unknown bool // the limit is only learned from 429s: the window counts, but has no maximum
	learned learned
	times   responseTimes // of the responses that had a place here
	source  Source        // of the places, if they come from elsewhere; nil: from bucket and window
	wished  wish

	filled time.Time // the time up to which the bucket is filled
	recent recentPace
}

func newPacer(limit Rate, now time.Time) *pacer {
	limit.Per = min(limit.Per, longestWindow)
	p := &pacer{limit: limit, window: newWindow(limit.Requests, limit.Per, now), filled: now}
	p.stretch()
	p.learned = newLearned(p.even(), limit.Per, now)
	p.bucket = rate.NewLimiter(rate.Limit(p.even()), limit.AtOnce())
	return p
}

// newLearningPacer is the pacer of a route that was refused and whose limit is not known.
// It begins with the pace and the places of the common limit.
func newLearningPacer(common *pacer, now time.Time) *pacer {
	p := newPacer(common.limit, now)
	*p.window, p.window.most, p.unknown = *common.window, math.MaxInt, true
	p.learned.resumed = common.learned.resumed
	p.learned.route = true
	return p
}

// stretch makes the window longer than that of the limit, by the time by which requests may come
// closer together on their way. The slots make it longer by up to two of them.
func (p *pacer) stretch() {
	p.window.length = p.limit.Per + max(0, slack(p.limit.Per, &p.times)-2*p.window.slot)
}

// even is the pace of the whole limit, in places per second.
func (p *pacer) even() float64 {
	return float64(p.limit.Requests) / (p.window.length + 2*p.window.slot).Seconds()
}

// demand says who has waited for a place since a pacer was last asked for one.
type demand int

const (
	nobody    demand = iota // that is a rest, in which the bucket fills at the even pace
	onlyPolls               // in which it fills a little faster, as long as polls leave others a line
	attempts                // in which it fills no faster than the window can keep up
)

// until brings the pacer up to now, and returns the time until there is a place that leaves some
// of the burst; 0 if there is one now.
func (p *pacer) until(now time.Time, leaves int, who demand) time.Duration {
	p.learned.endProbe(now)
	if wait := p.learned.hold(now); wait > 0 {
		return wait
	}
	if p.source != nil {
		p.learned.grow(now)
		return p.source.Until()
	}
	if !p.unknown {
		p.stretch()
	}
	p.fill(now, who)
	if wait := p.window.untilFree(now); wait > 0 {
		return wait
	}
	look := p.window.length / windowSlots // by then the pace and the window may have changed
	if who == onlyPolls {
		others := max(p.even()*pollsLeave, p.recent.at(now)*pollsLeaveRecent)
		if p.window.free(now) <= leaves/pollsLeaveOfBurst || p.window.steady(now) < others {
			return max(1, look)
		}
	}
	missing := 1 + float64(leaves) - p.bucket.TokensAt(now)
	if missing <= tokenError {
		return 0
	}
	wait := min(missing/float64(p.bucket.Limit()), look.Seconds())
	return max(1, time.Duration(math.Ceil(wait*float64(time.Second))))
}

// fill brings the bucket up to now. Its pace is the even one, or the steady one of the window if
// that is slower: a burst is paid back over the window, and the pace is a line.
func (p *pacer) fill(now time.Time, who demand) {
	p.learned.grow(now)
	pace := p.even() * p.learned.share
	since := p.filled
	if who == onlyPolls {
		pace *= pollsEager
	}
	if who == attempts {
		pace, since = min(pace, p.window.steady(now)), now
	}
	burst := p.limit.AtOnce()
	if p.learned.share < 1 { // others take what a burst would need
		burst = 1
	}
	if burst != p.bucket.Burst() {
		p.bucket.SetBurstAt(p.filled, burst)
	}
	p.bucket.SetLimitAt(since, rate.Limit(pace))
	p.filled = now
}

// reserve is the part of the burst that is left to ordinary attempts.
func (p *pacer) reserve() int { return p.bucket.Burst() / 2 }

// ticket is what gives a place back: its token, or its number if it came from a source.
type ticket struct {
	token *rate.Reservation
	place int64
}

// take takes a place and a token. until must have returned 0.
func (p *pacer) take(now time.Time, c Class) ticket {
	if c != Poll {
		p.recent.took(now)
	}
	p.window.take(now)
	p.learned.took(now)
	if p.source != nil {
		return ticket{place: p.source.Take()}
	}
	return ticket{token: p.bucket.ReserveN(now, 1)}
}

// giveBack returns a place that was taken at a time and not used, and its token.
func (p *pacer) giveBack(at time.Time, t ticket) {
	p.window.giveBack(at)
	p.learned.gaveBack()
	if t.token == nil {
		p.source.GiveBack(t.place)
		return
	}
	t.token.CancelAt(at)
}

// refused records a 429 to an attempt that was sent at a time.
func (p *pacer) refused(now, sent time.Time, retryAfter time.Duration) {
	p.window.expire(now)
	until := p.learned.until
	used := float64(p.window.count*p.learned.programs) / float64(p.limit.Requests)
	p.learned.refused(now, sent, retryAfter, min(1, used))
	if p.source != nil && p.learned.until != until {
		p.source.Refused(p.learned.until, p.learned.share)
	}
}

// want says what a pacer's source is wanted for, if that has changed.
func (p *pacer) want(attempts, leaves int) {
	if w := (wish{attempts, leaves, p.learned.share}); p.source != nil && w != p.wished {
		p.wished = w
		p.source.Want(attempts, leaves, w.share)
	}
}

// places is how many places could be taken at once now.
func (p *pacer) places(now time.Time, who demand) int {
	if p.until(now, 0, who) > 0 {
		return 0
	}
	if p.learned.probing && !p.learned.probed() { // the next one goes alone
		return 1
	}
	if p.source != nil {
		return p.source.Places()
	}
	return min(int(p.bucket.TokensAt(now)+tokenError), p.window.free(now))
}

// pausedUntil is the end of the pause, or the zero Time if there is none.
func (p *pacer) pausedUntil(now time.Time) time.Time {
	if p.learned.until.After(now) {
		return p.learned.until
	}
	return time.Time{}
}

// recentPace is the pace of the last seconds, in places per second.
type recentPace struct {
	pace float64 // at the last place
	last time.Time
}

func (r *recentPace) at(now time.Time) float64 {
	return r.pace * math.Exp(-now.Sub(r.last).Seconds()/recently.Seconds())
}

func (r *recentPace) took(now time.Time) {
	r.pace, r.last = r.at(now)+1/recently.Seconds(), now
}
