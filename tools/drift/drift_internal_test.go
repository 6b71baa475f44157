package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// at returns a part of a description by a path of names, with spaces between them. It follows
// references to components.
func at(t testing.TB, root object, path string) object {
	t.Helper()
	value := root
	for _, name := range strings.Fields(path) {
		next := value[name]
		if list, ok := next.([]any); ok { // anyOf: take the first one
			next = list[0]
		}
		o, ok := next.(object)
		require.True(t, ok, "%s has no %s: %v", path, name, value)
		if ref, ok := o["$ref"].(string); ok {
			o = at(t, root, strings.ReplaceAll(strings.TrimPrefix(ref, "#/"), "/", " "))
		}
		value = o
	}
	return value
}

const (
	success = "responses 200 content application/json schema properties"

	sessionPath      = "paths /v2/check-sessions/{checkSessionId} get " + success
	analysisPath     = "paths /v1/root-cause-analyses/{id} get " + success
	createdPath      = "paths /v1/root-cause-analyses/error-groups/{errorGroupId} post " + success
	testCreatedPath  = "paths /v1/root-cause-analyses/test-session-error-groups/{testSessionErrorGroupId} post " + success
	entitlementsPath = "paths /v1/accounts/{accountId}/entitlements get " + success
	tcpReplyPath     = "paths /v1/checks/tcp post " + success
	locationPath     = "paths /v1/locations get responses 200 content application/json schema items properties"
	tcpPath          = "paths /v1/checks/tcp post requestBody content application/json schema"
)

// parameter returns a query parameter of an operation that reads.
func parameter(t *testing.T, root object, path, name string) object {
	t.Helper()
	for _, p := range at(t, root, "paths "+path+" get")["parameters"].([]any) {
		if p := p.(object); p["name"] == name {
			return p
		}
	}
	require.Fail(t, "no parameter", name)
	return nil
}

// orNullItem lets the items of a list be null.
func orNullItem(t *testing.T, root object, path string) {
	t.Helper()
	list := at(t, root, "paths "+path+" get responses 200 content application/json schema")
	list["items"] = object{"anyOf": []any{list["items"], object{"type": "null"}}}
}

func rename(o object, from, to string) {
	o[to] = o[from]
	delete(o, from)
}

// lines returns the findings as lines of the table.
func lines(found []finding) []string {
	list := []string{}
	for _, f := range found {
		line := f.line()
		if f.Breaks {
			line = "! " + line
		}
		list = append(list, line)
	}
	return list
}

func TestAServiceThatFitsTheSDKHasNoFindings(t *testing.T) {
	found := compare(service(t))
	require.Empty(t, lines(found))
}

