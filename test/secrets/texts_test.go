package secrets_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/scrub"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// withSecrets is a group that has a secret in its body at each place.
func withSecrets(value, password string) *monitoring.CheckGroup {
	group := kit.Returned[monitoring.CheckGroup](`{"id":1,"name":"g"}`)
	group.EnvironmentVariables = []monitoring.EnvironmentVariable{monitoring.NewEnvironmentVariable("K", value)}
	group.APICheckDefaults = &monitoring.APICheckDefaults{
		Headers:   []monitoring.KeyValue{{Key: "Authorization", Value: monitoring.NewSecret(value)}},
		BasicAuth: monitoring.Value(monitoring.BasicAuth{Username: "u", Password: monitoring.NewSecret(password)}),
	}
	return group
}

func TestNothingShowsTheSecretsOfACall(t *testing.T) {
	const key, account, value, password = "cu_KEYKEYKEY", "a0000000-0000-4000-8000-00000000acc7", "VARVALUE-1", "PASSWORD<1"
	secrets := []string{key, account, value, password}
	requireClean := func(what string, v any) {
		t.Helper()
		for how, text := range testkit.Rendered(v) {
			for _, secret := range append(secrets, `PASSWORD\u003c1`) {
				require.NotContains(t, text, secret, "%s with %s", what, how)
			}
		}
	}
	var log bytes.Buffer
	var reported []any
	var response monitoring.Response
	var reply testkit.RoundTripper
	sender := &http.Client{Transport: testkit.RoundTripper(func(req *http.Request) (*http.Response, error) { return reply(req) })}
	client := kit.NewClient(t, "https://monitoring.test", key, sender, monitoring.WithAccount(account), monitoring.WithMaxRetries(0),
		monitoring.WithLogger(slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))),
		monitoring.WithAttemptHook(func(_ context.Context, a monitoring.AttemptInfo) {
			require.False(t, a.Retry, testkit.NoRetry)
			reported = append(reported, a)
		}),
		monitoring.WithCallHook(func(_ context.Context, c monitoring.CallInfo) { reported = append(reported, c) }))

	// The service quotes all secrets in the headers and bodies of its errors.
	all := strings.Join(secrets, " ")
	said, err := json.Marshal(map[string]any{"statusCode": 400, "error": "Bad Request", "message": all, "errorCode": value, "attributes": map[string]string{"x": all}, "validation": []string{all}})
	require.NoError(t, err)
	for name, r := range map[string]testkit.RoundTripper{
		"an error": func(*http.Request) (*http.Response, error) {
			return testkit.Respond(400, http.Header{"X-Echo": {all}}, string(said)), nil
		},
		"an error of the transport": func(req *http.Request) (*http.Response, error) {
			return nil, errors.New("proxy: " + req.Header.Get("Authorization") + all)
		},
		"a response that is not JSON":     testkit.Status(200, all),
		"an error object with status 200": testkit.Status(200, string(said)),
		"a response about another object": testkit.Status(200, `{"id":"`+value+`"}`),
		"a response that is cut off":      testkit.Status(200, `{"name":"`+all),
		"a network error with a text of it": func(*http.Request) (*http.Response, error) {
			return nil, &net.OpError{Op: "write", Err: errors.New(all)}
		},
	} {
		reply = r
		err := kit.Second(client.CheckGroups.Update(t.Context(), withSecrets(value, password), monitoring.WithResponse(&response)))
		require.Error(t, err, name)
		reported = append(reported, err, fmt.Sprintf("%v %#v", response, response))
		if e, ok := errors.AsType[*monitoring.APIError](err); ok {
			reported = append(reported, string(e.Body), string(e.Attributes), string(e.Validation), e.Header, e.Code)
		}
	}
	require.Len(t, reported, 7*4+5)
	for _, v := range append(reported, log.String()) {
		requireClean("what is reported", v)
	}

	// All values that a program can have.
	data, err := monitoring.MarshalWithSecrets(withSecrets(value, password))
	require.NoError(t, err)
	reply = testkit.Status(200, string(data))
	read, err := client.CheckGroups.Get(t.Context(), 1)
	require.NoError(t, err)
	require.Equal(t, monitoring.NewSecret(value), read.EnvironmentVariables[0].Value, "the program can read the text")
	for _, v := range []any{
		client, *client, struct{ hidden *monitoring.Client }{client}, struct{ hidden monitoring.Client }{*client}, client.Variables, *client.CheckSessions, read, *read, read.Diff(), withSecrets(value, password).Diff(),
		monitoring.WithAccount(account), monitoring.DefaultRetryPolicy(),
	} {
		requireClean(fmt.Sprintf("%T", v), v)
	}
}

