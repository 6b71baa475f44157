package faults_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// objectCalls are the operations whose response is one object.
func objectCalls(t *testing.T) (list []kit.Operation) {
	t.Helper()
	for _, c := range kit.Operations {
		switch c.Kind {
		case "read", "poll", "update", "create", "trigger":
			if !strings.HasPrefix(strings.TrimSpace(kit.SuccessFor(t, c)), "[") { // a list that comes whole
				list = append(list, c)
			}
		}
	}
	require.Greater(t, len(list), 10)
	return list
}

// errorObjects are bodies that say that the service failed, whatever the status is.
var errorObjects = []string{
	`{"statusCode":400,"error":"Bad Request"}`,
	` {"error":"","message":"gone","statusCode":4.1e2,"id":"x","checkSessionId":"y","sessions":[]}`,
	`{"statusCode":503,"error":"Service Unavailable","status":7,"name":{}}`,
	`{"status\u0043ode":500,"error":"x"}`,
}

// TestASuccessThatIsNoAnswerIsAnError has responses with the status of a success that are about
// nothing, or about something else. None is retried.
func TestASuccessThatIsNoAnswerIsAnError(t *testing.T) {
	bodies := map[string]string{"null": "null", "null in white space": "\ufeff\n null ", "an empty object": "{}", "an empty object in white space": " {\n} "}
	for _, body := range errorObjects {
		bodies["an error object "+body] = body
	}
	for _, c := range objectCalls(t) {
		for name, body := range bodies {
			if c.OrNull && strings.HasPrefix(name, "null") {
				continue
			}
			t.Run(c.Name+", "+name, func(t *testing.T) {
				sent := 0
				client := kit.Client(t, testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
					sent++
					return testkit.Respond(c.Status, nil, body), nil
				}))
				_, err := c.Do(t.Context(), client)
				var failed *monitoring.DecodeError
				require.ErrorAs(t, err, &failed)
				require.Equal(t, 1, sent)
				require.Equal(t, c.Name, failed.Operation)
				unsafe, refused := c.Kind == "create" || c.Kind == "trigger", strings.Contains(body, "error")
				require.Equal(t, unsafe && refused, errors.Is(err, monitoring.ErrOutcomeUnknown), err)
				if unsafe && !refused {
					require.ErrorContains(t, err, "it was carried out")
				}
				if refused {
					require.ErrorContains(t, err, "it is an error object with status ")
				}
			})
		}
	}
}

func TestAnObjectThatLooksLikeAnErrorIsRead(t *testing.T) {
	for _, body := range []string{
		`{"statusCode":399,"error":"x"}`, `{"statusCode":"500","error":"x"}`, `{"statusCode":500,"error":{"a":1}}`, `{"statusCode":500}`,
		`{"error":"x"}`, `{"name":"g","nested":{"statusCode":500,"error":"x"}}`, `{"name":"{\"statusCode\":500,\"error\":\"x\"}"}`,
	} {
		client := kit.Client(t, testkit.Status(200, body))
		require.NoError(t, kit.Second(client.CheckGroups.Get(t.Context(), 7)), body)
	}
	synctest.Test(t, func(t *testing.T) { // one that is cut off is retried
		client := kit.Client(t, testkit.InTurn(testkit.Status(200, `{"statusCode":500,"error":"x","mess`), testkit.Status(200, `{"id":7}`)))
		require.NoError(t, kit.Second(client.CheckGroups.Get(t.Context(), 7)))
	})
}

