package monitoring

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/testkit"
)

func TestEachAttemptIsReportedToTheLogTheHookAndTheResponse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		var attempts []Attempt
		responses := []roundTripper{
			faults["503 with Retry-After"], faults["429"], faults["reset after the request is written"],
			func(*http.Request) (*http.Response, error) {
				time.Sleep(120 * time.Millisecond)
				return respondWith(200, http.Header{"X-Trace": {"t"}}, `[{"region":"eu-west-1"}]`), nil
			},
		}
		sent := 0
		client := testClient(t, roundTripper(func(req *http.Request) (*http.Response, error) {
			sent++
			return responses[sent-1](req)
		}), WithAttemptHook(func(_ context.Context, a Attempt) { attempts = append(attempts, a) }),
			WithLogger(slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))))
		var response Response
		_, err := client.Locations.List(t.Context(), WithResponse(&response))
		require.NoError(t, err)

		require.Len(t, attempts, 4)
		for i, a := range attempts {
			require.Equal(t, "GET /v1/locations", a.Operation)
			require.Equal(t, i+1, a.Number)
			require.Equal(t, i < 3, a.Retry)
		}
		require.Equal(t, []int{503, 429, 0, 200}, []int{attempts[0].StatusCode, attempts[1].StatusCode, attempts[2].StatusCode, attempts[3].StatusCode})
		require.Equal(t, 3*time.Second, attempts[0].RetryIn)
		require.Equal(t, 2*time.Second, attempts[1].RetryIn)
		require.ErrorContains(t, attempts[2].Err, "connection reset")
		require.Equal(t, 120*time.Millisecond, attempts[3].Duration)

		require.Equal(t, 200, response.StatusCode)
		require.Equal(t, "t", response.Header.Get("X-Trace"))
		require.Equal(t, 4, response.Attempts)
		require.GreaterOrEqual(t, response.RetryWait, 5*time.Second)
		require.JSONEq(t, `[{"region":"eu-west-1"}]`, string(response.Body))

		text := log.String()
		require.Equal(t, 3, strings.Count(text, `level=WARN msg="monitoring: attempt failed, retrying"`), text)
		require.Equal(t, 1, strings.Count(text, `level=WARN msg="monitoring: rate limited, pausing"`), text)
		require.Equal(t, 1, strings.Count(text, `level=DEBUG msg="monitoring: attempt"`), text)
		require.Contains(t, text, `operation="GET /v1/locations" attempt=4 status=200 limiter_wait=`)
	})
}

func TestResponseIsFilledWhenTheCallFails(t *testing.T) {
	client := testClient(t, faults["404"])
	response := Response{StatusCode: 1, Attempts: 7}
	_, err := client.CheckSessions.Get(t.Context(), uuid1, WithResponse(&response))
	require.ErrorIs(t, err, ErrNotFound)
	require.Equal(t, 404, response.StatusCode)
	require.Equal(t, 1, response.Attempts)

	_, err = client.CheckSessions.Get(t.Context(), "", WithResponse(&response))
	require.Error(t, err)
	require.Equal(t, Response{}, response, "nothing was sent")
}

func TestCallOptionsOverrideClientOptions(t *testing.T) {
	var got http.Header
	client := testClient(t, roundTripper(func(req *http.Request) (*http.Response, error) {
		got = req.Header
		return respondWith(200, nil, "[]"), nil
	}), WithAccount(uuid1), WithHeader("X-A", "client"), WithHeader("X-B", "client"), WithUserAgent("gate/1"))
	const other = "00000000-0000-4000-8000-000000000001"
	_, err := client.Locations.List(t.Context(), WithAccount(other), WithHeader("X-A", "call"))
	require.NoError(t, err)
	require.Equal(t, other, got.Get("x-service-account"))
	require.Equal(t, "call", got.Get("X-A"))
	require.Equal(t, "client", got.Get("X-B"))
	require.Equal(t, "gate/1 monitoring-go/"+Version, got.Get("User-Agent"))
	require.Equal(t, "Bearer key-123", got.Get("Authorization"))

	_, err = client.Locations.List(t.Context())
	require.NoError(t, err)
	require.Equal(t, uuid1, got.Get("x-service-account"))
	require.Equal(t, "client", got.Get("X-A"), "the options of the call before have no effect")

	renamed := testClient(t, roundTripper(func(req *http.Request) (*http.Response, error) {
		got = req.Header
		return respondWith(200, nil, "[]"), nil
	}), WithAccount(uuid1), WithAccountHeader("x-other-account"))
	_, err = renamed.Locations.List(t.Context())
	require.NoError(t, err)
	require.Equal(t, uuid1, got.Get("x-other-account"))
	require.Empty(t, got.Get("x-service-account"))
}

