package redislimit

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"
)

// redisServer is a real redis-server of a test.
type redisServer struct {
	t   testing.TB
	bin string
	dir string
	env []string
	cmd *exec.Cmd
}

// startRedis starts a redis-server on a socket in a folder of the test: another process may take a
// port. If there is none on the machine, the test is skipped, and with CI set it fails.
func startRedis(t testing.TB, more ...string) *redisServer {
	t.Helper()
	bin, err := exec.LookPath("redis-server")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("redis-server is not installed (Debian: apt-get install redis-server)")
		}
		t.Skip("SKIPPED: redis-server is not installed (Debian: apt-get install redis-server); THE LIMIT OF A FLEET IS NOT TESTED")
	}
	s := &redisServer{t: t, bin: bin, dir: t.TempDir()}
	s.start(more...)
	t.Cleanup(s.kill)
	return s
}

func (s *redisServer) addr() string { return filepath.Join(s.dir, "socket") }

func (s *redisServer) start(more ...string) {
	args := append([]string{"--port", "0", "--unixsocket", s.addr(), "--save", "", "--appendonly", "no", "--dir", s.dir}, more...)
	s.cmd = exec.Command(s.bin, args...)
	s.cmd.Env = append(os.Environ(), s.env...)
	require.NoError(s.t, s.cmd.Start())
	client := redis.NewClient(&redis.Options{Addr: s.addr()})
	defer client.Close()
	require.Eventually(s.t, func() bool {
		return client.Ping(context.Background()).Err() == nil
	}, 10*time.Second, 10*time.Millisecond, "redis-server does not start")
}

// withClock starts the server again with a clock that can be moved, and returns what moves it.
func (s *redisServer) withClock() (move func(by time.Duration)) {
	cc, err := exec.LookPath("cc")
	if err != nil {
		s.t.Skip("SKIPPED: there is no C compiler for testdata/clock.c")
	}
	library, file := filepath.Join(s.dir, "clock.so"), filepath.Join(s.dir, "moved")
	text, err := exec.Command(cc, "-shared", "-fPIC", "-o", library, "testdata/clock.c", "-ldl").CombinedOutput()
	require.NoError(s.t, err, string(text))
	move = func(by time.Duration) {
		require.NoError(s.t, os.WriteFile(file+".new", fmt.Append(nil, int64(by.Seconds())), 0o600))
		require.NoError(s.t, os.Rename(file+".new", file))
	}
	move(0)
	s.env = []string{"LD_PRELOAD=" + library, "MOVED_CLOCK=" + file}
	s.kill()
	s.start()
	return move
}

// kill ends the server, as kill -9 does.
func (s *redisServer) kill() {
	if s.cmd != nil {
		_ = s.cmd.Process.Kill()
		_ = s.cmd.Wait()
		s.cmd = nil
	}
}

// client is a client of an address that is closed when the test ends.
func clientOf(t testing.TB, addr string) *redis.Client {
	client := redis.NewClient(&redis.Options{Addr: addr, ContextTimeoutEnabled: true, MaxRetries: -1})
	t.Cleanup(func() { _ = client.Close() })
	return client
}
