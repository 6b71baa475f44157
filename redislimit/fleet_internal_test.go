package redislimit

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/gates"
)

// strictServer counts exactly, by one clock: a request that does not fit into the window
// before it is refused.
type strictServer struct {
	mu      sync.Mutex
	log     gates.SlidingLog
	gate    gates.Gate // refuses more than the log; nil: only the log counts
	all     []time.Time
	by      map[string]int
	refused int
}

func newStrictServer(limit monitoring.RateLimit) *strictServer {
	return &strictServer{log: gates.SlidingLog{Most: limit.Requests, Window: limit.Per}, by: make(map[string]int)}
}

// request reports whether a request is within the limit.
func (s *strictServer) request(who string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	gate := s.gate
	if gate == nil {
		gate = &s.log
	}
	if !gate.Admit(now) {
		s.refused++
		return false
	}
	s.all = append(s.all, now)
	s.by[who]++
	return true
}

// between returns how many requests there were between two times.
func (s *strictServer) between(from, to time.Time) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.all {
		if !t.Before(from) && t.Before(to) {
			n++
		}
	}
	return n
}

// saturate has workers that send as fast as a limiter lets them, until the context ends.
func saturate(ctx context.Context, l *Limiter, s *strictServer, who string, workers int, group *sync.WaitGroup) {
	for range workers {
		group.Go(func() {
			for l.Wait(ctx, monitoring.LimitedAttempt{Operation: "GET /v1/checks"}) == nil {
				o := monitoring.AttemptOutcome{StatusCode: http.StatusOK, Duration: time.Millisecond}
				if !s.request(who) {
					o.StatusCode = http.StatusTooManyRequests
				}
				l.Ended(monitoring.LimitedAttempt{Operation: "GET /v1/checks"}, o)
			}
		})
	}
}

func newLimiter(t testing.TB, addr, key string, limit monitoring.RateLimit, options ...Option) *Limiter {
	l, err := New(clientOf(t, addr), key, limit, options...)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, l.Close()) })
	return l
}

func TestAFleetStaysUnderTheLimitAndUsesIt(t *testing.T) {
	t.Parallel()
	server := startRedis(t)
	limit := monitoring.RateLimit{Requests: 200, Per: 4 * time.Second}
	settle(t, clientOf(t, server.addr()), "fleet", limit.Per)
	strict := newStrictServer(limit)
	names := []string{"a", "b", "c", "d"}
	ctx, cancel := context.WithTimeout(context.Background(), 8*time.Second)
	defer cancel()
	began := time.Now()
	var group sync.WaitGroup
	for _, name := range names {
		saturate(ctx, newLimiter(t, server.addr(), "fleet", limit), strict, name, 20, &group)
	}
	group.Wait()
	require.Zero(t, strict.refused, "no window may see more than the limit")
	full := float64(limit.Requests) / window(limit).Seconds() * 5
	require.Greater(t, float64(strict.between(began.Add(2*time.Second), began.Add(7*time.Second))), 0.9*full, "the limit is used")
	for _, name := range names {
		require.InDelta(t, len(strict.all)/4, strict.by[name], float64(len(strict.all))/16, "each process has its part: %v", strict.by)
	}
	t.Logf("%d requests, by process %v; %.0f fit in 5 s", len(strict.all), strict.by, full)
}

func TestAWaiterReturnsAtItsDeadline(t *testing.T) {
	t.Parallel()
	server := startRedis(t)
	limit := monitoring.RateLimit{Requests: 1, Per: 20 * time.Second}
	settle(t, clientOf(t, server.addr()), "deadline", limit.Per)
	l := newLimiter(t, server.addr(), "deadline", limit)
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	began := time.Now()
	err := l.Wait(ctx, monitoring.LimitedAttempt{})
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.ErrorContains(t, err, "waiting for the rate limit")
	require.False(t, errors.Is(err, monitoring.ErrRateLimited))
	require.Greater(t, time.Since(began), 290*time.Millisecond)
}

func TestTwoBurstsAfterRestsFitIntoOneWindow(t *testing.T) {
	t.Parallel()
	server := startRedis(t)
	limit := monitoring.RateLimit{Requests: 40, Per: 2 * time.Second, Burst: 40}
	settle(t, clientOf(t, server.addr()), "burst", limit.Per)
	strict := newStrictServer(limit)
	one, other := newLimiter(t, server.addr(), "burst", limit), newLimiter(t, server.addr(), "burst", limit)
	take(t, one) // from now on Redis counts the places
	time.Sleep(2 * window(limit))
	began := time.Now()
	for range 3 {
		ctx, cancel := context.WithTimeout(context.Background(), 600*time.Millisecond)
		var group sync.WaitGroup
		saturate(ctx, one, strict, "one", 40, &group)
		saturate(ctx, other, strict, "other", 40, &group)
		group.Wait()
		cancel()
		time.Sleep(1200 * time.Millisecond) // in which the bucket fills again
	}
	require.Zero(t, strict.refused)
	require.Greater(t, strict.between(began, began.Add(600*time.Millisecond)), limit.Requests/2, "after a rest many leave at once")
	require.Greater(t, len(strict.all), limit.Requests*5/4, "the second window is used too")
}
