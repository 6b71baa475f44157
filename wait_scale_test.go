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

// waitLoad is a waiting for many sessions and what it gave.
type waitLoad struct {
	requests, refused int
	lags              []time.Duration // from the end of a session to its yield, sorted
}

func (l *waitLoad) lag(quantile float64) time.Duration {
	return l.lags[min(len(l.lags)-1, int(quantile*float64(len(l.lags))))]
}

// waitForMany waits for sessions of 20 s to 10 min, at 100 ms latency and with the
// limit enforced. It runs inside a bubble.
func waitForMany(t *testing.T, sessions int) *waitLoad {
	svc := monitoringtest.New(
		monitoringtest.WithLatency(100*time.Millisecond),
		monitoringtest.WithRateLimit(600, time.Minute, monitoringtest.SlidingLog))
	random := rand.New(rand.NewPCG(1, uint64(sessions)))
	var ids []string
	for range sessions {
		d := 20*time.Second + time.Duration(random.Int64N(int64(580*time.Second)))
		ids = append(ids, svc.AddSession(monitoringtest.Session{Duration: d}))
	}
	load := &waitLoad{}
	for session, err := range newClient(t, svc).CheckSessions.WaitAll(t.Context(), ids, monitoring.WaitOptions{}) {
		require.NoError(t, err)
		load.lags = append(load.lags, time.Since(session.StoppedAt.Time))
	}
	require.Len(t, load.lags, sessions, "every session is reported")
	slices.Sort(load.lags)
	for _, r := range svc.Requests() {
		load.requests++
		if r.Status == http.StatusTooManyRequests {
			load.refused++
		}
	}
	return load
}

func TestWaitingAtScaleKeepsTheLimitAndSeesEndsSoon(t *testing.T) {
	for _, c := range []struct {
		sessions    int
		median, p99 time.Duration // 0 for any
	}{
		{1, time.Second, time.Second},
		{50, time.Second, time.Second},
		{200, time.Second, time.Second},
		{300, time.Second, 12 * time.Second},
		{1000, 35 * time.Second, 0},
	} {
		t.Run(fmt.Sprint(c.sessions), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				load := waitForMany(t, c.sessions)
				t.Logf("%d requests, lag: median %s, p99 %s, most %s", load.requests, load.lag(.5), load.lag(.99), load.lag(1))
				require.Zero(t, load.refused)
				require.Less(t, load.lag(.5), c.median)
				if c.p99 > 0 {
					require.Less(t, load.lag(.99), c.p99)
				}
			})
		})
	}
}

func TestShareBoundsWhatTheWaitingUses(t *testing.T) {
	for share, most := range map[float64]int{0: 600, 0.25: 150, 0.75: 450, 1: 600} {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New()
			var ids []string
			for range 1000 {
				ids = append(ids, svc.AddSession(monitoringtest.Session{Duration: time.Hour}))
			}
			ctx, stop := context.WithTimeout(t.Context(), 10*time.Minute)
			defer stop()
			began := time.Now()
			for range newClient(t, svc).CheckSessions.WaitAll(ctx, ids, monitoring.WaitOptions{Share: share}) {
			}
			counts := make([]int, 11)
			for _, r := range svc.Requests() {
				counts[int(r.Time.Sub(began)/time.Minute)]++
			}
			for _, n := range counts[1:10] { // after the burst of the first minute
				require.LessOrEqual(t, n, most+8, counts)
				require.Greater(t, n, most*9/10, counts)
			}
		})
	}
}

func TestMoreSessionsThanTheBudgetHoldsTakeTurns(t *testing.T) {
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
		require.LessOrEqual(t, most-least, 2, "none starves: %v", histogram)
	})
}

func TestManyWaitsShareOnePace(t *testing.T) {
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
		for range 30 {
			began := time.Now()
			_, err := client.Locations.List(ctx)
			require.NoError(t, err)
			require.Less(t, time.Since(began), 2*time.Second, "an ordinary call goes before what waits")
		}
		workers.Wait()
	})
}

func TestCancelledWaitsCostTheOthersNothing(t *testing.T) {
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

func TestTimeInTheQueueIsNoTimeWithoutAnAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New(monitoringtest.WithoutRecording())
		var ids []string
		for range 3000 {
			ids = append(ids, svc.AddSession(monitoringtest.Session{Duration: 10 * time.Minute}))
		}
		svc.Inject(monitoringtest.Fault{Operation: opCompletion, Status: 503, Times: 3000}) // about the first poll of each
		for _, err := range newClient(t, svc, monitoring.WithMaxRetries(0)).CheckSessions.WaitAll(t.Context(), ids, monitoring.WaitOptions{}) {
			require.NoError(t, err)
		}
	})
}
