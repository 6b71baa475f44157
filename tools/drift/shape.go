package main

import (
	"cmp"
	"maps"
	"slices"

	"github.com/monitoring-api/monitoring-go/internal/schema"
)

// shape is a schema in one form for all styles of OpenAPI 3.0 and 3.1: without references,
// allOf, anyOf and oneOf. Shapes are shared and never changed once they are made.
type shape struct {
	types    []string // sorted; nil is any type. null is not among them
	null     bool
	enum     []any // the allowed strings and numbers; nil allows any
	members  map[string]*shape
	required []string
	items    *shape
	open     bool   // whether the SDK has members that are not listed
	absent   string // the JSON of the default; empty if there is none, or several
	// readOnly is for responses only, writeOnly for requests.
	readOnly, writeOnly bool
	// enumType is the Go type of the enumeration, and declaredBy has those of the members. Only
	// what the SDK knows has them.
	enumType   string
	declaredBy map[string]string
	// node describes it in requests. Only what the SDK knows has it.
	node *schema.Node
	// unclear says why the schema could not be read; empty if it could.
	unclear string
}

// anything returns the shape of a schema without keywords.
func anything() *shape { return &shape{null: true} }

func (s *shape) has(kind string) bool { return s.types == nil || slices.Contains(s.types, kind) }

// union returns the shape of anyOf and oneOf. A member is listed if one of the alternatives
// has it, and required if all alternatives that are objects require it: the SDK has one type
// for all of them.
func union(list []*shape) *shape {
	out := &shape{readOnly: len(list) > 0, writeOnly: len(list) > 0}
	anyType, listed, objects := false, true, 0
	for _, s := range list {
		out.unclear = cmp.Or(out.unclear, s.unclear)
		out.null = out.null || s.null
		out.open = out.open || s.open
		out.readOnly, out.writeOnly = out.readOnly && s.readOnly, out.writeOnly && s.writeOnly
		anyType = anyType || s.types == nil
		out.types = append(out.types, s.types...)
		if slices.ContainsFunc([]string{"string", "number", "integer", "boolean"}, s.has) { // so its values can be listed
			listed = listed && s.enum != nil
			out.enum = append(out.enum, s.enum...)
		}
		out.items = both(out.items, s.items, unionOf)
		out.absent = both(out.absent, s.absent, func(string, string) string { return "" })
		out.members = merge(out.members, s.members, unionOf)
		out.enumType, out.declaredBy = cmp.Or(out.enumType, s.enumType), merge(out.declaredBy, s.declaredBy,
			func(a, _ string) string { return a })
		if s.has("object") {
			if objects++; objects == 1 {
				out.required = s.required
			} else {
				out.required = intersection(out.required, s.required)
			}
		}
	}
	if !listed {
		out.enum = nil
	}
	out.types = compact(out.types)
	if anyType {
		out.types = nil
	} else if out.types == nil {
		out.types = []string{} // null only
	}
	return out
}

func unionOf(a, b *shape) *shape { return union([]*shape{a, b}) }

// meet returns the shape of allOf, and of keywords beside each other: both must hold.
func meet(a, b *shape) *shape {
	out := &shape{
		unclear: cmp.Or(a.unclear, b.unclear), null: a.null && b.null,
		readOnly: a.readOnly || b.readOnly, writeOnly: a.writeOnly || b.writeOnly,
		items: both(a.items, b.items, meet), absent: cmp.Or(a.absent, b.absent), members: merge(a.members, b.members, meet),
		required: compact(append(slices.Clone(a.required), b.required...)),
	}
	switch {
	case a.types == nil:
		out.types = b.types
	case b.types == nil:
		out.types = a.types
	default:
		out.types = intersection(narrow(a.types, b.types), narrow(b.types, a.types))
	}
	switch {
	case a.enum == nil:
		out.enum = b.enum
	case b.enum == nil:
		out.enum = a.enum
	default:
		out.enum = slices.DeleteFunc(slices.Clone(a.enum), func(v any) bool { return !b.allows(v) })
	}
	return out
}

// narrow makes a number an integer if the other side allows integers only.
func narrow(types, other []string) []string {
	if slices.Contains(types, "number") && slices.Contains(other, "integer") && !slices.Contains(other, "number") {
		return compact(append(slices.Clone(types), "integer"))
	}
	return types
}

// both joins two values, of which each may be missing.
func both[T comparable](a, b T, join func(a, b T) T) T {
	var missing T
	switch {
	case a == missing:
		return b
	case b == missing, a == b: // the same shape: it may contain itself, so joining it might not end
		return a
	}
	return join(a, b)
}

func merge[T comparable](a, b map[string]T, join func(a, b T) T) map[string]T {
	if len(a) == 0 {
		return b
	}
	out := maps.Clone(a)
	for name, s := range b {
		out[name] = both(out[name], s, join)
	}
	return out
}

// compact sorts a list and removes duplicates; it returns nil for an empty list.
func compact(list []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(list)))
}

func intersection(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(v string) bool { return !slices.Contains(b, v) })
}
