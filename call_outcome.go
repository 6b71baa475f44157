package monitoring

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

// operationName returns the name of WithOperation, or else the method and path: with
// placeholders, except for an untyped call.
func (e *exchange) operationName() string {
	if e.settings.operation != "" {
		return e.settings.operation
	}
	if e.op.path.raw {
		return e.method() + " " + e.op.path.text(e.own)
	}
	return e.op.String()
}

// method returns the method for texts. An invalid one is not quoted: a caller may have passed
// anything, even the key.
func (e *exchange) method() string {
	if !validMethod(e.op.method) || strings.EqualFold(e.op.method, e.core.key.Reveal()) {
		return "(no method)"
	}
	return e.op.method
}

// scrubber removes the keys, the account and the secrets of the body from texts. It is made
// when a text needs it, which is the case in few calls.
func (e *exchange) scrubber() *scrub.Scrubber {
	if e.secrets == nil {
		return e.own
	}
	return e.own.With(e.secrets...)
}

// scrubberFor returns a scrubber for texts about calls with these options that no single call
// makes: it removes the keys and the accounts.
func (c *core) scrubberFor(opts []CallOption) *scrub.Scrubber {
	if c == nil {
		return scrub.New()
	}
	s := c.scrubber()
	if settings, err := c.call.with(opts); err == nil && settings.account != c.call.account {
		s = s.With(settings.account.Reveal())
	}
	if last := c.lastKey.Load(); last != nil {
		s = s.With(last.Reveal())
	}
	return s
}

// failure returns the error of an attempt for the caller: without net/http's wrapping, which
// contains the URL, and without secrets.
func (e *exchange) failure(err error) error {
	if wrapped, ok := err.(*url.Error); ok { // only the outermost one is net/http's
		err = wrapped.Err
	}
	if failed, ok := errors.AsType[*attemptError](err); ok {
		err = failed.err
	}
	s := e.scrubber()
	if s.IsNetwork(err, ours) { // it contains no values of the body: remove keys and account only
		return e.own.Error(err)
	}
	return s.Error(err)
}

// outcome turns the end of a call into its error.
func (e *exchange) outcome(ctx context.Context, resp *http.Response, err error) error {
	unknown := e.op.class == classUnsafe && e.meaning.unknown
	if err != nil {
		return e.callError(ctx, err, unknown)
	}
	if resp.StatusCode/100 == 2 {
		return nil
	}
	if resp.StatusCode == http.StatusNotFound && e.op.method == http.MethodDelete && e.lost {
		return nil // an earlier attempt, whose response was lost, has deleted it
	}
	apiErr := &APIError{
		StatusCode: resp.StatusCode, Method: e.method(), Path: e.op.path.text(e.scrubber()),
		Attempts: e.attempts, Header: resp.Header.Clone(), base: e.core.address(), note: e.note,
	}
	apiErr.readBody(e.body)
	apiErr.scrub(e.scrubber())
	apiErr.RetryAfter, _ = retryAfter(resp.Header)
	switch {
	case unknown:
		apiErr.Kind = ErrOutcomeUnknown
	case e.op.class == classPoll && resp.StatusCode == http.StatusRequestTimeout:
		apiErr.Kind = ErrNotCompleted
	case e.op.triggers && apiErr.saysNoMatch():
		apiErr.Kind = ErrNoMatchingChecks
	}
	if e.interrupted != nil {
		return e.callError(ctx, &interruptedResponse{e.interrupted, apiErr}, unknown)
	}
	return apiErr
}

// interruptedResponse is a response without success whose body was being received when the
// context ended. It matches both: the status still says what has become of the operation.
type interruptedResponse struct {
	end    error
	status *APIError
}

func (e *interruptedResponse) Error() string   { return "read the response: " + e.end.Error() }
func (e *interruptedResponse) Unwrap() []error { return []error{e.end, e.status} }

// callError returns the error of a call without a usable response.
func (e *exchange) callError(ctx context.Context, err error, unknown bool) error {
	failed := &CallError{
		Operation: e.method() + " " + e.op.path.text(e.scrubber()), Attempts: e.attempts, LastStatus: e.status,
		Err: e.failure(err), base: e.core.address(), unknown: unknown, note: e.note, retry: e.meaning.retry,
	}
	if end := endOf(ctx); end != nil && errors.Is(err, ctx.Err()) {
		if _, told := errors.AsType[*contextEnd](err); !told { // go-retryablehttp's own wait was interrupted
			failed.Err, failed.last = end, e.failed
		}
	}
	if d, ok := errors.AsType[*DecodeError](failed.Err); ok {
		d.Operation = e.name
		if !unknown && e.op.class == classUnsafe && e.status/100 == 2 {
			failed.note = "it was carried out, but its response cannot be read"
		}
	}
	return failed
}
