package waits_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

const (
	opTestTrigger    = "POST /v1/test-sessions/trigger"
	opTestGet        = "GET /v1/test-sessions/{testSessionId}"
	opTestCompletion = "GET /v1/test-sessions/{testSessionId}/completion"
	opTestCancel     = "POST /v1/test-sessions/{testSessionId}/cancel"
)

var allTests = monitoring.TestSessionTrigger{Name: "Smoke", RunLocation: "eu-west-1", AllChecks: true}

func TestAWaitForATestSessionTakesFewRequestsAndSeesItsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		svc.AddCheck(monitoringtest.Check{Name: "slow", RunTime: 10 * time.Minute, Outcome: monitoring.SessionFailed})
		svc.AddCheck(monitoringtest.Check{Name: "quick", RunTime: time.Second})
		var started *monitoring.TestSession
		var progress []string
		session, err := kit.Fake(t, svc).TestSessions.TriggerAndWait(t.Context(), allTests, monitoring.WaitOptions{
			OnTestTriggered: func(s *monitoring.TestSession) { started = s },
			OnTriggered:     func([]*monitoring.CheckSession) { t.Error("it is no check session") },
			OnProgress: func(p monitoring.WaitProgress) {
				require.Nil(t, p.Session)
				progress = append(progress, fmt.Sprint(p.Finished, "/", p.Total, p.ByStatus, len(p.TestSession.FinalResults())))
			},
		})
		require.NoError(t, err, "a failed session is a result")
		require.Equal(t, session.TestSessionID, started.TestSessionID)
		require.Equal(t, monitoring.TestSessionRunning, started.Status)
		require.Less(t, time.Since(session.StoppedAt.Time), time.Millisecond)
		require.Equal(t, []string{"0/1 map[RUNNING:1] 0", "0/1 map[RUNNING:1] 1", "1/1 map[FAILED:1] 2"}, progress)
		require.Equal(t, 1, svc.Count(opTestTrigger))
		require.LessOrEqual(t, svc.Count(opTestCompletion), 21)
		require.Equal(t, monitoring.VerdictFailed, session.Verdict())
		require.Equal(t, []string{"slow: failed"}, session.Messages())
	})
}

func TestAWaitForATestSessionOutlivesFailuresAndGateways(t *testing.T) {
	for name, fault := range map[string]monitoringtest.Fault{
		"an outage":                          {Status: 503, After: 2, Times: 5},
		"a gateway that cuts polls":          {Operation: opTestCompletion, CutAfter: 10 * time.Second},
		"a gateway without the completion":   {Operation: opTestCompletion, Status: 404},
		"a gateway with a page":              {Operation: opTestCompletion, Status: 200, Body: "<html>"},
		"a service that knows it late":       {Operation: opTestGet, Status: 404, Times: 3},
		"connections that are lost":          {Kind: monitoringtest.FaultResetAfter, Operation: opTestCompletion, Times: 4},
		"a limit that others use up at once": {Status: 429, Operation: opTestCompletion, Times: 2},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc := monitoringtest.New()
				svc.AddCheck(monitoringtest.Check{RunTime: 3 * time.Minute})
				svc.Inject(fault)
				session, err := kit.Fake(t, svc).TestSessions.TriggerAndWait(t.Context(), allTests, monitoring.WaitOptions{})
				require.NoError(t, err)
				require.Equal(t, monitoring.VerdictPassed, session.Verdict())
				require.Less(t, time.Since(session.StoppedAt.Time), 2*time.Minute)
				require.Equal(t, 1, svc.Executed(opTestTrigger))
			})
		})
	}
}

