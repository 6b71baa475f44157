package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

// observed is a client of an in-process fake, and its spans and metrics.
type observed struct {
	*monitoring.Client
	t      *testing.T
	fake   *monitoringtest.Service
	spans  *tracetest.InMemoryExporter
	reader *sdkmetric.ManualReader
}

func observe(t *testing.T, opts ...monitoring.ClientOption) *observed {
	t.Helper()
	o := &observed{t: t, fake: monitoringtest.NewDemo(), spans: tracetest.NewInMemoryExporter(), reader: sdkmetric.NewManualReader()}
	telemetry, err := newTelemetry(sdktrace.NewTracerProvider(sdktrace.WithSyncer(o.spans)), sdkmetric.NewMeterProvider(sdkmetric.WithReader(o.reader)))
	require.NoError(t, err)
	opts = append(append(telemetry.options(o.fake.Transport()), monitoring.WithAccount(monitoringtest.AccountID)), opts...)
	o.Client, err = monitoring.NewClient(monitoringtest.BaseURL, monitoringtest.APIKey, opts...)
	require.NoError(t, err)
	return o
}

// tree returns the spans of the calls and of their attempts, in the order in which they ended.
func (o *observed) tree() (parents tracetest.SpanStubs, children map[trace.SpanID]tracetest.SpanStubs) {
	children = make(map[trace.SpanID]tracetest.SpanStubs)
	for _, s := range o.spans.GetSpans() {
		if s.Parent.IsValid() {
			children[s.Parent.SpanID()] = append(children[s.Parent.SpanID()], s)
		} else {
			parents = append(parents, s)
		}
	}
	return parents, children
}

func (o *observed) metrics() map[string]metricdata.Aggregation {
	var all metricdata.ResourceMetrics
	require.NoError(o.t, o.reader.Collect(context.Background(), &all))
	found := make(map[string]metricdata.Aggregation)
	for _, s := range all.ScopeMetrics {
		for _, m := range s.Metrics {
			found[m.Name] = m.Data
		}
	}
	return found
}

func values(list []attribute.KeyValue) map[string]any {
	found := make(map[string]any)
	for _, a := range list {
		found[string(a.Key)] = a.Value.AsInterface()
	}
	return found
}

func TestACallIsASpanWithAChildForEachAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := observe(t)
		o.fake.Inject(monitoringtest.Fault{Operation: "GET /v1/check-groups/{id}", Status: http.StatusServiceUnavailable, Header: http.Header{"Retry-After": {"3"}}, Times: 2})
		_, err := o.CheckGroups.Get(t.Context(), monitoringtest.DemoGroupID)
		require.NoError(t, err)
		parents, children := o.tree()
		require.Len(t, parents, 1)
		parent := parents[0]
		require.Equal(t, "GET /v1/check-groups/{id}", parent.Name)
		require.Equal(t, trace.SpanKindInternal, parent.SpanKind)
		require.Equal(t, codes.Unset, parent.Status.Code)
		require.EqualValues(t, 3, values(parent.Attributes)["monitoring.attempts"])
		require.EqualValues(t, 6, values(parent.Attributes)["monitoring.retry_wait"])
		require.GreaterOrEqual(t, parent.EndTime.Sub(parent.StartTime), 6*time.Second)
		require.Len(t, parent.Events, 2)
		attempts := children[parent.SpanContext.SpanID()]
		require.Len(t, attempts, 3)
		for i, a := range attempts {
			got := values(a.Attributes)
			require.Equal(t, "GET /v1/check-groups/{id}", a.Name)
			require.Equal(t, trace.SpanKindClient, a.SpanKind)
			require.Equal(t, "GET", got["http.request.method"])
			require.Equal(t, "monitoring.test", got["server.address"])
			require.Equal(t, "/v1/check-groups/{id}", got["url.template"])
			require.EqualValues(t, []int{503, 503, 200}[i], got["http.response.status_code"])
			require.Equal(t, []any{nil, int64(1), int64(2)}[i], got["http.request.resend_count"])
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

func TestASpanSaysHowACallFailed(t *testing.T) {
	for name, c := range map[string]struct {
		call     func(context.Context, *observed) error
		kind     string
		attempts int
	}{
		"the service refused it": {func(ctx context.Context, o *observed) error {
			_, err := o.CheckGroups.Get(ctx, 1)
			return err
		}, "404", 1},
		"it was never sent": {func(ctx context.Context, o *observed) error {
			_, err := o.CheckSessions.Trigger(ctx, monitoring.TriggerRequest{})
			return err
		}, "invalid_request", 0},
		"its outcome is unknown": {func(ctx context.Context, o *observed) error {
			o.fake.Inject(monitoringtest.Fault{Status: http.StatusBadGateway})
			_, err := o.CheckSessions.Trigger(ctx, monitoring.TriggerRequest{AllChecks: true})
			return err
		}, "outcome_unknown", 1},
		"its time was over": {func(ctx context.Context, o *observed) error {
			ctx, cancel := context.WithTimeout(ctx, time.Second)
			defer cancel()
			o.fake.Inject(monitoringtest.Fault{Delay: time.Minute})
			_, err := o.Locations.List(ctx)
			return err
		}, "timeout", 1},
		"it was cancelled": {func(ctx context.Context, o *observed) error {
			ctx, cancel := context.WithCancel(ctx)
			cancel()
			_, err := o.Locations.List(ctx)
			return err
		}, "canceled", 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o := observe(t)
				err := c.call(t.Context(), o)
				require.Error(t, err)
				parents, children := o.tree()
				require.Len(t, parents, 1)
				require.Equal(t, codes.Error, parents[0].Status.Code)
				require.Equal(t, err.Error(), parents[0].Status.Description)
				require.Equal(t, c.kind, values(parents[0].Attributes)["error.type"])
				require.Len(t, children[parents[0].SpanContext.SpanID()], c.attempts)
			})
		})
	}
	require.Equal(t, "no_response", errorType(errors.New("refused")))
}

