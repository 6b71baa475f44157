package monitoring

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/await"
)

const (
	// maxCompletionWait is the longest the service holds a completion request.
	maxCompletionWait = 30 * time.Second

	newSessionGrace = 10 * time.Second // in which the service may not know a session that it has started
	newSessionClock = time.Minute      // by which its clock may be ahead of ours
)

// sessionWait is a wait for check sessions. It tells the engine what the service says about them,
// as its await.Service, and the caller what the engine says.
type sessionWait struct {
	service *CheckSessionsService
	options WaitOptions
	opts    []CallOption
	engine  *await.Wait[CheckSession]
	started []*CheckSession // by the trigger of this wait; nil if it has none
}

func (s *CheckSessionsService) newWait(options WaitOptions, opts []CallOption) *sessionWait {
	w := &sessionWait{service: s, options: options, opts: forWait(opts)}
	o := await.Options{
		MaxHold: maxCompletionWait, Timeout: options.Timeout, GiveUpAfter: options.GiveUpAfter,
		CancelRunning: options.CancelOnInterrupt, CancelGrace: options.CancelGrace,
		OnStart: func() {
			if w.started != nil && options.OnTriggered != nil {
				options.OnTriggered(w.started)
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
		s := &sessions[i]
		if n, again := at[s.CheckSessionID]; again {
			list[n] = s
			continue
		}
		at[s.CheckSessionID] = len(list)
		list = append(list, s)
	}
	return list
}

// triggered is a session of the response to a trigger that has come now.
func triggered(session *CheckSession, now time.Time) await.Thing[CheckSession] {
	from := now
	if started := session.StartedAt.Time; started.After(now) && started.Before(now.Add(newSessionClock)) {
		from = started
	}
	return await.Thing[CheckSession]{ID: session.CheckSessionID, State: session, NewUntil: from.Add(newSessionGrace)}
}

// report tells OnProgress of the end of the wait for a session, and returns the session or the
// error.
func (w *sessionWait) report(ctx context.Context, end await.End[CheckSession]) (session *CheckSession, err error) {
	if end.Reason == await.Done {
		session = end.State
	} else {
		err = w.sessionError(ctx, end)
	}
	if !end.Running() {
		w.progress(session, err)
	}
	return session, err
}

// progress reports the progress of the wait to OnProgress.
func (w *sessionWait) progress(session *CheckSession, err error) {
	if w.options.OnProgress == nil {
		return
	}
	now := w.engine.Progress()
	p := WaitProgress{
		Total: now.Total, Finished: now.Finished, OldestStatus: now.Oldest, Session: session, Err: err,
		ByStatus: make(map[CheckSessionStatus]int),
	}
	for _, seen := range now.States {
		if seen == nil {
			p.ByStatus[""]++
		} else {
			p.ByStatus[seen.Status]++
		}
	}
	w.options.OnProgress(p)
}

// Poll long-polls the completion of a session.
func (w *sessionWait) Poll(ctx context.Context, id string, hold time.Duration, placed func()) await.Response[CheckSession] {
	session, err := w.service.Completion(ctx, id, CompletionOptions{MaxWaitSeconds: int(hold / time.Second)}, w.inTurn(placed)...)
	if errors.Is(err, ErrNotCompleted) {
		return await.Response[CheckSession]{Outcome: await.Runs, Pause: w.pause(err)}
	}
	r := w.response(id, session, err)
	switch {
	case r.Err == nil && !unfinished(session.Status):
		r.Outcome = await.Ended
	case r.Err != nil && isAbsent(r.Err):
		r.Outcome = await.Absent
	}
	return r
}

// Read reads a session.
func (w *sessionWait) Read(ctx context.Context, id string, placed func()) await.Response[CheckSession] {
	session, err := w.service.Get(ctx, id, w.inTurn(placed)...)
	r := w.response(id, session, err)
	switch {
	case r.Err == nil && session.Done():
		r.Outcome = await.Ended
	case errors.Is(r.Err, ErrNotFound):
		r.Outcome = await.Absent
	}
	return r
}

// response is what a response means that is not the end of the session.
func (w *sessionWait) response(id string, session *CheckSession, err error) await.Response[CheckSession] {
	if err == nil {
		err = isAbout(session, id)
	}
	if err == nil {
		return await.Response[CheckSession]{Outcome: await.Runs, State: session}
	}
	r := await.Response[CheckSession]{Outcome: await.Refused, Err: err, Pause: w.pause(err)}
	switch {
	case temporary(err) && errors.Is(err, ErrRateLimited):
		r.Outcome = await.Limited
	case temporary(err):
		r.Outcome = await.Temporary
	}
	return r
}

// pause is how long the service asked to wait, as far as the client obeys it.
func (w *sessionWait) pause(err error) time.Duration {
	return min(askedPause(err), w.service.core.policy.MaxRetryAfter)
}

// inTurn returns the options for a call of the wait. The call has no retries of its own: the
// engine decides what comes after a failure, and must not use up the retry budget.
func (w *sessionWait) inTurn(placed func()) []CallOption {
	return append(slices.Clip(w.opts), WithMaxRetries(0), callOption(func(s *callSettings) error {
		s.waiting, s.share = &waitingCall{placed}, w.options.Share
		return nil
	}))
}

// Cancel cancels a session. An error is ignored: the wait is over.
func (w *sessionWait) Cancel(ctx context.Context, id string) {
	w.service.Cancel(ctx, id, CancelRequest{}, w.opts...)
}

// Changed reports whether a session has another status.
func (w *sessionWait) Changed(before, after *CheckSession) bool { return before.Status != after.Status }

// Room is the room in the limit of the client. A limiter without a State counts as the default
// limit with no places to spare.
func (w *sessionWait) Room() await.Room {
	state := w.service.core.account.State()
	limit := state.Limit
	if limit.Requests <= 0 || limit.Per <= 0 {
		limit = DefaultRateLimit
	}
	r := await.Room{
		Places: float64(state.Places), Most: float64(limit.burst()),
		PerSecond: float64(limit.Requests) / limit.Per.Seconds(),
	}
	if w.options.Share > 0 {
		r.PerSecond *= w.options.Share
	}
	if state.PausedUntil.After(time.Now()) {
		r.Places = 0
	}
	return r
}
