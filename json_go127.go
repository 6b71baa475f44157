//go:build go1.27

package monitoring

import (
	"encoding/json/jsontext"
	"encoding/json/v2"
)

// encoding/json of Go 1.27 calls these methods instead of MarshalJSON and UnmarshalJSON. They
// do the same and are faster.

// MarshalJSONTo is MarshalJSON for encoding/json/v2.
func (n Nullable[T]) MarshalJSONTo(e *jsontext.Encoder) error {
	if n.state != stateValue {
		return e.WriteToken(jsontext.Null)
	}
	return json.MarshalEncode(e, n.value)
}

// UnmarshalJSONFrom is UnmarshalJSON for encoding/json/v2.
func (n *Nullable[T]) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if d.PeekKind() == jsontext.KindNull {
		n.readNull()
		return d.SkipValue()
	}
	var v T
	if err := json.UnmarshalDecode(d, &v); err != nil {
		return err
	}
	*n = Value(v)
	return nil
}
