package kit

import (
	"context"
	"iter"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/operations"
	"github.com/monitoring-api/monitoring-go/internal/schema"
)

// Operation is a row of internal/operations with a call.
type Operation struct {
	Name     string               // as the document writes it: method and path
	Row      operations.Operation // of the table; Status, Kind and File follow from it
	Status   int                  // of a success
	Kind     string               // read, poll, list, update, delete, stream, cancel, trigger or create; decides about retries
	File     string               // the prefix of its files in testdata, if it is not the name in small letters without ids
	Response string               // the body of its response, if testdata has none
	IDs      []string             // in the path
	OwnID    string               // the member of the response that has the last of them; id if a row has none
	OrNull   bool                 // whether the response may be null
	Query    string
	Body     string
	Call     func(context.Context, *monitoring.Client, []string, []monitoring.CallOption) (any, error)
	All      func(context.Context, *monitoring.Client, []string, []monitoring.CallOption) (int, error) // the iterator of a list
}

// Do makes the call with the ids of the row.
func (o Operation) Do(ctx context.Context, client *monitoring.Client, opts ...monitoring.CallOption) (any, error) {
	return o.Call(ctx, client, o.IDs, opts)
}

// Try is Do without the value.
func (o Operation) Try(ctx context.Context, client *monitoring.Client) error {
	return Second(o.Do(ctx, client))
}

var (
	placeholder = regexp.MustCompile(`\{\w+\}`)
	idSegment   = regexp.MustCompile(`/\{\w+\}`)
)

// Path returns the path of the request with ids, and its query.
func (o Operation) Path(ids ...string) string {
	n := 0
	return placeholder.ReplaceAllStringFunc(o.Row.Path(), func(string) string {
		n++
		return url.PathEscape(ids[n-1])
	}) + o.Query
}

// Numbered reports whether the ids are numbers, which need no escape.
func (o Operation) Numbered() bool { return slices.Contains(o.Row.IDs, operations.Number) }

func isNumber(s string) bool {
	_, err := strconv.ParseInt(s, 10, 64)
	return err == nil
}

// hasKind reports whether an id is of a kind.
func hasKind(id string, kind operations.ID) bool {
	return kind == operations.Text || (kind == operations.Number) == isNumber(id) && (kind == operations.UUID) == schema.IsUUID(id)
}

func number(s string) int64 {
	n, _ := strconv.ParseInt(s, 10, 64)
	return n
}

// TriggerResponse is the response of a trigger, as Operations have it.
type TriggerResponse struct {
	Sessions []monitoring.CheckSession `json:"sessions"`
}

// of turns a method that returns T into the call of a row.
func of[T any](
	f func(context.Context, *monitoring.Client, []string, []monitoring.CallOption) (T, error),
) func(context.Context, *monitoring.Client, []string, []monitoring.CallOption) (any, error) {
	return func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (any, error) {
		return f(ctx, c, id, o)
	}
}

// allOf turns an iterator into a function that counts its items.
func allOf[T any](
	f func(context.Context, *monitoring.Client, []string, []monitoring.CallOption) iter.Seq2[T, error],
) func(context.Context, *monitoring.Client, []string, []monitoring.CallOption) (int, error) {
	return func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (int, error) {
		list, err := monitoring.Collect(f(ctx, c, id, o))
		return len(list), err
	}
}

// pageItems returns the items of a page.
func pageItems[T any](p *monitoring.Page[T], err error) ([]T, error) {
	if err != nil {
		return nil, err
	}
	return p.Items, nil
}

