package monitoring

import (
	"encoding/json"
	"errors"
	"slices"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// ResultAssertion is an assertion of a check and its outcome. Raw is its JSON; the other
// fields are those members that have the usual type. If the result has a RequestError, its
// assertions were not evaluated.
type ResultAssertion struct {
	Order      int
	Source     string
	Property   string
	Comparison string
	// Target and Actual are any JSON, such as "ok" or 200.
	Target json.RawMessage
	Regex  string
	// Error says how the assertion failed; it is empty if the assertion passed.
	Error  string
	Actual json.RawMessage
	Raw    json.RawMessage
}

func (ResultAssertion) readsAny() {}

// UnmarshalJSON accepts any JSON, keeps it in Raw, and reads the members that it knows.
func (a *ResultAssertion) UnmarshalJSON(data []byte) error {
	var members struct {
		Order      int             `json:"order"`
		Source     string          `json:"source"`
		Property   string          `json:"property"`
		Comparison string          `json:"comparison"`
		Target     json.RawMessage `json:"target"`
		Regex      string          `json:"regex"`
		Error      anyText         `json:"error"`
		Actual     json.RawMessage `json:"actual"`
	}
	raw := slices.Clone(data)
	if readLeniently(raw, &members) != nil {
		*a = ResultAssertion{Raw: raw}
		return nil
	}
	*a = ResultAssertion{
		Order: members.Order, Source: members.Source, Property: members.Property, Comparison: members.Comparison,
		Target: members.Target, Regex: members.Regex, Error: string(members.Error), Actual: members.Actual, Raw: raw,
	}
	return nil
}

// MarshalJSON writes Raw.
func (a ResultAssertion) MarshalJSON() ([]byte, error) { return marshalRaw(a.Raw) }

// ResultError is an error of a run. In JSON it is a string, or an object with a message. Raw
// is its JSON.
type ResultError struct {
	Name    string
	Message string
	Stack   string
	Raw     json.RawMessage
}

func (ResultError) readsAny() {}

// UnmarshalJSON accepts any JSON, keeps it in Raw, and reads the members that it knows.
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

// anyText is a string, or the JSON of another value.
type anyText string

func (t *anyText) UnmarshalJSON(data []byte) error {
	switch {
	case string(data) == "null":
		*t = ""
	case data[0] == '"':
		*t = anyText(rawjson.Unquote(data))
	default:
		*t = anyText(data)
	}
	return nil
}

func marshalRaw(raw json.RawMessage) ([]byte, error) {
	if raw == nil {
		return []byte("null"), nil
	}
	return raw, nil
}
