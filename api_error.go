package monitoring

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

// APIError is a response with an error status, other than a refused redirect.
//
// To test how your code handles errors, make an APIError: set StatusCode to match the error value
// of a status, and Kind for the rest.
type APIError struct {
	// StatusCode is the HTTP status, whatever the body states.
	StatusCode int
	// Kind is [ErrNoMatchingChecks], [ErrNotCompleted] or [ErrOutcomeUnknown] if the error matches
	// one of these, or nil.
	Kind error
	// Reason and Message are the fields error and message of the body. They are at most 64 KiB
	// long, without control characters and line breaks.
	Reason  string
	Message string
	// Code is the field errorCode of the body, which few operations have.
	Code string
	// Attributes and Validation are these fields of the body, or nil. Validation names the wrong
	// part of a request: {"source": "payload", "keys": ["frequency"]}.
	Attributes json.RawMessage
	Validation json.RawMessage
	// Method and Path are those of the request. Path lacks the prefix of the base URL, and has
	// a placeholder for the id of an account.
	Method string
	Path   string
	// Attempts is how often the request was sent.
	Attempts int
	// RetryAfter is the delay that the response asked for, or 0.
	RetryAfter time.Duration
	// Header is that of the response. It may contain cookies, so JSON leaves it out.
	Header http.Header `json:"-" xml:"-"`
	// Body is the beginning of the body, up to 64 KiB. Secrets of the request are removed from it,
	// and from the strings above. If it has too many escapes to find them all, it is empty, and a
	// string is "[text removed: too many escapes]".
	Body []byte `json:"-" xml:"-"`

	object       string // the name of what a create makes, see inBrackets
	base         string // host and prefix of the base URL
	class        exchange.Class
	form         exchange.Form // the format of the body
	listed       bool          // the path has no id, so that it cannot be the service that does not have it
	needsAccount bool          // the service asks for the account, of which the call names none
	begins       string        // the beginning of a body that is not JSON, in quotation marks
	note         string        // further information, for example that the retry budget was used up

	recovery recovery
}

// Error returns the operation, the address, the status and message, the number of attempts, and
// what to do if that is known.
func (e *APIError) Error() string {
	if e == nil {
		return "monitoring: no error"
	}
	operation := strings.TrimSpace(e.Method+" "+e.Path) + e.object
	if operation != "" && e.base != "" {
		operation += " at " + e.base
	}
	status, message := "the response is not a success", scrub.Clean(e.Message)
	if e.StatusCode != 0 { // else a test made the error
		status = statusText(e.StatusCode)
	}
	if message == http.StatusText(e.StatusCode) {
		message = ""
	}
	why, advice := e.hint()
	if e.RetryAfter > 0 && e.Kind != ErrOutcomeUnknown { // else the caller must look first
		advice = advices(advice, fmt.Sprintf("retry after %s", e.RetryAfter))
	}
	outcome, first := outcomeText(e.Kind == ErrOutcomeUnknown, false, e.recovery)
	return textOf(operation, status, message, why, outcome, advices(first, advice)) + notes(e.Attempts, 0, e.note)
}

// hint says what a status means, and what the caller can do about it.
func (e *APIError) hint() (why, advice string) {
	if e.form == exchange.FormHTML && slices.Contains([]int{401, 402, 403, 429}, e.StatusCode) {
		return e.notJSON(), checkAddress // a gateway has answered, which knows nothing of keys and plans
	}
	if e.needsAccount {
		return "", "pass WithAccount, because the key belongs to a user"
	}
	switch e.StatusCode {
	case http.StatusUnauthorized:
		return "", "check the API key"
	case http.StatusPaymentRequired:
		return "the plan of the account does not allow this", ""
	case http.StatusForbidden:
		return "the API key has no permission for this in this account", ""
	case http.StatusTooManyRequests:
		return "the rate limit of the account or of this operation is used up", ""
	case http.StatusNotFound:
		if end := e.base[max(0, len(e.base)-len("/v1")):]; end == "/v1" || end == "/v2" {
			return "every path begins with " + end + " already", "remove it from the end of the base URL"
		}
		if e.listed && e.form == exchange.FormJSON {
			return "the service lacks this operation, or the path of the base URL is wrong", ""
		}
	}
	if e.form != exchange.FormJSON && e.form != exchange.FormUnset && e.StatusCode != http.StatusRequestTimeout {
		return e.notJSON(), checkAddress
	}
	return "", ""
}

// notJSON says what the body is that is not JSON.
func (e *APIError) notJSON() string {
	if e.form == exchange.FormEmpty {
		return "the response is empty"
	}
	text := fmt.Sprintf("the response is %s, not JSON", e.form)
	if e.begins != "" {
		text += " (" + e.begins + ")"
	}
	return text
}

// Format prints Error, whatever the verb, because fields may contain secrets.
func (e *APIError) Format(s fmt.State, verb rune) { formatError(s, verb, "APIError", e.Error()) }

// Is makes the error match Kind and the error value of its status.
func (e *APIError) Is(target error) bool {
	if e == nil {
		return false
	}
	if e.Kind != nil && errors.Is(e.Kind, target) || errors.Is(e.recovery.end, target) {
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
		e.begins = beginningOf(body, s).String()
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
	if e.form != exchange.FormJSON || e.StatusCode < 400 || e.StatusCode >= 500 {
		return false
	}
	if strings.Contains(strings.ToLower(strings.ReplaceAll(e.Code, "_", " ")), "no matching") {
		return true // with 403 in a part of the API
	}
	if e.StatusCode != http.StatusNotFound {
		return false
	}
	if strings.Contains(strings.ToLower(e.Message), "no matching") {
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
