package contract

import (
	"encoding/json"
	"reflect"
	"strings"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// responses renders the types that responses are decoded into. Structs become components.
type responses struct{ components object }

func newResponses() *responses { return &responses{components: object{}} }

// special renders the types that have an UnmarshalJSON of their own.
func (r *responses) special(t reflect.Type) object {
	switch t {
	case reflect.TypeFor[monitoring.Timestamp](): // a timestamp or a calendar date
		return object{"type": "string"}
	case reflect.TypeFor[monitoring.Secret](): // null if it is withheld
		return object{"type": []string{"string", "null"}}
	case reflect.TypeFor[monitoring.SecretJSON](), reflect.TypeFor[json.RawMessage](),
		reflect.TypeFor[monitoring.ResultAssertion](), reflect.TypeFor[monitoring.ResultError](): // they accept any JSON
		return object{}
	case reflect.TypeFor[monitoring.HopLatency](): // reads its members under several names
		return object{"type": "object", "additionalProperties": true}
	case reflect.TypeFor[monitoring.RetryStrategy]():
		return r.retryStrategy()
	}
	return nil
}

// schema renders a type.
func (r *responses) schema(t reflect.Type) object {
	if o := r.special(t); o != nil {
		return o
	}
	if strings.HasPrefix(t.Name(), "Nullable[") {
		get, _ := t.MethodByName("Get")
		return orNull(r.schema(get.Type.Out(0)))
	}
	switch t.Kind() {
	case reflect.Pointer:
		return orNull(r.schema(t.Elem()))
	case reflect.Slice: // null is an empty list
		return object{"type": []string{"array", "null"}, "items": r.schema(t.Elem())}
	case reflect.Map:
		return object{"type": []string{"object", "null"}, "additionalProperties": r.schema(t.Elem())}
	case reflect.Struct:
		return r.reference(t)
	case reflect.String:
		if enums[t.Name()] != nil {
			return enumeration(t.Name())
		}
		return object{"type": "string"}
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Int, reflect.Int32, reflect.Int64:
		return object{"type": "integer"}
	case reflect.Float64:
		return object{"type": "number"}
	}
	return object{} // an interface holds anything
}

// reference renders a struct as a component, unless it is there, and returns a reference to it.
func (r *responses) reference(t reflect.Type) object {
	if _, done := r.components[t.Name()]; !done {
		properties, declaredBy := object{}, object{}
		r.components[t.Name()] = object{"type": "object", "properties": properties, DeclaredBy: declaredBy}
		r.members(t, properties, declaredBy)
	}
	return object{"$ref": "#/components/schemas/" + t.Name()}
}

// members renders the fields of a struct, those of embedded structs included.
func (r *responses) members(t reflect.Type, properties, declaredBy object) {
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			r.members(f.Type, properties, declaredBy)
		case name != "" && name != "-":
			properties[name], declaredBy[name] = r.schema(f.Type), t.Name()
		}
	}
}

// retryStrategy is an object or, for a group, the string FALLBACK. Its list of conditions
// is a single string in an older edition.
func (r *responses) retryStrategy() object {
	t := reflect.TypeFor[monitoring.RetryStrategy]()
	reference := r.reference(t)
	properties := r.components[t.Name()].(object)["properties"].(object)
	conditions := properties["onlyOn"].(object)
	if items, ok := conditions["items"].(object); ok {
		properties["onlyOn"] = object{"anyOf": []object{conditions, items}}
	}
	return object{"anyOf": []object{reference, enumeration("RetryStrategyType")}}
}

// enumeration renders a named string type.
func enumeration(name string) object {
	return object{"type": "string", "enum": enums[name], GoType: name}
}
