//lint:file-ignore SA1019 what is deprecated is tested, too

package api_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// validator is a request with rules.
type validator interface{ Validate() error }

// validators returns the types of the requests that the methods of the services take.
func validators() []reflect.Type {
	var types []reflect.Type
	for service := range reflect.TypeFor[monitoring.Client]().Fields() {
		for method := range service.Type.Methods() {
			for in := range method.Type.Ins() {
				if in.Implements(reflect.TypeFor[validator]()) && !slices.Contains(types, in) {
					types = append(types, in)
				}
			}
		}
	}
	return types
}

// A call is a method with a request. Those of lists take options.
type call func(validator, ...monitoring.CallOption) error

func with[R validator, T any](method func(context.Context, R, ...monitoring.CallOption) (T, error)) call {
	return func(r validator, opts ...monitoring.CallOption) error {
		return kit.Second(method(context.Background(), r.(R), opts...))
	}
}

func withID[R validator, T, ID any](method func(context.Context, ID, R, ...monitoring.CallOption) (T, error), id ID) call {
	return with(func(ctx context.Context, r R, opts ...monitoring.CallOption) (T, error) {
		return method(ctx, id, r, opts...)
	})
}

func cancelOf(c *monitoring.Client) call {
	return withID(func(ctx context.Context, id string, r monitoring.CancelRequest, opts ...monitoring.CallOption) (any, error) {
		return nil, c.CheckSessions.Cancel(ctx, id, r, opts...)
	}, kit.UUID1)
}

func testCancelOf(c *monitoring.Client) call {
	return withID(func(ctx context.Context, id string, r monitoring.CancelRequest, opts ...monitoring.CallOption) (any, error) {
		return nil, c.TestSessions.Cancel(ctx, id, r, opts...)
	}, kit.UUID1)
}

func assetsOf(c *monitoring.Client) call {
	return withID(func(ctx context.Context, id string, o monitoring.CheckResultAssetOptions, opts ...monitoring.CallOption) (any, error) {
		return c.CheckResults.Assets(ctx, id, kit.UUID1, o, opts...)
	}, kit.UUID1)
}

// groupWith returns a changed group that a client has returned.
func groupWith(change func(*monitoring.CheckGroup)) *monitoring.CheckGroup {
	group := kit.Returned[monitoring.CheckGroup](`{"id":1,"name":"n"}`)
	change(group)
	return group
}

const (
	noFilter = "target: is empty, and would start every check of the account: set MatchTags or CheckIDs, or AllChecks if you mean every check"
	noSecret = ": has no value: it was never set, json.Marshal left it out, or the service withholds it: set it with NewSecret"
	withheld = noSecret + ", or omit the list or object"
	unlinked = "statusPageVisibility.statusPageIds: must be accompanied by serviceIds or affectAllServices"
	always   = true // refused even with WithoutValidation
)

