// Package monitoringotel makes OpenTelemetry spans and metrics of what a client of package
// monitoring does. [Options] returns the options that a client needs for it:
//
//	options, err := monitoringotel.Options()
//	if err != nil {
//		return err
//	}
//	client, err := monitoring.NewClient(url, key, append(options, monitoring.WithAccount(id))...)
//
// There is a span for each call, named by its operation. In it is a client span for each attempt,
// with the attributes of the semantic conventions for HTTP. A wait for sessions is many calls, and
// has no span of its own: start one around it.
//
// These are the metrics, all times in seconds:
//
//	http.client.request.duration      attempts, as the semantic conventions have it
//	monitoring.call.duration          calls with all their waits, by operation and error.type
//	monitoring.retries                attempts that another one followed, by operation and error.type
//	monitoring.limiter.wait.duration  what a call waited for its places, by operation and class
//	monitoring.wait.duration          waits for a session, by verdict and error.type
//	monitoring.limiter.limit          requests in a second that a limit allows, by limit
//	monitoring.limiter.places         requests that could be sent at once now, by limit
//	monitoring.limiter.pause          what is left of the pause after a 429, or 0, by limit
//	monitoring.limiter.share          the part of the limit that is used, up to 1, by limit
//	monitoring.limiter.waiters        attempts that wait for a place, by class
//	monitoring.limiter.route.waiters  those of a route that has a limit of its own, by limit
//
// The attributes are monitoring.operation, monitoring.class, monitoring.limit, monitoring.verdict
// and error.type. A limit is "account", or the operation of a route. A class is ordinary,
// background or poll. An error.type is the status of a response that refused the call, or one of
// canceled, timeout, wait_timeout, outcome_unknown, carried_out, invalid_request, unusable_response
// and no_response. A long poll whose session still runs (a 408) is no error of a call.
//
// No attribute has the key, the account or the value of a query. The address of an attempt has the
// names of its ids. Errors are told as package monitoring tells them, without secrets.
//
// The operation of a call of monitoring.Do is its method and path. Segments of the path with other
// characters than a to z, a dash and a dot count as ids, and become {id}. If the path has an id
// that looks like a word, name the call with monitoring.WithOperation: each word is a metric of
// its own.
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

// Options returns the options with which clients make spans and metrics. They go beside all other
// options, also WithHTTPClient and hooks. Clients of one account may share them. A client of
// another account needs its own, with [WithAttributes] that tell them apart. The state of its
// limiter is read whenever metrics are collected, until the client is garbage.
//
// An option that is nil or not valid is an error, and so is one of the meter provider.
func Options(opts ...Option) ([]monitoring.ClientOption, error) {
	var s settings
	for _, o := range opts {
		if o == nil {
			return nil, errors.New("monitoringotel: an option is nil")
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

// Option is an option of [Options].
type Option func(*settings) error

type settings struct {
	traces     trace.TracerProvider
	meters     metric.MeterProvider
	propagator propagation.TextMapPropagator
	attributes []attribute.KeyValue
}

// WithTracerProvider makes the spans with p. The default is the global provider of package otel,
// also if it is set later. nil is an error.
func WithTracerProvider(p trace.TracerProvider) Option {
	return func(s *settings) error {
		if p == nil {
			return errors.New("the tracer provider is nil")
		}
		s.traces = p
		return nil
	}
}

// WithMeterProvider makes the metrics with p. The default is the global provider of package otel,
// also if it is set later. nil is an error.
func WithMeterProvider(p metric.MeterProvider) Option {
	return func(s *settings) error {
		if p == nil {
			return errors.New("the meter provider is nil")
		}
		s.meters = p
		return nil
	}
}

// WithPropagator sends the context of each attempt's span in headers of its request, such as
// traceparent for [propagation.TraceContext]. It is for a gateway of yours that makes spans, too.
// By default nothing is sent, because the service is not yours. nil is an error.
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
