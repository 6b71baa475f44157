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

// manySessions is a wait for sessions that run between least and most.
type manySessions struct {
	sessions         int
	least, most      time.Duration
	latency          time.Duration // of the service
	fresh            bool          // statuses are kept fresh
	beside           bool          // one ordinary call a second meanwhile
	median, p95, p99 time.Duration // the most time from the end of a session to its yield
}

func quantile(sorted []time.Duration, q float64) time.Duration {
	return sorted[min(len(sorted)-1, int(q*float64(len(sorted))))]
}

func TestWaitsAtScaleKeepTheLimitAndSeeEndsSoon(t *testing.T) {
	t.Parallel()
	const ms, ten = time.Millisecond, 10 * time.Minute
	for _, m := range testkit.Figures([]manySessions{
		{500, 5 * time.Second, time.Minute, 100 * ms, false, true, 5 * ms, 25 * time.Second, 30 * time.Second},
		{200, 30 * time.Second, ten, 100 * ms, false, false, ms, ms, 100 * ms}, // an end between two polls is seen one latency later
		{200, 30 * time.Second, ten, 100 * ms, true, false, ms, ms, 100 * ms},
		{300, 20 * time.Second, ten, 100 * ms, false, false, ms, ms, 12 * time.Second},
		{1000, 20 * time.Second, ten, 100 * ms, false, false, 35 * time.Second, time.Minute, 80 * time.Second},
		{500, 5 * time.Second, time.Minute, 0, false, true, 5 * ms, 25 * time.Second, 30 * time.Second},
	}...) {
		t.Run(fmt.Sprintf("%d of %s to %s, fresh %t", m.sessions, m.least, m.most, m.fresh), func(t *testing.T) {
			synctest.Test(t, m.wait)
		})
	}
}

// wait waits for the sessions, with the limit enforced.
func (m manySessions) wait(t *testing.T) {
	svc := monitoringtest.New(monitoringtest.WithLatency(m.latency),
		monitoringtest.WithRateLimit(monitoring.RateLimit{Requests: 600, Per: time.Minute}), monitoringtest.WithRateLimitKind(monitoringtest.SlidingLog))
	random := rand.New(rand.NewPCG(1, uint64(m.sessions)))
	var ids []string
	for range m.sessions {
		d := m.least + time.Duration(random.Int64N(int64(m.most-m.least)))
		ids = append(ids, svc.AddSession(monitoringtest.Session{Duration: d}))
	}
	client := kit.Fake(t, svc)
	lags, calls := []time.Duration{}, []time.Duration{0}
	done := make(chan bool)
	var ordinary sync.WaitGroup
	ordinary.Go(func() {
		for m.beside {
			select {
			case <-done:
				return
			case <-time.After(time.Second):
			}
			began := time.Now()
			_, err := client.Locations.List(t.Context())
			if err != nil {
				t.Error(err)
			}
			calls = append(calls, time.Since(began)-m.latency)
		}
	})
	var options monitoring.WaitOptions
	if m.fresh {
		options.OnProgress = func(monitoring.WaitProgress) {}
	}
	for session, err := range client.CheckSessions.WaitAll(t.Context(), ids, options) {
		require.NoError(t, err)
		lags = append(lags, time.Since(session.StoppedAt.Time))
	}
	close(done)
	ordinary.Wait()
	require.Len(t, lags, m.sessions, "every session is reported")
	for _, r := range svc.Requests() {
		require.NotEqual(t, http.StatusTooManyRequests, r.Status)
	}
	slices.Sort(lags)
	slices.Sort(calls)
	t.Logf("%d requests; lag p50 %s, p95 %s, p99 %s; ordinary calls p99 %s", len(svc.Requests()), quantile(lags, .5), quantile(lags, .95), quantile(lags, .99), quantile(calls, .99))
	require.LessOrEqual(t, quantile(lags, .5), m.median)
	require.LessOrEqual(t, quantile(lags, .95), m.p95)
	require.LessOrEqual(t, quantile(lags, .99), m.p99)
	require.Less(t, quantile(calls, .99), 200*time.Millisecond, "ordinary calls go first")
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
		var waits sync.WaitGroup
		for range 1000 {
			id := svc.AddSession(monitoringtest.Session{Duration: time.Hour})
			waits.Go(func() { client.CheckSessions.Wait(ctx, id, monitoring.WaitOptions{}) })
		}
		time.Sleep(2 * time.Minute)
		for range 30 {
			time.Sleep(time.Second)
			began := time.Now()
			_, err := client.Locations.List(ctx)
			require.NoError(t, err)
			require.Less(t, time.Since(began), 500*time.Millisecond)
		}
		waits.Wait()
	})
}
