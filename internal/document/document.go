// Package document writes Go values as JSON, and patches the JSON that a value was read from.
// [Writer.Value] writes what encoding/json would, by the plan of the type, with each secret
// revealed, or null in place of it; an object that has the JSON that it was read from is patched.
// [Writer.Patch] compares a value as it was read with what it has become: what is equal keeps its
// text, so do members without a field, and only what has changed is written anew. An item of a list
// is the one with the same key, or else with the same content, or else the one that stood in its
// place; one that comes from elsewhere is new, and so is an object whose type has changed. Values
// must be addressable, and nothing is changed; a JSON that is too odd for its value is written
// anew.
package document

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"slices"
	"strconv"

	"github.com/monitoring-api/monitoring-go/internal/jsontype"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// Writer writes values.
type Writer struct {
	// Hide writes null for each secret, and leaves out what may be one.
	Hide bool
	// Exact keeps bytes of texts that are not UTF-8. encoding/json replaces each by U+FFFD, after which
	// nobody can tell that the text was another one.
	Exact bool
	// Err is the first error of a value that cannot be written.
	Err error

	out []byte
	way way
}

// Value writes a value.
func (w *Writer) Value(p *jsontype.Plan, v reflect.Value) []byte {
	start := len(w.out)
	w.value(p, v)
	return w.out[start:len(w.out):len(w.out)]
}

func (w *Writer) value(p *jsontype.Plan, v reflect.Value) {
	switch p.Form {
	case jsontype.FormSecret:
		w.secret(p, v)
	case jsontype.FormNullable:
		if inner, there := p.Inside(v); there {
			w.value(p.Elem, inner)
		} else {
			w.null()
		}
	case jsontype.FormPointer, jsontype.FormList, jsontype.FormMap:
		if v.IsNil() {
			w.null()
		} else if w.Err == nil {
			w.fail(w.way.enter(v))
			w.behind(p, v)
			w.way.leave(v)
		}
	case jsontype.FormArray:
		w.items(p, v)
	case jsontype.FormAny:
		if inner, ok := inside(v); ok {
			w.value(p.Plans.OfCopy(inner.Type()), inner)
		} else {
			w.null()
		}
	case jsontype.FormObject:
		w.object(p, v)
	case jsontype.FormEmbeds:
		w.embedding(p, v)
	case jsontype.FormText:
		w.text(v.String())
	case jsontype.FormBool:
		w.out = strconv.AppendBool(w.out, v.Bool())
	case jsontype.FormInt:
		w.out = strconv.AppendInt(w.out, v.Int(), 10)
	case jsontype.FormUint:
		w.out = strconv.AppendUint(w.out, v.Uint(), 10)
	case jsontype.FormFloat:
		w.float(v.Float())
	default:
		if p.ByPointer {
			v = v.Addr()
		}
		w.other(v.Interface())
	}
}

// behind writes what stands behind a pointer, in a list or in a map.
func (w *Writer) behind(p *jsontype.Plan, v reflect.Value) {
	switch {
	case w.Err != nil:
	case p.Form == jsontype.FormPointer:
		w.value(p.Elem, v.Elem())
	case p.Form == jsontype.FormList:
		w.items(p, v)
	default:
		w.entries(p, v)
	}
}

func (w *Writer) text(text string) {
	if w.Exact {
		w.out = rawjson.AppendBytes(w.out, text)
	} else {
		w.out = rawjson.AppendText(w.out, text)
	}
}

func (w *Writer) null() { w.out = append(w.out, "null"...) }

// other writes a value as encoding/json does.
func (w *Writer) other(v any) {
	data, err := rawjson.Encode(v)
	w.fail(err)
	w.out = append(w.out, data...)
}

func (w *Writer) fail(err error) {
	if w.Err == nil {
		w.Err = err
	}
}

func (w *Writer) secret(p *jsontype.Plan, v reflect.Value) {
	text, withheld := p.Reveal(v.Addr().Interface())
	switch {
	case w.Hide || withheld:
		w.null()
	case !p.Raw:
		w.text(text)
	case !json.Valid([]byte(text)):
		w.fail(errors.New("json: the text of a SecretJSON is not valid JSON"))
	default:
		w.out = rawjson.AppendCompact(w.out, []byte(text))
	}
}

