package jsontype

import "reflect"

// Meaning is what the JSON of a type means, where its kind does not show it. The package that has
// the types says it once; what reads, keeps or shows JSON asks for it.
type Meaning struct {
	// Secret is true for a type whose values are secrets: a string or null, or with Raw any JSON.
	Secret bool
	// Raw is true for a type that takes any JSON as it is.
	Raw bool
	// Wraps is the type of the JSON of a type that only wraps another one, such as an optional
	// value; nil for others.
	Wraps reflect.Type
	// OneOf are the structs of a type that is one of several objects; nil for others.
	OneOf []reflect.Type
}
