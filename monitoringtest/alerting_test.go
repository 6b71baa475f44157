package monitoringtest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

const failed, passed, degraded = monitoring.SessionFailed, monitoring.SessionPassed, monitoring.SessionDegraded

// alerts returns the alert notifications of the last 24 hours.
func alerts(t *testing.T, client *monitoring.Client) []monitoring.AlertNotification {
	t.Helper()
	list, err := monitoring.Collect(client.AlertNotifications.All(t.Context(), monitoring.AlertNotificationListOptions{
		From: time.Now().Add(-24 * time.Hour), To: time.Now().Add(time.Second),
	}))
	require.NoError(t, err)
	return list
}

func TestRunsThatFailOrRecoverAlert(t *testing.T) {
	group := func(members string) string {
		return `{"id":7,"name":"shop","activated":true,"concurrency":3,"tags":["checkout"],"apiCheckDefaults":{}` + members + `}`
	}
	settings := func(s string) map[string]any { // settings of the check, not of the account
		return map[string]any{"useGlobalAlertSettings": false, "alertSettings": json.RawMessage(s)}
	}
	until := func(outcome monitoring.CheckSessionStatus, n int) []monitoring.CheckSessionStatus {
		return append(slices.Repeat([]monitoring.CheckSessionStatus{outcome}, n), passed)
	}
	tests := map[string]struct {
		channel  monitoringtest.AlertChannel
		check    monitoringtest.Check
		group    string
		window   *monitoring.MaintenanceWindow
		outcomes []monitoring.CheckSessionStatus
		want     []int // the sessions that alert
	}{
		"once for failures and once for a recovery": {outcomes: []monitoring.CheckSessionStatus{passed, failed, failed, passed, passed}, want: []int{1, 3}},
		"for a timeout":                             {outcomes: []monitoring.CheckSessionStatus{monitoring.SessionTimedOut}, want: []int{0}},
		"not when all of them pass":                 {outcomes: []monitoring.CheckSessionStatus{passed, passed}},
		"not when they are cancelled":               {outcomes: []monitoring.CheckSessionStatus{monitoring.SessionCancelled, "SOMETHING_NEW"}},
		"not when they are degraded":                {outcomes: []monitoring.CheckSessionStatus{degraded, passed}},
		"when they are degraded, if a channel asks": {channel: monitoringtest.AlertChannel{Degraded: true}, outcomes: []monitoring.CheckSessionStatus{degraded, degraded, passed}, want: []int{0, 2}},
		"when they are degraded, and not again":     {channel: monitoringtest.AlertChannel{Degraded: true, NoRecoveries: true}, outcomes: []monitoring.CheckSessionStatus{degraded, passed}, want: []int{0}},
		"for failures only, if a channel asks":      {channel: monitoringtest.AlertChannel{NoRecoveries: true}, outcomes: []monitoring.CheckSessionStatus{failed, passed}, want: []int{0}},
		"for recoveries only, if a channel asks":    {channel: monitoringtest.AlertChannel{NoFailures: true}, outcomes: []monitoring.CheckSessionStatus{failed, passed}, want: []int{1}},
		"not when the check is muted":               {check: monitoringtest.Check{Muted: true}, outcomes: []monitoring.CheckSessionStatus{failed, passed}},
		"not when its group is muted":               {check: monitoringtest.Check{GroupID: 7}, group: group(`,"muted":true`), outcomes: []monitoring.CheckSessionStatus{failed}},
		"not when the check is not subscribed":      {check: monitoringtest.Check{Members: map[string]any{"alertChannelSubscriptions": []any{}}}, outcomes: []monitoring.CheckSessionStatus{failed}},
		"when its group is subscribed": {
			check: monitoringtest.Check{GroupID: 7, Members: map[string]any{"alertChannelSubscriptions": []any{}}},
			group: group(`,"alertChannelSubscriptions":[{"alertChannelId":5,"activated":true}]`), outcomes: []monitoring.CheckSessionStatus{failed}, want: []int{0},
		},
		"not when the subscription is off": {
			check:    monitoringtest.Check{Members: map[string]any{"alertChannelSubscriptions": []any{map[string]any{"alertChannelId": 5, "activated": false}}}},
			outcomes: []monitoring.CheckSessionStatus{failed},
		},
		"after as many failures as the check says": {
			check:    monitoringtest.Check{Members: settings(`{"escalationType":"RUN_BASED","runBasedEscalation":{"failedRunThreshold":3}}`)},
			outcomes: []monitoring.CheckSessionStatus{failed, failed, passed, failed, failed, failed, passed}, want: []int{5, 6},
		},
		"at once when the account's settings are used": {
			check:    monitoringtest.Check{Members: map[string]any{"alertSettings": json.RawMessage(`{"runBasedEscalation":{"failedRunThreshold":3}}`)}},
			outcomes: []monitoring.CheckSessionStatus{failed}, want: []int{0},
		},
		"after the time that the check says": { // sessions end ten minutes apart
			check:    monitoringtest.Check{Members: settings(`{"escalationType":"TIME_BASED","timeBasedEscalation":{"minutesFailingThreshold":15}}`)},
			outcomes: []monitoring.CheckSessionStatus{failed, failed, failed}, want: []int{2},
		},
		"by the settings of its group": {
			check: monitoringtest.Check{GroupID: 7}, group: group(`,"useGlobalAlertSettings":false,"alertSettings":{"runBasedEscalation":{"failedRunThreshold":2}}`),
			outcomes: []monitoring.CheckSessionStatus{failed, failed}, want: []int{1},
		},
		"not in a window for a tag": {
			check: monitoringtest.Check{Tags: []string{"api"}}, window: &monitoring.MaintenanceWindow{SilenceAlertsTags: []string{"api"}},
			outcomes: []monitoring.CheckSessionStatus{failed},
		},
		"not in a window for a tag of the group": {
			check: monitoringtest.Check{GroupID: 7}, group: group(""), window: &monitoring.MaintenanceWindow{Tags: []string{"checkout"}},
			outcomes: []monitoring.CheckSessionStatus{failed},
		},
		"not in a window for all":        {window: &monitoring.MaintenanceWindow{SilenceAllAlerts: new(true)}, outcomes: []monitoring.CheckSessionStatus{failed}},
		"in a window for something else": {window: &monitoring.MaintenanceWindow{Tags: []string{"other"}}, outcomes: []monitoring.CheckSessionStatus{failed}, want: []int{0}},
		"after a window that ends before it recovers": {
			window: &monitoring.MaintenanceWindow{SilenceAllAlerts: new(true)}, outcomes: until(failed, 8), want: []int{6, 8},
		},
		"after a window in which it does not recover from being degraded": {
			channel: monitoringtest.AlertChannel{Degraded: true}, window: &monitoring.MaintenanceWindow{SilenceAllAlerts: new(true)},
			outcomes: until(degraded, 8), want: []int{6, 8},
		},
		"not of a recovery from what a window silenced": {
			window: &monitoring.MaintenanceWindow{SilenceAllAlerts: new(true)}, outcomes: until(failed, 6),
		},
		"not of a recovery from degraded runs that a window silenced": {
			channel: monitoringtest.AlertChannel{Degraded: true}, window: &monitoring.MaintenanceWindow{SilenceAllAlerts: new(true)},
			outcomes: until(degraded, 6),
		},
		"after a window": {window: &monitoring.MaintenanceWindow{SilenceAllAlerts: new(true)}, outcomes: []monitoring.CheckSessionStatus{passed, passed, passed, passed, passed, passed, passed, failed}, want: []int{7}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc := monitoringtest.New()
				test.channel.ID, test.channel.Config = 5, map[string]any{"address": "a@b.test"}
				svc.AddAlertChannel(test.channel)
				if test.group != "" {
					svc.AddGroupJSON(test.group)
				}
				if w := test.window; w != nil { // it lasts an hour
					w.StartsAt, w.EndsAt = monitoring.NewTimestamp(time.Now()), monitoring.NewTimestamp(time.Now().Add(time.Hour))
					svc.AddMaintenanceWindow(*w)
				}
				test.check.Outcomes = test.outcomes
				check := svc.AddCheck(test.check)
				client := clientOf(t, svc)
				var results []string
				for range test.outcomes {
					id := triggerOne(t, client, check)
					time.Sleep(10 * time.Minute)
					results = append(results, svc.ResultIDs(id)...)
				}
				var got []int
				for _, n := range alerts(t, client) {
					require.Equal(t, check, n.CheckID)
					require.Equal(t, int64(5), n.AlertChannelID)
					require.Equal(t, monitoring.ChannelEmail, n.Type)
					require.Equal(t, monitoring.NotificationSuccess, n.Status)
					for i, r := range results {
						if r == n.CheckResultID {
							got = append(got, i)
						}
					}
				}
				require.Equal(t, test.want, got)
			})
		})
	}
}

