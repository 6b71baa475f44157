package monitoring

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// attempt has the result of one attempt.
type attempt struct {
	placed   bool          // it got its place, and the request was handed to the transport
	wait     time.Duration // for its place
	duration time.Duration // from sending to the end of the response
	status   int           // of the response, 0 if there was none
}

// RoundTrip makes one attempt: it takes a place, sends, and reads the response to its end,
// all within the time of the attempt, so that a response that breaks off is a failed
// attempt like any other.
func (e *exchange) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx := req.Context()
	e.backedOff()
	e.last = attempt{}
	e.body = nil
	if !belongs(req.URL, e.core.base) { // checkRedirect has checked it, but a wrapping transport may have changed it
		return nil, &attemptError{err: ErrRedirect, local: true}
	}
	err := endOf(ctx)
	if err == nil {
		err = e.takeKey(ctx)
	}
	if err == nil {
		err = e.takePlace(ctx)
	}
	if err != nil {
		return nil, &attemptError{err: err, local: true}
	}
	e.last.placed = true
	e.attempts++
	began := time.Now()
	defer func() { // also when the transport panics
		e.last.duration = time.Since(began)
		e.inFlight += e.last.duration
		e.ended()
	}()
	return e.send(e.authorize(req))
}

// send sends once and reads the response, within the time of an attempt.
func (e *exchange) send(req *http.Request) (*http.Response, error) {
	ctx := req.Context()
	limited, cancel := ctx, context.CancelFunc(func() {})
	if e.settings.timeout > 0 {
		d := e.settings.timeout + e.op.hold
		limited, cancel = context.WithTimeoutCause(ctx, d, &attemptTimeout{d})
	}
	defer cancel()
	var sent sentTrace
	resp, err := e.base.RoundTrip(req.WithContext(httptrace.WithClientTrace(limited, sent.trace())))
	if err == nil && resp == nil {
		err = errors.New("the transport returned neither a response nor an error")
	}
	if err != nil {
		if resp != nil && resp.Body != nil {
			resp.Body.Close()
		}
		return nil, &attemptError{err: sendError(ctx, limited, err), sent: sent.may(err)}
	}
	e.last.status = resp.StatusCode
	e.status, e.header = resp.StatusCode, resp.Header
	if err = e.receive(ctx, limited, resp); err == nil {
		return resp, nil
	}
	failed := &attemptError{err: sendError(ctx, limited, err), sent: true}
	if d, ok := errors.AsType[*DecodeError](err); ok {
		failed.done = !d.broken && !d.foreign
	}
	// The caller's writer failed or already has a part, or the status does not allow a body.
	failed.local = e.writerFailed || e.streamed || resp.StatusCode == http.StatusNoContent
	return nil, failed
}

// takePlace waits for a place in the limit.
func (e *exchange) takePlace(ctx context.Context) error {
	began := time.Now()
	defer func() {
		e.last.wait = time.Since(began)
		e.limiterWait += e.last.wait
	}()
	err := e.core.account.WaitFor(ctx, e.limited)
	if err == nil {
		if e.settings.waiting != nil {
			e.settings.waiting.placed()
		}
		return nil
	}
	if _, ours := errors.AsType[*placeError](err); ours {
		return err
	}
	if ctx.Err() != nil && errors.Is(err, ErrRateLimited) { // a pause outlasted the context
		return newPlaceError(ctx, later(e.core.account.State().PausedUntil, time.Now()))
	}
	if end := endOf(ctx); end != nil { // a user's limiter may return another error
		return &stepError{"waiting for the rate limit", end}
	}
	return err
}

// ended tells the limiter how the attempt ended.
func (e *exchange) ended() {
	outcome := AttemptOutcome{StatusCode: e.last.status, Duration: e.last.duration}
	if outcome.StatusCode == http.StatusTooManyRequests {
		asked, _ := retryAfter(e.header)
		outcome.RetryAfter = pauseAsked(asked, e.core.policy.MaxRetryAfter)
	}
	e.core.account.Ended(e.limited, outcome)
}

// stepError is an error with the step that it interrupted, such as reading the response.
type stepError struct {
	step string
	err  error
}

func (e *stepError) Error() string { return e.step + ": " + e.err.Error() }
func (e *stepError) Unwrap() error { return e.err }

// ours says that an error is of this package, with texts of its own, and what it wraps.
func ours(err error) (inner error, ours bool) {
	switch e := err.(type) {
	case *placeError, *contextEnd, *attemptTimeout:
		return nil, true
	case *stepError:
		return e.err, true
	case *networkTimeout:
		return e.err, true
	}
	return nil, false
}

// attemptError is the error of an attempt without a usable response.
type attemptError struct {
	err   error
	sent  bool // the service may have seen the request
	done  bool // the service carried out the operation, but its response cannot be read
	local bool // the reason is local or final: a retry cannot help
}

func (e *attemptError) Error() string { return e.err.Error() }
func (e *attemptError) Unwrap() error { return e.err }

// attemptTimeout is the error when the time of WithTimeout has passed. It is a timeout in the
// sense of net.Error, but not context.DeadlineExceeded: the caller's context has not ended.
type attemptTimeout struct{ d time.Duration }

func (e *attemptTimeout) Error() string   { return fmt.Sprintf("the attempt timed out after %s", e.d) }
func (e *attemptTimeout) Timeout() bool   { return true }
func (e *attemptTimeout) Temporary() bool { return true }

// sendError returns an error of sending or receiving. Only the end of the caller's context may
// match context.DeadlineExceeded or context.Canceled. A dialer's timeout does, too, which
// networkTimeout hides.
func sendError(ctx, limited context.Context, err error) error {
	if end := endOf(ctx); end != nil {
		return end
	}
	if timeout, ok := context.Cause(limited).(*attemptTimeout); ok {
		return timeout
	}
	if text := err.Error(); strings.Contains(text, "server response headers exceeded") || strings.Contains(text, "response header list larger") {
		return fmt.Errorf("%w: the headers are over the limit of the transport", ErrResponseTooLarge)
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return &networkTimeout{err}
	}
	return err
}

// networkTimeout is a timeout that does not come from the caller's context.
type networkTimeout struct{ err error }

func (e *networkTimeout) Error() string      { return e.err.Error() }
func (e *networkTimeout) Behind() error      { return e.err } // for package scrub
func (e *networkTimeout) Timeout() bool      { return true }
func (e *networkTimeout) Temporary() bool    { return true }
func (e *networkTimeout) As(target any) bool { return errors.As(e.err, target) }

func (e *networkTimeout) Is(target error) bool {
	return target != context.DeadlineExceeded && target != context.Canceled && errors.Is(e.err, target)
}

// sentTrace watches whether a request may have been sent to the service. If the transport
// calls no hooks, its error decides.
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

// isTLSError reports whether the TLS handshake failed.
func isTLSError(err error) bool {
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return true
	}
	if _, ok := errors.AsType[tls.RecordHeaderError](err); ok {
		return true
	}
	if op, ok := errors.AsType[*net.OpError](err); ok && (op.Op == "remote error" || op.Op == "local error") {
		return true // crypto/tls wraps alerts in this way
	}
	_, ok := errors.AsType[tls.AlertError](err)
	return ok
}
