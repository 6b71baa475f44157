package monitoringtest_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

// sendOnce sends a request in memory and returns the response with its body.
func sendOnce(t *testing.T, svc *monitoringtest.Service, request *http.Request) (*http.Response, string) {
	t.Helper()
	response, err := svc.Transport().RoundTrip(request)
	require.NoError(t, err)
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response, string(body)
}

func TestAPageOfAListSaysWhereItStands(t *testing.T) {
	for _, test := range []struct {
		total       int
		query, span string
		items       int
		links       string // relation and page
	}{
		{0, "", "*/0", 0, "self 1, first 1, last 1"},
		{1, "", "0-0/1", 1, "self 1, first 1, last 1"},
		{10, "?limit=10", "0-9/10", 10, "self 1, first 1, last 1"},
		{11, "?page=1", "0-9/11", 10, "self 1, first 1, last 2, next 2"},
		{11, "?page=2", "10-10/11", 1, "self 2, first 1, last 2, prev 1"},
		{7, "?page=2&limit=2", "2-3/7", 2, "self 2, first 1, last 4, prev 1, next 3"},
		{7, "?page=4&limit=2", "6-6/7", 1, "self 4, first 1, last 4, prev 3"},
		{7, "?page=5&limit=2", "*/7", 0, "self 5, first 1, last 4, prev 4"},
		{100, "?limit=100", "0-99/100", 100, "self 1, first 1, last 1"},
		{3, "?page=9007199254740991&limit=100", "*/3", 0, "self 9007199254740991, first 1, last 1, prev 9007199254740990"},
	} {
		t.Run(fmt.Sprint(test.total, test.query), func(t *testing.T) {
			svc := monitoringtest.New()
			for i := range test.total {
				svc.AddVariable(monitoring.NewEnvironmentVariable(fmt.Sprint("V", i), "x"))
			}
			response, body := sendOnce(t, svc, newRequest(t, "GET", "/v1/variables"+test.query, ""))
			require.Equal(t, 200, response.StatusCode)
			var items []struct{ Key string }
			require.NoError(t, json.Unmarshal([]byte(body), &items))
			require.Len(t, items, test.items)
			require.Equal(t, test.span, response.Header.Get("Content-Range"))
			if first, _, found := strings.Cut(test.span, "-"); found {
				require.Equal(t, "V"+first, items[0].Key)
			}
			limit := 10
			if _, after, found := strings.Cut(test.query, "limit="); found {
				fmt.Sscan(after, &limit)
			}
			var links []string
			for relation := range strings.SplitSeq(test.links, ", ") {
				var rel, page string
				fmt.Sscan(relation, &rel, &page)
				links = append(links, fmt.Sprintf(`<https://monitoring.test/v1/variables?limit=%d&page=%s>; rel=%q`, limit, page, rel))
			}
			require.Equal(t, links, response.Header.Values("Link"))
		})
	}
}

func TestLinksKeepTheFiltersOfAList(t *testing.T) {
	response, _ := sendOnce(t, monitoringtest.New(), newRequest(t, "GET", "/v1/alert-notifications?alertChannelId=7&hasFailures=true", ""))
	require.Equal(t, `<https://monitoring.test/v1/alert-notifications?alertChannelId=7&hasFailures=true&limit=10&page=1>; rel="self"`, response.Header.Get("Link"))
}

