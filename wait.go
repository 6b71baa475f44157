package monitoring

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/await"
	"github.com/monitoring-api/monitoring-go/internal/scrub"
	"github.com/monitoring-api/monitoring-go/internal/workers"
)

// ErrWaitTimeout is the error of a session that still ran when [WaitOptions].Timeout had
// passed. It matches no error of a context.
var ErrWaitTimeout = newErrValue("monitoring: wait timed out")

// WaitOptions are the options of waiting. The zero value is a good default. Invalid options
// are an error before anything is sent.
type WaitOptions struct {
	// OnTriggered is called once by TriggerAndWait when the checks have been triggered, before
	// the waiting begins, with the sessions that were started, each once, in the order of the
	// response. It can show them at once. It must not change them.
	//
	// The goroutine of TriggerAndWait calls it, and the waiting begins when it returns, so it
	// must not block for long. A panic in it passes through TriggerAndWait to the caller. The
	// sessions go on, unless CancelOnInterrupt is set. It is not called if the trigger failed or
	// started nothing, and not by Wait and WaitAll, which trigger nothing.
	OnTriggered func([]*CheckSession)
	// OnProgress is called when the waiting begins, after each session that has finished or
	// failed, and when another status of a session was seen. It is not called at fixed
	// intervals, and not for sessions that still run when the context or the Timeout ends the
	// waiting. The goroutine that waits calls it, one call after the other; it should return
	// soon.
	//
	// With OnProgress, sessions are read every half minute with places in the limit that no
	// other call waits for. If there are such places, no status is older than a minute, for
	// up to 100 sessions.
	OnProgress func(WaitProgress)
	// Timeout ends the waiting after this time, counted from the call; 0 is never. Sessions
	// that still run are then read once more, within five seconds and the limit. If one has
	// not finished, its error is a [*SessionError] that matches [ErrWaitTimeout] and has the
	// session as it is then, with its results. The request of a trigger is not interrupted.
	Timeout time.Duration
	// GiveUpAfter ends the waiting for a session if there were only failures for this time:
	// lost connections, server errors, 429s. 0 is five minutes.
	GiveUpAfter time.Duration
	// Share bounds the part of the client's rate limit that the waiting may use, up to 1; 0
	// is 1. Long polls take the places that ordinary calls leave, so a program that has the
	// account for itself needs no bound. If other processes use the account, too, leave
	// their part to them: 0.5 for two processes that are alike. A [Limiter] of your own whose
	// State has no limit counts as the default limit.
	Share float64
	// CancelOnInterrupt cancels the sessions that still run when the context or the Timeout
	// ends the waiting, or when a loop over WaitAll is left, and only then returns. It is off
	// by default. Sessions that could not be cancelled in time go on, and so do API checks and
	// others that the service cannot cancel; see [CheckSessionsService.Cancel].
	//
	// If the context ends before the response to the trigger has come, the ids of its sessions
	// are not known: TriggerAndWait returns [ErrOutcomeUnknown], and nothing is cancelled. To
	// avoid that, call Trigger with [context.WithoutCancel], and then WaitAll with the context.
	CancelOnInterrupt bool
	// CancelGrace bounds the time that CancelOnInterrupt takes; 0 is 10 seconds and a tenth
	// of a second more for each session.
	CancelGrace time.Duration
}

// check refuses invalid options, a nil context, and a service without a client.
func (o WaitOptions) check(ctx context.Context, s *service) error {
	switch {
	case s.ready() != nil:
		return s.ready()
	case ctx == nil:
		return errors.New("monitoring: wait: the context is nil")
	case !(o.Share >= 0 && o.Share <= 1):
		return fmt.Errorf("monitoring: wait: a share of %g of the limit: want more than 0 and at most 1, or 0 for the default", o.Share)
	case o.Timeout < 0:
		return fmt.Errorf("monitoring: wait: the timeout of %s is negative", o.Timeout)
	case o.GiveUpAfter < 0:
		return fmt.Errorf("monitoring: wait: the time of %s to give up after is negative", o.GiveUpAfter)
	case o.CancelGrace < 0:
		return fmt.Errorf("monitoring: wait: the grace of %s for cancelling is negative", o.CancelGrace)
	}
	return nil
}

