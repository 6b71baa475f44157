package redislimit

import (
	"context"
	"time"

	"github.com/monitoring-api/monitoring-go"
)

// waiter is an attempt that waits for a place.
type waiter struct {
	granted  chan struct{}
	line     *line
	attempt  monitoring.LimitedAttempt
	number   uint64    // in the order of arrival
	deadline time.Time // zero: none
	need     time.Duration
	got      *place // nil: none yet, or one of the local share
	served   bool
}

// polls reports whether the attempt is a long poll.
func (w *waiter) polls() bool { return w.attempt.Class == monitoring.ClassPoll }

// fate says whether a waiter that gets a place now can have a response before its deadline.
type fate int

const (
	ample fate = iota // there is time for a response that takes longer than most
	tight             // there is time for a response
	lost              // no response can come in time
)

func (w *waiter) fate(now time.Time) fate {
	if w.deadline.IsZero() {
		return ample
	}
	switch left := w.deadline.Sub(now); {
	case left <= w.need:
		return lost
	case left <= ampleTimes*w.need:
		return tight
	}
	return ample
}

// before reports whether a waiter is served before another of the same kind. Waiters with
// ample time are served first, in the order of arrival. Then come those with little time;
// the one with the most time left goes first, because it is the likeliest to succeed.
func (w *waiter) before(o *waiter, now time.Time) bool {
	mine, other := w.fate(now), o.fate(now)
	switch {
	case mine != other:
		return mine < other
	case mine == ample:
		return w.number < o.number
	}
	return w.deadline.After(o.deadline)
}

// first returns the waiter of a line that is served next. Ordinary attempts go before long
// polls, and waiters for which no response can come in time go last. It is nil if only long
// polls wait and none may go yet.
func (l *line) first(now time.Time, polls bool) *waiter {
	var ordinary, poll *waiter
	for _, w := range l.waiting {
		if w.polls() {
			if poll == nil && (polls || !bounded(w.attempt)) {
				poll = w
			}
		} else if ordinary == nil || w.before(ordinary, now) {
			ordinary = w
		}
	}
	if poll != nil && (ordinary == nil || l.passed >= passedMost || ordinary.fate(now) == lost) {
		return poll
	}
	return ordinary
}

// bounded reports whether an attempt is a long poll with a share below the whole.
func bounded(a monitoring.LimitedAttempt) bool {
	return a.Class == monitoring.ClassPoll && a.Share > 0 && a.Share < 1
}

func (l *line) anyPoll() bool {
	for _, w := range l.waiting {
		if w.polls() {
			return true
		}
	}
	return false
}

// wanted returns how many places the waiters of a line need. Waiters that cannot have a
// response in time do not count. If there are no others, they count as one, because the
// estimate of response times may be wrong.
func (l *line) wanted(now time.Time, polls int) int {
	var n, hopeless int
	for _, w := range l.waiting {
		switch {
		case bounded(w.attempt):
			if polls > 0 {
				polls--
				n++
			}
		case w.fate(now) == lost:
			hopeless = 1
		default:
			n++
		}
	}
	return max(n, hopeless)
}

// responses remembers how long responses take, by operation: about the longest of the last ones.
type responses map[string]time.Duration

func (r responses) add(operation string, took time.Duration) {
	most, known := r[operation]
	if !known && len(r) >= mostOperations {
		return
	}
	r[operation] = max(took, most-(most-took)/responsesFade)
}

// enqueue puts an attempt into its line.
func (l *Limiter) enqueue(ctx context.Context, line *line, a monitoring.LimitedAttempt, now time.Time) *waiter {
	l.arrived++
	w := &waiter{granted: make(chan struct{}), line: line, attempt: a, number: l.arrived}
	if deadline, ok := ctx.Deadline(); ok && a.Class != monitoring.ClassPoll {
		w.deadline = deadline
		w.need = l.responses[a.Operation]
	}
	line.waiting = append(line.waiting, w)
	l.waiters++
	return w
}

func (l *Limiter) dequeue(w *waiter) {
	for i, other := range w.line.waiting {
		if other == w {
			w.line.waiting = append(w.line.waiting[:i], w.line.waiting[i+1:]...)
			l.waiters--
			return
		}
	}
}
