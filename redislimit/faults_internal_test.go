package redislimit

import (
	"context"
	"log/slog"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go"
)

// modes remembers the changes of a mode.
type modes struct {
	mu   sync.Mutex
	seen []ModeChange
}

func (m *modes) hook(c ModeChange) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.seen = append(m.seen, c)
}

func (m *modes) last() ModeChange {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.seen) == 0 {
		return ModeChange{}
	}
	return m.seen[len(m.seen)-1]
}

// fastLimit has so many places that a waiter soon has one, with the local share too.
var fastLimit = monitoring.RateLimit{Requests: 100, Per: time.Second}

func take(t testing.TB, l *Limiter) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	require.NoError(t, l.Wait(ctx, monitoring.LimitedAttempt{}))
}

// takeUntil takes places until the mode is another.
func takeUntil(t testing.TB, l *Limiter, mode Mode) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); l.Mode() != mode; {
		require.True(t, time.Now().Before(end), "the mode is %q still", l.Mode())
		take(t, l)
	}
}

func TestNoCallFailsBecauseOfRedis(t *testing.T) {
	for _, test := range []struct {
		name    string
		trouble func(t *testing.T, s *redisServer, p *slowProxy)
		end     func(t *testing.T, s *redisServer, p *slowProxy)
		reason  string
	}{
		{
			"down",
			func(_ *testing.T, s *redisServer, _ *slowProxy) { s.kill() },
			func(_ *testing.T, s *redisServer, _ *slowProxy) { s.start() }, "",
		},
		{
			"slow",
			func(_ *testing.T, _ *redisServer, p *slowProxy) { p.delay.Store(int64(400 * time.Millisecond)) },
			func(_ *testing.T, _ *redisServer, p *slowProxy) { p.delay.Store(0) }, ErrSlow.Error(),
		},
		{
			"full",
			func(t *testing.T, s *redisServer, _ *slowProxy) { s.config(t, "maxmemory", "1") },
			func(t *testing.T, s *redisServer, _ *slowProxy) { s.config(t, "maxmemory", "0") }, "OOM",
		},
		{
			"read-only",
			func(t *testing.T, s *redisServer, _ *slowProxy) { s.replicaOf(t, "127.0.0.1", "1") },
			func(t *testing.T, s *redisServer, _ *slowProxy) { s.replicaOf(t, "NO", "ONE") }, "READONLY",
		},
		{
			"restarted without its data",
			func(_ *testing.T, s *redisServer, _ *slowProxy) { s.kill(); s.start() },
			func(*testing.T, *redisServer, *slowProxy) {}, "",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			server := startRedis(t)
			proxy := startProxy(t, server.addr())
			settle(t, clientOf(t, server.addr()), "faults", time.Second)
			var m modes
			l := newLimiter(t, proxy.addr(), "faults", fastLimit, WithProcesses(2), WithModeHook(m.hook))
			takeUntil(t, l, ModeShared)
			test.trouble(t, server, proxy)
			takeUntil(t, l, ModeLocal)
			require.Eventually(t, func() bool { return m.last().Mode == ModeLocal }, time.Second, time.Millisecond)
			require.ErrorContains(t, m.last().Err, test.reason)

			began, n := time.Now(), 0
			for ; time.Since(began) < time.Second && l.Mode() == ModeLocal; n++ {
				take(t, l)
			}
			require.LessOrEqual(t, n, fastLimit.Requests/2, "the local share is half of the limit, and there is no burst")

			test.end(t, server, proxy)
			takeUntil(t, l, ModeShared)
		})
	}
}

func (s *redisServer) config(t *testing.T, name, value string) {
	require.NoError(t, clientOf(t, s.addr()).ConfigSet(context.Background(), name, value).Err())
}

func (s *redisServer) replicaOf(t *testing.T, host, port string) {
	require.NoError(t, clientOf(t, s.addr()).ReplicaOf(context.Background(), host, port).Err())
}

func TestANewRedisCountsAsASpentWindow(t *testing.T) {
	t.Parallel()
	server := startRedis(t)
	limit := monitoring.RateLimit{Requests: 40, Per: 2 * time.Second}
	var m modes
	l := newLimiter(t, server.addr(), "new", limit, WithProcesses(4), WithModeHook(m.hook))
	began := time.Now()
	takeUntil(t, l, ModeLocal)
	require.ErrorIs(t, m.last().Err, ErrWindowSpent)
	takeUntil(t, l, ModeShared)
	require.Greater(t, time.Since(began), limit.Per, "a whole window must pass")
}

func TestDataThatIsOlderThanWhatAProcessHasSeenCountsAsASpentWindow(t *testing.T) {
	t.Parallel()
	server := startRedis(t)
	admin := clientOf(t, server.addr())
	settle(t, admin, "old", time.Second)
	l := newLimiter(t, server.addr(), "old", fastLimit)
	takeUntil(t, l, ModeShared)
	key := "{old}:window"
	snapshot, err := admin.Dump(context.Background(), key).Result()
	require.NoError(t, err)
	for range 60 {
		take(t, l)
	}
	require.NoError(t, admin.RestoreReplace(context.Background(), key, 0, snapshot).Err())
	takeUntil(t, l, ModeLocal)
}