func TestAnAlertIsSentAfterTheRunAndTakesItsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		svc.AddAlertChannel(monitoringtest.AlertChannel{
			Type: monitoring.ChannelWebhook, Config: map[string]any{"url": "https://hooks.test", "name": "hook"},
			SendTime: 30 * time.Second, Status: monitoring.NotificationFailure, Response: "bad gateway",
		})
		svc.AddAlertChannel(monitoringtest.AlertChannel{})
		check := svc.AddCheck(monitoringtest.Check{Outcome: failed, RunTime: 10 * time.Second, Locations: []string{"eu-west-1", "us-east-1"}, FailIn: []string{"us-east-1"}})
		client := clientOf(t, svc)
		id := triggerOne(t, client, check)
		time.Sleep(9 * time.Second)
		require.Empty(t, alerts(t, client), "the run has not ended")
		time.Sleep(2 * time.Second)
		list := alerts(t, client)
		require.Len(t, list, 2)
		require.Equal(t, monitoring.NotificationInProgress, list[0].Status)
		require.Nil(t, list[0].Timestamp)
		require.Nil(t, list[0].NotificationResult)
		require.Equal(t, monitoring.NotificationSuccess, list[1].Status)
		require.Equal(t, list[0].CheckAlertID, list[1].CheckAlertID)
		sending, err := client.AlertNotifications.List(t.Context(), monitoring.AlertNotificationListOptions{HasFailures: new(true)})
		require.NoError(t, err)
		require.Empty(t, sending.Items, "it has not failed yet")
		time.Sleep(30 * time.Second)
		list = alerts(t, client)
		require.Equal(t, monitoring.NotificationFailure, list[0].Status)
		require.Equal(t, "bad gateway", *list[0].NotificationResult)
		require.Equal(t, svc.ResultIDs(id)[1], list[0].CheckResultID, "the one that failed")
		onlyFailed, err := client.AlertNotifications.List(t.Context(), monitoring.AlertNotificationListOptions{HasFailures: new(true)})
		require.NoError(t, err)
		require.Len(t, onlyFailed.Items, 1)
	})
}

