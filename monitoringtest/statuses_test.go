package monitoringtest_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

func TestStatusesFollowTheRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New(monitoringtest.WithCancelDelay(0))
		client := clientOf(t, svc)
		check := svc.AddCheck(monitoringtest.Check{
			Name: "Shop certificate", Type: monitoring.CheckTypeSSL, Locations: []string{"eu-west-1", "us-east-1"},
			Outcomes: []monitoring.CheckSessionStatus{monitoring.SessionFailed, monitoring.SessionDegraded, monitoring.SessionTimedOut, monitoring.SessionPassed},
		})
		never := svc.AddCheck(monitoringtest.Check{Name: "never run", Deactivated: true})
		read := func() []monitoring.CheckStatus {
			list, err := client.CheckStatuses.List(t.Context())
			require.NoError(t, err)
			return list
		}
		run := func() {
			_, err := client.CheckSessions.Trigger(t.Context(), monitoring.TriggerRequest{AllChecks: true})
			require.NoError(t, err)
		}
		_, raw := sendRaw(t, svc, "GET", "/v1/check-statuses", "")
		require.Equal(t, "[]", raw, "a check that has not run has no status, and no null in its place")
		for i, want := range []monitoring.CheckStatus{{HasFailures: true}, {IsDegraded: true}, {HasFailures: true}, {}} {
			before := read()
			run()
			require.Equal(t, before, read(), "a session that runs changes nothing")
			time.Sleep(monitoringtest.DefaultRunTime)
			got := read()
			require.Len(t, got, 1)
			one, err := client.CheckStatuses.Get(t.Context(), check)
			require.NoError(t, err)
			require.Equal(t, got[0], *one)
			require.Equal(t, []any{check, "Shop certificate", want.HasFailures, want.IsDegraded, "us-east-1", 2000.0, 64.0},
				[]any{got[0].CheckID, got[0].Name, got[0].HasFailures, got[0].IsDegraded, *got[0].LastRunLocation, *got[0].LongestRun, *got[0].SSLDaysRemaining}, i)
		}
		none, err := client.CheckStatuses.Get(t.Context(), never)
		require.NoError(t, err)
		require.Nil(t, none)
		_, err = client.CheckStatuses.Get(t.Context(), monitoringtest.UUID("unknown"))
		require.ErrorIs(t, err, monitoring.ErrNotFound)
		svc.AddSession(monitoringtest.Session{CheckID: check, StartedAt: time.Now().Add(-time.Hour), Duration: time.Second, Outcome: monitoring.SessionFailed})
		got := read()[0]
		require.False(t, got.HasFailures, "an older session does not change the last one")
		require.Equal(t, 1000.0, *got.ShortestRun)
	})
}

func TestACancelledRunDoesNotChangeTheStatus(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New(monitoringtest.WithCancelDelay(0))
		client := clientOf(t, svc)
		svc.AddCheck(monitoringtest.Check{Type: monitoring.CheckTypePlaywright})
		started, err := client.CheckSessions.Trigger(t.Context(), monitoring.TriggerRequest{AllChecks: true})
		require.NoError(t, err)
		require.NoError(t, client.CheckSessions.Cancel(t.Context(), started[0].CheckSessionID, monitoring.CancelRequest{}))
		time.Sleep(time.Minute)
		list, err := client.CheckStatuses.List(t.Context())
		require.NoError(t, err)
		require.Empty(t, list)
	})
}
