package monitoring

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/schema"
)

// ruleCase is a request and the rules that it breaks; nil if it is valid.
type ruleCase struct {
	name string
	call func(context.Context, *Client, ...CallOption) error
	want []string
	// always is true if the request is refused even with WithoutValidation.
	always bool
}

func tcp(change func(*TCPCheckCreate)) func(context.Context, *Client, ...CallOption) error {
	return func(ctx context.Context, c *Client, o ...CallOption) error {
		check := TCPCheckCreate{Name: "n", Request: TCPRequest{Hostname: "h", Port: 1}}
		change(&check)
		_, err := c.Checks.CreateTCP(ctx, check, o...)
		return err
	}
}

func browser(update BrowserCheckUpdate) func(context.Context, *Client, ...CallOption) error {
	return func(ctx context.Context, c *Client, o ...CallOption) error {
		_, err := c.Checks.UpdateBrowser(ctx, "b", update, o...)
		return err
	}
}

func generic(update CheckUpdate) func(context.Context, *Client, ...CallOption) error {
	return func(ctx context.Context, c *Client, o ...CallOption) error {
		_, err := c.Checks.Update(ctx, "c", update, o...)
		return err
	}
}

func group(update CheckGroupUpdate) func(context.Context, *Client, ...CallOption) error {
	return func(ctx context.Context, c *Client, o ...CallOption) error {
		_, err := c.CheckGroups.Update(ctx, 1, update, o...)
		return err
	}
}

func trigger(request TriggerRequest) func(context.Context, *Client, ...CallOption) error {
	return func(ctx context.Context, c *Client, o ...CallOption) error {
		_, err := c.CheckSessions.Trigger(ctx, request, o...)
		return err
	}
}

func triggerV1(request TriggerRequest) func(context.Context, *Client, ...CallOption) error {
	return func(ctx context.Context, c *Client, o ...CallOption) error {
		_, err := c.CheckSessions.TriggerV1(ctx, request, o...)
		return err
	}
}

func cancel(id string, request CancelRequest, opts ...CallOption) func(context.Context, *Client, ...CallOption) error {
	return func(ctx context.Context, c *Client, o ...CallOption) error {
		return c.CheckSessions.Cancel(ctx, id, request, append(opts, o...)...)
	}
}

func alerts(options AlertNotificationListOptions) func(context.Context, *Client, ...CallOption) error {
	return func(ctx context.Context, c *Client, o ...CallOption) error {
		_, err := c.AlertNotifications.List(ctx, options, o...)
		return err
	}
}

func windows(options MaintenanceWindowListOptions) func(context.Context, *Client, ...CallOption) error {
	return func(ctx context.Context, c *Client, o ...CallOption) error {
		_, err := c.MaintenanceWindows.List(ctx, options, o...)
		return err
	}
}

func variables(n int) []EnvironmentVariable {
	list := make([]EnvironmentVariable, n)
	for i := range list {
		list[i] = NewEnvironmentVariable(fmt.Sprint("K", i), "")
	}
	return list
}

const (
	noFilter          = "target: a trigger without filters starts every check of the account: add matchTags or checkId, or set AllChecks if that is meant"
	listedFrequencies = "[0 1 2 5 10 15 30 60 120 180 360 720 1440]"
)

