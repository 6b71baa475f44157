package redislimit

import (
	"context"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"
	"github.com/stretchr/testify/require"
)

// lines is a log of go-redis.
type lines struct {
	mu   sync.Mutex
	list []string
}

func (l *lines) Printf(_ context.Context, format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = append(l.list, fmt.Sprintf(format, args...))
}

func TestACommandEndsWithItsContext(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0") // nobody replies
	require.NoError(t, err)
	defer listener.Close()
	client := redis.NewClient(&redis.Options{Addr: listener.Addr().String(), ReadTimeout: time.Hour})
	defer client.Close()
	l, err := New(client, "key", hundred)
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	text, err := l.run(ctx, []string{"{key}"}, nil)
	_, err = parse(text, err, 1, hundred)
	require.ErrorContains(t, err, "it did not reply in time")
	require.NoError(t, l.Close())
}

func TestTheClientsOfRedisSayWhyAndWriteNoLog(t *testing.T) {
	log := &lines{}
	redis.SetLogger(log)
	t.Cleanup(logging.Enable)
	var dials atomic.Int32
	refused := func(context.Context, string, string) (net.Conn, error) {
		dials.Add(1)
		return nil, syscall.ECONNREFUSED
	}
	for name, client := range map[string]redis.UniversalClient{
		"a single one": redis.NewClient(&redis.Options{Addr: "127.0.0.1:1", Dialer: refused}),
		"a cluster":    redis.NewClusterClient(&redis.ClusterOptions{Addrs: []string{"127.0.0.1:1"}, Dialer: refused}),
	} {
		t.Run(name, func(t *testing.T) {
			l, err := New(client, "key", hundred)
			require.NoError(t, err)
			for range 3 {
				dials.Store(0)
				_, err = l.run(t.Context(), []string{"{key}"}, nil)
				require.ErrorContains(t, err, "connection refused")
				require.EqualValues(t, 1, dials.Load(), "it does not try again")
			}
			require.NoError(t, l.Close())
			require.NoError(t, client.Close(), "it is the caller's")
			log.mu.Lock()
			defer log.mu.Unlock()
			require.Empty(t, log.list)
		})
	}
}
