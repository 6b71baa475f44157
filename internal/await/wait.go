package await

import (
	"context"
	"iter"
	"sync"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/workers"
)

// Wait waits for a number of things. It is made by [New], gets its things, and runs once.
//
// Each thing has a goroutine that sends its requests, and owns its poller. One more owns the
// refresher. They write what they find on the board, which hands the endings to the goroutine of
// Run. That one owns the Wait.
type Wait struct {
	requests *requests
	board    *board
	options  Options
	began    time.Time

	pollers []*poller       // of the things, in the order of Add
	added   map[string]bool // the ids of the things
	cancel  sync.Once       // cancelRunning is done once
}

// New makes a Wait without things. Its time counts from now.
func New(service Service, options Options) *Wait {
	if options.GiveUpAfter == 0 {
		options.GiveUpAfter = defaultGiveUpAfter
	}
	b := newBoard(service.Changed)
	r := &requests{service: service, board: b}
	return &Wait{requests: r, board: b, options: options, began: time.Now(), added: make(map[string]bool)}
}

// Add adds a thing. It does nothing if a thing with this ID was added before. Run must not have
// been called yet.
func (w *Wait) Add(t Thing) {
	if w.added[t.ID] {
		return
	}
	w.added[t.ID] = true
	w.pollers = append(w.pollers, &poller{
		requests: w.requests, giveUp: w.options.GiveUpAfter, timeout: w.timeout(), look: t.ReadFirst,
		thing: w.board.add(t, w.began), holds: holds{most: w.options.MaxHold},
	})
}

// timeout is when the wait times out; zero if it does not.
func (w *Wait) timeout() time.Time {
	if w.options.Timeout == 0 {
		return time.Time{}
	}
	return w.began.Add(w.options.Timeout)
}

// Progress returns how far the wait is. Any goroutine may call it.
func (w *Wait) Progress() Progress { return w.board.progress() }

// Run waits for the things and yields the End of each, once, until all have ended. If the context
// ends or the Timeout passes before, it yields what has ended until then, and then an End for each
// of the others, in the order of Add. Leaving the loop ends the wait. Run can be called once.
func (w *Wait) Run(ctx context.Context) iter.Seq[End] {
	return func(yield func(End) bool) {
		polling, stop := context.WithCancel(ctx)
		team := workers.New(stop)
		defer w.cancel.Do(func() { w.cancelRunning(ctx) })
		defer team.Wait()
		defer stop()
		if w.options.OnStart != nil {
			w.options.OnStart()
		}
		w.start(polling, team)
		var timeout <-chan time.Time
		if at := w.timeout(); !at.IsZero() {
			timer := time.NewTimer(time.Until(at))
			defer timer.Stop()
			timeout = timer.C
		}
		w.changed()
		for w.board.unfinished() {
			end, ok := w.next(ctx, team, timeout)
			if ok {
				if !yield(w.board.finish(end)) {
					return
				}
				continue
			}
			if ctx.Err() == nil && !broken(team) {
				stop()
				w.requests.lastReads(ctx, team)
			}
			if w.options.CancelRunning { // before the Ends, which say what was canceled
				stop()
				team.Wait()
				w.cancel.Do(func() { w.cancelRunning(ctx) })
			}
			if !broken(team) { // otherwise the deferred wait ends this goroutine
				w.interrupt(ctx, yield)
			}
			return
		}
	}
}

// start starts the goroutines of the wait.
func (w *Wait) start(ctx context.Context, team *workers.Group) {
	watching, stops := make([]context.Context, len(w.pollers)), make([]context.CancelFunc, len(w.pollers))
	for i := range w.pollers {
		watching[i], stops[i] = context.WithCancel(ctx)
	}
	w.board.begin(stops)
	for i, p := range w.pollers {
		team.Go(func() {
			defer stops[i]()
			p.watch(watching[i])
		})
	}
	f := &refresher{requests: w.requests, team: team, began: w.began, keep: w.options.OnChange != nil}
	if timeout := w.options.Timeout; timeout > 0 {
		f.late = w.began.Add(timeout - timeout/lastPart)
	}
	if w.options.MaxHold > 0 { // otherwise there are only reads
		team.Go(func() { f.run(ctx) })
	}
}

// changed calls OnChange.
func (w *Wait) changed() {
	if w.options.OnChange != nil {
		w.options.OnChange()
	}
}

// next returns the next ending. It returns false if the context ends, the Timeout passes or a
// goroutine breaks first; there may still be endings.
func (w *Wait) next(ctx context.Context, team *workers.Group, timeout <-chan time.Time) (ending, bool) {
	for {
		select {
		case end := <-w.board.ends:
			return end, true
		case <-w.board.fresh:
			w.changed()
		case <-timeout:
			return ending{}, false
		case <-ctx.Done():
			return ending{}, false
		case <-team.Broken():
			return ending{}, false
		}
	}
}

// interrupt yields what has ended, and an End for each thing that still runs.
func (w *Wait) interrupt(ctx context.Context, yield func(End) bool) {
	reason := TimedOut
	if ctx.Err() != nil {
		reason = Interrupted
	}
	ended := func() bool {
		for len(w.board.ends) > 0 {
			if end := <-w.board.ends; !yield(w.board.finish(end)) {
				return false
			}
		}
		return true
	}
	if !ended() {
		return
	}
	for _, p := range w.pollers {
		if end, runs := w.board.interrupted(p.thing, reason); runs && !yield(end) {
			return
		}
	}
	ended() // meanwhile
}

// cancelRunning cancels the things that still run, if CancelRunning is set, within CancelGrace.
func (w *Wait) cancelRunning(ctx context.Context) {
	running := w.board.leftRunning()
	if !w.options.CancelRunning || len(running) == 0 {
		return
	}
	grace := w.options.CancelGrace
	if grace == 0 {
		grace = defaultCancelGrace + time.Duration(len(running))*cancelGraceEach
	}
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer stop()
	workers.Each(ctx, len(running), cancelsAtOnce, func(ctx context.Context, i int) {
		if w.requests.service.Cancel(ctx, running[i].id) == nil {
			w.board.wasCancelled(running[i])
		}
	})
}

// broken reports whether a goroutine has panicked or exited.
func broken(team *workers.Group) bool {
	select {
	case <-team.Broken():
		return true
	default:
		return false
	}
}
