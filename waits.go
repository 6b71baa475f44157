package monitoring

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/await"
	"github.com/monitoring-api/monitoring-go/internal/exchange"
)

const (
	maxCompletionWait = 30 * time.Second // the longest the service holds a completion request, of the document
	// The sessions of a trigger that are waited for. Below: the largest triggers are refused. Above: a
	// small response takes more memory (TestMoreSessionsThanCanBeWaitedForAreAnError).
	maxAwaited = 10_000
	// The time in which the service may not know a session that it has started. Below: a new one is
	// lost. Above: a wrong id is told later (TestASessionMayBeUnknownForTenSecondsAfterItsTrigger).
	newSessionGrace = 10 * time.Second
	// How far its clock may be ahead of ours. Below: a new session is lost. Above: a wrong clock makes
	// a wait longer (TestATriggeredSessionMayBeUnknownForTenSecondsFromItsStart).
	newSessionClock = time.Minute
)

// WaitOptions are the options of waiting. The zero value is a good default. Invalid options
// are an error before anything is sent.
type WaitOptions struct {
	// OnTriggered is called once by TriggerAndWait when the checks have been triggered, before
	// the waiting begins, with the sessions that were started, each once, in the order of the
	// response. It can show them at once. It must not change them.
	//
	// The goroutine of TriggerAndWait calls it, and the waiting begins when it returns, so it must not
	// block for long. A panic in it passes through TriggerAndWait to the caller. The sessions keep
	// running, unless CancelUnfinished is set. It is not called if the trigger failed or started
	// nothing, and not by Wait and WaitAll, which trigger nothing.
	OnTriggered func([]*CheckSession)
	// OnTestTriggered is OnTriggered for [TestSessionsService.TriggerAndWait]: it is called with the
	// session that was started, and not for check sessions.
	OnTestTriggered func(*TestSession)
	// OnProgress is called when the waiting begins, after each session that has finished or failed,
	// and when a session has another status than before. It is not called at fixed intervals, and not
	// for sessions that still run when the context or the Timeout ends the waiting. The goroutine that
	// waits calls it, one call after the other; it should return quickly. For a test session it is
	// also called when a result has come.
	//
	// With OnProgress, sessions are read every half minute with places in the limit that no
	// other call waits for. If there are such places, no status is older than a minute, for
	// up to 100 sessions.
	OnProgress func(WaitProgress)
	// Timeout ends the waiting after this time, counted from the call; 0 means no timeout. If a
	// session has not finished, its error is a [*SessionError] that matches [ErrWaitTimeout] and has
	// the session with its results so far. Each session that runs in the last third of the Timeout is
	// read then, before polls, and once more at its end. That takes less than a second, and as many of
	// them are read as the limit allows. The request of a trigger is not interrupted.
	Timeout time.Duration
	// GiveUpAfter ends the waiting for a session if there were only failures for this time: lost
	// connections, server errors, 429s. 0 means five minutes.
	GiveUpAfter time.Duration
	// Share bounds the part of the client's rate limit that the waiting may use, up to 1; 0 means 1.
	// Long polls take the places that ordinary calls leave, so a program that has the account to
	// itself needs no bound. If other processes use the account, too, leave their part to them: 0.5
	// for two processes that do the same. A [Limiter] of your own whose State has no limit counts as
	// the default limit.
	Share float64
	// CancelUnfinished cancels the sessions that still run when the context or the Timeout
	// ends the waiting, or when a loop over WaitAll is left, and only then returns. It is off
	// by default. Cancelled of the [*SessionError] says whether the service has agreed. Sessions
	// that could not be cancelled in time run on, and so do API checks and others that the
	// service cannot cancel; see [CheckSessionsService.Cancel].
	//
	// If the context ends before the response to the trigger has come, the ids of its sessions
	// are not known: TriggerAndWait returns [ErrOutcomeUnknown], and nothing is cancelled. To
	// avoid that, call Trigger with [context.WithoutCancel], and then WaitAll with the context.
	CancelUnfinished bool
	// CancelGrace bounds the time that CancelUnfinished takes; 0 means 10 seconds and a tenth of a
	// second more for each session.
	CancelGrace time.Duration
}

// check refuses invalid options, a nil context, and a service without a client.
func (o WaitOptions) check(ctx context.Context, s *service) error {
	return repeatable(o.problem(ctx, s))
}

func (o WaitOptions) problem(ctx context.Context, s *service) error {
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
		return fmt.Errorf("monitoring: wait: GiveUpAfter of %s is negative", o.GiveUpAfter)
	case o.CancelGrace < 0:
		return fmt.Errorf("monitoring: wait: CancelGrace of %s is negative", o.CancelGrace)
	}
	return nil
}

