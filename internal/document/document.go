// Package document writes Go values as JSON, and patches the JSON that a value was read from.
// [Writer.Value] writes what encoding/json would, by the plan of the type, with each secret
// revealed, or null in place of it. [Writer.Patch] compares a value as it was read with what it has
// become: what is equal keeps its text, so do members without a field, and only what has changed is
// written anew. An item of a list is the one with the same key, or else with the same content, or
// else the one that stood in its place; one that comes from elsewhere is new, and so is an object
// whose type has changed. Values must be addressable, and nothing is changed; a JSON that is too
// odd for its value is written anew.
package document

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strconv"

	"github.com/monitoring-api/monitoring-go/internal/jsontype"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// Writer writes values.
type Writer struct {
	// Hide writes null for each secret, and leaves out what may be one.
	Hide bool
	// Unknown returns what is written of a member without a field of the outermost object, instead of
	// leaving it out to hide it; nil leaves it out.
	Unknown func(name string, value []byte) []byte
	// Err is the first error of a value that cannot be written.
	Err error

	out   []byte
	depth int // of the objects that are being patched
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
	case jsontype.FormPointer:
		if v.IsNil() {
			w.null()
		} else {
			w.value(p.Elem, v.Elem())
		}
	case jsontype.FormList:
		w.list(p, v)
	case jsontype.FormObject:
		w.object(p, v)
	case jsontype.FormText:
		w.out = rawjson.AppendText(w.out, v.String())
	case jsontype.FormBool:
		w.out = strconv.AppendBool(w.out, v.Bool())
	case jsontype.FormInt:
		w.out = strconv.AppendInt(w.out, v.Int(), 10)
	case jsontype.FormUint:
		w.out = strconv.AppendUint(w.out, v.Uint(), 10)
	case jsontype.FormFloat:
		w.float(v.Float())
	default:
		w.other(v.Interface())
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
		w.out = rawjson.AppendText(w.out, text)
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

func (w *Writer) list(p *jsontype.Plan, v reflect.Value) {
	if v.IsNil() {
		w.null()
		return
	}
	w.out = append(w.out, '[')
	for i := range v.Len() {
		w.comma('[')
		w.value(p.Elem, v.Index(i))
	}
	w.out = append(w.out, ']')
}

func (w *Writer) object(p *jsontype.Plan, v reflect.Value) {
	if text, ok := p.AsText(v); ok {
		w.out = rawjson.AppendText(w.out, text)
		return
	}
	blank := p.IsBlank(v)
	w.out = append(w.out, '{')
	for i := range p.Members {
		if m := &p.Members[i]; !m.Omits(m.In(v)) {
			w.name(m.Name)
			w.member(m, m.In(v), blank)
		}
	}
	w.out = append(w.out, '}')
}

// member writes the value of a member. blank says that secrets of its object are withheld.
func (w *Writer) member(m *jsontype.Member, v reflect.Value, blank bool) {
	if blank && m.Form == jsontype.FormSecret {
		w.null()
	} else {
		w.value(m.Plan, v)
	}
}

// comma writes a comma, unless an object or a list has just begun.
func (w *Writer) comma(begin byte) {
	if w.out[len(w.out)-1] != begin {
		w.out = append(w.out, ',')
	}
}

func (w *Writer) name(name string) {
	w.comma('{')
	w.out = append(rawjson.AppendText(w.out, name), ':')
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
	var w Writer
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

// Secret is a secret in a value.
type Secret struct {
	Text string // of a secret that takes any JSON its JSON
	Raw  bool   // it takes any JSON
	// Withheld is the path of a secret that is withheld, which has no text; "" for others.
	Withheld string
}

// Secrets appends the secrets in a value that is at a path. data is the JSON of the value: where it
// has null, there is none.
func Secrets(list []Secret, p *jsontype.Plan, v reflect.Value, data, path []byte) []Secret {
	if !p.Deep {
		return list
	}
	switch p.Form {
	case jsontype.FormSecret:
		text, withheld := p.Reveal(v.Addr().Interface())
		if withheld {
			return append(list, Secret{Withheld: string(path)})
		}
		return append(list, Secret{Text: text, Raw: p.Raw})
	case jsontype.FormNullable:
		if inner, there := p.Inside(v); there {
			return Secrets(list, p.Elem, inner, data, path)
		}
	case jsontype.FormPointer:
		if !v.IsNil() {
			return Secrets(list, p.Elem, v.Elem(), data, path)
		}
	case jsontype.FormList:
		at := 0
		for item := range rawjson.Items(data) {
			if at < v.Len() && !rawjson.IsNull(item) {
				list = Secrets(list, p.Elem, v.Index(at), item, rawjson.Step{Index: at}.AppendTo(path))
			}
			at++
		}
		for ; at < v.Len(); at++ {
			list = Secrets(list, p.Elem, v.Index(at), nil, rawjson.Step{Index: at}.AppendTo(path))
		}
	case jsontype.FormObject:
		blank := p.IsBlank(v)
		for i := range p.Members {
			m := &p.Members[i]
			omitted := m.Omits(m.In(v)) && !(m.Form == jsontype.FormSecret && rawjson.Get(data, m.Name) != nil)
			if !m.Deep || omitted {
				continue
			}
			at := rawjson.Step{Name: m.Name, Index: -1}.AppendTo(path)
			if blank && m.Form == jsontype.FormSecret {
				list = append(list, Secret{Withheld: string(at)})
			} else {
				list = Secrets(list, m.Plan, m.In(v), rawjson.Get(data, m.Name), at)
			}
		}
	}
	return list
}
