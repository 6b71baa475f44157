package monitoring_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

const (
	opCompletion = "GET /v2/check-sessions/{checkSessionId}/completion"
	opGetSession = "GET /v2/check-sessions/{checkSessionId}"
	opTrigger    = "POST /v2/check-sessions/trigger"
	opCancel     = "POST /v1/check-sessions/{checkSessionId}/cancel"
)

func newClient(t testing.TB, svc *monitoringtest.Service, opts ...monitoring.ClientOption) *monitoring.Client {
	t.Helper()
	client, err := svc.Client(opts...)
	require.NoError(t, err)
	return client
}

func TestWaitCostsAtMostOneRequestAndOneForEachHalfMinute(t *testing.T) {
	for duration, most := range map[time.Duration]int{
		0: 1, 5 * time.Second: 2, 29 * time.Second: 2, 31 * time.Second: 3, 95 * time.Second: 5, 10 * time.Minute: 21,
	} {
		t.Run(duration.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc := monitoringtest.New()
				started := time.Now()
				id := svc.AddSession(monitoringtest.Session{StartedAt: started.Add(-time.Nanosecond), Duration: duration + 1})
				session, err := newClient(t, svc).CheckSessions.Wait(t.Context(), id, monitoring.WaitOptions{})
				require.NoError(t, err)
				require.True(t, session.Done())
				require.True(t, session.Passed())
				require.Equal(t, duration, time.Since(started).Truncate(time.Millisecond), "it returns with the service's respondWith")
				require.LessOrEqual(t, len(svc.Requests()), most)
			})
		})
	}
}

func TestAFinishedSessionCostsOneRequestWhateverItsStatus(t *testing.T) {
	for _, outcome := range []monitoring.CheckSessionStatus{
		monitoring.SessionPassed, monitoring.SessionFailed, monitoring.SessionDegraded, monitoring.SessionTimedOut, monitoring.SessionCancelled,
	} {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New()
			id := svc.AddSession(monitoringtest.Session{StartedAt: time.Now().Add(-time.Hour), Outcome: outcome})
			session, err := newClient(t, svc).CheckSessions.Wait(t.Context(), id, monitoring.WaitOptions{})
			require.NoError(t, err, "a session that failed is no error")
			require.Equal(t, outcome, session.Status)
			require.Len(t, svc.Requests(), 1)
		})
	}
}

func TestWaitSurvivesWhatHappensInBetween(t *testing.T) {
	for name, fault := range map[string]monitoringtest.Fault{
		"resets":                       {Operation: opCompletion, Kind: monitoringtest.FaultResetAfter, Times: 3},
		"resets of everything":         {Kind: monitoringtest.FaultResetUnhandled, Times: 4},
		"server errors":                {Operation: opCompletion, Status: 502, Body: "<html>", Times: 9},
		"answers cut in the middle":    {Operation: opCompletion, Kind: monitoringtest.FaultCutBody, Times: 2},
		"429":                          {Operation: opCompletion, Status: 429, Header: http.Header{"Retry-After": {"5"}}, Times: 2},
		"an outage of two minutes":     {Status: 503, Times: 30},
		"a proxy that answers 408":     {Operation: opCompletion, Status: 408, NoBody: true, Times: 5},
		"408 in HTML":                  {Operation: opCompletion, Status: 408, Body: "<html>", Times: 2},
		"refused connections at first": {Kind: monitoringtest.FaultRefuse, Times: 3},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc := monitoringtest.New()
				svc.Inject(fault)
				id := svc.AddSession(monitoringtest.Session{Duration: 3 * time.Minute, Outcome: monitoring.SessionFailed})
				session, err := newClient(t, svc).CheckSessions.Wait(t.Context(), id, monitoring.WaitOptions{})
				require.NoError(t, err)
				require.Equal(t, monitoring.SessionFailed, session.Status)
			})
		})
	}
}

