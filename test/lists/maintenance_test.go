package lists_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestFiltersOfMaintenanceWindowsAreAppliedToTheResponse(t *testing.T) {
	day := func(n int) time.Time { return time.Date(2026, 8, n, 0, 0, 0, 0, time.UTC) }
	var body []string
	for n := range 28 {
		body = append(body, fmt.Sprintf(`{"id":%d,"name":"w","startsAt":"2026-08-%02d","endsAt":"2026-08-%02dT12:00:00.000Z","created_at":"2026-08-01","updated_at":null}`, n+1, n+1, n+1))
	}
	var query string
	client := kit.Client(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
		query = req.URL.RawQuery // this service ignores the query
		return testkit.Respond(200, nil, "["+strings.Join(body, ",")+"]"), nil
	}))
	for _, c := range []struct {
		name        string
		filter      monitoring.MaintenanceWindowListOptions
		query       string
		first, last int64
	}{
		{"the client applies the second bound", monitoring.MaintenanceWindowListOptions{StartsAt: monitoring.DateFilter{GTE: day(5), LT: day(9)}}, "startsAt%5Bgte%5D=2026-08-05", 5, 8},
		{"both fields", monitoring.MaintenanceWindowListOptions{StartsAt: monitoring.DateFilter{GT: day(5)}, EndsAt: monitoring.DateFilter{LTE: day(9)}}, "endsAt%5Blte%5D=2026-08-09&startsAt%5Bgt%5D=2026-08-05", 6, 8},
		{"a time of day is widened to its day", monitoring.MaintenanceWindowListOptions{EndsAt: monitoring.DateFilter{LT: day(9).Add(13 * time.Hour)}}, "endsAt%5Blt%5D=2026-08-10", 1, 9},
		{"a lower bound is widened, too", monitoring.MaintenanceWindowListOptions{EndsAt: monitoring.DateFilter{GT: day(9).Add(12 * time.Hour)}}, "endsAt%5Bgte%5D=2026-08-09", 10, 28},
		{"another zone", monitoring.MaintenanceWindowListOptions{StartsAt: monitoring.DateFilter{LTE: day(9).Add(time.Hour).In(time.FixedZone("x", 7200))}}, "startsAt%5Blt%5D=2026-08-10", 1, 9},
	} {
		t.Run(c.name, func(t *testing.T) {
			page, err := client.MaintenanceWindows.List(t.Context(), c.filter)
			require.NoError(t, err)
			require.Equal(t, c.query, query)
			require.Equal(t, c.first, page.Items[0].ID)
			require.Equal(t, c.last, page.Items[len(page.Items)-1].ID)
		})
	}
	_, err := client.MaintenanceWindows.List(t.Context(), monitoring.MaintenanceWindowListOptions{StartsAt: monitoring.DateFilter{GT: day(1), GTE: day(1), LT: day(2), LTE: day(2)}})
	require.ErrorContains(t, err, "startsAt: has both gt and gte; startsAt: has both lt and lte")
}

func TestADateFilterSendsTheNarrowestOperator(t *testing.T) {
	day := time.Date(2026, 8, 1, 0, 0, 0, 0, time.UTC)
	noon := day.Add(12 * time.Hour)
	berlin := time.FixedZone("", 2*60*60)
	for name, c := range map[string]struct {
		filter monitoring.DateFilter
		want   string
	}{
		"nothing":                          {monitoring.DateFilter{}, ""},
		"the zero time of a zone: nothing": {monitoring.DateFilter{GTE: time.Time{}.In(berlin)}, ""},
		"from a day on":                    {monitoring.DateFilter{GTE: day}, "startsAt[gte]=2026-08-01"},
		"after a day":                      {monitoring.DateFilter{GT: day}, "startsAt[gt]=2026-08-01"},
		"before a day":                     {monitoring.DateFilter{LT: day}, "startsAt[lt]=2026-08-01"},
		"up to a day":                      {monitoring.DateFilter{LTE: day}, "startsAt[lte]=2026-08-01"},
		"from a time on: the whole day":    {monitoring.DateFilter{GTE: noon}, "startsAt[gte]=2026-08-01"},
		"after a time: the whole day":      {monitoring.DateFilter{GT: noon}, "startsAt[gte]=2026-08-01"},
		"before a time: the whole day":     {monitoring.DateFilter{LT: noon}, "startsAt[lt]=2026-08-02"},
		"up to a time: the whole day":      {monitoring.DateFilter{LTE: noon}, "startsAt[lt]=2026-08-02"},
		"a span: only the lower bound":     {monitoring.DateFilter{GTE: day, LT: day.AddDate(0, 1, 0)}, "startsAt[gte]=2026-08-01"},
		"a zone: the day it is in UTC":     {monitoring.DateFilter{GTE: time.Date(2026, 8, 1, 1, 0, 0, 0, berlin)}, "startsAt[gte]=2026-07-31"},
		"midnight of a zone is not of UTC": {monitoring.DateFilter{LT: time.Date(2026, 8, 1, 0, 0, 0, 0, berlin)}, "startsAt[lt]=2026-08-01"},
	} {
		t.Run(name, func(t *testing.T) {
			client, sent := kit.Recorded(t, 200, `[]`)
			_, err := client.MaintenanceWindows.List(t.Context(), monitoring.MaintenanceWindowListOptions{StartsAt: c.filter})
			require.NoError(t, err)
			_, err = client.MaintenanceWindows.List(t.Context(), monitoring.MaintenanceWindowListOptions{EndsAt: c.filter})
			require.NoError(t, err)
			require.Equal(t, c.want, sent.Sent[0].Query(t))
			require.Equal(t, strings.ReplaceAll(c.want, "startsAt", "endsAt"), sent.Sent[1].Query(t))
		})
	}
}
