package monitoring

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"sync"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// keepInside lets the objects inside a struct, which was read from JSON, keep their part
// of it where it says more than their types do: unknown members, null, a number with a
// fraction, a member that is absent and would be written. It walks over the JSON once.
func keepInside(v reflect.Value, data []byte) { keptShapeOf(v.Type()).holds(v, data) }

// keptShape is what a struct type holds of an object.
type keptShape struct {
	fields map[string]*keptField
	always uint64 // the fields that are always written, by number
}

type keptField struct {
	index  []int
	number uint64 // a bit of its own
	always bool
}

var keptShapes sync.Map // of reflect.Type to *keptShape

func keptShapeOf(t reflect.Type) *keptShape {
	if s, ok := keptShapes.Load(t); ok {
		return s.(*keptShape)
	}
	s := &keptShape{fields: make(map[string]*keptField)}
	s.add(t, nil)
	known, _ := keptShapes.LoadOrStore(t, s)
	return known.(*keptShape)
}

// add adds the fields of a struct, and those of the structs that it embeds.
func (s *keptShape) add(t reflect.Type, index []int) {
	for i := range t.NumField() {
		f := t.Field(i)
		at := append(append([]int(nil), index...), i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			if f.IsExported() {
				s.add(f.Type, at)
			}
		case name != "" && name != "-" && f.IsExported():
			field := &keptField{index: at, number: 1 << len(s.fields), always: !strings.Contains(options, "omit")}
			s.fields[name] = field
			if field.always {
				s.always |= field.number
			}
		}
	}
}

// holds reports whether a struct holds all that the object says which it was read from.
func (s *keptShape) holds(v reflect.Value, object []byte) bool {
	whole, seen := true, uint64(0)
	for name, value := range rawjson.Each(object) {
		f := s.fields[string(name)]
		if f == nil {
			whole = false
			continue
		}
		seen |= f.number
		if !holdsValue(v.FieldByIndex(f.index), value, f.always) {
			whole = false
		}
	}
	return whole && s.always&^seen == 0
}

var (
	secretType    = reflect.TypeFor[Secret]()
	retryType     = reflect.TypeFor[RetryStrategy]()
	rawTypes      = []reflect.Type{reflect.TypeFor[json.RawMessage](), reflect.TypeFor[SecretJSON]()}
	wholeNumber   = []byte("-0123456789")
	isWholeNumber = func(value []byte) bool { return len(bytes.Trim(value, string(wholeNumber))) == 0 }
)

// holdsValue reports whether a Go value would be written as the JSON that it was read
// from. null says whether its zero value is written as null rather than left out.
func holdsValue(v reflect.Value, value []byte, null bool) bool {
	t, kind := v.Type(), rawjson.Kind(value)
	switch {
	case t == secretType:
		return kind == '"' || kind == 'n'
	case t == rawTypes[0] || t == rawTypes[1] || t.Kind() == reflect.Interface:
		return true
	case t == retryType && kind == '"':
		return true
	}
	if n, ok := v.Addr().Interface().(interface{ inner() any }); ok { // a Nullable
		if kind == 'n' {
			return true
		}
		return holdsValue(reflect.ValueOf(n.inner()).Elem(), value, true)
	}
	switch t.Kind() {
	case reflect.Pointer:
		if v.IsNil() || kind == 'n' {
			return null && kind == 'n'
		}
		return holdsValue(v.Elem(), value, true)
	case reflect.Slice:
		return kind == '[' && holdsItems(v, value) || kind == 'n' && null
	case reflect.Struct:
		return holdsObject(v, value)
	case reflect.String:
		return kind == '"'
	case reflect.Bool:
		return kind == 't' || kind == 'f'
	case reflect.Int, reflect.Int64:
		return isWholeNumber(value)
	}
	return kind != 'n'
}

func holdsItems(v reflect.Value, array []byte) bool {
	whole, i := true, 0
	for item := range rawjson.Items(array) {
		if i >= v.Len() || !holdsValue(v.Index(i), item, true) {
			whole = false
		}
		i++
	}
	return whole && i == v.Len()
}

// holdsObject lets an object keep its JSON if it must, and then all is held.
func holdsObject(v reflect.Value, value []byte) bool {
	if v.Type() == reflect.TypeFor[Timestamp]() {
		return rawjson.Kind(value) == '"'
	}
	if rawjson.Kind(value) != '{' {
		return false
	}
	whole := keptShapeOf(v.Type()).holds(v, value)
	if k, ok := v.Addr().Interface().(keeper); ok && !whole {
		k.keeps().from = newOriginal(value)
		return true
	}
	return whole
}

// inner points to the value of a Nullable.
func (n *Nullable[T]) inner() any { return &n.value }

// unshare makes copies of what a value points to, so that a change of one that was
// copied does not reach the other. What is kept is never changed and stays shared.
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
