package waits_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestATriggerThatDoesNotSayWhatItStartedIsAnError(t *testing.T) {
	for text, c := range map[string]struct {
		fault monitoringtest.Fault
		is    error
	}{
		"it may or may not have been carried out":     {monitoringtest.Fault{Kind: monitoringtest.FaultResetAfter}, monitoring.ErrOutcomeUnknown},
		"the response has no sessions":                {monitoringtest.Fault{Status: 201, Body: `{"sessions":[]}`}, monitoring.ErrNoMatchingChecks},
		"$.sessions[0].checkSessionId: it is missing": {monitoringtest.Fault{Status: 201, Body: `{"sessions":[{}]}`}, nil},
	} {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New()
			svc.AddCheck(monitoringtest.Check{})
			svc.Inject(c.fault)
			sessions, err := kit.Fake(t, svc).CheckSessions.TriggerAndWait(t.Context(), all,
				monitoring.WaitOptions{OnTriggered: func([]*monitoring.CheckSession) { t.Error("OnTriggered was called") }})
			require.ErrorContains(t, err, text)
			require.Equal(t, 1, svc.Count(opTrigger), "it is not retried")
			require.Nil(t, sessions)
			for _, is := range []error{monitoring.ErrOutcomeUnknown, monitoring.ErrNoMatchingChecks} {
				require.Equal(t, is == c.is, errors.Is(err, is))
			}
		})
	}
}

func TestASessionMayBeUnknownForTenSecondsAfterItsTrigger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		svc.AddCheck(monitoringtest.Check{RunTime: time.Minute})
		for _, operation := range []string{opCompletion, opGetSession} {
			svc.Inject(monitoringtest.Fault{Operation: operation, Status: 404, Times: 4}) // at 0, 1, 3 and 7 seconds
		}
		sessions, err := kit.Fake(t, svc).CheckSessions.TriggerAndWait(t.Context(), all, monitoring.WaitOptions{})
		require.NoError(t, err)
		require.True(t, sessions[0].Passed())
	})
}

func TestOnTriggeredIsCalledOnceWithWhatWasStarted(t *testing.T) {
	// Before the wait, with each session once.
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		ids := addSessions(svc, 2, func(i int) time.Duration { return time.Minute })
		item := `{"checkSessionId":"%s","status":"STARTED","startedAt":"2026-08-19T10:15:00.120Z"}`
		svc.Inject(monitoringtest.Fault{Operation: opTrigger, Status: 201, Body: fmt.Sprintf(`{"sessions":[`+item+","+item+","+item+`]}`, ids[0], ids[1], ids[0])})
		var told []string
		sessions, err := kit.Fake(t, svc).CheckSessions.TriggerAndWait(t.Context(), all, monitoring.WaitOptions{
			OnTriggered: func(started []*monitoring.CheckSession) {
				time.Sleep(time.Second)
				require.Len(t, svc.Requests(), 1, "the wait has not begun")
				for _, s := range started {
					told = append(told, s.CheckSessionID)
				}
			},
			OnProgress: func(p monitoring.WaitProgress) {
				require.Equal(t, ids, told)
				require.Equal(t, 2, p.Total)
			},
		})
		require.NoError(t, err)
		require.Len(t, sessions, 3, "as the trigger returned them")
		for i, id := range []string{ids[0], ids[1], ids[0]} {
			require.Equal(t, id, sessions[i].CheckSessionID)
			require.True(t, sessions[i].Passed())
		}
	})
	// Although the context ends with the response to the trigger.
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		svc.AddCheck(monitoringtest.Check{RunTime: time.Hour})
		ctx, stop := context.WithCancel(t.Context())
		client := kit.Fake(t, svc, monitoring.WithCallHook(func(context.Context, monitoring.Call) { stop() }))
		told := 0
		_, err := client.CheckSessions.TriggerAndWait(ctx, all, monitoring.WaitOptions{OnTriggered: func(started []*monitoring.CheckSession) { told += len(started) }})
		require.ErrorIs(t, err, context.Canceled)
		require.Equal(t, 1, told)
	})
	// Not for sessions that the call did not trigger.
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		options := monitoring.WaitOptions{OnTriggered: func([]*monitoring.CheckSession) { t.Error("called") }}
		require.NoError(t, kit.Second(kit.Fake(t, svc).CheckSessions.Wait(t.Context(), svc.AddSession(monitoringtest.Session{}), options)))
	})
}
