package monitoring

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/reveal"
)

// Nullable is a request field with three states: absent (its zero value), null
// ([Null]) and a value ([Value]). Absent leaves what the service has; null unsets it.
//
//	update.GroupID = monitoring.Null[int64]()          // "groupId": null
//	update.Description = monitoring.Value("Checkout")  // "description": "Checkout"
//
// Fields of this type carry the json option omitzero, so that absent sends nothing.
type Nullable[T any] struct {
	value T
	state nullableState
}

type nullableState uint8

const (
	stateAbsent nullableState = iota
	stateNull
	stateValue
)

// Null is the Nullable that travels as null.
func Null[T any]() Nullable[T] { return Nullable[T]{state: stateNull} }

// Value is the Nullable that travels as v.
func Value[T any](v T) Nullable[T] { return Nullable[T]{value: v, state: stateValue} }

// Get returns the value and whether there is one; it is false for absent and null.
func (n Nullable[T]) Get() (T, bool) { return n.value, n.state == stateValue }

// IsNull reports whether n travels as null.
func (n Nullable[T]) IsNull() bool { return n.state == stateNull }

// IsZero reports whether n is absent; encoding/json asks it for omitzero.
func (n Nullable[T]) IsZero() bool { return n.state == stateAbsent }

// MarshalJSON writes the value, or null when there is none.
func (n Nullable[T]) MarshalJSON() ([]byte, error) {
	if n.state != stateValue {
		return []byte("null"), nil
	}
	return json.Marshal(n.value)
}

// UnmarshalJSON reads null as [Null] and everything else as [Value].
func (n *Nullable[T]) UnmarshalJSON(data []byte) error {
	if string(bytes.TrimSpace(data)) == "null" {
		*n = Null[T]()
		return nil
	}
	var v T
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	*n = Value(v)
	return nil
}

// open gives the value to the encoder that reveals, because MarshalJSON hides the
// secrets in it.
func (n *Nullable[T]) open(bool) reveal.Content {
	if n == nil || n.state != stateValue {
		return reveal.Content{Kind: reveal.Null}
	}
	return reveal.Content{Kind: reveal.Value, Value: &n.value}
}

// Format prints the value under the verb, or absent or null.
func (n Nullable[T]) Format(s fmt.State, verb rune) {
	switch n.state {
	case stateAbsent:
		io.WriteString(s, "absent")
	case stateNull:
		io.WriteString(s, "null")
	default:
		fmt.Fprintf(s, fmt.FormatString(s, verb), n.value)
	}
}

// Timestamp is a moment as the service writes it: a full RFC 3339 timestamp or a
// calendar date, which stands for its midnight in UTC. The embedded Time is the
// moment; what the service wrote is kept and is written back unchanged.
//
// Compare two of them with [Timestamp.Equal]: == also compares the texts and the
// locations, so that it can be false for the same moment.
type Timestamp struct {
	time.Time
	text string
	at   time.Time // the moment text stands for, to tell whether Time was changed since
}

// NewTimestamp makes a Timestamp of a moment.
func NewTimestamp(t time.Time) Timestamp { return Timestamp{Time: t} }

// Equal reports whether both are the same moment, however it was written. To compare
// with a [time.Time], use the embedded Time.
func (t Timestamp) Equal(other Timestamp) bool { return t.Time.Equal(other.Time) }

// Raw returns the text as the service wrote it, or else the RFC 3339 form.
func (t Timestamp) Raw() string {
	if t.text != "" && t.at.Equal(t.Time) {
		return t.text
	}
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339Nano)
}

// DateOnly reports whether the service wrote a calendar date without a time of day.
func (t Timestamp) DateOnly() bool {
	return len(t.Raw()) == len(time.DateOnly)
}

// String returns the text as the service wrote it.
func (t Timestamp) String() string { return t.Raw() }

// GoString keeps the %#v form short.
func (t Timestamp) GoString() string { return fmt.Sprintf("monitoring.Timestamp(%q)", t.Raw()) }

// MarshalJSON writes the text as it was read, or else the RFC 3339 form; the zero
// Timestamp is null.
func (t Timestamp) MarshalJSON() ([]byte, error) {
	raw := t.Raw()
	if raw == "" {
		return []byte("null"), nil
	}
	return json.Marshal(raw)
}

// UnmarshalJSON reads an RFC 3339 timestamp or a calendar date; null and the empty
// string leave the zero Timestamp.
func (t *Timestamp) UnmarshalJSON(data []byte) error {
	*t = Timestamp{}
	if string(data) == "null" {
		return nil
	}
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return fmt.Errorf("timestamp: want a string, got %.40s", data)
	}
	return t.UnmarshalText([]byte(text))
}

// MarshalText writes what [Timestamp.Raw] returns.
func (t Timestamp) MarshalText() ([]byte, error) { return []byte(t.Raw()), nil }

// UnmarshalText reads an RFC 3339 timestamp or a calendar date.
func (t *Timestamp) UnmarshalText(text []byte) error {
	*t = Timestamp{}
	s := string(text)
	if s == "" {
		return nil
	}
	layout := time.RFC3339 // also reads fractions of a second
	if len(s) == len(time.DateOnly) {
		layout = time.DateOnly
	}
	at, err := time.Parse(layout, s)
	if err != nil {
		return fmt.Errorf("timestamp: %.40q is neither an RFC 3339 timestamp nor a calendar date", s)
	}
	*t = Timestamp{Time: at, text: s, at: at}
	return nil
}
