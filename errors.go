package monitoring

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

// Errors for errors.Is. Those with a status match each [*APIError] with it.
var (
	// ErrBadRequest (400) means that the service did not accept the request.
	ErrBadRequest = newErrValue("monitoring: bad request")
	// ErrUnauthorized (401) means that the API key is missing or invalid.
	ErrUnauthorized = newErrValue("monitoring: unauthorized")
	// ErrPaymentRequired (402) means that the plan does not include the operation, or no more
	// objects of this kind.
	ErrPaymentRequired = newErrValue("monitoring: payment required")
	// ErrForbidden (403) means that the key does not permit the operation.
	ErrForbidden = newErrValue("monitoring: forbidden")
	// ErrNotFound (404) means that there is no such object, or no such operation on this service.
	ErrNotFound = newErrValue("monitoring: not found")
	// ErrConflict (409) means that the request conflicts with the present state: for example, a
	// group that still has checks cannot be deleted.
	ErrConflict = newErrValue("monitoring: conflict")
	// ErrRateLimited (429) means that the rate limit was exceeded, for example because other
	// programs use the account.
	ErrRateLimited = newErrValue("monitoring: rate limited")
	// ErrServer is any status of 500 or more.
	ErrServer = newErrValue("monitoring: server error")

	// ErrNoMatchingChecks means that the filters of a trigger match no check. It also matches
	// ErrNotFound; the 404 of a proxy or of a wrong base URL is only an ErrNotFound.
	ErrNoMatchingChecks error = &errValue{"monitoring: no matching checks", ErrNotFound}
	// ErrNotCompleted (408 of a completion) means that the session is still running. Call again.
	ErrNotCompleted = newErrValue("monitoring: not completed yet")
	// ErrOutcomeUnknown means that a trigger or create may or may not have taken effect: the
	// request was sent, but no usable response came back. Look before you send it again. After a
	// create, look for the object by name, or let [WithCreateRecovery] do so. After a trigger, look
	// for new results, or trigger again if running twice does no harm.
	ErrOutcomeUnknown = newErrValue("monitoring: outcome unknown")
	// ErrResultLost means that a trigger or create succeeded, but that its response is unusable: it
	// is empty (204), has the wrong type, lacks the id, or has more sessions than can be awaited.
	// Do not send it again. The id may be in Partial of a [*DecodeError]; otherwise look for the
	// object by name. An error never matches both ErrResultLost and ErrOutcomeUnknown.
	ErrResultLost = newErrValue("monitoring: succeeded, but the result is lost")
	// ErrResponseTooLarge means that a response is larger than [WithMaxResponseSize] allows, or
	// would take far more memory than its size.
	ErrResponseTooLarge = newErrValue("monitoring: response too large")
	// ErrRedirect means that a redirect was refused, because it leads away from the base URL or
	// changes the method.
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
	checkAddress   = "check the base URL and any proxy in front of the service"
	shownBeginning = 60 // characters of a body that is not JSON
)

// outcomeText says what has become of a trigger or create, and what to do: recovery if that is not
// empty, which says what a search for it has found.
func outcomeText(unknown, carriedOut bool, recovery recovery) (fact, advice string) {
	switch {
	case unknown:
		fact, advice = "the request may have taken effect", "check before you send it again"
	case carriedOut:
		fact, advice = "the request succeeded", "do not send it again"
	}
	if recovery.advice != "" {
		return fact + recovery.found, recovery.advice
	}
	return fact, advice
}

// recovery is what WithCreateRecovery has found, which goes on from what has become of the create,
// and what to do about it.
type recovery struct {
	found, advice string
	end           error // the end of the context, if it ended the search
}

// advices joins what the caller can do; those that are empty are left out.
func advices(list ...string) string {
	return strings.Join(slices.DeleteFunc(list, func(one string) bool { return one == "" }), "; ")
}

// textOf returns the text of an error of these parts. Those that are empty are left out.
func textOf(parts ...string) string {
	return "monitoring: " + strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), ": ")
}

// statusText returns a status as HTTP writes it.
func statusText(status int) string {
	return strings.TrimSpace(fmt.Sprintf("%d %s", status, http.StatusText(status)))
}

