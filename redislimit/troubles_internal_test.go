package redislimit

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go"
)

var troubles = flag.Bool("troubles", false, "run all of TestTroubles, which takes four minutes")

// A trouble is something that keeps a Redis from working, but keeps its data. It returns what
// ends it.

func stall(t *testing.T, s *redisServer) (end func()) {
	signal := func(name string) {
		require.NoError(t, exec.Command("kill", "-"+name, fmt.Sprint(s.cmd.Process.Pid)).Run())
	}
	signal("STOP")
	return func() { signal("CONT") }
}

func full(t *testing.T, s *redisServer) (end func()) {
	s.config(t, "maxmemory", "1")
	return func() { s.config(t, "maxmemory", "0") }
}

func readOnly(t *testing.T, s *redisServer) (end func()) {
	s.replicaOf(t, "127.0.0.1", "1")
	return func() { s.replicaOf(t, "NO", "ONE") }
}

func locked(t *testing.T, s *redisServer) (end func()) {
	s.config(t, "requirepass", "secret")
	admin := redis.NewClient(&redis.Options{Addr: s.addr(), Password: "secret"})
	t.Cleanup(func() { _ = admin.Close() })
	require.NoError(t, admin.Do(context.Background(), "CLIENT", "KILL", "TYPE", "normal").Err())
	return func() { require.NoError(t, admin.ConfigSet(context.Background(), "requirepass", "").Err()) }
}

// TestTroubles measures what processes use of the limit while Redis is in trouble that keeps
// its data, and in the window after it. All of it: go test -run TestTroubles -troubles -v
func TestTroubles(t *testing.T) {
	minute, tenSeconds := monitoring.DefaultRateLimit, monitoring.RateLimit{Requests: 100, Per: 10 * time.Second}
	short := monitoring.RateLimit{Requests: 80, Per: 4 * time.Second}
	for _, test := range []struct {
		name      string
		limit     monitoring.RateLimit
		processes int
		trouble   func(*testing.T, *redisServer) func()
		lasts     time.Duration
		next      float64 // what the window after the trouble must use of the limit
	}{
		{"a stall of 5 s", short, 2, stall, 5 * time.Second, 0.5},
		{"read-only for 5 s", short, 2, readOnly, 5 * time.Second, 0.5},
		{"a stall of 15 s", minute, 4, stall, 15 * time.Second, 0.85},
		{"a stall of 60 s", minute, 4, stall, 60 * time.Second, 0.85},
		{"a stall of 3 s", tenSeconds, 4, stall, 3 * time.Second, 0.65},
		{"a stall of 15 s", tenSeconds, 4, stall, 15 * time.Second, 0.65},
		{"a stall of 60 s", tenSeconds, 4, stall, 60 * time.Second, 0.65},
		{"a stall of 15 s", tenSeconds, 2, stall, 15 * time.Second, 0.65},
		{"a stall of 15 s", tenSeconds, 8, stall, 15 * time.Second, 0.65},
		{"full for 15 s", tenSeconds, 4, full, 15 * time.Second, 0.65},
		{"read-only for 15 s", tenSeconds, 4, readOnly, 15 * time.Second, 0.65},
		{"locked for 15 s", tenSeconds, 4, locked, 15 * time.Second, 0.65},
	} {
		name := fmt.Sprintf("%s at %d in %s with %d processes", test.name, test.limit.Requests, test.limit.Per, test.processes)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if test.limit != short && !*troubles {
				t.Skip("this takes minutes: -troubles")
			}
			server := startRedis(t)
			settle(t, clientOf(t, server.addr()), "members", test.limit.Per)
			strict := newStrictServer(test.limit)
			_, stop := members(t, server.addr(), strictHTTP(t, strict), test.limit, test.processes)
			time.Sleep(test.limit.Per + 2*time.Second)
			began := time.Now()
			end := test.trouble(t, server)
			time.Sleep(test.lasts)
			end()
			ended := time.Now()
			time.Sleep(test.limit.Per + time.Second)
			stop()
			during, _ := strict.used(began, ended)
			next, gap := strict.used(ended, ended.Add(test.limit.Per))
			t.Logf("%.1f %% of the limit during it, %.1f %% in the next window, longest gap %s, %d refused; by process %v",
				100*during, 100*next, gap.Round(time.Millisecond), strict.refused, strict.by)
			require.Zero(t, strict.refused)
			require.GreaterOrEqual(t, next, test.next)
		})
	}
}

