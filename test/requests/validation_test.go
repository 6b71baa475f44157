//lint:file-ignore SA1019 what is deprecated is tested, too

package requests_test

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/operations"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// brokenRequest is a request and the rules that it breaks; none if it is valid.
type brokenRequest struct {
	name string
	call func(context.Context, *monitoring.Client, ...monitoring.CallOption) error
	want []string
	// always is true if the request is refused even with WithoutValidation.
	always bool
}

func createsTCP(check monitoring.TCPCheckCreate) func(context.Context, *monitoring.Client, ...monitoring.CallOption) error {
	return func(ctx context.Context, c *monitoring.Client, o ...monitoring.CallOption) error {
		return kit.Second(c.Checks.CreateTCP(ctx, check, o...))
	}
}

func updatesBrowser(update monitoring.BrowserCheckUpdate) func(context.Context, *monitoring.Client, ...monitoring.CallOption) error {
	return func(ctx context.Context, c *monitoring.Client, o ...monitoring.CallOption) error {
		return kit.Second(c.Checks.UpdateBrowser(ctx, "b", update, o...))
	}
}

func updatesCheck(update monitoring.CheckUpdate) func(context.Context, *monitoring.Client, ...monitoring.CallOption) error {
	return func(ctx context.Context, c *monitoring.Client, o ...monitoring.CallOption) error {
		return kit.Second(c.Checks.Update(ctx, "c", update, o...))
	}
}

func updatesGroup(update monitoring.CheckGroupUpdate) func(context.Context, *monitoring.Client, ...monitoring.CallOption) error {
	return func(ctx context.Context, c *monitoring.Client, o ...monitoring.CallOption) error {
		return kit.Second(c.CheckGroups.Update(ctx, 1, update, o...))
	}
}

func triggers(request monitoring.TriggerRequest) func(context.Context, *monitoring.Client, ...monitoring.CallOption) error {
	return func(ctx context.Context, c *monitoring.Client, o ...monitoring.CallOption) error {
		return kit.Second(c.CheckSessions.Trigger(ctx, request, o...))
	}
}

func triggersV1(request monitoring.TriggerRequest) func(context.Context, *monitoring.Client, ...monitoring.CallOption) error {
	return func(ctx context.Context, c *monitoring.Client, o ...monitoring.CallOption) error {
		return kit.Second(c.CheckSessions.TriggerV1(ctx, request, o...))
	}
}

func cancels(id string, request monitoring.CancelRequest, opts ...monitoring.CallOption) func(context.Context, *monitoring.Client, ...monitoring.CallOption) error {
	return func(ctx context.Context, c *monitoring.Client, o ...monitoring.CallOption) error {
		return c.CheckSessions.Cancel(ctx, id, request, append(opts, o...)...)
	}
}

// at is some time.
var at = monitoring.NewTimestamp(time.Date(2026, 9, 1, 0, 0, 0, 0, time.UTC))

func createsWindow(window monitoring.MaintenanceWindowCreate) func(context.Context, *monitoring.Client, ...monitoring.CallOption) error {
	return func(ctx context.Context, c *monitoring.Client, o ...monitoring.CallOption) error {
		return kit.Second(c.MaintenanceWindows.Create(ctx, window, o...))
	}
}

func createsVariable(variable monitoring.VariableCreate) func(context.Context, *monitoring.Client, ...monitoring.CallOption) error {
	return func(ctx context.Context, c *monitoring.Client, o ...monitoring.CallOption) error {
		return kit.Second(c.Variables.Create(ctx, variable, o...))
	}
}

func updatesVariable(update monitoring.VariableUpdate) func(context.Context, *monitoring.Client, ...monitoring.CallOption) error {
	return func(ctx context.Context, c *monitoring.Client, o ...monitoring.CallOption) error {
		return kit.Second(c.Variables.Update(ctx, "K", update, o...))
	}
}

func listsWindows(options monitoring.MaintenanceWindowListOptions) func(context.Context, *monitoring.Client, ...monitoring.CallOption) error {
	return func(ctx context.Context, c *monitoring.Client, o ...monitoring.CallOption) error {
		return kit.Second(c.MaintenanceWindows.List(ctx, options, o...))
	}
}

