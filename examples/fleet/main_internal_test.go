package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"
)

// startRedis starts a redis-server and returns its address. Without one the test is skipped.
func startRedis(t *testing.T) string {
	t.Helper()
	bin, err := exec.LookPath("redis-server")
	if err != nil && os.Getenv("CI") == "" {
		t.Skip("SKIPPED: redis-server is not installed (Debian: apt-get install redis-server)")
	}
	require.NoError(t, err)
	addr := filepath.Join(t.TempDir(), "socket") // another process could take a port
	server := exec.Command(bin, "--port", "0", "--unixsocket", addr, "--save", "")
	require.NoError(t, server.Start())
	t.Cleanup(func() { _, _ = server.Process.Kill(), server.Wait() })
	client := redis.NewClient(&redis.Options{Addr: addr})
	defer client.Close()
	require.Eventually(t, func() bool { return client.Ping(t.Context()).Err() == nil }, 10*time.Second, 10*time.Millisecond)
	return addr
}

// The clock of Redis is a real one, and so is the time of this test.
func TestTwoProcessesShareOneLimit(t *testing.T) {
	addr := startRedis(t)
	ctx, stop := context.WithTimeout(t.Context(), 3500*time.Millisecond)
	defer stop()
	var both sync.WaitGroup
	out := map[string]*bytes.Buffer{"left": new(bytes.Buffer), "right": new(bytes.Buffer)}
	for name, stdout := range out {
		both.Go(func() {
			if code := run(ctx, []string{"-redis", addr, "-requests", "100", "-name", name}, stdout, new(bytes.Buffer)); code != 0 {
				t.Errorf("the exit code of %s is %d", name, code)
			}
		})
	}
	both.Wait()
	together := 0
	for name, stdout := range out {
		own := 0
		for _, line := range regexp.MustCompile(`(?m)^`+name+`: +(\d+) places in the last second$`).FindAllStringSubmatch(stdout.String(), -1) {
			n, err := strconv.Atoi(line[1])
			require.NoError(t, err)
			own += n
		}
		require.Positive(t, own, "%s had no place:\n%s", name, stdout)
		together += own
	}
	require.LessOrEqual(t, together, 100, "more than the limit of 10 seconds in three")
}

func TestWrongUse(t *testing.T) {
	for _, args := range [][]string{{"-what"}, {"-requests", "-1"}} {
		require.Equal(t, 2, run(t.Context(), args, new(bytes.Buffer), new(bytes.Buffer)), args)
	}
	require.Zero(t, run(t.Context(), []string{"-h"}, new(bytes.Buffer), new(bytes.Buffer)))
}
