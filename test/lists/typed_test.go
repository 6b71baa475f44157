package lists_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
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
	require.NoError(t, kit.Second(client.TestSessions.List(t.Context(), monitoring.TestSessionListOptions{From: time.Unix(1000, 500), To: time.Unix(1001, 500)})))
	for _, one := range sent.Sent {
		require.Equal(t, "from=1000&to=1002", one.Query(t), "the period is widened to whole seconds")
	}
}

// TestADateFilterSendsOneOperatorAndHoldsInTheResponse has a service that ignores the query, and a
// maintenance window for each of 28 days.
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

// windows is a service with 205 maintenance windows, three of which cannot be read.
func windows(req *http.Request) (*http.Response, error) {
	broken := map[int]string{101: `"repeatInterval":"often"`, 204: `"statusPageVisibility":{"enabled":"yes"}`, 205: `"name":5,"tags":{}`}
	page, _ := strconv.Atoi(req.URL.Query().Get("page"))
	var items []string
	for id := (page-1)*100 + 1; id <= min(page*100, 205); id++ {
		extra := broken[id]
		if extra == "" {
			extra = `"name":"w"`
		}
		items = append(items, fmt.Sprintf(`{"id":%d,"startsAt":"2026-08-01","endsAt":"2026-08-02",%s}`, id, extra))
	}
	return testkit.Respond(200, http.Header{"Content-Range": {fmt.Sprintf("%d-%d/205", (page-1)*100, page*100-1)}}, "["+strings.Join(items, ",")+"]"), nil
}

func TestAnItemErrorNamesThePathAndTheLoopMayGoOn(t *testing.T) {
	client, options := kit.Client(t, testkit.RoundTripper(windows)), monitoring.MaintenanceWindowListOptions{}
	for _, ahead := range []int{0, 2} {
		read := 0
		var failed []string
		for w, err := range client.MaintenanceWindows.All(t.Context(), options, monitoring.WithReadAhead(ahead)) {
			if read++; err == nil {
				require.EqualValues(t, read, w.ID, "the error is yielded instead of the item")
				continue
			}
			item := kit.ErrAs[*monitoring.ItemError](t, err)
			require.Zero(t, w)
			require.ErrorContains(t, err, fmt.Sprintf("monitoring: GET /v1/maintenance-windows: page %d: decode %s: ", item.Page, item.Path))
			require.Equal(t, item.Err, errors.Unwrap(item))
			failed = append(failed, fmt.Sprintf("%d %d %s %s", item.Page, item.Index, item.Path, item.ID))
		}
		require.Equal(t, 205, read)
		require.Equal(t, []string{"2 0 $[0].repeatInterval 101", "3 3 $[3].statusPageVisibility.enabled 204", "3 4 $[4].name 205"}, failed)
	}

	list, err := monitoring.Collect(client.MaintenanceWindows.All(t.Context(), options))
	require.ErrorContains(t, err, "$[0].repeatInterval")
	require.Len(t, list, 100, "Collect stops at the first error")

	var pages []string
	for page, err := range client.MaintenanceWindows.Pages(t.Context(), options) {
		pages = append(pages, fmt.Sprintf("%d %T", len(page.Items), err))
	}
	require.Equal(t, []string{"100 <nil>", "99 *monitoring.ItemError", "3 *errors.joinError"}, pages)

	options.Page = 2
	require.ErrorContains(t, kit.Second(client.MaintenanceWindows.List(t.Context(), options)), "page 2: decode $[0].repeatInterval")
}

func TestAPageThatIsReadAgainKeepsNothingOfTheFirstTime(t *testing.T) {
	// A long list is read in parts, and only the last part is broken.
	broken := "[" + strings.Repeat(`{"id":1,"n":5},{"id":1,"n":"x"},`, 5000) + `{"id":]`
	synctest.Test(t, func(t *testing.T) {
		client := kit.Client(t, testkit.InTurn(testkit.Status(200, broken), testkit.Status(200, `[{"id":1},{"id":2,"n":7}]`)))
		list, err := monitoring.Collect(monitoring.All[counted](t.Context(), client, "/v1/x", nil))
		require.NoError(t, err)
		require.Equal(t, []counted{{}, {7}}, list)
	})
}

