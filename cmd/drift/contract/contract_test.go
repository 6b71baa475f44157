package contract

import (
	"bufio"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/schema"
)

// rendered returns the document, decoded.
func rendered(t *testing.T) map[string]any {
	t.Helper()
	data, err := Document()
	require.NoError(t, err)
	again, err := Document()
	require.NoError(t, err)
	require.Equal(t, string(data), string(again))
	var document map[string]any
	require.NoError(t, json.Unmarshal(data, &document))
	return document
}

// at returns the value at a path of names and indexes. It follows each $ref on the way.
func at(t *testing.T, document map[string]any, path ...any) any {
	t.Helper()
	var value any = document
	for _, step := range path {
		if o, ok := value.(map[string]any); ok {
			if ref, ok := o["$ref"].(string); ok {
				value = at(t, document, anys(strings.Split(strings.TrimPrefix(ref, "#/"), "/"))...)
			}
		}
		switch step := step.(type) {
		case string:
			o, ok := value.(map[string]any)
			require.True(t, ok && o[step] != nil, "%v has no %s: %v", path, step, value)
			value = o[step]
		case int:
			value = value.([]any)[step]
		}
	}
	return value
}

func response(name, status string, path ...any) []any {
	method, url, _ := strings.Cut(name, " ")
	return append([]any{"paths", url, strings.ToLower(method), "responses", status, "content", "application/json", "schema"}, path...)
}

func request(name string, path ...any) []any {
	method, url, _ := strings.Cut(name, " ")
	return append([]any{"paths", url, strings.ToLower(method), "requestBody", "content", "application/json", "schema"}, path...)
}

func TestTheSchemaOfAResponse(t *testing.T) {
	document := rendered(t)
	session := func(path ...any) []any { return response("GET /v2/check-sessions/{checkSessionId}", "200", path...) }
	group := func(path ...any) []any { return response("GET /v1/check-groups/{id}", "200", path...) }
	for name, c := range map[string]struct {
		path []any
		want any
	}{
		"a text":                                      {session("properties", "checkId"), map[string]any{"type": "string"}},
		"a moment":                                    {session("properties", "startedAt"), map[string]any{"type": "string"}},
		"a pointer may be null":                       {session("properties", "stoppedAt", "type"), []any{"string", "null"}},
		"a list":                                      {session("properties", "results", "type"), []any{"array", "null"}},
		"an item of a list":                           {session("properties", "results", "items", "properties", "hasErrors"), map[string]any{"type": "boolean"}},
		"an enumeration":                              {session("properties", "status", "enum", 0), "STARTED"},
		"a list as the whole body":                    {response("GET /v1/locations", "200", "type"), []any{"array", "null"}},
		"a wrapped list":                              {response("POST /v2/check-sessions/trigger", "201", "properties", "sessions", "items", "properties", "checkSessionId", "type"), "string"},
		"a member of an embedded struct":              {response("POST /v1/checks/tcp", "201", "properties", "muted", "type"), []any{"boolean", "null"}},
		"a secret may be withheld":                    {response("GET /v1/variables", "200", "items", "properties", "value", "type"), []any{"string", "null"}},
		"hidden JSON is anything":                     {response("GET /v1/alert-notifications", "200", "items", "properties", "alertConfig"), map[string]any{}},
		"the Go type of an enumeration":               {session("properties", "status", "x-go-type"), "CheckSessionStatus"},
		"the Go type that declares a member":          {response("POST /v1/checks/tcp", "201", "x-go-declared-by", "request"), "TCPCheck"},
		"the Go type that declares a common member":   {response("POST /v1/checks/tcp", "201", "x-go-declared-by", "muted"), "CheckCommon"},
		"a whole number":                              {group("properties", "id"), map[string]any{"type": "integer"}},
		"a measure":                                   {session("properties", "timeElapsed"), map[string]any{"type": "number"}},
		"a strategy is an object":                     {group("properties", "retryStrategy", "anyOf", 0, "anyOf", 0, "type"), "object"},
		"a strategy is a string":                      {group("properties", "retryStrategy", "anyOf", 0, "anyOf", 1, "type"), "string"},
		"the conditions of a strategy are a list":     {group("properties", "retryStrategy", "anyOf", 0, "anyOf", 0, "properties", "onlyOn", "anyOf", 0, "items", "enum", 0), "NETWORK_ERROR"},
		"the conditions of a strategy are one string": {group("properties", "retryStrategy", "anyOf", 0, "anyOf", 0, "properties", "onlyOn", "anyOf", 1, "type"), "string"},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, at(t, document, c.path...))
		})
	}
	item := at(t, document, "components", "schemas", "CheckSessionResult", "properties", "resultType").(map[string]any)
	require.Contains(t, item["enum"], nil, "a strict reader accepts null only if it is one of the values")
}

