package monitoring

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"sync"
	"time"
)

const (
	defaultWaitShare   = 0.75
	defaultCancelGrace = 10 * time.Second
	waitGiveUp         = 5 * time.Minute // without any answer of use
	waitBackoffMost    = 15 * time.Second
)

// waiter is one waiting for a number of sessions. The goroutine of the loop owns
// running and seen.
type waiter struct {
	service *CheckSessionsService
	options WaitOptions
	opts    []CallOption
	pace    *limiter

	order   []string
	running map[string]struct{}
	seen    map[string]*CheckSession

	queue chan *watched // sessions that wait for their next poll, in order
	ends  chan waitEnd  // sessions that are through
}

var errNoStatus = errors.New("the completion of the session tells no status")

// watched is a session between its polls.
type watched struct {
	id       string
	setbacks int       // polls in a row that the service did not hold open
	failing  time.Time // since when no poll has had an answer of use; zero when the last had
}

type waitEnd struct {
	id      string
	session *CheckSession
	err     error
}

func (s *CheckSessionsService) newWaiter(options WaitOptions, opts []CallOption) *waiter {
	w := &waiter{
		service: s, options: options, opts: concurrent(opts),
		running: make(map[string]struct{}), seen: make(map[string]*CheckSession), pace: s.client.core.pace,
	}
	if options.Share > 0 {
		w.pace = s.client.core.newPace(options.Share)
	}
	return w
}

// add adds a session, once.
func (w *waiter) add(id string) {
	if _, ok := w.running[id]; !ok {
		w.running[id] = struct{}{}
		w.order = append(w.order, id)
	}
}

// newPace is the pace of requests that leaves room for others. A limiter of the user's
// own is taken to have the default limit.
func (c *core) newPace(share float64) *limiter {
	limit := DefaultRateLimit
	if l, ok := c.limiter.(*limiter); ok {
		limit = l.common.limit
	}
	part := func(n int) int { return max(1, int(float64(n)*share)) }
	return newLimiter(RateLimit{Requests: part(limit.Requests), Per: limit.Per, Burst: part(limit.burst())})
}

// firstLook reads a session before it is awaited.
func (w *waiter) firstLook(ctx context.Context, id string) (*CheckSession, error) {
	if err := w.pace.Wait(ctx); err != nil {
		return nil, endOf(ctx)
	}
	session, err := w.service.Get(ctx, id, w.opts...)
	if err == nil {
		session.CheckSessionID = id
	}
	return session, err
}

// run polls the sessions and yields them as they end.
func (w *waiter) run(ctx context.Context) iter.Seq2[*CheckSession, error] {
	return func(yield func(*CheckSession, error) bool) {
		w.queue = make(chan *watched, len(w.order))
		w.ends = make(chan waitEnd, len(w.order))
		for _, id := range w.order {
			w.queue <- &watched{id: id}
		}
		polling, stop := context.WithCancel(ctx)
		var workers sync.WaitGroup
		defer func() {
			stop()
			workers.Wait()
			w.cancelRunning(ctx)
		}()
		workers.Go(func() { w.dispatch(polling, &workers) })

		w.progress(nil, nil)
		for len(w.running) > 0 {
			end, ok := w.next(ctx)
			if !ok {
				w.interrupted(ctx, yield)
				return
			}
			if !yield(end.session, w.finish(end)) {
				return
			}
		}
	}
}

// next is the next session that is through; there is none when the context ends first.
func (w *waiter) next(ctx context.Context) (waitEnd, bool) {
	for {
		var end waitEnd
		select {
		case end = <-w.ends: // what has finished is told, also after the context's end
		default:
			select {
			case end = <-w.ends:
			case <-ctx.Done():
				return waitEnd{}, false
			}
		}
		if end.session != nil || ctx.Err() == nil {
			return end, true
		}
	}
}

// finish notes the end of a session and returns its error, if it has one.
func (w *waiter) finish(end waitEnd) error {
	delete(w.running, end.id)
	if end.err != nil {
		end.err = &SessionError{ID: end.id, Session: w.seen[end.id], Err: end.err}
	} else {
		w.seen[end.id] = end.session
	}
	w.progress(end.session, end.err)
	return end.err
}

// dispatch polls the sessions of the queue, each in turn when there is a place. A long
// poll in flight sees the end of its session at once; a session that waits here for
// its next one does not, so nobody waits longer than the others.
func (w *waiter) dispatch(ctx context.Context, workers *sync.WaitGroup) {
	for {
		select {
		case next := <-w.queue:
			if w.pace.Wait(ctx) != nil {
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
	if err == nil && session.Status == "" {
		err = errNoStatus
	}
	switch {
	case err == nil && !unfinished(session.Status):
		session.CheckSessionID = s.id
		w.ends <- waitEnd{id: s.id, session: session}
		return
	case err == nil, errors.Is(err, ErrNotCompleted):
		s.failing = time.Time{}
		if time.Since(began) >= hold/2 {
			s.setbacks = 0
		} else {
			s.setbacks++
		}
	case !temporary(err) && err != errNoStatus, !s.failing.IsZero() && time.Since(s.failing) >= waitGiveUp:
		w.ends <- waitEnd{id: s.id, err: err}
		return
	default:
		s.setbacks++
		if s.failing.IsZero() {
			s.failing = began
		}
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
		return e.StatusCode == http.StatusRequestTimeout || judge(classRead, e.StatusCode, nil).retry
	}
	e, ok := errors.AsType[*CallError](err)
	return ok && e.retry
}

// interrupted yields an error for each session that still runs.
func (w *waiter) interrupted(ctx context.Context, yield func(*CheckSession, error) bool) {
	for _, id := range w.order {
		if _, ok := w.running[id]; !ok {
			continue
		}
		if !yield(nil, &SessionError{ID: id, Session: w.seen[id], Err: endOf(ctx)}) {
			return
		}
	}
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

// cancelRunning cancels what still runs, where that is wanted, within the grace period.
func (w *waiter) cancelRunning(ctx context.Context) {
	for len(w.ends) > 0 {
		if end := <-w.ends; end.session != nil { // it has finished, although nobody was told
			delete(w.running, end.id)
		}
	}
	if !w.options.CancelOnInterrupt || len(w.running) == 0 {
		return
	}
	grace := w.options.CancelGrace
	if grace <= 0 {
		grace = defaultCancelGrace + time.Duration(len(w.running))*time.Second/10
	}
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer stop()
	eachLimited(len(w.order), func(i int) {
		if _, ok := w.running[w.order[i]]; ok {
			w.service.Cancel(ctx, w.order[i], CancelRequest{}, w.opts...) // best effort: the caller has gone
		}
	})
}
