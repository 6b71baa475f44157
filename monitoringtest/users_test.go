package monitoringtest_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

// These are tests as users write them. docs/testing.md shows some of them.

func TestAGateSeesTheCheckThatFailed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc, client := monitoringtest.Run(t)
		svc.AddCheck(monitoringtest.Check{
			Name: "Checkout", Tags: []string{"production"}, RunTime: 5 * time.Minute, Outcome: "FAILED", Error: "no route",
		})
		production := monitoring.TriggerRequest{Target: monitoring.TriggerTarget{MatchTags: [][]string{{"production"}}}}
		sessions, err := client.CheckSessions.TriggerAndWait(t.Context(), production, monitoring.WaitOptions{})
		if err != nil || sessions[0].Verdict() != monitoring.VerdictFailed {
			t.Fatal("want a check that failed", err)
		}
		results, err := client.CheckSessions.FetchFailingResults(t.Context(), sessions[0])
		if err != nil || results[0].Messages()[0] != "no route" {
			t.Error("want the reason", err)
		}
	})
}

func TestARetryStormStaysSmall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc, client := monitoringtest.Run(t)
		svc.Inject(monitoringtest.Fault{Status: http.StatusServiceUnavailable})
		var calls sync.WaitGroup
		for range 100 {
			calls.Go(func() {
				if _, err := client.Locations.List(t.Context()); !errors.Is(err, monitoring.ErrServer) {
					t.Error("want the error of the service", err)
				}
			})
		}
		calls.Wait()
		if n := svc.Count("GET /v1/locations"); n > 250 {
			t.Error("100 calls sent", n, "requests to a service that is down")
		}
	})
}

func TestARotatedKeyIsReplaced(t *testing.T) {
	svc, _ := monitoringtest.Run(t, monitoringtest.WithAPIKey("new-key-123"), monitoringtest.WithUnexpected())
	key := "old-key-123"
	client, err := svc.Client(monitoring.WithKeySource(func(_ context.Context, refused monitoring.Secret) (string, error) {
		if refused.Reveal() == key {
			key = "new-key-123" // the vault has a new one by now
		}
		return key, nil
	}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Locations.List(t.Context()); err != nil {
		t.Error(err)
	}
	if refused := svc.Unexpected(); len(refused) != 1 || refused[0].Status != http.StatusUnauthorized {
		t.Error("want one 401, got", refused)
	}
}

func TestALimitIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc, client := monitoringtest.Run(t, monitoringtest.WithRateLimit(monitoring.DefaultRateLimit))
		start := time.Now()
		for range 1300 {
			if _, err := client.Locations.List(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		for _, r := range svc.Requests() {
			if r.Status == http.StatusTooManyRequests {
				t.Fatal("refused", r)
			}
		}
		if took := time.Since(start); took > 3*time.Minute {
			t.Error("it took", took)
		}
	})
}

func TestADegradedCheckDoesNotStopADeploy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc, client := monitoringtest.Run(t)
		id := svc.AddCheck(monitoringtest.Check{Name: "Search", Outcome: monitoring.SessionDegraded, ResponseTime: 4 * time.Second})
		sessions, err := client.CheckSessions.TriggerAndWait(t.Context(), monitoring.TriggerRequest{AllChecks: true}, monitoring.WaitOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if v := sessions[0].Verdict(); v != monitoring.VerdictDegraded || !v.OK() {
			t.Error("want degraded, which is good enough, got", v)
		}
		status, err := client.CheckStatuses.Get(t.Context(), id)
		if err != nil || !status.IsDegraded {
			t.Error("want a degraded status", err)
		}
	})
}

func TestAWaitEndsInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc, client := monitoringtest.Run(t)
		id := svc.AddSession(monitoringtest.Session{Name: "Nightly", Duration: time.Hour})
		svc.Inject(monitoringtest.Fault{Operation: "GET /v2/check-sessions/{checkSessionId}/completion", CutAfter: 10 * time.Second})
		start := time.Now()
		_, err := client.CheckSessions.Wait(t.Context(), id, monitoring.WaitOptions{Timeout: 10 * time.Minute})
		if !errors.Is(err, monitoring.ErrWaitTimeout) {
			t.Fatal("want a time-out, got", err)
		}
		if last, _ := errors.AsType[*monitoring.SessionError](err); last.Session.Status != monitoring.SessionProgress {
			t.Error("want its last state, got", last)
		}
		if took := time.Since(start).Round(time.Second); took != 10*time.Minute {
			t.Error("it took", took)
		}
	})
}

func TestWhatHasEndedIsNotLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc, client := monitoringtest.Run(t)
		svc.AddCheck(monitoringtest.Check{Name: "quick", RunTime: time.Minute})
		svc.AddCheck(monitoringtest.Check{Name: "endless", RunTime: time.Hour})
		sessions, err := client.CheckSessions.TriggerAndWait(
			t.Context(), monitoring.TriggerRequest{AllChecks: true}, monitoring.WaitOptions{Timeout: 5 * time.Minute})
		if !errors.Is(err, monitoring.ErrWaitTimeout) {
			t.Fatal("want a time-out, got", err)
		}
		if sessions[0].Verdict() != monitoring.VerdictPassed || sessions[1].Verdict() != monitoring.VerdictUnknown {
			t.Error("want the one that ended and the one that did not, got", sessions)
		}
	})
}

func TestADigestCountsTheAlertsOfADay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc, client := monitoringtest.Run(t)
		svc.AddAlertChannel(monitoringtest.AlertChannel{Config: map[string]any{"address": "oncall@shop.test"}})
		svc.AddCheck(monitoringtest.Check{Name: "Checkout", Outcomes: []monitoring.CheckSessionStatus{"FAILED", "PASSED", "FAILED"}})
		for range 4 { // it fails, recovers, fails and recovers
			if _, err := client.CheckSessions.TriggerAndWait(t.Context(), monitoring.TriggerRequest{AllChecks: true}, monitoring.WaitOptions{}); err != nil {
				t.Fatal(err)
			}
			time.Sleep(3 * time.Hour)
		}
		day := monitoring.AlertNotificationListOptions{From: time.Now().Add(-24 * time.Hour), To: time.Now()}
		alerts, err := monitoring.Collect(client.AlertNotifications.All(t.Context(), day))
		if err != nil || len(alerts) != 4 {
			t.Error("want 4 alerts, got", len(alerts), err)
		}
	})
}

func TestABulkChangeGoesOnAfterARefusal(t *testing.T) {
	svc, client := monitoringtest.Run(t)
	var ids []string
	for i := range 5 {
		ids = append(ids, svc.AddCheck(monitoringtest.Check{Name: fmt.Sprint("Check ", i)}))
	}
	svc.Inject(monitoringtest.Fault{Operation: "PUT /v1/checks/api/{id}", ID: ids[2], Status: http.StatusForbidden})
	var failed []error
	for _, id := range ids {
		_, err := client.Checks.Edit(t.Context(), id, func(c *monitoring.Check) error { c.Muted = new(true); return nil })
		failed = append(failed, err)
	}
	for i, id := range ids {
		check, _ := svc.Check(id)
		if isMuted := *check.Muted; isMuted == (i == 2) || errors.Is(failed[i], monitoring.ErrForbidden) != (i == 2) {
			t.Error(id, isMuted, failed[i])
		}
	}
}