func TestTheSchemaOfARequest(t *testing.T) {
	document := rendered(t)
	group := func(path ...any) []any { return request("PUT /v2/check-groups/{id}", path...) }
	tcp := func(path ...any) []any { return request("POST /v1/checks/tcp", path...) }
	for name, c := range map[string]struct {
		path []any
		want any
	}{
		"a member that is required":     {tcp("properties", "request", "required"), []any{"port"}},
		"an enumeration of texts":       {tcp("properties", "request", "properties", "ipFamily", "enum"), []any{"IPv4", "IPv6"}},
		"an enumeration of numbers":     {group("properties", "alertSettings", "properties", "timeBasedEscalation", "properties", "minutesFailingThreshold", "enum"), []any{5.0, 10.0, 15.0, 30.0}},
		"a text that may be null":       {tcp("properties", "description", "type"), []any{"string", "null"}},
		"a bound of a text":             {tcp("properties", "request", "properties", "hostname", "maxLength"), 2048.0},
		"a bound of a number":           {tcp("properties", "request", "properties", "port", "maximum"), 65535.0},
		"a list":                        {tcp("properties", "tags", "items", "type"), "string"},
		"an object or one word or null": {group("properties", "retryStrategy", "anyOf", 1), map[string]any{"type": "null"}},
		"the word":                      {group("properties", "retryStrategy", "anyOf", 0, "anyOf", 0, "enum"), []any{"FALLBACK"}},
		"an object with more members":   {request("PUT /v1/checks/{id}", "properties", "request", "additionalProperties"), true},
		"an optional body":              {[]any{"paths", "/v1/check-sessions/{checkSessionId}/cancel", "post", "requestBody", "required"}, false},
		"a UUID":                        {tcp("properties", "triggerIncident", "properties", "serviceId", "format"), "uuid"},
		"a parameter of the path":       {[]any{"paths", "/v1/check-groups/{id}", "get", "parameters", 0, "in"}, "path"},
		"a parameter of the query":      {[]any{"paths", "/v1/variables", "get", "parameters", 0, "name"}, "limit"},
		"a filter with operators":       {[]any{"paths", "/v1/maintenance-windows", "get", "parameters", 2, "schema", "properties", "gte", "type"}, "string"},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, at(t, document, c.path...))
		})
	}
}

func TestEveryOperationOfTheSDKIsInTheContract(t *testing.T) {
	listed := make(map[string]bool)
	for _, op := range Operations() {
		require.False(t, listed[op.Name], "%s is listed twice", op.Name)
		listed[op.Name] = true
	}
	for _, op := range schema.Operations() {
		require.True(t, listed[op.Name], "%s: add it to cmd/drift/contract/operations.go", op.Name)
	}
	require.Len(t, listed, len(schema.Operations()))
}

// methods finds the methods of the SDK by their directives. It returns the name of the type
// and of the method for each operation.
func methods(t *testing.T) map[string][2]string {
	t.Helper()
	found := make(map[string][2]string)
	names, err := fs.Glob(os.DirFS("../../.."), "*.go")
	require.NoError(t, err)
	for _, name := range names {
		file, err := parser.ParseFile(token.NewFileSet(), "../../../"+name, nil, parser.ParseComments)
		require.NoError(t, err)
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || f.Doc == nil || f.Recv == nil {
				continue
			}
			for _, comment := range f.Doc.List {
				if operation, ok := strings.CutPrefix(comment.Text, "//monitoring:operation "); ok {
					found[operation] = [2]string{f.Recv.List[0].Type.(*ast.StarExpr).X.(*ast.Ident).Name, f.Name.Name}
				}
			}
		}
	}
	return found
}

func TestTheContractHasTheTypesThatTheMethodsReturn(t *testing.T) {
	client := reflect.TypeFor[monitoring.Client]()
	services := map[string]reflect.Type{"Client": reflect.PointerTo(client)}
	for f := range client.Fields() {
		if f.IsExported() {
			services[f.Type.Elem().Name()] = f.Type
		}
	}
	found := methods(t)
	for _, op := range Operations() {
		service, ok := services[found[op.Name][0]]
		require.True(t, ok, "%s has no method", op.Name)
		method, ok := service.MethodByName(found[op.Name][1])
		require.True(t, ok, op.Name)
		returned := method.Type.Out(0)
		if op.Response == nil {
			require.Equal(t, reflect.TypeFor[error](), returned, op.Name)
			continue
		}
		if returned.Kind() == reflect.Pointer {
			returned = returned.Elem()
		}
		if strings.HasPrefix(returned.Name(), "Page[") {
			items, _ := returned.FieldByName("Items")
			returned = items.Type
		}
		want := op.Response
		if want == reflect.TypeFor[triggered]() {
			want = want.Field(0).Type
		}
		require.Equal(t, want, returned, op.Name)
	}
}

func TestTheContractHasTheEnumerationsOfTheSDK(t *testing.T) {
	file, err := os.Open("../../../testdata/document/enums.txt")
	require.NoError(t, err)
	defer file.Close()
	want := make(map[string][]string)
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if words := strings.Fields(lines.Text()); len(words) > 1 && words[0] != "#" && words[0] != "Frequency" { // numbers
			want[words[0]] = words[1:]
		}
	}
	for name, values := range want {
		require.Equal(t, values, enums[name], "%s: cmd/drift/contract/enums.go has the values of testdata/document/enums.txt", name)
	}
	require.Len(t, enums, len(want), "cmd/drift/contract/enums.go has an enumeration that testdata/document/enums.txt does not have")
}
