package monitoringotel_test

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringotel"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

func TestACallIsASpanWithAChildForEachAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := observeWith(t, []monitoringotel.Option{monitoringotel.WithAttributes(attribute.String("team", "shop"))})
		o.fake.Inject(monitoringtest.Fault{
			Operation: "GET /v1/check-groups/{id}", Status: http.StatusServiceUnavailable,
			Header: http.Header{"Retry-After": {"3"}}, Times: 2, DelayAfter: time.Second,
		})
		_, err := o.CheckGroups.Get(t.Context(), monitoringtest.DemoGroupID)
		require.NoError(t, err)
		parents, children := o.tree()
		require.Len(t, parents, 1)
		parent := parents[0]
		require.Equal(t, "GET /v1/check-groups/{id}", parent.Name)
		require.Equal(t, trace.SpanKindInternal, parent.SpanKind)
		require.Equal(t, codes.Unset, parent.Status.Code)
		require.Equal(t, map[string]any{
			"team": "shop", "monitoring.operation": "GET /v1/check-groups/{id}", "monitoring.class": "ordinary",
			"monitoring.attempts": int64(3), "monitoring.retry_wait": 6.0, "monitoring.limiter_wait": 0.0,
		}, values(parent.Attributes))
		require.Equal(t, 8*time.Second, parent.EndTime.Sub(parent.StartTime))
		require.Len(t, parent.Events, 2)
		require.Equal(t, map[string]any{"monitoring.attempt": int64(2), "monitoring.retry_in": 3.0}, values(parent.Events[1].Attributes))
		require.Equal(t, monitoring.Version, parent.InstrumentationScope.Version)
		require.NotEmpty(t, parent.InstrumentationScope.SchemaURL)

		attempts := children[parent.SpanContext.SpanID()]
		require.Len(t, attempts, 3)
		for i, a := range attempts {
			want := map[string]any{
				"team": "shop", "http.request.method": "GET", "server.address": "monitoring.test", "server.port": int64(443),
				"url.template": "/v1/check-groups/{id}", "url.full": "https://monitoring.test/v1/check-groups/{id}",
				"http.response.status_code": int64(200), "network.protocol.version": "1.1", "http.request.resend_count": int64(i),
			}
			if i == 0 {
				delete(want, "http.request.resend_count")
			}
			if i < 2 {
				want["http.response.status_code"], want["error.type"] = int64(503), "503"
				require.Equal(t, codes.Error, a.Status.Code)
				require.Empty(t, a.Status.Description, "the status code says it")
				require.Equal(t, time.Second, a.EndTime.Sub(a.StartTime))
			} else {
				require.Equal(t, codes.Unset, a.Status.Code)
			}
			require.Equal(t, want, values(a.Attributes))
			require.Equal(t, "GET /v1/check-groups/{id}", a.Name)
			require.Equal(t, trace.SpanKindClient, a.SpanKind)
			require.False(t, a.StartTime.Before(parent.StartTime) || a.EndTime.After(parent.EndTime))
		}
	})
}