// brokenRequests has the rules that the SDK adds to those of package schema.
func brokenRequests() []brokenRequest {
	const noFilter = "target: a trigger without filters starts every check of the account: add matchTags or checkId, or set AllChecks if that is meant"
	const withheld = ".value: is withheld by the service: set it with NewSecret, or leave the list or object out"
	monday := time.Date(2026, 8, 3, 0, 0, 0, 0, time.UTC)
	filters := func(tags [][]string, ids []string) monitoring.TriggerRequest {
		return monitoring.TriggerRequest{Target: monitoring.TriggerTarget{MatchTags: tags, CheckIDs: ids}}
	}
	return []brokenRequest{
		{name: "a trigger without a filter is refused", call: triggers(monitoring.TriggerRequest{}), want: []string{noFilter}, always: true},
		{name: "a v1 trigger without a filter is refused", call: triggersV1(monitoring.TriggerRequest{}), want: []string{noFilter}, always: true},
		{name: "a trigger with empty filters is refused", call: triggers(filters([][]string{}, []string{})), want: []string{noFilter}, always: true},
		{name: "a trigger with an empty group of tags is refused", call: triggers(filters([][]string{{}}, nil)), want: []string{"target.matchTags[0]: must not be empty"}, always: true},
		{name: "all checks and filters exclude each other", call: triggers(monitoring.TriggerRequest{AllChecks: true, Target: monitoring.TriggerTarget{CheckIDs: []string{kit.UUID1}}}), want: []string{"target: AllChecks cannot be combined with filters"}, always: true},
		{name: "a v1 trigger takes any id", call: triggersV1(filters(nil, []string{"7"}))},

		{name: "a cancel with an empty list is refused", call: cancels(kit.UUID1, monitoring.CancelRequest{SequenceIDs: []string{}}), want: []string{"sequenceId: must not be an empty list; leave it nil to cancel everything in progress"}, always: true},
		{name: "a cancel needs a session that is a UUID", call: cancels("7", monitoring.CancelRequest{}), want: []string{"checkSessionId: must be a UUID"}},
		{name: "a cancel needs an account that is a UUID", call: cancels(kit.UUID1, monitoring.CancelRequest{}, monitoring.WithAccount("acme")), want: []string{"account: must be a UUID"}},
		{name: "locations need an account that is a UUID", call: func(ctx context.Context, c *monitoring.Client, o ...monitoring.CallOption) error {
			return kit.Second(c.Locations.List(ctx, append(o, monitoring.WithAccount("acme"))...))
		}, want: []string{"account: must be a UUID"}},
		{name: "other operations take any account", call: func(ctx context.Context, c *monitoring.Client, o ...monitoring.CallOption) error {
			return kit.Second(c.CheckGroups.Get(ctx, 1, append(o, monitoring.WithAccount("acme"))...))
		}},

		{name: "a window that repeats needs a unit", call: createsWindow(monitoring.MaintenanceWindowCreate{Name: "n", StartsAt: at, EndsAt: at, RepeatInterval: monitoring.Value(1)}), want: []string{`repeatUnit: "" is not one of DAY, WEEK, MONTH`}},
		{name: "a window that does not repeat needs none", call: createsWindow(monitoring.MaintenanceWindowCreate{Name: "n", StartsAt: at, EndsAt: at, RepeatInterval: monitoring.Null[int]()})},
		{name: "a window needs a name and times", call: createsWindow(monitoring.MaintenanceWindowCreate{}), want: []string{"name: is required", "startsAt: is required: null is no time", "endsAt: is required: null is no time"}},
		{name: "a new window on status pages says which services it is about", call: createsWindow(monitoring.MaintenanceWindowCreate{Name: "n", StartsAt: at, EndsAt: at, StatusPageVisibility: &monitoring.StatusPageVisibility{StatusPageIDs: []string{kit.UUID1}}}), want: []string{"statusPageVisibility.statusPageIds: must have serviceIds beside them, or affectAllServices"}},
		{name: "the last day of a window exists", call: createsWindow(monitoring.MaintenanceWindowCreate{Name: "n", StartsAt: at, EndsAt: at, RepeatEndsAt: monitoring.Value(monitoring.Date{Year: 2026, Month: 2, Day: 30})}), want: []string{"repeatEndsAt: must be a date"}},
		{name: "a new variable needs a value", call: createsVariable(monitoring.VariableCreate{Key: "K"}), want: []string{"value: is withheld by the service: set it with NewSecret, or leave the list or object out"}, always: true},
		{name: "a new variable may be empty", call: createsVariable(monitoring.VariableCreate{Key: "K", Value: monitoring.NewSecret("")})},
		{name: "the key of a variable is not empty", call: createsVariable(monitoring.VariableCreate{Value: monitoring.NewSecret("v")}), want: []string{"key: is required"}},
		{name: "an update of a variable says both flags", call: updatesVariable(monitoring.VariableUpdate{Value: monitoring.NewSecret("v"), Secret: new(true)}), want: []string{"locked: is required: the service takes an absent one for false"}, always: true},
		{name: "an update of a variable has a value", call: updatesVariable(monitoring.NewEnvironmentVariable("K", "").ToUpdate()), want: []string{"value: is required"}},
		{name: "an update of a variable cannot be made from a withheld value", call: updatesVariable(monitoring.EnvironmentVariable{Key: "K", Secret: new(true)}.ToUpdate()), want: []string{"value: is withheld by the service: set it with NewSecret, or leave the list or object out"}, always: true},
		{name: "groups are selected by texts", call: func(ctx context.Context, c *monitoring.Client, opts ...monitoring.CallOption) error {
			return kit.Second(c.CheckGroups.List(ctx, monitoring.CheckGroupListOptions{ListOptions: monitoring.ListOptions{Page: -1}, Tags: []string{""}, Names: []string{"", ""}}, opts...))
		}, want: []string{"page: -1 is below 1", "tag: must not be empty", "name: must not be empty"}},
		{name: "a filter has one lower and one upper end", call: listsWindows(monitoring.MaintenanceWindowListOptions{
			StartsAt: monitoring.DateFilter{GT: monday, GTE: monday}, EndsAt: monitoring.DateFilter{LT: monday, LTE: monday},
		}), want: []string{"startsAt: has both gt and gte", "endsAt: has both lt and lte"}},

		{name: "values that newer services may have are fine", call: createsTCP(monitoring.TCPCheckCreate{
			Name: "n", Locations: []monitoring.Region{"moon-1"}, RuntimeID: monitoring.Value(monitoring.RuntimeID("2099.01")),
			RetryStrategy: monitoring.Value(monitoring.RetryStrategy{Type: monitoring.RetryStrategyFixed, OnlyOn: []monitoring.RetryCondition{"BAD_LUCK", "NETWORK_ERROR"}}),
			Request:       monitoring.TCPRequest{Hostname: "h", Port: 1, IPFamily: "IPv8", Assertions: []monitoring.Assertion{{Source: "MOOD", Comparison: "IS_GOOD"}}},
		})},

		{name: "a withheld secret of a group is refused", always: true, call: updatesGroup(monitoring.CheckGroupUpdate{
			Name: "n", EnvironmentVariables: []monitoring.EnvironmentVariable{monitoring.NewEnvironmentVariable("A", "v"), {Key: "B"}},
			APICheckDefaults: &monitoring.APICheckDefaults{
				Headers: []monitoring.KeyValue{{Key: "H"}}, QueryParameters: []monitoring.KeyValue{{Key: "P", Value: monitoring.NewSecret("")}, {Key: "Q"}},
				BasicAuth: monitoring.Value(monitoring.BasicAuth{Username: "u"}),
			},
		}), want: []string{
			"apiCheckDefaults.headers[0]" + withheld, "apiCheckDefaults.queryParameters[1]" + withheld,
			"apiCheckDefaults.basicAuth" + strings.Replace(withheld, "value", "password", 1), "environmentVariables[1]" + withheld,
		}},
		{name: "a withheld secret of a browser check is refused", always: true, call: updatesBrowser(monitoring.BrowserCheckUpdate{EnvironmentVariables: []monitoring.EnvironmentVariable{{Key: "A"}}}), want: []string{"environmentVariables[0]" + withheld}},
		{name: "a withheld secret of a check is refused", always: true, call: updatesCheck(monitoring.CheckUpdate{Request: map[string]any{"auth": monitoring.BasicAuth{}}}),
			want: []string{"request.auth" + strings.Replace(withheld, "value", "password", 1)}},

		{name: "the request of a check may be a pointer", call: updatesCheck(monitoring.CheckUpdate{Request: &monitoring.TCPRequest{Port: -1}}), want: []string{"request.port: -1 is outside 1..65535", "request.hostname: is required"}},
		{name: "the request of a TCP check is checked once", call: updatesCheck(monitoring.CheckUpdate{CheckType: monitoring.CheckTypeTCP, Request: monitoring.TCPRequest{Hostname: "h", Port: -1}}), want: []string{"request.port: -1 is outside 1..65535"}},
		{name: "other types of requests are not checked", call: updatesCheck(monitoring.CheckUpdate{CheckType: monitoring.CheckTypeAPI, Request: map[string]any{"method": "GET", "url": "x"}})},
		{name: "every broken rule of an update is listed", call: updatesCheck(monitoring.CheckUpdate{
			Name: new(""), CheckType: monitoring.CheckTypeBrowser, Frequency: new(0), GroupOrder: monitoring.Value(-2), RetryStrategy: monitoring.Value(monitoring.RetryStrategy{}),
			Description: monitoring.Value(strings.Repeat("ä", 511)), DegradedResponseTime: monitoring.Value(2.0), MaxResponseTime: monitoring.Value(1.0),
			EnvironmentVariables: slices.Repeat([]monitoring.EnvironmentVariable{monitoring.NewEnvironmentVariable("K", "")}, 201), Request: monitoring.TCPRequest{Port: -1},
		}), want: []string{
			"request.port: -1 is outside 1..65535", "request.hostname: is required", "name: must not be empty", "groupOrder: -2 is below 0", "retryStrategy.type: is required",
			"description: 511 characters are over 510", "environmentVariables: 201 variables are over 200",
			"frequency: 0 (sub-minute) is for API and TCP checks only", "degradedResponseTime: 2 is over the maxResponseTime of 1",
		}},
	}
}

