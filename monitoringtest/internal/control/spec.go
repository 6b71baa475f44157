package control

import (
	"net/http"
	"reflect"
	"slices"
	"time"

	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/front"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

// namesOf returns the members of a spec, but some.
func namesOf(spec any, but ...string) (names []string) {
	t := reflect.TypeOf(spec)
	for i := range t.NumField() {
		if f := t.Field(i); f.IsExported() && f.Type.Kind() != reflect.Func && !slices.Contains(but, world.MemberOf(f.Name)) {
			names = append(names, world.MemberOf(f.Name))
		}
	}
	return names
}

// fill reads the members of an object into those fields of a spec whose member is there. null is
// the default. Others than known members are reported. Some texts must be UUIDs.
func (n node) fill(spec any, known []string, uuids ...string) {
	m := n.object(known...)
	v := reflect.ValueOf(spec).Elem()
	for i := range v.NumField() {
		name := world.MemberOf(v.Type().Field(i).Name)
		member := m(name)
		if !slices.Contains(known, name) || member.written == nil {
			continue
		}
		switch field := v.Field(i).Addr().Interface().(type) {
		case *time.Duration:
			*field = member.duration()
		case *time.Time:
			*field = member.moment()
		case *map[string]any:
			*field = member.raws()
		case *http.Header:
			*field = member.header()
		case *front.FaultKind:
			*field = 0
			_ = field.UnmarshalText([]byte(member.one(front.FaultWords...))) // one has reported a text that is not a kind
		case *string:
			if *field = ""; slices.Contains(uuids, name) {
				*field = member.uuid()
			} else {
				*field = member.text()
			}
		default:
			member.plainField(v.Field(i))
		}
	}
}

// plainField reads a field of a type that has no form of its own.
func (n node) plainField(field reflect.Value) {
	switch field.Kind() {
	case reflect.String:
		field.SetString(n.text())
	case reflect.Bool:
		field.SetBool(n.boolean())
	case reflect.Int, reflect.Int64:
		field.SetInt(n.integer())
	case reflect.Float64:
		field.SetFloat(n.number())
	case reflect.Slice:
		texts := n.texts()
		list := reflect.MakeSlice(field.Type(), len(texts), len(texts))
		for i, text := range texts {
			list.Index(i).SetString(text)
		}
		field.Set(list)
		if texts == nil {
			field.SetZero()
		}
	}
}

// header reads the header of a response. A value is a text or a list of texts.
func (n node) header() http.Header {
	h := make(http.Header)
	for _, name := range sortedNames(n.anything()) {
		value := n.member(name, n.anything()[name])
		if _, isList := value.value.([]any); !isList {
			h.Set(name, value.text())
			continue
		}
		for _, text := range value.texts() {
			h.Add(name, text)
		}
	}
	if len(h) == 0 {
		return nil
	}
	return h
}