func TestWaitGivesUpAfterFiveMinutesWithoutAnyAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		id := svc.AddSession(monitoringtest.Session{Duration: time.Hour})
		svc.Inject(monitoringtest.Fault{Status: 503})
		began := time.Now()
		_, err := newClient(t, svc).CheckSessions.Wait(t.Context(), id, monitoring.WaitOptions{})
		require.ErrorIs(t, err, monitoring.ErrServer)
		require.Greater(t, time.Since(began), 5*time.Minute)
		require.Less(t, time.Since(began), 7*time.Minute)
		require.Less(t, len(svc.Requests()), 150)
	})
}

func TestA408ThatComesBackAtOnceMakesNoHotLoop(t *testing.T) {
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
				_, err := newClient(t, svc).CheckSessions.Wait(ctx, id, monitoring.WaitOptions{})
				require.ErrorIs(t, err, context.DeadlineExceeded)
				require.LessOrEqual(t, svc.Count(opCompletion), c.most)
			})
		})
	}
}

func TestACancelledWaitReturnsAtOnceWithTheSessionAsLastSeen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		id := svc.AddSession(monitoringtest.Session{Duration: time.Hour})
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(45*time.Second, cancel)
		began := time.Now()
		session, err := newClient(t, svc).CheckSessions.Wait(ctx, id, monitoring.WaitOptions{})
		require.Nil(t, session)
		require.ErrorIs(t, err, context.Canceled)
		require.Equal(t, 45*time.Second, time.Since(began))
		failed, ok := errors.AsType[*monitoring.SessionError](err)
		require.True(t, ok)
		require.Equal(t, id, failed.ID)
		require.Equal(t, id, failed.Session.CheckSessionID)
		require.False(t, failed.Session.Done())
		require.Zero(t, svc.Count(opCancel), "the session runs on")
	})
}

func TestAStatusThatIsNotKnownIsUnfinishedUnlessTheCompletionSaysOtherwise(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		id := svc.AddSession(monitoringtest.Session{Duration: 40 * time.Second})
		body := `{"checkSessionId":"` + id + `","status":"%s","startedAt":"2026-08-19T10:15:00.120Z"}`
		svc.Inject(
			monitoringtest.Fault{Operation: opGetSession, Status: 200, Body: fmt.Sprintf(body, "PAUSED")},
			monitoringtest.Fault{Operation: opCompletion, Status: 200, Body: fmt.Sprintf(body, "PROGRESS"), Times: 1},
			monitoringtest.Fault{Operation: opCompletion, Status: 200, Body: fmt.Sprintf(body, "ABANDONED")},
		)
		client := newClient(t, svc)
		session, err := client.CheckSessions.Wait(t.Context(), id, monitoring.WaitOptions{})
		require.NoError(t, err)
		require.EqualValues(t, "ABANDONED", session.Status)
		require.True(t, session.Done(), "the completion says so")
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
		all := append([]string{missing, wrong, ids[3]}, ids...) // one of them twice
		for session, err := range newClient(t, svc).CheckSessions.WaitAll(t.Context(), all, monitoring.WaitOptions{}) {
			if err != nil {
				e, ok := errors.AsType[*monitoring.SessionError](err)
				require.True(t, ok)
				failed = append(failed, e.ID)
				if e.ID == missing {
					require.ErrorIs(t, err, monitoring.ErrNotFound)
				}
				continue
			}
			require.Less(t, time.Since(began)-session.StoppedAt.Sub(began), time.Second, "as they finish")
			got = append(got, session.CheckSessionID)
		}
		require.Equal(t, want, got)
		slices.Sort(failed)
		require.Equal(t, []string{wrong, missing}, failed)
	})
}

func TestLeavingTheLoopEndsTheWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // which fails when a goroutine is left
		svc := monitoringtest.New()
		var ids []string
		for i := range 300 {
			ids = append(ids, svc.AddSession(monitoringtest.Session{Duration: time.Duration(i+1) * time.Minute}))
		}
		seq := newClient(t, svc).CheckSessions.WaitAll(t.Context(), ids, monitoring.WaitOptions{})
		require.Empty(t, svc.Requests(), "nothing is asked before the loop")
		for session, err := range seq {
			require.NoError(t, err)
			require.Equal(t, ids[0], session.CheckSessionID)
			break
		}
		requests := len(svc.Requests())
		time.Sleep(time.Hour)
		require.Len(t, svc.Requests(), requests, "nothing is asked after the loop")
	})
}