func TestA429OfOneProcessPausesAll(t *testing.T) {
	t.Parallel()
	server := startRedis(t)
	settle(t, clientOf(t, server.addr()), "pause", time.Second)
	one, other := newLimiter(t, server.addr(), "pause", fastLimit), newLimiter(t, server.addr(), "pause", fastLimit)
	takeUntil(t, one, ModeShared)
	takeUntil(t, other, ModeShared)
	one.Ended(monitoring.LimitedAttempt{}, monitoring.AttemptOutcome{
		StatusCode: http.StatusTooManyRequests, RetryAfter: 4 * time.Second, Duration: time.Millisecond,
	})
	began := time.Now()
	for time.Since(began) < 1500*time.Millisecond { // the other one asks at least every second
		ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
		_ = other.Wait(ctx, monitoring.LimitedAttempt{})
		cancel()
	}
	for _, l := range []*Limiter{one, other} {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		err := l.Wait(ctx, monitoring.LimitedAttempt{})
		cancel()
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.ErrorIs(t, err, monitoring.ErrRateLimited)
		require.ErrorContains(t, err, "429")
		require.WithinDuration(t, began.Add(4*time.Second), l.State().PausedUntil, 300*time.Millisecond)
	}
	take(t, other)
	require.Greater(t, time.Since(began), 3900*time.Millisecond)
}

func TestARouteHasALimitOfItsOwnInTheWholeFleet(t *testing.T) {
	t.Parallel()
	server := startRedis(t)
	settle(t, clientOf(t, server.addr()), "route", time.Second)
	route := monitoring.RateLimit{Requests: 10, Per: 2 * time.Second}
	strict := newStrictServer(route)
	ctx, cancel := context.WithTimeout(context.Background(), 6*time.Second)
	defer cancel()
	var group sync.WaitGroup
	others := 0
	for range 3 {
		l := newLimiter(t, server.addr(), "route", fastLimit)
		require.NoError(t, l.LimitRoute("GET /v1/checks/{id}", route))
		for range 5 {
			group.Go(func() {
				a := monitoring.LimitedAttempt{Operation: "GET /v1/checks/17"}
				for l.Wait(ctx, a) == nil {
					strict.request("all")
				}
			})
		}
		if others++; others == 3 {
			n := 0
			for end := time.Now().Add(5 * time.Second); time.Now().Before(end); n++ {
				take(t, l)
			}
			require.Greater(t, n, 100, "attempts of other routes do not wait for this one")
		}
	}
	group.Wait()
	require.Zero(t, strict.refused)
	require.GreaterOrEqual(t, len(strict.all), 15)
}

func TestAProcessThatWaitsSendsAtMostTwoCommandsASecond(t *testing.T) {
	t.Parallel()
	server := startRedis(t)
	admin := clientOf(t, server.addr())
	settle(t, admin, "commands", time.Second)
	limit := monitoring.RateLimit{Requests: 60, Per: 3 * time.Second}
	l := newLimiter(t, server.addr(), "commands", limit)
	strict := newStrictServer(limit)
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	var group sync.WaitGroup
	saturate(ctx, l, strict, "all", 50, &group)
	group.Wait()
	stats, err := admin.Info(context.Background(), "commandstats").Result()
	require.NoError(t, err)
	calls := 0
	for _, found := range regexp.MustCompile(`cmdstat_eval(?:sha)?:calls=(\d+)`).FindAllStringSubmatch(stats, -1) {
		n, err := strconv.Atoi(found[1])
		require.NoError(t, err)
		calls += n
	}
	t.Logf("%d commands in 5 s, %d places", calls, len(strict.all))
	require.Positive(t, calls, "the commands were not found")
	require.LessOrEqual(t, calls, 5*2+2+2, "two a second; two load the script, and two are the test's")
	require.Zero(t, strict.refused)
}

func TestCloseEndsWaitersAndReturnsPlaces(t *testing.T) {
	t.Parallel()
	server := startRedis(t)
	settle(t, clientOf(t, server.addr()), "close", time.Second)
	l := newLimiter(t, server.addr(), "close", monitoring.RateLimit{Requests: 1, Per: time.Hour})
	ended := make(chan error, 1)
	go func() { ended <- l.Wait(context.Background(), monitoring.LimitedAttempt{}) }()
	require.Eventually(t, func() bool { return l.State().Waiters == 1 }, time.Second, time.Millisecond)
	require.NoError(t, l.Close())
	require.ErrorIs(t, <-ended, ErrClosed)
	require.ErrorIs(t, l.Wait(context.Background(), monitoring.LimitedAttempt{}), ErrClosed)
	require.NoError(t, l.Close())
}

func TestNoGoroutineRunsWhenNobodyWaits(t *testing.T) {
	t.Parallel()
	server := startRedis(t)
	settle(t, clientOf(t, server.addr()), "rest", time.Second)
	l := newLimiter(t, server.addr(), "rest", fastLimit)
	take(t, l)
	require.Eventually(t, func() bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		return !l.feeding && l.timer == nil && len(l.lines[0].held) == 0 && len(l.lines[0].returned) == 0
	}, 5*time.Second, 10*time.Millisecond)
}

