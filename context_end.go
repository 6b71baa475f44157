package monitoring

import (
	"context"
	"reflect"
	"time"
)

// contextEnd is the end of a context: it always matches context.Canceled or
// context.DeadlineExceeded. The cause, if the context has one of its own, is in the text and
// matches errors.Is by identity only: it is the error of something else, and this call must
// not pass for it.
type contextEnd struct{ err, cause error }

// endOf is the end of a context, or nil while it lasts.
func endOf(ctx context.Context) error {
	err := ctx.Err()
	if err == nil {
		return nil
	}
	return &contextEnd{err: err, cause: context.Cause(ctx)}
}

func (e *contextEnd) Error() string {
	if e.cause == nil || e.cause == e.err || e.cause.Error() == e.err.Error() {
		return e.err.Error()
	}
	return e.err.Error() + ": " + clean(e.cause.Error())
}

func (e *contextEnd) Unwrap() error { return e.err }

func (e *contextEnd) Is(target error) bool {
	return target != nil && reflect.TypeOf(target).Comparable() && target == e.cause && !isOurs(target)
}

// Timeout tells whether it was the deadline, as net.Error does.
func (e *contextEnd) Timeout() bool { return e.err == context.DeadlineExceeded }

// isOurs reports whether an error is one of the values of this package. As the cause of a
// context it says nothing about the call that the context ended.
func isOurs(err error) bool {
	switch err {
	case ErrBadRequest, ErrUnauthorized, ErrPaymentRequired, ErrForbidden, ErrNotFound, ErrConflict, ErrRateLimited,
		ErrServer, ErrNoMatchingChecks, ErrNotCompleted, ErrOutcomeUnknown, ErrResponseTooLarge, ErrRedirect, ErrWaitTimeout:
		return true
	}
	return false
}

// sleep waits, or returns the end of the context.
func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return endOf(ctx)
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return endOf(ctx)
	case <-timer.C:
		return nil
	}
}
