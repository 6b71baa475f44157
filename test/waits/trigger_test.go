package waits_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestTriggerAndWaitReturnsAllSessionsInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		for i, outcome := range []monitoring.CheckSessionStatus{"PASSED", "FAILED", "DEGRADED", "PASSED", "TIMED_OUT"} {
			svc.AddCheck(monitoringtest.Check{
				Name: fmt.Sprint(i), Tags: []string{"production"}, Outcome: outcome, RunTime: time.Duration(90-10*i) * time.Second,
			})
		}
		var mu sync.Mutex
		var seen []monitoring.WaitProgress
		sessions, err := kit.Fake(t, svc).CheckSessions.TriggerAndWait(t.Context(),
			monitoring.TriggerRequest{Target: monitoring.TriggerTarget{MatchTags: [][]string{{"production"}}}},
			monitoring.WaitOptions{OnProgress: func(p monitoring.WaitProgress) {
				require.True(t, mu.TryLock(), "OnProgress is called once at a time")
				defer mu.Unlock()
				if len(seen) == 0 || p.Finished > seen[len(seen)-1].Finished {
					seen = append(seen, p)
				}
			}})
		require.NoError(t, err)
		require.Len(t, sessions, 5)
		for i, s := range sessions {
			require.Equal(t, fmt.Sprint(i), s.Name)
			require.True(t, s.Done())
		}
		require.Equal(t, map[monitoring.CheckSessionStatus]int{"PASSED": 2, "FAILED": 1, "DEGRADED": 1, "TIMED_OUT": 1}, monitoring.CountByStatus(sessions))

		require.Len(t, seen, 6)
		require.Nil(t, seen[0].Session)
		for i, p := range seen {
			require.Equal(t, 5, p.Total)
			require.Equal(t, i, p.Finished)
		}
		require.Equal(t, "4", seen[1].Session.Name, "the shortest finishes first")
	})
}

func TestATriggerThatDoesNotSayWhatItStartedIsAnError(t *testing.T) {
	for name, c := range map[string]struct {
		fault monitoringtest.Fault
		text  string
		is    error
	}{
		"its response was lost":       {monitoringtest.Fault{Kind: monitoringtest.FaultResetAfter}, "", monitoring.ErrOutcomeUnknown},
		"it was refused":              {monitoringtest.Fault{Status: 402}, "402", nil},
		"its response has nothing":    {monitoringtest.Fault{Status: 201, Body: "{}"}, "$.sessions: it is missing", nil},
		"it has null":                 {monitoringtest.Fault{Status: 201, Body: `{"sessions":null}`}, "$.sessions: it is missing", nil},
		"it has no sessions":          {monitoringtest.Fault{Status: 201, Body: `{"sessions":[]}`}, "the response has no sessions", monitoring.ErrNoMatchingChecks},
		"a session has no id":         {monitoringtest.Fault{Status: 201, Body: `{"sessions":[{}]}`}, "$.sessions[0].checkSessionId: it is missing", nil},
		"the options cannot be meant": {monitoringtest.Fault{}, "a share of 2", nil},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc := monitoringtest.New()
				svc.AddCheck(monitoringtest.Check{})
				options := monitoring.WaitOptions{OnTriggered: func([]*monitoring.CheckSession) { t.Error("OnTriggered was called") }}
				if c.fault.Operation = opTrigger; c.text == "a share of 2" {
					options.Share = 2
				} else {
					svc.Inject(c.fault)
				}
				sessions, err := kit.Fake(t, svc).CheckSessions.TriggerAndWait(t.Context(), monitoring.TriggerRequest{AllChecks: true}, options)
				require.ErrorContains(t, err, c.text)
				require.LessOrEqual(t, svc.Count(opTrigger), 1, "it is not retried")
				require.Nil(t, sessions)
				for _, is := range []error{monitoring.ErrOutcomeUnknown, monitoring.ErrNoMatchingChecks} {
					require.Equal(t, is == c.is, errors.Is(err, is))
				}
			})
		})
	}
}