func TestANewCheckIsSubscribedToAllChannels(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		svc.AddAlertChannel(monitoringtest.AlertChannel{ID: 5, Config: map[string]any{"address": "a@b.test"}})
		svc.AddAlertChannel(monitoringtest.AlertChannel{ID: 6, Type: monitoring.ChannelSlack, Config: map[string]any{"url": "https://chat.test", "channel": "#x"}})
		client := clientOf(t, svc)
		create := func(assign *bool, subscriptions []monitoring.AlertChannelSubscription) *monitoring.Check {
			c, err := client.Checks.Create(t.Context(), &monitoring.Check{
				Name:                      "x",
				AlertChannelSubscriptions: subscriptions,
				AutoAssignAlerts:          assign,
				TCP:                       &monitoring.TCPRequest{Hostname: "h", Port: 25},
			})
			require.NoError(t, err)
			return c
		}
		both := []monitoring.AlertChannelSubscription{{AlertChannelID: 5, Activated: true}, {AlertChannelID: 6, Activated: true}}
		c := create(nil, nil)
		require.Equal(t, both, c.AlertChannelSubscriptions)
		require.Equal(t, "a@b.test", c.AlertChannels.Email[0].Address)
		require.Equal(t, "https://chat.test", c.AlertChannels.Slack[0].URL.Reveal())
		require.Empty(t, create(new(false), nil).AlertChannelSubscriptions, "not with autoAssignAlerts=false")
		off := []monitoring.AlertChannelSubscription{{AlertChannelID: 6, Activated: false}}
		require.ElementsMatch(t, append(both[:1:1], off...), create(new(true), off).AlertChannelSubscriptions, "except to those it says something about")

		svc.SetOutcome(c.ID, failed)
		triggerOne(t, client, c.ID)
		time.Sleep(time.Minute)
		require.Len(t, alerts(t, client), 2)
	})
}

func TestASessionThatIsAddedAlertsWhenItEndsLaterThanNow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		svc.AddAlertChannel(monitoringtest.AlertChannel{})
		check := svc.AddCheck(monitoringtest.Check{})
		svc.AddSession(monitoringtest.Session{CheckID: check, Outcome: failed, StartedAt: time.Now().Add(-time.Hour)})
		svc.AddSession(monitoringtest.Session{Outcome: failed})
		svc.AddSession(monitoringtest.Session{CheckID: check, Outcome: failed, RunSource: monitoring.RunSourceScheduler})
		time.Sleep(time.Minute)
		svc.AddAlertChannel(monitoringtest.AlertChannel{ID: 5})
		list := alerts(t, clientOf(t, svc))
		require.Len(t, list, 1, "neither the session that ended in the past nor the one without a check")
		require.Equal(t, check, list[0].CheckID)
	})
}

