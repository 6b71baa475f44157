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
		if clean := t.Clean(data); !same(clean, data) {
			data = clean
			t.Inside(to, data)
		}
	}
	*to.(Keeper).keeps() = New(data)
	return nil
}

// Inside lets the objects inside a struct that was read from JSON keep their part of the JSON, if
// their fields do not represent all of it: unknown members, null, a number with a fraction, or an
// absent member that would be written. So the others are still equal to literals. It reads the
// JSON once.
func (t *Types) Inside(to any, data []byte) { t.inside(to, data) }

// Rest is Inside for a struct that keeps its own JSON only if its fields do not represent all of
// it, or if odd says that a member did not fit its field. It keeps a copy.
func (t *Types) Rest(to Keeper, data []byte, odd bool) {
	*to.keeps() = JSON{}
	data = bytes.TrimSpace(data)
	if rawjson.Kind(data) != '{' {
		return
	}
	w, v := newWalk(data), reflect.ValueOf(to).Elem()
	w.shared = true
	if _, whole := w.object(t.typeOf(v.Type()), v, 0); odd || !whole {
		*to.keeps() = w.kept(0, len(data))
	}
}

// inside is Inside. It reports whether an object has a member whose name fits a field but for the
// case of letters: then encoding/json may have taken that one although there is one with the very
// name.
func (t *Types) inside(to any, data []byte) (folded bool) {
	w := newWalk(data)
	if at := rawjson.SkipSpace(data, 0); at < len(data) && data[at] == '{' {
		v := reflect.ValueOf(to).Elem()
		w.object(t.typeOf(v.Type()), v, at)
	}
	return w.folded
}

// decode reads JSON into the struct that to points to, and lets the objects inside keep their part.
func (t *Types) decode(to any, data []byte) error {
	if err := t.Decode(data, to); err != nil || !t.inside(to, data) {
		return err
	}
	v := reflect.ValueOf(to).Elem()
	v.SetZero()
	if err := t.Decode(t.typeOf(v.Type()).exact(data), to); err != nil {
		return err
	}
	t.inside(to, data)
	return nil
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
	folded bool // see Types.inside
	shared bool // others may change data, so it is copied before a part of it is kept
}

func newWalk(data []byte) *walk {
	return &walk{data: data, plain: utf8.Valid(data) && bytes.IndexByte(data, '\\') < 0}
}

// kept returns a JSON that keeps a part of the data.
func (w *walk) kept(at, end int) JSON {
	if w.shared {
		w.data, w.shared = bytes.Clone(w.data), false
	}
	return New(w.data[at:end:end])
}

// object reads the object at a position, from which a struct was read. It returns the end of
// the object, and whether the struct represents all of it.
func (w *walk) object(k *jsonType, v reflect.Value, at int) (end int, whole bool) {
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
		var inner reflect.Value
		if f.inside {
			inner = v.FieldByIndex(f.index)
		}
		end, held := w.value(f.jsonType, inner, value, f.always)
		whole = whole && held
		return end
	})
	return end, whole && k.always&^seen == 0
}

// value reads a value, and reports whether the Go value would be written as the same JSON.
// null says whether its zero value is written as null, and not left out. v is used only if
// objects inside it may keep their JSON.
func (w *walk) value(k *jsonType, v reflect.Value, at int, null bool) (end int, whole bool) {
	kind := w.data[at]
	switch {
	case k.form == formNullable && kind != 'n':
		if k.inside {
			v = reflect.ValueOf(k.Inner(v.Addr().Interface())).Elem()
		}
		return w.value(k.elem, v, at, true)
	case k.form == formPointer && kind != 'n' && !(k.inside && v.IsNil()):
		if k.inside {
			v = v.Elem()
		}
		return w.value(k.elem, v, at, true)
	case k.form == formList && kind == '[':
		return w.list(k, v, at)
	case k.form == formObject && kind == '{':
		end, whole = w.object(k, v, at)
		if k.keeps && !whole { // it keeps its JSON, so nothing is lost
			*v.Addr().Interface().(Keeper).keeps() = w.kept(at, end)
			whole = true
		}
		return end, whole
	}
	end = rawjson.EndOfValue(w.data, at)
	return end, k.holds(w.data[at:end], null, w.plain)
}

func (w *walk) list(k *jsonType, v reflect.Value, at int) (end int, whole bool) {
	whole, items := true, 0
	end = rawjson.EachItem(w.data, at, func(index, item int) int {
		inner := v
		if k.inside {
			if items++; index >= v.Len() {
				return rawjson.EndOfValue(w.data, item)
			}
			inner = v.Index(index)
		}
		if k.elem.keeps && w.data[item] == 'n' {
			*inner.Addr().Interface().(Keeper).keeps() = New([]byte("null"))
			return rawjson.EndOfValue(w.data, item)
		}
		end, held := w.value(k.elem, inner, item, true)
		whole = whole && held
		return end
	})
	return end, whole && (!k.inside || items == v.Len())
}
