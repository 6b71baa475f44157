package main

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// object is a JSON object as encoding/json decodes it.
type object = map[string]any

// reader reads the schemas of a description. OpenAPI libraries refuse a whole description for
// one broken reference, so it uses none. A schema that cannot be read is not an error: its shape
// says why it is unclear.
type reader struct {
	root object
	done map[string]*shape // by reference
	busy map[string]bool   // references that are being read, to stop at cycles
}

func newReader(root object) *reader {
	return &reader{root: root, done: map[string]*shape{}, busy: map[string]bool{}}
}

// follow resolves a chain of references. It returns why that failed, if it did.
func (r *reader) follow(value any) (object, string) {
	for followed := map[string]bool{}; ; {
		o, ok := value.(object)
		if !ok {
			return nil, ""
		}
		ref, ok := o["$ref"].(string)
		if !ok {
			return o, ""
		}
		if followed[ref] {
			return nil, "the references lead in a circle"
		}
		followed[ref] = true
		if value, ok = r.lookup(ref); !ok {
			return nil, dangling(ref)
		}
	}
}

func dangling(ref string) string { return fmt.Sprintf("the reference %.200q has no target", ref) }

// lookup returns the value that a reference within the description names.
func (r *reader) lookup(ref string) (any, bool) {
	rest, ok := strings.CutPrefix(ref, "#/")
	if !ok {
		return nil, false // in another document, which is not fetched
	}
	var value any = r.root
	for _, token := range strings.Split(rest, "/") {
		if plain, err := url.PathUnescape(token); err == nil {
			token = plain
		}
		token = strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
		switch v := value.(type) {
		case object:
			if value, ok = v[token]; !ok {
				return nil, false
			}
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(v) {
				return nil, false
			}
			value = v[i]
		default:
			return nil, false
		}
	}
	return value, true
}

// schema reads a schema. A value that is not a schema has no rules.
func (r *reader) schema(value any) *shape {
	o, ok := value.(object)
	if !ok {
		return anything()
	}
	ref, ok := o["$ref"].(string)
	if !ok {
		return r.keywords(o)
	}
	s := r.reference(ref)
	if len(o) == 1 {
		return s
	}
	beside := maps.Clone(o)
	delete(beside, "$ref")
	return r.beside(o, meet(r.keywords(beside), s))
}

func (r *reader) reference(ref string) *shape {
	if s := r.done[ref]; s != nil {
		return s
	}
	if r.busy[ref] {
		return &shape{null: true, unclear: "the schema contains itself"}
	}
	value, ok := r.lookup(ref)
	if !ok {
		return &shape{null: true, unclear: dangling(ref)}
	}
	r.busy[ref] = true
	s := r.schema(value)
	delete(r.busy, ref)
	r.done[ref] = s
	return s
}

// keywords reads a schema without a reference.
func (r *reader) keywords(o object) *shape {
	s := r.own(o)
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if list := r.list(o[keyword]); list != nil {
			s = meet(s, union(list))
		}
	}
	for _, part := range r.list(o["allOf"]) {
		s = meet(s, part)
	}
	return r.beside(o, s)
}

// beside makes a shape nullable if nullable is set, which OpenAPI 3.0 allows beside allOf, too.
func (r *reader) beside(o object, s *shape) *shape {
	if o["nullable"] != true || s.null {
		return s
	}
	c := *s
	c.null = true
	return &c
}

func (r *reader) list(value any) []*shape {
	list, _ := value.([]any)
	var shapes []*shape
	for _, v := range list {
		shapes = append(shapes, r.schema(v))
	}
	return shapes
}

// own reads the keywords other than references, allOf, anyOf and oneOf.
func (r *reader) own(o object) *shape {
	s := &shape{required: compact(texts(o["required"])), readOnly: o["readOnly"] == true, writeOnly: o["writeOnly"] == true}
	values, listed := o["enum"].([]any)
	if value, ok := o["const"]; ok {
		values, listed = []any{value}, true
	}
	if listed {
		s.enum = slices.DeleteFunc(slices.Clone(values), func(v any) bool { return v == nil })
	}
	if members, ok := o["properties"].(object); ok {
		s.members = make(map[string]*shape, len(members))
		for _, name := range slices.Sorted(maps.Keys(members)) { // sorted, because the order decides at which reference a cycle is cut
			s.members[name] = r.schema(members[name])
		}
	}
	if value, ok := o["default"]; ok {
		s.absent = valueText(value)
	}
	if items, ok := o["items"]; ok {
		s.items = r.schema(items)
	}
	s.types, s.null = typesOf(o, s, slices.Contains(values, nil))
	return s
}

// typesOf returns the types of a schema, and whether null is one. If the schema names no type, it
// follows from the other keywords. nullListed says that null is in its enumeration.
func typesOf(o object, s *shape, nullListed bool) (types []string, null bool) {
	switch named := o["type"].(type) {
	case string:
		types = []string{named}
	case []any:
		types = texts(named)
	}
	switch {
	case types != nil:
		null = slices.Contains(types, "null")
		return slices.DeleteFunc(compact(types), func(kind string) bool { return kind == "null" }), null
	case s.members != nil:
		return []string{"object"}, false
	case s.items != nil:
		return []string{"array"}, false
	case s.enum == nil:
		return nil, true
	}
	types = []string{} // null only
	for _, v := range s.enum {
		switch v.(type) {
		case string:
			types = append(types, "string")
		case float64:
			types = append(types, "number")
		case bool:
			types = append(types, "boolean")
		}
	}
	slices.Sort(types)
	return slices.Compact(types), nullListed
}

func texts(value any) []string {
	list, _ := value.([]any)
	var out []string
	for _, v := range list {
		if s, ok := v.(string); ok {
			out = append(out, s)
		}
	}
	return out
}
