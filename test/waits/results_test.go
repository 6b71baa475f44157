package waits_test

import (
	"fmt"
	"strings"
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
		id := svc.AddSession(monitoringtest.Session{Locations: []string{"a", "b", "c", "d"}, FailIn: []string{"b", "c"}, Attempts: 1, Outcome: monitoring.SessionFailed})
		client := kit.Fake(t, svc)
		session, err := client.CheckSessions.Wait(t.Context(), id, monitoring.WaitOptions{})
		require.NoError(t, err)
		svc.Inject(monitoringtest.Fault{Operation: opGetResult, Status: 404, Times: 1, Match: func(r monitoringtest.Request) bool {
			return strings.HasSuffix(r.Path, session.FailingResults()[0].CheckResultID)
		}})
		results, err := client.CheckSessions.FetchFailingResults(t.Context(), session)
		require.ErrorIs(t, err, monitoring.ErrNotFound)
		require.Len(t, results, 2)
		require.Nil(t, results[0], "in place of the one that is missing")
		require.Equal(t, "c", results[1].RunLocation)
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
