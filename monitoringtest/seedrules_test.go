package monitoringtest_test

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

func TestMistakesOfASeedAreTold(t *testing.T) {
	twice := func(list, object string) string { return `{"` + list + `":[` + object + `,` + object + `]}` }
	id := monitoringtest.UUID("a")
	for _, test := range []struct{ seed, want string }{
		{`{"groups":[7]}`, "$.groups[0]: must be an object"},
		{`{"groups":[null]}`, "$.groups[0]: must be an object"},
		{`{"groups":[{"id":-1,"name":"g"}]}`, "$.groups[0].id: must be positive"},
		{`{"groups":[{"name":"g","created_at":"soon"}]}`, `$.groups[0].created_at: "soon" is not a moment such as "2026-08-01T10:00:00Z" or "now-1h"`},
		{`{"groups":[{"name":"g","surprise":1}]}`, "$.groups[0].surprise: is not allowed"},
		{twice("groups", `{"id":7,"name":"g"}`), "$.groups[1]: a group with the id 7 exists already"},
		{twice("alertChannels", `{"id":1}`), "$.alertChannels[1]: an alert channel with the id 1 exists already"},
		{twice("checks", `{"id":"`+id+`"}`), "$.checks[1]: a check with the id " + id},
		{twice("sessions", `{"id":"`+id+`"}`), "$.sessions[1]: a session with the id " + id},
		{`{"alertChannels":[{"id":-7}]}`, "$.alertChannels[0]: the id of an alert channel is -7: it must be positive"},
		{`{"checks":[{"id":"x"}]}`, `$.checks[0].id: "x" is not a UUID`},
		{`{"sessions":[{"id":"x","checkId":"y"}]}`, "$.sessions[0].id: \"x\" is not a UUID\n$.sessions[0].checkId: \"y\" is not a UUID"},
		{`{"sessions":[{"outcome":"STARTED"}]}`, `$.sessions[0]: session "": no session ends STARTED`},
		{`{"sessions":[{"startedAt":7}]}`, `$.sessions[0].startedAt: must be a moment such as "2026-08-01T10:00:00Z" or "now-1h"`},
		{`{"sessions":[{"startedAt":"now1"}]}`, `$.sessions[0].startedAt: "now1" is not a moment such as "2026-08-01T10:00:00Z" or "now-1h"`},
		{`{"sessions":[{"duration":7}]}`, `$.sessions[0].duration: must be a time such as "1m30s"`},
		{`{"sessions":[{"duration":"-1ns"}]}`, `$.sessions[0].duration: "-1ns" is not a time such as "1m30s"`},
		{`{"checks":[{"muted":"yes"}]}`, "$.checks[0].muted: must be true or false"},
		{`{"checks":[{"members":[]}]}`, "$.checks[0].members: must be an object"},
		{`{"checks":[{"groupId":9007199254740994}]}`, "$.checks[0].groupId: must be an integer"},
		{`{"checks":[{"groupId":9007199254740992}]}`, "$.checks[0].groupId: there is no group with the id 9007199254740992"},
		{`{"checks":[{"groupId":1e400}]}`, "$.checks[0].groupId: must be a number"},
		{`{"checks":[{"b":1,"a":1}],"z":1,"y":1}`, "$.y: is not known; known are groups, alertChannels, checks, sessions, testSessions, variables, maintenanceWindows, alertNotifications, " +
			"checkAlerts, errorGroups, testSessionErrorGroups, rootCauseAnalyses, privateLocations, snippets, statusPageServices, dashboards, entitlements, checkLimit, faults, stored\n$.z: is not known"},
		{`{"maintenanceWindows":[{"name":"w","startsAt":"now","endsAt":"now-1s"}]}`, `$.maintenanceWindows[0]: maintenance window "w": its endsAt must not be before startsAt`},
		{`{"maintenanceWindows":[{"startsAt":"now","endsAt":"now"}]}`, "$.maintenanceWindows[0].name: is required"},
		{`{"alertNotifications":[{"type":7}]}`, "$.alertNotifications[0]: "},
		{`{"alertNotifications":[{"kind":7}]}`, "$.alertNotifications[0].kind: is not known; known are timestamp, id, type"},
		{`{"faults":[{"kind":7}]}`, `$.faults[0].kind: must be a string`},
		{`{"faults":[{"kind":"explode"}]}`, `$.faults[0].kind: "explode" is none of none, refuse, resetBeforeWrite, resetUnhandled, resetAfter, cutBody`},
		{`{"statusPageServices":["5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11","5B1D4F0E-7A53-4A8C-9A57-0C1A3D6F2E11"],"dashboards":["d","d"],"checkAlerts":[{"id":"a"},{"id":"b"},{"id":"a"}]}`,
			"$.checkAlerts[2]: a check alert with the id a exists already\n" +
				"$.statusPageServices[1]: a status page service with the id 5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11 exists already\n" +
				"$.dashboards[1]: a dashboard with the id d exists already"},
		{`{"testSessions":[{"id":"5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11"}]}`, "$.testSessions[0]: is no part of a seed: a trigger makes test sessions"},
		{`{"statusPageServices":["x"]}`, `$.statusPageServices[0]: "x" is not a UUID`},
	} {
		t.Run(test.seed, func(t *testing.T) {
			svc := monitoringtest.New()
			err := svc.Seed([]byte(test.seed))
			require.ErrorContains(t, err, "monitoringtest: seed: ")
			text := strings.TrimPrefix(err.Error(), "monitoringtest: seed: ")
			require.True(t, strings.HasPrefix(text, test.want), text)
			require.Equal(t, strings.Count(test.want, "\n"), strings.Count(text, "\n")-strings.Count(text, "$.checks[0].b:")-strings.Count(text, "$.checks[0].a:"), "each is reported once: %s", text)
		})
	}
}

