package redislimit

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go"
)

var long = flag.Bool("troubles", false, "run all real troubles, which takes four minutes; alone, not beside other tests")

// The test binary is a process of a fleet, too, if this is set.
const memberOf = "REDISLIMIT_TEST_MEMBER"

func TestMain(m *testing.M) {
	if addresses := strings.Fields(os.Getenv(memberOf)); len(addresses) == 2 {
		runMember(addresses[0], addresses[1])
		return
	}
	flag.Parse()
	if _, err := exec.LookPath("redis-server"); err != nil {
		fmt.Fprintln(os.Stderr, "redis-server is not installed: THE LIMIT OF A FLEET IS NOT TESTED")
	}
	os.Exit(m.Run())
}

// runMember sends as fast as the limiter lets it, with 4 callers, until its input ends.
func runMember(redisAddr, service string) {
	client := redis.NewClient(&redis.Options{Addr: redisAddr})
	l, err := New(client, "members", hundred, WithLogger(slog.New(slog.NewTextHandler(os.Stdout, nil))))
	if err != nil {
		panic(err)
	}
	ctx, end := context.WithCancel(context.Background())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		end()
	}()
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for l.Wait(ctx, monitoring.AttemptRequest{}) == nil {
				began := time.Now()
				response, err := http.Get(service)
				if err != nil {
					continue
				}
				_ = response.Body.Close()
				l.Ended(monitoring.AttemptRequest{}, monitoring.AttemptOutcome{StatusCode: response.StatusCode, Duration: time.Since(began)})
			}
		})
	}
	all.Wait()
	_ = l.Close()
}

// strict is a service that counts a sliding log.
type strict struct {
	mu            sync.Mutex
	sent, refused []time.Time
}

func (s *strict) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	if n := len(s.sent) - hundred.Requests; n >= 0 && now.Sub(s.sent[n]) < hundred.Per {
		s.refused = append(s.refused, now)
		w.WriteHeader(http.StatusTooManyRequests)
		return
	}
	s.sent = append(s.sent, now)
}

func (s *strict) used(from, to time.Time) float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return 100 * float64(within(s.sent, from, to)) / float64(hundred.Requests) * hundred.Per.Seconds() / to.Sub(from).Seconds()
}

// start starts processes, and returns what ends them and returns what they have written.
func startMembers(t *testing.T, n int, redisAddr, service string) (end func() []string) {
	var inputs []io.Closer
	var logs []*strings.Builder
	var all sync.WaitGroup
	for range n {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), memberOf+"="+redisAddr+" "+service)
		input, err := cmd.StdinPipe()
		require.NoError(t, err)
		output, err := cmd.StdoutPipe()
		require.NoError(t, err)
		cmd.Stderr = cmd.Stdout
		require.NoError(t, cmd.Start())
		inputs = append(inputs, input)
		text := &strings.Builder{}
		logs = append(logs, text)
		all.Go(func() {
			for lines := bufio.NewScanner(output); lines.Scan(); {
				text.WriteString(lines.Text() + "\n")
			}
			_ = cmd.Wait()
		})
	}
	ended := false
	end = func() (texts []string) {
		if ended {
			return nil
		}
		ended = true
		for _, input := range inputs {
			_ = input.Close()
		}
		all.Wait()
		for _, text := range logs {
			texts = append(texts, text.String())
		}
		return texts
	}
	t.Cleanup(func() { end() })
	return end
}

