package schema

import (
	"slices"
	"strings"
	"testing"

	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/stretchr/testify/require"
)

// mistake is a body with a mistake and the messages of each level. If service is nil, the
// level Service has the messages of Client.
type mistake struct {
	name, body      string
	client, service []string
	skip            []string // members that are left out of the check
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
		{name: "an empty group of tags is refused", body: `{"target":{"matchTags":[[]]}}`, client: []string{"target.matchTags[0]: must not be empty"}},
		{name: "ids are UUIDs", body: `{"target":{"checkId":["5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11","not a uuid"]}}`, client: []string{`target.checkId[1]: "not a uuid" is not a UUID`}},
	},
	"POST /v1/check-sessions/{checkSessionId}/cancel": {
		{name: "a cancel with an empty list is refused", body: `{"sequenceId":[]}`, client: []string{"sequenceId: must not be an empty list; leave it nil to cancel everything in progress"}},
	},
	"POST /v1/maintenance-windows": {
		{name: "a new window has a name, a start, an end and a unit", body: `{"startsAt":null}`, client: []string{"startsAt: is required: null is no time", "name: is required", "endsAt: is required", "repeatUnit: is required"}},
	},
	"PUT /v1/maintenance-windows/{id}": {
		{name: "an offset is not a time zone", body: `{"timezone":"+02:00"}`, client: []string{"timezone: must be the name of a time zone, such as Europe/Berlin: it is an offset"}},
		{name: "all services and single ones exclude each other", body: `{"statusPageVisibility":{"affectAllServices":true,"serviceIds":["0a7d9a1e-8e2b-4c84-9a0e-6b6f3b2d1c55"]}}`, client: []string{"statusPageVisibility.serviceIds: must be empty if all services are affected"}},
		{name: "status pages need services", body: `{"statusPageVisibility":{"serviceIds":[ ],"statusPageIds":["0a7d9a1e-8e2b-4c84-9a0e-6b6f3b2d1c55"]}}`, client: []string{"statusPageVisibility.statusPageIds: must have serviceIds beside them, or affectAllServices"}},
		{name: "a window is unlinked from all status pages", body: `{"statusPageVisibility":{"serviceIds":[ ],"statusPageIds":[]}}`},
	},
	"POST /v1/variables": {
		{name: "a new variable has a key and a value", body: `{"key":"","value":null}`, client: []string{"key: is required", "value: " + nullText}},
	},
	"PUT /v2/check-groups/{id}": {
		{name: "a group needs a name", body: `{"name":"","concurrency":0}`, client: []string{"name: is required", "concurrency: 0 is below 1"}},
		{name: "a group falls back to nothing else", body: `{"name":"n","retryStrategy":"NONE"}`, client: []string{`retryStrategy: "NONE" is not FALLBACK`}},
		{name: "a group has one condition, for the service", body: `{"name":"n","retryStrategy":{"type":"FIXED","onlyOn":["NETWORK_ERROR","NETWORK_ERROR"]}}`, service: []string{"retryStrategy.onlyOn: 2 items are over 1"}},
		{name: "a fallback is a bare string", body: `{"name":"n","retryStrategy":{"type":"FALLBACK"}}`, client: []string{`retryStrategy.type: "FALLBACK" is not one of FIXED, LINEAR, EXPONENTIAL, SINGLE_RETRY`}},
		{name: "201 variables are too many for all", body: `{"name":"n",` + variablesOf(201) + `}`, client: []string{"environmentVariables: 201 variables are over 200"}, service: []string{"environmentVariables: 201 variables are over 100"}},
		{name: "messages name the types", body: `{"name":1,"muted":"yes","tags":"a","concurrency":"1","apiCheckDefaults":[],"retryStrategy":1,"setupSnippetId":""}`,
			client:  []string{"name: must be a string", "muted: must be true or false", "tags: must be an array", "concurrency: must be a number", "apiCheckDefaults: must be an object", "retryStrategy: must be a string, an object or null", "setupSnippetId: must be a number or null"},
			service: []string{"name: must be a string", "muted: must be true or false", "tags: must be an array", "concurrency: must be a whole number", "apiCheckDefaults: must be an object", "retryStrategy: must be a string, an object or null", "setupSnippetId: must be a whole number or null"}},
		{name: "a body is an object", body: `[1]`, client: []string{"body: must be an object"}},
		{name: "a body is not null", body: ` null `, client: []string{"body: must not be null"}},
		{name: "each of two equal members is checked", body: `{"name":"","name":"n","concurrency":1,"concurrency":0}`, client: []string{"name: is required", "concurrency: 0 is below 1"}},
		{name: "a name differs in case", body: `{"name":"n","Muted":true}`, service: []string{"Muted: is not allowed"}},
		{name: "an escaped name is the member", body: `{"na\u006de":"n","concurrenc\u0079":0}`, client: []string{"concurrency: 0 is below 1"}},
		{name: "a strange name is quoted and cut", body: `{"name":"n","a\nb":1,"":2,"` + strings.Repeat("x", 99) + `":3}`, service: []string{`"a\nb": is not allowed`, `"": is not allowed`, strings.Repeat("x", 50) + ": is not allowed"}},
		{name: "what is left out is not checked", body: `{"name":"n","environmentVariables":[{"key":"","value":null}],"retryStrategy":{"type":"SINGLE_RETRY","maxRetries":2}}`, skip: []string{"environmentVariables", "retryStrategy"}},
		{name: "nor required", body: `{"tags":[1]}`, client: []string{"tags[0]: must be a string"}, skip: []string{"name"}},
		{name: "members inside are not left out", body: `{"name":"n","apiCheckDefaults":{"headers":[{"key":1,"value":""}]}}`, client: []string{"apiCheckDefaults.headers[0].key: must be a string"}, skip: []string{"key", "headers"}},
	},
	"PUT /v1/checks/api/{id}": {
		{name: "an API check that is changed keeps its rules", body: `{"frequency":0,"frequencyOffset":15}`, client: []string{"frequencyOffset: 15 is not 10, 20 or 30 for frequency 0"}},
	},
	"PUT /v1/checks/tcp/{id}": {
		{name: "a changed offset has the widest bounds", body: `{"frequencyOffset":601}`, client: []string{"frequencyOffset: 601 is outside 1..600"}},
	},
	"POST /v1/checks/browser": {
		{name: "a new browser check cannot run every few seconds", body: `{"name":"n","script":null,"frequency":0}`, client: []string{"frequency: 0 (sub-minute) is for API and TCP checks only"}},
	},
	"POST /v1/checks/tcp": {
		{name: "a host has no scheme and shows no password", body: `{"name":"n","request":{"hostname":"https://u:pw@h","port":1}}`, client: []string{"request.hostname: must have no scheme"}},
		{name: "a host has no port", body: `{"name":"n","request":{"hostname":"h:80","port":1}}`, client: []string{"request.hostname: must have no port: it is a member of its own"}},
		{name: "a host has no path", body: `{"name":"n","request":{"hostname":"h/x","port":1}}`, client: []string{"request.hostname: must have no path"}},
		{name: "a host has no user", body: `{"name":"n","request":{"hostname":"u@h","port":1}}`, client: []string{"request.hostname: must have no user"}},
		{name: "a host has no spaces", body: `{"name":"n","request":{"hostname":" h","port":1}}`, client: []string{"request.hostname: must not contain spaces"}},
		{name: "an IPv6 address has no brackets", body: `{"name":"n","request":{"hostname":"[::1]","port":1}}`, client: []string{"request.hostname: must have no brackets: an IPv6 address stands without them"}},
		{name: "a frequency is one of the list", body: tcp(`"frequency":3`), client: []string{"frequency: 3 is not one of " + listed}},
		{name: "a sub-minute offset is 10, 20 or 30", body: tcp(`"frequencyOffset":15,"frequency":0.0`), client: []string{"frequencyOffset: 15 is not 10, 20 or 30 for frequency 0"}},
		{name: "an offset without a frequency goes with 10 minutes", body: tcp(`"frequencyOffset":101.0`), client: []string{"frequencyOffset: 101.0 is outside 1..100 for frequency 10"}},
		{name: "an offset is whole for the service", body: tcp(`"frequencyOffset":100.5`), client: []string{"frequencyOffset: 100.5 is outside 1..100 for frequency 10"}, service: []string{"frequencyOffset: 100.5 is not a whole number"}},
		{name: "an offset to a wrong frequency has the widest bounds", body: tcp(`"frequency":7,"frequencyOffset":601`), client: []string{"frequency: 7 is not one of " + listed, "frequencyOffset: 601 is outside 1..600"}},
		{name: "511 characters are too many for all", body: tcp(`"description":"` + strings.Repeat(`\u00e4`, 511) + `"`), client: []string{"description: 511 characters are over 510"}, service: []string{"description: 511 characters are over 500"}},
		{name: "times are not negative, and degraded is not over max", body: tcp(`"degradedResponseTime":-0.5,"maxResponseTime":-1`),
			client:  []string{"degradedResponseTime: -0.5 is below 0", "maxResponseTime: -1 is below 0", "degradedResponseTime: -0.5 is over the maxResponseTime of -1"},
			service: []string{"degradedResponseTime: -0.5 is outside 0..5000", "maxResponseTime: -1 is outside 0..5000", "degradedResponseTime: -0.5 is over the maxResponseTime of -1"}},
		{name: "a single retry has no numbers, not even 0", body: tcp(`"retryStrategy":{"type":"SINGLE_RETRY","maxRetries":0,"maxDurationSeconds":0}`), client: []string{"retryStrategy.maxRetries: must be left out for SINGLE_RETRY", "retryStrategy.maxDurationSeconds: must be left out for SINGLE_RETRY"}},
		{name: "a number comes before the type of a single retry", body: tcp(`"retryStrategy":{"maxRetries":null,"type":"SINGLE\u005fRETRY"}`), client: []string{"retryStrategy.maxRetries: must be left out for SINGLE_RETRY"}},
		{name: "a rule that looks at nothing else is left out", body: tcp(`"frequency":1,"frequencyOffset":600`), skip: []string{"frequency", "frequencyOffset"}},
		{name: "a rule looks at what is left out", body: tcp(`"frequency":1,"frequencyOffset":90`), client: []string{"frequencyOffset: 90 is outside 1..10 for frequency 1"}, skip: []string{"frequencyOffset"}},
		{name: "a rule takes it as it is", body: tcp(`"frequency":"often","frequencyOffset":90`), skip: []string{"frequency"}},
		{name: "a check cannot fall back", body: tcp(`"retryStrategy":"FALLBACK"`), client: []string{"retryStrategy: FALLBACK is for groups; a check takes a strategy or null"}},
	},
	"PUT /v1/checks/browser/{id}": {
		{name: "a browser check cannot run every few seconds", body: `{"frequency":0}`, client: []string{"frequency: 0 (sub-minute) is for API and TCP checks only"}},
	},
	"PUT /v1/checks/{id}": {
		{name: "a check whose type is not told may, too", body: `{"frequency":0}`},
		{name: "a URL check cannot run every few seconds", body: `{"checkType":"URL","frequency":0}`, client: []string{"frequency: 0 (sub-minute) is for API and TCP checks only"}},
		{name: "an offset to an unknown frequency has the widest bounds", body: `{"frequencyOffset":601}`, client: []string{"frequencyOffset: 601 is outside 1..600"}},
		{name: "a port is a port in every request", body: `{"request":{"port":-1}}`, client: []string{"request.port: -1 is outside 1..65535"}},
		{name: "the request of a TCP check has its rules", body: `{"request":{"port":-1,"more":1},"checkType":"TCP"}`, client: []string{"request.port: -1 is outside 1..65535", "request.hostname: is required"}, service: []string{"request.port: -1 is outside 1..65535", "request.more: is not allowed", "request.hostname: is required"}},
	},
}

