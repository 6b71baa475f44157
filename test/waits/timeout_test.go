package waits_test

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// TestATimeoutHoldsWithinASecond has services of every kind, and sessions that were seen running.
func TestATimeoutHoldsWithinASecond(t *testing.T) {
	const useless = `{"checkSessionId":null}`
	for name, fault := range map[string]monitoringtest.Fault{
		"a service that is down":      {Status: 503, After: 1}, // the trigger is the first request
		"one that does not respond":   {Delay: time.Hour, After: 1},
		"one that asks for a pause":   {Status: 429, Header: http.Header{"Retry-After": {"60"}}, After: 1},
		"one that says nothing":       {Status: 200, Body: useless, After: 1},
		"one without polls":           {Operation: opCompletion, Status: 404},
		"one that is slow to trigger": {Operation: opTrigger, Delay: 20 * time.Second},
		"one whose reads say nothing": {Operation: opGetSession, Status: 200, Body: useless},
	} {
		for _, timeout := range []time.Duration{1, 3 * time.Second, 100 * time.Second} {
			synctest.Test(t, func(t *testing.T) {
				svc := monitoringtest.New(monitoringtest.WithLatency(100 * time.Millisecond))
				for range 5 {
					svc.AddCheck(monitoringtest.Check{RunTime: time.Hour})
				}
				svc.Inject(fault)
				began := time.Now()
				sessions, err := kit.Fake(t, svc).CheckSessions.TriggerAndWait(t.Context(), all, monitoring.WaitOptions{
					Timeout: timeout, OnProgress: func(p monitoring.WaitProgress) { require.NoError(t, p.Err, "what still runs has not failed") },
				})
				requireTimeout(t, err)
				if fault.Operation == opTrigger {
					timeout = max(timeout, fault.Delay) // it counts from the call, but does not end the trigger
				}
				require.LessOrEqual(t, time.Since(began), timeout+time.Second, name)
				require.Len(t, monitoring.SessionErrors(err), 5, name)
				for _, e := range monitoring.SessionErrors(err) {
					require.NotNil(t, e.Session, name)
					require.Contains(t, sessions, e.Session, "the list has it, too")
				}
			})
		}
	}
}

func TestAtTheTimeoutEachOfAThousandSessionsHasAStateOfItsLastThird(t *testing.T) {
	t.Parallel()
	testkit.SkipUnderRace(t)
	const timeout = 6 * time.Minute
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New(monitoringtest.WithLatency(100 * time.Millisecond))
		began := time.Now()
		for _, err := range kit.Fake(t, svc).CheckSessions.WaitAll(t.Context(), addSessions(svc, 1000, anHour), monitoring.WaitOptions{Timeout: timeout}) {
			failed := requireTimeout(t, err)
			require.NotNil(t, failed.Session)
			require.Less(t, began.Add(timeout).Sub(failed.SeenAt), timeout/3)
		}
		require.LessOrEqual(t, time.Since(began), timeout+time.Second)
	})
}
