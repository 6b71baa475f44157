package monitoring

import (
	"fmt"
	"go/ast"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
)

const (
	testBase    = "https://api.service.test/prefix"
	testKey     = "key-1234567890"
	testAccount = "8f9c2a10-11d2-4e0b-9a3e-7c1d5e2f6a40"
	uuid1       = "5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11"
	uuid2       = "1f0a7c0e-6d0b-4a69-b1f5-0d9a6f3c2b71"
	sampleID    = "00000000-0000-4000-8000-000000000001" // of the objects in the files all-members.json of testdata
	sampleRun   = "00000000-0000-4000-8000-000000000003" // of their sessions
)

type recorder = testkit.Recorder

// newTestClient makes a client without a network. Each request gets a response with the status
// and the body.
func newTestClient(t *testing.T, status int, body string, opts ...ClientOption) (*Client, *recorder) {
	t.Helper()
	r := testkit.NewRecorder(status, body)
	opts = append([]ClientOption{
		WithMaxRetries(0),
		WithRateLimit(RateLimit{Requests: 1e6, Per: time.Second}),
		WithRouteRateLimit("GET /v1/alert-notifications", RateLimit{Requests: 1e6, Per: time.Second}),
	}, opts...)
	return makeClient(t, testBase, testKey, &http.Client{Transport: r}, opts...), r
}

func TestEveryOperationSendsWhatTheDocumentSays(t *testing.T) {
	for _, c := range operationCalls {
		t.Run(c.operation, func(t *testing.T) {
			client, sent := newTestClient(t, c.status, successFor(t, c), WithAccount(testAccount))
			var response Response
			_, err := c.do(t.Context(), client, WithResponse(&response))
			require.NoError(t, err)
			require.Equal(t, c.status, response.StatusCode)
			require.Len(t, sent.Sent, 1)
			req := sent.Sent[0]
			method, _, _ := strings.Cut(c.operation, " ")
			require.Equal(t, method, req.Method)
			require.Equal(t, testBase+c.path(c.ids...), req.URL)
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

// tabled returns the operations of operationCalls.
func tabled() map[string]bool {
	list := make(map[string]bool)
	for _, c := range operationCalls {
		list[c.operation] = true
	}
	return list
}

func TestEveryOperationOfTheDocumentIsInTheTable(t *testing.T) {
	require.Len(t, tabled(), len(operationCalls), "an operation is in the table twice")
	for _, operation := range documentLines(t, "operations.txt") {
		require.True(t, tabled()[operation], "%s is in testdata/document/operations.txt: add a row for it to operationCalls", operation)
	}
}

func TestEveryRowOfTheTableIsComplete(t *testing.T) {
	kinds := []string{"read", "poll", "list", "update", "delete", "stream", "cancel", "trigger", "create"}
	for _, c := range operationCalls {
		require.Contains(t, kinds, c.kind, "%s: set its kind in operationCalls", c.operation)
		require.Equal(t, c.kind == "list", c.all != nil, "%s: operationCalls has an iterator for each list and for nothing else", c.operation)
		if method, _, _ := strings.Cut(c.operation, " "); method == "POST" || method == "PUT" {
			require.NotEmpty(t, c.body, "%s: give the body of its request in operationCalls", c.operation)
			require.NotEmpty(t, requestFiles(t, c.file), "%s: add testdata/requests/%s.<what it shows>.json", c.operation, c.file)
		}
		described := schema.Lookup(c.operation)
		require.NotNil(t, described, "%s: describe it in internal/schema/operations.go", c.operation)
		require.Equal(t, c.body != "", described.Body != nil, "%s: internal/schema/operations.go describes the body of each operation that has one", c.operation)
		for _, name := range parametersOf(t, c) {
			require.True(t, slices.ContainsFunc(described.Query, func(p schema.Parameter) bool { return p.Name == name }),
				"%s: describe its parameter %s in internal/schema/operations.go", c.operation, name)
		}
		if c.response == "" && c.status != http.StatusNoContent {
			require.NotEmpty(t, responseFiles(t, c.file), "%s: add testdata/responses/%s.<what it shows>.json", c.operation, c.file)
		}
	}
}

// parametersOf returns the names of the parameters of a row, without operators. A list has those of paging.
func parametersOf(t *testing.T, c operationCall) []string {
	t.Helper()
	query, err := url.ParseQuery(strings.TrimPrefix(c.query, "?"))
	require.NoError(t, err)
	var names []string
	for name := range query {
		name, _, _ = strings.Cut(name, "[")
		names = append(names, name)
	}
	if c.kind == "list" {
		names = append(names, "limit", "page")
	}
	return names
}

func requestFiles(t testing.TB, operation string) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/requests/" + operation + ".*.json")
	require.NoError(t, err)
	return files
}

func TestWithoutAnAccountTheHeaderIsNotSent(t *testing.T) {
	client, sent := newTestClient(t, 200, `[]`)
	_, err := client.Locations.List(t.Context())
	require.NoError(t, err)
	require.Empty(t, sent.Sent[0].Header.Values("X-Service-Account"))
}

func TestEveryOperationHasOneMethodAndEveryMethodOneOperation(t *testing.T) {
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
				require.NotNil(t, f, "%s: %s is not above a function", name, operation)
				require.NotNil(t, f.Recv, "%s is above %s, which is not a method", operation, f.Name.Name)
				require.True(t, f.Name.IsExported(), "%s is above %s, which is not exported", operation, f.Name.Name)
				require.Contains(t, strings.Join(strings.Fields(f.Doc.Text()), " "), operation, "the documentation of %s", f.Name.Name)
			}
		}
	}
	for operation := range tabled() {
		require.Contains(t, directives, operation, "write //monitoring:operation %s above the method that calls it", operation)
	}
	for _, operation := range directives {
		require.True(t, tabled()[operation], "%s has a method: add a row for it to operationCalls", operation)
	}
	require.Len(t, directives, len(operationCalls), "an operation has one method")
}