func TestInvalidHeadersAreRefused(t *testing.T) {
	for _, bad := range []string{"a\nb", "a\x00b", "añb"} {
		_, err := monitoring.NewClient("https://monitoring.test", bad)
		require.ErrorContains(t, err, "the API key contains white space")
		require.NotContains(t, err.Error(), bad)
		for _, opt := range []monitoring.ClientOption{
			monitoring.WithAccount(bad), monitoring.WithUserAgent(bad), monitoring.WithHeader("X-Test", bad), monitoring.WithHeader(bad, "x"), monitoring.WithAccountHeader(bad),
		} {
			require.Error(t, kit.Second(monitoring.NewClient("https://monitoring.test", "k", opt)), "%q", bad)
		}
		client, sent := kit.Recorded(t, 200, "[]")
		require.ErrorContains(t, kit.Second(client.Locations.List(t.Context(), monitoring.WithHeader("X-Test", bad))), "monitoring: ")
		require.NotEmpty(t, kit.BrokenRules(t, kit.Second(client.CheckSessions.Get(t.Context(), bad))))
		require.Empty(t, sent.Sent)
	}
	for name, want := range map[string]string{
		"Authorization": "the client sets ", "x-service-account": "WithAccount", "idempotency-key": "net/http may then send a trigger or create twice",
	} {
		require.ErrorContains(t, kit.Second(monitoring.NewClient("https://monitoring.test", "k", monitoring.WithHeader(name, "x"))), want)
	}
	require.ErrorContains(t, kit.Second(monitoring.NewClient("https://monitoring.test", "k", monitoring.WithAccountHeader("x-idempotency-key"))), "net/http may then send")
	for _, name := range []string{"host", "Content-Type"} {
		require.ErrorContains(t, kit.Second(monitoring.NewClient("https://monitoring.test", "k", monitoring.WithAccountHeader(name))), "WithAccountHeader: the client sets ")
	}
}

func TestKeyAndAccountAreNeverInAnError(t *testing.T) {
	const key, account = "key-1234567890", "8f9c2a10-11d2-4e0b-9a3e-7c1d5e2f6a40"
	ended, end := context.WithCancel(t.Context())
	end()
	calls := map[string]func(*monitoring.Client) error{
		"an account in the path": func(c *monitoring.Client) error { return kit.Second(c.Entitlements.Get(t.Context(), account)) },
		"a key as an account":    func(c *monitoring.Client) error { return kit.Second(c.Entitlements.Get(t.Context(), key)) },
		"a key as a session":     func(c *monitoring.Client) error { return kit.Second(c.CheckSessions.Get(t.Context(), key)) },
		"a key as a session to wait for": func(c *monitoring.Client) error {
			return kit.Second(c.CheckSessions.Wait(ended, key, monitoring.WaitOptions{}))
		},
		"a key as an analysis to wait for": func(c *monitoring.Client) error { return kit.Second(c.RootCauseAnalyses.Wait(ended, key)) },
		"a key as a session to wait for, with a mistake": func(c *monitoring.Client) error {
			return kit.Second(c.CheckSessions.Wait(t.Context(), key, monitoring.WaitOptions{Share: 2}))
		},
		"a key as a session to cancel": func(c *monitoring.Client) error {
			return c.CheckSessions.Cancel(t.Context(), key, monitoring.CancelRequest{})
		},
		"a key before a query": func(c *monitoring.Client) error {
			return kit.Second(monitoring.Do[any](t.Context(), c, "GET", "/v1/"+key+"?x", nil, nil))
		},
		"a key as a check": func(c *monitoring.Client) error {
			return kit.Second(c.CheckSessions.Trigger(t.Context(), monitoring.TriggerRequest{Target: monitoring.TriggerTarget{CheckIDs: []string{key}}}))
		},
		"a key as a valid method": func(c *monitoring.Client) error {
			return kit.Second(monitoring.Do[any](t.Context(), c, key, "/", nil, nil))
		},
		"a key as a method": func(c *monitoring.Client) error {
			return kit.Second(monitoring.Do[any](t.Context(), c, key+" x", "/", nil, nil))
		},
	}
	for failure, transport := range map[string]testkit.RoundTripper{
		"a 404": testkit.Faults["404"],
		"an error that quotes the request": func(req *http.Request) (*http.Response, error) {
			return nil, fmt.Errorf("%s %s %v", req.Method, req.URL, req.Header)
		},
	} {
		client := kit.NewClient(t, "https://monitoring.test", key, &http.Client{Transport: transport}, monitoring.WithAccount(account), monitoring.WithMaxRetries(0))
		for name, do := range calls {
			err := do(client)
			require.Error(t, err, name)
			for ; err != nil; err = errors.Unwrap(err) {
				data, _ := json.Marshal(err)
				texts := fmt.Sprintf("%v %+v %#v %q %s", err, err, err, err, data)
				for _, secret := range []string{key, strings.ToUpper(key), account} {
					require.NotContains(t, texts, secret, "%s with %s", name, failure)
				}
			}
		}
	}
}

