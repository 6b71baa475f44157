package limiter

import (
	"math/rand/v2"
	"time"
)

// learned is what the limiter has learned from 429s: whether there is a pause, and which
// share of the limit this program may use.
//
// A 429 pauses all attempts, and the first one after the pause goes alone. Then the share
// is a little smaller, and grows again slowly: the service counts over its whole window,
// so it takes a window to see the effect of a change. After a time without refusals the
// share goes back fast to where it was.
//
// As equations, with the share s, its value b when the last refusals began, and the part u of
// the limit that was used in the window then:
//
//	growth, per second    s += growAlways
//	                           + growCalmly · min(1, (t − growCalm)/growStart)  if t > growCalm
//	                         and at least min(growBack, c − s)                  if r > calm
//	a refusal             s  = min(b·(1 − cutLeast), max(b·(1 − p), cutFitted·u))
//	                      p  = min(cutMost, cutPlaces/n)
//	a long refusal, then  s  = min(s, max(fitsLeast, b·on/(on + off), cutFitted·u))
//	the k-th pause           = Retry-After, or min(pauseMost, first·2^(k − 1)) and up to a quarter more
//	                  first  = max(pauseFirst, pausePlaces/(s·pace))
//
// t is the time since the last pause and r the time since the refusals ended. n is how many
// places there were in the last two times without refusals, on is the last of these times, and off
// how long the refusals took. c and calm are those of the cuts, which also say when a share is not
// cut, and when growCalmly takes the place of growAlways. s stays between shareLeast and 1. It
// comes to rest where the growth between two refusals is what one refusal cuts.
type learned struct {
	share float64
	pace  float64   // of the whole limit, in places per second
	grown time.Time // the time up to which share has grown
	cuts  cuts

	resumed time.Time // the end of the previous refusals
	served  int       // places since resumed
	earlier int       // places in the time without refusals before that

	// About the last refusals, which may be several in a row with longer and longer pauses:
	began   time.Time
	until   time.Time // the end of the last pause
	strikes int       // pauses so far
	before  float64   // the share when they began
	fitted  float64   // the part of the limit that was used in the window when they began
	probing bool      // no response other than 429 since the last pause
	probeAt time.Time // when the first attempt after the pause got its place; zero: not yet
}

const (
	shareLeast = 0.005

	growAlways = 0.0003            // growth per second
	growBack   = 0.05              // growth per second up to the share before the last cuts
	growCalm   = 100 * time.Second // after so long without a refusal, a window and some more,
	growCalmly = 0.025             // the growth per second rises by this,
	growStart  = 25 * time.Second  // evenly over this time

	cutLeast  = 0.06 // of the share
	cutMost   = 0.3  // of the share
	cutPlaces = 5.4  // a cut is this divided by the places in the last two times without refusals
	cutFitted = 0.97 // a cut of more than cutLeast leaves this part of what was used of the window

	fitsLeast = 0.1

	pauseFirst  = 600 * time.Millisecond
	pausePlaces = 5 // the first pause lasts at least as long as so many places take
	pauseMost   = 30 * time.Second
	pauseEvenly = 4               // if a fixed part of the requests is refused, pauses are shorter by this factor
	pauseLong   = 5 * time.Second // in all; shorter refusals do not show that the limit is used up

	probePatience = time.Second
)

func newLearned(pace float64, now time.Time) learned {
	return learned{share: 1, pace: pace, resumed: now}
}

// hold is the time for which 429s delay the next place.
func (l *learned) hold(now time.Time) time.Duration {
	if wait := l.until.Sub(now); wait > 0 {
		return wait
	}
	if l.probed() {
		return max(0, l.probeAt.Add(probePatience).Sub(now))
	}
	return 0
}

// probed reports whether the first attempt after the pause has its place, but no response yet.
func (l *learned) probed() bool { return l.probing && !l.probeAt.IsZero() }

// endProbe ends the refusals if the first attempt after the pause has had its time: its response
// is slow, or its end is not reported.
func (l *learned) endProbe(now time.Time) {
	if l.probed() && l.hold(now) == 0 {
		l.resume(now)
	}
}

func (l *learned) took(now time.Time) {
	l.served++
	if l.probing && l.probeAt.IsZero() {
		l.probeAt = now
	}
}

func (l *learned) gaveBack() {
	l.served--
	if l.probing {
		l.probeAt = time.Time{}
	}
}

