// Package redislimit shares one rate limit between the clients of many processes, through Redis.
//
//	limiter, err := redislimit.New(redis.NewClient(…), "account-7", monitoring.DefaultRateLimit)
//	if err != nil {
//		return err
//	}
//	defer limiter.Close()
//	client, err := monitoring.NewClient(…, monitoring.WithLimiter(limiter))
//
// No call fails because of Redis. While Redis is unreachable, each process keeps to its even part
// of the limit.
//
// # How it works
//
// A process whose attempts wait takes a lease from Redis: some places, each of which permits one
// request at a given time. It takes the next lease when this one is nearly used up. Redis serves
// the processes in turn, at an even pace that keeps the limit; after a rest, a burst of places is
// free at once. A pause after a 429 holds for all processes. In each, the limiter of
// [monitoring.NewLimiter] does the rest.
//
//	Redis       one line of places:  a b c a b c a b c …
//	process a   lease: its next place, at its time   ─►  the limiter of the process  ─►  attempts
//
// # When Redis is stalled, unreachable, full, read-only or locked
//
// A process uses up its lease, and then goes on alone with its even part of the limit: one place in
// as many as there are processes. It asks Redis once a second. When Redis replies, each process
// reports which places it has used, and when. Every place has a name, so reporting it twice changes
// nothing, and a command that arrives late does nothing. After a silence of more than a second,
// Redis hands out places again when each process has had a turn to report.
//
// # When Redis loses data
//
// A process notices that Redis has lost its state. All processes then go on alone for a
// second and about two turns, and report which places they used in the last window. With a new
// Redis, processes that have used no place get places at once.
//
// # When Redis's clock is moved
//
// Redis forgets the places that it keeps, because their times are those of another clock, and goes
// on as if data was lost. It notices from its data that the clock was set back. The first process
// that gets a quick reply from the future reports that it was set forward; this is not believed if
// another process has used Redis since, because then its own machine stood still. A step of up to a
// quarter of a second does not count.
//
// # When a process is cut off
//
// The process goes on alone, and Redis counts the places that it probably uses; when it is back, it
// reports which ones it has used. A process that was killed looks the same, so Redis keeps the part
// of a missing process only for a time: 3 seconds if half of all are missing, 11 if a third is, 26
// if a quarter is, and two minutes if at most a seventh is. A process that is cut off for longer
// causes 429s. One that ends with Close leaves nothing behind.
package redislimit

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/monitoring-api/monitoring-go"
)

// Limiter is a limiter of [monitoring.NewLimiter] that shares its limit with other processes.
// Create one with [New]. It is safe for concurrent use.
type Limiter struct {
	monitoring.Limiter
	id        string
	key       string
	processes int
	run       func(ctx context.Context, keys []string, args []any) (string, error) // the script
	end       func() error                                                         // closes the client
	watch     watch
	began     time.Time
	ctx       context.Context // ends at Close
	close     context.CancelFunc
	closed    sync.Once
	routines  sync.WaitGroup

	mu     sync.Mutex
	leases []*lease // of the common limit, and of routes
	away   bool     // Redis does not reply
}

// Option configures a limiter; see [New].
type Option func(*Limiter)

// WithProcesses sets how many processes share the limit; at least 1, by default 4. It counts only
// until Redis has replied once: until then, each process uses the limit divided by n. Later, Redis
// tells each process how many there are.
func WithProcesses(n int) Option { return func(l *Limiter) { l.processes = n } }

// WithLogger logs when Redis cannot be used, with the error (warn); when it can be used again
// (info); and when its clock was moved (warn). There is at most one record of a kind in ten
// seconds. By default nothing is logged. A nil logger is an error.
func WithLogger(logger *slog.Logger) Option { return func(l *Limiter) { l.watch.logger = logger } }

// ErrClosed is the error of Wait after Close, even for attempts that were waiting then.
var ErrClosed = errors.New("redislimit: the limiter is closed")