func TestCallsAtOnceHaveTheirOwnSpans(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := observe(t)
		o.fake.Inject(monitoringtest.Fault{Status: http.StatusBadGateway, Times: 10})
		var calls sync.WaitGroup
		for range 20 { // all with the same context
			calls.Go(func() {
				if _, err := o.Locations.List(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		calls.Wait()
		parents, children := o.tree()
		require.Len(t, parents, 20)
		all := 0
		for _, p := range parents {
			attempts := children[p.SpanContext.SpanID()]
			require.EqualValues(t, len(attempts), values(p.Attributes)["monitoring.attempts"])
			all += len(attempts)
		}
		require.Equal(t, 30, all)
	})
}

func TestSpansAndMetricsSayHowACallFailed(t *testing.T) {
	get := func(ctx context.Context, o *observed) error {
		_, err := o.Locations.List(ctx)
		return err
	}
	failing := func(f monitoringtest.Fault) func(context.Context, *observed) error {
		return func(ctx context.Context, o *observed) error {
			o.fake.Inject(f)
			return get(ctx, o)
		}
	}
	trigger := func(f monitoringtest.Fault) func(context.Context, *observed) error {
		return func(ctx context.Context, o *observed) error {
			o.fake.Inject(f)
			_, err := o.CheckSessions.Trigger(ctx, monitoring.TriggerRequest{AllChecks: true})
			return err
		}
	}
	for name, c := range map[string]struct {
		call     func(context.Context, *observed) error
		kind     string
		attempt  string // the type of the error of the attempt; empty if it has none
		attempts int
	}{
		"the key is refused":           {failing(monitoringtest.Fault{Status: 401}), "401", "401", 1},
		"it is not there":              {failing(monitoringtest.Fault{Status: 404}), "404", "404", 1},
		"the response is HTML":         {failing(monitoringtest.Fault{Status: 200, Body: "<html>", Header: http.Header{"Content-Type": {"text/html"}}}), "unusable_response", "unusable_response", 1},
		"the connection is lost":       {failing(monitoringtest.Fault{Kind: monitoringtest.FaultResetUnhandled}), "no_response", "no_response", 1},
		"an attempt takes too long":    {failing(monitoringtest.Fault{Delay: time.Minute}), "timeout", "timeout", 1},
		"its outcome is unknown":       {trigger(monitoringtest.Fault{Status: http.StatusBadGateway}), "outcome_unknown", "502", 1},
		"it was carried out, and lost": {trigger(monitoringtest.Fault{Status: http.StatusNoContent}), "result_lost", "unusable_response", 1},
		"it was never sent": {func(ctx context.Context, o *observed) error {
			_, err := o.CheckSessions.Trigger(ctx, monitoring.TriggerRequest{})
			return err
		}, "invalid_request", "", 0},
		"its time was over": {func(ctx context.Context, o *observed) error {
			ctx, cancel := context.WithTimeout(ctx, time.Second)
			defer cancel()
			return failing(monitoringtest.Fault{Delay: time.Minute})(ctx, o)
		}, "timeout", "timeout", 1},
		"it was cancelled": {func(ctx context.Context, o *observed) error {
			ctx, cancel := context.WithCancel(ctx)
			cancel()
			return get(ctx, o)
		}, "canceled", "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o := observe(t, monitoring.WithMaxRetries(0))
				err := c.call(t.Context(), o)
				require.Error(t, err)
				parents, children := o.tree()
				require.Len(t, parents, 1)
				require.Equal(t, codes.Error, parents[0].Status.Code)
				require.Equal(t, err.Error(), parents[0].Status.Description)
				require.Equal(t, c.kind, values(parents[0].Attributes)["error.type"])
				o.one("monitoring.call.duration", map[string]any{"monitoring.operation": parents[0].Name, "error.type": c.kind})
				attempts := children[parents[0].SpanContext.SpanID()]
				require.Len(t, attempts, c.attempts)
				for _, a := range attempts {
					require.Equal(t, c.attempt, values(a.Attributes)["error.type"])
					require.Equal(t, codes.Error, a.Status.Code)
				}
				require.Len(t, o.points("http.client.request.duration"), c.attempts)
				require.Len(t, o.points("monitoring.limiter.wait.duration"), c.attempts, "of calls that asked for a place")
			})
		})
	}
}

func TestAPollThatIsNotDoneIsNoErrorOfACall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := observe(t)
		id := o.fake.AddSession(monitoringtest.Session{Duration: time.Hour})
		_, err := o.CheckSessions.Completion(t.Context(), id, monitoring.CompletionOptions{MaxWaitSeconds: 1})
		require.ErrorIs(t, err, monitoring.ErrNotCompleted)
		parents, _ := o.tree()
		require.Equal(t, codes.Unset, parents[0].Status.Code)
		o.one("monitoring.call.duration", map[string]any{"monitoring.operation": parents[0].Name})
	})
}

