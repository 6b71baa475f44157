package waits_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

const (
	opErrorGroups    = "GET /v1/error-groups/checks/{checkId}"
	opTestErrorGroup = "GET /v1/test-session-error-groups/{id}"
	refused          = "connect ECONNREFUSED 203.0.113.9:5432"
	noReason         = "the run failed, and the result gives no reason"
)

// failedSession is a session of a check that fails in three locations, and a client.
func failedSession(t *testing.T, svc *monitoringtest.Service, check monitoringtest.Check, opts ...monitoring.ClientOption) (*monitoring.Client, *monitoring.CheckSession) {
	t.Helper()
	check.Name, check.Outcome = "Database", monitoring.SessionFailed
	check.Locations = []string{"eu-west-1", "us-east-1", "ap-south-1"}
	svc.AddCheck(check)
	client := kit.Fake(t, svc, opts...)
	sessions, err := client.CheckSessions.TriggerAndWait(t.Context(), all, monitoring.WaitOptions{})
	require.NoError(t, err)
	return client, sessions[0]
}

func TestAReasonThatAResultDoesNotHaveIsReadFromItsErrorGroups(t *testing.T) {
	for name, c := range map[string]struct {
		check monitoringtest.Check
		fault monitoringtest.Fault
		want  string
		lists int
	}{
		"a result without a payload":      {monitoringtest.Check{Type: "TCP", Error: refused}, monitoringtest.Fault{}, refused, 1},
		"one with a text of its own":      {monitoringtest.Check{Type: "API", Error: refused}, monitoringtest.Fault{}, refused, 0},
		"one that names no error group":   {monitoringtest.Check{Type: "TCP"}, monitoringtest.Fault{}, noReason, 0},
		"a key that may not read groups":  {monitoringtest.Check{Type: "TCP", Error: refused}, monitoringtest.Fault{Status: 403}, noReason, 1},
		"a group that the list lacks":     {monitoringtest.Check{Type: "TCP", Error: refused}, monitoringtest.Fault{Status: 200, Body: `[]`}, noReason, 1},
		"a group without a raw message":   {monitoringtest.Check{Type: "TCP", Error: refused, Result: map[string]any{"errorGroupIds": []string{kit.UUID1}}}, monitoringtest.Fault{Status: 200, Body: `[{"id":"` + kit.UUID1 + `","cleanedErrorMessage":"refused by <ip>"}]`}, "refused by <ip>", 1},
		"several groups of equal reasons": {monitoringtest.Check{Type: "TCP", Error: refused, Result: map[string]any{"errorGroupIds": []string{kit.UUID1, kit.UUID2}}}, monitoringtest.Fault{Status: 200, Body: `[{"id":"` + kit.UUID1 + `","rawErrorMessage":"no route"},{"id":"` + kit.UUID2 + `","rawErrorMessage":"no route"}]`}, "no route", 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New()
			if c.fault.Status != 0 {
				c.fault.Operation = opErrorGroups
				svc.Inject(c.fault)
			}
			var classes []monitoring.AttemptClass
			hook := monitoring.WithCallHook(func(_ context.Context, a monitoring.CallInfo) {
				if a.Operation == opErrorGroups {
					classes = append(classes, a.Class)
				}
			})
			client, session := failedSession(t, svc, c.check, hook)
			results, err := client.CheckSessions.FetchFailingResults(t.Context(), session)
			require.NoError(t, err, name)
			require.Len(t, results, 3)
			for _, r := range results {
				require.Equal(t, []string{c.want}, r.Messages(), name)
			}
			require.Equal(t, c.lists, svc.Count(opErrorGroups), "%s: one list for a check", name)
			for _, class := range classes {
				require.Equal(t, monitoring.ClassBackground, class, name)
			}
		})
	}
}

func TestAListOfErrorGroupsDoesNotOutliveTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		svc.Inject(monitoringtest.Fault{Operation: opErrorGroups, Delay: time.Hour})
		client, session := failedSession(t, svc, monitoringtest.Check{Type: "URL", Error: refused})
		ctx, stop := context.WithTimeout(t.Context(), 5*time.Second)
		defer stop()
		began := time.Now()
		results, err := client.CheckSessions.FetchFailingResults(ctx, session)
		require.NoError(t, err, "the results were fetched")
		require.Equal(t, 5*time.Second, time.Since(began))
		require.Equal(t, []string{noReason}, results[0].Messages())
	})
}

