package monitoring

import (
	"fmt"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/keep"
	"github.com/monitoring-api/monitoring-go/internal/updates"
)

// answered returns an error if the answer to an update is not what was asked for, or no longer has
// what the update left out.
func (o *activeCall) answered(body *updates.Body, answer any) error {
	object, ok := answer.(keeper)
	if !ok {
		return nil
	}
	read := keep.Of(keep.Kept(object))
	if missed, unasked := body.NotTaken(read); len(missed)+len(unasked) > 0 {
		return &NotTakenError{Operation: o.name(), Changes: changesOf(append(missed, unasked...)), Object: answer, unasked: len(unasked)}
	}
	if reset := body.Reset(read); len(reset) > 0 {
		return &WithheldResetError{Operation: o.name(), Reset: reset, Object: answer}
	}
	return nil
}

// NotTakenError is the error of an update that succeeded, although its response does not show what
// was asked for. The method returns the object with the error.
type NotTakenError struct {
	// Operation is the operation, such as PUT /v1/checks/{id}.
	Operation string
	// Changes are first the requested changes that the response does not show, because it still has
	// the old value. Then come the changes that the response shows, but that were not requested.
	Changes []Change
	// Object is the object as it came back, such as a [*Check].
	Object any

	unasked int // how many of the changes, at the end, nobody asked for
}

func (e *NotTakenError) Error() string {
	var lines []string
	for i, c := range e.Changes {
		what := " (was not made)"
		if i >= len(e.Changes)-e.unasked {
			what = " (was not asked for)"
		}
		lines = append(lines, c.String()+what)
	}
	return fmt.Sprintf("monitoring: %s: the service answered with a success, but did not do what was asked for: %s: "+
		"read the object again, and set what is wrong", e.Operation, strings.Join(lines, "; "))
}

// WithheldResetError is the error of an update that was carried out, after which the service no
// longer has what the update left out: it is empty there, or items of it are gone. What an update
// leaves out is named by [CheckGroupUpdate.Withheld]. The method returns the object with the error.
// [WithCompleteUpdates] refuses such updates instead.
type WithheldResetError struct {
	// Operation is the operation, such as PUT /v2/check-groups/{id}.
	Operation string
	// Reset are the members that were reset.
	Reset []string
	// Object is the object as it came back, such as a [*CheckGroup].
	Object any
}

func (e *WithheldResetError) Error() string {
	return fmt.Sprintf("monitoring: %s: the update was carried out, but the service no longer has what it left out (%s): "+
		"set it again, and use WithCompleteUpdates with this service", e.Operation, strings.Join(e.Reset, ", "))
}
