package redislimit

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/limiter"
	"github.com/monitoring-api/monitoring-go/internal/route"
)

// Limiter is one rate limit for the clients of many processes. Make it with [New]; it is
// safe for concurrent use. Attempts wait in this process; a goroutine asks Redis for places
// as long as some wait, and about a second longer.
type Limiter struct {
	client    redis.UniversalClient
	keys      []string
	id        string
	limit     monitoring.RateLimit
	processes int
	timeout   time.Duration
	logger    *slog.Logger
	hook      func(ModeChange)

	mu        sync.Mutex
	lines     []*line // the first one belongs to the common limit
	waiters   int
	arrived   uint64 // waiters so far
	responses responses
	ledger    ledger
	pollNext  time.Time // when a long poll with a share may go next
	timer     *time.Timer

	mode Mode
	good int // consecutive replies that came in time

	clock    redisClock
	era, seq int64 // what Redis said last
	again    bool  // the last command came too late, so the next one follows at once
	active   int   // processes with waiting attempts, each counted once per route
	commands [2]time.Time

	feeding  bool
	wake     chan struct{}
	closed   bool
	ctx      context.Context // ends at Close
	cancel   context.CancelFunc
	routines sync.WaitGroup
}

// New makes a limiter that shares a limit with all limiters of the same key on the same
// Redis (5.0 or later). The key names what has the limit, most often the account; it must
// not be empty. All of them must be given the same limit. TLS, passwords, Sentinel and
// Cluster come with the client, which stays the caller's: Close does not close it.
//
// New does not ask Redis for anything. It returns an error if the client is nil, or if the
// key, the limit or an option cannot be meant. The limiter has the limits of
// [monitoring.DefaultRouteLimits] too.
func New(client redis.UniversalClient, key string, limit monitoring.RateLimit, options ...Option) (*Limiter, error) {
	s := settings{processes: defaultProcesses, timeout: defaultTimeout}
	if client == nil {
		return nil, errors.New("redislimit: the Redis client is nil")
	}
	if key == "" {
		return nil, errors.New("redislimit: the Redis key is empty")
	}
	if err := limiter.Rate(limit).Check(); err != nil {
		return nil, fmt.Errorf("redislimit: %w", err)
	}
	for _, option := range options {
		if option == nil {
			return nil, errors.New("redislimit: an option is nil")
		}
		if err := option(&s); err != nil {
			return nil, fmt.Errorf("redislimit: %w", err)
		}
	}
	l := &Limiter{
		client: client, id: rand.Text(), limit: limit,
		keys:      []string{"{" + key + "}:window", "{" + key + "}:processes", "{" + key + "}:turns"},
		processes: s.processes, timeout: s.timeout, logger: s.logger, hook: s.hook,
		lines: []*line{newLine("", route.Pattern{}, limit)}, responses: make(responses),
		clock: redisClock{epoch: time.Now()}, wake: make(chan struct{}, 1),
	}
	l.ctx, l.cancel = context.WithCancel(context.Background())
	for operation, limit := range monitoring.DefaultRouteLimits() {
		if err := l.LimitRoute(operation, limit); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// Wait takes a place for the attempt; see [monitoring.Limiter]. An attempt whose
// response cannot come before its deadline leaves its place to another one, and still
// returns at its deadline. The error says that it waited for the limit, and wraps the
// context's error. After Close it is [ErrClosed].
func (l *Limiter) Wait(ctx context.Context, a monitoring.LimitedAttempt) error {
	if ctx.Err() != nil {
		return &placeError{ctx: ctx}
	}
	l.mu.Lock()
	if l.closed {
		l.mu.Unlock()
		return ErrClosed
	}
	now := time.Now()
	w := l.enqueue(ctx, l.lineOf(a.Operation), a, now)
	l.dispatch(now)
	l.feed(!w.served)
	l.mu.Unlock()

	select {
	case <-w.granted:
		if ctx.Err() == nil {
			return nil
		}
	case <-ctx.Done():
	case <-l.ctx.Done():
	}
	return l.leave(ctx, w)
}

// leave removes a waiter whose context has ended. If it was given a place at the same
// moment, another waiter gets this place.
func (l *Limiter) leave(ctx context.Context, w *waiter) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	switch {
	case !w.served:
		l.dequeue(w)
	case ctx.Err() == nil: // closed at the same moment
		return nil
	case w.got != nil:
		w.line.hold([]place{*w.got})
	default:
		l.ledger.undo(w.line)
	}
	l.dispatch(now)
	if ctx.Err() == nil {
		return ErrClosed
	}
	paused := later(w.line.pause.until, l.lines[0].pause.until)
	if !paused.After(now) {
		paused = time.Time{}
	}
	return &placeError{ctx: ctx, paused: paused}
}

// Ended records how an attempt ended. The limiter learns from it how long responses take.
// After a 429 all processes pause; a 429 of a route with a limit of its own pauses that
// route only. If the service asks for no time, or for over an hour, the pause is 1 second; it
// doubles with each further 429, up to 30 seconds.
func (l *Limiter) Ended(a monitoring.LimitedAttempt, o monitoring.AttemptOutcome) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	if o.StatusCode == http.StatusTooManyRequests {
		line := l.lineOf(a.Operation)
		line.refused(now, now.Add(-o.Duration), o.RetryAfter)
		if line == l.lines[0] {
			for _, other := range l.lines[1:] {
				other.giveUpHeld()
			}
		}
		l.dispatch(now)
		l.feed(true)
	}
	if took := o.Duration; took > 0 && a.Class != monitoring.ClassPoll {
		if o.StatusCode != 0 || took > l.responses[a.Operation] { // without a response it would have taken even longer
			l.responses.add(a.Operation, took)
		}
	}
}