func ruleCases() []ruleCase {
	monday := time.Date(2026, 8, 3, 0, 0, 0, 0, time.UTC)
	long := strings.Repeat("ä", 511)
	single := RetryStrategy{Type: RetryStrategySingleRetry, MaxRetries: new(0), MaxDurationSeconds: new(0)}
	fallback := Value(RetryStrategy{Type: RetryStrategyFallback})
	bad := "not a uuid"
	return []ruleCase{
		{name: "a trigger without a filter is refused", call: trigger(TriggerRequest{}), want: []string{noFilter}, always: true},
		{name: "a v1 trigger without a filter is refused", call: triggerV1(TriggerRequest{}), want: []string{noFilter}, always: true},
		{name: "a trigger with empty filters is refused", call: trigger(TriggerRequest{Target: TriggerTarget{MatchTags: [][]string{}, CheckIDs: []string{}}}), want: []string{noFilter}, always: true},
		{name: "a trigger with RefreshCache alone is refused", call: trigger(TriggerRequest{RefreshCache: new(true)}), want: []string{noFilter}, always: true},
		{name: "a trigger with an empty group of tags is refused", call: trigger(TriggerRequest{Target: TriggerTarget{MatchTags: [][]string{{}}}}), want: []string{"target.matchTags[0]: must not be empty"}, always: true},
		{name: "all checks and filters exclude each other", call: trigger(TriggerRequest{AllChecks: true, Target: TriggerTarget{CheckIDs: []string{uuid1}}}), want: []string{"target: AllChecks cannot be combined with filters"}, always: true},
		{name: "empty tags are refused", call: trigger(TriggerRequest{Target: TriggerTarget{MatchTags: [][]string{{"a"}, {"b", "", "!"}}}}), want: []string{"target.matchTags[1][1]: must not be empty", "target.matchTags[1][2]: must not be empty"}},
		{name: "v2 triggers need ids that are UUIDs", call: trigger(TriggerRequest{Target: TriggerTarget{CheckIDs: []string{uuid1, bad}}}), want: []string{`target.checkId[1]: "not a uuid" is not a UUID`}},
		{name: "v1 triggers take any id", call: triggerV1(TriggerRequest{Target: TriggerTarget{CheckIDs: []string{bad}}})},
		{name: "UUIDs may be upper case", call: trigger(TriggerRequest{Target: TriggerTarget{CheckIDs: []string{strings.ToUpper(uuid1)}}})},

		{name: "a cancel without sequences is fine", call: cancel(uuid1, CancelRequest{})},
		{name: "a cancel with an empty list is refused", call: cancel(uuid1, CancelRequest{SequenceIDs: []string{}}), want: []string{"sequenceId: must not be an empty list; leave it nil to cancel everything in progress"}},
		{name: "a cancel needs sequences that are UUIDs", call: cancel(uuid1, CancelRequest{SequenceIDs: []string{bad, uuid1, ""}}), want: []string{`sequenceId[0]: "not a uuid" is not a UUID`, `sequenceId[2]: "" is not a UUID`}},
		{name: "a cancel needs a session that is a UUID", call: cancel(bad, CancelRequest{}), want: []string{"checkSessionId: must be a UUID"}},
		{name: "a cancel needs an account that is a UUID", call: cancel(uuid1, CancelRequest{}, WithAccount("acme")), want: []string{"account: must be a UUID"}},
		{name: "locations need an account that is a UUID", call: func(ctx context.Context, c *Client, o ...CallOption) error {
			_, err := c.Locations.List(ctx, append(o, WithAccount("acme"))...)
			return err
		}, want: []string{"account: must be a UUID"}},
		{name: "other operations take any account", call: func(ctx context.Context, c *Client, o ...CallOption) error {
			_, err := c.CheckGroups.Get(ctx, 1, append(o, WithAccount("acme"))...)
			return err
		}},

		{name: "a completion waits 1 second at least", call: func(ctx context.Context, c *Client, o ...CallOption) error {
			_, err := c.CheckSessions.Completion(ctx, uuid1, CompletionOptions{MaxWaitSeconds: -1}, o...)
			return err
		}, want: []string{"maxWaitSeconds: -1 is outside 1..30"}},
		{name: "a completion waits 30 seconds at most", call: func(ctx context.Context, c *Client, o ...CallOption) error {
			_, err := c.CheckSessions.Completion(ctx, uuid1, CompletionOptions{MaxWaitSeconds: 31}, o...)
			return err
		}, want: []string{"maxWaitSeconds: 31 is outside 1..30"}},

		{name: "a page has at most 100 items", call: alerts(AlertNotificationListOptions{ListOptions: ListOptions{Limit: 101}}), want: []string{"limit: 101 is outside 1..100"}},
		{name: "limits and pages of windows are checked", call: windows(MaintenanceWindowListOptions{ListOptions: ListOptions{Limit: -1, Page: -1}}), want: []string{"limit: -1 is outside 1..100", "page: -1 is below 1"}},
		{name: "limits of variables are checked", call: func(ctx context.Context, c *Client, o ...CallOption) error {
			_, err := c.Variables.List(ctx, VariableListOptions{ListOptions{Limit: 101}}, o...)
			return err
		}, want: []string{"limit: 101 is outside 1..100"}},
		{name: "pages of error groups are checked", call: func(ctx context.Context, c *Client, o ...CallOption) error {
			_, err := c.ErrorGroups.ListForCheck(ctx, uuid1, ErrorGroupListOptions{ListOptions{Page: -3}}, o...)
			return err
		}, want: []string{"page: -3 is below 1"}},
		{name: "limits of 1 and 100 are fine", call: windows(MaintenanceWindowListOptions{ListOptions: ListOptions{Limit: 100, Page: 1}})},
		{name: "a period must end after it begins", call: alerts(AlertNotificationListOptions{From: monday, To: monday}), want: []string{"to: must be after from"}},
		{name: "a period has at most 24 hours", call: alerts(AlertNotificationListOptions{From: monday, To: monday.Add(24*time.Hour + time.Second)}), want: []string{"to: is more than 24 hours after from; All iterates over longer periods"}},
		{name: "a channel id must be positive", call: alerts(AlertNotificationListOptions{AlertChannelID: -1}), want: []string{"alertChannelId: -1 is not the id of a channel"}},
		{name: "a filter has one lower and one upper end", call: windows(MaintenanceWindowListOptions{StartsAt: DateFilter{GT: monday, GTE: monday}, EndsAt: DateFilter{LT: monday, LTE: monday}}), want: []string{"startsAt: has both gt and gte", "endsAt: has both lt and lte"}},

		{name: "a TCP check needs a name, a host and a port", call: tcp(func(c *TCPCheckCreate) { c.Name = ""; c.Request = TCPRequest{} }), want: []string{"name: is required", "request.port: 0 is outside 1..65535", "request.hostname: is required"}},
		{name: "a port is at most 65535", call: tcp(func(c *TCPCheckCreate) { c.Request.Port = 65536 }), want: []string{"request.port: 65536 is outside 1..65535"}},
		{name: "a frequency is one of the list", call: tcp(func(c *TCPCheckCreate) { c.Frequency = new(3) }), want: []string{"frequency: 3 is not one of " + listedFrequencies}},
		{name: "a sub-minute TCP check is fine", call: tcp(func(c *TCPCheckCreate) { c.Frequency = new(0); c.FrequencyOffset = new(10) })},
		{name: "a sub-minute offset is 10, 20 or 30", call: tcp(func(c *TCPCheckCreate) { c.Frequency = new(0); c.FrequencyOffset = new(15) }), want: []string{"frequencyOffset: 15 is not 10, 20 or 30 for frequency 0"}},
		{name: "an offset without a frequency is checked for 10 minutes", call: tcp(func(c *TCPCheckCreate) { c.FrequencyOffset = new(101) }), want: []string{"frequencyOffset: 101 is outside 1..100 for frequency 10"}},
		{name: "an offset of a slow check is in hours", call: tcp(func(c *TCPCheckCreate) { c.Frequency = new(120); c.FrequencyOffset = new(3) }), want: []string{"frequencyOffset: 3 is outside 1..2 for frequency 120"}},
		{name: "an offset of 0 is refused", call: tcp(func(c *TCPCheckCreate) { c.FrequencyOffset = new(0) }), want: []string{"frequencyOffset: 0 is outside 1..100 for frequency 10"}},
		{name: "a description of 510 characters is fine", call: tcp(func(c *TCPCheckCreate) { c.Description = Value(long[:1020]) })},
		{name: "a description of 511 characters is refused", call: tcp(func(c *TCPCheckCreate) { c.Description = Value(long) }), want: []string{"description: 511 characters are over 510"}},
		{name: "an order is not negative", call: tcp(func(c *TCPCheckCreate) { c.GroupOrder = Value(-1) }), want: []string{"groupOrder: -1 is below 0"}},
		{name: "an order of 0 and nulls are fine", call: tcp(func(c *TCPCheckCreate) {
			c.GroupOrder, c.Description, c.RetryStrategy = Value(0), Null[string](), Null[RetryStrategy]()
		})},
		{name: "times are not negative", call: tcp(func(c *TCPCheckCreate) { c.DegradedResponseTime, c.MaxResponseTime = Value(-0.5), Value(-1.0) }), want: []string{"degradedResponseTime: -0.5 is below 0", "maxResponseTime: -1 is below 0", "degradedResponseTime: -0.5 is over the maxResponseTime of -1"}},
		{name: "times have no upper bound", call: tcp(func(c *TCPCheckCreate) { c.DegradedResponseTime, c.MaxResponseTime = Value(1e6), Value(1e6) })},
		{name: "a strategy needs a type", call: tcp(func(c *TCPCheckCreate) { c.RetryStrategy = Value(RetryStrategy{}) }), want: []string{"retryStrategy.type: is required"}},
		{name: "a single retry has no numbers", call: tcp(func(c *TCPCheckCreate) { c.RetryStrategy = Value(single) }), want: []string{"retryStrategy.maxRetries: must be left out for SINGLE_RETRY", "retryStrategy.maxDurationSeconds: must be left out for SINGLE_RETRY"}},
		{name: "FALLBACK is refused for a check", call: browser(BrowserCheckUpdate{RetryStrategy: fallback}), want: []string{"retryStrategy: FALLBACK is for groups; a check takes a strategy or null"}},
		{name: "FALLBACK is fine for a group", call: group(CheckGroupUpdate{Name: "n", RetryStrategy: fallback})},

		{name: "a browser update may be empty", call: browser(BrowserCheckUpdate{})},
		{name: "a browser check cannot run every few seconds", call: browser(BrowserCheckUpdate{Frequency: new(0)}), want: []string{"frequency: 0 (sub-minute) is for API and TCP checks only"}},
		{name: "an update cannot clear a name", call: browser(BrowserCheckUpdate{Name: new("")}), want: []string{"name: must not be empty"}},
		{name: "200 variables are fine", call: browser(BrowserCheckUpdate{EnvironmentVariables: variables(200)})},
		{name: "201 variables are refused", call: browser(BrowserCheckUpdate{EnvironmentVariables: variables(201)}), want: []string{"environmentVariables: 201 variables are over 200"}},
		{name: "a variable has a key", call: group(CheckGroupUpdate{Name: "n", EnvironmentVariables: []EnvironmentVariable{NewEnvironmentVariable("", "v")}}), want: []string{"environmentVariables[0].key: is required"}},
		{name: "a withheld secret of a group is refused", always: true, call: group(CheckGroupUpdate{
			Name: "n", EnvironmentVariables: []EnvironmentVariable{NewEnvironmentVariable("A", "v"), {Key: "B"}},
			APICheckDefaults: &APICheckDefaults{
				Headers: []KeyValue{{Key: "H"}}, QueryParameters: []KeyValue{{Key: "P", Value: NewSecret("")}, {Key: "Q"}}, BasicAuth: Value(BasicAuth{Username: "u"}),
			},
		}), want: []string{
			"apiCheckDefaults.headers[0].value: is withheld by the service: set it with NewSecret, or leave the list or object out", "apiCheckDefaults.queryParameters[1].value: is withheld by the service: set it with NewSecret, or leave the list or object out",
			"apiCheckDefaults.basicAuth.password: is withheld by the service: set it with NewSecret, or leave the list or object out", "environmentVariables[1].value: is withheld by the service: set it with NewSecret, or leave the list or object out",
		}},
		{name: "a withheld secret of a browser check is refused", always: true, call: browser(BrowserCheckUpdate{EnvironmentVariables: []EnvironmentVariable{{Key: "A"}}}), want: []string{"environmentVariables[0].value: is withheld by the service: set it with NewSecret, or leave the list or object out"}},
		{name: "a withheld secret of a check is refused", always: true, call: generic(CheckUpdate{Request: map[string]any{"auth": BasicAuth{}}}), want: []string{"request.auth.password: is withheld by the service: set it with NewSecret, or leave the list or object out"}},
		{name: "201 variables of a group are refused", call: group(CheckGroupUpdate{Name: "n", EnvironmentVariables: variables(201)}), want: []string{"environmentVariables: 201 variables are over 200"}},
		{name: "a group needs a name and a concurrency of at least 1", call: group(CheckGroupUpdate{Concurrency: new(0)}), want: []string{"name: is required", "concurrency: 0 is below 1"}},

		{name: "v1 triggers take no empty id", call: triggerV1(TriggerRequest{Target: TriggerTarget{CheckIDs: []string{""}}}), want: []string{"target.checkId[0]: must not be empty"}},
		{name: "a host must have no scheme", call: tcp(func(c *TCPCheckCreate) { c.Request.Hostname = "tcp://h" }), want: []string{"request.hostname: must have no scheme"}},
		{name: "a host must have no port", call: tcp(func(c *TCPCheckCreate) { c.Request.Hostname = "h:80" }), want: []string{"request.hostname: must have no port: it is a member of its own"}},
		{name: "a host may be an IPv6 address", call: tcp(func(c *TCPCheckCreate) { c.Request.Hostname = "2001:db8::1" })},
		{name: "data must not be empty", call: tcp(func(c *TCPCheckCreate) { c.Request.Data = Value("") }), want: []string{"request.data: must not be empty"}},
		{name: "nested numbers have bounds", call: tcp(func(c *TCPCheckCreate) {
			c.RetryStrategy = Value(RetryStrategy{Type: RetryStrategyFixed, MaxRetries: new(11), MaxDurationSeconds: new(601)})
			c.AlertSettings = &AlertSettings{
				EscalationType: "NEVER", RunBasedEscalation: &RunBasedEscalation{FailedRunThreshold: new(6)}, TimeBasedEscalation: &TimeBasedEscalation{MinutesFailingThreshold: new(6)},
				Reminders: &Reminders{Amount: new(6), Interval: new(6)}, ParallelRunFailureThreshold: &ParallelRunFailureThreshold{Percentage: new(5)},
			}
		}), want: []string{
			`alertSettings.escalationType: "NEVER" is not one of RUN_BASED, TIME_BASED`, "alertSettings.runBasedEscalation.failedRunThreshold: 6 is outside 1..5",
			"alertSettings.timeBasedEscalation.minutesFailingThreshold: 6 is not one of [5 10 15 30]", "alertSettings.reminders.amount: 6 is not one of [0 1 2 3 4 5 100000]",
			"alertSettings.reminders.interval: 6 is not one of [1 2 3 4 5 10 15 30]", "alertSettings.parallelRunFailureThreshold.percentage: 5 is not one of [10 20 30 40 50 60 70 80 90 100]",
			"retryStrategy.maxRetries: 11 is outside 1..10", "retryStrategy.maxDurationSeconds: 601 is outside 0..600",
		}},
		{name: "an incident has a severity and a service that is a UUID", call: browser(BrowserCheckUpdate{TriggerIncident: Value(TriggerIncident{ServiceID: "x", Severity: "BAD"})}), want: []string{
			`triggerIncident.serviceId: "x" is not a UUID`, `triggerIncident.severity: "BAD" is not one of CRITICAL, MAJOR, MEDIUM, MINOR`}},
		{name: "values that newer services may have are fine", call: tcp(func(c *TCPCheckCreate) {
			c.Locations, c.RuntimeID, c.Request.IPFamily = []Region{"moon-1"}, Value(RuntimeID("2099.01")), "IPv8"
			c.Request.Assertions = []Assertion{{Source: "MOOD", Comparison: "IS_GOOD"}}
			c.RetryStrategy = Value(RetryStrategy{Type: RetryStrategyFixed, OnlyOn: []RetryCondition{"BAD_LUCK", "NETWORK_ERROR"}})
		})},
		{name: "the request of a check may be a pointer", call: generic(CheckUpdate{Request: &TCPRequest{Port: -1}}), want: []string{"request.port: -1 is outside 1..65535", "request.hostname: is required"}},
		{name: "the request of a TCP check is checked once", call: generic(CheckUpdate{CheckType: CheckTypeTCP, Request: TCPRequest{Hostname: "h", Port: -1}}), want: []string{"request.port: -1 is outside 1..65535"}},
		{name: "other types of requests are not checked", call: generic(CheckUpdate{CheckType: CheckTypeAPI, Request: map[string]any{"method": "GET", "url": "x"}})},

		{name: "an API check may run every few seconds", call: generic(CheckUpdate{CheckType: CheckTypeAPI, Frequency: new(0), FrequencyOffset: new(20)})},
		{name: "a URL check cannot run every few seconds", call: generic(CheckUpdate{CheckType: CheckTypeURL, Frequency: new(0)}), want: []string{"frequency: 0 (sub-minute) is for API and TCP checks only"}},
		{name: "an offset for an unknown frequency has the widest bounds", call: generic(CheckUpdate{FrequencyOffset: new(601)}), want: []string{"frequencyOffset: 601 is outside 1..600"}},
		{name: "an offset of 600 for an unknown frequency is fine", call: generic(CheckUpdate{FrequencyOffset: new(600)})},
		{name: "every broken rule of a generic update is listed", call: generic(CheckUpdate{
			Name: new(""), CheckType: CheckTypeBrowser, Frequency: new(0), GroupOrder: Value(-2), RetryStrategy: Value(RetryStrategy{}),
			Description: Value(long), DegradedResponseTime: Value(2.0), MaxResponseTime: Value(1.0), EnvironmentVariables: variables(201), Request: TCPRequest{Port: -1},
		}), want: []string{
			"request.port: -1 is outside 1..65535", "request.hostname: is required", "name: must not be empty", "groupOrder: -2 is below 0", "retryStrategy.type: is required",
			"description: 511 characters are over 510", "environmentVariables: 201 variables are over 200",
			"frequency: 0 (sub-minute) is for API and TCP checks only", "degradedResponseTime: 2 is over the maxResponseTime of 1",
		}},
	}
}