func TestAWaitForATestSessionEndsOnTimeWithTheSessionAsLastSeen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		svc.AddCheck(monitoringtest.Check{Name: "Suite", Type: monitoring.CheckTypePlaywright, RunTime: time.Hour})
		client := kit.Fake(t, svc)
		session, err := client.TestSessions.TriggerAndWait(t.Context(), allTests, monitoring.WaitOptions{Timeout: time.Minute})
		require.ErrorIs(t, err, monitoring.ErrWaitTimeout)
		require.Equal(t, monitoring.TestSessionRunning, session.Status)
		failed := kit.ErrAs[*monitoring.SessionError](t, err)
		require.Equal(t, session, failed.TestSession)
		require.Nil(t, failed.Session)
		require.EqualError(t, err, `monitoring: wait for "Smoke" (session `+session.TestSessionID+
			`, last seen RUNNING 0 s ago): not finished within 1m0s; the session keeps running`)
		require.Equal(t, []string{"Suite: no result yet"}, session.Messages())
		require.Equal(t, monitoring.VerdictUnknown, session.Verdict())
		require.Zero(t, svc.Count(opTestCancel), "off by default")

		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		defer stop()
		_, err = client.TestSessions.Wait(ctx, session.TestSessionID, monitoring.WaitOptions{CancelUnfinished: true})
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.True(t, kit.ErrAs[*monitoring.SessionError](t, err).Cancelled)
		session, err = client.TestSessions.Wait(t.Context(), session.TestSessionID, monitoring.WaitOptions{})
		require.NoError(t, err)
		require.Equal(t, monitoring.VerdictCancelled, session.Verdict())

		_, err = client.TestSessions.Wait(t.Context(), unknownID, monitoring.WaitOptions{})
		require.ErrorIs(t, err, monitoring.ErrNotFound)
		require.ErrorContains(t, err, `wait for test session "`+unknownID+`"`)
		svc.ResetRequests()
		_, err = client.TestSessions.Wait(t.Context(), unknownID, monitoring.WaitOptions{Share: 2})
		require.ErrorContains(t, err, `wait for test session "`+unknownID+`"`)
		require.ErrorContains(t, err, "Share")
		require.Empty(t, svc.Requests())
		_, err = client.TestSessions.Wait(t.Context(), session.TestSessionID, monitoring.WaitOptions{})
		require.NoError(t, err)
		require.Equal(t, [2]int{1, 0}, [2]int{svc.Count(opTestGet), svc.Count(opTestCompletion)}, "one that has ended is read once")
	})
}

// The end of a session may come without its results, which say whether it was slow.
func TestResultsThatTheEndOfATestSessionLacksAreRead(t *testing.T) {
	const session = `{"testSessionId":"` + kit.UUID1 + `","status":"PASSED"`
	for name, c := range map[string]struct {
		read testkit.RoundTripper
		want monitoring.Verdict
	}{
		"and are there":        {testkit.Status(200, session+`,"results":[{"resultType":"FINAL","status":"PASSED","isDegraded":true}]}`), monitoring.VerdictDegraded},
		"and cannot be read":   {testkit.Status(503, ""), monitoring.VerdictPassed},
		"and are lacking, too": {testkit.Status(200, session+"}"), monitoring.VerdictPassed},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				running := testkit.Status(200, `{"testSessionId":"`+kit.UUID1+`","status":"RUNNING"}`)
				client := kit.Client(t, testkit.InTurn(running, testkit.Status(200, session+"}"), c.read))
				got, err := client.TestSessions.Wait(t.Context(), kit.UUID1, monitoring.WaitOptions{})
				require.NoError(t, err)
				require.Equal(t, c.want, got.Verdict())
			})
		})
	}
}

func TestATestSessionLacksChecksThatAreDeactivated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		on, off := svc.AddCheck(monitoringtest.Check{}), svc.AddCheck(monitoringtest.Check{Deactivated: true})
		client, trigger := kit.Fake(t, svc), allTests
		trigger.AllChecks, trigger.Target.CheckIDs = false, []string{on, off}
		session, err := client.TestSessions.TriggerAndWait(t.Context(), trigger, monitoring.WaitOptions{})
		require.Equal(t, &monitoring.MissingChecksError{CheckIDs: []string{off}, Named: 2}, requireAs[*monitoring.MissingChecksError](t, err))
		require.True(t, session.Passed())
		trigger.Target.AllowDeactivated = new(true)
		session, err = client.TestSessions.TriggerAndWait(t.Context(), trigger, monitoring.WaitOptions{})
		require.NoError(t, err)
		require.Len(t, session.FinalResults(), 2)
		trigger.Target = monitoring.TestSessionTarget{CheckIDs: []string{off}}
		_, err = client.TestSessions.TriggerAndWait(t.Context(), trigger, monitoring.WaitOptions{})
		require.ErrorIs(t, err, monitoring.ErrNoMatchingChecks)
	})
}

func TestTheTriggerOfATestSessionIsSentOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		svc.AddCheck(monitoringtest.Check{})
		svc.Inject(monitoringtest.Fault{Kind: monitoringtest.FaultResetAfter, Operation: opTestTrigger})
		_, err := kit.Fake(t, svc).TestSessions.TriggerAndWait(t.Context(), allTests, monitoring.WaitOptions{})
		require.ErrorIs(t, err, monitoring.ErrOutcomeUnknown)
		require.False(t, monitoring.SafeToRetry(err))
		require.Equal(t, 1, svc.Executed(opTestTrigger))
	})
}

