package schema

import (
	"cmp"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/testkit"
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
	"POST /v1/test-sessions/trigger": {
		{name: "a variable that is not secret has a value", body: `{"name":"n","runLocation":"eu-west-1","environmentVariables":[{"key":"K","value":""},{"key":"K","value":"","secret":true},{"key":"K","value":"","secret":false}]}`,
			client: []string{"environmentVariables[0].value: must not be empty unless secret is set", "environmentVariables[2].value: must not be empty unless secret is set"}},
		{name: "a run has at most 50 variables", body: `{"name":"n","runLocation":"eu-west-1","environmentVariables":[` + strings.TrimSuffix(strings.Repeat(`{"key":"K","value":"v"},`, 51), ",") + `]}`,
			client: []string{"environmentVariables: 51 variables are over 50"}},
		{name: "a run has a name and a location", body: `{"runLocation":""}`, client: []string{"runLocation: is required", "name: is required"}},
	},
	"POST /v1/test-sessions/{testSessionId}/cancel": {
		{name: "a cancel with an empty list is refused", body: `{"sequenceId":[]}`, client: []string{"sequenceId: must not be an empty list: leave it nil to cancel everything in progress"}},
	},
	"POST /v1/check-sessions/{checkSessionId}/cancel": {
		{name: "a cancel with an empty list is refused", body: `{"sequenceId":[]}`, client: []string{"sequenceId: must not be an empty list: leave it nil to cancel everything in progress"}},
	},
	"POST /v1/maintenance-windows": {
		{name: "a new window has services for its status pages", body: `{"name":"n","startsAt":"2026-08-01","endsAt":"2026-08-02","repeatUnit":"DAY","statusPageVisibility":{"statusPageIds":["0a7d9a1e-8e2b-4c84-9a0e-6b6f3b2d1c55"]}}`,
			client: []string{"statusPageVisibility.statusPageIds: must be accompanied by serviceIds or affectAllServices"}},
		{name: "a new window has a name, a start, an end and a unit", body: `{"startsAt":null}`, client: []string{"startsAt: is required: it cannot be null", "name: is required", "endsAt: is required", "repeatUnit: is required"}},
	},
	"PUT /v1/maintenance-windows/{id}": {
		{name: "an offset is not a time zone", body: `{"timezone":"+02:00"}`, client: []string{"timezone: must be the name of a time zone, such as Europe/Berlin, not an offset"}},
		{name: "all services and single ones exclude each other", body: `{"statusPageVisibility":{"affectAllServices":true,"serviceIds":["0a7d9a1e-8e2b-4c84-9a0e-6b6f3b2d1c55"]}}`, client: []string{"statusPageVisibility.serviceIds: must be empty if all services are affected"}},
		{name: "status pages need services", body: `{"statusPageVisibility":{"serviceIds":[ ],"statusPageIds":["0a7d9a1e-8e2b-4c84-9a0e-6b6f3b2d1c55"]}}`, client: []string{"statusPageVisibility.statusPageIds: must be accompanied by serviceIds or affectAllServices"}},
		{name: "an update may leave out its services", body: `{"statusPageVisibility":{"statusPageIds":["0a7d9a1e-8e2b-4c84-9a0e-6b6f3b2d1c55"]}}`},
		{name: "a window is unlinked from all status pages", body: `{"statusPageVisibility":{"serviceIds":[ ],"statusPageIds":[]}}`},
	},
	"PUT /v1/alert-channels/{id}/subscriptions": {
		{name: "a subscription is not of a check and a group", body: `{"activated":true,"groupId":1,"checkId":"5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11"}`, client: []string{"checkId: must not be combined with groupId: set one of them"}},
		{name: "a subscription is of a check or a group", body: `{"activated":true,"groupId":null}`, client: []string{"checkId: is required unless there is a groupId"}},
		{name: "a broken id is one mistake", body: `{"activated":true,"checkId":"c"}`, client: []string{`checkId: "c" is not a UUID`}},
	},
	"PUT /v1/alert-channels/{id}": {
		{name: "a channel may have a subscription of nothing", body: `{"type":"EMAIL","config":{"address":"a"},"subscriptions":[{"activated":true}]}`},
	},
	"POST /v1/root-cause-analyses/error-groups/{errorGroupId}": {
		{name: "nothing is said for an analysis", body: `null`},
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
	"POST /v1/checks/icmp": {
		{name: "an ICMP check runs every few seconds", body: `{"name":"n","request":{"hostname":"h"},"frequency":0,"frequencyOffset":15}`, client: []string{"frequencyOffset: 15 is not 10, 20 or 30 for frequency 0"}},
	},
	"PUT /v1/checks/icmp/{id}": {
		{name: "its thresholds are of lost packets", body: `{"degradedPacketLossThreshold":20,"maxPacketLossThreshold":10}`},
		{name: "its response times and its script are taken and dropped", body: `{"maxResponseTime":5,"degradedResponseTime":6,"script":""}`},
		{name: "what is dropped has a type and bounds", body: `{"maxResponseTime":300001,"script":1}`, client: []string{"maxResponseTime: 300001 is outside 0..300000", "script: must be a string or null"}},
		{name: "a percentage is over 0", body: `{"maxPacketLossThreshold":0}`, client: []string{"maxPacketLossThreshold: 0 is not over 0 and up to 100"}},
	},
	"PUT /v1/checks/dns/{id}": {
		{name: "an update requires the name", body: `{"muted":true}`, client: []string{"name: is required"}},
		{name: "it may have no alert settings", body: `{"name":"n","alertSettings":null}`},
		{name: "a DNS check is not degraded after it has failed", body: `{"name":"n","degradedResponseTime":20,"maxResponseTime":10}`, client: []string{"degradedResponseTime: 20 is over the maxResponseTime of 10"}},
	},
	"PUT /v1/checks/ssl/{id}": {
		{name: "an SSL check runs every few seconds", body: `{"frequency":0,"frequencyOffset":15}`, client: []string{"frequencyOffset: 15 is not 10, 20 or 30 for frequency 0"}},
		{name: "its times are not null", body: `{"maxResponseTime":null}`, client: []string{"maxResponseTime: must not be null"}},
		{name: "a handshake is not degraded after it has failed", body: `{"degradedResponseTime":20,"maxResponseTime":10}`, client: []string{"degradedResponseTime: 20 is over the maxResponseTime of 10"}},
	},
	"PUT /v1/checks/url/{id}": {
		{name: "a URL check runs every few seconds", body: `{"frequency":0,"frequencyOffset":20}`},
		{name: "a request has a URL", body: `{"request":{"method":"GET"}}`, client: []string{"request.url: is required"}},
	},
	"POST /v1/checks/heartbeat": {
		{name: "a heartbeat has its times and their units", body: `{"name":"n","heartbeat":{}}`, client: []string{"heartbeat.period: is required", "heartbeat.periodUnit: is required", "heartbeat.grace: is required", "heartbeat.graceUnit: is required"}},
		{name: "the address is made by the service", body: `{"name":"n","heartbeat":{"period":1,"periodUnit":"days","grace":0,"graceUnit":"days","pingUrl":"https://ping.test/s3cret"}}`, client: []string{"heartbeat.pingUrl: is set by the service: omit it"}},
		{name: "a token shows nothing", body: `{"name":"n","heartbeat":{"period":1,"periodUnit":"days","grace":0,"graceUnit":"days","pingToken":"s3cret"}}`, client: []string{"heartbeat.pingToken: the value is not a UUID"}},
		{name: "a period and a grace have bounds for the service", body: `{"name":"n","heartbeat":{"period":29,"periodUnit":"seconds","grace":366,"graceUnit":"days"}}`,
			service: []string{"heartbeat.period: 29 seconds are outside 30 seconds..365 days", "heartbeat.grace: 366 days are outside 0..365 days"}},
	},
	"PUT /v1/checks/heartbeat/{id}": {
		{name: "what is no setting is refused, also null", body: `{"retryStrategy":null,"privateLocations":["dc-1"]}`, client: []string{"retryStrategy: is not a setting of a heartbeat", "privateLocations: is not a setting of a heartbeat"}},
		{name: "an update without a heartbeat needs none", body: `{"muted":true}`},
	},
	"POST /v1/checks/multistep": {
		{name: "a new multi-step check has a script, or null", body: `{"name":"n"}`, client: []string{"script: is required"}},
		{name: "a domain is for browser checks", body: `{"name":"n","script":null,"sslCheckDomain":"shop.test"}`, service: []string{"sslCheckDomain: is not allowed"}},
	},
	"PUT /v1/checks/multistep/{id}": {
		{name: "a multi-step check cannot run every few seconds", body: `{"frequency":0}`, client: []string{"frequency: 0 (sub-minute) is for API and TCP checks only"}},
	},
	"POST /v1/checks/browser": {
		{name: "a new browser check cannot run every few seconds", body: `{"name":"n","script":null,"frequency":0}`, client: []string{"frequency: 0 (sub-minute) is for API and TCP checks only"}},
	},
	"POST /v1/checks/tcp": {
		{name: "a host has no scheme and shows no password", body: `{"name":"n","request":{"hostname":"https://u:pw@h","port":1}}`, client: []string{"request.hostname: must have no scheme"}},
		{name: "a host has no port", body: `{"name":"n","request":{"hostname":"h:80","port":1}}`, client: []string{"request.hostname: must have no port: the port is a member of its own"}},
		{name: "a host has no path", body: `{"name":"n","request":{"hostname":"h/x","port":1}}`, client: []string{"request.hostname: must have no path"}},
		{name: "a host has no user", body: `{"name":"n","request":{"hostname":"u@h","port":1}}`, client: []string{"request.hostname: must have no user"}},
		{name: "a host has no spaces", body: `{"name":"n","request":{"hostname":" h","port":1}}`, client: []string{"request.hostname: must not contain spaces"}},
		{name: "an IPv6 address has no brackets", body: `{"name":"n","request":{"hostname":"[::1]","port":1}}`, client: []string{"request.hostname: must have no brackets: an IPv6 address is given without them"}},
		{name: "a frequency is one of the list", body: tcp(`"frequency":3`), client: []string{"frequency: 3 is not one of " + listed}},
		{name: "a sub-minute offset is 10, 20 or 30", body: tcp(`"frequencyOffset":15,"frequency":0.0`), client: []string{"frequencyOffset: 15 is not 10, 20 or 30 for frequency 0"}},
		{name: "an offset without a frequency goes with 10 minutes", body: tcp(`"frequencyOffset":101.0`), client: []string{"frequencyOffset: 101.0 is outside 1..100 for frequency 10"}},
		{name: "an offset is whole for the service", body: tcp(`"frequencyOffset":100.5`), client: []string{"frequencyOffset: 100.5 is outside 1..100 for frequency 10"}, service: []string{"frequencyOffset: 100.5 is not a whole number"}},
		{name: "an offset to a wrong frequency has the widest bounds", body: tcp(`"frequency":7,"frequencyOffset":601`), client: []string{"frequency: 7 is not one of " + listed, "frequencyOffset: 601 is outside 1..600"}},
		{name: "511 characters are too many for all", body: tcp(`"description":"` + strings.Repeat(`\u00e4`, 511) + `"`), client: []string{"description: 511 characters are over 510"}, service: []string{"description: 511 characters are over 500"}},
		{name: "times are not negative, and degraded is not over max", body: tcp(`"degradedResponseTime":-0.5,"maxResponseTime":-1`),
			client:  []string{"degradedResponseTime: -0.5 is below 0", "maxResponseTime: -1 is below 0", "degradedResponseTime: -0.5 is over the maxResponseTime of -1"},
			service: []string{"degradedResponseTime: -0.5 is outside 0..5000", "maxResponseTime: -1 is outside 0..5000", "degradedResponseTime: -0.5 is over the maxResponseTime of -1"}},
		{name: "a single retry has no numbers, not even 0", body: tcp(`"retryStrategy":{"type":"SINGLE_RETRY","maxRetries":0,"maxDurationSeconds":0}`), client: []string{"retryStrategy.maxRetries: must be omitted for SINGLE_RETRY", "retryStrategy.maxDurationSeconds: must be omitted for SINGLE_RETRY"}},
		{name: "a number comes before the type of a single retry", body: tcp(`"retryStrategy":{"maxRetries":null,"type":"SINGLE\u005fRETRY"}`), client: []string{"retryStrategy.maxRetries: must be omitted for SINGLE_RETRY"}},
		{name: "a rule that looks at nothing else is left out", body: tcp(`"frequency":1,"frequencyOffset":600`), skip: []string{"frequency", "frequencyOffset"}},
		{name: "a rule looks at what is left out", body: tcp(`"frequency":1,"frequencyOffset":90`), client: []string{"frequencyOffset: 90 is outside 1..10 for frequency 1"}, skip: []string{"frequencyOffset"}},
		{name: "a rule takes it as it is", body: tcp(`"frequency":"often","frequencyOffset":90`), skip: []string{"frequency"}},
		{name: "a check cannot fall back", body: tcp(`"retryStrategy":"FALLBACK"`), client: []string{"retryStrategy: FALLBACK is for groups: a check takes a strategy or null"}},
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

// A group may have 200 variables, each with two mistakes, and all are listed. A list without end is
// not.
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

func TestBoundsAreWrittenInDigits(t *testing.T) {
	for n, want := range map[float64]string{0: "0", 0.5: "0.5", -1: "-1", 68719476736: "68719476736", 1e21: "1000000000000000000000"} {
		require.Equal(t, want, digits(n))
	}
	require.Equal(t, strings.Repeat("7", 50), quoteNumber([]byte(strings.Repeat("7", 50))))
	require.Equal(t, strings.Repeat("7", 50)+"…", quoteNumber([]byte(strings.Repeat("7", 51))))
}

func TestNumbersAreJudgedByTheirBounds(t *testing.T) {
	for _, c := range []struct {
		node          *Node
		text          string
		client, whole string
	}{
		{bounded(Integer, between(1, 5)), "0", "0 is outside 1..5", ""},
		{bounded(Integer, between(1, 5)), "6", "6 is outside 1..5", ""},
		{bounded(Integer, atMost(5)), "6", "6 is over 5", ""},
		{bounded(Integer, atLeast(5)), "4", "4 is below 5", ""},
		{bounded(Integer, between(1, 1)), "1", "", ""},
		{whole, "9007199254740991", "", ""},
		{whole, "9007199254740992", "", "9007199254740992 is too large"},
		{whole, "-9007199254740991", "", ""},
		{whole, "-9007199254740992", "", "-9007199254740992 is too large"},
		{number, "1e999", "1e999 is too large", ""},
		{number, "-1e999", "-1e999 is too large", ""},
		{whole, "1.5", "", "1.5 is not a whole number"},
		{number, "1.5", "", ""},
		{&Node{Kinds: Number, Secret: true, Limits: Limits{Range: atMost(1)}}, "1234", "the value is over 1", ""},
	} {
		require.Equal(t, c.client, c.node.numberMistake([]byte(c.text), Client), c.text)
		require.Equal(t, cmp.Or(c.whole, c.client), c.node.numberMistake([]byte(c.text), Service), c.text)
	}
}

func TestPlainHostsAreLettersDigitsAndWhatJoinsThem(t *testing.T) {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._"
	for b := range 256 {
		require.Equal(t, strings.IndexByte(plain, byte(b)) >= 0, plainHost([]byte{'a', byte(b), '1'}), "%q", b)
	}
}

func TestUUIDsAre32HexDigitsInFiveGroups(t *testing.T) {
	const id = "5b1d4f0e-7a53-4a8c-9a57-0C1A3D6F2E11"
	require.False(t, IsUUID(id[:35]))
	for i := range len(id) {
		for b := range 128 {
			digit := strings.IndexByte("0123456789abcdefABCDEF", byte(b)) >= 0
			want := digit != (id[i] == '-') && (digit || b == '-')
			require.Equal(t, want, IsUUID(id[:i]+string(rune(b))+id[i+1:]), "%q at %d", b, i)
		}
	}
}

func TestTextsAreReadAsByEncodingJSON(t *testing.T) {
	for _, written := range []string{`""`, `"ä€😀"`, `"\u00e4\n\t\"\\\/\b\f\r"`, `"\ud83d"`, "\"\xff\xfe\"", "\"a\xc3\"", `"\uD83D\uDE00"`, `"\ud83d\ud83d\ude00"`} {
		var want string
		require.NoError(t, json.Unmarshal([]byte(written), &want))
		got := textIn([]byte(written))
		require.Equal(t, []rune(want), []rune(got.string(100)), written)
		require.Equal(t, len([]rune(want)), got.length(), written)
		require.Equal(t, utf8.ValidString(written), got.is(want), written)
	}
	require.False(t, text(`\n`).is("\n\ufffd"))
}

func TestEachMistakeOfAQueryIsNamed(t *testing.T) {
	const (
		alerts     = "GET /v1/alert-notifications"
		windows    = "GET /v1/maintenance-windows"
		results    = "GET /v2/check-results/{checkId}"
		completion = "GET /v2/check-sessions/{checkSessionId}/completion"
	)
	for _, c := range []struct {
		name, operation, query string
		client, service        []string
	}{
		{name: "all parameters are fine", operation: alerts, query: "limit=100&page=7&from=1787097600&to=1787184000&alertChannelId=263584&hasFailures=false"},
		{name: "a page has at most 100 items", operation: alerts, query: "limit=101", client: []string{"limit: 101 is outside 1..100"}},
		{name: "a page has at least one item", operation: "GET /v1/error-groups/checks/{checkId}", query: "limit=0&page=0", client: []string{"limit: 0 is outside 1..100", "page: 0 is below 1"}},
		{name: "a limit is written in digits", operation: windows, query: "limit=1e1&page=", client: []string{"limit: must be a whole number", "page: must be a whole number"}},
		{name: "a huge limit is out of range", operation: windows, query: "limit=99999999999999999999", client: []string{"limit: 99999999999999999999 is outside 1..100"}, service: []string{"limit: 99999999999999999999 is too large"}},
		{name: "a completion waits 30 seconds at most", operation: completion, query: "maxWaitSeconds=31", client: []string{"maxWaitSeconds: 31 is outside 1..30"}},
		{name: "a completion waits a second at least", operation: completion, query: "maxWaitSeconds=-1", client: []string{"maxWaitSeconds: -1 is outside 1..30"}},
		{name: "a switch is true or false", operation: "POST /v1/checks/tcp", query: "autoAssignAlerts=1", client: []string{"autoAssignAlerts: must be true or false"}},
		{name: "a period ends after it begins", operation: alerts, query: "from=2000&to=1000", client: []string{"to: must be after from"}},
		{name: "a period is not empty", operation: alerts, query: "from=2000&to=2000", client: []string{"to: must be after from"}},
		{name: "a period of a second is fine", operation: alerts, query: "from=1000&to=1001&alertChannelId=1"},
		{name: "no channel has the id 0", operation: alerts, query: "alertChannelId=0", client: []string{"alertChannelId: 0 is not the id of a channel"}},
		{name: "a period of 24 hours is fine", operation: alerts, query: "from=0&to=86400"},
		{name: "a period has at most 24 hours", operation: alerts, query: "from=0&to=86401", client: []string{"to: is more than 24 hours after from: All iterates over longer periods"}},
		{name: "an end alone is fine", operation: alerts, query: "to=1"},
		{name: "milliseconds are too many seconds", operation: alerts, query: "from=1787184000000", client: []string{"from: 1787184000000 is outside 0..68719476736"}},
		{name: "a report has a period of any length", operation: "GET /v1/reporting", query: "from=0&to=99999999&filterByTags=a&filterByTags=b&deactivated=true"},
		{name: "a report ends after it begins", operation: "GET /v1/reporting", query: "from=2&to=2&granularity=day", client: []string{"to: must be after from"}},
		{name: "a report has at most 120 days", operation: "GET /v1/reporting", query: "from=0&to=10371601&granularity=day", client: []string{"to: is more than 120 days after from, too long for this granularity"}},
		{name: "a report has 120 days, one of which has 25 hours", operation: "GET /v1/reporting", query: "from=0&to=10371600&granularity=day"},
		{name: "a report is divided if it has at most 400 days", operation: "GET /v1/reporting", query: "from=0&to=34563601&granularity=month", client: []string{"to: is more than 400 days after from, too long for this granularity"}},
		{name: "all parameters of results are fine", operation: results, query: "limit=100&nextId=x&from=1&to=99999999&location=eu-west-1&checkType=TCP&hasFailures=true&resultType=ALL&fields=id,createdAt"},
		{name: "results are not selected by a private location", operation: "GET /v2/check-results/{checkId}", query: "location=my-place", service: []string{`location: "my-place" is not one of us-east-1, us-east-2, us-west-1, us-west-2, ca-central-1, sa-east-1, eu-west-1, eu-central-1, eu-west-2, eu-west-3, eu-north-1, eu-south-1, me-south-1, ap-southeast-1, ap-northeast-1, ap-east-1, ap-southeast-2, ap-southeast-3, ap-northeast-2, ap-northeast-3, ap-south-1, af-south-1`}},
		{name: "results are selected by what there is", operation: results, query: "nextId=&from=2&to=2&checkType=COFFEE&resultType=BEST&fields=&page=1",
			client:  []string{"nextId: must not be empty", `resultType: "BEST" is not one of FINAL, ATTEMPT, ALL`, "fields: must not be empty", "to: must be after from"},
			service: []string{"nextId: must not be empty", `checkType: "COFFEE" is not one of ` + strings.Join(checkTypes, ", "), `resultType: "BEST" is not one of FINAL, ATTEMPT, ALL`, "fields: must not be empty", "to: must be after from", "page: is not allowed"}},
		{name: "a filter accepts days and timestamps", operation: windows, query: "startsAt[gte]=2026-08-01&endsAt[lt]=2026-08-01T12:00:00.000Z"},
		{name: "a filter accepts nanoseconds and a zone", operation: windows, query: "startsAt[gte]=2026-08-01T12:00:00.123456789%2B02:00"},
		{name: "nothing follows a timestamp", operation: windows, query: "startsAt[gte]=2026-08-01T12:00:00.123456789%2B02:00x", client: []string{"startsAt[gte]: must be a date"}},
		{name: "a filter accepts only dates", operation: windows, query: "startsAt[gte]=soon&endsAt[lt]=2026-02-30", client: []string{"startsAt[gte]: must be a date", "endsAt[lt]: must be a date"}},
		{name: "a filter does not contradict itself", operation: windows, query: "startsAt[gt]=2026-08-01&startsAt[gte]=2026-08-01&endsAt[lt]=2026-08-01&endsAt[lte]=2026-08-01", client: []string{"startsAt: has both gt and gte", "endsAt: has both lt and lte"}},
		{name: "a filter has one operator for the service", operation: windows, query: "startsAt[gt]=2026-08-01&startsAt[lt]=2026-08-02", service: []string{"startsAt: must have one operator"}},
		{name: "a filter has an operator for the service", operation: windows, query: "startsAt=2026-08-01&endsAt[eq]=2026-08-01", service: []string{"endsAt[eq]: is not allowed", "startsAt: is not allowed"}},
		{name: "an unknown parameter is refused by the service", operation: "GET /v1/locations", query: "limit=1&%0A=2", service: []string{`"\n": is not allowed`, "limit: is not allowed"}},
		{name: "a backslash in a query is no escape", operation: windows, query: `startsAt[gte]=%5C&%5C=1&a%5Cu0062=2`, client: []string{"startsAt[gte]: must be a date"}, service: []string{"startsAt[gte]: must be a date", `\: is not allowed`, `a\u0062: is not allowed`}},
		{name: "a repeated parameter is refused by the service", operation: "GET /v1/variables", query: "limit=1&limit=2", service: []string{"limit: must be given once"}},
		{name: "some parameters may be repeated", operation: "GET /v1/checks", query: "tag=a&tag=b"},
		{name: "each of two equal parameters is checked", operation: "GET /v1/variables", query: "limit=1&limit=0", client: []string{"limit: 0 is outside 1..100"}, service: []string{"limit: 0 is outside 1..100", "limit: must be given once"}},
	} {
		query, err := url.ParseQuery(c.query)
		require.NoError(t, err, c.name)
		o := Lookup(c.operation)
		require.Equal(t, c.client, said(o.CheckQuery(query, Client)), c.name)
		if c.service == nil {
			c.service = c.client
		}
		require.Equal(t, c.service, said(o.CheckQuery(query, Service)), c.name)
	}
}
