package secrets_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/scrub"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
	"github.com/stretchr/testify/require"
)

// withSecrets is a group that has a secret in its body at each place.
func withSecrets(value, password string) monitoring.CheckGroupUpdate {
	return monitoring.CheckGroupUpdate{
		Name: "g", EnvironmentVariables: []monitoring.EnvironmentVariable{monitoring.NewEnvironmentVariable("K", value)},
		APICheckDefaults: &monitoring.APICheckDefaults{
			Headers:   []monitoring.KeyValue{{Key: "Authorization", Value: monitoring.NewSecret(value)}},
			BasicAuth: monitoring.Value(monitoring.BasicAuth{Username: "u", Password: monitoring.NewSecret(password)}),
		},
	}
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
		monitoring.WithAttemptHook(func(_ context.Context, a monitoring.Attempt) { reported = append(reported, a) }),
		monitoring.WithCallHook(func(_ context.Context, c monitoring.Call) { reported = append(reported, c) }))

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
		err := kit.Second(client.CheckGroups.Update(t.Context(), 1, withSecrets(value, password), monitoring.WithResponse(&response)))
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
	reply = testkit.Status(200, strings.Replace(string(data), "{", `{"id":1,`, 1))
	read, err := client.CheckGroups.Get(t.Context(), 1)
	require.NoError(t, err)
	require.Equal(t, monitoring.NewSecret(value), read.EnvironmentVariables[0].Value, "the program can read the text")
	for _, v := range []any{
		client, *client, struct{ hidden *monitoring.Client }{client}, struct{ hidden monitoring.Client }{*client}, client.Variables, *client.CheckSessions, read, *read, read.ToUpdate(),
		monitoring.WithAccount(account), monitoring.DefaultRetryPolicy(),
	} {
		requireClean(fmt.Sprintf("%T", v), v)
	}
}

func TestInvalidHeadersAreRefused(t *testing.T) {
	client := kit.Client(t, testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
		t.Error("a request was sent")
		return nil, errors.New("sent")
	}))
	for _, bad := range []string{"a\rb", "a\nb", "abc\n", "a\x00b", "añb", "a\x1fb"} {
		_, err := monitoring.NewClient("https://monitoring.test", bad)
		require.ErrorContains(t, err, "the API key has a byte that is not allowed")
		require.NotContains(t, err.Error(), bad)
		_, err = monitoring.NewClient("https://monitoring.test", "k", monitoring.WithAccount(bad))
		require.ErrorContains(t, err, "the account id has a byte that is not allowed")
		for _, opt := range []monitoring.ClientOption{
			monitoring.WithUserAgent(bad), monitoring.WithHeader("X-Test", bad), monitoring.WithHeader(bad, "x"), monitoring.WithAccountHeader(bad),
		} {
			require.Error(t, kit.Second(monitoring.NewClient("https://monitoring.test", "k", opt)), "%q", bad)
		}
		require.ErrorContains(t, kit.Second(client.Locations.List(t.Context(), monitoring.WithHeader("X-Test", bad))), "monitoring: call option: ")
		var invalid *monitoring.ValidationError
		require.ErrorAs(t, kit.Second(client.CheckSessions.Get(t.Context(), bad)), &invalid)
	}
	for want, names := range map[string][]string{
		"the client sets it itself":                   {"Authorization", "host", "content-length", "Transfer-Encoding"},
		"WithAccount":                                 {"x-service-account"},
		"net/http may send a trigger or create twice": {"idempotency-key"},
	} {
		for _, name := range names {
			require.ErrorContains(t, kit.Second(monitoring.NewClient("https://monitoring.test", "k", monitoring.WithHeader(name, "x"))), want)
		}
	}
	for _, name := range []string{"host", "Content-Length", "connection", "Authorization", "Content-Type"} {
		require.ErrorContains(t, kit.Second(monitoring.NewClient("https://monitoring.test", "k", monitoring.WithAccountHeader(name))), "is not valid")
	}
}

func TestOrdinaryValuesOfVariablesDoNotDamageErrors(t *testing.T) {
	const body = `{"statusCode":400,"error":"Bad Request","message":"no good","attributes":{"retry":false,"message":"m"}}`
	for _, value := range []string{"error", "message", "false", "check", "statusCode", "attributes"} {
		client := kit.Client(t, testkit.Status(400, body))
		err := kit.Second(client.CheckGroups.Update(t.Context(), 5, withSecrets(value, "false")))
		e, ok := errors.AsType[*monitoring.APIError](err)
		require.True(t, ok)
		require.Equal(t, "no good", e.Message)
		require.Equal(t, "Bad Request", e.Reason)
		require.True(t, json.Valid(e.Attributes), "%s", e.Attributes)
		require.EqualError(t, err, "monitoring: PUT /v2/check-groups/5 at monitoring.test: 400 Bad Request: no good")
	}
	client := kit.Client(t, testkit.Faults["reset after the request is written"], monitoring.WithMaxRetries(0))
	err := kit.Second(client.CheckGroups.Update(t.Context(), 1, withSecrets("connection", "reset by peer")))
	require.ErrorContains(t, err, "connection reset by peer", "a word of the network itself")
	require.ErrorIs(t, err, syscall.ECONNRESET)
	var network net.Error
	require.ErrorAs(t, err, &network)
}

