package lists_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestTheResultsOfACheckAreReadByCursor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New(monitoringtest.WithRouteLimits())
		check := svc.AddCheck(monitoringtest.Check{RunTime: time.Second})
		client := kit.Fake(t, svc)
		for range 5 {
			_, err := client.CheckSessions.Trigger(t.Context(), monitoring.TriggerRequest{Target: monitoring.TriggerTarget{CheckIDs: []string{check}}})
			require.NoError(t, err)
			time.Sleep(time.Minute)
		}
		options := monitoring.CheckResultListOptions{Limit: 2}
		all, err := monitoring.Collect(client.CheckResults.AllForCheck(t.Context(), check, options, monitoring.WithReadAhead(8)))
		require.NoError(t, err)
		require.Len(t, all, 5)
		for i := range all[1:] {
			require.True(t, all[i].CreatedAt.After(all[i+1].CreatedAt.Time))
		}

		svc.Inject(monitoringtest.Fault{Operation: "GET /v2/check-results/{checkId}", Status: 403, After: 2, Times: 1})
		first, err := monitoring.Collect(client.CheckResults.AllForCheck(t.Context(), check, options))
		options.NextID = kit.ErrAs[*monitoring.PageError](t, err).NextID
		page, err := client.CheckResults.List(t.Context(), check, options)
		require.NoError(t, err)
		require.Equal(t, all, append(first, page.Items...))
		require.Equal(t, []any{false, ""}, []any{page.HasMore, page.NextID})

		page, err = client.CheckResults.List(t.Context(), check, monitoring.CheckResultListOptions{Limit: 1, Fields: []string{"id", "createdAt"}})
		require.NoError(t, err)
		require.Equal(t, monitoring.CheckResult{ID: all[0].ID, CreatedAt: all[0].CreatedAt}, page.Items[0], "a projection has what it was asked for")
		require.True(t, page.HasMore && page.NextID != "")
	})
	client, sent := kit.Recorded(t, 200, `{"length":0}`)
	require.NoError(t, kit.Second(client.CheckResults.List(t.Context(), kit.UUID1, monitoring.CheckResultListOptions{From: time.Unix(1000, 500), To: time.Unix(1001, 500)})))
	require.Equal(t, "from=1000&to=1002", sent.Sent[0].Query(t), "the period is widened to whole seconds")
}

// TestADateFilterSendsOneOperatorAndHoldsInTheResponse has a service that ignores the query, and a maintenance window for
// each of 28 days.
func TestADateFilterSendsOneOperatorAndHoldsInTheResponse(t *testing.T) {
	var windows []string
	for n := range 28 {
		windows = append(windows, fmt.Sprintf(`{"id":%d,"name":"w","startsAt":"2026-08-%02d","endsAt":"2026-08-%02dT12:00:00.000Z","created_at":"2026-08-01","updated_at":null}`, n+1, n+1, n+1))
	}
	query := ""
	client := kit.Client(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
		query, _ = url.QueryUnescape(req.URL.RawQuery)
		return testkit.Respond(200, nil, "["+strings.Join(windows, ",")+"]"), nil
	}))
	day := func(n int) time.Time { return time.Date(2026, 8, n, 0, 0, 0, 0, time.UTC) }
	noon, east := day(5).Add(12*time.Hour), time.FixedZone("", 2*60*60)
	type filter = monitoring.DateFilter
	for name, c := range map[string]struct {
		starts, ends filter
		query        string
		first, last  int64
	}{
		"nothing":                          {filter{}, filter{}, "", 1, 28},
		"the zero time of a zone: nothing": {filter{GTE: time.Time{}.In(east)}, filter{}, "", 1, 28},
		"from a day on":                    {filter{GTE: day(5)}, filter{}, "startsAt[gte]=2026-08-05", 5, 28},
		"after a day":                      {filter{GT: day(5)}, filter{}, "startsAt[gt]=2026-08-05", 6, 28},
		"before a day":                     {filter{LT: day(5)}, filter{}, "startsAt[lt]=2026-08-05", 1, 4},
		"up to a day":                      {filter{LTE: day(5)}, filter{}, "startsAt[lte]=2026-08-05", 1, 5},
		"from a time on: the whole day":    {filter{}, filter{GTE: noon}, "endsAt[gte]=2026-08-05", 5, 28},
		"after a time: the whole day":      {filter{}, filter{GT: noon}, "endsAt[gte]=2026-08-05", 6, 28},
		"before a time: the whole day":     {filter{}, filter{LT: noon}, "endsAt[lt]=2026-08-06", 1, 4},
		"up to a time: the whole day":      {filter{}, filter{LTE: noon}, "endsAt[lt]=2026-08-06", 1, 5},
		"a span: only the lower bound":     {filter{GTE: day(5), LT: day(9)}, filter{}, "startsAt[gte]=2026-08-05", 5, 8},
		"both fields":                      {filter{GT: day(5)}, filter{LTE: day(9)}, "endsAt[lte]=2026-08-09&startsAt[gt]=2026-08-05", 6, 8},
		"a zone: the day it is in UTC":     {filter{GTE: time.Date(2026, 8, 5, 1, 0, 0, 0, east)}, filter{}, "startsAt[gte]=2026-08-04", 5, 28},
		"midnight of a zone is not of UTC": {filter{LT: time.Date(2026, 8, 5, 0, 0, 0, 0, east)}, filter{}, "startsAt[lt]=2026-08-05", 1, 4},
	} {
		page, err := client.MaintenanceWindows.List(t.Context(), monitoring.MaintenanceWindowListOptions{StartsAt: c.starts, EndsAt: c.ends})
		require.NoError(t, err, name)
		require.Equal(t, c.query, query, name)
		require.Equal(t, []int64{c.first, c.last}, []int64{page.Items[0].ID, page.Items[len(page.Items)-1].ID}, name)
	}
	_, err := client.MaintenanceWindows.List(t.Context(), monitoring.MaintenanceWindowListOptions{StartsAt: filter{GT: day(1), GTE: day(1), LT: day(2), LTE: day(2)}})
	require.ErrorContains(t, err, "startsAt: has both gt and gte; startsAt: has both lt and lte")
}
