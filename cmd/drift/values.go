package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/oasdiff/oasdiff/diff"
)

// types compares types and null: the SDK must be able to read what the service returns, and
// the service must accept what the SDK sends.
func (w *walk) types(path string, ours, theirs *openapi3.Schema) {
	from, to := theirs, ours
	if w.in != "response" {
		from, to = ours, theirs
	}
	takes := func(kind string) bool {
		switch {
		case to.Type.Includes(kind), w.in == "query" && to.Type.Includes(openapi3.TypeString): // all values in a URL are text
			return true
		case kind == openapi3.TypeNumber: // services describe whole numbers as numbers, too
			return w.in == "response" && to.Type.Includes(openapi3.TypeInteger)
		}
		return kind == openapi3.TypeInteger && to.Type.Includes(openapi3.TypeNumber)
	}
	for _, kind := range from.Type.Slice() {
		if !takes(kind) {
			w.changed(path, fmt.Sprintf("type: the SDK has %s, the service %s", typeText(ours), typeText(theirs)))
			break
		}
	}
	if from.Nullable && !to.Nullable {
		if w.in == "response" {
			w.changed(path, "the service may return null, which the type of the SDK cannot hold")
		} else {
			w.changed(path, "the service does not take null")
		}
	}
}

func typeText(s *openapi3.Schema) string {
	types := s.Type.Slice()
	if s.Nullable {
		types = append(slices.Clone(types), "null")
	}
	return strings.Join(types, " or ")
}

// values compares enumerations.
func (w *walk) values(path string, schema *diff.SchemaDiff) {
	switch d := schema.EnumDiff; {
	case d == nil, d.EnumDeleted:
	case d.EnumAdded:
		if w.in != "response" { // the SDK sends any value, a newer service may refuse some
			w.add(kindNew, path, "the service lists the values that it takes", false)
		}
	default:
		for _, v := range d.Added {
			w.add(kindNew, path, fmt.Sprintf("value %s", valueText(v)), false)
		}
		ours := w.shapes[schema.Base]
		for _, v := range d.Deleted {
			if !w.returned.value(ours, v) {
				w.gone(path, fmt.Sprintf("value %s", valueText(v)))
			}
		}
	}
}

func valueText(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(data)
}
