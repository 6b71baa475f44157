package monitoringtest_test

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

// over sends a request to the control of a service.
func over(svc *monitoringtest.Service, method, path, body string) (status int, text string) {
	w := httptest.NewRecorder()
	svc.Control().ServeHTTP(w, httptest.NewRequest(method, monitoringtest.ControlPath+path, strings.NewReader(body)))
	return w.Code, w.Body.String()
}

func TestProgramsCanDoWhatTestsInGoDo(t *testing.T) {
	svc, client := monitoringtest.Run(t, monitoringtest.WithUnexpected()) // one 401
	ctx := t.Context()
	check := svc.AddCheck(monitoringtest.Check{Name: "Checkout", RunTime: time.Hour, Error: "no route"})
	does := func(method, path, body string) {
		status, text := over(svc, method, path, body)
		require.Equal(t, 204, status, text)
	}
	does("POST", "checks/"+check+"/runs", `{"outcomes": ["FAILED"], "attempts": 1, "runTime": "2h", "result": {"traceId": "abc"}}`)
	id := triggerOne(t, client, check)
	does("POST", "advance", `{"by": "2h"}`)
	session, err := client.CheckSessions.Get(ctx, id)
	require.NoError(t, err)
	require.Equal(t, failed, session.Status)
	result, err := client.CheckResults.Get(ctx, check, session.Results[1].CheckResultID)
	require.NoError(t, err)
	require.Equal(t, "abc", *result.TraceID)
	require.Equal(t, []string{"no route"}, result.Messages(), "what was not named stays")
	does("POST", "checks/"+check+"/runs", `{"outcome": "FAILED", "error": "no answer"}`)
	id = triggerOne(t, client, check)
	does("POST", "advance", `{"by": "2h"}`)
	session, err = client.CheckSessions.Get(ctx, id)
	require.NoError(t, err)
	result, err = client.CheckResults.Get(ctx, check, session.Results[1].CheckResultID)
	require.NoError(t, err)
	require.Equal(t, []string{"no answer"}, result.Messages())

	does("POST", "checks/"+check+"/runs", `{"every": "1h"}`)
	does("POST", "advance", `{"by": "1h"}`)
	sessions := svc.Sessions()
	require.Len(t, sessions, 3)
	require.Equal(t, monitoring.RunSourceScheduler, *sessions[2].RunSource)
	does("POST", "key", `{"key": "k-2"}`)
	_, err = client.Locations.List(ctx)
	require.ErrorIs(t, err, monitoring.ErrUnauthorized)
	svc.SetAPIKey(monitoringtest.APIKey)
	location := svc.AddPrivateLocation(monitoring.PrivateLocation{Name: "dc-1", AgentCount: new(2)})
	for running, want := range map[bool]int{false: 0, true: 2} {
		does("POST", "private-locations/"+location+"/agents", fmt.Sprintf(`{"running": %t}`, running))
		list, err := client.PrivateLocations.List(ctx)
		require.NoError(t, err)
		require.Equal(t, want, *list[0].AgentCount)
	}

	status, dump := over(svc, "GET", "dump", "")
	require.Equal(t, 200, status)
	require.Equal(t, string(svc.Dump()), dump)

	group := svc.AddGroup(monitoring.CheckGroup{Name: "Shop"})
	channel := svc.AddAlertChannel(monitoringtest.AlertChannel{})
	require.Equal(t, []int64{1001, 1001}, []int64{group, channel})
	errors := svc.AddErrorGroup(monitoring.ErrorGroup{CheckID: check, ErrorHash: "h"})
	for _, path := range []string{"groups/1001", "alert-channels/1001", "error-groups/" + errors, "checks/" + check} {
		does("DELETE", path, "")
		status, text := over(svc, "DELETE", path, "")
		require.Equal(t, 404, status)
		require.Contains(t, text, "has the id")
	}
	require.Empty(t, svc.Checks())
}

