package monitoringtest_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

func TestReportsSummarizeTheResultsOfAPeriod(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		client := clientOf(t, svc)
		time.Sleep(60 * time.Hour) // from Saturday to noon on Monday
		now := time.Now()
		shop := svc.AddCheck(monitoringtest.Check{Name: "Shop", Tags: []string{"shop", "eu"}})
		off := svc.AddCheck(monitoringtest.Check{Name: "Off", Tags: []string{"old"}, Deactivated: true})
		svc.AddCheck(monitoringtest.Check{Name: "never run", Tags: []string{"shop"}})
		add := func(check string, ago time.Duration, outcome monitoring.CheckSessionStatus, took time.Duration) string {
			return svc.AddSession(monitoringtest.Session{CheckID: check, StartedAt: now.Add(-ago - time.Second), Duration: time.Second, Outcome: outcome, ResponseTime: took})
		}
		add(shop, time.Hour, monitoring.SessionPassed, 100*time.Millisecond)
		add(shop, 2*time.Hour, monitoring.SessionDegraded, 200*time.Millisecond)
		add(shop, 3*time.Hour, monitoring.SessionFailed, 600*time.Millisecond)
		add(shop, 4*time.Hour, monitoring.SessionCancelled, 9*time.Second)
		add(shop, 13*time.Hour, monitoring.SessionPassed, 300*time.Millisecond) // at 23:00 on Sunday
		add(off, 5*time.Hour, monitoring.SessionPassed, 50*time.Millisecond)
		svc.SetResult(svc.ResultIDs(add(off, 50*time.Hour, monitoring.SessionPassed, 70*time.Millisecond))[0], map[string]any{"hasErrors": true})
		svc.AddSession(monitoringtest.Session{CheckID: shop, Attempts: 2, StartedAt: now}) // it is still running

		type part struct {
			from                string // "" for a whole period
			ratio, avg, p95, p9 float64
		}
		day := func(d int) time.Time { return time.Date(2000, 1, d, 0, 0, 0, 0, time.UTC) }
		for name, test := range map[string]struct {
			options monitoring.ReportOptions
			want    map[string][]part
		}{
			"the last 24 hours, if nothing is asked for": {monitoring.ReportOptions{},
				map[string][]part{"Shop": {{"", 0.75, 300, 600, 600}}, "Off": {{"", 1, 50, 50, 50}}}},
			"checks with one of some tags": {monitoring.ReportOptions{Tags: []string{"eu", "us"}}, map[string][]part{"Shop": {{"", 0.75, 300, 600, 600}}}},
			"checks that are deactivated":  {monitoring.ReportOptions{Deactivated: new(true)}, map[string][]part{"Off": {{"", 1, 50, 50, 50}}}},
			"checks that are not":          {monitoring.ReportOptions{Deactivated: new(false)}, map[string][]part{"Shop": {{"", 0.75, 300, 600, 600}}}},
			"a period by its ends, the second exclusive": {monitoring.ReportOptions{From: now.Add(-2 * time.Hour), To: now.Add(-time.Hour), QuickRange: monitoring.ReportLast7Days},
				map[string][]part{"Shop": {{"", 1, 200, 200, 200}}}},
			"last week ended on Monday": {monitoring.ReportOptions{QuickRange: monitoring.ReportLastWeek},
				map[string][]part{"Shop": {{"", 1, 300, 300, 300}}, "Off": {{"", 0, 70, 70, 70}}}},
			"Monday began earlier in Helsinki": {monitoring.ReportOptions{QuickRange: monitoring.ReportThisWeek, Timezone: "Europe/Helsinki", Tags: []string{"shop"}},
				map[string][]part{"Shop": {{"", 0.75, 300, 600, 600}}}},
			"last month is over": {monitoring.ReportOptions{QuickRange: monitoring.ReportLastMonth}, map[string][]part{}},
			"days without those that are empty": {monitoring.ReportOptions{QuickRange: monitoring.ReportLast7Days, Granularity: monitoring.ReportDaily}, map[string][]part{
				"Shop": {{"2000-01-02T00:00:00.000Z", 1, 300, 300, 300}, {"2000-01-03T00:00:00.000Z", 2.0 / 3, 300, 600, 600}},
				"Off":  {{"2000-01-01T00:00:00.000Z", 0, 70, 70, 70}, {"2000-01-03T00:00:00.000Z", 1, 50, 50, 50}}}},
			"weeks begin with the period": {monitoring.ReportOptions{From: day(2), To: day(4), Granularity: monitoring.ReportWeekly, Tags: []string{"shop"}}, map[string][]part{
				"Shop": {{"2000-01-02T00:00:00.000Z", 1, 300, 300, 300}, {"2000-01-03T00:00:00.000Z", 2.0 / 3, 300, 600, 600}}}},
			"months": {monitoring.ReportOptions{QuickRange: monitoring.ReportThisMonth, Granularity: monitoring.ReportMonthly, Tags: []string{"old"}},
				map[string][]part{"Off": {{"2000-01-01T00:00:00.000Z", 0.5, 60, 70, 70}}}},
		} {
			list, err := client.Reports.List(t.Context(), test.options)
			require.NoError(t, err, name)
			got := map[string][]part{}
			for _, r := range list {
				aggregates := r.Aggregates
				if r.Aggregate != nil {
					require.Empty(t, aggregates, name)
					aggregates = []monitoring.ReportAggregate{*r.Aggregate}
				}
				for _, a := range aggregates {
					one := part{"", *a.SuccessRatio, *a.Avg, *a.P95, *a.P99}
					if a.From != nil {
						require.True(t, a.From.Before(a.To.Time), name)
						one.from = a.From.Raw()
					}
					got[r.Name] = append(got[r.Name], one)
				}
				require.Equal(t, r.Name == "Off", r.Deactivated, name)
			}
			require.Equal(t, test.want, got, name)
		}
		week := svc.AddCheck(monitoringtest.Check{Name: "Week", Tags: []string{"week"}})
		add(week, 50*time.Hour, monitoring.SessionPassed, 10*time.Millisecond) // on Saturday
		add(week, 40*time.Hour, monitoring.SessionPassed, 30*time.Millisecond) // on Sunday
		weeks, err := client.Reports.List(t.Context(), monitoring.ReportOptions{From: day(1), To: day(4), Granularity: monitoring.ReportWeekly, Tags: []string{"week"}})
		require.NoError(t, err)
		require.Len(t, weeks[0].Aggregates, 1, "a week begins on Monday")
		require.Equal(t, 20.0, *weeks[0].Aggregates[0].Avg)
		svc.SetResult(svc.ResultIDs(add(svc.AddCheck(monitoringtest.Check{Tags: []string{"untimed"}}), time.Hour, monitoring.SessionPassed, 0))[0], map[string]any{"responseTime": nil})
		untimed, err := client.Reports.List(t.Context(), monitoring.ReportOptions{Tags: []string{"untimed"}})
		require.NoError(t, err)
		require.Equal(t, []float64{1, 0}, []float64{*untimed[0].Aggregate.SuccessRatio, *untimed[0].Aggregate.Avg}, "no result has a time")
		_, err = client.Reports.List(t.Context(), monitoring.ReportOptions{Timezone: "Europe/Bärlin"})
		require.ErrorIs(t, err, monitoring.ErrBadRequest)
		days, err := client.Reports.List(t.Context(), monitoring.ReportOptions{From: now.Add(-12 * time.Hour), To: now, Granularity: monitoring.ReportDaily, Tags: []string{"old"}})
		require.NoError(t, err)
		require.Equal(t, "2000-01-03T12:00:00.000Z", days[0].Aggregates[0].To.Raw(), "the last part ends with the period")
		time.Sleep(30 * 24 * time.Hour) // into February
		svc.AddSession(monitoringtest.Session{CheckID: off, StartedAt: time.Now().Add(-time.Hour), Duration: time.Second, ResponseTime: 90 * time.Millisecond})
		months, err := client.Reports.List(t.Context(), monitoring.ReportOptions{From: day(1), To: day(60), Granularity: monitoring.ReportMonthly, Tags: []string{"old"}})
		require.NoError(t, err)
		var ends []string
		for _, a := range months[0].Aggregates {
			ends = append(ends, a.To.Raw())
		}
		require.Equal(t, []string{"2000-02-01T00:00:00.000Z", "2000-02-29T00:00:00.000Z"}, ends)
	})
}
