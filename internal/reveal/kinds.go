package reveal

import (
	"bytes"
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/jsontype"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

type writer = func(*walk, reflect.Value, bool) error

// scalarWriter returns a writer for strings, booleans and whole numbers. It is nil for
// other kinds, and for types with rules of their own.
func scalarWriter(t reflect.Type) writer {
	if marshals(t) || t == reflect.TypeFor[json.Number]() {
		return nil
	}
	switch t.Kind() {
	case reflect.String:
		return func(w *walk, v reflect.Value, _ bool) error { return w.text(v.String()) }
	case reflect.Bool:
		return func(w *walk, v reflect.Value, _ bool) error {
			w.out = strconv.AppendBool(w.out, v.Bool())
			return nil
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return func(w *walk, v reflect.Value, _ bool) error {
			w.out = strconv.AppendInt(w.out, v.Int(), 10)
			return nil
		}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return func(w *walk, v reflect.Value, _ bool) error {
			w.out = strconv.AppendUint(w.out, v.Uint(), 10)
			return nil
		}
	}
	return nil
}

func (e *Encoder) pointerWriter(t reflect.Type) writer {
	target := lazyPlan{typ: t.Elem()}
	return func(w *walk, v reflect.Value, _ bool) error {
		if v.IsNil() {
			return w.null()
		}
		if err := w.enter(v); err != nil {
			return err
		}
		err := target.get(e).write(w, v.Elem(), true)
		w.leave(v)
		return err
	}
}

func (e *Encoder) listWriter(t reflect.Type) writer {
	item := lazyPlan{typ: t.Elem()}
	isSlice := t.Kind() == reflect.Slice
	return func(w *walk, v reflect.Value, addressable bool) error {
		if isSlice {
			if v.IsNil() {
				return w.null()
			}
			if err := w.enter(v); err != nil {
				return err
			}
			defer w.leave(v)
		}
		p := item.get(e)
		w.out = append(w.out, '[')
		for i := range v.Len() {
			if i > 0 {
				w.out = append(w.out, ',')
			}
			w.down(step{index: i})
			if err := p.write(w, v.Index(i), addressable || isSlice); err != nil {
				return err
			}
			w.up()
		}
		w.out = append(w.out, ']')
		return nil
	}
}

// structField is a field and how it is written.
type structField struct {
	jsontype.Field
	token  string // the name as JSON, with the colon
	plan   lazyPlan
	write  writer                   // instead of the plan, if not nil
	isZero func(reflect.Value) bool // with the option omitzero
}

func (e *Encoder) structWriter(t reflect.Type) writer {
	found := jsontype.Fields(t)
	fields := make([]structField, len(found))
	for i, f := range found {
		fields[i].Field, fields[i].token, fields[i].plan.typ = f, quote(f.Name)+":", f.Type
		if f.OmitZero {
			fields[i].isZero = isZero(f.Type)
		}
		if f.String && !e.holds(f.Type, make(map[reflect.Type]bool)) {
			fields[i].write = quotedWriter(f.Type)
		}
	}
	keeper := e.newKeeper(t, found)
	return func(w *walk, v reflect.Value, addressable bool) error {
		v = settled(v)
		from := len(w.out)
		if err := w.object(v, addressable, fields); err != nil || keeper == nil {
			return err
		}
		return keeper.merge(w, v, from)
	}
}

// object writes a struct. The struct is addressable; the parameter says whether
// encoding/json would see it as addressable, too.
func (w *walk) object(v reflect.Value, addressable bool, fields []structField) error {
	next := byte('{')
	for i := range fields {
		f := &fields[i]
		member, through, ok := f.of(v)
		if !ok || f.OmitEmpty && isEmpty(member) || f.OmitZero && f.isZero(member) {
			continue
		}
		w.out = append(append(w.out, next), f.token...)
		next = ','
		write := f.write
		if write == nil {
			write = f.plan.get(w.encoder).write
		}
		w.down(step{name: f.Name, index: -1})
		if err := write(w, member, addressable || through); err != nil {
			return err
		}
		w.up()
	}
	if next == '{' {
		w.out = append(w.out, next)
	}
	w.out = append(w.out, '}')
	return nil
}

// of returns the field of a struct. through says whether it is behind an embedded pointer;
// ok is false if that pointer is nil.
func (f *structField) of(v reflect.Value) (member reflect.Value, through, ok bool) {
	for _, i := range f.Index {
		if v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return reflect.Value{}, false, false
			}
			v, through = v.Elem(), true
		}
		v = v.Field(i)
	}
	if f.Unexported { // encoding/json writes it although the type is unexported
		v = reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem()
	}
	return v, through, true
}

