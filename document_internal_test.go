package monitoring

import (
	"bufio"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/schema"
)

// documentTypes are the types in testdata/document/fields.txt: those of bodies and those that
// are encoded as a query.
var documentTypes = func() map[string]reflect.Type {
	types := make(map[string]reflect.Type)
	for _, w := range wireTypes {
		types[w.typ.Name()] = w.typ
	}
	for _, v := range []any{
		triggerResponse{}, ListOptions{}, VariableListOptions{}, ErrorGroupListOptions{}, AlertNotificationListOptions{},
		MaintenanceWindowListOptions{}, CompletionOptions{}, autoAssignQuery{},
	} {
		types[reflect.TypeOf(v).Name()] = reflect.TypeOf(v)
	}
	for _, name := range []string{"CheckCommon", "Secret", "SecretJSON", "Timestamp", "ResultAssertion", "ResultError"} {
		delete(types, name) // embedded in others, or with an UnmarshalJSON of its own
	}
	return types
}()

// unknownType is the message for a type of fields.txt that documentTypes does not have.
const unknownType = "fields.txt has %s: add it to wireTypes in tables_test.go, or the options of a query to documentTypes in document_internal_test.go"

// documentField is a line of fields.txt, for one of the types of its section.
type documentField struct {
	direction, owner, name, kind string
	required                     bool
}