// Errors show the beginning of a body, and of a text that is no time. A key may be longer than that.
func TestNoErrorShowsThePartOfAKey(t *testing.T) {
	for _, size := range []int{41, 100, 250, 700} {
		key := strings.Repeat("eyJhbGciOi", size/10+1)[:size]
		for _, body := range []string{"<html>" + key, "Bearer " + key, "<a " + strings.Repeat("-", 40) + key, `[{"id":1,"startsAt":"` + key + `"}]`, `[{"id":1,"repeatEndsAt":"` + key + `"}]`} {
			for _, status := range []int{200, 403, 500} {
				client := kit.NewClient(t, kit.Base, key, &http.Client{Transport: testkit.Status(status, body)}, monitoring.WithMaxRetries(0))
				_, err := client.MaintenanceWindows.List(t.Context(), monitoring.MaintenanceWindowListOptions{})
				require.Error(t, err)
				require.NotContains(t, err.Error(), "eyJ", "%d bytes", size)
			}
		}
	}
}

func TestTheIDsOfWhatWasFoundAreShownWithoutTheKey(t *testing.T) {
	for _, key := range []string{"key-1234567890", strings.Repeat("key-1234567890", 10)} {
		const like = `","name":"n","checkType":"TCP","created_at":"2100-01-01","request":{"hostname":"h","port":1}}`
		list := `[{"id":"` + key + like + `,{"id":"` + key + `2` + like + `]`
		respond := testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			if req.Method == http.MethodPost {
				return testkit.Respond(504, nil, ""), nil
			}
			return testkit.Respond(200, nil, list), nil
		})
		client := kit.NewClient(t, kit.Base, key, &http.Client{Transport: respond}, monitoring.WithMaxRetries(0))
		_, err := client.Checks.Find(t.Context(), "n", monitoring.CheckListOptions{})
		require.ErrorContains(t, err, "2 have this name ([redacted], [redacted]2)")
		for port, found := range map[int]string{1: `several named "n" ([redacted], [redacted]2)`, 2: `not what was sent ([redacted] has another request.port, [redacted]2 has`} {
			check := &monitoring.Check{Name: "n", TCP: &monitoring.TCPRequest{Hostname: "h", Port: port}}
			_, err = client.Checks.Create(t.Context(), check, monitoring.WithCreateRecovery(1))
			require.ErrorContains(t, err, found)
		}
	}
}

func TestResponsesAndErrorsArePrintedWithoutHeaderAndBody(t *testing.T) {
	header, body := http.Header{"X": {testkit.Canary}}, []byte(testkit.Canary)
	for _, verb := range []string{"%v", "%+v", "%s", "%d", "%t"} {
		require.Equal(t, "404 Not Found (attempts: 2)", fmt.Sprintf(verb, monitoring.Response{StatusCode: 404, Attempts: 2, Body: body, Header: header}), verb)
		require.Equal(t, "monitoring: 409 Conflict", fmt.Sprintf(verb, &monitoring.APIError{StatusCode: 409, Body: body, Header: header}), verb)
		page := &monitoring.PageError{Page: 2, NextID: "a\u202eb", Err: errors.New("cut off")}
		require.Equal(t, page.Error(), fmt.Sprintf(verb, page), "the cursor is a text of the service")
		require.Equal(t, "monitoring: decode JSON: $.a", fmt.Sprintf(verb, &monitoring.DecodeError{Path: "$.a", Partial: body}), verb)
	}
	client := kit.Client(t, testkit.Status(200, `{"id":7,"name":"`+testkit.Canary+`","script":"s"}`))
	_, ignored := client.Snippets.Edit(t.Context(), 7, func(s *monitoring.Snippet) error {
		s.Name = "new"
		return nil
	})
	require.ErrorAs(t, ignored, new(*monitoring.UpdateIgnoredError))
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d", "%t"} {
		require.False(t, testkit.ShowsCanary(fmt.Sprintf(verb, ignored)), verb)
	}
	err := &monitoring.APIError{StatusCode: 409, Body: body}
	require.Equal(t, `&monitoring.APIError{"monitoring: 409 Conflict"} "monitoring: 409 Conflict" 6d6f6e`, fmt.Sprintf("%#v %q %.3x", err, err, err))
}