func TestChangesOfTheModeAreLogged(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	l, err := New(clientOf(t, "127.0.0.1:1"), "logs", fastLimit, WithLogger(slog.New(slog.NewTextHandler(&text, nil))))
	require.NoError(t, err)
	takeUntil(t, l, ModeLocal)
	require.NoError(t, l.Close())
	require.Contains(t, text.String(), "level=WARN")
	require.Contains(t, text.String(), "mode=local")
	require.Contains(t, text.String(), "reason=")
}

func TestInvalidOptionsAreRefused(t *testing.T) {
	client := clientOf(t, "127.0.0.1:1")
	for _, test := range []struct {
		name  string
		make  func() (*Limiter, error)
		wants string
	}{
		{"no client", func() (*Limiter, error) { return New(nil, "key", fastLimit) }, "client is nil"},
		{"no key", func() (*Limiter, error) { return New(client, "", fastLimit) }, "key is empty"},
		{"no limit", func() (*Limiter, error) { return New(client, "key", monitoring.RateLimit{}) }, "rate limit of 0"},
		{"no process", func() (*Limiter, error) { return New(client, "key", fastLimit, WithProcesses(0)) }, "0 processes"},
		{"no time", func() (*Limiter, error) { return New(client, "key", fastLimit, WithTimeout(0)) }, "timeout of 0s"},
		{"no logger", func() (*Limiter, error) { return New(client, "key", fastLimit, WithLogger(nil)) }, "logger is nil"},
		{"no hook", func() (*Limiter, error) { return New(client, "key", fastLimit, WithModeHook(nil)) }, "hook is nil"},
		{"a nil option", func() (*Limiter, error) { return New(client, "key", fastLimit, nil) }, "option is nil"},
	} {
		t.Run(test.name, func(t *testing.T) {
			l, err := test.make()
			require.ErrorContains(t, err, test.wants)
			require.ErrorContains(t, err, "redislimit:")
			require.Nil(t, l)
		})
	}
	l, err := New(client, "key", fastLimit)
	require.NoError(t, err)
	require.ErrorContains(t, l.LimitRoute("checks", fastLimit), "want a method and a path")
	require.ErrorContains(t, l.LimitRoute("GET /v1/checks", monitoring.RateLimit{}), "rate limit of 0")
	require.NoError(t, l.Close())
}

func TestAProcessOnASlowWayToRedisStaysInTheLimitOfAll(t *testing.T) {
	t.Parallel()
	server := startRedis(t)
	proxy := startProxy(t, server.addr())
	limit := monitoring.RateLimit{Requests: 180, Per: 4 * time.Second}
	settle(t, clientOf(t, server.addr()), "latency", limit.Per)
	strict := newStrictServer(limit)
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	var group sync.WaitGroup
	var m modes
	for _, name := range []string{"a", "b"} {
		saturate(ctx, newLimiter(t, server.addr(), "latency", limit, WithProcesses(3)), strict, name, 20, &group)
	}
	saturate(ctx, newLimiter(t, proxy.addr(), "latency", limit, WithProcesses(3), WithModeHook(m.hook)), strict, "slow", 20, &group)
	time.Sleep(2 * time.Second)
	proxy.delay.Store(int64(400 * time.Millisecond))
	time.Sleep(4 * time.Second)
	require.Equal(t, ModeLocal, m.last().Mode)
	proxy.delay.Store(int64(100 * time.Millisecond))
	group.Wait()
	require.Equal(t, ModeShared, m.last().Mode)
	require.Zero(t, strict.refused, "%v", strict.by)
	require.Greater(t, strict.by["slow"], len(strict.all)/6, "%v", strict.by)
	t.Logf("%d requests, by process %v", len(strict.all), strict.by)
}

func TestAClusterHasTheKeysInOneSlot(t *testing.T) {
	t.Parallel()
	server := startRedis(t, "--cluster-enabled", "yes")
	admin := clientOf(t, server.addr())
	require.NoError(t, admin.Do(t.Context(), "CLUSTER", "ADDSLOTSRANGE", 0, 16383).Err())
	require.Eventually(t, func() bool {
		info, err := admin.ClusterInfo(context.Background()).Result()
		return err == nil && strings.Contains(info, "cluster_state:ok")
	}, 10*time.Second, 50*time.Millisecond)
	settle(t, admin, "cluster", time.Second)
	client := redis.NewClusterClient(&redis.ClusterOptions{Addrs: []string{server.addr()}})
	l, err := New(client, "cluster", fastLimit)
	require.NoError(t, err)
	for range 20 {
		take(t, l)
	}
	require.Equal(t, ModeShared, l.Mode())
	require.NoError(t, l.Close())
	require.NoError(t, client.Close())
	keys, err := admin.Keys(t.Context(), "*").Result()
	require.NoError(t, err)
	require.NotEmpty(t, keys)
	for _, key := range keys {
		ttl, err := admin.TTL(t.Context(), key).Result()
		require.NoError(t, err)
		require.Positive(t, ttl, "%s must expire", key)
	}
}
