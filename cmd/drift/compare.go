package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/oasdiff/oasdiff/diff"

	"github.com/monitoring-api/monitoring-go/cmd/drift/contract"
)

// The kinds of findings.
const (
	kindNew     = "new"     // the service has it, the SDK does not
	kindGone    = "gone"    // the SDK has it, the service does not
	kindChanged = "changed" // both have it, and it differs
	kindUnknown = "unknown" // the description does not say it
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

// knowledge returns what the SDK knows, read in the same way as the description of a service.
func knowledge() (description, error) {
	data, err := contract.Document()
	if err != nil {
		return nil, err
	}
	var root object
	if err := json.Unmarshal(data, &root); err != nil {
		return nil, err
	}
	return read(root, nil), nil
}

// compare finds how the service's description differs from what the SDK knows.
func compare(root object) ([]finding, error) {
	known, err := knowledge()
	if err != nil {
		return nil, err
	}
	service := read(root, known)
	c := &comparison{known: known, service: service}
	c.blanks()
	c.returned = returned(known, service)
	var ours, theirs *openapi3.T
	ours, c.shapes = model(known)
	theirs, _ = model(service)
	d, err := diff.Get(diff.NewConfig(), ours, theirs)
	if err != nil {
		return nil, fmt.Errorf("compare the descriptions: %w", err)
	}
	if d != nil && d.PathsDiff != nil {
		c.paths(d.PathsDiff)
	}
	slices.SortFunc(c.found, func(a, b finding) int {
		return cmp.Or(cmp.Compare(a.Operation, b.Operation), cmp.Compare(a.In, b.In), cmp.Compare(a.Path, b.Path),
			cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Detail, b.Detail))
	})
	return slices.Compact(c.found), nil
}

// comparison turns the differences that the library found into findings about the SDK.
type comparison struct {
	known, service description
	shapes         map[*openapi3.Schema]*shape // of what the SDK knows
	returned       goTypes
	found          []finding
}

// described is the operation that returns the description; services do not describe it.
const described = "GET /openapi.json"

// blanks removes parts from the comparison that one of the sides does not describe.
func (c *comparison) blanks() {
	if c.service[described] == nil {
		delete(c.known, described)
	}
	for name, ours := range c.known {
		theirs := c.service[name]
		switch {
		case theirs == nil:
		case ours.response == nil: // the SDK ignores the body
			theirs.response = nil
		case theirs.response == nil:
			c.add(finding{Kind: kindUnknown, Operation: name, In: "response", Path: "$", Detail: "the description has no JSON for a success"})
			ours.response = nil
		}
	}
}

func (c *comparison) add(f finding) { c.found = append(c.found, f) }

func (c *comparison) paths(d *diff.PathsDiff) {
	for _, path := range d.Added {
		for method := range d.Revision.Value(path).Operations() {
			c.add(finding{Kind: kindNew, Operation: method + " " + path})
		}
	}
	for _, path := range d.Deleted {
		for method := range d.Base.Value(path).Operations() {
			c.add(finding{Kind: kindGone, Operation: method + " " + path, Breaks: true})
		}
	}
	for path, modified := range d.Modified {
		operations := modified.OperationsDiff
		if operations == nil {
			continue
		}
		for _, method := range operations.Added {
			c.add(finding{Kind: kindNew, Operation: method + " " + path})
		}
		for _, method := range operations.Deleted {
			c.add(finding{Kind: kindGone, Operation: method + " " + path, Breaks: true})
		}
		for method, m := range operations.Modified {
			c.operation(method+" "+path, m)
		}
	}
}

func (c *comparison) operation(name string, d *diff.MethodDiff) {
	if p := d.ParametersDiff; p != nil {
		c.parameters(name, p)
	}
	request := &walk{comparison: c, operation: name, in: "request"}
	if b := d.RequestBodyDiff; b != nil {
		switch {
		case b.Added:
			request.isNew("$", c.service[name].needs)
		case b.Deleted:
			request.gone("$", "the service takes no body")
		default:
			request.content(b.ContentDiff)
		}
	}
	if d.ResponsesDiff != nil {
		response := &walk{comparison: c, operation: name, in: "response"}
		for _, r := range d.ResponsesDiff.Modified {
			response.content(r.ContentDiff)
		}
	}
}

