package monitoring

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// placeError is the error of an attempt whose context ended before it had a place. It
// matches ErrRateLimited if a pause after a 429 outlasted the context.
type placeError struct {
	end    error // of the context
	paused time.Time
}

func newPlaceError(ctx context.Context, paused time.Time) *placeError {
	return &placeError{end: endOf(ctx), paused: paused}
}

func (e *placeError) Error() string {
	text := "waiting for the rate limit"
	if !e.paused.IsZero() {
		text = fmt.Sprintf("%s, which is paused until %s after a 429", text, e.paused.Format(time.RFC3339))
	}
	return text + ": " + e.end.Error()
}

func (e *placeError) Unwrap() error { return e.end }

func (e *placeError) Is(target error) bool { return target == ErrRateLimited && !e.paused.IsZero() }

var errNoLimit = errors.New("a route cannot have a limit, because WithoutRateLimit is set")
