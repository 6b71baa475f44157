package monitoringtest_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

const cancel = "POST /v1/check-sessions/{checkSessionId}/cancel"

// statusOf is the status of a session now.
func statusOf(t *testing.T, svc *monitoringtest.Service, id string) monitoring.CheckSessionStatus {
	session, err := clientOf(t, svc).CheckSessions.Get(t.Context(), id)
	require.NoError(t, err)
	return session.Status
}

func TestTheStatusOfASessionThatRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		id := svc.AddSession(monitoringtest.Session{Duration: 20 * time.Second, Outcome: degraded, Locations: []string{"eu-west-1", "us-east-1"}})
		begin := time.Now()
		for _, step := range []struct {
			after time.Duration
			want  monitoring.CheckSessionStatus
		}{
			{0, monitoring.SessionStarted}, {2*time.Second - 1, monitoring.SessionStarted}, {2 * time.Second, monitoring.SessionProgress},
			{10*time.Second - 1, monitoring.SessionProgress}, {10 * time.Second, monitoring.SessionProgressDegraded},
			{20*time.Second - 1, monitoring.SessionProgressDegraded}, {20 * time.Second, degraded},
		} {
			time.Sleep(time.Until(begin.Add(step.after)))
			require.Equal(t, step.want, statusOf(t, svc, id), "after %s", step.after)
		}
		require.Equal(t, []string{"eu-west-1", "us-east-1"}, svc.Sessions()[0].RunLocations)
	})
}

func TestASessionThatStartsLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New(monitoringtest.WithVisibilityDelay(0))
		id := svc.AddSession(monitoringtest.Session{StartedAt: time.Now().Add(time.Minute), Duration: time.Second})
		_, err := clientOf(t, svc).CheckSessions.Get(t.Context(), id)
		require.ErrorIs(t, err, monitoring.ErrNotFound, "it is not visible before it starts")
		require.Zero(t, svc.Sessions()[0].TimeElapsed)
		require.Empty(t, svc.Sessions()[0].Results)
		time.Sleep(time.Minute)
		require.Equal(t, monitoring.SessionStarted, statusOf(t, svc, id))
		time.Sleep(time.Second)
		require.Equal(t, passed, statusOf(t, svc, id))
		require.Equal(t, 1000.0, svc.Sessions()[0].TimeElapsed)
	})
}

func TestVisibilityOfASessionOfItsOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New(monitoringtest.WithVisibilityDelay(time.Hour))
		early := svc.AddSession(monitoringtest.Session{VisibleAfter: 1, Duration: 1})
		late := svc.AddSession(monitoringtest.Session{})
		time.Sleep(1 * time.Nanosecond)
		require.Equal(t, passed, statusOf(t, svc, early), "a nanosecond is enough")
		for _, after := range []time.Duration{time.Hour - 2, 1} {
			_, err := clientOf(t, svc).CheckSessions.Get(t.Context(), late)
			require.ErrorIs(t, err, monitoring.ErrNotFound)
			time.Sleep(after)
		}
		require.Equal(t, passed, statusOf(t, svc, late))
	})
}

// A trigger says STARTED, whatever a read says at the same moment.
func TestATriggerSaysStarted(t *testing.T) {
	svc := monitoringtest.New()
	svc.AddCheck(monitoringtest.Check{Progress: monitoring.SessionProgressFailed})
	svc.AddGroupJSON(`{"id":1,"name":"off","activated":false}`)
	svc.AddGroupJSON(`{"id":2,"name":"says nothing"}`)
	svc.AddGroup(monitoring.CheckGroup{ID: 3, Name: "on"})
	for id := range int64(4) {
		svc.AddCheck(monitoringtest.Check{Name: fmt.Sprint("in ", id), GroupID: id})
	}
	svc.AddCheck(monitoringtest.Check{Deactivated: true})
	svc.AddCheck(monitoringtest.Check{Type: monitoring.CheckTypeHeartbeat})
	list, err := clientOf(t, svc).CheckSessions.Trigger(t.Context(), monitoring.TriggerRequest{AllChecks: true})
	require.NoError(t, err)
	require.Equal(t, monitoring.SessionStarted, list[0].Status)
	require.Equal(t, monitoring.SessionProgressFailed, statusOf(t, svc, list[0].CheckSessionID))
	var names []string
	for _, x := range list {
		names = append(names, x.Name)
	}
	require.Equal(t, "Check 1, in 0, in 2, in 3", strings.Join(names, ", "), "without a group, or in one that is activated")
}

