package monitoring

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/await"
	"github.com/monitoring-api/monitoring-go/internal/exchange"
	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

var (
	errNoStatus     = errors.New("the response has no status of the session")
	errOtherSession = errors.New("the response is about another session: a proxy or gateway in front of the service mixes up responses")
)

// mostStatus is how many characters of an unknown status are shown.
const mostStatus = 40

// shownStatus returns the status of a session for texts. Any text may stand where a status should,
// so one that is none of the constants is quoted, on one line, and short.
func shownStatus(s *scrub.Scrubber, status CheckSessionStatus) string {
	if status == "" || status.Done() || unfinished(status) {
		return string(status)
	}
	return "with unknown status " + s.Quote(string(status), mostStatus)
}

// waitError is the reason why a waiting ended, and the last failure before it, or nil.
type waitError struct{ reason, failure error }

func (e *waitError) Error() string {
	text := strings.TrimPrefix(e.reason.Error(), "monitoring: ")
	if e.failure != nil {
		text += ": the last request failed: " + strings.TrimPrefix(e.failure.Error(), "monitoring: ")
	}
	return text
}

// Unwrap lets both match, except a failure by the end of another context: it would look like
// the end of this one.
func (e *waitError) Unwrap() []error {
	if e.failure == nil || isContextError(e.failure) {
		return []error{e.reason}
	}
	return []error{e.reason, e.failure}
}

// waitTimeout is ErrWaitTimeout with the time.
type waitTimeout struct{ after time.Duration }

func (e *waitTimeout) Error() string        { return fmt.Sprintf("not finished within %s", e.after) }
func (e *waitTimeout) Is(target error) bool { return target == ErrWaitTimeout }

// gaveUpError says that there were only failures for GiveUpAfter.
type gaveUpError struct{ after time.Duration }

func (e *gaveUpError) Error() string {
	return fmt.Sprintf("gave up: every request failed for %s", e.after.Round(time.Second))
}

// sessionError is the error of a session whose end could not be awaited. Every error of a single
// session is made here, but that of options that are not valid.
func (w *sessionWait) sessionError(ctx context.Context, end await.End[CheckSession]) *SessionError {
	reason := end.Err
	switch end.Reason {
	case await.GaveUp:
		reason = &waitError{&gaveUpError{end.Failing}, end.Err}
	case await.TimedOut:
		reason = &waitError{&waitTimeout{w.options.Timeout}, end.Err}
	case await.Interrupted:
		reason = &waitError{exchange.EndOf(ctx), end.Err}
	}
	own := w.service.core.scrubberFor(w.opts)
	err := &SessionError{ID: own.Text(end.ID), Session: end.State, SeenAt: end.SeenAt, Err: reason}
	if end.State != nil {
		err.status = shownStatus(own, end.State.Status)
	}
	return err
}

// askedPause is how long the service asked to wait; 0 if it did not.
func askedPause(err error) time.Duration {
	if e, ok := errors.AsType[*APIError](err); ok {
		return e.RetryAfter
	}
	return 0
}

// isAbout returns an error if a response is about another session or has no status. A missing
// id is set.
func isAbout(session *CheckSession, id string) error {
	switch {
	case session.CheckSessionID == "":
		session.CheckSessionID = id
	case !strings.EqualFold(session.CheckSessionID, id):
		return errOtherSession
	}
	if session.Status == "" {
		return errNoStatus
	}
	return nil
}

// unfinished reports whether a status says that a session still runs. An unknown status
// counts as done: the completion should respond with a session only when it is done.
func unfinished(status CheckSessionStatus) bool {
	switch status {
	case SessionStarted, SessionProgress, SessionProgressFailed, SessionProgressDegraded:
		return true
	}
	return false
}

// isAbsent reports whether the error suggests that there is no completion: a gateway may not
// have the route, or may respond with a page of its own.
func isAbsent(err error) bool {
	if e, ok := errors.AsType[*APIError](err); ok {
		switch e.StatusCode {
		case http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusGone, http.StatusNotImplemented:
			return true
		}
	}
	d, ok := errors.AsType[*DecodeError](err)
	return ok && d.fault != exchange.Lost
}

// temporary reports whether a failed request may succeed later.
func temporary(err error) bool {
	if e, ok := errors.AsType[*APIError](err); ok {
		switch e.StatusCode {
		case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests, exchange.StatusClientClosed:
			return true
		}
		return e.StatusCode >= 500 && e.StatusCode != http.StatusNotImplemented
	}
	e, ok := errors.AsType[*CallError](err)
	return err == errNoStatus || ok && e.retry
}

func isContextError(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
