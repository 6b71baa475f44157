package lenient

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"slices"

	"github.com/monitoring-api/monitoring-go/internal/jsontype"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// Read decodes data into the empty value that out points to, and fills each Extra in it; that of a
// struct that reads itself is left to it. The errors of Read are of type *Error.
func (r *Reader) Read(data []byte, out any) error {
	whole, ok := Quick(data, out)
	if ok && whole {
		return nil
	}
	var moved []int
	if !ok {
		var err error
		if moved, err = r.slowly(data, out, func(data []byte, unmarshal decoder) error { return unmarshal(data, out) }); err != nil {
			return err
		}
	}
	r.fillInside(data, reflect.ValueOf(out).Elem(), moved)
	return nil
}

// ReadObject is Read and FillExtra for a struct that embeds nothing which has a field, in place of
// all that it had. It reads the fields, so the UnmarshalJSON of the struct can call it. odd reports
// whether a member did not fit its field.
func (r *Reader) ReadObject(data []byte, out any) (odd bool, err error) {
	v := reflect.ValueOf(out).Elem()
	v.SetZero()
	if whole, ok := quickFields(data, v); ok {
		if !whole {
			r.fillFields(data, v, nil)
		}
		return false, nil
	}
	moved, err := r.slowly(data, out, func(data []byte, unmarshal decoder) error { return r.fields(data, v, unmarshal) })
	if err == nil {
		r.fillFields(data, v, moved)
	}
	return len(moved) > 0, err
}

// fields decodes an object into a struct, as encoding/json would if that had no UnmarshalJSON.
func (r *Reader) fields(data []byte, v reflect.Value, unmarshal decoder) (err error) {
	switch kind := rawjson.Kind(data); {
	case !json.Valid(data), kind != '{' && kind != 'n':
		return errors.New("it is no object")
	case kind == 'n':
		return nil
	}
	s := r.shapeOf(v.Type())
	rawjson.EachMember(data, rawjson.SkipSpace(data, 0), func(name []byte, value int) int {
		end := rawjson.EndOfValue(data, value)
		if m := s.find(name); m != nil && err == nil {
			err = unmarshal(data[value:end], v.FieldByIndex(m.index).Addr().Interface())
		}
		return end
	})
	return err
}

// FillExtra puts the members without a field into the field Extra of the struct that out points to,
// and of those in it. The struct was read from data.
func (r *Reader) FillExtra(data []byte, out any) {
	r.fillFields(data, reflect.ValueOf(out).Elem(), nil)
}

// fillFields is FillExtra that also moves values there. moved is what slowly returned.
func (r *Reader) fillFields(data []byte, v reflect.Value, moved []int) {
	if at := rawjson.SkipSpace(data, 0); at < len(data) && data[at] == '{' {
		x := &extraFiller{r, data, moved}
		x.object(v, at)
	}
}

// fillInside is fillFields for any value. It leaves alone what has no Extra or has read itself.
func (r *Reader) fillInside(data []byte, v reflect.Value, moved []int) {
	if s := r.shapeIn(v.Type()); s != nil && s.deep {
		x := &extraFiller{r, data, moved}
		x.value(v, rawjson.SkipSpace(data, 0))
	}
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
		if s := x.reader.shapeOf(v.Type()); s.self && (len(x.moved) == 0 || !s.ours || s.hides && !s.calls) { // it knows better
			return rawjson.EndOfValue(x.data, at)
		}
		return x.object(v, at)
	case v.Kind() == reflect.Slice && x.data[at] == '[' && !(v.Type().Name() != "" && jsontype.ReadsItself(v.Type())):
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
			if s.omits && member.omits && isOmitted(v.FieldByIndex(member.index)) {
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
	if s.omits {
		*v.Addr().Interface().(Omitter).itself() = joined(omitted)
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
