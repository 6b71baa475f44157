package keep

import (
	"bytes"
	"reflect"

	"github.com/monitoring-api/monitoring-go/internal/jsontype"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// Result is a value as JSON, and the secrets in it.
type Result struct {
	JSON []byte
	// Secrets are the texts that were opened, without the empty one.
	Secrets []string
	// Withheld are the paths at which a withheld secret is null, for example
	// environmentVariables[2].value. The path of the whole value is $.
	Withheld []string
}

// Encode writes a value with its secrets, and objects with the JSON that they keep. Only what JSON
// must escape is escaped. A method of another package sees only closed secrets. The errors are
// those of encoding/json and of Traits.Open.
func (t *Types) Encode(v any) (Result, error) {
	if v == nil {
		return Result{JSON: []byte("null")}, nil
	}
	copied := settled(reflect.ValueOf(v))
	k := t.typeOf(copied.Type())
	c := copier{types: t, opens: true}
	if err := c.copy(k, copied); err != nil {
		return Result{}, err
	}
	data, err := rawjson.Encode(copied.Interface())
	if err != nil || !c.completes {
		return Result{JSON: data, Secrets: c.texts}, err
	}
	w := writer{types: t, opens: true, texts: c.texts}
	data = w.value(k, copied, data)
	return Result{data, w.texts, w.withheld}, w.err
}

// Marshal is the MarshalJSON of a struct of the package that may keep its JSON: value points to
// it, and fields to the same without its methods. Secrets are written as null. In a copy for
// Encode, in which they are open, what is kept is left to it.
func (t *Types) Marshal(value, fields any) ([]byte, error) {
	data, err := rawjson.Encode(fields)
	if err != nil || IsOpen(*value.(Keeper).keeps()) {
		return data, err
	}
	return t.complete(value, data)
}

// Hidden writes a struct with null for each secret, given a pointer to it.
func (t *Types) Hidden(fields any) ([]byte, error) {
	data, err := rawjson.Encode(fields)
	if err != nil || t.at(place{reflect.TypeOf(fields).Elem(), true}).writes { // then it has completed itself
		return data, err
	}
	return t.complete(fields, data)
}

// complete adds what is kept to the JSON of a struct without secrets.
func (t *Types) complete(pointer any, data []byte) ([]byte, error) {
	v := reflect.ValueOf(pointer).Elem()
	w := writer{types: t}
	data = w.object(t.at(place{v.Type(), true}), v, data)
	return data, w.err
}

// writer completes the JSON that encoding/json wrote of a value, by what its objects keep. It
// visits the value and its JSON side by side.
type writer struct {
	types    *Types
	opens    bool // secrets are open
	path     rawjson.Path
	texts    []string
	withheld []string
	err      error
}

// value returns the completed JSON of a value that has an address.
func (w *writer) value(k *jsonType, v reflect.Value, data []byte) []byte {
	if !k.deep || w.err != nil {
		return data
	}
	kind := rawjson.Kind(data)
	if w.opens && k.Withheld != nil {
		for _, path := range k.Withheld(v.Addr().Interface()) {
			w.withheld = append(w.withheld, Under(w.at(), path))
		}
	}
	switch {
	case k.Inner != nil && kind != 'n':
		return w.value(k.elem, reflect.ValueOf(k.Inner(v.Addr().Interface())).Elem(), data)
	case k.isForeign():
		if kind == 'n' && w.opens && len(k.parts) > 0 { // the method is that of a closed secret
			return w.apart(k.parts[0].jsonType, exported(v.Field(k.parts[0].index)))
		}
		return data
	case k.writes && !(k.keeps && w.opens): // it has completed itself
		return data
	case (v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface) && v.IsNil():
		return data
	case v.Kind() == reflect.Pointer:
		return w.value(k.elem, v.Elem(), data)
	case v.Kind() == reflect.Interface:
		inner := settled(v.Elem())
		return w.value(w.types.typeOf(inner.Type()), inner, data)
	case kind == '[' && k.elem != nil:
		return w.list(k, v, data)
	case kind == '{' && v.Kind() == reflect.Map:
		return w.dictionary(k, v, data)
	case kind == '{' && v.Kind() == reflect.Struct:
		return w.object(k, v, data)
	}
	return data
}

// apart writes a value that stayed closed in the copy, because a method of another package sees it.
func (w *writer) apart(k *jsonType, v reflect.Value) []byte {
	if w.err != nil {
		return nil
	}
	if k.byAddr {
		v = v.Addr()
	}
	result, err := w.types.Encode(v.Interface())
	w.err = err
	w.texts = append(w.texts, result.Secrets...)
	for _, path := range result.Withheld {
		w.withheld = append(w.withheld, Under(w.at(), path))
	}
	return result.JSON
}

// inside is value for a value that is one step further in the path.
func (w *writer) inside(s rawjson.Step, k *jsonType, v reflect.Value, data []byte, apart bool) []byte {
	w.path = append(w.path, s)
	if apart && w.opens {
		data = w.apart(k, v)
	} else {
		data = w.value(k, v, data)
	}
	w.path = w.path[:len(w.path)-1]
	return data
}

func (w *writer) list(k *jsonType, v reflect.Value, data []byte) []byte {
	var items [][]byte
	changed := false
	for item := range rawjson.Items(data) {
		if len(items) < v.Len() {
			now := w.inside(rawjson.Step{Index: len(items)}, k.elem, v.Index(len(items)), item, false)
			changed = changed || !same(item, now)
			item = now
		}
		items = append(items, item)
	}
	if !changed {
		return data
	}
	return append(append([]byte{'['}, bytes.Join(items, []byte{','})...), ']')
}

func (w *writer) dictionary(k *jsonType, v reflect.Value, data []byte) []byte {
	values := make(map[string]reflect.Value, v.Len())
	for at := v.MapRange(); at.Next(); {
		values[keyOf(at.Key())] = at.Value()
	}
	members, changed := rawjson.Members(data), false
	for i, m := range members {
		if value, ok := values[m.Name]; ok {
			members[i].Value = w.inside(rawjson.Step{Name: m.Name, Index: -1}, k.elem, settled(value), m.Value, false)
			changed = changed || !same(m.Value, members[i].Value)
		}
	}
	if !changed {
		return data
	}
	return rawjson.Join(members)
}

// keyOf returns the name that encoding/json gives a key of a map.
func keyOf(key reflect.Value) string {
	if key.Kind() == reflect.String && !jsontype.WritesItself(key.Type(), false) {
		return key.String()
	}
	single := reflect.MakeMapWithSize(reflect.MapOf(key.Type(), reflect.TypeFor[bool]()), 1)
	single.SetMapIndex(key, reflect.ValueOf(true))
	data, _ := rawjson.Encode(single.Interface()) // it was written before
	for name := range rawjson.Each(data) {
		return string(name)
	}
	return ""
}

func (w *writer) object(k *jsonType, v reflect.Value, data []byte) []byte {
	if k.AsKind != nil {
		v = reflect.ValueOf(k.AsKind(v.Addr().Interface())).Elem()
		k = w.types.at(place{v.Type(), true})
	}
	var read []byte
	if k.keeps {
		read = Of(*v.Addr().Interface().(Keeper).keeps())
	}
	withheld := len(w.withheld)
	members, changed := rawjson.Members(data), false
	for i, m := range members {
		for _, f := range k.fields {
			if f.name != m.Name || !f.deep {
				continue
			}
			if inner, err := v.FieldByIndexErr(f.index); err == nil {
				members[i].Value = w.inside(rawjson.Step{Name: m.Name, Index: -1}, f.jsonType, exported(inner), m.Value, f.apart)
				changed = changed || !same(m.Value, members[i].Value)
			}
		}
	}
	if read != nil && w.err == nil {
		w.withheld = w.withheld[:withheld] // an item that was null has none
		return w.merge(k, read, v)
	}
	if !changed {
		return data
	}
	return rawjson.Join(members)
}

// at returns the path of the value that is completed.
func (w *writer) at() string {
	if len(w.path) == 0 {
		return "$"
	}
	return w.path.String()
}

// Under returns a path that is relative to a value, given the path of that value.
func Under(outer, path string) string {
	switch {
	case outer == "$":
		return path
	case path == "$":
		return outer
	case path[0] == '[':
		return outer + path
	}
	return outer + "." + path
}
