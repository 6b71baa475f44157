package monitoring

import (
	"fmt"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

// Violation is a broken rule of a request.
type Violation struct {
	// Path is the JSON path of the field, such as retryStrategy.type, or the name of a parameter.
	Path string
	// Message describes what is wrong.
	Message string
}

// String returns the path and the message.
func (v Violation) String() string { return v.Path + ": " + v.Message }

// ValidationError lists the rules of the API document that a request breaks, at most 1,000. The
// request was not sent; a method that reads before it writes, such as Edit, may have read.
type ValidationError struct {
	// Operation is the method and path of the operation.
	Operation  string
	Violations []Violation

	edit string // what an edit did to what, such as edit check group 7; empty if it was no edit
}

// maxViolations is how many broken rules the text of an error lists: a screen. Violations has all
// of them.
const maxViolations = 20

// Error lists the broken rules, at most 20.
func (e *ValidationError) Error() string {
	if e == nil {
		return "monitoring: no error"
	}
	var list []string
	for i, v := range e.Violations {
		if i == maxViolations {
			list = append(list, fmt.Sprintf("and %d more", len(e.Violations)-i))
			break
		}
		list = append(list, scrub.Clean(v.String()))
	}
	if e.edit != "" {
		return textOf(e.edit, "nothing was written", strings.Join(list, "; "))
	}
	return textOf(e.Operation, "invalid request, not sent", strings.Join(list, "; "))
}
