package monitoring

import (
	"cmp"
	"errors"
	"slices"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
)

// SafeToRetry reports whether the call that returned err can be repeated without doing anything
// twice. It is true for reads, updates, deletes and cancels, and for triggers and creates that
// certainly had no effect.
//
// It is false for nil, [ErrOutcomeUnknown], [ErrResultLost], errors of a wait, and errors of other
// packages. Of joined errors, all must be safe.
//
// It does not tell whether repeating the call would help: a 400 is safe to repeat, and fails again.
// The client has already made its own retries, so limit yours; see [RetryPolicy].
func SafeToRetry(err error) bool {
	return err != nil && !errors.Is(err, ErrOutcomeUnknown) && !errors.Is(err, ErrResultLost) && isSafe(err)
}

// isSafe is SafeToRetry for an error that does not match the two values.
func isSafe(err error) bool {
	switch e := err.(type) {
	case *APIError:
		return e != nil && e.StatusCode != 0 &&
			(cmp.Or(e.class, exchange.ClassOf(e.Method)) != exchange.Unsafe || !exchange.MayBeCarriedOut(e.StatusCode))
	case *CallError:
		return e != nil && e.class != 0 // one of a call: what was done matches one of the two values
	case *ValidationError:
		return e != nil
	case *StaleUpdateError: // nothing was written
		return e != nil
	case *WithheldResetError: // of an update
		return e != nil
	case *UpdateIgnoredError:
		return e != nil
	case *PageError: // of a read, as the next one
		return e != nil
	case *ItemError:
		return e != nil
	case *repeatableError:
		return true
	case *SessionError, *waitError:
		return false
	case interface{ Unwrap() []error }:
		all := e.Unwrap()
		return len(all) > 0 && !slices.ContainsFunc(all, func(err error) bool { return !isSafe(err) })
	case interface{ Unwrap() error }:
		return isSafe(e.Unwrap())
	}
	return false
}
