// Package redislimit keeps one rate limit for the clients of many processes, with Redis.
//
//	limiter, err := redislimit.New(redis.NewClient(…), "account-7", monitoring.DefaultRateLimit)
//	defer limiter.Close()
//	client, err := monitoring.NewClient(…, monitoring.WithLimiter(limiter))
//
// # All is well
//
// When attempts wait, their process takes a lease from Redis: some places, each with its time. It
// takes the next lease when this one is nearly used up. Redis serves the processes in turn, at an
// even pace that keeps the limit. After a rest, a burst of places is free at once. A pause after a
// 429 holds for all processes. The limiter of [monitoring.NewLimiter] does the rest in each.
//
//	Redis       one line of places:  a b c a b c a b c …
//	process a   lease: its next place, at its time   ─►  the limiter of the process  ─►  attempts
//
// # Redis stalls, is away, full, read-only or locked
//
// A process first uses up its lease. Then it goes on alone with its even part of the limit: one
// place in as many as there are processes. It asks Redis once a second. When Redis replies, each
// process tells which places it has used, and when. Every place has a name, so telling it twice
// changes nothing. A command that comes late does nothing. After a silence of more than a second,
// Redis gives out places again when each process has had a turn to tell. No call fails.
//
// # Redis has lost data
//
// A process sees that Redis no longer knows what it knew. All processes go on alone for a second
// and about two turns, and tell which places they used in the last window. A new Redis is no
// trouble: processes that have used no place get places at once.
//
// # Redis's clock is moved
//
// The places that Redis keeps then have times of another clock. So the script forgets them, and all
// is as if data was lost. It sees by its data that the clock was set back. The first process that
// gets a quick reply from the future says that it was set forward. It is not believed if another
// one has used Redis since: then its own machine stood still. A step of up to a quarter of a second
// counts as none.
//
// # One process is cut off
//
// It goes on alone, and Redis counts the places that it probably uses. When it is back, it tells
// which ones it has used. A process that was killed looks the same, so Redis keeps the part of a
// missing process for a time only. The time is 3 seconds if half of all are missing, 11 if a third
// is, 26 if a quarter is, and two minutes if at most a seventh is. A process that is cut off for
// longer causes 429s. A process that ends with Close leaves nothing behind.
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

// Limiter is a limiter of [monitoring.NewLimiter] whose places come from Redis. Its processes share
// one rate limit. It is made by [New], and is safe for concurrent use.
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

// Option is an option of [New]. nil is an error.
type Option func(*Limiter)

// WithProcesses says how many processes share the limit; at least 1. The default is 4. It is used
// only until Redis has replied for the first time. If Redis cannot be reached, the process uses the
// limit divided by this number. Later, Redis tells each process how many there are.
func WithProcesses(n int) Option { return func(l *Limiter) { l.processes = n } }

// WithLogger sets where the limiter writes its records. One at level Warn says that Redis cannot be
// used, and has the error. One at level Info says that it can be used again. One at level Warn says
// that Redis's clock was moved. There is at most one record of a kind in ten seconds. Without this
// option there are none. nil is an error.
func WithLogger(logger *slog.Logger) Option { return func(l *Limiter) { l.watch.logger = logger } }

// ErrClosed is the error of Wait after Close, also if the attempt has waited since before it.
var ErrClosed = errors.New("redislimit: the limiter is closed")

// New makes a limiter that shares a limit with all limiters that have the same key on the same
// Redis, version 5.0 or later. The key names what has the limit, most often the account. All
// processes must use the same limit, and the same limits of routes. [monitoring.DefaultRouteLimits]
// are set. The limiter makes a Redis client of its own with the settings of this one. That client
// does not retry, and writes no log.
//
// New sends nothing to Redis. It returns an error if the client is nil, the key is empty, or the
// limit or an option is not allowed.
func New(client redis.UniversalClient, key string, limit monitoring.RateLimit, options ...Option) (_ *Limiter, err error) {
	l := &Limiter{id: "p" + rand.Text()[:12], key: key, processes: 4, began: time.Now(), watch: watch{logger: slog.New(slog.DiscardHandler)}}
	for _, option := range options {
		if option == nil {
			return nil, errors.New("redislimit: an option is nil")
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

// Wait takes a place for the attempt; see [monitoring.Limiter]. Errors of Redis are never returned.
// After Close the error is [ErrClosed].
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

// Close ends the limiter. Attempts that wait get [ErrClosed], and places that are not used go back
// to Redis. When Close returns, no goroutine of the limiter runs. It takes less than a second, also
// if Redis does not reply. It always returns nil, and may be called more than once.
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

// moved tells that Redis's clock was moved by some milliseconds. Each lease sees it, when it is used
// next, and the first one tells it.
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
