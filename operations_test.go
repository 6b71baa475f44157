package monitoring

import (
	"context"
	"errors"
	"go/ast"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jarcoal/httpmock"
	"github.com/stretchr/testify/require"
)

const (
	testBase    = "https://api.service.test/prefix"
	testKey     = "key-1234567890"
	testAccount = "8f9c2a10-11d2-4e0b-9a3e-7c1d5e2f6a40"
	uuid1       = "5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11"
	uuid2       = "1f0a7c0e-6d0b-4a69-b1f5-0d9a6f3c2b71"
)

// sentRequest is a request as the service would see it.
type sentRequest struct {
	Method, URL, Body string
	Header            http.Header
}

// recorder answers every request with one answer and keeps the requests.
type recorder struct {
	*httpmock.MockTransport
	Sent []sentRequest
}

// newTestClient makes a client that never leaves the process. Its requests are answered
// with the status and the body.
func newTestClient(t *testing.T, status int, body string, opts ...ClientOption) (*Client, *recorder) {
	t.Helper()
	r := &recorder{MockTransport: httpmock.NewMockTransport()}
	r.RegisterNoResponder(func(req *http.Request) (*http.Response, error) {
		sent := sentRequest{Method: req.Method, URL: req.URL.String(), Header: req.Header.Clone()}
		if req.Body != nil {
			data, err := io.ReadAll(req.Body)
			if err != nil {
				return nil, err
			}
			sent.Body = string(data)
		}
		r.Sent = append(r.Sent, sent)
		resp := httpmock.NewStringResponse(status, body)
		resp.Header.Set("Content-Type", "application/json; charset=utf-8")
		return resp, nil
	})
	opts = append([]ClientOption{
		WithHTTPClient(&http.Client{Transport: r}), WithMaxRetries(0),
		WithRateLimit(RateLimit{Requests: 1e6, Per: time.Second}),
		WithRouteRateLimit("GET /v1/alert-notifications", RateLimit{Requests: 1e6, Per: time.Second}),
	}, opts...)
	client, err := NewClient(testBase, testKey, opts...)
	require.NoError(t, err)
	return client, r
}

// operationCall is one call of an operation and what it must look like on the wire.
type operationCall struct {
	operation string // as the document writes it
	file      string // what its files in testdata begin with
	status    int    // of the answer
	answer    string // where testdata has none
	path      string // escaped, with the query
	body      string // empty for none
	call      func(context.Context, *Client, ...CallOption) (any, error)
}

// of makes a method that returns T into the call of an operationCall.
func of[T any](f func(context.Context, *Client, []CallOption) (T, error)) func(context.Context, *Client, ...CallOption) (any, error) {
	return func(ctx context.Context, c *Client, o ...CallOption) (any, error) { return f(ctx, c, o) }
}

// items takes the items out of a page.
func pageItems[T any](p *Page[T], err error) ([]T, error) {
	if err != nil {
		return nil, err
	}
	return p.Items, nil
}