// TestRequestsThatBreakARuleAreNotSent has the rules that the SDK adds to those of package schema,
// and a request of each type. The options of a list need a Validate beside them: that of the
// embedded ListOptions names no operation. Lists without options of their own take ListOptions as
// they are.
func TestRequestsThatBreakARuleAreNotSent(t *testing.T) {
	c, sent := kit.Recorded(t, 404, `{}`)
	cancel := cancelOf(c)
	filters := func(tags [][]string, ids ...string) monitoring.TriggerRequest {
		return monitoring.TriggerRequest{Target: monitoring.TriggerTarget{MatchTags: tags, CheckIDs: ids}}
	}
	at := monitoring.NewTimestamp(time.Date(2026, 9, 1, 0, 0, 0, 0, time.UTC))
	monday := time.Date(2026, 8, 3, 0, 0, 0, 0, time.UTC)
	var seen []string
	for _, row := range []struct {
		call    call
		request validator
		want    []string
		always  bool
	}{
		{with(c.CheckSessions.Trigger), monitoring.TriggerRequest{}, []string{noFilter}, always},
		{with(c.CheckSessions.TriggerV1), monitoring.TriggerRequest{}, []string{noFilter}, always},
		{with(c.CheckSessions.Trigger), filters([][]string{}), []string{noFilter}, always},
		{with(c.CheckSessions.Trigger), filters([][]string{{}}), []string{"target.matchTags[0]: must not be empty"}, always},
		{with(c.CheckSessions.Trigger), monitoring.TriggerRequest{AllChecks: true, Target: monitoring.TriggerTarget{CheckIDs: []string{kit.UUID1}}},
			[]string{"target: AllChecks cannot be combined with filters"}, always},
		{with(c.CheckSessions.Trigger), filters(nil, "7"), []string{`target.checkId[0]: "7" is not a UUID`}, false},
		{cancel, monitoring.CancelRequest{}, nil, false},
		{cancel, monitoring.CancelRequest{SequenceIDs: []string{}}, []string{"sequenceId: must not be an empty list: leave it nil to cancel everything in progress"}, always},
		{withID(c.CheckSessions.Completion, kit.UUID1), monitoring.CompletionOptions{MaxWaitSeconds: 30}, nil, false},
		{withID(c.CheckSessions.Completion, kit.UUID1), monitoring.CompletionOptions{MaxWaitSeconds: 31}, []string{"maxWaitSeconds: 31 is outside 1..30"}, false},

		{with(c.Variables.Create), &monitoring.EnvironmentVariable{Key: "K"}, []string{"value" + noSecret}, always},
		{with(c.Variables.Create), &monitoring.EnvironmentVariable{Key: "K", Value: monitoring.NewSecret("")}, nil, false},
		{with(c.CheckGroups.Create), &monitoring.CheckGroup{Concurrency: new(0)}, []string{"name: is required", "concurrency: 0 is below 1"}, false},
		{with(c.CheckGroups.Update), groupWith(func(g *monitoring.CheckGroup) {
			g.EnvironmentVariables = []monitoring.EnvironmentVariable{monitoring.NewEnvironmentVariable("A", "v"), {Key: "B"}}
			g.APICheckDefaults = &monitoring.APICheckDefaults{
				Headers: []monitoring.KeyValue{{Key: "H"}}, QueryParameters: []monitoring.KeyValue{{Key: "P", Value: monitoring.NewSecret("")}, {Key: "Q"}},
				BasicAuth: monitoring.Value(monitoring.BasicAuth{Username: "u"}),
			}
		}), []string{
			"apiCheckDefaults.headers[0].value" + withheld, "apiCheckDefaults.queryParameters[1].value" + withheld,
			"apiCheckDefaults.basicAuth.password" + withheld, "environmentVariables[1].value" + withheld,
		}, always},

		{with(c.AlertChannels.Create), &monitoring.AlertChannel{Type: "PIGEON"}, []string{"config" + noSecret + "JSON"}, always},
		{with(c.AlertChannels.Create), &monitoring.AlertChannel{Type: "PIGEON", Config: monitoring.NewSecretJSON([]byte(`{"url":null}`))},
			[]string{"config.url: has no value: it was never set, or the service withholds it: set it with SetConfig"}, always},
		{withID(c.AlertChannels.Subscribe, int64(1)), monitoring.ChannelSubscription{}, []string{"checkId: is required unless there is a groupId"}, always},
		{with(c.PrivateLocations.Create), &monitoring.PrivateLocation{SlugName: "eu-west-1"},
			[]string{"name: is required", "slugName: must not begin like the name of a data center"}, false},
		{with(c.PrivateLocations.Create), &monitoring.PrivateLocation{Name: "n", SlugName: "a", ProxyURL: monitoring.Value(monitoring.Secret{})}, []string{"proxyUrl" + noSecret}, always},
		{with(c.Snippets.Create), &monitoring.Snippet{}, []string{"name: is required", "script: is required"}, false},
		{with(c.MaintenanceWindows.Create), &monitoring.MaintenanceWindow{}, []string{"name: is required", "startsAt: is required", "endsAt: is required"}, false},
		{with(c.MaintenanceWindows.Create), &monitoring.MaintenanceWindow{Name: "n", StartsAt: at, EndsAt: at, StatusPageVisibility: &monitoring.StatusPageVisibility{StatusPageIDs: []string{kit.UUID1}}},
			[]string{unlinked}, false},
		{with(c.MaintenanceWindows.Create), &monitoring.MaintenanceWindow{Name: "n", StartsAt: at, EndsAt: at, RepeatEndsAt: monitoring.Value(monitoring.Date{Year: 2026, Month: 2, Day: 30})},
			[]string{"repeatEndsAt: must be a date"}, false},

		{with(c.Checks.Create), &monitoring.Check{Name: "n", API: &monitoring.APIRequest{}}, []string{"request.method: is required", "request.url: is required"}, false},
		{with(c.Checks.Create), &monitoring.Check{Name: "n", Browser: &monitoring.CheckScript{}}, []string{"script: is required: set Browser.Script, to Null for a check without a script"}, false},
		{with(c.Checks.Create), &monitoring.Check{
			Name:      "n",
			Locations: []monitoring.Region{"moon-1"},
			TCP:       &monitoring.TCPRequest{Hostname: "h", Port: 1, IPFamily: "IPv8"},
		}, nil, false},
		{with(c.Checks.Create), &monitoring.Check{TCP: &monitoring.TCPRequest{}}, []string{"name: is required", "request.hostname: is required", "request.port: is required"}, false},
		{with(c.Checks.Create), &monitoring.Check{Frequency: new(0), Browser: &monitoring.CheckScript{}},
			[]string{"name: is required", "script: is required: set Browser.Script, to Null for a check without a script", "frequency: 0 (sub-minute) is for API and TCP checks only"}, false},
		{with(c.Checks.Update), &monitoring.Check{ID: "x", CheckType: monitoring.CheckTypeAPI, GroupOrder: monitoring.Value(-1)}, []string{"groupOrder: -1 is below 0"}, false},
		{with(c.Checks.Create), &monitoring.Check{ICMP: &monitoring.ICMPRequest{PingCount: monitoring.Value(51)}, MaxPacketLossThreshold: monitoring.Value(100.5)},
			[]string{"name: is required", "request.hostname: is required", "request.pingCount: 51 is outside 1..50", "maxPacketLossThreshold: 100.5 is not over 0 and up to 100"}, false},
		{with(c.Checks.Update), &monitoring.Check{ID: "x", ICMP: &monitoring.ICMPRequest{}}, []string{"request.hostname: is required"}, false},
		{with(c.Checks.Create), &monitoring.Check{MaxResponseTime: monitoring.Value(2000.0), DegradedResponseTime: monitoring.Value(2001.0), SSL: &monitoring.SSLRequest{}},
			[]string{"name: is required", "request.sslConfig.hostname: is required", "degradedResponseTime: 2001 is over the maxResponseTime of 2000"}, false},
		{with(c.Checks.Update), &monitoring.Check{ID: "x",
			SSL: &monitoring.SSLRequest{
				SSLConfig:  monitoring.SSLConfig{Hostname: "a\nb", SecurityBaseline: &monitoring.SSLSecurityBaseline{MinKeySizeBits: &monitoring.SSLKeySizeRule{Value: new(1023)}}},
				Assertions: []monitoring.Assertion{{Source: monitoring.SourceCertificate}},
			},
		}, []string{"request.sslConfig.hostname: must not contain control characters", "request.sslConfig.securityBaseline.minKeySizeBits.value: 1023 is outside 1024..16384",
			"request.assertions[0].comparison: is required"}, false},
		{with(c.Checks.Create), &monitoring.Check{DNS: &monitoring.DNSRequest{Query: strings.Repeat("q", 101)}},
			[]string{"name: is required", "request.query: 101 characters are over 100", "request.recordType: is required"}, false},
		{with(c.Checks.Update), &monitoring.Check{ID: "x", CheckType: monitoring.CheckTypeDNS, Name: "n", Muted: new(true)},
			[]string{"DNS check: was not read by the client, and an update resets the fields that it omits: use Edit"}, always},
		{with(c.Checks.Create), &monitoring.Check{URL: &monitoring.URLRequest{}}, []string{"name: is required", "request.url: is required"}, false},
		{with(c.Checks.Update), &monitoring.Check{ID: "x", URL: &monitoring.URLRequest{Method: "GET"}}, []string{"request.url: is required"}, false},
		{with(c.Checks.Create), &monitoring.Check{Heartbeat: &monitoring.Heartbeat{}},
			[]string{"name: is required", "heartbeat.period: is required", "heartbeat.periodUnit: is required", "heartbeat.grace: is required", "heartbeat.graceUnit: is required"}, false},
		{with(c.Checks.Create), &monitoring.Check{Name: "n", RetryStrategy: monitoring.Null[monitoring.RetryStrategy](), Heartbeat: &monitoring.Heartbeat{
			Period: 1, PeriodUnit: monitoring.HeartbeatDays, Grace: new(0.0), GraceUnit: monitoring.HeartbeatDays,
		}}, []string{"retryStrategy: is not a setting of a heartbeat"}, always},
		{with(c.Checks.Update), &monitoring.Check{ID: "x", CheckType: monitoring.CheckTypeHeartbeat, PrivateLocations: []string{}}, []string{"privateLocations: is not a setting of a heartbeat"}, always},
		{with(c.Checks.Update), &monitoring.Check{ID: "x", Heartbeat: &monitoring.Heartbeat{Period: 1, PeriodUnit: "days", Grace: new(0.0), GraceUnit: "days"}}, []string{"heartbeat.pingToken" + withheld}, always},
		{with(c.Checks.Create), &monitoring.Check{Frequency: new(0), MultiStep: &monitoring.CheckScript{}},
			[]string{"name: is required", "script: is required: set MultiStep.Script, to Null for a check without a script", "frequency: 0 (sub-minute) is for API and TCP checks only"}, false},
		{with(c.Checks.Update), &monitoring.Check{ID: "x", MultiStep: &monitoring.CheckScript{EnvironmentVariables: []monitoring.EnvironmentVariable{{Key: "A"}}}}, []string{"environmentVariables[0].value" + withheld}, always},
		{with(c.Checks.Update), &monitoring.Check{ID: "x", CheckType: monitoring.CheckTypeTCP, FrequencyOffset: new(601)}, []string{"frequencyOffset: 601 is outside 1..600"}, false},
		{with(c.Checks.Update), &monitoring.Check{ID: "x", Browser: &monitoring.CheckScript{EnvironmentVariables: []monitoring.EnvironmentVariable{{Key: "A"}}}}, []string{"environmentVariables[0].value" + withheld}, always},
		{with(c.Checks.Update), &monitoring.Check{ID: "x", TCP: &monitoring.TCPRequest{Port: -1}}, []string{"request.hostname: is required", "request.port: -1 is outside 1..65535"}, false},
		{with(c.Checks.Update), &monitoring.Check{ID: "x", CheckType: monitoring.CheckTypeGRPC, GroupOrder: monitoring.Value(-1)}, []string{"groupOrder: -1 is below 0"}, false},

		{with(c.CheckGroups.List), monitoring.CheckGroupListOptions{ListOptions: monitoring.ListOptions{Page: -1}, Tags: []string{""}, Names: []string{"", ""}},
			[]string{"page: -1 is below 1", "tag: must not be empty", "name: must not be empty"}, false},
		{with(c.Checks.List), monitoring.CheckListOptions{Tags: []string{""}}, []string{"tag: must not be empty"}, false},
		{with(c.MaintenanceWindows.List), monitoring.MaintenanceWindowListOptions{
			StartsAt: monitoring.DateFilter{GT: monday, GTE: monday}, EndsAt: monitoring.DateFilter{LT: monday, LTE: monday},
		}, []string{"startsAt: has both gt and gte", "endsAt: has both lt and lte"}, false},
		{with(c.CheckAlerts.List), monitoring.CheckAlertListOptions{From: monday, To: monday}, []string{"to: must be after from"}, false},
		{with(c.CheckAlerts.List), monitoring.CheckAlertListOptions{From: monday, To: monday.Add(25 * time.Hour)},
			[]string{"to: is more than 24 hours after from: All iterates over longer periods"}, false},
		{with(c.Reports.List), monitoring.ReportOptions{Tags: []string{""}, From: monday, To: monday}, []string{"filterByTags: must not be empty", "to: must be after from"}, false},
		{with(c.Reports.List), monitoring.ReportOptions{From: monday, To: monday.Add(121 * 24 * time.Hour), Granularity: monitoring.ReportDaily},
			[]string{"to: is more than 120 days after from, too long for this granularity"}, false},
		{with(c.Reports.List), monitoring.ReportOptions{From: monday, To: monday.Add(401 * 24 * time.Hour), Granularity: monitoring.ReportMonthly},
			[]string{"to: is more than 400 days after from, too long for this granularity"}, false},
		{with(c.Reports.List), monitoring.ReportOptions{From: monday, To: monday.Add(401 * 24 * time.Hour)}, nil, false},
		{with(c.AlertNotifications.List), monitoring.AlertNotificationListOptions{AlertChannelID: -1}, []string{"alertChannelId: -1 is not the id of a channel"}, false},
		{withID(c.CheckResults.List, kit.UUID1), monitoring.CheckResultListOptions{Limit: 101, From: monday, To: monday, Fields: []string{"", "a,b"}},
			[]string{"limit: 101 is outside 1..100", "to: must be after from", "fields: must not be empty", `fields: "a,b" contains a comma: pass each name separately`}, false},
		{with(c.Variables.List), monitoring.VariableListOptions{ListOptions: monitoring.ListOptions{Limit: 100}}, nil, false},
		{with(c.Variables.List), monitoring.VariableListOptions{ListOptions: monitoring.ListOptions{Limit: 101}}, []string{"limit: 101 is outside 1..100"}, false},
		{assetsOf(c), monitoring.CheckResultAssetOptions{Types: []monitoring.AssetType{""}, Name: strings.Repeat("x", 201)},
			[]string{"type: must not be empty", "name: 201 characters are over 200"}, false},
		{with(c.TestSessions.Trigger), monitoring.TestSessionTrigger{Name: "n", RunLocation: "l"}, []string{noFilter}, always},
		{with(c.TestSessions.Trigger), monitoring.TestSessionTrigger{Name: "n", RunLocation: "l", Target: monitoring.TestSessionTarget{AllowDeactivated: new(true)}}, []string{noFilter}, always},
		{with(c.TestSessions.Trigger), monitoring.TestSessionTrigger{Name: "n", RunLocation: "l", AllChecks: true, Target: monitoring.TestSessionTarget{AllowDeactivated: new(true)}}, nil, false},
		{with(c.TestSessions.Trigger), monitoring.TestSessionTrigger{Name: "n", RunLocation: "l", AllChecks: true, Target: monitoring.TestSessionTarget{CheckIDs: []string{kit.UUID1}}},
			[]string{"target: AllChecks cannot be combined with filters"}, always},
		{with(c.TestSessions.Trigger), monitoring.TestSessionTrigger{AllChecks: true, EnvironmentVariables: []monitoring.TestSessionVariable{{Key: "K", Value: monitoring.NewSecret("")}}},
			[]string{"name: is required", "runLocation: is required", "environmentVariables[0].value: must not be empty unless secret is set"}, false},
		{with(c.TestSessions.Trigger), monitoring.TestSessionTrigger{Name: "n", RunLocation: "l", AllChecks: true, EnvironmentVariables: []monitoring.TestSessionVariable{{Key: "K"}}},
			[]string{"environmentVariables[0].value: has no value: it was never set, json.Marshal left it out, or the service withholds it: set it with NewSecret, or omit the list or object"}, always},
		{with(c.TestSessions.List), monitoring.TestSessionListOptions{
			Limit: 101, From: monday, To: monday, Statuses: []monitoring.TestSessionStatus{""}, Branches: []string{""}, Users: []string{""},
			Providers: []monitoring.TestSessionProvider{""}, TextSearch: "ab",
		}, []string{"limit: 101 is outside 1..100", "to: must be after from", "statuses: must not be empty", "branches: must not be empty",
			"users: must not be empty", "providers: must not be empty", "textSearch: 2 characters are outside 3..200"}, false},
		{with(c.TestSessions.List), monitoring.TestSessionListOptions{TextSearch: strings.Repeat("ü", 200)}, nil, false},
		{with(c.TestSessions.List), monitoring.TestSessionListOptions{TextSearch: "abc"}, nil, false},
		{with(c.TestSessions.List), monitoring.TestSessionListOptions{TextSearch: strings.Repeat("x", 201)}, []string{"textSearch: 201 characters are outside 3..200"}, false},
		{withID(c.ErrorGroups.Update, kit.UUID1), monitoring.ErrorGroupUpdate{}, nil, false},
		{withID(c.RootCauseAnalyses.Create, kit.UUID1), monitoring.RootCauseAnalysisCreate{UserContext: strings.Repeat("x", 257)},
			[]string{"userContext: 257 characters are over 256"}, false},
		{withID(c.ErrorGroups.ListForCheck, kit.UUID1), monitoring.ErrorGroupListOptions{ListOptions: monitoring.ListOptions{Limit: -1}}, []string{"limit: -1 is outside 1..100"}, false},
	} {
		name := reflect.Indirect(reflect.ValueOf(row.request)).Type().Name()
		seen = append(seen, name)
		sent.Sent = nil
		err := row.call(row.request)
		if row.want == nil {
			require.ErrorIs(t, err, monitoring.ErrNotFound, name)
			require.NoError(t, row.request.Validate(), name)
			continue
		}
		require.Equal(t, row.want, kit.BrokenRules(t, err))
		check, _ := row.request.(*monitoring.Check)
		changes := check != nil && check.ID != "" // Validate of a check that was not read says what its create would say
		if !changes {
			require.Equal(t, row.want, kit.BrokenRules(t, row.request.Validate()))
		}
		require.Empty(t, sent.Sent, name)
		operation := kit.ErrAs[*monitoring.ValidationError](t, err).Operation
		before, after, _ := strings.Cut(err.Error(), ": invalid request, not sent: ")
		require.Equal(t, strings.Join(row.want, "; "), after)
		require.Equal(t, "monitoring: "+operation, strings.SplitN(before, " (", 2)[0], "and perhaps the name of the object")
		if !changes && operation != "POST /v1/check-sessions/trigger" { // Validate of its request names the newer one
			require.Equal(t, err, row.request.Validate())
		}
		lenient := row.call(row.request, monitoring.WithoutValidation())
		if row.always {
			require.Equal(t, err, lenient)
			require.Empty(t, sent.Sent, name)
		} else {
			require.ErrorIs(t, lenient, monitoring.ErrNotFound, name)
			require.Len(t, sent.Sent, 1, name)
		}
	}
	slices.Sort(seen)
	var names []string
	for _, typ := range validators() {
		if typ.Kind() == reflect.Pointer {
			typ = typ.Elem()
		}
		names = append(names, typ.Name())
	}
	require.ElementsMatch(t, names, append(slices.Compact(seen), "ListOptions"), "each type of request has a row here")
	require.EqualError(t, monitoring.ListOptions{Limit: 101}.Validate(), "monitoring: invalid request, not sent: limit: 101 is outside 1..100")
}

