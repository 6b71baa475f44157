package kit

import (
	"context"
	"iter"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// Operation is a row of Operations.
type Operation struct {
	Name     string   // as the document writes it: method and path
	Kind     string   // read, poll, list, update, delete, stream, cancel, trigger or create; decides about retries
	File     string   // the prefix of its files in testdata
	Status   int      // of its response
	Response string   // the body of its response, if testdata has none
	IDs      []string // in the path
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

var placeholder = regexp.MustCompile(`\{\w+\}`)

// Path returns the path of the request with ids, and its query.
func (o Operation) Path(ids ...string) string {
	_, pattern, _ := strings.Cut(o.Name, " ")
	n := 0
	return placeholder.ReplaceAllStringFunc(pattern, func(string) string {
		n++
		return url.PathEscape(ids[n-1])
	}) + o.Query
}

// Numbered reports whether the ids are numbers, which need no escape.
func (o Operation) Numbered() bool { return len(o.IDs) > 0 && isNumber(o.IDs[0]) }

func isNumber(s string) bool {
	_, err := strconv.ParseInt(s, 10, 64)
	return err == nil
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
func of[T any](f func(context.Context, *monitoring.Client, []string, []monitoring.CallOption) (T, error)) func(context.Context, *monitoring.Client, []string, []monitoring.CallOption) (any, error) {
	return func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (any, error) {
		return f(ctx, c, id, o)
	}
}

// allOf turns an iterator into a function that counts its items.
func allOf[T any](f func(context.Context, *monitoring.Client, []string, []monitoring.CallOption) iter.Seq2[T, error]) func(context.Context, *monitoring.Client, []string, []monitoring.CallOption) (int, error) {
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

// Operations is the table of operations. It drives all tests that must pass for each operation:
// what is sent, faults, ids, read-ahead, directives, and routes of the in-process fake. A test
// fails with the name of an operation that is missing here.
var Operations = []Operation{
	{"GET /v1/locations", "read", "get-v1-locations", 200, "", nil, "", "",
		of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) ([]monitoring.Location, error) {
			return c.Locations.List(ctx, o...)
		}), nil},
	{"POST /v2/check-sessions/trigger", "trigger", "post-v2-check-sessions-trigger", 201, "", nil, "",
		`{"target":{"checkId":["` + UUID1 + `"]},"refreshCache":false}`,
		of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (TriggerResponse, error) {
			list, err := c.CheckSessions.Trigger(ctx, monitoring.TriggerRequest{Target: monitoring.TriggerTarget{CheckIDs: []string{UUID1}}, RefreshCache: new(false)}, o...)
			return TriggerResponse{Sessions: list}, err
		}), nil},
	{"POST /v1/check-sessions/trigger", "trigger", "post-v1-check-sessions-trigger", 201, "", nil, "",
		`{"target":{"matchTags":[["a","!b"]]}}`,
		of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (TriggerResponse, error) {
			list, err := c.CheckSessions.TriggerV1(ctx, monitoring.TriggerRequest{Target: monitoring.TriggerTarget{MatchTags: [][]string{{"a", "!b"}}}}, o...)
			return TriggerResponse{Sessions: list}, err
		}), nil},
	{"GET /v1/check-sessions/{checkSessionId}", "read", "get-v1-check-session", 200, "", []string{SampleRun}, "", "",
		of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.CheckSession, error) {
			return c.CheckSessions.GetV1(ctx, id[0], o...)
		}), nil},
	{"GET /v2/check-sessions/{checkSessionId}", "read", "get-v2-check-session", 200, "", []string{SampleRun}, "", "",
		of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.CheckSession, error) {
			return c.CheckSessions.Get(ctx, id[0], o...)
		}), nil},
	{"GET /v2/check-sessions/{checkSessionId}/completion", "poll", "get-v2-check-session-completion", 200, "", []string{SampleRun}, "?maxWaitSeconds=30", "",
		of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.CheckSession, error) {
			return c.CheckSessions.Completion(ctx, id[0], monitoring.CompletionOptions{}, o...)
		}), nil},
	{"POST /v1/check-sessions/{checkSessionId}/cancel", "cancel", "post-v1-check-session-cancel", 204, "", []string{UUID1}, "", `{}`,
		of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (any, error) {
			return nil, c.CheckSessions.Cancel(ctx, id[0], monitoring.CancelRequest{}, o...)
		}), nil},
	{"GET /v1/check-results/{checkId}/{checkResultId}", "read", "get-v1-check-result", 200, "", []string{UUID1, SampleID}, "", "",
		of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.CheckResult, error) {
			return c.CheckResults.Get(ctx, id[0], id[1], o...)
		}), nil},
	{"GET /v1/alert-notifications", "list", "get-v1-alert-notifications", 200, "", nil, "?alertChannelId=9&from=1787097600&hasFailures=false&limit=100&page=2&to=1787184000", "",
		of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) ([]monitoring.AlertNotification, error) {
			return pageItems(c.AlertNotifications.List(ctx, monitoring.AlertNotificationListOptions{
				ListOptions: monitoring.ListOptions{Limit: 100, Page: 2}, From: time.Unix(1787097600, 0), To: time.Unix(1787184000, 0),
				AlertChannelID: 9, HasFailures: new(false),
			}, o...))
		}),
		allOf(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) iter.Seq2[monitoring.AlertNotification, error] {
			return c.AlertNotifications.All(ctx, monitoring.AlertNotificationListOptions{}, o...)
		})},
	{"GET /v1/check-groups/{id}", "read", "get-v1-check-group", 200, "", []string{"9007199254740991"}, "", "",
		of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.CheckGroup, error) {
			return c.CheckGroups.Get(ctx, number(id[0]), o...)
		}), nil},
	{"PUT /v2/check-groups/{id}", "update", "put-v2-check-group", 200, "", []string{"9007199254740991"}, "?autoAssignAlerts=true", `{"name":"n"}`,
		of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.CheckGroup, error) {
			return c.CheckGroups.Update(ctx, number(id[0]), monitoring.CheckGroupUpdate{Name: "n", AutoAssignAlerts: new(true)}, o...)
		}), nil},
	{"POST /v1/checks/tcp", "create", "post-v1-checks-tcp", 201, "", nil, "?autoAssignAlerts=false", `{"name":"n","request":{"hostname":"h","port":1}}`,
		of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.TCPCheck, error) {
			return c.Checks.CreateTCP(ctx, monitoring.TCPCheckCreate{Name: "n", Request: monitoring.TCPRequest{Hostname: "h", Port: 1}, AutoAssignAlerts: new(false)}, o...)
		}), nil},
	{"PUT /v1/checks/browser/{id}", "update", "put-v1-checks-browser", 200, "", []string{SampleID}, "", `{"groupOrder":0}`,
		of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.BrowserCheck, error) {
			return c.Checks.UpdateBrowser(ctx, id[0], monitoring.BrowserCheckUpdate{GroupOrder: monitoring.Value(0)}, o...)
		}), nil},
	{"PUT /v1/checks/{id}", "update", "put-v1-check", 200, "", []string{SampleID}, "?autoAssignAlerts=false", `{"checkType":"API","request":{"url":"u"}}`,
		of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.Check, error) {
			//lint:ignore SA1019 the table has each operation
			return c.Checks.Update(ctx, id[0], monitoring.CheckUpdate{CheckType: monitoring.CheckTypeAPI, Request: map[string]string{"url": "u"}, AutoAssignAlerts: new(false)}, o...)
		}), nil},
	{"GET /v1/maintenance-windows", "list", "get-v1-maintenance-windows", 200, "", nil, "?limit=1", "",
		of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) ([]monitoring.MaintenanceWindow, error) {
			return pageItems(c.MaintenanceWindows.List(ctx, monitoring.MaintenanceWindowListOptions{ListOptions: monitoring.ListOptions{Limit: 1}}, o...))
		}),
		allOf(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) iter.Seq2[monitoring.MaintenanceWindow, error] {
			return c.MaintenanceWindows.All(ctx, monitoring.MaintenanceWindowListOptions{}, o...)
		})},
	{"GET /v1/variables", "list", "get-v1-variables", 200, "", nil, "", "",
		of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) ([]monitoring.EnvironmentVariable, error) {
			return pageItems(c.Variables.List(ctx, monitoring.VariableListOptions{}, o...))
		}),
		allOf(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) iter.Seq2[monitoring.EnvironmentVariable, error] {
			return c.Variables.All(ctx, monitoring.VariableListOptions{}, o...)
		})},
	{"GET /v1/accounts/{accountId}/entitlements", "read", "get-v1-entitlements", 200, "", []string{Account}, "", "",
		of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.Entitlements, error) {
			return c.Entitlements.Get(ctx, id[0], o...)
		}), nil},
	{"GET /v1/root-cause-analyses/{id}", "read", "get-v1-root-cause-analysis", 200, "", []string{SampleID}, "", "",
		of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.RootCauseAnalysis, error) {
			return c.RootCauseAnalyses.Get(ctx, id[0], o...)
		}), nil},
	{"GET /v1/error-groups/checks/{checkId}", "list", "get-v1-error-groups", 200, "", []string{UUID1}, "?page=3", "",
		of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) ([]monitoring.ErrorGroup, error) {
			return pageItems(c.ErrorGroups.ListForCheck(ctx, id[0], monitoring.ErrorGroupListOptions{ListOptions: monitoring.ListOptions{Page: 3}}, o...))
		}),
		allOf(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) iter.Seq2[monitoring.ErrorGroup, error] {
			return c.ErrorGroups.AllForCheck(ctx, id[0], monitoring.ErrorGroupListOptions{}, o...)
		})},
	{"DELETE /v1/status-pages/services/{serviceId}", "delete", "delete-v1-status-page-service", 204, "", []string{UUID1}, "", "",
		of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (any, error) {
			return nil, c.StatusPageServices.Delete(ctx, id[0], o...)
		}), nil},
	{"DELETE /v1/dashboards/{dashboardId}", "delete", "delete-v1-dashboard", 204, "", []string{"my-board"}, "", "",
		of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (any, error) {
			return nil, c.Dashboards.Delete(ctx, id[0], o...)
		}), nil},
	{"GET /openapi.json", "stream", "get-openapi", 200, `{"openapi":"3.0.0"}`, nil, "", "",
		of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (string, error) {
			var b strings.Builder
			err := c.OpenAPI(ctx, &b, o...)
			return b.String(), err
		}), nil},
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