func TestMistakesOfProgramsAreTold(t *testing.T) {
	svc := monitoringtest.New()
	check := svc.AddCheck(monitoringtest.Check{Name: "Checkout", Locations: []string{"eu-west-1"}})
	for _, test := range []struct{ path, body, want string }{
		{"advance", `{}`, "monitoringtest: advance: $.by: is required"},
		{"advance", `{"by": "-1s"}`, `$.by: \"-1s\" is not a time such as`},
		{"advance", `{"to": "now"}`, "$.to: is not known; known are by"},
		{"advance", `7`, "$: must be an object"},
		{"advance", ``, "$: it is not JSON"},
		{"checks/" + check + "/runs", `{"outcome": "STARTED"}`, "$: check \\\"Checkout\\\": no session ends STARTED"},
		{"checks/" + check + "/runs", `{"outcomes": [7]}`, "$.outcomes[0]: must be a string"},
		{"checks/" + check + "/runs", `{"name": "x"}`, "$.name: is not known; known are every"},
		{"checks/" + check + "/runs", `{"failIn": ["mars"]}`, "it fails in \\\"mars\\\""},
		{"checks/x/runs", `{}`, "$: there is no check with the id x"},
		{"checks/" + check + "/runs", `{"every": "1ms"}`, "the scheduler starts it every 1ms: want at least 1s"},
		{"key", `{}`, "$.key: a key that is empty"},
		{"key", `{"key": 7}`, "$.key: must be a string"},
		{"private-locations/x/agents", `{"running": true}`, "$: there is no private location with the id x"},
		{"private-locations/x/agents", `{}`, "$.running: must be true or false"},
	} {
		status, text := over(svc, "POST", test.path, test.body)
		require.Equal(t, 400, status)
		require.Contains(t, text, test.want, test.body)
	}
}

func TestASeedHasEveryKindOfObject(t *testing.T) {
	svc, client := monitoringtest.Run(t)
	ctx := t.Context()
	check, group, analysis := monitoringtest.UUID("check"), monitoringtest.UUID("group"), monitoringtest.UUID("analysis")
	require.NoError(t, svc.Seed([]byte(`{
		"checks": [{"id": "`+check+`"}],
		"errorGroups": [{"id": "`+group+`", "checkId": "`+check+`", "errorHash": "h", "firstSeen": "now-2h"}],
		"rootCauseAnalyses": [{"id": "`+analysis+`", "durationMs": 1.5, "readyAfter": "1h"}],
		"checkAlerts": [{"name": "Checkout", "checkId": "`+check+`", "created_at": "now-1h"}],
		"privateLocations": [{"name": "dc", "keys": [{"id": "`+group+`", "rawKey": "pl_1", "maskedKey": "...1", "created_at": "2026-01-01"}], "lastSeen": "now-1m"}],
		"entitlements": {"plan": "hobby"},
		"checkLimit": 1
	}`)))
	errors, err := client.ErrorGroups.Get(ctx, group)
	require.NoError(t, err)
	require.WithinDuration(t, time.Now().Add(-2*time.Hour), errors.FirstSeen.Time, time.Minute)
	_, err = client.RootCauseAnalyses.Get(ctx, analysis)
	require.NoError(t, err)
	alerts, err := client.CheckAlerts.List(ctx, monitoring.CheckAlertListOptions{})
	require.NoError(t, err)
	require.Len(t, alerts.Items, 1)
	locations, err := client.PrivateLocations.List(ctx)
	require.NoError(t, err)
	require.Equal(t, "dc", locations[0].SlugName, "a default")
	require.Equal(t, "pl_1", svc.PrivateLocations()[0].Keys[0].RawKey.Reveal())
	entitlements, err := client.Entitlements.Get(ctx, monitoringtest.AccountID)
	require.NoError(t, err)
	require.Equal(t, "hobby", entitlements.Plan)
	_, err = client.Checks.Create(ctx, &monitoring.Check{Name: "n", TCP: &monitoring.TCPRequest{Hostname: "shop.test", Port: 443}})
	require.ErrorIs(t, err, monitoring.ErrPaymentRequired)
}

