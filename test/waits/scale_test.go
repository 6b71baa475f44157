package waits_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// manySessions is a wait for sessions that run between least and most.
type manySessions struct {
	sessions         int
	least, most      time.Duration
	fresh            bool          // statuses are kept fresh
	beside           bool          // one ordinary call a second meanwhile
	median, p95, p99 time.Duration // the most time from the end of a session to its yield
}

func quantile(sorted []time.Duration, q float64) time.Duration {
	return sorted[min(len(sorted)-1, int(q*float64(len(sorted))))]
}

// TestWaitsAtScaleKeepTheLimitAndSeeEndsSoon has the figures of docs/run-checks.md, all of them
// with -v.
func TestWaitsAtScaleKeepTheLimitAndSeeEndsSoon(t *testing.T) {
	t.Parallel()
	const ms, ten = time.Millisecond, 10 * time.Minute
	rows := testkit.Figures([]manySessions{
		{500, 5 * time.Second, time.Minute, false, true, time.Second, 25 * time.Second, 35 * time.Second}, // a half is seen at once, or nearly
		{300, 20 * time.Second, ten, false, false, ms, ms, 12 * time.Second},
		{200, 30 * time.Second, ten, false, false, ms, ms, 100 * ms}, // an end between two polls is seen one latency later
		{200, 30 * time.Second, ten, true, false, ms, ms, 100 * ms},
		{1000, 20 * time.Second, ten, false, false, 35 * time.Second, time.Minute, 80 * time.Second},
	}...)
	if !testing.Verbose() {
		rows = rows[:min(len(rows), 2)]
	}
	for _, m := range rows {
		t.Run(fmt.Sprintf("%d of %s to %s, fresh %t", m.sessions, m.least, m.most, m.fresh), func(t *testing.T) {
			synctest.Test(t, m.wait)
		})
	}
}

// wait waits for the sessions, with the limit enforced.
func (m manySessions) wait(t *testing.T) {
	const latency = 100 * time.Millisecond
	svc, random := limited(latency), rand.New(rand.NewPCG(1, uint64(m.sessions)))
	ids := addSessions(svc, m.sessions, func(int) time.Duration { return m.least + time.Duration(random.Int64N(int64(m.most-m.least))) })
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
			if err := kit.Second(client.Locations.List(t.Context())); err != nil {
				t.Error(err)
			}
			calls = append(calls, time.Since(began)-latency)
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
	requireNo429(t, svc)
	slices.Sort(lags)
	slices.Sort(calls)
	t.Logf("%d requests; lag p50 %s, p95 %s, p99 %s; ordinary calls p99 %s", len(svc.Requests()), quantile(lags, .5), quantile(lags, .95), quantile(lags, .99), quantile(calls, .99))
	require.LessOrEqual(t, quantile(lags, .5), m.median)
	require.LessOrEqual(t, quantile(lags, .95), m.p95)
	require.LessOrEqual(t, quantile(lags, .99), m.p99)
	require.Less(t, quantile(calls, .99), 200*time.Millisecond, "ordinary calls go first")
}

func TestStatusesInProgressAreNotOlderThanAMinute(t *testing.T) {
	t.Parallel()
	const sessions = 100
	synctest.Test(t, func(t *testing.T) {
		svc := limited(150 * time.Millisecond)
		ids := addSessions(svc, sessions, func(i int) time.Duration { return 4*time.Minute + time.Duration(i)*time.Second })
		var oldest time.Duration
		var last map[monitoring.CheckSessionStatus]int
		calls, changes, finished, most, began := 0, 0, 0, 0, time.Now()
		for _, err := range kit.Fake(t, svc).CheckSessions.WaitAll(t.Context(), ids, monitoring.WaitOptions{OnProgress: func(p monitoring.WaitProgress) {
			calls++
			finished, most = p.Finished, max(most, p.Total)
			oldest, last = max(oldest, p.OldestStatus), p.ByStatus
			if p.Session == nil && p.ByStatus[monitoring.SessionProgress] > 0 {
				changes++
			}
			if since := time.Since(began); since > 3*time.Minute && since < 4*time.Minute {
				require.Equal(t, sessions, p.ByStatus[monitoring.SessionProgress], "at %s", since)
			}
		}}) {
			require.NoError(t, err)
		}
		t.Logf("oldest %s, %d calls, %d reads", oldest, calls, svc.Count("GET /v2/check-sessions/{checkSessionId}"))
		require.Equal(t, []int{sessions, sessions}, []int{finished, most})
		require.Less(t, oldest, time.Minute)
		require.Greater(t, oldest, 29*time.Second, "statuses are not read all the time")
		require.Equal(t, map[monitoring.CheckSessionStatus]int{monitoring.SessionPassed: sessions}, last)
		require.LessOrEqual(t, calls, 1+4*sessions)
		require.GreaterOrEqual(t, changes, sessions, "each change of a status is reported")
		requireNo429(t, svc)
	})
}
