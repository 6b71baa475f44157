package monitoringtest_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

func TestTheRunsOfATestSessionSeeItsVariables(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc, client := monitoringtest.Run(t)
		svc.AddVariable(monitoring.NewEnvironmentVariable("BASE_URL", "https://shop.test"))
		svc.AddVariable(monitoring.NewEnvironmentVariable("REGION", "eu"))
		check := svc.AddCheck(monitoringtest.Check{Name: "Checkout", Outcomes: []monitoring.CheckSessionStatus{monitoring.SessionDegraded}})
		svc.AddPrivateLocation(monitoring.PrivateLocation{Name: "office"})
		var seen []monitoringtest.TestRun
		svc.OnTestRun(func(run *monitoringtest.TestRun) {
			seen = append(seen, *run)
			require.Len(t, svc.Checks(), 1, "it may call methods of the service")
			if run.Variables["BASE_URL"] == "https://preview.shop.test" {
				run.Outcome, run.Error, run.RunTime = monitoring.SessionFailed, "503 is not 200", time.Minute
			}
		})
		trigger := monitoring.TestSessionTrigger{
			Name: "Smoke", RunLocation: "office", Target: monitoring.TestSessionTarget{CheckIDs: []string{check}},
			EnvironmentVariables: []monitoring.TestSessionVariable{{Key: "BASE_URL", Value: monitoring.NewSecret("https://preview.shop.test")}},
		}
		began := time.Now()
		session, err := client.TestSessions.TriggerAndWait(t.Context(), trigger, monitoring.WaitOptions{})
		require.NoError(t, err)
		require.Equal(t, monitoring.VerdictFailed, session.Verdict())
		require.Equal(t, time.Minute, time.Since(began))
		require.Equal(t, "office", session.Results[0].RunLocation)
		results, err := client.TestSessions.FetchFailingResults(t.Context(), session)
		require.NoError(t, err)
		require.Contains(t, results[0].Messages()[0], "503 is not 200")
		require.Equal(t, svc.PrivateLocations()[0].ID, *results[0].PrivateLocationID)
		require.Equal(t, monitoringtest.TestRun{
			Session: "Smoke", CheckID: check, Name: "Checkout", Type: monitoring.CheckTypeAPI, Location: "office",
			Variables: map[string]string{"BASE_URL": "https://preview.shop.test", "REGION": "eu"}, Outcome: monitoring.SessionDegraded,
		}, seen[0])

		trigger.EnvironmentVariables = nil
		session, err = client.TestSessions.TriggerAndWait(t.Context(), trigger, monitoring.WaitOptions{})
		require.NoError(t, err)
		require.Equal(t, monitoring.VerdictPassed, session.Verdict(), "the first of the Outcomes was that of the first run")
		require.Equal(t, "https://shop.test", seen[1].Variables["BASE_URL"])
		svc.OnTestRun(nil)
		_, err = client.TestSessions.Trigger(t.Context(), trigger)
		require.NoError(t, err)
		require.Len(t, seen, 2)
	})
}

func TestATestSessionSendsNoAlertsAndIsNoSessionOfItsChecks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc, client := monitoringtest.Run(t)
		svc.AddAlertChannel(monitoringtest.AlertChannel{})
		check := svc.AddCheck(monitoringtest.Check{Outcome: monitoring.SessionFailed, Error: "no such host"})
		session, err := client.TestSessions.TriggerAndWait(t.Context(),
			monitoring.TestSessionTrigger{Name: "n", RunLocation: "eu-west-1", AllChecks: true}, monitoring.WaitOptions{})
		require.NoError(t, err)
		require.Equal(t, monitoring.VerdictFailed, session.Verdict())
		time.Sleep(time.Hour)
		alerts, err := monitoring.Collect(client.AlertNotifications.All(t.Context(), monitoring.AlertNotificationListOptions{}))
		require.NoError(t, err)
		require.Empty(t, alerts)
		results, err := monitoring.Collect(client.CheckResults.AllForCheck(t.Context(), check, monitoring.CheckResultListOptions{}))
		require.NoError(t, err)
		require.Empty(t, results)
		groups, err := monitoring.Collect(client.ErrorGroups.All(t.Context(), monitoring.ListOptions{}))
		require.NoError(t, err)
		require.Empty(t, groups)
		require.Empty(t, svc.Sessions())
		require.Len(t, svc.TestSessions(), 1)
	})
}

