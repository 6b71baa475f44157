package monitoring

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// WaitOptions are the options of waiting. The zero value is a good default.
type WaitOptions struct {
	// OnProgress is called when the waiting begins and after each session that has
	// finished or failed, from one goroutine at a time. It should return soon.
	OnProgress func(WaitProgress)
	// Share is how much of the client's rate limit the waiting may use, up to 1. Zero
	// means 0.75, which leaves a quarter to the rest of the program.
	Share float64
	// CancelOnInterrupt cancels the sessions that still run when the context ends, or
	// when a loop over WaitAll is left, and only then returns. It is off by default.
	CancelOnInterrupt bool
	// CancelGrace bounds the time that CancelOnInterrupt takes; zero means 10 seconds.
	CancelGrace time.Duration

	known   []CheckSession // as they were last seen
	partial bool           // that was without their results
}

const (
	defaultWaitShare   = 0.75
	defaultCancelGrace = 10 * time.Second
	waitGiveUp         = 5 * time.Minute // without any answer of use
	waitBackoffMost    = 15 * time.Second
)

// WaitProgress is how far a waiting has come.
type WaitProgress struct {
	// Total is the number of sessions, Finished how many of them are done or failed.
	Total, Finished int
	// ByStatus counts the sessions by the status last seen; those of which nothing was
	// seen yet count under the empty status, those that failed under that last seen.
	ByStatus map[CheckSessionStatus]int
	// Session is the session that just finished; nil at the beginning, and where Err
	// says that nothing can be said of it.
	Session *CheckSession
	Err     error
}

// SessionError is a session whose end could not be awaited.
type SessionError struct {
	ID string
	// Session is the session as last seen, which long polls that end without its end do
	// not change; nil when it was not seen.
	Session *CheckSession
	Err     error
}

// Error names the session and the state it was last seen in.
func (e *SessionError) Error() string {
	seen := ""
	if e.Session != nil && e.Session.Status != "" {
		seen = fmt.Sprintf(", last seen %s", e.Session.Status)
	}
	return fmt.Sprintf("monitoring: wait for check session %.64q%s: %s", e.ID, seen, strings.TrimPrefix(e.Err.Error(), "monitoring: "))
}

// Unwrap returns the error of the call or of the context.
func (e *SessionError) Unwrap() error { return e.Err }

// CountByStatus counts sessions by their status.
func CountByStatus(sessions []*CheckSession) map[CheckSessionStatus]int {
	counts := make(map[CheckSessionStatus]int)
	for _, s := range sessions {
		counts[s.Status]++
	}
	return counts
}

// Wait returns a session once it is done, in whatever way it ended: a session that
// failed is no error. It reads the session once and then long-polls its completion, so
// that a session of d costs at most 1 + ceil(d / 30 s) requests. Answers of 'not yet',
// lost connections, server errors and rate limits on the way are survived, for up to
// five minutes without any answer. The error is a [*SessionError]; when the context
// ends it comes at once and has the session as last seen.
func (s *CheckSessionsService) Wait(ctx context.Context, id string, options WaitOptions, opts ...CallOption) (*CheckSession, error) {
	seen, err := s.Get(ctx, id, opts...)
	if err == nil {
		seen.CheckSessionID = id
		options.known = []CheckSession{*seen}
	} else if !temporary(err) {
		return nil, &SessionError{ID: id, Err: err}
	}
	var last *CheckSession
	var failed error
	for session, err := range s.WaitAll(ctx, []string{id}, options, opts...) {
		last, failed = session, err
	}
	return last, failed
}

// TriggerAndWait triggers checks and waits for all their sessions, which it returns in
// the order of the trigger's answer; [CountByStatus] counts them. Where sessions could
// not be awaited the error joins their [*SessionError]s, and the list has them as last
// seen. Where the answer to the trigger is lost the error is [ErrOutcomeUnknown], and
// nothing is started twice.
func (s *CheckSessionsService) TriggerAndWait(ctx context.Context, request TriggerRequest, options WaitOptions, opts ...CallOption) ([]*CheckSession, error) {
	sessions, err := s.Trigger(ctx, request, opts...)
	if err != nil {
		return nil, err
	}
	list := make([]*CheckSession, len(sessions))
	places := make(map[string]int, len(sessions))
	ids := make([]string, len(sessions))
	for i := range sessions {
		list[i], ids[i] = &sessions[i], sessions[i].CheckSessionID
		places[ids[i]] = i
	}
	options.known, options.partial = sessions, true
	var failed []error
	for session, err := range s.WaitAll(ctx, ids, options, opts...) {
		if err != nil {
			failed = append(failed, err)
		} else if i, ok := places[session.CheckSessionID]; ok {
			list[i] = session
		}
	}
	return list, errors.Join(failed...)
}

