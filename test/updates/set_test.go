package updates_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// row is what a wish does to the update of an object that was read.
type row struct {
	wish string
	// changes is what Diff says, a line for each change.
	changes string
	// refused is a part of the error of Validate.
	refused string
}

// check compares a row with what an update says after Set.
func (r row) check(t *testing.T, diff []monitoring.Change, refused error) {
	t.Helper()
	if r.refused != "" {
		require.ErrorContains(t, refused, r.refused)
		return
	}
	require.NoError(t, refused)
	var lines []string
	for _, c := range diff {
		lines = append(lines, c.String())
	}
	require.Equal(t, r.changes, strings.Join(lines, "\n"))
}

const setCheck = `{"id":"` + kit.UUID1 + `","checkType":"API","name":"n","groupId":7,"tags":["a","b"],
	"retryStrategy":{"type":"LINEAR","baseBackoffSeconds":60.0,"sameRegion":true,"maxRetries":3,"maxDurationSeconds":600,"onlyOn":["NETWORK_ERROR"]},
	"triggerIncident":{"serviceId":"s","severity":"MAJOR","name":"i","description":"d","notifySubscribers":true},
	"alertSettings":{"escalationType":"RUN_BASED","runBasedEscalation":{"failedRunThreshold":2,"later":1},"reminders":{"amount":3,"interval":5},"new":1},
	"request":{"method":"GET","url":"https://a.test","followRedirects":false,"id":"r","basicAuth":null,
		"headers":[{"key":"X-Plain","value":"v","locked":false},{"key":"X-Test","value":"t","locked":false,"new":1}]}}`

// wishOf reads a check of a file.
func wishOf(t *testing.T, checkType, members string) *monitoring.Check {
	t.Helper()
	return new(read[monitoring.Check](t, string(rawjson.With([]byte(members), "checkType", text(checkType)))))
}