func TestKeyAndAccountAreNeverInAnError(t *testing.T) {
	const key, account = "key-1234567890", "8f9c2a10-11d2-4e0b-9a3e-7c1d5e2f6a40"
	newClient := func(transport testkit.RoundTripper) *monitoring.Client {
		return kit.NewClient(t, "https://monitoring.test", key, &http.Client{Transport: transport}, monitoring.WithAccount(account), monitoring.WithMaxRetries(0))
	}
	calls := map[string]func(*monitoring.Client) error{
		"an account in the path": func(c *monitoring.Client) error { return kit.Second(c.Entitlements.Get(t.Context(), account)) },
		"a key as an account":    func(c *monitoring.Client) error { return kit.Second(c.Entitlements.Get(t.Context(), key)) },
		"a key as a session":     func(c *monitoring.Client) error { return kit.Second(c.CheckSessions.Get(t.Context(), key)) },
		"a key as a session to wait for": func(c *monitoring.Client) error {
			ended, end := context.WithCancel(t.Context())
			end()
			return kit.Second(c.CheckSessions.Wait(ended, key, monitoring.WaitOptions{}))
		},
		"a key as an analysis to wait for": func(c *monitoring.Client) error {
			ended, end := context.WithCancel(t.Context())
			end()
			return kit.Second(c.RootCauseAnalyses.Wait(ended, key))
		},
		"a key as a session to wait for, with a mistake": func(c *monitoring.Client) error {
			return kit.Second(c.CheckSessions.Wait(t.Context(), key, monitoring.WaitOptions{Share: 2}))
		},
		"a key as a session to cancel": func(c *monitoring.Client) error {
			return c.CheckSessions.Cancel(t.Context(), key, monitoring.CancelRequest{})
		},
		"a key in a path": func(c *monitoring.Client) error {
			return kit.Second(monitoring.Do[any](t.Context(), c, "GET", "/v1/"+key, nil, nil))
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
		"a 404":   testkit.Faults["404"],
		"a reset": testkit.Faults["reset after the request is written"],
		"an error that quotes the request": func(req *http.Request) (*http.Response, error) {
			return nil, fmt.Errorf("%s %s %v", req.Method, req.URL, req.Header)
		},
	} {
		for name, do := range calls {
			t.Run(failure+" "+name, func(t *testing.T) {
				err := do(newClient(transport))
				require.Error(t, err)
				texts := fmt.Sprintf("%v %+v %#v %q", err, err, err, err)
				for chain := err; chain != nil; chain = errors.Unwrap(chain) {
					data, _ := json.Marshal(chain)
					texts += fmt.Sprintf("%v %+v %#v %s", chain, chain, chain, data)
				}
				require.NotContains(t, texts, key)
				require.NotContains(t, texts, strings.ToUpper(key))
				require.NotContains(t, texts, account)
			})
		}
	}
}

func TestTextsOfTheServiceAndTheTransportAreBounded(t *testing.T) {
	long := strings.Repeat("9", 2_000_000)
	for name, transport := range map[string]testkit.RoundTripper{
		"a very long number":  testkit.Status(200, `{"concurrency":`+long+`}`),
		"a very long message": testkit.Status(400, `{"message":"`+long+`"}`),
		"a very long error":   func(*http.Request) (*http.Response, error) { return nil, errors.New(long) },
	} {
		_, err := kit.Client(t, transport, monitoring.WithMaxRetries(0)).CheckGroups.Get(t.Context(), 1)
		require.Error(t, err, name)
		require.Less(t, len(err.Error()), 1000, name)
	}
}

func TestResponsesAndErrorsArePrintedWithoutHeaderAndBody(t *testing.T) {
	header, body := http.Header{"X": {testkit.Canary}}, []byte(testkit.Canary)
	for _, verb := range []string{"%v", "%+v", "%s", "%d", "%t"} {
		require.Equal(t, "404 Not Found (attempts: 2)", fmt.Sprintf(verb, monitoring.Response{StatusCode: 404, Attempts: 2, Body: body, Header: header}), verb)
		require.Equal(t, "monitoring: 409 Conflict", fmt.Sprintf(verb, &monitoring.APIError{StatusCode: 409, Body: body, Header: header}), verb)
		require.Equal(t, "monitoring: read the response: $.a", fmt.Sprintf(verb, &monitoring.DecodeError{Path: "$.a", Partial: body}), verb)
	}
	err := &monitoring.APIError{StatusCode: 409, Body: body}
	require.Equal(t, `&monitoring.APIError{"monitoring: 409 Conflict"} "monitoring: 409 Conflict" 6d6f6e`, fmt.Sprintf("%#v %q %.3x", err, err, err))
}

func TestTheAccountOfACallIsRemovedFromTheTextOfTheService(t *testing.T) {
	echo := testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
		return testkit.Respond(404, nil, `{"message":"no account `+req.Header.Get("x-service-account")+` for `+req.Header.Get("Authorization")+`"}`), nil
	})
	for name, opts := range map[string][]monitoring.CallOption{"of the client": nil, "of the call": {monitoring.WithAccount(kit.UUID2)}} {
		t.Run(name, func(t *testing.T) {
			client := kit.Client(t, echo, monitoring.WithAccount(kit.UUID1))
			_, err := client.CheckGroups.Get(t.Context(), 1, opts...)
			require.ErrorContains(t, err, "no account [redacted] for Bearer [redacted]")
		})
	}
}