// TestAnotherIDThanTheOneAskedForIsAnError asks for each object by its id.
func TestAnotherIDThanTheOneAskedForIsAnError(t *testing.T) {
	asked := 0
	for _, c := range objectCalls(t) {
		if len(c.IDs) == 0 || c.Name == "GET /v1/accounts/{accountId}/entitlements" { // which have no id
			continue
		}
		asked++
		id := c.IDs[len(c.IDs)-1]
		same := []string{"null", `"` + id + `"`, `""`, `"` + strings.ToUpper(id) + `"`}
		others := []string{`"` + id + `0"`, `"` + kit.UUID2 + `"`, `"x"`}
		if c.Numbered() {
			same = []string{"null", id, id + ".0", id + "0E-1", strings.TrimSuffix(id, "1") + "1.000"}
			others = []string{"1", "0", "-" + id}
		}
		send := func(value string) (int, error) {
			sent := 0
			client := kit.Client(t, testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
				sent++
				return testkit.Respond(c.Status, nil, `{"name":"n","`+c.OwnID+`":`+value+`}`), nil
			}))
			_, err := c.Do(t.Context(), client)
			return sent, err
		}
		for _, value := range same {
			_, err := send(value)
			require.NoError(t, err, "%s: %s", c.Name, value)
		}
		for _, value := range others {
			sent, err := send(value)
			var failed *monitoring.DecodeError
			require.ErrorAs(t, err, &failed, "%s: %s", c.Name, value)
			require.Equal(t, "$."+c.OwnID, failed.Path)
			require.ErrorContains(t, err, "the response is about another object")
			require.Equal(t, 1, sent)
			require.Contains(t, string(failed.Partial), value)
		}
	}
	require.GreaterOrEqual(t, asked, 10, "the operations were not found")
}

func TestTheIDThatIsReadIsTheOneThatIsCompared(t *testing.T) {
	for body, ok := range map[string]bool{ // the decoder takes the last member with a name, in any case of letters
		`{"id":7,"id":8}`: false, `{"id":8,"id":7}`: true, `{"ID":8}`: false, `{"id":7,"Id":8}`: false, `{"Id":7}`: true, `{"i\u0064":8}`: false,
	} {
		_, err := kit.Client(t, testkit.Status(200, body)).CheckGroups.Get(t.Context(), 7)
		require.Equal(t, ok, err == nil, body)
	}
	client := kit.Client(t, testkit.Status(200, `{"id":"Result-A"}`))
	require.NoError(t, kit.Second(client.CheckResults.Get(t.Context(), kit.UUID1, "Result-A")))
	require.ErrorContains(t, kit.Second(client.CheckResults.Get(t.Context(), kit.UUID1, "result-a")), "another object", "only UUIDs are equal in any case")
	require.ErrorContains(t, kit.Second(client.CheckResults.Get(t.Context(), "Result-A", "b")), "another object", "the id of the check is not that of the result")
}

func TestEditWritesNothingAfterAResponseThatIsNotTheGroup(t *testing.T) {
	for _, body := range append([]string{`{}`, `null`, `{"id":8,"name":"g"}`}, errorObjects...) {
		var methods []string
		client := kit.Client(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			methods = append(methods, req.Method)
			return testkit.Respond(200, nil, body), nil
		}))
		_, err := client.CheckGroups.Edit(t.Context(), 7, func(u *monitoring.CheckGroupUpdate) error {
			u.Name = "changed"
			return nil
		})
		var failed *monitoring.DecodeError
		require.ErrorAs(t, err, &failed, body)
		require.Equal(t, []string{"GET"}, methods, body)
	}
}

func TestUntypedCallsTakeAnErrorObjectAndNothing(t *testing.T) {
	client := kit.Client(t, testkit.Status(200, errorObjects[0]))
	untyped, err := monitoring.Do[map[string]any](t.Context(), client, "GET", "/v1/x", nil, nil)
	require.NoError(t, err)
	require.Len(t, *untyped, 2)
	untyped, err = monitoring.Do[map[string]any](t.Context(), kit.Client(t, testkit.Status(200, "")), "GET", "/v1/x", nil, nil)
	require.NoError(t, err, "nothing at all")
	require.Nil(t, *untyped)
	var raw bytes.Buffer
	require.NoError(t, client.CheckResults.CopyRaw(t.Context(), kit.UUID1, kit.UUID2, &raw))
	require.Equal(t, errorObjects[0], raw.String())
}

