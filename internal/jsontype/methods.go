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
)

// ReadsItself reports whether a type, or a pointer to it, has a method that reads its JSON.
func ReadsItself(t reflect.Type) bool {
	return slices.ContainsFunc(readers, reflect.PointerTo(t).Implements)
}

// WritesItself reports whether a type, or a pointer to it, has a method that writes its JSON. It
// is false for an interface: the type of the value in it decides.
func WritesItself(t reflect.Type) bool {
	return t.Kind() != reflect.Interface && slices.ContainsFunc(writers, reflect.PointerTo(t).Implements)
}
