package monitoring

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/await"
	"github.com/monitoring-api/monitoring-go/internal/exchange"
	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

// ErrWaitTimeout is the error of a session that was still running after [WaitOptions].Timeout. It
// does not match the errors of a context.
var ErrWaitTimeout = newErrValue("monitoring: wait timed out")

var (
	errNoStatus = errors.New("the response has no status")
	errOtherID  = errors.New("the response has another id: a proxy or gateway in front of the service mixes up responses")
)

// SessionError means that a session could not be followed to its end.
type SessionError struct {
	ID string
	// Session is the session as last seen, or nil.
	Session *CheckSession
	// TestSession is the same in a wait for a test session.
	TestSession *TestSession
	// SeenAt is the time of the response that contained the session, or zero.
	SeenAt time.Time
	// Err is the reason: a failure that cannot be retried, failures for longer than GiveUpAfter,
	// the end of the context, or [ErrWaitTimeout]. The last three also wrap the failure of the last
	// request, if it failed.
	Err error

	// Cancelled reports whether the service agreed to cancel the session; see
	// [WaitOptions].CancelUnfinished.
	Cancelled bool

	made    time.Time  // when the wait ended; zero if a caller made the error
	running bool       // the session may run on
	test    bool       // it is a test session
	status  scrub.Line // the status of Session for the text; empty if a caller made the error
	name    scrub.Line // its name, likewise
}

// Error returns the check, the session, its last status and how old that is, the reason, and
// whether the session keeps running.
func (e *SessionError) Error() string {
	if e == nil {
		return "monitoring: no error"
	}
	if e.Err == nil {
		return "monitoring: wait for " + e.what() + ": no reason is known"
	}
	status, _ := e.shown()
	seen := status.String()
	if strings.HasPrefix(seen, `"`) { // it is none of the constants
		seen = "with unknown status " + seen
	}
	if seen != "" {
		seen = ", last seen " + seen
		if !e.made.IsZero() {
			seen += " " + ago(e.made.Sub(e.SeenAt))
		}
	}
	return waitText(e.which(seen), e.Err, e.afterwards(1))
}

// shown returns the status and the name for texts.
func (e *SessionError) shown() (status, name scrub.Line) {
	if seen := e.seen(); seen != nil && e.made.IsZero() {
		_, text, title, known := seen.about()
		return shownStatus(scrub.New(), text, known), shownName(scrub.New(), title)
	}
	return e.status, e.name
}

// seen returns the session as last seen; nil if it was not seen.
func (e *SessionError) seen() awaited {
	switch {
	case e.Session != nil:
		return e.Session
	case e.TestSession != nil:
		return e.TestSession
	}
	return nil
}

// what says which kind of session it is.
func (e *SessionError) what() string {
	if e.test || e.TestSession != nil {
		return "test session"
	}
	return "check session"
}

// which says which session it is, with more that is known of it.
func (e *SessionError) which(more string) string {
	if _, name := e.shown(); name != (scrub.Line{}) {
		return fmt.Sprintf("%s (session %.64s%s)", name, scrub.Clean(e.ID), more)
	}
	return fmt.Sprintf("%s %.64q", e.what(), e.ID) + more
}

// afterwards says what becomes of so many sessions like this one; "" if they have ended.
func (e *SessionError) afterwards(sessions int) string {
	text := [2]string{}
	switch {
	case e.Cancelled && e.Session != nil && e.Session.CheckType != "" && e.Session.CheckType != CheckTypePlaywright:
		const why = ", because only PLAYWRIGHT checks can be canceled"
		text = [2]string{"the session keeps running" + why, "the sessions keep running" + why}
	case e.Cancelled:
		text = [2]string{"the service agreed to cancel the session", "the service agreed to cancel the sessions"}
	case e.running && errors.Is(e.Err, ErrNotFound):
		text = [2]string{"whether it runs is not known", "whether they run is not known"}
	case e.running:
		text = [2]string{"the session keeps running", "the sessions keep running"}
	}
	return text[min(sessions, 2)-1]
}

// waitText says what could not be awaited, why, and what becomes of it.
func waitText(what string, reason error, after string) string {
	text := fmt.Sprintf("monitoring: wait for %s: %s", what, strings.TrimPrefix(reason.Error(), "monitoring: "))
	if after == "" {
		return text
	}
	return strings.TrimSuffix(text, ".") + "; " + after // a text of the service may end with a full stop
}

// mostAlike is how many sessions of one reason have a line each in the text of a joined error.
// Below: less is said of two sessions. Above: a wall of lines after an interrupt.
const mostAlike = 3

// waitErrors joins the errors of a wait for several sessions. Its text has one line for all that
// have the same reason, if they are many.
type waitErrors struct{ list []error }

// joinWaitErrors joins errors as errors.Join does.
func joinWaitErrors(errs ...error) error {
	if errs = slices.DeleteFunc(errs, func(err error) bool { return err == nil }); len(errs) == 0 {
		return nil
	}
	return &waitErrors{errs}
}

func (j *waitErrors) Unwrap() []error { return j.list }

func (j *waitErrors) Error() string {
	alike := make(map[string][]*SessionError)
	for _, e := range SessionErrors(j) {
		alike[e.group()] = append(alike[e.group()], e)
	}
	var lines []string
	for _, err := range j.list {
		e, ok := err.(*SessionError)
		if !ok || len(alike[e.group()]) <= mostAlike {
			lines = append(lines, err.Error())
		} else if all := alike[e.group()]; all[0] == e {
			what := fmt.Sprintf("%d check sessions, such as %s, %s, %s", len(all), e.which(""), all[1].which(""), all[2].which(""))
			lines = append(lines, waitText(what, e.Err, e.afterwards(len(all))))
		}
	}
	return strings.Join(lines, "\n")
}

