package monitoringtest_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/operations"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

// spelledOtherwise writes an id of a kind in another way that is the same id.
func spelledOtherwise(kind operations.ID, id string) string {
	switch kind {
	case operations.UUID:
		return strings.ToUpper(id)
	case operations.Number:
		return "00" + id
	}
	return id
}

func TestAnIDInAPathCountsByItsValue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := demo()
		client := clientOf(t, svc)
		session := svc.AddSession(monitoringtest.Session{CheckID: monitoringtest.DemoCheckID, Duration: 1})
		location := svc.PrivateLocations()[0]
		channel, other := svc.AddAlertChannel(monitoringtest.AlertChannel{}), svc.AddAlertChannel(monitoringtest.AlertChannel{})
		window := svc.AddMaintenanceWindow(monitoring.MaintenanceWindow{Name: "Move"})
		require.NoError(t, callAny(t.Context(), client, "GET", "/v2/check-sessions/"+session+"/completion", nil, nil, nil))
		result := svc.ResultIDs(session)[0]
		svc.AddAsset(result, monitoring.CheckResultAsset{Name: "trace.zip"})
		ids := map[string][]string{
			"GET /v1/check-sessions/{checkSessionId}":                  {session},
			"GET /v2/check-sessions/{checkSessionId}":                  {session},
			"GET /v2/check-sessions/{checkSessionId}/completion":       {session},
			"GET /v1/check-results/{checkId}/{checkResultId}":          {monitoringtest.DemoCheckID, result},
			"GET /v1/check-results/{checkId}/{checkResultId}/assets":   {monitoringtest.DemoCheckID, result},
			"GET /v1/private-locations/{id}":                           {location.ID},
			"GET /v1/maintenance-windows/{id}":                         {strconv.FormatInt(window, 10)},
			"GET /v1/alert-channels/{id}":                              {strconv.FormatInt(channel, 10)},
			"PATCH /v1/error-groups/{id}":                              {knownIDs["GET /v1/error-groups/{id}"][0]},
			"POST /v1/check-sessions/{checkSessionId}/cancel":          {session},
			"DELETE /v1/private-locations/{id}/keys/{keyId}":           {location.ID, location.Keys[0].ID},
			"DELETE /v1/status-pages/services/{serviceId}":             {monitoringtest.DemoStatusPageServiceID},
			"DELETE /v1/checks/{id}":                                   {monitoringtest.DemoBrowserCheckID},
			"DELETE /v1/alert-channels/{id}":                           {strconv.FormatInt(other, 10)},
			"GET /v1/snippets/{id}":                                    {"4321"},
			"POST /v1/root-cause-analyses/error-groups/{errorGroupId}": {knownIDs["GET /v1/error-groups/{id}"][0]},
			"PUT /v1/alert-channels/{id}":                              {strconv.FormatInt(channel, 10)},
		}
		for operation, known := range knownIDs {
			ids[operation] = known
		}
		bodies := map[string]any{
			"PATCH /v1/error-groups/{id}":                     map[string]any{"archivedUntilNextEvent": true},
			"POST /v1/check-sessions/{checkSessionId}/cancel": map[string]any{},
			"PUT /v1/alert-channels/{id}":                     map[string]any{"type": "EMAIL", "config": map[string]any{"address": "a@shop.test"}},
		}
		for operation, known := range ids {
			o, found := operations.Find(operation)
			require.True(t, found, operation)
			method, path, _ := strings.Cut(operation, " ")
			usual, otherwise := path, path
			for i, name := range o.Placeholders() {
				usual = strings.Replace(usual, "{"+name+"}", known[i], 1)
				otherwise = strings.Replace(otherwise, "{"+name+"}", spelledOtherwise(o.IDs[i], known[i]), 1)
			}
			if method != http.MethodGet {
				require.NoError(t, callAny(t.Context(), client, method, otherwise, nil, bodies[operation], nil), operation)
				require.Equal(t, 1, svc.ExecutedOn(operation, strings.ToUpper(known[0])), operation)
				require.Equal(t, 1, svc.ExecutedOn(operation, known[0]), operation)
				continue
			}
			var got, want any
			require.NoError(t, callAny(t.Context(), client, method, otherwise, nil, nil, &got), operation)
			require.NoError(t, callAny(t.Context(), client, method, usual, nil, nil, &want), operation)
			require.Equal(t, want, got, operation)
		}
	})
}

func TestAnIDIsShownAsATestHasWrittenIt(t *testing.T) {
	written := strings.ToUpper(monitoringtest.UUID("login"))
	svc := monitoringtest.New()
	require.Equal(t, written, svc.AddCheck(monitoringtest.Check{ID: written}))
	group := svc.AddErrorGroup(monitoring.ErrorGroup{CheckID: strings.ToLower(written)})
	client := clientOf(t, svc)
	check, err := client.Checks.Get(t.Context(), strings.ToLower(written))
	require.NoError(t, err)
	require.Equal(t, written, check.ID)
	page, err := client.ErrorGroups.ListForCheck(t.Context(), strings.ToUpper(written), monitoring.ErrorGroupListOptions{})
	require.NoError(t, err)
	require.Equal(t, group, page.Items[0].ID)
	require.Panics(t, func() { svc.AddCheck(monitoringtest.Check{ID: strings.ToLower(written)}) }, "it is the same id")
}