// WaitAll yields sessions as they finish, each once, as [CheckSessionsService.Wait]
// would return them. A session that cannot be awaited yields nil and its own
// [*SessionError], and the others go on. More sessions than the rate limit lets be
// long-polled at once take turns. Leaving the loop ends the waiting.
func (s *CheckSessionsService) WaitAll(ctx context.Context, ids []string, options WaitOptions, opts ...CallOption) iter.Seq2[*CheckSession, error] {
	return func(yield func(*CheckSession, error) bool) {
		w := newWaiter(s, ids, options, opts)
		polling, stop := context.WithCancel(ctx)
		var workers sync.WaitGroup
		defer func() {
			stop()
			workers.Wait()
			if options.CancelOnInterrupt {
				w.cancelRunning(ctx)
			}
		}()
		workers.Go(func() { w.dispatch(polling, &workers) })

		w.progress(nil, nil)
		for len(w.running) > 0 {
			var end waitEnd
			select {
			case end = <-w.ends:
			case <-ctx.Done():
			}
			if ctx.Err() != nil && end.session == nil {
				w.interrupted(ctx, yield)
				return
			}
			delete(w.running, end.id)
			if end.err != nil {
				end.err = &SessionError{ID: end.id, Session: w.seen[end.id], Err: end.err}
			} else {
				w.seen[end.id] = end.session
			}
			w.progress(end.session, end.err)
			if !yield(end.session, end.err) {
				return
			}
		}
	}
}

// waiter is one waiting for a number of sessions. The goroutine of the loop owns
// running and seen.
type waiter struct {
	service *CheckSessionsService
	options WaitOptions
	opts    []CallOption
	pace    *rate.Limiter

	order   []string
	running map[string]struct{}
	seen    map[string]*CheckSession

	queue chan *watched // sessions that wait for their next poll, in order
	ends  chan waitEnd  // sessions that are through
}

// watched is a session between its polls.
type watched struct {
	id         string
	setbacks   int       // polls in a row that the service did not hold open
	lastAnswer time.Time // of use
}

type waitEnd struct {
	id      string
	session *CheckSession
	err     error
}

func newWaiter(s *CheckSessionsService, ids []string, options WaitOptions, opts []CallOption) *waiter {
	w := &waiter{
		service: s, options: options, opts: concurrent(opts),
		running: make(map[string]struct{}, len(ids)),
		seen:    make(map[string]*CheckSession, len(ids)),
		queue:   make(chan *watched, len(ids)),
		ends:    make(chan waitEnd, len(ids)),
		pace:    s.client.core.waitPace(options.Share),
	}
	for i := range options.known {
		w.seen[options.known[i].CheckSessionID] = &options.known[i]
	}
	for _, id := range ids {
		if _, ok := w.running[id]; ok {
			continue
		}
		w.running[id] = struct{}{}
		w.order = append(w.order, id)
		if seen := w.seen[id]; seen != nil && seen.Done() && !options.partial {
			w.ends <- waitEnd{id: id, session: seen}
		} else {
			w.queue <- &watched{id: id, lastAnswer: time.Now()}
		}
	}
	return w
}

// waitPace is the pace of long polls that leaves room for other calls. A limiter of
// the user's own is taken to have the default limit.
func (c *core) waitPace(share float64) *rate.Limiter {
	if share <= 0 || share > 1 {
		share = defaultWaitShare
	}
	l, ok := c.limiter.(*limiter)
	if !ok {
		l = newLimiter(DefaultRateLimit)
	}
	return rate.NewLimiter(l.pace*rate.Limit(share), max(1, int(float64(l.burst)*share)))
}

// dispatch polls the sessions of the queue, each in turn when there is a place. A long
// poll in flight sees the end of its session at once; a session that waits here for
// its next one does not, so nobody waits longer than the others.
func (w *waiter) dispatch(ctx context.Context, workers *sync.WaitGroup) {
	for {
		select {
		case next := <-w.queue:
			if sleep(ctx, w.pace.Reserve().Delay()) != nil {
				return
			}
			workers.Go(func() { w.poll(ctx, next) })
		case <-ctx.Done():
			return
		}
	}
}

// poll makes one long poll and puts the session where it belongs next.
func (w *waiter) poll(ctx context.Context, s *watched) {
	hold := maxCompletionWait
	if deadline, ok := ctx.Deadline(); ok {
		hold = min(hold, max(time.Until(deadline).Truncate(time.Second), time.Second))
	}
	began := time.Now()
	session, err := w.service.Completion(ctx, s.id, CompletionOptions{MaxWaitSeconds: int(hold / time.Second)}, w.opts...)
	switch {
	case err == nil && !unfinished(session.Status):
		session.CheckSessionID = s.id
		w.ends <- waitEnd{id: s.id, session: session}
		return
	case err == nil, errors.Is(err, ErrNotCompleted):
		s.lastAnswer = time.Now()
		if time.Since(began) >= hold/2 {
			s.setbacks = 0
		} else {
			s.setbacks++
		}
	case temporary(err) && time.Since(s.lastAnswer) < waitGiveUp:
		s.setbacks++
	default:
		w.ends <- waitEnd{id: s.id, err: err}
		return
	}
	if sleep(ctx, w.pause(s, err)) == nil {
		w.queue <- s
	}
}