func TestTheVerdictOfATestSession(t *testing.T) {
	final := func(status monitoring.TestSessionStatus, change func(*monitoring.TestSessionResult)) monitoring.TestSessionResult {
		r := monitoring.TestSessionResult{Name: "a", ResultType: monitoring.TestResultFinal, Status: status}
		if change != nil {
			change(&r)
		}
		return r
	}
	passed := final(monitoring.TestSessionPassed, nil)
	slow := final(monitoring.TestSessionPassed, func(r *monitoring.TestSessionResult) { r.IsDegraded = true })
	failed := final(monitoring.TestSessionFailed, func(r *monitoring.TestSessionResult) { r.HasFailures = true })
	broken := final(monitoring.TestSessionFailed, func(r *monitoring.TestSessionResult) { r.HasErrors = true })
	aborted := final(monitoring.TestSessionFailed, func(r *monitoring.TestSessionResult) { r.Aborted = true })
	cancelled := final(monitoring.TestSessionCancelled, func(r *monitoring.TestSessionResult) { r.Aborted = true })
	pending := monitoring.TestSessionResult{Name: "a", ResultType: monitoring.TestResultPending, Status: monitoring.TestSessionRunning}
	ofCode := monitoring.TestSessionResult{Status: monitoring.TestSessionFailed} // by a reporter
	attempt := monitoring.TestSessionResult{Name: "a", ResultType: monitoring.TestResultAttempt, Status: monitoring.TestSessionFailed, HasFailures: true}
	for name, c := range map[string]struct {
		session *monitoring.TestSession
		want    monitoring.Verdict
		says    string
	}{
		"nil":                                {nil, monitoring.VerdictUnknown, "[there is no session]"},
		"passed":                             {&monitoring.TestSession{Status: "PASSED", Results: []monitoring.TestSessionResult{passed}}, monitoring.VerdictPassed, "[]"},
		"passed without results":             {&monitoring.TestSession{Status: "PASSED"}, monitoring.VerdictPassed, "[]"},
		"passed, and slow":                   {&monitoring.TestSession{Status: "PASSED", Results: []monitoring.TestSessionResult{passed, slow}}, monitoring.VerdictDegraded, "[]"},
		"failed":                             {&monitoring.TestSession{Status: "FAILED", Results: []monitoring.TestSessionResult{passed, failed}}, monitoring.VerdictFailed, "[a: failed]"},
		"failed without results":             {&monitoring.TestSession{Status: "FAILED"}, monitoring.VerdictFailed, "[the session is FAILED, and no result says why]"},
		"failed while it runs":               {&monitoring.TestSession{Status: "RUNNING", Results: []monitoring.TestSessionResult{failed, pending}}, monitoring.VerdictFailed, "[a: failed a: no result yet]"},
		"an attempt failed while it runs":    {&monitoring.TestSession{Status: "RUNNING", Results: []monitoring.TestSessionResult{attempt, pending}}, monitoring.VerdictUnknown, "[a: an attempt failed, and its retry has no result yet]"},
		"the service had an error":           {&monitoring.TestSession{Status: "FAILED", Results: []monitoring.TestSessionResult{broken}}, monitoring.VerdictUnknown, "[a: the service had an error]"},
		"the run was aborted":                {&monitoring.TestSession{Status: "FAILED", Results: []monitoring.TestSessionResult{aborted}}, monitoring.VerdictUnknown, "[a: the run was aborted]"},
		"an error beside a failure":          {&monitoring.TestSession{Status: "FAILED", Results: []monitoring.TestSessionResult{broken, failed}}, monitoring.VerdictFailed, "[a: the service had an error a: failed]"},
		"cancelled":                          {&monitoring.TestSession{Status: "CANCELLED", Results: []monitoring.TestSessionResult{passed, cancelled}}, monitoring.VerdictCancelled, "[a: cancelled]"},
		"a failure in a cancelled one":       {&monitoring.TestSession{Status: "CANCELLED", Results: []monitoring.TestSessionResult{failed, cancelled}}, monitoring.VerdictFailed, "[a: failed a: cancelled]"},
		"a cancelled run in one that failed": {&monitoring.TestSession{Status: "FAILED", Results: []monitoring.TestSessionResult{cancelled}}, monitoring.VerdictCancelled, "[a: cancelled]"},
		"slow beside a failure":              {&monitoring.TestSession{Status: "FAILED", Results: []monitoring.TestSessionResult{slow, failed}}, monitoring.VerdictFailed, "[a: failed]"},
		"slow while it runs":                 {&monitoring.TestSession{Status: "RUNNING", Results: []monitoring.TestSessionResult{slow, pending}}, monitoring.VerdictUnknown, "[a: no result yet]"},
		"a cancelled run in one that runs":   {&monitoring.TestSession{Status: "RUNNING", Results: []monitoring.TestSessionResult{cancelled}}, monitoring.VerdictUnknown, "[a: cancelled]"},
		"runs":                               {&monitoring.TestSession{Status: "RUNNING"}, monitoring.VerdictUnknown, "[the session is RUNNING, and no result says why]"},
		"pending at the end":                 {&monitoring.TestSession{Status: "FAILED", Results: []monitoring.TestSessionResult{pending}}, monitoring.VerdictFailed, "[a: no result]"},
		"of code that is no check":           {&monitoring.TestSession{Status: "FAILED", Results: []monitoring.TestSessionResult{ofCode}}, monitoring.VerdictFailed, "[a check without a name: failed]"},
		"an unknown status":                  {&monitoring.TestSession{Status: "PAUSED"}, monitoring.VerdictUnknown, `[the session is "PAUSED", and no result says why]`},
	} {
		require.Equal(t, c.want, c.session.Verdict(), name)
		require.Equal(t, c.says, fmt.Sprint(c.session.Messages()), name)
	}
}

