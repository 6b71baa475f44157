package monitoring

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"time"
)

// WaitOptions are the options of waiting. The zero value is a good default.
type WaitOptions struct {
	// OnProgress is called when the waiting begins and after each session that has
	// finished or failed, from one goroutine at a time. It should return soon.
	OnProgress func(WaitProgress)
	// Share is how much of the client's rate limit the waiting may use, up to 1; a
	// limiter of one's own counts as the default limit. Zero means 0.75, which leaves a
	// quarter to the rest of the program, and which all waiting of the client shares
	// that says nothing else.
	Share float64
	// CancelOnInterrupt cancels the sessions that still run when the context ends, or
	// when a loop over WaitAll is left, and only then returns. It is off by default. What
	// could not be cancelled in time runs on.
	CancelOnInterrupt bool
	// CancelGrace bounds the time that CancelOnInterrupt takes; zero means 10 seconds and
	// a tenth of a second more for each session.
	CancelGrace time.Duration
}

// check refuses options that cannot be meant, and a service without a client.
func (o WaitOptions) check(s *service) error {
	switch {
	case s.ready() != nil:
		return s.ready()
	case !(o.Share >= 0 && o.Share <= 1):
		return fmt.Errorf("monitoring: wait: a share of %g of the limit: want more than 0 and at most 1, or 0 for the default", o.Share)
	case o.CancelGrace < 0:
		return fmt.Errorf("monitoring: wait: the grace of %s for cancelling is negative", o.CancelGrace)
	}
	return nil
}

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
	if e == nil || e.Err == nil {
		return "monitoring: wait for check session: no error"
	}
	seen := ""
	if e.Session != nil && e.Session.Status != "" {
		seen = fmt.Sprintf(", last seen %s", e.Session.Status)
	}
	return fmt.Sprintf("monitoring: wait for check session %.64q%s: %s", e.ID, seen, strings.TrimPrefix(e.Err.Error(), "monitoring: "))
}

// Unwrap returns the error of the call or of the context.
func (e *SessionError) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.Err
}

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
	if err := options.check((*service)(s)); err != nil {
		return nil, &SessionError{ID: id, Err: err}
	}
	w := s.newWaiter(options, opts)
	w.add(id)
	seen, err := w.firstLook(ctx, id)
	switch {
	case err != nil && !temporary(err):
		if ctx.Err() != nil {
			w.cancelRunning(ctx)
		}
		return nil, &SessionError{ID: id, Err: err}
	case err == nil && seen.Done():
		w.progress(nil, nil)
		w.finish(waitEnd{id: id, session: seen})
		return seen, nil
	case err == nil:
		w.seen[id] = seen
	}
	for session, err := range w.run(ctx) {
		return session, err
	}
	return nil, nil // not reached: the waiting yields the one session or its error
}

// TriggerAndWait triggers checks and waits for all their sessions, which it returns in
// the order of the trigger's answer; [CountByStatus] counts them. Where sessions could
// not be awaited the error joins their [*SessionError]s, and the list has them as last
// seen. Where the answer to the trigger is lost the error is [ErrOutcomeUnknown], and
// nothing is started twice.
func (s *CheckSessionsService) TriggerAndWait(ctx context.Context, request TriggerRequest, options WaitOptions, opts ...CallOption) ([]*CheckSession, error) {
	if err := options.check((*service)(s)); err != nil {
		return nil, err
	}
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
	w := s.newWaiter(options, opts)
	for i, id := range ids {
		w.add(id)
		w.seen[id] = list[i]
	}
	var failed []error
	for session, err := range w.run(ctx) {
		if err != nil {
			failed = append(failed, err)
		} else {
			list[places[session.CheckSessionID]] = session
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
		if err := options.check((*service)(s)); err != nil {
			yield(nil, err)
			return
		}
		w := s.newWaiter(options, opts)
		for _, id := range ids {
			w.add(id)
		}
		w.run(ctx)(yield)
	}
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

// FetchFailingResults fetches the whole results of a session's final runs that did not pass,
// a few at a time, in the order of the session. What could not be fetched is nil, and
// the error joins the reasons.
func (s *CheckSessionsService) FetchFailingResults(ctx context.Context, session *CheckSession, opts ...CallOption) ([]*CheckResult, error) {
	if session == nil {
		return nil, errors.New("monitoring: fetch failing results: the session is nil")
	}
	failing := session.FailingResults()
	results, errs := make([]*CheckResult, len(failing)), make([]error, len(failing))
	opts = concurrent(opts)
	eachLimited(len(failing), func(i int) {
		results[i], errs[i] = (&CheckResultsService{(*service)(s).owner()}).Get(ctx, failing[i].CheckID, failing[i].CheckResultID, opts...)
	})
	return results, errors.Join(errs...)
}

// Wait returns a root cause analysis once it is COMPLETED. It asks at once, then after 1
// second and ever longer pauses of up to 15 seconds: the service has no long poll for it
// and no state of failure, so give the context a deadline. When the context ends, the
// analysis comes back as last seen, with the error.
func (s *RootCauseAnalysesService) Wait(ctx context.Context, id string, opts ...CallOption) (*RootCauseAnalysis, error) {
	opts = concurrent(opts)
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