func TestWhatASeedAdds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		service := monitoringtest.UUID("s")
		require.NoError(t, svc.Seed([]byte(`{
			"groups": [{"name":"first"}, {"id":1,"name":"second","created_at":"2026-08-01T12:00:00+02:00","updated_at":"now+1h"}, {"id":null,"name":"third","concurrency":9}],
			"alertChannels": [{"noFailures":true,"status":"FAILURE"}, {"id":1,"type":"SMS","degraded":true,"noRecoveries":true}, {"id":null}],
			"checks": [{"groupId":1,"deactivated":true,"muted":true}, {"groupId":1.0,"visibleAfter":"0s","runTime":"1h"}],
			"variables": [{"key":"S","value":"x","secret":true,"locked":true}],
			"maintenanceWindows": [{"id":9,"name":"w","startsAt":"now","endsAt":"now","repeatEndsAt":"now+24h","created_at":"now-24h","updated_at":null}],
			"alertNotifications": [{"id":"own","timestamp":"now-1h","type":"SLACK","status":"RATE_LIMITED","alertConfig":{"url":"u"},"notificationResult":"r","checkType":"TCP",
				"checkId":"c","checkAlertId":"a","alertChannelId":1,"checkResultId":"x"}],
			"statusPageServices": ["`+service+`"], "dashboards": ["d"]
		}`)))
		groups := func(id int64) map[string]any {
			data, found := svc.GroupJSON(id)
			require.True(t, found)
			return decoded(t, data)
		}
		first := groups(1001)
		require.Equal(t, []any{1001.0, "first", "2000-01-01T00:00:00.000Z", nil, true, 3.0}, []any{first["id"], first["name"], first["created_at"], first["updated_at"], first["activated"], first["concurrency"]})
		require.Contains(t, first, "updated_at")
		second := groups(1)
		require.Equal(t, []any{1.0, "second", "2026-08-01T10:00:00.000Z", "2000-01-01T01:00:00.000Z"}, []any{second["id"], second["name"], second["created_at"], second["updated_at"]})
		require.Equal(t, 9.0, groups(1003)["concurrency"], "null is as if it were not there")
		checks := svc.Checks()
		require.Equal(t, []any{false, true, 1.0}, []any{decoded(t, checks[0])["activated"], decoded(t, checks[0])["muted"], decoded(t, checks[0])["groupId"]})
		var subscribed struct {
			Subscriptions []struct{ AlertChannelID int } `json:"alertChannelSubscriptions"`
		}
		require.NoError(t, json.Unmarshal(checks[1], &subscribed))
		require.Equal(t, "[{1001} {1} {1003}]", fmt.Sprint(subscribed.Subscriptions))
		for path, want := range map[string]string{
			"/v1/variables": `[{"key":"S","value":null,"locked":true,"secret":true}]`,
			"/v1/alert-notifications": `[{"id":"own","timestamp":"1999-12-31T23:00:00.000Z","type":"SLACK","status":"RATE_LIMITED","alertConfig":{"url":"u"},
				"notificationResult":"r","checkType":"TCP","checkId":"c","checkAlertId":"a","alertChannelId":1,"checkResultId":"x"}]`,
			"/v1/maintenance-windows": `[{"id":9,"name":"w","startsAt":"2000-01-01T00:00:00.000Z","endsAt":"2000-01-01T00:00:00.000Z","created_at":"1999-12-31T00:00:00.000Z",
				"updated_at":null,"tags":[],"repeatEndsAt":"2000-01-02T00:00:00.000Z","pauseAllChecks":false,"silenceAllAlerts":false,
				"silenceAlertsTags":[],"repeatInterval":null,"repeatUnit":null,"timezone":null,"description":null}]`,
		} {
			_, body := sendRaw(t, svc, "GET", path, "")
			require.JSONEq(t, want, body)
		}
		for _, path := range []string{"/v1/status-pages/services/" + service, "/v1/dashboards/d"} {
			status, _ := sendRaw(t, svc, "DELETE", path, "")
			require.Equal(t, 204, status)
		}
	})
}

