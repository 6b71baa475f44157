package monitoring

import (
	"bytes"
	"reflect"
	"strings"
	"sync"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// keepInside lets the objects inside a struct that was read from JSON keep their part of the
// JSON, if their fields do not represent all of it: unknown members, null, a number with a
// fraction, or an absent member that would be written. It reads the JSON once.
func keepInside(v reflect.Value, data []byte) {
	if at := rawjson.SkipSpace(data, 0); at < len(data) && data[at] == '{' {
		keepWalk{data}.object(keptTypeOf(v.Type()), v, at)
	}
}

// keptType describes which JSON a Go type represents without loss.
type keptType struct {
	form   keptForm
	elem   *keptType    // of a pointer, a list or a Nullable
	fields []*keptField // of an object
	always uint64       // the numbers of the fields that are always written
	inside bool         // it is an object that can keep its JSON, or may contain one
	keeper bool         // it can keep its JSON
	text   bool         // its JSON may be a string, too
}

type keptField struct {
	*keptType
	name   string
	index  []int
	number uint64 // a bit that only this field has
	always bool
}

// keptForm is the form of a Go type in JSON.
type keptForm uint8

const (
	keptOther keptForm = iota // a number with a fraction or a map: everything except for null is represented
	keptAny                   // raw JSON
	keptSecret
	keptString
	keptBool
	keptWhole
	keptNullable
	keptPointer
	keptList
	keptObject
)

var keptTypes sync.Map // of reflect.Type to *keptType

func keptTypeOf(t reflect.Type) *keptType {
	if k, ok := keptTypes.Load(t); ok {
		return k.(*keptType)
	}
	k, _ := keptTypes.LoadOrStore(t, newKeptType(t, map[reflect.Type]*keptType{}))
	return k.(*keptType)
}

// newKeptType makes the keptType of a type. known has those that are being made, because a
// type may contain itself.
func newKeptType(t reflect.Type, known map[reflect.Type]*keptType) *keptType {
	if k := known[t]; k != nil {
		return k
	}
	k := &keptType{}
	known[t] = k
	zero := reflect.New(t).Interface()
	switch n, isNullable := zero.(nullable); {
	case t == reflect.TypeFor[Secret]():
		k.form = keptSecret
	case t == rawMessageType || t == secretJSONType || t.Kind() == reflect.Interface:
		k.form = keptAny
	case isNullable:
		k.form, k.elem = keptNullable, newKeptType(n.valueType(), known)
	case t == reflect.TypeFor[Timestamp]() || t.Kind() == reflect.String:
		k.form = keptString
	case t.Kind() == reflect.Pointer:
		k.form, k.elem = keptPointer, newKeptType(t.Elem(), known)
	case t.Kind() == reflect.Slice:
		k.form, k.elem = keptList, newKeptType(t.Elem(), known)
	case t.Kind() == reflect.Struct:
		_, k.keeper = zero.(keeper)
		k.form = keptObject
		_, k.text = zero.(textReader)
		k.inside = true
		k.add(t, nil, known)
	case t.Kind() == reflect.Bool:
		k.form = keptBool
	case t.Kind() == reflect.Int || t.Kind() == reflect.Int64:
		k.form = keptWhole
	}
	k.inside = k.inside || k.elem != nil && k.elem.inside
	return k
}

// add adds the fields of a struct, and those of the structs that it embeds.
func (k *keptType) add(t reflect.Type, index []int, known map[reflect.Type]*keptType) {
	for i := range t.NumField() {
		f := t.Field(i)
		at := append(append([]int(nil), index...), i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			if f.IsExported() {
				k.add(f.Type, at, known)
			}
		case name != "" && name != "-" && f.IsExported():
			field := &keptField{
				keptType: newKeptType(f.Type, known), name: name, index: at, number: 1 << len(k.fields), always: !strings.Contains(options, "omit"),
			}
			k.fields = append(k.fields, field)
			if field.always {
				k.always |= field.number
			}
		}
	}
}

// keepWalk reads JSON that was decoded before, so it is valid.
type keepWalk struct{ data []byte }

// object reads the object at a position, from which a struct was read. It returns the end of
// the object, and whether the struct represents all of it.
func (w keepWalk) object(k *keptType, v reflect.Value, at int) (end int, whole bool) {
	whole, seen, last := true, uint64(0), -1
	end = rawjson.EachMember(w.data, at, func(name []byte, value int) int {
		f := k.field(name, &last)
		if f == nil {
			whole = false
			return rawjson.EndOfValue(w.data, value)
		}
		seen |= f.number
		var inner reflect.Value
		if f.inside {
			inner = v.FieldByIndex(f.index)
		}
		end, held := w.value(f.keptType, inner, value, f.always)
		whole = whole && held
		return end
	})
	return end, whole && k.always&^seen == 0
}

// field returns the field with a name, which is given with its quotation marks. It looks first
// at the one after the field that was found before, because most services write the members in
// the order of the fields. last is the number of that field.
func (k *keptType) field(name []byte, last *int) *keptField {
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

// value reads a value, and reports whether the Go value would be written as the same JSON.
// null says whether its zero value is written as null, and not left out. v is used only if
// objects inside it may keep their JSON.
func (w keepWalk) value(k *keptType, v reflect.Value, at int, null bool) (end int, whole bool) {
	kind := w.data[at]
	switch {
	case k.form == keptNullable && kind != 'n':
		if k.inside {
			v = reflect.ValueOf(v.Addr().Interface().(interface{ inner() any }).inner()).Elem()
		}
		return w.value(k.elem, v, at, true)
	case k.form == keptPointer && kind != 'n' && !(k.inside && v.IsNil()):
		if k.inside {
			v = v.Elem()
		}
		return w.value(k.elem, v, at, true)
	case k.form == keptList && kind == '[':
		return w.list(k, v, at)
	case k.form == keptObject && kind == '{':
		end, whole = w.object(k, v, at)
		if k.keeper && !whole { // it keeps its JSON, so nothing is lost
			v.Addr().Interface().(keeper).keeps().from = newOriginal(w.data[at:end:end])
			whole = true
		}
		return end, whole
	}
	end = rawjson.EndOfValue(w.data, at)
	return end, k.holds(w.data[at:end], null)
}

func (w keepWalk) list(k *keptType, v reflect.Value, at int) (end int, whole bool) {
	whole, items := true, 0
	end = rawjson.EachItem(w.data, at, func(index, item int) int {
		inner := v
		if k.inside {
			if items++; index >= v.Len() {
				return rawjson.EndOfValue(w.data, item)
			}
			inner = v.Index(index)
		}
		end, held := w.value(k.elem, inner, item, true)
		whole = whole && held
		return end
	})
	return end, whole && (!k.inside || items == v.Len())
}

// holds is value for types without objects inside that keep their JSON.
func (k *keptType) holds(value []byte, null bool) bool {
	kind := value[0]
	switch k.form {
	case keptAny:
		return true
	case keptSecret:
		return kind == '"' || kind == 'n'
	case keptString:
		return kind == '"'
	case keptBool:
		return kind == 't' || kind == 'f'
	case keptWhole:
		return isWhole(value)
	case keptNullable:
		return true // it is null
	case keptPointer, keptList:
		return null && kind == 'n'
	case keptObject:
		return k.text && kind == '"'
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

// inner returns a pointer to the value of a Nullable.
func (n *Nullable[T]) inner() any { return &n.value }

// unshare replaces everything that a value points to by copies, so that changes of a copied
// value do not change the original. The kept JSON is never changed and stays shared.
func unshare(v reflect.Value) {
	if n, ok := v.Addr().Interface().(interface{ inner() any }); ok {
		unshare(reflect.ValueOf(n.inner()).Elem())
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			copied := reflect.New(v.Type().Elem())
			copied.Elem().Set(v.Elem())
			unshare(copied.Elem())
			v.Set(copied)
		}
	case reflect.Slice:
		if !v.IsNil() {
			copied := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
			reflect.Copy(copied, v)
			for i := range copied.Len() {
				unshare(copied.Index(i))
			}
			v.Set(copied)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				unshare(v.Field(i))
			}
		}
	}
}