// WaitProgress is the progress of a wait.
type WaitProgress struct {
	// Total is the number of sessions, Finished how many of them are done or failed.
	Total, Finished int
	// ByStatus counts the sessions by the status last seen, including those that failed. Sessions
	// without a status yet count under the empty status, and a test session under the text of its
	// [TestSessionStatus].
	ByStatus map[CheckSessionStatus]int
	// OldestStatus is the age of the oldest status in ByStatus of a session that still runs. A
	// session without a status yet counts from the beginning of the waiting. It is 0 if none
	// runs.
	OldestStatus time.Duration
	// Session is the session that just finished. It is nil at the beginning, when a session that still
	// runs has another status, and if Err is not nil.
	Session *CheckSession
	// TestSession is the test session as last seen, also while it runs; nil before it was seen, and in
	// a wait for check sessions.
	TestSession *TestSession
	// Err is the [*SessionError] of a session whose end could not be awaited; nil otherwise.
	Err error
}

// CountByStatus counts sessions by their status. A nil session is not counted.
func CountByStatus(sessions []*CheckSession) map[CheckSessionStatus]int {
	counts := make(map[CheckSessionStatus]int)
	for _, s := range sessions {
		if s != nil {
			counts[s.Status]++
		}
	}
	return counts
}

// Wait returns a session once it is done. A session that failed is not an error. Wait reads
// the session once and then long-polls its completion. So a session that takes d costs at
// most 1 + ceil(d / 30 s) requests, if there are no failures, no Timeout and no OnProgress.
//
// Lost connections, server errors and 429s do not end the waiting, unless there is no other
// response for [WaitOptions].GiveUpAfter. If a proxy in front of the service cuts long
// requests, the polls become shorter; if it does not have the completion, the session is
// read instead.
//
// An unknown status without a StoppedAt does not end the waiting. After a trigger the service may
// need some seconds to know its sessions: a session that it still does not know ten seconds after
// the waiting began is an error that matches [ErrNotFound]. If the service no longer knows a
// session that was seen, the error says so.
//
// The error is a [*SessionError] with the session as last seen, if it was seen. When the
// context ends it comes at once, except with CancelUnfinished.
func (s *CheckSessionsService) Wait(ctx context.Context, id string, options WaitOptions, opts ...CallOption) (*CheckSession, error) {
	if err := options.check(ctx, (*service)(s)); err != nil {
		return nil, &SessionError{ID: (*service)(s).owner().scrubberFor(opts).Text(id), Err: err}
	}
	w := newSessionWait(s, options, opts)
	w.engine.Add(await.Thing{ID: id, ReadFirst: true, NewUntil: time.Now().Add(newSessionGrace)})
	for end := range w.engine.Run(ctx) {
		return w.reportCheck(ctx, end)
	}
	return nil, nil // not reached: the wait yields the one session or its error
}

// TriggerAndWait triggers checks and waits for all their sessions as
// [CheckSessionsService.Wait] does. It returns them in the order of the response to the
// trigger; [CountByStatus] counts them. If sessions could not be awaited, the error joins
// their [*SessionError]s, which [SessionErrors] returns one by one, and the list has these
// sessions as last seen. Its text is one line for four or more sessions of the same reason. Checks
// of the target that were not started are a [*MissingChecksError], which is joined, too.
//
// If the response to the trigger is lost, the error is [ErrOutcomeUnknown], and nothing is started
// twice. It is [ErrNoMatchingChecks] if the response has no sessions. The service may not know a
// new session at once: a 404 does not end the waiting within ten seconds of the trigger, or of the
// StartedAt of the session if that is later by less than a minute.
func (s *CheckSessionsService) TriggerAndWait(
	ctx context.Context, request TriggerRequest, options WaitOptions, opts ...CallOption,
) ([]*CheckSession, error) {
	if err := options.check(ctx, (*service)(s)); err != nil {
		return nil, err
	}
	w := newSessionWait(s, options, opts)
	sessions, err := s.Trigger(ctx, request, opts...)
	if err != nil {
		return nil, err
	}
	if len(sessions) == 0 { // must not look like a success
		return nil, &CallError{
			Operation: "POST /v2/check-sessions/trigger", Attempts: 1, class: exchange.Unsafe,
			Err: fmt.Errorf("the response has no sessions: %w", ErrNoMatchingChecks),
		}
	}
	if len(sessions) > maxAwaited {
		return nil, &CallError{
			Operation: "POST /v2/check-sessions/trigger", Attempts: 1, class: exchange.Unsafe, carriedOut: true, note: carriedOutText,
			Err: fmt.Errorf("the response has %d sessions, and at most %d can be awaited: %w", len(sessions), maxAwaited, ErrResponseTooLarge),
		}
	}
	started := distinct(sessions)
	for _, session := range started {
		w.engine.Add(thingOf(session.CheckSessionID, session, session.StartedAt, time.Now()))
	}
	if options.OnTriggered != nil {
		w.onStart = func() { options.OnTriggered(started) }
	}
	seen := make(map[string]*CheckSession, len(started))
	var failed []error
	for end := range w.engine.Run(ctx) {
		if _, err := w.report(ctx, end); err != nil {
			failed = append(failed, err)
		}
		seen[end.ID] = stateOf[CheckSession](end)
	}
	list := make([]*CheckSession, len(sessions))
	for i := range sessions {
		list[i] = seen[sessions[i].CheckSessionID]
	}
	return list, joinWaitErrors(append([]error{request.notStarted(sessions)}, failed...)...)
}