func TestAnAttemptWhoseRetryNeverEndedIsToldAndFetched(t *testing.T) {
	attempt := func(location string) monitoring.CheckSessionResult {
		r := resultOf("only an attempt")[0]
		r.RunLocation, r.CheckID, r.CheckResultID = location, kit.UUID1, kit.UUID2
		return r
	}
	first := attempt("us-east-1")
	first.CheckResultID = kit.UUID1
	session := &monitoring.CheckSession{
		CheckID: kit.UUID1, Status: monitoring.SessionTimedOut, RunLocations: []string{"eu-west-1", "us-east-1", "ap-south-1"},
		Results: append([]monitoring.CheckSessionResult{attempt("eu-west-1"), first, attempt("us-east-1")}, resultOf("failed")...),
	}
	require.Equal(t, []string{"eu-west-1: failed", "us-east-1: an attempt failed, and its retry has no result", "ap-south-1: no result"}, session.Messages())
	require.Equal(t, []monitoring.CheckSessionResult{session.Results[3], session.Results[2]}, session.FailedRuns(), "the last attempt of a location that has no final result")
	session.Status = monitoring.SessionProgress
	require.Equal(t, "us-east-1: an attempt failed, and its retry has no result yet", session.Messages()[1])
	require.Empty(t, (*monitoring.CheckSession)(nil).FailedRuns())

	session.Results = session.Results[1:3]
	client, _ := kit.Recorded(t, 200, `{"id":"`+kit.UUID2+`","hasFailures":true,"apiCheckResult":{"requestError":"refused"}}`)
	results, err := client.CheckSessions.FetchFailingResults(t.Context(), session)
	require.NoError(t, err)
	require.Len(t, results, 1)
	require.Equal(t, []string{"refused"}, results[0].Messages())

	run := func(check string, kind monitoring.TestResultType) monitoring.TestSessionResult {
		return monitoring.TestSessionResult{Name: check, RunLocation: "eu", ResultType: kind, Status: monitoring.TestSessionFailed, HasFailures: true}
	}
	of := &monitoring.TestSession{Status: monitoring.TestSessionFailed, Results: []monitoring.TestSessionResult{
		run("A", monitoring.TestResultAttempt), run("A", monitoring.TestResultFinal),
		run("B", monitoring.TestResultAttempt), run("B", monitoring.TestResultAttempt), run("B", monitoring.TestResultPending), run("C", monitoring.TestResultPending),
	}}
	require.Equal(t, []string{"A: failed", "B: an attempt failed, and its retry has no result", "C: no result"}, of.Messages())
	require.Equal(t, []monitoring.TestSessionResult{of.Results[1], of.Results[3]}, of.FailedRuns())
	require.Empty(t, (*monitoring.TestSession)(nil).FailedRuns())
}

func TestTheReasonOfATestRunIsReadFromItsErrorGroup(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		for _, name := range []string{"A", "B", "C"} {
			svc.AddCheck(monitoringtest.Check{Name: name, Type: "TCP", Outcome: monitoring.SessionFailed, Error: refused})
		}
		client := kit.Fake(t, svc)
		session, err := client.TestSessions.TriggerAndWait(t.Context(), allTests, monitoring.WaitOptions{})
		require.NoError(t, err)
		results, err := client.TestSessions.FetchFailingResults(t.Context(), session)
		require.NoError(t, err)
		require.Len(t, results, 3)
		for _, r := range results {
			require.Equal(t, []string{refused}, r.Messages())
		}
		require.Equal(t, 1, svc.Count(opTestErrorGroup), "each group is read once")
		svc.Inject(monitoringtest.Fault{Operation: opTestErrorGroup, Status: 403})
		results, err = client.TestSessions.FetchFailingResults(t.Context(), session)
		require.NoError(t, err)
		require.Equal(t, []string{noReason}, results[0].Messages())
	})
}
