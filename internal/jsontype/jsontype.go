// Package jsontype is the one model of what encoding/json sees in a struct: [Fields] returns its
// members in the order in which they are written. Fields of structs that are embedded without a
// name count as fields of the outer struct. If several fields have the same name, the least nested
// one counts, then the one named by a tag, and otherwise none. Methods such as MarshalJSON are not
// looked at: a type that has one is read and written by it, whatever its fields are. The model
// holds for reading and writing, and for every version of Go that the module supports.
package jsontype

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
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

// Fields returns the fields of a struct that encoding/json reads and writes, in its order.
func Fields(t reflect.Type) []Field {
	type level struct {
		typ   reflect.Type
		index []int
	}
	var all []Field
	visited := map[reflect.Type]bool{}
	next, counts := []level{{typ: t}}, map[reflect.Type]int{t: 1}
	for len(next) > 0 {
		current, times := next, counts
		next, counts = nil, map[reflect.Type]int{}
		for _, at := range current {
			if visited[at.typ] {
				continue
			}
			visited[at.typ] = true
			for i := range at.typ.NumField() {
				f, ok := newField(at.typ, i, at.index)
				if !ok {
					continue
				}
				if inner := unnamedElem(f.Type); f.Name == "" { // embedded
					if counts[inner]++; counts[inner] == 1 {
						next = append(next, level{inner, f.Index})
					}
					continue
				}
				all = append(all, f)
				if times[at.typ] > 1 {
					all = append(all, f) // the type is embedded twice: its fields hide each other
				}
			}
		}
	}
	return dominant(all)
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
	for option := range strings.SplitSeq(options, ",") {
		switch option {
		case "omitempty":
			f.OmitEmpty = true
		case "omitzero":
			f.OmitZero = true
		case "string":
			f.String = true
		}
	}
	return f, true
}

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

// dominant keeps at most one field of each name, and sorts them in the order of writing.
func dominant(all []Field) []Field {
	slices.SortStableFunc(all, func(a, b Field) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), cmp.Compare(len(a.Index), len(b.Index)), cmp.Compare(untagged(a), untagged(b)))
	})
	var left []Field
	for i := 0; i < len(all); {
		end := i + 1
		for end < len(all) && all[end].Name == all[i].Name {
			end++
		}
		if end == i+1 || len(all[i].Index) != len(all[i+1].Index) || all[i].tagged != all[i+1].tagged {
			left = append(left, all[i])
		}
		i = end
	}
	slices.SortFunc(left, func(a, b Field) int { return slices.Compare(a.Index, b.Index) })
	return left
}

// untagged sorts fields that a tag names before those of the same name without one.
func untagged(f Field) int {
	if f.tagged {
		return 0
	}
	return 1
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
