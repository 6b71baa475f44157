package keep

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/jsontype"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// jsonType describes the JSON of a Go type: what it represents without loss, and what is in it.
type jsonType struct {
	Traits
	typ    reflect.Type
	form   form
	elem   *jsonType // of a pointer, a list, a map, or a value that may be null
	fields []*field  // of an object
	always uint64    // the numbers of the fields that are always written
	parts  []part    // what a copy of a struct copies
	keeps  bool      // it can keep its JSON
	writes bool      // it has a method that writes it
	ours   bool      // see Types.Owns
	byAddr bool      // its values are addressable
	deep   bool      // it may contain a secret, or an object that keeps its JSON
}

type field struct {
	*jsonType
	name   string
	index  []int
	number uint64 // a bit that only this field has
	always bool
	apart  bool
}

// part is a field of a struct that encoding/json may look into.
type part struct {
	*jsonType
	index    int
	omitZero bool
	exported bool
	apart    bool // a method of another package says whether it is left out, so it is written apart
}

// form is the form of a Go type in JSON.
type form uint8

const (
	formOther form = iota // such as a number with a fraction: everything except for null is represented
	formAny               // raw JSON
	formSecret
	formString
	formBool
	formInteger
	formNullable
	formPointer
	formList
	formObject
)

var rawMessageType = reflect.TypeFor[json.RawMessage]()

// place is a type, and whether its values are addressable: then encoding/json also calls the
// methods of a pointer to it.
type place struct {
	typ         reflect.Type
	addressable bool
}

// typeOf describes the type of a value that encoding/json gets, which is not addressable.
func (t *Types) typeOf(typ reflect.Type) *jsonType { return t.at(place{typ, false}) }

func (t *Types) at(p place) *jsonType {
	if k, ok := t.known.Load(p); ok {
		return k.(*jsonType)
	}
	made := make(map[place]*jsonType)
	k := t.newType(p, made)
	for _, one := range made {
		one.deep = one.isDeep(make(map[*jsonType]bool))
	}
	known, _ := t.known.LoadOrStore(p, k)
	return known.(*jsonType)
}

// newType describes a type. made has those that are being described, because a type may contain
// itself.
func (t *Types) newType(p place, made map[place]*jsonType) *jsonType {
	if k := made[p]; k != nil {
		return k
	}
	typ, kind := p.typ, p.typ.Kind()
	k := &jsonType{Traits: t.Traits(typ), typ: typ, writes: kind != reflect.Pointer &&
		jsontype.WritesItself(typ, p.addressable), ours: t.Owns(typ), byAddr: p.addressable}
	made[p] = k
	switch {
	case k.Raw || typ == rawMessageType || kind == reflect.Interface:
		k.form = formAny
	case k.Secret:
		k.form = formSecret
	case k.Inner != nil:
		k.form, k.elem = formNullable, t.newType(place{reflect.TypeOf(k.Inner(reflect.New(typ).Interface())).Elem(), false}, made)
	case k.Text || kind == reflect.String:
		k.form = formString
	case kind == reflect.Struct:
		k.form, k.keeps = formObject, k.ours && embedsJSON(typ)
		t.addFields(k, p.addressable, made)
	case k.isForeign():
	case kind == reflect.Pointer:
		k.form, k.elem = formPointer, t.newType(place{typ.Elem(), true}, made)
	case kind == reflect.Slice:
		k.form, k.elem = formList, t.newType(place{typ.Elem(), true}, made)
	case kind == reflect.Map || kind == reflect.Array:
		k.elem = t.newType(place{typ.Elem(), p.addressable && kind == reflect.Array}, made)
		return k
	case kind == reflect.Bool:
		k.form = formBool
	case kind == reflect.Int || kind == reflect.Int64:
		k.form = formInteger
	}
	return k
}

