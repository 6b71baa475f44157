package limiter

import (
	"container/list"
	"context"
	"net/http"
	"slices"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Account is the limits of one account: the common one, those of routes, and what was learned of
// them. It is made by [New], safe for concurrent use, and shared by all that send for the account.
//
// An attempt that has to wait is put into a line; a timer gives out the places as they become
// free. There is a timer only while attempts wait.
type Account struct {
	mu     sync.Mutex
	common *pacer
	others line // attempts that have the common limit only
	routes routes
	blame  blame

	responses responses

	polls    *rate.Limiter // the bucket of long polls, with the share of the first one that waits
	ordinary recentPace    // of other attempts

	waiters int
	lines   []*line // those in which attempts wait
	arrived uint64  // number of waiters so far
	passed  int     // places since a long poll got one, while a long poll waited

	timer *time.Timer
}

// New makes an account with a common limit, and with limits of routes by operation, as LimitRoute
// sets them. A limit or an operation that is not valid is an error.
func New(limit Rate, routes map[string]Rate) (*Account, error) {
	if err := limit.Check(); err != nil {
		return nil, err
	}
	now := time.Now()
	l := &Account{common: newPacer(limit, now)}
	l.polls = newPollBucket(l.common)
	for operation, limit := range routes {
		if err := l.routes.set(operation, limit, now); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// Wait returns nil when the attempt has its place, in the common limit and in that of its route if
// it has one: it may be sent now. Wait must be called before each attempt, and Ended after it. If
// the context ends first, it returns an [*EndedError], never before.
func (l *Account) Wait(ctx context.Context, a Attempt) error {
	if err := ctx.Err(); err != nil {
		return &EndedError{Err: err}
	}
	l.mu.Lock()
	now := time.Now()
	line := l.lineOf(a.Operation, now)
	if l.waiters == 0 && l.takeAtOnce(line, a, now) {
		l.mu.Unlock()
		return nil
	}
	w := l.enqueue(ctx, line, a, now)
	l.dispatch(now)
	l.mu.Unlock()

	select {
	case <-w.granted:
		if ctx.Err() == nil {
			return nil
		}
	case <-ctx.Done():
	}
	return l.leave(ctx, w)
}

// Ended must be called once for each attempt that got its place from Wait, with the same Attempt.
// The account learns from it: from a 429 how long to pause, and which share of the limit it may
// use; from a response how long responses take.
func (l *Account) Ended(a Attempt, o Outcome) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	sent := now.Add(-o.Duration)
	line := l.lineOf(a.Operation, now)
	if o.StatusCode == http.StatusTooManyRequests {
		l.refused(line, a.Operation, now, sent, o.RetryAfter)
	} else if o.StatusCode != 0 {
		l.blame.responded(a.Operation)
		l.common.learned.responded(now, sent)
		if line.pacer != nil {
			line.pacer.learned.responded(now, sent)
		}
	}
	if a.Class != Poll {
		l.learnTime(line, a.Operation, now, o)
	}
	l.dispatch(now)
}

// LimitRoute gives a route a limit besides the common one, or replaces it. The operation is a
// method and a path; a segment in braces matches any segment. If several routes match an attempt,
// the one that was set last counts. Setting the same limit again changes nothing but that order.
func (l *Account) LimitRoute(operation string, limit Rate) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	if err := l.routes.set(operation, limit, now); err != nil {
		return err
	}
	l.dispatch(now)
	return nil
}

// State returns the present state of the common limit. Reading it does not change the pace.
func (l *Account) State() State {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	s := State{Limit: l.common.limit, Waiters: l.waiters, Places: l.common.places(now, l.waiters > 0)}
	if l.common.learned.until.After(now) {
		s.PausedUntil = l.common.learned.until
	}
	return s
}

// lineOf finds the line of an operation.
func (l *Account) lineOf(operation string, now time.Time) *line {
	if line := l.routes.find(operation, now); line != nil {
		return line
	}
	return &l.others
}

// takeAtOnce takes a place if there is one now. No other attempt may be waiting.
func (l *Account) takeAtOnce(line *line, a Attempt, now time.Time) bool {
	if line.pacer != nil && line.pacer.until(now, false) > 0 {
		return false
	}
	if a.Class == Poll && l.untilPoll(a, now) > 0 || a.Class != Poll && l.common.until(now, false) > 0 {
		return false
	}
	l.take(line, a, now)
	return true
}

// take takes a place that is there, and returns the tokens that it took from the buckets.
func (l *Account) take(line *line, a Attempt, now time.Time) (tokens [2]*rate.Reservation) {
	if a.Class == Poll {
		tokens[0] = l.takePoll(now)
		l.passed = 0
	} else {
		l.ordinary.took(now)
		tokens[0] = l.common.take(now)
	}
	if line.pacer != nil {
		tokens[1] = line.pacer.take(now)
	}
	return tokens
}

// enqueue puts an attempt into its line.
func (l *Account) enqueue(ctx context.Context, line *line, a Attempt, now time.Time) *queued {
	l.arrived++
	w := &queued{granted: make(chan struct{}), attempt: a, number: l.arrived}
	if deadline, ok := ctx.Deadline(); ok && a.Class != Poll {
		w.setTimes(now, deadline, l.responses.most(a.Operation, now))
	}
	l.join(line, w)
	return w
}

// join puts a waiter at the end of a line.
func (l *Account) join(line *line, w *queued) {
	if line.waiters == 0 {
		l.lines = append(l.lines, line)
	}
	line.waiters++
	l.waiters++
	w.line = line
	if w.attempt.Class == Poll {
		w.put(&line.waiting)
	} else {
		line.ordinary.add(w)
	}
}

// dequeue takes an attempt out of its line.
func (l *Account) dequeue(w *queued) {
	if w.attempt.Class == Poll {
		w.in.Remove(w.at)
	} else {
		w.line.ordinary.remove(w)
	}
	l.waiters--
	if w.line.waiters--; w.line.waiters > 0 {
		return
	}
	at := slices.Index(l.lines, w.line)
	l.lines = slices.Delete(l.lines, at, at+1)
}

// leave removes a waiter whose context has ended, and returns its error. If the waiter got a
// place at the same moment, the place goes to another one.
func (l *Account) leave(ctx context.Context, w *queued) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	if w.place.IsZero() {
		l.dequeue(w)
	} else {
		l.common.giveBack(w.place, w.tokens[0])
		if w.tokens[1] != nil {
			w.line.pacer.giveBack(w.place, w.tokens[1])
		}
	}
	paused := l.common.learned.until
	if w.line.pacer != nil {
		paused = later(paused, w.line.pacer.learned.until)
	}
	if !paused.After(now) {
		paused = time.Time{}
	}
	l.dispatch(now)
	return &EndedError{ctx.Err(), paused}
}

