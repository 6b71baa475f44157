package keep

import (
	"reflect"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// Inside lets the objects inside a struct that was read from JSON keep their part of the JSON, if
// their fields do not represent all of it: unknown members, null, a number with a fraction, or an
// absent member that would be written. So the others are still equal to literals. It reads the
// JSON once.
func (t *Types) Inside(to any, data []byte) {
	if at := rawjson.SkipSpace(data, 0); at < len(data) && data[at] == '{' {
		v := reflect.ValueOf(to).Elem()
		walk{data}.object(t.typeOf(v.Type()), v, at)
	}
}

// walk reads JSON that was decoded before, so it is valid.
type walk struct{ data []byte }

// object reads the object at a position, from which a struct was read. It returns the end of
// the object, and whether the struct represents all of it.
func (w walk) object(k *jsonType, v reflect.Value, at int) (end int, whole bool) {
	whole, seen, last := true, uint64(0), -1
	end = rawjson.EachMember(w.data, at, func(name []byte, value int) int {
		f := k.field(name, &last)
		if f == nil {
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
func (w walk) value(k *jsonType, v reflect.Value, at int, null bool) (end int, whole bool) {
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
			*v.Addr().Interface().(Keeper).keeps() = New(w.data[at:end:end])
			whole = true
		}
		return end, whole
	}
	end = rawjson.EndOfValue(w.data, at)
	return end, k.holds(w.data[at:end], null)
}

func (w walk) list(k *jsonType, v reflect.Value, at int) (end int, whole bool) {
	whole, items := true, 0
	end = rawjson.EachItem(w.data, at, func(index, item int) int {
		inner := v
		if k.inside {
			if items++; index >= v.Len() {
				return rawjson.EndOfValue(w.data, item)
			}
			inner = v.Index(index)
		}
		end, held := w.value(k.elem, inner, item, true)
		whole = whole && held
		return end
	})
	return end, whole && (!k.inside || items == v.Len())
}