// A seed may be what a program keeps: templates to create, and objects that it has read.
func TestAFileOfObjectsIsASeed(t *testing.T) {
	client := clientOf(t, demo())
	group, err := client.CheckGroups.Get(t.Context(), monitoringtest.DemoGroupID)
	require.NoError(t, err)
	copied := group.Template()
	copied.Name, group.ProjectBindings = "Copy", json.RawMessage(`{"references":[]}`)
	groups, err := monitoring.MarshalWithSecrets([]*monitoring.CheckGroup{group, copied})
	require.NoError(t, err)
	svc := monitoringtest.New()
	require.NoError(t, svc.Seed([]byte(`{"groups":`+string(groups)+`,"checks":[{"checkType":"TCP","name":"c","groupId":`+fmt.Sprint(group.ID)+
		`,"autoAssignAlerts":false,"request":{"hostname":"h","port":1}}]}`)))
	seeded := clientOf(t, svc)
	for page, err := range seeded.CheckGroups.Pages(t.Context(), monitoring.CheckGroupListOptions{}) {
		require.NoError(t, err)
		require.Len(t, page.Items, 2)
		for _, one := range page.Items {
			copied.Name = one.Name
			require.Empty(t, copied.DiffFrom(&one))
			require.Nil(t, one.AutoAssignAlerts)
			require.True(t, one.Extra.IsZero())
		}
		require.JSONEq(t, `{"references":[]}`, string(page.Items[1].ProjectBindings))
	}
	require.NotContains(t, string(svc.Checks()[0]), "autoAssignAlerts")
	require.ErrorContains(t, svc.Seed([]byte(`{"groups":[{"name":"g","autoAssignAlerts":1}]}`)), "$.groups[0].autoAssignAlerts: must be true or false")
}

// control sends a request to the control of a service.
func control(svc *monitoringtest.Service, method, path, body string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	svc.Control().ServeHTTP(w, httptest.NewRequest(method, "/_fake/"+path, strings.NewReader(body)))
	return w
}

func TestTheControlShowsBodies(t *testing.T) {
	svc := monitoringtest.New()
	for _, body := range []string{"", `{"a":1}`, "words", "w", "\xff", "1"} {
		request := newRequest(t, "POST", "/v1/things?q=1", body)
		sendOnce(t, svc, request)
	}
	w := control(svc, "GET", "records", "")
	require.Equal(t, "application/json; charset=utf-8", w.Header().Get("Content-Type"))
	var list []map[string]any
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &list))
	var bodies []any
	for _, r := range list {
		bodies = append(bodies, r["body"])
		require.Equal(t, map[string]any{"q": []any{"1"}}, r["query"])
		require.Equal(t, "the service has no such operation", r["refusal"])
		require.Equal(t, 404.0, r["status"])
	}
	require.Equal(t, []any{nil, map[string]any{"a": 1.0}, "words", "w", "/w==", 1.0}, bodies)
	require.Equal(t, 204, control(svc, "DELETE", "records", "").Code)
	require.Zero(t, svc.Count(""))
}

