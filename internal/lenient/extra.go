package lenient

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"

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
		if len(x.moved) == 0 && x.reader.traitsOf(v.Type()).OnlyObjects { // it has read itself, and knows better
			return rawjson.EndOfValue(x.data, at)
		}
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
	var extra, omitted []rawjson.Member
	end := rawjson.EachMember(x.data, at, func(name []byte, value int) int {
		member := s.find(name)
		if member != nil && !x.wasMoved(value) {
			if s.omitted != nil && member.omits && isOmitted(v.FieldByIndex(member.index)) {
				end := rawjson.EndOfValue(x.data, value)
				if end-value <= longestOmitted {
					omitted = noted(omitted, rawjson.Member{Name: member.name, Value: x.data[value:end]})
				}
				return end
			}
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
			extra = append(extra, rawjson.Member{Name: rawjson.Unquote(name), Value: x.data[value:end]})
		}
		return end
	})
	if s.extra != nil {
		x.fill(v.FieldByIndex(s.extra), s, extra)
	}
	if s.omitted != nil {
		f := v.FieldByIndex(s.omitted).Addr() // which is not exported
		*(*Omitted)(f.UnsafePointer()) = joined(omitted)
	}
	return end
}

// fill sets an Extra.
func (x *extraFiller) fill(field reflect.Value, s *shape, members []rawjson.Member) {
	switch {
	case len(members) == 0:
		field.SetZero()
	case s.hides:
		field.Set(reflect.ValueOf(x.reader.Hide(rawjson.Join(members))))
	default:
		extra := make(map[string]json.RawMessage)
		for _, m := range members {
			extra[m.Name] = slices.Clone(m.Value)
		}
		field.Set(reflect.ValueOf(extra))
	}
}

// isOmitted reports whether a field with omitempty or omitzero is not written.
func isOmitted(field reflect.Value) bool {
	switch field.Kind() {
	case reflect.Slice, reflect.Map:
		return field.Len() == 0
	}
	return field.IsZero()
}

// noted adds a member, or replaces the one of its name: there are never more than fields.
func noted(list []rawjson.Member, m rawjson.Member) []rawjson.Member {
	if i := slices.IndexFunc(list, func(one rawjson.Member) bool { return one.Name == m.Name }); i >= 0 {
		list[i] = m
		return list
	}
	return append(list, m)
}

func joined(omitted []rawjson.Member) Omitted {
	if len(omitted) == 0 {
		return ""
	}
	return Omitted(rawjson.Join(omitted))
}

// wasMoved reports whether the value at a position did not fit its field.
func (x *extraFiller) wasMoved(at int) bool {
	_, moved := slices.BinarySearch(x.moved, at)
	return moved
}