func TestSetGivesACheckWhatTheWishHasAndKeepsTheRest(t *testing.T) {
	for name, r := range map[string]row{
		"an empty wish":                        {wish: `{}`},
		"null of a list":                       {wish: `{"tags":null}`},
		"null of a pointer":                    {wish: `{"alertSettings":null,"muted":null}`},
		"an empty list":                        {`{"tags":[]}`, "tags[0]: removed \"a\"\ntags[1]: removed \"b\"", ""},
		"null of a number":                     {`{"groupId":null}`, "groupId: 7 -> null", ""},
		"null of an object":                    {`{"triggerIncident":null}`, `triggerIncident: {"serviceId":"s","severity":"MAJOR","name":"i","description":"d","notifySubscribers":true} -> null`, ""},
		"a text":                               {`{"name":"m"}`, `name: "n" -> "m"`, ""},
		"false":                                {`{"muted":false}`, `muted: added false`, ""},
		"an object inside that is equal":       {wish: `{"alertSettings":{"runBasedEscalation":{"failedRunThreshold":2}}}`},
		"a zero inside":                        {`{"alertSettings":{"reminders":{"amount":0}}}`, "alertSettings.reminders.amount: 3 -> 0", ""},
		"a new object inside":                  {`{"alertSettings":{"parallelRunFailureThreshold":{"enabled":true}}}`, `alertSettings.parallelRunFailureThreshold: added {"enabled":true}`, ""},
		"a part of the request":                {`{"request":{"followRedirects":true}}`, "request.followRedirects: false -> true", ""},
		"a retry strategy":                     {`{"retryStrategy":{"type":"SINGLE_RETRY","baseBackoffSeconds":60,"sameRegion":true,"onlyOn":["NETWORK_ERROR"]}}`, "retryStrategy.type: \"LINEAR\" -> \"SINGLE_RETRY\"\nretryStrategy.maxRetries: removed 3\nretryStrategy.maxDurationSeconds: removed 600", ""},
		"the retry strategy in other numbers":  {wish: `{"retryStrategy":{"type":"LINEAR","baseBackoffSeconds":60,"sameRegion":true,"maxRetries":3,"maxDurationSeconds":600,"onlyOn":["NETWORK_ERROR"]}}`},
		"an incident":                          {`{"triggerIncident":{"serviceId":"s","severity":"MAJOR","name":"i"}}`, "triggerIncident.description: \"d\" -> \"\"\ntriggerIncident.notifySubscribers: true -> false", ""},
		"a set in another order":               {wish: `{"tags":["b","a"]}`},
		"a set with a duplicate":               {wish: `{"tags":["b","a","b"]}`},
		"credentials that are empty":           {wish: `{"request":{"basicAuth":{"username":"","password":""}}}`},
		"credentials":                          {`{"request":{"basicAuth":{"username":"u","password":"p"}}}`, `request.basicAuth: null -> {"username":"[redacted]","password":"[redacted]"}`, ""},
		"headers":                              {`{"request":{"headers":[{"key":"X-Plain","value":"w","locked":false}]}}`, "request.headers[0].value (X-Plain): its value is changed\nrequest.headers[1]: removed {\"key\":\"X-Test\",\"value\":\"[redacted]\",\"locked\":false,\"new\":\"[redacted]\"}", ""},
		"headers without their values":         {wish: `{"request":{"headers":[{"key":"X-Plain","value":null,"locked":false},{"key":"X-Test","value":null,"locked":false}]}}`},
		"a header beside one without a value":  {`{"request":{"headers":[{"key":"X-Plain","value":"w","locked":false},{"key":"X-Test","value":null,"locked":false}]}}`, "request.headers[0].value (X-Plain): its value is changed", ""},
		"a header twice without a value":       {`{"request":{"headers":[{"key":"X-Test","value":null},{"key":"X-Test","value":null}]}}`, "", "request.headers[0].value: has no value: it was never set"},
		"a new header without a value":         {`{"request":{"headers":[{"key":"X-New","value":null}]}}`, "", "request.headers[0].value: has no value: it was never set"},
		"the headers in another order":         {`{"request":{"headers":[{"key":"X-Test","value":"t","locked":false},{"key":"X-Plain","value":"v","locked":false}]}}`, "request.headers: the order is changed: [\"X-Plain\",\"X-Test\"] -> [\"X-Test\",\"X-Plain\"]", ""},
		"members that the check does not have": {`{"frequency":5,"id":"x","new":1}`, "frequency: added 5", ""},
	} {
		t.Run(name, func(t *testing.T) {
			check := kit.Returned[monitoring.Check](setCheck)
			require.NoError(t, check.SetFrom(wishOf(t, "API", r.wish)))
			r.check(t, check.Diff(), check.Validate())
		})
	}
}