func TestRequestsThatBreakARuleAreNotSent(t *testing.T) {
	for _, c := range brokenRequests() {
		t.Run(c.name, func(t *testing.T) {
			client, sent := kit.Recorded(t, 404, `{}`)
			err := c.call(t.Context(), client)
			if c.want == nil {
				require.ErrorIs(t, err, monitoring.ErrNotFound)
				require.Len(t, sent.Sent, 1)
				return
			}
			require.Equal(t, c.want, kit.BrokenRules(t, err))
			require.Zero(t, sent.GetTotalCallCount(), "a request was sent")
			operation := kit.ErrAs[*monitoring.ValidationError](t, err).Operation
			require.Equal(t, "monitoring: "+operation+": invalid request, nothing was sent: "+strings.Join(c.want, "; "), err.Error())
			_, known := operations.Find(operation)
			require.True(t, known, operation)

			lenient, sentLenient := kit.Recorded(t, 404, `{}`, monitoring.WithoutValidation())
			errs := []error{c.call(t.Context(), client, monitoring.WithoutValidation()), c.call(t.Context(), lenient)}
			if c.always {
				require.Equal(t, []error{err, err}, errs)
				require.Zero(t, sent.GetTotalCallCount()+sentLenient.GetTotalCallCount(), "a request was sent")
				return
			}
			require.ErrorIs(t, errs[0], monitoring.ErrNotFound)
			require.ErrorIs(t, errs[1], monitoring.ErrNotFound)
			require.Len(t, sent.Sent, 1)
			require.Len(t, sentLenient.Sent, 1)
		})
	}
}