// float writes a number as encoding/json does.
func (w *Writer) float(f float64) {
	if size := math.Abs(f); size != 0 && size < 1e-6 || !(size < 1e21) {
		w.other(f)
		return
	}
	w.out = strconv.AppendFloat(w.out, f, 'f', -1, 64)
}

func (w *Writer) items(p *jsontype.Plan, v reflect.Value) {
	w.out = append(w.out, '[')
	for i := range v.Len() {
		w.comma('[')
		w.value(p.Elem, v.Index(i))
	}
	w.out = append(w.out, ']')
}

func (w *Writer) entries(p *jsontype.Plan, v reflect.Value) {
	w.out = append(w.out, '{')
	for _, e := range entriesOf(v) {
		w.fail(e.err)
		w.name(e.name)
		w.value(p.Elem, e.value)
	}
	w.out = append(w.out, '}')
}

func (w *Writer) object(p *jsontype.Plan, v reflect.Value) {
	if text, ok := p.AsText(v); ok {
		w.text(text)
		return
	}
	p, v, read := whole(p, v)
	if read != nil {
		was := reflect.New(p.Type)
		w.fail(Read(p.Plans, read, was.Interface()))
		w.patch(p, read, was.Elem(), v)
		return
	}
	var extra, omitted []byte
	if p.Extra != nil && !w.Hide {
		extra, omitted = p.Extra(v.Addr().Interface())
	}
	blank := p.IsBlank(v)
	w.out = append(w.out, '{')
	for i := range p.Members {
		if m := &p.Members[i]; !m.Omits(m.In(v)) && rawjson.Get(extra, m.Name) == nil {
			w.name(m.Name)
			w.member(m, m.In(v), blank)
		}
	}
	for name, value := range rawjson.Each(omitted) {
		at := p.Find(string(name), -1)
		if (at < 0 || p.Members[at].Omits(p.Members[at].In(v))) && rawjson.Get(extra, string(name)) == nil {
			w.name(string(name))
			w.out = append(w.out, value...)
		}
	}
	for name, value := range rawjson.Each(extra) {
		w.name(string(name))
		w.out = rawjson.AppendCompact(w.out, value)
	}
	w.out = append(w.out, '}')
}

// embedding writes a struct that may have its method from the one field that has it. The method of
// a secret writes null.
func (w *Writer) embedding(p *jsontype.Plan, v reflect.Value) {
	start := len(w.out)
	if p.ByPointer {
		v = v.Addr()
	}
	w.other(v.Interface())
	m := p.Embeds
	if rawjson.IsNull(w.out[start:]) && m.Deep {
		w.out = w.out[:start]
		w.value(m.Plan, m.In(reflect.Indirect(v)))
	}
}

// member writes the value of a member. blank says that secrets of its object are withheld.
func (w *Writer) member(m *jsontype.Member, v reflect.Value, blank bool) {
	start := len(w.out)
	switch {
	case blank && m.Form == jsontype.FormSecret:
		w.null()
	default:
		w.value(m.Plan, v)
		if m.Quoted && !rawjson.IsNull(w.out[start:]) {
			w.quote(start)
		}
	}
}

// quote makes a text of what was written from a position on.
func (w *Writer) quote(start int) {
	value := string(w.out[start:])
	w.out = w.out[:start]
	w.text(value)
}

// comma writes a comma, unless an object or a list has just begun.
func (w *Writer) comma(begin byte) { w.out = appendComma(w.out, begin) }

func (w *Writer) name(name string) {
	w.comma('{')
	w.text(name)
	w.out = append(w.out, ':')
}

// Patch writes what a value has become. read is the JSON from which was was read.
func (w *Writer) Patch(p *jsontype.Plan, read []byte, was, now reflect.Value) []byte {
	start := len(w.out)
	w.patch(p, read, was, now)
	return w.out[start:len(w.out):len(w.out)]
}

