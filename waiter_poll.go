package monitoring

import (
	"context"
	"errors"
	"time"
)

const (
	waitBackoffMost  = 15 * time.Second // after responses that come at once
	failBackoffMost  = 10 * time.Second // after failures, to notice soon when the service is back
	heldLeast        = time.Second      // a poll that lasted so long was held open
	readsStepIn      = 2                // failed completions in a row after which the session is read instead
	readsAtLeast     = 15 * time.Second
	readsAtMost      = 5 * time.Minute
	readEvery        = 5 * time.Second
	absentCompletion = time.Minute
)

// watch sends one request about a session after the other until the session is done or has
// failed, or the waiting ends: all of these end the context.
func (w *waiter) watch(ctx context.Context, s *watched) {
	for {
		var pause time.Duration
		began := time.Now()
		if s.look || time.Now().Before(s.again) {
			pause = w.readOnce(ctx, s)
		} else {
			pause = w.pollOnce(ctx, s)
		}
		w.mu.Lock()
		s.due = time.Now().Add(pause)
		s.every = max(s.due.Sub(began), time.Second)
		w.mu.Unlock()
		if sleep(ctx, pause) != nil {
			return
		}
	}
}

// pollOnce sends one long poll. It returns the pause before the next request.
func (w *waiter) pollOnce(ctx context.Context, s *watched) time.Duration {
	hold := w.hold(ctx, s)
	var session *CheckSession
	began, err := w.send(ctx, s, hold, func(opts []CallOption) (err error) {
		session, err = w.service.Completion(ctx, s.id, CompletionOptions{MaxWaitSeconds: int(hold / time.Second)}, opts...)
		return err
	})
	if err == nil {
		err = isAbout(session, s.id)
	}
	now, lasted := time.Now(), time.Since(began)
	switch {
	case err == nil && !unfinished(session.Status):
		w.end(s, session, nil)
		return 0
	case err == nil, errors.Is(err, ErrNotCompleted):
		if err == nil {
			w.saw(s, session)
		}
		w.responded(s)
		s.misses, s.again = 0, time.Time{}
		if lasted < heldLeast {
			s.setbacks++
		} else {
			s.setbacks = 0
			s.holds.held(min(hold, lasted), now)
		}
		return w.pause(s, err)
	case isAbsent(err):
		// There is no completion. A read shows whether there is a session.
		s.misses++
		s.again = now.Add(doubled(absentCompletion, s.misses-1, readsAtMost))
		w.failed(s, began, err)
		return 0
	}
	w.fails(ctx, s, began, err)
	if errors.Is(err, ErrRateLimited) {
		return w.pause(s, err)
	}
	s.misses++
	if s.misses >= readsStepIn {
		s.again = now.Add(doubled(readsAtLeast, s.misses-readsStepIn, readsAtMost))
	}
	if lasted >= heldLeast {
		s.holds.wasCut(hold, lasted, now)
		if s.misses == 1 {
			s.setbacks = 0 // the next poll asks for less
		}
	}
	return w.pause(s, err)
}

// readOnce reads a session instead of polling it: before its first poll, and if the
// completion fails. It returns the pause before the next request.
func (w *waiter) readOnce(ctx context.Context, s *watched) time.Duration {
	session, began, err := w.read(ctx, s)
	switch {
	case err == nil && session.Done():
		w.end(s, session, nil)
		return 0
	case err == nil:
		w.saw(s, session)
		w.responded(s)
		s.setbacks = 0
		if s.look {
			s.look = false
			return 0
		}
		return w.untilRead()
	case errors.Is(err, ErrNotFound) && time.Now().Before(s.grace):
		s.misses, s.again = 0, time.Time{}
		s.setbacks++
		w.failed(s, began, err)
		return w.pause(s, err)
	}
	w.fails(ctx, s, began, err)
	s.look = false
	return w.pause(s, err)
}

// lastRead reads a session for the last time, and again after a failure while there is
// time. The goroutine that polled it may still be ending.
func (w *waiter) lastRead(ctx context.Context, s *watched) {
	for {
		session, _, err := w.read(ctx, s)
		switch {
		case err == nil && session.Done():
			w.end(s, session, nil)
			return
		case err == nil:
			w.saw(s, session)
			w.note(s, nil)
			return
		case ctx.Err() != nil && isContextError(err):
			return
		case !temporary(err):
			w.end(s, nil, err)
			return
		}
		w.note(s, err)
		if sleep(ctx, time.Second) != nil {
			return
		}
	}
}