// WaitProgress is the progress of a waiting.
type WaitProgress struct {
	// Total is the number of sessions, Finished how many of them are done or failed.
	Total, Finished int
	// ByStatus counts the sessions by the status last seen, also those that failed. Sessions
	// without a status yet count under the empty status.
	ByStatus map[CheckSessionStatus]int
	// OldestStatus is the age of the oldest status in ByStatus of a session that still runs. A
	// session without a status yet counts from the beginning of the waiting. It is 0 if none
	// runs.
	OldestStatus time.Duration
	// Session is the session that just finished. It is nil at the beginning, for another
	// status of a session that still runs, and if Err is not nil.
	Session *CheckSession
	// Err is the [*SessionError] of a session whose end could not be awaited; nil otherwise.
	Err error
}

// SessionError is the error of a session whose end could not be awaited.
type SessionError struct {
	ID string
	// Session is the session as last seen; nil if it was not seen. A long poll that ends
	// without a session does not change it.
	Session *CheckSession
	// SeenAt is the time of the response that had Session; zero if Session is nil.
	SeenAt time.Time
	// Err is the reason: a failure that a retry cannot help, failures for longer than
	// GiveUpAfter, the end of the context, or [ErrWaitTimeout]. The last three also name, and
	// match, the failure of the last request, if it failed.
	Err error

	status string // the status of Session for the text, without secrets; empty if a caller made the error
}

// Error returns the id of the session, its last status and the reason. A status that is not
// one of the constants is quoted and cut to 40 characters.
func (e *SessionError) Error() string {
	if e == nil || e.Err == nil {
		return "monitoring: wait for check session: no error"
	}
	seen := e.status
	if seen == "" && e.Session != nil {
		seen = shownStatus(scrub.New(), e.Session.Status)
	}
	if seen != "" {
		seen = ", last seen " + seen
	}
	return fmt.Sprintf("monitoring: wait for check session %.64q%s: %s", e.ID, seen, strings.TrimPrefix(e.Err.Error(), "monitoring: "))
}

// Unwrap returns the reason.
func (e *SessionError) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.Err
}

// SessionErrors returns the errors of single sessions in the error of
// [CheckSessionsService.TriggerAndWait], in the order in which the waiting for them ended. It
// returns nil for an error that has none, and for nil.
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

// CountByStatus counts sessions by their status.
func CountByStatus(sessions []*CheckSession) map[CheckSessionStatus]int {
	counts := make(map[CheckSessionStatus]int)
	for _, s := range sessions {
		counts[s.Status]++
	}
	return counts
}

// Wait returns a session once it is done. A session that failed is not an error. Wait reads
// the session once and then long-polls its completion. So a session that takes d costs at
// most 1 + ceil(d / 30 s) requests, if there are no failures and no OnProgress.
//
// Lost connections, server errors and 429s do not end the waiting, unless there is no other
// response for [WaitOptions].GiveUpAfter. If a proxy in front of the service cuts long
// requests, the polls become shorter; if it does not have the completion, the session is
// read instead.
//
// The error is a [*SessionError] with the session as last seen, if it was seen. When the
// context ends it comes at once, except with CancelOnInterrupt.
func (s *CheckSessionsService) Wait(ctx context.Context, id string, options WaitOptions, opts ...CallOption) (*CheckSession, error) {
	if err := options.check(ctx, (*service)(s)); err != nil {
		return nil, &SessionError{ID: (*service)(s).owner().scrubberFor(opts).Text(id), Err: err}
	}
	w := s.newWait(options, opts)
	w.engine.Add(await.Thing[CheckSession]{ID: id, ReadFirst: true})
	for end := range w.engine.Run(ctx) {
		return w.report(ctx, end)
	}
	return nil, nil // not reached: the waiting yields the one session or its error
}

