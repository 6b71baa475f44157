package lenient

import (
	"encoding"
	"encoding/json"
	"reflect"
	"strconv"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/jsontype"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// Strict is json.Unmarshal into an empty value. It is faster, and has other errors.
func Strict(data []byte, out any) error {
	if _, ok := Quick(data, out); ok {
		return nil
	}
	reflect.ValueOf(out).Elem().SetZero()
	return strict(data, out)
}

var (
	strict      = json.Unmarshal
	readsItself = func(any) bool { return false } // by a method that only some versions of encoding/json call
)

// Quick decodes JSON that is as services usually write it, several times as fast as encoding/json:
// it finds out in one scan whether the JSON is valid, and what is in it. Values of kinds that it
// does not know it leaves to encoding/json, one by one. If a name or a value is odd, ok is false:
// then encoding/json must decode all of the JSON again, into an empty value.
//
// whole reports whether the value has all that is in the JSON: there is neither a member without a
// field nor, in a struct that embeds an Omitted, one that would not be written again.
func Quick(data []byte, out any) (whole, ok bool) {
	q := &quickReader{data: data, whole: true}
	end := q.value(reflect.ValueOf(out).Elem(), rawjson.SkipSpace(data, 0), rawjson.MaxDepth)
	return q.whole, end > 0 && rawjson.SkipSpace(data, end) == len(data)
}

// quickFields is Quick for the fields of a struct, whatever methods it has.
func quickFields(data []byte, v reflect.Value) (whole, ok bool) {
	q := &quickReader{data: data, whole: true}
	at := rawjson.SkipSpace(data, 0)
	if at == len(data) || data[at] != '{' {
		return false, false
	}
	end := q.object(v, at, rawjson.MaxDepth)
	return q.whole, end > 0 && rawjson.SkipSpace(data, end) == len(data)
}

type quickReader struct {
	data  []byte
	whole bool
}

// value decodes the value at a position, and returns its end. It returns 0 if encoding/json must do
// it.
func (q *quickReader) value(v reflect.Value, at, depth int) int {
	if at >= len(q.data) {
		return 0
	}
	t := v.Type()
	if t.PkgPath() != "" { // it may have methods
		switch to := v.Addr().Interface().(type) {
		case json.Unmarshaler:
			end := rawjson.EndOfValid(q.data, at, depth)
			if end == 0 || to.UnmarshalJSON(q.data[at:end:end]) != nil {
				return 0
			}
			return end
		case encoding.TextUnmarshaler, *json.Number:
			return q.leave(v, at, depth)
		default:
			if readsItself(to) {
				return q.leave(v, at, depth)
			}
		}
	}
	kind := q.data[at]
	switch k := t.Kind(); k {
	case reflect.Pointer, reflect.Slice:
		switch {
		case kind == 'n':
			v.SetZero()
			return rawjson.EndOfValid(q.data, at, depth)
		case k == reflect.Pointer:
			if v.IsNil() {
				v.Set(reflect.New(t.Elem()))
			}
			return q.value(v.Elem(), at, depth)
		case kind == '[':
			return q.list(v, at, depth)
		}
		return q.leave(v, at, depth) // text of a []byte
	case reflect.Struct:
		if t.Name() == "" && jsontype.ReadsItself(t) { // by that of an embedded one, which not all versions of Go call
			return 0
		}
		if kind == '{' {
			return q.object(v, at, depth)
		}
	case reflect.String:
		if kind == '"' {
			return q.text(v, at)
		}
	case reflect.Bool:
		if kind == 't' || kind == 'f' {
			v.SetBool(kind == 't')
			return rawjson.EndOfValid(q.data, at, depth)
		}
	case reflect.Int, reflect.Int64, reflect.Float64:
		if kind != 'n' {
			return q.number(v, at)
		}
	default:
		return q.leave(v, at, depth)
	}
	if kind != 'n' {
		return 0
	}
	return rawjson.EndOfValid(q.data, at, depth) // null changes nothing
}

// leave lets encoding/json decode a value.
func (q *quickReader) leave(v reflect.Value, at, depth int) int {
	end := rawjson.EndOfValid(q.data, at, depth)
	if end == 0 || strict(q.data[at:end], v.Addr().Interface()) != nil {
		return 0
	}
	return end
}

func (q *quickReader) object(v reflect.Value, at, depth int) int {
	fields, last := jsontype.Fields(v.Type()), -1
	_, notes := v.Addr().Interface().(Omitter)
	return rawjson.EachValid(q.data, at, depth, func(token []byte, at int) int {
		name, plain := rawjson.Plain(token)
		if !plain {
			return 0
		}
		for range fields { // most services write the members in the order of the fields
			if last++; last == len(fields) {
				last = 0
			}
			if f := &fields[last]; f.Name == string(name) {
				return q.member(f, v, at, depth-1, notes)
			}
		}
		for i := range fields {
			if strings.EqualFold(fields[i].Name, string(name)) {
				return 0
			}
		}
		q.whole = false
		return rawjson.EndOfValid(q.data, at, depth-1)
	})
}

// member decodes a member of a struct. notes says that the struct has an Omitted.
func (q *quickReader) member(f *jsontype.Field, v reflect.Value, at, depth int, notes bool) int {
	if f.String || f.Unexported {
		return 0
	}
	field := v
	for _, i := range f.Index {
		if field.Kind() == reflect.Pointer { // to an embedded struct
			return 0
		}
		field = field.Field(i)
	}
	end := q.value(field, at, depth)
	q.whole = q.whole && !(notes && (f.OmitEmpty || f.OmitZero) && isOmitted(field))
	return end
}

// mostCounted is how many objects and lists inside each other have the items of lists counted: that
// is one scan more for each list around an item.
const mostCounted = 8

// list decodes a list as encoding/json does, also into a slice that has items.
func (q *quickReader) list(v reflect.Value, at, depth int) int {
	if depth > rawjson.MaxDepth-mostCounted {
		items, _ := itemsAt(q.data, at)
		v.Grow(max(0, items-v.Len())) // it does not grow one by one
	}
	n := 0
	end := rawjson.EachValid(q.data, at, depth, func(_ []byte, item int) int {
		if n == v.Len() {
			v.Grow(1) // if there is no room
			v.SetLen(n + 1)
		}
		n++
		return q.value(v.Index(n-1), item, depth-1)
	})
	if v.SetLen(min(n, v.Len())); n == 0 {
		v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	}
	return end
}

// itemsAt counts the items of the list at a position, and returns its end; 0 if it has none. The
// items need not be valid.
func itemsAt(data []byte, at int) (items, end int) {
	end = rawjson.EachValid(data, at, 1, func(_ []byte, item int) int {
		items++
		return rawjson.EndOfValue(data, item)
	})
	return items, end
}

func (q *quickReader) text(v reflect.Value, at int) int {
	end := rawjson.EndOfValid(q.data, at, 0)
	if end > 0 {
		v.SetString(rawjson.Unquote(q.data[at:end]))
	}
	return end
}

func (q *quickReader) number(v reflect.Value, at int) int {
	end := rawjson.EndOfValid(q.data, at, 0)
	if end == 0 {
		return 0
	}
	bits := v.Type().Bits()
	if v.Kind() == reflect.Float64 {
		number, err := strconv.ParseFloat(string(q.data[at:end]), bits)
		if err != nil {
			return 0
		}
		v.SetFloat(number)
		return end
	}
	number, err := strconv.ParseInt(string(q.data[at:end]), 10, bits)
	if err != nil {
		return 0
	}
	v.SetInt(number)
	return end
}

// isOmitted reports whether a field with omitempty or omitzero is not written.
func isOmitted(field reflect.Value) bool {
	switch field.Kind() {
	case reflect.Slice, reflect.Map:
		return field.Len() == 0
	}
	return field.IsZero()
}
