package await

import (
	"context"
	"errors"
	"time"
)

// requests makes the requests of a wait, each in its turn.
type requests struct {
	service Service
	board   *board
	turns   turns
}

// poll polls a thing, and returns when the request got its place. The caller has a turn.
func (r *requests) poll(ctx context.Context, t *thing, hold time.Duration) (Response, time.Time) {
	return r.send(func(placed func()) Response { return r.service.Poll(ctx, t.id, hold, placed) })
}

// read reads a thing, and returns when the request got its place. The caller has a turn.
func (r *requests) read(ctx context.Context, t *thing) (Response, time.Time) {
	return r.send(func(placed func()) Response { return r.service.Read(ctx, t.id, placed) })
}

// send makes a request, and ends the turn as soon as the request has its place.
func (r *requests) send(call func(placed func()) Response) (response Response, began time.Time) {
	began = time.Now()
	passed := false
	pass := func() {
		if !passed {
			passed = true
			r.turns.pass()
		}
	}
	defer pass()
	response = call(func() {
		began = time.Now()
		pass()
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
func (r Response) mayPass() bool { return r.Outcome == Temporary || r.Outcome == Limited }
