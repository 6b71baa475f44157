package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
)

// service returns the description of a service that is exactly what the SDK knows.
func service(t testing.TB) object {
	t.Helper()
	paths := object{}
	for name, o := range known() {
		method, path, _ := strings.Cut(name, " ")
		parameters := []object{}
		for _, query := range slices.Sorted(maps.Keys(o.query.members)) {
			parameters = append(parameters, object{"in": "query", "name": query, "schema": written(o.query.members[query])})
		}
		rendered := object{"parameters": parameters, "responses": object{"200": content(o.response)}}
		if o.body != nil {
			rendered["requestBody"] = content(o.body)
		}
		item, _ := paths[path].(object)
		if item == nil {
			item = object{}
			paths[path] = item
		}
		item[strings.ToLower(method)] = rendered
	}
	data := text(t, object{"openapi": "3.1.0", "paths": paths, "components": object{"schemas": object{}}})
	root, err := decode(strings.NewReader(data))
	require.NoError(t, err)
	return root
}

func content(s *shape) object {
	if s == nil {
		return object{}
	}
	return object{"content": object{"application/json": object{"schema": written(s)}}}
}

// written returns a shape as a schema of OpenAPI 3.1.
func written(s *shape) object {
	if s.enum != nil && len(s.types) > 1 && (s.has("object") || s.has("array")) { // the values are those of texts only
		list, texts := *s, &shape{types: []string{"string"}, enum: s.enum}
		list.enum, list.types = nil, slices.DeleteFunc(slices.Clone(s.types), func(kind string) bool { return kind == "string" })
		return object{"anyOf": []object{written(&list), written(texts)}}
	}
	o := object{}
	if s.types != nil {
		o["type"] = s.types
		if s.null {
			o["type"] = append(slices.Clone(s.types), "null")
		}
	}
	if s.enum != nil && s.null {
		o["enum"] = append(slices.Clone(s.enum), nil) // otherwise null is not one of the values
	} else if s.enum != nil {
		o["enum"] = s.enum
	}
	if len(s.members) > 0 {
		properties := object{}
		for name, m := range s.members {
			properties[name] = written(m)
		}
		o["properties"] = properties
	}
	if s.required != nil {
		o["required"] = s.required
	}
	if s.items != nil {
		o["items"] = written(s.items)
	}
	if s.absent != "" {
		o["default"] = json.RawMessage(s.absent)
	}
	return o
}

func TestWhatTheSDKKnows(t *testing.T) {
	const (
		schema = "content application/json schema properties"
		group  = "paths /v1/check-groups/{id} get responses 200 " + schema
		update = "paths /v2/check-groups/{id} put requestBody " + schema
		tcp    = tcpPath + " properties"
	)
	root := service(t)
	for path, want := range map[string]string{
		sessionPath + " checkId":                            `{"type":["string"]}`,
		sessionPath + " startedAt":                          `{"type":["string"]}`,        // a moment
		sessionPath + " stoppedAt":                          `{"type":["string","null"]}`, // a pointer
		sessionPath + " results items properties hasErrors": `{"type":["boolean"]}`,
		sessionPath + " timeElapsed":                        `{"type":["number"]}`,
		"paths /v2/check-sessions/trigger post " + success + " sessions items properties checkSessionId": `{"type":["string"]}`,
		tcpReplyPath + " muted": `{"type":["boolean","null"]}`, // of an embedded struct
		"paths /v1/variables get responses 200 content application/json schema items properties value":                 `{"type":["string","null"]}`,
		"paths /v1/alert-notifications get responses 200 content application/json schema items properties alertConfig": `{}`,
		analysisPath + " status": `{"type":["string"],"enum":["PENDING","COMPLETED"]}`,
		group + " id":            `{"type":["integer"]}`,
		"paths /v2/check-results/{checkId} get " + success + " entries items properties hasFailures": `{"type":["boolean"]}`,
		"paths /v2/check-results/{checkId} get " + success + " nextId":                               `{"type":["string","null"]}`,
		group + " retryStrategy anyOf properties onlyOn":                                             `{"anyOf":[{"type":["array","null"],"items":{"type":["string"],"enum":["NETWORK_ERROR"]}},{"type":["string"],"enum":["NETWORK_ERROR"]}]}`,
		group + " tags": `{"type":["array","null"],"items":{"type":["string"]}}`,
		update + " retryStrategy anyOf properties type":                                             `{"type":["string"],"enum":["FIXED","LINEAR","EXPONENTIAL","SINGLE_RETRY"]}`,
		update + " alertSettings properties timeBasedEscalation properties minutesFailingThreshold": `{"type":["integer"],"enum":[5,10,15,30],"default":5}`,
		tcp + " description":                 `{"type":["string","null"]}`,
		tcp + " tags":                        `{"type":["array"],"items":{"type":["string"]}}`,
		tcp + " request properties ipFamily": `{"type":["string"],"enum":["IPv4","IPv6"],"default":"IPv4"}`,
		"paths /v1/checks/{id} put requestBody " + schema + " heartbeat": `{"type":["object","null"]}`,
	} {
		require.JSONEq(t, want, text(t, at(t, root, path)), path)
	}
	require.Equal(t, []any{"object", "null"}, at(t, root, "paths /v1/check-statuses get responses 200 content application/json schema items")["type"])
	require.Equal(t, []string{"array"}, known()["GET /v1/checks"].query.members["tag"].types)
	require.Equal(t, []any{"port"}, at(t, root, tcp+" request")["required"])
	require.Equal(t, []any{"object", "null"}, at(t, root, update+" retryStrategy anyOf")["type"])
	require.Equal(t, []any{"FALLBACK"}, at(t, root, update+" retryStrategy")["anyOf"].([]any)[1].(object)["enum"])
}

