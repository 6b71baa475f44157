package monitoring

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// loopback makes a client for a server with a real listener.
func loopback(t *testing.T, server *httptest.Server, opts ...ClientOption) *Client {
	t.Helper()
	t.Cleanup(server.Close)
	return makeClient(t, server.URL, "key-123", server.Client(), append([]ClientOption{WithMaxRetries(0)}, opts...)...)
}

func TestRedirectsAwayFromTheBaseAddressAreRefused(t *testing.T) {
	for _, code := range []int{301, 302, 303, 307, 308} {
		for name, secure := range map[string]bool{"from http to https": false, "from https to http": true, "to another port": false} {
			t.Run(fmt.Sprintf("%d %s", code, name), func(t *testing.T) {
				var leaked atomic.Int32
				handler := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { leaked.Add(1) })
				target := httptest.NewServer(handler)
				if name == "from http to https" {
					target.Close()
					target = httptest.NewTLSServer(handler)
				}
				defer target.Close()
				redirect := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					http.Redirect(w, r, target.URL+r.URL.Path, code)
				})
				server := httptest.NewServer(redirect)
				if secure {
					server.Close()
					server = httptest.NewTLSServer(redirect)
				}
				client := loopback(t, server, WithAccount(uuid1))
				for kind, do := range kinds {
					err := do(t.Context(), client)
					require.ErrorIs(t, err, ErrRedirect, kind)
					unsafe := kind == "trigger" || kind == "create"
					require.Equal(t, unsafe && code <= http.StatusSeeOther, errors.Is(err, ErrOutcomeUnknown), "the service may respond like this after it has carried out the request")
				}
				require.Zero(t, leaked.Load())
			})
		}
	}
}

func TestRedirectsWithinTheBaseAddressAreFollowedIfTheMethodIsKept(t *testing.T) {
	var seen []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		seen = append(seen, r.Method+" "+r.URL.Path+" "+r.Header.Get("Authorization")+" "+string(body))
		if code := r.URL.Query().Get("to"); code != "" {
			status := 0
			fmt.Sscan(code, &status)
			http.Redirect(w, r, "/moved", status)
			return
		}
		io.WriteString(w, "{}")
	}))
	client := loopback(t, server)
	do := func(method string, code int) error {
		seen = nil
		return second(Do[map[string]any](t.Context(), client, method, "/v1/things", map[string][]string{"to": {fmt.Sprint(code)}}, map[string]int{"a": 1}))
	}
	for _, code := range []int{307, 308} {
		for _, method := range []string{"POST", "PUT"} {
			require.NoError(t, do(method, code))
			require.Equal(t, method+` /moved Bearer key-123 {"a":1}`, seen[1], "method and body are kept")
		}
	}
	for _, code := range []int{301, 302, 303} {
		require.ErrorIs(t, do("POST", code), ErrRedirect, "net/http would change the method to GET")
		require.Len(t, seen, 1)
		require.NoError(t, do("GET", code))
	}
	server.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path, http.StatusFound) })
	require.ErrorIs(t, do("GET", 302), ErrRedirect, "a loop of redirects ends")
}

func TestARedirectThatWritesTheHostInOtherLettersKeepsTheKey(t *testing.T) {
	for name, opt := range map[string]ClientOption{
		"a fixed key":  WithHeader("X-Any", "1"),
		"a key source": WithKeySource(func(context.Context, Secret) (string, error) { return "key-123", nil }),
	} {
		key, keys := "key-123", []string(nil)
		if name == "a key source" {
			key = ""
		}
		client := makeClient(t, "https://monitoring.test", key, &http.Client{Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
			keys = append(keys, r.URL.Host+" "+r.Header.Get("Authorization"))
			if r.URL.Host == "monitoring.test" {
				return respondWith(http.StatusPermanentRedirect, http.Header{"Location": {"https://MONITORING.test/v1/locations"}}, ""), nil
			}
			return respondWith(http.StatusOK, nil, "[]"), nil
		})}, opt)
		_, err := client.Locations.List(t.Context())
		require.NoError(t, err, name)
		require.Equal(t, []string{"monitoring.test Bearer key-123", "MONITORING.test Bearer key-123"}, keys, name)
	}
}