func TestRequestsThatBreakARuleAreNotSent(t *testing.T) {
	for _, c := range ruleCases() {
		t.Run(c.name, func(t *testing.T) {
			client, sent := newTestClient(t, 404, `{}`)
			err := c.call(t.Context(), client)
			if c.want == nil {
				require.ErrorIs(t, err, ErrNotFound)
				require.Len(t, sent.Sent, 1)
				return
			}
			var invalid *ValidationError
			require.ErrorAs(t, err, &invalid)
			require.Equal(t, c.want, texts(invalid))
			require.Zero(t, sent.GetTotalCallCount(), "a request was sent")
			require.Equal(t, "monitoring: "+invalid.Operation+": invalid request, nothing was sent: "+strings.Join(c.want, "; "), err.Error())
			require.Contains(t, documentLines(t, "operations.txt"), invalid.Operation)

			lenient, sentLenient := newTestClient(t, 404, `{}`, WithoutValidation())
			errs := []error{c.call(t.Context(), client, WithoutValidation()), c.call(t.Context(), lenient)}
			if c.always {
				require.ErrorAs(t, errs[0], &invalid)
				require.ErrorAs(t, errs[1], &invalid)
				require.Zero(t, sent.GetTotalCallCount()+sentLenient.GetTotalCallCount(), "a request was sent")
				return
			}
			require.ErrorIs(t, errs[0], ErrNotFound)
			require.ErrorIs(t, errs[1], ErrNotFound)
			require.Len(t, sent.Sent, 1)
			require.Len(t, sentLenient.Sent, 1)
		})
	}
}