// WaitAll yields sessions as they finish, each once, as [CheckSessionsService.Wait] would return
// them. A session that cannot be awaited yields nil and its own [*SessionError], and the others go
// on. Invalid options yield one error, which is not a SessionError. If the rate limit does not
// allow a long poll for each session at once, they take turns. Leaving the loop ends the waiting.
func (s *CheckSessionsService) WaitAll(
	ctx context.Context, ids []string, options WaitOptions, opts ...CallOption,
) iter.Seq2[*CheckSession, error] {
	return func(yield func(*CheckSession, error) bool) {
		if err := options.check(ctx, (*service)(s)); err != nil {
			yield(nil, err)
			return
		}
		w := newSessionWait(s, options, opts)
		for _, id := range ids {
			w.engine.Add(await.Thing{ID: id, NewUntil: time.Now().Add(newSessionGrace)})
		}
		for end := range w.engine.Run(ctx) {
			if !yield(w.reportCheck(ctx, end)) {
				return
			}
		}
	}
}

// awaited is a session that is waited for: of a check, or a test session.
type awaited interface {
	Done() bool
	Verdict() Verdict
	// about returns where its id is, its status, whether that is one of the constants, and the name.
	about() (id *string, status, name string, known bool)
	// progressed reports whether it is further than it was before.
	progressed(before awaited) bool
}

// sessionCalls are the calls of a wait for one kind of sessions.
type sessionCalls struct {
	service *service
	read    func(ctx context.Context, id string, opts []CallOption) (awaited, error)
	poll    func(ctx context.Context, id string, hold CompletionOptions, opts []CallOption) (awaited, error)
	cancel  func(ctx context.Context, id string, opts []CallOption) error
	test    bool // they are test sessions
}

// sessionWait is a wait for sessions. It tells the engine what the service says about them, as its
// await.Service, and the caller what the engine says.
type sessionWait struct {
	sessionCalls
	options WaitOptions
	opts    []CallOption
	engine  *await.Wait
	onStart func() // is called when the waiting begins; nil for nothing
	began   time.Time
}

func newSessionWait(s *CheckSessionsService, options WaitOptions, opts []CallOption) *sessionWait {
	return newWait(sessionCalls{
		service: (*service)(s),
		read: func(ctx context.Context, id string, opts []CallOption) (awaited, error) {
			return s.Get(ctx, id, opts...)
		},
		poll: func(ctx context.Context, id string, hold CompletionOptions, opts []CallOption) (awaited, error) {
			return s.Completion(ctx, id, hold, opts...)
		},
		cancel: func(ctx context.Context, id string, opts []CallOption) error {
			return s.Cancel(ctx, id, CancelRequest{}, opts...)
		},
	}, options, opts)
}

func newWait(calls sessionCalls, options WaitOptions, opts []CallOption) *sessionWait {
	w := &sessionWait{sessionCalls: calls, options: options, opts: forWait(opts), began: time.Now()}
	o := await.Options{
		MaxHold: maxCompletionWait, Timeout: options.Timeout, GiveUpAfter: options.GiveUpAfter,
		CancelRunning: options.CancelUnfinished, CancelGrace: options.CancelGrace,
		OnStart: func() {
			if w.onStart != nil {
				w.onStart()
			}
		},
	}
	if options.OnProgress != nil {
		o.OnChange = func() { w.progress(nil, nil) }
	}
	w.engine = await.New(w, o)
	return w
}

