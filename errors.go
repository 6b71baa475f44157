package monitoring

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

// Errors to test for with errors.Is. Those that name a status match every [*APIError] with
// that status.
var (
	// ErrBadRequest is status 400: the service did not accept the request.
	ErrBadRequest = newErrValue("monitoring: bad request")
	// ErrUnauthorized is status 401: the API key is missing or not valid.
	ErrUnauthorized = newErrValue("monitoring: unauthorized")
	// ErrPaymentRequired is status 402: the plan does not include the operation, or allows no more
	// objects of the kind.
	ErrPaymentRequired = newErrValue("monitoring: payment required")
	// ErrForbidden is status 403: the key has no permission for the operation.
	ErrForbidden = newErrValue("monitoring: forbidden")
	// ErrNotFound is status 404: there is no such object.
	ErrNotFound = newErrValue("monitoring: not found")
	// ErrConflict is status 409: the request conflicts with the present state, such as the delete of
	// a group that still has checks.
	ErrConflict = newErrValue("monitoring: conflict")
	// ErrRateLimited is status 429: the limit is exceeded, for example because other programs
	// use the limit of the account as well.
	ErrRateLimited = newErrValue("monitoring: rate limited")
	// ErrServer is any status of 500 or more.
	ErrServer = newErrValue("monitoring: server error")

	// ErrNoMatchingChecks is the 404, or the 403 with a code, with which the service says that the
	// filters of a trigger match no check. It matches ErrNotFound, too. The 404 of a proxy or of a
	// wrong base address is only an ErrNotFound.
	ErrNoMatchingChecks error = &errValue{"monitoring: no matching checks", ErrNotFound}
	// ErrNotCompleted is the 408 of a completion: the session still runs. Call again.
	ErrNotCompleted = newErrValue("monitoring: not completed yet")
	// ErrOutcomeUnknown is the error of a trigger or a create that may or may not have been carried
	// out. Find out before you send it again. For a create, look for the name in the list. No
	// operation lists sessions, so after a trigger look for new results of the checks, or trigger
	// again if a second run does no harm.
	ErrOutcomeUnknown = newErrValue("monitoring: outcome unknown")
	// ErrResultLost is the error of a trigger or create that was carried out, but whose response
	// cannot be used. The response has status 204 and no body, does not fit its type, lacks the id, or
	// has more sessions than can be awaited. Do not send it again. The Partial of a [*DecodeError] may
	// have the id; otherwise look for the name in the list. No update matches it, because an update
	// can be sent again. No error matches both ErrResultLost and ErrOutcomeUnknown.
	ErrResultLost = newErrValue("monitoring: carried out, but the response cannot be used")
	// ErrResponseTooLarge is a response over the limit of [WithMaxResponseSize], or one that would
	// take far more memory than its size.
	ErrResponseTooLarge = newErrValue("monitoring: response too large")
	// ErrRedirect is a redirect that was not followed, because it leads away from the
	// base address or changes the method.
	ErrRedirect = newErrValue("monitoring: redirect refused")
)

// errValue is the type of the Err values. Some also match a more general one.
type errValue struct {
	text  string
	wider error
}

func newErrValue(text string) error { return &errValue{text: text} }

func (e *errValue) Error() string { return e.text }
func (e *errValue) Unwrap() error { return e.wider }

// OfACall keeps an Err value that is the cause of a context from being matched by the calls that
// the context ends; see [exchange.OfACall].
func (e *errValue) OfACall() {}

const (
	checkAddress   = "check the base address and any proxy in front of the service"
	shownBeginning = 60 // characters of a body that is not JSON
)

const (
	outcomeUnknownText = "it may or may not have been carried out: check before you send it again"
	carriedOutText     = "it was carried out"
)

// textOf returns the text of an error of these parts. Those that are empty are left out.
func textOf(parts ...string) string {
	return "monitoring: " + strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), ": ")
}

// writeNotes adds the number of attempts, the last status and the note.
func writeNotes(b *strings.Builder, attempts, lastStatus int, note string) {
	var notes []string
	if attempts > 1 {
		notes = append(notes, fmt.Sprintf("after %d attempts", attempts))
	}
	if lastStatus != 0 {
		notes = append(notes, fmt.Sprintf("last status %d", lastStatus))
	}
	if note != "" {
		notes = append(notes, note)
	}
	if len(notes) > 0 {
		b.WriteString(" (" + strings.Join(notes, ", ") + ")")
	}
}

// formatError prints an error. Verbs that are not for texts print the text, too.
func formatError(s fmt.State, verb rune, kind, text string) {
	switch {
	case verb == 'v' && s.Flag('#'):
		fmt.Fprintf(s, "&monitoring.%s{%q}", kind, text)
	case strings.ContainsRune("sqxX", verb):
		fmt.Fprintf(s, fmt.FormatString(s, verb), text)
	default:
		io.WriteString(s, text)
	}
}

