package await

import (
	"context"
	"slices"
	"sync"
	"time"
)

// board has what the goroutines of a wait tell each other about its things.
type board[S any] struct {
	changed func(before, after *S) bool
	ends    chan ending[S] // the things whose wait has ended; made by begin
	fresh   chan struct{}  // has a value if a thing has changed since the loop looked

	mu       sync.Mutex // guards what follows, and the things
	things   []*thing[S]
	left     int // things whose end the loop has not received
	unplaced int // things that have not had their first request
}

// thing is one thing on the board, which owns it: nothing else touches the fields below the id.
type thing[S any] struct {
	id string

	stop    context.CancelFunc // ends its poller
	seen    *S                 // as last seen; nil if it was not
	seenAt  time.Time          // the beginning of the wait as long as seen is nil
	failure error              // of the last request; nil if it did not fail
	due     time.Time          // when it needs its next place
	every   time.Duration      // the time from one place to the next
	placed  bool               // it has had its first place
	over    bool               // its ending was sent
	ended   bool               // and it is Done
	told    bool               // the loop has received the ending
}

// ending is why the wait for a thing ended.
type ending[S any] struct {
	of      *thing[S]
	reason  Reason
	state   *S            // if it is Done
	failure error         // otherwise
	failing time.Duration // if it is GaveUp
}

func newBoard[S any](changed func(before, after *S) bool) *board[S] {
	return &board[S]{changed: changed, fresh: make(chan struct{}, 1)}
}

// add adds a thing to a wait that began then. state is what is known of it now; nil if nothing is.
// every is the time from one place to the next as long as that is not known.
func (b *board[S]) add(id string, state *S, every time.Duration, began time.Time) *thing[S] {
	t := &thing[S]{id: id, seen: state, seenAt: began, due: began, every: every}
	if state != nil {
		t.seenAt = time.Now()
	}
	b.things = append(b.things, t)
	b.left, b.unplaced = len(b.things), len(b.things)
	return t
}

// begin makes the board ready for the goroutines. stops end the pollers of the things.
func (b *board[S]) begin(stops []context.CancelFunc) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ends = make(chan ending[S], len(b.things))
	for i, t := range b.things {
		t.stop = stops[i]
	}
}

// end records why the wait for a thing ended, once, and ends its poller.
func (b *board[S]) end(e ending[S]) {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := e.of
	if t.over {
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
func (b *board[S]) finish(e ending[S]) End[S] {
	b.mu.Lock()
	defer b.mu.Unlock()
	e.of.told = true
	b.left--
	if e.reason == Done {
		return End[S]{ID: e.of.id, State: e.state, SeenAt: e.of.seenAt}
	}
	end := e.of.end(e.reason, e.failure)
	end.Failing = e.failing
	return end
}

// interrupted returns the End of a thing that still runs when the wait ends, and false for a
// thing whose ending the loop has received.
func (b *board[S]) interrupted(t *thing[S], reason Reason) (End[S], bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return t.end(reason, t.failure), !t.told
}

// end makes the End of a thing as it was last seen. The caller holds the lock.
func (t *thing[S]) end(reason Reason, failure error) End[S] {
	end := End[S]{ID: t.id, Reason: reason, State: t.seen, Err: failure}
	if t.seen != nil {
		end.SeenAt = t.seenAt
	}
	return end
}

// saw records the present state of a thing.
func (b *board[S]) saw(t *thing[S], state *S) {
	b.mu.Lock()
	defer b.mu.Unlock()
	news := t.seen == nil || b.changed(t.seen, state)
	t.seen, t.seenAt = state, time.Now()
	if news {
		select {
		case b.fresh <- struct{}{}:
		default: // the loop has not handled the last one yet
		}
	}
}

// note records the failure of the last request about a thing; nil if it did not fail.
func (b *board[S]) note(t *thing[S], failure error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	t.failure = failure
}

// place records that a request about a thing has its place. If it is a poll, it asks to be held
// for hold, which is otherwise 0.
func (b *board[S]) place(t *thing[S], hold time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if hold > 0 {
		t.due = time.Now().Add(hold)
	}
	if !t.placed {
		t.placed = true
		b.unplaced--
	}
}

// schedule records that a poller will need its next place after a pause, and when it began the
// request before.
func (b *board[S]) schedule(t *thing[S], began time.Time, pause time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	t.due = time.Now().Add(pause)
	t.every = max(t.due.Sub(began), time.Second)
}

// needs returns the times at which the things that run need their next places, how many places
// they take per second, and whether all had their first request. look is called with each of these
// things, whether it was seen, and when; that is the beginning of the wait if it was not.
func (b *board[S]) needs(look func(t *thing[S], seen bool, at time.Time)) (due []time.Time, perSecond float64, allPlaced bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, t := range b.things {
		if t.over {
			continue
		}
		due = append(due, t.due)
		perSecond += 1 / t.every.Seconds()
		look(t, t.seen != nil, t.seenAt)
	}
	return due, perSecond, b.unplaced == 0
}

// running returns the number of things that run.
func (b *board[S]) running() (n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, t := range b.things {
		if !t.over {
			n++
		}
	}
	return n
}

// stalest returns the things that run, the one that was seen longest ago first.
func (b *board[S]) stalest() (things []*thing[S]) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, t := range b.things {
		if !t.over {
			things = append(things, t)
		}
	}
	slices.SortStableFunc(things, func(a, b *thing[S]) int { return a.seenAt.Compare(b.seenAt) })
	return things
}

// leftRunning returns the things that are not Done and whose ending the loop has not received.
func (b *board[S]) leftRunning() (things []*thing[S]) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, t := range b.things {
		if !t.told && !t.ended {
			things = append(things, t)
		}
	}
	return things
}

// unfinished reports whether the loop has to receive more endings.
func (b *board[S]) unfinished() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.left > 0
}

// progress returns how far the wait is.
func (b *board[S]) progress() Progress[S] {
	b.mu.Lock()
	defer b.mu.Unlock()
	p := Progress[S]{Total: len(b.things), Finished: len(b.things) - b.left, States: make([]*S, len(b.things))}
	now := time.Now()
	for i, t := range b.things {
		p.States[i] = t.seen
		if !t.over {
			p.Oldest = max(p.Oldest, now.Sub(t.seenAt))
		}
	}
	return p
}
