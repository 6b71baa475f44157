package monitoring

import (
	"context"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// operationCall is a row of operationCalls, the table of operations. The table drives all tests
// that must pass for each operation: what is sent, faults, ids, read-ahead, directives, and routes of
// the in-process fake. A test fails with the name of an operation that is missing here.
type operationCall struct {
	operation string   // as the document writes it
	kind      string   // read, poll, list, update, delete, stream, cancel, trigger or create; decides about retries
	file      string   // the prefix of its files in testdata
	status    int      // of its response
	response  string   // the body of its response, if testdata has none
	ids       []string // in the path
	query     string
	body      string
	call      func(context.Context, *Client, []string, []CallOption) (any, error)
	all       func(context.Context, *Client, []string, []CallOption) (int, error) // the iterator of a list
}

// do makes the call with the ids of the row.
func (c operationCall) do(ctx context.Context, client *Client, opts ...CallOption) (any, error) {
	return c.call(ctx, client, c.ids, opts)
}

// try is do without the value.
func (c operationCall) try(ctx context.Context, client *Client) error {
	_, err := c.do(ctx, client)
	return err
}

// path returns the path of the request with ids, and its query.
func (c operationCall) path(ids ...string) string {
	_, pattern, _ := strings.Cut(c.operation, " ")
	n := 0
	return pathTemplate{pattern: pattern, args: ids}.fill(func(_, id string) string {
		n++
		return url.PathEscape(id)
	}) + c.query
}

// numbered reports whether the ids are numbers, which need no escape.
func (c operationCall) numbered() bool { return len(c.ids) > 0 && isNumber(c.ids[0]) }

func isNumber(s string) bool {
	_, err := strconv.ParseInt(s, 10, 64)
	return err == nil
}

func number(s string) int64 {
	n, _ := strconv.ParseInt(s, 10, 64)
	return n
}

// of turns a method that returns T into the call of a row.
func of[T any](f func(context.Context, *Client, []string, []CallOption) (T, error)) func(context.Context, *Client, []string, []CallOption) (any, error) {
	return func(ctx context.Context, c *Client, id []string, o []CallOption) (any, error) {
		return f(ctx, c, id, o)
	}
}

// allOf turns an iterator into a function that counts its items.
func allOf[T any](f func(context.Context, *Client, []string, []CallOption) iter.Seq2[T, error]) func(context.Context, *Client, []string, []CallOption) (int, error) {
	return func(ctx context.Context, c *Client, id []string, o []CallOption) (int, error) {
		list, err := Collect(f(ctx, c, id, o))
		return len(list), err
	}
}

// pageItems returns the items of a page.
func pageItems[T any](p *Page[T], err error) ([]T, error) {
	if err != nil {
		return nil, err
	}
	return p.Items, nil
}

var operationCalls = []operationCall{
	{"GET /v1/locations", "read", "get-v1-locations", 200, "", nil, "", "",
		of(func(ctx context.Context, c *Client, id []string, o []CallOption) ([]Location, error) {
			return c.Locations.List(ctx, o...)
		}), nil},
	{"POST /v2/check-sessions/trigger", "trigger", "post-v2-check-sessions-trigger", 201, "", nil, "",
		`{"target":{"checkId":["` + uuid1 + `"]},"refreshCache":false}`,
		of(func(ctx context.Context, c *Client, id []string, o []CallOption) (triggerResponse, error) {
			list, err := c.CheckSessions.Trigger(ctx, TriggerRequest{Target: TriggerTarget{CheckIDs: []string{uuid1}}, RefreshCache: new(false)}, o...)
			return triggerResponse{list}, err
		}), nil},
	{"POST /v1/check-sessions/trigger", "trigger", "post-v1-check-sessions-trigger", 201, "", nil, "",
		`{"target":{"matchTags":[["a","!b"]]}}`,
		of(func(ctx context.Context, c *Client, id []string, o []CallOption) (triggerResponse, error) {
			list, err := c.CheckSessions.TriggerV1(ctx, TriggerRequest{Target: TriggerTarget{MatchTags: [][]string{{"a", "!b"}}}}, o...)
			return triggerResponse{list}, err
		}), nil},
	{"GET /v1/check-sessions/{checkSessionId}", "read", "get-v1-check-session", 200, "", []string{sampleRun}, "", "",
		of(func(ctx context.Context, c *Client, id []string, o []CallOption) (*CheckSession, error) {
			return c.CheckSessions.GetV1(ctx, id[0], o...)
		}), nil},
	{"GET /v2/check-sessions/{checkSessionId}", "read", "get-v2-check-session", 200, "", []string{sampleRun}, "", "",
		of(func(ctx context.Context, c *Client, id []string, o []CallOption) (*CheckSession, error) {
			return c.CheckSessions.Get(ctx, id[0], o...)
		}), nil},
	{"GET /v2/check-sessions/{checkSessionId}/completion", "poll", "get-v2-check-session-completion", 200, "", []string{sampleRun}, "?maxWaitSeconds=30", "",
		of(func(ctx context.Context, c *Client, id []string, o []CallOption) (*CheckSession, error) {
			return c.CheckSessions.Completion(ctx, id[0], CompletionOptions{}, o...)
		}), nil},
	{"POST /v1/check-sessions/{checkSessionId}/cancel", "cancel", "post-v1-check-session-cancel", 204, "", []string{uuid1}, "", `{}`,
		of(func(ctx context.Context, c *Client, id []string, o []CallOption) (any, error) {
			return nil, c.CheckSessions.Cancel(ctx, id[0], CancelRequest{}, o...)
		}), nil},
	{"GET /v1/check-results/{checkId}/{checkResultId}", "read", "get-v1-check-result", 200, "", []string{uuid1, sampleID}, "", "",
		of(func(ctx context.Context, c *Client, id []string, o []CallOption) (*CheckResult, error) {
			return c.CheckResults.Get(ctx, id[0], id[1], o...)
		}), nil},
	{"GET /v1/alert-notifications", "list", "get-v1-alert-notifications", 200, "", nil, "?alertChannelId=9&from=1787097600&hasFailures=false&limit=100&page=2&to=1787184000", "",
		of(func(ctx context.Context, c *Client, id []string, o []CallOption) ([]AlertNotification, error) {
			return pageItems(c.AlertNotifications.List(ctx, AlertNotificationListOptions{
				ListOptions: ListOptions{Limit: 100, Page: 2}, From: time.Unix(1787097600, 0), To: time.Unix(1787184000, 0),
				AlertChannelID: 9, HasFailures: new(false),
			}, o...))
		}),
		allOf(func(ctx context.Context, c *Client, id []string, o []CallOption) iter.Seq2[AlertNotification, error] {
			return c.AlertNotifications.All(ctx, AlertNotificationListOptions{}, o...)
		})},
	{"GET /v1/check-groups/{id}", "read", "get-v1-check-group", 200, "", []string{"9007199254740991"}, "", "",
		of(func(ctx context.Context, c *Client, id []string, o []CallOption) (*CheckGroup, error) {
			return c.CheckGroups.Get(ctx, number(id[0]), o...)
		}), nil},
	{"PUT /v2/check-groups/{id}", "update", "put-v2-check-group", 200, "", []string{"9007199254740991"}, "?autoAssignAlerts=true", `{"name":"n"}`,
		of(func(ctx context.Context, c *Client, id []string, o []CallOption) (*CheckGroup, error) {
			return c.CheckGroups.Update(ctx, number(id[0]), CheckGroupUpdate{Name: "n", AutoAssignAlerts: new(true)}, o...)
		}), nil},
	{"POST /v1/checks/tcp", "create", "post-v1-checks-tcp", 201, "", nil, "?autoAssignAlerts=false", `{"name":"n","request":{"hostname":"h","port":1}}`,
		of(func(ctx context.Context, c *Client, id []string, o []CallOption) (*TCPCheck, error) {
			return c.Checks.CreateTCP(ctx, TCPCheckCreate{Name: "n", Request: TCPRequest{Hostname: "h", Port: 1}, AutoAssignAlerts: new(false)}, o...)
		}), nil},
	{"PUT /v1/checks/browser/{id}", "update", "put-v1-checks-browser", 200, "", []string{sampleID}, "", `{"groupOrder":0}`,
		of(func(ctx context.Context, c *Client, id []string, o []CallOption) (*BrowserCheck, error) {
			return c.Checks.UpdateBrowser(ctx, id[0], BrowserCheckUpdate{GroupOrder: Value(0)}, o...)
		}), nil},
	{"PUT /v1/checks/{id}", "update", "put-v1-check", 200, "", []string{sampleID}, "?autoAssignAlerts=false", `{"checkType":"API","request":{"url":"u"}}`,
		of(func(ctx context.Context, c *Client, id []string, o []CallOption) (*Check, error) {
			return c.Checks.Update(ctx, id[0], CheckUpdate{CheckType: CheckTypeAPI, Request: map[string]string{"url": "u"}, AutoAssignAlerts: new(false)}, o...)
		}), nil},
	{"GET /v1/maintenance-windows", "list", "get-v1-maintenance-windows", 200, "", nil, "?limit=1", "",
		of(func(ctx context.Context, c *Client, id []string, o []CallOption) ([]MaintenanceWindow, error) {
			return pageItems(c.MaintenanceWindows.List(ctx, MaintenanceWindowListOptions{ListOptions: ListOptions{Limit: 1}}, o...))
		}),
		allOf(func(ctx context.Context, c *Client, id []string, o []CallOption) iter.Seq2[MaintenanceWindow, error] {
			return c.MaintenanceWindows.All(ctx, MaintenanceWindowListOptions{}, o...)
		})},
	{"GET /v1/variables", "list", "get-v1-variables", 200, "", nil, "", "",
		of(func(ctx context.Context, c *Client, id []string, o []CallOption) ([]EnvironmentVariable, error) {
			return pageItems(c.Variables.List(ctx, VariableListOptions{}, o...))
		}),
		allOf(func(ctx context.Context, c *Client, id []string, o []CallOption) iter.Seq2[EnvironmentVariable, error] {
			return c.Variables.All(ctx, VariableListOptions{}, o...)
		})},
	{"GET /v1/accounts/{accountId}/entitlements", "read", "get-v1-entitlements", 200, "", []string{testAccount}, "", "",
		of(func(ctx context.Context, c *Client, id []string, o []CallOption) (*Entitlements, error) {
			return c.Entitlements.Get(ctx, id[0], o...)
		}), nil},
	{"GET /v1/root-cause-analyses/{id}", "read", "get-v1-root-cause-analysis", 200, "", []string{sampleID}, "", "",
		of(func(ctx context.Context, c *Client, id []string, o []CallOption) (*RootCauseAnalysis, error) {
			return c.RootCauseAnalyses.Get(ctx, id[0], o...)
		}), nil},
	{"GET /v1/error-groups/checks/{checkId}", "list", "get-v1-error-groups", 200, "", []string{uuid1}, "?page=3", "",
		of(func(ctx context.Context, c *Client, id []string, o []CallOption) ([]ErrorGroup, error) {
			return pageItems(c.ErrorGroups.ListForCheck(ctx, id[0], ErrorGroupListOptions{ListOptions{Page: 3}}, o...))
		}),
		allOf(func(ctx context.Context, c *Client, id []string, o []CallOption) iter.Seq2[ErrorGroup, error] {
			return c.ErrorGroups.AllForCheck(ctx, id[0], ErrorGroupListOptions{}, o...)
		})},
	{"DELETE /v1/status-pages/services/{serviceId}", "delete", "delete-v1-status-page-service", 204, "", []string{uuid1}, "", "",
		of(func(ctx context.Context, c *Client, id []string, o []CallOption) (any, error) {
			return nil, c.StatusPageServices.Delete(ctx, id[0], o...)
		}), nil},
	{"DELETE /v1/dashboards/{dashboardId}", "delete", "delete-v1-dashboard", 204, "", []string{"my-board"}, "", "",
		of(func(ctx context.Context, c *Client, id []string, o []CallOption) (any, error) {
			return nil, c.Dashboards.Delete(ctx, id[0], o...)
		}), nil},
	{"GET /openapi.json", "stream", "get-openapi", 200, `{"openapi":"3.0.0"}`, nil, "", "",
		of(func(ctx context.Context, c *Client, id []string, o []CallOption) (string, error) {
			var b strings.Builder
			err := c.OpenAPI(ctx, &b, o...)
			return b.String(), err
		}), nil},
}

// successFor returns the body of a successful response to a call.
func successFor(t *testing.T, c operationCall) string {
	t.Helper()
	if c.response != "" || c.status == http.StatusNoContent {
		return c.response
	}
	file := "testdata/responses/" + c.file + ".all-members.json"
	require.Contains(t, responseFiles(t, c.file), file, "testdata has no response of %s", c.operation)
	return readFile(t, file)
}

// wireTypes are all exported types of requests and responses. Tests compare their fields with
// the document, and check that they do not show secrets. A missing type fails by its name.
var wireTypes = []wireType{
	holder[APICheckDefaults](), wire[APICheckResult](), wire[APIResultRequest](), wire[APIResultResponse](), wire[AddonPlan](), wire[AgenticAssertion](),
	wire[AgenticCheckResult](), wire[AgenticStep](), wire[AgenticSuggestion](), wire[AlertChannelSubscription](), holder[AlertChannels](), wire[AlertEmail](),
	holder[AlertNotification](), wire[AlertSMS](), wire[AlertSettings](), wire[AlertSlack](), holder[AlertWebhook](), wire[Analysis](), wire[AnalysisArtifact](),
	wire[AnalysisContext](), wire[AnalysisEvidence](), wire[AnalysisReference](), wire[Assertion](), holder[BasicAuth](), holder[BrowserCheck](),
	wire[BrowserCheckResult](), holder[BrowserCheckUpdate](), wire[CancelRequest](), holder[Check](), holder[CheckCommon](), holder[CheckGroup](), holder[CheckGroupUpdate](),
	wire[CheckIntent](), wire[CheckResult](), wire[CheckSession](), wire[CheckSessionResult](), holder[CheckUpdate](), wire[Dependency](), wire[Entitlement](),
	wire[EntitlementAddons](), wire[EntitlementLocation](), wire[EntitlementLocations](), wire[Entitlements](), holder[EnvironmentVariable](), wire[ErrorGroup](),
	wire[GRPCCheckResult](), wire[GRPCResponse](), wire[GRPCTimingPhases](), wire[HopLatency](), holder[KeyValue](), wire[Location](), wire[MaintenanceWindow](),
	wire[MultiStepCheckResult](), wire[ParallelRunFailureThreshold](), wire[PlaywrightCheckResult](), wire[Reminders](), wire[RequiredAddon](), wire[ResultAssertion](),
	wire[ResultError](), wire[RetryStrategy](), wire[RootCauseAnalysis](), wire[RunBasedEscalation](), wire[SSLCertificateAlerts](), wire[SSLCheckResult](),
	wire[SSLResponse](), holder[Secret](), holder[SecretJSON](), wire[StatusPageVisibility](), holder[TCPCheck](), wire[TCPCheckCreate](), wire[TCPCheckRequest](),
	wire[TCPRequest](), wire[TimeBasedEscalation](), wire[Timestamp](), wire[TracerouteCheckResult](), wire[TracerouteResponse](), wire[TriggerIncident](),
	wire[TriggerRequest](), wire[TriggerTarget](),
}
