package monitoring

import (
	"bytes"
	"fmt"
	"io"
	"reflect"

	"github.com/monitoring-api/monitoring-go/internal/lenient"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// Nullable is a request field with three states: absent (the zero value), null ([Null]) and a
// value ([Value]). In an update, an absent field keeps the value that the service has, and
// null unsets it.
//
//	update.GroupID = monitoring.Null[int64]()          // "groupId": null
//	update.Description = monitoring.Value("Checkout")  // "description": "Checkout"
//
// A field of this type needs the json option omitzero, so that absent sends nothing.
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

// Or returns the value of an optional field of a response, such as Or(check.Muted, false), and def
// if the field is nil.
func Or[T any](p *T, def T) T {
	if p == nil {
		return def
	}
	return *p
}

// Null returns the Nullable that is sent as null.
func Null[T any]() Nullable[T] { return Nullable[T]{state: stateNull} }

// Value returns the Nullable that is sent as v.
func Value[T any](v T) Nullable[T] { return Nullable[T]{value: v, state: stateValue} }

// Get returns the value and whether there is one; it is false for absent and null.
func (n Nullable[T]) Get() (T, bool) { return n.value, n.state == stateValue }

// IsNull reports whether n is sent as null.
func (n Nullable[T]) IsNull() bool { return n.state == stateNull }

func (n *Nullable[T]) valueType() reflect.Type { return reflect.TypeFor[T]() }

// inner returns a pointer to the value.
func (n *Nullable[T]) inner() any { return &n.value }

func (n *Nullable[T]) hasValue() bool { return n.state == stateValue }

// carry sets n to what an object that was read has: p is a *T, or a T that is there. nil was null
// if it was read.
func (n *Nullable[T]) carry(p any, wasRead bool) {
	if v, ok := p.(T); ok {
		*n = Value(v)
	} else if v, _ := p.(*T); v != nil {
		*n = Value(*v)
	} else if wasRead {
		*n = Null[T]()
	}
}

// IsZero reports whether n is absent; encoding/json calls it for omitzero.
func (n Nullable[T]) IsZero() bool { return n.state == stateAbsent }

// MarshalJSON writes the value, or null if there is none.
func (n Nullable[T]) MarshalJSON() ([]byte, error) {
	if n.state != stateValue {
		return []byte("null"), nil
	}
	return rawjson.Encode(n.value)
}

// mayBeWithheld is a Secret.
type mayBeWithheld interface{ withheld() []string }

// withheld says that a secret is withheld that is not meant to be null.
func (n *Nullable[T]) withheld() []string {
	if secret, ok := any(&n.value).(mayBeWithheld); ok && n.state == stateValue {
		return secret.withheld()
	}
	return nil
}

// UnmarshalJSON reads null as [Null] and everything else as [Value]. For a [Secret], null is a
// withheld one, because [json.Marshal] writes null for each of them.
func (n *Nullable[T]) UnmarshalJSON(data []byte) error {
	data = bytes.TrimSpace(data)
	if string(data) == "null" {
		n.readNull()
		return nil
	}
	var v T
	if err := lenient.Scalar(data, &v); err != nil {
		return err
	}
	*n = Value(v)
	return nil
}

// readNull reads null, which is a withheld Secret if it stands for one.
func (n *Nullable[T]) readNull() {
	*n = Null[T]()
	if _, ok := any(&n.value).(mayBeWithheld); ok {
		n.state = stateValue
	}
}

// Format prints the value with the verb, or "absent" or "null".
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

// nullable is implemented by every Nullable.
type nullable interface {
	valueType() reflect.Type
	inner() any
	hasValue() bool
	carry(p any, wasRead bool)
}