func TestACancelledWaitAllYieldsAnErrorForEachThatRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		short := svc.AddSession(monitoringtest.Session{Duration: time.Second})
		long := svc.AddSession(monitoringtest.Session{Duration: time.Hour})
		longer := svc.AddSession(monitoringtest.Session{Duration: 2 * time.Hour})
		enough := errors.New("the deploy window is over")
		ctx, stop := context.WithTimeoutCause(t.Context(), time.Minute, enough)
		defer stop()
		var done, failed []string
		for session, err := range newClient(t, svc).CheckSessions.WaitAll(ctx, []string{short, long, longer}, monitoring.WaitOptions{}) {
			if err == nil {
				done = append(done, session.CheckSessionID)
				continue
			}
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.ErrorIs(t, err, enough)
			e, _ := errors.AsType[*monitoring.SessionError](err)
			failed = append(failed, e.ID)
		}
		require.Equal(t, []string{short}, done)
		require.Equal(t, []string{long, longer}, failed)
	})
}

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
		sessions, err := newClient(t, svc).CheckSessions.TriggerAndWait(t.Context(),
			monitoring.TriggerRequest{Target: monitoring.TriggerTarget{MatchTags: [][]string{{"production"}}}},
			monitoring.WaitOptions{OnProgress: func(p monitoring.WaitProgress) {
				require.True(t, mu.TryLock(), "one at a time")
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
			sum := 0
			for _, n := range p.ByStatus {
				sum += n
			}
			require.Equal(t, 5, sum)
		}
		require.Equal(t, "4", seen[1].Session.Name, "the shortest finishes first")
	})
}

func TestALostTriggerStartsNothingTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		svc.AddCheck(monitoringtest.Check{Tags: []string{"production"}})
		svc.Inject(monitoringtest.Fault{Operation: opTrigger, Kind: monitoringtest.FaultResetAfter, Times: 1})
		sessions, err := newClient(t, svc).CheckSessions.TriggerAndWait(t.Context(),
			monitoring.TriggerRequest{Target: monitoring.TriggerTarget{MatchTags: [][]string{{"production"}}}}, monitoring.WaitOptions{})
		require.ErrorIs(t, err, monitoring.ErrOutcomeUnknown)
		require.Empty(t, sessions)
		require.Len(t, svc.Sessions(), 1)
		require.Equal(t, 1, svc.Count(opTrigger))
	})
}

func TestTriggerAndWaitThatIsInterruptedHasTheSessionsAsLastSeen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		svc.AddCheck(monitoringtest.Check{Tags: []string{"a"}, RunTime: time.Second})
		svc.AddCheck(monitoringtest.Check{Tags: []string{"a"}, RunTime: time.Hour})
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		defer stop()
		sessions, err := newClient(t, svc).CheckSessions.TriggerAndWait(ctx,
			monitoring.TriggerRequest{Target: monitoring.TriggerTarget{MatchTags: [][]string{{"a"}}}}, monitoring.WaitOptions{})
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Len(t, sessions, 2)
		require.True(t, sessions[0].Done())
		require.False(t, sessions[1].Done())
	})
}

func TestCancelOnInterruptCancelsWhatStillRuns(t *testing.T) {
	for name, on := range map[string]bool{"off by default": false, "on": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc := monitoringtest.New()
				done := svc.AddSession(monitoringtest.Session{Type: monitoring.CheckTypePlaywright, Duration: time.Second})
				running := svc.AddSession(monitoringtest.Session{Type: monitoring.CheckTypePlaywright, Duration: time.Hour})
				client := newClient(t, svc)
				ctx, cancel := context.WithCancel(t.Context())
				time.AfterFunc(time.Minute, cancel)
				began := time.Now()
				for range client.CheckSessions.WaitAll(ctx, []string{done, running}, monitoring.WaitOptions{CancelOnInterrupt: on}) {
				}
				require.Equal(t, time.Minute, time.Since(began))
				time.Sleep(monitoringtest.DefaultCancelDelay) // a cancel is carried out later
				session, err := client.CheckSessions.Get(t.Context(), running)
				require.NoError(t, err)
				require.Equal(t, on, session.Cancelled())
			})
		})
	}
	t.Run("takes no longer than the grace period", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New()
			running := svc.AddSession(monitoringtest.Session{Duration: time.Hour})
			svc.Inject(monitoringtest.Fault{Operation: opCancel, Delay: time.Hour})
			ctx, stop := context.WithTimeout(t.Context(), time.Minute)
			defer stop()
			began := time.Now()
			_, err := newClient(t, svc).CheckSessions.Wait(ctx, running, monitoring.WaitOptions{CancelOnInterrupt: true, CancelGrace: 3 * time.Second})
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.Equal(t, 63*time.Second, time.Since(began))
		})
	})
}

