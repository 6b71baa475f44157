package document

import (
	"cmp"
	"reflect"
	"slices"

	"github.com/monitoring-api/monitoring-go/internal/jsontype"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// inside returns a copy of what an interface has, and whether there is anything.
func inside(v reflect.Value) (inner reflect.Value, ok bool) {
	if v.IsNil() {
		return reflect.Value{}, false
	}
	return settled(v.Elem()), true
}

// settled returns a copy of a value that has an address.
func settled(v reflect.Value) reflect.Value {
	copied := reflect.New(v.Type()).Elem()
	copied.Set(v)
	return copied
}

// entry is an entry of a map.
type entry struct {
	name  string
	value reflect.Value
	err   error // of the name
}

// entriesOf returns the entries of a map in the order in which encoding/json writes them.
func entriesOf(v reflect.Value) []entry {
	list := make([]entry, 0, v.Len())
	for at := v.MapRange(); at.Next(); {
		name, err := nameOf(at.Key())
		list = append(list, entry{name, settled(at.Value()), err})
	}
	slices.SortStableFunc(list, func(a, b entry) int { return cmp.Compare(a.name, b.name) })
	return list
}

// nameOf returns the name that encoding/json gives a key of a map.
func nameOf(key reflect.Value) (name string, err error) {
	if key.Kind() == reflect.String && !jsontype.WritesItself(key.Type(), false) {
		return key.String(), nil
	}
	single := reflect.MakeMapWithSize(reflect.MapOf(key.Type(), reflect.TypeFor[bool]()), 1)
	single.SetMapIndex(key, reflect.ValueOf(true))
	data, err := rawjson.Encode(single.Interface())
	for text := range rawjson.Each(data) {
		name = string(text)
	}
	return name, err
}

// whole returns the struct that has the members of an object, and what it was read from.
func whole(p *jsontype.Plan, v reflect.Value) (plan *jsontype.Plan, object reflect.Value, read []byte) {
	if p.Object == nil {
		return p, v, nil
	}
	fields, read := p.Object(v.Addr().Interface())
	if fields == nil {
		return p, v, read
	}
	v = reflect.ValueOf(fields).Elem()
	return p.Plans.Of(v.Type()), v, read
}
