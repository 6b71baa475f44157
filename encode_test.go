package monitoring

import (
	"context"
	"encoding/json"
	"net/url"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// requestTypes returns every struct that is part of a request: the requests of the document
// table, and all structs in them.
func requestTypes(t *testing.T) []reflect.Type {
	t.Helper()
	var types []reflect.Type
	var collect func(reflect.Type)
	collect = func(kind reflect.Type) {
		switch {
		case isNullable(kind):
			collect(nullableOf(kind))
		case kind.Kind() == reflect.Pointer || kind.Kind() == reflect.Slice:
			collect(kind.Elem())
		case kind.Kind() == reflect.Struct && !slices.Contains(types, kind):
			types = append(types, kind)
			for _, f := range wireFields(kind, "json") {
				collect(f.Type)
			}
		}
	}
	for _, f := range documentFields(t) {
		if f.direction == "request" {
			owner, ok := documentTypes[f.owner]
			require.True(t, ok, unknownType, f.owner)
			collect(owner)
		}
	}
	return types
}

// eachRequestField calls f for every field of every request type, with a new struct each time.
func eachRequestField(t *testing.T, f func(t *testing.T, name string, owner, field reflect.Value)) (seen int) {
	t.Helper()
	for _, kind := range requestTypes(t) {
		for i := range kind.NumField() {
			name, _, _ := strings.Cut(kind.Field(i).Tag.Get("json"), ",")
			if name == "" || name == "-" {
				continue
			}
			seen++
			owner := reflect.New(kind).Elem()
			t.Run(kind.Name()+"."+name, func(t *testing.T) { f(t, name, owner, owner.Field(i)) })
		}
	}
	return seen
}

// member marshals a request and returns one member, or "absent".
func member(t *testing.T, owner reflect.Value, name string) string {
	t.Helper()
	var members map[string]json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(toJSON(t, owner.Interface())), &members))
	if raw, ok := members[name]; ok {
		return string(raw)
	}
	return "absent"
}

func TestEveryNullableCanBeSentAbsentNullOrAsAValue(t *testing.T) {
	nullables := 0
	eachRequestField(t, func(t *testing.T, name string, owner, field reflect.Value) {
		if !isNullable(field.Type()) {
			return
		}
		nullables++
		require.Equal(t, "absent", member(t, owner, name))
		target := field.Addr().Interface().(json.Unmarshaler)
		require.NoError(t, target.UnmarshalJSON([]byte("null")))
		require.Equal(t, "null", member(t, owner, name))
		zero := "{}"
		if plain := nullableOf(field.Type()); plain.Kind() != reflect.Slice {
			zero = toJSON(t, reflect.Zero(plain).Interface())
		}
		require.NotEqual(t, "null", zero)
		require.NoError(t, target.UnmarshalJSON([]byte(zero)))
		require.Equal(t, zero, member(t, owner, name), "an explicit zero value is sent")
	})
	require.GreaterOrEqual(t, nullables, 40, "fields were missed")
}

func TestANilListIsAbsentAndAnEmptyOneIsSent(t *testing.T) {
	lists := 0
	eachRequestField(t, func(t *testing.T, name string, owner, field reflect.Value) {
		if field.Kind() != reflect.Slice || field.Type() == reflect.TypeFor[json.RawMessage]() {
			return
		}
		lists++
		require.Equal(t, "absent", member(t, owner, name))
		field.Set(reflect.MakeSlice(field.Type(), 0, 0))
		want := "[]"
		if owner.Type() == reflect.TypeFor[TriggerTarget]() {
			want = "absent" // an empty filter may count as no filter, which runs every check
		}
		require.Equal(t, want, member(t, owner, name))
	})
	require.GreaterOrEqual(t, lists, 20, "fields were missed")
}

func TestAPointerToAZeroValueIsSent(t *testing.T) {
	pointers := 0
	eachRequestField(t, func(t *testing.T, name string, owner, field reflect.Value) {
		if field.Kind() != reflect.Pointer {
			return
		}
		pointers++
		require.Contains(t, []string{"absent", "null"}, member(t, owner, name)) // null if it is required
		field.Set(reflect.New(field.Type().Elem()))
		require.Equal(t, toJSON(t, field.Elem().Interface()), member(t, owner, name))
	})
	require.GreaterOrEqual(t, pointers, 40, "fields were missed")
}