func TestAGroupThatIsCreatedHasANewID(t *testing.T) {
	svc := monitoringtest.New()
	_, body := sendRaw(t, svc, "POST", "/v2/check-groups", `{"name":"first"}`)
	next := int64(decoded(t, []byte(body))["id"].(float64)) + 1
	svc.AddGroup(monitoring.CheckGroup{ID: next, Name: "of a test"})
	_, body = sendRaw(t, svc, "POST", "/v2/check-groups", `{"name":"second"}`)
	require.Greater(t, int64(decoded(t, []byte(body))["id"].(float64)), next)
	group, ok := svc.Group(next)
	require.True(t, ok)
	require.Equal(t, "of a test", group.Name)
}

func TestAnAssetSaysItsSourceUnlessATestDoes(t *testing.T) {
	svc, client := monitoringtest.Run(t)
	check := svc.AddCheck(monitoringtest.Check{})
	result := svc.ResultIDs(svc.AddSession(monitoringtest.Session{CheckID: check, Duration: 1, StartedAt: time.Now().Add(-time.Minute)}))[0]
	svc.AddAsset(result, monitoring.CheckResultAsset{Name: "a"})
	svc.AddAsset(result, monitoring.CheckResultAsset{Name: "b", Source: monitoring.AssetSource{Type: "later"}})
	assets, err := client.CheckResults.Assets(t.Context(), check, result, monitoring.CheckResultAssetOptions{})
	require.NoError(t, err)
	require.Equal(t, []string{"check-result", "later"}, []string{assets.Assets[0].Source.Type, assets.Assets[1].Source.Type})
	require.PanicsWithValue(t, "monitoringtest: there is no result with the id x", func() { svc.AddAsset("x", monitoring.CheckResultAsset{}) })
	require.PanicsWithValue(t, "monitoringtest: there is no result with the id x", func() { svc.SetResult("x", nil) })
}

// A service cleans the message of an error, and groups it by both.
func TestAnErrorIsNotedInTheGroupOfItsMessage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc, client := monitoringtest.Run(t)
		check := svc.AddCheck(monitoringtest.Check{Outcome: failed, Error: "timeout after 30001 ms"})
		group := svc.AddErrorGroup(monitoring.ErrorGroup{CheckID: check, CleanedErrorMessage: "timeout after N ms", RawErrorMessage: new("timeout after 30001 ms")})
		triggerOne(t, client, check)
		time.Sleep(time.Minute)
		page, err := client.ErrorGroups.ListForCheck(t.Context(), check, monitoring.ErrorGroupListOptions{})
		require.NoError(t, err)
		require.Len(t, page.Items, 1)
		require.Equal(t, group, page.Items[0].ID)
		svc.SetRuns(check, func(c *monitoringtest.Check) { c.Error = "refused" })
		triggerOne(t, client, check)
		time.Sleep(time.Minute)
		page, err = client.ErrorGroups.ListForCheck(t.Context(), check, monitoring.ErrorGroupListOptions{})
		require.NoError(t, err)
		require.Len(t, page.Items, 2)
	})
}

func TestAFaultHappensToAnIDInAnyCase(t *testing.T) {
	svc := demo()
	svc.Inject(monitoringtest.Fault{ID: strings.ToUpper(monitoringtest.DemoCheckID), Status: http.StatusTeapot})
	_, err := clientOf(t, svc).Checks.Get(t.Context(), monitoringtest.DemoCheckID, monitoring.WithMaxRetries(0))
	var refused *monitoring.APIError
	require.ErrorAs(t, err, &refused)
	require.Equal(t, http.StatusTeapot, refused.StatusCode)
}

func TestIDsStayUniqueAfterRunsInTheDemo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := demo()
		client := clientOf(t, svc)
		check := svc.AddCheck(monitoringtest.Check{Outcomes: []monitoring.CheckSessionStatus{
			monitoring.SessionFailed, monitoring.SessionPassed, monitoring.SessionFailed, monitoring.SessionPassed}, Error: "refused"})
		for range 4 {
			_, err := client.CheckSessions.TriggerAndWait(t.Context(),
				monitoring.TriggerRequest{Target: monitoring.TriggerTarget{CheckIDs: []string{check}}}, monitoring.WaitOptions{})
			require.NoError(t, err)
			time.Sleep(12 * time.Hour) // the schedule of the demo adds four sessions, and alerts of two
		}
		var account map[string]json.RawMessage
		require.NoError(t, json.Unmarshal(svc.Dump(), &account))
		ids := make(map[string][]string)
		for _, kind := range []string{"checkAlerts", "alertNotifications", "errorGroups"} {
			var objects []struct{ ID string }
			require.NoError(t, json.Unmarshal(account[kind], &objects), kind)
			for _, o := range objects {
				ids[kind] = append(ids[kind], o.ID)
			}
		}
		for _, session := range svc.Sessions() {
			ids["results"] = append(ids["results"], svc.ResultIDs(session.CheckSessionID)...)
		}
		for kind, least := range map[string]int{"checkAlerts": 12 + 8 + 4, "alertNotifications": 2 * (12 + 8), "errorGroups": 2, "results": 24 + 16 + 4} {
			list := ids[kind]
			require.GreaterOrEqual(t, len(list), least, kind)
			slices.Sort(list)
			require.Len(t, slices.Compact(slices.Clone(list)), len(list), kind)
		}
		alerts, err := monitoring.Collect(client.CheckAlerts.All(t.Context(),
			monitoring.CheckAlertListOptions{From: time.Now().AddDate(0, 0, -7), To: time.Now()}))
		require.NoError(t, err)
		require.Len(t, alerts, len(ids["checkAlerts"]), "All yields each of them")
	})
}