func (e *Encoder) mapWriter(t reflect.Type) writer {
	type entry struct {
		key, token string
		value      reflect.Value
	}
	value := lazyPlan{typ: t.Elem()}
	keyOf := keyReader(t.Key())
	return func(w *walk, v reflect.Value, _ bool) error {
		if v.IsNil() {
			return w.null()
		}
		if err := w.enter(v); err != nil {
			return err
		}
		entries := make([]entry, 0, v.Len())
		for at := v.MapRange(); at.Next(); {
			key, token, err := keyOf(at.Key())
			if err != nil {
				return err
			}
			entries = append(entries, entry{key, token, at.Value()})
		}
		slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.key, b.key) })
		w.out = append(w.out, '{')
		for i, m := range entries {
			if i > 0 {
				w.out = append(w.out, ',')
			}
			w.out = append(append(w.out, m.token...), ':')
			w.down(step{name: m.key, index: -1})
			if err := value.get(e).write(w, m.value, false); err != nil {
				return err
			}
			w.up()
		}
		w.out = append(w.out, '}')
		w.leave(v)
		return nil
	}
}

var textMarshalerTypes = []reflect.Type{reflect.TypeFor[encoding.TextMarshaler]()}

func marshalsText(t reflect.Type) bool {
	return slices.ContainsFunc(textMarshalerTypes, t.Implements)
}

// plainKey reports whether encoding/json accepts a key type without a method.
func plainKey(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.String, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return true
	}
	return false
}

// keyReader returns a function that returns the text of a key and its JSON. Keys that are
// not plain strings are written by encoding/json, as the only key of a map.
func keyReader(t reflect.Type) func(reflect.Value) (key, token string, err error) {
	if t.Kind() == reflect.String && !marshals(t) {
		return func(v reflect.Value) (string, string, error) { return v.String(), quote(v.String()), nil }
	}
	single := reflect.MapOf(t, reflect.TypeFor[bool]())
	return func(v reflect.Value) (key, token string, err error) {
		m := reflect.MakeMapWithSize(single, 1)
		m.SetMapIndex(v, reflect.ValueOf(true))
		data, err := rawjson.Encode(m.Interface())
		if err != nil {
			return "", "", err
		}
		token = strings.TrimSuffix(strings.TrimPrefix(string(data), "{"), ":true}")
		return key, token, json.Unmarshal([]byte(token), &key)
	}
}

// quote returns a text as JSON.
func quote(s string) string {
	data, _ := rawjson.Encode(s) // never fails for a string
	return string(data)
}

type zeroer interface{ IsZero() bool }

var zeroerType = reflect.TypeFor[zeroer]()

// isZero returns the test that omitzero uses for values of a type, which must be
// addressable.
func isZero(t reflect.Type) func(reflect.Value) bool {
	switch {
	case t.Kind() == reflect.Interface && t.Implements(zeroerType):
		return func(v reflect.Value) bool {
			return v.IsNil() || v.Elem().Kind() == reflect.Pointer && v.Elem().IsNil() || v.Interface().(zeroer).IsZero()
		}
	case t.Kind() == reflect.Pointer && t.Implements(zeroerType):
		return func(v reflect.Value) bool { return v.IsNil() || v.Interface().(zeroer).IsZero() }
	case reflect.PointerTo(t).Implements(zeroerType): // the methods of the type itself are among those of its pointer
		return func(v reflect.Value) bool { return v.Addr().Interface().(zeroer).IsZero() }
	}
	return reflect.Value.IsZero
}

// isEmpty reports whether omitempty leaves out a value.
func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Struct, reflect.Complex64, reflect.Complex128, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		return false
	}
	return v.IsZero()
}

// quotedWriter writes a field with the option "string". The option is rare and has many
// rules, so encoding/json writes it, as the only field of a struct.
func quotedWriter(t reflect.Type) func(*walk, reflect.Value, bool) error {
	alone := reflect.StructOf([]reflect.StructField{{Name: "V", Type: t, Tag: `json:"v,string"`}})
	return func(w *walk, v reflect.Value, addressable bool) error {
		holder := reflect.New(alone)
		holder.Elem().Field(0).Set(v)
		from := len(w.out)
		if err := w.asJSON(holder.Elem(), addressable); err != nil {
			return err
		}
		value := bytes.TrimSuffix(bytes.TrimPrefix(w.out[from:], []byte(`{"v":`)), []byte(`}`))
		w.out = append(w.out[:from], value...)
		return nil
	}
}
