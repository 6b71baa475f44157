package monitoring

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// placeError is the error of an attempt whose context ended before it had a place.
type placeError struct {
	err    error // of the context
	cause  error // of the context, if it differs
	paused time.Time
}

func newPlaceError(ctx context.Context, paused time.Time) *placeError {
	e := &placeError{err: ctx.Err(), paused: paused}
	if cause := context.Cause(ctx); cause != e.err {
		e.cause = cause
	}
	return e
}

func (e *placeError) Error() string {
	text := "waiting for the rate limit"
	if !e.paused.IsZero() {
		text = fmt.Sprintf("%s: the service responded with 429, so that nothing is sent until %s", text, e.paused.Format(time.RFC3339))
	}
	text += ": " + e.err.Error()
	if e.cause != nil {
		text += fmt.Sprintf(" (%s)", e.cause)
	}
	return text
}

func (e *placeError) Unwrap() error { return e.err }

// Is matches ErrRateLimited after a 429, and the cause itself but nothing that it wraps:
// the cause may be the error of another call.
func (e *placeError) Is(target error) bool {
	if target == ErrRateLimited {
		return !e.paused.IsZero()
	}
	return e.cause != nil && sameError(e.cause, target)
}

// sameError is ==, also for errors that cannot be compared.
func sameError(a, b error) (same bool) {
	defer func() {
		if recover() != nil {
			same = false
		}
	}()
	return a == b
}

var errNoLimit = errors.New("there is no rate limit (WithoutRateLimit), so that no route has one")
