package monitoring

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

// Response describes the response of a call; see [WithResponse].
type Response struct {
	// StatusCode and Header are those of the last response, or 0 and nil if there was none.
	StatusCode int
	Header     http.Header `json:"-" xml:"-"`
	// Attempts is how often the request was sent.
	Attempts int
	// LimiterWait is the time spent waiting for the limiter, and RetryWait that between attempts.
	LimiterWait time.Duration
	RetryWait   time.Duration
	// Body is the body of the last response as received, with the fields that types of this package
	// lack. It is nil if the response was streamed. If the operation ignores the body of a success,
	// it is the part that arrived, up to [WithMaxResponseSize].
	Body []byte `json:"-" xml:"-"`
}

// String returns the status and the number of attempts.
func (r Response) String() string {
	return fmt.Sprintf("%d %s (attempts: %d)", r.StatusCode, http.StatusText(r.StatusCode), r.Attempts)
}

// Format prints String, whatever the verb, because fields may contain secrets.
func (r Response) Format(s fmt.State, _ rune) { fmt.Fprint(s, r.String()) }

// AttemptInfo describes an attempt of a call; see [WithAttemptHook].
type AttemptInfo struct {
	// Operation is the method and path of the operation, with placeholders for ids. A call of [Do]
	// has its own path, unless [WithOperation] names it.
	Operation string
	// Number counts the attempts of the call from 1.
	Number int
	// StatusCode is the status of the response, or 0 if there was none.
	StatusCode int
	// Err is why there was no usable response; nil if there was one.
	Err error
	// LimiterWait is how long the attempt waited for the limiter.
	LimiterWait time.Duration
	// Duration is the time from sending to the end of the response.
	Duration time.Duration
	// Retry reports whether another attempt follows, after RetryIn.
	Retry   bool
	RetryIn time.Duration
}

// CallInfo describes a call that has ended; see [WithCallHook].
type CallInfo struct {
	// Operation is as in [AttemptInfo].
	Operation string
	// Class is how the limiter orders the attempts of the call.
	Class AttemptClass
	// Attempts is how often the request was sent. It is 0 if the call ended before that.
	Attempts int
	// StatusCode is the status of the last response, or 0 if there was none.
	StatusCode int
	// Err is the error of the call, or nil.
	Err error
	// LimiterWait, RetryWait and InFlight are the times that all attempts spent waiting for the
	// limiter, between attempts, and from sending to the end of the response. Duration is the
	// whole.
	LimiterWait time.Duration
	RetryWait   time.Duration
	InFlight    time.Duration
	Duration    time.Duration
}

// WaitInfo describes a wait for one session that has ended; see [WithWaitHook].
type WaitInfo struct {
	// ID is the id of the session.
	ID string
	// Verdict is that of the session as last seen, or [VerdictUnknown] if it was not seen.
	Verdict Verdict
	// Err is the [*SessionError] if the session could not be followed to its end, or nil.
	Err error
	// Duration is the time since Wait, WaitAll or TriggerAndWait was called, including the trigger.
	Duration time.Duration
}

// WithStartHook calls f before each call, with the context of the call and its operation, as in
// [CallInfo]. The call continues with the context that f returns, which the transport and the other
// hooks get: a span that f starts becomes the parent of the spans within the call. f must derive it
// from the context that it got, or return nil to keep that one.
func WithStartHook(f func(ctx context.Context, operation string) context.Context) ClientOption {
	return needing(f == nil, "WithStartHook needs a function", func(s *settings) { s.startHooks = append(s.startHooks, f) })
}

// WithAttemptHook calls f after each attempt, for metrics, unless the context ended while it waited
// for the rate limit. It is called like f of [WithCallHook].
func WithAttemptHook(f func(context.Context, AttemptInfo)) ClientOption {
	return needing(f == nil, "WithAttemptHook needs a function", func(s *settings) { s.attemptHooks = append(s.attemptHooks, f) })
}

// WithCallHook calls f after each call, for metrics, even if the request was refused before it was
// sent, but not if an option of the call is invalid.
//
// f gets the context of the call. It runs in the goroutine of the call, so calls of it can be
// concurrent, and it should return quickly.
func WithCallHook(f func(context.Context, CallInfo)) ClientOption {
	return needing(f == nil, "WithCallHook needs a function", func(s *settings) { s.callHooks = append(s.callHooks, f) })
}

// WithWaitHook calls f when a wait for a session has ended, for metrics: a wait of Wait, WaitAll or
// TriggerAndWait. f gets the context of that method, as it was before start hooks, and is called
// before the method or its loop returns the session. It is not called for sessions that a loop over
// WaitAll left behind. Otherwise it is called like f of [WithCallHook].
func WithWaitHook(f func(context.Context, WaitInfo)) ClientOption {
	return needing(f == nil, "WithWaitHook needs a function", func(s *settings) { s.waitHooks = append(s.waitHooks, f) })
}

