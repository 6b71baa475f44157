package await

import (
	"context"
	"time"
)

// poller sends the requests about one thing. Its goroutine owns it.
type poller struct {
	*requests
	thing   *thing
	timeout time.Time     // of the wait; zero if there is none
	giveUp  time.Duration // the longest time of failures

	look     bool      // the thing is read before its next poll
	holds    holds     // without a longest one the thing is never polled
	misses   int       // failed polls in a row
	again    time.Time // when a poll is tried again; until then the thing is read
	quick    int       // responses in a row that came at once
	failures int       // failures in a row
	failing  time.Time // since when there were only failures; zero if the last request did not fail
}

// watch sends one request after the other until the thing is done or has failed, or the wait ends:
// all of these end the context.
func (p *poller) watch(ctx context.Context) {
	for p.turns.take(ctx, inTurn) {
		var pause time.Duration
		if p.look || p.holds.most == 0 || time.Now().Before(p.again) {
			pause = p.readOnce(ctx)
		} else {
			pause = p.pollOnce(ctx)
		}
		if !sleep(ctx, pause) {
			return
		}
	}
}

// pollOnce sends one poll, in its turn. It returns the pause before the next request.
func (p *poller) pollOnce(ctx context.Context) time.Duration {
	hold := p.hold(ctx)
	r, began := p.poll(ctx, p.thing, hold)
	lasted := time.Since(began)
	switch r.Outcome {
	case Ended:
		p.board.end(ending{of: p.thing, reason: Done, state: r.State})
		return 0
	case Runs:
		if r.State != nil {
			p.board.saw(p.thing, r.State)
		}
		p.responded()
		p.polled(hold, lasted)
		p.look = p.quick >= readsStepIn && r.State == nil // it was not the service that responded
	case Absent:
		// There is no poll. A read shows whether there is the thing.
		p.misses = max(p.misses+1, readsStepIn)
		p.again = time.Now().Add(doubled(readEvery, p.misses-readsStepIn, readsAtMost))
		p.failed(began, r.Err)
		return 0
	case Limited:
		p.failedOrEnds(ctx, began, r)
	default:
		p.failedOrEnds(ctx, began, r)
		p.missed(hold, lasted)
	}
	return p.pause(r)
}

// polled records a poll with a response: the time it asked for, and the time it lasted.
func (p *poller) polled(hold, lasted time.Duration) {
	p.misses, p.again = 0, time.Time{}
	if lasted < leastHold {
		p.quick++
		return
	}
	p.quick = 0
	p.holds.held(min(hold, lasted), time.Now())
}

// missed records a poll without a response: the time it asked for, and the time it lasted.
func (p *poller) missed(hold, lasted time.Duration) {
	now := time.Now()
	p.misses++
	if p.misses >= readsStepIn {
		p.again = now.Add(doubled(readEvery, p.misses-readsStepIn, readsAtMost))
	}
	if lasted < leastHold {
		return
	}
	p.holds.wasCut(hold, lasted, now)
	if p.misses == 1 {
		p.failures = 0 // the next poll comes at once, and asks for less
	}
}

// readOnce reads the thing, in its turn: before its first poll, and if there are no polls. It
// returns the pause before the next request.
func (p *poller) readOnce(ctx context.Context) time.Duration {
	first := p.look
	p.look = false
	r, began := p.read(ctx, p.thing)
	switch {
	case r.Outcome == Ended:
		p.board.end(ending{of: p.thing, reason: Done, state: r.State})
		return 0
	case r.Outcome == Runs:
		p.board.saw(p.thing, r.State)
		p.responded()
		switch {
		case p.holds.most == 0:
			p.quick++
			return p.pause(r)
		case first:
			return r.Pause
		}
		return max(p.untilRead(), r.Pause)
	case p.thing.isNew(r):
		p.misses, p.again = 0, time.Time{}
		p.quick++
		p.failed(began, r.Err)
		return max(min(p.pause(r), time.Until(p.thing.newUntil)), r.Pause) // then it is told that there is none
	}
	p.failedOrEnds(ctx, began, r)
	return p.pause(r)
}

// hold is how long the next poll asks to be held: no longer than the rest of the wait.
func (p *poller) hold(ctx context.Context) time.Duration {
	hold := p.holds.next()
	if deadline, ok := ctx.Deadline(); ok {
		hold = min(hold, time.Until(deadline))
	}
	if !p.timeout.IsZero() {
		hold = min(hold, time.Until(p.timeout))
	}
	return max(hold.Truncate(time.Second), leastHold)
}

// responded records a request that did not fail.
func (p *poller) responded() {
	p.failures, p.failing = 0, time.Time{}
	p.board.note(p.thing, nil)
}

// failed records a failure.
func (p *poller) failed(began time.Time, err error) {
	if p.failing.IsZero() {
		p.failing = began
	}
	p.board.note(p.thing, err)
}

// failedOrEnds records a failure. It ends the wait for the thing if another request would fail,
// too, or if there were only failures for longer than GiveUpAfter.
func (p *poller) failedOrEnds(ctx context.Context, began time.Time, r Response) {
	if interrupted(ctx, r.Err) {
		return
	}
	if !r.mayPass() {
		p.board.end(ending{of: p.thing, reason: Failed, failure: r.Err})
		return
	}
	first := p.failing.IsZero()
	p.failed(began, r.Err)
	p.failures++
	if failing := time.Since(p.failing); !first && failing > p.giveUp {
		p.board.end(ending{of: p.thing, reason: GaveUp, failure: r.Err, failing: failing})
	}
}

// pause is the time before the next request: none after one that the service held open. After
// responses that come at once it grows, so that a proxy which responds at once causes no hot loop.
// After failures it grows faster: a service that is down gets no more requests than one that holds
// polls.
func (p *poller) pause(r Response) (pause time.Duration) {
	p.board.pauses(p.thing, r.Pause)
	switch {
	case p.failures > 0:
		pause = doubled(time.Second, 2*(p.failures-1), failPauseMost)
	case p.quick > 0:
		pause = doubled(time.Second, p.quick-1, quickPauseMost)
	}
	return max(pause, r.Pause)
}

// doubled is a time that is doubled this many times, but not beyond the most.
func doubled(d time.Duration, times int, most time.Duration) time.Duration {
	return min(d<<min(times, 8), most)
}

// untilRead is the time between two reads of a thing whose polls fail.
func (p *poller) untilRead() time.Duration {
	running := 0
	for range p.board.running() {
		running++
	}
	return max(readEvery, time.Duration(running)*readsApart)
}
