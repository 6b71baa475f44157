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
		locations := []string{"a", "b", "c", "d", "e"}
		id := svc.AddSession(monitoringtest.Session{Locations: locations, FailIn: locations[1:4], Attempts: 1, Outcome: monitoring.SessionFailed})
		client := kit.Fake(t, svc)
		session, err := client.CheckSessions.Wait(t.Context(), id, monitoring.WaitOptions{})
		require.NoError(t, err)
		require.Len(t, session.FinalResults(), 5)
		require.NotEmpty(t, session.Attempts())
		results, err := client.CheckSessions.FetchFailingResults(t.Context(), session)
		require.NoError(t, err)
		require.Len(t, results, 3)
		for i, r := range results {
			require.Equal(t, locations[1+i], r.RunLocation)
			require.True(t, r.HasFailures)
			require.NotEmpty(t, r.Messages())
		}

		svc.Inject(monitoringtest.Fault{Operation: "GET /v1/check-results/{checkId}/{checkResultId}", Status: 404, Times: 1})
		results, err = client.CheckSessions.FetchFailingResults(t.Context(), session)
		require.ErrorIs(t, err, monitoring.ErrNotFound)
		require.Len(t, results, 3)
		require.True(t, slices.Contains(results, nil), "in place of the one that is missing")
	})
}

// failingIn is a session with so many failing results, which no service has.
func failingIn(n int) *monitoring.CheckSession {
	session, final := &monitoring.CheckSession{}, monitoring.ResultFinal
	for i := range n {
		id := fmt.Sprintf("00000000-0000-4000-8000-%012d", i)
		session.Results = append(session.Results, monitoring.CheckSessionResult{CheckID: id, CheckResultID: id, ResultType: &final, HasFailures: true})
	}
	return session
}

func TestEightFailingResultsAreFetchedAtOnce(t *testing.T) {
	for failing, want := range map[int]time.Duration{16: 2 * time.Second, 17: 3 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New(monitoringtest.WithLatency(time.Second))
			began := time.Now()
			results, err := kit.Fake(t, svc).CheckSessions.FetchFailingResults(t.Context(), failingIn(failing))
			require.Len(t, err.(interface{ Unwrap() []error }).Unwrap(), failing, "no service has them")
			require.Len(t, results, failing)
			require.Equal(t, want, time.Since(began).Truncate(time.Second), "%d results", failing)
			require.Len(t, svc.Requests(), failing, "each is fetched once")
		})
	}
}
