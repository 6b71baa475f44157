package monitoring_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
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
				require.Equal(t, duration, time.Since(started).Truncate(time.Millisecond), "it returns with the service's answer")
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
		const body = `{"checkSessionId":"x","status":"%s","startedAt":"2026-08-19T10:15:00.120Z"}`
		svc.Inject(
			monitoringtest.Fault{Operation: opGetSession, Status: 200, Body: fmt.Sprintf(body, "PAUSED")},
			monitoringtest.Fault{Operation: opCompletion, Status: 200, Body: fmt.Sprintf(body, "PROGRESS"), Times: 1},
			monitoringtest.Fault{Operation: opCompletion, Status: 200, Body: fmt.Sprintf(body, "ABANDONED")},
		)
		client := newClient(t, svc)
		session, err := client.CheckSessions.Wait(t.Context(), id, monitoring.WaitOptions{})
		require.NoError(t, err)
		require.EqualValues(t, "ABANDONED", session.Status)
		require.False(t, session.Done())
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

// waitLoad is a waiting for many sessions and what it gave.
type waitLoad struct {
	requests, refused int
	lags              []time.Duration // from the end of a session to its yield, sorted
}

func (l *waitLoad) lag(quantile float64) time.Duration {
	return l.lags[min(len(l.lags)-1, int(quantile*float64(len(l.lags))))]
}

// waitForMany waits for sessions of 20 s to 10 min, at 100 ms latency and with the
// limit enforced. It runs inside a bubble.
func waitForMany(t *testing.T, sessions int) *waitLoad {
	svc := monitoringtest.New(
		monitoringtest.WithLatency(100*time.Millisecond),
		monitoringtest.WithRateLimit(monitoring.RateLimit{Requests: 600, Per: time.Minute}))
	random := rand.New(rand.NewPCG(1, uint64(sessions)))
	var ids []string
	for range sessions {
		d := 20*time.Second + time.Duration(random.Int64N(int64(580*time.Second)))
		ids = append(ids, svc.AddSession(monitoringtest.Session{Duration: d}))
	}
	load := &waitLoad{}
	for session, err := range newClient(t, svc).CheckSessions.WaitAll(t.Context(), ids, monitoring.WaitOptions{}) {
		require.NoError(t, err)
		load.lags = append(load.lags, time.Since(session.StoppedAt.Time))
	}
	require.Len(t, load.lags, sessions, "every session is reported")
	slices.Sort(load.lags)
	for _, r := range svc.Requests() {
		load.requests++
		if r.Status == http.StatusTooManyRequests {
			load.refused++
		}
	}
	return load
}

func TestWaitingAtScaleKeepsTheLimitAndSeesEndsSoon(t *testing.T) {
	for _, c := range []struct {
		sessions    int
		median, p99 time.Duration // 0 for any
	}{
		{1, time.Second, time.Second},
		{50, time.Second, time.Second},
		{200, time.Second, time.Second},
		{300, time.Second, 18 * time.Second},
		{1000, 35 * time.Second, 0},
	} {
		t.Run(fmt.Sprint(c.sessions), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				load := waitForMany(t, c.sessions)
				t.Logf("%d requests, lag: median %s, p99 %s, most %s", load.requests, load.lag(.5), load.lag(.99), load.lag(1))
				require.Zero(t, load.refused)
				require.Less(t, load.lag(.5), c.median)
				if c.p99 > 0 {
					require.Less(t, load.lag(.99), c.p99)
				}
			})
		})
	}
}

func TestWaitingLeavesAQuarterOfTheLimit(t *testing.T) {
	for share, most := range map[float64]int{0: 450, 0.25: 150, 1: 600} {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New()
			var ids []string
			for range 1000 {
				ids = append(ids, svc.AddSession(monitoringtest.Session{Duration: time.Hour}))
			}
			ctx, stop := context.WithTimeout(t.Context(), 10*time.Minute)
			defer stop()
			began := time.Now()
			for range newClient(t, svc).CheckSessions.WaitAll(ctx, ids, monitoring.WaitOptions{Share: share}) {
			}
			counts := make([]int, 11)
			for _, r := range svc.Requests() {
				counts[int(r.Time.Sub(began)/time.Minute)]++
			}
			for _, n := range counts[1:10] { // after the burst of the first minute
				require.LessOrEqual(t, n, most+8, counts)
				require.Greater(t, n, most*9/10, counts)
			}
		})
	}
}