// addFields adds the fields of a struct. Of one of another package that writes itself only the
// embedded field counts from which it may have the method. If several could give it, the struct
// has one of its own.
func (t *Types) addFields(k *jsonType, addressable bool, made map[place]*jsonType) {
	for i := range k.typ.NumField() {
		f := k.typ.Field(i)
		tag := f.Tag.Get("json")
		seen := (f.IsExported() || f.Anonymous) && tag != "-" && (f.Anonymous || !k.writes || k.ours)
		if seen || k.AsKind != nil && f.IsExported() {
			omitZero := strings.Contains(tag, ",omitzero")
			one := part{t.newType(place{f.Type, addressable}, made), i, omitZero, f.IsExported(), omitZero && t.asksUser(f.Type)}
			k.parts = append(k.parts, one)
		}
	}
	if k.isForeign() {
		k.parts = slices.DeleteFunc(k.parts, func(p part) bool { return !jsontype.Promotes(p.typ) })
		if len(k.parts) > 1 {
			k.parts = nil
		}
		return
	}
	for _, f := range jsontype.Fields(k.typ) {
		at := place{f.Type, addressable || behindPointer(k.typ, f.Index)}
		one := &field{jsonType: t.newType(at, made), name: f.Name, index: f.Index, number: 1 << len(k.fields),
			always: !f.OmitEmpty && !f.OmitZero, apart: f.OmitZero && t.asksUser(f.Type)}
		k.fields = append(k.fields, one)
		if one.always {
			k.always |= one.number
		}
	}
}

// asksUser reports whether omitzero calls a method of another package.
func (t *Types) asksUser(typ reflect.Type) bool {
	return jsontype.KnowsZero(typ) && !t.Owns(jsontype.Elem(typ))
}

// behindPointer reports whether a field of a struct is in one that is embedded by a pointer.
func behindPointer(t reflect.Type, index []int) bool {
	for i := 1; i < len(index); i++ {
		if t.FieldByIndex(index[:i]).Type.Kind() == reflect.Pointer {
			return true
		}
	}
	return false
}

// isForeign reports whether a method of another package writes the values. It gets no open secrets.
func (k *jsonType) isForeign() bool { return k.writes && !k.ours }

// isDeep finds out whether a value may contain a secret or an object that keeps its JSON. An
// interface can contain anything.
func (k *jsonType) isDeep(seen map[*jsonType]bool) bool {
	if seen[k] {
		return false
	}
	seen[k] = true
	if k.keeps || k.Secret || k.Open != nil || k.typ.Kind() == reflect.Interface || k.elem != nil && k.elem.isDeep(seen) {
		return true
	}
	for _, p := range k.parts {
		if p.isDeep(seen) {
			return true
		}
	}
	return false
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

// named returns the field that a member was read into. Like encoding/json it ignores case if no
// field has exactly this name. It is nil if there is none.
func (k *jsonType) named(member string) *field {
	var folded *field
	for _, f := range k.fields {
		if f.name == member {
			return f
		}
		if folded == nil && strings.EqualFold(f.name, member) {
			folded = f
		}
	}
	return folded
}

// holds reports whether a value without objects that keep their JSON would be written as it was
// read. null says whether the zero value is written as null, and not left out, and plain that
// strings are read without replacing anything.
func (k *jsonType) holds(value []byte, null, plain bool) bool {
	kind := value[0]
	switch k.form {
	case formAny:
		return true
	case formSecret:
		return kind == 'n' || kind == '"' && (plain || rawjson.IsUnicode(value))
	case formString:
		return kind == '"' && (plain || rawjson.IsUnicode(value))
	case formBool:
		return kind == 't' || kind == 'f'
	case formInteger:
		return isInteger(value)
	case formNullable:
		return true // it is null
	case formPointer, formList:
		return null && kind == 'n'
	case formObject:
		return k.OrText && kind == '"' && (plain || rawjson.IsUnicode(value))
	}
	return kind != 'n'
}

// isInteger reports whether a value is a number that is written without fraction and exponent.
func isInteger(value []byte) bool {
	for _, c := range value {
		if c != '-' && (c < '0' || c > '9') {
			return false
		}
	}
	return true
}