func TestEveryOperationHasARetryClass(t *testing.T) {
	classes := map[string]bool{"Read": true, "Poll": true, "Idempotent": true, "Unsafe": true}
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
					case *ast.SelectorExpr:
						class = value.Sel.Name
					case *ast.CallExpr: // Do derives it
						require.Equal(t, "ClassOf", value.Fun.(*ast.SelectorExpr).Sel.Name)
						class = "Read"
					}
				}
			}
			require.True(t, classes[class], "%s: operation %d of the file has the class %q", name, found, class)
			return true
		})
	}
	require.GreaterOrEqual(t, found, 20, "the operations were not found")
	for method, want := range map[string]exchange.Class{
		"GET": exchange.Read, "HEAD": exchange.Read, "OPTIONS": exchange.Read, "PUT": exchange.Idempotent, "DELETE": exchange.Idempotent,
		"POST": exchange.Unsafe, "PATCH": exchange.Unsafe, "BREW": exchange.Unsafe,
	} {
		require.Equal(t, want, exchange.ClassOf(method), method)
	}
}

func TestIDsAreSentAsOneEscapedSegmentOrRefused(t *testing.T) {
	escaped := map[string]string{ // "" if the id is refused
		"a/b?c#d": "a%2Fb%3Fc%23d", "%2e%2e": "%252e%252e", "a b": "a%20b", "a;b=c&d": "a%3Bb=c&d", "...": "...", "..%2f": "..%252f", "plain-1_2.3~": "plain-1_2.3~", `\..\`: `%5C..%5C`,
		"ä": "", ".": "", "..": "", "": "", strings.Repeat("x", 10<<10): "", "a\r\nX: y": "", "a\nb": "", "\x00": "", "\x7f": "", "a\u2028b": "", "\xff": "", "\t": "",
	}
	for _, c := range operationCalls {
		require.Equal(t, strings.Count(c.operation, "{"), len(c.ids), "%s: give each placeholder an id in operationCalls", c.operation)
		if c.numbered() {
			continue
		}
		for i := range c.ids {
			for id, want := range escaped {
				t.Run(fmt.Sprint(c.operation, " ", i, " ", strconv.QuoteToASCII(id[:min(len(id), 12)])), func(t *testing.T) {
					ids := slices.Clone(c.ids)
					ids[i] = id
					// The id of a cancel must be a UUID. WithoutValidation allows other ids, but
					// still only as one segment.
					client, sent := newTestClient(t, 400, `{}`, WithoutValidation())
					_, err := c.call(t.Context(), client, ids, nil)
					if want == "" {
						var invalid *ValidationError
						require.ErrorAs(t, err, &invalid)
						require.Len(t, invalid.Violations, 1)
						require.Zero(t, sent.GetTotalCallCount(), "a request was sent")
						_, err = c.call(t.Context(), newOnlyClient(t), ids, nil)
						require.ErrorAs(t, err, &invalid, "with validation")
						return
					}
					require.ErrorIs(t, err, ErrBadRequest)
					require.Len(t, sent.Sent, 1)
					require.Equal(t, testBase+c.path(ids...), sent.Sent[0].URL)
					require.Contains(t, sent.Sent[0].URL, "/"+want)
				})
			}
		}
	}
}

func newOnlyClient(t *testing.T) *Client {
	client, _ := newTestClient(t, 400, `{}`)
	return client
}

func TestIDsThatAreNumbersMustBePositive(t *testing.T) {
	found := 0
	for _, c := range operationCalls {
		if !c.numbered() {
			continue
		}
		found++
		for _, id := range []string{"0", "-1", "-9223372036854775808"} {
			client, sent := newTestClient(t, c.status, successFor(t, c))
			_, err := c.call(t.Context(), client, slices.Repeat([]string{id}, len(c.ids)), nil)
			require.ErrorAs(t, err, new(*ValidationError), "%s takes the id %s: use numericID", c.operation, id)
			require.Zero(t, sent.GetTotalCallCount(), c.operation)
		}
	}
	require.GreaterOrEqual(t, found, 2, "the operations were not found")
}