func TestZeroErrorsOfListsCanBePrinted(t *testing.T) {
	require.EqualError(t, &monitoring.PageError{}, "monitoring: page 0: could not be read")
	require.EqualError(t, &monitoring.ItemError{}, "monitoring: page 0: decode an item")
	require.NoError(t, (&monitoring.PageError{}).Unwrap())
}

func TestTheErrorOfAnItemDoesNotShowASecretThatTheServiceReturns(t *testing.T) {
	const key = "key-1234567890"
	for name, value := range map[string]string{"as a value": key, "in JSON": `key\u002d1234567890`} {
		client := kit.NewClient(t, "https://monitoring.test", key, &http.Client{Transport: testkit.Status(200, `[{"id":1},{"id":2,"startsAt":"`+value+`"}]`)})
		_, one := client.MaintenanceWindows.List(t.Context(), monitoring.MaintenanceWindowListOptions{})
		_, all := monitoring.Collect(client.MaintenanceWindows.All(t.Context(), monitoring.MaintenanceWindowListOptions{}))
		for _, err := range []error{one, all} {
			item := kit.ErrAs[*monitoring.ItemError](t, err)
			require.EqualError(t, err, `monitoring: GET /v1/maintenance-windows: page 1: decode $[1].startsAt: timestamp: "[redacted]" is neither an ISO 8601 timestamp nor a calendar date`, name)
			for chain := error(item); chain != nil; chain = errors.Unwrap(chain) {
				require.NotContains(t, fmt.Sprintf("%v %+v %q", chain, chain, chain), key, name)
			}
		}
	}
}

const opAlerts = "GET /v1/alert-notifications"

// alertsEvery fills a service with an alert notification at each interval of a period.
func alertsEvery(svc *monitoringtest.Service, from, to time.Time, step time.Duration) (ids []string) {
	for at := from; at.Before(to); at = at.Add(step) {
		ids = append(ids, svc.AddAlertNotification(monitoring.AlertNotification{
			ID: fmt.Sprintf("a-%d", at.UnixMilli()), Type: monitoring.ChannelEmail, Status: monitoring.NotificationSuccess,
			Timestamp: new(monitoring.NewTimestamp(at)), AlertChannelID: at.Unix()%2 + 1,
		}))
	}
	return ids
}

func collectIDs(t *testing.T, client *monitoring.Client, options monitoring.AlertNotificationListOptions) ([]string, error) {
	list, err := monitoring.Collect(client.AlertNotifications.All(t.Context(), options))
	ids := make([]string, len(list))
	for i, n := range list {
		ids[i] = n.ID
	}
	return ids, err
}

func TestAnEndOfThePeriodOfAlertsThatIsNotGivenIsSixHoursFromTheOther(t *testing.T) {
	const day = 24 * time.Hour
	for _, c := range []struct{ from, to, sentFrom, sentTo time.Duration }{{0, 0, -6 * time.Hour, time.Second}, {-2 * day, 0, -2 * day, 6*time.Hour - 2*day}, {0, -2 * day, -2*day - 6*time.Hour, -2 * day}} {
		synctest.Test(t, func(t *testing.T) {
			client, sent := kit.Recorded(t, 200, "[]")
			now := time.Now().Add(time.Hour)
			end := func(d time.Duration) (at time.Time) {
				if d != 0 {
					at = now.Add(d)
				}
				return at
			}
			options := monitoring.AlertNotificationListOptions{AlertChannelID: 7, HasFailures: new(false), From: end(c.from), To: end(c.to)}
			seq := client.AlertNotifications.All(t.Context(), options)
			time.Sleep(time.Hour)
			require.NoError(t, kit.Second(client.AlertNotifications.List(t.Context(), options)))
			require.NoError(t, kit.Second(monitoring.Collect(seq)))
			want := fmt.Sprintf("alertChannelId=7&from=%d&hasFailures=false&to=%d", now.Add(c.sentFrom).Unix(), now.Add(c.sentTo).Unix())
			require.Equal(t, want, sent.Sent[0].Query(t))
			require.Equal(t, strings.Replace(want, "&to=", "&limit=100&page=1&to=", 1), sent.Sent[1].Query(t), "the period is fixed when the loop begins")
		})
	}
}

