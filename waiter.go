package monitoring

import (
	"context"
	"iter"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/workers"
)

const (
	defaultCancelGrace = 10 * time.Second
	defaultGiveUpAfter = 5 * time.Minute
	lastReadsTime      = 5 * time.Second
	newSessionGrace    = 10 * time.Second // in which the service may not know a session that it has started
	newSessionClock    = time.Minute      // by which its clock may be ahead of ours
)

// waiter waits for a number of sessions. Each session has a goroutine that sends its polls;
// the goroutine of the loop receives the sessions that ended, and calls OnProgress.
type waiter struct {
	service *CheckSessionsService
	options WaitOptions
	opts    []CallOption
	giveUp  time.Duration
	began   time.Time
	team    *workers.Group

	onTriggered func([]*CheckSession) // nil if there is none, or if the sessions were not triggered

	turn  chan struct{} // held by the request that waits for a place; a channel keeps the order
	ends  chan waitEnd  // sessions that are done or failed
	fresh chan struct{} // a session has another status

	order []*watched
	byID  map[string]*watched
	left  int // sessions whose end the loop has not received

	mu       sync.Mutex // guards what follows, and the second half of each watched
	unpolled int        // sessions that have not had their first request
	nextRead time.Time  // rounds sends no read before
}

// watched is a session that is waited for.
type watched struct {
	id    string
	grace time.Time // until then the service may not know it yet
	told  bool      // the loop has received its end; used by its goroutine only

	// Used by the goroutine that polls it:
	look     bool // it is read before it is polled
	holds    holds
	misses   int       // failed completions in a row
	again    time.Time // when the completion is tried again; until then the session is read
	setbacks int       // requests in a row that the service did not hold open
	failing  time.Time // since when there were only failures; zero if the last request did not fail

	// Guarded by the waiter's mutex:
	seen    *CheckSession
	seenAt  time.Time     // the beginning of the waiting as long as seen is nil
	asked   time.Time     // when it was last read for its status
	failure error         // of the last request; nil if it did not fail
	due     time.Time     // when it needs its next place
	every   time.Duration // the time from one place to the next
	placed  bool          // it has had its first place
	over    bool          // its waitEnd was sent
	ended   bool          // and had no error: the session is done
	stop    context.CancelFunc
}

type waitEnd struct {
	of      *watched
	session *CheckSession
	err     error
}

func (s *CheckSessionsService) newWaiter(options WaitOptions, opts []CallOption) *waiter {
	w := &waiter{
		service: s, options: options, opts: forWait(opts), began: time.Now(),
		giveUp: options.GiveUpAfter, byID: make(map[string]*watched),
		turn: make(chan struct{}, 1), fresh: make(chan struct{}, 1),
	}
	if w.giveUp == 0 {
		w.giveUp = defaultGiveUpAfter
	}
	return w
}

// add adds a session, once.
func (w *waiter) add(id string) *watched {
	s := w.byID[id]
	if s == nil {
		s = &watched{id: id, every: maxCompletionWait, seenAt: w.began, due: w.began}
		w.byID[id] = s
		w.order = append(w.order, s)
	}
	return s
}

// addTriggered adds a session of the response to a trigger.
func (w *waiter) addTriggered(session *CheckSession) {
	s, now := w.add(session.CheckSessionID), time.Now()
	s.seen, s.seenAt, s.grace = session, now, now.Add(newSessionGrace)
	if started := session.StartedAt.Time; started.After(now) && started.Before(now.Add(newSessionClock)) {
		s.grace = started.Add(newSessionGrace)
	}
}

// run polls the sessions and yields them as they end.
func (w *waiter) run(ctx context.Context) iter.Seq2[*CheckSession, error] {
	return func(yield func(*CheckSession, error) bool) {
		polling, stop := context.WithCancel(ctx)
		w.team = workers.New(stop)
		defer w.cancelRunning(ctx)
		defer w.team.Wait()
		defer stop()
		w.triggered()
		w.start(polling)
		var timeout <-chan time.Time
		if w.options.Timeout > 0 {
			timer := time.NewTimer(time.Until(w.began.Add(w.options.Timeout)))
			defer timer.Stop()
			timeout = timer.C
		}
		w.progress(nil, nil)
		for w.left > 0 {
			end, ok := w.next(ctx, timeout)
			if ok {
				if !yield(end.session, w.finish(end)) {
					return
				}
				continue
			}
			if ctx.Err() == nil && !isClosed(w.team.Broken()) {
				stop()
				w.lastReads(ctx)
			}
			if !isClosed(w.team.Broken()) { // otherwise the deferred wait ends this goroutine
				w.interrupt(ctx, yield)
			}
			return
		}
	}
}

// triggered reports the sessions that were triggered to OnTriggered.
func (w *waiter) triggered() {
	if w.onTriggered == nil {
		return
	}
	started := make([]*CheckSession, len(w.order))
	for i, s := range w.order {
		started[i] = s.seen
	}
	w.onTriggered(started)
}

