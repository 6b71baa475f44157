package monitoring

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// Response is what is known of an answer besides the value it was decoded into; see
// [WithResponse].
type Response struct {
	// StatusCode and Header are those of the last answer; 0 and nil when there was none.
	StatusCode int
	Header     http.Header `json:"-"`
	// Attempts is how often the request was sent.
	Attempts int
	// LimiterWait is the time spent waiting for the limiter, over all attempts.
	LimiterWait time.Duration
	// RetryWait is the time spent waiting between attempts.
	RetryWait time.Duration
	// Body is the body of the last answer as it came, for members that the types do not
	// have. It is nil for answers that were streamed.
	Body []byte `json:"-"`
}

// String tells status and attempts; the body, which may hold secrets, is not in it.
func (r Response) String() string {
	return fmt.Sprintf("%d %s (attempts: %d)", r.StatusCode, http.StatusText(r.StatusCode), r.Attempts)
}

// GoString keeps the body out of the %#v form.
func (r Response) GoString() string { return "monitoring.Response{" + r.String() + "}" }

// Attempt is one attempt of a call; see [WithAttemptHook].
type Attempt struct {
	// Operation is the method and the path of the operation, with placeholders instead
	// of ids; for [Client.Do] with the path as it was given.
	Operation string
	// Number counts the attempts of the call from 1.
	Number int
	// StatusCode is that of the answer, 0 when there was none.
	StatusCode int
	// Err is why there was no answer, or none that could be used.
	Err error
	// LimiterWait is the time the attempt waited for the limiter.
	LimiterWait time.Duration
	// Duration is the time from sending to the end of the answer.
	Duration time.Duration
	// Retry says whether another attempt follows, RetryIn after which time.
	Retry   bool
	RetryIn time.Duration
}

// callState is the memory of one call. It travels in the request's context from the
// service method through go-retryablehttp to the attempt and the retry policy, which
// run one after the other.
type callState struct {
	op       *operation
	settings *callSettings
	limited  LimitedAttempt // for the limiter

	attempts     int
	retries      int
	charged      int // of them to the budget
	lastStatus   int
	header       http.Header
	body         []byte
	maybeDone    bool          // an attempt may have been carried out without our knowing
	streamed     bool          // something was written to op.stream
	writerFailed bool          // op.stream failed
	wait         time.Duration // before the next attempt

	limiterWait, retryWait time.Duration

	// Of the current attempt:
	attemptWait time.Duration
	duration    time.Duration
	made        bool // it found a place and was sent
}

type callStateKey struct{}

func stateOf(ctx context.Context) *callState { return ctx.Value(callStateKey{}).(*callState) }

func (s *callState) response() Response {
	return Response{
		StatusCode: s.lastStatus, Header: s.header, Attempts: s.attempts,
		LimiterWait: s.limiterWait, RetryWait: s.retryWait, Body: s.body,
	}
}

// transport is one attempt: take a place, send, read the answer to its end.
type transport struct {
	core *core
	base http.RoundTripper
}

// RoundTrip sends once. The answer's body is read here, within the attempt's timeout,
// so that an answer that breaks off is a failed attempt like any other.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx := req.Context()
	s := stateOf(ctx)
	s.body, s.duration, s.made = nil, 0, false
	if !sameOrigin(req.URL, t.core.base) {
		return nil, &attemptError{err: ErrRedirect} // checkRedirect sees to it before
	}
	if err := ctx.Err(); err != nil {
		return nil, &attemptError{err: err}
	}
	if err := t.takePlace(ctx, s); err != nil {
		return nil, &attemptError{err: err, local: true}
	}
	s.made = true

	attempt, cancel := ctx, context.CancelFunc(func() {})
	if s.settings.timeout > 0 {
		d := s.settings.timeout + s.op.hold
		attempt, cancel = context.WithTimeoutCause(ctx, d, &attemptTimeout{d})
	}
	defer cancel()
	var sent sentTrace
	began := time.Now()
	s.attempts++
	resp, err := t.base.RoundTrip(req.WithContext(httptrace.WithClientTrace(attempt, sent.trace())))
	if err == nil && resp == nil {
		err = errors.New("the transport returned neither an answer nor an error")
	}
	if err != nil {
		if resp != nil && resp.Body != nil {
			resp.Body.Close()
		}
		s.duration = time.Since(began)
		t.ended(ctx, s, nil)
		return nil, &attemptError{err: sendError(ctx, attempt, err), sent: sent.may(err)}
	}
	err = t.receive(s, resp)
	s.duration = time.Since(began)
	s.lastStatus, s.header = resp.StatusCode, resp.Header
	t.ended(ctx, s, resp)
	if err != nil {
		return nil, &attemptError{err: sendError(ctx, attempt, err), sent: true, local: s.writerFailed || resp.StatusCode == http.StatusNoContent}
	}
	return resp, nil
}

