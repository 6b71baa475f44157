package monitoringotel

import (
	"context"
	"errors"
	"net"
	"regexp"
	"strconv"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/propagation"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/semconv/v1.43.0/httpconv"
	"go.opentelemetry.io/otel/trace"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// The attributes without a name in the semantic conventions.
const (
	operationKey = attribute.Key("monitoring.operation")
	classKey     = attribute.Key("monitoring.class")
	verdictKey   = attribute.Key("monitoring.verdict")
	limitKey     = attribute.Key("monitoring.limit")
)

// telemetry makes spans and metrics of calls. It is the hooks of clients.
type telemetry struct {
	tracer     trace.Tracer
	propagator propagation.TextMapPropagator // nil sends no headers
	common     []attribute.KeyValue          // of all spans and metrics

	requests             httpconv.ClientRequestDuration
	calls, places, waits metric.Float64Histogram
	retries              metric.Int64Counter
}

func (t *telemetry) makeInstruments(meter metric.Meter) error {
	var errs [5]error
	// The semantic conventions have buckets up to 10 seconds. Calls wait for minutes, sessions for
	// up to an hour.
	calls := metric.WithExplicitBucketBoundaries(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300)
	waits := metric.WithExplicitBucketBoundaries(1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1200, 1800, 3600)
	t.requests, errs[0] = httpconv.NewClientRequestDuration(meter)
	t.calls, errs[1] = meter.Float64Histogram("monitoring.call.duration", metric.WithUnit("s"), calls,
		metric.WithDescription("Time of a call, with all its attempts and waits."))
	t.places, errs[2] = meter.Float64Histogram("monitoring.limiter.wait.duration", metric.WithUnit("s"), calls,
		metric.WithDescription("Time that a call waited for the rate limit."))
	t.waits, errs[3] = meter.Float64Histogram("monitoring.wait.duration", metric.WithUnit("s"), waits,
		metric.WithDescription("Time of a wait for the end of a check session."))
	t.retries, errs[4] = meter.Int64Counter("monitoring.retries", metric.WithUnit("{attempt}"),
		metric.WithDescription("Attempts after which another one followed."))
	return errors.Join(errs[:]...)
}

// with returns the attributes of a metric.
func (t *telemetry) with(attributes ...attribute.KeyValue) metric.MeasurementOption {
	return metric.WithAttributes(append(attributes, t.common...)...)
}

// call is what the attempts of a call need, which run one after the other.
type call struct {
	operation string
	sent      int      // requests
	request   *request // that is on its way, or has a response which is not known to be used; nil if none is
}

// callKey is the key of the call in a context. Clients with other telemetry may call each other.
type callKey struct{ *telemetry }

func (t *telemetry) callOf(ctx context.Context) *call {
	c, _ := ctx.Value(callKey{t}).(*call)
	return c
}

// word is a segment of a path that is no id: checks, static-ips.txt, v1, {id} or {id}.svg.
var word = regexp.MustCompile(`^(?:v\d|(?:[a-z.-]|\{\w+\})*)$`)

// nameOf returns the name of an operation with {id} in the place of each id. The path of a call of
// Do has ids if WithOperation does not name it, and each text would be a metric of its own.
func nameOf(operation string) string {
	segments := strings.Split(operation, "/")
	for i, segment := range segments[1:] {
		if !word.MatchString(segment) {
			segments[i+1] = "{id}"
		}
	}
	return strings.Join(segments, "/")
}

// start begins the span of a call.
func (t *telemetry) start(ctx context.Context, operation string) context.Context {
	operation = nameOf(operation)
	ctx, _ = t.tracer.Start(ctx, operation, trace.WithSpanKind(trace.SpanKindInternal),
		trace.WithAttributes(t.common...), trace.WithAttributes(operationKey.String(operation)))
	return context.WithValue(ctx, callKey{t}, &call{operation: operation})
}

// attempt ends the span of an attempt, which the transport has begun.
func (t *telemetry) attempt(ctx context.Context, a monitoring.AttemptInfo) {
	c := t.callOf(ctx)
	if c == nil {
		return
	}
	t.finish(c, a.StatusCode, a.Err, a.Duration)
	if a.Retry {
		t.retries.Add(ctx, 1, t.with(operationKey.String(nameOf(a.Operation)), semconv.ErrorTypeKey.String(errorType(a.StatusCode, a.Err))))
		trace.SpanFromContext(ctx).AddEvent("retry", trace.WithAttributes(
			attribute.Int("monitoring.attempt", a.Number), seconds("monitoring.retry_in", a.RetryIn)))
	}
}

// end ends the span of a call.
func (t *telemetry) end(ctx context.Context, ended monitoring.CallInfo) {
	if c := t.callOf(ctx); c != nil && c.request != nil { // a redirect that was followed, and got no place
		t.finish(c, c.request.status, nil, time.Since(c.request.began))
	}
	operation := operationKey.String(nameOf(ended.Operation))
	span := trace.SpanFromContext(ctx)
	span.SetAttributes(
		attribute.Int("monitoring.attempts", ended.Attempts), classKey.String(className(ended.Class)),
		seconds("monitoring.limiter_wait", ended.LimiterWait), seconds("monitoring.retry_wait", ended.RetryWait))
	measured := []attribute.KeyValue{operation}
	if ended.Err != nil && !errors.Is(ended.Err, monitoring.ErrNotCompleted) {
		kind := semconv.ErrorTypeKey.String(errorOfCall(ended.StatusCode, ended.Err))
		span.SetAttributes(kind)
		span.SetStatus(codes.Error, ended.Err.Error())
		measured = append(measured, kind)
	}
	span.End()
	t.calls.Record(ctx, ended.Duration.Seconds(), t.with(measured...))
	if ended.Attempts > 0 || ended.LimiterWait > 0 { // it was not refused before
		t.places.Record(ctx, ended.LimiterWait.Seconds(), t.with(operation, classKey.String(className(ended.Class))))
	}
}

// wait measures the wait for a session.
func (t *telemetry) wait(ctx context.Context, w monitoring.WaitInfo) {
	measured := []attribute.KeyValue{verdictKey.String(string(w.Verdict))}
	if w.Err != nil {
		measured = append(measured, semconv.ErrorTypeKey.String(errorOfCall(0, w.Err)))
	}
	t.waits.Record(ctx, w.Duration.Seconds(), t.with(measured...))
}

func seconds(name string, d time.Duration) attribute.KeyValue {
	return attribute.Float64(name, d.Seconds())
}

// className names a class of attempts. A class that is not known is ordinary for the limiter, too.
func className(c monitoring.AttemptClass) string {
	switch c {
	case monitoring.ClassBackground:
		return "background"
	case monitoring.ClassPoll:
		return "poll"
	}
	return "ordinary"
}

// errorType returns one of few texts for an attempt that failed, because each text is a metric of
// its own. The semantic conventions want the status, if there is one that says it.
func errorType(status int, err error) string {
	if status >= 400 {
		return strconv.Itoa(status)
	}
	return errorOfCall(status, err)
}

// errorOfCall returns one of few texts for the error of a call or of a wait.
func errorOfCall(status int, err error) string {
	timeout, isNet := errors.AsType[net.Error](err)
	refused, isRefused := errors.AsType[*monitoring.APIError](err)
	_, isInvalid := errors.AsType[*monitoring.ValidationError](err)
	switch {
	case errors.Is(err, monitoring.ErrWaitTimeout):
		return "wait_timeout"
	case errors.Is(err, monitoring.ErrOutcomeUnknown):
		return "outcome_unknown"
	case errors.Is(err, monitoring.ErrResultLost):
		return "result_lost"
	case errors.Is(err, context.Canceled):
		return "canceled"
	case errors.Is(err, context.DeadlineExceeded):
		return "timeout"
	case isRefused:
		return strconv.Itoa(refused.StatusCode)
	case isInvalid:
		return "invalid_request"
	case isNet && timeout.Timeout():
		return "timeout"
	case status != 0:
		return "unusable_response"
	}
	return "no_response"
}