func TestABrokenRuleDoesNotQuoteASecret(t *testing.T) {
	check := monitoring.TCPCheckCreate{
		Name: "n", Request: monitoring.TCPRequest{Hostname: "https://u:" + testkit.Canary + "@h", Port: 1},
		TriggerIncident: monitoring.Value(monitoring.TriggerIncident{ServiceID: testkit.Canary, Severity: testkit.Canary}),
	}
	err := check.Validate()
	kit.ErrAs[*monitoring.ValidationError](t, err)
	require.NotContains(t, strings.ReplaceAll(err.Error(), strconv.Quote(testkit.Canary), ""), testkit.Canary, "the hostname is not quoted")
	update := monitoring.CheckGroupUpdate{Name: "n", EnvironmentVariables: []monitoring.EnvironmentVariable{monitoring.NewEnvironmentVariable("K", testkit.Canary)}, AlertSettings: monitoring.Value(monitoring.AlertSettings{EscalationType: testkit.Canary})}
	err = update.Validate()
	kit.ErrAs[*monitoring.ValidationError](t, err)
	require.NotContains(t, err.Error(), testkit.Canary, "a value that is also the text of a secret is not quoted")
}

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

// refusal is a request that breaks a rule, and the error of the call with it.
type refusal struct {
	request validator
	err     error
}