// distinct returns each session once, in the order in which they are first there, and as it is last
// there.
func distinct(sessions []CheckSession) (list []*CheckSession) {
	at := make(map[string]int)
	for i := range sessions {
		id := sessions[i].CheckSessionID
		if _, again := at[id]; !again {
			at[id], list = len(list), append(list, nil)
		}
		list[at[id]] = &sessions[i]
	}
	return list
}

// thingOf is a session of the response to a trigger that has come now.
func thingOf(id string, session awaited, start Timestamp, now time.Time) await.Thing {
	from := now
	if started := start.Time; started.After(now) && started.Before(now.Add(newSessionClock)) {
		from = started
	}
	return await.Thing{ID: id, State: session, NewUntil: from.Add(newSessionGrace)}
}

// reportCheck is report of a check session.
func (w *sessionWait) reportCheck(ctx context.Context, end await.End) (*CheckSession, error) {
	session, err := w.report(ctx, end)
	check, _ := session.(*CheckSession)
	return check, err
}

// report tells OnProgress and the hooks of the end of the wait for a session, and returns it or the
// error.
func (w *sessionWait) report(ctx context.Context, end await.End) (session awaited, err error) {
	last, seen := end.State.(awaited)
	if end.Reason == await.Done {
		session = last
	} else {
		err = w.sessionError(ctx, end)
	}
	if !end.Running() {
		w.progress(session, err)
	}
	verdict := VerdictUnknown
	if seen {
		verdict = last.Verdict()
	}
	for _, hook := range w.service.owner().waitHooks {
		hook(ctx, WaitInfo{ID: end.ID, Verdict: verdict, Err: err, Duration: time.Since(w.began)})
	}
	return session, err
}

// progress reports the progress of the wait to OnProgress.
func (w *sessionWait) progress(session awaited, err error) {
	if w.options.OnProgress == nil {
		return
	}
	now := w.engine.Progress()
	p := WaitProgress{
		Total: now.Total, Finished: now.Finished, OldestStatus: now.Oldest, Err: err,
		ByStatus: make(map[CheckSessionStatus]int),
	}
	p.Session, _ = session.(*CheckSession)
	for _, seen := range now.States {
		var status string
		if session, ok := seen.(awaited); ok {
			_, status, _, _ = session.about()
			p.TestSession, _ = session.(*TestSession)
		}
		p.ByStatus[CheckSessionStatus(status)]++
	}
	w.options.OnProgress(p)
}

// Poll long-polls the completion of a session.
func (w *sessionWait) Poll(ctx context.Context, id string, hold time.Duration, placed func()) await.Response {
	session, err := w.poll(ctx, id, CompletionOptions{MaxWaitSeconds: int(hold / time.Second)},
		ofWait(w.opts, placed, w.options.Share))
	return w.response(id, session, err, true)
}

// Read reads a session.
func (w *sessionWait) Read(ctx context.Context, id string, placed func()) await.Response {
	session, err := w.read(ctx, id, ofWait(w.opts, placed, w.options.Share))
	return w.response(id, session, err, false)
}

// response is what came of a poll or a read.
func (w *sessionWait) response(id string, session awaited, err error, poll bool) await.Response {
	if err == nil {
		got, status, _, _ := session.about()
		err = isAbout(got, status, id)
	}
	r := await.Response{Outcome: await.Runs, State: session, Err: err, Pause: w.service.owner().askedPause(err)}
	switch {
	case poll && errors.Is(err, ErrNotCompleted):
		r.State, r.Err = nil, nil
	case err != nil:
		r.Outcome, r.State = outcomeOf(err, poll), nil
	case session.Done():
		r.Outcome = await.Ended
	}
	return r
}

// ofWait returns the options for a call of a wait. The call has no retries of its own: the
// engine decides what comes after a failure, and must not use up the retry budget.
func ofWait(opts []CallOption, placed func(), share float64) []CallOption {
	return append(slices.Clip(opts), WithMaxRetries(0), callOption(func(s *callSettings) error {
		s.waiting, s.share = &waitingCall{placed}, share
		return nil
	}))
}

// Cancel cancels a session.
func (w *sessionWait) Cancel(ctx context.Context, id string) error {
	return w.cancel(ctx, id, w.opts)
}

// Changed reports whether a session is further than before.
func (w *sessionWait) Changed(before, after any) bool {
	return after.(awaited).progressed(before.(awaited))
}

// stateOf returns the state of a thing whose wait has ended; nil if it was not seen.
func stateOf[T any](end await.End) *T {
	state, _ := end.State.(*T)
	return state
}
