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

	object string // the name of what would be written, see inBrackets
	edit   string // what an edit did to what, such as edit check group 7; empty if it was no edit
}

// shownViolations is how many broken rules the text of an error lists: a screen. Violations has all
// of them.
const shownViolations = 20

// Error lists the broken rules, at most 20.
func (e *ValidationError) Error() string {
	if e == nil {
		return "monitoring: no error"
	}
	var list []string
	for i, v := range e.Violations {
		if i == shownViolations {
			list = append(list, fmt.Sprintf("and %d more", len(e.Violations)-i))
			break
		}
		list = append(list, scrub.Clean(v.String()))
	}
	if e.edit != "" {
		return textOf(e.edit, "nothing was written", strings.Join(list, "; "))
	}
	return textOf(e.Operation+e.object, "invalid request, not sent", strings.Join(list, "; "))
}

// mostName is how many characters of the name of an object are shown.
const mostName = 60

// shownName returns the name of an object for texts, quoted and on one line.
func shownName(s *scrub.Scrubber, name string) scrub.Line {
	if name == "" {
		return scrub.Line{}
	}
	return s.Quote(name, mostName)
}

// inBrackets returns the name of an object as errors show it after the operation, because operations of
// many objects are equal.
func inBrackets(name string, s *scrub.Scrubber) string {
	if name == "" {
		return ""
	}
	return fmt.Sprintf(" (%s)", shownName(s, name))
}
