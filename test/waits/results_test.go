package waits_test

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestFetchFailingResultsFetchesWhatDidNotPass(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		var locations, failing []string
		for i := range 20 {
			locations = append(locations, fmt.Sprintf("private-%02d", i))
		}
		failing = locations[5:17]
		id := svc.AddSession(monitoringtest.Session{Locations: locations, FailIn: failing, Attempts: 1, Outcome: monitoring.SessionFailed})
		client := kit.Fake(t, svc)
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

func TestEightFailingResultsAreFetchedAtOnce(t *testing.T) {
	for failing, want := range map[int]time.Duration{1: time.Second, 16: 2 * time.Second, 17: 3 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New(monitoringtest.WithLatency(time.Second))
			session, final := &monitoring.CheckSession{}, monitoring.ResultFinal
			for i := range failing {
				id := fmt.Sprintf("00000000-0000-4000-8000-%012d", i)
				session.Results = append(session.Results, monitoring.CheckSessionResult{CheckID: id, CheckResultID: id, ResultType: &final, HasFailures: true})
			}
			began := time.Now()
			results, err := kit.Fake(t, svc).CheckSessions.FetchFailingResults(t.Context(), session)
			require.ErrorIs(t, err, monitoring.ErrNotFound)
			require.Len(t, results, failing)
			require.Equal(t, want, time.Since(began).Truncate(time.Second), "%d results", failing)
			require.Len(t, svc.Requests(), failing, "each is fetched once")
		})
	}
}