// TestABodyThatIsCutOffIsNoSuccessForWhoWantsIt has bodies that are cut by the connection, or end too
// early.
func TestABodyThatIsCutOffIsNoSuccessForWhoWantsIt(t *testing.T) {
	cut := testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
		resp := testkit.Respond(200, nil, "")
		resp.ContentLength, resp.Body = 100, io.NopCloser(io.MultiReader(strings.NewReader(`{"ok"`), iotest.ErrReader(io.ErrUnexpectedEOF)))
		return resp, nil
	})
	for name, transport := range map[string]testkit.RoundTripper{"by the connection": cut, "by the service": testkit.Status(200, `{"ok"`)} {
		client := kit.Client(t, transport, monitoring.WithMaxRetries(0))
		var response monitoring.Response
		for _, method := range []string{"GET", "DELETE", "POST"} {
			err := kit.Second(monitoring.Do[struct{}](t.Context(), client, method, "/v1/x", nil, nil, monitoring.WithResponse(&response)))
			require.ErrorIs(t, err, io.ErrUnexpectedEOF, "%s %s", method, name)
			require.Equal(t, method == "POST", errors.Is(err, monitoring.ErrOutcomeUnknown))
			require.NoError(t, kit.Second(monitoring.Do[struct{}](t.Context(), client, method, "/v1/x", nil, nil)), "it was carried out, and nobody wants the body")
		}
	}
	require.ErrorIs(t, kit.Second(monitoring.Do[[]byte](t.Context(), kit.Client(t, cut, monitoring.WithMaxRetries(0)), "GET", "/v1/x", nil, nil)), io.ErrUnexpectedEOF)
}

func TestABodyThatIsNotJSONIsCalledByItsNameAndNotRetried(t *testing.T) {
	for want, c := range map[string][2]string{
		"is HTML":       {"", "<!doctype html><title>key-123</title>"},
		"is SVG":        {"image/svg+xml", `<?xml version="1.0"?><svg>key-123</svg>`},
		"is XML":        {"application/xml", `<?xml version="1.0"?><a>key-123</a>`},
		"is CSV":        {"text/csv; charset=utf-8", "id,key-123\n1,2"},
		"is plain text": {"text/plain", "Welcome, key-123"},
	} {
		for _, status := range []int{200, 404} {
			sent := 0
			client := kit.Client(t, testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
				sent++
				return testkit.Respond(status, http.Header{"Content-Type": {c[0]}}, c[1]), nil
			}))
			err := kit.Second(client.CheckGroups.Get(t.Context(), 7))
			require.ErrorContains(t, err, want+", not JSON: check the base address and any proxy in front of the service: it begins with ")
			require.ErrorContains(t, err, strconv.Quote(strings.NewReplacer("\n", " ", "key-123", "[redacted]").Replace(c[1])))
			require.Equal(t, 1, sent)
		}
		body, err := monitoring.Do[[]byte](t.Context(), kit.Client(t, testkit.Status(200, c[1])), "GET", "/v1/x", nil, nil)
		require.NoError(t, err, "it is taken as it is")
		require.Equal(t, c[1], string(*body))
	}
}

// TestWaitsGoOnAfterAResponseAboutNothing has waits whose first responses have no status.
func TestWaitsGoOnAfterAResponseAboutNothing(t *testing.T) {
	waits := map[string]struct {
		end  string
		wait func(context.Context, *monitoring.Client) error
	}{
		"for a session": {`{"checkSessionId":"` + kit.UUID1 + `","status":"PASSED"}`, func(ctx context.Context, c *monitoring.Client) error {
			return kit.Second(c.CheckSessions.Wait(ctx, kit.UUID1, monitoring.WaitOptions{}))
		}},
		"for an analysis": {`{"id":"` + kit.UUID1 + `","status":"COMPLETED"}`, func(ctx context.Context, c *monitoring.Client) error {
			return kit.Second(c.RootCauseAnalyses.Wait(ctx, kit.UUID1))
		}},
	}
	for name, c := range waits {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := kit.Client(t, testkit.InTurn(testkit.Status(200, "{}"), testkit.Status(200, "null"), testkit.Status(200, errorObjects[0]), testkit.Status(200, c.end)))
				require.NoError(t, c.wait(t.Context(), client))
			})
		})
	}
}

