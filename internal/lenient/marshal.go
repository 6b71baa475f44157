package lenient

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"reflect"
	"slices"

	"github.com/monitoring-api/monitoring-go/internal/jsontype"
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
	extra := value.FieldByName("Extra").Interface().(map[string]json.RawMessage)
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false) // callers of MarshalJSON may escape it
	write := func(v any, behind byte) error {
		err := e.Encode(v)
		out.Truncate(max(0, out.Len()-1)) // the line break
		out.WriteByte(behind)
		return err
	}
	written := make(map[string]bool)
	add := func(name string, v any) error {
		written[name] = true
		return cmp.Or(write(name, ':'), write(v, ','))
	}
	out.WriteByte('{')
	for _, f := range jsontype.Fields(value.Type()) {
		field := value.FieldByIndex(f.Index)
		if _, replaced := extra[f.Name]; replaced || f.Omits(field) {
			continue
		}
		if err := add(f.Name, field.Interface()); err != nil {
			return nil, err
		}
	}
	for name, value := range rawjson.Each([]byte(omitted)) {
		if _, replaced := extra[string(name)]; !replaced && !written[string(name)] {
			add(string(name), json.RawMessage(value)) // it was read, so it is valid
		}
	}
	for _, name := range slices.Sorted(maps.Keys(extra)) {
		if err := add(name, extra[name]); err != nil {
			return nil, err
		}
	}
	return append(bytes.TrimSuffix(out.Bytes(), []byte(",")), '}'), nil
}