// A newer service adds members to the items of lists, and to objects that are replaced as a whole.
func TestSetKeepsWhatIsUnknownInAnItemThatTheWishHas(t *testing.T) {
	const object = `{"id":"` + kit.UUID1 + `","checkType":"API","name":"n","tags":["a"],"alertChannelSubscriptions":[{"alertChannelId":1,"activated":true,"new":1},{"alertChannelId":2,"activated":false,"new":2}],
		"retryStrategy":{"type":"FIXED","new":3},"triggerIncident":{"serviceId":"s","severity":"MAJOR","name":"i","description":"d","notifySubscribers":true,"new":4},
		"request":{"method":"GET","url":"u","basicAuth":{"username":"u","password":"p","new":5},
			"headers":[{"key":"K","value":null,"new":6},{"key":"L","value":"l","locked":false,"new":7}],"queryParameters":[{"key":"q","value":"1","new":8},{"key":"q","value":"2","new":9}],
			"assertions":[{"source":"STATUS_CODE","comparison":"EQUALS","target":"200","property":"","regex":null,"new":10},{"source":"JSON_BODY","comparison":"EQUALS","property":"$.a","target":"1","new":11}]}}`
	const same = `{"alertChannelSubscriptions":[{"alertChannelId":2,"activated":false},{"alertChannelId":1,"activated":true},{"alertChannelId":2,"activated":false}],
		"retryStrategy":{"type":"FIXED","baseBackoffSeconds":60},"triggerIncident":{"serviceId":"s","severity":"MAJOR","name":"i","description":"d","notifySubscribers":true},
		"request":{"basicAuth":{"username":"u","password":"p"},"headers":[{"key":"K"},{"key":"L","value":"l"}],"queryParameters":[{"key":"q","value":"1"},{"key":"q","value":"2","locked":false}],
			"assertions":[{"source":"STATUS_CODE","comparison":"EQUALS","target":"200"},{"source":"JSON_BODY","comparison":"EQUALS","property":"$.a","target":"1"}]}}`
	check, wish := kit.Returned[monitoring.Check](object), wishOf(t, "API", same)
	require.NoError(t, check.SetFrom(wish))
	require.NoError(t, check.Validate())
	require.Empty(t, check.Diff())
	require.Empty(t, sentFor(t, check))

	wish.API.Assertions[1].Target = new("2")
	wish.RetryStrategy = monitoring.Value(monitoring.RetryStrategy{Type: monitoring.RetryStrategyLinear})
	wish.AlertChannelSubscriptions = []monitoring.AlertChannelSubscription{{AlertChannelID: 1}, {AlertChannelID: 3}}
	wish.API.Headers[0].Value = monitoring.NewSecret("k")
	require.NoError(t, check.SetFrom(wish))
	require.Equal(t, []string{`retryStrategy.type: "FIXED" -> "LINEAR"`, `retryStrategy.new: removed [redacted]`,
		`alertChannelSubscriptions[0].activated: true -> false`, `alertChannelSubscriptions[1]: removed {"alertChannelId":2,"activated":false,"new":"[redacted]"}`,
		`alertChannelSubscriptions[1]: added {"alertChannelId":3,"activated":false}`,
		`request.headers[0].value (K): a withheld secret is set`, `request.assertions[1].target: "1" -> "2"`}, linesOf(check.Diff()))
	for _, kept := range []string{`{"alertChannelId":1,"activated":false,"new":1}`, `"new":5`, `"value":"k","new":6`, `"new":7`, `"new":8`, `"new":9`, `"new":10`, `"target":"2","new":11`} {
		require.Contains(t, sentFor(t, check), kept)
	}
}

// An older service has a text for a list of one condition, and null for none.
func TestAWishOfOneConditionIsThatOfAServiceWithATextForIt(t *testing.T) {
	for is, wish := range map[string]string{`"NETWORK_ERROR"`: `["NETWORK_ERROR"]`, `["NETWORK_ERROR"]`: `["NETWORK_ERROR","NETWORK_ERROR"]`, `null`: `null`, `[]`: `[]`} {
		u := readGroup(t, `{"id":7,"name":"n","retryStrategy":{"type":"FIXED","onlyOn":`+is+`}}`)
		setGroupTo(t, u, `{"retryStrategy":{"type":"FIXED","onlyOn":`+wish+`}}`)
		require.Empty(t, u.Diff(), is)
		setGroupTo(t, u, `{"retryStrategy":{"type":"FIXED"}}`)
		require.Equal(t, is == "null" || is == "[]", len(u.Diff()) == 0, is)
		setGroupTo(t, u, `{"retryStrategy":{"type":"FIXED","onlyOn":["OTHER"]}}`)
		require.NotEmpty(t, u.Diff(), is)
	}
}

