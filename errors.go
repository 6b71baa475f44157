package monitoring

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
	"unicode"
)

// Errors to test for with errors.Is. Those that stand for a status match every
// [*APIError] with that status.
var (
	// ErrBadRequest is status 400: the service did not accept the request.
	ErrBadRequest = errors.New("monitoring: bad request")
	// ErrUnauthorized is status 401: the API key is missing or not valid.
	ErrUnauthorized = errors.New("monitoring: unauthorized")
	// ErrPaymentRequired is status 402: the plan does not include it.
	ErrPaymentRequired = errors.New("monitoring: payment required")
	// ErrForbidden is status 403: the key may not do this.
	ErrForbidden = errors.New("monitoring: forbidden")
	// ErrNotFound is status 404.
	ErrNotFound = errors.New("monitoring: not found")
	// ErrConflict is status 409.
	ErrConflict = errors.New("monitoring: conflict")
	// ErrRateLimited is status 429: other programs use up the account's limit.
	ErrRateLimited = errors.New("monitoring: rate limited")
	// ErrServer is any status from 500 on.
	ErrServer = errors.New("monitoring: server error")

	// ErrNoMatchingChecks is the 404 of a trigger whose filters match no check. It is
	// also an ErrNotFound.
	ErrNoMatchingChecks = errors.New("monitoring: no matching checks")
	// ErrNotCompleted is the 408 of a completion: the session still runs. Ask again.
	ErrNotCompleted = errors.New("monitoring: not completed yet")
	// ErrOutcomeUnknown is in the chain of an error of a trigger or a create that may
	// or may not have been carried out. Look at the service before repeating it.
	ErrOutcomeUnknown = errors.New("monitoring: outcome unknown")
	// ErrResponseTooLarge is a response over the cap of [WithMaxResponseSize].
	ErrResponseTooLarge = errors.New("monitoring: response too large")
	// ErrRedirect is a redirect that was not followed, because it leads away from the
	// base address or changes the method.
	ErrRedirect = errors.New("monitoring: redirect refused")
)

// APIError is an answer of the service that is not a success, save a redirect that was
// not followed, which is [ErrRedirect]. It is there whatever
// the body was: JSON as documented, JSON of another shape, HTML, nothing.
type APIError struct {
	// StatusCode is the HTTP status, which counts even where the body says another.
	StatusCode int
	// Reason and Message are the body's error and message; empty where it had none.
	Reason  string
	Message string
	// Code is the body's errorCode, which few routes have.
	Code string
	// Attributes and Validation are objects of the body, as they came; nil where it
	// had none. Validation tells which part of a request was wrong: {"source":
	// "payload", "keys": ["frequency"]}.
	Attributes json.RawMessage
	Validation json.RawMessage
	// Method and Path are those of the request.
	Method string
	Path   string
	// Attempts is how often the request was sent.
	Attempts int
	// RetryAfter is how long the service asked to wait; 0 where it did not.
	RetryAfter time.Duration
	// Header is the header of the answer.
	Header http.Header
	// Body is the beginning of the body, at most 64 KiB.
	Body []byte `json:"-"`

	operation string // for the text; an account's id is not spelled out in it
	also      []error
}

// Error tells the operation, the status, the message and the attempts.
func (e *APIError) Error() string {
	var b strings.Builder
	operation := e.operation
	if operation == "" {
		operation = e.Method + " " + e.Path
	}
	fmt.Fprintf(&b, "monitoring: %s: %d %s", operation, e.StatusCode, http.StatusText(e.StatusCode))
	if m := clean(e.Message); m != "" && m != http.StatusText(e.StatusCode) {
		b.WriteString(": " + m)
	}
	switch e.StatusCode {
	case http.StatusUnauthorized:
		b.WriteString(": check the API key")
	case http.StatusPaymentRequired:
		b.WriteString(": the plan of the account does not include it")
	case http.StatusForbidden:
		b.WriteString(": the API key may not do this in this account")
	case http.StatusTooManyRequests:
		b.WriteString(": the limit of the account is used up")
	}
	if e.RetryAfter > 0 {
		fmt.Fprintf(&b, ": retry after %s", e.RetryAfter)
	}
	if e.Is(ErrOutcomeUnknown) {
		b.WriteString(": " + outcomeUnknownText)
	}
	if e.Attempts > 1 {
		fmt.Fprintf(&b, " (after %d attempts)", e.Attempts)
	}
	return b.String()
}

