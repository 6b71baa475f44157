//go:build go1.27

package monitoring

import (
	"encoding/json/jsontext"
	jsonv2 "encoding/json/v2"
	"reflect"
)

// encoding/json of Go 1.27 calls these methods instead of MarshalJSON and UnmarshalJSON. They
// do the same and are faster.

// MarshalJSONTo is MarshalJSON for encoding/json/v2.
func (n Nullable[T]) MarshalJSONTo(e *jsontext.Encoder) error { return n.parts().marshalTo(e) }

// UnmarshalJSONFrom is UnmarshalJSON for encoding/json/v2.
func (n *Nullable[T]) UnmarshalJSONFrom(d *jsontext.Decoder) error { return n.parts().unmarshalFrom(d) }

func (n nullableParts) marshalTo(e *jsontext.Encoder) error {
	if !n.hasValue() {
		return e.WriteToken(jsontext.Null)
	}
	return jsonv2.MarshalEncode(e, n.value)
}

func (n nullableParts) unmarshalFrom(d *jsontext.Decoder) error {
	if d.PeekKind() == jsontext.KindNull {
		n.readNull()
		return d.SkipValue()
	}
	read := reflect.New(n.valueType())
	if err := jsonv2.UnmarshalDecode(d, read.Interface()); err != nil {
		return err
	}
	n.set(read.Elem(), stateValue)
	return nil
}