func (c *comparison) parameters(name string, d *diff.ParametersDiffByLocation) {
	query := &walk{comparison: c, operation: name, in: "query"}
	for _, p := range d.Deleted["query"] {
		query.gone(p, "")
	}
	for _, p := range d.Added["query"] {
		query.isNew(p, c.service[name].query[p].required)
	}
	for p, modified := range d.Modified["query"] {
		if modified.RequiredDiff != nil && modified.RequiredDiff.To == true {
			query.changed(p, "the service requires it")
		}
		query.schema(p, modified.SchemaDiff)
	}
	for _, p := range d.Added["header"] { // the model only has the required headers
		if !strings.EqualFold(p, "Authorization") && !strings.EqualFold(p, "x-service-account") {
			c.add(finding{Kind: kindNew, Operation: name, In: "header", Path: p, Detail: "the service requires it", Breaks: true})
		}
	}
}

// walk goes through the differences of one part of an operation. The base is the SDK.
type walk struct {
	*comparison
	operation, in string
}

func (w *walk) add(kind, path, detail string, breaks bool) {
	w.comparison.add(finding{Kind: kind, Operation: w.operation, In: w.in, Path: path, Detail: detail, Breaks: breaks})
}

func (w *walk) gone(path, detail string)    { w.add(kindGone, path, detail, true) }
func (w *walk) changed(path, detail string) { w.add(kindChanged, path, detail, true) }
func (w *walk) unknown(path, detail string) { w.add(kindUnknown, path, detail, false) }

func (w *walk) isNew(path string, required bool) {
	if required {
		w.add(kindNew, path, "the service requires it", true)
	} else {
		w.add(kindNew, path, "", false)
	}
}

func (w *walk) content(d *diff.ContentDiff) {
	if d == nil {
		return
	}
	for _, media := range d.MediaTypeModified {
		w.schema("$", media.SchemaDiff)
	}
}

func (w *walk) schema(path string, d *diff.SchemaDiff) {
	if d == nil || d.Base == nil || d.Revision == nil {
		return
	}
	ours, theirs := d.Base, d.Revision
	why, blank := theirs.Extensions[unknownExtension].(string)
	switch {
	case ours.Type == nil: // the SDK accepts any type
		return
	case blank:
		w.unknown(path, why)
	case theirs.Type == nil:
		w.unknown(path, "the description names no type")
	}
	if theirs.Type == nil {
		return
	}
	w.types(path, ours, theirs)
	w.values(path, d)
	w.members(path, d, blank)
	w.schema(path+"[]", d.ItemsDiff)
	w.schema(path+".*", d.AdditionalPropertiesDiff)
}

// members compares the members of objects.
func (w *walk) members(path string, d *diff.SchemaDiff, blank bool) {
	ours, theirs := d.Base, d.Revision
	elsewhere := func(name string) bool { return w.returned.member(w.shapes[ours], name) }
	listed := len(theirs.Properties) > 0
	if !listed && len(ours.Properties) > 0 && theirs.Type.Includes(openapi3.TypeObject) && !blank {
		w.unknown(path, "the description does not list the members")
	}
	if p := d.PropertiesDiff; p != nil {
		for _, name := range p.Deleted {
			if listed && !blank && !elsewhere(name) {
				w.gone(member(path, name), "")
			}
		}
		for _, name := range p.Added {
			if w.otherWay(theirs.Properties[name]) {
				continue
			}
			required := w.in != "response" && slices.Contains(theirs.Required, name)
			if required || !open(ours) {
				w.isNew(member(path, name), required)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(p.Modified)) {
			if w.otherWay(theirs.Properties[name]) {
				if !elsewhere(name) {
					w.gone(member(path, name), "the service has it in the other direction only")
				}
				continue
			}
			w.schema(member(path, name), p.Modified[name])
		}
	}
	if r := d.RequiredDiff; r != nil && w.in != "response" {
		for _, name := range r.Added {
			if ours.Properties[name] != nil && !w.otherWay(theirs.Properties[name]) {
				w.changed(member(path, name), "the service requires it")
			}
		}
	}
}

// otherWay reports whether a member is for the other direction only: readOnly members are not
// sent, and writeOnly members are not returned.
func (w *walk) otherWay(s *openapi3.SchemaRef) bool {
	if w.in == "response" {
		return s.Value.WriteOnly
	}
	return s.Value.ReadOnly
}

// open reports whether an object has members that the SDK does not list.
func open(s *openapi3.Schema) bool {
	return s.AdditionalProperties.Has != nil && *s.AdditionalProperties.Has
}

// member returns the path of a member.
func member(path, name string) string {
	if name == "" || strings.ContainsAny(name, ".[]\"' ") {
		return fmt.Sprintf("%s[%q]", path, name)
	}
	return path + "." + name
}
