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

// FillExtra puts the members without a field into the field Extra of the value that out points
// to, and of the objects in it. The value was read from data; moved is what ReadAs returned.
func (r *Reader) FillExtra(data []byte, out any, moved []int) {
	x := &extraFiller{r, data, moved}
	x.value(reflect.ValueOf(out).Elem(), rawjson.SkipSpace(data, 0))
}

type extraFiller struct {
	reader *Reader
	data   []byte
	moved  []int
}

// value handles the value at a position, which was decoded into v, and returns its end.
func (x *extraFiller) value(v reflect.Value, at int) int {
	for v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	switch {
	case at >= len(x.data):
		return at
	case v.Kind() == reflect.Struct && x.data[at] == '{':
		return x.object(v, at)
	case v.Kind() == reflect.Slice && x.data[at] == '[':
		return rawjson.EachItem(x.data, at, func(index, item int) int {
			if index >= v.Len() {
				return rawjson.EndOfValue(x.data, item)
			}
			return x.value(v.Index(index), item)
		})
	}
	return rawjson.EndOfValue(x.data, at)
}

func (x *extraFiller) object(v reflect.Value, at int) int {
	s := x.reader.shapeOf(v.Type())
	var extra map[string]json.RawMessage
	end := rawjson.EachMember(x.data, at, func(name []byte, value int) int {
		member := s.find(name)
		if member != nil && !x.wasMoved(value) {
			if member.deep {
				return x.value(v.FieldByIndex(member.index), value)
			}
			if member.typ == rawMessageType { // v has a copy, so the end of the value is known without a scan
				raw := v.FieldByIndex(member.index).Bytes()
				if kind := rawjson.Kind(raw); (kind == '{' || kind == '[') && bytes.HasPrefix(x.data[value:], raw) {
					return value + len(raw)
				}
			}
			return rawjson.EndOfValue(x.data, value)
		}
		end := rawjson.EndOfValue(x.data, value)
		if s.extra != nil {
			if extra == nil {
				extra = make(map[string]json.RawMessage)
			}
			extra[rawjson.Unquote(name)] = slices.Clone(x.data[value:end])
		}
		return end
	})
	if s.extra != nil {
		v.FieldByIndex(s.extra).Set(reflect.ValueOf(extra))
	}
	return end
}

// wasMoved reports whether the value at a position did not fit its field.
func (x *extraFiller) wasMoved(at int) bool {
	_, moved := slices.BinarySearch(x.moved, at)
	return moved
}

// MarshalExtra is the MarshalJSON of v, a struct with exported fields only: it writes the fields and
// the members of extra, which replace fields of the same name.
func MarshalExtra(v any, extra map[string]json.RawMessage) ([]byte, error) {
	value := reflect.ValueOf(v)
	data, err := json.Marshal(value.Convert(withoutMethods(value.Type())).Interface())
	if err != nil || len(extra) == 0 {
		return data, err
	}
	out := []byte{'{'}
	add := func(name, value []byte) {
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, name...), ':'), value...)
	}
	rawjson.EachMember(data, 0, func(name []byte, value int) int {
		end := rawjson.EndOfValue(data, value)
		if _, ok := extra[rawjson.Unquote(name)]; !ok {
			add(name, data[value:end])
		}
		return end
	})
	for _, name := range slices.Sorted(maps.Keys(extra)) {
		quoted, _ := json.Marshal(name) // never fails for a string
		value := extra[name]
		if value == nil {
			value = json.RawMessage("null")
		}
		add(quoted, value)
	}
	return append(out, '}'), nil
}

var bare sync.Map // the struct without methods of each type that was marshalled

// withoutMethods returns the struct with the fields of t and none of its methods, so that
// encoding/json does not call MarshalJSON of t again.
func withoutMethods(t reflect.Type) reflect.Type {
	if known, ok := bare.Load(t); ok {
		return known.(reflect.Type)
	}
	fields := make([]reflect.StructField, t.NumField())
	for i := range fields {
		fields[i] = t.Field(i)
	}
	s := reflect.StructOf(fields)
	bare.Store(t, s)
	return s
}
