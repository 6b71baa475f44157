package contract

import "github.com/monitoring-api/monitoring-go/internal/schema"

var kinds = []struct {
	kind schema.Kind
	name string
}{
	{schema.String, "string"}, {schema.Number, "number"}, {schema.Integer, "integer"},
	{schema.Boolean, "boolean"}, {schema.Array, "array"}, {schema.Object, "object"},
}

// node renders the description of a part of a request.
func node(n *schema.Node) object {
	taken := n.KindsAt(schema.Service)
	var alternatives []object
	for _, k := range kinds {
		if taken&k.kind != 0 && (k.kind != schema.Integer || taken&schema.Number == 0) {
			alternatives = append(alternatives, alternative(n, k.kind, k.name))
		}
	}
	one := object{"anyOf": alternatives}
	if len(alternatives) == 1 {
		one = alternatives[0]
	}
	if taken&schema.Null != 0 {
		return orNull(one)
	}
	return one
}

// alternative renders the limits of the values of one JSON type.
func alternative(n *schema.Node, kind schema.Kind, name string) object {
	o := object{"type": name}
	limits := n.LimitsAt(schema.Service)
	switch kind {
	case schema.String:
		if limits.Enum != nil {
			o["enum"] = limits.Enum
		}
		if limits.Format == schema.UUID {
			o["format"] = "uuid"
		}
		bounds(o, limits.Length, "minLength", "maxLength")
	case schema.Number, schema.Integer:
		if limits.Numbers != nil {
			o["enum"] = limits.Numbers
		}
		bounds(o, limits.Range, "minimum", "maximum")
	case schema.Array:
		if n.Items != nil {
			o["items"] = node(n.Items)
		}
		bounds(o, limits.Count, "minItems", "maxItems")
	case schema.Object:
		members(o, n)
	}
	return o
}

func members(o object, n *schema.Node) {
	properties := object{}
	var required []string
	for _, m := range n.Members {
		properties[m.Name] = node(m.Node)
		if m.Required {
			required = append(required, m.Name)
		}
	}
	if len(properties) > 0 {
		o["properties"] = properties
	}
	if required != nil {
		o["required"] = required
	}
	if n.Free {
		o["additionalProperties"] = true
	}
}

func bounds(o object, r schema.Range, least, most string) {
	if r.HasMin {
		o[least] = r.Min
	}
	if r.HasMax {
		o[most] = r.Max
	}
}

// orNull lets a schema accept null as well.
func orNull(o object) object {
	name, ok := o["type"].(string)
	if !ok {
		if _, named := o["$ref"]; named || o["anyOf"] != nil {
			return object{"anyOf": []object{o, {"type": "null"}}}
		}
		return o // accepts anything, or null already
	}
	o["type"] = []string{name, "null"}
	switch values := o["enum"].(type) {
	case []string:
		o["enum"] = append(anys(values), nil)
	case []float64:
		o["enum"] = append(anys(values), nil)
	}
	return o
}

func anys[T any](values []T) []any {
	list := make([]any, len(values))
	for i, v := range values {
		list[i] = v
	}
	return list
}
