package monitoringtest_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

// Each window lasts an hour from 2000-01-31T10:00 on.
func TestAWindowSilencesWhileItLasts(t *testing.T) {
	repeats := func(every int, unit monitoring.RepeatUnit) monitoring.MaintenanceWindow {
		return monitoring.MaintenanceWindow{RepeatInterval: monitoring.Value(every), RepeatUnit: monitoring.Value(unit)}
	}
	until := func(w monitoring.MaintenanceWindow, end string) monitoring.MaintenanceWindow {
		at, err := time.Parse(time.DateTime, end)
		require.NoError(t, err)
		w.RepeatEndsAt = monitoring.Value(monitoring.DateOf(at))
		return w
	}
	const day, week, month = monitoring.RepeatDay, monitoring.RepeatWeek, monitoring.RepeatMonth
	for name, test := range map[string]struct {
		window       monitoring.MaintenanceWindow
		silent, loud []string
	}{
		"once": {
			monitoring.MaintenanceWindow{}, []string{"2000-01-31 10:00:00", "2000-01-31 10:59:59"},
			[]string{"2000-01-31 09:59:59", "2000-01-31 11:00:00", "2000-02-01 10:30:00"},
		},
		"without a unit":    {monitoring.MaintenanceWindow{RepeatInterval: monitoring.Value(1)}, []string{"2000-01-31 10:30:00"}, []string{"2000-02-01 10:30:00"}},
		"without a number":  {monitoring.MaintenanceWindow{RepeatUnit: monitoring.Value(day)}, []string{"2000-01-31 10:30:00"}, []string{"2000-02-01 10:30:00"}},
		"every zeroth day":  {repeats(0, day), []string{"2000-01-31 10:30:00"}, []string{"2000-02-01 10:30:00"}},
		"each last day":     {repeats(-1, day), []string{"2000-01-31 10:30:00"}, []string{"2000-01-30 10:30:00", "2000-02-01 10:30:00"}},
		"each day":          {repeats(1, day), []string{"2000-02-01 10:00:00", "2009-01-01 10:59:59"}, []string{"2000-02-01 09:59:59", "2009-01-01 11:00:00", "2000-01-30 10:30:00"}},
		"every third day":   {repeats(3, day), []string{"2000-02-03 10:00:00", "2000-02-06 10:59:59"}, []string{"2000-02-01 10:30:00", "2000-02-02 10:30:00", "2000-02-04 10:30:00"}},
		"each week":         {repeats(1, week), []string{"2000-02-07 10:00:00", "2000-12-25 10:00:00"}, []string{"2000-02-06 10:30:00", "2000-02-08 10:30:00", "2000-02-07 11:00:00"}},
		"every second week": {repeats(2, week), []string{"2000-02-14 10:30:00", "2000-02-28 10:30:00"}, []string{"2000-02-07 10:30:00", "2000-02-21 10:30:00"}},
		"each month":        {repeats(1, month), []string{"2000-03-31 10:30:00", "2001-01-31 10:30:00"}, []string{"2000-02-28 10:30:00", "2000-04-28 10:30:00"}},
		"on the last day of shorter months": {
			repeats(1, month), []string{"2000-02-29 10:00:00", "2000-04-30 10:59:59", "2001-02-28 10:30:00"},
			[]string{"2000-03-01 10:30:00", "2000-03-02 10:30:00", "2000-05-01 10:30:00", "2001-03-03 10:30:00"},
		},
		"every third month": {
			repeats(3, month), []string{"2000-04-30 10:30:00", "2000-07-31 10:30:00", "2000-10-31 10:30:00"}, []string{"2000-03-31 10:30:00", "2000-05-31 10:30:00"},
		},
		"each day until a last day": {
			until(repeats(1, day), "2000-02-02 00:00:00"), []string{"2000-02-01 10:59:59", "2000-02-02 10:00:00", "2000-02-02 10:59:59"},
			[]string{"2000-02-03 10:00:00"},
		},
		"whose time does not count": {
			until(repeats(1, day), "2000-02-02 23:59:59"), []string{"2000-02-02 10:59:59"}, []string{"2000-02-03 10:30:00"},
		},
		"until before its start": {until(repeats(1, day), "2000-01-01 00:00:00"), []string{"2000-01-31 10:30:00"}, []string{"2000-02-01 10:30:00"}},
	} {
		t.Run(name, func(t *testing.T) {
			for moment, want := range moments(test.silent, test.loud) {
				synctest.Test(t, func(t *testing.T) {
					svc := monitoringtest.New(monitoringtest.WithRunTime(0))
					svc.AddAlertChannel(monitoringtest.AlertChannel{})
					check := svc.AddCheck(monitoringtest.Check{Outcome: failed, Tags: []string{"mine"}})
					w := test.window
					start := time.Date(2000, 1, 31, 10, 0, 0, 0, time.UTC)
					w.Name, w.Tags, w.StartsAt, w.EndsAt = "w", []string{"mine"}, monitoring.NewTimestamp(start), monitoring.NewTimestamp(start.Add(time.Hour))
					svc.AddMaintenanceWindow(w)
					at, err := time.Parse(time.DateTime, moment)
					require.NoError(t, err)
					time.Sleep(time.Until(at))
					triggerOne(t, clientOf(t, svc), check)
					time.Sleep(time.Second)
					require.Len(t, alerts(t, clientOf(t, svc)), want, moment)
				})
			}
		})
	}
}