func TestWhetherATestSessionHasEnded(t *testing.T) {
	stopped := monitoring.NewTimestamp(time.Now())
	for name, c := range map[string]struct {
		session      *monitoring.TestSession
		done, passed bool
	}{
		"nil":                                {nil, false, false},
		"passed":                             {&monitoring.TestSession{Status: "PASSED"}, true, true},
		"failed":                             {&monitoring.TestSession{Status: "FAILED"}, true, false},
		"cancelled":                          {&monitoring.TestSession{Status: "CANCELLED"}, true, false},
		"runs, whatever its times say":       {&monitoring.TestSession{Status: "RUNNING", StoppedAt: &stopped}, false, false},
		"an unknown status with its end":     {&monitoring.TestSession{Status: "PAUSED", StoppedAt: &stopped}, true, false},
		"an unknown status without an end":   {&monitoring.TestSession{Status: "PAUSED"}, false, false},
		"an unknown status with a zero time": {&monitoring.TestSession{Status: "PAUSED", StoppedAt: new(monitoring.Timestamp)}, false, false},
		"no status, whatever its times say":  {&monitoring.TestSession{StoppedAt: &stopped}, false, false},
	} {
		require.Equal(t, c.done, c.session.Done(), name)
		require.Equal(t, c.passed, c.session.Passed(), name)
	}
	require.Zero(t, (*monitoring.TestSession)(nil).Duration())
	require.Zero(t, (&monitoring.TestSession{}).Duration())
}

func TestTheChecksThatATestSessionLacks(t *testing.T) {
	ofTwo := monitoring.TestSessionTrigger{Target: monitoring.TestSessionTarget{CheckIDs: []string{"a", "b"}}}
	ofAll, ofTags := ofTwo, ofTwo
	ofAll.AllChecks = true
	ofTags.Target.MatchTags = [][]string{{"x"}}
	results := []monitoring.TestSessionResult{{CheckID: new("A")}}
	ended := &monitoring.TestSession{Status: "PASSED", Results: results}
	require.Equal(t, []string{"b"}, ofTwo.Missing(ended))
	for name, missing := range map[string][]string{
		"of tags":                    ofTags.Missing(ended),
		"of all checks":              ofAll.Missing(ended),
		"while it runs":              ofTwo.Missing(&monitoring.TestSession{Status: "RUNNING", Results: results}),
		"that came without results":  ofTwo.Missing(&monitoring.TestSession{Status: "PASSED"}),
		"of nil":                     ofTwo.Missing(nil),
		"with code that is no check": ofTwo.Missing(&monitoring.TestSession{Status: "PASSED", Results: append(results, monitoring.TestSessionResult{Name: "code"})}),
	} {
		require.Nil(t, missing, name)
	}
}

func TestTheVerdictOfAResultOfATestSession(t *testing.T) {
	for name, c := range map[string]struct {
		result *monitoring.TestSessionResult
		want   monitoring.Verdict
		final  bool
	}{
		"nil":                           {nil, monitoring.VerdictUnknown, false},
		"final":                         {&monitoring.TestSessionResult{ResultType: "FINAL", Status: "PASSED"}, monitoring.VerdictPassed, true},
		"pending":                       {&monitoring.TestSessionResult{ResultType: "PENDING", Status: "PASSED"}, monitoring.VerdictUnknown, false},
		"without a type, and runs":      {&monitoring.TestSessionResult{Status: "RUNNING"}, monitoring.VerdictUnknown, false},
		"without a type, and has ended": {&monitoring.TestSessionResult{Status: "PASSED"}, monitoring.VerdictPassed, true},
		"failed, whatever its status":   {&monitoring.TestSessionResult{ResultType: "FINAL", Status: "PASSED", HasFailures: true}, monitoring.VerdictFailed, true},
		"an attempt":                    {&monitoring.TestSessionResult{ResultType: "ATTEMPT", Status: "FAILED"}, monitoring.VerdictFailed, false},
	} {
		require.Equal(t, c.want, c.result.Verdict(), name)
		require.Equal(t, c.final, c.result.Final(), name)
	}
}