func TestACompletionIsHeldForThirtySecondsByDefault(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		id := svc.AddSession(monitoringtest.Session{Duration: time.Minute})
		path := "/v2/check-sessions/" + id + "/completion"
		start := time.Now()
		for _, test := range []struct {
			query  string
			took   time.Duration
			status int
		}{{"", 30 * time.Second, 408}, {"?maxWaitSeconds=1", time.Second, 408}, {"?maxWaitSeconds=29", 29 * time.Second, 200}, {"", 0, 200}} {
			response, _ := sendOnce(t, svc, newRequest(t, "GET", path+test.query, ""))
			require.Equal(t, test.status, response.StatusCode)
			require.Equal(t, test.took, time.Since(start))
			start = time.Now()
		}
		response, body := sendOnce(t, svc, newRequest(t, "GET", "/v2/check-sessions/"+monitoringtest.UUID("x")+"/completion", ""))
		require.Equal(t, 404, response.StatusCode)
		require.JSONEq(t, `{"statusCode":404,"error":"Not Found","message":"No such check session."}`, body)
	})
}

func TestACancelCounts(t *testing.T) {
	svc := monitoringtest.New()
	check := monitoringtest.UUID("c")
	id := svc.AddSession(monitoringtest.Session{CheckID: check, Name: "Login"})
	status, _ := sendRaw(t, svc, "POST", "/v1/check-sessions/"+id+"/cancel", "")
	require.Equal(t, 204, status)
	for _, subject := range []string{id, check, "Login"} {
		require.Equal(t, 1, svc.ExecutedOn(cancel, subject))
	}
	status, _ = sendRaw(t, svc, "POST", "/v1/check-sessions/"+check+"/cancel", "")
	require.Equal(t, 404, status)
	require.Equal(t, 1, svc.Executed(cancel))
	sendRaw(t, svc, "POST", "/v1/check-sessions/"+svc.AddSession(monitoringtest.Session{})+"/cancel", "")
	require.Zero(t, svc.ExecutedOn(cancel, ""), "a session may have no name")
}

// A run that waits for others of its group is canceled before it begins.
func TestARunIsCancelledBeforeItBegins(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		group := svc.AddGroup(monitoring.CheckGroup{Name: "g", Concurrency: new(1)})
		for range 2 {
			svc.AddCheck(monitoringtest.Check{Type: monitoring.CheckTypePlaywright, GroupID: group, RunTime: time.Minute, Attempts: 2})
		}
		client := clientOf(t, svc)
		list, err := client.CheckSessions.Trigger(t.Context(), monitoring.TriggerRequest{AllChecks: true})
		require.NoError(t, err)
		id := list[1].CheckSessionID
		require.NoError(t, client.CheckSessions.Cancel(t.Context(), id, monitoring.CancelRequest{}))
		require.Equal(t, monitoring.SessionStarted, statusOf(t, svc, id))
		time.Sleep(time.Second)
		for range 2 {
			session, err := client.CheckSessions.Get(t.Context(), id)
			require.NoError(t, err)
			require.Equal(t, monitoring.SessionCancelled, session.Status)
			require.Len(t, session.Results, 1)
			r := session.Results[0]
			require.Equal(t, []bool{true, true, false, false, false}, []bool{r.Aborted, r.IsCancelled, r.HasErrors, r.HasFailures, r.IsDegraded})
			require.Equal(t, *r.StoppedAt, *r.StartedAt, "it took no time")
			require.Equal(t, monitoring.ResultFinal, *r.ResultType)
			time.Sleep(time.Hour)
		}
	})
}

