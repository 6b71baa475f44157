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

func TestATimeoutReturnsEachSessionAsItIsAtThatTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New(monitoringtest.WithLatency(150 * time.Millisecond))
		for i := range 4 {
			svc.AddCheck(monitoringtest.Check{RunTime: time.Duration(i+1) * 2 * time.Minute, Locations: []string{"eu-central-1", "eu-west-1", "us-east-1"}})
		}
		began := time.Now()
		sessions, err := kit.Fake(t, svc).CheckSessions.TriggerAndWait(t.Context(), all, monitoring.WaitOptions{
			Timeout: 5 * time.Minute, OnProgress: func(p monitoring.WaitProgress) { require.NoError(t, p.Err, "what still runs has not failed") },
		})
		requireTimeout(t, err)
		require.InDelta(t, 5*time.Minute, time.Since(began), float64(time.Second))
		require.True(t, sessions[0].Passed() && sessions[1].Passed())
		failed := monitoring.SessionErrors(err)
		require.Len(t, failed, 2)
		for i, e := range failed {
			require.Same(t, sessions[2+i], e.Session, "the list has it, too, in its place")
			require.Equal(t, monitoring.SessionProgress, e.Session.Status)
			require.NotEmpty(t, e.Session.FinalResults())
			require.EqualError(t, e, fmt.Sprintf("monitoring: wait for check session %q, last seen PROGRESS: not finished within 5m0s", e.ID))
		}
	})
}

func TestATimeoutCountsFromTheCallButDoesNotEndTheTrigger(t *testing.T) {
	for delay, want := range map[time.Duration]time.Duration{3 * time.Second: 10 * time.Second, 20 * time.Second: 20 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New()
			svc.AddCheck(monitoringtest.Check{RunTime: time.Hour})
			svc.Inject(monitoringtest.Fault{Operation: opTrigger, Delay: delay})
			began := time.Now()
			sessions, err := kit.Fake(t, svc).CheckSessions.TriggerAndWait(t.Context(), all, monitoring.WaitOptions{Timeout: 10 * time.Second})
			requireTimeout(t, err)
			require.Len(t, sessions, 1)
			require.Equal(t, want, time.Since(began))
		})
	}
}

// TestATimeoutHoldsWithinASecond has services of every kind, and sessions that were seen running.
func TestATimeoutHoldsWithinASecond(t *testing.T) {
	const useless = `{"checkSessionId":null}`
	for name, fault := range map[string]monitoringtest.Fault{
		"of a healthy service":           {Operation: opCancel, Status: 503},
		"of a service that is down":      {Status: 503},
		"of one that does not respond":   {Delay: time.Hour},
		"of one that asks for a pause":   {Status: 429, Header: http.Header{"Retry-After": {"60"}}},
		"of one that says nothing":       {Status: 200, Body: useless},
		"of one without polls":           {Operation: opCompletion, Status: 404},
		"of one whose reads say nothing": {Operation: opGetSession, Status: 200, Body: useless},
	} {
		for _, timeout := range []time.Duration{1, 3 * time.Second, 100 * time.Second} {
			synctest.Test(t, func(t *testing.T) {
				svc := monitoringtest.New(monitoringtest.WithLatency(100 * time.Millisecond))
				for range 5 {
					svc.AddCheck(monitoringtest.Check{RunTime: time.Hour})
				}
				fault.After = 1 // not the trigger
				svc.Inject(fault)
				began := time.Now()
				_, err := kit.Fake(t, svc).CheckSessions.TriggerAndWait(t.Context(), all, monitoring.WaitOptions{Timeout: timeout})
				require.LessOrEqual(t, time.Since(began), timeout+time.Second, name)
				require.Len(t, monitoring.SessionErrors(err), 5, name)
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

func TestTheErrorOfAWaitThatEndsNamesTheLastFailure(t *testing.T) {
	for name, c := range map[string]struct {
		options  monitoring.WaitOptions
		deadline time.Duration
		failures int
		want     string
	}{
		"at the deadline":                {monitoring.WaitOptions{}, 6 * time.Second, 0, "context deadline exceeded: the last request failed: GET "},
		"at the timeout":                 {monitoring.WaitOptions{Timeout: 6 * time.Second}, time.Hour, 0, "not finished within 6s: the last request failed: GET "},
		"unless a later one has a reply": {monitoring.WaitOptions{}, time.Minute, 3, "STARTED: context deadline exceeded"},
		"or after GiveUpAfter":           {monitoring.WaitOptions{GiveUpAfter: time.Minute}, time.Hour, 0, "gave up: every request failed for 1m"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc := monitoringtest.New()
				id := svc.AddSession(monitoringtest.Session{Duration: 2 * time.Hour})
				svc.Inject(monitoringtest.Fault{Status: 503, Times: c.failures, Body: `{"statusCode":503,"error":"Service Unavailable","message":"database is down"}`})
				ctx, stop := context.WithTimeout(t.Context(), c.deadline)
				defer stop()
				_, err := kit.Fake(t, svc).CheckSessions.Wait(ctx, id, c.options)
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