func refusalOf[R validator](request R, call func(R) error) refusal {
	return refusal{request, call(request)}
}

// TestValidateGivesTheErrorOfTheCall compares the error of each Validate with that of its call. The
// options of a list need a Validate beside them: that of the embedded ListOptions names no
// operation. Lists without options of their own take ListOptions as they are.
func TestValidateGivesTheErrorOfTheCall(t *testing.T) {
	c, sent := kit.Recorded(t, 404, `{}`)
	ctx := t.Context()
	var seen []reflect.Type
	for _, r := range []refusal{
		refusalOf(monitoring.TCPCheckCreate{}, func(r monitoring.TCPCheckCreate) error { return kit.Second(c.Checks.CreateTCP(ctx, r)) }),
		refusalOf(monitoring.APICheckCreate{}, func(r monitoring.APICheckCreate) error { return kit.Second(c.Checks.CreateAPI(ctx, r)) }),
		refusalOf(monitoring.BrowserCheckCreate{Name: "n"}, func(r monitoring.BrowserCheckCreate) error { return kit.Second(c.Checks.CreateBrowser(ctx, r)) }),
		refusalOf(monitoring.APICheckUpdate{Name: new("")}, func(r monitoring.APICheckUpdate) error { return kit.Second(c.Checks.UpdateAPI(ctx, "x", r)) }),
		refusalOf(monitoring.TCPCheckUpdate{Request: &monitoring.TCPRequest{}}, func(r monitoring.TCPCheckUpdate) error { return kit.Second(c.Checks.UpdateTCP(ctx, "x", r)) }),
		refusalOf(monitoring.BrowserCheckUpdate{Frequency: new(0)}, func(r monitoring.BrowserCheckUpdate) error { return kit.Second(c.Checks.UpdateBrowser(ctx, "x", r)) }),
		refusalOf(monitoring.CheckUpdate{Request: &monitoring.TCPRequest{}}, func(r monitoring.CheckUpdate) error { return kit.Second(c.Checks.Update(ctx, "x", r)) }),
		refusalOf(monitoring.CheckGroupCreate{Concurrency: new(0)}, func(r monitoring.CheckGroupCreate) error { return kit.Second(c.CheckGroups.Create(ctx, r)) }),
		refusalOf(monitoring.MaintenanceWindowCreate{RepeatInterval: monitoring.Value(1)}, func(r monitoring.MaintenanceWindowCreate) error {
			return kit.Second(c.MaintenanceWindows.Create(ctx, r))
		}),
		refusalOf(monitoring.MaintenanceWindowUpdate{Timezone: monitoring.Value("+02:00")}, func(r monitoring.MaintenanceWindowUpdate) error {
			return kit.Second(c.MaintenanceWindows.Update(ctx, 1, r))
		}),
		refusalOf(monitoring.VariableCreate{}, func(r monitoring.VariableCreate) error { return kit.Second(c.Variables.Create(ctx, r)) }),
		refusalOf(monitoring.VariableUpdate{Value: monitoring.NewSecret(""), Secret: new(true)}, func(r monitoring.VariableUpdate) error { return kit.Second(c.Variables.Update(ctx, "K", r)) }),
		refusalOf(monitoring.CheckGroupUpdate{}, func(r monitoring.CheckGroupUpdate) error { return kit.Second(c.CheckGroups.Update(ctx, 1, r)) }),
		refusalOf(monitoring.TriggerRequest{}, func(r monitoring.TriggerRequest) error { return kit.Second(c.CheckSessions.Trigger(ctx, r)) }),
		refusalOf(monitoring.CancelRequest{SequenceIDs: []string{}}, func(r monitoring.CancelRequest) error { return c.CheckSessions.Cancel(ctx, kit.UUID1, r) }),
		refusalOf(monitoring.CompletionOptions{MaxWaitSeconds: 31}, func(r monitoring.CompletionOptions) error {
			return kit.Second(c.CheckSessions.Completion(ctx, kit.UUID1, r))
		}),
		refusalOf(monitoring.AlertNotificationListOptions{AlertChannelID: -1}, func(r monitoring.AlertNotificationListOptions) error {
			return kit.Second(c.AlertNotifications.List(ctx, r))
		}),
		refusalOf(monitoring.MaintenanceWindowListOptions{ListOptions: monitoring.ListOptions{Page: -1}}, func(r monitoring.MaintenanceWindowListOptions) error {
			return kit.Second(c.MaintenanceWindows.List(ctx, r))
		}),
		refusalOf(monitoring.CheckListOptions{Tags: []string{""}}, func(r monitoring.CheckListOptions) error { return kit.Second(c.Checks.List(ctx, r)) }),
		refusalOf(monitoring.CheckGroupListOptions{Names: []string{"a", ""}}, func(r monitoring.CheckGroupListOptions) error { return kit.Second(c.CheckGroups.List(ctx, r)) }),
		refusalOf(monitoring.CheckResultListOptions{Limit: 101}, func(r monitoring.CheckResultListOptions) error {
			return kit.Second(c.CheckResults.List(ctx, kit.UUID1, r))
		}),
		refusalOf(monitoring.VariableListOptions{ListOptions: monitoring.ListOptions{Limit: 101}}, func(r monitoring.VariableListOptions) error { return kit.Second(c.Variables.List(ctx, r)) }),
		refusalOf(monitoring.ErrorGroupListOptions{ListOptions: monitoring.ListOptions{Limit: -1}}, func(r monitoring.ErrorGroupListOptions) error {
			return kit.Second(c.ErrorGroups.ListForCheck(ctx, kit.UUID1, r))
		}),
	} {
		if typ := reflect.TypeOf(r.request); !slices.Contains(seen, typ) {
			seen = append(seen, typ)
		}
		require.Equal(t, kit.ErrAs[*monitoring.ValidationError](t, r.err), kit.ErrAs[*monitoring.ValidationError](t, r.request.Validate()))
	}
	require.Zero(t, sent.GetTotalCallCount())
	names := func(types []reflect.Type) (names []string) {
		for _, t := range types {
			names = append(names, t.Name())
		}
		return names
	}
	require.ElementsMatch(t, names(validators()), append(names(seen), "ListOptions"), "each type of request has a row here")
	v1 := kit.ErrAs[*monitoring.ValidationError](t, kit.Second(c.CheckSessions.TriggerV1(ctx, monitoring.TriggerRequest{})))
	require.Equal(t, "POST /v1/check-sessions/trigger", v1.Operation, "a request of two operations has the name of its own one in the error of the call")
	for _, fine := range []validator{
		smtpBanner, checkoutGroup, monitoring.BrowserCheckUpdate{}, monitoring.CheckUpdate{}, monitoring.TriggerRequest{AllChecks: true}, monitoring.CancelRequest{}, monitoring.CompletionOptions{},
		monitoring.ListOptions{}, monitoring.AlertNotificationListOptions{}, monitoring.MaintenanceWindowListOptions{}, monitoring.VariableListOptions{}, monitoring.ErrorGroupListOptions{},
	} {
		require.NoError(t, fine.Validate(), "%T", fine)
	}
	require.EqualError(t, monitoring.ListOptions{Limit: 101}.Validate(), "monitoring: invalid request, nothing was sent: limit: 101 is outside 1..100")
	for seconds, fine := range map[int]bool{-1: false, 0: true, 1: true, 30: true, 31: false} {
		require.Equal(t, fine, monitoring.CompletionOptions{MaxWaitSeconds: seconds}.Validate() == nil, seconds)
	}
}

func TestABodyThatCannotBeEncodedIsNotValid(t *testing.T) {
	require.NotPanics(t, func() { _ = monitoring.CheckUpdate{Request: (*monitoring.TCPRequest)(nil)}.Validate() })
	err := monitoring.CheckUpdate{Request: make(chan int)}.Validate()
	require.EqualError(t, err, "monitoring: PUT /v1/checks/{id}: encode the body: json: unsupported type: chan int")
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
		require.True(t, strings.HasPrefix(text, "monitoring: invalid request, nothing was sent: p1: m"), text)
		require.True(t, strings.HasSuffix(text, want), text)
		require.Equal(t, min(broken, 21)-1, strings.Count(text, "; "), text)
	}
	require.EqualError(t, &monitoring.ValidationError{Operation: "GET /v1/x", Violations: []monitoring.Violation{{Path: "a\nb", Message: "c"}}},
		"monitoring: GET /v1/x: invalid request, nothing was sent: a b: c")
}
