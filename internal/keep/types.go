package keep

import (
	"bytes"
	"encoding/json"
	"reflect"

	"github.com/monitoring-api/monitoring-go/internal/jsontype"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// jsonType describes which JSON a Go type represents without loss.
type jsonType struct {
	form   form
	elem   *jsonType             // of a pointer, a list, or a value that may be null
	inner  func(pointer any) any // of a value that may be null; see Traits
	fields []*field              // of an object
	always uint64                // the numbers of the fields that are always written
	inside bool                  // it is an object that can keep its JSON, or may contain one
	keeps  bool                  // it can keep its JSON
	orText bool                  // its JSON may be a string, too
}

type field struct {
	*jsonType
	name   string
	index  []int
	number uint64 // a bit that only this field has
	always bool
}

// form is the form of a Go type in JSON.
type form uint8

const (
	formOther form = iota // a number with a fraction or a map: everything except for null is represented
	formAny               // raw JSON
	formSecret
	formString
	formBool
	formWhole
	formNullable
	formPointer
	formList
	formObject
)

var rawMessageType = reflect.TypeFor[json.RawMessage]()

func (t *Types) typeOf(typ reflect.Type) *jsonType {
	if k, ok := t.known.Load(typ); ok {
		return k.(*jsonType)
	}
	k, _ := t.known.LoadOrStore(typ, t.newType(typ, map[reflect.Type]*jsonType{}))
	return k.(*jsonType)
}

// newType describes a type. above has those that are being described, because a type may contain
// itself.
func (t *Types) newType(typ reflect.Type, above map[reflect.Type]*jsonType) *jsonType {
	if k := above[typ]; k != nil {
		return k
	}
	traits := t.Traits(typ)
	k := &jsonType{inner: traits.Inner, orText: traits.OrText}
	above[typ] = k
	switch kind := typ.Kind(); {
	case traits.Secret:
		k.form = formSecret
	case traits.Any || typ == rawMessageType || kind == reflect.Interface:
		k.form = formAny
	case k.inner != nil:
		k.form, k.elem = formNullable, t.newType(reflect.TypeOf(k.inner(reflect.New(typ).Interface())).Elem(), above)
	case traits.Text || kind == reflect.String:
		k.form = formString
	case kind == reflect.Pointer:
		k.form, k.elem = formPointer, t.newType(typ.Elem(), above)
	case kind == reflect.Slice:
		k.form, k.elem = formList, t.newType(typ.Elem(), above)
	case kind == reflect.Struct:
		k.form, k.inside, k.keeps = formObject, true, Keeps(typ)
		for _, f := range jsontype.Fields(typ) {
			one := &field{jsonType: t.newType(f.Type, above), name: f.Name, index: f.Index, number: 1 << len(k.fields), always: !f.OmitEmpty && !f.OmitZero}
			k.fields = append(k.fields, one)
			if one.always {
				k.always |= one.number
			}
		}
	case kind == reflect.Bool:
		k.form = formBool
	case kind == reflect.Int || kind == reflect.Int64:
		k.form = formWhole
	}
	k.inside = k.inside || k.elem != nil && k.elem.inside
	return k
}

// field returns the field with a name, which is given with its quotation marks. It looks first
// at the one after the field that was found before, because most services write the members in
// the order of the fields. last is the number of that field.
func (k *jsonType) field(name []byte, last *int) *field {
	text := name[1 : len(name)-1]
	if bytes.IndexByte(text, '\\') >= 0 {
		text = []byte(rawjson.Unquote(name))
	}
	for range k.fields {
		if *last++; *last == len(k.fields) {
			*last = 0
		}
		if f := k.fields[*last]; f.name == string(text) {
			return f
		}
	}
	return nil
}

// holds reports whether a value without objects that keep their JSON would be written as it was
// read. null says whether the zero value is written as null, and not left out.
func (k *jsonType) holds(value []byte, null bool) bool {
	kind := value[0]
	switch k.form {
	case formAny:
		return true
	case formSecret:
		return kind == '"' || kind == 'n'
	case formString:
		return kind == '"'
	case formBool:
		return kind == 't' || kind == 'f'
	case formWhole:
		return isWhole(value)
	case formNullable:
		return true // it is null
	case formPointer, formList:
		return null && kind == 'n'
	case formObject:
		return k.orText && kind == '"'
	}
	return kind != 'n'
}

// isWhole reports whether a value is a number that is written without fraction and exponent.
func isWhole(value []byte) bool {
	for _, c := range value {
		if c != '-' && (c < '0' || c > '9') {
			return false
		}
	}
	return true
}