// moments maps the silent moments to no alert and the loud ones to one.
func moments(silent, loud []string) map[string]int {
	want := map[string]int{}
	for _, m := range silent {
		want[m] = 0
	}
	for _, m := range loud {
		want[m] = 1
	}
	return want
}

func TestAWindowDoesNotRepeatBeforeItStarts(t *testing.T) {
	for _, unit := range []monitoring.RepeatUnit{monitoring.RepeatDay, monitoring.RepeatWeek, monitoring.RepeatMonth} {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New(monitoringtest.WithRunTime(0))
			svc.AddAlertChannel(monitoringtest.AlertChannel{})
			check := svc.AddCheck(monitoringtest.Check{Outcome: failed})
			start := time.Now().AddDate(0, 3, 0)
			svc.AddMaintenanceWindow(monitoring.MaintenanceWindow{
				Name: "w", SilenceAllAlerts: new(true), StartsAt: monitoring.NewTimestamp(start), EndsAt: monitoring.NewTimestamp(start.Add(time.Hour)),
				RepeatInterval: monitoring.Value(1), RepeatUnit: monitoring.Value(unit),
			})
			triggerOne(t, clientOf(t, svc), check)
			time.Sleep(time.Second)
			require.Len(t, alerts(t, clientOf(t, svc)), 1)
		})
	}
}

// A window that lasts longer than the time to the next one lasts on.
func TestWindowsMayOverlap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New(monitoringtest.WithRunTime(0))
		svc.AddAlertChannel(monitoringtest.AlertChannel{})
		check := svc.AddCheck(monitoringtest.Check{Outcome: failed, Name: "Login"})
		now := time.Now()
		svc.AddMaintenanceWindow(monitoring.MaintenanceWindow{
			Name: "w", SilenceAlertsTags: []string{"Login", ""}, StartsAt: monitoring.NewTimestamp(now), EndsAt: monitoring.NewTimestamp(now.Add(36 * time.Hour)),
			RepeatInterval: monitoring.Value(1), RepeatUnit: monitoring.Value(monitoring.RepeatDay), RepeatEndsAt: monitoring.Value(monitoring.DateOf(now.Add(time.Hour).UTC())),
		})
		time.Sleep(30 * time.Hour)
		triggerOne(t, clientOf(t, svc), check)
		time.Sleep(time.Second)
		require.Empty(t, alerts(t, clientOf(t, svc)), "it is for names, too")
	})
}

func TestWindowsAreSelected(t *testing.T) {
	svc := monitoringtest.New()
	for day := 1; day <= 3; day++ {
		start := time.Date(2026, 8, day, 0, 0, 0, 0, time.UTC)
		id := svc.AddMaintenanceWindow(monitoring.MaintenanceWindow{
			ID: int64(day), Name: "w", StartsAt: monitoring.NewTimestamp(start), EndsAt: monitoring.NewTimestamp(start.Add(12 * time.Hour)),
		})
		require.Equal(t, int64(day), id)
	}
	for query, want := range map[string]string{
		"": "[1 2 3]", "startsAt[gt]=2026-08-02": "[3]", "startsAt[gte]=2026-08-02": "[2 3]", "startsAt[lt]=2026-08-02": "[1]", "startsAt[lte]=2026-08-02": "[1 2]",
		"endsAt[gt]=2026-08-02T12:00:00Z": "[3]", "endsAt[gte]=2026-08-02T12:00:00Z": "[2 3]", "endsAt[lt]=2026-08-02T14:00:00%2B02:00": "[1]",
		"endsAt[lte]=2026-08-02T12:00:00.000Z": "[1 2]", "startsAt[gt]=2026-08-01&endsAt[lt]=2026-08-03": "[2]", "endsAt[gt]=2027-01-01": "[]",
		"startsAt[gte]=2026-08-02&limit=1&page=2": "[3]",
	} {
		t.Run(query, func(t *testing.T) {
			values, err := url.ParseQuery(query)
			require.NoError(t, err)
			response, body := sendOnce(t, svc, newRequest(t, "GET", "/v1/maintenance-windows?"+values.Encode(), ""))
			require.Equal(t, 200, response.StatusCode, body)
			var items []struct{ ID int }
			require.NoError(t, json.Unmarshal([]byte(body), &items))
			ids := []int{}
			for _, item := range items {
				ids = append(ids, item.ID)
			}
			require.Equal(t, want, fmt.Sprint(ids))
		})
	}
}