func TestSetToARetryStrategyWithoutTheDefaultsThatTheServiceFillsInIsNoChange(t *testing.T) {
	u := kit.Returned[monitoring.Check](`{"id":"c","checkType":"API","name":"n","retryStrategy":{"type":"FIXED","baseBackoffSeconds":60.0,"sameRegion":true,"maxRetries":2,"maxDurationSeconds":600},
		"request":{"method":"GET","url":"u","headers":[{"key":"K","value":"v","locked":false}],"assertions":[{"source":"STATUS_CODE","comparison":"EQUALS","target":"200","property":"","regex":""}]}}`)
	require.NoError(t, u.SetFrom(wishOf(t, "API", `{"retryStrategy":{"type":"FIXED"},"request":{"headers":[{"key":"K","value":"v"}],"assertions":[{"source":"STATUS_CODE","comparison":"EQUALS","target":"200"}]}}`)))
	require.Empty(t, u.Diff())
}

func TestSetToAnSSLCheckWithoutItsDefaultsIsNoChange(t *testing.T) {
	u := kit.Returned[monitoring.Check](`{"id":"c","checkType":"SSL","name":"n","request":{"sslClientCertificateId":null,"assertions":[],"sslConfig":{"hostname":"h","port":443,
		"serverName":null,"ipFamily":"IPv4","skipChainValidation":false,"handshakeTimeoutMs":10000,"alertDaysBeforeExpiry":20,"securityBaseline":
		{"enabled":true,"minTLSVersion":{"severity":"fail","value":"TLS1.2"},"knownBadCA":{"severity":"fail"},"sctPresent":{"severity":"ignore"}}}}}`)
	require.NoError(t, u.SetFrom(wishOf(t, "SSL", `{"name":"n","request":{"sslConfig":{"hostname":"h","securityBaseline":{"minTLSVersion":{"severity":"fail"}}}}}`)))
	require.Empty(t, u.Diff())
}

const setGroup = `{"id":7,"name":"n","runParallel":null,"retryStrategy":null,"useGlobalAlertSettings":null,"alertSettings":null,
	"apiCheckDefaults":{"url":"https://a.test","headers":[{"key":"X-Secret","value":null,"locked":true},{"key":"X-Plain","value":"v","locked":false}],
		"basicAuth":{"username":"u","password":null},"new":1},
	"environmentVariables":[{"key":"TOKEN","value":null,"locked":false,"secret":true},{"key":"A","value":"a","locked":false,"secret":false}]}`

