package await

import (
	"context"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/workers"
)

// refresher reads things so that what is known of them stays fresh, beside their polls. Such a read
// has its turn only if no other request of the wait waits for one. In the last part of the Timeout
// it is the other way round: reads go first until each thing was seen once more, so that the End of
// each has a state of that time. Its goroutine owns it.
type refresher struct {
	*requests
	team  *workers.Group
	began time.Time // the beginning of the wait
	late  time.Time // the beginning of the last part; zero if there is no Timeout
	pace  time.Time // it sends no read that is not urgent before
	keep  bool      // states are kept fresh; otherwise only things that were not seen are read, once
}

// run reads things until the context ends or nothing will have to be read.
func (f *refresher) run(ctx context.Context) {
	for ctx.Err() == nil {
		now := time.Now()
		t, at, urgent := f.next(now)
		if t == nil {
			return
		}
		if !urgent {
			at = later(at, f.pace)
		}
		if at.After(now) {
			sleep(ctx, at.Sub(now))
			continue
		}
		if !f.takeTurn(ctx, urgent) {
			continue
		}
		now = time.Now()
		if t, at, _ = f.next(now); t == nil || at.After(now) {
			f.turns.pass() // meanwhile it was seen
			continue
		}
		f.board.asking(t)
		f.pace = now.Add(readsApart)
		f.team.Go(func() {
			switch r, _ := f.read(ctx, t); r.Outcome { // failures are left to the poller
			case Ended:
				f.board.end(ending{of: t, reason: Done, state: r.State})
			case Runs:
				f.board.saw(t, r.State)
			}
		})
	}
}

// takeTurn waits for a turn. A read that is not urgent does not wait beyond the beginning of the
// last part.
func (f *refresher) takeTurn(ctx context.Context, urgent bool) bool {
	if urgent {
		return f.turns.take(ctx, atOnce)
	}
	if f.late.After(time.Now()) {
		var stop context.CancelFunc
		ctx, stop = context.WithDeadline(ctx, f.late)
		defer stop()
	}
	return f.turns.take(ctx, whenIdle)
}

// next returns the thing that is to be read next, when, and whether that is urgent; nil if nothing
// will have to be read.
func (f *refresher) next(now time.Time) (next *thing, at time.Time, urgent bool) {
	for t := range f.board.running() {
		when, hurry, ok := f.wanted(t, now)
		if ok && (next == nil || hurry && !urgent || hurry == urgent && when.Before(at)) {
			next, at, urgent = t, when, hurry
		}
	}
	return next, at, urgent
}

// wanted is when a thing is to be read, and whether that is urgent now; false if it is not to be
// read.
func (f *refresher) wanted(t *thing, now time.Time) (at time.Time, urgent, ok bool) {
	late := f.late.After(t.seenAt) // of a thing that was not seen, this is the beginning of the wait
	if late {
		at = f.late
	}
	if f.keep {
		at = earlier(at, t.seenAt.Add(staleAfter))
	}
	if t.seen == nil && (f.keep || t.asked.IsZero()) {
		at = earlier(at, f.began.Add(unseenDelay))
	}
	if at.IsZero() {
		return at, false, false
	}
	if t.asked.After(t.seenAt) {
		at = later(at, t.asked.Add(staleAfter))
	}
	at = later(at, t.notBefore)
	if t.fails >= readsStepIn { // its poller asks for it
		at = later(at, now.Add(unseenDelay))
	}
	return at, late && !now.Before(f.late) && !at.After(now), true
}

// earlier is the earlier of two times; the first may be zero, for none.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || b.Before(a) {
		return b
	}
	return a
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// lastReads reads the things that still run once more, the one that was seen longest ago first. It
// returns when all were read, or after lastReadsTime; the team may still be ending then.
func (r *requests) lastReads(ctx context.Context, team *workers.Group) {
	ctx, stop := context.WithTimeout(ctx, lastReadsTime)
	defer stop()
	things := r.board.stalest()
	done := make(chan struct{}, len(things)) // has a value for each read that did not break
	sent := 0
	for ; sent < len(things) && !broken(team) && r.turns.take(ctx, atOnce); sent++ {
		t := things[sent]
		team.Go(func() {
			r.lastRead(ctx, t)
			done <- struct{}{}
		})
	}
	for range sent {
		select {
		case <-done:
		case <-ctx.Done():
			return
		case <-team.Broken():
			return
		}
	}
}

// lastRead reads a thing for the last time. Its poller may still be ending.
func (r *requests) lastRead(ctx context.Context, t *thing) {
	switch response, _ := r.read(ctx, t); {
	case response.Outcome == Ended:
		r.board.end(ending{of: t, reason: Done, state: response.State})
	case response.Outcome == Runs:
		r.board.saw(t, response.State)
		r.board.note(t, nil)
	case interrupted(ctx, response.Err):
	case response.mayPass() || t.isNew(response):
		r.board.note(t, response.Err)
	default:
		r.board.end(ending{of: t, reason: Failed, failure: response.Err})
	}
}
