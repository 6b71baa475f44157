package monitoring

import (
	"reflect"
	"slices"

	"github.com/monitoring-api/monitoring-go/internal/jsontype"
)

// setMembers gives an object what another one has. A zero field is not there.
func setMembers(to, wish reflect.Value, skip ...string) {
	fields := make(map[string]reflect.Value)
	for _, f := range jsontype.Fields(to.Type()) {
		fields[f.Name] = to.FieldByIndex(f.Index)
	}
	for _, f := range jsontype.Fields(wish.Type()) {
		if value := wish.FieldByIndex(f.Index); !value.IsZero() && !slices.Contains(skip, f.Name) {
			setMember(fields[f.Name], value)
		}
	}
}

// setMember gives a field what a field of its type has.
func setMember(field, wish reflect.Value) {
	keepSecrets(secretsIn(wish), secretsIn(field))
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

// secretsIn returns the secrets in what is replaced as a whole, by what tells them apart: the key
// of a variable or header, the user of a password.
func secretsIn(field reflect.Value) map[string][]*Secret {
	secrets := make(map[string][]*Secret)
	add := func(key string, value *Secret) { secrets[key] = append(secrets[key], value) }
	switch of := field.Addr().Interface().(type) {
	case *[]EnvironmentVariable:
		for i := range *of {
			add((*of)[i].Key, &(*of)[i].Value)
		}
	case *[]KeyValue:
		for i := range *of {
			add((*of)[i].Key, &(*of)[i].Value)
		}
	case *Nullable[BasicAuth]:
		if of.parts().hasValue() {
			add(of.value.Username, &of.value.Password)
		}
	}
	return secrets
}

// keepSecrets gives a wish the secrets that it lacks and that are known. If a key is there more
// often on one side, nobody can say whose value is meant.
func keepSecrets(wish, known map[string][]*Secret) {
	for key, secrets := range wish {
		for i, secret := range secrets {
			if secret.IsWithheld() && len(secrets) == len(known[key]) {
				*secret = *known[key][i]
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
	}
	if plans.Of(field.Type()).Form == jsontype.FormObject {
		return field
	}
	return reflect.Value{}
}
