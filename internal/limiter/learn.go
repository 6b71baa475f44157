package limiter

import (
	"math/rand/v2"
	"time"
)

// learned is what the limiter has learned from 429s: whether there is a pause, and which share of
// the limit this program may use.
//
//	a 429            all attempts pause; the first one after the pause goes alone
//	                 the share is cut by 6 %
//	a response       the share grows by 0.00055
//	30 of them       without another 429: the share is back where it was before the cut
//	a long refusal   share x on/(on + off): the limit was used up for the time off, so the places
//	                 of the time on before it should have lasted for both. This is not undone
//	a whole window   without a 429: the share grows fast
//
// So the share comes to rest where the responses between two cuts that last make up for one of
// them. Who has a larger share is refused more often: that makes shares equal.
type learned struct {
	share    float64
	route    bool          // of a route whose limit is not known, as a part of the common one
	programs int           // that share the limit: each sees a part of the responses
	pace     float64       // of the whole limit, in places per second
	per      time.Duration // the window of the limit
	grown    time.Time     // the time up to which share has grown

	resumed time.Time // the end of the previous refusals
	served  int       // responses since resumed
	back    float64   // the share that the cut is undone to

	// About the last refusals, which may be several in a row with longer and longer pauses:
	began   time.Time
	until   time.Time // the end of the last pause
	strikes int       // pauses so far
	before  float64   // the share when they began
	used    float64   // the part of the limit that was used in the window when they began
	probing bool      // no response other than 429 since the last pause
	probeAt time.Time // when the first attempt after the pause got its place; zero: not yet
}

func newLearned(pace float64, per time.Duration, now time.Time) learned {
	return learned{share: 1, programs: 1, pace: pace, per: per, resumed: now}
}

// hold is the time for which 429s delay the next place.
func (l *learned) hold(now time.Time) time.Duration {
	if wait := l.until.Sub(now); wait > 0 {
		return wait
	}
	if l.probed() {
		return max(0, l.probeAt.Add(min(probePatience, l.per/partsOfWindow)).Sub(now))
	}
	return 0
}

// probed reports whether the first attempt after the pause has its place, but no response yet.
func (l *learned) probed() bool { return l.probing && !l.probeAt.IsZero() }

// endProbe ends the refusals a while after the pause, if nobody has had a response since.
func (l *learned) endProbe(now time.Time) {
	if l.probing && l.calm(now) > 0 {
		l.resume(now)
	}
}

// calm is the time for which the share has grown fast since the last pause.
func (l *learned) calm(now time.Time) time.Duration {
	return max(0, now.Sub(l.until)-l.per)
}

func (l *learned) took(now time.Time) {
	if l.probing && l.probeAt.IsZero() {
		l.probeAt = now
	}
}

func (l *learned) gaveBack() {
	if l.probing {
		l.probeAt = time.Time{}
	}
}

// grow lets the share grow back after a whole window without a 429.
func (l *learned) grow(now time.Time) {
	gone := now.Sub(later(l.grown, l.until))
	if gone <= 0 {
		return
	}
	l.grown = now
	l.share = min(1, l.share+growInCalm*min(l.calm(now), gone).Seconds())
}

// refused records a 429 to an attempt that was sent at a time; used is the part of the
// limit that was used in the last window.
func (l *learned) refused(now, sent time.Time, retryAfter time.Duration, used float64) {
	if retryAfter > AbsurdRetryAfter {
		retryAfter = 0
	}
	if now.Before(l.until) || sent.Before(l.until) { // it was sent before the pause
		if retryAfter > 0 {
			l.until = later(l.until, now.Add(retryAfter))
		}
		return
	}
	if !l.probing {
		l.grow(now)
		l.strikes, l.began, l.before, l.back, l.used = 0, now, l.share, l.share, used
		l.limit(l.share * (1 - cut))
	}
	if retryAfter <= 0 {
		retryAfter = l.backOff()
	}
	retryAfter = max(retryAfter, time.Duration(pauseLeast*l.first()))
	l.strikes++
	l.until = now.Add(retryAfter)
	l.probing, l.probeAt = true, time.Time{}
}

// backOff is the length of the next pause. It is longer with a small share. Otherwise a
// program with few requests would have a larger part of them refused than others.
func (l *learned) backOff() time.Duration {
	pause := time.Duration(min(float64(pauseMost), l.first()*float64(int(1)<<min(l.strikes, 6))))
	return pause + rand.N(pause/4)
}

// first is the length of the first pause, in nanoseconds. The share of a route is small because its
// limit is, and not because of neighbors, to whom it would have to leave more.
func (l *learned) first() float64 {
	share := l.share
	if l.route {
		share = 1
	}
	place := time.Duration(float64(time.Second) / l.pace)
	return float64(max(place, min(pauseFirst, l.per/partsOfWindow))) / share
}

// responded records a response other than 429 to an attempt that was sent at a time.
func (l *learned) responded(now, sent time.Time) {
	if sent.Before(l.until) { // it was sent before the pause
		return
	}
	if l.probing {
		l.resume(now)
	}
	before := l.served
	l.served += l.programs
	l.share += growForResponse * float64(l.programs)
	if before < undoAfter && l.served >= undoAfter {
		l.share = max(l.share, l.back)
	}
	l.share = min(l.share, 1)
}

// heard learns from a 429 that another program had. Whoever was refused first has cut the share, so
// it is not cut again.
func (l *learned) heard(now time.Time, n News) {
	l.programs = max(1, n.Programs)
	if !n.PausedUntil.After(l.until) || !n.PausedUntil.After(now) {
		return
	}
	if !l.probing {
		l.began, l.before, l.strikes = now, l.share, 0
		l.back = l.share
	}
	l.limit(n.Share)
	l.until, l.probing, l.probeAt = n.PausedUntil, true, time.Time{}
}

// forgotten reports whether nothing is left of what was learned.
func (l *learned) forgotten(now time.Time) bool {
	l.grow(now)
	return l.share == 1 && l.hold(now) == 0 && l.calm(now) > 0
}

func (l *learned) limit(share float64) { l.share = max(shareLeast, min(l.share, share)) }

// resume ends the refusals. If they were long, the limit was used up for that time: the
// places that were taken in on should have lasted for on + off. So the new share is
// before * on / (on + off), but at least longLeast: a smaller result depends more on when
// callers send than on the limit.
func (l *learned) resume(now time.Time) {
	on, off := l.began.Sub(l.resumed), l.until.Sub(l.began)
	if off > pauseLong {
		l.back = 0
		l.limit(max(longLeast, l.before*on.Seconds()/(on+off).Seconds(), longOfUsed*l.used))
	}
	l.probing, l.probeAt = false, time.Time{}
	l.resumed, l.served = now, 0
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