func TestAnIterationOverAlertsCanBeResumed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		to := time.Now().Truncate(time.Second)
		from := to.Add(-60*time.Hour + 500*time.Millisecond)
		alertsEvery(svc, from.Add(-500*time.Millisecond), from, 100*time.Millisecond)
		want := alertsEvery(svc, from, to, 15*time.Minute) // 96 in each window of a day: three pages
		client := kit.Fake(t, svc)
		whole := monitoring.AlertNotificationListOptions{From: from, To: to, ListOptions: monitoring.ListOptions{Limit: 40}}
		options, got, pages := whole, []string(nil), 0
		for options.From.Before(whole.To) {
			for page, err := range client.AlertNotifications.Pages(t.Context(), options) { // the program ends after each page
				require.NoError(t, err)
				pages++
				require.LessOrEqual(t, pages, 8, "Pages begins with options.Page")
				for _, a := range page.Items {
					got = append(got, a.ID)
				}
				require.False(t, page.To.After(whole.To))
				require.LessOrEqual(t, page.To.Sub(page.From), 24*time.Hour)
				if options.From, options.Page = page.From, page.Page+1; !page.HasMore {
					options.From, options.Page = page.To, 1
				}
				break
			}
		}
		require.Equal(t, 8, pages)
		require.ElementsMatch(t, want, got)

		svc.Inject(monitoringtest.Fault{Operation: opAlerts, Status: 403, After: 4, Times: 1})
		first, err := collectIDs(t, client, whole)
		require.ErrorIs(t, err, monitoring.ErrForbidden)
		failed := kit.ErrAs[*monitoring.PageError](t, err)
		require.Equal(t, 2, failed.Page)
		require.True(t, failed.From.Equal(from.Truncate(time.Second).Add(24*time.Hour)))
		require.ErrorContains(t, err, "monitoring: page 2 of "+failed.From.UTC().Format(time.RFC3339))
		whole.From, whole.Page = failed.From, failed.Page
		rest, err := collectIDs(t, client, whole)
		require.NoError(t, err)
		require.Equal(t, want, append(first, rest...))

		page, err := client.AlertNotifications.List(t.Context(), monitoring.AlertNotificationListOptions{})
		require.NoError(t, err)
		require.True(t, page.From.IsZero() && page.To.IsZero(), "List has one window: that of the options")
	})
}

func TestThePeriodOfAlertsIsExactOrRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const day = 24 * time.Hour
		svc := monitoringtest.New()
		client := kit.Fake(t, svc)
		second := time.Now().Truncate(time.Second).Add(-100 * time.Hour)
		alertsEvery(svc, second.Add(-3*time.Second), second.Add(6*time.Second), 100*time.Millisecond)
		svc.AddAlertNotification(monitoring.AlertNotification{
			ID: "at noon", Type: monitoring.ChannelEmail, Status: monitoring.NotificationSuccess, Timestamp: new(monitoring.NewTimestamp(second.Add(day))),
		})
		at := func(d time.Duration) time.Time { return second.Add(d) }
		for _, c := range []struct {
			name     string
			from, to time.Duration
			list     int    // items that List returns
			refused  string // the error of List, and of All if all is negative
			all      int    // items that All yields; -1 if it is refused
		}{
			{"whole seconds", 0, 2 * time.Second, 20, "", 20},
			{"a fraction of from", 500 * time.Millisecond, 2 * time.Second, 15, "", 15},
			{"a fraction of to", 0, 1700 * time.Millisecond, 17, "", 17},
			{"fractions of one second", 300 * time.Millisecond, 600 * time.Millisecond, 3, "", 3},
			{"fractions of two seconds", 800 * time.Millisecond, 1100 * time.Millisecond, 3, "", 3},
			{"the ends of a fraction", 300 * time.Millisecond, 300*time.Millisecond + 1, 1, "", 1},
			{"equal ends", 0, 0, 0, "to: must be after from", -1},
			{"equal ends with a fraction", 300 * time.Millisecond, 300 * time.Millisecond, 0, "to: must be after from", -1},
			{"from after to within one second", 600 * time.Millisecond, 300 * time.Millisecond, 0, "to: must be after from", -1},
			{"from after to", time.Second, 0, 0, "to: must be after from", -1},
			{"24 hours", 0, day, 60, "", 60},
			{"24 hours with a fraction", 500 * time.Millisecond, day + 500*time.Millisecond, 0, "to: is 24 hours after from, too long because both have a fraction of a second: pass whole seconds, or use All", 56},
			{"24 hours from a whole second to a fraction", 0, day + time.Nanosecond, 0, "to: is more than 24 hours after from: All iterates over longer periods", 61},
			{"nearly 24 hours from a fraction", 500 * time.Millisecond, day, 55, "", 55},
			{"more than 24 hours", -time.Second, day + time.Second, 0, "to: is more than 24 hours after from", 71},
		} {
			svc.ResetRequests()
			options := monitoring.AlertNotificationListOptions{From: at(c.from), To: at(c.to)}
			options.Limit = 100
			page, err := client.AlertNotifications.List(t.Context(), options)
			if c.refused != "" {
				require.ErrorContains(t, err, c.refused, c.name)
				require.Empty(t, svc.Requests(), c.name)
			} else {
				require.NoError(t, err, c.name)
				require.Len(t, page.Items, c.list, c.name)
			}
			svc.ResetRequests()
			ids, err := collectIDs(t, client, options)
			if c.all < 0 {
				require.ErrorContains(t, err, c.refused, c.name)
				require.IsType(t, (*monitoring.ValidationError)(nil), err, c.name)
				require.Empty(t, svc.Requests(), c.name)
				continue
			}
			require.NoError(t, err, c.name)
			require.Len(t, ids, c.all, c.name)
		}
	})
}

// A service may treat both ends of a window as inclusive. Each window also has an alert without a
// timestamp.
func TestAlertsBetweenTwoWindowsAreYieldedOnce(t *testing.T) {
	client := kit.Client(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
		return testkit.Respond(200, nil, `[{"id":"seam","timestamp":"2026-01-02T00:00:00Z"},{"id":"w`+req.URL.Query().Get("from")+`","timestamp":null}]`), nil
	}))
	from := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	ids, err := collectIDs(t, client, monitoring.AlertNotificationListOptions{From: from, To: from.Add(48 * time.Hour)})
	require.NoError(t, err)
	require.Equal(t, []string{"seam", "w1767225600", "w1767312000"}, ids)
}

// A list is read item by item, so that one that cannot be read does not cost the rest.
func TestALongListIsReadLikeAShortOne(t *testing.T) {
	text := "[" + strings.Repeat(`{"id":1,"name":"`+strings.Repeat("x", 90)+`"}, null,{"id":2.0,"name":"][{\"}"} ,`, 1000) + "null]"
	var want []monitoring.MaintenanceWindow
	require.NoError(t, json.Unmarshal([]byte(text), &want))
	got, err := monitoring.Do[[]monitoring.MaintenanceWindow](t.Context(), kit.Once(t, testkit.Status(200, text)), "GET", "/v1/x", nil, nil)
	require.NoError(t, err)
	require.Len(t, want, 3001)
	require.Len(t, *got, 3001)
	for i := range want {
		require.Equal(t, kit.ToJSON(t, want[i]), kit.ToJSON(t, (*got)[i]))
	}
}
