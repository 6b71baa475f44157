package monitoring

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

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

	// ErrNoMatchingChecks is the 404 with which the service says that the filters of a trigger
	// match no check. It matches ErrNotFound, too. The 404 of a proxy or of a wrong base
	// address is only an ErrNotFound.
	ErrNoMatchingChecks error = &errValue{"monitoring: no matching checks", ErrNotFound}
	// ErrNotCompleted is the 408 of a completion: the session still runs. Call again.
	ErrNotCompleted = newErrValue("monitoring: not completed yet")
	// ErrOutcomeUnknown is the error of a trigger or a create that may or may not have been carried
	// out. Find out before you send it again. For a create, look for the name in the list. No
	// operation lists sessions, so after a trigger look for new results of the checks, or trigger
	// again if a second run does no harm.
	ErrOutcomeUnknown = newErrValue("monitoring: outcome unknown")
	// ErrCarriedOut is the error of a trigger, create or update that was carried out, but whose
	// response cannot be used: it has status 204 and no body, is JSON that does not fit its type or
	// lacks the id, or has more sessions than can be awaited. Do not send it again. The Partial of a
	// [*DecodeError] may have the id; otherwise look for the name in the list. No error matches both
	// ErrCarriedOut and ErrOutcomeUnknown.
	ErrCarriedOut = newErrValue("monitoring: carried out, but the response cannot be used")
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

// APIError is a response that is not a success, except for a redirect that was not followed, which
// matches [ErrRedirect]. The body may be anything: JSON as documented, other JSON, HTML or nothing.
//
// Tests of your own code can make an APIError: set StatusCode for the Err values of a status, and
// Kind for the others.
type APIError struct {
	// StatusCode is the HTTP status, even if the body has another one.
	StatusCode int
	// Kind is ErrNoMatchingChecks, ErrNotCompleted or ErrOutcomeUnknown if the error is one of
	// these, and nil otherwise. errors.Is matches it.
	Kind error
	// Reason and Message are the members error and message of the body; empty if it had none.
	// They are at most 64 KiB long, without control characters and line breaks.
	Reason  string
	Message string
	// Code is the member errorCode of the body, which few operations have.
	Code string
	// Attributes and Validation are the raw JSON of these objects in the body; nil if it had
	// none. Validation says which part of a request was wrong: {"source": "payload", "keys":
	// ["frequency"]}.
	Attributes json.RawMessage
	Validation json.RawMessage
	// Method and Path are the method and the path of the request. The path does not have the
	// prefix of the base address, and has a placeholder for the id of an account.
	Method string
	Path   string
	// Attempts is how often the request was sent.
	Attempts int
	// RetryAfter is the wait that the response asked for; 0 if it did not.
	RetryAfter time.Duration
	// Header is the header of the response. It may have cookies, so it is left out of JSON.
	Header http.Header `json:"-" xml:"-"`
	// Body is the beginning of the body, at most 64 KiB. Secrets of the request are removed from
	// it as from all texts here. If it has too many escapes to find them all, it is empty; other
	// texts are then "[text removed: too many escapes]".
	Body []byte `json:"-" xml:"-"`

	base   string // host and prefix of the base address
	class  exchange.Class
	form   exchange.Form // the format of the body
	listed bool          // the path has no id, so that it cannot be the service that does not have it
	begins string        // the beginning of a body that is not JSON, in quotation marks
	note   string        // further information, for example that the retry budget was used up
}

const (
	checkAddress   = "check the base address and any proxy in front of the service"
	shownBeginning = 60 // characters of a body that is not JSON
)

// Error returns the operation, the address, the status, the message and the attempts, and
// what to do if that is known.
func (e *APIError) Error() string {
	if e == nil {
		return "monitoring: no error"
	}
	var b strings.Builder
	b.WriteString("monitoring: ")
	if operation := strings.TrimSpace(e.Method + " " + e.Path); operation != "" {
		b.WriteString(operation)
		if e.base != "" {
			b.WriteString(" at " + e.base)
		}
		b.WriteString(": ")
	}
	if e.StatusCode == 0 { // of an error that a test made
		b.WriteString("the response is not a success")
	} else {
		b.WriteString(strings.TrimSpace(fmt.Sprintf("%d %s", e.StatusCode, http.StatusText(e.StatusCode))))
	}
	if m := scrub.Clean(e.Message); m != "" && m != http.StatusText(e.StatusCode) {
		b.WriteString(": " + m)
	}
	if hint := e.hint(); hint != "" {
		b.WriteString(": " + hint)
	}
	if e.RetryAfter > 0 {
		fmt.Fprintf(&b, ": retry after %s", e.RetryAfter)
	}
	if e.Kind == ErrOutcomeUnknown {
		b.WriteString(": " + outcomeUnknownText)
	}
	writeNotes(&b, e.Attempts, 0, e.note)
	return b.String()
}

const (
	outcomeUnknownText = "it may or may not have been carried out: check before you send it again"
	carriedOutText     = "it was carried out"
)

