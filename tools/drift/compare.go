package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// The kinds of findings.
const (
	kindAdded   = "added"   // the service has it, the SDK does not
	kindGone    = "gone"    // the SDK has it, the service does not
	kindChanged = "changed" // both have it, and it differs
	kindUnclear = "unclear" // the description does not say it
)

// finding is one difference.
type finding struct {
	Kind      string `json:"kind"`
	Operation string `json:"operation"`
	// In is query, header, request or response; empty if it is the operation itself.
	In string `json:"in,omitempty"`
	// Path is the JSON path within the body, or the name of the parameter.
	Path   string `json:"path,omitempty"`
	Detail string `json:"detail,omitempty"`
	// Breaks says that a program that uses the SDK can fail because of it.
	Breaks bool `json:"breaks"`
}

// described is the operation that returns the description; services do not describe it.
const described = "GET /openapi.json"

// compare finds how the service's description differs from what the SDK knows.
func compare(root object) []finding {
	sdk := known()
	service := read(root, sdk)
	c := &comparison{returned: returned(sdk, service)}
	for name, ours := range sdk {
		switch theirs := service[name]; {
		case theirs != nil:
			c.operation(name, ours, theirs)
		case name != described:
			c.add(finding{Kind: kindGone, Operation: name, Breaks: true})
		}
	}
	for name := range service {
		if sdk[name] == nil {
			c.add(finding{Kind: kindAdded, Operation: name})
		}
	}
	slices.SortFunc(c.found, func(a, b finding) int {
		return cmp.Or(cmp.Compare(a.Operation, b.Operation), cmp.Compare(a.In, b.In), cmp.Compare(a.Path, b.Path),
			cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Detail, b.Detail))
	})
	return slices.Compact(c.found)
}

type comparison struct {
	returned goTypes
	found    []finding
}

func (c *comparison) add(f finding) { c.found = append(c.found, f) }

func (c *comparison) operation(name string, ours, theirs *operation) {
	(&walk{c, name, "query"}).members("", ours.query, theirs.query)
	for _, header := range theirs.headers {
		if !strings.EqualFold(header, "Authorization") && !strings.EqualFold(header, "x-service-account") {
			(&walk{c, name, "header"}).added(header, true)
		}
	}
	request := &walk{c, name, "request"}
	switch {
	case ours.body == nil && theirs.body != nil:
		request.added("$", theirs.needs)
	case ours.body != nil && theirs.body == nil:
		request.gone("$", "the service takes no body")
	case ours.body != nil:
		request.schema("$", ours.body, theirs.body)
	}
	response := &walk{c, name, "response"}
	switch {
	case ours.response == nil: // the SDK ignores the body
	case theirs.response == nil:
		response.unclear("$", "the description has no JSON for a success")
	default:
		response.schema("$", ours.response, theirs.response)
	}
}

// walk goes through one part of an operation.
type walk struct {
	*comparison
	operation, in string
}

func (w *walk) add(kind, path, detail string, breaks bool) {
	w.comparison.add(finding{Kind: kind, Operation: w.operation, In: w.in, Path: path, Detail: detail, Breaks: breaks})
}

func (w *walk) gone(path, detail string)    { w.add(kindGone, path, detail, true) }
func (w *walk) changed(path, detail string) { w.add(kindChanged, path, detail, true) }
func (w *walk) unclear(path, detail string) { w.add(kindUnclear, path, detail, false) }

func (w *walk) added(path string, required bool) {
	detail := ""
	if required {
		detail = "the service requires it"
	}
	w.add(kindAdded, path, detail, required)
}

// schema compares two schemas. It ends, because the SDK has no schema that contains itself.
func (w *walk) schema(path string, ours, theirs *shape) {
	if w.in == "query" && !ours.has("array") && slices.Equal(theirs.types, []string{"array"}) {
		theirs = cmp.Or(theirs.items, anything()) // a parameter that may be repeated may be given once
	}
	switch {
	case ours.types == nil: // the SDK accepts any type
		return
	case theirs.unclear != "":
		w.unclear(path, theirs.unclear)
	case theirs.types == nil:
		w.unclear(path, "the description names no type")
	}
	if theirs.types == nil {
		return
	}
	w.types(path, ours, theirs)
	w.values(path, ours, theirs)
	w.members(path, ours, theirs)
	w.defaults(path, ours, theirs)
	if ours.items != nil && theirs.has("array") {
		w.schema(path+"[]", ours.items, cmp.Or(theirs.items, anything()))
	}
}

