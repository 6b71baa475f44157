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
	// How far in the future its start may be. Below: a new session is lost. Above: a wrong clock makes
	// a wait longer (TestATriggeredSessionMayBeUnknownForTenSecondsFromItsStart).
	newSessionStart = time.Minute
)

// WaitOptions control Wait, WaitAll and TriggerAndWait of [CheckSessionsService] and
// [TestSessionsService]. The zero value waits until all sessions have ended, or the context.
type WaitOptions struct {
	// OnTriggered, if not nil, is called by TriggerAndWait once the checks have started, before it
	// waits, with each session once in the order of the response. It must not modify the sessions,
	// and delays the wait until it returns.
	OnTriggered func([]*CheckSession)
	// OnTestTriggered is OnTriggered for [TestSessionsService.TriggerAndWait].
	OnTestTriggered func(*TestSession)
	// OnProgress, if not nil, is called when the wait begins, when a session has another status,
	// when a session has ended or its wait has failed, and for a test session when a result arrives.
	// It is not called for sessions that still run when the context or Timeout ends the wait. Calls
	// do not overlap. It should return quickly.
	//
	// To keep statuses fresh, the wait then also reads each session about every 30 seconds, if no
	// other call needs the rate limit. Of up to 100 sessions, no status is older than a minute.
	OnProgress func(WaitProgress)
	// Timeout, if positive, ends the wait after this long, counted from the call. A session that
	// still runs gets a [*SessionError] that matches [ErrWaitTimeout] and holds its results so far:
	// it is read once more at the end, which takes less than a second, as far as the rate limit
	// allows. Timeout does not interrupt a trigger.
	//
	// A context deadline, in contrast, leaves no time to read those results.
	Timeout time.Duration
	// GiveUpAfter is how long to wait while every request about a session fails; 0 means five
	// minutes.
	GiveUpAfter time.Duration
	// Share is the largest part of the rate limit that the wait may use, up to 1; 0 means 1. Other
	// calls of the client go first anyway. Set it to leave room for other processes that use the
	// account: 0.5 for two alike. A [Limiter] of yours whose State has no limit counts as the
	// default.
	Share float64
	// CancelUnfinished cancels the sessions that still run when the wait ends early: because of the
	// context, Timeout, or a loop over WaitAll that was left. Only PLAYWRIGHT checks can be
	// canceled. Cancelled of the [*SessionError] reports whether the service agreed.
	//
	// If the context ends before the response to the trigger arrives, TriggerAndWait returns
	// [ErrOutcomeUnknown] and cannot cancel anything. To avoid that, call Trigger with
	// [context.WithoutCancel], and then WaitAll.
	CancelUnfinished bool
	// CancelGrace limits how long that may take; 0 means 10 seconds plus 0.1 seconds per session.
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
		return errors.New("monitoring: the context is nil")
	case !(o.Share >= 0 && o.Share <= 1):
		return fmt.Errorf("monitoring: WaitOptions.Share is %g: want at most 1, or 0 for the default", o.Share)
	case o.Timeout < 0:
		return fmt.Errorf("monitoring: WaitOptions.Timeout %s is negative", o.Timeout)
	case o.GiveUpAfter < 0:
		return fmt.Errorf("monitoring: WaitOptions.GiveUpAfter %s is negative", o.GiveUpAfter)
	case o.CancelGrace < 0:
		return fmt.Errorf("monitoring: WaitOptions.CancelGrace %s is negative", o.CancelGrace)
	}
	return nil
}

// WaitProgress is the progress of a wait.
type WaitProgress struct {
	// Total is the number of sessions; Finished is how many have ended or cannot be followed.
	Total, Finished int
	// ByStatus counts all sessions by the status last seen. One that was not seen yet counts as "".
	// A test session counts under the string of its [TestSessionStatus].
	ByStatus map[CheckSessionStatus]int
	// OldestStatus is the age of the oldest status in ByStatus of a session that still runs, or 0.
	// A session that was not seen yet counts from the beginning of the wait.
	OldestStatus time.Duration
	// Session is the session that has just ended, or nil.
	Session *CheckSession
	// TestSession is the test session as last seen, even while it runs, or nil.
	TestSession *TestSession
	// Err is the [*SessionError] of a session that cannot be followed to its end, or nil.
	Err error
}

// CountByStatus counts sessions by their status. It ignores nil.
func CountByStatus(sessions []*CheckSession) map[CheckSessionStatus]int {
	counts := make(map[CheckSessionStatus]int)
	for _, s := range sessions {
		if s != nil {
			counts[s.Status]++
		}
	}
	return counts
}

// Wait returns a session once it has ended. A check that fails is not an error: see
// [CheckSession.Verdict]. If the session cannot be followed to its end, Wait returns a
// [*SessionError] with the session as last seen.
//
//   - Wait reads the session once and then long-polls its completion: a session of duration d takes
//     at most 1 + ceil(d / 30 s) requests, without failures, Timeout and OnProgress. If a proxy
//     cuts long requests, polls become shorter; if the completion is missing, Wait reads the
//     session instead.
//   - Lost connections, server errors and 429s do not end the wait, unless there is nothing else
//     for GiveUpAfter of [WaitOptions].
//   - The service may not know a new session at once. If it still does not after ten seconds, the
//     error matches [ErrNotFound]. If it no longer knows a session that was seen, the error
//     mentions that.
//   - An unknown status without a StoppedAt does not end the wait.
//   - When the context ends, Wait returns at once, except with CancelUnfinished.
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

// TriggerAndWait starts the checks that match request, waits for all of them as
// [CheckSessionsService.Wait] does, and returns their sessions in the order of the response to the
// trigger.
//
// A check that fails is not an error: see [CheckSession.Verdict]. Errors are about the run:
//
//   - [ErrNoMatchingChecks]: nothing matched.
//   - [ErrOutcomeUnknown]: the response to the trigger was lost, so checks may be running.
//   - [*MissingChecksError]: some of the CheckIDs were not started. The rest ran.
//   - [*SessionError]: a session could not be followed to its end. [SessionErrors] lists them.
//
// The last two are joined and come with the sessions, each as last seen: look at both results.
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
			Err: fmt.Errorf("the response has no sessions: %w", insideAnother{ErrNoMatchingChecks}),
		}
	}
	if len(sessions) > maxAwaited {
		return nil, &CallError{
			Operation: "POST /v2/check-sessions/trigger", Attempts: 1, class: exchange.Unsafe, carriedOut: true,
			Err: fmt.Errorf("the response has %d sessions, and at most %d can be awaited: %w", len(sessions), maxAwaited, insideAnother{ErrResponseTooLarge}),
		}
	}
	started := distinct(sessions)
	for _, session := range started {
		w.engine.Add(thingOf(session.CheckSessionID, session, session.StartedAt, w.service.now()))
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

// WaitAll yields sessions as they end, each once, as [CheckSessionsService.Wait] returns them. A
// session that cannot be followed to its end yields nil and a [*SessionError], and the wait for the
// rest goes on. Invalid options yield a single error that is not a SessionError. If the rate limit
// does not allow a long poll for each session, they take turns. Leaving the loop ends the wait.
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

// thingOf is a session of the response to a trigger that has come now, by the service's clock.
func thingOf(id string, session awaited, start Timestamp, now time.Time) await.Thing {
	until := time.Now().Add(newSessionGrace)
	if starts := start.Sub(now); starts > 0 && starts < newSessionStart {
		until = until.Add(starts)
	}
	return await.Thing{ID: id, State: session, NewUntil: until}
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
