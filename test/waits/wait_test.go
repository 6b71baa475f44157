package waits_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestWaitMakesOneRequestAndOneForEachHalfMinute(t *testing.T) {
	for duration, most := range map[time.Duration]int{
		0: 1, 5 * time.Second: 2, 29 * time.Second: 2, 31 * time.Second: 3, 95 * time.Second: 5, 10 * time.Minute: 21,
	} {
		t.Run(duration.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc := monitoringtest.New()
				started := time.Now()
				id := svc.AddSession(monitoringtest.Session{StartedAt: started.Add(-time.Nanosecond), Duration: duration + 1})
				session, err := kit.Fake(t, svc).CheckSessions.Wait(t.Context(), id, monitoring.WaitOptions{})
				require.NoError(t, err)
				require.True(t, session.Done())
				require.True(t, session.Passed())
				require.Equal(t, duration, time.Since(started).Truncate(time.Millisecond), "it returns with the response of the service")
				require.LessOrEqual(t, len(svc.Requests()), most)
			})
		})
	}
}

func TestAFinishedSessionTakesOneRequest(t *testing.T) {
	for _, outcome := range []monitoring.CheckSessionStatus{
		monitoring.SessionPassed, monitoring.SessionFailed, monitoring.SessionDegraded, monitoring.SessionTimedOut, monitoring.SessionCancelled,
	} {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New()
			id := svc.AddSession(monitoringtest.Session{StartedAt: time.Now().Add(-time.Hour), Outcome: outcome})
			session, err := kit.Fake(t, svc).CheckSessions.Wait(t.Context(), id, monitoring.WaitOptions{})
			require.NoError(t, err, "a session that failed is a result")
			require.Equal(t, outcome, session.Status)
			require.Len(t, svc.Requests(), 1)
		})
	}
}

func TestWaitSurvivesTemporaryFailures(t *testing.T) {
	for name, fault := range map[string]monitoringtest.Fault{
		"resets":                       {Operation: opCompletion, Kind: monitoringtest.FaultResetAfter, Times: 3},
		"resets of everything":         {Kind: monitoringtest.FaultResetUnhandled, Times: 4},
		"server errors":                {Operation: opCompletion, Status: 502, Body: "<html>", Times: 9},
		"responses that are cut off":   {Operation: opCompletion, Kind: monitoringtest.FaultCutBody, Times: 2},
		"429":                          {Operation: opCompletion, Status: 429, Header: http.Header{"Retry-After": {"5"}}, Times: 2},
		"an outage of two minutes":     {Status: 503, Times: 30},
		"a proxy that responds 408":    {Operation: opCompletion, Status: 408, NoBody: true, Times: 5},
		"408 in HTML":                  {Operation: opCompletion, Status: 408, Body: "<html>", Times: 2},
		"refused connections at first": {Kind: monitoringtest.FaultRefuse, Times: 3},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc := monitoringtest.New()
				svc.Inject(fault)
				id := svc.AddSession(monitoringtest.Session{Duration: 3 * time.Minute, Outcome: monitoring.SessionFailed})
				session, err := kit.Fake(t, svc).CheckSessions.Wait(t.Context(), id, monitoring.WaitOptions{})
				require.NoError(t, err)
				require.Equal(t, monitoring.SessionFailed, session.Status)
			})
		})
	}
}

func TestWaitGivesUpAfterFiveMinutesOfFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		id := svc.AddSession(monitoringtest.Session{Duration: time.Hour})
		svc.Inject(monitoringtest.Fault{Status: 503})
		began := time.Now()
		_, err := kit.Fake(t, svc).CheckSessions.Wait(t.Context(), id, monitoring.WaitOptions{})
		require.ErrorIs(t, err, monitoring.ErrServer)
		require.Greater(t, time.Since(began), 5*time.Minute)
		require.Less(t, time.Since(began), 7*time.Minute)
		require.Less(t, len(svc.Requests()), 150)
	})
}

func TestAnImmediate408MakesNoBusyLoop(t *testing.T) {
	for name, c := range map[string]struct {
		fault  monitoringtest.Fault
		within time.Duration
		most   int
	}{
		"from a proxy":                   {monitoringtest.Fault{Operation: opCompletion, Status: 408, NoBody: true}, 5 * time.Minute, 30},
		"with a Retry-After of a minute": {monitoringtest.Fault{Operation: opCompletion, Status: 408, Header: http.Header{"Retry-After": {"60"}}}, 5 * time.Minute, 7},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc := monitoringtest.New()
				id := svc.AddSession(monitoringtest.Session{Duration: time.Hour})
				svc.Inject(c.fault)
				ctx, stop := context.WithTimeout(t.Context(), c.within)
				defer stop()
				_, err := kit.Fake(t, svc).CheckSessions.Wait(ctx, id, monitoring.WaitOptions{})
				require.ErrorIs(t, err, context.DeadlineExceeded)
				require.LessOrEqual(t, svc.Count(opCompletion), c.most)
			})
		})
	}
}

