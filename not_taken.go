package monitoring

import (
	"fmt"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/keep"
)

// NotTakenError is the error of an update that the service answered with a success, although the
// answer is not what was asked for. The method returns the object with the error.
type NotTakenError struct {
	// Operation is the operation, such as PUT /v1/checks/{id}.
	Operation string
	// Changes are first the changes that were asked for and that the answer does not show, because
	// it has the value of before. Then come the changes that the answer shows and nobody asked for.
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

// notTaken returns a *NotTakenError if the answer to an update is not what was asked for.
func (o *ongoing) notTaken(answer keeper) error {
	missed, unasked := o.taken(keep.Of(keep.Kept(answer)))
	if len(missed)+len(unasked) == 0 {
		return nil
	}
	return &NotTakenError{Operation: o.name(), Changes: changesOf(append(missed, unasked...)), Object: answer, unasked: len(unasked)}
}