func documentLines(t *testing.T, name string) []string {
	t.Helper()
	data, err := os.ReadFile("testdata/document/" + name)
	require.NoError(t, err)
	var lines []string
	for scanner := bufio.NewScanner(strings.NewReader(string(data))); scanner.Scan(); {
		if line := strings.TrimSpace(scanner.Text()); line != "" && !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	return lines
}

func documentFields(t *testing.T) []documentField {
	t.Helper()
	var fields []documentField
	var section []string
	for _, line := range documentLines(t, "fields.txt") {
		words := strings.Fields(strings.Trim(line, "[]"))
		if strings.HasPrefix(line, "[") {
			section = words
			continue
		}
		words = strings.Fields(line)
		for _, owner := range section[1:] {
			fields = append(fields, documentField{section[0], owner, words[0], words[1], slices.Contains(words, "req")})
		}
	}
	return fields
}

// wireField is a field of a struct with its name in JSON or in the query.
type wireField struct {
	Type    reflect.Type
	Options []string // after the name in the tag
}

// wireFields returns the fields by their name in the json or url tag, those of embedded
// structs included.
func wireFields(t reflect.Type, tag string) map[string]wireField {
	fields := make(map[string]wireField)
	for f := range t.Fields() {
		if f.Anonymous && f.Tag.Get(tag) == "" {
			maps.Copy(fields, wireFields(f.Type, tag))
			continue
		}
		if parts := strings.Split(f.Tag.Get(tag), ","); parts[0] != "" && parts[0] != "-" {
			fields[parts[0]] = wireField{f.Type, parts[1:]}
		}
	}
	return fields
}

func (f documentField) tag() string {
	if f.direction == "query" {
		return "url"
	}
	return "json"
}

// problem says why a struct field does not fit the document's field; "" if it does.
func (f documentField) problem(field wireField) string {
	kind, null := strings.CutSuffix(f.kind, "|null")
	plain := field.Type
	wrapper := "value"
	if isNullable(plain) {
		plain, wrapper = nullableOf(plain), "Nullable"
	} else if plain.Kind() == reflect.Pointer {
		plain, wrapper = plain.Elem(), "pointer"
	} else if plain == reflect.TypeFor[Secret]() { // null if it is withheld
		wrapper = "secret"
	} else if plain == reflect.TypeFor[json.RawMessage]() || plain == reflect.TypeFor[SecretJSON]() || plain.Kind() == reflect.Slice || plain.Kind() == reflect.Interface {
		wrapper = "list"
	}
	if !holdsKind(plain, kind) {
		return fmt.Sprintf("%s cannot hold %s", field.Type, f.kind)
	}
	omit := slices.Contains(field.Options, "omitempty") || slices.Contains(field.Options, "omitzero")
	switch f.direction {
	case "response", "shared":
		if null && wrapper == "value" {
			return fmt.Sprintf("may be null, which %s cannot hold", field.Type)
		}
	case "request":
		switch {
		case f.required && (wrapper != "value" && wrapper != "secret" || omit):
			return "is required and must always be sent"
		case f.required:
		case !omit:
			return "is optional and has no omitempty or omitzero"
		case null && wrapper != "Nullable" && wrapper != "list":
			return fmt.Sprintf("may be null, which %s cannot send", field.Type)
		case wrapper == "list" && strings.HasSuffix(kind, "[]") && f.owner != "TriggerTarget" && !slices.Contains(field.Options, "omitzero"):
			return "must send an empty list that is not nil: want omitzero"
		case wrapper == "value" && plain == reflect.TypeFor[TriggerTarget](): // without a filter it is absent
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
		return t.Kind() == reflect.String || t == reflect.TypeFor[Secret]()
	case "boolean":
		return t.Kind() == reflect.Bool
	case "integer":
		return t.Kind() == reflect.Int || t.Kind() == reflect.Int64
	case "id":
		return t.Kind() == reflect.Int64
	case "measure":
		return t.Kind() == reflect.Float64
	case "date":
		return t == reflect.TypeFor[Timestamp]()
	case "time":
		return t == reflect.TypeFor[time.Time]()
	case "object":
		return t.Kind() == reflect.Struct
	case "any":
		return t == raw || t == reflect.TypeFor[SecretJSON]() || t.Kind() == reflect.Interface
	}
	return false
}

func isNullable(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && strings.HasPrefix(t.Name(), "Nullable[")
}

// nullableOf returns the T of a Nullable[T].
func nullableOf(t reflect.Type) reflect.Type {
	get, _ := t.MethodByName("Get")
	return get.Type.Out(0)
}

func TestEveryFieldOfTheDocumentHasAStructFieldOfTheRightType(t *testing.T) {
	fields := documentFields(t)
	require.Greater(t, len(fields), 400, "fields.txt was not read")
	for _, f := range fields {
		owner, ok := documentTypes[f.owner]
		require.True(t, ok, unknownType, f.owner)
		field, ok := wireFields(owner, f.tag())[f.name]
		if !ok {
			t.Errorf("%s: %s.%s (%s): the struct has no field with this name in its tag", f.direction, f.owner, f.name, f.kind)
			continue
		}
		if problem := f.problem(field); problem != "" {
			t.Errorf("%s: %s.%s (%s): %s", f.direction, f.owner, f.name, f.kind, problem)
		}
	}
}

func TestEveryFieldOfTheTypesIsInTheDocumentOrItsGaps(t *testing.T) {
	known := make(map[string]bool)
	for _, f := range documentFields(t) {
		known[f.owner+"."+f.name] = true
	}
	for name, owner := range documentTypes {
		for _, tag := range []string{"json", "url"} {
			for field := range wireFields(owner, tag) {
				if !known[name+"."+field] {
					t.Errorf("%s.%s is in no section of testdata/document/fields.txt", name, field)
				}
			}
		}
	}
}

func TestEveryWireTypeIsInTheTable(t *testing.T) {
	for name, spec := range packageTypes(t) {
		s, ok := spec.Type.(*ast.StructType)
		if !ok || name == "CheckCommon" { // which is embedded in the checks
			continue
		}
		if _, ok := documentTypes[name]; !ok && slices.ContainsFunc(s.Fields.List, func(f *ast.Field) bool { return isOnTheWire(t, f) }) {
			t.Errorf("%s is sent or received: describe it in testdata/document/fields.txt, and add it to wireTypes in tables_test.go, "+
				"or the options of a query to documentTypes in document_internal_test.go", name)
		}
	}
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
	for _, line := range documentLines(t, "enums.txt") {
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

// enumConstants returns the values of the constants in enums.go by their type, and the
// untyped frequencies under Frequency.
func enumConstants(t *testing.T) map[string][]string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "enums.go", nil, 0)
	require.NoError(t, err)
	values := make(map[string][]string)
	for _, decl := range file.Decls {
		gen, ok := decl.(*ast.GenDecl)
		if !ok || gen.Tok != token.CONST {
			continue
		}
		for _, spec := range gen.Specs {
			c := spec.(*ast.ValueSpec)
			require.Len(t, c.Values, len(c.Names), "%s has no value", c.Names[0].Name)
			for i, name := range c.Names {
				literal := c.Values[i].(*ast.BasicLit)
				text := literal.Value
				if literal.Kind == token.STRING {
					text, err = strconv.Unquote(text)
					require.NoError(t, err)
				}
				owner := "Frequency"
				if c.Type != nil {
					owner = c.Type.(*ast.Ident).Name
				} else {
					require.True(t, strings.HasPrefix(name.Name, "Frequency"), "%s has no type", name.Name)
				}
				values[owner] = append(values[owner], text)
			}
		}
	}
	return values
}

// packageFiles parses the package without its tests.
func packageFiles(t *testing.T) map[string]*ast.File {
	t.Helper()
	entries, err := os.ReadDir(".")
	require.NoError(t, err)
	files := make(map[string]*ast.File)
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), e.Name(), nil, parser.ParseComments)
		require.NoError(t, err)
		files[e.Name()] = file
	}
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