func TestTheHeadersOfARequestAreRemovedFromTheTextOfTheService(t *testing.T) {
	client := kit.Client(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
		h := req.Header
		return testkit.Respond(404, nil, fmt.Sprintf(`{"message":"%s %s %s %s"}`, h.Get("X-Service-Account"), h.Get("X-Client"), h.Get("X-Token"), h.Get("X-Word"))), nil
	}), monitoring.WithHeader("X-Client", testkit.Canary+"-of-16"))
	testkit.RequireHidden(t, "a client", client)
	err := kit.Second(client.CheckGroups.Get(t.Context(), 1, monitoring.WithAccount(kit.UUID2), monitoring.WithHeader("X-Token", "short"), monitoring.WithHeader("X-Word", "ordinary")))
	require.ErrorContains(t, err, "404 Not Found: [redacted] [redacted] [redacted] ordinary")
}

// keptBody is how many bytes of a body an error keeps.
const keptBody = 64 << 10

func TestAnErrorKeepsWhatWasSearchedWhole(t *testing.T) {
	const secret, removed = `pass"word-of-the-group`, "[text removed: too many escapes]"
	filling := strings.Repeat(`%25252525+&amp;amp;lt;\\\\u0026lt; `, 1000)
	send := func(member string, value any) *monitoring.APIError {
		members := map[string]any{"statusCode": 400, "error": "Bad Request", "message": "not " + secret, "errorCode": "E7"}
		members[member] = value
		body, err := json.Marshal(members)
		require.NoError(t, err)
		require.Less(t, len(body), keptBody)
		client := kit.Client(t, testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
			return testkit.Respond(http.StatusBadRequest, http.Header{"X-Note": {"a%20b"}}, string(body)), nil
		}))
		return kit.ErrAs[*monitoring.APIError](t, kit.Second(client.CheckGroups.Update(t.Context(), withSecrets(secret, secret))))
	}
	failed := send("request", filling)
	require.Equal(t, []string{"not [redacted]", "a%20b", "E7", ""}, []string{failed.Message, failed.Header.Get("X-Note"), failed.Code, string(failed.Body)})
	require.Equal(t, strconv.Quote(removed), string(send("attributes", map[string]string{"a": filling}).Attributes))
	failed = send("message", filling)
	require.Equal(t, []string{removed, removed, "E7", ""}, []string{failed.Message, failed.Header.Get("X-Note"), failed.Code, string(failed.Body)}, "the texts of a response share the work")
	require.ErrorContains(t, failed, "400 Bad Request: "+removed)

	cut := `pass\u0022word-of\u00` // which the limit cuts off
	client := kit.Client(t, testkit.Status(http.StatusBadRequest, strings.Repeat("x", keptBody-len(cut))+cut+"more"))
	failed = kit.ErrAs[*monitoring.APIError](t, kit.Second(client.CheckGroups.Update(t.Context(), withSecrets(secret, secret))))
	require.True(t, strings.HasSuffix(string(failed.Body), "x"+scrub.Redacted))
}

func TestOrdinaryValuesOfVariablesDoNotDamageErrors(t *testing.T) {
	client := kit.Client(t, testkit.Status(400, `{"statusCode":400,"error":"Bad Request","message":"no good","attributes":{"retry":false,"message":"m"}}`))
	for _, value := range []string{"error", "message", "check", "attributes"} {
		err := kit.Second(client.CheckGroups.Update(t.Context(), withSecrets(value, "false")))
		require.EqualError(t, err, "monitoring: PUT /v2/check-groups/1 at monitoring.test: 400 Bad Request: no good")
		require.True(t, json.Valid(kit.ErrAs[*monitoring.APIError](t, err).Attributes))
	}
}

func TestTheWireLogShowsEachAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ofClient, ofCall bytes.Buffer
		turns := testkit.InTurn(
			func(*http.Request) (*http.Response, error) {
				return nil, fmt.Errorf("proxy: key-123 of %s\n", kit.UUID1)
			},
			func(*http.Request) (*http.Response, error) {
				return testkit.Respond(307, http.Header{"Location": {"/v1/moved?sig=s1g"}}, ""), nil
			}, testkit.Status(200, `[{"key":"K","value":"abc"}]`))
		client := kit.Client(t, turns, monitoring.WithWireLog(&ofClient), monitoring.WithAccount(kit.UUID1), monitoring.WithHeader("X-Gate", "0123456789abcdef"))
		page, err := client.Variables.List(t.Context(), monitoring.VariableListOptions{ListOptions: monitoring.ListOptions{Limit: 2}}, monitoring.WithQuery("q", "s3c"), monitoring.WithWireLog(&ofCall))
		require.NoError(t, err)
		require.Equal(t, "abc", page.Items[0].Value.Reveal())
		require.Empty(t, ofClient.String(), "the log of the call replaces that of the client")
		const headers = "> Accept: application/json\n> Authorization: Bearer [redacted]\n> User-Agent: monitoring-go/" + monitoring.Version + "\n> X-Gate: [redacted]\n> X-Service-Account: [redacted]\n"
		for _, part := range []string{
			"GET /v1/variables, attempt 1\n> GET https://monitoring.test/v1/variables?limit=2&q=[redacted]\n" + headers + "< no response after 0s\n! proxy: [redacted] of [redacted]\n$ curl -gsS -X GET ",
			"attempt 2\n> GET https://monitoring.test/v1/variables?limit=2&q=[redacted]\n" + headers + "< 307 Temporary Redirect after 0s\n< Location: /v1/moved?sig=[redacted]\n",
			"attempt 3\n> GET https://monitoring.test/v1/moved?sig=[redacted]\n", "< 200 OK after 0s\n< [{\"key\":\"K\",\"value\":\"[redacted]\"}]\n",
		} {
			require.Contains(t, ofCall.String(), part)
		}
		for _, secret := range []string{"key-123", kit.UUID1, "abc", "s3c", "s1g", "0123456789abcdef"} {
			require.NotContains(t, ofCall.String(), secret)
		}
	})
	require.ErrorContains(t, kit.Second(monitoring.NewClient("https://monitoring.test", "k", monitoring.WithWireLog(nil))), "WithWireLog needs a writer")
}

func TestTheWireLogShowsOnlyParametersThatTheOptionsOfAMethodSet(t *testing.T) {
	var log bytes.Buffer
	client := kit.Client(t, testkit.InTurn(func(*http.Request) (*http.Response, error) {
		return testkit.Respond(307, http.Header{"Location": {"/v1/moved?limit=s1g&page=s1g"}}, ""), nil
	}, testkit.Status(200, "[]")), monitoring.WithWireLog(&log))
	options := monitoring.VariableListOptions{ListOptions: monitoring.ListOptions{Limit: 2, Page: 3}}
	require.NoError(t, kit.Second(client.Variables.List(t.Context(), options, monitoring.WithQuery("limit", "s3c"), monitoring.WithQuery("other", "s3c"))))
	require.Contains(t, log.String(), "/v1/variables?limit=[redacted]&other=[redacted]&page=3\n")
	require.Contains(t, log.String(), "/v1/moved?limit=[redacted]&page=[redacted]\n", "a redirect may name its parameters alike")
	require.NotContains(t, log.String(), "s3c")
	require.NotContains(t, log.String(), "s1g")
}

func TestTheWireLogOfAnErrorShowsWhatItSays(t *testing.T) {
	var log bytes.Buffer
	client := kit.Client(t, testkit.Status(400, `{"message":"no good","new":"x"}`), monitoring.WithWireLog(&log))
	require.Error(t, kit.Second(client.Variables.List(t.Context(), monitoring.VariableListOptions{}, monitoring.WithQuery("limit", "s3c"))))
	require.Contains(t, log.String(), "/v1/variables?limit=[redacted]\n")
	require.Contains(t, log.String(), "< {\"message\":\"no good\",\"new\":\"[string of 1 bytes]\"}\n")
	client = kit.Client(t, testkit.Status(200, `[{"id":"a","alertConfig":{"url":"x"},"new":"y"}]`), monitoring.WithWireLog(&log))
	require.NoError(t, kit.Second(client.AlertNotifications.List(t.Context(), monitoring.AlertNotificationListOptions{})))
	require.Contains(t, log.String(), "< [{\"id\":\"a\",\"alertConfig\":\"[redacted]\",\"new\":\"[string of 1 bytes]\"}]\n")
	require.NoError(t, kit.Second(monitoring.Do[any](t.Context(), client, "GET", "/v1/any", nil, nil)))
	require.Contains(t, log.String(), "< [{\"id\":\"[string of 1 bytes]\",", "nothing says what is no secret")
	client = kit.Client(t, testkit.Status(200, "{}"), monitoring.WithWireLog(&log))
	require.NoError(t, client.CheckResults.CopyRaw(t.Context(), kit.UUID1, kit.UUID2, io.Discard))
	require.Contains(t, log.String(), "< [the body was copied to the caller]\n")
}