var operationCalls = []operationCall{
	{"GET /v1/locations", "get-v1-locations", 200, "", "/v1/locations", "",
		of(func(ctx context.Context, c *Client, o []CallOption) ([]Location, error) {
			return c.Locations.List(ctx, o...)
		})},
	{"POST /v2/check-sessions/trigger", "post-v2-check-sessions-trigger", 201, "", "/v2/check-sessions/trigger",
		`{"target":{"checkId":["` + uuid1 + `"]},"refreshCache":false}`,
		of(func(ctx context.Context, c *Client, o []CallOption) (triggerResponse, error) {
			list, err := c.CheckSessions.Trigger(ctx, TriggerRequest{Target: TriggerTarget{CheckIDs: []string{uuid1}}, RefreshCache: new(false)}, o...)
			return triggerResponse{list}, err
		})},
	{"POST /v1/check-sessions/trigger", "post-v1-check-sessions-trigger", 201, "", "/v1/check-sessions/trigger",
		`{"target":{"matchTags":[["a","!b"]]}}`,
		of(func(ctx context.Context, c *Client, o []CallOption) (triggerResponse, error) {
			list, err := c.CheckSessions.TriggerV1(ctx, TriggerRequest{Target: TriggerTarget{MatchTags: [][]string{{"a", "!b"}}}}, o...)
			return triggerResponse{list}, err
		})},
	{"GET /v1/check-sessions/{checkSessionId}", "get-v1-check-session", 200, "", "/v1/check-sessions/" + uuid1, "",
		of(func(ctx context.Context, c *Client, o []CallOption) (*CheckSession, error) {
			return c.CheckSessions.GetV1(ctx, uuid1, o...)
		})},
	{"GET /v2/check-sessions/{checkSessionId}", "get-v2-check-session", 200, "", "/v2/check-sessions/" + uuid1, "",
		of(func(ctx context.Context, c *Client, o []CallOption) (*CheckSession, error) {
			return c.CheckSessions.Get(ctx, uuid1, o...)
		})},
	{"GET /v2/check-sessions/{checkSessionId}/completion", "get-v2-check-session-completion", 200, "", "/v2/check-sessions/" + uuid1 + "/completion?maxWaitSeconds=30", "",
		of(func(ctx context.Context, c *Client, o []CallOption) (*CheckSession, error) {
			return c.CheckSessions.Completion(ctx, uuid1, CompletionOptions{}, o...)
		})},
	{"POST /v1/check-sessions/{checkSessionId}/cancel", "post-v1-check-session-cancel", 204, "", "/v1/check-sessions/" + uuid1 + "/cancel", `{}`,
		of(func(ctx context.Context, c *Client, o []CallOption) (any, error) {
			return nil, c.CheckSessions.Cancel(ctx, uuid1, CancelRequest{}, o...)
		})},
	{"GET /v1/check-results/{checkId}/{checkResultId}", "get-v1-check-result", 200, "", "/v1/check-results/" + uuid1 + "/" + uuid2, "",
		of(func(ctx context.Context, c *Client, o []CallOption) (*CheckResult, error) {
			return c.CheckResults.Get(ctx, uuid1, uuid2, o...)
		})},
	{"GET /v1/alert-notifications", "get-v1-alert-notifications", 200, "", "/v1/alert-notifications?alertChannelId=9&from=1787097600&hasFailures=false&limit=100&page=2&to=1787184000", "",
		of(func(ctx context.Context, c *Client, o []CallOption) ([]AlertNotification, error) {
			return pageItems(c.AlertNotifications.List(ctx, AlertNotificationListOptions{
				ListOptions: ListOptions{Limit: 100, Page: 2}, From: time.Unix(1787097600, 0), To: time.Unix(1787184000, 0),
				AlertChannelID: 9, HasFailures: new(false),
			}, o...))
		})},
	{"GET /v1/check-groups/{id}", "get-v1-check-group", 200, "", "/v1/check-groups/4711", "",
		of(func(ctx context.Context, c *Client, o []CallOption) (*CheckGroup, error) {
			return c.CheckGroups.Get(ctx, 4711, o...)
		})},
	{"PUT /v2/check-groups/{id}", "put-v2-check-group", 200, "", "/v2/check-groups/9007199254740991?autoAssignAlerts=true", `{"name":"n"}`,
		of(func(ctx context.Context, c *Client, o []CallOption) (*CheckGroup, error) {
			return c.CheckGroups.Update(ctx, 1<<53-1, CheckGroupUpdate{Name: "n", AutoAssignAlerts: new(true)}, o...)
		})},
	{"POST /v1/checks/tcp", "post-v1-checks-tcp", 201, "", "/v1/checks/tcp?autoAssignAlerts=false", `{"name":"n","request":{"port":1}}`,
		of(func(ctx context.Context, c *Client, o []CallOption) (*TCPCheck, error) {
			return c.Checks.CreateTCP(ctx, TCPCheckCreate{Name: "n", Request: TCPRequest{Port: 1}, AutoAssignAlerts: new(false)}, o...)
		})},
	{"PUT /v1/checks/browser/{id}", "put-v1-checks-browser", 200, "", "/v1/checks/browser/" + uuid1, `{"groupOrder":0}`,
		of(func(ctx context.Context, c *Client, o []CallOption) (*BrowserCheck, error) {
			return c.Checks.UpdateBrowser(ctx, uuid1, BrowserCheckUpdate{GroupOrder: Value(0)}, o...)
		})},
	{"PUT /v1/checks/{id}", "put-v1-check", 200, "", "/v1/checks/" + uuid1 + "?autoAssignAlerts=false", `{"checkType":"API","request":{"url":"u"}}`,
		of(func(ctx context.Context, c *Client, o []CallOption) (*Check, error) {
			return c.Checks.Update(ctx, uuid1, CheckUpdate{CheckType: CheckTypeAPI, Request: map[string]string{"url": "u"}, AutoAssignAlerts: new(false)}, o...)
		})},
	{"GET /v1/maintenance-windows", "get-v1-maintenance-windows", 200, "", "/v1/maintenance-windows?limit=1", "",
		of(func(ctx context.Context, c *Client, o []CallOption) ([]MaintenanceWindow, error) {
			return pageItems(c.MaintenanceWindows.List(ctx, MaintenanceWindowListOptions{ListOptions: ListOptions{Limit: 1}}, o...))
		})},
	{"GET /v1/variables", "get-v1-variables", 200, "", "/v1/variables", "",
		of(func(ctx context.Context, c *Client, o []CallOption) ([]EnvironmentVariable, error) {
			return pageItems(c.Variables.List(ctx, VariableListOptions{}, o...))
		})},
	{"GET /v1/accounts/{accountId}/entitlements", "get-v1-entitlements", 200, "", "/v1/accounts/" + testAccount + "/entitlements", "",
		of(func(ctx context.Context, c *Client, o []CallOption) (*Entitlements, error) {
			return c.Entitlements.Get(ctx, testAccount, o...)
		})},
	{"GET /v1/root-cause-analyses/{id}", "get-v1-root-cause-analysis", 200, "", "/v1/root-cause-analyses/" + uuid1, "",
		of(func(ctx context.Context, c *Client, o []CallOption) (*RootCauseAnalysis, error) {
			return c.RootCauseAnalyses.Get(ctx, uuid1, o...)
		})},
	{"GET /v1/error-groups/checks/{checkId}", "get-v1-error-groups", 200, "", "/v1/error-groups/checks/" + uuid1 + "?page=3", "",
		of(func(ctx context.Context, c *Client, o []CallOption) ([]ErrorGroup, error) {
			return pageItems(c.ErrorGroups.ListForCheck(ctx, uuid1, ErrorGroupListOptions{ListOptions{Page: 3}}, o...))
		})},
	{"DELETE /v1/status-pages/services/{serviceId}", "delete-v1-status-page-service", 204, "", "/v1/status-pages/services/" + uuid1, "",
		of(func(ctx context.Context, c *Client, o []CallOption) (any, error) {
			return nil, c.StatusPageServices.Delete(ctx, uuid1, o...)
		})},
	{"DELETE /v1/dashboards/{dashboardId}", "delete-v1-dashboard", 204, "", "/v1/dashboards/my-board", "",
		of(func(ctx context.Context, c *Client, o []CallOption) (any, error) {
			return nil, c.Dashboards.Delete(ctx, "my-board", o...)
		})},
	{"GET /openapi.json", "get-openapi", 200, `{"openapi":"3.0.0"}`, "/openapi.json", "",
		of(func(ctx context.Context, c *Client, o []CallOption) (string, error) {
			var b strings.Builder
			err := c.OpenAPI(ctx, &b, o...)
			return b.String(), err
		})},
}

