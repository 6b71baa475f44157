package monitoring

import (
	"errors"
	"net/http"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
)

// outcome turns the result of a call into its error. What package exchange says becomes public here.
func (o *ongoing) outcome() error {
	result := &o.result
	switch {
	case result.Err != nil:
		return o.callError(result.Err)
	case result.StatusCode/100 == 2:
		return nil
	case result.StatusCode == http.StatusNotFound && o.op.method == http.MethodDelete && result.MayHaveDone:
		return nil // an earlier attempt, whose response was lost, has deleted it
	}
	response := o.apiError()
	if result.Interrupted != nil {
		return o.callError(o.call.Texts.Error(&interruptedResponse{result.Interrupted, response}))
	}
	return response
}

// apiError returns the error of a response that is not a success.
func (o *ongoing) apiError() *APIError {
	result, own := &o.result, o.scrubber()
	e := &APIError{
		StatusCode: result.StatusCode, Method: o.method(), Path: o.op.path.text(own),
		Attempts: result.Attempts, Header: result.Header.Clone(), base: o.core.address(), note: result.Note,
	}
	e.readBody(result.Body)
	e.scrub(own)
	e.RetryAfter, _ = exchange.RetryAfter(result.Header)
	switch {
	case result.Unknown:
		e.Kind = ErrOutcomeUnknown
	case o.op.class == exchange.Poll && e.StatusCode == http.StatusRequestTimeout:
		e.Kind = ErrNotCompleted
	case o.op.triggers && e.saysNoMatch():
		e.Kind = ErrNoMatchingChecks
	}
	return e
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
func (o *ongoing) callError(err error) error {
	result := &o.result
	e := &CallError{
		Operation: o.method() + " " + o.op.path.text(o.scrubber()), Attempts: result.Attempts, LastStatus: result.StatusCode,
		Err: err, last: result.LastFailure, base: o.core.address(), unknown: result.Unknown, note: result.Note, retry: result.Temporary,
	}
	if d, ok := errors.AsType[*DecodeError](err); ok {
		d.Operation = o.name()
		if !result.Unknown && o.op.class == exchange.Unsafe && result.StatusCode/100 == 2 {
			e.note = "it was carried out, but its response cannot be read"
		}
	}
	return e
}
