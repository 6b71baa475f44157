package waits_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestStatusesInProgressAreNotOlderThanAMinute(t *testing.T) {
	t.Parallel()
	for _, sessions := range testkit.Figures(20, 1, 100) {
		t.Run(fmt.Sprint(sessions), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc := monitoringtest.New(monitoringtest.WithLatency(150*time.Millisecond), monitoringtest.WithRateLimit(monitoring.RateLimit{Requests: 600, Per: time.Minute}), monitoringtest.WithRateLimitKind(monitoringtest.SlidingLog))
				var ids []string
				for i := range sessions {
					ids = append(ids, svc.AddSession(monitoringtest.Session{Duration: 10*time.Minute + time.Duration(i)*5*time.Second}))
				}
				client := kit.Fake(t, svc)
				began := time.Now()
				var oldest time.Duration
				byStatus := map[monitoring.CheckSessionStatus]int{}
				calls, changes := 0, 0
				for _, err := range client.CheckSessions.WaitAll(t.Context(), ids, monitoring.WaitOptions{OnProgress: func(p monitoring.WaitProgress) {
					calls++
					oldest = max(oldest, p.OldestStatus)
					byStatus = p.ByStatus
					if p.Session == nil && p.ByStatus[monitoring.SessionProgress] > 0 {
						changes++
					}
					if since := time.Since(began); since > 3*time.Minute && since < 9*time.Minute {
						require.Equal(t, sessions, byStatus[monitoring.SessionProgress], "at %s", since)
					}
				}}) {
					require.NoError(t, err)
				}
				t.Logf("oldest %s, %d calls, %d polls, %d reads", oldest, calls, svc.Count(opCompletion), svc.Count(opGetSession))
				require.Less(t, oldest, time.Minute)
				if sessions > 1 {
					require.Greater(t, oldest, 29*time.Second, "statuses are not read all the time")
				}
				require.LessOrEqual(t, svc.Count(opGetSession), sessions*37)
				require.Equal(t, map[monitoring.CheckSessionStatus]int{monitoring.SessionPassed: sessions}, byStatus)
				require.LessOrEqual(t, calls, 1+4*sessions)
				require.GreaterOrEqual(t, changes, sessions, "each change of a status is reported")
				for _, r := range svc.Requests() {
					require.NotEqual(t, 429, r.Status)
				}
			})
		})
	}
}