// group is equal for sessions of which the same is to be said, but for the details of a request.
func (e *SessionError) group() string {
	reason := e.Err.Error()
	switch err := e.Err.(type) {
	case *waitError:
		reason = err.reason.Error()
	case *APIError:
		reason = fmt.Sprint(err.StatusCode, err.Message)
	}
	return e.afterwards(1) + reason
}

// ago says how long ago something was, in whole seconds up to two minutes and in minutes beyond.
func ago(d time.Duration) string {
	if d >= 2*time.Minute {
		return fmt.Sprintf("%d min ago", d.Round(time.Minute)/time.Minute)
	}
	return fmt.Sprintf("%d s ago", d.Round(time.Second)/time.Second)
}

// Unwrap returns the reason.
func (e *SessionError) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.Err
}

// SessionErrors returns the errors of single sessions in an error of
// [CheckSessionsService.TriggerAndWait], in the order of their ends, or nil.
func SessionErrors(err error) []*SessionError {
	switch e := err.(type) {
	case *SessionError:
		return []*SessionError{e}
	case interface{ Unwrap() []error }:
		var list []*SessionError
		for _, inner := range e.Unwrap() {
			list = append(list, SessionErrors(inner)...)
		}
		return list
	case interface{ Unwrap() error }:
		return SessionErrors(e.Unwrap())
	}
	return nil
}

// mostStatus is how many characters of an unknown status are shown: the known ones have at most 17.
const mostStatus = 40

// shownStatus returns the status of a session for texts. Any text may stand where a status should,
// so one that is none of the constants is quoted, on one line, and short.
func shownStatus(s *scrub.Scrubber, status string, known bool) scrub.Line {
	if status == "" || known {
		return s.Line(status)
	}
	return s.Quote(status, mostStatus)
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

// whyNot is why a thing that was awaited is not done.
func whyNot(ctx context.Context, end await.End, timeout time.Duration) error {
	switch end.Reason {
	case await.GaveUp:
		return &waitError{fmt.Errorf("gave up: every request failed for %s", end.Failing.Round(time.Second)), end.Err}
	case await.TimedOut:
		return &waitError{&waitTimeout{timeout}, end.Err}
	case await.Interrupted:
		return &waitError{exchange.EndOf(ctx), end.Err}
	}
	return end.Err
}

// sessionError is the error of a session whose end could not be awaited. Every error of a single
// session is made here, but that of options that are not valid.
func (w *sessionWait) sessionError(ctx context.Context, end await.End) *SessionError {
	reason := whyNot(ctx, end, w.options.Timeout)
	if end.Reason == await.Failed && end.State != nil && errors.Is(end.Err, ErrNotFound) {
		reason = &waitError{fmt.Errorf("the service no longer knows the session, which had not ended at %s; it may have ended since",
			end.SeenAt.UTC().Format(time.RFC3339)), end.Err}
	}
	scrubber := w.service.owner().scrubberFor(w.opts)
	err := &SessionError{
		ID: scrubber.Text(end.ID), Session: stateOf[CheckSession](end), TestSession: stateOf[TestSession](end), SeenAt: end.SeenAt,
		Err: reason, Cancelled: end.Cancelled, made: time.Now(), running: end.Running(), test: w.test,
	}
	if seen := err.seen(); seen != nil {
		_, status, name, known := seen.about()
		err.status, err.name = shownStatus(scrubber, status, known), shownName(scrubber, name)
	}
	return err
}

// isAbout returns an error if a response is about another thing, or has no status. A missing id is
// set.
func isAbout(got *string, status, id string) error {
	switch {
	case *got == "":
		*got = id
	case !strings.EqualFold(*got, id):
		return errOtherID
	}
	if status == "" {
		return errNoStatus
	}
	return nil
}

// outcomeOf is what a failed request means for a wait. What polls ask for may be absent although
// there is the session: a gateway may not have the route, or respond with a page of its own.
func outcomeOf(err error, poll bool) await.Outcome {
	if e, ok := errors.AsType[*APIError](err); ok {
		switch e.StatusCode {
		case http.StatusTooManyRequests:
			return await.Limited
		case http.StatusNotFound:
			return await.Absent
		case http.StatusMethodNotAllowed, http.StatusGone, http.StatusNotImplemented:
			if poll {
				return await.Absent
			}
			return await.Refused
		case http.StatusRequestTimeout, http.StatusTooEarly, exchange.StatusClientClosed:
			return await.Temporary
		}
		if e.StatusCode >= 500 {
			return await.Temporary
		}
		return await.Refused
	}
	if e, ok := errors.AsType[*CallError](err); ok && e.retry || err == errNoStatus {
		return await.Temporary
	}
	if _, ok := errors.AsType[*DecodeError](err); ok && poll {
		return await.Absent
	}
	return await.Refused
}

// askedPause is how long the service asked to wait with a failure, as far as the client obeys it; 0
// if it did not ask.
func (c *core) askedPause(err error) time.Duration {
	if e, ok := errors.AsType[*APIError](err); ok {
		return min(e.RetryAfter, c.policy.MaxRetryAfter)
	}
	return 0
}

func isContextError(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
