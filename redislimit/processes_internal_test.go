package redislimit

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"net"
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

var long = flag.Duration("long", 0, "run TestLongRun for this time; it takes a little more than a minute longer")

// The test binary is the process of a fleet too, when these variables are set.
const (
	memberRedis  = "REDISLIMIT_TEST_REDIS"
	memberServer = "REDISLIMIT_TEST_SERVER"
	memberLimit  = "REDISLIMIT_TEST_LIMIT"
	memberName   = "REDISLIMIT_TEST_NAME"
)

func TestMain(m *testing.M) {
	if os.Getenv(memberRedis) != "" {
		if err := member(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	flag.Parse()
	// The tests wait much more than they compute.
	if err := flag.Set("test.parallel", "16"); err != nil {
		panic(err)
	}
	if _, err := exec.LookPath("redis-server"); err != nil {
		fmt.Fprintln(os.Stderr, "redis-server is not installed: THE LIMIT OF A FLEET IS NOT TESTED")
	}
	os.Exit(m.Run())
}

// member is a process that sends as fast as the limiter lets it, until its input ends.
func member() error {
	var limit monitoring.RateLimit
	var per string
	var processes int
	if _, err := fmt.Sscan(os.Getenv(memberLimit), &limit.Requests, &per, &processes); err != nil {
		return err
	}
	limit.Per, _ = time.ParseDuration(per)
	client := redis.NewClient(&redis.Options{Addr: os.Getenv(memberRedis)})
	defer client.Close()
	name := os.Getenv(memberName)
	l, err := New(client, "members", limit, WithProcesses(processes), WithModeHook(func(c ModeChange) {
		fmt.Printf("%s %s: %s (%v)\n", time.Now().Format("15:04:05.000"), name, c.Mode, c.Err)
	}))
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for l.Wait(ctx, monitoring.LimitedAttempt{}) == nil {
				began := time.Now()
				response, err := http.Get(os.Getenv(memberServer) + "/" + name)
				if err != nil {
					continue
				}
				_ = response.Body.Close()
				l.Ended(monitoring.LimitedAttempt{}, monitoring.AttemptOutcome{StatusCode: response.StatusCode, Duration: time.Since(began)})
			}
		})
	}
	group.Wait()
	return l.Close()
}

// members starts processes and returns what kills one, and what ends all.
func members(t *testing.T, redisAddr, server string, limit monitoring.RateLimit, n int) (kill func(int), end func()) {
	var cmds []*exec.Cmd
	var inputs []io.Closer
	var outputs sync.WaitGroup
	for i := range n {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), memberRedis+"="+redisAddr, memberServer+"="+server,
			fmt.Sprintf("%s=%d %s %d", memberLimit, limit.Requests, limit.Per, n), fmt.Sprintf("%s=p%d", memberName, i))
		in, err := cmd.StdinPipe()
		require.NoError(t, err)
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		cmd.Stderr = os.Stderr
		require.NoError(t, cmd.Start())
		cmds, inputs = append(cmds, cmd), append(inputs, in)
		outputs.Go(func() {
			for lines := bufio.NewScanner(out); lines.Scan(); {
				t.Log(lines.Text())
			}
		})
	}
	t.Cleanup(func() {
		for _, cmd := range cmds {
			_ = cmd.Process.Kill()
		}
	})
	kill = func(i int) { _ = cmds[i].Process.Kill() }
	return kill, func() {
		for _, in := range inputs {
			_ = in.Close()
		}
		outputs.Wait()
		for _, cmd := range cmds {
			_ = cmd.Wait()
		}
	}
}

// strictHTTP serves a strict server over loopback.
func strictHTTP(t *testing.T, s *strictServer) string {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.request(strings.TrimPrefix(r.URL.Path, "/")) {
			w.WriteHeader(http.StatusTooManyRequests)
		}
	}))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	_ = server.Listener.Close()
	server.Listener = listener
	server.Start()
	t.Cleanup(server.Close)
	return server.URL
}

func TestProcessesStayUnderTheLimitWhenRedisIsKilledAndWhenOneOfThemIs(t *testing.T) {
	t.Parallel()
	server := startRedis(t)
	limit := monitoring.RateLimit{Requests: 120, Per: 4 * time.Second}
	settle(t, clientOf(t, server.addr()), "members", limit.Per)
	strict := newStrictServer(limit)
	kill, end := members(t, server.addr(), strictHTTP(t, strict), limit, 4)
	time.Sleep(4 * time.Second)
	kill(3)
	time.Sleep(time.Second)
	server.kill()
	down := time.Now()
	time.Sleep(2 * time.Second)
	up := time.Now()
	server.start()
	time.Sleep(9 * time.Second)
	over := time.Now()
	end()
	require.Zero(t, strict.refused, "no window may see more than the limit: %v", strict.by)
	require.Positive(t, strict.between(down.Add(500*time.Millisecond), up), "calls go on without Redis")
	shared := strict.between(over.Add(-2*time.Second), over)
	require.Greater(t, float64(shared), 0.85*2*float64(limit.Requests)/window(limit).Seconds(), "three processes have all of the limit again")
}

// TestLongRun is the long run, in real time: go test -run TestLongRun -long 3m -timeout 10m -v
func TestLongRun(t *testing.T) {
	if *long == 0 {
		t.Skip("the long run takes minutes: -long 3m")
	}
	server := startRedis(t)
	limit := monitoring.DefaultRateLimit
	strict := newStrictServer(limit)
	_, end := members(t, server.addr(), strictHTTP(t, strict), limit, 8)
	time.Sleep(window(limit) + 5*time.Second) // Redis is new
	began := time.Now()
	time.Sleep(*long / 3)
	server.kill()
	down := time.Now()
	time.Sleep(5 * time.Second)
	server.start()
	up := time.Now()
	time.Sleep(time.Until(began.Add(*long)))
	over := time.Now()
	end()

	used := func(from, to time.Time) float64 {
		n := strict.between(from, to)
		part := float64(n) / (float64(limit.Requests) * to.Sub(from).Seconds() / limit.Per.Seconds())
		t.Logf("%8s to %8s: %d requests, %.1f %% of the limit", from.Sub(began).Round(time.Second), to.Sub(began).Round(time.Second), n, 100*part)
		return part
	}
	t.Logf("%d refused; by process %v", strict.refused, strict.by)
	used(began.Add(-window(limit)), began)
	used(up, up.Add(limit.Per))
	require.Zero(t, strict.refused)
	require.GreaterOrEqual(t, used(began, down), 0.95)
	require.GreaterOrEqual(t, used(began, over), 0.95)
}