// TestRealTroubles has real processes on a real Redis. What must be used is less than what the
// simulation shows, because a busy machine takes places; the limit must be kept in any case.
func TestRealTroubles(t *testing.T) {
	const gone = "connection refused|EOF|connection reset|broken pipe" // a command may be under way
	signal := func(s *redisServer, name string) {
		require.NoError(s.t, exec.Command("kill", "-"+name, fmt.Sprint(s.cmd.Process.Pid)).Run())
	}
	admin := func(s *redisServer, password string, args ...any) {
		client := redis.NewClient(&redis.Options{Addr: s.addr(), Password: password})
		defer client.Close()
		require.NoError(s.t, client.Do(context.Background(), args...).Err())
	}
	for i, trouble := range []struct {
		name   string
		begin  func(s *redisServer)
		end    func(s *redisServer)
		reason string
	}{
		{"killed, data lost", func(s *redisServer) { s.kill() }, func(s *redisServer) { s.start() }, gone},
		{"stalled", func(s *redisServer) { signal(s, "STOP") }, func(s *redisServer) { signal(s, "CONT") }, "did not reply in time"},
		{"killed, with an AOF", func(s *redisServer) { s.kill() }, func(s *redisServer) { s.start("--appendonly", "yes") }, gone},
		{"read-only", func(s *redisServer) { admin(s, "", "REPLICAOF", "127.0.0.1", "1") },
			func(s *redisServer) { admin(s, "", "REPLICAOF", "NO", "ONE") }, "READONLY"},
		{"full", func(s *redisServer) { admin(s, "", "CONFIG", "SET", "maxmemory", "1") },
			func(s *redisServer) { admin(s, "", "CONFIG", "SET", "maxmemory", "0") }, "OOM"},
		{"locked", func(s *redisServer) {
			admin(s, "", "CONFIG", "SET", "requirepass", "secret")
			admin(s, "secret", "CLIENT", "KILL", "TYPE", "normal")
		}, func(s *redisServer) { admin(s, "secret", "CONFIG", "SET", "requirepass", "") }, "NOAUTH|" + gone},
		{"flushed", func(s *redisServer) { admin(s, "", "FLUSHALL") }, func(*redisServer) {}, ""},
	} {
		t.Run(trouble.name, func(t *testing.T) {
			if i > 1 && !*long {
				t.Skip("this takes minutes: -troubles")
			}
			t.Parallel()
			var aof []string
			if strings.Contains(trouble.name, "AOF") {
				aof = []string{"--appendonly", "yes"}
			}
			server, service := startRedis(t, aof...), &strict{}
			listener := httptest.NewServer(service)
			t.Cleanup(listener.Close)
			end := startMembers(t, 8, server.addr(), listener.URL)
			began := time.Now()
			time.Sleep(hundred.Per + 3*time.Second)
			troubled := time.Now()
			trouble.begin(server)
			time.Sleep(5 * time.Second)
			trouble.end(server)
			over := time.Now()
			time.Sleep(hundred.Per)
			after := time.Now()
			texts := end()
			t.Logf("%.1f %% of the first window, %.1f %% during it, %.1f %% after it, %d refused", service.used(began, began.Add(hundred.Per)),
				service.used(troubled, over), service.used(over, after), len(service.refused))
			require.LessOrEqual(t, len(service.refused), 2)
			require.GreaterOrEqual(t, service.used(began, began.Add(hundred.Per)), 70.0)
			require.GreaterOrEqual(t, service.used(troubled, over), 60.0)
			require.GreaterOrEqual(t, service.used(over, after), 70.0)
			for _, text := range texts {
				require.LessOrEqual(t, strings.Count(text, "\n"), 2, "one record for each change, and nothing of go-redis: %s", text)
				require.Regexp(t, trouble.reason, text)
			}
		})
	}
}

// TestARealClockIsMoved moves the clock of a real Redis, also that by which its keys expire.
func TestARealClockIsMoved(t *testing.T) {
	if !*long {
		t.Skip("this takes minutes: -troubles")
	}
	for _, by := range []time.Duration{-2 * time.Second, -20 * time.Second, -time.Hour, 20 * time.Second, time.Hour} {
		t.Run(by.String(), func(t *testing.T) {
			server, service := startRedis(t), &strict{}
			move := server.withClock()
			listener := httptest.NewServer(service)
			t.Cleanup(listener.Close)
			end := startMembers(t, 4, server.addr(), listener.URL)
			time.Sleep(hundred.Per + 3*time.Second)
			moved := time.Now()
			move(by)
			time.Sleep(2 * hundred.Per)
			texts := end()
			first, later := service.used(moved, moved.Add(hundred.Per)), service.used(moved.Add(hundred.Per), moved.Add(2*hundred.Per))
			longest, last := time.Duration(0), moved
			for _, at := range service.sent {
				if at.After(moved) {
					longest, last = max(longest, at.Sub(last)), at
				}
			}
			t.Logf("%.1f %% of the next window, %.1f %% of the one after it, %d refused, longest gap %s", first, later, len(service.refused), longest)
			require.Empty(t, service.refused)
			require.GreaterOrEqual(t, first, 85.0) // 90 on a machine that is not busy
			require.GreaterOrEqual(t, later, 85.0)
			require.Less(t, longest, time.Second)
			for _, text := range texts {
				require.Equal(t, 1, strings.Count(text, "Redis's clock was set"), text)
			}
		})
	}
}