func (w *Writer) patch(p *jsontype.Plan, read []byte, was, now reflect.Value) {
	kind := rawjson.Kind(read)
	if !(w.Hide && p.Deep && kind != 'n') && Equal(p, was, now) {
		w.out = rawjson.AppendCompact(w.out, read)
		return
	}
	switch {
	case kind == 'n':
	case p.Form == jsontype.FormNullable:
		before, wasThere := p.Inside(was)
		if after, isThere := p.Inside(now); wasThere && isThere {
			w.patch(p.Elem, read, before, after)
			return
		}
	case p.Form == jsontype.FormPointer && !was.IsNil() && !now.IsNil():
		w.patch(p.Elem, read, was.Elem(), now.Elem())
		return
	case p.Form == jsontype.FormObject && kind == '{':
		if _, isText := p.AsText(now); !isText && isOneObject(p, was, now) {
			w.patchObject(p, read, was, now)
			return
		}
	case p.Form == jsontype.FormList && kind == '[' && !now.IsNil() && w.patchList(p, read, was, now):
		return
	}
	w.value(p, now)
}

// isOneObject reports whether an object is still the same one: it has the type that it had. One
// that keeps what it was read from always is, because its id says which one it is.
func isOneObject(p *jsontype.Plan, was, now reflect.Value) bool {
	if p.Kind < 0 || p.Object != nil {
		return true
	}
	m := &p.Members[p.Kind]
	return Equal(m.Plan, m.In(was), m.In(now))
}

func (w *Writer) patchObject(p *jsontype.Plan, read []byte, was, now reflect.Value) {
	parts, from := partsOf(p, read)
	blank := p.IsBlank(now)
	w.out = append(w.out, '{')
	for i, one := range parts {
		if one.member >= 0 && from[one.member] == i {
			w.patchMember(&p.Members[one.member], one, was, now, blank)
			continue
		}
		overridden := one.member >= 0 && !one.isOverridden(parts[from[one.member]])
		mayBeSecret := w.Hide && one.member >= 0 && p.Members[one.member].Deep
		if !overridden && !mayBeSecret {
			w.unknown(p, one)
		}
	}
	for i := range p.Members {
		m := &p.Members[i]
		if from[i] < 0 && !m.Omits(m.In(now)) && (p.ReadAs != nil || m.Omits(m.In(was)) || !Equal(m.Plan, m.In(was), m.In(now))) {
			w.name(m.Name)
			w.member(m, m.In(now), blank)
		}
	}
	w.out = append(w.out, '}')
}

// unknown writes a member that has no field.
func (w *Writer) unknown(p *jsontype.Plan, one part) {
	if p.ReadAs != nil && slices.Contains(p.ReadAs, rawjson.Unquote(one.name)) {
		return
	}
	value := one.value
	switch {
	case !w.Hide:
	case p.Kinds != nil:
		value = hiddenElsewhere(p, rawjson.Unquote(one.name), value)
	case p.Hides: // it may be the secret, too
		return
	}
	w.comma('{')
	w.out = rawjson.AppendCompact(append(append(w.out, one.name...), ':'), value)
}

// hiddenElsewhere returns a member that an object has no field for, without what is a secret in
// other kinds of it.
func hiddenElsewhere(p *jsontype.Plan, name string, value []byte) []byte {
	for _, kind := range p.Kinds() {
		other := p.Plans.Of(kind)
		if at := other.Folded(name); at >= 0 && other.Members[at].Deep {
			value = appendText(nil, other.Members[at].Plan, value, true)
		}
	}
	return value
}

// patchMember writes a member that was read. One that has changed gets the name of its field.
func (w *Writer) patchMember(m *jsontype.Member, read part, was, now reflect.Value, blank bool) {
	before, after := m.In(was), m.In(now)
	equal := Equal(m.Plan, before, after)
	switch {
	case equal:
		w.comma('{')
		w.out = append(append(w.out, read.name...), ':')
	case m.Omits(after):
		return
	default:
		w.name(m.Name)
	}
	switch {
	case blank && m.Form == jsontype.FormSecret:
		w.null()
	case equal && !(w.Hide && m.Deep):
		w.out = rawjson.AppendCompact(w.out, read.value)
	default:
		w.patch(m.Plan, read.value, before, after)
	}
}

