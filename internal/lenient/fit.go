package lenient

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/jsontype"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// fitting is what is known of the rare values that do not fit their types, and a copy of the JSON in
// which they do. The copy has only the necessary changes:
//
//   - a whole number that is written with a fraction or an exponent, such as 7.0, becomes digits,
//     and any number if the member is a measure: 1.5 becomes 1
//   - a text that is a whole number becomes that number, if the member is a loose number
//   - a value that is not a string becomes its JSON text, if the member is a loose text
//   - a string for a list of strings becomes a list of one
//   - a value that cannot be read becomes null, also if it is put into an Extra
//
// Raw JSON is not changed.
type fitting struct {
	out        []byte
	from       int   // the part of the JSON from here on is not in out yet
	over       bool  // out would be much longer than the JSON: reading ends here
	unreadable int   // how many values cannot be read
	first      error // why the first of them cannot be read
	firstAt    int   // and where it is
}

// mark is how far a reading is, so that it can go back to there.
type mark struct{ out, from, unreadable int }

func (f *fitting) mark() mark { return mark{len(f.out), f.from, f.unreadable} }

// backTo undoes all changes since a mark. first needs no undoing: it counts only if something is
// unreadable, and the next such value replaces it if it is the first.
func (f *fitting) backTo(m mark) { f.out, f.from, f.unreadable = f.out[:m.out], m.from, m.unreadable }

// Odd is called with each value that does not fit its type. Tests replace it, to find responses
// that have one.
var Odd = func(value []byte, t reflect.Type) {}

// fit decodes a value that does not fit its type. See value for its arguments and its result.
func (q *reading) fit(v reflect.Value, at, depth int, in *member) int {
	end := rawjson.EndOfValid(q.in, at, depth)
	if !q.loose || end == 0 || q.over {
		return 0
	}
	for v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	Odd(q.in[at:end], v.Type())
	t, kind, reason := v.Type(), q.in[at], q.err
	s := q.reader.shapeOf(t)
	switch {
	case in.text && kind != '"' && in.ours:
		if q.over = end-at > roomForTexts; q.over {
			return 0
		}
		text, _ := json.Marshal(string(q.in[at:end])) // never fails for a string
		return q.through(v, at, end, func() int {
			q.replace(at, end, string(text))
			return end
		})
	case s.Wraps != nil:
		return q.through(v, at, end, func() int { return q.value(reflect.New(s.Wraps).Elem(), at, depth, in) })
	case kind == '{' && s.KindOf != nil:
		t = s.KindOf(q.in[at:])
	case kind == '{' && s.Members != nil:
		t = s.Members
	case kind == '{' && s.object:
	case s.OnlyObjects:
		return q.wants("an object", at, end)
	case jsontype.ReadsItself(t), kind == '[' && t.Kind() == reflect.Slice && !isBytes(t), t == reflect.TypeFor[json.Number](), t.Kind() == reflect.Interface && t.NumMethod() == 0:
		return q.unfit(at, end, q.reader.reasonOf(reason))
	default:
		return q.ofKind(v, at, end, depth, in)
	}
	return q.through(v, at, end, func() int { return q.object(reflect.New(t).Elem(), at, depth) })
}

// ofKind is fit for a type that is read by its kind alone.
func (q *reading) ofKind(v reflect.Value, at, end, depth int, in *member) int {
	switch t := v.Type(); t.Kind() {
	case reflect.Struct, reflect.Map:
		return q.wants("an object", at, end)
	case reflect.Slice:
		if isBytes(t) {
			return q.wants("a string in base64", at, end)
		}
		return q.single(v, at, end, depth, in)
	case reflect.Array:
		return q.wants("an array", at, end)
	case reflect.String:
		return q.wants("a string", at, end)
	case reflect.Bool:
		return q.wants("a boolean", at, end)
	}
	return q.number(v, at, end, in)
}

// single decodes a single value in place of a list, if it is a string, or if the type of the items
// accepts any JSON.
func (q *reading) single(v reflect.Value, at, end, depth int, in *member) int {
	item := elem(v.Type().Elem())
	fits := item.Kind() == reflect.String && q.in[at] == '"' || item == rawMessageType || q.reader.shapeOf(item).AnyItem
	if !in.ours || !fits {
		return q.wants("an array", at, end)
	}
	v.Set(reflect.MakeSlice(v.Type(), 1, 1))
	q.replace(at, at, "[")
	end = q.value(v.Index(0), at, depth, in.inside())
	q.replace(end, end, "]")
	return end
}