// refused records a 429 for the limit that it concerns: that of the route, or the common
// one.
func (l *Account) refused(line *line, operation string, now, sent time.Time, retryAfter time.Duration) {
	if line.known {
		line.pacer.refused(now, sent, retryAfter)
		return
	}
	if l.blame.refused(operation, now) {
		if line.pacer != nil { // the limit of the route was not the reason
			line.pacer.learned = newLearned(l.common.learned.pace, now)
		}
		l.common.refused(now, sent, retryAfter)
		return
	}
	if line.pacer == nil {
		if line = l.routes.learn(operation, l.common, now); line == nil {
			l.common.refused(now, sent, retryAfter)
			return
		}
		l.move(operation, line)
	}
	line.pacer.refused(now, sent, retryAfter)
}

// move moves the waiters of an operation into a line of their own.
func (l *Account) move(operation string, to *line) {
	q := &l.others.ordinary
	for _, from := range []*list.List{&q.ready, &q.tight, &q.lost, &l.others.waiting} {
		for e := from.Front(); e != nil; {
			w := e.Value.(*queued)
			e = e.Next()
			if w.attempt.Operation == operation {
				l.dequeue(w)
				l.join(to, w)
			}
		}
	}
}

// learnTime records how long a response took. An attempt without a response shows only that
// a response takes longer.
func (l *Account) learnTime(line *line, operation string, now time.Time, o Outcome) {
	took := o.Duration
	if o.StatusCode == 0 {
		if took <= l.responses.most(operation, now) {
			return
		}
		took += took / 2
	} else {
		l.common.spread.responded(now, took)
		if line.pacer != nil {
			line.pacer.spread.responded(now, took)
		}
	}
	l.responses.add(operation, now, took)
}