func TestTheControlShowsTheLastRequests(t *testing.T) {
	svc := monitoringtest.New()
	for range 101 {
		sendOnce(t, svc, newRequest(t, "GET", "/v1/variables", ""))
	}
	for query, want := range map[string]int{"": 100, "?last=1": 1, "?last=101": 101, "?last=102": 101, "?last=1000": 101, "?last=0": -1, "?last=-1": -1, "?last=x": -1} {
		w := control(svc, "GET", "records"+query, "")
		if want < 0 {
			require.Equal(t, 400, w.Code, query)
			require.JSONEq(t, `{"statusCode":400,"error":"Bad Request","message":"last: must be a positive integer"}`, w.Body.String())
			continue
		}
		require.Equal(t, 200, w.Code)
		var list []map[string]any
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &list))
		require.Len(t, list, want, query)
		require.NotContains(t, list[0], "refusal")
	}
}

func TestTheControlShowsTheState(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		require.Equal(t, 204, control(svc, "POST", "inject", `{"header":{"X-A":"b"},"body":"x","noBody":false,"probability":1,"delay":"1ns","page":1,"operation":"GET /v1/variables"}`).Code)
		svc.AddAlertChannel(monitoringtest.AlertChannel{})
		svc.AddGroup(monitoring.CheckGroup{ID: 8, Name: "b"})
		svc.AddGroup(monitoring.CheckGroup{ID: 7, Name: "a"})
		check := svc.AddCheck(monitoringtest.Check{Outcome: failed})
		for range 101 {
			svc.AddSession(monitoringtest.Session{CheckID: check, Outcome: failed})
		}
		svc.AddVariable(monitoring.NewEnvironmentVariable("A", "b"))
		svc.AddMaintenanceWindow(monitoring.MaintenanceWindow{Name: "w", StartsAt: monitoring.NewTimestamp(time.Now()), EndsAt: monitoring.NewTimestamp(time.Now())})
		sendOnce(t, svc, newRequest(t, "GET", "/v1/locations", ""))
		sendOnce(t, svc, newRequest(t, "GET", "/v1/unknown", ""))
		sendOnce(t, svc, newRequest(t, "POST", "/v2/check-sessions/trigger", "{}"))
		time.Sleep(time.Minute) // the sessions end, and send alerts
		state := decoded(t, control(svc, "GET", "state", "").Body.Bytes())
		require.Len(t, state["sessions"], 100)
		require.Equal(t, "FAILED", state["sessions"].([]any)[99].(map[string]any)["status"])
		require.Len(t, state["checks"], 1)
		require.Equal(t, check, state["checks"].([]any)[0].(map[string]any)["id"])
		require.Equal(t, []any{7.0, 8.0}, []any{state["groups"].([]any)[0].(map[string]any)["id"], state["groups"].([]any)[1].(map[string]any)["id"]})
		for _, name := range []string{"sessions", "checks", "groups"} {
			delete(state, name)
		}
		require.Equal(t, map[string]any{
			"now": "2000-01-01T00:01:00.000Z", "account": monitoringtest.AccountID, "requests": 3.0, "unexpected": 1.0,
			"counts":   map[string]any{"GET /v1/locations": 1.0, "GET /v1/unknown": 1.0, trigger: 1.0},
			"executed": map[string]any{trigger: 1.0}, "alertChannels": 1.0, "alertNotifications": 1.0, "maintenanceWindows": 1.0, "variables": 1.0, "snippets": 0.0, "sessionCount": 102.0,
			"faults": []any{map[string]any{
				"kind": "none", "happened": 0.0, "header": map[string]any{"X-A": []any{"b"}}, "body": "x", "probability": 1.0, "delay": "1ns", "page": 1.0, "operation": "GET /v1/variables",
			}},
		}, state)
	})
}
