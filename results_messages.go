package monitoring

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// Messages returns what went wrong in the run: errors of the request and of scripts, and failed
// assertions; else ErrorGroupMessages; and else a sentence about its flags. It is empty only for a
// run that passed or was degraded. For nil, such as a result that
// [CheckSessionsService.FetchFailingResults] could not fetch, it reports that the result is
// missing.
func (r *CheckResult) Messages() []string {
	if r == nil {
		return []string{"there is no result"}
	}
	if list := r.texts(); len(list) > 0 {
		return list
	}
	if len(r.ErrorGroupMessages) > 0 {
		return r.ErrorGroupMessages
	}
	switch {
	case r.IsCancelled:
		return []string{"it was cancelled"}
	case r.HasErrors:
		return []string{"the service itself had an error"}
	case isTrue(r.OverMaxResponseTime):
		return []string{fmt.Sprintf("the response time of %g ms is over the maxResponseTime", ValueOr(r.ResponseTime, 0))}
	case r.HasFailures:
		return []string{"the run failed, and the result gives no reason"}
	}
	return nil
}

// texts returns what the result itself says about what went wrong.
func (r *CheckResult) texts() (list []string) {
	evaluated := func(requestError *string, extra map[string]json.RawMessage, assertions []ResultAssertion) {
		text := string(extra["requestError"]) // there if it is not a string
		if requestError != nil {
			text = *requestError
		}
		if text != "" {
			list = append(list, text)
			return // the assertions were never evaluated
		}
		for _, a := range assertions {
			if a.Error != "" {
				list = append(list, a.Error)
			}
		}
	}
	errors := func(errs []ResultError) {
		for _, e := range errs {
			if e.Message != "" {
				list = append(list, e.Message)
			} else {
				list = append(list, string(e.Raw))
			}
		}
	}
	if p := r.APICheckResult; p != nil {
		evaluated(p.RequestError, p.Extra, p.Assertions)
	}
	if p := r.BrowserCheckResult; p != nil {
		errors(p.Errors)
	}
	if p := r.MultiStepCheckResult; p != nil {
		errors(p.Errors)
	}
	if p := r.PlaywrightCheckResult; p != nil {
		errors(p.Errors)
	}
	if p := r.AgenticCheckResult; p != nil {
		errors(p.Errors)
		for _, a := range p.Assertions {
			if a.Passed != nil && !*a.Passed {
				list = append(list, a.Condition+": expected "+string(a.Expected)+", got "+string(a.Actual))
			}
		}
	}
	if p := r.TracerouteCheckResult; p != nil {
		evaluated(p.RequestError, p.Extra, p.Assertions)
	}
	if p := r.GRPCCheckResult; p != nil {
		evaluated(p.RequestError, p.Extra, p.Assertions)
	}
	if p := r.SSLCheckResult; p != nil {
		evaluated(p.RequestError, p.Extra, p.Assertions)
	}
	return list
}

// ResultAssertion is an assertion of a check and its outcome. Raw is its JSON, and the other fields
// are those that have the usual type. If the result has a RequestError, its assertions were not
// evaluated.
type ResultAssertion struct {
	Order      int
	Source     string
	Property   string
	Comparison string
	// Target and Actual are any JSON, such as "ok" or 200.
	Target json.RawMessage
	Regex  string
	// Error is how the assertion failed, or empty if it passed.
	Error  string
	Actual json.RawMessage
	Raw    json.RawMessage
}

func (ResultAssertion) readsAny() {}

// UnmarshalJSON accepts any JSON, and keeps it in Raw.
func (a *ResultAssertion) UnmarshalJSON(data []byte) error {
	var members struct {
		Order      int             `json:"order"`
		Source     string          `json:"source"`
		Property   string          `json:"property"`
		Comparison string          `json:"comparison"`
		Target     json.RawMessage `json:"target"`
		Regex      string          `json:"regex"`
		Actual     json.RawMessage `json:"actual"`
	}
	raw := slices.Clone(data)
	if readLeniently(raw, &members) != nil {
		*a = ResultAssertion{Raw: raw}
		return nil
	}
	*a = ResultAssertion{
		Order: members.Order, Source: members.Source, Property: members.Property, Comparison: members.Comparison,
		Target: members.Target, Regex: members.Regex, Error: anyText(rawjson.Get(raw, "error")), Actual: members.Actual, Raw: raw,
	}
	return nil
}

// MarshalJSON writes Raw.
func (a ResultAssertion) MarshalJSON() ([]byte, error) { return marshalRaw(a.Raw) }

// ResultError is an error of a run: in JSON, a string or an object with a message. Raw is its JSON.
type ResultError struct {
	Name    string
	Message string
	Stack   string
	Raw     json.RawMessage
}

func (ResultError) readsAny() {}

// UnmarshalJSON accepts any JSON, and keeps it in Raw.
func (e *ResultError) UnmarshalJSON(data []byte) error {
	*e = ResultError{Raw: slices.Clone(data)}
	if at := rawjson.SkipSpace(data, 0); at < len(data) && data[at] == '"' {
		e.Message = rawjson.Unquote(data[at:])
		return nil
	}
	var members struct {
		Name    string          `json:"name"`
		Message string          `json:"message"`
		Stack   string          `json:"stack"`
		Error   json.RawMessage `json:"error"`
	}
	if readLeniently(data, &members) != nil {
		return nil
	}
	e.Name, e.Message, e.Stack = members.Name, members.Message, members.Stack
	if e.Message == "" { // agentic runs wrap it: {"error": {"message": …}}
		var inner struct {
			Message string `json:"message"`
		}
		if readLeniently(members.Error, &inner) == nil {
			e.Message = inner.Message
		}
	}
	return nil
}

// MarshalJSON writes Raw.
func (e ResultError) MarshalJSON() ([]byte, error) { return marshalRaw(e.Raw) }

// readLeniently reads the members of an object whose values fit their fields.
func readLeniently(data []byte, out any) error {
	if failed, ok := errors.AsType[*DecodeError](unmarshal(data, out)); ok {
		return json.Unmarshal(failed.Partial, out)
	}
	return nil
}

// anyText returns a string, or the JSON of another value; "" for null.
func anyText(raw []byte) string {
	switch {
	case rawjson.Kind(raw) == '"':
		return rawjson.Unquote(raw)
	case rawjson.IsNull(raw):
		return ""
	}
	return string(raw)
}

func marshalRaw(raw json.RawMessage) ([]byte, error) {
	if raw == nil {
		return []byte("null"), nil
	}
	return raw, nil
}
