package monitoring

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

// Response has the details of a response, in addition to the decoded value; see [WithResponse].
type Response struct {
	// StatusCode and Header are those of the last response; 0 and nil if there was none.
	StatusCode int
	Header     http.Header `json:"-" xml:"-"`
	// Attempts is how often the request was sent.
	Attempts int
	// LimiterWait is the time spent waiting for the limiter, over all attempts.
	LimiterWait time.Duration
	// RetryWait is the time spent waiting between attempts.
	RetryWait time.Duration
	// Body is the body of the last response as received, for members that the types do not
	// have. It is nil for responses that were streamed. If the operation does not read the body
	// of a success, it is the part that arrived, up to [WithMaxResponseSize].
	Body []byte `json:"-" xml:"-"`
}

// String returns status and attempts, without the body, which may hold secrets.
func (r Response) String() string {
	return fmt.Sprintf("%d %s (attempts: %d)", r.StatusCode, http.StatusText(r.StatusCode), r.Attempts)
}

// Format prints what String returns under every verb: header and body may hold secrets.
func (r Response) Format(s fmt.State, _ rune) { fmt.Fprint(s, r.String()) }

// AttemptInfo is one attempt of a call; see [WithAttemptHook].
type AttemptInfo struct {
	// Operation is the method and the path of the operation, with placeholders instead of
	// ids. For [Do] it is the path as it was given, unless [WithOperation] names it.
	Operation string
	// Number counts the attempts of the call from 1.
	Number int
	// StatusCode is the status of the response; 0 if there was none.
	StatusCode int
	// Err is the reason if there was no response, or none that could be used; nil if there was.
	Err error
	// LimiterWait is the time the attempt waited for the limiter.
	LimiterWait time.Duration
	// Duration is the time from sending to the end of the response.
	Duration time.Duration
	// Retry says whether another attempt follows. RetryIn is the wait before it.
	Retry   bool
	RetryIn time.Duration
}

// CallInfo is a call that has ended; see [WithCallHook].
type CallInfo struct {
	// Operation is as in [AttemptInfo].
	Operation string
	// Class is how the limiter orders the attempts of the call.
	Class AttemptClass
	// Attempts is how often the request was sent; 0 if it was refused before that, or got no place in
	// the limit.
	Attempts int
	// StatusCode is the status of the last response; 0 if there was none.
	StatusCode int
	// Err is the error of the call, nil for a success.
	Err error
	// LimiterWait, RetryWait and InFlight say how the time of all attempts was spent: on waiting for
	// the limiter, on waiting between attempts, and from sending to the end of the response. Duration
	// is the time of the whole call.
	LimiterWait time.Duration
	RetryWait   time.Duration
	InFlight    time.Duration
	Duration    time.Duration
}

// WaitInfo is a wait for one session that has ended; see [WithWaitHook].
type WaitInfo struct {
	// ID is the id of the session.
	ID string
	// Verdict is that of the session as last seen; [VerdictUnknown] if it was not seen.
	Verdict Verdict
	// Err is the [*SessionError] of a session whose end could not be awaited; nil otherwise.
	Err error
	// Duration is the time since Wait, WaitAll or TriggerAndWait was called. That of the trigger is
	// in it.
	Duration time.Duration
}

// WithWaitHook calls f after each wait of [CheckSessionsService.Wait], WaitAll and TriggerAndWait
// for a session, for metrics. The context is that of the method, before start hooks. It is called
// in the goroutine that waits, before the method or its loop returns the session, and should return
// quickly. It is not called for sessions whose end WaitAll did not yield, because its loop was
// left. Several hooks are called in the order in which they were given. A nil f is an error.
func WithWaitHook(f func(context.Context, WaitInfo)) ClientOption {
	return clientOption(func(s *settings) error {
		if f == nil {
			return errors.New("WithWaitHook needs a function")
		}
		s.waitHooks = append(s.waitHooks, f)
		return nil
	})
}

// WithTransportHook sends requests through what f makes of the transport of the client, which is
// its own or that of [WithHTTPClient]. It is for tracing, which sees each request on its way. f is
// called for each call; nil keeps the transport. The transport that f returns must not change the
// request, as [http.RoundTripper] says. Its requests have the context of the start hooks, and the
// API key. Several hooks are called in the order in which they were given, so the last one sees a
// request first. A nil f is an error.
func WithTransportHook(f func(http.RoundTripper) http.RoundTripper) ClientOption {
	return clientOption(func(s *settings) error {
		if f == nil {
			return errors.New("WithTransportHook needs a function")
		}
		s.transportHooks = append(s.transportHooks, f)
		return nil
	})
}

// WithLimiterHook calls f with the limiter of the client, whose State is for metrics. f is called
// once, by [NewClient], when nothing else can fail. Several hooks are called in the order in which
// they were given. A nil f is an error.
func WithLimiterHook(f func(Limiter)) ClientOption {
	return clientOption(func(s *settings) error {
		if f == nil {
			return errors.New("WithLimiterHook needs a function")
		}
		s.limiterHooks = append(s.limiterHooks, f)
		return nil
	})
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