// grow lets the share grow back.
func (l *learned) grow(now time.Time) {
	gone := now.Sub(later(l.grown, l.until))
	if gone <= 0 {
		return
	}
	l.grown = now
	for seconds := gone.Seconds(); seconds > 0 && l.share < 1; seconds-- {
		l.share += l.growth(now) * min(seconds, 1)
	}
	l.share = min(l.share, 1)
}

// growth is by how much the share grows in a second.
func (l *learned) growth(now time.Time) float64 {
	growth := growAlways
	if l.cuts.evenly(now) && l.cuts.believed > futileTrial { // the share may have been small before
		growth = growCalmly
	}
	if calm := now.Sub(l.until) - growCalm; calm > 0 {
		growth += growCalmly * min(1, calm.Seconds()/growStart.Seconds())
	}
	if now.Sub(l.resumed) > l.cuts.calm() {
		growth = max(growth, min(growBack, l.cuts.back-l.share))
	}
	return growth
}

// refused records a 429 to an attempt that was sent at a time; fitted is the part of the
// limit that was used in the last window.
func (l *learned) refused(now, sent time.Time, retryAfter time.Duration, fitted float64) {
	if retryAfter > AbsurdRetryAfter {
		retryAfter = 0
	}
	if now.Before(l.until) || sent.Before(l.until) { // it was sent before the pause
		l.cuts.refused(0)
		l.until = later(l.until, now.Add(retryAfter))
		return
	}
	if !l.probing {
		l.grow(now)
		l.strikes, l.began, l.before, l.fitted = 0, now, l.share, fitted
		l.cut(now)
	} else {
		l.cuts.refused(0)
	}
	if retryAfter <= 0 {
		retryAfter = l.backOff()
		if l.cuts.evenly(now) { // soon, to see whether the limit is used up
			retryAfter /= pauseEvenly
		}
	}
	l.strikes++
	l.until = now.Add(retryAfter)
	l.probing, l.probeAt = true, time.Time{}
}

// backOff is the length of the next pause. It is longer with a small share. Otherwise a
// program with few requests would have a larger part of them refused than others.
func (l *learned) backOff() time.Duration {
	first := max(pauseFirst, time.Duration(pausePlaces/(l.share*l.pace)*float64(time.Second)))
	pause := min(pauseMost, first<<min(l.strikes, 6))
	return pause + rand.N(pause/4)
}

// responded records a response other than 429 to an attempt that was sent at a time.
func (l *learned) responded(now, sent time.Time) {
	if l.probing && !sent.Before(l.until) {
		l.resume(now)
	}
}

// cut makes the share smaller after a refusal. The fewer places there were since the earlier
// refusals, the larger is the cut. But it leaves about what was used in the window: if the
// window was filled too fast, the service refuses until it has passed, and a smaller share
// would not help.
func (l *learned) cut(now time.Time) {
	if l.cuts.futile(now, now.Sub(l.resumed), l.served, l.share) {
		l.share = max(l.share, l.cuts.share)
		return
	}
	part := min(cutMost, cutPlaces/float64(max(1, l.served+l.earlier)))
	l.limit(max(l.share*(1-part), cutFitted*l.fitted))
	l.limit(l.before * (1 - cutLeast))
}

// forgotten reports whether nothing is left of what was learned.
func (l *learned) forgotten(now time.Time) bool {
	return l.share == 1 && l.hold(now) == 0 && now.Sub(l.until) > growCalm
}

func (l *learned) limit(share float64) { l.share = max(shareLeast, min(l.share, share)) }

// resume ends the refusals. If they were long, the limit was used up for that time: the
// places that were taken in on should have lasted for on + off. So the new share is
// before * on / (on + off), but at least fitsLeast: a smaller result depends more on when
// callers send than on the limit.
func (l *learned) resume(now time.Time) {
	on, off := l.began.Sub(l.resumed), l.until.Sub(l.began)
	chance := l.cuts.even && l.strikes == 2 // a fixed part of the requests hits two in a row now and then
	if off > pauseLong && !chance && !now.Before(l.cuts.until) {
		if l.cuts.futileLong(now, l.before, on, off) {
			l.share = max(l.share, l.cuts.longShare)
		} else {
			l.limit(max(fitsLeast, l.before*on.Seconds()/(on+off).Seconds(), cutFitted*l.fitted))
		}
	}
	l.probing, l.probeAt = false, time.Time{}
	l.resumed, l.earlier, l.served = now, l.served, 0
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
