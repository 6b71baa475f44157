package schema

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
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

var mistakes = map[string][]mistake{
	"POST /v2/check-sessions/trigger": {
		{name: "a trigger of every check is a valid body", body: `{}`},
		{name: "an empty group of tags is refused", body: `{"target":{"matchTags":[[]]}}`, client: []string{"target.matchTags[0]: must not be empty"}},
		{name: "empty tags are refused", body: `{"target":{"matchTags":[["a"],["b","","!"]]}}`, client: []string{"target.matchTags[1][1]: must not be empty", "target.matchTags[1][2]: must not be empty"}},
		{name: "an escaped empty tag is one", body: `{"target":{"matchTags":[["\u0021"]]}}`, client: []string{"target.matchTags[0][0]: must not be empty"}},
		{name: "ids are UUIDs", body: `{"target":{"checkId":["5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11","not a uuid"]}}`, client: []string{`target.checkId[1]: "not a uuid" is not a UUID`}},
		{name: "a single tag is not a group", body: `{"target":{"matchTags":["a"]}}`, client: []string{"target.matchTags[0]: must be an array"}},
		{name: "a target is not null", body: `{"target":null}`, client: []string{"target: must not be null"}},
	},
	"POST /v1/check-sessions/trigger": {
		{name: "ids have any form", body: `{"target":{"checkId":["7"]}}`},
		{name: "an id is not empty", body: `{"target":{"checkId":[""]}}`, client: []string{"target.checkId[0]: must not be empty"}},
		{name: "a single id stands for a list", body: `{"target":{"checkId":"7","matchTags":["a"]}}`},
		{name: "a number is not an id", body: `{"target":{"checkId":7}}`, client: []string{"target.checkId: must be a string or an array"}},
	},
	"POST /v1/check-sessions/{checkSessionId}/cancel": {
		{name: "a cancel without sequences is fine", body: `{}`},
		{name: "a cancel with an empty list is refused", body: `{"sequenceId":[]}`, client: []string{"sequenceId: must not be an empty list; leave it nil to cancel everything in progress"}},
		{name: "sequences are UUIDs", body: `{"sequenceId":["not a uuid",""]}`, client: []string{`sequenceId[0]: "not a uuid" is not a UUID`, `sequenceId[1]: "" is not a UUID`}},
		{name: "null is not a list", body: `{"sequenceId":null}`, client: []string{"sequenceId: must not be null"}},
		{name: "the body is closed", body: `{"sequenceIds":[]}`, service: []string{"sequenceIds: is not allowed"}},
	},
	"PUT /v2/check-groups/{id}": {
		{name: "a group needs a name", body: `{"name":"","concurrency":0}`, client: []string{"name: is required", "concurrency: 0 is below 1"}},
		{name: "an absent name is required too", body: `{}`, client: []string{"name: is required"}},
		{name: "a group can fall back", body: `{"name":"n","retryStrategy":"FALLBACK"}`},
		{name: "a group falls back to nothing else", body: `{"name":"n","retryStrategy":"NONE"}`, client: []string{`retryStrategy: "NONE" is not FALLBACK`}},
		{name: "a fallback is a bare string", body: `{"name":"n","retryStrategy":{"type":"FALLBACK"}}`, client: []string{`retryStrategy.type: "FALLBACK" is not one of FIXED, LINEAR, EXPONENTIAL, SINGLE_RETRY`}},
		{name: "a group may enforce no retries", body: `{"name":"n","retryStrategy":null}`},
		{name: "a variable has a key and a value", body: `{"name":"n","environmentVariables":[{"key":"","value":null},{}]}`, client: []string{"environmentVariables[0].key: is required", "environmentVariables[0].value: " + nullText, "environmentVariables[1].key: is required", "environmentVariables[1].value: is required"}},
		{name: "100 variables are fine", body: `{"name":"n",` + variablesOf(100) + `}`},
		{name: "101 variables are too many for some services", body: `{"name":"n",` + variablesOf(101) + `}`, service: []string{"environmentVariables: 101 variables are over 100"}},
		{name: "201 variables are too many for all", body: `{"name":"n",` + variablesOf(201) + `}`, client: []string{"environmentVariables: 201 variables are over 200"}, service: []string{"environmentVariables: 201 variables are over 100"}},
		{name: "a threshold is small", body: `{"name":"n","alertSettings":{"runBasedEscalation":{"failedRunThreshold":7}}}`, client: []string{"alertSettings.runBasedEscalation.failedRunThreshold: 7 is outside 1..5"}},
		{name: "a percentage is a multiple of ten", body: `{"name":"n","alertSettings":{"parallelRunFailureThreshold":{"percentage":101.0}}}`, client: []string{"alertSettings.parallelRunFailureThreshold.percentage: 101.0 is not one of [10 20 30 40 50 60 70 80 90 100]"}},
		{name: "an amount of reminders is checked if it has an exponent", body: `{"name":"n","alertSettings":{"reminders":{"amount":1e9,"interval":1e1}}}`, client: []string{"alertSettings.reminders.amount: 1e9 is not one of [0 1 2 3 4 5 100000]"}},
		{name: "a group does not take the old setting of certificates", body: `{"name":"n","alertSettings":{"sslCertificates":{}}}`, service: []string{"alertSettings.sslCertificates: is not allowed"}},
		{name: "tags and runtimes are checked for the service", body: `{"name":"n","tags":[""],"runtimeId":"1999.01"}`, service: []string{"tags[0]: must not be empty", `runtimeId: "1999.01" is not one of 2026.04, 2025.04, 2024.09, 2024.02, 2023.09, 2023.02, 2022.10`}},
		{name: "an assertion is one of the list for the service", body: `{"name":"n","apiCheckDefaults":{"assertions":[{"source":"STATUS"}]}}`, service: []string{`apiCheckDefaults.assertions[0].source: "STATUS" is not one of STATUS_CODE, JSON_BODY, HEADERS, TEXT_BODY, RESPONSE_TIME`}},
		{name: "a whole number is whole for the service", body: `{"name":"n","concurrency":1.5,"setupSnippetId":9007199254740993,"tearDownSnippetId":-9007199254740993}`, service: []string{"concurrency: 1.5 is not a whole number", "setupSnippetId: 9007199254740993 is too large", "tearDownSnippetId: -9007199254740993 is too large"}},
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
	"POST /v1/checks/tcp": {
		{name: "a TCP check needs a name, a port and a host", body: `{"name":"","request":{}}`, client: []string{"name: is required", "request.port: is required", "request.hostname: is required"}},
		{name: "a TCP check needs a request", body: `{"name":"n"}`, client: []string{"request: is required"}},
		{name: "an empty host counts as missing", body: `{"name":"n","request":{"hostname":"","port":1}}`, client: []string{"request.hostname: is required"}},
		{name: "a host has no scheme and shows no password", body: `{"name":"n","request":{"hostname":"https://u:pw@h","port":1}}`, client: []string{"request.hostname: must have no scheme"}},
		{name: "a host has no port", body: `{"name":"n","request":{"hostname":"h:80","port":1}}`, client: []string{"request.hostname: must have no port: it is a member of its own"}},
		{name: "a host has no path", body: `{"name":"n","request":{"hostname":"h/x","port":1}}`, client: []string{"request.hostname: must have no path"}},
		{name: "a host has no user", body: `{"name":"n","request":{"hostname":"u@h","port":1}}`, client: []string{"request.hostname: must have no user"}},
		{name: "a host has no spaces", body: `{"name":"n","request":{"hostname":" h","port":1}}`, client: []string{"request.hostname: must not contain spaces"}},
		{name: "an IPv6 address has no brackets", body: `{"name":"n","request":{"hostname":"[::1]","port":1}}`, client: []string{"request.hostname: must have no brackets: an IPv6 address stands without them"}},
		{name: "an IPv6 address is a host", body: `{"name":"n","request":{"hostname":"::1","port":1}}`},
		{name: "data is null, never empty", body: `{"name":"n","request":{"hostname":"h","port":1,"data":""}}`, client: []string{"request.data: must not be empty"}},
		{name: "a port has 16 bits", body: `{"name":"n","request":{"hostname":"h","port":65536}}`, client: []string{"request.port: 65536 is outside 1..65535"}},
		{name: "a port is a number", body: `{"name":"n","request":{"hostname":"h","port":"80"}}`, client: []string{"request.port: must be a number"}, service: []string{"request.port: must be a whole number"}},
		{name: "a huge number is too large", body: `{"name":"n","request":{"hostname":"h","port":1e999}}`, client: []string{"request.port: 1e999 is too large"}},
		{name: "a long number is cut", body: `{"name":"n","request":{"hostname":"h","port":` + strings.Repeat("7", 80) + `}}`, client: []string{"request.port: " + strings.Repeat("7", 50) + "… is outside 1..65535"}, service: []string{"request.port: " + strings.Repeat("7", 50) + "… is too large"}},
		{name: "a frequency is one of the list", body: tcp(`"frequency":3`), client: []string{"frequency: 3 is not one of " + listed}},
		{name: "a sub-minute check is fine", body: tcp(`"frequency":0,"frequencyOffset":10`)},
		{name: "a sub-minute offset is 10, 20 or 30", body: tcp(`"frequencyOffset":15,"frequency":0.0`), client: []string{"frequencyOffset: 15 is not 10, 20 or 30 for frequency 0"}},
		{name: "an offset without a frequency goes with 10 minutes", body: tcp(`"frequencyOffset":101.0`), client: []string{"frequencyOffset: 101.0 is outside 1..100 for frequency 10"}},
		{name: "an offset of a slow check is in hours", body: tcp(`"frequency":120,"frequencyOffset":3`), client: []string{"frequencyOffset: 3 is outside 1..2 for frequency 120"}},
		{name: "an offset of 0 is refused once", body: tcp(`"frequencyOffset":0`), client: []string{"frequencyOffset: 0 is outside 1..100 for frequency 10"}},
		{name: "an offset is whole for the service", body: tcp(`"frequencyOffset":100.5`), client: []string{"frequencyOffset: 100.5 is outside 1..100 for frequency 10"}, service: []string{"frequencyOffset: 100.5 is not a whole number"}},
		{name: "an offset to a wrong frequency has the widest bounds", body: tcp(`"frequency":7,"frequencyOffset":601`), client: []string{"frequency: 7 is not one of " + listed, "frequencyOffset: 601 is outside 1..600"}},
		{name: "500 characters are fine", body: tcp(`"description":"` + strings.Repeat("ä", 499) + `\ud83d\ude00"`)},
		{name: "501 characters are too many for some services", body: tcp(`"description":"` + strings.Repeat("ä", 501) + `"`), service: []string{"description: 501 characters are over 500"}},
		{name: "511 characters are too many for all", body: tcp(`"description":"` + strings.Repeat(`\u00e4`, 511) + `"`), client: []string{"description: 511 characters are over 510"}, service: []string{"description: 511 characters are over 500"}},
		{name: "an order is not negative", body: tcp(`"groupOrder":-1`), client: []string{"groupOrder: -1 is below 0"}},
		{name: "an order of 0 and nulls are fine", body: tcp(`"groupOrder":0,"description":null,"retryStrategy":null,"maxResponseTime":null,"triggerIncident":null,"intent":null`)},
		{name: "times are not negative, and degraded is not over max", body: tcp(`"degradedResponseTime":-0.5,"maxResponseTime":-1`),
			client:  []string{"degradedResponseTime: -0.5 is below 0", "maxResponseTime: -1 is below 0", "degradedResponseTime: -0.5 is over the maxResponseTime of -1"},
			service: []string{"degradedResponseTime: -0.5 is outside 0..5000", "maxResponseTime: -1 is outside 0..5000", "degradedResponseTime: -0.5 is over the maxResponseTime of -1"}},
		{name: "times have no upper bound for the client", body: tcp(`"maxResponseTime":45000`), service: []string{"maxResponseTime: 45000 is outside 0..5000"}},
		{name: "a strategy needs a type", body: tcp(`"retryStrategy":{}`), client: []string{"retryStrategy.type: is required"}},
		{name: "a single retry has no numbers, not even 0", body: tcp(`"retryStrategy":{"type":"SINGLE_RETRY","maxRetries":0,"maxDurationSeconds":0}`), client: []string{"retryStrategy.maxRetries: must be left out for SINGLE_RETRY", "retryStrategy.maxDurationSeconds: must be left out for SINGLE_RETRY"}},
		{name: "a number comes before the type of a single retry", body: tcp(`"retryStrategy":{"maxRetries":null,"type":"SINGLE\u005fRETRY"}`), client: []string{"retryStrategy.maxRetries: must be left out for SINGLE_RETRY"}},
		{name: "the number and time of retries are bounded", body: tcp(`"retryStrategy":{"type":"FIXED","maxRetries":11,"maxDurationSeconds":601}`), client: []string{"retryStrategy.maxRetries: 11 is outside 1..10", "retryStrategy.maxDurationSeconds: 601 is outside 0..600"}},
		{name: "a check cannot fall back", body: tcp(`"retryStrategy":"FALLBACK"`), client: []string{"retryStrategy: FALLBACK is for groups; a check takes a strategy or null"}},
		{name: "a single condition is a list of one for the service", body: tcp(`"retryStrategy":{"type":"FIXED","onlyOn":["NETWORK_ERROR","NETWORK_ERROR"]}`), service: []string{"retryStrategy.onlyOn: 2 items are over 1"}},
		{name: "an incident has all its members", body: tcp(`"triggerIncident":{"serviceId":"x","severity":"LOW"}`), client: []string{`triggerIncident.serviceId: "x" is not a UUID`, `triggerIncident.severity: "LOW" is not one of CRITICAL, MAJOR, MEDIUM, MINOR`, "triggerIncident.name: is required", "triggerIncident.description: is required", "triggerIncident.notifySubscribers: is required"}},
		{name: "a type is that of the check for the service", body: tcp(`"checkType":"BROWSER"`), service: []string{`checkType: "BROWSER" is not TCP`}},
		{name: "an intent has a goal", body: tcp(`"intent":{"goals":[]}`), client: []string{"intent.goal: is required"}, service: []string{"intent.goals: is not allowed", "intent.goal: is required"}},
		{name: "a response-only member is not taken", body: tcp(`"id":"x","created_at":null`), service: []string{"id: is not allowed", "created_at: is not allowed"}},
	},
	"PUT /v1/checks/browser/{id}": {
		{name: "an update may be empty", body: `{}`},
		{name: "an update cannot clear a name", body: `{"name":""}`, client: []string{"name: must not be empty"}},
		{name: "a browser check cannot run every few seconds", body: `{"frequency":0}`, client: []string{"frequency: 0 (sub-minute) is for API and TCP checks only"}},
		{name: "an offset is for other checks", body: `{"frequencyOffset":1}`, service: []string{"frequencyOffset: is not allowed"}},
		{name: "a script is not empty for the newer service", body: `{"script":"","sslCheckDomain":""}`, service: []string{"script: must not be empty"}},
		{name: "a dependency has a path and a content", body: `{"dependencies":[{}]}`, client: []string{"dependencies[0].path: is required", "dependencies[0].content: is required"}},
		{name: "a path has at most 1000 characters", body: `{"dependencies":[{"path":"` + strings.Repeat("x", 1001) + `","content":""}]}`, client: []string{"dependencies[0].path: 1001 characters are over 1000"}},
	},
	"PUT /v1/checks/{id}": {
		{name: "an API check may run every few seconds", body: `{"checkType":"API","frequency":0,"frequencyOffset":20}`},
		{name: "a TCP check may run every few seconds", body: `{"checkType":"TCP","frequency":0}`},
		{name: "a check whose type is not told may, too", body: `{"frequency":0}`},
		{name: "a URL check cannot run every few seconds", body: `{"checkType":"URL","frequency":0}`, client: []string{"frequency: 0 (sub-minute) is for API and TCP checks only"}},
		{name: "an offset to an unknown frequency has the widest bounds", body: `{"frequencyOffset":601}`, client: []string{"frequencyOffset: 601 is outside 1..600"}},
		{name: "an offset of 600 to an unknown frequency is fine", body: `{"frequencyOffset":600}`},
		{name: "a request of another type is free", body: `{"request":{"method":"GET","anything":[[]]},"heartbeat":{"period":1}}`},
		{name: "a port is a port in every request", body: `{"request":{"port":-1}}`, client: []string{"request.port: -1 is outside 1..65535"}},
		{name: "the request of a TCP check has its rules", body: `{"request":{"port":-1,"more":1},"checkType":"TCP"}`, client: []string{"request.port: -1 is outside 1..65535", "request.hostname: is required"}, service: []string{"request.port: -1 is outside 1..65535", "request.more: is not allowed", "request.hostname: is required"}},
	},
}

func TestEachMistakeIsNamed(t *testing.T) {
	for _, o := range Operations() {
		if o.Body != nil && mistakes[o.Name] == nil {
			t.Errorf("%s has a body: add bodies with mistakes, and the messages for them", o.Name)
		}
	}
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

// offsetAllowed is the document's rule: 10, 20 or 30 with frequency 0; 1 to
// floor(frequency * 10) up to 60; 1 to ceil(frequency / 60) above.
func offsetAllowed(frequency, offset int) bool {
	switch {
	case frequency == 0:
		return offset == 10 || offset == 20 || offset == 30
	case frequency <= 60:
		return offset >= 1 && offset <= int(math.Floor(float64(frequency)*10))
	}
	return offset >= 1 && offset <= int(math.Ceil(float64(frequency)/60))
}

func TestOffsetsFollowTheRuleForEveryFrequency(t *testing.T) {
	n := Lookup("POST /v1/checks/tcp").Body
	for frequency := -1; frequency <= 1500; frequency++ {
		known := slices.Contains(strings.Fields(strings.Trim(listed, "[]")), fmt.Sprint(frequency))
		found := n.Check([]byte(tcp(fmt.Sprintf(`"frequency":%d`, frequency))), Client, nil)
		require.Equal(t, known, len(found) == 0, "frequency %d", frequency)
		for offset := -1; known && offset <= 700; offset++ {
			found := n.Check([]byte(tcp(fmt.Sprintf(`"frequency":%d,"frequencyOffset":%d`, frequency, offset))), Client, nil)
			require.Equal(t, offsetAllowed(frequency, offset), len(found) == 0, "frequency %d, offset %d", frequency, offset)
		}
	}
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

// anything takes every JSON value and looks inside of it.
var anything = func() *Node {
	n := &Node{Kinds: String | Number | Boolean | Array | Object | Null, Free: true}
	n.Items, n.Members = n, []Member{{"a", n, false}}
	return n
}()

func TestWhatIsJSONForEncodingJSONIsJSONForACheck(t *testing.T) {
	for _, text := range []string{
		`true`, `false`, `null`, `nul`, `nulx`, `[tru]`, `truefalse`, `0`, `-0`, `00`, `-`, `+1`, `1.`, `.1`, `1.5`, `1e5`, `1E-5`, `1e+5`, `1e+-5`, `1e-+5`, `1e`, `1e+`, `[1.e5]`,
		`"abc`, `"`, `"\`, `"a\"`, `["a`, `"\n"`, `"\u00e4"`, `"\u123"`, `"\u12`, `["\,1]`, `["\x"]`, "[\"a\n,1]", "[\"a\x1f\"]",
		`[1 2]`, `[1,2]`, `[1,,2]`, `[,1]`, `[1,]`, `[1`, `[1,`, `[`, `]`, `[1}`, `{"a":1}`, `{"a":1 "b":2}`, `{"a" 1}`, `{"a"}`, `{:1}`, `{1:1}`, `{a:1}`, `{"a":}`, `{"a":1,}`, `{,}`, `{`, `{"a":1]`,
		`[[],{},[{}]]`, `{"a":[1,{"a":"x"}],"b":[2,{"c":"y"}]}`, `{"b":[1 2]}`, `{"b":{"c" 1}}`, `{"b":[nul]}`, "\t[ 1 ,\r\n2 ] ", ``, ` `, `[] []`, "[1]\x00",
	} {
		valid := json.Valid([]byte(text))
		for _, level := range []Level{Client, Service} {
			found := anything.Check([]byte(text), level, nil)
			if valid {
				require.Empty(t, found, text)
			} else {
				require.Equal(t, notJSON, found, text)
			}
		}
	}
}

func TestJSONIsAsDeepAsEncodingJSONTakesIt(t *testing.T) {
	all := func(string) bool { return true }
	for _, n := range []*Node{anything, ruled(func(object) {})} { // one looks inside, the other does not
		for _, name := range []string{"a", "c"} {
			for depth, found := range map[int][]Violation{rawjson.MaxDepth: nil, rawjson.MaxDepth + 1: notJSON} {
				body := []byte(`{"` + name + `":` + strings.Repeat(`{"a":`, depth-1) + `1` + strings.Repeat("}", depth))
				require.Equal(t, found, n.Check(body, Client, all))
				if n == anything || name == "c" || found != nil {
					require.Equal(t, found, n.Check(body, Client, nil))
				}
			}
		}
	}
}