func TestAWaitForANewTestSessionOutlivesThatNobodyKnowsIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New(monitoringtest.WithVisibilityDelay(5 * time.Second))
		svc.AddCheck(monitoringtest.Check{RunTime: time.Minute})
		client := kit.Fake(t, svc)
		started, err := client.TestSessions.Trigger(t.Context(), allTests)
		require.NoError(t, err)
		session, err := client.TestSessions.Wait(t.Context(), started.TestSessionID, monitoring.WaitOptions{})
		require.NoError(t, err)
		require.True(t, session.Passed())
	})
}

func TestAMistakeInAWaitForATestSessionStartsNone(t *testing.T) {
	client, sent := kit.Recorded(t, 200, "{}")
	_, err := client.TestSessions.TriggerAndWait(t.Context(), allTests, monitoring.WaitOptions{Share: 2})
	require.ErrorContains(t, err, "Share")
	_, err = client.TestSessions.FetchFailingResults(t.Context(), nil)
	require.EqualError(t, err, "monitoring: fetch failing results: the session is nil")
	require.Empty(t, sent.Sent)
}

// Progress is a status that has changed, too, and the results of a session that runs are not read.
func TestProgressOfATestSessionIsAStatusOrARunThatHasEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		state := func(status string) testkit.RoundTripper {
			return testkit.Status(200, `{"testSessionId":"`+kit.UUID1+`","status":"`+status+`"}`)
		}
		ended := testkit.Status(200, `{"testSessionId":"`+kit.UUID1+`","status":"PASSED","results":[]}`)
		sent := 0
		turns := testkit.InTurn(state("RUNNING"), state("RUNNING"), state("PAUSED"), ended)
		client := kit.Client(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			sent++
			return turns.RoundTrip(req)
		}))
		var seen []monitoring.TestSessionStatus
		_, err := client.TestSessions.Wait(t.Context(), kit.UUID1, monitoring.WaitOptions{OnProgress: func(p monitoring.WaitProgress) {
			if p.TestSession != nil {
				seen = append(seen, p.TestSession.Status)
			}
		}})
		require.NoError(t, err)
		require.Equal(t, []monitoring.TestSessionStatus{"RUNNING", "PAUSED", "PASSED"}, slices.Compact(seen))
		require.Equal(t, 4, sent)
	})
}

func TestTheMessagesOfATestResult(t *testing.T) {
	for name, c := range map[string]struct {
		result *monitoring.TestResult
		want   monitoring.Verdict
		says   string
	}{
		"none":               {nil, monitoring.VerdictUnknown, "[there is no result]"},
		"passed":             {&monitoring.TestResult{ResultType: "FINAL", Status: "PASSED"}, monitoring.VerdictPassed, "[]"},
		"cancelled":          {&monitoring.TestResult{ResultType: "FINAL", IsCancelled: true}, monitoring.VerdictCancelled, "[it was cancelled]"},
		"could not begin":    {&monitoring.TestResult{ResultType: "FINAL", Status: "FAILED", HasErrors: true, ScheduleError: new("no agent answered")}, monitoring.VerdictUnknown, "[no agent answered the service itself had an error]"},
		"failed, by status":  {&monitoring.TestResult{Status: "FAILED"}, monitoring.VerdictFailed, "[failed]"},
		"failed in a script": {&monitoring.TestResult{ResultType: "FINAL", Status: "FAILED", HasFailures: true, PlaywrightCheckResult: &monitoring.PlaywrightCheckResult{Errors: []monitoring.ResultError{{Message: "timeout"}}}}, monitoring.VerdictFailed, "[timeout]"},
		"too slow":           {&monitoring.TestResult{ResultType: "FINAL", Status: "FAILED", HasFailures: true, OverMaxResponseTime: true, ResponseTime: new(1500.0)}, monitoring.VerdictFailed, "[the response time of 1500 ms is over the maxResponseTime]"},
	} {
		require.Equal(t, c.want, c.result.Verdict(), name)
		require.Equal(t, c.says, fmt.Sprint(c.result.Messages()), name)
	}
}
