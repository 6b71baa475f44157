// Package jsontype is the one model of what encoding/json sees in a struct: [Fields] returns its
// members in the order in which they are written. Fields of structs that are embedded without a
// name count as fields of the outer struct. If several fields have the same name, the least nested
// one counts, then the one named by a tag, and otherwise none. Methods such as MarshalJSON are not
// looked at: a type that has one is read and written by it, whatever its fields are. The model
// holds for reading and writing, and for every version of Go that the module supports.
package jsontype

import (
	"reflect"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// Field is a member of the object as which a struct is written.
type Field struct {
	Name  string
	Type  reflect.Type
	Index []int        // as for [reflect.Value.FieldByIndex]
	Owner reflect.Type // the struct that declares the field
	// Unexported says that it is an embedded struct of an unexported type that its tag names.
	Unexported bool

	// The options of the tag.
	OmitEmpty, OmitZero, String bool

	tagged bool
}

var known sync.Map // of reflect.Type to its []Field

// Fields returns the fields of a struct that encoding/json reads and writes, in its order. The list
// must not be changed: all callers share it.
func Fields(t reflect.Type) []Field {
	list, ok := known.Load(t)
	if !ok {
		list, _ = known.LoadOrStore(t, fieldsOf(t))
	}
	return list.([]Field)
}

func fieldsOf(t reflect.Type) []Field {
	all := collect(nil, t, nil, nil)
	var left []Field
	for i, f := range all {
		hidden := false
		for j, other := range all {
			hidden = hidden || i != j && other.Name == f.Name && !f.hides(other)
		}
		if !hidden {
			left = append(left, f)
		}
	}
	return left
}

// collect adds the fields of a struct and of those that it embeds, also those that others hide. in
// has the structs around it: a struct may embed itself.
func collect(all []Field, t reflect.Type, index []int, in []reflect.Type) []Field {
	if slices.Contains(in, t) {
		return all
	}
	in = append(in, t)
	for i := range t.NumField() {
		switch f, ok := newField(t, i, index); {
		case !ok:
		case f.Name == "": // embedded
			all = collect(all, unnamedElem(f.Type), f.Index, in)
		default:
			all = append(all, f)
		}
	}
	return all
}

// hides reports whether the field counts, and not another one of its name.
func (f *Field) hides(other Field) bool {
	if len(f.Index) != len(other.Index) {
		return len(f.Index) < len(other.Index)
	}
	return f.tagged && !other.tagged
}

// newField reads the tag of a field. The name is empty for an embedded struct whose fields
// count as fields of the outer one; ok is false if the field is not written.
func newField(owner reflect.Type, i int, outer []int) (f Field, ok bool) {
	sf := owner.Field(i)
	embeds := sf.Anonymous && unnamedElem(sf.Type).Kind() == reflect.Struct
	if !sf.IsExported() && !(sf.Anonymous && Elem(sf.Type).Kind() == reflect.Struct) {
		return Field{}, false
	}
	tag := sf.Tag.Get("json")
	if tag == "-" {
		return Field{}, false
	}
	name, options, _ := strings.Cut(tag, ",")
	f = Field{Index: append(slices.Clone(outer), i), Type: sf.Type, Owner: owner, Unexported: !sf.IsExported()}
	if name != "" {
		f.Name, f.tagged = tagName(name)
	}
	if f.Name == "" {
		if embeds {
			return f, true
		}
		f.Name = sf.Name
	}
	f.OmitEmpty, f.OmitZero, f.String = has(options, "omitempty"), has(options, "omitzero"), has(options, "string")
	return f, true
}

// has reports whether a list with commas has an item.
func has(list, item string) bool { return strings.Contains(","+list+",", ","+item+",") }

// Elem returns the type that a pointer type points to, or the type itself.
func Elem(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

// unnamedElem is Elem for pointer types without a name; named ones are returned as they are.
func unnamedElem(t reflect.Type) reflect.Type {
	if t.Name() != "" {
		return t
	}
	return Elem(t)
}

// tagName returns the name that a tag gives, and whether it gives one: encoding/json ignores names
// with quotation marks, backslashes, commas and what is neither a letter nor a digit nor ASCII.
func tagName(name string) (string, bool) {
	valid := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r)
	}
	if strings.TrimFunc(name, valid) != "" {
		return "", false
	}
	return name, true
}