// used returns which part of the limit was used between two times, and the longest gap
// between two requests.
func (s *strictServer) used(from, to time.Time) (part float64, gap time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, last := 0, from
	for _, t := range append(s.all, to) {
		if t.Before(from) || t.After(to) {
			continue
		}
		n++
		gap, last = max(gap, t.Sub(last)), t
	}
	return float64(n-1) / (float64(s.log.Most) * to.Sub(from).Seconds() / s.log.Window.Seconds()), gap
}

// TestALocalShareIsFairIfRedisFailsSoonAfterItWasNew runs two cases that take minutes with
// -troubles only.
func TestALocalShareIsFairIfRedisFailsSoonAfterItWasNew(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		limit     monitoring.RateLimit
		processes int
		used      float64
	}{
		{monitoring.RateLimit{Requests: 60, Per: 3 * time.Second}, 1, 0.5},
		{monitoring.RateLimit{Requests: 90, Per: 3 * time.Second}, 3, 0.5},
		{monitoring.RateLimit{Requests: 100, Per: 10 * time.Second}, 4, 0.7},
		{monitoring.DefaultRateLimit, 4, 0.85},
	} {
		t.Run(fmt.Sprintf("%d in %s for %d processes", test.limit.Requests, test.limit.Per, test.processes), func(t *testing.T) {
			t.Parallel()
			if test.limit.Per > 5*time.Second && !*troubles {
				t.Skip("this takes minutes: -troubles")
			}
			server := startRedis(t)
			strict := newStrictServer(test.limit)
			ctx, cancel := context.WithCancel(context.Background())
			var group sync.WaitGroup
			defer group.Wait()
			defer cancel()
			var limiters []*Limiter
			for i := range test.processes {
				l := newLimiter(t, server.addr(), "new", test.limit, WithProcesses(test.processes))
				limiters = append(limiters, l)
				saturate(ctx, l, strict, fmt.Sprint(i), 8, &group)
			}
			for _, l := range limiters {
				require.Eventually(t, func() bool { return l.Mode() == ModeShared }, 2*window(test.limit)+5*time.Second, 10*time.Millisecond)
			}
			time.Sleep(test.limit.Per / 4)
			readOnly(t, server)
			began := time.Now()
			time.Sleep(test.limit.Per)
			used, gap := strict.used(began, began.Add(test.limit.Per))
			t.Logf("%.1f %% of the limit, longest gap %s, %d refused", 100*used, gap.Round(time.Millisecond), strict.refused)
			require.Zero(t, strict.refused)
			require.Greater(t, used, test.used)
		})
	}
}

func TestTheReasonOfALocalShareIsTheErrorOfRedis(t *testing.T) {
	t.Parallel()
	down := func(_ *testing.T, s *redisServer) func() { s.kill(); return func() {} }
	for _, test := range []struct {
		name    string
		trouble func(*testing.T, *redisServer) func()
		reason  string
		slow    bool
	}{
		{"down", down, "connection refused", false},
		{"full", full, "OOM", false},
		{"read-only", readOnly, "READONLY", false},
		{"locked", locked, "NOAUTH", false},
		{"stalled", stall, "deadline exceeded", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			server := startRedis(t)
			settle(t, clientOf(t, server.addr()), "reason", time.Second)
			client := redis.NewClient(&redis.Options{Addr: server.addr()}) // it retries, and waits for seconds
			defer client.Close()
			var text strings.Builder
			var m modes
			l, err := New(client, "reason", fastLimit, WithModeHook(m.hook), WithLogger(slog.New(slog.NewTextHandler(&text, nil))))
			require.NoError(t, err)
			takeUntil(t, l, ModeShared)
			end := test.trouble(t, server)
			takeUntil(t, l, ModeLocal)
			require.Eventually(t, func() bool { return m.last().Mode == ModeLocal }, 3*time.Second, time.Millisecond)
			end()
			require.NoError(t, l.Close())
			require.ErrorContains(t, m.last().Err, test.reason)
			require.Equal(t, test.slow, errors.Is(m.last().Err, ErrSlow))
			require.Contains(t, text.String(), test.reason)
		})
	}
}

func TestCloseDoesNotWaitLongForAStalledRedis(t *testing.T) {
	t.Parallel()
	server := startRedis(t)
	settle(t, clientOf(t, server.addr()), "hung", time.Second)
	client := redis.NewClient(&redis.Options{Addr: server.addr()}) // it waits for seconds
	defer client.Close()
	l, err := New(client, "hung", fastLimit, WithTimeout(100*time.Millisecond))
	require.NoError(t, err)
	takeUntil(t, l, ModeShared)
	defer stall(t, server)()
	takeUntil(t, l, ModeLocal) // a command waits for its reply
	began := time.Now()
	require.NoError(t, l.Close())
	require.Less(t, time.Since(began), 1500*time.Millisecond)
}