func TestTestSessionsAreListedByWhatTheirMetadataSays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc, client := monitoringtest.Run(t)
		svc.AddCheck(monitoringtest.Check{Name: "passes"})
		svc.AddCheck(monitoringtest.Check{Name: "fails", Tags: []string{"bad"}, Outcome: monitoring.SessionFailed, RunTime: time.Hour})
		began := time.Now()
		for _, one := range []monitoring.TestSessionTrigger{
			{Name: "Smoke 1", Metadata: &monitoring.TestSessionMetadata{BranchName: "main", CommitOwner: "mina"}, Target: monitoring.TestSessionTarget{MatchTags: [][]string{{"!bad"}}}},
			{Name: "Smoke 2", Metadata: &monitoring.TestSessionMetadata{BranchName: "prices", CommitMessage: "Round once", CommitID: "9f1c2ab", Environment: "staging"}, AllChecks: true},
			{Name: "Nightly", AllChecks: true},
		} {
			one.RunLocation = "eu-west-1"
			_, err := client.TestSessions.Trigger(t.Context(), one)
			require.NoError(t, err)
			time.Sleep(10 * time.Minute)
		}
		for name, c := range map[string]struct {
			options monitoring.TestSessionListOptions
			want    []string
		}{
			"all, the newest first":          {monitoring.TestSessionListOptions{Limit: 1}, []string{"Nightly", "Smoke 2", "Smoke 1"}},
			"of a status":                    {monitoring.TestSessionListOptions{Statuses: []monitoring.TestSessionStatus{monitoring.TestSessionPassed}}, []string{"Smoke 1"}},
			"of two statuses":                {monitoring.TestSessionListOptions{Statuses: []monitoring.TestSessionStatus{monitoring.TestSessionPassed, monitoring.TestSessionRunning}}, []string{"Nightly", "Smoke 2", "Smoke 1"}},
			"of branches":                    {monitoring.TestSessionListOptions{Branches: []string{"main", "prices"}}, []string{"Smoke 2", "Smoke 1"}},
			"of a user":                      {monitoring.TestSessionListOptions{Users: []string{"mina"}}, []string{"Smoke 1"}},
			"of a user or of nobody":         {monitoring.TestSessionListOptions{Users: []string{"mina"}, NoUsers: new(true)}, []string{"Nightly", "Smoke 2", "Smoke 1"}},
			"of a text in the name":          {monitoring.TestSessionListOptions{TextSearch: "smoke"}, []string{"Smoke 2", "Smoke 1"}},
			"of a text of the commit":        {monitoring.TestSessionListOptions{TextSearch: "round"}, []string{"Smoke 2"}},
			"of another provider":            {monitoring.TestSessionListOptions{Providers: []monitoring.TestSessionProvider{monitoring.TestProviderGitHub}}, nil},
			"of a period":                    {monitoring.TestSessionListOptions{From: began.Add(time.Minute), To: began.Add(11 * time.Minute)}, []string{"Smoke 2"}},
			"of an error that nothing has":   {monitoring.TestSessionListOptions{ErrorGroupID: monitoringtest.UUID("x")}, nil},
			"before the first of the others": {monitoring.TestSessionListOptions{To: began.Add(time.Second)}, []string{"Smoke 1"}},
		} {
			entries, err := monitoring.Collect(client.TestSessions.All(t.Context(), c.options))
			require.NoError(t, err, name)
			var names []string
			for _, e := range entries {
				names = append(names, e.Name)
			}
			require.Equal(t, c.want, names, name)
		}
		time.Sleep(time.Hour)
		page, err := client.TestSessions.List(t.Context(), monitoring.TestSessionListOptions{TextSearch: "Smoke 2"})
		require.NoError(t, err)
		entry := page.Items[0]
		require.Equal(t, monitoring.TestSessionFailed, entry.Status)
		require.Equal(t, []string{"9f1c2ab", "prices", "staging"}, []string{*entry.CommitID, *entry.BranchName, *entry.Environment})
		require.Len(t, entry.Passed, 1)
		require.Len(t, entry.Failed, 1)
		require.Empty(t, entry.Running)
		require.Equal(t, began.Add(10*time.Minute).Add(time.Hour).UTC().Truncate(time.Second), entry.StoppedAt.UTC().Truncate(time.Second))
	})
}

func TestOnlySuitesOfATestSessionAreCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc, client := monitoringtest.Run(t)
		for _, name := range []string{"one", "two"} {
			svc.AddCheck(monitoringtest.Check{Name: name, Type: monitoring.CheckTypePlaywright, RunTime: time.Hour})
		}
		svc.AddCheck(monitoringtest.Check{Name: "API", RunTime: 2 * time.Hour})
		session, err := client.TestSessions.Trigger(t.Context(), monitoring.TestSessionTrigger{Name: "n", RunLocation: "eu-west-1", AllChecks: true})
		require.NoError(t, err)
		page, err := client.TestSessions.List(t.Context(), monitoring.TestSessionListOptions{})
		require.NoError(t, err)
		require.Len(t, page.Items[0].Running, 3)
		require.NoError(t, client.TestSessions.Cancel(t.Context(), session.TestSessionID, monitoring.CancelRequest{SequenceIDs: page.Items[0].Running[:1]}))
		time.Sleep(time.Minute)
		session, err = client.TestSessions.Get(t.Context(), session.TestSessionID)
		require.NoError(t, err)
		require.Equal(t, monitoring.TestSessionCancelled, session.Results[0].Status)
		require.Equal(t, monitoring.TestSessionRunning, session.Results[1].Status)
		require.NoError(t, client.TestSessions.Cancel(t.Context(), session.TestSessionID, monitoring.CancelRequest{}))
		session, err = client.TestSessions.Wait(t.Context(), session.TestSessionID, monitoring.WaitOptions{})
		require.NoError(t, err)
		require.Equal(t, 2*time.Hour, session.Duration(), "others run to their end")
		require.Equal(t, monitoring.VerdictCancelled, session.Verdict())
		require.Equal(t, monitoring.VerdictPassed, session.Results[2].Verdict())
	})
}

func TestATestSessionIsDumpedAndRestored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc, client := monitoringtest.Run(t)
		svc.AddCheck(monitoringtest.Check{Name: "quick", Outcome: monitoring.SessionFailed, Error: "no route", RunTime: time.Minute})
		svc.AddCheck(monitoringtest.Check{Name: "slow", RunTime: time.Hour})
		session, err := client.TestSessions.Trigger(t.Context(), monitoring.TestSessionTrigger{
			Name: "n", RunLocation: "eu-west-1", AllChecks: true, Metadata: &monitoring.TestSessionMetadata{BranchName: "main"},
		})
		require.NoError(t, err)
		time.Sleep(2 * time.Minute)
		result := svc.ResultIDs(session.TestSessionID)[0]
		svc.SetResult(result, map[string]any{"traceId": "t"})
		svc.AddAsset(result, monitoring.CheckResultAsset{Type: monitoring.AssetLog, Name: "job.log", URL: "https://monitoring.test/l"})
		again := monitoringtest.New()
		require.NoError(t, again.Seed(svc.Dump()))
		require.Equal(t, svc.TestSessions(), again.TestSessions())
		require.JSONEq(t, string(svc.Dump()), string(again.Dump()))
		other := clientOf(t, again)
		want, err := client.TestSessions.Result(t.Context(), session.TestSessionID, result)
		require.NoError(t, err)
		require.Equal(t, "t", *want.TraceID)
		got, err := other.TestSessions.Result(t.Context(), session.TestSessionID, result)
		require.NoError(t, err)
		require.Equal(t, want, got)
		end, err := other.TestSessions.Wait(t.Context(), session.TestSessionID, monitoring.WaitOptions{})
		require.NoError(t, err)
		require.Equal(t, time.Hour, end.Duration())
	})
}

func TestATestSessionBecomesVisibleLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc, client := monitoringtest.Run(t, monitoringtest.WithVisibilityDelay(5*time.Second))
		svc.AddCheck(monitoringtest.Check{RunTime: time.Minute})
		session, err := client.TestSessions.Trigger(t.Context(), monitoring.TestSessionTrigger{Name: "n", RunLocation: "eu-west-1", AllChecks: true})
		require.NoError(t, err)
		time.Sleep(5*time.Second - time.Nanosecond)
		_, err = client.TestSessions.Get(t.Context(), session.TestSessionID)
		require.ErrorIs(t, err, monitoring.ErrNotFound)
		time.Sleep(time.Nanosecond)
		_, err = client.TestSessions.Get(t.Context(), session.TestSessionID)
		require.NoError(t, err)
		page, err := client.TestSessions.List(t.Context(), monitoring.TestSessionListOptions{})
		require.NoError(t, err)
		require.Equal(t, monitoring.TestSessionRunning, page.Items[0].Status)
		require.Nil(t, page.Items[0].StoppedAt, "it runs")
	})
}

func TestATestSessionRunsNoHeartbeats(t *testing.T) {
	svc, client := monitoringtest.Run(t, monitoringtest.WithUnexpected())
	svc.AddCheck(monitoringtest.Check{Type: monitoring.CheckTypeHeartbeat})
	_, err := client.TestSessions.Trigger(t.Context(), monitoring.TestSessionTrigger{Name: "n", RunLocation: "eu-west-1", AllChecks: true})
	require.ErrorIs(t, err, monitoring.ErrNoMatchingChecks)
}

func TestATestSessionWithAnErrorOfTheServiceHasFailed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc, client := monitoringtest.Run(t)
		svc.AddCheck(monitoringtest.Check{HasErrors: true})
		session, err := client.TestSessions.TriggerAndWait(t.Context(), monitoring.TestSessionTrigger{Name: "n", RunLocation: "eu-west-1", AllChecks: true}, monitoring.WaitOptions{})
		require.NoError(t, err)
		require.Equal(t, []monitoring.TestSessionStatus{monitoring.TestSessionFailed, monitoring.TestSessionFailed}, []monitoring.TestSessionStatus{session.Status, session.Results[0].Status})
		require.True(t, session.Results[0].HasErrors)
		require.False(t, session.Results[0].HasFailures)
	})
}

func TestATestSessionRunsInALocationThatThereIs(t *testing.T) {
	svc, client := monitoringtest.Run(t, monitoringtest.WithUnexpected())
	svc.AddCheck(monitoringtest.Check{})
	_, err := client.TestSessions.Trigger(t.Context(), monitoring.TestSessionTrigger{Name: "n", RunLocation: "office", AllChecks: true})
	require.ErrorIs(t, err, monitoring.ErrBadRequest)
	require.ErrorContains(t, err, "is neither a region nor the slugName of a private location")
	require.Empty(t, svc.TestSessions())
}