func TestMoreSessionsThanTheBudgetHoldsTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		var ids []string
		for range 1000 {
			ids = append(ids, svc.AddSession(monitoringtest.Session{Duration: time.Hour}))
		}
		ctx, stop := context.WithTimeout(t.Context(), 20*time.Minute)
		defer stop()
		for range newClient(t, svc).CheckSessions.WaitAll(ctx, ids, monitoring.WaitOptions{}) {
		}
		polls := make(map[string]int)
		for _, r := range svc.Requests() {
			polls[r.Path]++
		}
		require.Len(t, polls, 1000)
		least, most := 1000, 0
		for _, n := range polls {
			least, most = min(least, n), max(most, n)
		}
		histogram := map[int]int{}
		for _, n := range polls {
			histogram[n]++
		}
		require.LessOrEqual(t, most-least, 2, "none starves: %v", histogram)
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
				seen = append(seen, p)
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

func TestFailedResultsFetchesWhatDidNotPass(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		var locations, failing []string
		for i := range 20 {
			locations = append(locations, fmt.Sprintf("private-%02d", i))
		}
		failing = locations[5:17]
		id := svc.AddSession(monitoringtest.Session{Locations: locations, FailIn: failing, Attempts: 1, Outcome: monitoring.SessionFailed})
		client := newClient(t, svc)
		session, err := client.CheckSessions.Wait(t.Context(), id, monitoring.WaitOptions{})
		require.NoError(t, err)
		require.Len(t, session.FinalResults(), 20)
		require.NotEmpty(t, session.Attempts())
		results, err := client.CheckSessions.FetchFailingResults(t.Context(), session)
		require.NoError(t, err)
		require.Len(t, results, len(failing))
		for i, r := range results {
			require.Equal(t, failing[i], r.RunLocation)
			require.True(t, r.HasFailures)
			require.NotEmpty(t, r.Messages())
		}

		svc.Inject(monitoringtest.Fault{Operation: "GET /v1/check-results/{checkId}/{checkResultId}", Status: 404, Times: 1})
		results, err = client.CheckSessions.FetchFailingResults(t.Context(), session)
		require.ErrorIs(t, err, monitoring.ErrNotFound)
		missing := slices.Index(results, nil)
		require.GreaterOrEqual(t, missing, 0)
		require.Len(t, results, len(failing))
	})
}

func TestWaitForARootCauseAnalysis(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		id := svc.AddRootCauseAnalysis(monitoring.RootCauseAnalysis{CheckType: monitoring.CheckTypeAPI, Analysis: &monitoring.Analysis{RootCause: "c"}}, 50*time.Second)
		svc.Inject(monitoringtest.Fault{Status: 503, After: 1, Times: 2})
		client := newClient(t, svc)
		began := time.Now()
		analysis, err := client.RootCauseAnalyses.Wait(t.Context(), id)
		require.NoError(t, err)
		require.True(t, analysis.Completed())
		require.Equal(t, "c", analysis.Analysis.RootCause)
		require.Less(t, time.Since(began), 66*time.Second)
		require.Less(t, len(svc.Requests()), 14, "with back-off")

		slow := svc.AddRootCauseAnalysis(monitoring.RootCauseAnalysis{}, time.Hour)
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		defer stop()
		analysis, err = client.RootCauseAnalyses.Wait(ctx, slow)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Equal(t, monitoring.RootCauseAnalysisPending, analysis.Status, "as last seen")

		_, err = client.RootCauseAnalyses.Wait(t.Context(), monitoringtest.UUID("nothing"))
		require.ErrorIs(t, err, monitoring.ErrNotFound)
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

func TestManyWaitsShareOnePace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		client := newClient(t, svc)
		ctx, stop := context.WithTimeout(t.Context(), 5*time.Minute)
		defer stop()
		var workers sync.WaitGroup
		for range 1000 {
			id := svc.AddSession(monitoringtest.Session{Duration: time.Hour})
			workers.Go(func() { client.CheckSessions.Wait(ctx, id, monitoring.WaitOptions{}) })
		}
		time.Sleep(2 * time.Minute)
		began := time.Now()
		for range 30 {
			_, err := client.Locations.List(ctx)
			require.NoError(t, err)
		}
		require.Less(t, time.Since(began), 5*time.Second, "a quarter of the limit is free")
		workers.Wait()
	})
}

func TestCancelledWaitsCostTheOthersNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		client := newClient(t, svc)
		var workers sync.WaitGroup
		for range 2000 {
			id := svc.AddSession(monitoringtest.Session{Duration: time.Hour})
			workers.Go(func() {
				ctx, stop := context.WithTimeout(t.Context(), time.Second)
				defer stop()
				client.CheckSessions.Wait(ctx, id, monitoring.WaitOptions{})
			})
		}
		workers.Wait()
		time.Sleep(time.Minute)
		began := time.Now()
		done := svc.AddSession(monitoringtest.Session{StartedAt: began.Add(-time.Hour)})
		_, err := client.CheckSessions.Wait(t.Context(), done, monitoring.WaitOptions{})
		require.NoError(t, err)
		require.Zero(t, time.Since(began))
	})
}

func TestTimeInTheQueueIsNoTimeWithoutAnAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New(monitoringtest.WithoutRecording())
		var ids []string
		for range 3000 {
			ids = append(ids, svc.AddSession(monitoringtest.Session{Duration: 10 * time.Minute}))
		}
		svc.Inject(monitoringtest.Fault{Operation: opCompletion, Status: 503, Times: 3000}) // about the first poll of each
		for _, err := range newClient(t, svc, monitoring.WithMaxRetries(0)).CheckSessions.WaitAll(t.Context(), ids, monitoring.WaitOptions{}) {
			require.NoError(t, err)
		}
	})
}

func TestACompletionWithoutAStatusIsNoEnd(t *testing.T) {
	for name, body := range map[string]string{"an empty object": "{}", "null": "null", "a status of null": `{"status":null}`} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc := monitoringtest.New()
				id := svc.AddSession(monitoringtest.Session{Duration: 45 * time.Second})
				svc.Inject(monitoringtest.Fault{Operation: opCompletion, Status: 200, Body: body, Times: 3})
				client := newClient(t, svc)
				session, err := client.CheckSessions.Wait(t.Context(), id, monitoring.WaitOptions{})
				require.NoError(t, err)
				require.True(t, session.Done())

				svc.Inject(monitoringtest.Fault{Operation: opCompletion, Status: 200, Body: body})
				id = svc.AddSession(monitoringtest.Session{Duration: time.Hour})
				_, err = client.CheckSessions.Wait(t.Context(), id, monitoring.WaitOptions{})
				require.ErrorContains(t, err, "the completion of the session tells no status")
			})
		})
	}
}

func TestATriggerWhoseAnswerHasNoSessionsIsNoSuccess(t *testing.T) {
	for _, body := range []string{"{}", "null", `{"sessions":null}`} {
		svc := monitoringtest.New()
		svc.Inject(monitoringtest.Fault{Operation: opTrigger, Status: 201, Body: body})
		_, err := newClient(t, svc).CheckSessions.TriggerAndWait(t.Context(), monitoring.TriggerRequest{AllChecks: true}, monitoring.WaitOptions{})
		require.ErrorContains(t, err, "$.sessions: it is missing")
		require.ErrorContains(t, err, "it was carried out")
		require.NotErrorIs(t, err, monitoring.ErrOutcomeUnknown)
	}
}