// What a test leaves out of a record is filled in.
func TestRecordsAreCompleted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		check := svc.AddCheck(monitoringtest.Check{})
		now, earlier := monitoring.Timestamp{Time: time.Now()}, monitoring.NewTimestamp(time.Now().Add(-time.Hour))
		id := svc.AddErrorGroup(monitoring.ErrorGroup{CheckID: check})
		svc.AddErrorGroup(monitoring.ErrorGroup{ID: monitoringtest.UUID("e"), CheckID: check, LastSeen: earlier, RootCauseAnalyses: []json.RawMessage{json.RawMessage(`{}`)}})
		svc.AddErrorGroup(monitoring.ErrorGroup{ID: monitoringtest.UUID("third"), CheckID: check, FirstSeen: earlier})
		_, body := sendOnce(t, svc, newRequest(t, "GET", "/v1/error-groups/checks/"+check, ""))
		const group = `{"id":%q,"checkId":%q,"errorHash":"","rawErrorMessage":null,"cleanedErrorMessage":"","firstSeen":%q,"lastSeen":%q,` +
			`"archivedUntilNextEvent":false,"rootCauseAnalyses":[%s]}`
		const midnight, before = "2000-01-01T00:00:00.000Z", "1999-12-31T23:00:00.000Z"
		require.JSONEq(t, "["+strings.Join([]string{
			fmt.Sprintf(group, id, check, midnight, midnight, ""), fmt.Sprintf(group, monitoringtest.UUID("e"), check, before, before, "{}"),
			fmt.Sprintf(group, monitoringtest.UUID("third"), check, before, midnight, ""),
		}, ",")+"]", body)

		id = svc.AddRootCauseAnalysis(monitoring.RootCauseAnalysis{CreatedAt: earlier}, 0)
		_, body = sendOnce(t, svc, newRequest(t, "GET", "/v1/root-cause-analyses/"+id, ""))
		require.Contains(t, body, `"created_at":"`+before+`"`)
		require.Contains(t, body, `"model":"some-model-2","provider":"some-provider"`)
		id = svc.AddRootCauseAnalysis(monitoring.RootCauseAnalysis{Provider: "mine"}, time.Hour)
		response, body := sendOnce(t, svc, newRequest(t, "GET", "/v1/root-cause-analyses/"+id, ""))
		require.Equal(t, 202, response.StatusCode)
		require.JSONEq(t, `{"id":"`+id+`","status":"PENDING"}`, body)
		time.Sleep(time.Hour)
		response, body = sendOnce(t, svc, newRequest(t, "GET", "/v1/root-cause-analyses/"+id, ""))
		require.Equal(t, 200, response.StatusCode)
		require.Contains(t, body, `"model":"some-model-2","provider":"mine"`)
		require.Contains(t, body, `"created_at":"2000-01-01T01:00:00.000Z"`)

		svc.AddAlertNotification(monitoring.AlertNotification{AlertConfig: monitoring.NewSecretJSON(json.RawMessage(`{"address":"a@shop.test"}`)), Timestamp: &earlier})
		svc.AddAlertNotification(monitoring.AlertNotification{Timestamp: &now, CheckID: check})
		_, body = sendOnce(t, svc, newRequest(t, "GET", "/v1/alert-notifications", ""))
		require.Contains(t, body, `"alertConfig":{"address":"a@shop.test"}`)
		require.Contains(t, body, `"alertConfig":{}`)
		require.Contains(t, body, `"timestamp":"`+before+`"`)
		require.Contains(t, body, `"status":"SUCCESS"`)

		w := svc.AddMaintenanceWindow(monitoring.MaintenanceWindow{Name: "w", StartsAt: earlier, EndsAt: now, UpdatedAt: &earlier, RepeatEndsAt: monitoring.Value(monitoring.DateOf(earlier.UTC()))})
		_, body = sendOnce(t, svc, newRequest(t, "GET", "/v1/maintenance-windows", ""))
		require.JSONEq(t, fmt.Sprintf(`[{"id":%d,"name":"w","startsAt":%q,"endsAt":%q,"created_at":"2000-01-01T01:00:00.000Z","updated_at":%[2]q,
			"repeatEndsAt":"1999-12-31T00:00:00.000Z","tags":[],"pauseAllChecks":false,"silenceAllAlerts":false,
			"silenceAlertsTags":[],"repeatInterval":null,"repeatUnit":null,"timezone":null,"description":null}]`, w, before, midnight), body)
	})
}

// A timestamp that was read keeps its form.
func TestADayStaysADay(t *testing.T) {
	svc := monitoringtest.New()
	var group monitoring.ErrorGroup
	require.NoError(t, json.Unmarshal([]byte(`{"firstSeen":"2026-08-01","lastSeen":"2026-08-02T10:00:00+02:00"}`), &group))
	group.CheckID = svc.AddCheck(monitoringtest.Check{})
	svc.AddErrorGroup(group)
	_, body := sendOnce(t, svc, newRequest(t, "GET", "/v1/error-groups", ""))
	require.Contains(t, body, `"firstSeen":"2026-08-01"`)
	require.Contains(t, body, `"lastSeen":"2026-08-02T08:00:00.000Z"`)
}
