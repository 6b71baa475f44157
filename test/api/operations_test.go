package api_test

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/operations"
	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestEveryOperationSendsWhatTheDocumentSays(t *testing.T) {
	for _, c := range kit.Operations {
		t.Run(c.Name, func(t *testing.T) {
			client, sent := kit.Recorded(t, c.Status, kit.SuccessFor(t, c), monitoring.WithAccount(kit.Account))
			var response monitoring.Response
			_, err := c.Do(t.Context(), client, monitoring.WithResponse(&response))
			require.NoError(t, err)
			require.Equal(t, c.Status, response.StatusCode)
			require.Len(t, sent.Sent, 1)
			req := sent.Sent[0]
			method, _, _ := strings.Cut(c.Name, " ")
			require.Equal(t, method, req.Method)
			require.Equal(t, kit.Base+c.Path(c.IDs...), req.URL)
			require.Equal(t, []string{"Bearer " + kit.Key}, req.Header.Values("Authorization"))
			require.Equal(t, []string{kit.Account}, req.Header.Values("X-Service-Account"))
			require.Equal(t, []string{"application/json"}, req.Header.Values("Accept"))
			require.Equal(t, c.Body, req.Body)
			if c.Body == "" {
				require.Empty(t, req.Header.Values("Content-Type"))
			} else {
				require.Equal(t, []string{"application/json"}, req.Header.Values("Content-Type"))
			}
		})
	}
}

func TestEveryOperationHasARowWithItsCall(t *testing.T) {
	require.Empty(t, kit.Unlisted(), "rows of test/internal/kit that are there twice, or not in internal/operations")
	called := make(map[string]bool)
	files := make(map[string]string)
	for _, c := range kit.Operations {
		called[c.Name] = true
		require.Empty(t, files[c.File], "%s: its row in test/internal/kit needs a File of its own", c.Name)
		files[c.File] = c.Name
	}
	for _, o := range operations.All() {
		require.True(t, called[o.Name], "%s: add a row with its call to a file operations_*.go of test/internal/kit", o.Name)
	}
}

func TestEveryRowOfAnOperationIsComplete(t *testing.T) {
	for _, c := range kit.Operations {
		require.Len(t, c.IDs, len(c.Row.IDs), "%s: give each placeholder an id in kit.Operations", c.Name)
		require.Empty(t, c.WrongID(), "%s: internal/operations has another kind of id than kit.Operations", c.Name)
		require.Equal(t, c.Kind == "list", c.All != nil, "%s: kit.Operations has an iterator for each list and for nothing else", c.Name)
		noBody := c.Name == "POST /v1/private-locations/{id}/keys"
		if method, _, _ := strings.Cut(c.Name, " "); !noBody && (method == "POST" || method == "PUT") {
			require.NotEmpty(t, c.Body, "%s: give the body of its request in kit.Operations", c.Name)
			require.NotEmpty(t, kit.Files(t, "testdata/requests/"+c.File+".*.json"), "%s: add testdata/requests/%s.<what it shows>.json", c.Name, c.File)
		}
		described := schema.Lookup(c.Name)
		require.Equal(t, c.Body != "", described.Body != nil, "%s: internal/schema/operations.go describes the body of each operation that has one", c.Name)
		for _, name := range parametersOf(t, c) {
			require.True(t, slices.ContainsFunc(described.Query, func(p schema.Parameter) bool { return p.Name == name }),
				"%s: describe its parameter %s in internal/schema/operations.go", c.Name, name)
		}
		if c.Response == "" && c.Status != http.StatusNoContent {
			require.NotEmpty(t, kit.ResponseFiles(t, c.File), "%s: add testdata/responses/%s.all-members.json", c.Name, c.File)
		}
	}
}

// parametersOf returns the names of the parameters of a row, without operators. A list with pages
// has those of paging.
func parametersOf(t *testing.T, c kit.Operation) []string {
	t.Helper()
	query, err := url.ParseQuery(strings.TrimPrefix(c.Query, "?"))
	require.NoError(t, err)
	var names []string
	for name := range query {
		name, _, _ = strings.Cut(name, "[")
		names = append(names, name)
	}
	if c.Row.Pages == operations.Numbered {
		names = append(names, "limit", "page")
	}
	return names
}