func TestWhatHasFinishedIsToldAfterTheContextsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		var ids []string
		for range 40 {
			ids = append(ids, svc.AddSession(monitoringtest.Session{Type: monitoring.CheckTypePlaywright, Duration: time.Second}))
		}
		ids = append(ids, svc.AddSession(monitoringtest.Session{Type: monitoring.CheckTypePlaywright, Duration: time.Hour}))
		ctx, stop := context.WithTimeout(t.Context(), 30*time.Second)
		defer stop()
		done, failed := 0, 0
		for session := range newClient(t, svc).CheckSessions.WaitAll(ctx, ids, monitoring.WaitOptions{CancelOnInterrupt: true}) {
			if session != nil {
				done++
			} else {
				failed++
			}
			time.Sleep(2 * time.Second) // a slow loop
		}
		require.Equal(t, 40, done)
		require.Equal(t, 1, failed)
		require.Equal(t, 1, svc.Count(opCancel), "only what still runs is cancelled")
	})
}

func TestAnInterruptedFirstLookCancelsToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		id := svc.AddSession(monitoringtest.Session{Duration: time.Hour})
		svc.Inject(monitoringtest.Fault{Operation: opGetSession, Delay: time.Hour})
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		_, err := newClient(t, svc).CheckSessions.Wait(ctx, id, monitoring.WaitOptions{CancelOnInterrupt: true})
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Equal(t, 1, svc.Count(opCancel))
	})
}

func TestATriggerWhoseResponseHasNoSessionsIsNoSuccess(t *testing.T) {
	for body, want := range map[string]string{
		"{}": "$.sessions: it is missing", "null": "$.sessions: it is missing", `{"sessions":null}`: "$.sessions: it is missing",
		`{"sessions":[]}`: "the response has no sessions",
	} {
		svc := monitoringtest.New()
		svc.Inject(monitoringtest.Fault{Operation: opTrigger, Status: 201, Body: body})
		sessions, err := newClient(t, svc).CheckSessions.TriggerAndWait(t.Context(), monitoring.TriggerRequest{AllChecks: true}, monitoring.WaitOptions{})
		require.ErrorContains(t, err, want)
		require.Equal(t, body == `{"sessions":[]}`, errors.Is(err, monitoring.ErrNoMatchingChecks))
		require.NotErrorIs(t, err, monitoring.ErrOutcomeUnknown, "the service said that it did it")
		if e, ok := errors.AsType[*monitoring.CallError](err); ok {
			require.Equal(t, 1, e.Attempts)
		}
		require.Nil(t, sessions)
	}
}