// TriggerAndWait triggers checks and waits for all their sessions as
// [CheckSessionsService.Wait] does. It returns them in the order of the response to the
// trigger; [CountByStatus] counts them. If sessions could not be awaited, the error joins
// their [*SessionError]s, which [SessionErrors] returns one by one, and the list has these
// sessions as last seen.
//
// If the response to the trigger is lost, the error is [ErrOutcomeUnknown], and nothing is
// started twice. A response without sessions is [ErrNoMatchingChecks]. The service may not
// know a new session at once: a 404 does not end the waiting within ten seconds of the
// trigger, or of the StartedAt of the session if that is later by less than a minute.
func (s *CheckSessionsService) TriggerAndWait(ctx context.Context, request TriggerRequest, options WaitOptions, opts ...CallOption) ([]*CheckSession, error) {
	if err := options.check(ctx, (*service)(s)); err != nil {
		return nil, err
	}
	w := s.newWait(options, opts)
	sessions, err := s.Trigger(ctx, request, opts...)
	if err != nil {
		return nil, err
	}
	if len(sessions) == 0 { // must not look like a success
		return nil, &CallError{
			Operation: "POST /v2/check-sessions/trigger", Attempts: 1, Err: fmt.Errorf("the response has no sessions: %w", ErrNoMatchingChecks),
		}
	}
	w.started = distinct(sessions)
	for _, session := range w.started {
		w.engine.Add(triggered(session, time.Now()))
	}
	seen := make(map[string]*CheckSession, len(w.started))
	var failed []error
	for end := range w.engine.Run(ctx) {
		if _, err := w.report(ctx, end); err != nil {
			failed = append(failed, err)
		}
		seen[end.ID] = end.State
	}
	list := make([]*CheckSession, len(sessions))
	for i := range sessions {
		list[i] = seen[sessions[i].CheckSessionID]
	}
	return list, errors.Join(failed...)
}

// WaitAll yields sessions as they finish, each once, as [CheckSessionsService.Wait]
// would return them. A session that cannot be awaited yields nil and its own
// [*SessionError], and the others go on. Invalid options yield one error, which is no
// SessionError. If the rate limit does not allow a long poll for each session at once, they
// take turns. Leaving the loop ends the waiting.
func (s *CheckSessionsService) WaitAll(ctx context.Context, ids []string, options WaitOptions, opts ...CallOption) iter.Seq2[*CheckSession, error] {
	return func(yield func(*CheckSession, error) bool) {
		if err := options.check(ctx, (*service)(s)); err != nil {
			yield(nil, err)
			return
		}
		w := s.newWait(options, opts)
		for _, id := range ids {
			w.engine.Add(await.Thing[CheckSession]{ID: id})
		}
		for end := range w.engine.Run(ctx) {
			if !yield(w.report(ctx, end)) {
				return
			}
		}
	}
}

// callsAtOnce is how many calls FetchFailingResults makes at the same time.
const callsAtOnce = 8

// FetchFailingResults fetches the full results of a session's final runs that did not pass,
// a few at a time, in the order of the session. A result that could not be fetched is nil,
// and the error joins the reasons. A nil session is an error.
func (s *CheckSessionsService) FetchFailingResults(ctx context.Context, session *CheckSession, opts ...CallOption) ([]*CheckResult, error) {
	switch {
	case session == nil:
		return nil, errors.New("monitoring: fetch failing results: the session is nil")
	case ctx == nil:
		return nil, errors.New("monitoring: fetch failing results: the context is nil")
	}
	failing := session.FailingResults()
	results, errs := make([]*CheckResult, len(failing)), make([]error, len(failing))
	opts = concurrent(opts)
	workers.Each(ctx, len(failing), callsAtOnce, func(ctx context.Context, i int) {
		results[i], errs[i] = (&CheckResultsService{(*service)(s).owner()}).Get(ctx, failing[i].CheckID, failing[i].CheckResultID, opts...)
	})
	return results, errors.Join(errs...)
}