func TestPlantedDifferencesAreFound(t *testing.T) {
	const (
		locations = "GET /v1/locations response $[]."
		session   = "GET /v2/check-sessions/{checkSessionId}"
		tcp       = "POST /v1/checks/tcp request $."
		variables = "GET /v1/variables"
	)
	for name, c := range map[string]struct {
		plant func(t *testing.T, root object)
		want  []string
	}{
		"a member of a response is renamed": {func(t *testing.T, root object) {
			rename(at(t, root, locationPath), "name", "title")
		}, []string{"! gone " + locations + "name", "added " + locations + "title"}},
		"a response has a new member": {func(t *testing.T, root object) {
			at(t, root, locationPath)["country"] = object{"type": "string"}
		}, []string{"added " + locations + "country"}},
		"a member of a response has another type": {func(t *testing.T, root object) {
			at(t, root, locationPath)["name"] = object{"type": "integer"}
		}, []string{"! changed " + locations + "name type: the SDK has string, the service integer"}},
		"a fractional number of a response is a whole number": {func(t *testing.T, root object) {
			at(t, root, sessionPath)["timeElapsed"] = object{"type": "integer"}
		}, []string{}},
		"a whole number of a response has a fraction": {func(t *testing.T, root object) {
			at(t, root, entitlementsPath+" locations properties")["maxPerCheck"] = object{"type": []any{"number", "null"}}
		}, []string{}},
		"a whole number of a response is a text or a number": {func(t *testing.T, root object) {
			at(t, root, entitlementsPath+" locations properties")["maxPerCheck"] = object{"type": []any{"number", "string"}}
		}, []string{"! changed GET /v1/accounts/{accountId}/entitlements response $.locations.maxPerCheck type: the SDK has integer or null, the service number or string"}},
		"a fractional number of a request must be whole": {func(t *testing.T, root object) {
			at(t, root, tcpPath+" properties")["maxResponseTime"] = object{"type": []any{"integer", "null"}}
		}, []string{"! changed " + tcp + "maxResponseTime type: the SDK has number or null, the service integer or null"}},
		"one of several objects with a type lost a value": {func(t *testing.T, root object) {
			at(t, root, sessionPath+" checkType")["enum"] = []any{"AGENTIC", "API", "BROWSER"}
		}, []string{}},
		"one of several objects with members in common lost one": {func(t *testing.T, root object) {
			delete(at(t, root, tcpReplyPath), "muted")
		}, []string{}},
		"all objects with members in common lost one": {func(t *testing.T, root object) {
			delete(at(t, root, sessionPath), "timeElapsed")
			delete(at(t, root, "paths /v1/check-sessions/{checkSessionId} get "+success), "timeElapsed")
			delete(at(t, root, "paths /v1/check-sessions/trigger post "+success+" sessions items properties"), "timeElapsed")
			delete(at(t, root, "paths /v2/check-sessions/trigger post "+success+" sessions items properties"), "timeElapsed")
			at(t, root, "paths /v2/check-sessions/{checkSessionId}/completion get "+success)["timeElapsed"] = object{"type": "number", "writeOnly": true}
		}, []string{
			"! gone GET /v1/check-sessions/{checkSessionId} response $.timeElapsed", "! gone GET /v2/check-sessions/{checkSessionId} response $.timeElapsed",
			"! gone GET /v2/check-sessions/{checkSessionId}/completion response $.timeElapsed the service has it in the other direction only",
			"! gone POST /v1/check-sessions/trigger response $.sessions[].timeElapsed", "! gone POST /v2/check-sessions/trigger response $.sessions[].timeElapsed",
		}},
		"a member of a response may be null": {func(t *testing.T, root object) {
			at(t, root, locationPath)["name"] = object{"type": []any{"string", "null"}}
		}, []string{"! changed " + locations + "name the service may return null, which the type of the SDK cannot hold"}},
		"a member of a response is never null any more": {func(t *testing.T, root object) {
			at(t, root, sessionPath)["stoppedAt"] = object{"type": "string"}
		}, []string{}},
		"a response has a new value": {func(t *testing.T, root object) {
			groups := at(t, root, "paths /v1/error-groups/checks/{checkId} get responses 200 content application/json schema items properties")
			groups["checkId"] = object{"type": "string", "enum": []any{"a"}} // the SDK has no enumeration here
			analysis := at(t, root, analysisPath+" status")
			analysis["enum"] = append(analysis["enum"].([]any), "HALTED")
		}, []string{`added GET /v1/root-cause-analyses/{id} response $.status value "HALTED"`}},
		"a response lost a value": {func(t *testing.T, root object) {
			analysis := at(t, root, analysisPath+" status")
			analysis["enum"] = []any{"COMPLETED"} // in all places of this enumeration
			at(t, root, createdPath+" status")["enum"] = []any{"COMPLETED"}
			at(t, root, testCreatedPath+" status")["enum"] = []any{"COMPLETED"}
		}, []string{
			`! gone GET /v1/root-cause-analyses/{id} response $.status value "PENDING"`,
			`! gone POST /v1/root-cause-analyses/error-groups/{errorGroupId} response $.status value "PENDING"`,
			`! gone POST /v1/root-cause-analyses/test-session-error-groups/{testSessionErrorGroupId} response $.status value "PENDING"`,
		}},
		"a request has a new required member": {func(t *testing.T, root object) {
			schema := at(t, root, tcpPath)
			schema["required"] = append(schema["required"].([]any), "owner")
			at(t, root, tcpPath+" properties")["owner"] = object{"type": "string"}
		}, []string{"! added " + tcp + "owner the service requires it"}},
		"a request has a new optional member": {func(t *testing.T, root object) {
			at(t, root, tcpPath+" properties request properties")["tls"] = object{"type": "boolean"}
		}, []string{"added " + tcp + "request.tls"}},
		"a member of a request becomes required": {func(t *testing.T, root object) {
			request := at(t, root, tcpPath+" properties request")
			request["required"] = append(request["required"].([]any), "hostname")
		}, []string{"! changed " + tcp + "request.hostname the service requires it"}},
		"a member that a request requires is not described": {func(t *testing.T, root object) {
			request := at(t, root, tcpPath+" properties request")
			request["required"] = append(request["required"].([]any), "hostname")
			delete(request["properties"].(object), "hostname")
		}, []string{"! gone " + tcp + "request.hostname"}},
		"a member of a request is gone": {func(t *testing.T, root object) {
			delete(at(t, root, tcpPath+" properties"), "muted")
		}, []string{"! gone " + tcp + "muted"}},
		"a request does not accept null any more": {func(t *testing.T, root object) {
			at(t, root, tcpPath+" properties")["groupId"] = object{"type": "integer"}
		}, []string{"! changed " + tcp + "groupId the service does not take null"}},
		"a request accepts null": {func(t *testing.T, root object) {
			at(t, root, tcpPath+" properties")["muted"] = object{"type": []any{"boolean", "null"}}
		}, []string{}},
		"an object whose members the SDK does not list has a new one": {func(t *testing.T, root object) {
			at(t, root, "paths /v1/checks/{id} put requestBody content application/json schema properties request properties")["grpc"] = object{}
		}, []string{}},
		"a request has another type": {func(t *testing.T, root object) {
			at(t, root, tcpPath+" properties tags")["items"] = object{"type": "object"}
		}, []string{"! changed " + tcp + "tags[] type: the SDK has string, the service object"}},
		"a request lost a value": {func(t *testing.T, root object) {
			at(t, root, tcpPath+" properties request properties ipFamily")["enum"] = []any{"IPv6"}
		}, []string{`! gone ` + tcp + `request.ipFamily value "IPv4"`}},
		"a default inside a request changed": {func(t *testing.T, root object) {
			at(t, root, tcpPath+" properties retryStrategy properties sameRegion")["default"] = false
			at(t, root, tcpPath+" properties alertSettings properties reminders")["default"] = object{"amount": 0, "interval": 10}
		}, []string{
			`! changed ` + tcp + `alertSettings.reminders default: the SDK has {}, the service {"amount":0,"interval":10}`,
			"! changed " + tcp + "retryStrategy.sameRegion default: the SDK has true, the service false",
		}},
		"a default changed in a list of an update": {func(t *testing.T, root object) {
			at(t, root, "paths /v1/checks/browser/{id} put requestBody content application/json schema properties environmentVariables items properties secret")["default"] = true
		}, []string{"! changed PUT /v1/checks/browser/{id} request $.environmentVariables[].secret default: the SDK has false, the service true"}},
		"a default is new": {func(t *testing.T, root object) {
			at(t, root, "paths /v1/checks/api post requestBody content application/json schema properties request properties followRedirects")["default"] = true
		}, []string{"added POST /v1/checks/api request $.request.followRedirects default true"}},
		"a default is written in full, or not at all": {func(t *testing.T, root object) {
			at(t, root, tcpPath+" properties alertSettings properties reminders")["default"] = object{"interval": 5.0}
			delete(at(t, root, tcpPath+" properties retryStrategy properties sameRegion"), "default")
		}, []string{}},
		"a default stands beside a reference": {func(t *testing.T, root object) {
			region := at(t, root, tcpPath+" properties retryStrategy properties")
			root["components"].(object)["schemas"].(object)["Flag"] = object{"type": "boolean", "default": true}
			region["sameRegion"] = object{"$ref": "#/components/schemas/Flag", "default": false}
		}, []string{"! changed " + tcp + "retryStrategy.sameRegion default: the SDK has true, the service false"}},
		"a default of nothing, and one of the body, which a create leaves out": {func(t *testing.T, root object) {
			at(t, root, tcpPath+" properties request properties assertions")["default"] = []any{}
			at(t, root, tcpPath+" properties request properties data")["default"] = nil
			at(t, root, tcpPath+" properties activated")["default"] = true
		}, []string{}},
		"a request lists its values": {func(t *testing.T, root object) {
			at(t, root, tcpPath+" properties name")["enum"] = []any{"a"}
		}, []string{"added " + tcp + "name the service lists the values that it takes"}},
		"a path is renamed": {func(t *testing.T, root object) {
			rename(root["paths"].(object), "/v1/locations", "/v1/regions")
		}, []string{"! gone GET /v1/locations", "added GET /v1/regions"}},
		"a parameter of a path has another name": {func(t *testing.T, root object) {
			rename(root["paths"].(object), "/v1/check-groups/{id}", "/v1/check-groups/{groupId}")
		}, []string{}},
		"a method is gone and another one is new": {func(t *testing.T, root object) {
			rename(at(t, root, "paths /v1/locations"), "get", "post")
		}, []string{"! gone GET /v1/locations", "added POST /v1/locations"}},
		"a parameter of the query is renamed": {func(t *testing.T, root object) {
			list := at(t, root, "paths /v1/variables get")["parameters"].([]any)
			list[0].(object)["name"] = "size"
		}, []string{"! gone " + variables + " query limit", "added " + variables + " query size"}},
		"the query has no parameters any more": {func(t *testing.T, root object) {
			delete(at(t, root, "paths /v1/variables get"), "parameters")
		}, []string{"! gone " + variables + " query limit", "! gone " + variables + " query page"}},
		"a parameter is required by the path, but not by the operation": {func(t *testing.T, root object) {
			path := at(t, root, "paths /v1/locations")
			path["parameters"] = []any{object{"in": "query", "name": "zone", "required": true}}
			path["get"].(object)["parameters"] = []any{object{"in": "query", "name": "zone"}}
		}, []string{"added GET /v1/locations query zone"}},
		"a parameter of the query becomes required": {func(t *testing.T, root object) {
			list := at(t, root, "paths /v1/variables get")["parameters"].([]any)
			list[0].(object)["required"] = true
		}, []string{"! changed " + variables + " query limit the service requires it"}},
		"a new parameter of the query is required": {func(t *testing.T, root object) {
			get := at(t, root, "paths /v1/locations get")
			get["parameters"] = []any{object{"in": "query", "name": "zone", "required": true, "schema": object{"type": "string"}}}
		}, []string{"! added GET /v1/locations query zone the service requires it"}},
		"a parameter of the query is described as a text": {func(t *testing.T, root object) {
			list := at(t, root, "paths /v1/variables get")["parameters"].([]any)
			list[0].(object)["schema"] = object{"type": "string"}
			list[1].(object)["schema"] = object{"type": "boolean"}
		}, []string{"! changed " + variables + " query page type: the SDK has integer, the service boolean"}},
		"an operator of a filter is gone": {func(t *testing.T, root object) {
			list := at(t, root, "paths /v1/maintenance-windows get")["parameters"].([]any)
			delete(list[3].(object)["schema"].(object)["properties"].(object), "gte")
		}, []string{"! gone GET /v1/maintenance-windows query startsAt.gte"}},
		"each operator of a filter is a parameter": {func(t *testing.T, root object) {
			get := at(t, root, "paths /v1/maintenance-windows get")
			list := get["parameters"].([]any)
			get["parameters"] = list[:3]
			for _, operator := range []string{"gt", "gte", "lt"} {
				get["parameters"] = append(get["parameters"].([]any), object{"in": "query", "name": "startsAt[" + operator + "]", "schema": object{"type": "string"}})
			}
		}, []string{"! gone GET /v1/maintenance-windows query startsAt.lte"}},
		"parameters are those of the path, and one is described as JSON": {func(t *testing.T, root object) {
			get := at(t, root, "paths /v1/variables get")
			page := get["parameters"].([]any)[1].(object)
			page["content"] = object{"application/json": object{"schema": object{"type": "boolean"}}}
			delete(page, "schema")
			rename(get, "parameters", "own")
			at(t, root, "paths /v1/variables")["parameters"] = get["own"]
		}, []string{
			"! changed " + variables + " query page type: the SDK has integer, the service boolean",
			"added POST /v1/variables query limit", "added POST /v1/variables query page", // the create has the same path
		}},
		"references to bodies are broken": {func(t *testing.T, root object) {
			post := at(t, root, "paths /v1/checks/tcp post")
			post["requestBody"] = object{"$ref": "#/lost"}
			post["responses"] = object{"201": object{"$ref": "#/lost"}}
		}, []string{`unclear POST /v1/checks/tcp request $ the reference "#/lost" has no target`,
			`unclear POST /v1/checks/tcp response $ the reference "#/lost" has no target`}},
		"a header is required": {func(t *testing.T, root object) {
			get := at(t, root, "paths /v1/locations get")
			get["parameters"] = []any{object{"in": "header", "name": "X-Team", "required": true, "schema": object{"type": "string"}},
				object{"in": "header", "name": "X-Service-Account", "required": true}}
		}, []string{"! added GET /v1/locations header X-Team the service requires it"}},
		"an operation has no body any more": {func(t *testing.T, root object) {
			delete(at(t, root, "paths /v1/checks/tcp post"), "requestBody")
		}, []string{"! gone POST /v1/checks/tcp request $ the service takes no body"}},
		"an operation has a new body": {func(t *testing.T, root object) {
			at(t, root, "paths /v1/dashboards/{dashboardId} delete")["requestBody"] = object{"content": object{"application/json": object{}}}
			at(t, root, "paths /v1/status-pages/services/{serviceId} delete")["requestBody"] = object{"required": true}
		}, []string{"added DELETE /v1/dashboards/{dashboardId} request $", "! added DELETE /v1/status-pages/services/{serviceId} request $ the service requires it"}},
		"members that are read only are not sent": {func(t *testing.T, root object) {
			schema := at(t, root, tcpPath)
			schema["required"] = append(schema["required"].([]any), "id", "muted")
			members := at(t, root, tcpPath+" properties")
			members["id"] = object{"oneOf": []any{object{"type": "string", "readOnly": true}, object{"type": "null", "readOnly": true}}}
			members["muted"] = object{"allOf": []any{object{"type": "boolean"}}, "readOnly": true}
		}, []string{"! gone " + tcp + "muted the service has it in the other direction only"}},
		"members that are write only are not returned": {func(t *testing.T, root object) {
			at(t, root, locationPath)["token"] = object{"type": "string", "writeOnly": true}
			at(t, root, locationPath)["name"].(object)["writeOnly"] = true
		}, []string{"! gone " + locations + "name the service has it in the other direction only"}},
		"a response is not described": {func(t *testing.T, root object) {
			responses := at(t, root, "paths /v1/locations get responses")
			rename(responses, "200", "default") // describes errors, because there is a success
			responses["200"] = object{}
		}, []string{"unclear GET /v1/locations response $ the description has no JSON for a success"}},
		"a success is described as the default": {func(t *testing.T, root object) {
			delete(at(t, root, locationPath), "name")
			rename(at(t, root, "paths /v1/locations get responses"), "200", "default")
		}, []string{"! gone " + locations + "name"}},
		"the members are not listed": {func(t *testing.T, root object) {
			delete(at(t, root, strings.TrimSuffix(locationPath, " properties")), "properties")
		}, []string{"unclear GET /v1/locations response $[] the description does not list the members"}},
		"a reference is broken": {func(t *testing.T, root object) {
			at(t, root, strings.TrimSuffix(locationPath, " items properties"))["items"] = object{"$ref": "#/components/schemas/Location"}
		}, []string{`unclear GET /v1/locations response $[] the reference "#/components/schemas/Location" has no target`}},
		"a part of an object cannot be read": {func(t *testing.T, root object) {
			known := at(t, root, strings.TrimSuffix(locationPath, " properties"))
			at(t, root, strings.TrimSuffix(locationPath, " items properties"))["items"] = object{"allOf": []any{known, object{"$ref": "#/lost"}}}
			delete(known["properties"].(object), "name")
		}, []string{`unclear GET /v1/locations response $[] the reference "#/lost" has no target`}},
		"nothing of an object can be read": {func(t *testing.T, root object) {
			at(t, root, strings.TrimSuffix(locationPath, " items properties"))["items"] = object{"type": "object", "allOf": []any{object{"$ref": "#/lost"}}}
		}, []string{`unclear GET /v1/locations response $[] the reference "#/lost" has no target`}},
		"a reference leads to itself": {func(t *testing.T, root object) {
			at(t, root, strings.TrimSuffix(locationPath, " items properties"))["items"] = object{"$ref": "#/components/schemas/Location"}
			root["components"] = object{"schemas": object{"Location": object{"$ref": "#/components/schemas/Location"}}}
		}, []string{`unclear GET /v1/locations response $[] the schema contains itself`}},
		"a parameter that the SDK repeats is taken once only": {func(t *testing.T, root object) {
			parameter(t, root, "/v1/checks", "tag")["schema"] = object{"type": "string"}
		}, []string{"! changed GET /v1/checks query tag type: the SDK has array, the service string"}},
		"a parameter that the SDK repeats is a text or a list": {func(t *testing.T, root object) {
			parameter(t, root, "/v1/checks", "tag")["schema"] = object{"anyOf": []any{
				object{"type": "string"}, object{"type": "array", "items": object{"type": "string"}},
			}}
		}, []string{}},
		"a parameter that the SDK gives once may be repeated": {func(t *testing.T, root object) {
			p := parameter(t, root, "/v1/checks", "checkType")
			p["schema"] = object{"type": "array", "items": p["schema"]}
		}, []string{}},
		"a parameter that may be repeated lost a value": {func(t *testing.T, root object) {
			p := parameter(t, root, "/v2/check-results/{checkId}", "resultType")
			p["schema"] = object{"type": "array", "items": object{"type": "string", "enum": []any{"ALL", "FINAL"}}}
		}, []string{`! gone GET /v2/check-results/{checkId} query resultType value "ATTEMPT"`}},
		"an item of a list that the SDK drops may be null": {func(t *testing.T, root object) {
			orNullItem(t, root, "/v1/check-statuses")
		}, []string{}},
		"an item of another list may be null": {func(t *testing.T, root object) {
			orNullItem(t, root, "/v1/locations")
		}, []string{"! changed GET /v1/locations response $[] the service may return null, which the type of the SDK cannot hold"}},
		"a list is null": {func(t *testing.T, root object) {
			at(t, root, "paths /v1/locations get responses 200 content application/json schema")["type"] = []any{"array", "null"}
		}, []string{"! changed GET /v1/locations response $ the service may return null, which the type of the SDK cannot hold"}},
		"a page by cursor has no cursor any more": {func(t *testing.T, root object) {
			delete(at(t, root, "paths /v2/check-results/{checkId} get "+success), "nextId")
		}, []string{"! gone GET /v2/check-results/{checkId} response $.nextId"}},
		"a page by cursor is a list alone": {func(t *testing.T, root object) {
			media := at(t, root, "paths /v2/check-results/{checkId} get responses 200 content application/json")
			media["schema"] = at(t, root, "paths /v2/check-results/{checkId} get "+success+" entries")
		}, []string{"! changed GET /v2/check-results/{checkId} response $ type: the SDK has object, the service array"}},
		"the description of the service is not in itself": {func(t *testing.T, root object) {
			delete(root["paths"].(object), "/openapi.json")
		}, []string{}},
		"all paths have a prefix that the server has, too": {func(t *testing.T, root object) {
			root["servers"] = []any{object{"url": "https://service.test/v1"}}
			for _, path := range []string{"/v1/locations", "/v1/variables"} {
				rename(root["paths"].(object), path, strings.TrimPrefix(path, "/v1"))
			}
		}, []string{}},
	} {
		t.Run(name, func(t *testing.T) {
			root := service(t)
			c.plant(t, root)
			found := compare(root)
			require.Equal(t, c.want, lines(found))
		})
	}
}

