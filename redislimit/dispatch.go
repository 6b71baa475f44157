package redislimit

import (
	"math"
	"math/rand/v2"
	"time"

	"github.com/monitoring-api/monitoring-go"
)

// dispatch gives the available places to waiters, and sets the timer for the next place.
func (l *Limiter) dispatch(now time.Time) {
	wait := time.Duration(math.MaxInt64)
	for l.waiters > 0 {
		var next *waiter
		next, wait = l.next(now)
		if next == nil {
			break
		}
		l.serve(next, now)
	}
	if l.timer != nil {
		l.timer.Stop()
		l.timer = nil
	}
	if l.waiters > 0 && wait < math.MaxInt64 && !l.closed {
		l.timer = time.AfterFunc(wait, l.onTimer)
	}
}

func (l *Limiter) onTimer() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.closed {
		l.dispatch(time.Now())
	}
}

// next returns the waiter that gets a place now, or nil and the time until one may get it.
func (l *Limiter) next(now time.Time) (*waiter, time.Duration) {
	wait := time.Duration(math.MaxInt64)
	untilPoll := l.pollNext.Sub(now)
	var next *waiter
	for _, line := range l.lines {
		if len(line.waiting) == 0 {
			continue
		}
		if until := l.untilPlace(line, now); until > 0 {
			wait = min(wait, until)
			continue
		}
		w := line.first(now, untilPoll <= 0)
		switch {
		case w == nil:
			wait = min(wait, untilPoll)
		case next == nil, w.polls() == next.polls() && w.before(next, now), !w.polls() && next.polls():
			next = w
		}
	}
	return next, wait
}

// untilPlace returns the time until a line has a place, as far as is known.
func (l *Limiter) untilPlace(line *line, now time.Time) time.Duration {
	if wait := later(line.pause.until, l.lines[0].pause.until).Sub(now); wait > 0 {
		return wait
	}
	line.expire(now)
	wait := time.Duration(math.MaxInt64)
	if len(line.held) > 0 {
		wait = max(0, line.held[0].from.Sub(now))
	}
	if l.mode == ModeLocal {
		wait = min(wait, max(0, later(line.ownNext, l.lines[0].ownNext).Sub(now)))
	}
	return wait
}

// serve gives a waiter the place that untilPlace has found.
func (l *Limiter) serve(w *waiter, now time.Time) {
	line := w.line
	l.dequeue(w)
	if w.polls() {
		line.passed = 0
		if bounded(w.attempt) {
			l.pollNext = later(now, l.pollNext).Add(time.Duration(float64(time.Second) / (l.pace() * w.attempt.Share)))
		}
	} else if line.anyPoll() {
		line.passed++
	}
	if len(line.held) > 0 && !line.held[0].from.After(now) {
		p := line.held[0]
		line.held, w.got = line.held[1:], &p
	} else {
		l.ledger.use(line, now)
		l.lines[0].ownNext = now.Add(l.lines[0].spacing(now, l.processes))
		if line != l.lines[0] {
			line.ownNext = now.Add(line.spacing(now, l.processes))
		}
	}
	line.use(now)
	w.served = true
	close(w.granted)
}

// pace returns the part of the common limit that this process may use, as far as is known,
// in places per second.
func (l *Limiter) pace() float64 {
	processes := l.active
	if l.mode == ModeLocal {
		processes = l.processes
	}
	return float64(l.limit.Requests) / l.limit.Per.Seconds() / float64(max(1, processes))
}

// goLocal lets the process go on with its local share, without a burst: the first place is
// a random part of a spacing after the last place from Redis.
func (l *Limiter) goLocal(now time.Time, reason error) *ModeChange {
	l.good = 0
	change := l.setMode(ModeLocal, reason)
	if change == nil {
		return nil
	}
	for _, line := range l.lines {
		line.startLocal(now, l.processes)
	}
	l.dispatch(now)
	return change
}

func (l *line) startLocal(now time.Time, processes int) {
	last := now
	if len(l.paces) > 0 {
		last = later(now, l.paces[0].from)
	}
	if n := len(l.held); n > 0 {
		last = later(last, l.held[n-1].from)
	}
	gap := l.spacing(now, processes)
	l.ownNext = later(l.ownNext, last.Add(rand.N(max(1, gap))))
}

// lineOf finds the line of an operation.
func (l *Limiter) lineOf(operation string) *line {
	for i := len(l.lines) - 1; i > 0; i-- { // the limit that was set last is found first
		if l.lines[i].pattern.Matches(operation) {
			return l.lines[i]
		}
	}
	return l.lines[0]
}

var _ monitoring.Limiter = (*Limiter)(nil)