// answerFor returns a success to answer a call with.
func answerFor(t *testing.T, c operationCall) string {
	t.Helper()
	if c.answer != "" || c.status == http.StatusNoContent {
		return c.answer
	}
	files := responseFiles(t, c.file)
	require.NotEmpty(t, files, "testdata has no response of %s", c.operation)
	return readFile(t, files[0])
}

func TestEveryOperationSendsWhatTheDocumentSays(t *testing.T) {
	for _, c := range operationCalls {
		t.Run(c.operation, func(t *testing.T) {
			client, sent := newTestClient(t, c.status, answerFor(t, c), WithAccount(testAccount))
			var response Response
			_, err := c.call(t.Context(), client, WithResponse(&response))
			require.NoError(t, err)
			require.Equal(t, c.status, response.StatusCode)
			require.Len(t, sent.Sent, 1)
			req := sent.Sent[0]
			method, _, _ := strings.Cut(c.operation, " ")
			require.Equal(t, method, req.Method)
			require.Equal(t, testBase+c.path, req.URL)
			require.Equal(t, []string{"Bearer " + testKey}, req.Header.Values("Authorization"))
			require.Equal(t, []string{testAccount}, req.Header.Values("X-Service-Account"))
			require.Equal(t, []string{"application/json"}, req.Header.Values("Accept"))
			require.Equal(t, c.body, req.Body)
			if c.body == "" {
				require.Empty(t, req.Header.Values("Content-Type"))
			} else {
				require.Equal(t, []string{"application/json"}, req.Header.Values("Content-Type"))
			}
		})
	}
}

