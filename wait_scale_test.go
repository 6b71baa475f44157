package monitoring_test

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
	"github.com/monitoring-api/monitoring-go/monitoringtest"
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

// waitForMany waits for sessions that run between least and most, with 100 ms latency and the
// limit enforced. If beside is true, there is one ordinary call a second meanwhile. It runs
// inside a bubble.
func waitForMany(t *testing.T, sessions int, least, most time.Duration, beside bool) *waitLoad {
	svc := monitoringtest.New(
		monitoringtest.WithLatency(100*time.Millisecond),
		monitoringtest.WithRateLimit(monitoring.RateLimit{Requests: 600, Per: time.Minute}), monitoringtest.WithRateLimitKind(monitoringtest.SlidingLog))
	random := rand.New(rand.NewPCG(1, uint64(sessions)))
	var ids []string
	for range sessions {
		d := least + time.Duration(random.Int64N(int64(most-least)))
		ids = append(ids, svc.AddSession(monitoringtest.Session{Duration: d}))
	}
	load := &waitLoad{calls: []time.Duration{0}}
	client := newClient(t, svc)
	calling, stop := context.WithCancel(t.Context())
	var mu sync.Mutex
	var calls sync.WaitGroup
	calls.Go(func() {
		for beside {
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
				load.calls = append(load.calls, time.Since(began)-100*time.Millisecond)
			})
		}
	})
	for session, err := range client.CheckSessions.WaitAll(t.Context(), ids, monitoring.WaitOptions{}) {
		require.NoError(t, err)
		load.lags = append(load.lags, time.Since(session.StoppedAt.Time))
	}
	stop()
	calls.Wait()
	require.Len(t, load.lags, sessions, "every session is reported")
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
	const ms = time.Millisecond
	for _, c := range []struct {
		name             string
		sessions         int
		least, most      time.Duration
		beside           bool
		median, p95, p99 time.Duration // of the lag; 0 for any
	}{
		{"one session", 1, 20 * time.Second, 10 * time.Minute, false, ms, ms, ms},
		{"200 sessions", 200, 30 * time.Second, 10 * time.Minute, false, ms, ms, 100 * ms}, // an end between two polls is seen one latency later
		{"300 sessions", 300, 20 * time.Second, 10 * time.Minute, false, ms, ms, 5 * time.Second},
		{"1,000 sessions", 1000, 20 * time.Second, 10 * time.Minute, false, 35 * time.Second, 0, 0},
		{"500 short sessions beside ordinary calls", 500, 5 * time.Second, time.Minute, true, time.Second, 26 * time.Second, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				load := waitForMany(t, c.sessions, c.least, c.most, c.beside)
				t.Log(load)
				require.Zero(t, load.refused)
				if c.beside {
					require.Less(t, quantile(load.calls, .99), 500*ms, "ordinary calls go first")
				}
				for q, most := range map[float64]time.Duration{.5: c.median, .95: c.p95, .99: c.p99} {
					if most > 0 {
						require.LessOrEqual(t, quantile(load.lags, q), most)
					}
				}
			})
		})
	}
}

func TestShareBoundsTheRequestsOfWaits(t *testing.T) {
	for share, most := range map[float64]int{0: 600, 0.25: 150, 0.75: 450} {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New()
			var ids []string
			for range 1000 {
				ids = append(ids, svc.AddSession(monitoringtest.Session{Duration: time.Hour}))
			}
			ctx, stop := context.WithTimeout(t.Context(), 5*time.Minute)
			defer stop()
			began := time.Now()
			for range newClient(t, svc).CheckSessions.WaitAll(ctx, ids, monitoring.WaitOptions{Share: share}) {
			}
			counts := make([]int, 6)
			for _, r := range svc.Requests() {
				counts[int(r.Time.Sub(began)/time.Minute)]++
			}
			for _, n := range counts[1:5] { // after the burst of the first minute
				require.LessOrEqual(t, n, most+8, counts)
				require.Greater(t, n, most*9/10, counts)
			}
		})
	}
}

func TestMoreSessionsThanPlacesTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		var ids []string
		for range 1000 {
			ids = append(ids, svc.AddSession(monitoringtest.Session{Duration: time.Hour}))
		}
		ctx, stop := context.WithTimeout(t.Context(), 20*time.Minute)
		defer stop()
		for range newClient(t, svc).CheckSessions.WaitAll(ctx, ids, monitoring.WaitOptions{}) {
		}
		polls := make(map[string]int)
		for _, r := range svc.Requests() {
			polls[r.Path]++
		}
		require.Len(t, polls, 1000)
		least, most := 1000, 0
		for _, n := range polls {
			least, most = min(least, n), max(most, n)
		}
		histogram := map[int]int{}
		for _, n := range polls {
			histogram[n]++
		}
		require.LessOrEqual(t, most-least, 2, "no session is left out: %v", histogram)
	})
}

func TestOrdinaryCallsGoBeforeManyWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		client := newClient(t, svc)
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

func TestCancelledWaitsDoNotDelayLaterOnes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		client := newClient(t, svc)
		var workers sync.WaitGroup
		for range 2000 {
			id := svc.AddSession(monitoringtest.Session{Duration: time.Hour})
			workers.Go(func() {
				ctx, stop := context.WithTimeout(t.Context(), time.Second)
				defer stop()
				client.CheckSessions.Wait(ctx, id, monitoring.WaitOptions{})
			})
		}
		workers.Wait()
		time.Sleep(time.Minute)
		began := time.Now()
		done := svc.AddSession(monitoringtest.Session{StartedAt: began.Add(-time.Hour)})
		_, err := client.CheckSessions.Wait(t.Context(), done, monitoring.WaitOptions{})
		require.NoError(t, err)
		require.Zero(t, time.Since(began))
	})
}

func TestTimeInTheQueueIsNotATimeOfFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New(monitoringtest.WithoutRecording())
		var ids []string
		for range 3000 {
			ids = append(ids, svc.AddSession(monitoringtest.Session{Duration: 10 * time.Minute}))
		}
		svc.Inject(monitoringtest.Fault{Operation: opCompletion, Status: 503, Times: 3000}) // the first poll of each
		for _, err := range newClient(t, svc, monitoring.WithMaxRetries(0)).CheckSessions.WaitAll(t.Context(), ids, monitoring.WaitOptions{}) {
			require.NoError(t, err)
		}
	})
}