// TestACallThatReturnsOnlyAnErrorNoticesWhatIsNoAnswer has bodies of successes of calls that do
// not decode them.
func TestACallThatReturnsOnlyAnErrorNoticesWhatIsNoAnswer(t *testing.T) {
	calls := map[string]func(context.Context, *monitoring.Client, ...monitoring.CallOption) error{
		"a delete": func(ctx context.Context, c *monitoring.Client, opts ...monitoring.CallOption) error {
			return c.Dashboards.Delete(ctx, "x", opts...)
		},
		"a cancel": func(ctx context.Context, c *monitoring.Client, opts ...monitoring.CallOption) error {
			return c.CheckSessions.Cancel(ctx, kit.UUID1, monitoring.CancelRequest{}, opts...)
		},
		"an untyped create": func(ctx context.Context, c *monitoring.Client, opts ...monitoring.CallOption) error {
			return kit.Second(monitoring.Do[struct{}](ctx, c, "POST", "/v1/x", nil, nil, opts...))
		},
	}
	const page = "it is HTML, not JSON: check the base address"
	for name, c := range map[string]struct{ contentType, body, want string }{
		"nothing":                          {"", "", ""},
		"nothing, called HTML":             {"text/html", "", ""},
		"white space, called HTML":         {"text/html", "\ufeff \n", ""},
		"an empty object":                  {"application/json", "\ufeff{ }", ""},
		"an empty object, called HTML":     {"text/html", " {} ", ""},
		"another object":                   {"application/json", `{"deleted":true,"statusCode":200,"error":null}`, ""},
		"a text":                           {"text/plain", "<deleted>", ""},
		"an image":                         {"image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg"><title>html</title></svg>`, ""},
		"XML":                              {"application/xml", `<?xml version="1.0"?><ok/>`, ""},
		"a page":                           {"", "<!doctype html><title>Sign in</title>", page},
		"a page in capitals":               {"application/json", "\ufeff\r\n\t<!DOCTYPE HTML PUBLIC \"x\">", page},
		"a page without a doctype":         {"text/plain", `  <HtMl lang="de"><body/></html>`, page},
		"a piece of a page, called HTML":   {"Text/HTML; charset=utf-8", "<h1>Sign in</h1>", page},
		"a text, called HTML":              {"text/html", "Please sign in", page},
		"a page that is longer than 1 MiB": {"", "<html>" + strings.Repeat("x", 1<<20), page},
		"an error object":                  {"application/json", ` {"statusCode":429,"error":"Too Many Requests","message":"slow down"}`, "it is an error object with status 429: Too Many Requests: slow down"},
	} {
		for of, call := range calls {
			t.Run(of+", "+name, func(t *testing.T) {
				sent := 0
				client := kit.Client(t, testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
					sent++
					return testkit.Respond(200, http.Header{"Content-Type": {c.contentType}}, c.body), nil
				}))
				var response monitoring.Response
				for _, err := range []error{call(t.Context(), client), call(t.Context(), client, monitoring.WithResponse(&response))} {
					if c.want == "" {
						require.NoError(t, err)
						continue
					}
					var failed *monitoring.DecodeError
					require.ErrorAs(t, err, &failed)
					require.ErrorContains(t, err, c.want)
					require.Equal(t, of == "an untyped create", errors.Is(err, monitoring.ErrOutcomeUnknown), err)
				}
				require.Equal(t, 2, sent, "it is not retried")
				require.Equal(t, c.body, string(response.Body))
			})
		}
	}
}