func TestEveryOperationOfTheDocumentIsCalledByTheTests(t *testing.T) {
	var called []string
	for _, c := range operationCalls {
		called = append(called, c.operation)
	}
	require.ElementsMatch(t, documentLines(t, "operations.txt"), called)
}

func TestWithoutAnAccountTheHeaderIsNotSent(t *testing.T) {
	client, sent := newTestClient(t, 200, `[]`)
	_, err := client.Locations.List(t.Context())
	require.NoError(t, err)
	require.Empty(t, sent.Sent[0].Header.Values("X-Service-Account"))
}

func TestEveryOperationOfTheDocumentHasOneMethodAndViceVersa(t *testing.T) {
	var directives []string
	for name, file := range packageFiles(t) {
		attached := make(map[*ast.CommentGroup]*ast.FuncDecl)
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Doc != nil {
				attached[f.Doc] = f
			}
		}
		for _, group := range file.Comments {
			for _, comment := range group.List {
				operation, ok := strings.CutPrefix(comment.Text, "//monitoring:operation ")
				if !ok {
					continue
				}
				directives = append(directives, operation)
				f := attached[group]
				require.NotNil(t, f, "%s: %s stands above no function", name, operation)
				require.NotNil(t, f.Recv, "%s stands above %s, which is no method", operation, f.Name.Name)
				require.True(t, f.Name.IsExported(), "%s stands above %s", operation, f.Name.Name)
				require.Contains(t, strings.Join(strings.Fields(f.Doc.Text()), " "), operation, "the documentation of %s", f.Name.Name)
			}
		}
	}
	require.ElementsMatch(t, documentLines(t, "operations.txt"), directives)
}

func TestEveryOperationHasARetryClass(t *testing.T) {
	classes := map[string]bool{"classRead": true, "classRepeatable": true, "classUnsafe": true}
	found := 0
	for name, file := range packageFiles(t) {
		ast.Inspect(file, func(n ast.Node) bool {
			literal, ok := n.(*ast.CompositeLit)
			if !ok {
				return true
			}
			if kind, ok := literal.Type.(*ast.Ident); !ok || kind.Name != "operation" {
				return true
			}
			found++
			class := ""
			for _, e := range literal.Elts {
				if kv, ok := e.(*ast.KeyValueExpr); ok && kv.Key.(*ast.Ident).Name == "class" {
					switch value := kv.Value.(type) {
					case *ast.Ident:
						class = value.Name
					case *ast.CallExpr: // Do derives it
						require.Equal(t, "classOf", value.Fun.(*ast.Ident).Name)
						class = "classRead"
					}
				}
			}
			require.True(t, classes[class], "%s: operation %d of the file has the class %q", name, found, class)
			return true
		})
	}
	require.GreaterOrEqual(t, found, 20, "the operations were not found")
	for method, want := range map[string]retryClass{
		"GET": classRead, "HEAD": classRead, "OPTIONS": classRead, "PUT": classRepeatable, "DELETE": classRepeatable,
		"POST": classUnsafe, "PATCH": classUnsafe, "BREW": classUnsafe,
	} {
		require.Equal(t, want, classOf(method), method)
	}
}