// next returns the next session that is done or failed. It returns false if the context
// ends, the Timeout passes or a worker breaks first; there may still be sessions in ends.
func (w *waiter) next(ctx context.Context, timeout <-chan time.Time) (waitEnd, bool) {
	for {
		select {
		case end := <-w.ends:
			return end, true
		case <-w.fresh:
			w.progress(nil, nil)
		case <-timeout:
			return waitEnd{}, false
		case <-ctx.Done():
			return waitEnd{}, false
		case <-w.team.Broken():
			return waitEnd{}, false
		}
	}
}

// start starts the goroutines of the waiting.
func (w *waiter) start(ctx context.Context) {
	w.left, w.unpolled = len(w.order), len(w.order)
	w.ends = make(chan waitEnd, len(w.order))
	unseen := false
	for _, s := range w.order {
		watching, stop := context.WithCancel(ctx)
		s.stop = stop
		unseen = unseen || s.seen == nil && !s.look
		w.team.Go(func() {
			defer stop()
			w.watch(watching, s)
		})
	}
	if unseen || w.options.OnProgress != nil {
		w.team.Go(func() { w.rounds(ctx) })
	}
}

// end records the end of a session, or an error that ends the waiting for it, once.
func (w *waiter) end(s *watched, session *CheckSession, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if s.over {
		return
	}
	s.over = true
	if err == nil {
		s.ended, s.seen, s.seenAt = true, session, time.Now()
	}
	w.ends <- waitEnd{s, session, err}
	s.stop()
}

// sessionError is the error of a session whose end could not be awaited. The caller holds the
// lock.
func (w *waiter) sessionError(s *watched, reason error) *SessionError {
	own := w.service.core.scrubberFor(w.opts)
	err := &SessionError{ID: own.Text(s.id), Session: s.seen, Err: reason}
	if s.seen != nil {
		err.SeenAt, err.status = s.seenAt, shownStatus(own, s.seen.Status)
	}
	return err
}

// finish reports the end of a session to OnProgress and returns its error, if it has one.
func (w *waiter) finish(end waitEnd) error {
	end.of.told = true
	w.left--
	if end.err != nil {
		w.mu.Lock()
		end.err = w.sessionError(end.of, end.err)
		w.mu.Unlock()
	}
	w.progress(end.session, end.err)
	return end.err
}

// interrupt yields the sessions that are done or failed, and then an error for each one that
// still runs: that of the context if it has ended, otherwise that of the timeout.
func (w *waiter) interrupt(ctx context.Context, yield func(*CheckSession, error) bool) {
	for len(w.ends) > 0 {
		if end := <-w.ends; !yield(end.session, w.finish(end)) {
			return
		}
	}
	reason := endOf(ctx)
	if reason == nil {
		reason = &waitTimeout{w.options.Timeout}
	}
	for _, s := range w.order {
		if s.told {
			continue
		}
		w.mu.Lock()
		err := w.sessionError(s, &waitError{reason, s.failure})
		w.mu.Unlock()
		if !yield(nil, err) {
			return
		}
	}
}

// lastReads reads the sessions that still run once more, the one seen longest ago first.
func (w *waiter) lastReads(ctx context.Context) {
	ctx, stop := context.WithTimeout(ctx, lastReadsTime)
	defer stop()
	w.mu.Lock()
	var running []*watched
	for _, s := range w.order {
		if !s.over {
			running = append(running, s)
		}
	}
	slices.SortStableFunc(running, func(a, b *watched) int { return a.seenAt.Compare(b.seenAt) })
	w.mu.Unlock()
	var next atomic.Int64
	readers := min(len(running), 16)
	done := make(chan struct{}, readers)
	for range readers {
		w.team.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(running)) && ctx.Err() == nil; i = next.Add(1) - 1 {
				w.lastRead(ctx, running[i])
			}
			done <- struct{}{}
		})
	}
	for range readers {
		select {
		case <-done:
		case <-ctx.Done():
			return
		case <-w.team.Broken():
			return
		}
	}
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// cancelRunning cancels the sessions that still run, if CancelOnInterrupt is set, within
// CancelGrace.
func (w *waiter) cancelRunning(ctx context.Context) {
	var running []*watched
	for _, s := range w.order {
		if !s.told && !s.ended { // the goroutines that could change it have ended
			running = append(running, s)
		}
	}
	if !w.options.CancelOnInterrupt || len(running) == 0 {
		return
	}
	grace := w.options.CancelGrace
	if grace == 0 {
		grace = defaultCancelGrace + time.Duration(len(running))*time.Second/10
	}
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer stop()
	workers.Each(ctx, len(running), callsAtOnce, func(ctx context.Context, i int) {
		w.service.Cancel(ctx, running[i].id, CancelRequest{}, w.opts...) // errors are ignored: the waiting is over
	})
}
