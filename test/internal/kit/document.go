package kit

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// DocumentField is a line of testdata/document/fields.txt, for one of the types of its section.
type DocumentField struct {
	Direction, Owner, Name, Kind string
	Required                     bool
}

// DocumentLines returns the lines of a file of testdata/document without comments.
func DocumentLines(t testing.TB, name string) []string {
	t.Helper()
	var lines []string
	for line := range strings.Lines(File(t, "testdata/document/"+name)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	return lines
}

// DocumentFields returns the fields of requests and responses as the document has them.
func DocumentFields(t testing.TB) []DocumentField {
	t.Helper()
	var fields []DocumentField
	var section []string
	for _, line := range DocumentLines(t, "fields.txt") {
		words := strings.Fields(strings.Trim(line, "[]"))
		if strings.HasPrefix(line, "[") {
			section = words
			continue
		}
		words = strings.Fields(line)
		for _, owner := range section[1:] {
			fields = append(fields, DocumentField{section[0], owner, words[0], words[1], slices.Contains(words, "req")})
		}
	}
	return fields
}

// WireField is a field of a struct with its name in JSON or in the query.
type WireField struct {
	Type    reflect.Type
	Options []string // after the name in the tag
}

// WireFields returns the fields by their name in the json or url tag, those of embedded
// structs included.
func WireFields(t reflect.Type, tag string) map[string]WireField {
	fields := make(map[string]WireField)
	for f := range t.Fields() {
		if f.Anonymous && f.Type.Kind() == reflect.Struct && f.Tag.Get(tag) == "" {
			maps.Copy(fields, WireFields(f.Type, tag))
			continue
		}
		if parts := strings.Split(f.Tag.Get(tag), ","); parts[0] != "" && parts[0] != "-" {
			fields[parts[0]] = WireField{f.Type, parts[1:]}
		}
	}
	return fields
}