func TestSetGivesAGroupWhatTheWishHasAndKeepsTheRest(t *testing.T) {
	const equal = `{"key":"X-Secret","locked":true},{"key":"X-Plain","value":"v","locked":false}`
	for name, r := range map[string]row{
		"an empty wish":                         {wish: `{"name":""}`},
		"settings without members":              {`{"alertSettings":{}}`, "alertSettings: null -> {}", ""},
		"false":                                 {`{"runParallel":false}`, "runParallel: null -> false", ""},
		"FALLBACK":                              {`{"retryStrategy":"FALLBACK"}`, `retryStrategy: null -> "FALLBACK"`, ""},
		"null":                                  {wish: `{"retryStrategy":null,"alertSettings":null}`},
		"headers without a withheld value":      {wish: `{"apiCheckDefaults":{"headers":[` + equal + `]}}`},
		"variables without a withheld one":      {wish: `{"environmentVariables":[{"key":"TOKEN","locked":false,"secret":true},{"key":"A","value":"a","locked":false,"secret":false}]}`},
		"headers as json.Marshal writes them":   {wish: strings.Replace(`{"apiCheckDefaults":{"headers":[`+equal+`]}}`, `"v"`, "null", 1)},
		"variables as json.Marshal writes them": {wish: `{"environmentVariables":[{"key":"TOKEN","value":null,"locked":false,"secret":true},{"key":"A","value":null,"locked":false,"secret":false}]}`},
		"a variable that becomes secret":        {`{"environmentVariables":[{"key":"TOKEN","value":"t","secret":true},{"key":"A","value":null,"secret":true}]}`, "environmentVariables[0].value (TOKEN): a withheld secret is set\nenvironmentVariables[1].secret (A): false -> true", ""},
		"credentials without the password":      {wish: `{"apiCheckDefaults":{"basicAuth":{"username":"u"}}}`},
		"another header beside one without":     {`{"apiCheckDefaults":{"headers":[` + strings.Replace(equal, `"v"`, `"w"`, 1) + `]}}`, "", "would overwrite secrets that the service withholds (X-Secret)"},
		"an url beside withheld headers":        {`{"apiCheckDefaults":{"url":"https://b.test"}}`, "", "would overwrite secrets that the service withholds (X-Secret)"},
		"a variable beside one without":         {`{"environmentVariables":[{"key":"TOKEN","locked":false,"secret":true}]}`, "", "would overwrite secrets that the service withholds (TOKEN)"},
		"no variables":                          {`{"environmentVariables":[]}`, "environmentVariables[0]: removed {\"key\":\"TOKEN\",\"value\":null,\"locked\":false,\"secret\":true}\nenvironmentVariables[1]: removed {\"key\":\"A\",\"value\":\"[redacted]\",\"locked\":false,\"secret\":false}", ""},
		"the value of a withheld one":           {`{"environmentVariables":[{"key":"TOKEN","value":"t","locked":false,"secret":true},{"key":"A","value":"a","locked":false,"secret":false}]}`, "environmentVariables[0].value (TOKEN): a withheld secret is set", ""},
	} {
		t.Run(name, func(t *testing.T) {
			u := readGroup(t, setGroup)
			setGroupTo(t, u, r.wish)
			r.check(t, u.Diff(), u.Validate())
		})
	}
	u := readGroup(t, `{"id":7,"alertSettings":{"escalationType":"TIME_BASED","reminders":{"amount":3,"interval":10},"new":1}}`)
	setGroupTo(t, u, `{"alertSettings":{"reminders":{"amount":1}}}`)
	row{changes: "alertSettings.reminders.amount: 3 -> 1"}.check(t, u.Diff(), u.Validate())
}

// setGroupTo gives a group what one of a file has.
func setGroupTo(t *testing.T, group *monitoring.CheckGroup, wish string) {
	t.Helper()
	from := read[monitoring.CheckGroup](t, wish)
	require.NoError(t, group.SetFrom(&from))
}

func TestSetKeepsThePasswordOfTheSameUser(t *testing.T) {
	for user, refused := range map[string]string{"u": "", "v": "request.basicAuth.password: has no value: it was never set"} {
		u := kit.Returned[monitoring.Check](`{"id":"c","checkType":"API","name":"n","request":{"method":"GET","url":"u","basicAuth":{"username":"u","password":"p"}}}`)
		require.NoError(t, u.SetFrom(wishOf(t, "API", `{"request":{"basicAuth":{"username":"`+user+`","password":null}}}`)))
		row{refused: refused}.check(t, u.Diff(), u.Validate())
	}
}

func TestSetKeepsWhatTheFieldsOfAnObjectDoNotHave(t *testing.T) {
	u := kit.Returned[monitoring.Check](setCheck)
	require.NoError(t, u.SetFrom(wishOf(t, "API", `{"alertSettings":{"runBasedEscalation":{"failedRunThreshold":3}},"request":{"url":"https://b.test","id":"no","request":1}}`)))
	sent := sentFor(t, u)
	require.Contains(t, sent, `"runBasedEscalation":{"failedRunThreshold":3,"later":1},"reminders":{"amount":3,"interval":5},"new":1}`)
	require.Contains(t, sent, `"url":"https://b.test","followRedirects":false,"id":"r","basicAuth":null`)
	require.Contains(t, sent, `"locked":false,"new":1}`)
}

