package monitoring

import (
	"reflect"
	"slices"

	"github.com/monitoring-api/monitoring-go/internal/jsontype"
)

// setFields is the Set of an update. It gives the update what a create has, and shares nothing with
// it.
func setFields[C, U any, Q target[U]](u Q, wish C) {
	keeping.Copy(&wish)
	setMembers(reflect.ValueOf(u.writeBack().Fields).Elem(), reflect.ValueOf(&wish).Elem())
}

// setMembers gives an object what another one has. A zero field is not there, except for a number
// with a unit beside it.
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
		if unit := wished[name+"Unit"]; !value.IsZero() || unit.IsValid() && !unit.IsZero() {
			setMember(fields[name], value)
		}
	}
}

// setMember gives a field what a field of its type has, or one of the type that it points to.
func setMember(field, wish reflect.Value) {
	keepValues(secretsIn(wish), secretsIn(field))
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

// keyed is the value of a variable or a header, or a password, which has the user as its key.
type keyed struct {
	key   string
	value *Secret
}

// secretsIn returns the secrets in what is replaced as a whole.
func secretsIn(field reflect.Value) (list []keyed) {
	switch of := field.Addr().Interface().(type) {
	case *[]EnvironmentVariable:
		for i := range *of {
			list = append(list, keyed{(*of)[i].Key, &(*of)[i].Value})
		}
	case *[]KeyValue:
		for i := range *of {
			list = append(list, keyed{(*of)[i].Key, &(*of)[i].Value})
		}
	case *Nullable[BasicAuth]:
		if of.hasValue() {
			list = append(list, keyed{of.value.Username, &of.value.Password})
		}
	}
	return list
}

// keepValues gives what is withheld in a wish the value that is known. If a key is there more often
// on one side, nobody can say whose value is meant.
func keepValues(wish, known []keyed) {
	of := func(key string, list []keyed) []keyed {
		return slices.DeleteFunc(slices.Clone(list), func(k keyed) bool { return k.key != key })
	}
	for _, w := range wish {
		same, had := of(w.key, wish), of(w.key, known)
		if w.value.IsWithheld() && len(same) == len(had) {
			*w.value = *had[slices.Index(same, w)].value
		}
	}
}

// objectIn returns the object that a field is, points to, or has as a Nullable. It is invalid if
// there is none, or one that is replaced as a whole, because its members belong together.
func objectIn(field reflect.Value) reflect.Value {
	if field.Kind() == reflect.Struct {
		if n, ok := field.Addr().Interface().(nullable); ok {
			if !n.hasValue() {
				return reflect.Value{}
			}
			field = reflect.ValueOf(n.inner())
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
