package waits_test

import (
	"context"
	"fmt"
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

var three = []string{"eu-central-1", "eu-west-1", "us-east-1"}

func TestATimeoutReturnsEachSessionAsItIsAtThatTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New(monitoringtest.WithLatency(150 * time.Millisecond))
		var ids []string
		for i := range 50 {
			ids = append(ids, svc.AddSession(monitoringtest.Session{Duration: time.Duration(i+1) * 12 * time.Second, Locations: three}))
		}
		began := time.Now()
		done, running := 0, 0
		for session, err := range kit.Fake(t, svc).CheckSessions.WaitAll(t.Context(), ids, monitoring.WaitOptions{Timeout: 5 * time.Minute}) {
			if err == nil {
				require.True(t, session.Done())
				done++
				continue
			}
			failed := requireTimeout(t, err)
			require.Equal(t, ids[done+running], failed.Session.CheckSessionID, "the sessions are in the order of the ids")
			require.Equal(t, monitoring.SessionProgress, failed.Session.Status)
			require.NotEmpty(t, failed.Session.Results)
			require.EqualError(t, err, fmt.Sprintf("monitoring: wait for check session %q, last seen PROGRESS: not finished within 5m0s", failed.ID))
			running++
		}
		require.Equal(t, []int{25, 25}, []int{done, running})
		require.InDelta(t, 5*time.Minute, time.Since(began), float64(time.Second))
	})
}

func TestTriggerAndWaitReturnsSessionsAlsoAtTheTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		svc.AddCheck(monitoringtest.Check{RunTime: time.Minute})
		svc.AddCheck(monitoringtest.Check{RunTime: 5 * time.Minute, Locations: three})
		sessions, err := kit.Fake(t, svc).CheckSessions.TriggerAndWait(t.Context(), monitoring.TriggerRequest{AllChecks: true}, monitoring.WaitOptions{Timeout: 4 * time.Minute})
		failed := requireTimeout(t, err)
		require.Len(t, sessions, 2)
		require.True(t, sessions[0].Passed())
		require.Equal(t, monitoring.SessionProgress, sessions[1].Status)
		require.Len(t, sessions[1].FinalResults(), 2)
		require.Same(t, sessions[1], failed.Session)
	})
}

func TestATimeoutCountsFromTheCallButDoesNotEndTheTrigger(t *testing.T) {
	for delay, want := range map[time.Duration]time.Duration{3 * time.Second: 10 * time.Second, 20 * time.Second: 20 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New()
			svc.AddCheck(monitoringtest.Check{RunTime: time.Hour})
			svc.Inject(monitoringtest.Fault{Operation: opTrigger, Delay: delay})
			began := time.Now()
			sessions, err := kit.Fake(t, svc).CheckSessions.TriggerAndWait(t.Context(), monitoring.TriggerRequest{AllChecks: true}, monitoring.WaitOptions{Timeout: 10 * time.Second})
			requireTimeout(t, err)
			require.Len(t, sessions, 1)
			require.Equal(t, want, time.Since(began))
		})
	}
}

// TestATimeoutHoldsWithinASecond has services of every kind, and a session that was seen running.
func TestATimeoutHoldsWithinASecond(t *testing.T) {
	const useless = `{"checkSessionId":null}`
	for name, fault := range map[string]monitoringtest.Fault{
		"of a healthy service":             {Operation: opCancel, Status: 503},
		"of a service that is down":        {Status: 503},
		"of one that refuses connections":  {Kind: monitoringtest.FaultRefuse},
		"of one that does not respond":     {Delay: time.Hour},
		"of one that asks for a pause":     {Status: 429, Header: http.Header{"Retry-After": {"60"}}},
		"of one that says nothing":         {Status: 200, Body: useless},
		"of one that responds with a page": {Status: 200, Body: "<html>"},
		"of one whose responses are cut":   {Kind: monitoringtest.FaultCutBody},
		"of one without polls":             {Operation: opCompletion, Status: 404},
		"of one whose polls say nothing":   {Operation: opCompletion, Status: 200, Body: useless},
		"of one whose reads say nothing":   {Operation: opGetSession, Status: 200, Body: useless},
	} {
		for _, timeout := range []time.Duration{1, 3 * time.Second, 100 * time.Second} {
			synctest.Test(t, func(t *testing.T) {
				svc := monitoringtest.New(monitoringtest.WithLatency(100 * time.Millisecond))
				for range 20 {
					svc.AddCheck(monitoringtest.Check{RunTime: time.Hour})
				}
				fault.After = 1 // not the trigger
				svc.Inject(fault)
				began := time.Now()
				_, err := kit.Fake(t, svc).CheckSessions.TriggerAndWait(t.Context(), monitoring.TriggerRequest{AllChecks: true}, monitoring.WaitOptions{Timeout: timeout})
				require.Len(t, monitoring.SessionErrors(err), 20, name)
				require.LessOrEqual(t, time.Since(began), timeout+time.Second, name)
				for _, e := range monitoring.SessionErrors(err) {
					require.NotNil(t, e.Session, name)
				}
			})
		}
	}
}