// New returns a limiter that shares limit with all limiters of the same key on the same Redis,
// version 5.0 or later. The key names what has the limit, most often the account. All processes
// must use the same limit and the same limits of routes; [monitoring.DefaultRouteLimits] are set.
//
// The limiter uses a Redis client of its own, with the settings of client, that does not retry or
// log. New sends nothing to Redis. It returns an error if client is nil, key is empty, or limit or
// an option is invalid.
func New(client redis.UniversalClient, key string, limit monitoring.RateLimit, options ...Option) (_ *Limiter, err error) {
	l := &Limiter{id: "p" + rand.Text()[:12], key: key, processes: 4, began: time.Now(), watch: watch{logger: slog.New(slog.DiscardHandler)}}
	for i, option := range options {
		if option == nil {
			return nil, fmt.Errorf("redislimit: option %d is nil", i+1)
		}
		option(l)
	}
	switch {
	case client == nil:
		return nil, errors.New("redislimit: the Redis client is nil")
	case key == "":
		return nil, errors.New("redislimit: the Redis key is empty")
	case l.processes < 1:
		return nil, fmt.Errorf("redislimit: %d processes: want at least 1", l.processes)
	case l.watch.logger == nil:
		return nil, errors.New("redislimit: the logger is nil")
	}
	if l.Limiter, err = monitoring.NewLimiter(limit, monitoring.WithSupply(supply{l})); err != nil {
		return nil, fmt.Errorf("redislimit: %w", errors.Unwrap(err)) // without the prefix of the other package
	}
	l.ctx, l.close = context.WithCancel(context.Background())
	l.connect(client)
	return l, nil
}

// Wait blocks until the attempt may be sent; see [monitoring.Limiter]. It never returns an error of
// Redis. After Close it returns [ErrClosed].
func (l *Limiter) Wait(ctx context.Context, a monitoring.AttemptRequest) error {
	waiting, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(l.ctx, cancel)()
	err := l.Limiter.Wait(waiting, a)
	if l.ctx.Err() != nil && ctx.Err() == nil {
		return ErrClosed
	}
	return err
}

// Close ends the limiter and returns its unused places to Redis. Attempts that wait get
// [ErrClosed]. It takes less than a second, even if Redis does not reply, and leaves no goroutine
// behind. It always returns nil, and may be called more than once.
func (l *Limiter) Close() error {
	l.closed.Do(func() {
		l.mu.Lock()
		l.close()
		leases := l.leases
		l.mu.Unlock()
		l.routines.Wait() // for commands that are under way
		ctx, cancel := context.WithTimeout(context.Background(), goodbyes)
		defer cancel()
		for _, one := range leases {
			l.routines.Go(func() { one.goodbye(ctx) })
		}
		l.routines.Wait()
		_ = l.end()
	})
	return nil
}

// watch writes a record when Redis can no longer be used, or can again.
type watch struct {
	logger *slog.Logger
	mu     sync.Mutex
	down   bool      // the last record says that Redis cannot be used
	last   time.Time // when that was
	clock  time.Time // when a record said that Redis's clock was moved
	ahead  float64   // how far our clock was ahead of it then
}

// moved tells that Redis's clock was moved by some milliseconds. Each lease sees it, when it is
// used next, and the first one tells it.
func (w *watch) moved(by, ahead, patience float64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.clock.IsZero() && (time.Since(w.clock) < 10*time.Second || math.Abs(ahead-w.ahead) <= patience) {
		return
	}
	w.clock, w.ahead = time.Now(), ahead
	way := "forward"
	if by < 0 {
		way = "back"
	}
	w.logger.Warn("redislimit: Redis's clock was set "+way+", so each process tells again which places it has used",
		"by", duration(math.Abs(by)).Round(time.Millisecond))
}

// commanded tells how a command ended. What it may not write yet is written by a later one.
func (w *watch) commanded(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.down == (err != nil) || time.Since(w.last) < 10*time.Second {
		return
	}
	w.down, w.last = err != nil, time.Now()
	if w.down {
		w.logger.Warn("redislimit: Redis cannot be used, so each process goes on with its part of the limit", "reason", fmt.Sprintf("%.300s", err))
	} else {
		w.logger.Info("redislimit: Redis gives out the places again")
	}
}