func TestAnUnknownStatusIsFinalOnlyInACompletion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		id := svc.AddSession(monitoringtest.Session{Duration: 40 * time.Second})
		body := `{"checkSessionId":"` + id + `","status":"%s","startedAt":"2026-08-19T10:15:00.120Z"}`
		svc.Inject(
			monitoringtest.Fault{Operation: opGetSession, Status: 200, Body: fmt.Sprintf(body, "PAUSED")},
			monitoringtest.Fault{Operation: opCompletion, Status: 200, Body: fmt.Sprintf(body, "PROGRESS"), Times: 1},
			monitoringtest.Fault{Operation: opCompletion, Status: 200, Body: fmt.Sprintf(body, "ABANDONED")},
		)
		client := kit.Fake(t, svc)
		session, err := client.CheckSessions.Wait(t.Context(), id, monitoring.WaitOptions{})
		require.NoError(t, err)
		require.EqualValues(t, "ABANDONED", session.Status)
		require.True(t, session.Done(), "the completion said so")
		require.False(t, session.Passed())
		require.Equal(t, 2, svc.Count(opCompletion))
	})
}

func TestWaitAllYieldsEachSessionOnceAsItFinishes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		began := time.Now()
		var ids, want []string
		for i := range 40 {
			id := svc.AddSession(monitoringtest.Session{Duration: time.Duration(40-i) * 7 * time.Second})
			ids, want = append(ids, id), append([]string{id}, want...)
		}
		const missing, wrong = "00000000-0000-4000-8000-000000000001", ".."
		var got, failed []string
		all := append([]string{missing, wrong, ids[3]}, ids...) // ids[3] twice
		for session, err := range kit.Fake(t, svc).CheckSessions.WaitAll(t.Context(), all, monitoring.WaitOptions{}) {
			if err != nil {
				e, ok := errors.AsType[*monitoring.SessionError](err)
				require.True(t, ok)
				failed = append(failed, e.ID)
				if e.ID == missing {
					require.ErrorIs(t, err, monitoring.ErrNotFound)
				}
				continue
			}
			require.Less(t, time.Since(began)-session.StoppedAt.Sub(began), time.Second, "sessions are yielded as they finish")
			got = append(got, session.CheckSessionID)
		}
		require.Equal(t, want, got)
		slices.Sort(failed)
		require.Equal(t, []string{wrong, missing}, failed)
	})
}

func TestAResponseAboutAnotherSessionIsAnError(t *testing.T) {
	for name, operation := range map[string]string{"of the completion": opCompletion, "of a read": opGetSession} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc := monitoringtest.New()
				id := svc.AddSession(monitoringtest.Session{Duration: time.Minute})
				svc.Inject(monitoringtest.Fault{Operation: operation, Status: 200, Times: 1,
					Body: `{"checkSessionId":"00000000-0000-4000-8000-000000000009","status":"PASSED","startedAt":"2026-08-19T10:15:00.120Z"}`})
				client := kit.Fake(t, svc)
				_, err := client.CheckSessions.Wait(t.Context(), id, monitoring.WaitOptions{})
				require.ErrorContains(t, err, "the response is about another session")
				require.Equal(t, id, sessionError(t, err).ID)
			})
		})
	}
	t.Run("but the case of an id does not matter", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New()
			id := svc.AddSession(monitoringtest.Session{ID: "abcdef00-0000-4000-8000-000000000001", Duration: time.Minute})
			svc.Inject(monitoringtest.Fault{Operation: opCompletion, Status: 200,
				Body: `{"checkSessionId":"ABCDEF00-0000-4000-8000-000000000001","status":"PASSED","startedAt":"2026-08-19T10:15:00.120Z"}`})
			_, err := kit.Fake(t, svc).CheckSessions.Wait(t.Context(), id, monitoring.WaitOptions{})
			require.NoError(t, err)
		})
	})
	t.Run("but it may have no id", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New()
			id := svc.AddSession(monitoringtest.Session{Duration: time.Minute})
			svc.Inject(monitoringtest.Fault{Operation: opCompletion, Status: 200, Body: `{"status":"PASSED","startedAt":"2026-08-19T10:15:00.120Z"}`})
			session, err := kit.Fake(t, svc).CheckSessions.Wait(t.Context(), id, monitoring.WaitOptions{})
			require.NoError(t, err)
			require.Equal(t, id, session.CheckSessionID)
		})
	})
}

func TestACompletionWithoutAStatusIsNotTheEnd(t *testing.T) {
	for name, body := range map[string]string{"an empty object": "{}", "null": "null", "a status of null": `{"status":null}`} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc := monitoringtest.New()
				id := svc.AddSession(monitoringtest.Session{Duration: 45 * time.Second})
				svc.Inject(monitoringtest.Fault{Operation: opCompletion, Status: 200, Body: body})
				client := kit.Fake(t, svc)
				session, err := client.CheckSessions.Wait(t.Context(), id, monitoring.WaitOptions{})
				require.NoError(t, err, "reads show the end")
				require.True(t, session.Passed())

				svc.Inject(monitoringtest.Fault{Operation: opGetSession, Status: 200, Body: body})
				id = svc.AddSession(monitoringtest.Session{Duration: time.Hour})
				_, err = client.CheckSessions.Wait(t.Context(), id, monitoring.WaitOptions{})
				require.ErrorContains(t, err, "gave up: every request failed for 5m")
				require.ErrorContains(t, err, "the response has no status of the session")
			})
		})
	}
}