const outcomeUnknownText = "it may or may not have been carried out, look before repeating it"

// GoString keeps the body out of the %#v form.
func (e *APIError) GoString() string { return fmt.Sprintf("&monitoring.APIError{%q}", e.Error()) }

// Is makes errors.Is match the Err values of the status and of the operation.
func (e *APIError) Is(target error) bool {
	for _, err := range e.also {
		if err == target {
			return true
		}
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

// readBody fills in what the body tells. Every member may be missing or of another
// type; what cannot be read is left out.
func (e *APIError) readBody(body []byte) {
	e.Body = body
	var members map[string]json.RawMessage
	if json.Unmarshal(body, &members) != nil {
		json.Unmarshal(body, &e.Message) // a bare string
		return
	}
	readMember(members, "error", &e.Reason)
	readMember(members, "message", &e.Message)
	readMember(members, "errorCode", &e.Code)
	e.Attributes = object(members["attributes"])
	e.Validation = object(members["validation"])
	if e.Message == "" && e.Reason != http.StatusText(e.StatusCode) {
		e.Message = e.Reason // {"error": "text"}
	}
}

// scrub takes secrets out of what the service echoed.
func (e *APIError) scrub(scrub *strings.Replacer) {
	e.Message, e.Reason, e.Code = scrub.Replace(e.Message), scrub.Replace(e.Reason), scrub.Replace(e.Code)
	e.Body = []byte(scrub.Replace(string(e.Body)))
	for _, raw := range []*json.RawMessage{&e.Attributes, &e.Validation} {
		if *raw == nil {
			continue
		}
		if *raw = json.RawMessage(scrub.Replace(string(*raw))); !json.Valid(*raw) {
			*raw = json.RawMessage(`"` + redacted + `"`)
		}
	}
}

func object(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	return raw
}

// clean makes a text of the service fit for one line of a log.
func clean(s string) string {
	const most = 500
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return strings.TrimSpace(s)
}

// Violation is one broken rule of a request.
type Violation struct {
	// Path is the JSON path of the field (retryStrategy.type), or the name of a
	// parameter.
	Path string
	// Message says what is wrong.
	Message string
}

// String returns the path and the message.
func (v Violation) String() string { return v.Path + ": " + v.Message }

// ValidationError says that a request breaks rules of the API document. Nothing was
// sent. It lists every broken rule.
type ValidationError struct {
	// Operation is the method and the path of the operation.
	Operation  string
	Violations []Violation
}

// Error lists the broken rules.
func (e *ValidationError) Error() string {
	list := make([]string, len(e.Violations))
	for i, v := range e.Violations {
		list[i] = v.String()
	}
	return fmt.Sprintf("monitoring: %s: invalid request, nothing was sent: %s", e.Operation, strings.Join(list, "; "))
}

// callError is a call that got no answer.
type callError struct {
	operation  string
	err        error
	attempts   int
	lastStatus int // of the last attempt that had one, 0 for none
	unknown    bool
}

func (e *callError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "monitoring: %s: %s", e.operation, strings.TrimPrefix(e.err.Error(), "monitoring: "))
	if e.unknown {
		b.WriteString(": " + outcomeUnknownText)
	}
	var notes []string
	if e.attempts > 1 {
		notes = append(notes, fmt.Sprintf("after %d attempts", e.attempts))
	}
	if e.lastStatus != 0 {
		notes = append(notes, fmt.Sprintf("last status %d", e.lastStatus))
	}
	if len(notes) > 0 {
		b.WriteString(" (" + strings.Join(notes, ", ") + ")")
	}
	return b.String()
}

func (e *callError) Unwrap() error { return e.err }

func (e *callError) Is(target error) bool { return e.unknown && target == ErrOutcomeUnknown }
