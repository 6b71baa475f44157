package waits_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// waitLoad has the figures of a wait for many sessions.
type waitLoad struct {
	requests, refused int
	lags              []time.Duration // from the end of a session to its yield, sorted
	calls             []time.Duration // how long the ordinary calls took, sorted
}

func quantile(sorted []time.Duration, q float64) time.Duration {
	return sorted[min(len(sorted)-1, int(q*float64(len(sorted))))]
}

func (l *waitLoad) String() string {
	return fmt.Sprintf("%d requests, %d refused; lag p50 %s, p95 %s, p99 %s, most %s; ordinary calls p50 %s, p99 %s, most %s", l.requests, l.refused,
		quantile(l.lags, .5), quantile(l.lags, .95), quantile(l.lags, .99), quantile(l.lags, 1),
		quantile(l.calls, .5), quantile(l.calls, .99), quantile(l.calls, 1))
}

// manySessions is a number of sessions that run between least and most.
type manySessions struct {
	sessions    int
	least, most time.Duration
	latency     time.Duration // of the service
	beside      bool          // one ordinary call a second meanwhile
	seed        uint64
}

// waitForMany waits for sessions, with the limit enforced. It runs inside a bubble.
func waitForMany(t *testing.T, m manySessions) *waitLoad {
	svc := monitoringtest.New(
		monitoringtest.WithLatency(m.latency),
		monitoringtest.WithRateLimit(monitoring.RateLimit{Requests: 600, Per: time.Minute}), monitoringtest.WithRateLimitKind(monitoringtest.SlidingLog))
	random := rand.New(rand.NewPCG(m.seed, uint64(m.sessions)))
	var ids []string
	for range m.sessions {
		d := m.least + time.Duration(random.Int64N(int64(m.most-m.least)))
		ids = append(ids, svc.AddSession(monitoringtest.Session{Duration: d}))
	}
	load := &waitLoad{calls: []time.Duration{0}}
	client := kit.Fake(t, svc)
	calling, stop := context.WithCancel(t.Context())
	var mu sync.Mutex
	var calls sync.WaitGroup
	calls.Go(func() {
		for m.beside {
			select {
			case <-calling.Done():
				return
			case <-time.After(time.Second):
			}
			calls.Go(func() {
				began := time.Now()
				if _, err := client.Locations.List(t.Context()); err != nil {
					t.Error(err)
				}
				mu.Lock()
				defer mu.Unlock()
				load.calls = append(load.calls, time.Since(began)-m.latency)
			})
		}
	})
	for session, err := range client.CheckSessions.WaitAll(t.Context(), ids, monitoring.WaitOptions{}) {
		require.NoError(t, err)
		load.lags = append(load.lags, time.Since(session.StoppedAt.Time))
	}
	stop()
	calls.Wait()
	require.Len(t, load.lags, m.sessions, "every session is reported")
	slices.Sort(load.lags)
	slices.Sort(load.calls)
	for _, r := range svc.Requests() {
		load.requests++
		if r.Status == http.StatusTooManyRequests {
			load.refused++
		}
	}
	return load
}

func TestWaitsAtScaleKeepTheLimitAndSeeEndsSoon(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	for _, c := range testkit.Figures([]struct {
		name             string
		sessions         int
		least, most      time.Duration
		median, p95, p99 time.Duration // of the lag; 0 for any
	}{
		{"200 sessions", 200, 30 * time.Second, 10 * time.Minute, ms, ms, 100 * ms}, // an end between two polls is seen one latency later
		{"300 sessions", 300, 20 * time.Second, 10 * time.Minute, ms, ms, 12 * time.Second},
		{"1,000 sessions", 1000, 20 * time.Second, 10 * time.Minute, 35 * time.Second, 0, 0},
	}...) {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				load := waitForMany(t, manySessions{c.sessions, c.least, c.most, 100 * ms, false, 1})
				t.Log(load)
				require.Zero(t, load.refused)
				for q, most := range map[float64]time.Duration{.5: c.median, .95: c.p95, .99: c.p99} {
					if most > 0 {
						require.LessOrEqual(t, quantile(load.lags, q), most)
					}
				}
			})
		})
	}
}

func TestManyShortSessionsAtScaleBesideOrdinaryCalls(t *testing.T) {
	t.Parallel()
	all := &waitLoad{}
	runs := 0
	for _, latency := range testkit.Figures(100*time.Millisecond, 0, 50*time.Millisecond, 150*time.Millisecond) {
		for seed := range uint64(3) {
			synctest.Test(t, func(t *testing.T) {
				load := waitForMany(t, manySessions{500, 5 * time.Second, time.Minute, latency, true, seed})
				all.requests += load.requests
				all.refused += load.refused
				all.lags = append(all.lags, load.lags...)
				all.calls = append(all.calls, load.calls...)
			})
			runs++
		}
	}
	slices.Sort(all.lags)
	slices.Sort(all.calls)
	t.Logf("in %d runs: %s", runs, all)
	require.Zero(t, all.refused)
	require.Less(t, quantile(all.calls, .99), 200*time.Millisecond, "ordinary calls go first")
	require.Less(t, quantile(all.lags, .95), 20*time.Second)
	require.Less(t, quantile(all.lags, .5), 5*time.Millisecond)
}

func TestShareBoundsTheRequestsOfWaits(t *testing.T) {
	t.Parallel()
	for _, c := range testkit.Figures([]struct {
		share float64
		most  int
	}{{0.25, 150}, {0, 600}, {0.75, 450}}...) {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New()
			var ids []string
			for range 1000 {
				ids = append(ids, svc.AddSession(monitoringtest.Session{Duration: time.Hour}))
			}
			ctx, stop := context.WithTimeout(t.Context(), 5*time.Minute)
			defer stop()
			began := time.Now()
			for range kit.Fake(t, svc).CheckSessions.WaitAll(ctx, ids, monitoring.WaitOptions{Share: c.share}) {
			}
			counts := make([]int, 6)
			for _, r := range svc.Requests() {
				counts[int(r.Time.Sub(began)/time.Minute)]++
			}
			for _, n := range counts[1:5] { // after the burst of the first minute
				require.LessOrEqual(t, n, c.most+8, counts)
				require.Greater(t, n, c.most*9/10, counts)
			}
		})
	}
}

func TestOrdinaryCallsGoBeforeManyWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		client := kit.Fake(t, svc)
		ctx, stop := context.WithTimeout(t.Context(), 5*time.Minute)
		defer stop()
		var workers sync.WaitGroup
		for range 1000 {
			id := svc.AddSession(monitoringtest.Session{Duration: time.Hour})
			workers.Go(func() { client.CheckSessions.Wait(ctx, id, monitoring.WaitOptions{}) })
		}
		time.Sleep(2 * time.Minute)
		longest := time.Duration(0)
		for range 30 {
			time.Sleep(time.Second)
			began := time.Now()
			_, err := client.Locations.List(ctx)
			require.NoError(t, err)
			longest = max(longest, time.Since(began))
			require.Less(t, time.Since(began), 500*time.Millisecond, "ordinary calls go before polls")
		}
		t.Logf("an ordinary call took %s at most", longest)
		workers.Wait()
	})
}
