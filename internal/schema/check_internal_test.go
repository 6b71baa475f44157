package schema

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// mistake is a body with a mistake and the messages of each level. If service is nil, the
// level Service has the messages of Client.
type mistake struct {
	name, body      string
	client, service []string
}

const (
	anyCheck = `"request":{"hostname":"h","port":1}`
	nullText = "is required: sending null would overwrite a value that the service withholds"
	listed   = "[0 1 2 5 10 15 30 60 120 180 360 720 1440]"
)

func tcp(members string) string { return `{"name":"n",` + anyCheck + `,` + members + `}` }

func variablesOf(n int) string {
	return `"environmentVariables":[` + strings.TrimSuffix(strings.Repeat(`{"key":"K","value":""},`, n), ",") + `]`
}

// mistakes has a body for each message and for each rule across members. What else a member refuses
// stands in testdata/expect.
var mistakes = map[string][]mistake{
	"POST /v2/check-sessions/trigger": {
		{name: "a trigger of every check is a valid body", body: `{}`},
		{name: "an empty group of tags is refused", body: `{"target":{"matchTags":[[]]}}`, client: []string{"target.matchTags[0]: must not be empty"}},
		{name: "an escaped empty tag is one", body: `{"target":{"matchTags":[["\u0021"]]}}`, client: []string{"target.matchTags[0][0]: must not be empty"}},
		{name: "ids are UUIDs", body: `{"target":{"checkId":["5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11","not a uuid"]}}`, client: []string{`target.checkId[1]: "not a uuid" is not a UUID`}},
	},
	"POST /v1/check-sessions/trigger": {
		{name: "a single id stands for a list", body: `{"target":{"checkId":"7","matchTags":["a"]}}`},
	},
	"POST /v1/check-sessions/{checkSessionId}/cancel": {
		{name: "a cancel with an empty list is refused", body: `{"sequenceId":[]}`, client: []string{"sequenceId: must not be an empty list; leave it nil to cancel everything in progress"}},
		{name: "sequences are UUIDs", body: `{"sequenceId":["not a uuid",""]}`, client: []string{`sequenceId[0]: "not a uuid" is not a UUID`, `sequenceId[1]: "" is not a UUID`}},
		{name: "the body is closed", body: `{"sequenceIds":[]}`, service: []string{"sequenceIds: is not allowed"}},
	},
	"POST /v2/check-groups": {
		{name: "a new group needs a name", body: `{"concurrency":0}`, client: []string{"concurrency: 0 is below 1", "name: is required"}},
	},
	"POST /v1/maintenance-windows": {
		{name: "a new window has a name, a start, an end and a unit", body: `{"startsAt":null}`, client: []string{"startsAt: is required: null is no time", "name: is required", "endsAt: is required", "repeatUnit: is required"}},
	},
	"PUT /v1/maintenance-windows/{id}": {
		{name: "an update of a window may change nothing", body: `{}`},
		{name: "an offset is not a time zone", body: `{"timezone":"+02:00"}`, client: []string{"timezone: must be the name of a time zone, such as Europe/Berlin: it is an offset"}},
		{name: "all services and single ones exclude each other", body: `{"statusPageVisibility":{"affectAllServices":true,"serviceIds":["0a7d9a1e-8e2b-4c84-9a0e-6b6f3b2d1c55"]}}`, client: []string{"statusPageVisibility.serviceIds: must be empty if all services are affected"}},
		{name: "status pages need services", body: `{"statusPageVisibility":{"serviceIds":[],"statusPageIds":["0a7d9a1e-8e2b-4c84-9a0e-6b6f3b2d1c55"]}}`, client: []string{"statusPageVisibility.statusPageIds: must have serviceIds beside them, or affectAllServices"}},
		{name: "a window is unlinked from all status pages", body: `{"statusPageVisibility":{"serviceIds":[ ],"statusPageIds":[]}}`},
	},
	"POST /v1/variables": {
		{name: "a new variable may be empty", body: `{"key":"K","value":""}`},
		{name: "a new variable has a key and a value", body: `{"key":"","value":null}`, client: []string{"key: is required", "value: " + nullText}},
	},
	"PUT /v1/variables/{key}": {
		{name: "the key of a variable is not in its update", body: `{"key":"K","value":"v"}`, service: []string{"key: is not allowed"}},
		{name: "a variable cannot become empty", body: `{"value":""}`, client: []string{"value: is required"}},
	},
	"PUT /v2/check-groups/{id}": {
		{name: "a group needs a name", body: `{"name":"","concurrency":0}`, client: []string{"name: is required", "concurrency: 0 is below 1"}},
		{name: "a group can fall back", body: `{"name":"n","retryStrategy":"FALLBACK"}`},
		{name: "a group falls back to nothing else", body: `{"name":"n","retryStrategy":"NONE"}`, client: []string{`retryStrategy: "NONE" is not FALLBACK`}},
		{name: "a group has one condition, for the service", body: `{"name":"n","retryStrategy":{"type":"FIXED","onlyOn":["NETWORK_ERROR","NETWORK_ERROR"]}}`, service: []string{"retryStrategy.onlyOn: 2 items are over 1"}},
		{name: "a fallback is a bare string", body: `{"name":"n","retryStrategy":{"type":"FALLBACK"}}`, client: []string{`retryStrategy.type: "FALLBACK" is not one of FIXED, LINEAR, EXPONENTIAL, SINGLE_RETRY`}},
		{name: "a variable of a group has a value", body: `{"name":"n","environmentVariables":[{"key":"","value":null},{}]}`, client: []string{"environmentVariables[0].value: " + nullText, "environmentVariables[1].value: is required"}},
		{name: "201 variables are too many for all", body: `{"name":"n",` + variablesOf(201) + `}`, client: []string{"environmentVariables: 201 variables are over 200"}, service: []string{"environmentVariables: 201 variables are over 100"}},
		{name: "tags and runtimes are checked for the service", body: `{"name":"n","tags":[""],"runtimeId":"1999.01"}`, service: []string{"tags[0]: must not be empty", `runtimeId: "1999.01" is not one of 2026.04, 2025.04, 2024.09, 2024.02, 2023.09, 2023.02, 2022.10`}},
		{name: "messages name the types", body: `{"name":1,"muted":"yes","tags":"a","concurrency":"1","apiCheckDefaults":[],"retryStrategy":1,"setupSnippetId":""}`,
			client:  []string{"name: must be a string", "muted: must be true or false", "tags: must be an array", "concurrency: must be a number", "apiCheckDefaults: must be an object", "retryStrategy: must be a string, an object or null", "setupSnippetId: must be a number or null"},
			service: []string{"name: must be a string", "muted: must be true or false", "tags: must be an array", "concurrency: must be a whole number", "apiCheckDefaults: must be an object", "retryStrategy: must be a string, an object or null", "setupSnippetId: must be a whole number or null"}},
		{name: "a body is an object", body: `[1]`, client: []string{"body: must be an object"}},
		{name: "a body is not null", body: ` null `, client: []string{"body: must not be null"}},
		{name: "a body is JSON", body: `{"name":"n",}`, client: []string{"body: is not valid JSON"}},
		{name: "an absent body is not JSON", body: ``, client: []string{"body: is not valid JSON"}},
		{name: "nothing follows a body", body: `{"name":"n"}{}`, client: []string{"body: is not valid JSON"}},
		{name: "each of two equal members is checked", body: `{"name":"","name":"n","concurrency":1,"concurrency":0}`, client: []string{"name: is required", "concurrency: 0 is below 1"}},
		{name: "an escaped name is the member", body: `{"na\u006de":"n","concurrenc\u0079":0}`, client: []string{"concurrency: 0 is below 1"}},
		{name: "a name differs in case", body: `{"name":"n","Muted":true}`, service: []string{"Muted: is not allowed"}},
		{name: "a strange name is quoted and cut", body: `{"name":"n","a\nb":1,"":2,"` + strings.Repeat("x", 99) + `":3}`, service: []string{`"a\nb": is not allowed`, `"": is not allowed`, strings.Repeat("x", 50) + ": is not allowed"}},
	},
	"POST /v1/checks/api": {
		{name: "an API check needs a name, a method and a URL", body: `{"request":{}}`, client: []string{"request.method: is required", "request.url: is required", "name: is required"}},
		{name: "a header of a request has a name", body: `{"name":"n","request":{"method":"GET","url":"u","headers":[{"key":"","value":"hunter2"}]}}`, client: []string{"request.headers[0].key: is required"}},
		{name: "the body of a request is never null", body: `{"name":"n","request":{"method":"GET","url":"u","body":null}}`, client: []string{"request.body: must not be null"}},
		{name: "an API check may take 45 seconds", body: `{"name":"n","maxResponseTime":45000,"frequency":0,"frequencyOffset":10,"request":{"method":"GET","url":"u"}}`},
	},
	"PUT /v1/checks/api/{id}": {
		{name: "a changed request is whole", body: `{"request":{"method":"GET"}}`, client: []string{"request.url: is required"}},
		{name: "an API check that is changed keeps its rules", body: `{"frequency":0,"frequencyOffset":15}`, client: []string{"frequencyOffset: 15 is not 10, 20 or 30 for frequency 0"}},
	},
	"PUT /v1/checks/tcp/{id}": {
		{name: "a changed connection is whole", body: `{"request":{"hostname":"h"}}`, client: []string{"request.port: is required"}},
		{name: "a changed offset has the widest bounds", body: `{"frequencyOffset":601}`, client: []string{"frequencyOffset: 601 is outside 1..600"}},
	},
	"POST /v1/checks/browser": {
		{name: "a browser check needs a script, which may be null", body: `{"name":"n"}`, client: []string{"script: is required"}},
		{name: "a new browser check cannot run every few seconds", body: `{"name":"n","script":null,"frequency":0}`, client: []string{"frequency: 0 (sub-minute) is for API and TCP checks only"}},
	},
	"POST /v1/checks/tcp": {
		{name: "a TCP check needs a name, a port and a host", body: `{"name":"","request":{}}`, client: []string{"name: is required", "request.port: is required", "request.hostname: is required"}},
		{name: "a TCP check needs a request", body: `{"name":"n"}`, client: []string{"request: is required"}},
		{name: "a host has no scheme and shows no password", body: `{"name":"n","request":{"hostname":"https://u:pw@h","port":1}}`, client: []string{"request.hostname: must have no scheme"}},
		{name: "a host has no port", body: `{"name":"n","request":{"hostname":"h:80","port":1}}`, client: []string{"request.hostname: must have no port: it is a member of its own"}},
		{name: "a host has no path", body: `{"name":"n","request":{"hostname":"h/x","port":1}}`, client: []string{"request.hostname: must have no path"}},
		{name: "a host has no user", body: `{"name":"n","request":{"hostname":"u@h","port":1}}`, client: []string{"request.hostname: must have no user"}},
		{name: "a host has no spaces", body: `{"name":"n","request":{"hostname":" h","port":1}}`, client: []string{"request.hostname: must not contain spaces"}},
		{name: "an IPv6 address has no brackets", body: `{"name":"n","request":{"hostname":"[::1]","port":1}}`, client: []string{"request.hostname: must have no brackets: an IPv6 address stands without them"}},
		{name: "data is null, never empty", body: `{"name":"n","request":{"hostname":"h","port":1,"data":""}}`, client: []string{"request.data: must not be empty"}},
		{name: "a frequency is one of the list", body: tcp(`"frequency":3`), client: []string{"frequency: 3 is not one of " + listed}},
		{name: "a sub-minute offset is 10, 20 or 30", body: tcp(`"frequencyOffset":15,"frequency":0.0`), client: []string{"frequencyOffset: 15 is not 10, 20 or 30 for frequency 0"}},
		{name: "an offset without a frequency goes with 10 minutes", body: tcp(`"frequencyOffset":101.0`), client: []string{"frequencyOffset: 101.0 is outside 1..100 for frequency 10"}},
		{name: "an offset of a slow check is in hours", body: tcp(`"frequency":120,"frequencyOffset":3`), client: []string{"frequencyOffset: 3 is outside 1..2 for frequency 120"}},
		{name: "an offset is whole for the service", body: tcp(`"frequencyOffset":100.5`), client: []string{"frequencyOffset: 100.5 is outside 1..100 for frequency 10"}, service: []string{"frequencyOffset: 100.5 is not a whole number"}},
		{name: "an offset to a wrong frequency has the widest bounds", body: tcp(`"frequency":7,"frequencyOffset":601`), client: []string{"frequency: 7 is not one of " + listed, "frequencyOffset: 601 is outside 1..600"}},
		{name: "511 characters are too many for all", body: tcp(`"description":"` + strings.Repeat(`\u00e4`, 511) + `"`), client: []string{"description: 511 characters are over 510"}, service: []string{"description: 511 characters are over 500"}},
		{name: "times are not negative, and degraded is not over max", body: tcp(`"degradedResponseTime":-0.5,"maxResponseTime":-1`),
			client:  []string{"degradedResponseTime: -0.5 is below 0", "maxResponseTime: -1 is below 0", "degradedResponseTime: -0.5 is over the maxResponseTime of -1"},
			service: []string{"degradedResponseTime: -0.5 is outside 0..5000", "maxResponseTime: -1 is outside 0..5000", "degradedResponseTime: -0.5 is over the maxResponseTime of -1"}},
		{name: "a single retry has no numbers, not even 0", body: tcp(`"retryStrategy":{"type":"SINGLE_RETRY","maxRetries":0,"maxDurationSeconds":0}`), client: []string{"retryStrategy.maxRetries: must be left out for SINGLE_RETRY", "retryStrategy.maxDurationSeconds: must be left out for SINGLE_RETRY"}},
		{name: "a number comes before the type of a single retry", body: tcp(`"retryStrategy":{"maxRetries":null,"type":"SINGLE\u005fRETRY"}`), client: []string{"retryStrategy.maxRetries: must be left out for SINGLE_RETRY"}},
		{name: "a check cannot fall back", body: tcp(`"retryStrategy":"FALLBACK"`), client: []string{"retryStrategy: FALLBACK is for groups; a check takes a strategy or null"}},
		{name: "an incident has all its members", body: tcp(`"triggerIncident":{"serviceId":"x","severity":"LOW"}`), client: []string{`triggerIncident.serviceId: "x" is not a UUID`, `triggerIncident.severity: "LOW" is not one of CRITICAL, MAJOR, MEDIUM, MINOR`, "triggerIncident.name: is required", "triggerIncident.description: is required", "triggerIncident.notifySubscribers: is required"}},
		{name: "an intent has a goal", body: tcp(`"intent":{"goals":[]}`), client: []string{"intent.goal: is required"}, service: []string{"intent.goals: is not allowed", "intent.goal: is required"}},
	},
	"PUT /v1/checks/browser/{id}": {
		{name: "a browser check cannot run every few seconds", body: `{"frequency":0}`, client: []string{"frequency: 0 (sub-minute) is for API and TCP checks only"}},
	},
	"PUT /v1/checks/{id}": {
		{name: "an API check may run every few seconds", body: `{"checkType":"API","frequency":0,"frequencyOffset":20}`},
		{name: "a check whose type is not told may, too", body: `{"frequency":0}`},
		{name: "a URL check cannot run every few seconds", body: `{"checkType":"URL","frequency":0}`, client: []string{"frequency: 0 (sub-minute) is for API and TCP checks only"}},
		{name: "an offset to an unknown frequency has the widest bounds", body: `{"frequencyOffset":601}`, client: []string{"frequencyOffset: 601 is outside 1..600"}},
		{name: "a request of another type is free", body: `{"request":{"method":"GET","anything":[[]]},"heartbeat":{"period":1}}`},
		{name: "a port is a port in every request", body: `{"request":{"port":-1}}`, client: []string{"request.port: -1 is outside 1..65535"}},
		{name: "the request of a TCP check has its rules", body: `{"request":{"port":-1,"more":1},"checkType":"TCP"}`, client: []string{"request.port: -1 is outside 1..65535", "request.hostname: is required"}, service: []string{"request.port: -1 is outside 1..65535", "request.more: is not allowed", "request.hostname: is required"}},
	},
}