// rows are the calls of the operations. A plain GET needs a name, ids and a call.
var rows = []Operation{
	{
		Name: "GET /v1/locations",
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) ([]monitoring.Location, error) {
			return c.Locations.List(ctx, o...)
		}),
	},
	{
		Name: "POST /v2/check-sessions/trigger",
		Body: `{"target":{"checkId":["` + UUID1 + `"]},"refreshCache":false}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (TriggerResponse, error) {
			list, err := c.CheckSessions.Trigger(ctx,
				monitoring.TriggerRequest{Target: monitoring.TriggerTarget{CheckIDs: []string{UUID1}}, RefreshCache: new(false)}, o...)
			return TriggerResponse{Sessions: list}, err
		}),
	},
	{
		Name: "POST /v1/check-sessions/trigger",
		Body: `{"target":{"matchTags":[["a","!b"]]}}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (TriggerResponse, error) {
			list, err := c.CheckSessions.TriggerV1(ctx,
				monitoring.TriggerRequest{Target: monitoring.TriggerTarget{MatchTags: [][]string{{"a", "!b"}}}}, o...)
			return TriggerResponse{Sessions: list}, err
		}),
	},
	{
		Name: "GET /v1/check-sessions/{checkSessionId}", File: "get-v1-check-session", IDs: []string{SampleRun}, OwnID: "checkSessionId",
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.CheckSession, error) {
			return c.CheckSessions.GetV1(ctx, id[0], o...)
		}),
	},
	{
		Name: "GET /v2/check-sessions/{checkSessionId}", File: "get-v2-check-session", IDs: []string{SampleRun}, OwnID: "checkSessionId",
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.CheckSession, error) {
			return c.CheckSessions.Get(ctx, id[0], o...)
		}),
	},
	{
		Name: "GET /v2/check-sessions/{checkSessionId}/completion", File: "get-v2-check-session-completion",
		IDs: []string{SampleRun}, OwnID: "checkSessionId", Query: "?maxWaitSeconds=30",
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.CheckSession, error) {
			return c.CheckSessions.Completion(ctx, id[0], monitoring.CompletionOptions{}, o...)
		}),
	},
	{
		Name: "POST /v1/check-sessions/{checkSessionId}/cancel", File: "post-v1-check-session-cancel", IDs: []string{UUID1},
		Body: `{}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (any, error) {
			return nil, c.CheckSessions.Cancel(ctx, id[0], monitoring.CancelRequest{}, o...)
		}),
	},
	{
		Name: "GET /v1/check-results/{checkId}/{checkResultId}", File: "get-v1-check-result", IDs: []string{UUID1, SampleID},
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.CheckResult, error) {
			return c.CheckResults.Get(ctx, id[0], id[1], o...)
		}),
	},
	{
		Name: "GET /v1/alert-notifications", Query: "?alertChannelId=9&from=1787097600&hasFailures=false&limit=100&page=2&to=1787184000",
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) ([]monitoring.AlertNotification, error) {
			return pageItems(c.AlertNotifications.List(ctx, monitoring.AlertNotificationListOptions{
				ListOptions: monitoring.ListOptions{Limit: 100, Page: 2}, From: time.Unix(1787097600, 0), To: time.Unix(1787184000, 0),
				AlertChannelID: 9, HasFailures: new(false),
			}, o...))
		}),
		All: allOf(func(ctx context.Context, c *monitoring.Client, id []string,
			o []monitoring.CallOption) iter.Seq2[monitoring.AlertNotification, error] {
			return c.AlertNotifications.All(ctx, monitoring.AlertNotificationListOptions{}, o...)
		}),
	},
	{
		Name: "GET /v1/check-groups/{id}", File: "get-v1-check-group", IDs: []string{"9007199254740991"},
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.CheckGroup, error) {
			return c.CheckGroups.Get(ctx, number(id[0]), o...)
		}),
	},
	{
		Name: "PUT /v2/check-groups/{id}", File: "put-v2-check-group", IDs: []string{"9007199254740991"}, Query: "?autoAssignAlerts=true",
		Body: `{"name":"n"}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.CheckGroup, error) {
			return c.CheckGroups.Update(ctx, number(id[0]), monitoring.CheckGroupUpdate{Name: "n", AutoAssignAlerts: new(true)}, o...)
		}),
	},
	{
		Name: "POST /v1/checks/tcp", Query: "?autoAssignAlerts=false",
		Body: `{"name":"n","request":{"hostname":"h","port":1}}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.TCPCheck, error) {
			return c.Checks.CreateTCP(ctx, monitoring.TCPCheckCreate{
				CheckSettings: monitoring.CheckSettings{Name: "n", AutoAssignAlerts: new(false)},
				Request:       monitoring.TCPRequest{Hostname: "h", Port: 1},
			}, o...)
		}),
	},
	{
		Name: "PUT /v1/checks/browser/{id}", IDs: []string{SampleID},
		Body: `{"groupOrder":0}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.BrowserCheck, error) {
			return c.Checks.UpdateBrowser(ctx, id[0],
				monitoring.BrowserCheckUpdate{CheckSettings: monitoring.CheckSettings{GroupOrder: monitoring.Value(0)}}, o...)
		}),
	},
	{
		Name: "PUT /v1/checks/{id}", File: "put-v1-check", IDs: []string{SampleID}, Query: "?autoAssignAlerts=false",
		Body: `{"checkType":"API","request":{"url":"u"}}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.Check, error) {
			//lint:ignore SA1019 the table has each operation
			return c.Checks.Update(ctx, id[0], monitoring.CheckUpdate{
				CheckSettings: monitoring.CheckSettings{AutoAssignAlerts: new(false)}, CheckType: monitoring.CheckTypeAPI,
				Request: map[string]string{"url": "u"},
			}, o...)
		}),
	},
	{
		Name: "GET /v1/maintenance-windows", Query: "?limit=1",
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) ([]monitoring.MaintenanceWindow, error) {
			return pageItems(c.MaintenanceWindows.List(ctx,
				monitoring.MaintenanceWindowListOptions{ListOptions: monitoring.ListOptions{Limit: 1}}, o...))
		}),
		All: allOf(func(ctx context.Context, c *monitoring.Client, id []string,
			o []monitoring.CallOption) iter.Seq2[monitoring.MaintenanceWindow, error] {
			return c.MaintenanceWindows.All(ctx, monitoring.MaintenanceWindowListOptions{}, o...)
		}),
	},
	{
		Name: "GET /v1/variables",
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string,
			o []monitoring.CallOption) ([]monitoring.EnvironmentVariable, error) {
			return pageItems(c.Variables.List(ctx, monitoring.VariableListOptions{}, o...))
		}),
		All: allOf(func(ctx context.Context, c *monitoring.Client, id []string,
			o []monitoring.CallOption) iter.Seq2[monitoring.EnvironmentVariable, error] {
			return c.Variables.All(ctx, monitoring.VariableListOptions{}, o...)
		}),
	},
	{
		Name: "GET /v1/accounts/{accountId}/entitlements", File: "get-v1-entitlements", IDs: []string{Account},
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.Entitlements, error) {
			return c.Entitlements.Get(ctx, id[0], o...)
		}),
	},
	{
		Name: "GET /v1/root-cause-analyses/{id}", File: "get-v1-root-cause-analysis", IDs: []string{SampleID},
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.RootCauseAnalysis, error) {
			return c.RootCauseAnalyses.Get(ctx, id[0], o...)
		}),
	},
	{
		Name: "GET /v1/error-groups/checks/{checkId}", File: "get-v1-error-groups", IDs: []string{UUID1}, Query: "?page=3",
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) ([]monitoring.ErrorGroup, error) {
			return pageItems(c.ErrorGroups.ListForCheck(ctx, id[0],
				monitoring.ErrorGroupListOptions{ListOptions: monitoring.ListOptions{Page: 3}}, o...))
		}),
		All: allOf(func(ctx context.Context, c *monitoring.Client, id []string,
			o []monitoring.CallOption) iter.Seq2[monitoring.ErrorGroup, error] {
			return c.ErrorGroups.AllForCheck(ctx, id[0], monitoring.ErrorGroupListOptions{}, o...)
		}),
	},
	{
		Name: "GET /v1/error-groups", File: "get-v1-error-groups-of-all", Query: "?limit=2&page=3",
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) ([]monitoring.ErrorGroup, error) {
			return pageItems(c.ErrorGroups.List(ctx, monitoring.ListOptions{Limit: 2, Page: 3}, o...))
		}),
		All: allOf(func(ctx context.Context, c *monitoring.Client, id []string,
			o []monitoring.CallOption) iter.Seq2[monitoring.ErrorGroup, error] {
			return c.ErrorGroups.All(ctx, monitoring.ListOptions{}, o...)
		}),
	},
	{
		Name: "GET /v1/error-groups/{id}", File: "get-v1-error-group", IDs: []string{SampleID},
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.ErrorGroup, error) {
			return c.ErrorGroups.Get(ctx, id[0], o...)
		}),
	},
	{
		Name: "PATCH /v1/error-groups/{id}", File: "patch-v1-error-group", IDs: []string{SampleID},
		Body: `{"archivedUntilNextEvent":true}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.ErrorGroup, error) {
			return c.ErrorGroups.Update(ctx, id[0], monitoring.ErrorGroupUpdate{ArchivedUntilNextEvent: new(true)}, o...)
		}),
	},
	{
		Name: "POST /v1/root-cause-analyses/error-groups/{errorGroupId}", File: "post-v1-root-cause-analysis", IDs: []string{UUID1},
		Body: `{"userContext":"c"}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.RootCauseAnalysis, error) {
			return c.RootCauseAnalyses.Create(ctx, id[0], monitoring.RootCauseAnalysisCreate{UserContext: "c"}, o...)
		}),
	},
	{
		Name: "DELETE /v1/status-pages/services/{serviceId}", File: "delete-v1-status-page-service", IDs: []string{UUID1},
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (any, error) {
			return nil, c.StatusPageServices.Delete(ctx, id[0], o...)
		}),
	},
	{
		Name: "DELETE /v1/dashboards/{dashboardId}", File: "delete-v1-dashboard", IDs: []string{"my-board"},
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (any, error) {
			return nil, c.Dashboards.Delete(ctx, id[0], o...)
		}),
	},
	{
		Name: "GET /v1/checks", Query: "?apiCheckUrlFilterPattern=shop&applyGroupSettings=true&checkType=API&limit=100" +
			"&page=2&search=Log+in&status=failing&tag=a&tag=b+%26+c",
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) ([]monitoring.Check, error) {
			return pageItems(c.Checks.List(ctx, monitoring.CheckListOptions{
				ListOptions: monitoring.ListOptions{Limit: 100, Page: 2}, Tags: []string{"a", "b & c"},
				CheckType: monitoring.CheckTypeAPI, Search: "Log in",
				Status: monitoring.CheckFailing, APICheckURLFilterPattern: "shop", ApplyGroupSettings: true,
			}, o...))
		}),
		All: allOf(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) iter.Seq2[monitoring.Check, error] {
			return c.Checks.All(ctx, monitoring.CheckListOptions{}, o...)
		}),
	},
	{
		Name: "GET /v1/checks/{id}", File: "get-v1-check", IDs: []string{SampleID}, Query: "?applyGroupSettings=true&includeDependencies=true",
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.Check, error) {
			return c.Checks.GetWith(ctx, id[0], monitoring.CheckGetOptions{ApplyGroupSettings: true, IncludeDependencies: true}, o...)
		}),
	},
	{
		Name: "DELETE /v1/checks/{id}", File: "delete-v1-check", IDs: []string{UUID1},
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (any, error) {
			return nil, c.Checks.Delete(ctx, id[0], o...)
		}),
	},
	{
		Name: "POST /v1/checks/api", Query: "?autoAssignAlerts=false",
		Body: `{"name":"n","request":{"method":"GET","url":"u"}}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.APICheck, error) {
			return c.Checks.CreateAPI(ctx, monitoring.APICheckCreate{
				CheckSettings: monitoring.CheckSettings{Name: "n", AutoAssignAlerts: new(false)},
				Request:       monitoring.APIRequest{Method: "GET", URL: "u"},
			}, o...)
		}),
	},
	{
		Name: "PUT /v1/checks/api/{id}", IDs: []string{SampleID}, Query: "?autoAssignAlerts=false",
		Body: `{"groupOrder":0}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.APICheck, error) {
			return c.Checks.UpdateAPI(ctx, id[0], monitoring.APICheckUpdate{
				CheckSettings: monitoring.CheckSettings{GroupOrder: monitoring.Value(0), AutoAssignAlerts: new(false)},
			}, o...)
		}),
	},
	{
		Name: "PUT /v1/checks/tcp/{id}", IDs: []string{SampleID},
		Body: `{"groupOrder":0}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.TCPCheck, error) {
			first := monitoring.CheckSettings{GroupOrder: monitoring.Value(0)}
			return c.Checks.UpdateTCP(ctx, id[0], monitoring.TCPCheckUpdate{CheckSettings: first}, o...)
		}),
	},
	{
		Name: "POST /v1/checks/url", Query: "?autoAssignAlerts=false",
		Body: `{"name":"n","request":{"url":"u"}}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.URLCheck, error) {
			settings := monitoring.CheckSettings{Name: "n", AutoAssignAlerts: new(false)}
			return c.Checks.CreateURL(ctx, monitoring.URLCheckCreate{CheckSettings: settings, Request: monitoring.URLRequest{URL: "u"}}, o...)
		}),
	},
	{
		Name: "PUT /v1/checks/url/{id}", IDs: []string{SampleID},
		Body: `{"groupOrder":0}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.URLCheck, error) {
			settings := monitoring.CheckSettings{GroupOrder: monitoring.Value(0)}
			return c.Checks.UpdateURL(ctx, id[0], monitoring.URLCheckUpdate{CheckSettings: settings}, o...)
		}),
	},
	{
		Name: "POST /v1/checks/icmp", Query: "?autoAssignAlerts=false",
		Body: `{"name":"n","request":{"hostname":"h"}}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.ICMPCheck, error) {
			check := monitoring.ICMPCheckCreate{Request: monitoring.ICMPRequest{Hostname: "h"}}
			check.Name, check.AutoAssignAlerts = "n", new(false)
			return c.Checks.CreateICMP(ctx, check, o...)
		}),
	},
	{
		Name: "PUT /v1/checks/icmp/{id}", IDs: []string{SampleID},
		Body: `{"groupOrder":0}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.ICMPCheck, error) {
			settings := monitoring.CheckSettings{GroupOrder: monitoring.Value(0)}
			return c.Checks.UpdateICMP(ctx, id[0], monitoring.ICMPCheckUpdate{CheckSettings: settings}, o...)
		}),
	},
	{
		Name: "POST /v1/checks/ssl", Query: "?autoAssignAlerts=false",
		Body: `{"name":"n","request":{"sslConfig":{"hostname":"h"}}}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.SSLCheck, error) {
			check := monitoring.SSLCheckCreate{Request: monitoring.SSLRequest{SSLConfig: monitoring.SSLConfig{Hostname: "h"}}}
			check.Name, check.AutoAssignAlerts = "n", new(false)
			return c.Checks.CreateSSL(ctx, check, o...)
		}),
	},
	{
		Name: "PUT /v1/checks/ssl/{id}", IDs: []string{SampleID},
		Body: `{"groupOrder":0}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.SSLCheck, error) {
			settings := monitoring.CheckSettings{GroupOrder: monitoring.Value(0)}
			return c.Checks.UpdateSSL(ctx, id[0], monitoring.SSLCheckUpdate{CheckSettings: settings}, o...)
		}),
	},
	{
		Name: "POST /v1/checks/dns", Query: "?autoAssignAlerts=false",
		Body: `{"name":"n","request":{"query":"q","recordType":"A"}}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.DNSCheck, error) {
			check := monitoring.DNSCheckCreate{Request: monitoring.DNSRequest{Query: "q", RecordType: "A"}}
			check.Name, check.AutoAssignAlerts = "n", new(false)
			return c.Checks.CreateDNS(ctx, check, o...)
		}),
	},
	{
		Name: "PUT /v1/checks/dns/{id}", IDs: []string{SampleID},
		Body: `{"name":"n","groupOrder":0}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.DNSCheck, error) {
			settings := monitoring.CheckSettings{Name: "n", GroupOrder: monitoring.Value(0)}
			return c.Checks.UpdateDNS(ctx, id[0], monitoring.DNSCheckUpdate{CheckSettings: settings}, o...)
		}),
	},
	{
		Name: "POST /v1/checks/heartbeat", Query: "?autoAssignAlerts=false",
		Body: `{"name":"n","heartbeat":{"period":1,"periodUnit":"hours","grace":5,"graceUnit":"minutes"}}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.HeartbeatCheck, error) {
			settings := monitoring.CheckSettings{Name: "n", AutoAssignAlerts: new(false)}
			times := monitoring.Heartbeat{Period: 1, PeriodUnit: monitoring.HeartbeatHours, Grace: 5, GraceUnit: monitoring.HeartbeatMinutes}
			return c.Checks.CreateHeartbeat(ctx, monitoring.HeartbeatCheckCreate{CheckSettings: settings, Heartbeat: times}, o...)
		}),
	},
	{
		Name: "PUT /v1/checks/heartbeat/{id}", IDs: []string{SampleID},
		Body: `{"groupOrder":0}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.HeartbeatCheck, error) {
			settings := monitoring.CheckSettings{GroupOrder: monitoring.Value(0)}
			return c.Checks.UpdateHeartbeat(ctx, id[0], monitoring.HeartbeatCheckUpdate{CheckSettings: settings}, o...)
		}),
	},
	{
		Name: "POST /v1/checks/multistep", Query: "?autoAssignAlerts=false",
		Body: `{"name":"n","script":"s"}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.MultiStepCheck, error) {
			settings := monitoring.CheckSettings{Name: "n", AutoAssignAlerts: new(false)}
			return c.Checks.CreateMultiStep(ctx, monitoring.MultiStepCheckCreate{CheckSettings: settings, Script: monitoring.Value("s")}, o...)
		}),
	},
	{
		Name: "PUT /v1/checks/multistep/{id}", IDs: []string{SampleID},
		Body: `{"groupOrder":0}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.MultiStepCheck, error) {
			settings := monitoring.CheckSettings{GroupOrder: monitoring.Value(0)}
			return c.Checks.UpdateMultiStep(ctx, id[0], monitoring.MultiStepCheckUpdate{CheckSettings: settings}, o...)
		}),
	},
	{
		Name: "POST /v1/checks/browser", Query: "?autoAssignAlerts=false",
		Body: `{"name":"n","script":"s"}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.BrowserCheck, error) {
			return c.Checks.CreateBrowser(ctx, monitoring.BrowserCheckCreate{
				CheckSettings: monitoring.CheckSettings{Name: "n", AutoAssignAlerts: new(false)}, Script: monitoring.Value("s"),
			}, o...)
		}),
	},
	{
		Name: "GET /v1/check-statuses",
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) ([]monitoring.CheckStatus, error) {
			return c.CheckStatuses.List(ctx, o...)
		}),
	},
	{
		Name: "GET /v1/check-statuses/{checkId}", File: "get-v1-check-status", IDs: []string{SampleID}, OwnID: "checkId", OrNull: true,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.CheckStatus, error) {
			return c.CheckStatuses.Get(ctx, id[0], o...)
		}),
	},
	{
		Name: "GET /v1/check-groups", Query: "?limit=100&name=Checkout&name=Login+%26+out&page=2&tag=production",
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) ([]monitoring.CheckGroup, error) {
			return pageItems(c.CheckGroups.List(ctx, monitoring.CheckGroupListOptions{
				ListOptions: monitoring.ListOptions{Limit: 100, Page: 2}, Tags: []string{"production"}, Names: []string{"Checkout", "Login & out"},
			}, o...))
		}),
		All: allOf(func(ctx context.Context, c *monitoring.Client, id []string,
			o []monitoring.CallOption) iter.Seq2[monitoring.CheckGroup, error] {
			return c.CheckGroups.All(ctx, monitoring.CheckGroupListOptions{}, o...)
		}),
	},
	{
		Name: "POST /v2/check-groups", Query: "?autoAssignAlerts=false",
		Body: `{"name":"n"}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.CheckGroup, error) {
			return c.CheckGroups.Create(ctx, monitoring.CheckGroupCreate{Name: "n", AutoAssignAlerts: new(false)}, o...)
		}),
	},
	{
		Name: "DELETE /v1/check-groups/{id}", File: "delete-v1-check-group", IDs: []string{"9007199254740991"},
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (any, error) {
			return nil, c.CheckGroups.Delete(ctx, number(id[0]), o...)
		}),
	},
	{
		Name: "GET /v1/check-groups/{id}/checks", File: "get-v1-check-group-checks", IDs: []string{"9007199254740991"}, Query: "?limit=2",
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) ([]monitoring.Check, error) {
			return pageItems(c.CheckGroups.ListChecks(ctx, number(id[0]), monitoring.ListOptions{Limit: 2}, o...))
		}),
		All: allOf(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) iter.Seq2[monitoring.Check, error] {
			return c.CheckGroups.AllChecks(ctx, number(id[0]), monitoring.ListOptions{}, o...)
		}),
	},
	{
		Name: "POST /v1/variables", Body: `{"key":"API_URL","value":""}`, OwnID: "key",
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string,
			o []monitoring.CallOption) (*monitoring.EnvironmentVariable, error) {
			return c.Variables.Create(ctx, monitoring.VariableCreate{Key: "API_URL", Value: monitoring.NewSecret("")}, o...)
		}),
	},
	{
		Name: "GET /v1/variables/{key}", File: "get-v1-variable", IDs: []string{"API_URL"}, OwnID: "key",
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string,
			o []monitoring.CallOption) (*monitoring.EnvironmentVariable, error) {
			return c.Variables.Get(ctx, id[0], o...)
		}),
	},
	{
		Name: "PUT /v1/variables/{key}", File: "put-v1-variable", IDs: []string{"API_URL"}, OwnID: "key",
		Body: `{"value":"v","locked":true,"secret":false}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string,
			o []monitoring.CallOption) (*monitoring.EnvironmentVariable, error) {
			return c.Variables.Update(ctx, id[0], monitoring.VariableUpdate{Value: monitoring.NewSecret("v"), Locked: new(true),
				Secret: new(false)}, o...)
		}),
	},
	{
		Name: "DELETE /v1/variables/{key}", File: "delete-v1-variable", IDs: []string{"API_URL"},
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (any, error) {
			return nil, c.Variables.Delete(ctx, id[0], o...)
		}),
	},
	{
		Name: "POST /v1/maintenance-windows",
		Body: `{"name":"n","startsAt":"2026-09-01T00:00:00Z","endsAt":"2026-09-01T02:00:00Z","repeatUnit":"DAY"}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.MaintenanceWindow, error) {
			start := time.Date(2026, 9, 1, 0, 0, 0, 0, time.UTC)
			return c.MaintenanceWindows.Create(ctx, monitoring.MaintenanceWindowCreate{
				Name: "n", StartsAt: monitoring.NewTimestamp(start), EndsAt: monitoring.NewTimestamp(start.Add(2 * time.Hour)),
			}, o...)
		}),
	},
	{
		Name: "GET /v1/maintenance-windows/{id}", File: "get-v1-maintenance-window", IDs: []string{"9007199254740991"},
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.MaintenanceWindow, error) {
			return c.MaintenanceWindows.Get(ctx, number(id[0]), o...)
		}),
	},
	{
		Name: "PUT /v1/maintenance-windows/{id}", File: "put-v1-maintenance-window", IDs: []string{"9007199254740991"},
		Body: `{"timezone":null}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.MaintenanceWindow, error) {
			return c.MaintenanceWindows.Update(ctx, number(id[0]), monitoring.MaintenanceWindowUpdate{Timezone: monitoring.Null[string]()}, o...)
		}),
	},
	{
		Name: "DELETE /v1/maintenance-windows/{id}", File: "delete-v1-maintenance-window", IDs: []string{"9007199254740991"},
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (any, error) {
			return nil, c.MaintenanceWindows.Delete(ctx, number(id[0]), o...)
		}),
	},
	{
		Name: "GET /v2/check-results/{checkId}", IDs: []string{UUID1}, Response: `{"length":1,"entries":[{"id":"a"}],"nextId":null}`,
		Query: "?checkType=API&fields=id%2CcreatedAt&from=1787097600&hasFailures=false&limit=100" +
			"&location=eu-west-1&nextId=x&resultType=ALL&to=1787184000",
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) ([]monitoring.CheckResult, error) {
			return pageItems(c.CheckResults.List(ctx, id[0], monitoring.CheckResultListOptions{
				Limit: 100, NextID: "x", From: time.Unix(1787097600, 0), To: time.Unix(1787184000, 0),
				Location: monitoring.RegionEUWest1, CheckType: monitoring.CheckTypeAPI,
				HasFailures: new(false), ResultType: monitoring.ResultAll, Fields: []string{"id", "createdAt"},
			}, o...))
		}),
		All: allOf(func(ctx context.Context, c *monitoring.Client, id []string,
			o []monitoring.CallOption) iter.Seq2[monitoring.CheckResult, error] {
			return c.CheckResults.AllForCheck(ctx, id[0], monitoring.CheckResultListOptions{}, o...)
		}),
	},
	{
		Name: "GET /v1/check-results/{checkId}/{checkResultId}/assets", IDs: []string{UUID1, SampleID}, Query: "?name=a%2A&type=log&type=video",
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.CheckResultAssets, error) {
			return c.CheckResults.Assets(ctx, id[0], id[1],
				monitoring.CheckResultAssetOptions{Types: []monitoring.AssetType{monitoring.AssetLog, monitoring.AssetVideo}, Name: "a*"}, o...)
		}),
	},
	{
		Name: "GET /v1/alert-channels", Query: "?limit=50",
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) ([]monitoring.AlertChannel, error) {
			return pageItems(c.AlertChannels.List(ctx, monitoring.ListOptions{Limit: 50}, o...))
		}),
		All: allOf(func(ctx context.Context, c *monitoring.Client, id []string,
			o []monitoring.CallOption) iter.Seq2[monitoring.AlertChannel, error] {
			return c.AlertChannels.All(ctx, monitoring.ListOptions{}, o...)
		}),
	},
	{
		Name: "POST /v1/alert-channels",
		Body: `{"type":"EMAIL","config":{"address":"oncall@shop.test"},"subscriptions":[{"groupId":4711,"activated":true}]}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.AlertChannel, error) {
			var channel monitoring.AlertChannelCreate
			channel.Type, channel.Config = monitoring.EmailChannel("oncall@shop.test")
			channel.Subscriptions = []monitoring.ChannelSubscriber{{GroupID: new(int64(4711)), Activated: true}}
			return c.AlertChannels.Create(ctx, channel, o...)
		}),
	},
	{
		Name: "GET /v1/alert-channels/{id}", File: "get-v1-alert-channel", IDs: []string{"9007199254740991"},
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.AlertChannel, error) {
			return c.AlertChannels.Get(ctx, number(id[0]), o...)
		}),
	},
	{
		Name: "PUT /v1/alert-channels/{id}", File: "put-v1-alert-channel", IDs: []string{"9007199254740991"},
		Body: `{"type":"PIGEON","config":{"coop":"c"},"sendDegraded":true}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.AlertChannel, error) {
			read := monitoring.AlertChannel{Type: "PIGEON", Config: monitoring.NewSecretJSON([]byte(`{"coop":"c"}`)), SendDegraded: new(true)}
			return c.AlertChannels.Update(ctx, number(id[0]), read.ToUpdate(), o...)
		}),
	},
	{
		Name: "DELETE /v1/alert-channels/{id}", File: "delete-v1-alert-channel", IDs: []string{"9007199254740991"},
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (any, error) {
			return nil, c.AlertChannels.Delete(ctx, number(id[0]), o...)
		}),
	},
	{
		Name: "PUT /v1/alert-channels/{id}/subscriptions", File: "put-v1-alert-channel-subscriptions",
		IDs: []string{"9007199254740991"}, OwnID: "groupId",
		Body: `{"groupId":9007199254740991,"activated":false}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string,
			o []monitoring.CallOption) (*monitoring.ChannelSubscription, error) {
			return c.AlertChannels.Subscribe(ctx, number(id[0]), monitoring.ChannelSubscriber{GroupID: new(number(id[0]))}, o...)
		}),
	},
	{
		Name: "GET /v1/snippets", Query: "?limit=50",
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) ([]monitoring.Snippet, error) {
			return pageItems(c.Snippets.List(ctx, monitoring.ListOptions{Limit: 50}, o...))
		}),
		All: allOf(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) iter.Seq2[monitoring.Snippet, error] {
			return c.Snippets.All(ctx, monitoring.ListOptions{}, o...)
		}),
	},
	{
		Name: "POST /v1/snippets", Body: `{"name":"n","script":"s"}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.Snippet, error) {
			return c.Snippets.Create(ctx, monitoring.SnippetCreate{Name: "n", Script: "s"}, o...)
		}),
	},
	{
		Name: "GET /v1/snippets/{id}", File: "get-v1-snippet", IDs: []string{"9007199254740991"},
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.Snippet, error) {
			return c.Snippets.Get(ctx, number(id[0]), o...)
		}),
	},
	{
		Name: "PUT /v1/snippets/{id}", File: "put-v1-snippet", IDs: []string{"9007199254740991"}, Body: `{"name":"n","script":"s"}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.Snippet, error) {
			return c.Snippets.Update(ctx, number(id[0]), monitoring.SnippetUpdate{Name: "n", Script: "s"}, o...)
		}),
	},
	{
		Name: "DELETE /v1/snippets/{id}", File: "delete-v1-snippet", IDs: []string{"9007199254740991"},
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (any, error) {
			return nil, c.Snippets.Delete(ctx, number(id[0]), o...)
		}),
	},
	{
		Name: "GET /v1/runtimes",
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) ([]monitoring.Runtime, error) {
			return c.Runtimes.List(ctx, o...)
		}),
	},
	{
		Name: "GET /v1/runtimes/{id}", File: "get-v1-runtime", IDs: []string{"2026.04"}, OwnID: "name",
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.Runtime, error) {
			return c.Runtimes.Get(ctx, monitoring.RuntimeID(id[0]), o...)
		}),
	},
	{
		Name: "GET /v1/reporting",
		Query: "?deactivated=false&filterByTags=shop&filterByTags=eu&from=1787097600&granularity=week&quickRange=last7Days" +
			"&timezone=Europe%2FBerlin&to=1787184000",
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) ([]monitoring.Report, error) {
			return c.Reports.List(ctx, monitoring.ReportOptions{
				From: time.Unix(1787097600, 0), To: time.Unix(1787184000, 0), QuickRange: monitoring.ReportLast7Days,
				Tags: []string{"shop", "eu"}, Deactivated: new(false), Granularity: monitoring.ReportWeekly, Timezone: "Europe/Berlin",
			}, o...)
		}),
	},
	{
		Name: "GET /v1/check-alerts", Query: "?from=1787097600&limit=100&page=2&to=1787184000",
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) ([]monitoring.CheckAlert, error) {
			return pageItems(c.CheckAlerts.List(ctx, monitoring.CheckAlertListOptions{
				ListOptions: monitoring.ListOptions{Limit: 100, Page: 2}, From: time.Unix(1787097600, 0), To: time.Unix(1787184000, 0),
			}, o...))
		}),
		All: allOf(func(ctx context.Context, c *monitoring.Client, id []string,
			o []monitoring.CallOption) iter.Seq2[monitoring.CheckAlert, error] {
			return c.CheckAlerts.All(ctx, monitoring.CheckAlertListOptions{}, o...)
		}),
	},
	{
		Name: "GET /v1/check-alerts/{checkId}", File: "get-v1-check-alerts-of-check", IDs: []string{SampleID},
		Query: "?from=1787097600&to=1787184000",
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) ([]monitoring.CheckAlert, error) {
			return pageItems(c.CheckAlerts.ListForCheck(ctx, id[0], monitoring.CheckAlertListOptions{
				From: time.Unix(1787097600, 0), To: time.Unix(1787184000, 0),
			}, o...))
		}),
		All: allOf(func(ctx context.Context, c *monitoring.Client, id []string,
			o []monitoring.CallOption) iter.Seq2[monitoring.CheckAlert, error] {
			return c.CheckAlerts.AllForCheck(ctx, id[0], monitoring.CheckAlertListOptions{}, o...)
		}),
	},
	{
		Name: "GET /v1/private-locations",
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) ([]monitoring.PrivateLocation, error) {
			return c.PrivateLocations.List(ctx, o...)
		}),
	},
	{
		Name: "POST /v1/private-locations", Body: `{"name":"n","slugName":"dc-1","proxyUrl":null}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.PrivateLocation, error) {
			location := monitoring.PrivateLocationCreate{Name: "n", SlugName: "dc-1", ProxyURL: monitoring.Null[monitoring.Secret]()}
			return c.PrivateLocations.Create(ctx, location, o...)
		}),
	},
	{
		Name: "GET /v1/private-locations/{id}", File: "get-v1-private-location", IDs: []string{SampleID},
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.PrivateLocation, error) {
			return c.PrivateLocations.Get(ctx, id[0], o...)
		}),
	},
	{
		Name: "PUT /v1/private-locations/{id}", File: "put-v1-private-location", IDs: []string{SampleID},
		Body: `{"name":"n","icon":"i","proxyUrl":"https://u:p@proxy.test"}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.PrivateLocation, error) {
			update := monitoring.PrivateLocationUpdate{Name: "n", Icon: new("i")}
			update.ProxyURL = monitoring.Value(monitoring.NewSecret("https://u:p@proxy.test"))
			return c.PrivateLocations.Update(ctx, id[0], update, o...)
		}),
	},
	{
		Name: "DELETE /v1/private-locations/{id}", File: "delete-v1-private-location", IDs: []string{SampleID},
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (any, error) {
			return nil, c.PrivateLocations.Delete(ctx, id[0], o...)
		}),
	},
	{
		Name: "POST /v1/private-locations/{id}/keys", IDs: []string{SampleID},
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.PrivateLocationKey, error) {
			return c.PrivateLocations.CreateKey(ctx, id[0], o...)
		}),
	},
	{
		Name: "DELETE /v1/private-locations/{id}/keys/{keyId}", File: "delete-v1-private-location-key", IDs: []string{SampleID, UUID1},
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (any, error) {
			return nil, c.PrivateLocations.DeleteKey(ctx, id[0], id[1], o...)
		}),
	},
	{
		Name: "GET /openapi.json", File: "get-openapi", Response: `{"openapi":"3.0.0"}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (string, error) {
			var b strings.Builder
			err := c.OpenAPI(ctx, &b, o...)
			return b.String(), err
		}),
	},
}

// Operations is the table of operations with calls, in the order of internal/operations. It drives
// all tests that must pass for each operation: what is sent, faults, ids, read-ahead, and
// routes of the in-process fake. A test fails with the name of an operation that has no row.
var Operations = func() (list []Operation) {
	for _, row := range operations.All() {
		i := slices.IndexFunc(rows, func(o Operation) bool { return o.Name == row.Name })
		if i < 0 {
			continue
		}
		o := rows[i]
		o.Row, o.Status, o.Kind = row, row.Status, kindOf(row, o)
		if o.OwnID == "" {
			o.OwnID = "id"
		}
		if o.File == "" {
			o.File = strings.NewReplacer(" /", "-", "/", "-").Replace(strings.ToLower(idSegment.ReplaceAllString(row.Name, "")))
		}
		list = append(list, o)
	}
	return list
}()

// WrongID returns the kind of the first id of the row that has another one; "" if all fit.
func (o Operation) WrongID() operations.ID {
	for i, kind := range o.Row.IDs {
		if i >= len(o.IDs) || !hasKind(o.IDs[i], kind) {
			return kind
		}
	}
	return ""
}

// Unlisted returns the names of the rows that internal/operations does not have, and of those that
// are there twice.
func Unlisted() (names []string) {
	seen := make(map[string]bool)
	for _, o := range rows {
		if _, ok := operations.Find(o.Name); !ok || seen[o.Name] {
			names = append(names, o.Name)
		}
		seen[o.Name] = true
	}
	return names
}

// kindOf returns the kind of an operation, which decides about retries and about what an odd
// response means.
func kindOf(row operations.Operation, o Operation) string {
	switch {
	case row.Pages != operations.Whole:
		return "list"
	case row.Class == operations.Poll:
		return "poll"
	case row.Method() == http.MethodPut, row.Method() == http.MethodPatch:
		return "update"
	case row.Method() == http.MethodDelete:
		return "delete"
	case row.Class == operations.Idempotent:
		return "cancel"
	case row.Class == operations.Unsafe && strings.HasSuffix(row.Path(), "/trigger"):
		return "trigger"
	case row.Class == operations.Unsafe:
		return "create"
	case o.Response != "":
		return "stream"
	}
	return "read"
}

// FirstOfKind has the first operation of each kind.
var FirstOfKind = func() map[string]func(context.Context, *monitoring.Client) error {
	first := make(map[string]func(context.Context, *monitoring.Client) error)
	for _, o := range Operations {
		if first[o.Kind] == nil {
			first[o.Kind] = o.Try
		}
	}
	return first
}()
