package waits_test

import (
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
		0: 1, 29 * time.Second: 2, 31 * time.Second: 3, 10 * time.Minute: 21,
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

func TestAFailedSessionIsAResult(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		id := svc.AddSession(monitoringtest.Session{StartedAt: time.Now().Add(-time.Hour), Outcome: monitoring.SessionFailed})
		session, err := kit.Fake(t, svc).CheckSessions.Wait(t.Context(), id, monitoring.WaitOptions{})
		require.NoError(t, err)
		require.Equal(t, monitoring.SessionFailed, session.Status)
	})
}

func TestWaitSurvivesTemporaryFailures(t *testing.T) {
	for name, fault := range map[string]monitoringtest.Fault{
		"resets":                       {Operation: opCompletion, Kind: monitoringtest.FaultResetAfter, Times: 3},
		"resets of everything":         {Kind: monitoringtest.FaultResetUnhandled, Times: 4},
		"server errors":                {Operation: opCompletion, Status: 502, Body: "<html>", Times: 9},
		"responses that are cut off":   {Operation: opCompletion, Kind: monitoringtest.FaultCutBody, Times: 2},
		"429":                          {Operation: opCompletion, Status: 429, Header: http.Header{"Retry-After": {"5"}}, Times: 2},
		"an outage of two minutes":     {Status: 503, Times: 6},
		"a proxy that responds 408":    {Operation: opCompletion, Status: 408, NoBody: true, Times: 5},
		"nothing but immediate 408s":   {Operation: opCompletion, Status: 408, NoBody: true},
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

func TestAnUnknownStatusWithoutAnEndIsNotTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		id := svc.AddSession(monitoringtest.Session{Duration: time.Hour})
		body := `{"checkSessionId":"` + id + `","status":"%s","startedAt":"2026-08-19T10:15:00.120Z"%s}`
		svc.Inject(
			monitoringtest.Fault{Operation: opGetSession, Status: 200, Body: fmt.Sprintf(body, "PAUSED", "")},
			monitoringtest.Fault{Operation: opCompletion, Status: 200, Body: fmt.Sprintf(body, "PAUSED", ""), Times: 30},
			monitoringtest.Fault{Operation: opCompletion, Status: 200, Body: fmt.Sprintf(body, "ABANDONED", `,"stoppedAt":"2026-08-19T10:20:00.120Z"`)},
		)
		began := time.Now()
		session, err := kit.Fake(t, svc).CheckSessions.Wait(t.Context(), id, monitoring.WaitOptions{})
		require.NoError(t, err)
		require.EqualValues(t, "ABANDONED", session.Status)
		require.True(t, session.Done(), "it has an end")
		require.False(t, session.Passed())
		require.Equal(t, 31, svc.Count(opCompletion))
		require.Greater(t, time.Since(began), 6*time.Minute, "responses that come at once make no hot loop")
	})
}

func TestASessionThatTheServiceForgetsEndsWithItsLastState(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		id := svc.AddSession(monitoringtest.Session{Duration: time.Hour})
		gone := func(monitoringtest.Request) bool { return svc.Count(opCompletion) > 2 }
		svc.Inject(monitoringtest.Fault{Operation: opCompletion, Status: 404, Match: gone}, monitoringtest.Fault{Operation: opGetSession, Status: 404, Match: gone})
		_, err := kit.Fake(t, svc).CheckSessions.Wait(t.Context(), id, monitoring.WaitOptions{})
		require.ErrorIs(t, err, monitoring.ErrNotFound)
		require.ErrorContains(t, err, "last seen STARTED: the service no longer knows the session, which had not ended at ")
		require.Equal(t, monitoring.SessionStarted, sessionError(t, err).Session.Status)
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
		var reported error
		options := monitoring.WaitOptions{OnProgress: func(p monitoring.WaitProgress) { reported = p.Err }}
		for session, err := range kit.Fake(t, svc).CheckSessions.WaitAll(t.Context(), all, options) {
			if err != nil {
				e := sessionError(t, err)
				require.Same(t, err, reported)
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