var smtpBanner = TCPCheckCreate{
	Name: "SMTP banner", Activated: new(true), Muted: new(false), DoubleCheck: new(false), ShouldFail: new(false),
	Locations: []Region{RegionEUWest1}, PrivateLocations: []string{}, Tags: []string{"mail"}, Description: Null[string](),
	Frequency: new(FrequencySubMinute), FrequencyOffset: new(30), DegradedResponseTime: Value(1500.0), MaxResponseTime: Value(3000.0),
	UseGlobalAlertSettings: new(false),
	AlertSettings: &AlertSettings{
		EscalationType: EscalationRunBased, RunBasedEscalation: &RunBasedEscalation{FailedRunThreshold: new(2)},
		Reminders:                   &Reminders{Amount: new(1), Interval: new(10)},
		ParallelRunFailureThreshold: &ParallelRunFailureThreshold{Enabled: new(false), Percentage: new(10)},
	},
	AlertChannelSubscriptions: []AlertChannelSubscription{{AlertChannelID: 263584, Activated: true}},
	GroupID:                   Null[int64](), GroupOrder: Null[int](), RuntimeID: Null[RuntimeID](), RunParallel: new(false),
	RetryStrategy: Value(RetryStrategy{Type: RetryStrategySingleRetry, BaseBackoffSeconds: new(10), SameRegion: new(true)}),
	TriggerIncident: Value(TriggerIncident{
		ServiceID: "0a7d9a1e-8e2b-4c84-9a0e-6b6f3b2d1c55", Severity: SeverityMajor, Name: "Mail down", Description: "SMTP unreachable",
	}),
	Request: TCPRequest{
		Hostname: "mx.shop.test", Port: 25, Data: Value("EHLO probe\r\n"), IPFamily: IPFamilyIPv6,
		Assertions: []Assertion{
			{Source: SourceResponseData, Comparison: ComparisonContains, Property: new(""), Target: new("250"), Regex: Null[string]()},
			{Source: SourceResponseTime, Comparison: ComparisonLessThan, Property: new(""), Target: new("2000"), Regex: Null[string]()},
		},
	},
}

var checkoutGroup = CheckGroupUpdate{
	Name: "Checkout", Activated: new(true), Muted: new(false), Tags: []string{"production"}, Locations: []Region{}, PrivateLocations: []string{},
	Concurrency: new(2),
	APICheckDefaults: &APICheckDefaults{
		URL: Value("https://api.shop.test"), Headers: []KeyValue{{Key: "Cache-Control", Value: NewSecret("no-store"), Locked: new(false)}},
	},
	RuntimeID:                 Null[RuntimeID](),
	EnvironmentVariables:      []EnvironmentVariable{{Key: "BASE", Value: NewSecret("https://api.shop.test"), Locked: new(false), Secret: new(false)}},
	AlertChannelSubscriptions: []AlertChannelSubscription{},
	SetupSnippetID:            Null[int64](), TearDownSnippetID: Null[int64](), LocalSetupScript: Null[string](), LocalTearDownScript: Null[string](),
	RunParallel: Null[bool](), AlertSettings: Null[AlertSettings](), UseGlobalAlertSettings: Null[bool](),
	RetryStrategy: Value(RetryStrategy{Type: RetryStrategyFallback}), DoubleCheck: new(false),
}

