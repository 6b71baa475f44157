package monitoringtest_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

func TestASessionMovesByTheClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := t.Context()
		svc := monitoringtest.New()
		id := svc.AddCheck(monitoringtest.Check{
			Name: "Checkout", Locations: []string{"eu-central-1", "us-east-1"}, RunTime: 20 * time.Second, Attempts: 1,
		})
		client := clientOf(t, svc)
		list, err := client.CheckSessions.Trigger(ctx, monitoring.TriggerRequest{Target: monitoring.TriggerTarget{CheckIDs: []string{id}}})
		require.NoError(t, err)
		// The first location runs 0 to 5 (an attempt) and 5 to 10, the second 0 to 10 and 10 to 20.
		steps := []struct {
			after             time.Duration
			status            monitoring.CheckSessionStatus
			finals, attempts  int
			unfinished, total int
		}{
			{0, monitoring.SessionStarted, 0, 0, 2, 2},
			{3 * time.Second, monitoring.SessionProgress, 0, 0, 2, 2},
			{6 * time.Second, monitoring.SessionProgressFailed, 0, 1, 2, 3},
			{11 * time.Second, monitoring.SessionProgressFailed, 1, 2, 1, 4},
			{20 * time.Second, monitoring.SessionPassed, 2, 2, 0, 4},
			{time.Hour, monitoring.SessionPassed, 2, 2, 0, 4},
		}
		began := time.Now()
		for _, step := range steps {
			time.Sleep(time.Until(began.Add(step.after)))
			session, err := client.CheckSessions.Get(ctx, list[0].CheckSessionID)
			require.NoError(t, err)
			require.Equal(t, step.status, session.Status, "after %s", step.after)
			require.Len(t, session.FinalResults(), step.finals)
			require.Len(t, session.Attempts(), step.attempts)
			require.Len(t, session.Results, step.total)
			unfinished := 0
			for _, r := range session.Results {
				if r.ResultType == nil {
					unfinished++
					require.Nil(t, r.ResponseTime)
					require.Nil(t, r.StoppedAt)
					require.NotNil(t, r.StartedAt)
					_, err := client.CheckResults.Get(ctx, r.CheckID, r.CheckResultID)
					require.ErrorIs(t, err, monitoring.ErrNotFound, "there is no result before its end")
				}
			}
			require.Equal(t, step.unfinished, unfinished)
			require.Equal(t, session.Done(), session.StoppedAt != nil)
			require.Equal(t, min(step.after, 20*time.Second), session.Duration())
		}
	})
}

func TestFiveMinutesOfPollingPassInNoTime(t *testing.T) {
	began := time.Now()
	synctest.Test(t, func(t *testing.T) {
		svc, client := monitoringtest.Run(t)
		id := svc.AddSession(monitoringtest.Session{Duration: 5 * time.Minute, Outcome: monitoring.SessionFailed})
		start := time.Now()
		session, err := client.CheckSessions.Wait(t.Context(), id, monitoring.WaitOptions{})
		require.NoError(t, err)
		require.Equal(t, monitoring.SessionFailed, session.Status)
		require.Equal(t, 5*time.Minute, time.Since(start))
		require.Equal(t, 10, svc.Count("GET /v2/check-sessions/{checkSessionId}/completion"))
	})
	require.Less(t, time.Since(began), 10*time.Second)
}

func TestACompletionRequest(t *testing.T) {
	const operation = "GET /v2/check-sessions/{checkSessionId}/completion"
	t.Run("gets a 408 when the time is over", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New()
			id := svc.AddSession(monitoringtest.Session{Duration: time.Minute})
			start := time.Now()
			_, err := clientOf(t, svc).CheckSessions.Completion(t.Context(), id, monitoring.CompletionOptions{MaxWaitSeconds: 7})
			require.ErrorIs(t, err, monitoring.ErrNotCompleted)
			require.Equal(t, 7*time.Second, time.Since(start))
			var failed *monitoring.APIError
			require.ErrorAs(t, err, &failed)
			require.JSONEq(t, `{"statusCode":408,"error":"Request Timeout","message":"Check session is still in progress."}`, string(failed.Body))
		})
	})
	t.Run("gets its response when the session ends", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New()
			id := svc.AddSession(monitoringtest.Session{Duration: 12 * time.Second})
			start := time.Now()
			session, err := clientOf(t, svc).CheckSessions.Completion(t.Context(), id, monitoring.CompletionOptions{})
			require.NoError(t, err)
			require.True(t, session.Done())
			require.Equal(t, 12*time.Second, time.Since(start))
		})
	})
	t.Run("gets its response when the session is cancelled", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New()
			id := svc.AddSession(monitoringtest.Session{Duration: time.Minute, Type: monitoring.CheckTypePlaywright})
			client := clientOf(t, svc)
			time.AfterFunc(3*time.Second, func() {
				client.CheckSessions.Cancel(context.Background(), id, monitoring.CancelRequest{})
			})
			start := time.Now()
			session, err := client.CheckSessions.Completion(t.Context(), id, monitoring.CompletionOptions{})
			require.NoError(t, err)
			require.Equal(t, monitoring.SessionCancelled, session.Status)
			require.Len(t, session.FinalResults(), 1)
			require.True(t, session.Results[0].IsCancelled)
			require.Equal(t, 4*time.Second, time.Since(start), "a second after it was accepted")
		})
	})
	t.Run("ends with its context", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New()
			id := svc.AddSession(monitoringtest.Session{Duration: time.Minute})
			ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second)
			defer cancel()
			start := time.Now()
			_, err := clientOf(t, svc).CheckSessions.Completion(ctx, id, monitoring.CompletionOptions{})
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.Equal(t, 4*time.Second, time.Since(start))
			require.Equal(t, 0, svc.Requests()[0].Status)
			require.Equal(t, 1, svc.Count(operation))
		})
	})
}