// CallError is a call that got no usable response: the connection failed, the context ended, or the
// body of a success was cut. Examine the reason with errors.Is and errors.As.
type CallError struct {
	// Operation is the method and the path of the request.
	Operation string
	// Attempts is how often the request was sent; 0 if it never was.
	Attempts int
	// LastStatus is the status of the last response; 0 if there was none.
	LastStatus int
	// Err is the reason.
	Err error

	base       string
	class      exchange.Class
	unknown    bool  // whether it matches ErrOutcomeUnknown
	carriedOut bool  // whether it matches ErrResultLost
	last       error // the failure of the attempt before the context ended, or nil
	note       string
	retry      bool // whether the call may succeed later
}

// Error returns the operation, the reason and the attempts.
func (e *CallError) Error() string {
	if e == nil {
		return "monitoring: no error"
	}
	var b strings.Builder
	b.WriteString("monitoring: ")
	if e.Operation != "" {
		b.WriteString(e.Operation)
		if e.base != "" && e.Attempts > 0 {
			b.WriteString(" at " + e.base)
		}
		b.WriteString(": ")
	}
	reason := "no response"
	if d, ok := e.Err.(*DecodeError); ok {
		reason = d.reason()
	} else if e.Err != nil {
		reason = scrub.Clean(strings.TrimPrefix(e.Err.Error(), "monitoring: "))
	}
	b.WriteString(reason)
	if e.last != nil {
		b.WriteString(": the last attempt failed: " + scrub.Clean(strings.TrimPrefix(e.last.Error(), "monitoring: ")))
	}
	if e.unknown {
		b.WriteString(": " + outcomeUnknownText)
	}
	writeNotes(&b, e.Attempts, e.LastStatus, e.note)
	return b.String()
}

// Unwrap returns the reason.
func (e *CallError) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.Err
}

// Is makes errors.Is match ErrOutcomeUnknown if the operation may have been carried out, and
// ErrResultLost if it was, but has no usable response.
func (e *CallError) Is(target error) bool {
	return e != nil && (e.unknown && target == ErrOutcomeUnknown || e.carriedOut && target == ErrResultLost)
}

// DecodeError is a success whose body does not fit its type, or is not about what was asked for.
// Examples are HTML, an error object, and an object with another id. A number with a fraction does
// not fit an id or a count; in seconds, minutes, days and percentages the fraction is left out, but
// written back. The text of the error is the same on every version of Go.
type DecodeError struct {
	// Operation is the method and the path of the operation. It is empty if the JSON was
	// not the response of a call.
	Operation string
	// Path is the JSON path of the first member that cannot be read or is missing, such as
	// $[3].repeatInterval. It is empty if the body as a whole cannot be read.
	Path string
	// Partial is the part that can be read, as JSON that fits the type of the response: members that
	// cannot be read are null. Unmarshal it, for example for the id of a created check. It is the body
	// itself if nothing can be read. It is nil if the body is not JSON, or if the part would be longer
	// than the body.
	Partial json.RawMessage `json:"-" xml:"-"`
	// Err is the reason.
	Err error

	fault exchange.Fault // Lost if it is cut off or no JSON, Useless if it is HTML or an error object
}

// Error returns the operation, the path and the reason.
func (e *DecodeError) Error() string {
	if e == nil {
		return "monitoring: no error"
	}
	if e.Operation != "" {
		return "monitoring: " + e.Operation + ": " + e.reason()
	}
	return "monitoring: " + e.reason()
}

// Format prints the text of the error with every verb: Partial has a part of the response.
func (e *DecodeError) Format(s fmt.State, verb rune) { formatError(s, verb, "DecodeError", e.Error()) }

// reason returns the text without the operation.
func (e *DecodeError) reason() string {
	text := "read the response"
	if e.Path != "" {
		text += ": " + scrub.Clean(e.Path)
	}
	if e.Err != nil {
		text += ": " + scrub.Clean(e.Err.Error())
	}
	return text
}

// means says what has become of the operation.
func (e *DecodeError) means() exchange.Fault {
	if e.fault == exchange.NoFault {
		return exchange.Unreadable
	}
	return e.fault
}

// Unwrap returns the reason.
func (e *DecodeError) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.Err
}

// repeatableError is an error of a call that may be made again: it was refused before anything was
// sent, or it was a read. A [*ValidationError] says that itself.
type repeatableError struct{ err error }

func (e *repeatableError) Error() string { return e.err.Error() }
func (e *repeatableError) Unwrap() error { return e.err }

// repeatable returns the error of a call that may be made again; nil for nil.
func repeatable(err error) error {
	if _, says := err.(*ValidationError); says || err == nil {
		return err
	}
	return &repeatableError{err}
}