// TestTheFakeRespondsToEveryOperationThatNeedsNoID calls each method that reads without an id. The
// tests of monitoringtest compare what is sent with its description.
func TestTheFakeRespondsToEveryOperationThatNeedsNoID(t *testing.T) {
	client := kit.Fake(t, monitoringtest.NewDemo(), monitoring.WithMaxRetries(0))
	called := 0
	for _, c := range kit.Operations {
		if c.Row.Class == operations.Read && len(c.IDs) == 0 {
			called++
			require.NoError(t, c.Try(t.Context(), client), c.Name)
		}
	}
	require.Greater(t, called, 3)
}

// methodsOf returns the methods of all operations, in the order of internal/operations.
func methodsOf(t *testing.T) []testkit.Stated {
	t.Helper()
	stated, err := testkit.StatedOperations(kit.Path("."))
	require.NoError(t, err)
	require.NotEmpty(t, stated)
	found := make(map[string]testkit.Stated)
	for _, s := range stated {
		_, known := operations.Find(s.Name)
		require.True(t, known, "the code has op(%q): add a row for it to internal/operations", s.Name)
		require.NotEmpty(t, s.Method, "no exported method calls %s and names it in its documentation", s.Name)
		found[s.Name] = s
	}
	var list []testkit.Stated
	for _, o := range operations.All() {
		require.NotEmpty(t, found[o.Name].Name, "no method calls op(%q, …)", o.Name)
		list = append(list, found[o.Name])
	}
	return list
}

// After a new operation, go test ./test/api ./docs -run Operation -update-operations writes what
// follows from the methods.
var updateOperations = flag.Bool("update-operations", false, "rewrite tools/drift/contract.txt")

func TestEveryOperationHasOneMethodThatIsInTheContract(t *testing.T) {
	const file = "tools/drift/contract.txt"
	var b strings.Builder
	b.WriteString("# Written by go test ./test/api -run Operation -update-operations: the methods of operations, and the values of enumerations.\n\n")
	for _, m := range methodsOf(t) {
		fmt.Fprintf(&b, "%s %s %s\n", m.Name, m.Service, m.Method)
	}
	_, values, _ := strings.Cut(kit.File(t, "testdata/document/enums.txt"), "\n")
	want := b.String() + "\n" + values
	if *updateOperations {
		require.NoError(t, os.WriteFile(kit.Path(file), []byte(want), 0o644))
	}
	for line := range strings.Lines(want) {
		require.True(t, strings.Contains(kit.File(t, file), line), "%s lacks %s: run go test ./test/api ./docs -run Operation -update-operations", file, line)
	}
	require.Len(t, kit.File(t, file), len(want), "%s has an operation that has no method", file)
}

// Whether a call may be sent again follows from the method of its operation, unless the code says
// it.
func TestEveryOperationHasTheClassOfTheTable(t *testing.T) {
	classes := make(map[string]string)
	for _, m := range methodsOf(t) {
		classes[m.Name] = m.Class
	}
	for _, o := range operations.All() {
		require.Equal(t, string(o.Class), classes[o.Name], "%s: the class in its method, and in internal/operations", o.Name)
	}
}

// Package route has the table of what is escaped and what is refused.
func TestIDsAreSentAsOneEscapedSegmentOrRefused(t *testing.T) {
	for _, c := range kit.Operations {
		for i := range c.IDs {
			client, sent := kit.Recorded(t, 400, `{}`, monitoring.WithoutValidation()) // which allows an id of a cancel that is no UUID
			send := func(id string) error {
				ids := slices.Clone(c.IDs)
				ids[i] = id
				return kit.Second(c.Call(t.Context(), client, ids, nil))
			}
			refused := []string{"0", "-1"}
			if !c.Numbered() {
				refused = []string{"", "..", "../x", "a\xff", strings.Repeat("x", 1025)}
			}
			for _, id := range refused {
				require.NotEmpty(t, kit.BrokenRules(t, send(id)), "%s takes the id %q: use route.Number for numbers", c.Name, id)
				require.Empty(t, sent.Sent, c.Name)
			}
			if !c.Numbered() {
				id := "b?c#d e"
				if strings.HasSuffix(c.Name, "{key}") { // the key of a variable may be any text
					id = "b/c#d e"
				}
				require.ErrorIs(t, send(id), monitoring.ErrBadRequest)
				require.Contains(t, sent.Sent[0].URL, "/"+url.PathEscape(id), c.Name)
			}
		}
	}
}

