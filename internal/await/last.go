package await

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/workers"
)

const (
	lastReadsTime   = 5 * time.Second
	lastReadsAtOnce = 16
	lastReadAgain   = time.Second // after a failure
)

// lastReads reads the things that still run once more, the one that was seen longest ago first.
// It returns when all were read, or after five seconds; the team may still be ending then.
func (r *requests[S]) lastReads(ctx context.Context, team *workers.Group) {
	ctx, stop := context.WithTimeout(ctx, lastReadsTime)
	defer stop()
	things := r.board.stalest()
	var next atomic.Int64
	readers := min(len(things), lastReadsAtOnce)
	done := make(chan struct{}, readers)
	for range readers {
		team.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(things)) && ctx.Err() == nil; i = next.Add(1) - 1 {
				r.lastRead(ctx, things[i])
			}
			done <- struct{}{}
		})
	}
	for range readers {
		select {
		case <-done:
		case <-ctx.Done():
			return
		case <-team.Broken():
			return
		}
	}
}

// lastRead reads a thing for the last time, and again after a failure while there is time. Its
// poller may still be ending.
func (r *requests[S]) lastRead(ctx context.Context, t *thing[S]) {
	for {
		response, _ := r.read(ctx, t)
		switch {
		case response.Outcome == Ended:
			r.board.end(ending[S]{of: t, reason: Done, state: response.State})
			return
		case response.Outcome == Runs:
			r.board.saw(t, response.State)
			r.board.note(t, nil)
			return
		case interrupted(ctx, response.Err):
			return
		case !response.mayPass():
			r.board.end(ending[S]{of: t, reason: Failed, failure: response.Err})
			return
		}
		r.board.note(t, response.Err)
		if !sleep(ctx, lastReadAgain) {
			return
		}
	}
}
