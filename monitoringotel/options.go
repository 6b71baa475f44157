// Package monitoringotel records OpenTelemetry spans and metrics of a client of package monitoring.
//
//	options, err := monitoringotel.Options()
//	if err != nil {
//		return err
//	}
//	client, err := monitoring.NewClient(url, key, append(options, monitoring.WithAccount(id))...)
//
// Each call has a span, named by its operation, and in it a client span for each attempt with the
// attributes of the semantic conventions for HTTP. A wait for sessions is many calls and has no
// span of its own: start one around it.
//
// These are the metrics, with all times in seconds:
//
//	http.client.request.duration      attempts, as in the semantic conventions
//	monitoring.call.duration          calls with all their waits, by operation and error.type
//	monitoring.retries                attempts that another one followed, by operation and error.type
//	monitoring.limiter.wait.duration  waits of a call for the rate limit, by operation and class
//	monitoring.wait.duration          waits for a session, by verdict and error.type
//	monitoring.limiter.limit          requests in a second that a limit allows, by limit
//	monitoring.limiter.available      requests that could be sent at once now, by limit
//	monitoring.limiter.pause          the rest of the pause after a 429, or 0, by limit
//	monitoring.limiter.share          the part of the limit that is used, up to 1, by limit
//	monitoring.limiter.waiters        attempts that wait for the rate limit, by class
//	monitoring.limiter.route.waiters  attempts that wait for the limit of a route, by limit
//
// Their attributes are:
//
//   - monitoring.operation: the method and path of the operation, with placeholders for ids
//   - monitoring.class: ordinary, background or poll
//   - monitoring.limit: account, or the operation of a route
//   - monitoring.verdict: the verdict of a session
//   - error.type: the status of a response that refused the call, or canceled, timeout,
//     wait_timeout, outcome_unknown, result_lost, invalid_request, unusable_response or no_response
//
// A long poll whose session still runs (a 408) is not an error of a call.
//
// No attribute contains the key, the account or the value of a query. The address of an attempt has
// placeholders for ids, and errors are those of package monitoring, without secrets.
//
// For a call of monitoring.Do, segments of the path with characters other than a to z, dashes and
// dots become {id}. If an id looks like a word, name the call with monitoring.WithOperation,
// because each word is a metric of its own.
package monitoringotel

import (
	"errors"
	"fmt"
	"net/http"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/propagation"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// scope is the name of the instrumentation.
const scope = "github.com/monitoring-api/monitoring-go/monitoringotel"

// Options returns the client options that record spans and metrics. They work alongside all other
// options, including WithHTTPClient and hooks. Clients of one account may share them; clients of
// another account need their own, with different [WithAttributes]. The limiter's state is read
// whenever metrics are collected, until the client is garbage.
//
// Options returns an error if an option is nil or invalid, or if the meter provider fails.
func Options(opts ...Option) ([]monitoring.ClientOption, error) {
	var s settings
	for i, o := range opts {
		if o == nil {
			return nil, fmt.Errorf("monitoringotel: option %d is nil", i+1)
		}
		if err := o(&s); err != nil {
			return nil, fmt.Errorf("monitoringotel: %w", err)
		}
	}
	if s.traces == nil {
		s.traces = otel.GetTracerProvider()
	}
	if s.meters == nil {
		s.meters = otel.GetMeterProvider()
	}
	meter := s.meters.Meter(scope, metric.WithInstrumentationVersion(monitoring.Version), metric.WithSchemaURL(semconv.SchemaURL))
	t := &telemetry{
		tracer:     s.traces.Tracer(scope, trace.WithInstrumentationVersion(monitoring.Version), trace.WithSchemaURL(semconv.SchemaURL)),
		propagator: s.propagator, common: s.attributes,
	}
	if err := t.makeInstruments(meter); err != nil {
		return nil, fmt.Errorf("monitoringotel: %w", err)
	}
	limiters, err := observeLimiters(meter, s.attributes)
	if err != nil {
		return nil, fmt.Errorf("monitoringotel: %w", err)
	}
	return []monitoring.ClientOption{
		monitoring.WithStartHook(t.start),
		monitoring.WithTransportHook(func(next http.RoundTripper) http.RoundTripper { return &transport{t, next} }),
		monitoring.WithAttemptHook(t.attempt),
		monitoring.WithCallHook(t.end),
		monitoring.WithWaitHook(t.wait),
		monitoring.WithLimiterHook(limiters.add),
	}, nil
}

// Option configures [Options].
type Option func(*settings) error

type settings struct {
	traces     trace.TracerProvider
	meters     metric.MeterProvider
	propagator propagation.TextMapPropagator
	attributes []attribute.KeyValue
}

// WithTracerProvider records spans with p. The default is the global provider of package otel, even
// if it is set later. A nil p is an error.
func WithTracerProvider(p trace.TracerProvider) Option {
	return func(s *settings) error {
		if p == nil {
			return errors.New("the tracer provider is nil")
		}
		s.traces = p
		return nil
	}
}

// WithMeterProvider records metrics with p. The default is the global provider of package otel,
// even if it is set later. A nil p is an error.
func WithMeterProvider(p metric.MeterProvider) Option {
	return func(s *settings) error {
		if p == nil {
			return errors.New("the meter provider is nil")
		}
		s.meters = p
		return nil
	}
}

// WithPropagator sends the context of each attempt's span in request headers, such as traceparent
// for propagation.TraceContext, for a gateway of yours that also records spans. By default nothing
// is sent, because the service is not yours. A nil p is an error.
func WithPropagator(p propagation.TextMapPropagator) Option {
	return func(s *settings) error {
		if p == nil {
			return errors.New("the propagator is nil")
		}
		s.propagator = p
		return nil
	}
}

// WithAttributes adds attributes to all spans and metrics, such as a name of the account.
func WithAttributes(attributes ...attribute.KeyValue) Option {
	return func(s *settings) error {
		s.attributes = append(s.attributes, attributes...)
		return nil
	}
}