func TestWhichIDsMustBeUUIDs(t *testing.T) {
	client, sent := kit.Recorded(t, 404, `{}`)
	account := monitoring.WithAccount("acme")
	for want, err := range map[string]error{
		"checkSessionId: must be a UUID": client.CheckSessions.Cancel(t.Context(), "7", monitoring.CancelRequest{}),
		"account: must be a UUID":        kit.Second(client.Locations.List(t.Context(), account)),
	} {
		require.Equal(t, []string{want}, kit.BrokenRules(t, err))
	}
	require.Equal(t, []string{"account: must be a UUID"}, kit.BrokenRules(t, client.CheckSessions.Cancel(t.Context(), kit.UUID1, monitoring.CancelRequest{}, account)))
	require.Equal(t, []string{"checkSessionId: must not be a dot segment"}, kit.BrokenRules(t, client.CheckSessions.Cancel(t.Context(), "..", monitoring.CancelRequest{})))
	require.Empty(t, sent.Sent)
	require.ErrorIs(t, kit.Second(client.CheckGroups.Get(t.Context(), 1, account)), monitoring.ErrNotFound, "other operations take any account")
	any := monitoring.TriggerRequest{Target: monitoring.TriggerTarget{CheckIDs: []string{"7"}}}
	require.ErrorIs(t, kit.Second(client.CheckSessions.TriggerV1(t.Context(), any)), monitoring.ErrNotFound, "the older trigger takes any id")
}