func TestTheUsersRedirectCheckIsCalledAfterOurs(t *testing.T) {
	server := httptest.NewServer(http.RedirectHandler("/elsewhere", http.StatusTemporaryRedirect))
	users := server.Client()
	users.CheckRedirect = func(*http.Request, []*http.Request) error { return errors.New("not today") }
	client := loopback(t, server, WithHTTPClient(users))
	_, err := client.Locations.List(t.Context())
	require.ErrorContains(t, err, "not today")
}

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
	var attempts []Attempt
	// The service quotes all secrets in the headers and bodies of its errors.
	echo := fmt.Sprintf(`{"statusCode":400,"error":"Bad Request","message":"%s","attributes":{"x":"%[1]s"}}`, strings.Join(secrets, " "))
	var reply roundTripper
	sender := &http.Client{Transport: roundTripper(func(req *http.Request) (*http.Response, error) { return reply(req) })}
	client := makeClient(t, "https://monitoring.test", key, sender, WithAccount(account),
		WithLogger(slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))),
		WithAttemptHook(func(_ context.Context, a Attempt) { attempts = append(attempts, a) }))

	variables := []EnvironmentVariable{NewEnvironmentVariable("K", value)}
	group := CheckGroupUpdate{
		Name: "g", EnvironmentVariables: variables,
		APICheckDefaults: &APICheckDefaults{
			Headers:   []KeyValue{{Key: "Authorization", Value: NewSecret(value)}},
			BasicAuth: Value(BasicAuth{Username: "u", Password: NewSecret(password)}),
		},
	}
	var response Response
	calls := func() []error {
		_, err1 := client.CheckGroups.Update(t.Context(), 1, group, WithResponse(&response), WithMaxRetries(1))
		_, err2 := client.Checks.UpdateBrowser(t.Context(), uuid1, BrowserCheckUpdate{EnvironmentVariables: variables}, WithMaxRetries(1))
		_, err3 := client.Entitlements.Get(t.Context(), account, WithMaxRetries(1))
		_, err4 := client.Checks.UpdateBrowser(t.Context(), uuid1, BrowserCheckUpdate{EnvironmentVariables: append(variables, EnvironmentVariable{})})
		return []error{err1, err2, err3, err4}
	}
	for name, r := range map[string]roundTripper{
		"an APIError that quotes the secrets": func(req *http.Request) (*http.Response, error) {
			return respondWith(400, http.Header{"X-Echo": {strings.Join(secrets, " ")}}, echo), nil
		},
		"an error of the transport that quotes the secrets": func(req *http.Request) (*http.Response, error) {
			return nil, errors.New("proxy: " + req.Header.Get("Authorization") + strings.Join(secrets, " "))
		},
		"a response that is not JSON": func(req *http.Request) (*http.Response, error) { return respondWith(200, nil, value), nil },
	} {
		reply = r
		for i, err := range calls() {
			require.Error(t, err, name)
			if e, ok := errors.AsType[*APIError](err); ok && i == 0 { // this call had all secrets
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
		return respondWith(200, nil, fmt.Sprintf(`[{"key":"K","value":%q}]`, value)), nil
	}
	page, err := client.Variables.List(t.Context(), VariableListOptions{}, WithResponse(&response))
	require.NoError(t, err)
	require.Equal(t, NewSecret(value), page.Items[0].Value, "the program can read the text")
	reply = func(*http.Request) (*http.Response, error) {
		data, _ := MarshalWithSecrets(group)
		return respondWith(200, nil, string(data)), nil
	}
	read, err := client.CheckGroups.Get(t.Context(), 1)
	require.NoError(t, err)
	things := []any{
		client, *client, struct{ hidden *Client }{client}, client.core, client.Variables, *client.CheckSessions, &response, response,
		page, *page, page.Items[0], page.Items[0].Value, group, &group, group.APICheckDefaults,
		group.APICheckDefaults.BasicAuth, Value(variables[0]), Value(NewSecret(value)), read, *read, read.ToUpdate(),
		BrowserCheckUpdate{EnvironmentVariables: variables}, CheckUpdate{EnvironmentVariables: variables},
		WithAccount(account), WithHeader("X", "y"), WithTimeout(time.Second), client.core.policy,
		&ValidationError{Violations: []Violation{{Path: "p", Message: "m"}}},
	}
	for _, thing := range things {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
			requireClean(t, fmt.Sprintf("%T with %s", thing, verb), fmt.Sprintf(verb, thing))
		}
		log.Reset()
		slog.New(slog.NewTextHandler(&log, nil)).Info("x", "thing", thing)
		requireClean(t, fmt.Sprintf("%T in a log", thing), log.String())
	}
	for _, thing := range []any{client, *client, client.Variables, &response, client.core.policy} { // these are never part of a request
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
			_, err := NewClient("https://monitoring.test", bad)
			require.ErrorContains(t, err, "the API key has a byte that is not allowed")
			require.NotContains(t, err.Error(), bad)
			_, err = NewClient("https://monitoring.test", "k", WithAccount(bad))
			require.ErrorContains(t, err, "the account id has a byte that is not allowed")
			_, err = NewClient("https://monitoring.test", "k", WithUserAgent(bad))
			require.Error(t, err)
			_, err = NewClient("https://monitoring.test", "k", WithHeader("X-Test", bad))
			require.Error(t, err)
			_, err = NewClient("https://monitoring.test", "k", WithHeader(bad, "x"))
			require.Error(t, err)
			_, err = NewClient("https://monitoring.test", "k", WithAccountHeader(bad))
			require.Error(t, err)

			client := testClient(t, roundTripper(func(*http.Request) (*http.Response, error) {
				t.Error("a request was sent")
				return nil, errors.New("sent")
			}))
			_, err = client.Locations.List(t.Context(), WithHeader("X-Test", bad))
			require.ErrorContains(t, err, "monitoring: call option: ")
			_, err = client.CheckSessions.Get(t.Context(), bad)
			_, ok := errors.AsType[*ValidationError](err)
			require.True(t, ok, err)
		})
	}
	for _, name := range []string{"Authorization", "host", "content-length", "Transfer-Encoding"} {
		_, err := NewClient("https://monitoring.test", "k", WithHeader(name, "x"))
		require.ErrorContains(t, err, "the client sets it itself")
	}
	_, err := NewClient("https://monitoring.test", "k", WithHeader("x-service-account", "x"))
	require.ErrorContains(t, err, "WithAccount")
	for _, name := range []string{"host", "Content-Length", "connection", "Authorization", "Content-Type"} {
		_, err = NewClient("https://monitoring.test", "k", WithAccountHeader(name))
		require.ErrorContains(t, err, "is not valid")
	}
	_, err = NewClient("https://monitoring.test", "k", WithHeader("idempotency-key", "x"))
	require.ErrorContains(t, err, "net/http may send a trigger or create twice")
}