// hint says what the caller can do about a status.
func (e *APIError) hint() string {
	switch e.StatusCode {
	case http.StatusUnauthorized:
		return "check the API key"
	case http.StatusPaymentRequired:
		return "the plan of the account does not include it"
	case http.StatusForbidden:
		return "the API key has no permission for this in this account"
	case http.StatusTooManyRequests:
		return "the limit of the account is used up"
	case http.StatusNotFound:
		if end := e.base[max(0, len(e.base)-len("/v1")):]; end == "/v1" || end == "/v2" {
			return fmt.Sprintf("every path begins with %s already: remove it from the end of the base address", end)
		}
		if e.listed && e.form == exchange.FormJSON {
			return "the service has this path: check the prefix of the base address"
		}
	}
	if e.form != exchange.FormJSON && e.form != exchange.FormUnset && e.StatusCode != http.StatusRequestTimeout {
		hint := fmt.Sprintf("the response is %s, not JSON: %s", e.form, checkAddress)
		if e.begins != "" {
			hint += ": it begins with " + e.begins
		}
		return hint
	}
	return ""
}

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

// Format prints the text of the error with every verb: its fields have parts of the response.
func (e *APIError) Format(s fmt.State, verb rune) { formatError(s, verb, "APIError", e.Error()) }

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

// Is makes errors.Is match Kind and the Err value of the status.
func (e *APIError) Is(target error) bool {
	if e == nil {
		return false
	}
	if e.Kind != nil && errors.Is(e.Kind, target) {
		return true
	}
	switch target {
	case ErrBadRequest:
		return e.StatusCode == http.StatusBadRequest
	case ErrUnauthorized:
		return e.StatusCode == http.StatusUnauthorized
	case ErrPaymentRequired:
		return e.StatusCode == http.StatusPaymentRequired
	case ErrForbidden:
		return e.StatusCode == http.StatusForbidden
	case ErrNotFound:
		return e.StatusCode == http.StatusNotFound
	case ErrConflict:
		return e.StatusCode == http.StatusConflict
	case ErrRateLimited:
		return e.StatusCode == http.StatusTooManyRequests
	case ErrServer:
		return e.StatusCode >= 500
	}
	return false
}

// readBody fills in the fields from the body, without the secrets that it has echoed. What is worth
// most comes first, because the scrubber's work for a response is bounded.
func (e *APIError) readBody(body []byte, s *scrub.Scrubber) {
	e.form = exchange.FormIn(e.Header.Get("Content-Type"), body)
	if e.form != exchange.FormJSON && e.form != exchange.FormEmpty {
		e.begins = s.Quote(string(body[:min(len(body), 4*shownBeginning)]), shownBeginning).String()
	}
	e.readMembers(body, s)
	s.Header(e.Header)
	if text := s.CutText(string(body), len(body) == exchange.SkimmedBody); text != scrub.TooManyEscapes { // a longer one was cut
		e.Body = []byte(text)
	}
}

// readMembers reads the members of the body. Each may be missing or of another type; those that
// cannot be read are ignored.
func (e *APIError) readMembers(body []byte, s *scrub.Scrubber) {
	text := func(raw []byte) string {
		var text string
		json.Unmarshal(raw, &text)
		return s.LongLine(text).String()
	}
	body = exchange.WithoutMark(body)
	var members map[string]json.RawMessage
	if json.Unmarshal(body, &members) != nil {
		e.Message = text(body) // it may be a JSON string
		return
	}
	e.Reason, e.Message, e.Code = text(members["error"]), text(members["message"]), text(members["errorCode"])
	e.Attributes, e.Validation = s.JSON(unlessNull(members["attributes"])), s.JSON(unlessNull(members["validation"]))
	if e.Message == "" && e.Reason != http.StatusText(e.StatusCode) {
		e.Message = e.Reason // {"error": "text"}
	}
}

// saysNoMatch reports whether the service itself said that no check matches. The page of a proxy
// does not say so, and neither does the "Not Found" of an unknown path.
func (e *APIError) saysNoMatch() bool {
	if e.StatusCode != http.StatusNotFound || e.form != exchange.FormJSON {
		return false
	}
	said := strings.ToLower(e.Message + " " + strings.ReplaceAll(e.Code, "_", " "))
	if strings.Contains(said, "no matching") {
		return true
	}
	var body struct{ StatusCode int }
	return e.Message == "" && e.Reason == http.StatusText(http.StatusNotFound) &&
		json.Unmarshal(e.Body, &body) == nil && body.StatusCode == http.StatusNotFound
}

// unlessNull is raw, or nil for the JSON null.
func unlessNull(raw json.RawMessage) json.RawMessage {
	if string(raw) == "null" {
		return nil
	}
	return raw
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
	carriedOut bool  // whether it matches ErrCarriedOut
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
// ErrCarriedOut if it was, but has no usable response.
func (e *CallError) Is(target error) bool {
	return e != nil && (e.unknown && target == ErrOutcomeUnknown || e.carriedOut && target == ErrCarriedOut)
}

// DecodeError is a successful response whose body does not fit its type, or is not about what
// was asked for: it is HTML, an error object, or an object with another id. A number with a
// fraction does not fit an id or a count; in seconds, minutes, days and percentages the fraction is
// left out, but written back. The text of the error is the same on every version of Go.
type DecodeError struct {
	// Operation is the method and the path of the operation. It is empty if the JSON was
	// not the response of a call.
	Operation string
	// Path is the JSON path of the first member that cannot be read or is missing, such as
	// $[3].repeatInterval. It is empty if the body as a whole cannot be read.
	Path string
	// Partial is the part that can be read, as JSON that fits the type of the response: members
	// that cannot be read are null. Unmarshal it, for example for the id of a created check. It
	// is the body itself if nothing can be read, and nil if the body is not JSON, or if so much
	// cannot be read that the part would be longer than the body.
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