func TestEachMistakeIsNamed(t *testing.T) {
	for operation, list := range mistakes {
		for _, m := range list {
			t.Run(m.name, func(t *testing.T) {
				body := Lookup(operation).Body
				require.Equal(t, m.client, said(body.Check([]byte(m.body), Client, nil)))
				want := m.service
				if want == nil {
					want = m.client
				}
				require.Equal(t, want, said(body.Check([]byte(m.body), Service, nil)))
			})
		}
	}
}

func said(found []Violation) []string {
	var list []string
	for _, v := range found {
		list = append(list, v.Path+": "+v.Message)
	}
	return list
}

func TestMembersThatAreLeftOutAreNotChecked(t *testing.T) {
	skip := func(names ...string) func(string) bool {
		return func(member string) bool { return slices.Contains(names, member) }
	}
	group, tcpCheck := Lookup("PUT /v2/check-groups/{id}").Body, Lookup("POST /v1/checks/tcp").Body
	for name, c := range map[string]struct {
		node *Node
		body string
		skip []string
		want []string
	}{
		"a member with a mistake":                      {group, `{"name":"n","environmentVariables":[{"key":"","value":null}],"retryStrategy":{"type":"SINGLE_RETRY","maxRetries":2}}`, []string{"environmentVariables", "retryStrategy"}, nil},
		"a required member":                            {group, `{"tags":[1]}`, []string{"name"}, []string{"tags[0]: must be a string"}},
		"a member of the same name deeper is not":      {group, `{"name":"n","apiCheckDefaults":{"headers":[{"key":1,"value":""}]}}`, []string{"key", "headers"}, []string{"apiCheckDefaults.headers[0].key: must be a string"}},
		"both members of a rule":                       {tcpCheck, tcp(`"frequency":1,"frequencyOffset":600`), []string{"frequency", "frequencyOffset"}, nil},
		"one member of a rule, which is still checked": {tcpCheck, tcp(`"frequency":1,"frequencyOffset":90`), []string{"frequencyOffset"}, []string{"frequencyOffset: 90 is outside 1..10 for frequency 1"}},
		"the other member of a rule":                   {tcpCheck, tcp(`"degradedResponseTime":2,"maxResponseTime":1`), []string{"maxResponseTime"}, []string{"degradedResponseTime: 2 is over the maxResponseTime of 1"}},
		"a member that a rule cannot read":             {tcpCheck, tcp(`"frequency":"often","frequencyOffset":90`), []string{"frequency"}, nil},
		"nothing, by a skip that leaves out nothing":   {tcpCheck, tcp(`"frequency":3`), nil, []string{"frequency: 3 is not one of " + listed}},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, said(c.node.Check([]byte(c.body), Client, skip(c.skip...))))
		})
	}
}

