package api_test

import (
	"bytes"
	"context"
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

func TestEachAttemptIsReportedToTheLogTheHookAndTheResponse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		var attempts []monitoring.Attempt
		responses := []testkit.RoundTripper{
			testkit.Faults["503 with Retry-After"], testkit.Faults["429"], testkit.Faults["reset after the request is written"],
			func(*http.Request) (*http.Response, error) {
				time.Sleep(120 * time.Millisecond)
				return testkit.Respond(200, http.Header{"X-Trace": {"t"}}, `[{"region":"eu-west-1"}]`), nil
			},
		}
		sent := 0
		client := kit.Client(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			sent++
			return responses[sent-1](req)
		}), monitoring.WithAttemptHook(func(_ context.Context, a monitoring.Attempt) { attempts = append(attempts, a) }),
			monitoring.WithLogger(slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))))
		var response monitoring.Response
		_, err := client.Locations.List(t.Context(), monitoring.WithResponse(&response))
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
		require.Equal(t, 3, strings.Count(text, " retry_in="), text)
		require.Equal(t, 1, strings.Count(text, "connection reset"), text)
	})
}

func TestResponseIsFilledWhenTheCallFails(t *testing.T) {
	client := kit.Client(t, testkit.Faults["404"])
	response := monitoring.Response{StatusCode: 1, Attempts: 7}
	_, err := client.CheckSessions.Get(t.Context(), kit.UUID1, monitoring.WithResponse(&response))
	require.ErrorIs(t, err, monitoring.ErrNotFound)
	require.Equal(t, 404, response.StatusCode)
	require.Equal(t, 1, response.Attempts)

	_, err = client.CheckSessions.Get(t.Context(), "", monitoring.WithResponse(&response))
	require.Error(t, err)
	require.Equal(t, monitoring.Response{}, response, "nothing was sent")
}

func TestMethodsThatMakeSeveralCallsDoNotFillWithResponse(t *testing.T) {
	client := kit.Client(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
		if strings.HasPrefix(req.URL.Path, "/v1/variables") {
			return testkit.Respond(200, nil, `[{"key":"the same on every page"}]`), nil
		}
		return testkit.Respond(200, nil, `{"status":"PASSED","results":[{"checkId":"c","checkResultId":"r","resultType":"FINAL","hasFailures":true}]}`), nil
	}))
	var response monitoring.Response
	option := monitoring.WithResponse(&response)
	session, err := client.CheckSessions.Wait(t.Context(), kit.UUID1, monitoring.WaitOptions{}, option)
	require.NoError(t, err)
	for _, err := range client.CheckSessions.WaitAll(t.Context(), []string{"a", "b", "c"}, monitoring.WaitOptions{}, option) {
		require.NoError(t, err)
	}
	_, err = client.CheckSessions.FetchFailingResults(t.Context(), session, option)
	require.NoError(t, err)
	_, err = monitoring.Collect(client.Variables.All(t.Context(), monitoring.VariableListOptions{ListOptions: monitoring.ListOptions{Limit: 1}}, option, monitoring.WithReadAhead(2)))
	require.ErrorContains(t, err, "the service ignores the page")
	require.Equal(t, monitoring.Response{}, response)
}

func TestTheContextOfAStartHookIsUsedForTheCall(t *testing.T) {
	type marks struct{}
	mark := func(name string) monitoring.ClientOption {
		return monitoring.WithStartHook(func(ctx context.Context, operation string) context.Context {
			marked, _ := ctx.Value(marks{}).(string)
			return context.WithValue(ctx, marks{}, marked+name+" "+operation+", ")
		})
	}
	const want = "first GET /v1/check-groups/{id}, second GET /v1/check-groups/{id}, "
	var seen []any
	client := kit.Client(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
		seen = append(seen, req.Context().Value(marks{}))
		return testkit.Respond(200, nil, `{"id":1}`), nil
	}), mark("first"), monitoring.WithStartHook(func(context.Context, string) context.Context { return nil }), mark("second"),
		monitoring.WithAttemptHook(func(ctx context.Context, _ monitoring.Attempt) { seen = append(seen, ctx.Value(marks{})) }),
		monitoring.WithCallHook(func(ctx context.Context, c monitoring.Call) { seen = append(seen, ctx.Value(marks{}), c.Err == nil) }))
	_, err := client.CheckGroups.Get(t.Context(), 1)
	require.NoError(t, err)
	require.Equal(t, []any{want, want, want, true}, seen)

	seen = nil
	_, err = client.CheckGroups.Get(t.Context(), -1)
	require.Error(t, err)
	require.Equal(t, []any{want, false}, seen, "the hooks are called for a refused call, too")
}

func TestHooksAreCalledInTheirOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var order []string
		var calls []monitoring.Call
		note := func(name string) monitoring.ClientOption {
			return monitoring.WithAttemptHook(func(_ context.Context, a monitoring.Attempt) { order = append(order, fmt.Sprint(name, a.Number)) })
		}
		client := kit.Client(t, testkit.Faults["503 with Retry-After"], monitoring.WithMaxRetries(1), note("a"), note("b"),
			monitoring.WithCallHook(func(_ context.Context, c monitoring.Call) { order, calls = append(order, "first"), append(calls, c) }),
			monitoring.WithCallHook(func(context.Context, monitoring.Call) { order = append(order, "second") }))
		_, err := client.CheckGroups.Get(t.Context(), 1)
		require.Equal(t, []string{"a1", "b1", "a2", "b2", "first", "second"}, order)
		require.Equal(t, []monitoring.Call{{
			Operation: "GET /v1/check-groups/{id}", Attempts: 2, StatusCode: 503, Err: err, RetryWait: 3 * time.Second, Duration: 3 * time.Second,
		}}, calls)
	})
}

func TestTheCallHookReportsTheTimeInEachPart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		var calls []monitoring.Call
		client := kit.Client(t, testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
			time.Sleep(150 * time.Millisecond)
			return testkit.Respond(200, nil, "[]"), nil
		}), monitoring.WithRateLimit(monitoring.RateLimit{Requests: 1, Per: 10 * time.Second}), monitoring.WithCallHook(func(_ context.Context, c monitoring.Call) { calls = append(calls, c) }),
			monitoring.WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
		for range 2 {
			_, err := client.Locations.List(t.Context())
			require.NoError(t, err)
		}
		require.Zero(t, calls[0].LimiterWait)
		require.Equal(t, 150*time.Millisecond, calls[0].InFlight)
		require.Equal(t, 150*time.Millisecond, calls[1].InFlight)
		require.Greater(t, calls[1].LimiterWait, 9*time.Second)
		require.Equal(t, calls[1].LimiterWait+calls[1].InFlight, calls[1].Duration)
		require.Equal(t, 1, strings.Count(log.String(), "waited for the rate limit"), log.String())
		require.Contains(t, log.String(), `operation="GET /v1/locations" limiter_wait=`)
	})
}
