package api_test

import (
	"fmt"
	"go/ast"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
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

// tabled returns the operations of kit.Operations.
func tabled() map[string]bool {
	list := make(map[string]bool)
	for _, c := range kit.Operations {
		list[c.Name] = true
	}
	return list
}

func TestEveryOperationOfTheDocumentIsInTheTable(t *testing.T) {
	require.Len(t, tabled(), len(kit.Operations), "an operation is in the table twice")
	for _, operation := range kit.DocumentLines(t, "operations.txt") {
		require.True(t, tabled()[operation], "%s is in testdata/document/operations.txt: add a row for it to kit.Operations", operation)
	}
}

func TestEveryRowOfTheTableIsComplete(t *testing.T) {
	kinds := []string{"read", "poll", "list", "update", "delete", "stream", "cancel", "trigger", "create"}
	for _, c := range kit.Operations {
		require.Contains(t, kinds, c.Kind, "%s: set its kind in kit.Operations", c.Name)
		require.Equal(t, c.Kind == "list", c.All != nil, "%s: kit.Operations has an iterator for each list and for nothing else", c.Name)
		if method, _, _ := strings.Cut(c.Name, " "); method == "POST" || method == "PUT" {
			require.NotEmpty(t, c.Body, "%s: give the body of its request in kit.Operations", c.Name)
			require.NotEmpty(t, kit.Files(t, "testdata/requests/"+c.File+".*.json"), "%s: add testdata/requests/%s.<what it shows>.json", c.Name, c.File)
		}
		described := schema.Lookup(c.Name)
		require.NotNil(t, described, "%s: describe it in internal/schema/operations.go", c.Name)
		require.Equal(t, c.Body != "", described.Body != nil, "%s: internal/schema/operations.go describes the body of each operation that has one", c.Name)
		for _, name := range parametersOf(t, c) {
			require.True(t, slices.ContainsFunc(described.Query, func(p schema.Parameter) bool { return p.Name == name }),
				"%s: describe its parameter %s in internal/schema/operations.go", c.Name, name)
		}
		if c.Response == "" && c.Status != http.StatusNoContent {
			require.NotEmpty(t, kit.ResponseFiles(t, c.File), "%s: add testdata/responses/%s.<what it shows>.json", c.Name, c.File)
		}
	}
}

// parametersOf returns the names of the parameters of a row, without operators. A list has those of paging.
func parametersOf(t *testing.T, c kit.Operation) []string {
	t.Helper()
	query, err := url.ParseQuery(strings.TrimPrefix(c.Query, "?"))
	require.NoError(t, err)
	var names []string
	for name := range query {
		name, _, _ = strings.Cut(name, "[")
		names = append(names, name)
	}
	if c.Kind == "list" {
		names = append(names, "limit", "page")
	}
	return names
}

func TestWithoutAnAccountTheHeaderIsNotSent(t *testing.T) {
	client, sent := kit.Recorded(t, 200, `[]`)
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
		require.True(t, tabled()[operation], "%s has a method: add a row for it to kit.Operations", operation)
	}
	require.Len(t, directives, len(kit.Operations), "an operation has one method")
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
}

func TestIDsAreSentAsOneEscapedSegmentOrRefused(t *testing.T) {
	escaped := map[string]string{ // "" if the id is refused
		"a/b?c#d": "a%2Fb%3Fc%23d", "%2e%2e": "%252e%252e", "a b": "a%20b", "a;b=c&d": "a%3Bb=c&d", "...": "...", "..%2f": "..%252f", "plain-1_2.3~": "plain-1_2.3~", `\..\`: `%5C..%5C`,
		"ä": "", ".": "", "..": "", "": "", strings.Repeat("x", 10<<10): "", "a\r\nX: y": "", "a\nb": "", "\x00": "", "\x7f": "", "a\u2028b": "", "\xff": "", "\t": "",
	}
	for _, c := range kit.Operations {
		require.Equal(t, strings.Count(c.Name, "{"), len(c.IDs), "%s: give each placeholder an id in kit.Operations", c.Name)
		if c.Numbered() {
			continue
		}
		for i := range c.IDs {
			for id, want := range escaped {
				t.Run(fmt.Sprint(c.Name, " ", i, " ", strconv.QuoteToASCII(id[:min(len(id), 12)])), func(t *testing.T) {
					ids := slices.Clone(c.IDs)
					ids[i] = id
					// The id of a cancel must be a UUID. WithoutValidation allows other ids, but
					// still only as one segment.
					client, sent := kit.Recorded(t, 400, `{}`, monitoring.WithoutValidation())
					_, err := c.Call(t.Context(), client, ids, nil)
					if want == "" {
						var invalid *monitoring.ValidationError
						require.ErrorAs(t, err, &invalid)
						require.Len(t, invalid.Violations, 1)
						require.Zero(t, sent.GetTotalCallCount(), "a request was sent")
						_, err = c.Call(t.Context(), newOnlyClient(t), ids, nil)
						require.ErrorAs(t, err, &invalid, "with validation")
						return
					}
					require.ErrorIs(t, err, monitoring.ErrBadRequest)
					require.Len(t, sent.Sent, 1)
					require.Equal(t, kit.Base+c.Path(ids...), sent.Sent[0].URL)
					require.Contains(t, sent.Sent[0].URL, "/"+want)
				})
			}
		}
	}
}

func newOnlyClient(t *testing.T) *monitoring.Client {
	client, _ := kit.Recorded(t, 400, `{}`)
	return client
}

func TestIDsThatAreNumbersMustBePositive(t *testing.T) {
	found := 0
	for _, c := range kit.Operations {
		if !c.Numbered() {
			continue
		}
		found++
		for _, id := range []string{"0", "-1", "-9223372036854775808"} {
			client, sent := kit.Recorded(t, c.Status, kit.SuccessFor(t, c))
			_, err := c.Call(t.Context(), client, slices.Repeat([]string{id}, len(c.IDs)), nil)
			require.ErrorAs(t, err, new(*monitoring.ValidationError), "%s takes the id %s: use route.Number", c.Name, id)
			require.Zero(t, sent.GetTotalCallCount(), c.Name)
		}
	}
	require.GreaterOrEqual(t, found, 2, "the operations were not found")
}

func TestIDsOfUpTo1024BytesAreSent(t *testing.T) {
	client := kit.Client(t, testkit.Faults["404"])
	_, err := client.CheckSessions.Get(t.Context(), strings.Repeat("x", 1024))
	require.ErrorIs(t, err, monitoring.ErrNotFound)
	_, err = client.CheckSessions.Get(t.Context(), strings.Repeat("x", 1024+1))
	require.ErrorAs(t, err, new(*monitoring.ValidationError))
	require.ErrorContains(t, err, "is longer than 1024 bytes")
}