func TestIdsAreOneEscapedSegmentOrRefused(t *testing.T) {
	type callWithID struct {
		name, before, after string
		call                func(*Client, string) error
	}
	ctx := t.Context()
	calls := []callWithID{
		{"session", "/v2/check-sessions/", "", func(c *Client, id string) error { _, err := c.CheckSessions.Get(ctx, id); return err }},
		{"session of v1", "/v1/check-sessions/", "", func(c *Client, id string) error { _, err := c.CheckSessions.GetV1(ctx, id); return err }},
		{"completion", "/v2/check-sessions/", "/completion?maxWaitSeconds=30", func(c *Client, id string) error {
			_, err := c.CheckSessions.Completion(ctx, id, CompletionOptions{})
			return err
		}},
		{"check of a result", "/v1/check-results/", "/r", func(c *Client, id string) error { _, err := c.CheckResults.Get(ctx, id, "r"); return err }},
		{"result", "/v1/check-results/c/", "", func(c *Client, id string) error { _, err := c.CheckResults.Get(ctx, "c", id); return err }},
		{"browser check", "/v1/checks/browser/", "", func(c *Client, id string) error {
			_, err := c.Checks.UpdateBrowser(ctx, id, BrowserCheckUpdate{})
			return err
		}},
		{"check", "/v1/checks/", "", func(c *Client, id string) error { _, err := c.Checks.Update(ctx, id, CheckUpdate{}); return err }},
		{"account", "/v1/accounts/", "/entitlements", func(c *Client, id string) error { _, err := c.Entitlements.Get(ctx, id); return err }},
		{"analysis", "/v1/root-cause-analyses/", "", func(c *Client, id string) error { _, err := c.RootCauseAnalyses.Get(ctx, id); return err }},
		{"check of error groups", "/v1/error-groups/checks/", "", func(c *Client, id string) error {
			_, err := c.ErrorGroups.ListForCheck(ctx, id, ErrorGroupListOptions{})
			return err
		}},
		{"service", "/v1/status-pages/services/", "", func(c *Client, id string) error { return c.StatusPageServices.Delete(ctx, id) }},
		{"dashboard", "/v1/dashboards/", "", func(c *Client, id string) error { return c.Dashboards.Delete(ctx, id) }},
		// The id of a cancel is a UUID: WithoutValidation lets others through, never as more than a segment.
		{"cancelled session", "/v1/check-sessions/", "/cancel", func(c *Client, id string) error {
			return c.CheckSessions.Cancel(ctx, id, CancelRequest{}, WithoutValidation())
		}},
	}
	escaped := map[string]string{ // "" says that it is refused
		"a/b?c#d": "a%2Fb%3Fc%23d", "%2e%2e": "%252e%252e", "a b": "a%20b", "a;b=c&d": "a%3Bb=c&d", "...": "...", "..%2f": "..%252f", "plain-1_2.3~": "plain-1_2.3~", `\..\`: `%5C..%5C`,
		"ä": "", ".": "", "..": "", "": "", strings.Repeat("x", 10<<10): "", "a\r\nX: y": "", "a\nb": "", "\x00": "", "\x7f": "", "a\u2028b": "", "\xff": "", "\t": "",
	}
	for _, c := range calls {
		for id, want := range escaped {
			t.Run(c.name+" "+strconv.QuoteToASCII(id[:min(len(id), 12)]), func(t *testing.T) {
				for _, opts := range [][]ClientOption{nil, {WithoutValidation()}} {
					client, sent := newTestClient(t, 404, `{}`, opts...)
					err := c.call(client, id)
					if want == "" {
						var invalid *ValidationError
						require.ErrorAs(t, err, &invalid)
						require.Len(t, invalid.Violations, 1)
						require.Zero(t, sent.GetTotalCallCount(), "it was sent")
						continue
					}
					require.True(t, errors.Is(err, ErrNotFound), "%v", err)
					require.Len(t, sent.Sent, 1)
					require.Equal(t, testBase+c.before+want+c.after, sent.Sent[0].URL)
				}
			})
		}
	}
}

func TestGroupIdsArePositive(t *testing.T) {
	for _, id := range []int64{0, -1, -1 << 63} {
		client, sent := newTestClient(t, 200, `{}`)
		_, err := client.CheckGroups.Get(t.Context(), id)
		require.ErrorAs(t, err, new(*ValidationError))
		_, err = client.CheckGroups.Update(t.Context(), id, CheckGroupUpdate{Name: "n"})
		require.ErrorAs(t, err, new(*ValidationError))
		require.Zero(t, sent.GetTotalCallCount())
	}
}