func TestAGroupRunsOneAfterTheOther(t *testing.T) {
	for name, test := range map[string]struct {
		group string
		ends  []int // after so many seconds
	}{
		"as its concurrency says": {`"concurrency":2`, []int{10, 10, 20, 20, 30}},
		"three by default":        {`"name":"x"`, []int{10, 10, 10, 20, 20}},
		"one at least":            {`"concurrency":0`, []int{10, 20, 30, 40, 50}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc := monitoringtest.New(monitoringtest.WithRunTime(10 * time.Second))
				svc.AddGroupJSON(`{"id":7,"activated":true,` + test.group + `}`)
				check := svc.AddCheck(monitoringtest.Check{GroupID: 7})
				for range 2 { // runs that have ended take no place
					start := time.Now()
					var sessions []string
					for range 5 {
						sessions = append(sessions, triggerOne(t, clientOf(t, svc), check))
					}
					time.Sleep(time.Minute)
					var ends []int
					for _, id := range sessions {
						session, err := clientOf(t, svc).CheckSessions.Get(t.Context(), id)
						require.NoError(t, err)
						ends = append(ends, int(session.StoppedAt.Sub(start)/time.Second))
					}
					require.Equal(t, test.ends, ends)
				}
			})
		})
	}
}

func TestAGroupThatRunsMoreOrFewerAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New(monitoringtest.WithRunTime(10 * time.Second))
		svc.AddGroup(monitoring.CheckGroup{ID: 7, Name: "g", Concurrency: new(3)})
		check := svc.AddCheck(monitoringtest.Check{GroupID: 7})
		client := clientOf(t, svc)
		trigger := func() time.Duration { // how long until it ends
			id := triggerOne(t, client, check)
			for _, x := range svc.Sessions() {
				if x.CheckSessionID == id {
					start := time.Now()
					session, err := client.CheckSessions.Wait(t.Context(), id, monitoring.WaitOptions{})
					require.NoError(t, err)
					return session.StoppedAt.Sub(start)
				}
			}
			return 0
		}
		for range 3 {
			triggerOne(t, client, check)
		}
		_, err := client.CheckGroups.Edit(t.Context(), 7, func(g *monitoring.CheckGroup) error { g.Concurrency = new(1); return nil })
		require.NoError(t, err)
		time.Sleep(time.Second)
		require.Equal(t, 19*time.Second, trigger(), "after all three")
		require.Equal(t, 10*time.Second, trigger())
	})
}

func TestResponseTimes(t *testing.T) {
	svc := monitoringtest.New()
	for _, test := range []struct {
		kind         monitoring.CheckType
		outcome      monitoring.CheckSessionStatus
		responseTime time.Duration
		want         float64
	}{
		{"API", passed, 0, 240.5}, {"API", degraded, 0, 3500.25}, {"API", passed, 250 * time.Millisecond, 250}, {"API", degraded, 1500 * time.Microsecond, 1.5},
		{"BROWSER", passed, 0, 2000}, {"BROWSER", degraded, 0, 2000}, {"BROWSER", passed, time.Second, 1000},
	} {
		id := svc.AddSession(monitoringtest.Session{
			CheckID: monitoringtest.UUID("c"), Type: test.kind, Outcome: test.outcome, ResponseTime: test.responseTime, StartedAt: time.Now().Add(-time.Hour),
		})
		_, body := sendRaw(t, svc, "GET", "/v1/check-results/"+monitoringtest.UUID("c")+"/"+svc.ResultIDs(id)[0], "")
		var result struct {
			ResponseTime   float64
			APICheckResult *struct {
				Response struct{ TimingPhases map[string]float64 }
			}
		}
		require.NoError(t, json.Unmarshal([]byte(body), &result))
		require.Equal(t, test.want, result.ResponseTime)
		if test.kind == "API" {
			require.Equal(t, max(test.want-43, 0), result.APICheckResult.Response.TimingPhases["firstByte"])
		}
	}
}

