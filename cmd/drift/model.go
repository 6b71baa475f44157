package main

import (
	"maps"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// unknownExtension is the extension of a schema that says why the schema could not be read.
const unknownExtension = "x-unknown"

// model returns a description as a document for the library that compares two documents, and
// the shapes of its schemas.
func model(d description) (*openapi3.T, map[*openapi3.Schema]*shape) {
	t := &openapi3.T{OpenAPI: "3.0.3", Info: &openapi3.Info{Title: "drift", Version: "1"}, Paths: openapi3.NewPaths()}
	made := &schemas{made: map[*shape]*openapi3.SchemaRef{}, shapes: map[*openapi3.Schema]*shape{}}
	for _, name := range slices.Sorted(maps.Keys(d)) {
		method, path, _ := strings.Cut(name, " ")
		item := t.Paths.Value(path)
		if item == nil {
			item = &openapi3.PathItem{}
			t.Paths.Set(path, item)
		}
		item.SetOperation(method, made.operation(d[name]))
	}
	return t, made.shapes
}

// schemas keeps the schema made of each shape, because a shape may be used many times.
type schemas struct {
	made   map[*shape]*openapi3.SchemaRef
	shapes map[*openapi3.Schema]*shape
}

func (m *schemas) operation(o *operation) *openapi3.Operation {
	op := openapi3.NewOperation()
	for _, name := range slices.Sorted(maps.Keys(o.query)) {
		p := openapi3.NewQueryParameter(name)
		p.Schema, p.Required = m.ref(o.query[name].shape), o.query[name].required
		op.AddParameter(p)
	}
	for _, name := range o.headers {
		p := openapi3.NewHeaderParameter(name)
		p.Required = true
		op.AddParameter(p)
	}
	if o.body != nil {
		op.RequestBody = &openapi3.RequestBodyRef{Value: openapi3.NewRequestBody().WithContent(m.content(o.body))}
	}
	response := openapi3.NewResponse().WithDescription("Success")
	if o.response != nil {
		response = response.WithContent(m.content(o.response))
	}
	op.Responses = openapi3.NewResponses(openapi3.WithStatus(200, &openapi3.ResponseRef{Value: response}))
	return op
}

func (m *schemas) content(s *shape) openapi3.Content {
	return openapi3.Content{"application/json": openapi3.NewMediaType().WithSchemaRef(m.ref(s))}
}

func (m *schemas) ref(s *shape) *openapi3.SchemaRef {
	if ref := m.made[s]; ref != nil {
		return ref
	}
	schema := &openapi3.Schema{Nullable: s.null, Enum: s.enum, Required: s.required, ReadOnly: s.readOnly, WriteOnly: s.writeOnly}
	ref := openapi3.NewSchemaRef("", schema)
	m.made[s], m.shapes[schema] = ref, s
	if s.types != nil {
		types := openapi3.Types(s.types)
		schema.Type = &types
	}
	if s.unknown != "" {
		schema.Extensions = map[string]any{unknownExtension: s.unknown}
	}
	if s.members != nil {
		schema.Properties = make(openapi3.Schemas, len(s.members))
		for name, member := range s.members {
			schema.Properties[name] = m.ref(member)
		}
	}
	if s.has("array") && s.types != nil {
		items := s.items
		if items == nil {
			items = anything()
		}
		schema.Items = m.ref(items)
	}
	switch {
	case s.others != nil:
		schema.AdditionalProperties.Schema = m.ref(s.others)
	case s.open:
		schema.AdditionalProperties.Has = new(true)
	}
	return ref
}
