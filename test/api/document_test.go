package api_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// documentTypes are the types in testdata/document/fields.txt: those of bodies and those that
// are encoded as a query.
var documentTypes = func() map[string]reflect.Type {
	types := make(map[string]reflect.Type)
	for _, typ := range slices.Concat(kit.WireTypes(), kit.QueryTypes(), []reflect.Type{reflect.TypeFor[triggerResponse](), reflect.TypeFor[autoAssignQuery]()}) {
		types[typ.Name()] = typ
	}
	for _, name := range []string{"Secret", "SecretJSON", "Timestamp", "ResultAssertion", "ResultError"} {
		delete(types, name) // embedded in others, or with an UnmarshalJSON of its own
	}
	return types
}()

// These are copies of two types that the SDK does not export.
type (
	triggerResponse struct {
		Sessions []monitoring.CheckSession `json:"sessions"`
	}
	autoAssignQuery struct {
		AutoAssignAlerts *bool `url:"autoAssignAlerts,omitempty"`
	}
)

// unknownType is the message for a type of fields.txt that documentTypes does not have.
const unknownType = "fields.txt has %s, which no method of a service takes or returns"

// tagOf returns the tag that has the name of a field.
func tagOf(f kit.DocumentField) string {
	if f.Direction == "query" {
		return "url"
	}
	return "json"
}

// problem says why a struct field does not fit the document's field; "" if it does.
func problem(f kit.DocumentField, field kit.WireField) string {
	kind, null := strings.CutSuffix(f.Kind, "|null")
	plain := field.Type
	wrapper := "value"
	if kit.IsNullable(plain) {
		plain, wrapper = kit.NullableOf(plain), "Nullable"
	} else if plain.Kind() == reflect.Pointer {
		plain, wrapper = plain.Elem(), "pointer"
	} else if plain == reflect.TypeFor[monitoring.Secret]() || f.Required && plain == reflect.TypeFor[monitoring.SecretJSON]() { // null if it is withheld
		wrapper = "secret"
	} else if plain == reflect.TypeFor[json.RawMessage]() || plain == reflect.TypeFor[monitoring.SecretJSON]() || plain.Kind() == reflect.Slice || plain.Kind() == reflect.Interface {
		wrapper = "list"
	}
	if !holdsKind(plain, kind) {
		return fmt.Sprintf("%s cannot hold %s", field.Type, f.Kind)
	}
	omit := slices.Contains(field.Options, "omitempty") || slices.Contains(field.Options, "omitzero")
	switch f.Direction {
	case "response", "shared":
		if null && wrapper == "value" {
			return fmt.Sprintf("may be null, which %s cannot hold", field.Type)
		}
	case "object":
		switch {
		case !omit && !f.Required && wrapper != "secret": // which is withheld if it is not set
			return "has no omitzero"
		case null && wrapper == "value":
			return fmt.Sprintf("may be null, which %s cannot hold", field.Type)
		}
	case "request":
		switch {
		case f.Required && null && wrapper == "Nullable" && !omit: // absent is sent as null
		case f.Required && (wrapper != "value" && wrapper != "secret" || omit):
			return "is required and must always be sent"
		case f.Required:
		case !omit:
			return "is optional and has no omitempty or omitzero"
		case null && wrapper != "Nullable" && wrapper != "list":
			return fmt.Sprintf("may be null, which %s cannot send", field.Type)
		case wrapper == "list" && strings.HasSuffix(kind, "[]") && f.Owner != "TriggerTarget" && f.Owner != "TestSessionTarget" && !slices.Contains(field.Options, "omitzero"):
			return "must send an empty list that is not nil: want omitzero"
		case wrapper == "value" && (plain == reflect.TypeFor[monitoring.TriggerTarget]() || plain == reflect.TypeFor[monitoring.TestSessionTarget]()): // without a filter it is absent
		case wrapper == "value" && plain.Kind() != reflect.String:
			return fmt.Sprintf("is optional, but %s has the same zero value for absent and zero", field.Type)
		}
	}
	return ""
}

func holdsKind(t reflect.Type, kind string) bool {
	raw := reflect.TypeFor[json.RawMessage]()
	if item, ok := strings.CutSuffix(kind, "[]"); ok {
		return t != raw && t.Kind() == reflect.Slice && holdsKind(t.Elem(), item)
	}
	switch kind {
	case "string":
		return t.Kind() == reflect.String || t == reflect.TypeFor[monitoring.Secret]()
	case "boolean":
		return t.Kind() == reflect.Bool
	case "integer":
		return t.Kind() == reflect.Int || t.Kind() == reflect.Int64
	case "id":
		return t.Kind() == reflect.Int64
	case "measure":
		return t.Kind() == reflect.Float64
	case "date":
		return t == reflect.TypeFor[monitoring.Timestamp]()
	case "day":
		return t == reflect.TypeFor[monitoring.Date]()
	case "time":
		return t == reflect.TypeFor[time.Time]()
	case "map":
		return t == reflect.TypeFor[map[string]string]()
	case "object":
		return t.Kind() == reflect.Struct
	case "any":
		return t == raw || t == reflect.TypeFor[monitoring.SecretJSON]() || t.Kind() == reflect.Interface
	}
	return false
}