func TestARedirectThatIsFollowedIsASpanOfItsOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := observe(t)
		o.fake.Handle("GET /v1/locations", http.RedirectHandler("https://monitoring.test/v1/elsewhere?x=1", http.StatusTemporaryRedirect))
		o.fake.Handle("GET /v1/elsewhere", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Write([]byte("[]"))
		}))
		_, err := o.Locations.List(t.Context())
		require.NoError(t, err)
		parents, children := o.tree()
		require.Len(t, parents, 1)
		attempts := children[parents[0].SpanContext.SpanID()]
		require.Len(t, attempts, 2)
		require.EqualValues(t, 307, values(attempts[0].Attributes)["http.response.status_code"])
		require.Equal(t, "https://monitoring.test/v1/locations", values(attempts[0].Attributes)["url.full"])
		require.Equal(t, "https://monitoring.test", values(attempts[1].Attributes)["url.full"])
		require.EqualValues(t, 1, values(attempts[1].Attributes)["http.request.resend_count"])
	})
}

func TestARedirectThatGetsNoPlaceEndsTheSpanOfItsRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := observe(t, monitoring.WithRateLimit(monitoring.RateLimit{Requests: 1, Per: time.Hour}))
		o.fake.Handle("GET /v1/locations", http.RedirectHandler("https://monitoring.test/v1/elsewhere", http.StatusTemporaryRedirect))
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		_, err := o.Locations.List(ctx)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		parents, children := o.tree()
		require.Len(t, parents, 1)
		require.Len(t, children[parents[0].SpanContext.SpanID()], 1)
		require.Len(t, o.points("http.client.request.duration"), 1)
	})
}

// unchanged is a transport that looks whether those behind it change its requests.
type unchanged struct {
	t    *testing.T
	next http.RoundTripper
}

func (u unchanged) RoundTrip(req *http.Request) (*http.Response, error) {
	before := req.Header.Clone()
	resp, err := u.next.RoundTrip(req)
	require.Equal(u.t, before, req.Header)
	return resp, err
}

func TestARequestHasTheContextOfItsSpanOnlyWithAPropagator(t *testing.T) {
	for name, c := range map[string]struct {
		own  []monitoringotel.Option
		sent bool
	}{
		"without": {},
		"with":    {[]monitoringotel.Option{monitoringotel.WithPropagator(propagation.TraceContext{})}, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o := observeWith(t, c.own, monitoring.WithTransportHook(func(next http.RoundTripper) http.RoundTripper { return unchanged{t, next} }))
				o.fake.Inject(monitoringtest.Fault{Status: http.StatusBadGateway, Times: 1})
				_, err := o.Locations.List(t.Context())
				require.NoError(t, err)
				parents, children := o.tree()
				attempts := children[parents[0].SpanContext.SpanID()]
				requests := o.fake.Requests()
				require.Len(t, requests, 2)
				for i, r := range requests {
					header := r.Header.Get("Traceparent")
					require.Equal(t, c.sent, header != "")
					if c.sent {
						require.Equal(t, attempts[i].SpanContext.SpanID().String(), strings.Split(header, "-")[2])
					}
				}
			})
		})
	}
}

func TestTheNameOfASpanIsOfFewValues(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := observe(t)
		for _, c := range []struct {
			method, path, operation, span, address string
		}{
			{"PURGE", "/v1/x/1", "PURGE /v1/x/{id}", "HTTP /v1/x/{id}", "https://monitoring.test/v1/x/{id}"},
			{"GET", "/v1/x/1", "GET /v1/other", "GET /v1/other", "https://monitoring.test"},
			{"GET", "/v1/x/1", "GET /v1/very/much/longer/than/it", "GET /v1/very/much/longer/than/it", "https://monitoring.test"},
			{"GET", "/prefix/v1/x/1", "GET /v1/x/{id}", "GET /v1/x/{id}", "https://monitoring.test/prefix/v1/x/{id}"},
		} {
			o.spans.Reset()
			_, err := monitoring.Do[any](t.Context(), o.Client, c.method, c.path, nil, nil, monitoring.WithOperation(c.operation))
			require.Error(t, err)
			attempt := o.spans.GetSpans()[0]
			require.Equal(t, c.span, attempt.Name)
			require.Equal(t, c.address, values(attempt.Attributes)["url.full"])
			if c.method == "PURGE" {
				require.Equal(t, "_OTHER", values(attempt.Attributes)["http.request.method"])
				require.Equal(t, "PURGE", values(attempt.Attributes)["http.request.method_original"])
			}
		}
	})
}
