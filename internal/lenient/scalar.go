package lenient

import (
	"encoding/json"
	"errors"
	"reflect"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// Strict is json.Unmarshal into an empty value. It is faster with what fits.
func Strict(data []byte, out any) error {
	if Quick(data, out) {
		return nil
	}
	reflect.ValueOf(out).Elem().SetZero()
	return json.Unmarshal(data, out)
}

// ReadItem is the UnmarshalJSON of a struct that is an item of lists: it keeps nothing of the item
// that was there before. to has the fields of the type but not its methods.
func ReadItem[P any](data []byte, to *P) error {
	*to = *new(P)
	err := Strict(data, to)
	if kind := rawjson.Kind(data); err != nil && kind != '{' && kind != 'n' {
		return &Error{Err: errors.New("want an object, got " + rawjson.Describe(data))}
	}
	return err
}
