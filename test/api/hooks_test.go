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
		}), monitoring.WithMaxRetries(2), monitoring.WithRetryPolicy(monitoring.RetryPolicy{}), // the number counts, though the policy is the later one
			monitoring.WithAttemptHook(func(_ context.Context, a monitoring.Attempt) { attempts = append(attempts, a) }),
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
		require.Error(t, kit.Second(client.CheckSessions.Get(t.Context(), "", monitoring.WithResponse(&response))))
		require.Equal(t, monitoring.Response{}, response, "nothing was sent")

		text := log.String()
		require.Equal(t, 3, strings.Count(text, `level=WARN msg="monitoring: attempt failed, retrying"`), text)
		require.Equal(t, 1, strings.Count(text, `level=WARN msg="monitoring: rate limited, pausing"`), text)
		require.Equal(t, 1, strings.Count(text, `level=DEBUG msg="monitoring: attempt"`), text)
		require.Contains(t, text, `operation="GET /v1/locations" attempt=4 status=200 limiter_wait=`)
		require.Equal(t, 3, strings.Count(text, " retry_in="), text)
		require.Equal(t, 1, strings.Count(text, "connection reset"), text)
	})
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

func TestHooksAreCalledInTheirOrderWithTheContextOfTheStartHooks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		type marks struct{}
		var order []string
		var calls []monitoring.Call
		var log bytes.Buffer
		start := func(name string) monitoring.ClientOption {
			return monitoring.WithStartHook(func(ctx context.Context, operation string) context.Context {
				marked, _ := ctx.Value(marks{}).(string)
				return context.WithValue(ctx, marks{}, marked+name+" "+operation+", ")
			})
		}
		note := func(ctx context.Context, name string) { order = append(order, fmt.Sprint(ctx.Value(marks{}), name)) }
		attempt := func(name string) monitoring.ClientOption {
			return monitoring.WithAttemptHook(func(ctx context.Context, a monitoring.Attempt) { note(ctx, fmt.Sprint(name, a.Number)) })
		}
		client := kit.Client(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			note(req.Context(), "sent")
			time.Sleep(150 * time.Millisecond)
			return testkit.Faults["503 with Retry-After"](req)
		}), start("1"), monitoring.WithStartHook(func(context.Context, string) context.Context { return nil }), start("2"), attempt("a"), attempt("b"),
			monitoring.WithCallHook(func(ctx context.Context, c monitoring.Call) {
				note(ctx, "first")
				calls = append(calls, c)
			}),
			monitoring.WithCallHook(func(ctx context.Context, _ monitoring.Call) { note(ctx, "second") }),
			monitoring.WithMaxRetries(1), monitoring.WithRateLimit(monitoring.RateLimit{Requests: 1, Per: 10 * time.Second}),
			monitoring.WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
		_, err := client.CheckGroups.Get(t.Context(), 1)
		const marked = "1 GET /v1/check-groups/{id}, 2 GET /v1/check-groups/{id}, "
		require.Equal(t, []string{marked + "sent", marked + "a1", marked + "b1", marked + "sent", marked + "a2", marked + "b2", marked + "first", marked + "second"}, order)
		waited := calls[0].LimiterWait
		require.Equal(t, monitoring.Call{
			Operation: "GET /v1/check-groups/{id}", Attempts: 2, StatusCode: 503, Err: err,
			LimiterWait: waited, RetryWait: 3 * time.Second, InFlight: 300 * time.Millisecond, Duration: waited + 3300*time.Millisecond,
		}, calls[0])
		require.Greater(t, waited, 6*time.Second)
		require.Contains(t, log.String(), "waited for the rate limit")

		order = nil
		_, err = client.CheckGroups.Get(t.Context(), -1)
		require.Equal(t, err, calls[1].Err)
		require.Equal(t, []string{marked + "first", marked + "second"}, order, "for a refused call, too")
	})
}
