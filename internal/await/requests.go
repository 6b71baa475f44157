package await

import (
	"context"
	"errors"
	"time"
)

// requests makes the requests of a wait. Only one of them at a time waits for a place in the
// limit, so that other waits get places in between.
type requests[S any] struct {
	service Service[S]
	board   *board[S]
	turn    chan struct{} // has a value while a request waits for a place; a channel keeps the order
}

func newRequests[S any](service Service[S]) *requests[S] {
	return &requests[S]{service, newBoard(service.Changed), make(chan struct{}, 1)}
}

// poll polls a thing, and returns when the request got its place.
func (r *requests[S]) poll(ctx context.Context, t *thing[S], hold time.Duration) (Response[S], time.Time) {
	return r.send(ctx, t, hold, func(placed func()) Response[S] { return r.service.Poll(ctx, t.id, hold, placed) })
}

// read reads a thing, and returns when the request got its place.
func (r *requests[S]) read(ctx context.Context, t *thing[S]) (Response[S], time.Time) {
	return r.send(ctx, t, 0, func(placed func()) Response[S] { return r.service.Read(ctx, t.id, placed) })
}

// send makes a request when it is its turn.
func (r *requests[S]) send(ctx context.Context, t *thing[S], hold time.Duration, call func(placed func()) Response[S]) (Response[S], time.Time) {
	select {
	case r.turn <- struct{}{}:
	case <-ctx.Done():
		return Response[S]{Outcome: Temporary, Err: ctx.Err()}, time.Now()
	}
	began := time.Now()
	waits := true
	passOn := func() {
		if waits {
			waits = false
			r.board.place(t, hold)
			<-r.turn
		}
	}
	defer passOn()
	response := call(func() {
		began = time.Now()
		passOn()
	})
	return response, began
}

// interrupted reports whether a failure is the end of the context. It says nothing about the
// thing.
func interrupted(ctx context.Context, err error) bool {
	return ctx.Err() != nil && (errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded))
}

// sleep waits for a time. It returns false if the context has ended.
func sleep(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// mayPass reports whether the failure may pass.
func (r Response[S]) mayPass() bool { return r.Outcome == Temporary || r.Outcome == Limited }
