package redislimit

import (
	"context"
	"flag"
	"regexp"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go"
)

var sizing = flag.Bool("sizing", false, "run TestSizing, which takes a minute")

// TestSizing simulates fleets in one process, on a real Redis, and prints what they cost:
// go test -run TestSizing -sizing -v
func TestSizing(t *testing.T) {
	if !*sizing {
		t.Skip("the sizing takes a minute: -sizing")
	}
	for _, n := range []int{10, 100, 1000} {
		size(t, n)
	}
}

func size(t *testing.T, n int) {
	const runs = 15 * time.Second
	server := startRedis(t)
	defer server.kill()
	client := redis.NewClient(&redis.Options{Addr: server.addr(), PoolSize: 200, ContextTimeoutEnabled: true})
	defer client.Close()
	settle(t, client, "sizing", time.Minute)
	ctx, cancel := context.WithCancel(context.Background())
	var places, local atomic.Int64
	var group sync.WaitGroup
	var limiters []*Limiter
	for i := range n {
		l, err := New(client, "sizing", monitoring.DefaultRateLimit, WithProcesses(n), WithTimeout(2*time.Second),
			WithModeHook(func(c ModeChange) {
				if c.Mode == ModeLocal {
					local.Add(1)
				}
			}))
		require.NoError(t, err)
		limiters = append(limiters, l)
		for range 4 {
			group.Go(func() {
				time.Sleep(time.Second * time.Duration(i) / time.Duration(n)) // they do not start together
				for l.Wait(ctx, monitoring.LimitedAttempt{}) == nil {
					places.Add(1)
				}
			})
		}
	}
	time.Sleep(3 * time.Second)
	calls, cpu := spent(t, client)
	had := places.Load()
	time.Sleep(runs)
	callsAfter, cpuAfter := spent(t, client)
	seconds := runs.Seconds()
	rate := float64(places.Load()-had) / seconds
	t.Logf("%5d processes: %6.0f commands/s, %5.1f %% of a core of Redis (%4.0f µs each); %5.2f places/s in all, %7.4f in each process (one in %.1f s); local %d",
		n, float64(callsAfter-calls)/seconds, (cpuAfter-cpu)/seconds*100, (cpuAfter-cpu)/float64(callsAfter-calls)*1e6,
		rate, rate/float64(n), float64(n)/rate, local.Load())
	require.LessOrEqual(t, float64(callsAfter-calls), float64(2*n)*(seconds+1))
	cancel()
	group.Wait()
	for _, l := range limiters {
		group.Go(func() { _ = l.Close() })
	}
	group.Wait()
}

// spent returns how many commands of limiters Redis has run, and the seconds they took.
func spent(t *testing.T, client *redis.Client) (calls int, seconds float64) {
	stats, err := client.Info(context.Background(), "commandstats").Result()
	require.NoError(t, err)
	found := regexp.MustCompile(`cmdstat_evalsha:calls=(\d+),usec=(\d+)`).FindStringSubmatch(stats)
	require.NotNil(t, found)
	calls, err = strconv.Atoi(found[1])
	require.NoError(t, err)
	micros, err := strconv.Atoi(found[2])
	require.NoError(t, err)
	return calls, float64(micros) / 1e6
}
