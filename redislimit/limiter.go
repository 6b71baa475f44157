package redislimit

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"sync"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"

	"github.com/monitoring-api/monitoring-go"
)

// Limiter is one rate limit for the clients of many processes. Make it with [New]; it is safe for
// concurrent use. It is a limiter of [monitoring.NewLimiter] whose places come from Redis.
type Limiter struct {
	monitoring.Limiter
	id        string
	key       string
	processes int
	run       runner
	end       func() error // closes the client; nil: it is the caller's
	watch     watch
	ctx       context.Context // ends at Close
	cancel    context.CancelFunc
	routines  sync.WaitGroup

	mu     sync.Mutex
	leases []*lease // of the common limit, and of routes
	away   bool     // Redis does not reply
	closed bool
}

// New makes a limiter that shares a limit with all limiters of the same key on the same Redis (5.0
// or later). The key names what has the limit, most often the account. All processes must have the
// same limit, and the same limits of routes; [monitoring.DefaultRouteLimits] are set. The limiter
// makes a client of its own with the settings of this one, which does not retry and writes no log.
//
// New asks Redis for nothing. It returns an error if the client is nil, the key is empty, or the
// limit or an option is not valid.
func New(client redis.UniversalClient, key string, limit monitoring.RateLimit, options ...Option) (*Limiter, error) {
	if client == nil {
		return nil, errors.New("redislimit: the Redis client is nil")
	}
	own := quietClient(client)
	l, err := newLimiter(onRedis(own), key, limit, options...)
	if err != nil {
		return nil, fmt.Errorf("redislimit: %w", err)
	}
	if own != client {
		l.end = own.Close
	}
	return l, nil
}

func newLimiter(run runner, key string, limit monitoring.RateLimit, options ...Option) (*Limiter, error) {
	if key == "" {
		return nil, errors.New("the Redis key is empty")
	}
	l := &Limiter{id: "p" + rand.Text()[:12], key: key, processes: 4, run: run}
	for _, option := range options {
		if option == nil {
			return nil, errors.New("an option is nil")
		}
		if err := option(l); err != nil {
			return nil, err
		}
	}
	l.ctx, l.cancel = context.WithCancel(context.Background())
	local, err := monitoring.NewLimiter(limit, monitoring.WithSupply(supply{l}))
	l.Limiter = local
	return l, err
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
	first := !l.closed
	l.closed = true
	l.mu.Unlock()
	l.cancel()
	l.watch.end()
	l.routines.Wait()
	if first {
		ctx, cancel := context.WithTimeout(context.Background(), goodbyes)
		defer cancel()
		for _, one := range l.leases {
			l.routines.Go(func() { one.goodbye(ctx) })
		}
		l.routines.Wait()
		if l.end != nil {
			_ = l.end()
		}
	}
	return nil
}

// quietClient makes a client with the settings of another one, which ends with the context and
// does not retry: a place that comes late is of no use.
func quietClient(client redis.UniversalClient) redis.UniversalClient {
	switch c := client.(type) {
	case *redis.Client:
		o := *c.Options()
		dial := o.Dialer
		o.MaxRetries, o.ContextTimeoutEnabled, o.DialerRetries, o.PoolSize, o.MinIdleConns = -1, true, 1, 4, 0
		o.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
		o.Dialer = func(ctx context.Context, network, addr string) (net.Conn, error) {
			conn, err := dial(ctx, network, addr)
			if err != nil { // the pool would write it to a log
				conn, _ = net.Pipe()
				conn = unreachable{conn, err}
			}
			return conn, nil
		}
		return redis.NewClient(&o)
	case *redis.ClusterClient:
		o := *c.Options()
		o.MaxRetries, o.ContextTimeoutEnabled = -1, true
		return redis.NewClusterClient(&o)
	}
	return client
}

// unreachable is a connection that could not be made: each use of it returns the error.
type unreachable struct {
	net.Conn
	err error
}

func (c unreachable) Read([]byte) (int, error)  { return 0, c.err }
func (c unreachable) Write([]byte) (int, error) { return 0, c.err }
