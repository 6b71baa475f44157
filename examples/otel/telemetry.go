package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// telemetry makes spans and metrics of the calls of a client. There is a span for each call,
// named by its operation, with a child span for each attempt, which otelhttp makes according
// to the semantic conventions for HTTP clients.
type telemetry struct {
	traces  trace.TracerProvider
	meters  metric.MeterProvider
	tracer  trace.Tracer
	calls   metric.Float64Histogram
	waits   metric.Float64Histogram
	retries metric.Int64Counter
	tries   metric.Int64Counter
}

const scope = "github.com/monitoring-api/monitoring-go/examples/otel"

func newTelemetry(traces trace.TracerProvider, meters metric.MeterProvider) (*telemetry, error) {
	t := &telemetry{traces: traces, meters: meters, tracer: traces.Tracer(scope)}
	meter := meters.Meter(scope)
	// The times are in seconds, from a millisecond to the minutes that a limit can take.
	buckets := metric.WithExplicitBucketBoundaries(0, 0.001, 0.01, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120)
	var errs [4]error
	t.calls, errs[0] = meter.Float64Histogram("monitoring.client.call.duration", metric.WithUnit("s"), buckets,
		metric.WithDescription("Time of a whole call, with waiting and retries."))
	t.waits, errs[1] = meter.Float64Histogram("monitoring.client.limiter.wait", metric.WithUnit("s"), buckets,
		metric.WithDescription("Time that an attempt waited for its place in the rate limit."))
	t.tries, errs[2] = meter.Int64Counter("monitoring.client.attempts", metric.WithUnit("{attempt}"),
		metric.WithDescription("Attempts that were sent."))
	t.retries, errs[3] = meter.Int64Counter("monitoring.client.retries", metric.WithUnit("{attempt}"),
		metric.WithDescription("Attempts after which another one followed."))
	return t, errors.Join(errs[:]...)
}

// options returns the options of an observed client. Its requests go through base; nil is
// http.DefaultTransport.
func (t *telemetry) options(base http.RoundTripper) []monitoring.ClientOption {
	if base == nil {
		base = http.DefaultTransport
	}
	traced := otelhttp.NewTransport(annotated{base}, otelhttp.WithTracerProvider(t.traces), otelhttp.WithMeterProvider(t.meters),
		otelhttp.WithSpanNameFormatter(func(_ string, r *http.Request) string { return callOf(r.Context()).operation }))
	return []monitoring.ClientOption{
		monitoring.WithHTTPClient(&http.Client{Transport: traced}),
		monitoring.WithStartHook(t.start),
		monitoring.WithAttemptHook(t.attempt),
		monitoring.WithCallHook(t.end),
	}
}

// call has what the spans of a call's attempts need. The attempts run one after the other.
type call struct {
	operation string
	attempts  int
}

type callKey struct{}

func callOf(ctx context.Context) *call {
	if c, ok := ctx.Value(callKey{}).(*call); ok {
		return c
	}
	return &call{operation: "HTTP"} // of a request that no call made
}

// start begins the span of a call.
func (t *telemetry) start(ctx context.Context, operation string) context.Context {
	ctx = context.WithValue(ctx, callKey{}, &call{operation: operation})
	ctx, _ = t.tracer.Start(ctx, operation, trace.WithSpanKind(trace.SpanKindInternal))
	return ctx
}

// attempt counts an attempt when it has ended.
func (t *telemetry) attempt(ctx context.Context, a monitoring.Attempt) {
	operation := attribute.String("monitoring.operation", a.Operation)
	counted := []attribute.KeyValue{operation}
	if a.StatusCode != 0 {
		counted = append(counted, semconv.HTTPResponseStatusCode(a.StatusCode))
	} else {
		counted = append(counted, semconv.ErrorTypeKey.String(errorType(a.Err)))
	}
	t.tries.Add(ctx, 1, metric.WithAttributes(counted...))
	t.waits.Record(ctx, a.LimiterWait.Seconds(), metric.WithAttributes(operation))
	if a.Retry {
		t.retries.Add(ctx, 1, metric.WithAttributes(operation))
		trace.SpanFromContext(ctx).AddEvent("retry", trace.WithAttributes(
			attribute.Int("monitoring.attempt", a.Number), seconds("monitoring.retry_in", a.RetryIn)))
	}
}

// end ends the span of a call.
func (t *telemetry) end(ctx context.Context, c monitoring.Call) {
	span := trace.SpanFromContext(ctx)
	span.SetAttributes(
		attribute.Int("monitoring.attempts", c.Attempts),
		seconds("monitoring.limiter_wait", c.LimiterWait),
		seconds("monitoring.retry_wait", c.RetryWait))
	measured := []attribute.KeyValue{attribute.String("monitoring.operation", c.Operation)}
	if c.Err != nil {
		kind := semconv.ErrorTypeKey.String(errorType(c.Err))
		span.SetAttributes(kind)
		span.SetStatus(codes.Error, c.Err.Error()) // no error of the SDK holds a secret
		measured = append(measured, kind)
	}
	span.End()
	t.calls.Record(ctx, c.Duration.Seconds(), metric.WithAttributes(measured...))
}

func seconds(name string, d time.Duration) attribute.KeyValue {
	return attribute.Float64(name, d.Seconds())
}

// errorType returns one of few texts for an error, because each text is a metric of its own.
func errorType(err error) string {
	switch {
	case errors.Is(err, monitoring.ErrOutcomeUnknown):
		return "outcome_unknown"
	case errors.Is(err, context.Canceled):
		return "canceled"
	case errors.Is(err, context.DeadlineExceeded):
		return "timeout"
	}
	if e, ok := errors.AsType[*monitoring.APIError](err); ok {
		return fmt.Sprint(e.StatusCode)
	}
	if _, ok := errors.AsType[*monitoring.ValidationError](err); ok {
		return "invalid_request"
	}
	return "no_response"
}

// annotated adds to the span of an attempt what otelhttp cannot know: the number of the
// attempt, and the path without ids. It keeps the id of an account out of the span.
type annotated struct{ base http.RoundTripper }

func (a annotated) RoundTrip(req *http.Request) (*http.Response, error) {
	c := callOf(req.Context())
	span := trace.SpanFromContext(req.Context())
	if _, path, ok := strings.Cut(c.operation, " "); ok {
		span.SetAttributes(semconv.URLTemplate(path))
		if strings.Contains(path, "{accountId}") { // otelhttp spells the id out
			span.SetAttributes(semconv.URLFull(req.URL.Scheme + "://" + req.URL.Host + path))
		}
	}
	if c.attempts > 0 {
		span.SetAttributes(semconv.HTTPRequestResendCount(c.attempts))
	}
	c.attempts++
	return a.base.RoundTrip(req)
}
