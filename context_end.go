package monitoring

import (
	"context"
	"reflect"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

// contextEnd is the error of an ended context. It always matches context.Canceled or
// context.DeadlineExceeded. The text has the context's cause, if there is one. errors.Is
// matches the cause by identity only, because it is not the error of this call: a cause that
// is an APIError, for example, must not match ErrNotFound here.
type contextEnd struct{ err, cause error }

// endOf returns the error of an ended context, or nil if it has not ended.
func endOf(ctx context.Context) error {
	err := ctx.Err()
	if err == nil {
		return nil
	}
	return &contextEnd{err: err, cause: context.Cause(ctx)}
}

func (e *contextEnd) Error() string {
	if e.cause == nil || e.cause.Error() == e.err.Error() {
		return e.err.Error()
	}
	return e.err.Error() + ": " + scrub.Clean(e.cause.Error())
}

func (e *contextEnd) Unwrap() error { return e.err }

// An Err value as the cause says nothing about the call that the context ended.
func (e *contextEnd) Is(target error) bool {
	_, ours := target.(*errValue)
	return target != nil && reflect.TypeOf(target).Comparable() && target == e.cause && !ours
}

// Timeout reports whether the deadline has passed, as for a net.Error.
func (e *contextEnd) Timeout() bool { return e.err == context.DeadlineExceeded }

// sleep waits for a time. If the context ends before, it returns the context's error.
func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return endOf(ctx)
	}
	select {
	case <-ctx.Done():
		return endOf(ctx)
	case <-time.After(d):
		return nil
	}
}
