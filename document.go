package monitoring

import (
	"encoding/json"
	"reflect"
	"slices"

	"github.com/monitoring-api/monitoring-go/internal/document"
	"github.com/monitoring-api/monitoring-go/internal/jsontype"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/updates"
)

// reader is an object, which keeps the JSON that it is read from. It keeps data without a copy, so
// the caller must not change data.
type reader interface{ read(data []byte) error }

// holder is a pointer to an object, or to its fields.
type holder interface{ itself() *object }

// plans says how values are read and written. It is a literal without calls, and no pointer: then
// the linker sees who uses it.
var plans = jsontype.Plans{Traits: traitsOf, Decode: unmarshal}

// traitsOf asks the methods of a type how it is written. How it is read stands in decode.go: one
// function for both would bring all that writes objects into programs that only read.
func traitsOf(t reflect.Type) jsontype.Traits {
	traits := jsontype.Traits{Raw: t == secretJSONType}
	pointer := reflect.New(t).Interface()
	if t.PkgPath() != packagePath { // such as a struct that embeds a type of this package
		return traits
	}
	if _, ok := pointer.(revealer); ok {
		traits.Reveal = func(pointer any) (string, bool) { return pointer.(revealer).revealed() }
	}
	if _, ok := pointer.(nullable); ok {
		traits.Inner = func(pointer any) (any, bool) {
			n := pointer.(nullable).parts()
			return n.value, n.hasValue()
		}
	}
	if _, ok := pointer.(textual); ok {
		traits.Text = func(pointer any) (string, bool) { return pointer.(textual).asText() }
	}
	if _, ok := pointer.(blank); ok {
		traits.Blank = func(pointer any) bool { return pointer.(blank).isWithheld() }
	}
	if of, ok := pointer.(ofSeveralKinds); ok {
		traits.KindOf = of.kindOf
	}
	if m, ok := pointer.(masking); ok {
		traits.Masked = m.maskedMembers()
	}
	if _, ok := pointer.(written); ok {
		traits.Object = func(pointer any) (any, []byte) { return wholeOf(pointer.(written)) }
	} else if k, ok := pointer.(interface{ kinds() []reflect.Type }); ok {
		traits.Kinds = k.kinds
	}
	if _, ok := pointer.(partial); ok {
		traits.Extra = func(pointer any) ([]byte, []byte) { return pointer.(partial).rest() }
	}
	if r, ok := pointer.(interface{ readAs() []string }); ok {
		traits.ReadAs = r.readAs()
	}
	return traits
}

// wholeOf returns the struct that has the members of an object, nil if it has them itself, and what
// the object was read from.
func wholeOf(object written) (fields any, read []byte) {
	if of, ok := object.(ofSeveralKinds); ok {
		fields = of.asKind()
	}
	return fields, jsonOf(object.itself())
}

type (
	// written is an object, which is written as it was read.
	written interface {
		holder
		json.Marshaler
	}
	// textual is an object that may be written as a text instead.
	textual interface {
		asText() (text string, ok bool)
	}
	// masking is a struct with texts that may have credentials: the wire log masks them like secrets.
	masking interface{ maskedMembers() []string }
	// partial is a part of a response with a secret Extra; see jsontype.Traits.
	partial interface {
		rest() (extra, omitted []byte)
	}
	// blank is an object whose secrets may be withheld although they have a text.
	blank interface{ isWithheld() bool }
)

// readFields reads the fields of an object, which keeps data without a copy, so the caller must not
// change it. fields points to the struct without the methods that call this. After an error it is
// zero, and null changes nothing.
func readFields(fields any, data []byte) error {
	if rawjson.IsNull(data) {
		return nil
	}
	v := reflect.ValueOf(fields).Elem()
	v.SetZero()
	if err := document.Read(&plans, data, fields); err != nil {
		v.SetZero()
		return err
	}
	fields.(holder).itself().facts = &facts{read: new(cleaned(data))}
	return nil
}

// writeHidden is the MarshalJSON of an object: it is written as it was read, with what has changed
// since, and with null for each secret.
func writeHidden(pointer any) ([]byte, error) {
	w, v := document.Writer{Hide: true}, reflect.ValueOf(pointer).Elem()
	data := w.Value(plans.Of(v.Type()), v)
	return data, w.Err
}

// writeOpen writes any value with its secrets, and with texts that are not UTF-8 as they are.
func writeOpen(value any) ([]byte, error) {
	w := document.Writer{Exact: true}
	p, v := plans.OfAny(&value)
	data := w.Value(p, v)
	return data, w.Err
}

// cleaned returns the JSON of an object as it is kept: a withheld value has one form in it, and
// nothing in it can be taken for a plan.
func cleaned(data []byte) []byte {
	if planIn(data) != nil {
		isPlan := func(m rawjson.Member) bool { return m.Name == planMember }
		data = rawjson.Join(slices.DeleteFunc(rawjson.Members(data), isPlan))
	}
	return updates.NullForWithheld(data)
}

// copyInside replaces everything that a value contains by copies, so that changes of a copied value
// do not change the original. What cannot be changed from outside of this package stays shared.
// There are no maps in objects.
func copyInside(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		if v.CanInterface() {
			if n, ok := v.Addr().Interface().(nullable); ok {
				v = reflect.ValueOf(n.parts().value).Elem()
				copyInside(v)
				return
			}
		}
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() || f.Kind() == reflect.Struct {
				copyInside(f)
			}
		}
	case reflect.Pointer:
		if !v.IsNil() {
			copied := reflect.New(v.Type().Elem())
			copied.Elem().Set(v.Elem())
			copyInside(copied.Elem())
			v.Set(copied)
		}
	case reflect.Slice:
		if !v.IsNil() {
			copied := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
			reflect.Copy(copied, v)
			v.Set(copied)
			if mayShare(v.Type().Elem()) {
				for i := range v.Len() {
					copyInside(v.Index(i))
				}
			}
		}
	}
}

// mayShare reports whether a copy of a value may share something with it.
func mayShare(t reflect.Type) bool {
	kind := t.Kind()
	return kind >= reflect.Array && kind != reflect.String
}
