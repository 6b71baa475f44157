package main

import (
	"cmp"
	"encoding/json"
	"reflect"
	"strings"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/jsontype"
	"github.com/monitoring-api/monitoring-go/internal/operations"
	"github.com/monitoring-api/monitoring-go/internal/schema"
)

// triggered is the body of the response to a trigger. The methods return its list.
type triggered struct {
	Sessions []monitoring.CheckSession `json:"sessions"`
}

// responseOf returns the type into which a method of the SDK reads the body of its response: that
// of its first result, or of the items of a page; nil if it reads none.
func responseOf(method reflect.Type) reflect.Type {
	if method == nil {
		return nil
	}
	returned := method.Out(0)
	if returned.Kind() == reflect.Pointer {
		returned = returned.Elem()
	}
	switch {
	case returned == reflect.TypeFor[error]():
		return nil
	case strings.HasPrefix(returned.Name(), "Page["):
		items, _ := returned.FieldByName("Items")
		return items.Type
	case returned == reflect.TypeFor[[]monitoring.CheckSession]():
		return reflect.TypeFor[triggered]()
	}
	return returned
}

// known returns what the SDK knows of the service. Of a request it is what every edition of the
// service accepts. Of a response it is what the SDK can read, not what the service promises.
func known() description {
	out := description{}
	for _, row := range operations.All() {
		o := &operation{query: &shape{members: map[string]*shape{}}}
		op := schema.Lookup(row.Name)
		for _, p := range op.Query {
			s := request(p.Node)
			if p.Repeated { // name=a&name=b
				s = &shape{types: []string{"array"}, items: s}
			}
			if p.Operators != nil { // name[operator]=value
				members := map[string]*shape{}
				for _, operator := range p.Operators {
					members[operator] = s
				}
				s = &shape{types: []string{"object"}, members: members}
			}
			o.query.members[p.Name] = s
		}
		if op.Body != nil {
			o.body = request(op.Body)
		}
		if t := responseOf(methods[row.Name]); t != nil {
			o.response = response(t)
			if t.Kind() == reflect.Slice { // null for the list that a method returns is an error
				o.response.null = false
			}
			if kind := kindOf(row.Name); kind != "" {
				o.response = checkOf(kind)
			}
			if row.Pages == operations.ByCursor { // the methods return the list of a page
				o.response = &shape{types: []string{"object"}, members: map[string]*shape{
					"length":  {types: []string{"integer"}, null: true},
					"nextId":  {types: []string{"string"}, null: true},
					"entries": o.response,
				}}
			}
		}
		out[row.Name] = o
	}
	return out
}

var kinds = []struct {
	kind schema.Kind
	name string
}{
	{schema.String, "string"}, {schema.Number, "number"}, {schema.Integer, "integer"},
	{schema.Boolean, "boolean"}, {schema.Array, "array"}, {schema.Object, "object"},
}

// request returns the shape of a part of a request.
func request(n *schema.Node) *shape {
	taken, limits := n.KindsAt(schema.Service), n.LimitsAt(schema.Service)
	var alternatives []*shape
	for _, k := range kinds {
		if taken&k.kind == 0 {
			continue
		}
		s := &shape{types: []string{k.name}}
		switch k.kind {
		case schema.String:
			s.enum = anys(limits.Enum)
		case schema.Number, schema.Integer:
			s.enum = anys(limits.Numbers)
		case schema.Array:
			if n.Items != nil {
				s.items = request(n.Items)
			}
		case schema.Object:
			s.open, s.members = n.Free, make(map[string]*shape, len(n.Members))
			for _, m := range n.Members {
				if m.Node.TakesNothing() { // only answers have it
					continue
				}
				s.members[m.Name] = request(m.Node)
				if m.Required {
					s.required = append(s.required, m.Name)
				}
			}
			for _, m := range n.Dropped {
				s.members[m.Name] = request(m.Node)
			}
		}
		alternatives = append(alternatives, s)
	}
	s := union(alternatives)
	s.null, s.node, s.absent = taken&schema.Null != 0, n, cmp.Or(n.Default, n.FilledIn)
	return s
}

func anys[T any](values []T) (list []any) {
	for _, v := range values {
		list = append(list, v)
	}
	return list
}

