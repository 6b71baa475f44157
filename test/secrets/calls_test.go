package secrets_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestNothingShowsTheSecretsOfACall(t *testing.T) { synctest.Test(t, secretsStaySecret) }

func secretsStaySecret(t *testing.T) {
	const key, account, value, password = "cu_KEYKEYKEY", "a0000000-0000-4000-8000-00000000acc7", "VARVALUE-1", "PASSWORD-1"
	secrets := []string{key, account, value, password}
	requireClean := func(t *testing.T, what, text string) {
		t.Helper()
		for _, secret := range secrets {
			require.NotContains(t, text, secret, what)
		}
	}
	var log bytes.Buffer
	var attempts []monitoring.Attempt
	// The service quotes all secrets in the headers and bodies of its errors.
	echo := fmt.Sprintf(`{"statusCode":400,"error":"Bad Request","message":"%s","attributes":{"x":"%[1]s"}}`, strings.Join(secrets, " "))
	var reply testkit.RoundTripper
	sender := &http.Client{Transport: testkit.RoundTripper(func(req *http.Request) (*http.Response, error) { return reply(req) })}
	client := kit.NewClient(t, "https://monitoring.test", key, sender, monitoring.WithAccount(account),
		monitoring.WithLogger(slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))),
		monitoring.WithAttemptHook(func(_ context.Context, a monitoring.Attempt) { attempts = append(attempts, a) }))

	variables := []monitoring.EnvironmentVariable{monitoring.NewEnvironmentVariable("K", value)}
	group := monitoring.CheckGroupUpdate{
		Name: "g", EnvironmentVariables: variables,
		APICheckDefaults: &monitoring.APICheckDefaults{
			Headers:   []monitoring.KeyValue{{Key: "Authorization", Value: monitoring.NewSecret(value)}},
			BasicAuth: monitoring.Value(monitoring.BasicAuth{Username: "u", Password: monitoring.NewSecret(password)}),
		},
	}
	var response monitoring.Response
	calls := func() []error {
		_, err1 := client.CheckGroups.Update(t.Context(), 1, group, monitoring.WithResponse(&response), monitoring.WithMaxRetries(1))
		_, err2 := client.Checks.UpdateBrowser(t.Context(), kit.UUID1, monitoring.BrowserCheckUpdate{EnvironmentVariables: variables}, monitoring.WithMaxRetries(1))
		_, err3 := client.Entitlements.Get(t.Context(), account, monitoring.WithMaxRetries(1))
		_, err4 := client.Checks.UpdateBrowser(t.Context(), kit.UUID1, monitoring.BrowserCheckUpdate{EnvironmentVariables: append(variables, monitoring.EnvironmentVariable{})})
		return []error{err1, err2, err3, err4}
	}
	for name, r := range map[string]testkit.RoundTripper{
		"an APIError that quotes the secrets": func(req *http.Request) (*http.Response, error) {
			return testkit.Respond(400, http.Header{"X-Echo": {strings.Join(secrets, " ")}}, echo), nil
		},
		"an error of the transport that quotes the secrets": func(req *http.Request) (*http.Response, error) {
			return nil, errors.New("proxy: " + req.Header.Get("Authorization") + strings.Join(secrets, " "))
		},
		"a response that is not JSON": func(req *http.Request) (*http.Response, error) { return testkit.Respond(200, nil, value), nil },
	} {
		reply = r
		for i, err := range calls() {
			require.Error(t, err, name)
			if e, ok := errors.AsType[*monitoring.APIError](err); ok && i == 0 { // this call had all secrets
				data, _ := json.Marshal(e)
				requireClean(t, "APIError as JSON", string(data))
				requireClean(t, "body of APIError", string(e.Body))
				requireClean(t, "header of APIError", fmt.Sprint(e.Header))
			}
			for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
				text := fmt.Sprintf(verb, err)
				if i > 0 { // these calls did not send the password
					text = strings.ReplaceAll(text, password, "")
				}
				if i > 1 {
					text = strings.ReplaceAll(text, value, "")
				}
				requireClean(t, name+" "+verb, text)
			}
		}
	}
	require.NotEmpty(t, log.String())
	secrets = secrets[:2]
	requireClean(t, "log", log.String())
	for _, a := range attempts {
		requireClean(t, "attempt", fmt.Sprintf("%+v %#v", a, a))
	}
	secrets = []string{key, account, value, password}

	// Print and marshal all values that a program can have.
	reply = func(*http.Request) (*http.Response, error) {
		return testkit.Respond(200, nil, fmt.Sprintf(`[{"key":"K","value":%q}]`, value)), nil
	}
	page, err := client.Variables.List(t.Context(), monitoring.VariableListOptions{}, monitoring.WithResponse(&response))
	require.NoError(t, err)
	require.Equal(t, monitoring.NewSecret(value), page.Items[0].Value, "the program can read the text")
	reply = func(*http.Request) (*http.Response, error) {
		data, _ := monitoring.MarshalWithSecrets(group)
		return testkit.Respond(200, nil, string(data)), nil
	}
	read, err := client.CheckGroups.Get(t.Context(), 1)
	require.NoError(t, err)
	things := []any{
		client, *client, struct{ hidden *monitoring.Client }{client}, struct{ hidden monitoring.Client }{*client}, client.Variables, *client.CheckSessions, &response, response,
		page, *page, page.Items[0], page.Items[0].Value, group, &group, group.APICheckDefaults,
		group.APICheckDefaults.BasicAuth, monitoring.Value(variables[0]), monitoring.Value(monitoring.NewSecret(value)), read, *read, read.ToUpdate(),
		monitoring.BrowserCheckUpdate{EnvironmentVariables: variables}, monitoring.CheckUpdate{EnvironmentVariables: variables},
		monitoring.WithAccount(account), monitoring.WithHeader("X", "y"), monitoring.WithTimeout(time.Second), monitoring.DefaultRetryPolicy(),
		&monitoring.ValidationError{Violations: []monitoring.Violation{{Path: "p", Message: "m"}}},
	}
	for _, thing := range things {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
			requireClean(t, fmt.Sprintf("%T with %s", thing, verb), fmt.Sprintf(verb, thing))
		}
		log.Reset()
		slog.New(slog.NewTextHandler(&log, nil)).Info("x", "thing", thing)
		requireClean(t, fmt.Sprintf("%T in a log", thing), log.String())
	}
	for _, thing := range []any{client, *client, client.Variables, &response, monitoring.DefaultRetryPolicy()} { // these are never part of a request
		data, err := json.Marshal(thing)
		require.NoError(t, err)
		requireClean(t, fmt.Sprintf("%T as JSON", thing), string(data))
	}
}