// LimitRoute gives a route, such as "GET /v1/check-groups/{id}", a limit of its own besides
// the common one. All processes must set the same limits. It returns an error if the limit
// is not valid, or if the operation is not a method and a path.
func (l *Limiter) LimitRoute(operation string, limit monitoring.RateLimit) error {
	pattern, err := route.Parse(operation)
	if err != nil {
		return fmt.Errorf("redislimit: %w", err)
	}
	if err := limiter.Rate(limit).Check(); err != nil {
		return fmt.Errorf("redislimit: route %q: %w", operation, err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	set := newLine(operation, pattern, limit)
	if i := slices.IndexFunc(l.lines, func(o *line) bool { return o.name == operation }); i > 0 {
		set = l.lines[i]
		set.limit = limit
		l.lines = slices.Delete(l.lines, i, i+1)
	} else if l.mode == ModeLocal {
		set.startLocal(now, l.processes)
	}
	l.lines = append(l.lines, set)
	for _, from := range l.lines[:len(l.lines)-1] { // waiters of the route move to its new line
		from.waiting = slices.DeleteFunc(from.waiting, func(w *waiter) bool {
			if !pattern.Matches(w.attempt.Operation) {
				return false
			}
			w.line = set
			set.waiting = append(set.waiting, w)
			return true
		})
	}
	l.dispatch(now)
	return nil
}

// State returns the state of the limiter. Places is how many unused places this process has
// from Redis.
func (l *Limiter) State() monitoring.LimiterState {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	common := l.lines[0]
	s := monitoring.LimiterState{Limit: l.limit, Waiters: l.waiters}
	if common.pause.until.After(now) {
		s.PausedUntil = common.pause.until
		return s
	}
	for _, p := range common.held {
		if !p.from.After(now) && !now.After(p.until) {
			s.Places++
		}
	}
	if l.mode == ModeLocal && s.Places == 0 && !common.ownNext.After(now) {
		s.Places = 1
	}
	return s
}

// Close ends the limiter: waiters return [ErrClosed], unused places go back to Redis, and no
// goroutine of the limiter runs when it returns. If Redis does not respond, Close takes up to
// eight times the time of [WithTimeout]. With a client other than a [redis.Client], such as one
// for a cluster, it takes as long as the timeouts of this client, unless its
// ContextTimeoutEnabled is set. It always returns nil, and may be called more than once.
func (l *Limiter) Close() error {
	l.mu.Lock()
	first := !l.closed
	l.closed = true
	if l.timer != nil {
		l.timer.Stop()
	}
	l.cancel()
	l.mu.Unlock()
	l.routines.Wait()
	if first {
		l.goodbye()
	}
	return nil
}

// placeError is the error of an attempt whose context ended before it had a place. It
// matches ErrRateLimited if a pause after a 429 outlasted the context.
type placeError struct {
	ctx    context.Context
	paused time.Time
}

func (e *placeError) Error() string {
	text := "waiting for the rate limit of the fleet"
	if !e.paused.IsZero() {
		text = fmt.Sprintf("%s, which is paused until %s after a 429", text, e.paused.Format(time.RFC3339))
	}
	return text + ": " + e.ctx.Err().Error()
}

func (e *placeError) Unwrap() error { return e.ctx.Err() }

func (e *placeError) Is(target error) bool {
	return target == monitoring.ErrRateLimited && !e.paused.IsZero()
}