func TestSetSharesNothingWithTheWishNorWithOthers(t *testing.T) {
	wish := wishOf(t, "API", `{"tags":["a"],"muted":true,"alertSettings":{"reminders":{"amount":1}},"retryStrategy":{"type":"FIXED","onlyOn":["NETWORK_ERROR"]},
		"request":{"method":"GET","url":"https://a.test","headers":[{"key":"K","value":"v","locked":true}]}}`)
	before := kit.ToJSON(t, wish)
	for name, u := range map[string]*monitoring.Check{"of one's own": {CheckType: monitoring.CheckTypeAPI}, "that was read": kit.Returned[monitoring.Check](setCheck)} {
		require.NoError(t, u.SetFrom(wish))
		u.Tags[0], *u.Muted, *u.AlertSettings.Reminders.Amount = "b", false, 2
		strategy, _ := u.RetryStrategy.Get()
		strategy.OnlyOn[0] = "OTHER"
		u.API.URL, u.API.Headers[0].Key, *u.API.Headers[0].Locked = "https://b.test", "L", false
		require.Equal(t, before, kit.ToJSON(t, wish), name)
	}

	shared := &monitoring.AlertSettings{Reminders: &monitoring.Reminders{Amount: new(3)}}
	one := &monitoring.Check{CheckType: monitoring.CheckTypeTCP, AlertSettings: shared}
	require.NoError(t, one.SetFrom(&monitoring.Check{CheckType: monitoring.CheckTypeTCP, AlertSettings: &monitoring.AlertSettings{Reminders: &monitoring.Reminders{Amount: new(1)}}}))
	require.Equal(t, 1, *one.AlertSettings.Reminders.Amount)
	require.Equal(t, 3, *shared.Reminders.Amount, "another check may have it, too")
}

func TestSetDoesNotSetAutoAssignAlerts(t *testing.T) {
	u := kit.Returned[monitoring.Check](setCheck)
	require.NoError(t, u.SetFrom(&monitoring.Check{CheckType: monitoring.CheckTypeAPI, AutoAssignAlerts: new(true)}))
	require.Nil(t, u.AutoAssignAlerts)
	var group monitoring.CheckGroup
	require.NoError(t, group.SetFrom(&monitoring.CheckGroup{AutoAssignAlerts: new(true)}))
	require.Nil(t, group.AutoAssignAlerts)
}

func TestSetOfAHeartbeatMayHaveNoGrace(t *testing.T) {
	const check = `{"id":"c","checkType":"HEARTBEAT","name":"n","heartbeat":{"period":1,"periodUnit":"hours","grace":5,"graceUnit":"minutes","pingToken":"t","pingUrl":"https://ping.test/t"}}`
	for wish, want := range map[string]monitoring.Heartbeat{
		`{"periodUnit":"days"}`:              {Period: 1, PeriodUnit: "days", Grace: new(5.0), GraceUnit: "minutes", PingToken: monitoring.NewSecret("t")},
		`{"graceUnit":"seconds"}`:            {Period: 1, PeriodUnit: "hours", Grace: new(5.0), GraceUnit: "seconds", PingToken: monitoring.NewSecret("t")},
		`{"grace":0,"graceUnit":"seconds"}`:  {Period: 1, PeriodUnit: "hours", Grace: new(0.0), GraceUnit: "seconds", PingToken: monitoring.NewSecret("t")},
		`{"period":2,"periodUnit":"days"}`:   {Period: 2, PeriodUnit: "days", Grace: new(5.0), GraceUnit: "minutes", PingToken: monitoring.NewSecret("t")},
		`{"pingToken":"u","graceUnit":null}`: {Period: 1, PeriodUnit: "hours", Grace: new(5.0), GraceUnit: "minutes", PingToken: monitoring.NewSecret("u")},
	} {
		u := kit.Returned[monitoring.Check](check)
		require.NoError(t, u.SetFrom(wishOf(t, "HEARTBEAT", `{"heartbeat":`+wish+`}`)))
		want.PingURL = u.Heartbeat.PingURL
		require.Equal(t, want, *u.Heartbeat, wish)
		require.Equal(t, "https://ping.test/t", want.PingURL.Reveal())
	}
}

