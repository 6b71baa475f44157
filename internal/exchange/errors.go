package exchange

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"reflect"
	"strings"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

// The errors of a call without a usable response. Each matches itself and what is in the table. The
// errors of transports, of places, of Accept and of the user's CheckRedirect pass through as they
// are, except for networkTimeout. The last column holds unless Accept returns a Fault.
//
//	Error               Made by               When                                         Matches                            A retry
//	contextEnd          EndOf                 the caller's context has ended               the context's error, its cause     cannot help
//	attemptTimeout      RoundTrip             the time of the attempt has passed           a net.Error that is a timeout      may help
//	networkTimeout      RoundTrip, Keys       a deadline passed that is not the caller's   what it wraps, no context's error  may help; of a key or a place it cannot
//	StepError           receive, Keys, and    something failed; it says what               what it wraps, and its Also        as what it wraps; of a key or a place it cannot help
//	                    the caller
//	Sender.ErrRedirect  RoundTrip, redirects  a redirect leads away                        itself                             cannot help
//	Sender.ErrTooLarge  receive, RoundTrip    the body or the header is over its limit     itself                             cannot help
//	failed              RoundTrip             always, around the error of an attempt       what it wraps                      as its fault says
//
// As a cause, an OfACall is not matched. Only failed has a Fault, and it does not leave the
// package: Texts.Error takes it off.

// contextEnd is the error of an ended context. It always matches context.Canceled or
// context.DeadlineExceeded. The text has the context's cause, if there is one. errors.Is
// matches the cause by identity only, because it is not the error of this call.
type contextEnd struct{ err, cause error }

// EndOf returns the error of an ended context, or nil if it has not ended.
func EndOf(ctx context.Context) error {
	err := ctx.Err()
	if err == nil {
		return nil
	}
	return &contextEnd{err: err, cause: context.Cause(ctx)}
}

func isContextEnd(err error) bool {
	_, ok := errors.AsType[*contextEnd](err)
	return ok
}

func (e *contextEnd) Error() string {
	if e.cause == nil || e.cause.Error() == e.err.Error() {
		return e.err.Error()
	}
	return e.err.Error() + ": " + scrub.Clean(e.cause.Error())
}

func (e *contextEnd) Unwrap() error { return e.err }

// OfACall marks the errors that say how a call ended. As the cause of a context such an error says
// nothing about the call that the context ended, so that one does not match it.
type OfACall interface{ OfACall() }

func (e *contextEnd) Is(target error) bool {
	_, other := target.(OfACall)
	return target != nil && reflect.TypeOf(target).Comparable() && target == e.cause && !other
}

// Timeout reports whether the deadline has passed, as for a net.Error.
func (e *contextEnd) Timeout() bool { return e.err == context.DeadlineExceeded }

// Sleep waits for a time. If the context ends before, it returns the context's error.
func Sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return EndOf(ctx)
	}
	select {
	case <-ctx.Done():
		return EndOf(ctx)
	case <-time.After(d):
		return nil
	}
}

// attemptTimeout is the error when the time of an attempt has passed. It is a timeout in the
// sense of net.Error, but not context.DeadlineExceeded: the caller's context has not ended.
type attemptTimeout struct{ d time.Duration }

func (e *attemptTimeout) Error() string   { return fmt.Sprintf("the attempt timed out after %s", e.d) }
func (e *attemptTimeout) Timeout() bool   { return true }
func (e *attemptTimeout) Temporary() bool { return true }

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

// ownTimeout hides the errors of contexts in an error: only the end of the caller's context may
// match them. A dialer's timeout does, too.
func ownTimeout(err error) error {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return &networkTimeout{err}
	}
	return err
}

// StepError says what failed, such as reading the response, and what the caller can do. What and
// Advice must not hold a secret; each may be empty.
type StepError struct {
	What   string
	Err    error
	Advice string
	Also   error // matches, too; may be nil
}

func (e *StepError) Error() string {
	text := strings.TrimPrefix(e.Err.Error(), "monitoring: ")
	if e.What != "" {
		text = e.What + ": " + text
	}
	if e.Advice != "" {
		text += ": " + e.Advice
	}
	return text
}
func (e *StepError) Unwrap() error        { return e.Err }
func (e *StepError) Is(target error) bool { return e.Also != nil && target == e.Also }

// failed is the error of an attempt without a usable response, on its way through net/http and
// go-retryablehttp.
type failed struct {
	err   error
	fault Fault
}

func (e *failed) Error() string { return e.err.Error() }
func (e *failed) Unwrap() error { return e.err }

// faultIn returns the fault of an attempt from what net/http returned.
func faultIn(err error) Fault {
	if err == nil {
		return NoFault
	}
	if f, ok := errors.AsType[*failed](err); ok {
		return f.fault
	}
	return Unfollowed
}

// Texts removes the secrets of a call from its texts.
type Texts struct {
	Own  *scrub.Scrubber // keys and account
	Body []string        // the secrets of the body
}

// Hide adds a key.
func (t *Texts) Hide(key string) { t.Own = t.Own.With(key) }

// Scrubber returns the scrubber of all secrets. It is made when a text needs it, which is the case
// in few calls.
func (t *Texts) Scrubber() *scrub.Scrubber {
	if t.Body == nil {
		return t.Own
	}
	return t.Own.With(t.Body...)
}

// Error returns an error for the caller: without net/http's wrapping, which contains the address,
// and without secrets.
func (t *Texts) Error(err error) scrub.Safe {
	if wrapped, ok := err.(*url.Error); ok { // only the outermost one is net/http's
		err = wrapped.Err
	}
	if f, ok := errors.AsType[*failed](err); ok {
		err = f.err
	}
	s := t.Scrubber()
	if s.IsNetwork(err, ours) { // it contains no values of the body: remove keys and account only
		return t.Own.Error(err)
	}
	return s.Error(err)
}

// ours says that an error is of this package, with texts of its own, and what it wraps.
func ours(err error) (inner error, ours bool) {
	switch e := err.(type) {
	case *contextEnd, *attemptTimeout:
		return nil, true
	case *StepError:
		return e.Err, true
	case *networkTimeout:
		return e.err, true
	}
	return nil, false
}