func TestSecretsThatTheServiceEchoesEscapedAreRemoved(t *testing.T) {
	const password = `p<w&"1secret`
	body, err := json.Marshal(map[string]string{"message": "invalid password " + password})
	require.NoError(t, err)
	client := testClient(t, status(400, string(body)))
	_, err = client.CheckGroups.Update(t.Context(), 1, CheckGroupUpdate{
		Name: "g", APICheckDefaults: &APICheckDefaults{BasicAuth: Value(BasicAuth{Username: "u", Password: NewSecret(password)})},
	})
	require.EqualError(t, err, "monitoring: PUT /v2/check-groups/1 at monitoring.test: 400 Bad Request: invalid password [redacted]")
	e, _ := errors.AsType[*APIError](err)
	require.Equal(t, `{"message":"invalid password [redacted]"}`, string(e.Body))
}

func TestOrdinaryValuesOfVariablesDoNotDamageErrors(t *testing.T) {
	const body = `{"statusCode":400,"error":"Bad Request","message":"no good","attributes":{"retry":false,"message":"m"}}`
	for _, value := range []string{"error", "message", "false", "check", "statusCode", "attributes"} {
		client := testClient(t, status(400, body))
		_, err := client.CheckGroups.Update(t.Context(), 5, CheckGroupUpdate{
			Name: "g", EnvironmentVariables: []EnvironmentVariable{NewEnvironmentVariable("LOG_LEVEL", value)},
		})
		e, ok := errors.AsType[*APIError](err)
		require.True(t, ok)
		require.Equal(t, "no good", e.Message)
		require.Equal(t, "Bad Request", e.Reason)
		require.True(t, json.Valid(e.Attributes), "%s", e.Attributes)
		require.EqualError(t, err, "monitoring: PUT /v2/check-groups/5 at monitoring.test: 400 Bad Request: no good")
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		client := testClient(t, faults["response slower than the timeout"])
		_, err := client.CheckGroups.Update(ctx, 5, CheckGroupUpdate{Name: "g", EnvironmentVariables: []EnvironmentVariable{NewEnvironmentVariable("K", "context")}})
		require.ErrorIs(t, err, context.DeadlineExceeded)
	})
}