func TestTheTriggerOfATestSessionSaysHowItRetries(t *testing.T) {
	for name, c := range map[string]struct {
		strategy monitoring.Nullable[monitoring.RetryStrategy]
		attempts int
	}{
		"not at all":             {monitoring.Null[monitoring.RetryStrategy](), 0},
		"not without a strategy": {monitoring.Nullable[monitoring.RetryStrategy]{}, 0},
		"once":                   {monitoring.Value(monitoring.RetryStrategy{Type: monitoring.RetryStrategySingleRetry}), 1},
		"twice":                  {monitoring.Value(monitoring.RetryStrategy{Type: monitoring.RetryStrategyFixed}), 2},
		"for failures of a kind": {monitoring.Value(monitoring.RetryStrategy{Type: monitoring.RetryStrategyFixed, OnlyOn: []monitoring.RetryCondition{monitoring.RetryOnNetworkError}}), 0},
		"for failures of none":   {monitoring.Value(monitoring.RetryStrategy{Type: monitoring.RetryStrategyFixed, OnlyOn: []monitoring.RetryCondition{}}), 2},
		"as often as it says":    {monitoring.Value(monitoring.RetryStrategy{Type: monitoring.RetryStrategyFixed, MaxRetries: new(3)}), 3},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc, client := monitoringtest.Run(t)
				svc.AddCheck(monitoringtest.Check{Outcome: monitoring.SessionFailed})
				session, err := client.TestSessions.TriggerAndWait(t.Context(),
					monitoring.TestSessionTrigger{Name: "n", RunLocation: "eu-west-1", AllChecks: true, RetryStrategy: c.strategy}, monitoring.WaitOptions{})
				require.NoError(t, err)
				require.Len(t, session.Results, c.attempts+1)
				require.Len(t, session.FinalResults(), 1)
			})
		})
	}
}

func TestTheErrorsOfTestSessionsAreGrouped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc, client := monitoringtest.Run(t)
		svc.AddCheck(monitoringtest.Check{Outcome: monitoring.SessionFailed, Error: "no route"})
		run := func(environment string) *monitoring.TestSession {
			session, err := client.TestSessions.TriggerAndWait(t.Context(), monitoring.TestSessionTrigger{
				Name: environment, RunLocation: "eu-west-1", AllChecks: true, Metadata: &monitoring.TestSessionMetadata{Environment: environment},
			}, monitoring.WaitOptions{})
			require.NoError(t, err)
			require.Len(t, session.ErrorGroupIDs, 1)
			return session
		}
		id := run("staging").ErrorGroupIDs[0]
		group, err := client.TestSessionErrorGroups.Update(t.Context(), id, monitoring.ErrorGroupUpdate{ArchivedUntilNextEvent: new(true)})
		require.NoError(t, err)
		require.True(t, group.ArchivedUntilNextEvent)
		require.Equal(t, "no route", group.CleanedErrorMessage)
		time.Sleep(time.Minute)
		again := run("preview")
		require.Equal(t, []string{id}, again.ErrorGroupIDs)
		groups, err := monitoring.Collect(client.TestSessionErrorGroups.All(t.Context(), monitoring.ListOptions{}))
		require.NoError(t, err)
		require.Len(t, groups, 1)
		require.False(t, groups[0].ArchivedUntilNextEvent, "it has occurred again")
		require.Equal(t, []string{"staging", "preview"}, groups[0].Environments)
		run("staging")
		group, err = client.TestSessionErrorGroups.Get(t.Context(), id)
		require.NoError(t, err)
		require.Equal(t, []string{"staging", "preview"}, group.Environments, "each of them once")
		require.True(t, groups[0].FirstSeen.Before(groups[0].LastSeen.Time))
		entries, err := monitoring.Collect(client.TestSessions.All(t.Context(), monitoring.TestSessionListOptions{ErrorGroupID: id}))
		require.NoError(t, err)
		require.Len(t, entries, 3)
		result, err := client.TestSessions.Result(t.Context(), again.TestSessionID, again.Results[0].TestSessionResultID)
		require.NoError(t, err)
		require.Equal(t, []string{id}, result.ErrorGroupIDs)
		started, err := client.RootCauseAnalyses.CreateForTestSession(t.Context(), id, monitoring.RootCauseAnalysisCreate{UserContext: "why"})
		require.NoError(t, err)
		analysis, err := client.RootCauseAnalyses.Wait(t.Context(), started.ID)
		require.NoError(t, err)
		require.Nil(t, analysis.CheckID)
		require.Equal(t, id, *analysis.ErrorGroupID)
		group, err = client.TestSessionErrorGroups.Get(t.Context(), id)
		require.NoError(t, err)
		require.Len(t, group.RootCauseAnalyses, 1)
		restored := monitoringtest.New()
		require.NoError(t, restored.Seed(svc.Dump()))
		require.JSONEq(t, string(svc.Dump()), string(restored.Dump()))
	})
}
