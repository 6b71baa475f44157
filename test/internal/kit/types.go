package kit

import (
	"encoding/json"
	"go/ast"
	"reflect"
	"slices"
	"strings"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// WireTypes returns all exported types of requests and responses, sorted by name: those that the
// methods of the services take and return, what is in them, and what their own methods return.
// Tests compare their fields with the document, and check that they do not show secrets.
func WireTypes() []reflect.Type { return typesWith("json") }

// QueryTypes returns the exported types that are encoded as a query.
func QueryTypes() []reflect.Type { return typesWith("url") }

// typesWith returns the types that have a field with this tag, or that are JSON as a whole.
func typesWith(tag string) (list []reflect.Type) {
	found := make(map[reflect.Type]bool)
	for f := range reflect.TypeFor[monitoring.Client]().Fields() {
		if f.IsExported() {
			for m := range f.Type.Methods() {
				collect(m.Type, found)
			}
		}
	}
	for t := range found {
		if isTagged(t, tag) || tag == "json" && reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) {
			list = append(list, t)
		}
	}
	slices.SortFunc(list, func(a, b reflect.Type) int { return strings.Compare(a.Name(), b.Name()) })
	return list
}

// collect finds the exported structs of the SDK in a type. A page, a Nullable and a service are not
// among them, but what is in them is.
func collect(t reflect.Type, found map[reflect.Type]bool) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		collect(t.Elem(), found)
	case reflect.Func:
		for in := range t.Ins() {
			collect(in, found)
		}
		for out := range t.Outs() {
			collect(out, found)
		}
	case reflect.Struct:
		if IsNullable(t) {
			collect(NullableOf(t), found)
			return
		}
		if t.PkgPath() != reflect.TypeFor[monitoring.Client]().PkgPath() || found[t] {
			return
		}
		if ast.IsExported(t.Name()) && !strings.Contains(t.Name(), "[") {
			found[t] = true
			for m := range t.Methods() {
				for out := range m.Type.Outs() {
					collect(out, found)
				}
			}
		}
		for f := range t.Fields() {
			if f.IsExported() || f.Anonymous {
				collect(f.Type, found)
			}
		}
	}
}

// isTagged reports whether a field has the tag, also one of an embedded struct.
func isTagged(t reflect.Type, tag string) bool {
	for f := range t.Fields() {
		name, ok := f.Tag.Lookup(tag)
		if ok && name != "-" || f.Anonymous && f.Type.Kind() == reflect.Struct && isTagged(f.Type, tag) {
			return true
		}
	}
	return false
}

// IsNullable reports whether a type is a Nullable.
func IsNullable(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && strings.HasPrefix(t.Name(), "Nullable[")
}

// NullableOf returns the T of a Nullable[T].
func NullableOf(t reflect.Type) reflect.Type {
	get, _ := t.MethodByName("Get")
	return get.Type.Out(0)
}