func TestRequestsAreEqualToTheSamples(t *testing.T) {
	const session, sequence = "c0a4a2b7-3c1f-4f0e-8a57-2b7c5b1d9e01", "2e8f64aa-0f6d-4c0e-8b7a-8d51f5f0b6c1"
	samples := map[string]func(context.Context, *Client){
		"post-v2-check-sessions-trigger.tags": func(ctx context.Context, c *Client) {
			c.CheckSessions.Trigger(ctx, TriggerRequest{
				Target: TriggerTarget{MatchTags: [][]string{{"production", "api"}, {"critical", "!flaky"}}}, RefreshCache: new(false),
			})
		},
		"post-v2-check-sessions-trigger.ids": func(ctx context.Context, c *Client) {
			c.CheckSessions.Trigger(ctx, TriggerRequest{Target: TriggerTarget{CheckIDs: []string{uuid1}}})
		},
		"post-v2-check-sessions-trigger.all-checks": func(ctx context.Context, c *Client) {
			c.CheckSessions.Trigger(ctx, TriggerRequest{AllChecks: true})
		},
		"post-v1-check-session-cancel.all": func(ctx context.Context, c *Client) { c.CheckSessions.Cancel(ctx, session, CancelRequest{}) },
		"post-v1-check-session-cancel.one-sequence": func(ctx context.Context, c *Client) {
			c.CheckSessions.Cancel(ctx, session, CancelRequest{SequenceIDs: []string{sequence}})
		},
		"put-v2-check-group.complete": func(ctx context.Context, c *Client) { c.CheckGroups.Update(ctx, 4711, checkoutGroup) },
		"post-v1-checks-tcp.minimal": func(ctx context.Context, c *Client) {
			c.Checks.CreateTCP(ctx, TCPCheckCreate{Name: "Database port", Request: TCPRequest{Hostname: "db.shop.test", Port: 5432}})
		},
		"post-v1-checks-tcp.complete": func(ctx context.Context, c *Client) { c.Checks.CreateTCP(ctx, smtpBanner) },
		"put-v1-checks-browser.partial": func(ctx context.Context, c *Client) {
			c.Checks.UpdateBrowser(ctx, uuid1, BrowserCheckUpdate{
				Muted: new(true), GroupID: Null[int64](), Tags: []string{}, Frequency: new(Frequency5Minutes),
				EnvironmentVariables: []EnvironmentVariable{{Key: "USER", Value: NewSecret("probe"), Locked: new(false), Secret: new(false)}},
			})
		},
		"post-v1-check-sessions-trigger.tags": func(ctx context.Context, c *Client) {
			c.CheckSessions.TriggerV1(ctx, TriggerRequest{Target: TriggerTarget{MatchTags: [][]string{{"production", "!flaky"}}}, RefreshCache: new(true)})
		},
		"put-v1-check.partial": func(ctx context.Context, c *Client) {
			c.Checks.Update(ctx, uuid1, CheckUpdate{
				CheckType: CheckTypeTCP, Name: new("Database port"), Request: TCPRequest{Hostname: "db.shop.test", Port: 5432},
				Frequency: new(FrequencySubMinute), FrequencyOffset: new(10), LocalSetupScript: Null[string](),
			})
		},
	}
	files, err := filepath.Glob("testdata/requests/*.json")
	require.NoError(t, err)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		require.NotNil(t, samples[name], "add the call that sends testdata/requests/%s.json", name)
	}
	for name, call := range samples {
		t.Run(name, func(t *testing.T) {
			client, sent := newTestClient(t, 200, `{}`)
			call(t.Context(), client)
			require.Len(t, sent.Sent, 1, "the sample was not sent")
			require.JSONEq(t, readFile(t, "testdata/requests/"+name+".json"), sent.Sent[0].Body)
		})
	}
}

func TestATriggerNeverSendsAnEmptyFilter(t *testing.T) {
	for name, c := range map[string]struct {
		request TriggerRequest
		want    string
	}{
		"all checks":                              {TriggerRequest{AllChecks: true}, `{}`},
		"all checks with empty lists":             {TriggerRequest{AllChecks: true, Target: TriggerTarget{MatchTags: [][]string{}, CheckIDs: []string{}}}, `{}`},
		"all checks, refreshing the cache":        {TriggerRequest{AllChecks: true, RefreshCache: new(true)}, `{"refreshCache":true}`},
		"ids with an empty list of tags":          {TriggerRequest{Target: TriggerTarget{MatchTags: [][]string{}, CheckIDs: []string{uuid1}}}, `{"target":{"checkId":["` + uuid1 + `"]}}`},
		"tags with an empty list of ids":          {TriggerRequest{Target: TriggerTarget{MatchTags: [][]string{{"a"}}, CheckIDs: []string{}}}, `{"target":{"matchTags":[["a"]]}}`},
		"an explicit false for the cache is kept": {TriggerRequest{AllChecks: true, RefreshCache: new(false)}, `{"refreshCache":false}`},
	} {
		t.Run(name, func(t *testing.T) {
			client, sent := newTestClient(t, 201, `{"sessions":[]}`)
			_, err := client.CheckSessions.Trigger(t.Context(), c.request)
			require.NoError(t, err)
			_, err = client.CheckSessions.TriggerV1(t.Context(), c.request)
			require.NoError(t, err)
			require.Equal(t, c.want, sent.Sent[0].Body)
			require.Equal(t, c.want, sent.Sent[1].Body)
		})
	}
}