func TestACancelIs(t *testing.T) {
	t.Run("without effect on checks that are no PLAYWRIGHT suites", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New()
			id := svc.AddSession(monitoringtest.Session{Duration: time.Minute})
			client := clientOf(t, svc)
			require.NoError(t, client.CheckSessions.Cancel(t.Context(), id, monitoring.CancelRequest{}))
			session, err := client.CheckSessions.Wait(t.Context(), id, monitoring.WaitOptions{})
			require.NoError(t, err)
			require.Equal(t, monitoring.SessionPassed, session.Status)
			require.Equal(t, time.Minute, session.Duration())
		})
	})
	t.Run("without effect on a session that has ended", func(t *testing.T) {
		svc := monitoringtest.New()
		id := svc.AddSession(monitoringtest.Session{StartedAt: time.Now().Add(-time.Hour), Type: monitoring.CheckTypePlaywright})
		require.NoError(t, clientOf(t, svc).CheckSessions.Cancel(t.Context(), id, monitoring.CancelRequest{}))
		require.Equal(t, monitoring.SessionPassed, svc.Sessions()[0].Status)
	})
	t.Run("confined to the sequences it names", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New()
			id := svc.AddSession(monitoringtest.Session{
				Duration: 40 * time.Second, Type: monitoring.CheckTypePlaywright, Attempts: 3, Locations: []string{"eu-west-1", "us-east-1"},
			})
			client := clientOf(t, svc)
			time.Sleep(11 * time.Second) // both have a failed attempt
			session, err := client.CheckSessions.Get(t.Context(), id)
			require.NoError(t, err)
			last := session.Attempts()[len(session.Attempts())-1]
			require.Equal(t, "us-east-1", last.RunLocation)
			result, err := client.CheckResults.Get(t.Context(), last.CheckID, last.CheckResultID)
			require.NoError(t, err)
			require.NoError(t, client.CheckSessions.Cancel(t.Context(), id, monitoring.CancelRequest{SequenceIDs: []string{*result.SequenceID}}))
			session, err = client.CheckSessions.Get(t.Context(), id)
			require.NoError(t, err)
			require.False(t, session.Done(), "the other one runs on")
			session, err = client.CheckSessions.Wait(t.Context(), id, monitoring.WaitOptions{})
			require.NoError(t, err)
			require.Equal(t, monitoring.SessionCancelled, session.Status)
			finals := session.FinalResults()
			require.Len(t, finals, 2)
			require.False(t, finals[0].IsCancelled)
			require.True(t, finals[1].IsCancelled)
			require.Equal(t, 20*time.Second, session.Duration())
		})
	})
}

func TestSessionsOfACheckEndWithItsOutcomesInTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		id := svc.AddCheck(monitoringtest.Check{
			Outcomes: []monitoring.CheckSessionStatus{monitoring.SessionFailed, monitoring.SessionTimedOut},
			Outcome:  monitoring.SessionDegraded,
		})
		client := clientOf(t, svc)
		request := monitoring.TriggerRequest{Target: monitoring.TriggerTarget{CheckIDs: []string{id}}}
		want := []monitoring.CheckSessionStatus{
			monitoring.SessionFailed, monitoring.SessionTimedOut, monitoring.SessionDegraded, monitoring.SessionDegraded, monitoring.SessionPassed,
		}
		for i, status := range want {
			if i == 4 {
				svc.SetOutcome(id, monitoring.SessionPassed)
			}
			list, err := client.CheckSessions.TriggerAndWait(t.Context(), request, monitoring.WaitOptions{})
			require.NoError(t, err)
			require.Equal(t, status, list[0].Status)
		}
		require.Equal(t, 5, svc.ExecutedOn("POST /v2/check-sessions/trigger", id))
		require.Len(t, svc.Sessions(), 5)
	})
}