func TestASessionThatTheTriggerNamesTwiceIsOneSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		a, b := svc.AddSession(monitoringtest.Session{Duration: time.Minute}), svc.AddSession(monitoringtest.Session{Duration: 2 * time.Minute})
		item := `{"checkSessionId":"%s","status":"STARTED","startedAt":"2026-08-19T10:15:00.120Z"}`
		svc.Inject(monitoringtest.Fault{Operation: opTrigger, Status: 201, Body: fmt.Sprintf(`{"sessions":[`+item+","+item+","+item+`]}`, a, b, a)})
		total := 0
		sessions, err := newClient(t, svc).CheckSessions.TriggerAndWait(t.Context(), monitoring.TriggerRequest{AllChecks: true},
			monitoring.WaitOptions{OnProgress: func(p monitoring.WaitProgress) { total = p.Total }})
		require.NoError(t, err)
		require.Len(t, sessions, 3)
		for i, id := range []string{a, b, a} {
			require.Equal(t, id, sessions[i].CheckSessionID)
			require.True(t, sessions[i].Passed())
		}
		require.Equal(t, 2, total)
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
				client := newClient(t, svc)
				_, err := client.CheckSessions.Wait(t.Context(), id, monitoring.WaitOptions{})
				require.ErrorContains(t, err, "the response is about another session")
				require.Equal(t, id, sessionError(t, err).ID)
			})
		})
	}
	t.Run("but the same id in other letters is not another", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New()
			id := svc.AddSession(monitoringtest.Session{ID: "abcdef00-0000-4000-8000-000000000001", Duration: time.Minute})
			svc.Inject(monitoringtest.Fault{Operation: opCompletion, Status: 200,
				Body: `{"checkSessionId":"ABCDEF00-0000-4000-8000-000000000001","status":"PASSED","startedAt":"2026-08-19T10:15:00.120Z"}`})
			_, err := newClient(t, svc).CheckSessions.Wait(t.Context(), id, monitoring.WaitOptions{})
			require.NoError(t, err)
		})
	})
	t.Run("and one without an id is taken for this one's", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New()
			id := svc.AddSession(monitoringtest.Session{Duration: time.Minute})
			svc.Inject(monitoringtest.Fault{Operation: opCompletion, Status: 200, Body: `{"status":"PASSED","startedAt":"2026-08-19T10:15:00.120Z"}`})
			session, err := newClient(t, svc).CheckSessions.Wait(t.Context(), id, monitoring.WaitOptions{})
			require.NoError(t, err)
			require.Equal(t, id, session.CheckSessionID)
		})
	})
}

func TestACompletionWithoutAStatusIsNoEnd(t *testing.T) {
	for name, body := range map[string]string{"an empty object": "{}", "null": "null", "a status of null": `{"status":null}`} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc := monitoringtest.New()
				id := svc.AddSession(monitoringtest.Session{Duration: 45 * time.Second})
				svc.Inject(monitoringtest.Fault{Operation: opCompletion, Status: 200, Body: body})
				client := newClient(t, svc)
				session, err := client.CheckSessions.Wait(t.Context(), id, monitoring.WaitOptions{})
				require.NoError(t, err, "the reads tell")
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

func TestWhatADoneSessionIs(t *testing.T) {
	stopped := monitoring.Timestamp{Time: time.Now()}
	for name, c := range map[string]struct {
		session monitoring.CheckSession
		want    bool
	}{
		"a final status":                       {monitoring.CheckSession{Status: monitoring.SessionTimedOut}, true},
		"a status of one that runs":            {monitoring.CheckSession{Status: monitoring.SessionProgressFailed}, false},
		"one that runs, with an end":           {monitoring.CheckSession{Status: monitoring.SessionProgress, StoppedAt: &stopped}, false},
		"an unknown status":                    {monitoring.CheckSession{Status: "PAUSED"}, false},
		"an unknown status, with an end":       {monitoring.CheckSession{Status: "PAUSED", StoppedAt: &stopped}, true},
		"an unknown status, with an empty end": {monitoring.CheckSession{Status: "PAUSED", StoppedAt: &monitoring.Timestamp{}}, false},
		"nothing but an end":                   {monitoring.CheckSession{StoppedAt: &stopped}, false},
		"nothing":                              {monitoring.CheckSession{}, false},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, c.session.Done()) })
	}
}

func TestALoopThatIsLeftCancelsNothingThatHasEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		var ids []string
		for _, d := range []time.Duration{time.Second, 2 * time.Second, time.Hour} {
			ids = append(ids, svc.AddSession(monitoringtest.Session{Type: monitoring.CheckTypePlaywright, Duration: d}))
		}
		for range newClient(t, svc).CheckSessions.WaitAll(t.Context(), ids, monitoring.WaitOptions{CancelOnInterrupt: true}) {
			time.Sleep(5 * time.Second) // the second ends, and nobody is told
			break
		}
		require.Equal(t, 1, svc.Count(opCancel))
	})
}
