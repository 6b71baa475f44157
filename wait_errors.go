package monitoring

import (
	"fmt"
	"strings"
	"time"
)

// waitError is the end of a waiting, and the last failure before it, if there was one.
type waitError struct{ reason, failure error }

func (e *waitError) Error() string {
	text := strings.TrimPrefix(e.reason.Error(), "monitoring: ")
	if e.failure != nil {
		text += ": the last request failed: " + strings.TrimPrefix(e.failure.Error(), "monitoring: ")
	}
	return text
}

// Unwrap lets both match. A failure that has to do with another context would be taken for
// the end of this one.
func (e *waitError) Unwrap() []error {
	if e.failure == nil || isContextError(e.failure) {
		return []error{e.reason}
	}
	return []error{e.reason, e.failure}
}

// waitTimeout is ErrWaitTimeout with the time.
type waitTimeout struct{ after time.Duration }

func (e *waitTimeout) Error() string        { return fmt.Sprintf("not finished within %s", e.after) }
func (e *waitTimeout) Is(target error) bool { return target == ErrWaitTimeout }

// gaveUpError is the end of patience.
type gaveUpError struct{ after time.Duration }

func (e *gaveUpError) Error() string {
	return fmt.Sprintf("nothing but failures for %s", e.after.Round(time.Second))
}