func TestTheValuesOfHeadersAreRemovedFromTheTextOfTheService(t *testing.T) {
	echo := testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
		return testkit.Respond(404, nil, fmt.Sprintf(`{"message":"%s %s %s"}`, req.Header.Get("X-Client"), req.Header.Get("X-Of-Call"), req.Header.Get("X-Word"))), nil
	})
	for value, word := range map[string]string{"0123456789abcdef": "0123456789abcde", testkit.Canary + "-of-16": "ordinary"} {
		client := kit.Client(t, echo, monitoring.WithHeader("X-Client", value))
		testkit.RequireHidden(t, "a client", client)
		for _, name := range []string{"X-My-AUTH-1", "X-ApiKey", "x-token", "X-Secrets", "Cookie"} {
			opts := []monitoring.CallOption{monitoring.WithHeader(name, "short"), monitoring.WithHeader("X-Of-Call", "short"), monitoring.WithHeader("X-Word", word)}
			require.ErrorContains(t, kit.Second(client.CheckGroups.Get(t.Context(), 1, opts...)), "404 Not Found: [redacted] [redacted] "+word)
		}
		require.ErrorContains(t, kit.Second(client.CheckGroups.Get(t.Context(), 1, monitoring.WithHeader("X-Of-Call", "short"))), "[redacted] short")
	}
}

// keptBody is how many bytes of a body an error keeps.
const keptBody = 64 << 10

func TestAnErrorKeepsWhatWasSearchedWhole(t *testing.T) {
	const secret = `pass"word-of-the-group`
	twice, err := json.Marshal(secret)
	require.NoError(t, err)
	filling := strings.Repeat(`%25252525+&amp;amp;lt;\\\\u0026lt; `, 1000)
	members := map[string]any{"statusCode": 400, "error": "Bad Request", "message": "not " + secret, "errorCode": "E7", "request": filling + string(twice)}
	send := func(members map[string]any) *monitoring.APIError {
		body, err := json.Marshal(members)
		require.NoError(t, err)
		require.Less(t, len(body), keptBody)
		client := kit.Client(t, testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
			return testkit.Respond(http.StatusBadRequest, http.Header{"X-Note": {"a%20b"}}, string(body)), nil
		}), monitoring.WithMaxRetries(0))
		err = kit.Second(client.CheckGroups.Update(t.Context(), 1, withSecrets(secret, secret)))
		failed, ok := errors.AsType[*monitoring.APIError](err)
		require.True(t, ok, err)
		return failed
	}
	failed := send(members)
	require.Equal(t, "not [redacted]", failed.Message)
	require.Equal(t, "a%20b", failed.Header.Get("X-Note"))
	require.Equal(t, "E7", failed.Code)
	require.Zero(t, len(failed.Body))

	delete(members, "request")
	members["attributes"] = map[string]string{"a": filling}
	require.Equal(t, `"[text removed: too many escapes]"`, string(send(members).Attributes))

	delete(members, "attributes")
	members["message"] = filling
	failed = send(members)
	require.Equal(t, "[text removed: too many escapes]", failed.Message)
	require.Equal(t, "E7", failed.Code)
	require.Zero(t, len(failed.Body))
	require.ErrorContains(t, failed, "400 Bad Request: [text removed: too many escapes]")
	require.Equal(t, "[text removed: too many escapes]", failed.Header.Get("X-Note"), "the texts of a response share the work")
}

func TestASecretThatTheClientCutsIsReplaced(t *testing.T) {
	const secret = "the-secret/0123456789"
	shown := `the-secret\u002f01\u00`
	client := kit.Client(t, testkit.Status(http.StatusBadRequest, strings.Repeat("x", keptBody-len(shown))+shown+"more"), monitoring.WithMaxRetries(0))
	err := kit.Second(client.CheckGroups.Update(t.Context(), 1, withSecrets(secret, secret)))
	failed, ok := errors.AsType[*monitoring.APIError](err)
	require.True(t, ok)
	require.True(t, strings.HasSuffix(string(failed.Body), "x"+scrub.Redacted))
}