func TestTheLastDayOfAWindowIsIncludedInItsTimeZone(t *testing.T) {
	svc := monitoringtest.New(monitoringtest.WithRunTime(0))
	synctest.Test(t, func(t *testing.T) { // from 2000-01-01T00:00:00Z on
		svc = monitoringtest.New(monitoringtest.WithRunTime(0))
		client := clientOf(t, svc)
		svc.AddAlertChannel(monitoringtest.AlertChannel{})
		check := svc.AddCheck(monitoringtest.Check{Outcome: failed})
		zone, err := time.LoadLocation("America/New_York")
		require.NoError(t, err)
		evening := time.Date(2000, 1, 1, 22, 0, 0, 0, zone) // the next day in UTC
		_, err = client.MaintenanceWindows.Create(t.Context(), &monitoring.MaintenanceWindow{
			Name: "w", StartsAt: monitoring.NewTimestamp(evening), EndsAt: monitoring.NewTimestamp(evening.Add(time.Hour)), Timezone: monitoring.Value("America/New_York"),
			RepeatInterval: monitoring.Value(1), RepeatUnit: monitoring.Value(monitoring.RepeatDay), RepeatEndsAt: monitoring.Value(monitoring.DateOf(evening.AddDate(0, 0, 2))), SilenceAllAlerts: new(true),
		})
		require.NoError(t, err)
		for day, silent := range []bool{true, true, true, false} {
			time.Sleep(time.Until(evening.AddDate(0, 0, day).Add(time.Minute)))
			svc.SetOutcome(check, monitoring.SessionPassed)
			_, err = client.CheckSessions.Trigger(t.Context(), monitoring.TriggerRequest{AllChecks: true})
			require.NoError(t, err)
			svc.SetOutcome(check, failed)
			_, err = client.CheckSessions.Trigger(t.Context(), monitoring.TriggerRequest{AllChecks: true})
			require.NoError(t, err)
			time.Sleep(time.Hour / 2)
			page, err := client.AlertNotifications.List(t.Context(), monitoring.AlertNotificationListOptions{From: evening.AddDate(0, 0, day), To: time.Now()})
			require.NoError(t, err)
			require.Equal(t, silent, len(page.Items) == 0, "day %d: %v", day, page.Items)
		}
	})
}

// The scheduler of the demo starts a session of a check every three hours.
func TestAWindowThatPausesChecksPausesTheirSchedule(t *testing.T) {
	for name, c := range map[string]struct {
		window monitoring.MaintenanceWindow
		paused bool
	}{
		"all checks":                     {monitoring.MaintenanceWindow{PauseAllChecks: new(true)}, true},
		"those with a tag":               {monitoring.MaintenanceWindow{Tags: []string{"critical"}}, true},
		"those whose group has a tag":    {monitoring.MaintenanceWindow{Tags: []string{"checkout"}}, true},
		"others":                         {monitoring.MaintenanceWindow{Tags: []string{"database"}}, false},
		"none, if it only silences them": {monitoring.MaintenanceWindow{SilenceAllAlerts: new(true), SilenceAlertsTags: []string{"critical"}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc := monitoringtest.NewDemo()
				client := clientOf(t, svc)
				status := func() *monitoring.CheckStatus {
					s, err := client.CheckStatuses.Get(t.Context(), monitoringtest.DemoCheckID)
					require.NoError(t, err)
					return s
				}
				before := status()
				c.window.Name, c.window.StartsAt, c.window.EndsAt = "w", monitoring.NewTimestamp(time.Now()), monitoring.NewTimestamp(time.Now().Add(7*time.Hour))
				made, err := client.MaintenanceWindows.Create(t.Context(), &c.window)
				require.NoError(t, err)
				time.Sleep(6 * time.Hour)
				require.Equal(t, c.paused, before.LastCheckRunID != nil && *before.LastCheckRunID == *status().LastCheckRunID)
				require.NoError(t, client.MaintenanceWindows.Delete(t.Context(), made.ID))
				time.Sleep(4 * time.Hour)
				require.NotEqual(t, before.LastCheckRunID, status().LastCheckRunID, "a window that is deleted pauses nothing")
			})
		})
	}
}

