package redislimit

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"
)

// redisServer is a real redis-server of a test.
type redisServer struct {
	t    testing.TB
	bin  string
	port int
	dir  string
	cmd  *exec.Cmd
}

// startRedis starts a redis-server on a free port of the loopback interface. If there is
// none on the machine, the test is skipped, and with CI set it fails.
func startRedis(t testing.TB, more ...string) *redisServer {
	t.Helper()
	bin, err := exec.LookPath("redis-server")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("redis-server is not installed (Debian: apt-get install redis-server)")
		}
		t.Skip("SKIPPED: redis-server is not installed (Debian: apt-get install redis-server); THE LIMIT OF A FLEET IS NOT TESTED")
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	port := listener.Addr().(*net.TCPAddr).Port
	require.NoError(t, listener.Close())
	s := &redisServer{t: t, bin: bin, port: port, dir: t.TempDir()}
	s.start(more...)
	t.Cleanup(s.kill)
	return s
}

func (s *redisServer) addr() string { return fmt.Sprintf("127.0.0.1:%d", s.port) }

func (s *redisServer) start(more ...string) {
	args := append([]string{"--port", fmt.Sprint(s.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", s.dir}, more...)
	s.cmd = exec.Command(s.bin, args...)
	require.NoError(s.t, s.cmd.Start())
	client := redis.NewClient(&redis.Options{Addr: s.addr()})
	defer client.Close()
	require.Eventually(s.t, func() bool {
		return client.Ping(context.Background()).Err() == nil
	}, 10*time.Second, 10*time.Millisecond, "redis-server does not start")
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

// settle makes a new Redis look as if a whole window has passed. Without it each test would
// wait for a window first.
func settle(t testing.TB, client *redis.Client, key string, limitSpan time.Duration) {
	t.Helper()
	era := time.Now().UnixMilli() - 3*limitSpan.Milliseconds() - 60000
	err := client.Eval(context.Background(), `
		local meta = {era = tonumber(ARGV[1]), seq = 0, live = 0, turn = 0, at = 0}
		return redis.call('HSET', KEYS[1], 'meta', cmsgpack.pack(meta))`, []string{"{" + key + "}:window"}, era).Err()
	require.NoError(t, err)
}

// slowProxy forwards to Redis with a delay.
type slowProxy struct {
	listener net.Listener
	to       string
	delay    atomic.Int64
}

func startProxy(t testing.TB, to string) *slowProxy {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	p := &slowProxy{listener: listener, to: to}
	go p.accept()
	t.Cleanup(func() { _ = listener.Close() })
	return p
}

func (p *slowProxy) addr() string { return p.listener.Addr().String() }

func (p *slowProxy) accept() {
	for {
		from, err := p.listener.Accept()
		if err != nil {
			return
		}
		to, err := net.Dial("tcp", p.to)
		if err != nil {
			_ = from.Close()
			continue
		}
		go p.pipe(from, to)
		go p.pipe(to, from)
	}
}

func (p *slowProxy) pipe(from, to net.Conn) {
	defer from.Close()
	defer to.Close()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		time.Sleep(time.Duration(p.delay.Load()) / 2)
		if n > 0 {
			if _, err := to.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil {
			if err != io.EOF {
				return
			}
			return
		}
	}
}