// pause is the time before a session's next poll: none after one that the service held
// open, and a growing one after others, so that a proxy which answers 408 at once, or a
// service that is down, makes no hot loop.
func (w *waiter) pause(s *watched, err error) time.Duration {
	var pause time.Duration
	if s.setbacks > 0 {
		pause = min(time.Second<<min(s.setbacks-1, 8), waitBackoffMost)
	}
	if e, ok := errors.AsType[*APIError](err); ok {
		pause = max(pause, min(e.RetryAfter, w.service.client.core.policy.MaxRetryAfter))
	}
	return pause
}

// unfinished reports whether a status says that a session still runs. One that this
// package does not know is the completion's word that it does not.
func unfinished(status CheckSessionStatus) bool {
	switch status {
	case SessionStarted, SessionProgress, SessionProgressFailed, SessionProgressDegraded:
		return true
	}
	return false
}

// temporary reports whether a failed call may succeed later.
func temporary(err error) bool {
	if e, ok := errors.AsType[*APIError](err); ok {
		switch e.StatusCode {
		case http.StatusRequestTimeout, http.StatusTooManyRequests:
			return true
		}
		return e.StatusCode >= 500
	}
	if failed, ok := errors.AsType[*attemptError](err); ok {
		return failed.temporary()
	}
	return false
}

// interrupted yields an error for each session that still runs.
func (w *waiter) interrupted(ctx context.Context, yield func(*CheckSession, error) bool) {
	for _, id := range w.order {
		if _, ok := w.running[id]; !ok {
			continue
		}
		if !yield(nil, &SessionError{ID: id, Session: w.seen[id], Err: contextError(ctx)}) {
			return
		}
	}
}

// contextError is the context's error, and its cause where there is one of its own.
func contextError(ctx context.Context) error {
	err, cause := ctx.Err(), context.Cause(ctx)
	if errors.Is(cause, err) {
		return cause
	}
	return fmt.Errorf("%w: %w", err, cause)
}

func (w *waiter) progress(session *CheckSession, err error) {
	if w.options.OnProgress == nil {
		return
	}
	p := WaitProgress{
		Total: len(w.order), Finished: len(w.order) - len(w.running),
		ByStatus: make(map[CheckSessionStatus]int), Session: session, Err: err,
	}
	for _, id := range w.order {
		if seen := w.seen[id]; seen != nil {
			p.ByStatus[seen.Status]++
		} else {
			p.ByStatus[""]++
		}
	}
	w.options.OnProgress(p)
}

// cancelRunning cancels what still runs, within the grace period.
func (w *waiter) cancelRunning(ctx context.Context) {
	if len(w.running) == 0 {
		return
	}
	grace := w.options.CancelGrace
	if grace <= 0 {
		grace = defaultCancelGrace
	}
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer stop()
	eachLimited(len(w.order), func(i int) {
		if _, ok := w.running[w.order[i]]; ok {
			w.service.Cancel(ctx, w.order[i], CancelRequest{}, w.opts...) // best effort: the caller has gone
		}
	})
}

// eachLimited calls f with 0 to n-1, a few at a time.
func eachLimited(n int, f func(int)) {
	var workers sync.WaitGroup
	places := make(chan struct{}, 8)
	for i := range n {
		places <- struct{}{}
		workers.Go(func() {
			defer func() { <-places }()
			f(i)
		})
	}
	workers.Wait()
}

// concurrent makes call options fit for calls that run at once, which cannot share a
// Response.
func concurrent(opts []CallOption) []CallOption {
	return append(slices.Clip(opts), callOption(func(s *callSettings) error {
		s.response = nil
		return nil
	}))
}

// FailedResults fetches the whole results of a session's final runs that did not pass,
// a few at a time, in the order of the session. What could not be fetched is nil, and
// the error joins the reasons.
func (s *CheckSessionsService) FailedResults(ctx context.Context, session *CheckSession, opts ...CallOption) ([]*CheckResult, error) {
	failing := session.FailingResults()
	results, errs := make([]*CheckResult, len(failing)), make([]error, len(failing))
	opts = concurrent(opts)
	eachLimited(len(failing), func(i int) {
		results[i], errs[i] = s.client.CheckResults.Get(ctx, failing[i].CheckID, failing[i].CheckResultID, opts...)
	})
	return results, errors.Join(errs...)
}

// Wait returns a root cause analysis once it is COMPLETED. It asks after 1 second, then
// after ever longer pauses of up to 15 seconds: the service has no long poll for it and
// no state of failure, so give the context a deadline. When the context ends, the
// analysis comes back as last seen, with the error.
func (s *RootCauseAnalysesService) Wait(ctx context.Context, id string, _ WaitOptions, opts ...CallOption) (*RootCauseAnalysis, error) {
	var last *RootCauseAnalysis
	began := time.Now()
	for n := 0; ; n++ {
		analysis, err := s.Get(ctx, id, opts...)
		switch {
		case err == nil && analysis.Completed():
			return analysis, nil
		case err == nil:
			last, began = analysis, time.Now()
		case !temporary(err) || time.Since(began) >= waitGiveUp:
			return last, err
		}
		pause := min(time.Second<<min(n, 4), waitBackoffMost)
		if err := sleep(ctx, pause); err != nil {
			return last, fmt.Errorf("monitoring: wait for root cause analysis: %w", err)
		}
	}
}
