package await

import (
	"context"
	"iter"
	"slices"
	"sync"
	"time"
)

// board has what the goroutines of a wait tell each other about its things.
type board struct {
	changed func(before, after any) bool
	ends    chan ending   // the things whose wait has ended; made by begin
	fresh   chan struct{} // has a value if a thing has changed since the loop looked

	mu     sync.Mutex // guards what follows, and the things
	things []*thing
	left   int // things whose end the loop has not received
}

// thing is one thing on the board, which guards the fields below stop.
type thing struct {
	id       string
	newUntil time.Time          // until then the service may not know it yet
	stop     context.CancelFunc // ends its poller

	seen      any       // as last seen; nil if it was not
	seenAt    time.Time // the beginning of the wait as long as seen is nil
	failure   error     // of the last request; nil if it did not fail
	fails     int       // how many requests in a row failed
	asked     time.Time // when the refresher read it for the last time
	notBefore time.Time // the service asked for no request before
	over      bool      // its ending was sent
	ended     bool      // and it is Done
	received  bool      // the loop has received the ending
	closed    bool      // it ran when the wait ended: no ending is taken any more
	cancelled bool      // the service has agreed to end it
}

// ending is why the wait for a thing ended.
type ending struct {
	of      *thing
	reason  Reason
	state   any           // if it is Done
	failure error         // otherwise
	failing time.Duration // if it is GaveUp
}

func newBoard(changed func(before, after any) bool) *board {
	return &board{changed: changed, fresh: make(chan struct{}, 1)}
}

// add adds a thing to a wait that began then.
func (b *board) add(a Thing, began time.Time) *thing {
	t := &thing{id: a.ID, newUntil: a.NewUntil, seen: a.State, seenAt: began}
	if a.State != nil {
		t.seenAt = time.Now()
	}
	b.things = append(b.things, t)
	b.left = len(b.things)
	return t
}

// isNew reports whether a response without the thing only shows that it is new.
func (t *thing) isNew(r Response) bool {
	return r.Outcome == Absent && time.Now().Before(t.newUntil)
}

// begin makes the board ready for the goroutines. stops end the pollers of the things.
func (b *board) begin(stops []context.CancelFunc) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ends = make(chan ending, len(b.things))
	for i, t := range b.things {
		t.stop = stops[i]
	}
}

// end records why the wait for a thing ended, once, and ends its poller.
func (b *board) end(e ending) {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := e.of
	if t.over || t.closed {
		return
	}
	t.over = true
	if e.reason == Done {
		t.ended, t.seen, t.seenAt = true, e.state, time.Now()
	}
	b.ends <- e // has room for one ending of each thing
	t.stop()
}

// finish records that the loop has received an ending, and returns it for the caller.
func (b *board) finish(e ending) End {
	b.mu.Lock()
	defer b.mu.Unlock()
	e.of.received = true
	b.left--
	if e.reason == Done {
		return End{ID: e.of.id, State: e.state, SeenAt: e.of.seenAt}
	}
	end := e.of.end(e.reason, e.failure)
	end.Failing = e.failing
	return end
}

// interrupted returns the End of a thing that still runs when the wait ends, and false for a
// thing whose ending was sent.
func (b *board) interrupted(t *thing, reason Reason) (End, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	t.closed = !t.over
	return t.end(reason, t.failure), t.closed
}

// end makes the End of a thing as it was last seen. The caller holds the lock.
func (t *thing) end(reason Reason, failure error) End {
	end := End{ID: t.id, Reason: reason, State: t.seen, Err: failure, Cancelled: t.cancelled}
	if t.seen != nil {
		end.SeenAt = t.seenAt
	}
	return end
}

// saw records the present state of a thing.
func (b *board) saw(t *thing, state any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	news := t.seen == nil || b.changed(t.seen, state)
	if t.seen == nil {
		t.newUntil = time.Time{} // the service knows it
	}
	t.seen, t.seenAt = state, time.Now()
	if news {
		select {
		case b.fresh <- struct{}{}:
		default: // the loop has not handled the last one yet
		}
	}
}

// note records the failure of the last request about a thing; nil if it did not fail.
func (b *board) note(t *thing, failure error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	t.failure, t.fails = failure, t.fails+1
	if failure == nil {
		t.fails = 0
	}
}

// pauses records that the service asked for a pause.
func (b *board) pauses(t *thing, asked time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	t.notBefore = time.Now().Add(asked)
}

// asking records that the refresher reads a thing now.
func (b *board) asking(t *thing) {
	b.mu.Lock()
	defer b.mu.Unlock()
	t.asked = time.Now()
}

// running yields the things that run. The board is locked meanwhile.
func (b *board) running() iter.Seq[*thing] {
	return func(yield func(*thing) bool) {
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, t := range b.things {
			if !t.over && !yield(t) {
				return
			}
		}
	}
}

// stalest returns the things that run, the one that was seen longest ago first.
func (b *board) stalest() []*thing {
	things := slices.Collect(b.running())
	b.mu.Lock()
	defer b.mu.Unlock()
	slices.SortStableFunc(things, func(a, b *thing) int { return a.seenAt.Compare(b.seenAt) })
	return things
}

// wasCancelled records that the service has agreed to end a thing.
func (b *board) wasCancelled(t *thing) {
	b.mu.Lock()
	defer b.mu.Unlock()
	t.cancelled = true
}

// leftRunning returns the things that are not Done and whose ending the loop has not received.
func (b *board) leftRunning() (things []*thing) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, t := range b.things {
		if !t.received && !t.ended {
			things = append(things, t)
		}
	}
	return things
}

// unfinished reports whether the loop has to receive more endings.
func (b *board) unfinished() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.left > 0
}

// progress returns how far the wait is.
func (b *board) progress() Progress {
	b.mu.Lock()
	defer b.mu.Unlock()
	p := Progress{Total: len(b.things), Finished: len(b.things) - b.left, States: make([]any, len(b.things))}
	now := time.Now()
	for i, t := range b.things {
		p.States[i] = t.seen
		if !t.over {
			p.Oldest = max(p.Oldest, now.Sub(t.seenAt))
		}
	}
	return p
}