func TestTheTimeoutOfTheUsersHTTPClientBoundsAttempts(t *testing.T) {
	users := &http.Client{Timeout: 7 * time.Second}
	client, err := NewClient("https://monitoring.test", "k", WithHTTPClient(users))
	require.NoError(t, err)
	require.Equal(t, 7*time.Second, client.core.call.timeout)
	require.Equal(t, 7*time.Second, users.Timeout, "the user's client is not changed")
	require.Nil(t, users.Transport)
	client, err = NewClient("https://monitoring.test", "k", WithHTTPClient(users), WithTimeout(time.Second))
	require.NoError(t, err)
	require.Equal(t, time.Second, client.core.call.timeout)
}

func TestClientOptionsThatMakeNoSenseAreErrors(t *testing.T) {
	for name, o := range map[string]ClientOption{
		"a negative timeout": WithTimeout(-1), "negative retries": WithMaxRetries(-1), "no HTTP client": WithHTTPClient(nil),
		"no limiter": WithLimiter(nil), "a cap of zero": WithMaxResponseSize(0), "an empty account": WithAccount(""),
		"a policy of negative retries": WithRetryPolicy(RetryPolicy{MaxRetries: -1}), "a route without a method": WithRouteRateLimit("x", DefaultRateLimit),
		"a negative read-ahead": WithReadAhead(-1), "a read-ahead of thousands": WithReadAhead(65), "an account header named Authorization": WithAccountHeader("authorization"),
	} {
		_, err := NewClient("https://monitoring.test", "k", o)
		require.ErrorContains(t, err, "monitoring: new client: ", name)
	}
}

func TestNewClientFromEnvReadsTheEnvironment(t *testing.T) {
	t.Setenv("MONITORING_BASE_URL", "")
	t.Setenv("MONITORING_API_KEY", "")
	_, err := NewClientFromEnv()
	require.EqualError(t, err, "monitoring: new client: set MONITORING_BASE_URL and MONITORING_API_KEY in the environment")
	t.Setenv("MONITORING_BASE_URL", "https://monitoring.test/x")
	_, err = NewClientFromEnv()
	require.EqualError(t, err, "monitoring: new client: set MONITORING_API_KEY in the environment")
	t.Setenv("MONITORING_API_KEY", "k")
	t.Setenv("MONITORING_ACCOUNT_ID", uuid1)
	client, err := NewClientFromEnv()
	require.NoError(t, err)
	require.Equal(t, uuid1, client.core.call.account.Reveal())
	client, err = NewClientFromEnv(WithAccount("other"))
	require.NoError(t, err)
	require.Equal(t, "other", client.core.call.account.Reveal(), "options override the environment")
}

func TestZeroFieldsOfARetryPolicyAreTheDefaults(t *testing.T) {
	for name, opts := range map[string][]ClientOption{
		"a policy of retries alone":        {WithRetryPolicy(RetryPolicy{MaxRetries: 2})},
		"the number given before a policy": {WithMaxRetries(2), WithRetryPolicy(RetryPolicy{MaxRetries: 7})},
		"the number given after a policy":  {WithRetryPolicy(RetryPolicy{MaxRetries: 7}), WithMaxRetries(2)},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := testClient(t, faults["503 with Retry-After"], opts...)
				began := time.Now()
				var response Response
				_, err := client.Locations.List(t.Context(), WithResponse(&response))
				require.ErrorIs(t, err, ErrServer)
				require.Equal(t, 3, response.Attempts)
				require.Equal(t, 6*time.Second, time.Since(began), "the Retry-After is waited for")
				want := DefaultRetryPolicy()
				want.MaxRetries = client.core.policy.MaxRetries
				require.Equal(t, want, client.core.policy)
			})
		})
	}
}

func TestARetryAfterOfZeroMakesNoBusyLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := testClient(t, roundTripper(func(*http.Request) (*http.Response, error) {
			return respondWith(503, http.Header{"Retry-After": {"0"}}, ""), nil
		}))
		var response Response
		_, err := client.Locations.List(t.Context(), WithResponse(&response))
		require.ErrorIs(t, err, ErrServer)
		require.Positive(t, response.RetryWait)
	})
}

func TestAWriterThatFailsEndsTheCopy(t *testing.T) {
	sent := 0
	client := testClient(t, roundTripper(func(*http.Request) (*http.Response, error) {
		sent++
		return respondWith(200, nil, `{"openapi":"3.0.0"}`), nil
	}))
	err := client.OpenAPI(t.Context(), testkit.FailingWriter{})
	require.ErrorContains(t, err, "monitoring: GET /openapi.json at monitoring.test: copy the response: disk full")
	require.Equal(t, 1, sent)
}

func TestTheLargestResponseSizeDoesNotOverflow(t *testing.T) {
	client := testClient(t, status(200, `[{"region":"x"}]`), WithMaxResponseSize(math.MaxInt64))
	list, err := client.Locations.List(t.Context())
	require.NoError(t, err)
	require.Len(t, list, 1)
}

