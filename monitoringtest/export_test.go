package monitoringtest_test

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

// exported are the lists of an account, and what a seed calls them.
var exported = map[string]string{
	"checks": "/v1/checks?limit=100", "alertChannels": "/v1/alert-channels?limit=100", "groups": "/v1/check-groups?limit=100",
	"snippets": "/v1/snippets", "privateLocations": "/v1/private-locations?versions=true", "variables": "/v1/variables",
	"maintenanceWindows": "/v1/maintenance-windows", "errorGroups": "/v1/error-groups", "checkAlerts": "/v1/check-alerts",
}

func export(t *testing.T, svc *monitoringtest.Service) map[string]json.RawMessage {
	lists := make(map[string]json.RawMessage)
	for name, path := range exported {
		status, body := sendRaw(t, svc, "GET", path, "")
		require.Equal(t, 200, status, body)
		lists[name] = json.RawMessage(body)
	}
	return lists
}

func TestTheListsOfAnAccountAreASeed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		of, _ := monitoringtest.Run(t)
		require.NoError(t, of.Seed([]byte(`{"privateLocations":[{"name":"office"}]}`)))
		for _, body := range []string{
			`{"name":"all kinds","tags":["a"],"privateLocations":["office"],"script":"x()","environmentVariables":[{"key":"A","value":"a"}]}`,
			`{"name":"quiet","script":"y()","activated":false,"muted":true,"intent":{"goal":"g"}}`,
		} {
			status, text := sendRaw(t, of, "POST", "/v1/checks/browser", body)
			require.Equal(t, 201, status, text)
		}
		demo := monitoringtest.NewDemo()
		for _, svc := range []*monitoringtest.Service{of, demo} {
			lists := export(t, svc)
			delete(lists, "variables") // the value of a secret one is withheld
			document, err := json.Marshal(lists)
			require.NoError(t, err)
			again, _ := monitoringtest.Run(t)
			require.NoError(t, again.Seed(document), "%s", document)
			for name, list := range export(t, again) {
				if lists[name] != nil {
					require.JSONEq(t, string(lists[name]), string(list), name)
				}
			}
		}
	})
}

func TestASeedHasRunsBesideAnExportedCheck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc, client := monitoringtest.Run(t)
		id := monitoringtest.UUID("c")
		require.NoError(t, svc.Seed([]byte(`{
			"alertChannels": [{"id": 5, "type": "SLACK", "config": {"url": "u"}, "sendRecovery": false, "created_at": "now-24h", "updated_at": null,
				"subscriptions": [{"id": 1, "checkId": "`+id+`", "activated": true}], "projectBindings": [],
				"runs": {"status": "FAILURE", "response": "no", "sendTime": "1s"}}],
			"checks": [{"id": "`+id+`", "checkType": "TCP", "name": "Port", "activated": true, "muted": false, "locations": ["eu-west-1"],
				"request": {"hostname": "shop.test", "port": 443}, "alertChannelSubscriptions": [{"alertChannelId": 5, "activated": true}],
				"alertChannels": {"slack": []}, "newerThanThis": {"a": [1]}, "created_at": "now-48h", "updated_at": "2026-08-01T10:00:00.000Z",
				"runs": {"runTime": "7s", "outcomes": ["FAILED"], "error": "refused"}}]
		}`)))
		session, err := client.CheckSessions.Wait(t.Context(), triggerOne(t, client, id), monitoring.WaitOptions{})
		require.NoError(t, err)
		require.Equal(t, []any{failed, 7 * time.Second}, []any{session.Status, session.Duration()})
		time.Sleep(time.Minute)
		_, body := sendRaw(t, svc, "GET", "/v1/alert-notifications", "")
		require.Contains(t, body, `"status":"FAILURE"`)
		require.Contains(t, body, `"notificationResult":"no"`)
		_, body = sendRaw(t, svc, "GET", "/v1/checks/"+id, "")
		require.Contains(t, body, `"newerThanThis":{"a":[1]}`)
		require.Contains(t, body, `"created_at":"1999-12-30T00:00:00.000Z"`)
		require.Contains(t, body, `"alertChannels":{"email":[],"slack":[{"url":"u"}]`)
		_, body = sendRaw(t, svc, "GET", "/v1/alert-channels/5", "")
		require.Contains(t, body, `"sendRecovery":false`)
		require.Contains(t, body, `"subscriptions":[{"activated":true,"checkId":"`+id)

		dump := string(svc.Dump())
		require.Contains(t, dump, `"runTime": "7s"`)
		require.NotContains(t, dump, `"members"`)
		again := monitoringtest.New()
		require.NoError(t, again.Seed([]byte(dump)))
		require.Equal(t, dump, string(again.Dump()))
	})
}

func TestACheckOfASeedRunsInALocationOfADump(t *testing.T) {
	require.NoError(t, monitoringtest.New().Seed([]byte(`{
		"privateLocations": [{"id": "`+monitoringtest.UUID("l")+`", "name": "n", "slugName": "dc", "stored": {}}],
		"checks": [{"name": "c", "locations": ["dc"]}]
	}`)))
}

func TestMistakesOfAnExportedCheckAreTold(t *testing.T) {
	for seed, want := range map[string]string{
		`{"checks":[{"checkType":"TCP"}]}`:                                        "$.checks[0].name: is required",
		`{"checks":[{"checkType":"HTTP","name":"n"}]}`:                            `$.checks[0].checkType: "HTTP" is none of AGENTIC`,
		`{"checks":[{"checkType":"TCP","name":"n","runTime":"1s"}]}`:              "$.checks[0].runTime: stands beside checkType: how runs go stands in runs",
		`{"checks":[{"checkType":"TCP","name":"n","runs":{"runTmie":"1s"}}]}`:     "$.checks[0].runs.runTmie: is not known; known are every",
		`{"checks":[{"checkType":"TCP","name":"n","runs":{"attempts":-1}}]}`:      `$.checks[0]: check "n": -1 attempts`,
		`{"checks":[{"checkType":"TCP","name":"n","locations":["eu-west-9"]}]}`:   `$.checks[0].locations[0]: "eu-west-9" is neither a region`,
		`{"checks":[{"checkType":"TCP","name":"n","privateLocations":["dc"]}]}`:   `$.checks[0].privateLocations[0]: "dc" is neither a region`,
		`{"checks":[{"checkType":"TCP","name":"n","groupId":7}]}`:                 "$.checks[0].groupId: there is no group with the id 7",
		`{"checks":[{"checkType":"TCP","name":"n","created_at":"soon"}]}`:         `$.checks[0].created_at: "soon" is not a moment`,
		`{"checks":[{"checkType":"TCP","name":"n","muted":"yes"}]}`:               "its member muted",
		`{"alertChannels":[{"type":"EMAIL","sendFailure":true,"degraded":true}]}`: "$.alertChannels[0].degraded: is not known",
		`{"alertChannels":[{"type":"EMAIL","runs":{"sendTime":"soon"}}]}`:         `$.alertChannels[0].runs.sendTime: "soon" is not a time`,
		`{"alertChannels":[{"type":"EMAIL","runs":{"type":"SMS"}}]}`:              "$.alertChannels[0].runs.type: is not known; known are sendTime, status, response",
	} {
		err := monitoringtest.New().Seed([]byte(seed))
		require.ErrorContains(t, err, want, seed)
		require.Equal(t, 1, strings.Count(err.Error(), "$."), "each is reported once: %s", err)
	}
}