func TestEveryOperationHasTheTypeThatItsMethodReturns(t *testing.T) {
	for name := range known() {
		require.NotNil(t, methods[name], "%s: contract.txt lacks its method; its first line says how it is written", name)
	}
	require.Len(t, methods, len(known()), "contract.txt has an operation that internal/operations does not have")
	for name, want := range map[string]reflect.Type{
		"GET /v1/locations":                     reflect.TypeFor[[]monitoring.Location](),
		"POST /v2/check-sessions/trigger":       reflect.TypeFor[triggered](),
		"GET /v1/check-groups/{id}":             reflect.TypeFor[monitoring.CheckGroup](),
		"GET /v1/variables":                     reflect.TypeFor[[]monitoring.EnvironmentVariable](),
		"DELETE /v1/dashboards/{dashboardId}":   nil,
		"GET /openapi.json":                     nil,
		"GET /v1/error-groups/checks/{checkId}": reflect.TypeFor[[]monitoring.ErrorGroup](),
	} {
		require.Equal(t, want, responseOf(methods[name]), name)
	}
}

// TestTheSamplesOfTheSDKFitWhatItKnows checks the sample bodies of the SDK's tests: the SDK must
// decode and send what it is said to know.
func TestTheSamplesOfTheSDKFitWhatItKnows(t *testing.T) {
	checked := 0
	for operation, o := range known() {
		for dir, s := range map[string]*shape{"requests": o.body, "responses": o.response} {
			if s == nil || samples[operation] == "" {
				continue
			}
			files, err := filepath.Glob("../../testdata/" + dir + "/" + samples[operation] + ".*.json")
			require.NoError(t, err)
			require.NotEmpty(t, files, operation)
			schema, err := jsonschema.UnmarshalJSON(strings.NewReader(text(t, written(s))))
			require.NoError(t, err)
			compiler := jsonschema.NewCompiler()
			require.NoError(t, compiler.AddResource("schema.json", schema))
			compiled := compiler.MustCompile("schema.json")
			for _, name := range files {
				if strings.Contains(name, "null") || strings.Contains(name, "unknown") || strings.Contains(name, "limited-locations") {
					continue // the SDK reads more than it knows: null as zero, unknown values
				}
				body, err := os.ReadFile(name)
				require.NoError(t, err)
				value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
				require.NoError(t, err)
				require.NoError(t, compiled.Validate(value), name)
				checked++
			}
		}
	}
	require.Greater(t, checked, 40)
}

// samples has what the names of the sample files of an operation begin with.
var samples = map[string]string{
	"GET /v1/locations": "get-v1-locations", "GET /v1/check-groups/{id}": "get-v1-check-group",
	"GET /v1/check-sessions/{checkSessionId}": "get-v1-check-session", "GET /v2/check-sessions/{checkSessionId}": "get-v2-check-session", "GET /v2/check-sessions/{checkSessionId}/completion": "get-v2-check-session-completion",
	"GET /v1/check-results/{checkId}/{checkResultId}": "get-v1-check-result", "GET /v1/alert-notifications": "get-v1-alert-notifications",
	"GET /v1/accounts/{accountId}/entitlements": "get-v1-entitlements", "GET /v1/error-groups/checks/{checkId}": "get-v1-error-groups",
	"GET /v1/variables": "get-v1-variables", "GET /v1/maintenance-windows": "get-v1-maintenance-windows",
	"GET /v1/root-cause-analyses/{id}": "get-v1-root-cause-analysis", "POST /v1/checks/tcp": "post-v1-checks-tcp",
	"PUT /v1/checks/{id}": "put-v1-check", "PUT /v1/checks/browser/{id}": "put-v1-checks-browser", "PUT /v2/check-groups/{id}": "put-v2-check-group",
	"POST /v2/check-sessions/trigger": "post-v2-check-sessions-trigger", "POST /v1/check-sessions/trigger": "post-v1-check-sessions-trigger",
	"GET /v1/check-statuses": "get-v1-check-statuses", "GET /v1/check-statuses/{checkId}": "get-v1-check-status",
	"POST /v1/check-sessions/{checkSessionId}/cancel": "post-v1-check-session-cancel",
}

// One type reads checks of all kinds, but the response to an operation of one kind has only what
// that kind has.
func TestTheResponseOfAKindOfChecksHasTheMembersOfTheKind(t *testing.T) {
	all := known()
	names := func(operation string, path ...string) []string {
		s := all[operation].response
		for _, name := range path {
			s = s.members[name]
		}
		return slices.Sorted(maps.Keys(s.members))
	}
	require.Equal(t, []string{"assertions", "body", "data", "hostname", "ipFamily", "port", "url"}, names("POST /v1/checks/tcp", "request"))
	require.Contains(t, names("PUT /v1/checks/api/{id}", "request"), "headers")
	require.NotContains(t, names("PUT /v1/checks/api/{id}"), "script")
	require.Contains(t, names("POST /v1/checks/multistep"), "script")
	require.NotContains(t, names("POST /v1/checks/multistep"), "request")
	require.Contains(t, names("POST /v1/checks/heartbeat", "heartbeat"), "pingUrl")
	for _, member := range []string{"script", "request", "heartbeat", "browsers"} {
		require.Contains(t, names("GET /v1/checks/{id}"), member)
	}
}
