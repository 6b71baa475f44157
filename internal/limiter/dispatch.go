package limiter

import (
	"container/list"
	"math"
	"time"
)

// passedMost is how many ordinary attempts go before a long poll that waits. Ordinary ones
// go first, but a program that uses up the limit all the time must not block its own polls.
const passedMost = 10

// dispatch gives out the places there are, and sets the timer for the next one.
func (l *Account) dispatch(now time.Time) {
	for l.waiters > 0 {
		w, wait := l.next(now)
		if w == nil {
			l.setTimer(wait)
			return
		}
		l.dequeue(w)
		if l.pollWaits() && w.attempt.Class != Poll {
			l.passed++
		}
		w.place, w.tokens = now, l.take(w.line, w.attempt, now)
		close(w.granted)
	}
	l.stopTimer()
}

// pollWaits reports whether a long poll waits.
func (l *Account) pollWaits() bool {
	for _, line := range l.lines {
		if line.waiting.Len() > 0 {
			return true
		}
	}
	return false
}

// next returns the waiter that is served next, or nil and the time until one may be.
func (l *Account) next(now time.Time) (*queued, time.Duration) {
	wait := time.Duration(math.MaxInt64)
	var ordinary, waiting, lost *queued
	for _, line := range l.lines {
		if line.pacer != nil {
			if until := line.pacer.until(now, true); until > 0 {
				wait = min(wait, until)
				continue
			}
		}
		line.ordinary.advance(now)
		ordinary = sooner(ordinary, line.ordinary.first())
		waiting = sooner(waiting, head(&line.waiting))
		lost = sooner(lost, head(&line.ordinary.lost))
	}
	if waiting != nil && ordinary == nil {
		until := l.untilPoll(waiting.attempt, now)
		if until == 0 {
			return waiting, 0
		}
		wait = min(wait, until)
	}
	if ordinary == nil && lost == nil {
		return nil, wait
	}
	until := l.common.until(now, true)
	switch {
	case until > 0:
	case waiting != nil && l.passed >= passedMost && l.untilShare(waiting.attempt, now) == 0:
		return waiting, 0
	case ordinary != nil:
		return ordinary, 0
	default:
		// Its response will probably be late, but the estimate may be wrong.
		var half bool
		if half, until = l.common.halfFull(now); half {
			return lost, 0
		}
	}
	return nil, min(wait, until)
}

func head(l *list.List) *queued {
	if e := l.Front(); e != nil {
		return e.Value.(*queued)
	}
	return nil
}

// sooner is the one of two waiters of different lines that is served first; either may be
// nil. One with ample time goes before one without.
func sooner(a, b *queued) *queued {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	case a.tight() != b.tight():
		if b.tight() {
			return a
		}
		return b
	case a.number < b.number:
		return a
	}
	return b
}

func (w *queued) tight() bool { return w.in == &w.line.ordinary.tight }

func (l *Account) setTimer(wait time.Duration) {
	wait = min(wait, longestWindow)
	if l.timer == nil {
		l.timer = time.AfterFunc(wait, l.onTimer)
	} else {
		l.timer.Reset(wait)
	}
}

func (l *Account) stopTimer() {
	if l.timer != nil {
		l.timer.Stop()
		l.timer = nil
	}
}

// onTimer may be called once more after the timer was stopped.
func (l *Account) onTimer() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.dispatch(time.Now())
}
