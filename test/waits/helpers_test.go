package waits_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

const (
	opCompletion = "GET /v2/check-sessions/{checkSessionId}/completion"
	opGetSession = "GET /v2/check-sessions/{checkSessionId}"
	opGetResult  = "GET /v1/check-results/{checkId}/{checkResultId}"
	opTrigger    = "POST /v2/check-sessions/trigger"
	opCancel     = "POST /v1/check-sessions/{checkSessionId}/cancel"
)

const unknownID = "00000000-0000-4000-8000-000000000001" // no service has a session with it

var all = monitoring.TriggerRequest{AllChecks: true}

// limited is a service with a latency that enforces the limit.
func limited(latency time.Duration) *monitoringtest.Service {
	return monitoringtest.New(monitoringtest.WithLatency(latency),
		monitoringtest.WithRateLimit(monitoring.RateLimit{Requests: 600, Per: time.Minute}), monitoringtest.WithRateLimitKind(monitoringtest.SlidingLog))
}

// requireNo429 requires that the service refused no request.
func requireNo429(t *testing.T, svc *monitoringtest.Service) {
	for _, r := range svc.Requests() {
		require.NotEqual(t, 429, r.Status)
	}
}

// addSessions adds n sessions and returns their ids.
func addSessions(svc *monitoringtest.Service, n int, duration func(i int) time.Duration) (ids []string) {
	for i := range n {
		ids = append(ids, svc.AddSession(monitoringtest.Session{Duration: duration(i)}))
	}
	return ids
}

func anHour(int) time.Duration { return time.Hour }

// requireTimeout requires the error of a session that still ran after the timeout.
func requireTimeout(t *testing.T, err error) *monitoring.SessionError {
	t.Helper()
	require.ErrorIs(t, err, monitoring.ErrWaitTimeout)
	require.NotErrorIs(t, err, context.DeadlineExceeded)
	require.NotErrorIs(t, err, context.Canceled)
	return kit.ErrAs[*monitoring.SessionError](t, err)
}
