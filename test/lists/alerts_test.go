package lists_test

import (
	"fmt"
	"net/http"
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
	for _, c := range []struct{ from, to, sentFrom, sentTo time.Duration }{{0, 0, -6 * time.Hour, 0}, {-2 * day, 0, -2 * day, 6*time.Hour - 2*day}, {0, -2 * day, -2*day - 6*time.Hour, -2 * day}} {
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
			{"24 hours with a fraction", 500 * time.Millisecond, day + 500*time.Millisecond, 0, "to: is 24 hours after from, which is too long because both have a fraction of a second; give whole seconds, or use All", 56},
			{"24 hours from a whole second to a fraction", 0, day + time.Nanosecond, 0, "to: is more than 24 hours after from; All iterates over longer periods", 61},
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

// A service may treat both ends of a window as inclusive. Each window also has an alert without a timestamp.
func TestAlertsBetweenTwoWindowsAreYieldedOnce(t *testing.T) {
	client := kit.Client(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
		return testkit.Respond(200, nil, `[{"id":"seam","timestamp":"2026-01-02T00:00:00Z"},{"id":"w`+req.URL.Query().Get("from")+`","timestamp":null}]`), nil
	}))
	from := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	ids, err := collectIDs(t, client, monitoring.AlertNotificationListOptions{From: from, To: from.Add(48 * time.Hour)})
	require.NoError(t, err)
	require.Equal(t, []string{"seam", "w1767225600", "w1767312000"}, ids)
}