func TestResultsFitTheTypeOfTheirCheck(t *testing.T) {
	payloads := map[monitoring.CheckType]func(*monitoring.CheckResult) bool{
		monitoring.CheckTypeAPI:        func(r *monitoring.CheckResult) bool { return r.APICheckResult != nil },
		monitoring.CheckTypeBrowser:    func(r *monitoring.CheckResult) bool { return r.BrowserCheckResult != nil },
		monitoring.CheckTypeMultiStep:  func(r *monitoring.CheckResult) bool { return r.MultiStepCheckResult != nil },
		monitoring.CheckTypePlaywright: func(r *monitoring.CheckResult) bool { return r.PlaywrightCheckResult != nil },
		monitoring.CheckTypeAgentic:    func(r *monitoring.CheckResult) bool { return r.AgenticCheckResult != nil },
		monitoring.CheckTypeTraceroute: func(r *monitoring.CheckResult) bool { return r.TracerouteCheckResult != nil },
		monitoring.CheckTypeGRPC:       func(r *monitoring.CheckResult) bool { return r.GRPCCheckResult != nil },
		monitoring.CheckTypeSSL:        func(r *monitoring.CheckResult) bool { return r.SSLCheckResult != nil },
		monitoring.CheckTypeTCP:        nil,
		monitoring.CheckTypeURL:        nil,
		monitoring.CheckTypeDNS:        nil,
		monitoring.CheckTypeICMP:       nil,
	}
	svc := monitoringtest.New()
	client := clientOf(t, svc)
	for _, kind := range sortedKeys(payloads) {
		for _, outcome := range []monitoring.CheckSessionStatus{monitoring.SessionPassed, monitoring.SessionFailed, monitoring.SessionTimedOut, monitoring.SessionCancelled} {
			t.Run(fmt.Sprintf("%s that ends %s", kind, outcome), func(t *testing.T) {
				session := svc.AddSession(monitoringtest.Session{
					CheckID: monitoringtest.UUID(string(kind)), Type: kind, Outcome: outcome, StartedAt: time.Now().Add(-time.Hour),
				})
				result, err := client.CheckResults.Get(t.Context(), monitoringtest.UUID(string(kind)), svc.ResultIDs(session)[0])
				require.NoError(t, err)
				n := 0
				for _, has := range payloads {
					if has != nil && has(result) {
						n++
					}
				}
				if has := payloads[kind]; has != nil {
					require.True(t, has(result))
					require.Equal(t, 1, n)
				} else {
					require.Zero(t, n)
				}
				require.Equal(t, outcome == monitoring.SessionFailed || outcome == monitoring.SessionTimedOut, result.HasFailures)
				require.Equal(t, outcome == monitoring.SessionCancelled, result.IsCancelled)
				require.NotNil(t, result.SequenceID)
				require.Positive(t, *result.ResponseTime)
			})
		}
	}
}

func TestAFailingResultNamesItsErrorGroups(t *testing.T) {
	svc := monitoringtest.New()
	svc.AddCheck(monitoringtest.Check{ID: monitoringtest.UUID("c")})
	group := svc.AddErrorGroup(monitoring.ErrorGroup{CheckID: monitoringtest.UUID("c"), CleanedErrorMessage: "boom"})
	svc.AddErrorGroup(monitoring.ErrorGroup{CheckID: svc.AddCheck(monitoringtest.Check{})})
	session := svc.AddSession(monitoringtest.Session{
		CheckID: monitoringtest.UUID("c"), Outcome: monitoring.SessionFailed, StartedAt: time.Now().Add(-time.Hour), Locations: []string{"eu-central-1", "us-east-1"},
		FailIn: []string{"us-east-1"}, Error: "boom",
	})
	ids := svc.ResultIDs(session)
	client := clientOf(t, svc)
	passed, err := client.CheckResults.Get(t.Context(), monitoringtest.UUID("c"), ids[0])
	require.NoError(t, err)
	require.False(t, passed.HasFailures)
	require.Empty(t, passed.ErrorGroupIDs)
	failed, err := client.CheckResults.Get(t.Context(), monitoringtest.UUID("c"), ids[1])
	require.NoError(t, err)
	require.True(t, failed.HasFailures)
	require.Equal(t, []string{group}, failed.ErrorGroupIDs)
	page, err := client.ErrorGroups.ListForCheck(t.Context(), monitoringtest.UUID("c"), monitoring.ErrorGroupListOptions{})
	require.NoError(t, err)
	require.Len(t, page.Items, 1, "those of another check are not listed")
	require.Equal(t, "boom", failed.APICheckResult.Assertions[0].Error)
}

func TestARootCauseAnalysisIsPendingAtFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		id := svc.AddRootCauseAnalysis(monitoring.RootCauseAnalysis{Analysis: &monitoring.Analysis{RootCause: "a cable"}}, 30*time.Second)
		start := time.Now()
		a, err := clientOf(t, svc).RootCauseAnalyses.Wait(t.Context(), id)
		require.NoError(t, err)
		require.Equal(t, "a cable", a.Analysis.RootCause)
		require.GreaterOrEqual(t, time.Since(start), 30*time.Second)
		require.Equal(t, 202, svc.Requests()[0].Status)
	})
}

func TestSessionsRunFasterWithSpeed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.NewDemo(monitoringtest.WithSpeed(100))
		start := time.Now()
		sessions, err := clientOf(t, svc).CheckSessions.TriggerAndWait(t.Context(), monitoring.TriggerRequest{AllChecks: true}, monitoring.WaitOptions{})
		require.NoError(t, err)
		require.Equal(t, map[monitoring.CheckSessionStatus]int{monitoring.SessionPassed: 7, monitoring.SessionDegraded: 1}, monitoring.CountByStatus(sessions))
		require.LessOrEqual(t, time.Since(start), time.Second)
	})
}

func TestAFailingRunSaysWhy(t *testing.T) {
	for _, kind := range []monitoring.CheckType{
		"API", "TCP", "URL", "DNS", "ICMP", "BROWSER", "MULTI_STEP", "PLAYWRIGHT", "AGENTIC", "TRACEROUTE", "GRPC", "SSL",
	} {
		t.Run(string(kind), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc := monitoringtest.New()
				svc.AddAlertChannel(monitoringtest.AlertChannel{})
				check := svc.AddCheck(monitoringtest.Check{Type: kind, Error: "no route to host", Outcomes: []monitoring.CheckSessionStatus{passed, failed, failed}})
				other := svc.AddCheck(monitoringtest.Check{Type: kind, Error: "no route to host", Outcome: degraded})
				svc.AddErrorGroup(monitoring.ErrorGroup{CheckID: check, CleanedErrorMessage: "another error"})
				client := clientOf(t, svc)
				groups := func() []monitoring.ErrorGroup {
					page, err := client.ErrorGroups.List(t.Context(), monitoring.ListOptions{})
					require.NoError(t, err)
					return page.Items
				}
				run := func(id string) *monitoring.CheckResult {
					session, err := client.CheckSessions.Wait(t.Context(), triggerOne(t, client, id), monitoring.WaitOptions{})
					require.NoError(t, err)
					result, err := client.CheckResults.Get(t.Context(), id, session.Results[0].CheckResultID)
					require.NoError(t, err)
					return result
				}
				require.Empty(t, run(check).ErrorGroupIDs)
				run(other)
				require.Len(t, groups(), 1, "a run that does not fail has no error")
				result := run(check)
				require.Len(t, groups(), 2)
				added := groups()[1]
				require.Equal(t, []string{added.ID}, result.ErrorGroupIDs)
				require.Equal(t, []any{check, "no route to host", "no route to host"}, []any{added.CheckID, *added.RawErrorMessage, added.CleanedErrorMessage})
				require.Equal(t, time.Now().UTC(), added.FirstSeen.Time)
				page, err := client.CheckAlerts.ListForCheck(t.Context(), check, monitoring.CheckAlertListOptions{})
				require.NoError(t, err)
				require.Equal(t, "no route to host", *page.Items[0].Error)
				_, err = client.ErrorGroups.Update(t.Context(), added.ID, monitoring.ErrorGroupUpdate{ArchivedUntilNextEvent: new(true)})
				require.NoError(t, err)
				time.Sleep(time.Hour)
				require.Equal(t, []string{added.ID}, run(check).ErrorGroupIDs)
				again := groups()[1]
				require.Equal(t, []any{added.FirstSeen, time.Now().UTC(), false}, []any{again.FirstSeen, again.LastSeen.Time, again.ArchivedUntilNextEvent}, "this is the next event")
				require.Len(t, groups(), 2)
			})
		})
	}
}

func TestTheIDOfASubscriptionStays(t *testing.T) {
	svc := monitoringtest.New()
	channel := svc.AddAlertChannel(monitoringtest.AlertChannel{})
	first, second := svc.AddCheck(monitoringtest.Check{}), svc.AddCheck(monitoringtest.Check{})
	client := clientOf(t, svc)
	ids := func() map[string]int64 {
		read, err := client.AlertChannels.Get(t.Context(), channel)
		require.NoError(t, err)
		ids := make(map[string]int64)
		for _, x := range read.Subscriptions {
			ids[x.CheckID] = x.ID
		}
		return ids
	}
	before := ids()
	require.NotEqual(t, before[first], before[second])
	require.NoError(t, client.Checks.Delete(t.Context(), first))
	require.Equal(t, map[string]int64{second: before[second]}, ids())
}