func TestDoTakesJSONAndAnyMethod(t *testing.T) {
	client, sent := kit.Recorded(t, 200, "not read")
	ctx := t.Context()
	require.NoError(t, kit.Second(monitoring.Do[struct{}](ctx, client, "post", "/v1/x", nil, json.RawMessage(`{"a":1}`))))
	require.Equal(t, "POST", sent.Sent[0].Method)
	require.Equal(t, `{"a":1}`, sent.Sent[0].Body)
	for _, c := range []struct {
		err error
		why string
	}{
		{kit.Second(monitoring.Do[struct{}](ctx, client, "POST", "/v1/x", nil, []byte(`{}`))), "cannot be sent: pass a value to encode"},
		{kit.Second(monitoring.Do[struct{}](ctx, client, "POST", "/v1/x", nil, strings.NewReader(`{}`))), "cannot be sent: pass a value to encode"},
		{kit.Second(monitoring.Do[any](ctx, client, "POST", "/v1/x", nil, make(chan int))), "encode the body: json: unsupported type: chan int"},
		{kit.Second(monitoring.Do[chan int](ctx, client, "POST", "/v1/x", nil, nil)), "monitoring: do: JSON cannot be decoded into a chan int"},
		{kit.Second(monitoring.Do[any](ctx, client, "POST", "", nil, nil)), "path: "},
		{kit.Second(monitoring.Do[any](ctx, client, "connect", "/v1/x", nil, nil)), "method: "},
	} {
		require.ErrorContains(t, c.err, c.why)
	}
	require.Len(t, sent.Sent, 1, "the others were not sent")
	for _, body := range []string{"", " \n"} {
		got, err := monitoring.Do[monitoring.CheckGroup](ctx, kit.Client(t, testkit.Status(200, body)), "POST", "/v1/x", nil, nil)
		require.NoError(t, err)
		require.Equal(t, &monitoring.CheckGroup{}, got, "there is a value if there is no error")
	}
}

func TestDoOfBytesTakesTheBodyAsItIs(t *testing.T) {
	for _, body := range []string{"", "\ufeff{}", "<html>", `{"statusCode":500,"error":"x"}`, "\xff\x00", "192.0.2.1\n192.0.2.2\n"} {
		client, sent := kit.Recorded(t, 200, body)
		got, err := monitoring.Do[[]byte](t.Context(), client, "GET", "/v1/static-ips.txt", nil, nil)
		require.NoError(t, err)
		require.Equal(t, body, string(*got))
		require.Equal(t, "*/*", sent.Sent[0].Header.Get("Accept"))
	}
	client, sent := kit.Recorded(t, 200, "12345", monitoring.WithMaxResponseSize(4))
	require.ErrorIs(t, kit.Second(monitoring.Do[[]byte](t.Context(), client, "GET", "/v1/x", nil, nil, monitoring.WithHeader("Accept", "text/csv"))), monitoring.ErrResponseTooLarge)
	require.Equal(t, "text/csv", sent.Sent[0].Header.Get("Accept"))
	type named []byte
	require.ErrorContains(t, kit.Second(monitoring.Do[named](t.Context(), client, "GET", "/v1/x", nil, nil)), "too large", "it is decoded from JSON")
	require.ErrorContains(t, kit.Second(monitoring.Collect(monitoring.All[[]byte](t.Context(), client, "/v1/x", nil))), "a []byte would hold base64")
}

func TestTheMethodOfAnUntypedCallSaysWhetherItIsRetried(t *testing.T) {
	for method, retried := range map[string]bool{
		"GET": true, "HEAD": true, "OPTIONS": true, "PUT": true, "DELETE": true, "POST": false, "PATCH": false, "BREW": false,
	} {
		synctest.Test(t, func(t *testing.T) {
			client := kit.Client(t, testkit.Faults["reset after the request is written"], monitoring.WithMaxRetries(1))
			var response monitoring.Response
			_, err := monitoring.Do[struct{}](t.Context(), client, method, "/v1/x", nil, nil, monitoring.WithResponse(&response))
			require.Equal(t, retried, response.Attempts == 2, method)
			require.Equal(t, !retried, errors.Is(err, monitoring.ErrOutcomeUnknown), method)
		})
	}
}
