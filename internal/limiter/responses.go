package limiter

import (
	"slices"
	"time"
)

// responseTimes records how long the last responses took.
type responseTimes struct {
	took [responsesKept]time.Duration
	when [responsesKept]time.Time
	next int
}

func (r *responseTimes) add(now time.Time, took time.Duration) {
	r.took[r.next], r.when[r.next] = took, now
	r.next = (r.next + 1) % responsesKept
}

// probably is the time within which a response probably comes: that of the slowest of the last
// ones, but at most twice that of three of four, because a few slow ones say nothing of the next.
// It is 0 if nothing is known.
func (r *responseTimes) probably(now time.Time) time.Duration {
	var buffer [responsesKept]time.Duration
	took := buffer[:0]
	for i, t := range r.took {
		if !r.when[i].IsZero() && now.Sub(r.when[i]) <= responsesFresh {
			took = append(took, t)
		}
	}
	if len(took) == 0 {
		return 0
	}
	slices.Sort(took)
	return min(took[len(took)-1], 2*took[int(responsesMost*float64(len(took)-1)+0.5)])
}

// spread is the difference between the slowest and the fastest of the last responses, and false if
// there are only a few.
func (r *responseTimes) spread() (time.Duration, bool) {
	n := 0
	for n < responsesKept && !r.when[n].IsZero() {
		n++
	}
	if n < slackKnown {
		return 0, false
	}
	return slices.Max(r.took[:n]) - slices.Min(r.took[:n]), true
}

// slack is by how much the window of the limiter is longer than that of the limit: by the time that
// one request may take longer to the service than another. It is not known, so the difference
// between response times stands for it, which is usually larger.
func slack(per time.Duration, times *responseTimes) time.Duration {
	least := per / slackLeast
	most := max(least, min(slackLongest, per/slackMost))
	if spread, known := times.spread(); known {
		return min(most, max(least, spread+spread/10+time.Millisecond))
	}
	return most
}
