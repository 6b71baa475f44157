package monitoring

import (
	"cmp"
	"errors"
	"slices"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
)

// SafeToRetry reports whether a failed call can be sent again without being carried out twice. That
// is so for a read, an update, a delete and a cancel, and for a trigger or create that was
// certainly not carried out.
//
// It is false for nil, for [ErrOutcomeUnknown] and [ErrResultLost], for the errors of a wait,
// whose trigger was carried out, and for errors that are not of this package. An error that joins
// or wraps several is safe if each of them is.
//
// It does not say that a retry helps: a 400, a 402 and a [*ValidationError] are safe, too, but
// would only come again. So limit the number of retries. The client has made its own retries
// already; see [RetryPolicy].
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