// WithTransportHook sends requests through the transport that f returns, such as one for tracing. f
// is called for each call with the transport of the client, its own or that of [WithHTTPClient],
// and may return nil to keep it. Requests have the context of the start hooks and the API key; the
// transport must not modify them.
//
// If the hook is given several times, the last one sees a request first.
func WithTransportHook(f func(http.RoundTripper) http.RoundTripper) ClientOption {
	return needing(f == nil, "WithTransportHook needs a function", func(s *settings) { s.transportHooks = append(s.transportHooks, f) })
}

// WithLimiterHook calls f with the limiter of the client, whose State is for metrics. [NewClient]
// calls f once, when nothing else can fail.
func WithLimiterHook(f func(Limiter)) ClientOption {
	return needing(f == nil, "WithLimiterHook needs a function", func(s *settings) { s.limiterHooks = append(s.limiterHooks, f) })
}

// wrapped returns what the transport hooks make of a transport.
func (c *core) wrapped(transport http.RoundTripper) http.RoundTripper {
	for _, hook := range c.transportHooks {
		if wrapped := hook(transport); wrapped != nil {
			transport = wrapped
		}
	}
	return transport
}

// response returns the Response of the call.
func (o *activeCall) response() Response {
	r := &o.result
	body := r.Body
	if o.op.keepsBody {
		body = bytes.Clone(body) // the caller may change it
	}
	return Response{
		StatusCode: r.StatusCode, Header: r.Header, Attempts: r.Attempts,
		LimiterWait: r.LimiterWait, RetryWait: r.RetryWait, Body: body,
	}
}

// reportStart calls the start hooks and returns the context for the call.
func (o *activeCall) reportStart(ctx context.Context) context.Context {
	if o.core.startHooks == nil {
		return ctx
	}
	name := o.name()
	for _, hook := range o.core.startHooks {
		if derived := hook(ctx, name); derived != nil {
			ctx = derived
		}
	}
	return ctx
}

// Attempted reports an attempt to the hooks and the logger.
func (o *activeCall) Attempted(ctx context.Context, attempt exchange.Attempt) {
	c := o.core
	if c.logger == nil && c.attemptHooks == nil {
		return
	}
	a := AttemptInfo{
		Operation: o.name(), Number: attempt.Number, StatusCode: attempt.StatusCode, Err: scrub.Err(attempt.Err),
		LimiterWait: attempt.LimiterWait, Duration: attempt.Duration, Retry: attempt.Retry, RetryIn: attempt.RetryIn,
	}
	for _, hook := range c.attemptHooks {
		hook(ctx, a)
	}
	if c.logger == nil {
		return
	}
	level, message := slog.LevelDebug, "monitoring: attempt"
	if a.Retry {
		level, message = slog.LevelWarn, "monitoring: attempt failed, retrying"
	}
	attrs := []slog.Attr{
		slog.String("operation", a.Operation), slog.Int("attempt", a.Number), slog.Int("status", a.StatusCode),
		slog.Duration("limiter_wait", a.LimiterWait), slog.Duration("duration", a.Duration),
	}
	if a.Err != nil {
		attrs = append(attrs, slog.String("error", scrub.Clean(a.Err.Error())))
	}
	if a.Retry {
		attrs = append(attrs, slog.Duration("retry_in", a.RetryIn))
	}
	c.logger.LogAttrs(ctx, level, message, attrs...)
}

// slowPlace is how long an attempt may wait for its place before the call is logged. Below:
// every call that queues is logged. Above: a long queue is not.
const slowPlace = time.Second

// reportCall reports the whole call to the hooks and the logger.
func (o *activeCall) reportCall(ctx context.Context, err error) {
	c, r := o.core, &o.result
	if c.logger != nil && r.LimiterWait > slowPlace {
		c.logger.LogAttrs(ctx, slog.LevelInfo, "monitoring: waited for the rate limit",
			slog.String("operation", o.name()), slog.Duration("limiter_wait", r.LimiterWait), slog.Int("attempts", r.Attempts))
	}
	if c.callHooks == nil {
		return
	}
	call := CallInfo{
		Operation: o.name(), Class: o.limited.Class, Attempts: r.Attempts, StatusCode: r.StatusCode, Err: err,
		LimiterWait: r.LimiterWait, RetryWait: r.RetryWait, InFlight: r.InFlight, Duration: time.Since(o.began),
	}
	for _, hook := range c.callHooks {
		hook(ctx, call)
	}
}

// Throttled reports a 429 to the logger, and whether it pauses the account or a route.
func (o *activeCall) Throttled(ctx context.Context, retryAfter time.Duration) {
	if o.core.logger == nil {
		return
	}
	attrs := []slog.Attr{slog.String("operation", o.name()), slog.Duration("retry_after", retryAfter)}
	if limit, share := o.core.limiter.State().pausedLimit(o.name()); limit != "" {
		attrs = append(attrs, slog.String("limit", limit), slog.Float64("share", share))
	}
	o.core.logger.LogAttrs(ctx, slog.LevelWarn, "monitoring: rate limited, pausing", attrs...)
}
