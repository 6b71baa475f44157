package monitoring

import (
	"fmt"
	"reflect"

	"github.com/monitoring-api/monitoring-go/internal/jsontype"
	"github.com/monitoring-api/monitoring-go/internal/keep"
)

// setFields is the Set of an update. It gives the update what a create has, and shares nothing with
// it.
func setFields(u writesBack, wish any) {
	keeping.Copy(wish)
	setMembers(reflect.ValueOf(u.writeBack().Fields).Elem(), reflect.ValueOf(wish).Elem())
}

// setMembers gives an object what another one has. A zero field is not there, except for the grace
// of a heartbeat that has its unit.
func setMembers(to, wish reflect.Value) {
	fields := make(map[string]reflect.Value)
	for _, f := range jsontype.Fields(to.Type()) {
		fields[f.Name] = to.FieldByIndex(f.Index)
	}
	wished := make(map[string]reflect.Value)
	for _, f := range jsontype.Fields(wish.Type()) {
		wished[f.Name] = wish.FieldByIndex(f.Index)
	}
	for name, value := range wished {
		if !value.IsZero() || name == "grace" && !wished["graceUnit"].IsZero() {
			setMember(fields[name], value)
		}
	}
}

// setMember gives a field what a field of its type has, or one of the type that it points to.
func setMember(field, wish reflect.Value) {
	keepRest(partsIn(wish), partsIn(field))
	if field.Kind() == reflect.Pointer && wish.Kind() != reflect.Pointer {
		wish = wish.Addr() // of the copy of the wish
	}
	to, from := objectIn(field), objectIn(wish)
	switch {
	case !to.IsValid() || !from.IsValid():
		field.Set(wish)
	case field.Kind() == reflect.Pointer: // others may have the pointer, too
		object := reflect.New(to.Type())
		object.Elem().Set(to)
		setMembers(object.Elem(), from)
		field.Set(object)
	default:
		setMembers(to, from)
	}
}

// part is what a wish may not have of an item, or of an object, that is replaced as a whole.
type part struct {
	value *Secret // nil if it has none
	kept  *kept   // the members that this package does not know
}

// partsIn returns the parts of what is replaced as a whole, by what tells them apart: the key of a
// variable or header, the user of a password, the type of a strategy.
func partsIn(field reflect.Value) map[string][]part {
	parts := make(map[string][]part)
	add := func(key string, value *Secret, kept *kept) { parts[key] = append(parts[key], part{value, kept}) }
	switch of := field.Addr().Interface().(type) {
	case *[]EnvironmentVariable:
		for i := range *of {
			add((*of)[i].Key, &(*of)[i].Value, &(*of)[i].kept)
		}
	case *[]KeyValue:
		for i := range *of {
			add((*of)[i].Key, &(*of)[i].Value, &(*of)[i].kept)
		}
	case *[]Assertion:
		for i := range *of {
			a := &(*of)[i]
			regex, _ := a.Regex.Get()
			add(fmt.Sprintf("%q", []any{a.Source, a.Comparison, ValueOr(a.Property, ""), ValueOr(a.Target, ""), regex}), nil, &a.kept)
		}
	case *[]AlertChannelSubscription:
		for i := range *of {
			add(numberID((*of)[i].AlertChannelID), nil, &(*of)[i].kept)
		}
	case *[]Dependency:
		for i := range *of {
			add((*of)[i].Path, nil, &(*of)[i].kept)
		}
	case *Nullable[BasicAuth]:
		if of.parts().hasValue() {
			add(of.value.Username, &of.value.Password, &of.value.kept)
		}
	case *Nullable[TriggerIncident]:
		if of.parts().hasValue() {
			add(of.value.ServiceID, nil, &of.value.kept)
		}
	case *Nullable[RetryStrategy]:
		if of.parts().hasValue() {
			add(string(of.value.Type), nil, &of.value.kept)
		}
	}
	return parts
}

// keepRest gives the parts of a wish what they lack and is known. If a key is there more often on
// one side, nobody can say whose value is meant.
func keepRest(wish, known map[string][]part) {
	for key, parts := range wish {
		for i, of := range parts {
			if len(known[key]) == 0 {
				break
			}
			from := known[key][min(i, len(known[key])-1)]
			if of.value != nil && of.value.IsWithheld() && len(parts) == len(known[key]) {
				*of.value = *from.value
			}
			if keep.Of(*of.kept) == nil {
				*of.kept = *from.kept
			}
		}
	}
}

// objectIn returns the object that a field is, points to, or has as a Nullable. It is invalid if
// there is none, or one that is replaced as a whole, because its members belong together.
func objectIn(field reflect.Value) reflect.Value {
	if field.Kind() == reflect.Struct {
		if n, ok := field.Addr().Interface().(nullable); ok {
			if !n.parts().hasValue() {
				return reflect.Value{}
			}
			field = reflect.ValueOf(n.parts().value)
		}
	}
	if field = reflect.Indirect(field); !field.IsValid() {
		return reflect.Value{}
	}
	switch field.Addr().Interface().(type) {
	case *RetryStrategy, *TriggerIncident, *BasicAuth:
		return reflect.Value{}
	case keeper:
		return field
	}
	return reflect.Value{}
}
