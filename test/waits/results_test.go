package waits_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

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
