package reveal

import (
	"bytes"
	"cmp"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// field is a member of the object as which a struct is written.
type field struct {
	name   string
	token  string // the name as JSON, with the colon
	index  []int
	typ    reflect.Type
	tagged bool
	hidden bool // an embedded field of an unexported type, named by its tag

	omitEmpty, omitZero, quoted bool
}

// fieldsOf returns the fields that encoding/json writes, in its order. Fields of structs
// that are embedded without a name count as fields of the outer struct. If several fields
// have the same name, the least nested one is written, then the one named by a tag, and
// otherwise none.
func fieldsOf(t reflect.Type) []field {
	type level struct {
		typ   reflect.Type
		index []int
	}
	var all []field
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
				f, ok := newField(at.typ.Field(i), append(slices.Clone(at.index), i))
				if !ok {
					continue
				}
				if inner := unnamedElem(f.typ); f.name == "" { // embedded
					if counts[inner]++; counts[inner] == 1 {
						next = append(next, level{inner, f.index})
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
func newField(sf reflect.StructField, index []int) (f field, ok bool) {
	embeds := sf.Anonymous && unnamedElem(sf.Type).Kind() == reflect.Struct
	if !sf.IsExported() && !(sf.Anonymous && elem(sf.Type).Kind() == reflect.Struct) {
		return field{}, false
	}
	tag := sf.Tag.Get("json")
	if tag == "-" {
		return field{}, false
	}
	name, options, _ := strings.Cut(tag, ",")
	f = field{index: index, typ: sf.Type, hidden: !sf.IsExported()}
	if name != "" {
		f.name, f.tagged = tagName(name)
	}
	if f.name == "" {
		if embeds {
			return f, true
		}
		f.name = sf.Name
	}
	for option := range strings.SplitSeq(options, ",") {
		switch option {
		case "omitempty":
			f.omitEmpty = true
		case "omitzero":
			f.omitZero = true
		case "string":
			f.quoted = true
		}
	}
	f.token = quote(f.name) + ":"
	return f, true
}

// elem returns the type that a pointer type points to, or the type itself.
func elem(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

// unnamedElem is elem for pointer types without a name; named ones are returned as they are.
func unnamedElem(t reflect.Type) reflect.Type {
	if t.Name() != "" {
		return t
	}
	return elem(t)
}

// dominant keeps at most one field of each name, and sorts them in the order of writing.
func dominant(all []field) []field {
	slices.SortStableFunc(all, func(a, b field) int {
		return cmp.Or(strings.Compare(a.name, b.name), cmp.Compare(len(a.index), len(b.index)), cmp.Compare(untagged(a), untagged(b)))
	})
	var left []field
	for i := 0; i < len(all); {
		end := i + 1
		for end < len(all) && all[end].name == all[i].name {
			end++
		}
		if end == i+1 || len(all[i].index) != len(all[i+1].index) || all[i].tagged != all[i+1].tagged {
			left = append(left, all[i])
		}
		i = end
	}
	slices.SortFunc(left, func(a, b field) int { return slices.Compare(a.index, b.index) })
	return left
}

// untagged sorts fields that a tag names before those of the same name without one.
func untagged(f field) int {
	if f.tagged {
		return 0
	}
	return 1
}

// tagName returns the name that a tag gives, and whether it gives one: encoding/json
// ignores names with certain characters, and versions of Go differ in which. So a name that
// is not plain is tried with encoding/json.
func tagName(name string) (string, bool) {
	if strings.TrimFunc(name, isPlain) == "" {
		return name, true
	}
	tag := reflect.StructTag("json:" + strconv.Quote(name))
	try := reflect.StructOf([]reflect.StructField{{Name: "NameOfTheField", Type: reflect.TypeFor[bool](), Tag: tag}})
	data, err := json.Marshal(reflect.Zero(try).Interface())
	var members map[string]bool
	if err != nil || json.Unmarshal(data, &members) != nil {
		return "", false
	}
	for member := range members {
		if member != "NameOfTheField" {
			return member, true
		}
	}
	return "", false
}

// isPlain reports whether every version of Go takes a character in a name.
func isPlain(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_' || r == '-' || r == '.'
}

// quote returns a text as JSON.
func quote(s string) string {
	data, _ := rawjson.Encode(s) // never fails for a string
	return string(data)
}

type zeroer interface{ IsZero() bool }

var zeroerType = reflect.TypeFor[zeroer]()

// isZero returns the test that omitzero uses for values of a type, which must be
// addressable.
func isZero(t reflect.Type) func(reflect.Value) bool {
	switch {
	case t.Kind() == reflect.Interface && t.Implements(zeroerType):
		return func(v reflect.Value) bool {
			return v.IsNil() || v.Elem().Kind() == reflect.Pointer && v.Elem().IsNil() || v.Interface().(zeroer).IsZero()
		}
	case t.Kind() == reflect.Pointer && t.Implements(zeroerType):
		return func(v reflect.Value) bool { return v.IsNil() || v.Interface().(zeroer).IsZero() }
	case reflect.PointerTo(t).Implements(zeroerType): // the methods of the type itself are among those of its pointer
		return func(v reflect.Value) bool { return v.Addr().Interface().(zeroer).IsZero() }
	}
	return reflect.Value.IsZero
}

// isEmpty reports whether omitempty leaves out a value.
func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Struct, reflect.Complex64, reflect.Complex128, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		return false
	}
	return v.IsZero()
}

// quotedWriter writes a field with the option "string". The option is rare and has many
// rules, so encoding/json writes it, as the only field of a struct.
func quotedWriter(t reflect.Type) func(*walk, reflect.Value, bool) error {
	alone := reflect.StructOf([]reflect.StructField{{Name: "V", Type: t, Tag: `json:"v,string"`}})
	return func(w *walk, v reflect.Value, addressable bool) error {
		holder := reflect.New(alone)
		holder.Elem().Field(0).Set(v)
		from := len(w.out)
		if err := w.asJSON(holder.Elem(), addressable); err != nil {
			return err
		}
		value := bytes.TrimSuffix(bytes.TrimPrefix(w.out[from:], []byte(`{"v":`)), []byte(`}`))
		w.out = append(w.out[:from], value...)
		return nil
	}
}
