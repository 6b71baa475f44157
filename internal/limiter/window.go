package limiter

import (
	"sort"
	"time"
)

// placeWindow counts the places of the last window, and so guarantees that no window has
// more than the limit: a bucket alone admits burst + pace x window.
//
// Places that are taken close together are kept as one run, so that a limit of millions
// needs no more memory than one of windowRuns.
type placeWindow struct {
	most   int
	length time.Duration // the window of the limit and the slack of waySpread
	epoch  time.Time     // the times of runs count from here

	runs  []placeRun // oldest first
	count int

	// About the places that come back until the window is over:
	keeps     float64       // the part of the even pace that a burst leaves for them
	paceNow   float64       // see pace
	leftNow   float64       // see left
	burstNow  float64       // see burst
	lookAgain time.Duration // look computes these three again at this time,
	takeAgain int           // or after so many places
}

// placeRun is a number of places that count until last + window.
type placeRun struct {
	first, last time.Duration
	n           int
}

const (
	windowRuns = 4096 // about the largest number of runs
	windowLook = 512  // how often the pace is computed in a window, at least
)

const (
	// paceEager is how much faster than the even pace places come after a rest.
	paceEager = 1.25
	// paceLeast is the part of the even pace that is kept for the end of the window.
	paceLeast = 0.25
	// leftLess is the part of the window, one in so many places, that left takes as used.
	leftLess = 200
	// paceSlows is at how many times paceLeast the pace begins to slow down.
	paceSlows = 1.3
)

func newPlaceWindow(most int, length time.Duration, now time.Time) *placeWindow {
	return &placeWindow{most: most, length: length, epoch: now}
}

// expire removes places that are older than the window.
func (w *placeWindow) expire(now time.Duration) {
	for len(w.runs) > 0 && w.runs[0].last+w.length <= now {
		w.count -= w.runs[0].n
		w.runs = w.runs[1:]
	}
}

// untilFree is the time until the window has a place; 0 if it has one now.
func (w *placeWindow) untilFree(at time.Time) time.Duration {
	now := at.Sub(w.epoch)
	w.expire(now)
	if w.count < w.most {
		return 0
	}
	return w.runs[0].last + w.length - now
}

// free is how many places the window has.
func (w *placeWindow) free(at time.Time) int {
	w.expire(at.Sub(w.epoch))
	return w.most - w.count
}

// take takes a place.
func (w *placeWindow) take(at time.Time) {
	now := at.Sub(w.epoch)
	w.count++
	w.takeAgain--
	var together time.Duration
	if w.most > windowRuns {
		together = w.length / windowRuns
	}
	if i := len(w.runs) - 1; i >= 0 && now-w.runs[i].first <= together {
		w.runs[i].n++
		w.runs[i].last = max(w.runs[i].last, now)
		return
	}
	w.runs = append(w.runs, placeRun{first: now, last: now, n: 1})
}

// giveBack returns a place that was taken at a time and not used.
func (w *placeWindow) giveBack(at time.Time) {
	then := at.Sub(w.epoch)
	i := sort.Search(len(w.runs), func(i int) bool { return w.runs[i].last >= then })
	if i < len(w.runs) && w.runs[i].first <= then && w.runs[i].n > 0 {
		w.runs[i].n--
		w.count--
		w.takeAgain = 0
	}
}

// pace is the pace at which places may be taken now, in places per second, so that the
// window is never without a place for long. At the even pace, the places that a burst has
// used would be missing at the end of the window. The steady pace is the fastest one that
// the window allows all the time until then. The pace is eager until the steady pace has
// fallen to little more than paceLeast of the even one.
func (w *placeWindow) pace(at time.Time) float64 {
	w.look(at)
	return w.paceNow
}

// left is the steady pace that would be left if a few more places were used; it may be
// negative.
func (w *placeWindow) left(at time.Time) float64 {
	w.look(at)
	return w.leftNow
}

// burst is how many places may be taken at once so that the steady pace does not fall below
// the part that is kept; it may be negative.
func (w *placeWindow) burst(at time.Time) float64 {
	w.look(at)
	return w.burstNow
}

// look computes pace, left and burst, unless that was done just now.
//
// Until a run leaves the window, only the places that are free now and those of the runs before
// it can be taken: its room. So with the time until it leaves, and the least over all runs:
//
//	steady = min(room/time), at most the eager pace
//	left   = min((room − less)/time), at most the eager pace
//	burst  = min(room − kept·time), at most what is free now
func (w *placeWindow) look(at time.Time) {
	now := at.Sub(w.epoch)
	if now < w.lookAgain && w.takeAgain > 0 {
		return
	}
	w.expire(now)
	even := float64(w.most) / w.length.Seconds()
	eager, room := even*paceEager, float64(w.most-w.count)
	steady, left, burst := eager, eager, room
	less, kept := float64(w.most/leftLess), w.keeps*even
	for _, r := range w.runs { // there may be thousands, so it divides only for a new least pace
		until := float64(r.last+w.length-now) / float64(time.Second)
		if room < steady*until {
			steady = room / until
		}
		if room-less < left*until {
			left = (room - less) / until
		}
		if most := room - kept*until; most < burst {
			burst = most
		}
		room += float64(r.n)
	}
	w.paceNow, w.leftNow, w.burstNow = paceFor(steady, even), left, burst
	w.lookAgain, w.takeAgain = now+w.length/windowLook, max(1, w.most/windowLook)
}

// paceFor is the pace for a steady pace: the eager one, or the steady one if that is no more than
// paceLeast of the even one, with a slope in between.
func paceFor(steady, even float64) float64 {
	eager, least, slows := even*paceEager, even*paceLeast, even*paceLeast*paceSlows
	switch {
	case steady <= least:
		return steady
	case steady < slows:
		return steady + (steady-least)/(slows-least)*(eager-slows)
	}
	return eager
}
