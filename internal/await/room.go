package await

import (
	"math"
	"time"
)

// A poll takes a place whenever it is there. Reads that keep states fresh take only places that
// nothing needs soon; these are the parts of the limit that they count on.
const (
	keptFree     = 10   // one in so many of the places after a rest: reads leave them to ordinary requests
	comeBack     = 0.8  // of the places that the limit gives: ordinary requests take the others
	pollsAndRead = 0.9  // of the pace, for polls and reads together
	leastForRead = 0.01 // of the pace: there are no reads if the polls leave less
)

// spare reports whether a read now delays no other request: it leaves places for ordinary
// requests, and its own place is back before a poll needs it. due are the times at which polls
// will need a place, in order.
func (r Room) spare(now time.Time, due []time.Time) bool {
	if r.Places < 1+r.Most/keptFree {
		return false
	}
	left := r.Places - 1
	for _, at := range due {
		if at.After(now) {
			left += at.Sub(now).Seconds() * r.PerSecond * comeBack
			now = at
		}
		if left >= r.Most {
			return true
		}
		if left--; left < 0 {
			return false
		}
	}
	return true
}

// between is the time from one read to the next if polls take so many places per second. It
// returns false if that leaves no read.
func (r Room) between(polls float64) (time.Duration, bool) {
	free := pollsAndRead*r.PerSecond - polls
	if free < leastForRead*r.PerSecond {
		return 0, false
	}
	return time.Duration(math.Ceil(float64(time.Second) / free)), true
}