func TestAnEditRaceIsTold(t *testing.T) {
	svc, client := monitoringtest.Run(t)
	other, _ := svc.Client()
	id := svc.AddCheck(monitoringtest.Check{Name: "Checkout"})
	svc.Handle("PUT /v1/checks/api/{id}", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		svc.Handle("PUT /v1/checks/api/{id}", http.HandlerFunc(svc.Next)) // the others go on at once
		if _, err := other.Checks.Edit(t.Context(), id, func(c *monitoring.Check) error { c.Muted = new(true); return nil }); err != nil {
			t.Error(err)
		}
		svc.Next(w, r) // after another program has changed the check
	}))
	_, err := client.Checks.Edit(t.Context(), id, func(c *monitoring.Check) error { c.Name = "Payment"; return nil })
	if race, isRace := errors.AsType[*monitoring.UpdateIgnoredError](err); !isRace || race.Changes[0].Path != "muted" {
		t.Error("want the change of the other, got", err)
	}
	if check, _ := svc.Check(id); check.Name != "Payment" || !*check.Muted {
		t.Error("one of the edits is lost", check.Name, *check.Muted)
	}
}

func TestTriageArchivesWhatIsExplained(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc, client := monitoringtest.Run(t)
		check := svc.AddCheck(monitoringtest.Check{Name: "Checkout"})
		group := svc.AddErrorGroup(monitoring.ErrorGroup{CheckID: check, ErrorHash: "9b74", CleanedErrorMessage: "connect ECONNREFUSED <ip>"})
		started, err := client.RootCauseAnalyses.Create(t.Context(), group, monitoring.RootCauseAnalysisCreate{UserContext: "after the deploy"})
		if err != nil {
			t.Fatal(err)
		}
		analysis, err := client.RootCauseAnalyses.Wait(t.Context(), started.ID)
		if err != nil || analysis.Analysis == nil {
			t.Fatal("want an analysis", err)
		}
		archived, err := client.ErrorGroups.Update(t.Context(), group, monitoring.ErrorGroupUpdate{ArchivedUntilNextEvent: new(true)})
		if err != nil || !archived.ArchivedUntilNextEvent || svc.Executed("PATCH /v1/error-groups/{id}") != 1 {
			t.Error("want an archived group", err)
		}
	})
}

func TestALostCreateIsFound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc, client := monitoringtest.Run(t)
		svc.Inject(monitoringtest.Fault{Operation: "POST /v1/checks/api", Kind: monitoringtest.FaultResetAfter})
		want := &monitoring.Check{Name: "Checkout", API: &monitoring.APIRequest{Method: "GET", URL: "https://shop.test"}}
		check, err := client.Checks.Create(t.Context(), want, monitoring.WithCreateRecovery(10*time.Second))
		if err != nil || check.Name != "Checkout" || svc.Executed("POST /v1/checks/api") != 1 {
			t.Error("want the check that was created, got", check, err)
		}
	})
}

func TestAnIgnoredChangeIsTold(t *testing.T) {
	svc, client := monitoringtest.Run(t)
	id := svc.AddCheck(monitoringtest.Check{Name: "Checkout"})
	svc.Handle("PUT /v1/checks/api/{id}", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = io.NopCloser(strings.NewReader("{}")) // nothing of the body is taken
		svc.Next(w, r)
	}))
	_, err := client.Checks.Edit(t.Context(), id, func(c *monitoring.Check) error { c.Name = "Payment"; return nil })
	if ignored, ok := errors.AsType[*monitoring.UpdateIgnoredError](err); !ok || ignored.Changes[0].Path != "name" {
		t.Error("want the change that was ignored, got", err)
	}
}

func TestATaughtDeleteIsSentOnce(t *testing.T) {
	svc, client := monitoringtest.Run(t)
	reports := map[string]bool{"weekly": true}
	svc.Handle("DELETE /v1/reports/{id}", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !reports[r.PathValue("id")] {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		delete(reports, r.PathValue("id"))
		w.WriteHeader(http.StatusNoContent)
	}))
	if _, err := monitoring.Do[any](t.Context(), client, http.MethodDelete, "/v1/reports/weekly", nil, nil); err != nil {
		t.Fatal(err)
	}
	if n := svc.Executed("DELETE /v1/reports/{id}"); n != 1 || len(reports) != 0 {
		t.Error("deleted", n, "times; left are", reports)
	}
}
