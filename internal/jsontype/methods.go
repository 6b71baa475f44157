package jsontype

import (
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
)

var (
	readers = []reflect.Type{reflect.TypeFor[json.Unmarshaler](), reflect.TypeFor[encoding.TextUnmarshaler]()}
	writers = []reflect.Type{reflect.TypeFor[json.Marshaler](), reflect.TypeFor[encoding.TextMarshaler]()}
	zeroer  = reflect.TypeFor[interface{ IsZero() bool }]()
)

// ReadsItself reports whether a type, or a pointer to it, has a method that reads its JSON.
func ReadsItself(t reflect.Type) bool {
	return slices.ContainsFunc(readers, reflect.PointerTo(t).Implements)
}

// KnowsZero reports whether a type, or a pointer to it, has the method that omitzero calls.
func KnowsZero(t reflect.Type) bool {
	return t.Implements(zeroer) || reflect.PointerTo(t).Implements(zeroer)
}

// Omits reports whether the field is left out when it has a value.
func (f *Field) Omits(value reflect.Value) bool {
	if f.OmitEmpty && isEmpty(value) {
		return true
	}
	if !f.OmitZero {
		return false
	}
	if value.Kind() == reflect.Pointer || value.Kind() == reflect.Interface {
		if value.IsNil() || !value.Type().Implements(zeroer) {
			return value.IsNil()
		}
		return value.Interface().(interface{ IsZero() bool }).IsZero()
	}
	if !value.CanAddr() {
		copied := reflect.New(value.Type()).Elem()
		copied.Set(value)
		value = copied
	}
	if z, ok := value.Addr().Interface().(interface{ IsZero() bool }); ok {
		return z.IsZero()
	}
	return value.IsZero()
}

// isEmpty reports whether a value is empty for omitempty.
func isEmpty(value reflect.Value) bool {
	switch value.Kind() {
	case reflect.Slice, reflect.Map, reflect.Array, reflect.String:
		return value.Len() == 0
	case reflect.Struct:
		return false
	}
	return value.IsZero()
}

// Promotes reports whether a struct that embeds the type gets a method from it that writes its
// JSON.
func Promotes(t reflect.Type) bool {
	if t.Kind() != reflect.Pointer && t.Kind() != reflect.Interface {
		t = reflect.PointerTo(t)
	}
	return slices.ContainsFunc(writers, t.Implements)
}

// WritesItself reports whether encoding/json writes the values of a type by a method. The methods
// of the pointer to a type count only for values that are addressable, such as the items of a slice
// and what a pointer points to. It is false for an interface: the type of the value in it decides.
func WritesItself(t reflect.Type, addressable bool) bool {
	if t.Kind() == reflect.Interface {
		return false
	}
	if addressable {
		t = reflect.PointerTo(t)
	}
	return slices.ContainsFunc(writers, t.Implements)
}