func TestMistakesInOtherObjectsOfASeedAreTold(t *testing.T) {
	id := monitoringtest.UUID("x")
	tests := map[string]struct{ seed, want string }{
		"an error group of no check":             {`{"errorGroups": [{"checkId": "` + id + `"}]}`, `$.errorGroups[0].checkId: there is no check with the id "` + id + `"`},
		"two error groups with one id":           {`{"checks": [{"id": "` + id + `"}], "errorGroups": [{"id": "` + id + `", "checkId": "` + id + `"}, {"id": "` + id + `", "checkId": "` + id + `"}]}`, "$.errorGroups[1]: an error group with the id " + id},
		"an analysis without a UUID":             {`{"rootCauseAnalyses": [{"id": "a"}]}`, `$.rootCauseAnalyses[0].id: "a" is not a UUID`},
		"two analyses with one id":               {`{"rootCauseAnalyses": [{"id": "` + id + `"}, {"id": "` + id + `"}]}`, "$.rootCauseAnalyses[1]: a root cause analysis with the id"},
		"a word for a time":                      {`{"rootCauseAnalyses": [{"readyAfter": "soon"}]}`, `$.rootCauseAnalyses[0].readyAfter: "soon" is not a time`},
		"a private location without a name":      {`{"privateLocations": [{}]}`, "$.privateLocations[0].name: is required"},
		"a private location without a UUID":      {`{"privateLocations": [{"name": "dc", "id": "x"}]}`, `$.privateLocations[0].id: "x" is not a UUID`},
		"a mistyped member of an alert":          {`{"checkAlerts": [{"nmae": "x"}]}`, "$.checkAlerts[0].nmae: is not known"},
		"entitlements that are a list":           {`{"entitlements": []}`, "$.entitlements: "},
		"a negative limit":                       {`{"checkLimit": -1}`, "$.checkLimit: must not be negative"},
		"a session of a dump without runs":       {`{"sessions": [{"id": "` + id + `", "stored": {}}]}`, "$.sessions[0].stored.runs: is required"},
		"a run of a dump without results":        {`{"sessions": [{"id": "` + id + `", "stored": {"runs": [{}]}}]}`, "$.sessions[0].stored.runs[0].results: is required"},
		"a session of a dump without an id":      {`{"sessions": [{"stored": {"runs": [{"results": [{"id": "a"}]}]}}]}`, "$.sessions[0].id: is required"},
		"a check of a dump without an id":        {`{"checks": [{"stored": {}}]}`, "$.checks[0].id: is required"},
		"an unknown member of what is stored":    {`{"checks": [{"id": "` + id + `", "stored": {"color": 1}}]}`, "$.checks[0].stored.color: is not known; known are failed"},
		"an outcome of a dump that is no end":    {`{"checks": [{"id": "` + id + `", "outcome": "STARTED", "stored": {}}]}`, "$.checks[0]: no session ends STARTED"},
		"two groups of a dump with one id":       {`{"groups": [{"id": 1, "stored": {}}, {"id": 1, "stored": {}}]}`, "$.groups[1]: a group with the id 1 exists already"},
		"a group of a dump without an id":        {`{"groups": [{"stored": {}}]}`, "$.groups[0].id: is required"},
		"a channel of a dump without an id":      {`{"alertChannels": [{"stored": {}}]}`, "$.alertChannels[0].id: is required"},
		"a group of a dump that is no object":    {`{"groups": [7]}`, "$.groups[0]: must be an object"},
		"a window of a dump of a wrong type":     {`{"maintenanceWindows": [{"startsAt": 7, "stored": {}}]}`, "$.maintenanceWindows[0]: "},
		"a notification of a dump of wrong type": {`{"alertNotifications": [{"alertChannelId": "x", "stored": {}}]}`, "$.alertNotifications[0]: "},
		"a channel of an older dump":             {`{"alertChannels": [{"id": 5, "stored": {"createdAt": "2026-08-01T10:00:00Z"}}]}`, "$.alertChannels[0].stored.createdAt: is not known"},
		"what is stored that is no object":       {`{"variables": [{"key": "a", "stored": 7}]}`, "$.variables[0].stored: must be an object"},
		"a variable of a dump without a key":     {`{"variables": [{"stored": {}}]}`, "$.variables[0].key: is required"},
		"queues without a group":                 {`{"stored": {"queues": [{"ends": ["now"]}], "ids": {"check": "many"}}}`, "$.stored.ids.check: must be a number"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			require.ErrorContains(t, monitoringtest.New().Seed([]byte(test.seed)), test.want)
		})
	}
}
