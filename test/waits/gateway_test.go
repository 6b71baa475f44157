package waits_test

import (
	"fmt"
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

// waitForTwenty waits for 20 sessions of about ten minutes and returns how late their ends
// were seen, sorted.
func waitForTwenty(t *testing.T, svc *monitoringtest.Service, client *monitoring.Client) (lags []time.Duration) {
	var ids []string
	for i := range 20 {
		d := 10*time.Minute + time.Duration(i)*7301*time.Millisecond
		ids = append(ids, svc.AddSession(monitoringtest.Session{Duration: d}))
	}
	for session, err := range client.CheckSessions.WaitAll(t.Context(), ids, monitoring.WaitOptions{}) {
		require.NoError(t, err)
		require.True(t, session.Passed())
		lags = append(lags, time.Since(session.StoppedAt.Time))
	}
	require.Len(t, lags, 20)
	slices.Sort(lags)
	return lags
}

func TestWaitsGetThroughAGatewayThatCutsLongRequests(t *testing.T) {
	t.Parallel()
	for _, c := range testkit.Figures([]struct {
		cut, most time.Duration
		with      string
	}{
		{5 * time.Second, time.Second, "504"}, {20 * time.Second, time.Second, "reset"}, {29 * time.Second, time.Second, "empty"}, {5 * time.Second, time.Second, "408"},
		{1500 * time.Millisecond, 12 * time.Second, "504"}, // more polls than the limit has places
	}...) {
		t.Run(fmt.Sprintf("at %s with %s", c.cut, c.with), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc := monitoringtest.New(monitoringtest.WithLatency(100*time.Millisecond), monitoringtest.WithRateLimit(monitoring.RateLimit{Requests: 600, Per: time.Minute}), monitoringtest.WithRateLimitKind(monitoringtest.SlidingLog))
				g := &gateway{cut: c.cut, with: c.with}
				lags := waitForTwenty(t, svc, behindGateway(t, svc, g))
				t.Logf("lag p50 %s, at most %s; %d polls, %d cut", lags[10], lags[19], g.polls.Load(), g.cuts.Load())
				require.Less(t, lags[10], time.Second)
				require.Less(t, lags[19], c.most)
				if c.with != "408" {
					require.Less(t, g.cuts.Load(), int64(20*8), "holds stay below the cut")
				}
			})
		})
	}
}

func TestReadsReplacePollsIfTheCompletionIsMissing(t *testing.T) {
	t.Parallel()
	for _, c := range testkit.Figures([]struct {
		name    string
		gateway *gateway
	}{
		{"404 in HTML", &gateway{absent: 404}},
		{"an HTML page", &gateway{absent: 200}},
		{"503 every time", &gateway{absent: 503}},
		{"cuts shorter than any poll", &gateway{cut: 700 * time.Millisecond, with: "504"}},
	}...) {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := c.gateway
				svc := monitoringtest.New(monitoringtest.WithLatency(100 * time.Millisecond))
				lags := waitForTwenty(t, svc, behindGateway(t, svc, g))
				reads := svc.Count(opGetSession)
				t.Logf("lag p50 %s, at most %s; %d polls, %d reads", lags[10], lags[19], g.polls.Load(), reads)
				require.Less(t, lags[10], 6*time.Second)
				require.Less(t, lags[19], 13*time.Second)
				require.Less(t, g.polls.Load(), int64(20*20), "polls are tried less and less often")
				require.Less(t, reads, 20*170)
			})
		})
	}
}

func TestRequestsOfWaitsAreNotChargedToTheRetryBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		client := kit.Fake(t, svc)
		svc.Inject(monitoringtest.Fault{Operation: opCompletion, Status: 503})
		var ids []string
		for range 100 {
			ids = append(ids, svc.AddSession(monitoringtest.Session{Duration: time.Hour}))
		}
		for range client.CheckSessions.WaitAll(t.Context(), ids, monitoring.WaitOptions{Timeout: 2 * time.Minute}) {
		}
		require.Greater(t, svc.Count(opCompletion), 300)
		svc.ClearFaults()
		svc.Inject(monitoringtest.Fault{Operation: "GET /v1/locations", Status: 503, Times: 60})
		var calls sync.WaitGroup
		for range 60 {
			calls.Go(func() {
				if _, err := client.Locations.List(t.Context()); err != nil {
					t.Error("the budget has no retry for each:", err)
				}
			})
		}
		calls.Wait()
	})
}