func TestMembersOfAResultAreReplacedByAnyValue(t *testing.T) {
	svc := monitoringtest.New()
	check := monitoringtest.UUID("c")
	add := func(members map[string]any) string {
		return svc.AddSession(monitoringtest.Session{CheckID: check, StartedAt: time.Now().Add(-time.Hour), Result: members})
	}
	read := func(session string) (result, item map[string]any) {
		_, body := sendRaw(t, svc, "GET", "/v1/check-results/"+check+"/"+svc.ResultIDs(session)[0], "")
		require.NoError(t, json.Unmarshal([]byte(body), &result))
		_, body = sendRaw(t, svc, "GET", "/v2/check-sessions/"+session, "")
		var x struct{ Results []map[string]any }
		require.NoError(t, json.Unmarshal([]byte(body), &x))
		return result, x.Results[0]
	}
	type failure struct {
		RequestError string `json:"requestError"`
	}
	for name, set := range map[string]func() string{
		"with the session": func() string {
			return add(map[string]any{"apiCheckResult": failure{"refused"}, "aborted": true, "checkId": "x", "checkResultId": "x"})
		},
		"later": func() string {
			id := add(map[string]any{"apiCheckResult": map[string]string{"requestError": "before"}})
			svc.SetResult(svc.ResultIDs(id)[0], map[string]any{"apiCheckResult": failure{"refused"}, "aborted": true, "checkId": "x", "checkResultId": "x"})
			return id
		},
	} {
		t.Run(name, func(t *testing.T) {
			session := set()
			result, item := read(session)
			payload := result["apiCheckResult"].(map[string]any)
			require.Equal(t, "refused", payload["requestError"])
			require.NotEmpty(t, payload["request"], "the other members stay")
			require.NotContains(t, result, "aborted", "which only sessions have")
			require.Equal(t, true, item["aborted"])
			require.Equal(t, check, item["checkId"])
			require.Equal(t, svc.ResultIDs(session)[0], item["checkResultId"])
		})
	}
	for _, v := range []any{nil, "text", []any{1.0}} {
		result, _ := read(add(map[string]any{"apiCheckResult": v, "sslCheckResult": map[string]any{"a": 1.0}}))
		require.Equal(t, v, result["apiCheckResult"])
		require.Equal(t, map[string]any{"a": 1.0}, result["sslCheckResult"])
	}
	id := add(map[string]any{"name": "other"})
	svc.SetResult(svc.ResultIDs(id)[0], nil)
	result, _ := read(id)
	require.Equal(t, "other", result["name"])
}

// The page about testing lists these.
func TestEachVerdictCanBeChosen(t *testing.T) {
	for name, c := range map[string]struct {
		check monitoringtest.Check
		want  monitoring.Verdict
	}{
		"nothing":               {monitoringtest.Check{}, monitoring.VerdictPassed},
		"slow":                  {monitoringtest.Check{Outcome: monitoring.SessionDegraded}, monitoring.VerdictDegraded},
		"a failure":             {monitoringtest.Check{Outcome: monitoring.SessionFailed, Error: "no route"}, monitoring.VerdictFailed},
		"a failure in one":      {monitoringtest.Check{Outcome: monitoring.SessionFailed, Locations: []string{"eu-west-1", "us-east-1"}, FailIn: []string{"us-east-1"}}, monitoring.VerdictFailed},
		"canceled":              {monitoringtest.Check{Outcome: monitoring.SessionCancelled}, monitoring.VerdictCancelled},
		"the service's failure": {monitoringtest.Check{Outcome: monitoring.SessionFailed, HasErrors: true, Result: map[string]any{"hasFailures": false}}, monitoring.VerdictUnknown},
		"timed out":             {monitoringtest.Check{Outcome: monitoring.SessionTimedOut, Result: map[string]any{"hasFailures": false}}, monitoring.VerdictUnknown},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc, client := monitoringtest.Run(t)
				svc.AddCheck(c.check)
				sessions, err := client.CheckSessions.TriggerAndWait(t.Context(), monitoring.TriggerRequest{AllChecks: true}, monitoring.WaitOptions{})
				require.NoError(t, err)
				require.Equal(t, c.want, sessions[0].Verdict())
			})
		})
	}
}