// takePlace waits for the limits.
func (t *transport) takePlace(ctx context.Context, s *callState) error {
	began := time.Now()
	defer func() {
		s.attemptWait = time.Since(began)
		s.limiterWait += s.attemptWait
	}()
	return t.core.account.WaitFor(ctx, s.limited)
}

// ended tells the limiter what became of the attempt.
func (t *transport) ended(ctx context.Context, s *callState, resp *http.Response) {
	o := AttemptOutcome{Duration: s.duration}
	if resp != nil {
		o.StatusCode = resp.StatusCode
	}
	if o.StatusCode == http.StatusTooManyRequests {
		wait, _ := retryAfter(resp.Header)
		o.RetryAfter = pauseAsked(wait, t.core.policy.MaxRetryAfter)
		if t.core.logger != nil {
			t.core.logger.LogAttrs(ctx, slog.LevelWarn, "monitoring: rate limited, pausing",
				slog.String("operation", t.core.scrubber(s, false).Replace(s.op.String())), slog.Duration("retry_after", o.RetryAfter))
		}
	}
	t.core.account.Ended(s.limited, o)
}

// receive reads the answer and, where it is a success, decodes it.
func (t *transport) receive(s *callState, resp *http.Response) error {
	if resp.Body == nil {
		resp.Body = http.NoBody
	}
	body := resp.Body
	defer body.Close()
	resp.Body = http.NoBody
	if resp.StatusCode/100 != 2 {
		// Whatever the body is, and however it ends, the status counts.
		s.body, _ = io.ReadAll(io.LimitReader(body, maxErrorBody))
		io.CopyN(io.Discard, body, maxErrorBody) // the rest, so that the connection can be used again
		return nil
	}
	limit := t.core.maxResponse
	if resp.ContentLength > limit {
		return tooLarge(limit)
	}
	if s.op.stream != nil {
		out := &watchedWriter{w: s.op.stream}
		n, err := io.Copy(out, io.LimitReader(body, limit))
		s.streamed, s.writerFailed = s.streamed || n > 0, out.failed
		if err == nil && n == limit {
			if more, _ := body.Read(make([]byte, 1)); more > 0 {
				err = tooLarge(limit)
			}
		}
		if err == nil && n == 0 {
			return errEmptyAnswer
		}
		if err != nil {
			return fmt.Errorf("copy answer: %w", err)
		}
		return nil
	}
	var err error
	if s.body, err = readAll(body, resp.ContentLength, limit); err != nil {
		return fmt.Errorf("read answer: %w", err)
	}
	if s.op.decode == nil {
		return nil
	}
	if len(bytes.TrimSpace(s.body)) == 0 {
		if s.op.optionalBody {
			return nil
		}
		return errEmptyAnswer
	}
	if err := s.op.decode(s.body); err != nil {
		return &decodeError{contentType: resp.Header.Get("Content-Type"), err: err}
	}
	return nil
}

const maxErrorBody = 64 << 10

// readAll reads a body of the announced size, which may be -1 for unknown, in one
// buffer, up to the limit.
func readAll(body io.Reader, size, limit int64) ([]byte, error) {
	const trust = 4 << 20 // an announcement alone does not make us take more memory than this
	var buf bytes.Buffer
	if size >= 0 {
		buf.Grow(int(min(size, trust)) + bytes.MinRead)
	}
	n, err := buf.ReadFrom(io.LimitReader(body, limit+1))
	if err == nil && n > limit {
		err = tooLarge(limit)
	}
	return buf.Bytes(), err
}

func tooLarge(limit int64) error {
	return fmt.Errorf("%w: it is over %d bytes", ErrResponseTooLarge, limit)
}

var errEmptyAnswer = errors.New("the answer is empty")

