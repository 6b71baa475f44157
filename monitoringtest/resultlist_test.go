package monitoringtest_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

// TestResultsOfACheckAreSelected has three runs at intervals of an hour: one that passes in two
// locations, one that fails at its second attempt, and one that still goes on.
func TestResultsOfACheckAreSelected(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		client := clientOf(t, svc)
		check := monitoringtest.UUID("c")
		began := time.Now()
		for i, session := range []monitoringtest.Session{
			{Locations: []string{"eu-west-1", "us-east-1"}, Outcome: monitoring.SessionPassed},
			{Locations: []string{"eu-west-1"}, Outcome: monitoring.SessionFailed, Attempts: 1},
			{Locations: []string{"eu-west-1"}, Duration: 2 * time.Hour},
		} {
			session.CheckID, session.ID, session.Type = check, monitoringtest.UUID(string(rune('0'+i))), monitoring.CheckTypeAPI
			svc.AddSession(session)
			time.Sleep(time.Hour)
		}
		svc.AddSession(monitoringtest.Session{CheckID: monitoringtest.UUID("other")})
		failed, err := client.CheckResults.Get(t.Context(), check, svc.ResultIDs(monitoringtest.UUID("1"))[1])
		require.NoError(t, err)
		ended := failed.StoppedAt.Time
		require.Zero(t, ended.Nanosecond(), "a period is given in whole seconds")
		for _, c := range []struct {
			name    string
			options monitoring.CheckResultListOptions
			want    int
		}{
			{"final ones", monitoring.CheckResultListOptions{}, 3},
			{"attempts", monitoring.CheckResultListOptions{ResultType: monitoring.ResultAttempt}, 1},
			{"all", monitoring.CheckResultListOptions{ResultType: monitoring.ResultAll}, 4},
			{"with failures", monitoring.CheckResultListOptions{HasFailures: new(true), ResultType: monitoring.ResultAll}, 2},
			{"without failures", monitoring.CheckResultListOptions{HasFailures: new(false)}, 2},
			{"of a location", monitoring.CheckResultListOptions{Location: monitoring.RegionUSEast1}, 1},
			{"of a kind", monitoring.CheckResultListOptions{CheckType: monitoring.CheckTypeAPI}, 3},
			{"of another kind", monitoring.CheckResultListOptions{CheckType: monitoring.CheckTypeTCP}, 0},
			{"from a time on", monitoring.CheckResultListOptions{From: began.Add(30 * time.Minute)}, 1},
			{"until a time", monitoring.CheckResultListOptions{To: began.Add(30 * time.Minute)}, 2},
			{"from the end of a run on", monitoring.CheckResultListOptions{From: ended}, 1},
			{"until before the end of a run", monitoring.CheckResultListOptions{To: ended}, 2},
			{"until after the end of a run", monitoring.CheckResultListOptions{To: ended.Add(time.Second)}, 3},
			{"from a cursor that is not known", monitoring.CheckResultListOptions{NextID: "x"}, 0},
		} {
			page, err := client.CheckResults.List(t.Context(), check, c.options)
			require.NoError(t, err, c.name)
			require.Len(t, page.Items, c.want, c.name)
			require.False(t, page.HasMore)
		}
	})
}
