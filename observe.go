package monitoring

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

// Response has the details of a response, besides the decoded value; see [WithResponse].
type Response struct {
	// StatusCode and Header are those of the last response; 0 and nil if there was none.
	StatusCode int
	Header     http.Header `json:"-"`
	// Attempts is how often the request was sent.
	Attempts int
	// LimiterWait is the time spent waiting for the limiter, over all attempts.
	LimiterWait time.Duration
	// RetryWait is the time spent waiting between attempts.
	RetryWait time.Duration
	// Body is the body of the last response as received, for members that the types do not
	// have. It is nil for responses that were streamed. If the operation does not read the body
	// of a success, it is the part that arrived, up to [WithMaxResponseSize].
	Body []byte `json:"-"`
}

// String returns status and attempts, without the body, which may hold secrets.
func (r Response) String() string {
	return fmt.Sprintf("%d %s (attempts: %d)", r.StatusCode, http.StatusText(r.StatusCode), r.Attempts)
}

// Format prints what String returns under every verb: header and body may hold secrets.
func (r Response) Format(s fmt.State, _ rune) { fmt.Fprint(s, r.String()) }

// Attempt is one attempt of a call; see [WithAttemptHook].
type Attempt struct {
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

// Call is a call that has ended; see [WithCallHook].
type Call struct {
	// Operation is as in [Attempt].
	Operation string
	// Attempts is how often the request was sent; 0 if it was refused before, or got no
	// place in the limit.
	Attempts int
	// StatusCode is the status of the last response; 0 if there was none.
	StatusCode int
	// Err is the error of the call, nil for a success.
	Err error
	// LimiterWait, RetryWait and InFlight say how the time was spent: waiting for the limiter,
	// waiting between attempts, and from sending to the end of the response, each over all
	// attempts. Duration is the time of the whole call.
	LimiterWait time.Duration
	RetryWait   time.Duration
	InFlight    time.Duration
	Duration    time.Duration
}

// response returns the Response of the call.
func (e *exchange) response() Response {
	body := e.body
	if e.op.keepsBody {
		body = bytes.Clone(body) // the caller may change it
	}
	return Response{
		StatusCode: e.status, Header: e.header, Attempts: e.attempts,
		LimiterWait: e.limiterWait, RetryWait: e.retryWait, Body: body,
	}
}

// reportStart calls the start hooks and returns the context for the call.
func (e *exchange) reportStart(ctx context.Context) context.Context {
	for _, hook := range e.core.startHooks {
		if derived := hook(ctx, e.name); derived != nil {
			ctx = derived
		}
	}
	return ctx
}

// reportAttempt reports an attempt to the hooks and the logger.
func (e *exchange) reportAttempt(ctx context.Context, err error, retry bool) {
	c := e.core
	if !e.last.placed || c.logger == nil && c.attemptHooks == nil {
		return
	}
	a := Attempt{
		Operation: e.name, Number: e.attempts, StatusCode: e.last.status,
		LimiterWait: e.last.wait, Duration: e.last.duration, Retry: retry,
	}
	if err != nil {
		a.Err = e.failure(err)
	}
	if retry {
		a.RetryIn = e.wait
	}
	for _, hook := range c.attemptHooks {
		hook(ctx, a)
	}
	if c.logger == nil {
		return
	}
	level, message := slog.LevelDebug, "monitoring: attempt"
	if retry {
		level, message = slog.LevelWarn, "monitoring: attempt failed, retrying"
	}
	attrs := []slog.Attr{
		slog.String("operation", a.Operation), slog.Int("attempt", a.Number), slog.Int("status", a.StatusCode),
		slog.Duration("limiter_wait", a.LimiterWait), slog.Duration("duration", a.Duration),
	}
	if a.Err != nil {
		attrs = append(attrs, slog.String("error", scrub.Clean(a.Err.Error())))
	}
	if retry {
		attrs = append(attrs, slog.Duration("retry_in", a.RetryIn))
	}
	c.logger.LogAttrs(ctx, level, message, attrs...)
}

// slowPlace is how long an attempt may wait for its place before the call is logged.
const slowPlace = time.Second

// reportCall reports the whole call to the hooks and the logger.
func (e *exchange) reportCall(ctx context.Context, err error) {
	c := e.core
	if c.logger != nil && e.limiterWait > slowPlace {
		c.logger.LogAttrs(ctx, slog.LevelInfo, "monitoring: waited for the rate limit",
			slog.String("operation", e.name), slog.Duration("limiter_wait", e.limiterWait), slog.Int("attempts", e.attempts))
	}
	if c.callHooks == nil {
		return
	}
	call := Call{
		Operation: e.name, Attempts: e.attempts, StatusCode: e.status, Err: err,
		LimiterWait: e.limiterWait, RetryWait: e.retryWait, InFlight: e.inFlight, Duration: time.Since(e.began),
	}
	for _, hook := range c.callHooks {
		hook(ctx, call)
	}
}

// logPause reports a 429 to the logger.
func (e *exchange) logPause(ctx context.Context, asked time.Duration) {
	if e.core.logger != nil {
		e.core.logger.LogAttrs(ctx, slog.LevelWarn, "monitoring: rate limited, pausing",
			slog.String("operation", e.name), slog.Duration("retry_after", asked))
	}
}
