package lenient

import (
	"encoding/json"

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

// ReadFlat reads a small object much faster than encoding/json, if it is as services usually write
// it: its members have the very names of its fields and the types of these, which are strings,
// optional booleans and types that read themselves. The field of a name is a pointer, or nil if
// there is none. ReadFlat returns false for all other JSON, and may have set some of the fields
// then.
func ReadFlat(data []byte, field func(name []byte) any) bool {
	if rawjson.Kind(data) != '{' {
		return false
	}
	end := rawjson.EachValid(data, rawjson.SkipSpace(data, 0), 1, func(name []byte, at int) int {
		end := rawjson.EndOfValid(data, at, 0)
		text, plain := rawjson.Plain(name)
		if end == 0 || !plain || !readField(data[at:end], field(text)) {
			return 0
		}
		return end
	})
	return rawjson.SkipSpace(data, end) == len(data) // end is 0 if it is no such object
}

func readField(value []byte, field any) bool {
	switch field := field.(type) {
	case *string:
		return value[0] == '"' && Scalar(value, field) == nil
	case **bool:
		*field = nil
		if value[0] == 'n' {
			return true
		}
		*field = new(bool)
		return Scalar(value, *field) == nil
	case json.Unmarshaler:
		return field.UnmarshalJSON(value) == nil
	}
	return false
}