// read reads a session when it is its turn.
func (w *waiter) read(ctx context.Context, s *watched) (session *CheckSession, began time.Time, err error) {
	began, err = w.send(ctx, s, 0, func(opts []CallOption) (err error) {
		session, err = w.service.Get(ctx, s.id, opts...)
		return err
	})
	if err == nil {
		err = isAbout(session, s.id)
	}
	return session, began, err
}

// send makes a call when it is its turn, and returns the time at which it got its place. Only
// one request of a waiting at a time waits for a place, so that other waitings get places
// in between. hold is the time for which the call asks to be held.
func (w *waiter) send(ctx context.Context, s *watched, hold time.Duration, call func([]CallOption) error) (began time.Time, err error) {
	select {
	case w.turn <- struct{}{}:
	case <-ctx.Done():
		return time.Now(), endOf(ctx)
	}
	began = time.Now()
	waits := true
	passOn := func() {
		if waits {
			waits = false
			w.placed(s, hold)
			<-w.turn
		}
	}
	defer passOn()
	err = call(w.inTurn(func() {
		began = time.Now()
		passOn()
	}))
	return began, err
}

// placed records that a request has its place.
func (w *waiter) placed(s *watched, hold time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if hold > 0 {
		s.due = time.Now().Add(hold)
	}
	if !s.placed {
		s.placed = true
		w.unpolled--
	}
}

// hold is how long the next poll of a session asks to be held: no longer than the rest of the
// waiting.
func (w *waiter) hold(ctx context.Context, s *watched) time.Duration {
	hold := s.holds.next()
	if deadline, ok := ctx.Deadline(); ok {
		hold = min(hold, time.Until(deadline))
	}
	if w.options.Timeout > 0 {
		hold = min(hold, time.Until(w.began.Add(w.options.Timeout)))
	}
	return max(hold.Truncate(time.Second), leastHold)
}

// saw records the present state of a session.
func (w *waiter) saw(s *watched, session *CheckSession) {
	w.mu.Lock()
	defer w.mu.Unlock()
	news := s.seen == nil || s.seen.Status != session.Status
	s.seen, s.seenAt = session, time.Now()
	if news {
		select {
		case w.fresh <- struct{}{}:
		default: // the loop has not handled the last one yet
		}
	}
}

// note records the failure of the last request; nil if it did not fail.
func (w *waiter) note(s *watched, failure error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	s.failure = failure
}

// responded records a request that did not fail.
func (w *waiter) responded(s *watched) {
	s.failing = time.Time{}
	w.note(s, nil)
}

// failed records a failure.
func (w *waiter) failed(s *watched, began time.Time, err error) {
	if s.failing.IsZero() {
		s.failing = began
	}
	w.note(s, err)
}

// fails records a failure. It ends the waiting for the session if a retry cannot help, or if
// there were only failures for longer than GiveUpAfter.
func (w *waiter) fails(ctx context.Context, s *watched, began time.Time, err error) {
	if ctx.Err() != nil && isContextError(err) {
		return // it says nothing of the session
	}
	if !temporary(err) {
		w.end(s, nil, err)
		return
	}
	first := s.failing.IsZero()
	w.failed(s, began, err)
	s.setbacks++
	if failing := time.Since(s.failing); !first && failing > w.giveUp {
		w.end(s, nil, &waitError{&gaveUpError{failing}, err})
	}
}

// pause is the time before a session's next request: none after one that the service held
// open, and a growing one after others, so that a proxy which responds 408 at once, or a
// service that is down, causes no hot loop.
func (w *waiter) pause(s *watched, err error) time.Duration {
	var pause time.Duration
	if s.setbacks > 0 {
		most := waitBackoffMost
		if !s.failing.IsZero() {
			most = failBackoffMost
		}
		pause = doubled(time.Second, s.setbacks-1, most)
	}
	return max(pause, min(askedPause(err), w.service.core.policy.MaxRetryAfter))
}

// doubled is a time that is doubled so many times, but not beyond the most.
func doubled(d time.Duration, times int, most time.Duration) time.Duration {
	return min(d<<min(times, 8), most)
}

// untilRead is the time between two reads of a session whose completion fails. All of them
// together take half of the limit at most.
func (w *waiter) untilRead() time.Duration {
	w.mu.Lock()
	running := 0
	for _, s := range w.order {
		if !s.over {
			running++
		}
	}
	w.mu.Unlock()
	perSecond := w.room(time.Now()).perSecond
	return max(readEvery, time.Duration(2*float64(running)/perSecond*float64(time.Second)))
}