func TestAtTheTimeoutEachOfAThousandSessionsHasAStateOfItsLastThird(t *testing.T) {
	t.Parallel()
	testkit.SkipUnderRace(t)
	for _, timeout := range testkit.Figures(6*time.Minute, 10*time.Minute, 20*time.Minute) {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New(monitoringtest.WithLatency(100 * time.Millisecond))
			var ids []string
			for range 1000 {
				ids = append(ids, svc.AddSession(monitoringtest.Session{Duration: time.Hour}))
			}
			began := time.Now()
			for _, err := range kit.Fake(t, svc).CheckSessions.WaitAll(t.Context(), ids, monitoring.WaitOptions{Timeout: timeout}) {
				failed := requireTimeout(t, err)
				require.NotNil(t, failed.Session)
				require.Less(t, began.Add(timeout).Sub(failed.SeenAt), timeout/3)
			}
			require.LessOrEqual(t, time.Since(began), timeout+time.Second)
		})
	}
}

func TestAServiceThatIsDownGetsNoMoreRequestsThanOneThatWorks(t *testing.T) {
	for _, timeout := range []time.Duration{time.Minute, 2 * time.Minute, 5 * time.Minute} {
		requests := func(dead bool) (n int) {
			synctest.Test(t, func(t *testing.T) {
				svc := monitoringtest.New(monitoringtest.WithLatency(100 * time.Millisecond))
				var ids []string
				for range 100 {
					ids = append(ids, svc.AddSession(monitoringtest.Session{Duration: time.Hour}))
				}
				if dead {
					svc.Inject(monitoringtest.Fault{Status: 503})
				}
				for range kit.Fake(t, svc).CheckSessions.WaitAll(t.Context(), ids, monitoring.WaitOptions{Timeout: timeout}) {
				}
				n = len(svc.Requests())
			})
			return n
		}
		living, dead := requests(false), requests(true)
		t.Logf("in %s: %d if it works, %d if it is down", timeout, living, dead)
		require.LessOrEqual(t, dead, living)
	}
}

func TestTheErrorOfAWaitThatEndsNamesTheLastFailure(t *testing.T) {
	for name, c := range map[string]struct {
		timeout, deadline time.Duration
		failures          int
		want              string
	}{
		"at the deadline":                {0, 6 * time.Second, 0, "context deadline exceeded: the last request failed: GET "},
		"at the timeout":                 {6 * time.Second, time.Hour, 0, "not finished within 6s: the last request failed: GET "},
		"unless a later one has a reply": {0, time.Minute, 3, "STARTED: context deadline exceeded"},
		"or after GiveUpAfter":           {0, time.Hour, 0, "gave up: every request failed for 5m"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc := monitoringtest.New()
				id := svc.AddSession(monitoringtest.Session{Duration: 2 * time.Hour})
				svc.Inject(monitoringtest.Fault{Status: 503, Times: c.failures, Body: `{"statusCode":503,"error":"Service Unavailable","message":"database is down"}`})
				ctx, stop := context.WithTimeout(t.Context(), c.deadline)
				defer stop()
				_, err := kit.Fake(t, svc).CheckSessions.Wait(ctx, id, monitoring.WaitOptions{Timeout: c.timeout})
				require.ErrorContains(t, err, c.want)
				if c.failures == 0 {
					require.ErrorIs(t, err, monitoring.ErrServer)
					require.ErrorContains(t, err, "database is down")
				}
				require.NotContains(t, err.Error()[len("monitoring:"):], "monitoring:", "there is one prefix")
			})
		})
	}
}