func TestTheFieldsOfTheDocumentAreTheStructFieldsOfTheRightTypes(t *testing.T) {
	fields, known := kit.DocumentFields(t), make(map[string]bool)
	require.Greater(t, len(fields), 400, "fields.txt was not read")
	for _, f := range fields {
		known[f.Owner+"."+f.Name] = true
		owner, ok := documentTypes[f.Owner]
		require.True(t, ok, unknownType, f.Owner)
		field, ok := kit.WireFields(owner, tagOf(f))[f.Name]
		if !ok {
			t.Errorf("%s: %s.%s (%s): the struct has no field with this name in its tag", f.Direction, f.Owner, f.Name, f.Kind)
			continue
		}
		if why := problem(f, field); why != "" {
			t.Errorf("%s: %s.%s (%s): %s", f.Direction, f.Owner, f.Name, f.Kind, why)
		}
	}
	for name, owner := range documentTypes {
		for _, tag := range []string{"json", "url"} {
			for field := range kit.WireFields(owner, tag) {
				if !known[name+"."+field] {
					t.Errorf("%s.%s is in no section of testdata/document/fields.txt", name, field)
				}
			}
		}
	}
}

func TestTheCopiesOfUnexportedTypesHaveTheirFields(t *testing.T) {
	for _, copied := range []reflect.Type{reflect.TypeFor[triggerResponse](), reflect.TypeFor[autoAssignQuery]()} {
		spec := packageTypes(t)[copied.Name()]
		require.NotNil(t, spec, "the SDK has no %s any more", copied.Name())
		fields := spec.Type.(*ast.StructType).Fields.List
		require.Len(t, fields, copied.NumField(), copied.Name())
		for i, f := range fields {
			require.Equal(t, f.Names[0].Name, copied.Field(i).Name, copied.Name())
			require.Equal(t, f.Tag.Value, "`"+string(copied.Field(i).Tag)+"`", copied.Name())
		}
	}
}

func TestEveryTypeOfAnOperationIsFound(t *testing.T) {
	found := 0
	for name, spec := range packageTypes(t) {
		s, ok := spec.Type.(*ast.StructType)
		if !ok || slices.Contains([]string{"requestCheck", "heartbeatCheck", "otherCheck", "tcpNames", "hopLatencyNames", "plan"}, name) { // which have a Check, the names of a TCPRequest and of a HopLatency, and what an object was
			continue
		}
		if strings.HasSuffix(name, "Config") && name != "SSLConfig" { // of a channel, which no document describes
			continue
		}
		if !slices.ContainsFunc(s.Fields.List, func(f *ast.Field) bool { return isOnTheWire(t, f) }) {
			continue
		}
		found++
		if _, ok := documentTypes[name]; !ok {
			t.Errorf("%s has fields with tags: let a method of a service take or return it, or copy it into document_test.go if it is not exported", name)
		}
	}
	require.Greater(t, found, 50, "structs with tags were not found")
}

// isOnTheWire reports whether a field is a member of a body or a query. An embedded
// ListOptions has two.
func isOnTheWire(t *testing.T, f *ast.Field) bool {
	t.Helper()
	if f.Tag == nil {
		embedded, ok := f.Type.(*ast.Ident)
		return ok && len(f.Names) == 0 && embedded.Name == "ListOptions"
	}
	tag, err := strconv.Unquote(f.Tag.Value)
	require.NoError(t, err)
	member := reflect.StructTag(tag).Get("json") + reflect.StructTag(tag).Get("url")
	return member != "" && member != "-"
}

func TestEveryEnumerationValueIsAConstant(t *testing.T) {
	constants := enumConstants(t)
	for _, line := range kit.DocumentLines(t, "enums.txt") {
		words := strings.Fields(line)
		name, want := words[0], words[1:]
		t.Run(name, func(t *testing.T) {
			require.ElementsMatch(t, want, constants[name], "enums.txt and the constants of %s in enums.go", name)
		})
		delete(constants, name)
	}
	require.Empty(t, constants, "add a line for each of these types to testdata/document/enums.txt")
	frequencies := schema.Lookup("POST /v1/checks/tcp").Body.Member("frequency").Node.Limits.Numbers
	require.Len(t, frequencies, 13, "the frequencies that requests are checked against")
	for _, f := range frequencies {
		require.Contains(t, enumConstants(t)["Frequency"], strconv.Itoa(int(f)))
	}
}

var constant = regexp.MustCompile(`(?m)^(?:const |\t)(\w+) +(?:([A-Z]\w*) +)?= "?([^"\n]+)"?$`)

// enumConstants returns the values of the constants in enums.go by their type, and the
// untyped frequencies under Frequency.
func enumConstants(t *testing.T) map[string][]string {
	t.Helper()
	file, values := kit.File(t, "enums.go"), make(map[string][]string)
	found := constant.FindAllStringSubmatch(file, -1)
	require.Equal(t, strings.Count(file, " = "), len(found), "write each constant on a line of its own")
	for _, m := range found {
		owner := cmp.Or(m[2], "Frequency")
		require.True(t, m[2] != "" || strings.HasPrefix(m[1], owner), "%s has no type", m[1])
		values[owner] = append(values[owner], m[3])
	}
	return values
}

// packageFiles parses the SDK without its tests.
func packageFiles(t *testing.T) map[string]*ast.File {
	t.Helper()
	files := make(map[string]*ast.File)
	for _, name := range kit.Files(t, "*.go") {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), kit.Path(name), nil, parser.ParseComments)
		require.NoError(t, err)
		files[name] = file
	}
	require.NotEmpty(t, files)
	return files
}

// packageTypes returns the types the package declares.
func packageTypes(t *testing.T) map[string]*ast.TypeSpec {
	t.Helper()
	types := make(map[string]*ast.TypeSpec)
	for _, file := range packageFiles(t) {
		for _, decl := range file.Decls {
			gen, ok := decl.(*ast.GenDecl)
			if !ok || gen.Tok != token.TYPE {
				continue
			}
			for _, spec := range gen.Specs {
				s := spec.(*ast.TypeSpec)
				types[s.Name.Name] = s
			}
		}
	}
	return types
}