func TestWindowsAreShownInOneForm(t *testing.T) {
	const shown = `{"startsAt":"2026-08-01T00:00:00.000Z","endsAt":"2026-08-02T10:00:00.000Z","repeatEndsAt":"2026-12-31T00:00:00.000Z"}`
	text := func(object string) string {
		members := make(map[string]json.RawMessage)
		for _, name := range []string{"startsAt", "endsAt", "repeatEndsAt"} {
			members[name] = memberOf(t, object, name)
		}
		data, err := json.Marshal(members)
		require.NoError(t, err)
		return string(data)
	}
	const repeats = `"name":"w","repeatUnit":"DAY","repeatInterval":1,`
	for name, sent := range map[string]string{
		"days and offsets":       `"startsAt":"2026-08-01","endsAt":"2026-08-02T12:00:00+02:00","repeatEndsAt":"2026-12-31"`,
		"a time of the last day": `"startsAt":"2026-08-01T00:00:00Z","endsAt":"2026-08-02T10:00:00.000Z","repeatEndsAt":"2026-12-31T23:30:00Z"`,
	} {
		t.Run(name, func(t *testing.T) {
			svc := monitoringtest.New()
			status, created := sendRaw(t, svc, "POST", "/v1/maintenance-windows", "{"+repeats+sent+"}")
			require.Equal(t, 201, status, created)
			require.JSONEq(t, shown, text(created))
			path := "/v1/maintenance-windows/" + string(memberOf(t, created, "id"))
			_, updated := sendRaw(t, svc, "PUT", path, "{"+sent+"}")
			require.JSONEq(t, shown, text(updated))
			require.NoError(t, svc.Seed([]byte(`{"maintenanceWindows":[{"id":7,`+repeats+sent+`}]}`)))
			_, seeded := sendRaw(t, svc, "GET", "/v1/maintenance-windows/7", "")
			require.JSONEq(t, shown, text(seeded))
			var added monitoring.MaintenanceWindow
			require.NoError(t, json.Unmarshal([]byte(`{"id":8,`+repeats+sent+`}`), &added))
			svc.AddMaintenanceWindow(added)
			_, read := sendRaw(t, svc, "GET", "/v1/maintenance-windows/8", "")
			require.JSONEq(t, shown, text(read))
		})
	}
}

func TestAWindowIsRefusedThatNeverIs(t *testing.T) {
	const times = `"startsAt":"2026-08-02","endsAt":"2026-08-03"`
	create := func(members string) string { return `{"name":"w","repeatUnit":"DAY",` + members + `}` }
	for name, test := range map[string]struct{ create, update, seed, message string }{
		"in the zone of the machine": {create(times + `,"timezone":"Local"`), `{"timezone":"Local"}`, `"timezone":"Local"`, `"timezone" must be the name of a time zone`},
		"in a zone that is unknown":  {create(times + `,"timezone":"Mars/Base"`), `{"timezone":"Mars/Base"}`, `"timezone":"Mars/Base"`, `"timezone" must be the name of a time zone`},
		"that ends before it starts": {create(`"startsAt":"2026-08-02","endsAt":"2026-08-01T23:59:59.999Z"`), `{"endsAt":"2026-08-01"}`, `"endsAt":"2026-08-01"`, `"endsAt" must not be before startsAt`},
		"that starts after its end":  {"", `{"startsAt":"2026-08-03T00:00:00.001Z"}`, "", `"endsAt" must not be before startsAt`},
	} {
		t.Run(name, func(t *testing.T) {
			svc := monitoringtest.New()
			if test.create != "" {
				status, body := sendRaw(t, svc, "POST", "/v1/maintenance-windows", test.create)
				require.Equal(t, 400, status)
				require.Contains(t, body, strings.ReplaceAll(test.message, `"`, `\"`))
			}
			_, made := sendRaw(t, svc, "POST", "/v1/maintenance-windows", create(times))
			status, body := sendRaw(t, svc, "PUT", "/v1/maintenance-windows/"+string(memberOf(t, made, "id")), test.update)
			require.Equal(t, 400, status)
			require.Contains(t, body, strings.ReplaceAll(test.message, `"`, `\"`))
			if test.seed != "" {
				members := create(`"startsAt":"2026-08-02","endsAt":"2026-08-03",` + test.seed)
				require.ErrorContains(t, svc.Seed([]byte(`{"maintenanceWindows":[`+members+`]}`)), "$.maintenanceWindows[0]")
				var added monitoring.MaintenanceWindow
				require.NoError(t, json.Unmarshal([]byte(members), &added))
				require.Panics(t, func() { svc.AddMaintenanceWindow(added) })
			}
		})
	}
}
