package lenient

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/jsontype"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// fitter reads JSON that did not fit its Go type, and writes a copy that fits. It is for the
// rare response with an unusual member. The copy has only the necessary changes:
//
//   - a whole number that is written with a fraction or an exponent, such as 7.0, becomes digits,
//     and any number if the member is a measure: 1.5 becomes 1
//   - a text that is a whole number becomes that number, if the member is a loose number
//   - a value that is not a string becomes its JSON text, if the member is a loose text
//   - a string for a list of strings becomes a list of one
//   - a value that cannot be read becomes null
//
// Raw JSON is not changed.
type fitter struct {
	reader *Reader
	in     []byte // valid JSON
	out    []byte
	from   int // the part of in from here on is not in out yet
	path   []pathStep

	over       bool       // out would be much longer than in: it ends here
	unreadable int        // how many values cannot be read
	first      unreadable // the first of them
	moved      []int      // positions of the values that are null in out and belong to an Extra, in ascending order
}

// pathStep is a step of a JSON path: into a member, or into an item.
type pathStep struct {
	name  []byte // with its quotation marks; nil for an item
	index int
}

// appendTo appends the step to a path. Unlike in other paths, a name that is no plain word is
// quoted: it comes from a response, and may be anything. A very long one is cut.
func (s pathStep) appendTo(path []byte) []byte {
	step := rawjson.Step{Index: s.index}
	if s.name != nil {
		step = rawjson.Step{Name: rawjson.Unquote(s.name), Index: -1}
		if len(step.Name) > longName {
			step.Name = strings.ToValidUTF8(step.Name[:longName], "") + "…"
		}
	}
	return step.AppendQuotedTo(path)
}

// unreadable is a value that cannot be read. There may be many, so only the first one is kept.
type unreadable struct {
	path string
	err  error
}

// most is how long out may become.
func (f *fitter) most() int { return len(f.in) + len(f.in)/8 + roomForTexts }

func (r *Reader) fit(data []byte, t reflect.Type) *fitter {
	f := &fitter{reader: r, in: data}
	f.value(t, rawjson.SkipSpace(data, 0), member{}, false)
	f.out = append(f.out, data[f.from:]...)
	return f
}

// mark is how far a fitter is, so that it can go back to there.
type mark struct{ out, from, unreadable, moved int }

func (f *fitter) mark() mark { return mark{len(f.out), f.from, f.unreadable, len(f.moved)} }

// backTo undoes all changes since a mark. first needs no undoing: it counts only if something is
// unreadable, and the next such value replaces it if it is the first.
func (f *fitter) backTo(m mark) {
	f.out, f.from, f.unreadable, f.moved = f.out[:m.out], m.from, m.unreadable, f.moved[:m.moved]
}

// replace writes a text in place of a part of in.
func (f *fitter) replace(from, to int, text string) {
	if f.out == nil {
		f.out = make([]byte, 0, len(f.in)+len(f.in)/8)
	}
	if f.over = f.over || len(f.out)+from-f.from+len(text)+len(f.in)-to > f.most(); f.over {
		return
	}
	f.out = append(append(f.out, f.in[f.from:from]...), text...)
	f.from = to
}

// unfit records a value that cannot be read, and replaces it by null.
func (f *fitter) unfit(at, end int, err error) int {
	if f.unreadable++; f.unreadable == 1 {
		path := []byte("$")
		for _, s := range f.path {
			path = s.appendTo(path)
		}
		f.first = unreadable{string(path), err}
	}
	f.replace(at, end, "null")
	return end
}

// wants is unfit for a value of the wrong kind.
func (f *fitter) wants(kind string, at int) int {
	var err error
	if f.unreadable == 0 { // it would not be used
		err = fmt.Errorf("want %s, got %s", kind, rawjson.Describe(f.in[at:]))
	}
	return f.unfit(at, rawjson.EndOfValue(f.in, at), err)
}

// inside walks the value that is one step further in the path.
func (f *fitter) inside(s pathStep, walk func() int) int {
	f.path = append(f.path, s)
	end := walk()
	f.path = f.path[:len(f.path)-1]
	return end
}

// value walks the value at a position, which is read into a type, and returns its end. in is
// the member that has the value, and ours says whether that is a member of a type of the Reader's
// package.
func (f *fitter) value(t reflect.Type, at int, in member, ours bool) int {
	t = elem(t)
	if at >= len(f.in) || f.over {
		return len(f.in)
	}
	traits := f.reader.traitsOf(t)
	switch {
	case f.in[at] == 'n', in.unseen, traits.Raw, takesAny(t):
		return rawjson.EndOfValue(f.in, at)
	case in.text && f.in[at] != '"' && ours:
		end := rawjson.EndOfValue(f.in, at)
		if f.over = end-at > roomForTexts; !f.over {
			f.replace(at, end, asText(f.in[at:end]))
		}
		return end
	case traits.Wraps != nil:
		return f.value(traits.Wraps, at, in, ours)
	case f.in[at] == '{' && traits.KindOf != nil:
		return f.object(f.reader.shapeOf(traits.KindOf(f.in[at:])), at)
	case f.in[at] == '{' && f.reader.isObject(t):
		return f.object(f.reader.shapeOf(t), at)
	case traits.OnlyObjects: // it would call the Reader again
		return f.wants("an object", at)
	case jsontype.ReadsItself(t), t == reflect.TypeFor[json.Number]():
		end := rawjson.EndOfValue(f.in, at)
		if err := json.Unmarshal(f.in[at:end], reflect.New(t).Interface()); err != nil {
			return f.unfit(at, end, f.reader.reasonOf(err))
		}
		return end
	}
	return f.ofKind(t, at, in, ours)
}

