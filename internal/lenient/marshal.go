package lenient

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"sync"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// Omitted has the members that were read but would not be written again, because they are zero or
// empty, such as null and false. A struct with an Extra has it in a field that is named omitted, so
// that [MarshalExtra] writes them as they were read. It is the text of an object, or empty.
type Omitted string

// MarshalExtra is the MarshalJSON of v, a struct with a field Extra that embeds nothing: it writes
// the fields, the members of Extra, which replace fields of the same name, and what was omitted if
// nothing else has that name.
func MarshalExtra(v any, omitted Omitted) ([]byte, error) {
	value := reflect.ValueOf(v)
	data, err := plainJSON(value.Convert(bare(value.Type())).Interface())
	extra := value.FieldByName("Extra").Interface().(map[string]json.RawMessage)
	if err != nil || len(extra) == 0 && omitted == "" {
		return data, err
	}
	out := []byte{'{'}
	add := func(name, value []byte) {
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, name...), ':'), value...)
	}
	written := make(map[string]bool)
	rawjson.EachMember(data, 0, func(name []byte, value int) int {
		end := rawjson.EndOfValue(data, value)
		text := rawjson.Unquote(name)
		if _, ok := extra[text]; !ok {
			add(name, data[value:end])
		}
		written[text] = true
		return end
	})
	for name, value := range rawjson.Each([]byte(omitted)) {
		if _, ok := extra[string(name)]; !ok && !written[string(name)] {
			add([]byte(`"`+string(name)+`"`), value)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(extra)) {
		quoted, _ := plainJSON(name) // never fails for a string
		value := extra[name]
		if value == nil {
			value = json.RawMessage("null")
		}
		add(quoted, value)
	}
	return append(out, '}'), nil
}

// plainJSON is json.Marshal without the escapes for HTML, which callers of MarshalJSON may add.
func plainJSON(v any) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), err
}

// WithoutMethods returns a pointer to a struct that embeds nothing as one that has none of its
// methods, so that encoding/json does not call its UnmarshalJSON.
func WithoutMethods(pointer any) any {
	v := reflect.ValueOf(pointer)
	return reflect.NewAt(bare(v.Type().Elem()), v.UnsafePointer()).Interface()
}

var bares sync.Map // of reflect.Type to its bare

// bare returns the struct with the fields of t and none of its methods.
func bare(t reflect.Type) reflect.Type {
	if known, ok := bares.Load(t); ok {
		return known.(reflect.Type)
	}
	fields := make([]reflect.StructField, t.NumField())
	for i := range fields {
		fields[i] = t.Field(i)
	}
	s := reflect.StructOf(fields)
	bares.Store(t, s)
	return s
}
