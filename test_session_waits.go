package monitoring

import (
	"context"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/await"
)

// Wait returns a session once it has ended; see [CheckSessionsService.Wait]. If the response that
// reports the end has no results, Wait reads them with one more request; they are nil if that
// fails.
func (s *TestSessionsService) Wait(ctx context.Context, id string, options WaitOptions, opts ...CallOption) (*TestSession, error) {
	if err := options.check(ctx, (*service)(s)); err != nil {
		return nil, &SessionError{ID: (*service)(s).owner().scrubberFor(opts).Text(id), Err: err, test: true}
	}
	w := newTestSessionWait(s, options, opts)
	w.engine.Add(await.Thing{ID: id, ReadFirst: true, NewUntil: time.Now().Add(newSessionGrace)})
	session, _, err := w.one(ctx)
	return session, err
}

// TriggerAndWait starts a test session, waits for it as [TestSessionsService.Wait] does, and
// returns it. A check that fails is not an error: see [TestSession.Verdict]. Errors are those of
// [CheckSessionsService.TriggerAndWait], except that there is one session: look at both results.
func (s *TestSessionsService) TriggerAndWait(
	ctx context.Context, request TestSessionTrigger, options WaitOptions, opts ...CallOption,
) (*TestSession, error) {
	if err := options.check(ctx, (*service)(s)); err != nil {
		return nil, err
	}
	w := newTestSessionWait(s, options, opts)
	started, err := s.Trigger(ctx, request, opts...)
	if err != nil {
		return nil, err
	}
	if options.OnTestTriggered != nil {
		w.onStart = func() { options.OnTestTriggered(started) }
	}
	w.engine.Add(thingOf(started.TestSessionID, started, started.StartedAt, w.service.now()))
	session, seen, err := w.one(ctx)
	if err != nil {
		return seen, err
	}
	if missing := request.Missing(session); len(missing) > 0 {
		err = missingChecks(missing, request.Target.CheckIDs)
	}
	return session, err
}

// one waits for the one test session of a wait. It returns it when it is done, and as it was last
// seen.
func (w *sessionWait) one(ctx context.Context) (session, seen *TestSession, err error) {
	for end := range w.engine.Run(ctx) {
		var done awaited
		done, err = w.report(ctx, end)
		session, _ = done.(*TestSession)
		seen = stateOf[TestSession](end)
	}
	return session, seen, err
}

func newTestSessionWait(s *TestSessionsService, options WaitOptions, opts []CallOption) *sessionWait {
	return newWait(sessionCalls{
		service: (*service)(s),
		read: func(ctx context.Context, id string, opts []CallOption) (awaited, error) {
			return s.Get(ctx, id, opts...)
		},
		poll: func(ctx context.Context, id string, hold CompletionOptions, opts []CallOption) (awaited, error) {
			session, err := s.Completion(ctx, id, hold, opts...)
			if err == nil && session.Results == nil && session.Done() {
				if read, err := s.Get(ctx, id, opts...); err == nil {
					session.Results = read.Results
				}
			}
			return session, err
		},
		cancel: func(ctx context.Context, id string, opts []CallOption) error {
			return s.Cancel(ctx, id, CancelRequest{}, opts...)
		},
		test: true,
	}, options, opts)
}

func (s *TestSession) about() (id *string, status, name string, known bool) {
	return &s.TestSessionID, string(s.Status), s.Name, s.Status.known()
}

// progressed reports whether another run has ended, or the status has changed.
func (s *TestSession) progressed(before awaited) bool {
	was := before.(*TestSession)
	return was.Status != s.Status || len(was.FinalResults()) != len(s.FinalResults())
}
