// Package redislimit gives the clients of many processes one rate limit, on a common Redis.
//
//	limiter, err := redislimit.New(redis.NewClient(…), "account-7", monitoring.DefaultRateLimit)
//	…
//	defer limiter.Close()
//	client, err := monitoring.NewClient(…, monitoring.WithLimiter(limiter))
//
// # All is well
//
// A process whose attempts wait gets a lease from Redis: some places, each with its time. It asks
// again when the lease is nearly used up. Processes are served in turn, at an even pace that keeps
// the window. After a rest a burst of places is there at once. The limiter of
// [monitoring.NewLimiter] does everything else: order, deadlines, classes, routes, and what 429s
// teach. A pause after a 429 holds for all processes.
//
//	Redis       one line of places:  a b c a b c a b c …
//	process a   lease: its next place, at its time   ─►  the limiter of the process  ─►  attempts
//
// # Redis stalls, is away, full, read-only or locked
//
// The lease is used up first. Then the process goes on as if it got more leases: with one place in
// as many as there were processes. It asks Redis once a second. When Redis replies, each process
// tells which places it has used, and when. Every place has a name, so telling it twice changes
// nothing. A command that comes late does nothing. After a silence of more than a second, Redis
// gives out places again when all have had their turn to tell. No call fails because of Redis.
//
// # Redis has lost data
//
// Processes see it by what Redis knows of them. They go on alone for one second and about two
// turns, and tell what they have used in the last window. Then Redis goes on. A new Redis is no
// trouble: processes that have used nothing get places at once.
//
// # One process is cut off
//
// It goes on alone, and Redis counts its places for it. When it is back it tells which ones it has
// used. A process that was killed looks the same: its part is kept for two minutes if at most one
// of eight is missing, and otherwise for three seconds. Close gives everything back at once.
package redislimit

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/monitoring-api/monitoring-go"
)

// Limiter is one rate limit for the clients of many processes. Make it with [New]; it is safe for
// concurrent use. It is a limiter of [monitoring.NewLimiter] whose places come from Redis.
type Limiter struct {
	monitoring.Limiter
	id        string
	key       string
	processes int
	run       func(ctx context.Context, keys []string, args []any) (string, error) // the script
	end       func() error                                                         // closes the client
	watch     watch
	ctx       context.Context // ends at Close
	close     context.CancelFunc
	routines  sync.WaitGroup

	mu     sync.Mutex
	leases []*lease // of the common limit, and of routes
	away   bool     // Redis does not reply
}

// Option configures a limiter; see [New]. nil is an error.
type Option func(*Limiter)

// WithProcesses sets how many processes share the limit, for the time until Redis has replied for
// the first time; at least 1. The default is 4. If Redis cannot be reached then, each process uses
// the limit divided by this number. Later each process knows how many there are.
func WithProcesses(n int) Option { return func(l *Limiter) { l.processes = n } }

// WithLogger writes a record at level Warn when Redis cannot be used, with the error, and one at
// level Info when it can be used again; at most one in ten seconds. Without it there are no
// records. nil is an error.
func WithLogger(logger *slog.Logger) Option { return func(l *Limiter) { l.watch.logger = logger } }

// ErrClosed is the error of an attempt that waits for a place, or asks for one, after Close.
var ErrClosed = errors.New("redislimit: the limiter is closed")

// New makes a limiter that shares a limit with all limiters of the same key on the same Redis (5.0
// or later). The key names what has the limit, most often the account. All processes must have the
// same limit, and the same limits of routes; [monitoring.DefaultRouteLimits] are set. The limiter
// makes a client of its own with the settings of this one, which does not retry and writes no log.
//
// New asks Redis for nothing. It returns an error if the client is nil, the key is empty, or the
// limit or an option is not valid.
func New(client redis.UniversalClient, key string, limit monitoring.RateLimit, options ...Option) (*Limiter, error) {
	l := &Limiter{id: "p" + rand.Text()[:12], key: key, processes: 4}
	l.watch.logger = slog.New(slog.DiscardHandler)
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
	local, err := monitoring.NewLimiter(limit, monitoring.WithSupply(supply{l}))
	if err != nil {
		return nil, fmt.Errorf("redislimit: %w", err)
	}
	l.Limiter = local
	l.ctx, l.close = context.WithCancel(context.Background())
	l.connect(client)
	return l, nil
}

// Wait takes a place for the attempt; see [monitoring.Limiter]. After Close the error is
// [ErrClosed].
func (l *Limiter) Wait(ctx context.Context, a monitoring.LimitedAttempt) error {
	waiting, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(l.ctx, cancel)()
	err := l.Limiter.Wait(waiting, a)
	if l.ctx.Err() != nil && ctx.Err() == nil {
		return ErrClosed
	}
	return err
}

// Close ends the limiter: waiters return [ErrClosed], unused places go back to Redis, and no
// goroutine of the limiter runs when it returns. It takes less than a second, also if Redis does
// not reply. It always returns nil, and may be called more than once.
func (l *Limiter) Close() error {
	l.mu.Lock()
	first := l.ctx.Err() == nil
	l.close()
	l.mu.Unlock()
	l.routines.Wait()
	if first {
		ctx, cancel := context.WithTimeout(context.Background(), goodbyes)
		defer cancel()
		for _, one := range l.leases {
			l.routines.Go(func() { one.goodbye(ctx) })
		}
		l.routines.Wait()
		_ = l.end()
	}
	return nil
}

// watch writes a record when Redis can no longer be used, or can again.
type watch struct {
	logger *slog.Logger
	mu     sync.Mutex
	down   bool      // the last record says that Redis cannot be used
	last   time.Time // when that was
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
		w.logger.Warn("redislimit: Redis cannot be used, so each process goes on with its part of the limit", "reason", err.Error())
		return
	}
	w.logger.Info("redislimit: Redis gives out the places again")
}
