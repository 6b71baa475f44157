package waits_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
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

func TestLastReadsTakeFiveSecondsAtMost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		for range 200 {
			svc.AddCheck(monitoringtest.Check{RunTime: time.Hour})
		}
		began := time.Now()
		list, err := kit.Fake(t, svc).CheckSessions.TriggerAndWait(t.Context(), monitoring.TriggerRequest{AllChecks: true}, monitoring.WaitOptions{Timeout: 10 * time.Minute})
		requireTimeout(t, err)
		require.Equal(t, 10*time.Minute+5*time.Second, time.Since(began))
		counts := monitoring.CountByStatus(list)
		require.Equal(t, 200, counts[monitoring.SessionStarted]+counts[monitoring.SessionProgress])
		require.GreaterOrEqual(t, counts[monitoring.SessionProgress], 40, "as many as the limit allows")
	})
}

func TestTheErrorOfAWaitThatEndsNamesTheLastFailure(t *testing.T) {
	for name, c := range map[string]struct {
		timeout, deadline time.Duration
		failures          int
		want              string
	}{
		"at the deadline":                {0, 6 * time.Second, 0, "context deadline exceeded: the last request failed: GET "},
		"at the timeout":                 {6 * time.Second, time.Hour, 0, "not finished within 6s: the last request failed: GET "},
		"unless a later one has a reply": {0, time.Minute, 4, "STARTED: context deadline exceeded"},
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
