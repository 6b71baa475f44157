package limiter

import (
	"math"
	"time"
)

// window counts the places of the last time, and so guarantees that no window has more than the
// limit: a bucket alone admits burst + pace x window. Places that are taken within one slot come
// back together, when the last of them may.
type window struct {
	most   int
	length time.Duration
	epoch  time.Time
	slot   time.Duration

	counts [windowRing]int // of slot i at i modulo windowRing
	first  int64           // the oldest slot that may have places
	last   int64           // the newest one
	count  int             // of all slots
}

func newWindow(most int, per time.Duration, now time.Time) *window {
	return &window{most: most, length: per, epoch: now, slot: (per + windowSlots - 1) / windowSlots}
}

func (w *window) slotOf(at time.Time) int64 { return int64(at.Sub(w.epoch) / w.slot) }

// until is the time from now until the places of a slot come back.
func (w *window) until(slot int64, now time.Time) time.Duration {
	return time.Duration(slot+1)*w.slot + w.length - now.Sub(w.epoch)
}

// expire removes the places that have come back.
func (w *window) expire(now time.Time) {
	for w.count > 0 && w.until(w.first, now) <= 0 {
		w.count -= w.counts[w.first%windowRing]
		w.counts[w.first%windowRing] = 0
		w.first++
	}
}

// untilFree is the time until there is a place; 0 if there is one now.
func (w *window) untilFree(now time.Time) time.Duration {
	w.expire(now)
	if w.count < w.most {
		return 0
	}
	return w.untilOldest(now)
}

// untilOldest is the time until the oldest places come back. There must be some.
func (w *window) untilOldest(now time.Time) time.Duration {
	for w.counts[w.first%windowRing] == 0 {
		w.first++
	}
	return w.until(w.first, now)
}

// free is how many places there are.
func (w *window) free(now time.Time) int {
	w.expire(now)
	return w.most - w.count
}

// take takes a place.
func (w *window) take(now time.Time) {
	w.expire(now)
	w.last = max(w.last, w.slotOf(now))
	if w.count == 0 {
		w.first = w.last
	}
	w.counts[w.last%windowRing]++
	w.count++
}

// giveBack returns a place that was taken at a time and not used.
func (w *window) giveBack(at time.Time) {
	slot := w.slotOf(at)
	if slot >= w.first && slot <= w.last && w.counts[slot%windowRing] > 0 {
		w.counts[slot%windowRing]--
		w.count--
	}
}

// steady is the pace, in places per second, at which the places that are free now last until the
// oldest ones come back. So a burst is paid back evenly.
func (w *window) steady(now time.Time) float64 {
	w.expire(now)
	if w.count == 0 {
		return math.Inf(1)
	}
	return float64(w.most-w.count+1) / w.untilOldest(now).Seconds()
}
