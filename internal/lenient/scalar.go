package lenient

import (
	"encoding/json"
	"errors"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// Scalar is json.Unmarshal with a fast path for plain strings and booleans, which most members of
// responses are.
func Scalar(data []byte, out any) error {
	switch out := out.(type) {
	case *string:
		if text, ok := rawjson.Plain(data); ok {
			*out = string(text)
			return nil
		}
	case *bool:
		if text := string(data); text == "true" || text == "false" {
			*out = text == "true"
			return nil
		}
	}
	return json.Unmarshal(data, out)
}

// ReadItem is the UnmarshalJSON of a struct that is an item of lists: it keeps nothing of the item
// that was there before. to has the fields of the type but not its methods.
func ReadItem[P any](data []byte, to *P) error {
	*to = *new(P)
	if Strict(data, to) == nil {
		return nil
	}
	*to = *new(P)
	if kind := rawjson.Kind(data); kind != '{' && kind != 'n' {
		return &Error{Err: errors.New("want an object, got " + rawjson.Describe(data))}
	}
	return strict(data, to)
}
