package keep

import (
	"bytes"
	"reflect"
	"unicode/utf8"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// Read reads JSON into a struct that keeps it; to points to its type without the methods that call
// Read. It keeps data without a copy, so the caller must not change data. After an error the
// struct is as it was before. null changes nothing. Of two members that differ in the case of
// letters the one with the very name of the field counts.
func (t *Types) Read(to any, data []byte) error {
	if rawjson.IsNull(data) {
		return nil
	}
	v := reflect.ValueOf(to).Elem()
	before := reflect.Zero(v.Type())
	if !v.IsZero() {
		before = settled(v)
	}
	v.SetZero()
	if err := t.decode(to, data); err != nil {
		v.Set(before)
		return err
	}
	if t.Clean != nil {
		data = t.Clean(data)
	}
	*to.(Keeper).keeps() = New(data)
	return nil
}

// Rest lets a struct keep a copy of the JSON that it was read from, but only if its fields do not
// represent all of it, or if odd says that a member did not fit its field.
func (t *Types) Rest(to Keeper, data []byte, odd bool) {
	*to.keeps() = JSON{}
	data = bytes.TrimSpace(data)
	if rawjson.Kind(data) != '{' {
		return
	}
	w := newWalk(data)
	if _, whole := w.object(t.typeOf(reflect.TypeOf(to).Elem()), 0); odd || !whole {
		*to.keeps() = New(bytes.Clone(data))
	}
}

// isFolded reports whether an object in the JSON of a struct has a member whose name fits a field
// but for the case of letters: then encoding/json may have taken that one although there is one
// with the very name.
func (k *jsonType) isFolded(data []byte) bool {
	w := newWalk(data)
	if at := rawjson.SkipSpace(data, 0); at < len(data) && data[at] == '{' {
		w.object(k, at)
	}
	return w.folded
}

// decode reads JSON into the struct that to points to.
func (t *Types) decode(to any, data []byte) error {
	v := reflect.ValueOf(to).Elem()
	k := t.typeOf(v.Type())
	if err := t.Decode(data, to); err != nil || !k.isFolded(data) {
		return err
	}
	v.SetZero()
	return t.Decode(k.exact(data), to)
}

// same reports whether JSON was not changed.
func same(a, b []byte) bool { return len(a) == len(b) && &a[0] == &b[0] }

// exact returns JSON of the type without members that differ only in case from another one that has
// the very name of their field.
func (k *jsonType) exact(data []byte) []byte {
	switch {
	case k.form == formNullable || k.form == formPointer:
		return k.elem.exact(data)
	case k.form == formList && rawjson.Kind(data) == '[':
		var items [][]byte
		for item := range rawjson.Items(data) {
			items = append(items, k.elem.exact(item))
		}
		return append(append([]byte{'['}, bytes.Join(items, []byte{','})...), ']')
	case k.form == formObject && rawjson.Kind(data) == '{':
		all, values := rawjson.Members(data), rawjson.Index(data)
		members := all[:0:0]
		for _, m := range all {
			f := k.named(m.Name)
			if f != nil && f.name != m.Name && values[f.name] != nil {
				continue
			}
			if f != nil {
				m.Value = f.exact(m.Value)
			}
			members = append(members, m)
		}
		return rawjson.Join(members)
	}
	return data
}

// walk reads JSON that was decoded before, so it is valid.
type walk struct {
	data   []byte
	plain  bool // no string needs a look for what encoding/json replaces
	folded bool // see isFolded
}

func newWalk(data []byte) *walk {
	return &walk{data: data, plain: utf8.Valid(data) && bytes.IndexByte(data, '\\') < 0}
}

// object reads the object at a position, from which a struct was read. It returns the end of
// the object, and whether the struct represents all of it.
func (w *walk) object(k *jsonType, at int) (end int, whole bool) {
	if k.AsKind != nil { // it has kept its JSON when it was read
		return rawjson.EndOfValue(w.data, at), true
	}
	whole, seen, last := true, uint64(0), -1
	end = rawjson.EachMember(w.data, at, func(name []byte, value int) int {
		f := k.field(name, &last)
		if f == nil {
			w.folded = w.folded || k.named(rawjson.Unquote(name)) != nil
			whole = false
			return rawjson.EndOfValue(w.data, value)
		}
		seen |= f.number
		end, held := w.value(f.jsonType, value, f.always)
		whole = whole && held
		return end
	})
	return end, whole && k.always&^seen == 0
}

// value reads a value, and reports whether the Go value would be written as the same JSON.
// null says whether its zero value is written as null, and not left out.
func (w *walk) value(k *jsonType, at int, null bool) (end int, whole bool) {
	kind := w.data[at]
	switch {
	case (k.form == formNullable || k.form == formPointer) && kind != 'n':
		return w.value(k.elem, at, true)
	case k.form == formList && kind == '[':
		whole = true
		end = rawjson.EachItem(w.data, at, func(_, item int) int {
			end, held := w.value(k.elem, item, true)
			whole = whole && held
			return end
		})
		return end, whole
	case k.form == formObject && kind == '{':
		return w.object(k, at)
	}
	end = rawjson.EndOfValue(w.data, at)
	return end, k.holds(w.data[at:end], null, w.plain)
}