// older rewrites a description with nullable, as in OpenAPI 3.0, and wraps schemas in allOf.
func older(value any) any {
	switch v := value.(type) {
	case []any:
		for i := range v {
			v[i] = older(v[i])
		}
	case object:
		for name := range v {
			v[name] = older(v[name])
		}
		if types, ok := v["type"].([]any); ok && len(types) == 2 && types[1] == "null" {
			v["type"], v["nullable"] = types[0], true
		}
		if list, ok := v["anyOf"].([]any); ok && len(list) == 2 {
			if last, ok := list[1].(object); ok && last["type"] == "null" {
				delete(v, "anyOf")
				v["nullable"], v["allOf"] = true, []any{list[0]}
			}
		}
	}
	return value
}

func TestOpenAPI30AndItsNullAreRead(t *testing.T) {
	root := older(service(t)).(object)
	root["openapi"] = "3.0.3"
	data, err := json.Marshal(root)
	require.NoError(t, err)
	require.NotContains(t, string(data), `"type":"null"`)
	require.Contains(t, string(data), `"nullable":true`)
	require.Empty(t, lines(compare(root)))
}

func TestTheStylesOfASchemaGiveOneShape(t *testing.T) {
	const want = `{"type":["object"],"null":true,"required":["a"],"members":["a","b"]}`
	components := `"components":{"schemas":{"A":{"type":"object","required":["a"],"properties":{"a":{"type":"string"}}},"B":{"type":"object","properties":{"b":{"type":"string"}}}}}`
	for name, schema := range map[string]string{
		"a list of types":               `{"type":["object","null"],"required":["a"],"properties":{"a":{"type":"string"},"b":{"type":"string"}}}`,
		"nullable":                      `{"type":"object","nullable":true,"required":["a"],"properties":{"a":{"type":"string"},"b":{"type":"string"}}}`,
		"no type":                       `{"nullable":true,"required":["a"],"properties":{"a":{"type":"string"},"b":{"type":"string"}}}`,
		"allOf and nullable":            `{"nullable":true,"allOf":[{"$ref":"#/components/schemas/A"},{"$ref":"#/components/schemas/B"}]}`,
		"members beside allOf":          `{"type":["object","null"],"nullable":true,"allOf":[{"$ref":"#/components/schemas/A"}],"properties":{"b":{"type":"string"}}}`,
		"oneOf with null":               `{"oneOf":[{"type":"null"},{"allOf":[{"$ref":"#/components/schemas/A"},{"$ref":"#/components/schemas/B"}]}]}`,
		"alternatives are one type":     `{"anyOf":[{"allOf":[{"$ref":"#/components/schemas/A"}]},{"type":"object","required":["a","b"],"properties":{"a":{"type":"string"},"b":{"type":"string"}}},{"enum":[null]}]}`,
		"keywords beside a reference":   `{"$ref":"#/components/schemas/A","nullable":true,"properties":{"b":{"type":"string"}}}`,
		"a reference to a property":     `{"allOf":[{"$ref":"#/components/schemas/A"},{"properties":{"b":{"$ref":"#/components/schemas/A/properties/a"}}}],"nullable":true}`,
		"required beside alternatives":  `{"type":["object","null"],"required":["a"],"properties":{"a":{"type":"string"},"b":{"type":"string"}},"anyOf":[{"required":["a"]},{"required":["b"]}]}`,
		"the same alternative in oneOf": `{"nullable":true,"oneOf":[{"type":"object","required":["a"],"properties":{"a":{"type":"string"},"b":{"type":"string"}}}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			root, err := decode(strings.NewReader(`{"paths":{},` + components + `,"x":` + schema + `}`))
			require.NoError(t, err)
			s := newReader(root).schema(root["x"])
			require.Empty(t, s.unclear)
			got, err := json.Marshal(struct {
				Type     []string `json:"type"`
				Null     bool     `json:"null"`
				Required []string `json:"required"`
				Members  []string `json:"members"`
			}{s.types, s.null, s.required, sortedNames(s.members)})
			require.NoError(t, err)
			require.Equal(t, want, string(got))
			require.Equal(t, []string{"string"}, s.members["b"].types)
		})
	}
}

func TestSchemasAreReadAs(t *testing.T) {
	for schema, want := range map[string]string{
		`{"allOf":[{"type":"number"},{"type":["integer","string"]}]}`: `{"type":["integer"]}`,
		`{"anyOf":[{"enum":["a"]},{"type":"string"}]}`:                `{"type":["string"]}`,
		`{"anyOf":[{"enum":["a"]},{"const":"b"}]}`:                    `{"type":["string"],"enum":["a","b"]}`,
		`{"enum":["a","b"],"allOf":[{"enum":["b","c"]}]}`:             `{"type":["string"],"enum":["b"]}`,
		`{"items":{"const":"a"}}`:                                     `{"type":["array"],"items":{"type":["string"],"enum":["a"]}}`,
		`{"enum":[1,null]}`:                                           `{"type":["number","null"],"enum":[1,null]}`,
		`{"const":null}`:                                              `{"type":["null"],"enum":[null]}`,
		`{"$ref":"#/a%20b/c~1d/0"}`:                                   `{"type":["boolean"]}`,
	} {
		root, err := decode(strings.NewReader(`{"paths":{},"a b":{"c/d":[{"type":"boolean"}]},"x":` + schema + `}`))
		require.NoError(t, err)
		require.JSONEq(t, want, text(t, written(newReader(root).schema(root["x"]))), schema)
	}
}

func TestAllOfIsNullOnlyIfAllOfItIs(t *testing.T) {
	for schema, null := range map[string]bool{
		`{"type":["object","null"],"allOf":[{"type":"object"}]}`:          false,
		`{"type":"object","allOf":[{"type":["object","null"]}]}`:          false,
		`{"type":["object","null"],"allOf":[{"type":["object","null"]}]}`: true,
		`{"allOf":[{"type":["object","null"]},{"description":"text"}]}`:   true,
		`{"allOf":[{"type":"object"}],"nullable":false}`:                  false,
	} {
		root, err := decode(strings.NewReader(`{"paths":{},"x":` + schema + `}`))
		require.NoError(t, err)
		require.Equal(t, null, newReader(root).schema(root["x"]).null, schema)
	}
}

func sortedNames(members map[string]*shape) []string {
	var names []string
	for name := range members {
		names = append(names, name)
	}
	return compact(names)
}