// notes returns the number of attempts, the last status and the note, for the end of a text.
func notes(attempts, lastStatus int, note string) string {
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
	if len(notes) == 0 {
		return ""
	}
	return " (" + strings.Join(notes, ", ") + ")"
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

// CallError means that a call got no usable response: the connection failed, the context ended, a
// redirect was refused, or the body of a success made no sense. Match the reason with errors.Is and
// errors.As.
type CallError struct {
	// Operation is the method and path of the request.
	Operation string
	// Attempts is how often the request was sent; 0 if never.
	Attempts int
	// LastStatus is the status of the last response, or 0 if there was none.
	LastStatus int
	// Err is the reason.
	Err error

	object     string // as in APIError
	base       string
	class      exchange.Class
	unknown    bool  // whether it matches ErrOutcomeUnknown
	carriedOut bool  // whether it matches ErrResultLost
	last       error // the failure of the attempt before the context ended, or nil
	note       string
	retry      bool // whether the call may succeed later
	recovery   recovery
}

// Error returns the operation, the reason and the attempts.
func (e *CallError) Error() string {
	if e == nil {
		return "monitoring: no error"
	}
	operation, reason, last, lastStatus, advice := e.Operation+e.object, "no response", "", e.LastStatus, ""
	if operation != "" && e.base != "" && e.Attempts > 0 {
		operation += " at " + e.base
	}
	if d, ok := e.Err.(*DecodeError); ok {
		reason, advice = d.reason(), d.advice
		if lastStatus != 0 {
			reason, lastStatus = statusText(lastStatus)+", "+reason, 0
		}
	} else if e.Err != nil {
		reason = scrub.Clean(strings.TrimPrefix(e.Err.Error(), "monitoring: "))
	}
	if e.last != nil {
		last = "the last attempt failed: " + scrub.Clean(strings.TrimPrefix(e.last.Error(), "monitoring: "))
	}
	outcome, first := outcomeText(e.unknown, e.carriedOut, e.recovery)
	return textOf(operation, reason, last, outcome, advices(first, advice)) + notes(e.Attempts, lastStatus, e.note)
}

// Unwrap returns the reason.
func (e *CallError) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.Err
}

// Is makes the error match [ErrOutcomeUnknown] or [ErrResultLost] if it is one, and the end of the
// context that ended a search of [WithCreateRecovery].
func (e *CallError) Is(target error) bool {
	return e != nil && (e.unknown && target == ErrOutcomeUnknown || e.carriedOut && target == ErrResultLost ||
		errors.Is(e.recovery.end, target))
}

// DecodeError means that the body of a success does not fit its type, or is not about what was
// asked for: for example HTML, an error object (a statusCode of 400 or more, and an error that is a
// string), or an object with a different id. For methods that return one object, {} and null do not
// fit.
//
// A number with a fraction does not fit an id or a count. Elsewhere the fraction is dropped, but
// written back unchanged.
type DecodeError struct {
	// Operation is the method and path of the operation, or empty if the JSON is not from a call.
	Operation string
	// Path is the JSON path of the first field that is missing or does not fit, such as
	// $[3].repeatInterval. It is empty if the body as a whole does not fit.
	Path string
	// Partial is the part of the body that fits, as JSON of the response's type with null for the
	// rest. Unmarshal it, for example to get the id of a created check. It is the body itself if
	// nothing fits, and nil if the body is not JSON or the part would be longer than the body.
	Partial json.RawMessage `json:"-" xml:"-"`
	// Err is the reason.
	Err error

	advice string         // what the caller can do; empty if that is not known
	fault  exchange.Fault // Lost if it is cut off or no JSON, Useless if it is HTML or an error object
}

// Error returns the operation, the path and the reason.
func (e *DecodeError) Error() string {
	if e == nil {
		return "monitoring: no error"
	}
	return textOf(e.Operation, e.reason(), e.advice)
}

// Format prints Error, whatever the verb, because Partial may contain secrets.
func (e *DecodeError) Format(s fmt.State, verb rune) { formatError(s, verb, "DecodeError", e.Error()) }

// reason returns the text without the operation and the advice.
func (e *DecodeError) reason() string {
	text := "unusable response"
	if e.Operation == "" {
		text = "decode JSON"
	}
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
