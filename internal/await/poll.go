package await

import (
	"context"
	"time"
)

const (
	heldPauseMost = 15 * time.Second // after responses that come at once
	failPauseMost = 10 * time.Second // after failures, to notice soon when the service is back
	heldLeast     = time.Second      // a poll that lasted so long was held open
	readsStepIn   = 2                // failed polls in a row after which the thing is read instead
	readsAtLeast  = 15 * time.Second // for how long it is read then, before a poll is tried again
	readsAtMost   = 5 * time.Minute  // doubled up to this after each further failure
	absentPoll    = time.Minute      // the same if there seem to be no polls
	readEvery     = 5 * time.Second  // the least time between two of these reads
	readsShare    = 2                // all of them take one in so many places of the limit
)

// poller sends the requests about one thing. Its goroutine owns it.
type poller[S any] struct {
	*requests[S]
	thing    *thing[S]
	newUntil time.Time     // until then the service may not know the thing yet
	timeout  time.Time     // of the wait; zero if there is none
	giveUp   time.Duration // the longest time of failures

	look     bool // the thing is read before it is polled
	holds    holds
	misses   int       // failed polls in a row
	again    time.Time // when a poll is tried again; until then the thing is read
	setbacks int       // requests in a row that the service did not hold open
	failing  time.Time // since when there were only failures; zero if the last request did not fail
}

// watch sends one request after the other until the thing is done or has failed, or the wait ends:
// all of these end the context.
func (p *poller[S]) watch(ctx context.Context) {
	for {
		var pause time.Duration
		began := time.Now()
		if p.look || began.Before(p.again) {
			pause = p.readOnce(ctx)
		} else {
			pause = p.pollOnce(ctx)
		}
		p.board.schedule(p.thing, began, pause)
		if !sleep(ctx, pause) {
			return
		}
	}
}

// pollOnce sends one poll. It returns the pause before the next request.
func (p *poller[S]) pollOnce(ctx context.Context) time.Duration {
	hold := p.hold(ctx)
	r, began := p.poll(ctx, p.thing, hold)
	lasted := time.Since(began)
	switch r.Outcome {
	case Ended:
		p.board.end(ending[S]{of: p.thing, reason: Done, state: r.State})
		return 0
	case Runs:
		if r.State != nil {
			p.board.saw(p.thing, r.State)
		}
		p.responded()
		p.polled(hold, lasted)
	case Absent:
		// There is no poll. A read shows whether there is the thing.
		p.misses++
		p.again = time.Now().Add(doubled(absentPoll, p.misses-1, readsAtMost))
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
func (p *poller[S]) polled(hold, lasted time.Duration) {
	p.misses, p.again = 0, time.Time{}
	if lasted < heldLeast {
		p.setbacks++
		return
	}
	p.setbacks = 0
	p.holds.held(min(hold, lasted), time.Now())
}

// missed records a poll without a response: the time it asked for, and the time it lasted.
func (p *poller[S]) missed(hold, lasted time.Duration) {
	now := time.Now()
	p.misses++
	if p.misses >= readsStepIn {
		p.again = now.Add(doubled(readsAtLeast, p.misses-readsStepIn, readsAtMost))
	}
	if lasted < heldLeast {
		return
	}
	p.holds.wasCut(hold, lasted, now)
	if p.misses == 1 {
		p.setbacks = 0 // the next poll asks for less
	}
}

// readOnce reads the thing instead of polling it: before its first poll, and if polls fail. It
// returns the pause before the next request.
func (p *poller[S]) readOnce(ctx context.Context) time.Duration {
	r, began := p.read(ctx, p.thing)
	switch {
	case r.Outcome == Ended:
		p.board.end(ending[S]{of: p.thing, reason: Done, state: r.State})
		return 0
	case r.Outcome == Runs:
		p.board.saw(p.thing, r.State)
		p.responded()
		p.setbacks = 0
		if p.look {
			p.look = false
			return 0
		}
		return p.untilRead()
	case r.Outcome == Absent && time.Now().Before(p.newUntil):
		p.misses, p.again = 0, time.Time{}
		p.setbacks++
		p.failed(began, r.Err)
		return p.pause(r)
	}
	p.failedOrEnds(ctx, began, r)
	p.look = false
	return p.pause(r)
}

// hold is how long the next poll asks to be held: no longer than the rest of the wait.
func (p *poller[S]) hold(ctx context.Context) time.Duration {
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
func (p *poller[S]) responded() {
	p.failing = time.Time{}
	p.board.note(p.thing, nil)
}

// failed records a failure.
func (p *poller[S]) failed(began time.Time, err error) {
	if p.failing.IsZero() {
		p.failing = began
	}
	p.board.note(p.thing, err)
}

// failedOrEnds records a failure. It ends the wait for the thing if another request would fail,
// too, or if there were only failures for longer than GiveUpAfter.
func (p *poller[S]) failedOrEnds(ctx context.Context, began time.Time, r Response[S]) {
	if interrupted(ctx, r.Err) {
		return
	}
	if !r.mayPass() {
		p.board.end(ending[S]{of: p.thing, reason: Failed, failure: r.Err})
		return
	}
	first := p.failing.IsZero()
	p.failed(began, r.Err)
	p.setbacks++
	if failing := time.Since(p.failing); !first && failing > p.giveUp {
		p.board.end(ending[S]{of: p.thing, reason: GaveUp, failure: r.Err, failing: failing})
	}
}

// pause is the time before the next request: none after one that the service held open, and a
// growing one after others, so that a proxy which responds at once, or a service that is down,
// causes no hot loop.
func (p *poller[S]) pause(r Response[S]) time.Duration {
	var pause time.Duration
	if p.setbacks > 0 {
		most := heldPauseMost
		if !p.failing.IsZero() {
			most = failPauseMost
		}
		pause = doubled(time.Second, p.setbacks-1, most)
	}
	return max(pause, r.Pause)
}

// doubled is a time that is doubled so many times, but not beyond the most.
func doubled(d time.Duration, times int, most time.Duration) time.Duration {
	return min(d<<min(times, 8), most)
}

// untilRead is the time between two reads of a thing whose polls fail.
func (p *poller[S]) untilRead() time.Duration {
	running, perSecond := p.board.running(), p.service.Room().PerSecond
	return max(readEvery, time.Duration(readsShare*float64(running)/perSecond*float64(time.Second)))
}