func TestMessagesShowNoSecret(t *testing.T) {
	const secret = "hunter2"
	for _, body := range []string{
		`{"name":"n","environmentVariables":[{"key":"K","value":["hunter2"]}]}`,
		`{"name":"n","apiCheckDefaults":{"headers":[{"key":"K","value":{"hunter2":1}}],"basicAuth":{"username":"u","password":["hunter2"]}}}`,
	} {
		found := Lookup("PUT /v2/check-groups/{id}").Body.Check([]byte(body), Service, nil)
		require.NotEmpty(t, found)
		require.NotContains(t, fmt.Sprint(found), secret)
	}
	hidden := &Node{Kinds: String | Number, Secret: true, Limits: Limits{Enum: []string{"a"}, Range: atMost(1), Format: UUID}}
	require.Equal(t, []string{"body: the value is not a"}, said(hidden.Check([]byte(`"hunter2"`), Client, nil)))
	require.Equal(t, []string{"body: the value is over 1"}, said(hidden.Check([]byte(`4711`), Client, nil)))
	hidden = &Node{Kinds: String, Secret: true, Limits: Limits{Format: UUID}}
	require.Equal(t, []string{"body: the value is not a UUID"}, said(hidden.Check([]byte(`"hunter2"`), Client, nil)))
}