func TestEachMistakeIsNamed(t *testing.T) {
	for operation, list := range mistakes {
		for _, m := range list {
			body := Lookup(operation).Body
			var skip func(string) bool
			if m.skip != nil {
				skip = func(member string) bool { return slices.Contains(m.skip, member) }
			}
			require.Equal(t, m.client, said(body.Check([]byte(m.body), Client, skip)), m.name)
			want := m.service
			if want == nil {
				want = m.client
			}
			require.Equal(t, want, said(body.Check([]byte(m.body), Service, skip)), m.name)
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

// A mistyped UUID is quoted whole, and the message for a long text still fits in a line.
func TestQuotedTextsAreShort(t *testing.T) {
	mistyped := "0a7d9a1e-8e2b-4c84-9a0e-6b6f3b2d1c555"
	uuid := &Node{Kinds: String, Limits: Limits{Format: UUID}}
	require.Equal(t, []string{`body: "` + mistyped + `" is not a UUID`}, said(uuid.Check([]byte(`"`+mistyped+`"`), Client, nil)))
	uuid.Secret = true
	require.Equal(t, []string{`body: the value is not a UUID`}, said(uuid.Check([]byte(`"`+mistyped+`"`), Client, nil)), "a secret is not quoted")
	found := closed("FIXED", "LINEAR").Check([]byte(`"`+strings.Repeat(`\n`, 10000)+`"`), Client, nil)
	require.Equal(t, []string{`body: "` + strings.Repeat(`\n`, maxQuoted) + `" is not one of FIXED, LINEAR`}, said(found))
	require.Less(t, len(found[0].Message), 200)
}

// A group may have 200 variables, each with two mistakes, and all are listed. A list without end is not.
func TestTheListOfViolationsIsBounded(t *testing.T) {
	group := Lookup("PUT /v2/check-groups/{id}").Body
	variables := strings.Repeat(`{"key":1,"value":null},`, 200)
	found := group.Check([]byte(`{"name":"n","environmentVariables":[`+strings.TrimSuffix(variables, ",")+`]}`), Client, nil)
	require.Equal(t, 400, len(found))
	body := []byte(`{"name":"n","tags":[` + strings.Repeat("1,", 100_000) + `1]}`)
	require.Less(t, testkit.Allocated(func() { found = group.Check(body, Client, nil) }), uint64(4<<20))
	require.Equal(t, maxViolations+1, len(found))
	require.Equal(t, Violation{"body", "breaks more rules than are listed"}, found[maxViolations])
}

func TestAMemberThatIsCheckedAgainLeavesTheCheckWhereItWas(t *testing.T) {
	narrow := &Node{Kinds: Object, Members: []Member{{"x", number, false}, {"y", flag, true}}}
	n := &Node{Kinds: Object, Members: []Member{{"a", anything, false}, {"b", anything, false}}, Rules: []Rule{{Members: []string{"a", "b"}, check: func(o object) {
		o.again("a", narrow)
		o.again("z", narrow) // which is not there
		o.broken("b", "is broken")
	}}}}
	require.Equal(t, []string{"a.x: must be a number", "a.y: is required", "b: is broken"}, said(n.Check([]byte(`{"b":1,"a":{"x":"of the first look"}}`), Client, nil)))
	c := &checker{found: []Violation{{"a", ""}, {"a.b", ""}, {"a[0]", ""}, {"ab", ""}, {"a0", ""}, {"b", ""}, {"b.a", ""}}}
	object{checker: c}.forget("a")
	require.Equal(t, []Violation{{"ab", ""}, {"a0", ""}, {"b", ""}, {"b.a", ""}}, c.found)
}

func TestOffsetsAreBoundedByTheFrequency(t *testing.T) {
	for _, c := range []struct {
		offset, frequency float64
		want              string
	}{
		{10, 0, ""}, {20, 0, ""}, {30, 0, ""}, {40, 0, " is not 10, 20 or 30 for frequency 0"}, {1, 0, " is not 10, 20 or 30 for frequency 0"},
		{0, 1, " is outside 1..10 for frequency 1"}, {0.5, 1, " is outside 1..10 for frequency 1"}, {1, 1, ""}, {10, 1, ""}, {11, 1, " is outside 1..10 for frequency 1"},
		{600, 60, ""}, {601, 60, " is outside 1..600 for frequency 60"}, {2, 61, ""}, {3, 61, " is outside 1..2 for frequency 61"}, {3, 121, ""}, {24, 1440, ""}, {25, 1440, " is outside 1..24 for frequency 1440"},
		{1, unknownFrequency, ""}, {600, unknownFrequency, ""}, {0.5, unknownFrequency, " is outside 1..600"}, {601, unknownFrequency, " is outside 1..600"},
	} {
		require.Equal(t, c.want, offsetMistake(c.offset, c.frequency), "%g of %g", c.offset, c.frequency)
	}
}
