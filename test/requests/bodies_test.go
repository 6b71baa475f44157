//lint:file-ignore SA1019 what is deprecated is tested, too

package requests_test

import (
	"context"
	"encoding/json"
	"net/http"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// requestTypes returns every struct that is part of a body: the requests that methods take, and all
// structs in them.
func requestTypes() []reflect.Type {
	var types []reflect.Type
	var collect func(reflect.Type)
	collect = func(typ reflect.Type) {
		switch {
		case kit.IsNullable(typ):
			collect(kit.NullableOf(typ))
		case typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Slice:
			collect(typ.Elem())
		case typ.Kind() == reflect.Struct && !slices.Contains(types, typ):
			types = append(types, typ)
			for f := range typ.Fields() {
				if member := memberName(f); member != "" {
					collect(f.Type)
				}
			}
		}
	}
	for _, typ := range validators() {
		collect(typ)
	}
	return types
}

// memberName returns the name of a field in JSON; it is empty if the field is no member.
func memberName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return strings.TrimPrefix(name, "-")
}

// eachRequestField calls f for every field of every request type, with a new struct each time.
func eachRequestField(t *testing.T, f func(t *testing.T, name string, owner, field reflect.Value)) (seen int) {
	t.Helper()
	for _, kind := range requestTypes() {
		for i := range kind.NumField() {
			name := memberName(kind.Field(i))
			if name == "" {
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
func memberOf(t *testing.T, owner reflect.Value, name string) string {
	t.Helper()
	var members map[string]json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(kit.ToJSON(t, owner.Interface())), &members))
	if raw, ok := members[name]; ok {
		return string(raw)
	}
	return "absent"
}

func TestEveryNullableCanBeSentAbsentNullOrAsAValue(t *testing.T) {
	nullables := 0
	eachRequestField(t, func(t *testing.T, name string, owner, field reflect.Value) {
		if !kit.IsNullable(field.Type()) {
			return
		}
		nullables++
		absent := "absent"
		if owner.Type() == reflect.TypeFor[monitoring.BrowserCheckCreate]() && name == "script" {
			absent = "null" // it is required
		}
		require.Equal(t, absent, memberOf(t, owner, name))
		target := field.Addr().Interface().(json.Unmarshaler)
		require.NoError(t, target.UnmarshalJSON([]byte("null")))
		require.Equal(t, "null", memberOf(t, owner, name))
		zero := "{}"
		if plain := kit.NullableOf(field.Type()); plain.Kind() != reflect.Slice {
			zero = kit.ToJSON(t, reflect.Zero(plain).Interface())
		}
		require.NotEqual(t, "null", zero)
		require.NoError(t, target.UnmarshalJSON([]byte(zero)))
		require.Equal(t, zero, memberOf(t, owner, name), "an explicit zero value is sent")
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
		require.Equal(t, "absent", memberOf(t, owner, name))
		field.Set(reflect.MakeSlice(field.Type(), 0, 0))
		want := "[]"
		if owner.Type() == reflect.TypeFor[monitoring.TriggerTarget]() {
			want = "absent" // an empty filter may count as no filter, which runs every check
		}
		require.Equal(t, want, memberOf(t, owner, name))
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
		require.Contains(t, []string{"absent", "null"}, memberOf(t, owner, name)) // null if it is required
		field.Set(reflect.New(field.Type().Elem()))
		require.Equal(t, kit.ToJSON(t, field.Elem().Interface()), memberOf(t, owner, name))
	})
	require.GreaterOrEqual(t, pointers, 40, "fields were missed")
}

var smtpBanner = monitoring.TCPCheckCreate{
	Name: "SMTP banner", Activated: new(true), Muted: new(false), DoubleCheck: new(false), ShouldFail: new(false),
	Locations: []monitoring.Region{monitoring.RegionEUWest1}, PrivateLocations: []string{}, Tags: []string{"mail"}, Description: monitoring.Null[string](),
	Frequency: new(monitoring.FrequencySubMinute), FrequencyOffset: new(30), DegradedResponseTime: monitoring.Value(1500.0), MaxResponseTime: monitoring.Value(3000.0),
	UseGlobalAlertSettings: new(false),
	AlertSettings: &monitoring.AlertSettings{
		EscalationType: monitoring.EscalationRunBased, RunBasedEscalation: &monitoring.RunBasedEscalation{FailedRunThreshold: new(2)},
		Reminders:                   &monitoring.Reminders{Amount: new(1), Interval: new(10)},
		ParallelRunFailureThreshold: &monitoring.ParallelRunFailureThreshold{Enabled: new(false), Percentage: new(10)},
	},
	AlertChannelSubscriptions: []monitoring.AlertChannelSubscription{{AlertChannelID: 263584, Activated: true}},
	GroupID:                   monitoring.Null[int64](), GroupOrder: monitoring.Null[int](), RuntimeID: monitoring.Null[monitoring.RuntimeID](), RunParallel: new(false),
	RetryStrategy: monitoring.Value(monitoring.RetryStrategy{Type: monitoring.RetryStrategySingleRetry, BaseBackoffSeconds: new(10), SameRegion: new(true)}),
	TriggerIncident: monitoring.Value(monitoring.TriggerIncident{
		ServiceID: "0a7d9a1e-8e2b-4c84-9a0e-6b6f3b2d1c55", Severity: monitoring.SeverityMajor, Name: "Mail down", Description: "SMTP unreachable",
	}),
	Request: monitoring.TCPRequest{
		Hostname: "mx.shop.test", Port: 25, Data: monitoring.Value("EHLO probe\r\n"), IPFamily: monitoring.IPFamilyIPv6,
		Assertions: []monitoring.Assertion{
			{Source: monitoring.SourceResponseData, Comparison: monitoring.ComparisonContains, Property: new(""), Target: new("250"), Regex: monitoring.Null[string]()},
			{Source: monitoring.SourceResponseTime, Comparison: monitoring.ComparisonLessThan, Property: new(""), Target: new("2000"), Regex: monitoring.Null[string]()},
		},
	},
}

var checkoutGroup = monitoring.CheckGroupUpdate{
	Name: "Checkout", Activated: new(true), Muted: new(false), Tags: []string{"production"}, Locations: []monitoring.Region{}, PrivateLocations: []string{},
	Concurrency: new(2),
	APICheckDefaults: &monitoring.APICheckDefaults{
		URL: monitoring.Value("https://api.shop.test"), Headers: []monitoring.KeyValue{{Key: "Cache-Control", Value: monitoring.NewSecret("no-store"), Locked: new(false)}},
	},
	RuntimeID:                 monitoring.Null[monitoring.RuntimeID](),
	EnvironmentVariables:      []monitoring.EnvironmentVariable{{Key: "BASE", Value: monitoring.NewSecret("https://api.shop.test"), Locked: new(false), Secret: new(false)}},
	AlertChannelSubscriptions: []monitoring.AlertChannelSubscription{},
	SetupSnippetID:            monitoring.Null[int64](), TearDownSnippetID: monitoring.Null[int64](), LocalSetupScript: monitoring.Null[string](), LocalTearDownScript: monitoring.Null[string](),
	RunParallel: monitoring.Null[bool](), AlertSettings: monitoring.Null[monitoring.AlertSettings](), UseGlobalAlertSettings: monitoring.Null[bool](),
	RetryStrategy: monitoring.Value(monitoring.RetryStrategy{Type: monitoring.RetryStrategyFallback}), DoubleCheck: new(false),
}

// newGroup is a group that is created with the settings of checkoutGroup.
var newGroup = monitoring.CheckGroupCreate{
	Name: checkoutGroup.Name, Activated: checkoutGroup.Activated, Muted: checkoutGroup.Muted, Tags: checkoutGroup.Tags, Locations: checkoutGroup.Locations,
	PrivateLocations: checkoutGroup.PrivateLocations, Concurrency: checkoutGroup.Concurrency, APICheckDefaults: checkoutGroup.APICheckDefaults,
	BrowserCheckDefaults: checkoutGroup.BrowserCheckDefaults, RuntimeID: checkoutGroup.RuntimeID, EnvironmentVariables: checkoutGroup.EnvironmentVariables,
	AlertChannelSubscriptions: checkoutGroup.AlertChannelSubscriptions, SetupSnippetID: checkoutGroup.SetupSnippetID, TearDownSnippetID: checkoutGroup.TearDownSnippetID,
	LocalSetupScript: checkoutGroup.LocalSetupScript, LocalTearDownScript: checkoutGroup.LocalTearDownScript, RunParallel: checkoutGroup.RunParallel,
	AlertSettings: checkoutGroup.AlertSettings, RetryStrategy: checkoutGroup.RetryStrategy, UseGlobalAlertSettings: checkoutGroup.UseGlobalAlertSettings, DoubleCheck: checkoutGroup.DoubleCheck,
}

// newOrders is an API check that is created with the settings of smtpBanner.
var newOrders = monitoring.APICheckCreate{
	Name: "Orders", Activated: smtpBanner.Activated, Muted: smtpBanner.Muted, DoubleCheck: smtpBanner.DoubleCheck, ShouldFail: smtpBanner.ShouldFail,
	Locations: smtpBanner.Locations, PrivateLocations: smtpBanner.PrivateLocations, Tags: smtpBanner.Tags, Description: smtpBanner.Description,
	Frequency: smtpBanner.Frequency, FrequencyOffset: smtpBanner.FrequencyOffset, DegradedResponseTime: smtpBanner.DegradedResponseTime, MaxResponseTime: smtpBanner.MaxResponseTime,
	UseGlobalAlertSettings: smtpBanner.UseGlobalAlertSettings, AlertSettings: smtpBanner.AlertSettings, AlertChannelSubscriptions: smtpBanner.AlertChannelSubscriptions,
	GroupID: smtpBanner.GroupID, GroupOrder: smtpBanner.GroupOrder, RuntimeID: smtpBanner.RuntimeID, RunParallel: smtpBanner.RunParallel,
	RetryStrategy: smtpBanner.RetryStrategy, TriggerIncident: smtpBanner.TriggerIncident,
	Request: monitoring.APIRequest{
		Method: http.MethodPost, URL: "https://api.shop.test/orders", FollowRedirects: new(true), SkipSSL: new(false), IPFamily: monitoring.IPFamilyIPv6,
		Body: new("{}"), BodyType: monitoring.APIBodyJSON,
		Headers:         []monitoring.KeyValue{{Key: "Authorization", Value: monitoring.NewSecret("Bearer x"), Locked: new(true)}},
		QueryParameters: []monitoring.KeyValue{{Key: "q", Value: monitoring.NewSecret(""), Locked: new(false)}},
		BasicAuth:       monitoring.Value(monitoring.BasicAuth{Username: "u", Password: monitoring.NewSecret("p")}),
		Assertions: []monitoring.Assertion{
			{Source: monitoring.SourceStatusCode, Comparison: monitoring.ComparisonEquals, Property: new(""), Target: new("200"), Regex: monitoring.Value("^2")},
		},
	},
	SetupSnippetID: monitoring.Null[int64](), LocalTearDownScript: monitoring.Value("b()"),
}

func TestRequestsAreEqualToTheSamples(t *testing.T) {
	const session, sequence = "c0a4a2b7-3c1f-4f0e-8a57-2b7c5b1d9e01", "2e8f64aa-0f6d-4c0e-8b7a-8d51f5f0b6c1"
	samples := map[string]func(context.Context, *monitoring.Client){
		"post-v2-check-sessions-trigger.tags": func(ctx context.Context, c *monitoring.Client) {
			c.CheckSessions.Trigger(ctx, monitoring.TriggerRequest{
				Target: monitoring.TriggerTarget{MatchTags: [][]string{{"production", "api"}, {"critical", "!flaky"}}}, RefreshCache: new(false),
			})
		},
		"post-v2-check-sessions-trigger.ids": func(ctx context.Context, c *monitoring.Client) {
			c.CheckSessions.Trigger(ctx, monitoring.TriggerRequest{Target: monitoring.TriggerTarget{CheckIDs: []string{kit.UUID1}}})
		},
		"post-v2-check-sessions-trigger.all-checks": func(ctx context.Context, c *monitoring.Client) {
			c.CheckSessions.Trigger(ctx, monitoring.TriggerRequest{AllChecks: true})
		},
		"post-v1-check-session-cancel.all": func(ctx context.Context, c *monitoring.Client) {
			c.CheckSessions.Cancel(ctx, session, monitoring.CancelRequest{})
		},
		"post-v1-check-session-cancel.one-sequence": func(ctx context.Context, c *monitoring.Client) {
			c.CheckSessions.Cancel(ctx, session, monitoring.CancelRequest{SequenceIDs: []string{sequence}})
		},
		"put-v2-check-group.complete": func(ctx context.Context, c *monitoring.Client) { c.CheckGroups.Update(ctx, 4711, checkoutGroup) },
		"post-v2-check-groups.minimal": func(ctx context.Context, c *monitoring.Client) {
			c.CheckGroups.Create(ctx, monitoring.CheckGroupCreate{Name: "Checkout"})
		},
		"post-v2-check-groups.complete": func(ctx context.Context, c *monitoring.Client) { c.CheckGroups.Create(ctx, newGroup) },
		"post-v1-maintenance-windows.once": func(ctx context.Context, c *monitoring.Client) {
			c.MaintenanceWindows.Create(ctx, monitoring.MaintenanceWindowCreate{
				Name: "Move", StartsAt: monitoring.NewTimestamp(time.Date(2026, 9, 1, 0, 0, 0, 0, time.FixedZone("", 2*60*60))),
				EndsAt: monitoring.NewTimestamp(time.Date(2026, 9, 1, 2, 0, 0, 0, time.UTC)), PauseAllChecks: new(true),
			})
		},
		"post-v1-maintenance-windows.weekly": func(ctx context.Context, c *monitoring.Client) {
			c.MaintenanceWindows.Create(ctx, monitoring.MaintenanceWindowCreate{
				Name: "Weekly database upgrade", StartsAt: monitoring.NewTimestamp(time.Date(2026, 8, 23, 2, 0, 0, 0, time.UTC)), EndsAt: monitoring.NewTimestamp(time.Date(2026, 8, 23, 4, 30, 0, 0, time.UTC)),
				Tags: []string{"database"}, RepeatInterval: monitoring.Value(1), RepeatUnit: monitoring.RepeatWeek, Timezone: monitoring.Value("Europe/Berlin"),
				RepeatEndsAt: monitoring.Value(monitoring.DateOf(time.Date(2026, 12, 31, 23, 0, 0, 0, time.FixedZone("", -5*60*60)))), Description: monitoring.Value("Rolling upgrade"),
				PauseAllChecks: new(false), SilenceAllAlerts: new(true), SilenceAlertsTags: []string{"database"},
				StatusPageVisibility: &monitoring.StatusPageVisibility{
					Enabled: new(true), Severity: monitoring.Value(monitoring.SeverityMinor), AffectAllServices: new(false), SuppressAutoIncidents: new(true), NotifyOnStart: new(true), NotifyOnEnd: new(false),
					ReminderMinutesBefore: []int{60, 1440}, AutoStart: new(true), AutoEnd: new(true), ShowAffectedServices: new(true),
					StatusPageIDs: []string{"1d0c6f5e-8c3a-4d0f-9d6e-4f2b1a7c8e90"}, ServiceIDs: []string{"0a7d9a1e-8e2b-4c84-9a0e-6b6f3b2d1c55"},
				},
			})
		},
		"put-v1-maintenance-window.partial": func(ctx context.Context, c *monitoring.Client) {
			c.MaintenanceWindows.Update(ctx, 321, monitoring.MaintenanceWindowUpdate{
				EndsAt: new(monitoring.NewTimestamp(time.Date(2026, 8, 23, 5, 0, 0, 0, time.UTC))), RepeatInterval: monitoring.Null[int](), RepeatUnit: monitoring.Null[monitoring.RepeatUnit](),
				RepeatEndsAt: monitoring.Null[monitoring.Date](), Timezone: monitoring.Null[string](), SilenceAlertsTags: []string{}, Description: monitoring.Value("Longer"),
			})
		},
		"post-v1-variables.minimal": func(ctx context.Context, c *monitoring.Client) {
			c.Variables.Create(ctx, monitoring.VariableCreate{Key: "EMPTY", Value: monitoring.NewSecret("")})
		},
		"post-v1-variables.secret": func(ctx context.Context, c *monitoring.Client) {
			c.Variables.Create(ctx, monitoring.VariableCreate{Key: "TEST_PASSWORD", Value: monitoring.NewSecret("correct horse"), Locked: new(false), Secret: new(true)})
		},
		"put-v1-variable.value": func(ctx context.Context, c *monitoring.Client) {
			v := monitoring.EnvironmentVariable{Key: "API_URL", Value: monitoring.NewSecret("https://api.shop.test"), Locked: new(true)}
			c.Variables.Update(ctx, "API_URL", v.ToUpdate())
		},
		"post-v1-checks-api.minimal": func(ctx context.Context, c *monitoring.Client) {
			c.Checks.CreateAPI(ctx, monitoring.APICheckCreate{Name: "Home page", Request: monitoring.APIRequest{Method: http.MethodGet, URL: "https://shop.test"}})
		},
		"post-v1-checks-api.complete": func(ctx context.Context, c *monitoring.Client) { c.Checks.CreateAPI(ctx, newOrders) },
		"post-v1-checks-browser.without-script": func(ctx context.Context, c *monitoring.Client) {
			c.Checks.CreateBrowser(ctx, monitoring.BrowserCheckCreate{Name: "Login flow", Script: monitoring.Null[string]()})
		},
		"post-v1-checks-browser.complete": func(ctx context.Context, c *monitoring.Client) {
			c.Checks.CreateBrowser(ctx, monitoring.BrowserCheckCreate{
				Name: "Login flow", Script: monitoring.Value("await page.goto('https://shop.test')"), Tags: []string{"login"}, Frequency: new(monitoring.Frequency5Minutes),
				SSLCheckDomain: monitoring.Value("shop.test"), Dependencies: []monitoring.Dependency{{Path: "a.js", Content: "x"}},
				EnvironmentVariables: []monitoring.EnvironmentVariable{{Key: "USER", Value: monitoring.NewSecret("probe"), Locked: new(false), Secret: new(false)}},
			})
		},
		"put-v1-checks-api.partial": func(ctx context.Context, c *monitoring.Client) {
			c.Checks.UpdateAPI(ctx, kit.UUID1, monitoring.APICheckUpdate{
				Muted: new(true), GroupID: monitoring.Null[int64](), LocalSetupScript: monitoring.Null[string](),
				Request: &monitoring.APIRequest{Method: http.MethodGet, URL: "https://shop.test", Headers: []monitoring.KeyValue{}, BasicAuth: monitoring.Null[monitoring.BasicAuth]()},
			})
		},
		"put-v1-checks-tcp.partial": func(ctx context.Context, c *monitoring.Client) {
			c.Checks.UpdateTCP(ctx, kit.UUID1, monitoring.TCPCheckUpdate{
				Tags: []string{}, Frequency: new(5), MaxResponseTime: monitoring.Null[float64](), Request: &monitoring.TCPRequest{Hostname: "mx.shop.test", Port: 465},
			})
		},
		"post-v1-checks-tcp.minimal": func(ctx context.Context, c *monitoring.Client) {
			c.Checks.CreateTCP(ctx, monitoring.TCPCheckCreate{Name: "Database port", Request: monitoring.TCPRequest{Hostname: "db.shop.test", Port: 5432}})
		},
		"post-v1-checks-tcp.complete": func(ctx context.Context, c *monitoring.Client) { c.Checks.CreateTCP(ctx, smtpBanner) },
		"put-v1-checks-browser.partial": func(ctx context.Context, c *monitoring.Client) {
			c.Checks.UpdateBrowser(ctx, kit.UUID1, monitoring.BrowserCheckUpdate{
				Muted: new(true), GroupID: monitoring.Null[int64](), Tags: []string{}, Frequency: new(monitoring.Frequency5Minutes),
				EnvironmentVariables: []monitoring.EnvironmentVariable{{Key: "USER", Value: monitoring.NewSecret("probe"), Locked: new(false), Secret: new(false)}},
			})
		},
		"post-v1-check-sessions-trigger.tags": func(ctx context.Context, c *monitoring.Client) {
			c.CheckSessions.TriggerV1(ctx, monitoring.TriggerRequest{Target: monitoring.TriggerTarget{MatchTags: [][]string{{"production", "!flaky"}}}, RefreshCache: new(true)})
		},
		"put-v1-check.partial": func(ctx context.Context, c *monitoring.Client) {
			c.Checks.Update(ctx, kit.UUID1, monitoring.CheckUpdate{
				CheckType: monitoring.CheckTypeTCP, Name: new("Database port"), Request: monitoring.TCPRequest{Hostname: "db.shop.test", Port: 5432},
				Frequency: new(monitoring.FrequencySubMinute), FrequencyOffset: new(10), LocalSetupScript: monitoring.Null[string](),
			})
		},
	}
	for _, file := range kit.Files(t, "testdata/requests/*.json") {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		require.NotNil(t, samples[name], "add the call that sends testdata/requests/%s.json", name)
	}
	for name, call := range samples {
		t.Run(name, func(t *testing.T) {
			client, sent := kit.Recorded(t, 200, `{}`)
			call(t.Context(), client)
			require.Len(t, sent.Sent, 1, "the sample was not sent")
			require.JSONEq(t, kit.File(t, "testdata/requests/"+name+".json"), sent.Sent[0].Body)
		})
	}
}

func TestATriggerNeverSendsAnEmptyFilter(t *testing.T) {
	for name, c := range map[string]struct {
		request monitoring.TriggerRequest
		want    string
	}{
		"all checks":                              {monitoring.TriggerRequest{AllChecks: true}, `{}`},
		"all checks with empty lists":             {monitoring.TriggerRequest{AllChecks: true, Target: monitoring.TriggerTarget{MatchTags: [][]string{}, CheckIDs: []string{}}}, `{}`},
		"all checks, refreshing the cache":        {monitoring.TriggerRequest{AllChecks: true, RefreshCache: new(true)}, `{"refreshCache":true}`},
		"ids with an empty list of tags":          {monitoring.TriggerRequest{Target: monitoring.TriggerTarget{MatchTags: [][]string{}, CheckIDs: []string{kit.UUID1}}}, `{"target":{"checkId":["` + kit.UUID1 + `"]}}`},
		"tags with an empty list of ids":          {monitoring.TriggerRequest{Target: monitoring.TriggerTarget{MatchTags: [][]string{{"a"}}, CheckIDs: []string{}}}, `{"target":{"matchTags":[["a"]]}}`},
		"an explicit false for the cache is kept": {monitoring.TriggerRequest{AllChecks: true, RefreshCache: new(false)}, `{"refreshCache":false}`},
	} {
		t.Run(name, func(t *testing.T) {
			client, sent := kit.Recorded(t, 201, `{"sessions":[]}`)
			_, err := client.CheckSessions.Trigger(t.Context(), c.request)
			require.NoError(t, err)
			_, err = client.CheckSessions.TriggerV1(t.Context(), c.request)
			require.NoError(t, err)
			require.Equal(t, c.want, sent.Sent[0].Body)
			require.Equal(t, c.want, sent.Sent[1].Body)
		})
	}
}

// TestARequestEscapesOnlyWhatJSONMustEscape sends a text in every part of a body.
func TestARequestEscapesOnlyWhatJSONMustEscape(t *testing.T) {
	const odd = "a&b<c>d'\u2028\u2029é"
	const unknown = `"alertSettings":{"x&":["` + odd + `"],"reminders":{"amount":1}},"environmentVariables":[{"key":"` + odd + `","value":"` + odd + `","<>":1}]`
	var group monitoring.CheckGroup
	require.NoError(t, json.Unmarshal([]byte(`{"id":1,"name":"n",`+unknown+`}`), &group))
	changed := group.ToUpdate()
	changed.EnvironmentVariables = append(changed.EnvironmentVariables, monitoring.NewEnvironmentVariable("k", odd))
	settings, _ := changed.AlertSettings.Get()
	settings.Reminders.Amount = new(2)
	for name, c := range map[string]struct {
		call func(context.Context, *monitoring.Client)
		want string
	}{
		"an update of a group": {func(ctx context.Context, c *monitoring.Client) {
			c.CheckGroups.Update(ctx, 1, monitoring.CheckGroupUpdate{Name: odd, Tags: []string{odd}, LocalSetupScript: monitoring.Value(odd), APICheckDefaults: &monitoring.APICheckDefaults{
				Headers: []monitoring.KeyValue{{Key: odd, Value: monitoring.NewSecret(odd)}}, BasicAuth: monitoring.Value(monitoring.BasicAuth{Username: odd, Password: monitoring.NewSecret(odd)}),
			}})
		}, `{"name":"ODD","tags":["ODD"],"apiCheckDefaults":{"headers":[{"key":"ODD","value":"ODD"}],"basicAuth":{"username":"ODD","password":"ODD"}},"localSetupScript":"ODD"}`},
		"what was read": {func(ctx context.Context, c *monitoring.Client) { c.CheckGroups.Update(ctx, 1, group.ToUpdate()) },
			`{"name":"n","environmentVariables":[{"key":"ODD","value":"ODD","<>":1}],"alertSettings":{"x&":["ODD"],"reminders":{"amount":1}}}`},
		"what was changed since": {func(ctx context.Context, c *monitoring.Client) { c.CheckGroups.Update(ctx, 1, changed) },
			`{"name":"n","environmentVariables":[{"key":"ODD","value":"ODD","<>":1},{"key":"k","value":"ODD"}],"alertSettings":{"x&":["ODD"],"reminders":{"amount":2}}}`},
		"a member of the body": {func(ctx context.Context, c *monitoring.Client) {
			c.CheckGroups.Update(ctx, 1, monitoring.CheckGroupUpdate{Name: "n"}, monitoring.WithBodyMember("x&", map[string]any{odd: []any{odd, monitoring.NewSecret(odd)}}))
		}, `{"name":"n","x&":{"ODD":["ODD","ODD"]}}`},
		"a trigger": {func(ctx context.Context, c *monitoring.Client) {
			c.CheckSessions.Trigger(ctx, monitoring.TriggerRequest{Target: monitoring.TriggerTarget{MatchTags: [][]string{{odd}}}})
		}, `{"target":{"matchTags":[["ODD"]]}}`},
		"a script": {func(ctx context.Context, c *monitoring.Client) {
			c.Checks.UpdateBrowser(ctx, "c", monitoring.BrowserCheckUpdate{Script: monitoring.Value(odd), Dependencies: []monitoring.Dependency{{Path: "p", Content: odd}}})
		}, `{"script":"ODD","dependencies":[{"path":"p","content":"ODD"}]}`},
		"a create": {func(ctx context.Context, c *monitoring.Client) {
			c.Checks.CreateTCP(ctx, monitoring.TCPCheckCreate{Name: odd, Request: monitoring.TCPRequest{Hostname: "h", Port: 1, Data: monitoring.Value(odd)}})
		}, `{"name":"ODD","request":{"hostname":"h","port":1,"data":"ODD"}}`},
		"a body of Do": {func(ctx context.Context, c *monitoring.Client) {
			monitoring.Do[struct{}](ctx, c, "POST", "/v1/things", nil, struct {
				Plain  struct{ Text string }
				Map    map[string]any
				Secret monitoring.SecretJSON
				Raw    json.RawMessage
			}{struct{ Text string }{odd}, map[string]any{odd: odd}, monitoring.NewSecretJSON(json.RawMessage(`{"s":"` + odd + `"}`)), json.RawMessage(`["` + odd + `"]`)})
		}, `{"Plain":{"Text":"ODD"},"Map":{"ODD":"ODD"},"Secret":{"s":"ODD"},"Raw":["ODD"]}`},
	} {
		t.Run(name, func(t *testing.T) {
			client, sent := kit.Recorded(t, 200, `{}`)
			c.call(t.Context(), client)
			require.Len(t, sent.Sent, 1, "the request was refused")
			require.Equal(t, strings.ReplaceAll(c.want, "ODD", odd), sent.Sent[0].Body)
		})
	}
}