func TestInvalidHeadersAreRefused(t *testing.T) {
	for name, bad := range map[string]string{
		"a carriage return": "a\rb", "a line feed": "a\nb", "a line feed at the end": "abc\n",
		"a zero byte": "a\x00b", "a letter beyond ASCII": "añb", "a control character": "a\x1fb",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := monitoring.NewClient("https://monitoring.test", bad)
			require.ErrorContains(t, err, "the API key has a byte that is not allowed")
			require.NotContains(t, err.Error(), bad)
			_, err = monitoring.NewClient("https://monitoring.test", "k", monitoring.WithAccount(bad))
			require.ErrorContains(t, err, "the account id has a byte that is not allowed")
			_, err = monitoring.NewClient("https://monitoring.test", "k", monitoring.WithUserAgent(bad))
			require.Error(t, err)
			_, err = monitoring.NewClient("https://monitoring.test", "k", monitoring.WithHeader("X-Test", bad))
			require.Error(t, err)
			_, err = monitoring.NewClient("https://monitoring.test", "k", monitoring.WithHeader(bad, "x"))
			require.Error(t, err)
			_, err = monitoring.NewClient("https://monitoring.test", "k", monitoring.WithAccountHeader(bad))
			require.Error(t, err)

			client := kit.Client(t, testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
				t.Error("a request was sent")
				return nil, errors.New("sent")
			}))
			_, err = client.Locations.List(t.Context(), monitoring.WithHeader("X-Test", bad))
			require.ErrorContains(t, err, "monitoring: call option: ")
			_, err = client.CheckSessions.Get(t.Context(), bad)
			_, ok := errors.AsType[*monitoring.ValidationError](err)
			require.True(t, ok, err)
		})
	}
	for _, name := range []string{"Authorization", "host", "content-length", "Transfer-Encoding"} {
		_, err := monitoring.NewClient("https://monitoring.test", "k", monitoring.WithHeader(name, "x"))
		require.ErrorContains(t, err, "the client sets it itself")
	}
	_, err := monitoring.NewClient("https://monitoring.test", "k", monitoring.WithHeader("x-service-account", "x"))
	require.ErrorContains(t, err, "WithAccount")
	for _, name := range []string{"host", "Content-Length", "connection", "Authorization", "Content-Type"} {
		_, err = monitoring.NewClient("https://monitoring.test", "k", monitoring.WithAccountHeader(name))
		require.ErrorContains(t, err, "is not valid")
	}
	_, err = monitoring.NewClient("https://monitoring.test", "k", monitoring.WithHeader("idempotency-key", "x"))
	require.ErrorContains(t, err, "net/http may send a trigger or create twice")
}