func TestQuotedTextsAreShort(t *testing.T) {
	body := tcp(`"retryStrategy":{"type":"` + strings.Repeat(`\n`, 10000) + `"}`)
	found := Lookup("POST /v1/checks/tcp").Body.Check([]byte(body), Client, nil)
	require.Len(t, found, 1)
	require.Equal(t, `"`+strings.Repeat(`\n`, 50)+`" is not one of FIXED, LINEAR, EXPONENTIAL, SINGLE_RETRY`, found[0].Message)
}

func TestTheListOfViolationsIsBounded(t *testing.T) {
	body := `{"name":"n","tags":[` + strings.TrimSuffix(strings.Repeat("1,", 5000), ",") + `]}`
	found := Lookup("PUT /v2/check-groups/{id}").Body.Check([]byte(body), Client, nil)
	require.Len(t, found, maxViolations+1)
	require.Equal(t, Violation{"body", "breaks more rules than are listed"}, found[maxViolations])
}

// A checker from the pool must not remember a body that ended inside an object.
func TestACheckerForgetsTheLastBody(t *testing.T) {
	n := Lookup("POST /v1/checks/tcp").Body
	c := new(checker)
	require.Equal(t, notJSON, c.check(n, []byte(`{"name":"n","retryStrategy":{"type":`), Client, func(string) bool { return true }))
	require.Equal(t, notJSON, c.check(n, []byte(`{"x":[[[{"a":`), Service, nil))
	require.Empty(t, c.check(n, []byte(tcp(`"frequency":1`)), Client, nil))
	require.Equal(t, []string{"frequency: 3 is not one of " + listed}, said(c.check(n, []byte(tcp(`"frequency":3`)), Client, nil)))
}

func TestNumbersHaveTheirValue(t *testing.T) {
	for _, written := range []string{"0", "-0", "7", "-7", "7.0", "1e2", "123456789012345", "-12345678901234", "1234567890123456", "0.1", "1e308", "1E-400", "-1.5e+3", "9007199254740993", "1234567890123456789012"} {
		var want float64
		require.NoError(t, json.Unmarshal([]byte(written), &want))
		require.Equal(t, want, parseNumber([]byte(written)), written)
	}
	require.True(t, math.IsInf(parseNumber([]byte("1e999")), 1))
	require.True(t, math.IsInf(parseNumber([]byte("-1e999")), -1))
}