// special returns the shapes of types that read their JSON themselves.
func special(t reflect.Type) *shape {
	switch t {
	case reflect.TypeFor[monitoring.Timestamp](), reflect.TypeFor[monitoring.Date](): // a timestamp or a calendar date
		return &shape{types: []string{"string"}}
	case reflect.TypeFor[monitoring.Secret](): // null if it is withheld
		return &shape{types: []string{"string"}, null: true}
	case reflect.TypeFor[monitoring.SecretJSON](), reflect.TypeFor[json.RawMessage](),
		reflect.TypeFor[monitoring.ResultAssertion](), reflect.TypeFor[monitoring.ResultError](): // they accept any JSON
		return anything()
	case reflect.TypeFor[monitoring.HopLatency](): // reads its members under several names
		return &shape{types: []string{"object"}, open: true}
	case reflect.TypeFor[monitoring.CheckStatus](): // null if there is none: a list drops it
		return withNull(members(t))
	case reflect.TypeFor[monitoring.Check](): // is of any kind
		return checkOf("")
	case reflect.TypeFor[monitoring.TCPRequest](): // newer services have other names
		s := members(t)
		s.members["url"], s.members["body"] = s.members["hostname"], s.members["data"]
		return s
	case reflect.TypeFor[monitoring.RetryStrategy]():
		// For a group it may be the text FALLBACK. Its conditions are one text in an older edition.
		s := members(t)
		conditions := s.members["onlyOn"]
		s.members["onlyOn"] = unionOf(conditions, conditions.items)
		return unionOf(s, response(reflect.TypeFor[monitoring.RetryStrategyType]()))
	}
	return nil
}

// kindOf returns the name of the field of a [monitoring.Check] that the response to an operation of
// one kind has; "" for other operations.
func kindOf(operation string) string {
	for f := range reflect.TypeFor[monitoring.Check]().Fields() {
		if _, path, _ := strings.Cut(operation, " /v1/checks/"); strings.EqualFold(strings.TrimSuffix(path, "/{id}"), f.Name) && isOfAKind(f) {
			return f.Name
		}
	}
	return ""
}

// isOfAKind reports whether only checks of a kind have a field.
func isOfAKind(f reflect.StructField) bool {
	return f.IsExported() && f.Tag.Get("json") == "-" && f.Type.Kind() == reflect.Pointer
}

// checkOf returns the shape of a check of one kind, given the name of its field; "" is any.
func checkOf(kind string) *shape {
	t := reflect.TypeFor[monitoring.Check]()
	s := members(t)
	for f := range t.Fields() {
		if !isOfAKind(f) || kind != "" && kind != f.Name {
			continue
		}
		own := response(f.Type.Elem())
		switch f.Name {
		case "Browser", "MultiStep", "Playwright": // beside the other members
		case "Heartbeat":
			own = &shape{types: []string{"object"}, members: map[string]*shape{"heartbeat": own}}
		default:
			own = &shape{types: []string{"object"}, members: map[string]*shape{"request": own}}
		}
		s = unionOf(s, own)
	}
	if kind == "" { // the request of a kind without a field is kept as it came
		s = unionOf(s, &shape{types: []string{"object"}, members: map[string]*shape{"request": anything()}})
	}
	return s
}

// response returns the shape of what the SDK can read into a type.
func response(t reflect.Type) *shape {
	if s := special(t); s != nil {
		return s
	}
	if strings.HasPrefix(t.Name(), "Nullable[") {
		get, _ := t.MethodByName("Get")
		return withNull(response(get.Type.Out(0)))
	}
	switch t.Kind() {
	case reflect.Pointer:
		return withNull(response(t.Elem()))
	case reflect.Slice: // null is an empty list
		return &shape{types: []string{"array"}, null: true, items: response(t.Elem())}
	case reflect.Map:
		return &shape{types: []string{"object"}, null: true, open: true}
	case reflect.Struct:
		return members(t)
	case reflect.String:
		return &shape{types: []string{"string"}, enum: anys(enums[t.Name()]), enumType: t.Name()}
	case reflect.Bool:
		return &shape{types: []string{"boolean"}}
	case reflect.Int, reflect.Int32, reflect.Int64:
		return &shape{types: []string{"integer"}}
	case reflect.Float64:
		return &shape{types: []string{"number"}}
	}
	return anything() // an interface
}

// members returns the shape of a struct.
func members(t reflect.Type) *shape {
	s := &shape{types: []string{"object"}, members: map[string]*shape{}, declaredBy: map[string]string{}}
	for _, f := range jsontype.Fields(t) {
		if f.Name == "autoAssignAlerts" { // a parameter of writes, which no response has
			continue
		}
		s.members[f.Name], s.declaredBy[f.Name] = response(f.Type), f.Owner.Name()
	}
	return s
}

// withNull returns the shape of a value that may be null, too.
func withNull(s *shape) *shape {
	s.null = true
	return s
}