func (q *reading) number(v reflect.Value, at, end int, in *member) int {
	text := string(q.in[at:end])
	if inside := rawjson.Text(q.in[at:end]); in.number && json.Valid([]byte(inside)) && setNumber(v, inside) {
		q.replace(at, end, inside)
		return end
	}
	if !isNumber(text[0]) {
		return q.wants("a number", at, end)
	}
	whole, exact := Whole(text)
	switch {
	case !exact && whole != "" && !in.measure:
		return q.unfit(at, end, errors.New("want a whole number"))
	case !setNumber(v, whole):
		return q.unfit(at, end, errors.New("the number is out of range"))
	}
	q.replace(at, end, whole)
	return end
}

// through decodes what fits in place of a value. read makes it fit, into another value if a method
// reads it.
func (q *reading) through(v reflect.Value, at, end int, read func() int) int {
	q.replace(at, at, "")
	before := q.mark()
	if read() == 0 {
		return 0
	}
	if !q.again(slices.Concat(q.out[before.out:], q.in[q.from:end]), v) {
		q.backTo(before)
		return q.unfit(at, end, q.reader.reasonOf(q.err))
	}
	return end
}

// again decodes JSON that should fit.
func (q *reading) again(fitted []byte, v reflect.Value) (ok bool) {
	strictly := &reading{reader: q.reader, in: fitted}
	ok = strictly.strictly(v, 0, rawjson.MaxDepth, &theirs) == len(fitted)
	q.err = strictly.err
	return ok
}

// replace writes a text in place of a part of the JSON.
func (q *reading) replace(from, to int, text string) {
	size := len(q.in) + len(q.in)/8
	if q.out == nil {
		q.out = make([]byte, 0, size)
	}
	if q.over = q.over || len(q.out)+from-q.from+len(text)+len(q.in)-to > size+roomForTexts; q.over {
		return
	}
	q.out = append(append(q.out, q.in[q.from:from]...), text...)
	q.from = to
}

// unfit records a value that cannot be read, and replaces it by null.
func (q *reading) unfit(at, end int, err error) int {
	if !q.loose || end == 0 {
		return 0
	}
	if q.unreadable++; q.unreadable == 1 {
		q.first, q.firstAt = err, at
	}
	q.replace(at, end, "null")
	return end
}

// wants is unfit for a value of the wrong kind.
func (q *reading) wants(kind string, at, end int) int {
	var err error
	if q.unreadable == 0 { // it would not be used
		err = fmt.Errorf("want %s, got %s", kind, rawjson.Describe(q.in[at:]))
	}
	return q.unfit(at, end, err)
}

// result returns the error of what was read up to a position.
func (q *reading) result(end int) error {
	switch {
	case q.over && json.Valid(q.in) && q.unreadable == 0:
		return &Error{Partial: q.in, Err: errors.New("too many values do not fit their type")}
	case q.over && json.Valid(q.in):
		return &Error{Path: pathTo(q.in, q.firstAt), Err: q.first}
	case end == 0 || rawjson.SkipSpace(q.in, end) != len(q.in):
		return notJSON(q.in)
	case q.unreadable == 0:
		return nil
	}
	if path := pathTo(q.in, q.firstAt); path != "$" {
		return &Error{Path: path, Partial: append(q.out, q.in[q.from:]...), Err: q.first}
	}
	return &Error{Partial: q.in, Err: q.first} // nothing can be read
}

// pathTo returns the JSON path of the value at a position.
func pathTo(data []byte, value int) string {
	var in []int // for each list the item, for each object the complement of the position of its last text
	for at := 0; at < value; at++ {
		top := len(in) - 1
		switch data[at] {
		case '{':
			in = append(in, -1)
		case '[':
			in = append(in, 0)
		case '}', ']':
			in = in[:top]
		case ',':
			if in[top] >= 0 {
				in[top]++
			}
		case '"':
			if top >= 0 && in[top] < 0 {
				in[top] = ^at
			}
			at = rawjson.EndOfString(data, at) - 1
		}
	}
	path := []byte("$")
	for _, n := range in {
		step := rawjson.Step{Index: max(n, -1)}
		if n < 0 {
			step.Name = rawjson.Unquote(data[^n:rawjson.EndOfString(data, ^n)])
		}
		path = appendStep(path, step)
	}
	return string(path)
}

// appendStep appends a step to a path. Unlike in other paths, a name that is no plain word is
// quoted: it comes from a response, and may be anything. A very long one is cut.
func appendStep(path []byte, step rawjson.Step) []byte {
	if len(step.Name) > longName {
		step.Name = strings.ToValidUTF8(step.Name[:longName], "") + "…"
	}
	return step.AppendQuotedTo(path)
}