func TestDoTakesJSONAndAnyMethod(t *testing.T) {
	var method, body string
	client := testClient(t, roundTripper(func(req *http.Request) (*http.Response, error) {
		data, err := io.ReadAll(req.Body)
		method, body = req.Method, string(data)
		return respondWith(200, nil, ""), err
	}))
	require.NoError(t, second(Do[struct{}](t.Context(), client, "post", "/v1/x", nil, json.RawMessage(`{"a":1}`))))
	require.Equal(t, "POST", method)
	require.Equal(t, `{"a":1}`, body)
	for _, in := range []any{[]byte(`{}`), strings.NewReader(`{}`)} {
		_, err := Do[struct{}](t.Context(), client, "POST", "/v1/x", nil, in)
		require.ErrorContains(t, err, "is not sent: pass a value to encode")
	}
}

func TestMethodsThatMakeSeveralCallsDoNotFillWithResponse(t *testing.T) {
	client := testClient(t, roundTripper(func(req *http.Request) (*http.Response, error) {
		if strings.HasPrefix(req.URL.Path, "/v1/variables") {
			return respondWith(200, nil, `[{"key":"the same on every page"}]`), nil
		}
		return respondWith(200, nil, `{"status":"PASSED","results":[{"checkId":"c","checkResultId":"r","resultType":"FINAL","hasFailures":true}]}`), nil
	}))
	var response Response
	option := WithResponse(&response)
	session, err := client.CheckSessions.Wait(t.Context(), uuid1, WaitOptions{}, option)
	require.NoError(t, err)
	for _, err := range client.CheckSessions.WaitAll(t.Context(), []string{"a", "b", "c"}, WaitOptions{}, option) {
		require.NoError(t, err)
	}
	_, err = client.CheckSessions.FetchFailingResults(t.Context(), session, option)
	require.NoError(t, err)
	_, err = Collect(client.Variables.All(t.Context(), VariableListOptions{ListOptions{Limit: 1}}, option, WithReadAhead(2)))
	require.ErrorContains(t, err, "the service ignores the page")
	require.Equal(t, Response{}, response)
}

func TestTheAccountHeaderIsSetByWithAccountOnly(t *testing.T) {
	var got http.Header
	client := testClient(t, roundTripper(func(req *http.Request) (*http.Response, error) {
		got = req.Header
		return respondWith(200, nil, "[]"), nil
	}), WithAccountHeader("x-tenant"), WithHeader("X-Tenant", "x"))
	_, err := client.Locations.List(t.Context())
	require.NoError(t, err)
	require.Empty(t, got.Get("X-Tenant"))
}

func TestTheContextOfAStartHookIsUsedForTheCall(t *testing.T) {
	type marks struct{}
	mark := func(name string) ClientOption {
		return WithStartHook(func(ctx context.Context, operation string) context.Context {
			marked, _ := ctx.Value(marks{}).(string)
			return context.WithValue(ctx, marks{}, marked+name+" "+operation+", ")
		})
	}
	const want = "first GET /v1/check-groups/{id}, second GET /v1/check-groups/{id}, "
	var seen []any
	client := testClient(t, roundTripper(func(req *http.Request) (*http.Response, error) {
		seen = append(seen, req.Context().Value(marks{}))
		return respondWith(200, nil, `{"id":1}`), nil
	}), mark("first"), WithStartHook(func(context.Context, string) context.Context { return nil }), mark("second"),
		WithAttemptHook(func(ctx context.Context, _ Attempt) { seen = append(seen, ctx.Value(marks{})) }),
		WithCallHook(func(ctx context.Context, c Call) { seen = append(seen, ctx.Value(marks{}), c.Err == nil) }))
	_, err := client.CheckGroups.Get(t.Context(), 1)
	require.NoError(t, err)
	require.Equal(t, []any{want, want, want, true}, seen)

	seen = nil
	_, err = client.CheckGroups.Get(t.Context(), -1)
	require.Error(t, err)
	require.Equal(t, []any{want, false}, seen, "the hooks are called for a refused call, too")

	_, err = NewClient("https://monitoring.test", "key-123", WithStartHook(nil))
	require.EqualError(t, err, "monitoring: new client: WithStartHook needs a function")
}

func TestAResponseIsPrintedWithoutHeaderAndBody(t *testing.T) {
	r := Response{StatusCode: 404, Attempts: 2, Body: []byte(canary), Header: http.Header{"X": {canary}}}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d"} {
		require.Equal(t, "404 Not Found (attempts: 2)", fmt.Sprintf(verb, r), verb)
	}
}

func TestTheLogHasTheErrorOfAnAttemptAndTheTimeOfTheNext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		client := testClient(t, inTurn(faults["503 with Retry-After"], faults["TLS alert"]), WithLogger(slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))))
		require.Error(t, second(client.Locations.List(t.Context())))
		var lines []map[string]any
		for line := range strings.Lines(log.String()) {
			lines = append(lines, parseJSON(t, line).(map[string]any))
		}
		require.Len(t, lines, 2)
		require.Equal(t, []any{"WARN", nil}, []any{lines[0]["level"], lines[0]["error"]})
		require.Contains(t, lines[0], "retry_in")
		require.Equal(t, []any{"DEBUG", "remote error: tls: protocol version not supported"}, []any{lines[1]["level"], lines[1]["error"]})
		require.NotContains(t, lines[1], "retry_in")
	})
}
