package limiter

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"
)

// Account is the limits of one account: the common one, those of routes, and what was learned of
// them. It is made by [New], safe for concurrent use, and shared by all that send for the account.
//
// An attempt that has to wait is put into a line; a timer gives out the places as they become
// free. There is a timer only while attempts wait.
type Account struct {
	mu     sync.Mutex
	sched  *scheduler
	timer  *time.Timer
	supply Supply // of the places; nil: they are made here

	read  time.Time     // what the clock said last
	ahead time.Duration // how far the time of the scheduler is ahead of the clock
}

// now is the time of the scheduler, which never goes back. The clock does if a client is used in
// several bubbles of testing/synctest: each begins at the same time.
func (l *Account) now() time.Time {
	clock := time.Now()
	if clock.Before(l.read) {
		l.ahead += l.read.Sub(clock)
	}
	l.read = clock
	return clock.Add(l.ahead)
}

// New makes an account with a common limit, and with limits of routes by operation, as LimitRoute
// sets them. A limit or an operation that is not valid is an error. The supply may be nil.
func New(limit Rate, routes map[string]Rate, supply Supply) (*Account, error) {
	if err := limit.Check(); err != nil {
		return nil, err
	}
	now := time.Now()
	l := &Account{sched: newScheduler(limit, now), read: now, supply: supply}
	l.supplied("", l.sched.common)
	for _, operation := range slices.Backward(slices.Sorted(maps.Keys(routes))) { // for one order in State
		if err := l.sched.routes.limit(operation, routes[operation], now, l.supplied); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// supplied makes the pacers of an account ask a supply. News of a limit reach its pacer with told.
func (l *Account) supplied(operation string, p *pacer) {
	if l.supply == nil {
		return
	}
	p.source = l.supply(operation, p.limit, func(n News) {
		l.mu.Lock()
		defer l.mu.Unlock()
		now := l.now()
		if !n.PausedUntil.IsZero() {
			n.PausedUntil = n.PausedUntil.Add(l.ahead)
		}
		p.learned.heard(now, n)
		l.dispatch(now)
	})
}

// byClock is a time of the scheduler as the clock says it.
func (l *Account) byClock(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return t.Add(-l.ahead)
}

// Wait returns nil when the attempt has its place, in the common limit and in that of its route if
// it has one: it may be sent now. Wait must be called before each attempt, and Ended after it. If
// the context ends first, it returns an [*EndedError], never before.
func (l *Account) Wait(ctx context.Context, a Attempt) error {
	if err := ctx.Err(); err != nil {
		return &EndedError{Err: err}
	}
	deadline, _ := ctx.Deadline()
	l.mu.Lock()
	now := l.now()
	if !deadline.IsZero() {
		deadline = deadline.Add(l.ahead)
	}
	w := l.sched.ask(now, a, deadline)
	if w == nil {
		l.mu.Unlock()
		return nil
	}
	granted := make(chan struct{})
	w.onPlace = func() { close(granted) }
	l.dispatch(now)
	l.mu.Unlock()

	select {
	case <-granted:
		if ctx.Err() == nil {
			return nil
		}
	case <-ctx.Done():
	}
	return l.leave(ctx, w)
}

// leave removes a waiter whose context has ended, and returns its error. If the waiter got a
// place at the same moment, the place goes to another one.
func (l *Account) leave(ctx context.Context, w *waiter) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	if w.place.IsZero() {
		l.sched.leave(w)
	} else {
		l.sched.giveBack(w)
	}
	paused := l.sched.common.pausedUntil(now)
	if w.line.pacer != nil {
		paused = later(paused, w.line.pacer.pausedUntil(now))
	}
	l.dispatch(now)
	return &EndedError{ctx.Err(), l.byClock(paused)}
}

// Ended must be called once for each attempt that got its place from Wait, with the same Attempt.
// The account learns from it: from a 429 how long to pause, and which share of the limit it may
// use; from a response how long responses take.
func (l *Account) Ended(a Attempt, o Outcome) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	l.sched.ended(now, a, o)
	l.dispatch(now)
}

// LimitRoute gives a route a limit besides the common one, or replaces it. The operation is a
// method and a path; a segment in braces matches any segment. If several routes match an attempt,
// the one that was set last counts. Setting the same limit again changes nothing but that order.
func (l *Account) LimitRoute(operation string, limit Rate) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	if err := l.sched.routes.limit(operation, limit, now, l.supplied); err != nil {
		return err
	}
	l.dispatch(now)
	return nil
}

// State returns the present state. Reading it does not change the pace.
func (l *Account) State() State {
	l.mu.Lock()
	defer l.mu.Unlock()
	state := l.sched.state(l.now())
	state.PausedUntil = l.byClock(state.PausedUntil)
	for i := range state.Routes {
		state.Routes[i].PausedUntil = l.byClock(state.Routes[i].PausedUntil)
	}
	return state
}

// dispatch gives out places and sets the timer for the next one.
func (l *Account) dispatch(now time.Time) {
	wait := l.sched.dispatch(now)
	if wait == 0 {
		if l.timer != nil {
			l.timer.Stop()
			l.timer = nil
		}
		return
	}
	wait = min(wait, longestWindow)
	if l.timer == nil {
		l.timer = time.AfterFunc(wait, l.onTimer)
	} else {
		l.timer.Reset(wait)
	}
}

// onTimer may be called once more after the timer was stopped.
func (l *Account) onTimer() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.dispatch(l.now())
}
