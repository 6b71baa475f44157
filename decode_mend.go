package monitoring

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// mender reads JSON that did not fit its Go type, and writes a copy that fits. It is for the
// rare response with an unusual member. The copy has only the necessary changes:
//
//   - a number with a fraction or an exponent for an integer field loses its fraction; in a
//     user's type the number must be whole
//   - a value that is not a string becomes its JSON text, if the member is one of looseTexts
//   - a string for a list of strings becomes a list of one
//   - a value that cannot be read becomes null
//
// Raw JSON is not changed.
type mender struct {
	in   []byte // valid JSON
	out  []byte
	from int // the part of in from here on is not in out yet
	path []pathStep

	unreadable int        // how many values cannot be read
	first      unreadable // the first of them
	moved      []int      // positions of the values that are null in out and belong to an Extra, in ascending order
}

// pathStep is a step of a JSON path: into a member, or into an item.
type pathStep struct {
	name  []byte // with its quotation marks; nil for an item
	index int
}

// unreadable is a value that cannot be read. There may be many, so only the first one is kept.
type unreadable struct {
	path string
	err  error
}

func mend(data []byte, t reflect.Type) *mender {
	m := &mender{in: data}
	m.value(t, rawjson.SkipSpace(data, 0), shapeMember{}, false)
	m.out = append(m.out, data[m.from:]...)
	return m
}

// replace writes a text in place of a part of in.
func (m *mender) replace(from, to int, text string) {
	m.out = append(append(m.out, m.in[m.from:from]...), text...)
	m.from = to
}

// unfit records a value that cannot be read, and replaces it by null.
func (m *mender) unfit(at, end int, err error) int {
	if m.unreadable++; m.unreadable == 1 {
		var path strings.Builder
		for _, s := range m.path {
			if s.name != nil {
				path.WriteString(step(s.name))
			} else {
				path.WriteString("[" + strconv.Itoa(s.index) + "]")
			}
		}
		m.first = unreadable{path.String(), err}
	}
	m.replace(at, end, "null")
	return end
}

// wants is unfit for a value of the wrong kind.
func (m *mender) wants(kind string, at int) int {
	var err error
	if m.unreadable == 0 { // it would not be used
		err = fmt.Errorf("want %s, got %s", kind, article(kindOfJSON(m.in[at:])))
	}
	return m.unfit(at, rawjson.EndOfValue(m.in, at), err)
}

func article(kind string) string {
	switch kind {
	case "object", "array":
		return "an " + kind
	case "bool":
		return "a boolean"
	}
	return "a " + kind
}

// inside walks the value that is one step further in the path.
func (m *mender) inside(s pathStep, walk func() int) int {
	m.path = append(m.path, s)
	end := walk()
	m.path = m.path[:len(m.path)-1]
	return end
}

// value walks the value at a position, which is read into a type, and returns its end. in is
// the member that has the value, and ours says whether that is a member of this package's types.
func (m *mender) value(t reflect.Type, at int, in shapeMember, ours bool) int {
	t = elem(t)
	end := func() int { return rawjson.EndOfValue(m.in, at) }
	switch {
	case at >= len(m.in):
		return at
	case m.in[at] == 'n', in.unseen, t == rawMessageType, t == secretJSONType, t.Kind() == reflect.Interface && t.NumMethod() == 0:
		return end()
	case in.text && m.in[at] != '"' && ours:
		m.replace(at, end(), asText(m.in[at:end()]))
		return end()
	}
	if n, ok := reflect.Zero(t).Interface().(nullable); ok {
		return m.value(n.valueType(), at, in, ours)
	}
	if t.Kind() == reflect.Struct && m.in[at] == '{' && (isOfPackage(t) && len(shapeOf(t).members) > 0 || !readsItself(t)) {
		return m.object(shapeOf(t), at)
	}
	if isOfPackage(t) && reflect.PointerTo(t).Implements(selfReaderType) { // it reads only objects, and would call mend again
		return m.wants("an object", at)
	}
	if readsItself(t) || t == reflect.TypeFor[json.Number]() {
		if err := json.Unmarshal(m.in[at:end()], reflect.New(t).Interface()); err != nil {
			return m.unfit(at, end(), reasonOf(err))
		}
		return end()
	}
	switch t.Kind() {
	case reflect.Struct:
		return m.wants("an object", at)
	case reflect.Map:
		return m.dictionary(t, at, ours)
	case reflect.Slice, reflect.Array:
		return m.list(t, at, ours)
	case reflect.String:
		if m.in[at] != '"' {
			return m.wants("a string", at)
		}
	case reflect.Bool:
		if m.in[at] != 't' && m.in[at] != 'f' {
			return m.wants("a boolean", at)
		}
	default:
		return m.number(t, at, ours)
	}
	return end()
}