func TestAutoAssignAlertsIsSentInTheQueryOnly(t *testing.T) {
	for _, c := range []struct {
		value *bool
		want  string
	}{{nil, ""}, {new(true), "?autoAssignAlerts=true"}, {new(false), "?autoAssignAlerts=false"}} {
		client, sent := newTestClient(t, 200, `{"name":"n"}`)
		_, err := client.CheckGroups.Update(t.Context(), 1, CheckGroupUpdate{Name: "n", AutoAssignAlerts: c.value})
		require.NoError(t, err)
		_, err = client.Checks.CreateTCP(t.Context(), TCPCheckCreate{Name: "n", Request: TCPRequest{Hostname: "h", Port: 1}, AutoAssignAlerts: c.value})
		require.ErrorContains(t, err, "$.id: it is missing")
		_, err = client.Checks.UpdateBrowser(t.Context(), "b", BrowserCheckUpdate{AutoAssignAlerts: c.value})
		require.NoError(t, err)
		_, err = client.Checks.Update(t.Context(), "c", CheckUpdate{AutoAssignAlerts: c.value})
		require.NoError(t, err)
		for i, path := range []string{"/v2/check-groups/1", "/v1/checks/tcp", "/v1/checks/browser/b", "/v1/checks/c"} {
			require.Equal(t, testBase+path+c.want, sent.Sent[i].URL)
			require.NotContains(t, strings.ToLower(sent.Sent[i].Body), "autoassign")
		}
	}
}

func TestThePeriodOfAlertsIsSentInUnixSeconds(t *testing.T) {
	from := time.Date(2026, 8, 19, 0, 0, 0, 0, time.FixedZone("", -5*60*60))
	for name, c := range map[string]struct {
		options AlertNotificationListOptions
		want    string
	}{
		"none":                       {AlertNotificationListOptions{}, ""},
		"both":                       {AlertNotificationListOptions{From: from, To: from.Add(24 * time.Hour)}, "from=1787115600&to=1787202000"},
		"fractions widen the period": {AlertNotificationListOptions{From: from.Add(900 * time.Millisecond), To: from.Add(1100 * time.Millisecond)}, "from=1787115600&to=1787115602"},
		"one end only":               {AlertNotificationListOptions{From: from}, "from=1787115600&to=1787137200"},
		"sent successfully":          {AlertNotificationListOptions{HasFailures: new(false)}, "hasFailures=false"},
		"failed on a channel":        {AlertNotificationListOptions{HasFailures: new(true), AlertChannelID: 1<<53 - 1}, "alertChannelId=9007199254740991&hasFailures=true"},
	} {
		t.Run(name, func(t *testing.T) {
			client, sent := newTestClient(t, 200, `[]`)
			_, err := client.AlertNotifications.List(t.Context(), c.options)
			require.NoError(t, err)
			require.Equal(t, c.want, queryOf(t, sent.Sent[0]))
		})
	}
}

// queryOf returns the query of a request, unescaped.
func queryOf(t *testing.T, sent sentRequest) string {
	t.Helper()
	u, err := url.Parse(sent.URL)
	require.NoError(t, err)
	query, err := url.QueryUnescape(u.RawQuery)
	require.NoError(t, err)
	return query
}

