package await

import (
	"context"
	"slices"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/workers"
)

const (
	staleAfter  = 30 * time.Second       // the age at which a state is read again
	unseenDelay = 5 * time.Second        // before a thing is read if states are not kept fresh
	readsAtOnce = 8                      // of the refresher
	lookAgain   = 500 * time.Millisecond // if there was no place for a read
)

// refresher reads things so that what is known of them stays fresh, with places that nothing else
// waits for. It begins when each thing has had its first request, with the one that was seen
// longest ago. Its goroutine owns it.
type refresher[S any] struct {
	*requests[S]
	team  *workers.Group
	began time.Time // the beginning of the wait
	keep  bool      // states are kept fresh; otherwise only things that were not seen are read, once

	next  time.Time               // it sends no read before
	asked map[*thing[S]]time.Time // when it read each thing for the last time
}

// run reads things until the context ends or nothing will have to be read.
func (f *refresher[S]) run(ctx context.Context) {
	places := make(chan struct{}, readsAtOnce)
	for {
		t, pause := f.takeNext(time.Now())
		if t == nil {
			if pause == 0 || !sleep(ctx, pause) {
				return
			}
			continue
		}
		select {
		case places <- struct{}{}:
		case <-ctx.Done():
			return
		}
		f.team.Go(func() {
			defer func() { <-places }()
			switch r, _ := f.read(ctx, t); r.Outcome { // failures are left to the poller
			case Ended:
				f.board.end(ending[S]{of: t, reason: Done, state: r.State})
			case Runs:
				f.board.saw(t, r.State)
			}
		})
	}
}

// takeNext takes the thing to read now, or nil and the pause before the next look; 0 if
// nothing will have to be read.
func (f *refresher[S]) takeNext(now time.Time) (*thing[S], time.Duration) {
	room := f.service.Room()
	var next *thing[S]
	var at time.Time // when next is to be read
	due, polls, allPlaced := f.board.needs(func(t *thing[S], seen bool, seenAt time.Time) {
		if when, ok := f.toRead(t, seen, seenAt); ok && (next == nil || when.Before(at)) {
			next, at = t, when
		}
	})
	if next == nil {
		return nil, 0
	}
	between, ok := room.between(polls)
	if !ok || !allPlaced {
		return nil, lookAgain
	}
	if wait := max(at.Sub(now), f.next.Sub(now)); wait > 0 {
		return nil, wait
	}
	slices.SortFunc(due, time.Time.Compare)
	if !room.spare(now, due) {
		return nil, lookAgain
	}
	f.next = now.Add(between)
	f.asked[next] = now
	return next, 0
}

// toRead is when a thing is to be read; false if it is not.
func (f *refresher[S]) toRead(t *thing[S], seen bool, seenAt time.Time) (time.Time, bool) {
	asked, once := f.asked[t]
	unknown := !seen && !once
	switch {
	case !f.keep:
		return f.began.Add(unseenDelay), unknown
	case unknown:
		return f.began, true
	case asked.After(seenAt):
		return asked.Add(staleAfter), true
	}
	return seenAt.Add(staleAfter), true
}