func TestABrokenRuleDoesNotQuoteASecret(t *testing.T) {
	check := TCPCheckCreate{
		Name: "n", Request: TCPRequest{Hostname: "https://u:" + canary + "@h", Port: 1},
		TriggerIncident: Value(TriggerIncident{ServiceID: canary, Severity: canary}),
	}
	err := check.Validate()
	errAs[*ValidationError](t, err)
	require.NotContains(t, strings.ReplaceAll(err.Error(), strconv.Quote(canary), ""), canary, "the hostname is not quoted")
	update := CheckGroupUpdate{Name: "n", EnvironmentVariables: []EnvironmentVariable{NewEnvironmentVariable("K", canary)}, AlertSettings: Value(AlertSettings{EscalationType: canary})}
	err = update.Validate()
	errAs[*ValidationError](t, err)
	require.NotContains(t, err.Error(), canary, "a value that is also the text of a secret is not quoted")
}

func texts(e *ValidationError) []string {
	var list []string
	for _, v := range e.Violations {
		list = append(list, v.String())
	}
	return list
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

func TestTheRuleForOffsetsHoldsForEveryFrequency(t *testing.T) {
	check := TCPCheckCreate{Name: "n", Request: TCPRequest{Hostname: "h", Port: 1}}
	for frequency := -1; frequency <= 1500; frequency++ {
		known := containsWord(listedFrequencies, frequency)
		check.Frequency, check.FrequencyOffset = &frequency, nil
		require.Equal(t, known, check.Validate() == nil, "frequency %d", frequency)
		browser := BrowserCheckUpdate{Frequency: &frequency}
		require.Equal(t, known && frequency != 0, browser.Validate() == nil, "frequency %d of a browser check", frequency)
		if !known {
			continue
		}
		for offset := -1; offset <= 700; offset++ {
			check.FrequencyOffset = &offset
			require.Equal(t, offsetAllowed(frequency, offset), check.Validate() == nil, "frequency %d, offset %d", frequency, offset)
		}
	}
}

func containsWord(list string, n int) bool {
	for _, word := range strings.Fields(strings.Trim(list, "[]")) {
		if word == fmt.Sprint(n) {
			return true
		}
	}
	return false
}

func TestWhichTextsAreUUIDs(t *testing.T) {
	for text, want := range map[string]bool{
		uuid1: true, strings.ToUpper(uuid1): true, "00000000-0000-0000-0000-000000000000": true,
		"": false, uuid1[:35]: false, uuid1 + "0": false, strings.ReplaceAll(uuid1, "-", "0"): false, "{" + uuid1[2:] + "}": false,
		strings.Replace(uuid1, "b", "g", 1): false, strings.Replace(uuid1, "5", "-", 1): false, "５" + uuid1[3:]: false,
	} {
		require.Equal(t, want, schema.IsUUID(text), "%q", text)
	}
}