func TestASessionThatTheTriggerReturnsTwiceIsOneSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		a, b := svc.AddSession(monitoringtest.Session{Duration: time.Minute}), svc.AddSession(monitoringtest.Session{Duration: 2 * time.Minute})
		item := `{"checkSessionId":"%s","status":"STARTED","startedAt":"2026-08-19T10:15:00.120Z"}`
		svc.Inject(monitoringtest.Fault{Operation: opTrigger, Status: 201, Body: fmt.Sprintf(`{"sessions":[`+item+","+item+","+item+`]}`, a, b, a)})
		total := 0
		var told []string
		sessions, err := kit.Fake(t, svc).CheckSessions.TriggerAndWait(t.Context(), monitoring.TriggerRequest{AllChecks: true}, monitoring.WaitOptions{
			OnProgress: func(p monitoring.WaitProgress) { total = p.Total },
			OnTriggered: func(started []*monitoring.CheckSession) {
				for _, s := range started {
					told = append(told, s.CheckSessionID)
				}
			},
		})
		require.NoError(t, err)
		require.Len(t, sessions, 3)
		for i, id := range []string{a, b, a} {
			require.Equal(t, id, sessions[i].CheckSessionID)
			require.True(t, sessions[i].Passed())
		}
		require.Equal(t, 2, total)
		require.Equal(t, []string{a, b}, told)
	})
}

func TestASessionMayBeUnknownForTenSecondsAfterItsTrigger(t *testing.T) {
	unknown := func(times int) []monitoringtest.Fault {
		return []monitoringtest.Fault{{Operation: opCompletion, Status: 404, Times: times}, {Operation: opGetSession, Status: 404, Times: times}}
	}
	trigger := monitoring.TriggerRequest{AllChecks: true}
	t.Run("and the wait goes on", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New()
			svc.AddCheck(monitoringtest.Check{RunTime: time.Minute})
			svc.Inject(unknown(4)...) // at 0, 1, 3 and 7 seconds
			sessions, err := kit.Fake(t, svc).CheckSessions.TriggerAndWait(t.Context(), trigger, monitoring.WaitOptions{})
			require.NoError(t, err)
			require.True(t, sessions[0].Passed())
		})
	})
	t.Run("but not if TriggerAndWait did not trigger it", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New()
			began := time.Now()
			for _, err := range kit.Fake(t, svc).CheckSessions.WaitAll(t.Context(), []string{"00000000-0000-4000-8000-000000000001"}, monitoring.WaitOptions{}) {
				require.ErrorIs(t, err, monitoring.ErrNotFound)
			}
			require.Zero(t, time.Since(began))
			require.Len(t, svc.Requests(), 2, "one poll, and a read to see whether the session exists")
		})
	})
}

func TestOnTriggeredIsCalledOnceWithWhatWasStarted(t *testing.T) {
	all := monitoring.TriggerRequest{AllChecks: true}
	t.Run("before the wait, by the goroutine that waits", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New()
			for i := range 3 {
				svc.AddCheck(monitoringtest.Check{Name: fmt.Sprint(i), RunTime: time.Duration(i) * time.Minute})
			}
			var told []string
			progress := 0
			sessions, err := kit.Fake(t, svc).CheckSessions.TriggerAndWait(t.Context(), all, monitoring.WaitOptions{
				OnTriggered: func(started []*monitoring.CheckSession) {
					require.Nil(t, told, "it is called once")
					require.Zero(t, progress)
					require.Len(t, svc.Requests(), 1, "nothing but the trigger was sent")
					time.Sleep(time.Second)
					require.Len(t, svc.Requests(), 1, "the wait has not begun")
					for _, s := range started {
						require.NotEmpty(t, s.CheckSessionLink)
						require.False(t, s.Done())
						told = append(told, s.CheckSessionID)
					}
				},
				OnProgress: func(monitoring.WaitProgress) { progress++ },
			})
			require.NoError(t, err)
			require.Len(t, told, 3)
			for i, s := range sessions {
				require.Equal(t, s.CheckSessionID, told[i])
			}
		})
	})
	t.Run("although the context ends with the response to the trigger", func(t *testing.T) {
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
	})
	t.Run("but not for sessions that were not triggered by the call", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New()
			id := svc.AddSession(monitoringtest.Session{})
			options := monitoring.WaitOptions{OnTriggered: func([]*monitoring.CheckSession) { t.Error("called") }}
			_, err := kit.Fake(t, svc).CheckSessions.Wait(t.Context(), id, options)
			require.NoError(t, err)
			for _, err := range kit.Fake(t, svc).CheckSessions.WaitAll(t.Context(), []string{id}, options) {
				require.NoError(t, err)
			}
		})
	})
	t.Run("and a panic in it reaches the caller", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New()
			svc.AddCheck(monitoringtest.Check{Type: monitoring.CheckTypePlaywright, RunTime: time.Hour})
			require.PanicsWithValue(t, "stop", func() {
				kit.Fake(t, svc).CheckSessions.TriggerAndWait(t.Context(), all,
					monitoring.WaitOptions{CancelOnInterrupt: true, OnTriggered: func([]*monitoring.CheckSession) { panic("stop") }})
			})
			require.Equal(t, 1, svc.Executed(opCancel))
		})
	})
}