// object walks the members of an object.
func (m *mender) object(s *shape, at int) int {
	return rawjson.EachMember(m.in, at, func(name []byte, value int) int {
		member := s.find(name)
		if member == nil {
			return rawjson.EndOfValue(m.in, value)
		}
		before := *m
		end := m.inside(pathStep{name: name}, func() int { return m.value(member.typ, value, *member, s.ours) })
		toExtra := s.loose || s.extra != nil && elem(member.typ).Kind() == reflect.Struct && shapeOf(elem(member.typ)).loose
		if toExtra && m.unreadable > before.unreadable {
			*m = before // undoes the changes inside it, too
			m.replace(value, end, "null")
			m.moved = append(m.moved, value)
		}
		return end
	})
}

// dictionary walks a map.
func (m *mender) dictionary(t reflect.Type, at int, ours bool) int {
	if m.in[at] != '{' {
		return m.wants("an object", at)
	}
	return rawjson.EachMember(m.in, at, func(name []byte, value int) int {
		return m.inside(pathStep{name: name}, func() int {
			if !isKey(t.Key(), rawjson.Unquote(name)) {
				return m.unfit(value, rawjson.EndOfValue(m.in, value), errors.New("the name is not a valid key of the map"))
			}
			return m.value(t.Elem(), value, shapeMember{}, ours)
		})
	})
}

// isKey reports whether encoding/json reads a name into the key type of a map.
func isKey(t reflect.Type, name string) bool {
	if u, ok := reflect.New(t).Interface().(encoding.TextUnmarshaler); ok {
		return u.UnmarshalText([]byte(name)) == nil
	}
	return t.Kind() == reflect.String || fitsNumber(t, name)
}

// list walks a list. A single value in place of a list becomes a list of one, if it is a
// string, or if the type of the items accepts any JSON.
func (m *mender) list(t reflect.Type, at int, ours bool) int {
	item := elem(t.Elem())
	if item.Kind() == reflect.Uint8 && !readsItself(item) && t.Kind() == reflect.Slice { // bytes in base64
		end := rawjson.EndOfValue(m.in, at)
		if json.Unmarshal(m.in[at:end], reflect.New(t).Interface()) != nil {
			return m.wants("a string in base64", at)
		}
		return end
	}
	if m.in[at] == '[' {
		return rawjson.EachItem(m.in, at, func(index, value int) int {
			return m.inside(pathStep{index: index}, func() int { return m.value(t.Elem(), value, shapeMember{}, ours) })
		})
	}
	alone := item.Kind() == reflect.String && m.in[at] == '"' || item == rawMessageType || has[readerOfAny](item)
	if !ours || !alone {
		return m.wants("an array", at)
	}
	m.replace(at, at, "[")
	end := m.value(t.Elem(), at, shapeMember{}, ours)
	m.replace(end, end, "]")
	return end
}

// number walks a number.
func (m *mender) number(t reflect.Type, at int, ours bool) int {
	if c := m.in[at]; c != '-' && (c < '0' || c > '9') {
		return m.wants("a number", at)
	}
	end := rawjson.EndOfValue(m.in, at)
	text := string(m.in[at:end])
	if fitsNumber(t, text) {
		return end
	}
	whole, exact := wholePart(text)
	switch {
	case !exact && whole != "" && !ours:
		return m.unfit(at, end, errors.New("want a whole number"))
	case !fitsNumber(t, whole):
		return m.unfit(at, end, errOutOfRange)
	}
	m.replace(at, end, whole)
	return end
}

var errOutOfRange = errors.New("the number is out of range")

// fitsNumber reports whether encoding/json reads a number into a type.
func fitsNumber(t reflect.Type, text string) bool {
	var err error
	switch t.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		_, err = strconv.ParseInt(text, 10, t.Bits())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		_, err = strconv.ParseUint(text, 10, t.Bits())
	case reflect.Float32, reflect.Float64:
		_, err = strconv.ParseFloat(text, t.Bits())
	default:
		return false
	}
	return err == nil
}

// step is a step of a JSON path.
func step(name []byte) string {
	text := rawjson.Unquote(name)
	plain := func(r rune) bool {
		return r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
	}
	if text != "" && strings.TrimFunc(text, plain) == "" {
		return "." + text
	}
	return "[" + strconv.Quote(text) + "]"
}

// asText writes JSON as a JSON string.
func asText(raw []byte) string {
	data, _ := json.Marshal(string(raw)) // never fails for a string
	return string(data)
}

// reasonOf returns the error of a type with an UnmarshalJSON. It replaces errors of
// encoding/json, which name Go types and differ between versions of Go.
func reasonOf(err error) error {
	if d, ok := errors.AsType[*DecodeError](err); ok {
		return d.Err
	}
	_, kind := errors.AsType[*json.UnmarshalTypeError](err)
	_, syntax := errors.AsType[*json.SyntaxError](err)
	if kind || syntax || strings.HasPrefix(err.Error(), "json: ") {
		return errors.New("the value does not fit its type")
	}
	return err
}
