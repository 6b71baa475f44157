package lenient

import (
	"encoding"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strconv"

	"github.com/monitoring-api/monitoring-go/internal/jsontype"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// Read decodes data into what out points to, in place of all that it had, and fills each Extra in it;
// that of a struct that reads itself is left to it. The errors of Read are of type *Error.
func (r *Reader) Read(data []byte, out any) error {
	v, q := reflect.ValueOf(out).Elem(), &reading{reader: r, in: data, loose: true}
	v.SetZero()
	return q.result(q.value(v, rawjson.SkipSpace(data, 0), rawjson.MaxDepth, &theirs))
}

// ReadObject is Read for a struct that embeds nothing which has a field. It reads the fields, so the
// UnmarshalJSON of the struct can call it.
func (r *Reader) ReadObject(data []byte, out any) error {
	v, q := reflect.ValueOf(out).Elem(), &reading{reader: r, in: data, loose: true}
	v.SetZero()
	at := rawjson.SkipSpace(data, 0)
	switch rawjson.Kind(data[at:]) {
	case '{':
		return q.result(q.object(v, at, rawjson.MaxDepth))
	case 'n':
		return q.result(rawjson.EndOfValid(data, at, 0))
	}
	return q.result(q.wants("an object", at, rawjson.EndOfValid(data, at, rawjson.MaxDepth)))
}

// Quick is json.Unmarshal into an empty value. It is faster, and says nothing of what is wrong.
func Quick(data []byte, out any) (ok bool) {
	q := &reading{reader: plain, in: data}
	end := q.value(reflect.ValueOf(out).Elem(), rawjson.SkipSpace(data, 0), rawjson.MaxDepth, &theirs)
	return end > 0 && rawjson.SkipSpace(data, end) == len(data)
}

var (
	plain       = &Reader{Package: "-", Traits: func(reflect.Type) (ordinary Traits) { return }}
	strict      = json.Unmarshal
	readsItself = func(any) bool { return false } // by a method that only some versions of encoding/json call
)

// reading reads JSON in one scan, which finds out whether it is valid, and what is in it. Values of
// kinds that it does not know it leaves to encoding/json, one by one. What it reads is what
// encoding/json reads; what that cannot read is made to fit: see fit.go.
type reading struct {
	reader *Reader
	in     []byte
	loose  bool  // what does not fit is made to fit
	err    error // why the last value did not fit, if a method or encoding/json said so
	fitting
}

// misfit is the end of a value that does not fit its type. The end of one that is no JSON is 0.
const misfit = -1

// value decodes the value at a position, and returns its end. in is the member that has the value.
// It returns 0 if the JSON is not valid, or cannot be read as it stands and must be.
func (q *reading) value(v reflect.Value, at, depth int, in *member) int {
	end := q.strictly(v, at, depth, in)
	if end == misfit {
		return q.fit(v, at, depth, in)
	}
	return end
}

// strictly is value for JSON that fits.
func (q *reading) strictly(v reflect.Value, at, depth int, in *member) int {
	if at >= len(q.in) {
		return 0
	}
	t := v.Type()
	if t.PkgPath() != "" { // it may have methods
		switch to := v.Addr().Interface().(type) {
		case json.Unmarshaler:
			return q.method(to, at, depth)
		case encoding.TextUnmarshaler, *json.Number:
			return q.leave(v, at, depth)
		default:
			if readsItself(to) {
				return q.leave(v, at, depth)
			}
		}
	}
	kind, k := q.in[at], t.Kind()
	if kind == 'n' && k != reflect.Interface {
		if k == reflect.Pointer || k == reflect.Slice || k == reflect.Map {
			v.SetZero()
		}
		return rawjson.EndOfValid(q.in, at, depth) // null changes nothing else
	}
	switch k {
	case reflect.Pointer:
		if v.IsNil() {
			v.Set(reflect.New(t.Elem()))
		}
		return q.strictly(v.Elem(), at, depth, in)
	case reflect.Struct, reflect.Slice, reflect.Array, reflect.Map:
		switch {
		case isLeft(t):
			return q.leave(v, at, depth)
		case kind == '{' && k == reflect.Struct:
			return q.object(v, at, depth)
		case kind == '{' && k == reflect.Map:
			return q.dictionary(v, at, depth, in.inside())
		case kind == '[' && (k == reflect.Slice || k == reflect.Array):
			return q.list(v, at, depth, in.inside())
		}
	case reflect.String:
		if kind == '"' {
			return q.scalar(v, at)
		}
	case reflect.Bool:
		if kind == 't' || kind == 'f' {
			v.SetBool(kind == 't')
			return rawjson.EndOfValid(q.in, at, depth)
		}
	case reflect.Interface:
		return q.leave(v, at, depth)
	default:
		if isNumber(kind) {
			return q.scalar(v, at)
		}
	}
	return misfit
}

// scalar decodes a text or a number.
func (q *reading) scalar(v reflect.Value, at int) int {
	end := rawjson.EndOfValid(q.in, at, 0)
	switch {
	case end == 0:
	case q.in[at] == '"':
		v.SetString(rawjson.Unquote(q.in[at:end]))
	case !setNumber(v, string(q.in[at:end])):
		return misfit
	}
	return end
}

// method lets a value read itself.
func (q *reading) method(to json.Unmarshaler, at, depth int) int {
	end := rawjson.EndOfValid(q.in, at, depth)
	if end > 0 {
		if q.err = to.UnmarshalJSON(q.in[at:end:end]); q.err != nil {
			return misfit
		}
	}
	return end
}

// leave lets encoding/json decode a value.
func (q *reading) leave(v reflect.Value, at, depth int) int {
	end := rawjson.EndOfValid(q.in, at, depth)
	if end > 0 {
		if q.err = strict(q.in[at:end], v.Addr().Interface()); q.err != nil {
			return misfit
		}
	}
	return end
}

// object decodes an object into the fields of a struct, whatever methods it has.
func (q *reading) object(v reflect.Value, at, depth int) int {
	o := object{shape: q.reader.shapeOf(v.Type())}
	last := -1
	end := rawjson.EachValid(q.in, at, depth, func(token []byte, at int) int {
		m := o.find(token, &last)
		if m == nil {
			end := rawjson.EndOfValid(q.in, at, depth-1)
			if end > 0 {
				o.add(token, q.in[at:end])
			}
			return end
		}
		before := q.mark()
		field, end := q.member(m, v, token, at, depth-1)
		if end > 0 && (q.unreadable > before.unreadable || o.omits && m.omits()) {
			q.note(&o, m, field, token, at, end, before)
		}
		return end
	})
	if o.extra != nil && end > 0 {
		q.reader.fill(v.FieldByIndex(o.extra), o.shape, o.others)
	}
	if len(o.omitted) > 0 {
		*v.Addr().Interface().(Omitter).itself() = Omitted(rawjson.Join(o.omitted))
	} else if o.omits {
		*v.Addr().Interface().(Omitter).itself() = ""
	}
	return end
}

// object is an object that is read: others go to its Extra, and omitted to its Omitted.
type object struct {
	*shape
	others, omitted []rawjson.Member
}

func (o *object) add(token, value []byte) {
	if o.extra != nil {
		o.others = append(o.others, rawjson.Member{Name: rawjson.Unquote(token), Value: value})
	}
}

// note notes a member that has been read if it could not be, or would not be written. before is how
// far the reading was.
func (q *reading) note(o *object, m *member, field reflect.Value, token []byte, at, end int, before mark) {
	switch {
	case q.unreadable > before.unreadable && q.reader.moves(o.shape, m):
		q.backTo(before) // undoes the changes inside it, too
		q.replace(at, end, "null")
		if k := field.Kind(); k == reflect.Struct || k == reflect.Array { // of which a part may have been read
			field.SetZero()
		}
		q.again([]byte("null"), field)
		o.add(token, q.in[at:end])
	case o.omits && m.omits():
		o.omitted = noted(o.omitted, rawjson.Member{Name: m.Name, Value: q.in[at:end]}, isOmitted(field))
	}
}

// member decodes a member of a struct, and returns its field.
func (q *reading) member(m *member, v reflect.Value, token []byte, at, depth int) (field reflect.Value, end int) {
	field = v
	if m.alone {
		return field, q.alone(v, token, at, depth)
	}
	for _, i := range m.Index {
		if field.Kind() == reflect.Pointer { // to an embedded struct
			return field, q.alone(v, token, at, depth)
		}
		field = field.Field(i)
	}
	if end = q.strictly(field, at, depth, m); end == misfit { // as value does: most values are members
		end = q.fit(field, at, depth, m)
	}
	return field, end
}

// alone leaves a member to encoding/json, as an object with it alone. Only that knows it, such as a
// number that is written as a text.
func (q *reading) alone(v reflect.Value, token []byte, at, depth int) int {
	end := rawjson.EndOfValid(q.in, at, depth)
	if end > 0 && !jsontype.ReadsItself(v.Type()) {
		object := slices.Concat([]byte("{"), token, []byte(":"), q.in[at:end], []byte("}"))
		if err := strict(object, v.Addr().Interface()); err != nil {
			return q.unfit(at, end, q.reader.reasonOf(err))
		}
	}
	return end
}

// fill sets an Extra.
func (r *Reader) fill(field reflect.Value, s *shape, members []rawjson.Member) {
	switch {
	case len(members) == 0:
		field.SetZero()
	case s.hides:
		field.Set(reflect.ValueOf(r.Hide(rawjson.Join(members))))
	default:
		extra := make(map[string]json.RawMessage)
		for _, m := range members {
			extra[m.Name] = slices.Clone(m.Value)
		}
		field.Set(reflect.ValueOf(extra))
	}
}

// noted adds a member that would not be written, in place of the one of its name: there are never
// more than fields. One that would be written only takes that away.
func noted(list []rawjson.Member, m rawjson.Member, omitted bool) []rawjson.Member {
	list = slices.DeleteFunc(list, func(one rawjson.Member) bool { return one.Name == m.Name })
	if omitted && len(m.Value) <= longestOmitted {
		list = append(list, m)
	}
	return list
}

// isOmitted reports whether a field with omitempty or omitzero is not written.
func isOmitted(field reflect.Value) bool {
	switch field.Kind() {
	case reflect.Slice, reflect.Map:
		return field.Len() == 0
	}
	return field.IsZero()
}

// mostCounted is how many objects and lists inside each other have the items of lists counted: that
// is one scan more for each list around an item.
const mostCounted = 8

// list decodes a list as encoding/json does, also into a slice that has items, or an array.
func (q *reading) list(v reflect.Value, at, depth int, in *member) int {
	n, grows := 0, v.Kind() == reflect.Slice
	if grows && depth > rawjson.MaxDepth-mostCounted {
		items, _ := itemsAt(q.in, at)
		v.Grow(max(0, items-v.Len())) // it does not grow one by one
	}
	end := rawjson.EachValid(q.in, at, depth, func(_ []byte, item int) int {
		if n == v.Len() {
			if !grows { // encoding/json drops it
				return rawjson.EndOfValid(q.in, item, depth-1)
			}
			v.Grow(1) // if there is no room
			v.SetLen(n + 1)
		}
		n++
		end := q.strictly(v.Index(n-1), item, depth-1, in)
		if end == misfit {
			return q.fit(v.Index(n-1), item, depth-1, in)
		}
		return end
	})
	switch {
	case !grows:
		for ; n < v.Len(); n++ {
			v.Index(n).SetZero()
		}
	case n == 0:
		v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	default:
		v.SetLen(n)
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

func (q *reading) dictionary(v reflect.Value, at, depth int, in *member) int {
	t := v.Type()
	if v.IsNil() {
		v.Set(reflect.MakeMap(t))
	}
	return rawjson.EachValid(q.in, at, depth, func(token []byte, at int) int {
		key, item := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
		if !setKey(key, rawjson.Unquote(token)) {
			return q.unfit(at, rawjson.EndOfValid(q.in, at, depth-1), errors.New("the name is not a valid key of the map"))
		}
		end := q.value(item, at, depth-1, in)
		if end > 0 {
			v.SetMapIndex(key, item)
		}
		return end
	})
}

// setKey sets the key of a map to a name, if encoding/json reads the name into it.
func setKey(key reflect.Value, name string) bool {
	if u, ok := key.Addr().Interface().(encoding.TextUnmarshaler); ok {
		return u.UnmarshalText([]byte(name)) == nil
	}
	if key.Kind() == reflect.String {
		key.SetString(name)
		return true
	}
	return setNumber(key, name)
}

// isLeft reports whether encoding/json reads a struct, a list or a map as a whole: bytes, and what
// the method of an embedded struct reads, because not all versions of Go call that everywhere.
func isLeft(t reflect.Type) bool {
	if isBytes(t) {
		return true
	}
	if t.Kind() != reflect.Struct {
		t = t.Elem()
	}
	return t.Kind() == reflect.Struct && t.PkgPath() == "" && jsontype.ReadsItself(t)
}

// isBytes reports whether a list is read from a text in base64.
func isBytes(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8 && !jsontype.ReadsItself(t.Elem())
}

// isNumber reports whether JSON that begins with a byte is a number.
func isNumber(begin byte) bool { return begin == '-' || begin >= '0' && begin <= '9' }

// setNumber sets a number, if encoding/json reads the text into its type.
func setNumber(v reflect.Value, text string) (ok bool) {
	switch k := v.Kind(); {
	case k >= reflect.Int && k <= reflect.Int64:
		n, err := strconv.ParseInt(text, 10, v.Type().Bits())
		if ok = err == nil; ok {
			v.SetInt(n)
		}
	case k >= reflect.Uint && k <= reflect.Uintptr:
		n, err := strconv.ParseUint(text, 10, v.Type().Bits())
		if ok = err == nil; ok {
			v.SetUint(n)
		}
	case k == reflect.Float32 || k == reflect.Float64:
		n, err := strconv.ParseFloat(text, v.Type().Bits())
		if ok = err == nil; ok {
			v.SetFloat(n)
		}
	}
	return ok
}