// types compares types and null: the SDK must be able to read what the service returns, and
// the service must accept what the SDK sends.
func (w *walk) types(path string, ours, theirs *shape) {
	from, to := theirs, ours
	if w.in != "response" {
		from, to = ours, theirs
	}
	takes := func(kind string) bool {
		switch {
		case to.has(kind), w.in == "query" && kind != "array" && to.has("string"): // all values in a URL are text
			return true
		case kind == "number": // services describe whole numbers as numbers, too
			return w.in == "response" && to.has("integer")
		}
		return kind == "integer" && to.has("number")
	}
	for _, kind := range from.types {
		if !takes(kind) {
			w.changed(path, fmt.Sprintf("type: the SDK has %s, the service %s", ours.typeText(), theirs.typeText()))
			break
		}
	}
	switch {
	case !from.null || to.null:
	case w.in == "response":
		w.changed(path, "the service may return null, which the type of the SDK cannot hold")
	default:
		w.changed(path, "the service does not take null")
	}
}

func (s *shape) typeText() string {
	types := s.types
	if s.null {
		types = append(slices.Clone(types), "null")
	}
	return strings.Join(types, " or ")
}

// values compares enumerations.
func (w *walk) values(path string, ours, theirs *shape) {
	switch {
	case theirs.enum == nil:
		return
	case ours.enum == nil:
		if w.in != "response" { // the SDK sends any value, a newer service may refuse some
			w.add(kindAdded, path, "the service lists the values that it takes", false)
		}
		return
	}
	for _, v := range theirs.enum {
		if !ours.allows(v) {
			w.add(kindAdded, path, "value "+valueText(v), false)
		}
	}
	for _, v := range ours.enum {
		if !theirs.allows(v) && !w.returned.value(ours, v) {
			w.gone(path, "value "+valueText(v))
		}
	}
}

// defaults compares what the service has for an absent member of an object inside a request: an
// update without it is equal to one with the default. What is not described may still be so.
func (w *walk) defaults(path string, ours, theirs *shape) {
	inside := w.in == "request" && strings.Count(path, ".") > 1
	if !inside || theirs.absent == "" {
		return
	}
	whole := func(value string) string { // its objects have defaults, too
		var v any
		if err := json.Unmarshal(ours.node.Filled([]byte(value)), &v); err != nil {
			return value
		}
		return valueText(v)
	}
	switch {
	case ours.absent != "" && whole(ours.absent) != whole(theirs.absent):
		w.changed(path, fmt.Sprintf("default: the SDK has %s, the service %s", ours.absent, theirs.absent))
	case ours.absent == "" && !slices.Contains([]string{"null", "[]", "{}"}, theirs.absent): // which are always equal to nothing
		w.add(kindAdded, path, "default "+theirs.absent, false)
	}
}

// allows reports whether a value is in the enumeration.
func (s *shape) allows(value any) bool {
	return slices.ContainsFunc(s.enum, func(v any) bool { return reflect.DeepEqual(v, value) })
}

func valueText(v any) string {
	data, _ := json.Marshal(v) // it was read from JSON
	return string(data)
}

// members compares the members of objects, or the parameters of queries.
func (w *walk) members(path string, ours, theirs *shape) {
	listed := len(theirs.members) > 0 || w.in == "query"
	if !listed && len(ours.members) > 0 && theirs.has("object") && theirs.unclear == "" {
		w.unclear(path, "the description does not list the members")
	}
	for name, known := range ours.members {
		switch m := theirs.members[name]; {
		case m != nil && !w.otherWay(m):
			if w.in != "response" && slices.Contains(theirs.required, name) && !slices.Contains(ours.required, name) {
				w.changed(member(path, name), "the service requires it")
			}
			w.schema(member(path, name), known, m)
		case w.returned.member(ours, name):
		case m != nil:
			w.gone(member(path, name), "the service has it in the other direction only")
		case listed && theirs.unclear == "":
			w.gone(member(path, name), "")
		}
	}
	for name, m := range theirs.members {
		required := w.in != "response" && slices.Contains(theirs.required, name)
		if ours.members[name] == nil && !w.otherWay(m) && (required || !ours.open) {
			w.added(member(path, name), required)
		}
	}
}

// otherWay reports whether a member is for the other direction only: readOnly members are not
// sent, and writeOnly members are not returned.
func (w *walk) otherWay(s *shape) bool {
	if w.in == "response" {
		return s.writeOnly
	}
	return s.readOnly
}

// member returns the path of a member. A parameter has its name alone.
func member(path, name string) string {
	if path == "" {
		return name
	}
	if name == "" || strings.ContainsAny(name, ".[]\"' ") {
		return fmt.Sprintf("%s[%q]", path, name)
	}
	return path + "." + name
}
