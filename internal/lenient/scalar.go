package lenient

import (
	"encoding"
	"encoding/json"
	"errors"
	"reflect"
	"strconv"

	"github.com/monitoring-api/monitoring-go/internal/jsontype"
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
	if ReadFlat(data, to) {
		return nil
	}
	*to = *new(P)
	if kind := rawjson.Kind(data); kind != '{' && kind != 'n' {
		return &Error{Err: errors.New("want an object, got " + rawjson.Describe(data))}
	}
	return strict(data, to)
}

// ReadFlat reads a small object into a struct, much faster than encoding/json, if it is as services
// usually write it: its members have the very names of its fields and the types of these, which are
// strings, booleans, whole numbers, pointers to them, and types that read themselves. It returns
// false for all other JSON, and may have set some of the fields then.
func ReadFlat(data []byte, out any) bool {
	if rawjson.Kind(data) != '{' {
		return false
	}
	v := reflect.ValueOf(out).Elem()
	fields, last := jsontype.Fields(v.Type()), -1
	end := rawjson.EachValid(data, rawjson.SkipSpace(data, 0), 1, func(name []byte, at int) int {
		end := rawjson.EndOfValid(data, at, 0)
		text, plain := rawjson.Plain(name)
		if end == 0 || !plain {
			return 0
		}
		for range fields { // most services write the members in the order of the fields
			if last++; last == len(fields) {
				last = 0
			}
			f := &fields[last]
			if f.Name != string(text) {
				continue
			}
			if field, err := v.FieldByIndexErr(f.Index); err != nil || f.String || f.Unexported || !readField(data[at:end], field) {
				return 0
			}
			return end
		}
		return 0
	})
	return rawjson.SkipSpace(data, end) == len(data) // end is 0 if it is no such object
}

// readField reads a value into a field. It returns false if encoding/json must do it.
func readField(value []byte, field reflect.Value) bool {
	switch to := field.Addr().Interface().(type) {
	case json.Unmarshaler:
		return to.UnmarshalJSON(value) == nil
	case encoding.TextUnmarshaler, *json.Number:
		return false
	}
	switch field.Kind() {
	case reflect.Pointer:
		if value[0] == 'n' {
			field.SetZero()
			return true
		}
		field.Set(reflect.New(field.Type().Elem()))
		return readField(value, field.Elem())
	case reflect.String:
		if text, plain := rawjson.Plain(value); plain {
			field.SetString(string(text))
			return true
		}
		return value[0] == '"' && json.Unmarshal(value, field.Addr().Interface()) == nil
	case reflect.Bool:
		field.SetBool(value[0] == 't')
		return value[0] == 't' || value[0] == 'f'
	case reflect.Int, reflect.Int64:
		number, err := strconv.ParseInt(string(value), 10, field.Type().Bits())
		field.SetInt(number)
		return err == nil
	}
	return false
}
