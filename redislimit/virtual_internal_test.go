package redislimit

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go"
)

// virtualRedis has the clock of a bubble of testing/synctest: the script runs in a real Redis, but
// is told the time. No time of the bubble passes meanwhile.
type virtualRedis struct {
	redis.UniversalClient // nil: limiters only run the script
	real                  *redis.Client
	mu                    *sync.Mutex
	calls                 chan []any
	replies               chan *redis.Cmd
	way                   func() time.Duration // how long a command takes to Redis, and its reply back
	stalled               time.Time            // until then Redis runs nothing
	ahead                 time.Duration        // of the clock of Redis
	commands              int
}

// startVirtual starts a Redis for a bubble. The caller is outside of it.
func startVirtual(t *testing.T) *virtualRedis {
	client := clientOf(t, startRedis(t).addr())
	virtual := redis.NewScript(strings.Replace(source, "redis.call('TIME')", "{ARGV[2], ARGV[3]}", 1))
	v := &virtualRedis{real: client, mu: new(sync.Mutex), calls: make(chan []any), replies: make(chan *redis.Cmd)}
	v.way = func() time.Duration { return 500 * time.Microsecond }
	go func() {
		for call := range v.calls {
			v.replies <- virtual.Run(context.Background(), client, call[0].([]string), call[1:]...)
		}
	}()
	t.Cleanup(func() { close(v.calls) })
	return v
}

// EvalSha runs the script, though its caller may have given up.
func (v *virtualRedis) EvalSha(ctx context.Context, _ string, keys []string, args ...any) *redis.Cmd {
	ended := make(chan *redis.Cmd, 1)
	go func() {
		time.Sleep(v.way())
		time.Sleep(time.Until(v.stalled))
		v.mu.Lock()
		now := time.Now().Add(v.ahead)
		v.calls <- []any{keys, args[0], now.Unix(), now.Nanosecond() / 1000}
		reply := <-v.replies
		v.commands++
		v.mu.Unlock()
		time.Sleep(v.way())
		ended <- reply
	}()
	select {
	case reply := <-ended:
		return reply
	case <-ctx.Done():
		reply := redis.NewCmd(ctx)
		reply.SetErr(ctx.Err())
		return reply
	}
}

// fleet are processes with callers that send as fast as they may.
type fleet struct {
	*strictServer
	t       *testing.T
	redis   *virtualRedis
	limit   monitoring.RateLimit
	latency func() time.Duration // how long a request takes to the service, and its response back
	ctx     context.Context
	group   sync.WaitGroup
	text    []string
	bad     bool
}

func between(least, most time.Duration) func() time.Duration {
	return func() time.Duration { return least + rand.N(most-least+1) }
}

// process starts a process of a fleet.
func (f *fleet) process(options ...Option) *Limiter { return f.processOn(f.redis, options...) }

func (f *fleet) processOn(v *virtualRedis, options ...Option) *Limiter {
	l, err := New(v, "fleet", f.limit, options...)
	require.NoError(f.t, err)
	f.group.Go(func() {
		<-f.ctx.Done()
		_ = l.Close()
	})
	return l
}

// call is one call with all its attempts. It reports whether it was answered.
func (f *fleet) call(ctx context.Context, l *Limiter, who string, a monitoring.LimitedAttempt) bool {
	for l.Wait(ctx, a) == nil {
		began := time.Now()
		time.Sleep(f.latency())
		status := http.StatusOK
		if !f.request(who) {
			status = http.StatusTooManyRequests
		}
		time.Sleep(f.latency())
		if err := ctx.Err(); err != nil {
			l.Ended(a, monitoring.AttemptOutcome{Duration: time.Since(began)})
			return false
		}
		l.Ended(a, monitoring.AttemptOutcome{StatusCode: status, Duration: time.Since(began)})
		if status == http.StatusOK {
			return true
		}
	}
	return false
}

// loop has callers that call one call after the other, until the context ends.
func (f *fleet) loop(ctx context.Context, l *Limiter, who string, callers int, a monitoring.LimitedAttempt) {
	for range callers {
		f.group.Go(func() {
			for ctx.Err() == nil {
				f.call(ctx, l, who, a)
			}
		})
	}
}

// part returns which part of the limit was used from a time on, for a time.
func (f *fleet) part(from time.Time, lasting time.Duration) float64 {
	return 100 * float64(f.between(from, from.Add(lasting))) / (float64(f.limit.Requests) * lasting.Seconds() / f.limit.Per.Seconds())
}

func (f *fleet) atLeast(what string, got, least float64) {
	f.add(what, got, "at least", least, got >= least)
}
func (f *fleet) atMost(what string, got, most float64) {
	f.add(what, got, "at most", most, got <= most)
}

func (f *fleet) add(what string, got float64, is string, bound float64, good bool) {
	f.text = append(f.text, fmt.Sprintf("%s %.4g (%s %.4g)", what, got, is, bound))
	f.bad = f.bad || !good
}

// after returns the time when this much has passed.
func (f *fleet) after(d time.Duration) time.Time {
	time.Sleep(d)
	return time.Now()
}