func TestTheMetricsCountAttemptsAndTheTimeInTheLimiter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := observe(t, monitoring.WithRateLimit(monitoring.RateLimit{Requests: 1, Per: 10 * time.Second}))
		o.fake.Inject(monitoringtest.Fault{Operation: "GET /v1/locations", Status: http.StatusServiceUnavailable, Times: 1})
		_, err := o.Locations.List(t.Context())
		require.NoError(t, err)
		metrics := o.metrics()
		waits := metrics["monitoring.client.limiter.wait"].(metricdata.Histogram[float64]).DataPoints
		require.Len(t, waits, 1)
		require.EqualValues(t, 2, waits[0].Count)
		require.InDelta(t, 9.75, waits[0].Sum, 0.75, "the second attempt waits for its place")
		require.Equal(t, map[string]any{"monitoring.operation": "GET /v1/locations"}, values(waits[0].Attributes.ToSlice()))
		calls := metrics["monitoring.client.call.duration"].(metricdata.Histogram[float64]).DataPoints
		require.EqualValues(t, 1, calls[0].Count)
		require.GreaterOrEqual(t, calls[0].Sum, 9.0)
		sent := make(map[any]int64)
		for _, p := range metrics["monitoring.client.attempts"].(metricdata.Sum[int64]).DataPoints {
			sent[values(p.Attributes.ToSlice())["http.response.status_code"]] = p.Value
		}
		require.Equal(t, map[any]int64{int64(503): 1, int64(200): 1}, sent)
		require.EqualValues(t, 1, metrics["monitoring.client.retries"].(metricdata.Sum[int64]).DataPoints[0].Value)
		require.Contains(t, metrics, "http.client.request.duration", "which otelhttp adds")
	})
}

func TestNeitherTheKeyNorTheAccountIsInASpanOrAMetric(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := observe(t)
		_, err := o.Entitlements.Get(t.Context(), monitoringtest.AccountID)
		require.NoError(t, err)
		_, err = o.CheckGroups.Get(t.Context(), 1)
		require.Error(t, err)
		seen := fmt.Sprintf("%+v %+v", o.spans.GetSpans(), o.metrics())
		for _, s := range o.spans.GetSpans() {
			seen += fmt.Sprint(values(s.Attributes))
		}
		require.Contains(t, seen, "/v1/accounts/{accountId}/entitlements")
		require.NotContains(t, seen, monitoringtest.APIKey)
		require.NotContains(t, seen, monitoringtest.AccountID)
	})
}

func TestTheProgramPrintsSpansAndMetrics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		require.NoError(t, run(t.Context(), &out))
		for _, line := range []string{
			"span GET /v1/locations monitoring.attempts=3\n",
			"  span GET /v1/locations http.response.status_code=503\n",
			"http.request.resend_count=2 http.response.status_code=200\n",
			"metric monitoring.client.attempts 2 http.response.status_code=503,monitoring.operation=GET /v1/locations\n",
			"metric monitoring.client.limiter.wait count=3 ",
		} {
			require.Contains(t, out.String(), line)
		}
	})
}