// Whatever a create may have has a field, and SetFrom gives it to another object.
func TestSetGivesAllThatACreateOfAnyKindMayHave(t *testing.T) {
	for _, k := range kindsOfChecks() {
		doc := all(schema.Lookup(k.creates()).Body).(map[string]any)
		if request, ok := doc["request"].(map[string]any); ok && k.checkType == "TCP" { // other names of hostname and data
			delete(request, "url")
			delete(request, "body")
		}
		body := text(doc)
		check := &monitoring.Check{CheckType: monitoring.CheckType(k.checkType)}
		require.NoError(t, check.SetFrom(wishOf(t, k.checkType, string(body))))
		require.JSONEq(t, string(rawjson.With(body, "checkType", text(k.checkType))), kit.ToJSON(t, check))
		require.JSONEq(t, string(body), createdBy(t, check))
	}
}

// all returns a value that has every member that a body may have.
func all(n *schema.Node) any {
	switch limits := n.Limits; {
	case n.Kinds&schema.Object != 0:
		object := make(map[string]any)
		for _, m := range n.Members {
			if !m.Node.TakesNothing() && m.Name != "checkType" { // which the operation says
				object[m.Name] = all(m.Node)
			}
		}
		return object
	case n.Kinds&schema.Array != 0:
		return []any{all(n.Items)}
	case n.Kinds&schema.Boolean != 0:
		return true
	case n.Kinds&(schema.Number|schema.Integer) != 0:
		return 1
	case limits.Enum != nil:
		return limits.Enum[0]
	}
	return "s"
}

func TestAGroupTakesAllThatAnotherOneHas(t *testing.T) {
	wish := read[monitoring.CheckGroup](t, filled(reflect.TypeFor[monitoring.CheckGroup]()))
	var group monitoring.CheckGroup
	require.NoError(t, group.SetFrom(&wish))
	want := kit.ParseJSON(t, kit.ToJSON(t, &wish)).(map[string]any)
	for _, name := range []string{"id", "created_at", "updated_at", "projectBindings", "autoAssignAlerts"} {
		require.Contains(t, want, name)
		delete(want, name)
	}
	require.JSONEq(t, string(text(want)), kit.ToJSON(t, &group))
}

// filled returns JSON of a type in which every member has a value.
func filled(t reflect.Type) string {
	if kit.IsNullable(t) {
		t = kit.NullableOf(t)
	}
	switch {
	case t == reflect.TypeFor[monitoring.Secret]() || t.Kind() == reflect.String:
		return `"s"`
	case t.Kind() == reflect.Pointer:
		return filled(t.Elem())
	case t.Kind() == reflect.Slice:
		return "[" + filled(t.Elem()) + "]"
	case t.Kind() == reflect.Struct:
		var members []string
		for name, f := range kit.WireFields(t, "json") {
			if name != "sslCertificates" { // which the update of a group never sends
				members = append(members, `"`+name+`":`+filled(f.Type))
			}
		}
		return "{" + strings.Join(members, ",") + "}"
	case t.Kind() == reflect.Bool:
		return "true"
	}
	return "1"
}

func TestTheDiffOfAnUpdateThatWasNotReadHasOnlyWhatIsSet(t *testing.T) {
	require.Empty(t, (&monitoring.CheckGroup{}).Diff())
	require.Equal(t, []string{`name: added "Shop"`}, linesOf((&monitoring.CheckGroup{Name: "Shop"}).Diff()))
	require.Equal(t, []string{"tags: added []"}, linesOf((&monitoring.CheckGroup{Tags: []string{}}).Diff()), "it clears the list")
	read := readGroup(t, `{"id":1,"name":"Shop"}`)
	read.Name = ""
	require.Equal(t, []string{`name: removed "Shop"`}, linesOf(read.Diff()), "the name of one that was read is removed")
}
