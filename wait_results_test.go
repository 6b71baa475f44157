package monitoring_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

func TestFailedResultsFetchesWhatDidNotPass(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		var locations, failing []string
		for i := range 20 {
			locations = append(locations, fmt.Sprintf("private-%02d", i))
		}
		failing = locations[5:17]
		id := svc.AddSession(monitoringtest.Session{Locations: locations, FailIn: failing, Attempts: 1, Outcome: monitoring.SessionFailed})
		client := newClient(t, svc)
		session, err := client.CheckSessions.Wait(t.Context(), id, monitoring.WaitOptions{})
		require.NoError(t, err)
		require.Len(t, session.FinalResults(), 20)
		require.NotEmpty(t, session.Attempts())
		results, err := client.CheckSessions.FetchFailingResults(t.Context(), session)
		require.NoError(t, err)
		require.Len(t, results, len(failing))
		for i, r := range results {
			require.Equal(t, failing[i], r.RunLocation)
			require.True(t, r.HasFailures)
			require.NotEmpty(t, r.Messages())
		}

		svc.Inject(monitoringtest.Fault{Operation: "GET /v1/check-results/{checkId}/{checkResultId}", Status: 404, Times: 1})
		results, err = client.CheckSessions.FetchFailingResults(t.Context(), session)
		require.ErrorIs(t, err, monitoring.ErrNotFound)
		missing := slices.Index(results, nil)
		require.GreaterOrEqual(t, missing, 0)
		require.Len(t, results, len(failing))
	})
}

func TestWaitForARootCauseAnalysis(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		id := svc.AddRootCauseAnalysis(monitoring.RootCauseAnalysis{CheckType: monitoring.CheckTypeAPI, Analysis: &monitoring.Analysis{RootCause: "c"}}, 50*time.Second)
		svc.Inject(monitoringtest.Fault{Status: 503, After: 1, Times: 2})
		client := newClient(t, svc)
		began := time.Now()
		analysis, err := client.RootCauseAnalyses.Wait(t.Context(), id)
		require.NoError(t, err)
		require.True(t, analysis.Completed())
		require.Equal(t, "c", analysis.Analysis.RootCause)
		require.Less(t, time.Since(began), 66*time.Second)
		require.Less(t, len(svc.Requests()), 14, "with back-off")

		slow := svc.AddRootCauseAnalysis(monitoring.RootCauseAnalysis{}, time.Hour)
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		defer stop()
		analysis, err = client.RootCauseAnalyses.Wait(ctx, slow)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Equal(t, monitoring.RootCauseAnalysisPending, analysis.Status, "as last seen")

		_, err = client.RootCauseAnalyses.Wait(t.Context(), "nothing")
		require.ErrorIs(t, err, monitoring.ErrNotFound)
	})
}