func TestACancelledRunDoesNotAlert(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		svc.AddAlertChannel(monitoringtest.AlertChannel{})
		check := svc.AddCheck(monitoringtest.Check{Type: monitoring.CheckTypePlaywright, Outcome: failed, RunTime: time.Hour})
		other := svc.AddCheck(monitoringtest.Check{Outcome: failed, RunTime: 30 * time.Minute})
		client := clientOf(t, svc)
		triggerOne(t, client, other)
		id := triggerOne(t, client, check)
		time.Sleep(time.Minute)
		require.NoError(t, client.CheckSessions.Cancel(t.Context(), id, monitoring.CancelRequest{}))
		time.Sleep(40 * time.Minute)
		list := alerts(t, client)
		require.Len(t, list, 1)
		require.Equal(t, other, list[0].CheckID)
	})
}

func TestAnUpdateDoesNotChangeWhatEndedBefore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		svc.AddAlertChannel(monitoringtest.AlertChannel{})
		check := svc.AddCheck(monitoringtest.Check{Type: monitoring.CheckTypeBrowser, Outcome: failed})
		client := clientOf(t, svc)
		triggerOne(t, client, check)
		time.Sleep(time.Minute)
		require.NoError(t, callAny(t.Context(), client, http.MethodPut, "/v1/checks/browser/"+check, nil, map[string]any{"muted": true}, nil))
		require.Len(t, alerts(t, client), 1)
	})
}

func TestARepeatingWindowSilencesEachTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		svc.AddAlertChannel(monitoringtest.AlertChannel{})
		unit, every := monitoring.RepeatWeek, 1
		begin := time.Now().AddDate(0, 0, -70)
		svc.AddMaintenanceWindow(monitoring.MaintenanceWindow{
			Name: "weekly", StartsAt: monitoring.NewTimestamp(begin), EndsAt: monitoring.NewTimestamp(begin.Add(time.Hour)),
			RepeatUnit: monitoring.Value(unit), RepeatInterval: monitoring.Value(every), SilenceAllAlerts: new(true), RepeatEndsAt: monitoring.Value(monitoring.DateOf(time.Now().UTC().AddDate(0, 0, 10))),
		})
		client := clientOf(t, svc)
		fails := func() int {
			triggerOne(t, client, svc.AddCheck(monitoringtest.Check{Outcome: failed}))
			time.Sleep(time.Minute)
			return len(alerts(t, client))
		}
		require.Equal(t, 0, fails())
		time.Sleep(2 * time.Hour)
		require.Equal(t, 1, fails(), "between two occurrences")
		time.Sleep(time.Until(begin.AddDate(0, 0, 77)))
		require.Equal(t, 0, fails())
		time.Sleep(time.Until(begin.AddDate(0, 0, 84)))
		require.Equal(t, 1, fails(), "after the end of repeating")
	})
}

func TestASubscriptionCountsFromItsChangeOn(t *testing.T) {
	for _, member := range []string{"checkId", "groupId"} {
		t.Run("of a "+member, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc, client := monitoringtest.Run(t)
				group := svc.AddGroup(monitoring.CheckGroup{Name: "Shop"})
				check := svc.AddCheck(monitoringtest.Check{GroupID: group, Outcomes: []monitoring.CheckSessionStatus{failed, "", failed, "", failed, ""}})
				channel := svc.AddAlertChannel(monitoringtest.AlertChannel{})
				subscriber := map[string]any{"checkId": check}
				if member == "groupId" {
					subscriber = map[string]any{"groupId": group}
				}
				sent := func() int {
					outcomes(t, client, check, 2) // it fails and recovers
					time.Sleep(time.Second)
					list := alerts(t, client)
					return len(list)
				}
				require.Zero(t, sent())
				subscriber["activated"] = true
				require.NoError(t, callAny(t.Context(), client, http.MethodPut, fmt.Sprintf("/v1/alert-channels/%d/subscriptions", channel), nil, subscriber, nil))
				require.Equal(t, 2, sent())
				shown, err := client.Checks.GetWithOptions(t.Context(), check, monitoring.CheckGetOptions{ApplyGroupSettings: true})
				require.NoError(t, err)
				require.Equal(t, member == "checkId", len(shown.AlertChannelSubscriptions) == 1)
				require.True(t, svc.RemoveAlertChannel(channel))
				shown, err = client.Checks.GetWithOptions(t.Context(), check, monitoring.CheckGetOptions{ApplyGroupSettings: true})
				require.NoError(t, err)
				require.Empty(t, shown.AlertChannelSubscriptions)
				require.Equal(t, 2, sent(), "the channel is gone")
			})
		})
	}
}