// takesAny reports whether encoding/json reads any JSON into a type.
func takesAny(t reflect.Type) bool {
	return t == rawMessageType || t.Kind() == reflect.Interface && t.NumMethod() == 0
}

// ofKind is value for a type that is read by its kind alone.
func (f *fitter) ofKind(t reflect.Type, at int, in member, ours bool) int {
	switch t.Kind() {
	case reflect.Struct:
		return f.wants("an object", at)
	case reflect.Map:
		return f.dictionary(t, at, ours)
	case reflect.Slice, reflect.Array:
		return f.list(t, at, ours)
	case reflect.String:
		return f.literal("a string", `"`, at)
	case reflect.Bool:
		return f.literal("a boolean", "tf", at)
	}
	return f.number(t, at, in)
}

// literal walks a value that begins with one of these bytes if it is of the kind.
func (f *fitter) literal(kind, begins string, at int) int {
	if strings.IndexByte(begins, f.in[at]) < 0 {
		return f.wants(kind, at)
	}
	return rawjson.EndOfValue(f.in, at)
}

// object walks the members of an object.
func (f *fitter) object(s *shape, at int) int {
	return rawjson.EachMember(f.in, at, func(name []byte, value int) int {
		member := s.find(name)
		if member == nil {
			return rawjson.EndOfValue(f.in, value)
		}
		before := f.mark()
		end := f.inside(pathStep{name: name}, func() int { return f.value(member.typ, value, *member, s.ours) })
		toExtra := s.loose || member.odd || s.extra != nil && elem(member.typ).Kind() == reflect.Struct &&
			f.reader.shapeOf(elem(member.typ)).loose
		if toExtra && f.unreadable > before.unreadable {
			f.backTo(before) // undoes the changes inside it, too
			f.replace(value, end, "null")
			f.moved = append(f.moved, value)
		}
		return end
	})
}

// dictionary walks a map.
func (f *fitter) dictionary(t reflect.Type, at int, ours bool) int {
	if f.in[at] != '{' {
		return f.wants("an object", at)
	}
	return rawjson.EachMember(f.in, at, func(name []byte, value int) int {
		return f.inside(pathStep{name: name}, func() int {
			if !isKey(t.Key(), rawjson.Unquote(name)) {
				return f.unfit(value, rawjson.EndOfValue(f.in, value), errors.New("the name is not a valid key of the map"))
			}
			return f.value(t.Elem(), value, member{}, ours)
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
func (f *fitter) list(t reflect.Type, at int, ours bool) int {
	item := elem(t.Elem())
	if item.Kind() == reflect.Uint8 && !jsontype.ReadsItself(item) && t.Kind() == reflect.Slice { // bytes in base64
		end := rawjson.EndOfValue(f.in, at)
		if json.Unmarshal(f.in[at:end], reflect.New(t).Interface()) != nil {
			return f.wants("a string in base64", at)
		}
		return end
	}
	if f.in[at] == '[' {
		return rawjson.EachItem(f.in, at, func(index, value int) int {
			return f.inside(pathStep{index: index}, func() int { return f.value(t.Elem(), value, member{}, ours) })
		})
	}
	alone := item.Kind() == reflect.String && f.in[at] == '"' || item == rawMessageType || f.reader.traitsOf(item).AnyItem
	if !ours || !alone {
		return f.wants("an array", at)
	}
	f.replace(at, at, "[")
	end := f.value(t.Elem(), at, member{}, ours)
	f.replace(end, end, "]")
	return end
}

// number walks a number.
func (f *fitter) number(t reflect.Type, at int, in member) int {
	if end := rawjson.EndOfValue(f.in, at); in.number && f.in[at] == '"' {
		if text := rawjson.Text(f.in[at:end]); json.Valid([]byte(text)) && fitsNumber(t, text) {
			f.replace(at, end, text)
			return end
		}
	}
	if c := f.in[at]; c != '-' && (c < '0' || c > '9') {
		return f.wants("a number", at)
	}
	end := rawjson.EndOfValue(f.in, at)
	text := string(f.in[at:end])
	if fitsNumber(t, text) {
		return end
	}
	whole, exact := Whole(text)
	switch {
	case !exact && whole != "" && !in.measure:
		return f.unfit(at, end, errors.New("want a whole number"))
	case !fitsNumber(t, whole):
		return f.unfit(at, end, errOutOfRange)
	}
	f.replace(at, end, whole)
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

// asText writes JSON as a JSON string.
func asText(raw []byte) string {
	data, _ := json.Marshal(string(raw)) // never fails for a string
	return string(data)
}