// TestARequestEscapesOnlyWhatJSONMustEscape sends a text in every part of a body.
func TestARequestEscapesOnlyWhatJSONMustEscape(t *testing.T) {
	const odd = "a&b<c>d'\u2028\u2029é"
	const unknown = `"alertSettings":{"x&":["` + odd + `"],"reminders":{"amount":1}},"environmentVariables":[{"key":"` + odd + `","value":"` + odd + `","<>":1}]`
	group := readGroup(t, `{"id":1,"name":"n",`+unknown+`}`)
	changed := group.ToUpdate()
	changed.EnvironmentVariables = append(changed.EnvironmentVariables, NewEnvironmentVariable("k", odd))
	settings, _ := changed.AlertSettings.Get()
	settings.Reminders.Amount = new(2)
	for name, c := range map[string]struct {
		call func(context.Context, *Client)
		want string
	}{
		"an update of a group": {func(ctx context.Context, c *Client) {
			c.CheckGroups.Update(ctx, 1, CheckGroupUpdate{Name: odd, Tags: []string{odd}, LocalSetupScript: Value(odd), APICheckDefaults: &APICheckDefaults{
				Headers: []KeyValue{{Key: odd, Value: NewSecret(odd)}}, BasicAuth: Value(BasicAuth{Username: odd, Password: NewSecret(odd)}),
			}})
		}, `{"name":"ODD","tags":["ODD"],"apiCheckDefaults":{"headers":[{"key":"ODD","value":"ODD"}],"basicAuth":{"username":"ODD","password":"ODD"}},"localSetupScript":"ODD"}`},
		"what was read": {func(ctx context.Context, c *Client) { c.CheckGroups.Update(ctx, 1, group.ToUpdate()) },
			`{"name":"n","environmentVariables":[{"key":"ODD","value":"ODD","<>":1}],"alertSettings":{"x&":["ODD"],"reminders":{"amount":1}}}`},
		"what was changed since": {func(ctx context.Context, c *Client) { c.CheckGroups.Update(ctx, 1, changed) },
			`{"name":"n","environmentVariables":[{"key":"ODD","value":"ODD","<>":1},{"key":"k","value":"ODD"}],"alertSettings":{"x&":["ODD"],"reminders":{"amount":2}}}`},
		"a member of the body": {func(ctx context.Context, c *Client) {
			c.CheckGroups.Update(ctx, 1, CheckGroupUpdate{Name: "n"}, WithBodyMember("x&", map[string]any{odd: []any{odd, NewSecret(odd)}}))
		}, `{"name":"n","x&":{"ODD":["ODD","ODD"]}}`},
		"a trigger": {func(ctx context.Context, c *Client) {
			c.CheckSessions.Trigger(ctx, TriggerRequest{Target: TriggerTarget{MatchTags: [][]string{{odd}}}})
		}, `{"target":{"matchTags":[["ODD"]]}}`},
		"a script": {func(ctx context.Context, c *Client) {
			c.Checks.UpdateBrowser(ctx, "c", BrowserCheckUpdate{Script: Value(odd), Dependencies: []Dependency{{Path: "p", Content: odd}}})
		}, `{"script":"ODD","dependencies":[{"path":"p","content":"ODD"}]}`},
		"a create": {func(ctx context.Context, c *Client) {
			c.Checks.CreateTCP(ctx, TCPCheckCreate{Name: odd, Request: TCPRequest{Hostname: "h", Port: 1, Data: Value(odd)}})
		}, `{"name":"ODD","request":{"hostname":"h","port":1,"data":"ODD"}}`},
		"a body of Do": {func(ctx context.Context, c *Client) {
			Do[struct{}](ctx, c, "POST", "/v1/things", nil, struct {
				Plain  struct{ Text string }
				Map    map[string]any
				Secret SecretJSON
				Raw    json.RawMessage
			}{struct{ Text string }{odd}, map[string]any{odd: odd}, NewSecretJSON(json.RawMessage(`{"s":"` + odd + `"}`)), json.RawMessage(`["` + odd + `"]`)})
		}, `{"Plain":{"Text":"ODD"},"Map":{"ODD":"ODD"},"Secret":{"s":"ODD"},"Raw":["ODD"]}`},
	} {
		t.Run(name, func(t *testing.T) {
			client, sent := newTestClient(t, 200, `{}`)
			c.call(t.Context(), client)
			require.Len(t, sent.Sent, 1, "the request was refused")
			require.Equal(t, strings.ReplaceAll(c.want, "ODD", odd), sent.Sent[0].Body)
		})
	}
}
