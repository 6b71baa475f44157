package monitoring

import (
	"bytes"
	"fmt"
	"io"
	"reflect"

	"github.com/monitoring-api/monitoring-go/internal/lenient"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// Nullable is a field that is absent (the zero value), [Null], or a [Value].
//
//	check.GroupID = monitoring.Null[int64]()          // "groupId": null
//	check.Description = monitoring.Value("Checkout")  // "description": "Checkout"
//
// A field of this type in a struct of yours needs the JSON option omitzero.
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

// ValueOr returns *p, or def if p is nil: ValueOr(check.Muted, false).
func ValueOr[T any](p *T, def T) T {
	if p == nil {
		return def
	}
	return *p
}

// Null returns the Nullable that is null.
func Null[T any]() Nullable[T] { return Nullable[T]{state: stateNull} }

// Value returns the Nullable with the value v. The type of v must be that of the field: Value(3000.0)
// for a float64, Value[int64](4711) for an id, and Value(Runtime202504) for a runtime.
func Value[T any](v T) Nullable[T] { return Nullable[T]{value: v, state: stateValue} }

// Get returns the value and true, or false if there is none.
func (n Nullable[T]) Get() (T, bool) { return n.value, n.state == stateValue }

// Or returns the value, or def if there is none: check.GroupID.Or(0).
func (n Nullable[T]) Or(def T) T {
	if n.state == stateValue {
		return n.value
	}
	return def
}

// IsNull reports whether n is null.
func (n Nullable[T]) IsNull() bool { return n.state == stateNull }

// parts is all that the rest of the package knows a Nullable by: methods of a generic type are
// compiled again, for each T, in every package that names a Client.
func (n *Nullable[T]) parts() nullableParts { return nullableParts{&n.value, &n.state} }

// IsZero reports whether n is absent.
func (n Nullable[T]) IsZero() bool { return n.state == stateAbsent }

// MarshalJSON writes the value, or null if there is none.
func (n Nullable[T]) MarshalJSON() ([]byte, error) { return n.parts().marshal() }

// UnmarshalJSON reads null as Null (or a withheld [Secret]), else a Value.
func (n *Nullable[T]) UnmarshalJSON(data []byte) error { return n.parts().unmarshal(data) }

// Format prints the value with the verb, or "absent" or "null".
func (n Nullable[T]) Format(s fmt.State, verb rune) { n.parts().format(s, verb) }

// revealer is a secret. The text of one that takes any JSON is JSON.
type revealer interface {
	revealed() (text string, withheld bool)
}

// nullable is implemented by every Nullable.
type nullable interface{ parts() nullableParts }

// nullableParts are a Nullable of any type: pointers to its value and to its state.
type nullableParts struct {
	value any
	state *nullableState
}

func (n nullableParts) valueType() reflect.Type { return reflect.TypeOf(n.value).Elem() }

func (n nullableParts) hasValue() bool { return *n.state == stateValue }

// set sets the value and the state.
func (n nullableParts) set(value reflect.Value, state nullableState) {
	reflect.ValueOf(n.value).Elem().Set(value)
	*n.state = state
}

func (n nullableParts) marshal() ([]byte, error) {
	if !n.hasValue() {
		return []byte("null"), nil
	}
	return rawjson.Encode(n.value)
}

func (n nullableParts) unmarshal(data []byte) error {
	data = bytes.TrimSpace(data)
	if string(data) == "null" {
		n.readNull()
		return nil
	}
	if *n.state == stateAbsent {
		if lenient.Quick(data, n.value) {
			*n.state = stateValue
			return nil
		}
		reflect.ValueOf(n.value).Elem().SetZero()
	}
	read := reflect.New(n.valueType())
	if err := lenient.Strict(data, read.Interface()); err != nil {
		return err
	}
	n.set(read.Elem(), stateValue)
	return nil
}

// setNull sets n to null.
func (n nullableParts) setNull() { n.set(reflect.Zero(n.valueType()), stateNull) }

// readNull reads null, which is a withheld Secret if it stands for one.
func (n nullableParts) readNull() {
	n.setNull()
	if _, ok := n.value.(revealer); ok {
		*n.state = stateValue
	}
}

func (n nullableParts) format(s fmt.State, verb rune) {
	switch *n.state {
	case stateAbsent:
		io.WriteString(s, "absent")
	case stateNull:
		io.WriteString(s, "null")
	default:
		fmt.Fprintf(s, fmt.FormatString(s, verb), reflect.ValueOf(n.value).Elem().Interface())
	}
}
