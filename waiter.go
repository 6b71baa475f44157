package monitoring

import (
	"context"
	"iter"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

const (
	defaultCancelGrace = 10 * time.Second
	defaultGiveUpAfter = 5 * time.Minute
	lastReadsTime      = 5 * time.Second
	newSessionGrace    = 10 * time.Second // in which the service may not know a session that it has started
	newSessionClock    = time.Minute      // by which its clock may be ahead of ours
)

// waiter is one waiting for a number of sessions. Each session has a goroutine that sends
// its polls; the goroutine of the loop learns of their ends, and calls OnProgress.
type waiter struct {
	service *CheckSessionsService
	options WaitOptions
	opts    []CallOption
	giveUp  time.Duration
	began   time.Time
	team    *workers

	turn  chan struct{} // held by the request that waits for a place; Go serves the others in order
	ends  chan waitEnd  // sessions that are through
	fresh chan struct{} // a session has another status

	order []*watched
	byID  map[string]*watched
	left  int // sessions of which the loop has not been told

	mu       sync.Mutex // guards what follows, and the second half of each watched
	unpolled int        // sessions that have not had their first request
	nextRead time.Time  // there is no read of the rounds before
}

// watched is a session that is waited for.
type watched struct {
	id    string
	grace time.Time // until then the service may not know it yet
	told  bool      // of the loop's goroutine

	// Of the goroutine that polls it:
	look     bool // it is read before it is polled
	holds    holds
	misses   int       // completions in a row that failed
	again    time.Time // when the completion is tried again; reads step in until then
	setbacks int       // requests in a row that the service did not hold open
	failing  time.Time // since when nothing but failures has come; zero while the last response was of use

	// Guarded by the waiter's mutex:
	seen    *CheckSession
	seenAt  time.Time     // the beginning of the waiting as long as seen is nil
	asked   time.Time     // when it was last read for its status
	failure error         // of the last request; nil if it had a response of use
	due     time.Time     // when it will want its next place
	every   time.Duration // from one place to the next
	placed  bool          // it has had its first place
	over    bool          // there is a waitEnd of it
	ended   bool          // and it says how the session ended
	stop    context.CancelFunc
}

type waitEnd struct {
	of      *watched
	session *CheckSession
	err     error
}

func (s *CheckSessionsService) newWaiter(options WaitOptions, opts []CallOption) *waiter {
	w := &waiter{
		service: s, options: options, opts: concurrent(opts), began: time.Now(),
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
		w.team = newWorkers(stop)
		defer w.cancelRunning(ctx)
		defer w.team.wait()
		defer stop()
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
			if ctx.Err() == nil && !isClosed(w.team.broken) {
				stop()
				w.lastReads(ctx)
			}
			if !isClosed(w.team.broken) { // or else the deferred wait says how
				w.interrupt(ctx, yield)
			}
			return
		}
	}
}

// next is the next session that is through; there is none if the context, the time or a
// goroutine of the waiting ends first. What has come to its end by then is still to be told.
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
		case <-w.team.broken:
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
		w.team.run(func() {
			defer stop()
			w.watch(watching, s)
		})
	}
	if unseen || w.options.OnProgress != nil {
		w.team.run(func() { w.rounds(ctx) })
	}
}

// end notes the end of a session, or an error that ends the waiting for it, once.
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

// failed is the error of a session whose end could not be awaited. The caller holds the lock.
func (s *watched) failed(reason error) *SessionError {
	err := &SessionError{ID: s.id, Session: s.seen, Err: reason}
	if s.seen != nil {
		err.SeenAt = s.seenAt
	}
	return err
}

// finish tells of the end of a session and returns its error, if it has one.
func (w *waiter) finish(end waitEnd) error {
	end.of.told = true
	w.left--
	if end.err != nil {
		w.mu.Lock()
		end.err = end.of.failed(end.err)
		w.mu.Unlock()
	}
	w.progress(end.session, end.err)
	return end.err
}

// interrupt yields what has come to its end, and then an error for each session that still
// runs: that of the context if it has ended, or else that of the timeout.
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
		err := s.failed(&waitError{reason, s.failure})
		w.mu.Unlock()
		if !yield(nil, err) {
			return
		}
	}
}

// lastReads reads what still runs once more, the session that was seen longest ago first.
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
		w.team.run(func() {
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
		case <-w.team.broken:
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

// cancelRunning cancels what still runs, if that is wanted, within the grace period.
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
	eachLimited(ctx, len(running), func(ctx context.Context, i int) {
		w.service.Cancel(ctx, running[i].id, CancelRequest{}, w.opts...) // best effort: the caller has gone
	})
}