func TestSecretsThatTheServiceEchoesEscapedAreRemoved(t *testing.T) {
	const password = `p<w&"1secret`
	body, err := json.Marshal(map[string]string{"message": "invalid password " + password})
	require.NoError(t, err)
	client := kit.Client(t, testkit.Status(400, string(body)))
	_, err = client.CheckGroups.Update(t.Context(), 1, monitoring.CheckGroupUpdate{
		Name: "g", APICheckDefaults: &monitoring.APICheckDefaults{BasicAuth: monitoring.Value(monitoring.BasicAuth{Username: "u", Password: monitoring.NewSecret(password)})},
	})
	require.EqualError(t, err, "monitoring: PUT /v2/check-groups/1 at monitoring.test: 400 Bad Request: invalid password [redacted]")
	e, _ := errors.AsType[*monitoring.APIError](err)
	require.Equal(t, `{"message":"invalid password [redacted]"}`, string(e.Body))
}

func TestOrdinaryValuesOfVariablesDoNotDamageErrors(t *testing.T) {
	const body = `{"statusCode":400,"error":"Bad Request","message":"no good","attributes":{"retry":false,"message":"m"}}`
	for _, value := range []string{"error", "message", "false", "check", "statusCode", "attributes"} {
		client := kit.Client(t, testkit.Status(400, body))
		_, err := client.CheckGroups.Update(t.Context(), 5, monitoring.CheckGroupUpdate{
			Name: "g", EnvironmentVariables: []monitoring.EnvironmentVariable{monitoring.NewEnvironmentVariable("LOG_LEVEL", value)},
		})
		e, ok := errors.AsType[*monitoring.APIError](err)
		require.True(t, ok)
		require.Equal(t, "no good", e.Message)
		require.Equal(t, "Bad Request", e.Reason)
		require.True(t, json.Valid(e.Attributes), "%s", e.Attributes)
		require.EqualError(t, err, "monitoring: PUT /v2/check-groups/5 at monitoring.test: 400 Bad Request: no good")
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		client := kit.Client(t, testkit.Faults["response slower than the timeout"])
		_, err := client.CheckGroups.Update(ctx, 5, monitoring.CheckGroupUpdate{Name: "g", EnvironmentVariables: []monitoring.EnvironmentVariable{monitoring.NewEnvironmentVariable("K", "context")}})
		require.ErrorIs(t, err, context.DeadlineExceeded)
	})
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
	t.Parallel()
	long := strings.Repeat("9", 20_000_000)
	for name, transport := range map[string]testkit.RoundTripper{
		"a very long number":  testkit.Status(200, `{"concurrency":`+long+`}`),
		"a very long message": testkit.Status(400, `{"message":"`+long+`"}`),
		"a very long error":   func(*http.Request) (*http.Response, error) { return nil, errors.New(long) },
	} {
		t.Run(name, func(t *testing.T) {
			_, err := kit.Client(t, transport, monitoring.WithMaxRetries(0)).CheckGroups.Get(t.Context(), 1)
			require.Error(t, err)
			require.Less(t, len(err.Error()), 1000)
		})
	}
}

func TestAResponseIsPrintedWithoutHeaderAndBody(t *testing.T) {
	r := monitoring.Response{StatusCode: 404, Attempts: 2, Body: []byte(testkit.Canary), Header: http.Header{"X": {testkit.Canary}}}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d"} {
		require.Equal(t, "404 Not Found (attempts: 2)", fmt.Sprintf(verb, r), verb)
	}
}

func TestAnErrorObjectDoesNotShowSecrets(t *testing.T) {
	client := kit.Client(t, testkit.Status(200, `{"statusCode":400,"error":"Bad Request","message":"hunter-2222 and key-123 are not valid"}`))
	update := monitoring.BrowserCheckUpdate{EnvironmentVariables: []monitoring.EnvironmentVariable{{Key: "A", Value: monitoring.NewSecret("hunter-2222")}}}
	_, err := client.Checks.UpdateBrowser(t.Context(), kit.UUID1, update)
	var failed *monitoring.DecodeError
	require.ErrorAs(t, err, &failed)
	require.NotContains(t, err.Error()+failed.Error(), "hunter-2222")
	require.NotContains(t, err.Error()+failed.Error(), "key-123")
	require.ErrorContains(t, err, "are not valid")
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