func TestABrokenRuleDoesNotQuoteASecret(t *testing.T) {
	for _, request := range []validator{
		&monitoring.Check{Name: "n", TCP: &monitoring.TCPRequest{Hostname: "https://u:" + testkit.Canary + "@h", Port: 1}},
		groupWith(func(g *monitoring.CheckGroup) { // whose value of a rule is the text of a secret, too
			g.EnvironmentVariables = []monitoring.EnvironmentVariable{monitoring.NewEnvironmentVariable("K", testkit.Canary)}
			g.AlertSettings = monitoring.Value(monitoring.AlertSettings{EscalationType: testkit.Canary})
		}),
	} {
		require.Len(t, kit.BrokenRules(t, request.Validate()), 1)
		require.NotContains(t, request.Validate().Error(), testkit.Canary)
	}
}

func TestABodyThatCannotBeEncodedIsNotValid(t *testing.T) {
	create := &monitoring.AlertChannel{Type: "PIGEON", Config: monitoring.NewSecretJSON([]byte(`{`))}
	require.ErrorContains(t, create.Validate(), "monitoring: POST /v1/alert-channels: encode the body: ")
}

func TestTheTextOfAValidationErrorListsTwentyRules(t *testing.T) {
	for broken, want := range map[int]string{
		1: "p1: m", 20: "p19: m; p20: m", 21: "p19: m; p20: m; and 1 more", 25: "p20: m; and 5 more",
	} {
		e := &monitoring.ValidationError{}
		for i := range broken {
			e.Violations = append(e.Violations, monitoring.Violation{Path: fmt.Sprintf("p%d", i+1), Message: "m"})
		}
		text := e.Error()
		require.True(t, strings.HasPrefix(text, "monitoring: invalid request, not sent: p1: m"), text)
		require.True(t, strings.HasSuffix(text, want), text)
		require.Equal(t, min(broken, 21)-1, strings.Count(text, "; "), text)
	}
	require.EqualError(t, &monitoring.ValidationError{Operation: "GET /v1/x", Violations: []monitoring.Violation{{Path: "a\nb", Message: "c"}}},
		"monitoring: GET /v1/x: invalid request, not sent: a b: c")
}

// A list of a service or of a file may have a mistake in each item. Each was compared with all
// before it: half a minute for 240 KB.
func TestAnErrorHasAtMostAThousandBrokenRules(t *testing.T) {
	channel := monitoring.EmailChannel("a@shop.test")
	channel.Subscriptions = make([]monitoring.ChannelSubscription, 80_000)
	err := channel.Validate()
	invalid, ok := errors.AsType[*monitoring.ValidationError](err)
	require.True(t, ok)
	require.Len(t, invalid.Violations, 1000)
	require.Equal(t, "subscriptions[999].checkId", invalid.Violations[999].Path)
}