// attemptTimeout is the end of an attempt's time. It is no error of the context, so that
// a caller does not take it for the end of its own; it is a timeout as net.Error has it.
type attemptTimeout struct{ d time.Duration }

func (e *attemptTimeout) Error() string   { return fmt.Sprintf("the attempt timed out after %s", e.d) }
func (e *attemptTimeout) Timeout() bool   { return true }
func (e *attemptTimeout) Temporary() bool { return true }

// attemptError is an attempt without a usable answer.
type attemptError struct {
	err   error
	sent  bool // the service may have seen the request
	local bool // the reason is on this side, and another attempt would not mend it
}

func (e *attemptError) Error() string { return e.err.Error() }
func (e *attemptError) Unwrap() error { return e.err }

// sendError is an error of sending or receiving, told apart from the end of the caller's
// context: a dialer's own timeout claims to be a context.DeadlineExceeded, too.
func sendError(ctx, attempt context.Context, err error) error {
	if timeout, ok := context.Cause(attempt).(*attemptTimeout); ok {
		return timeout
	}
	if text := err.Error(); strings.Contains(text, "server response headers exceeded") || strings.Contains(text, "response header list larger") {
		return fmt.Errorf("%w: the headers are over the limit of the transport", ErrResponseTooLarge)
	}
	if ctx.Err() == nil && (errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)) {
		return &networkTimeout{err}
	}
	return err
}

// networkTimeout is a timeout of the network that is not the context's.
type networkTimeout struct{ err error }

func (e *networkTimeout) Error() string      { return e.err.Error() }
func (e *networkTimeout) Timeout() bool      { return true }
func (e *networkTimeout) Temporary() bool    { return true }
func (e *networkTimeout) As(target any) bool { return errors.As(e.err, target) }

func (e *networkTimeout) Is(target error) bool {
	return target != context.DeadlineExceeded && target != context.Canceled && errors.Is(e.err, target)
}

// watchedWriter remembers whether it was the writer that failed.
type watchedWriter struct {
	w      io.Writer
	failed bool
}

func (w *watchedWriter) Write(p []byte) (int, error) {
	n, err := w.w.Write(p)
	w.failed = w.failed || err != nil
	return n, err
}

// decodeError is a success whose body is not what it should be.
type decodeError struct {
	contentType string
	err         error
}

func (e *decodeError) Error() string {
	if e.contentType != "" && !strings.Contains(e.contentType, "json") {
		return fmt.Sprintf("decode answer: %s (its content type is %.60q)", e.err, e.contentType)
	}
	return fmt.Sprintf("decode answer: %s", e.err)
}

func (e *decodeError) Unwrap() error { return e.err }

// broken reports whether the body was cut or is no JSON at all, which another attempt
// may find mended; a member of the wrong type is not.
func (e *decodeError) broken() bool {
	_, wrongType := errors.AsType[*json.UnmarshalTypeError](e.err)
	_, syntax := errors.AsType[*json.SyntaxError](e.err)
	return !wrongType && (syntax || errors.Is(e.err, io.ErrUnexpectedEOF))
}

// sentTrace watches whether a request may have left for the service. A transport that
// does not report is judged by its error.
type sentTrace struct{ reports, wrote atomic.Bool }

func (t *sentTrace) trace() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		GetConn:      func(string) { t.reports.Store(true) },
		WroteHeaders: func() { t.wrote.Store(true) },
		WroteRequest: func(httptrace.WroteRequestInfo) { t.wrote.Store(true) },
	}
}

func (t *sentTrace) may(err error) bool {
	if t.wrote.Load() {
		return true
	}
	if t.reports.Load() {
		return false
	}
	op, isOp := errors.AsType[*net.OpError](err)
	_, isDNS := errors.AsType[*net.DNSError](err)
	neverConnected := isOp && op.Op == "dial" || isDNS || errors.Is(err, syscall.ECONNREFUSED) || isTLSError(err)
	return !neverConnected
}

// isTLSError reports whether no TLS connection came about.
func isTLSError(err error) bool {
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return true
	}
	if _, ok := errors.AsType[tls.RecordHeaderError](err); ok {
		return true
	}
	if op, ok := errors.AsType[*net.OpError](err); ok && (op.Op == "remote error" || op.Op == "local error") {
		return true // an alert: crypto/tls wraps it so
	}
	_, ok := errors.AsType[tls.AlertError](err)
	return ok
}