// patchList reports false if the list must be written anew, because its JSON has other items.
func (w *Writer) patchList(p *jsontype.Plan, read []byte, was, now reflect.Value) bool {
	items := slices.Collect(rawjson.Items(read))
	if len(items) != was.Len() {
		return false
	}
	w.out = append(w.out, '[')
	keyed, name := identity(p.Elem)
	for i, from := range match(was, now, keyed, name, contentOf(p.Elem)) {
		w.comma('[')
		if from >= 0 {
			w.patch(p.Elem, items[from], was.Index(from), now.Index(i))
		} else {
			w.value(p.Elem, now.Index(i))
		}
	}
	w.out = append(w.out, ']')
	return true
}

// identity returns what tells the items of a list apart: their key, or else their content.
func identity(p *jsontype.Plan) (keyed bool, name func(reflect.Value) string) {
	object := p
	if p.Form == jsontype.FormPointer {
		object = p.Elem
	}
	if object.Form != jsontype.FormObject || object.Key < 0 {
		return false, contentOf(p)
	}
	w := Writer{Exact: true}
	m := &object.Members[object.Key]
	return true, func(v reflect.Value) string {
		if v = reflect.Indirect(v); !v.IsValid() {
			return ""
		}
		return string(w.Value(m.Plan, m.In(v)))
	}
}

func contentOf(p *jsontype.Plan) func(reflect.Value) string {
	w := Writer{Exact: true}
	return func(v reflect.Value) string {
		w.out = w.out[:0]
		return string(w.Value(p, v))
	}
}

// Equal reports whether two values have the same JSON.
func Equal(p *jsontype.Plan, a, b reflect.Value) bool {
	switch p.Form {
	case jsontype.FormSecret:
		textA, withheldA := p.Reveal(a.Addr().Interface())
		textB, withheldB := p.Reveal(b.Addr().Interface())
		return textA == textB && withheldA == withheldB
	case jsontype.FormNullable:
		innerA, thereA := p.Inside(a)
		innerB, thereB := p.Inside(b)
		return thereA == thereB && (thereA && Equal(p.Elem, innerA, innerB) || !thereA && a.IsZero() == b.IsZero())
	case jsontype.FormPointer:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() && b.IsNil()
		}
		return a.Pointer() == b.Pointer() || Equal(p.Elem, a.Elem(), b.Elem())
	case jsontype.FormList:
		return a.Len() == b.Len() && a.IsNil() == b.IsNil() && equalItems(p, a, b)
	case jsontype.FormObject:
		return equalObjects(p, a, b)
	case jsontype.FormText:
		return a.String() == b.String()
	case jsontype.FormBool:
		return a.Bool() == b.Bool()
	case jsontype.FormInt:
		return a.Int() == b.Int()
	case jsontype.FormUint:
		return a.Uint() == b.Uint()
	case jsontype.FormFloat:
		return a.Float() == b.Float()
	}
	switch {
	case p.Form == jsontype.FormRaw && bytes.Equal(a.Bytes(), b.Bytes()), p.Comparable && a.Equal(b):
		return true
	}
	w := Writer{Exact: true}
	return bytes.Equal(w.Value(p, a), w.Value(p, b))
}

func equalItems(p *jsontype.Plan, a, b reflect.Value) bool {
	for i := range a.Len() {
		if !Equal(p.Elem, a.Index(i), b.Index(i)) {
			return false
		}
	}
	return true
}

func equalObjects(p *jsontype.Plan, a, b reflect.Value) bool {
	textA, isTextA := p.AsText(a)
	textB, isTextB := p.AsText(b)
	if isTextA || isTextB {
		return isTextA && isTextB && textA == textB
	}
	blankA, blankB := p.IsBlank(a), p.IsBlank(b)
	for i := range p.Members {
		m := &p.Members[i]
		if (blankA || blankB) && m.Form == jsontype.FormSecret {
			if !(blankA || isWithheld(m, a)) || !(blankB || isWithheld(m, b)) {
				return false
			}
		} else if !Equal(m.Plan, m.In(a), m.In(b)) {
			return false
		}
	}
	return true
}

func isWithheld(m *jsontype.Member, object reflect.Value) bool {
	_, withheld := m.Reveal(m.In(object).Addr().Interface())
	return withheld
}
