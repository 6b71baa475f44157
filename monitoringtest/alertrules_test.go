package monitoringtest_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

// The settings of a group go before those of its checks, if it has any.
func TestTheSettingsOfAGroupDecide(t *testing.T) {
	const twice, thrice = `{"runBasedEscalation":{"failedRunThreshold":2}}`, `{"runBasedEscalation":{"failedRunThreshold":3}}`
	for _, test := range []struct {
		group string
		want  int // the failure that alerts
	}{
		{``, 3}, {`,"useGlobalAlertSettings":null,"alertSettings":null`, 3},
		{`,"useGlobalAlertSettings":true`, 1}, {`,"useGlobalAlertSettings":true,"alertSettings":` + twice, 1},
		{`,"useGlobalAlertSettings":false`, 1}, {`,"useGlobalAlertSettings":false,"alertSettings":` + twice, 2},
		{`,"alertSettings":` + twice, 2}, {`,"useGlobalAlertSettings":null,"alertSettings":` + twice, 2},
	} {
		t.Run(test.group, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc := monitoringtest.New()
				svc.AddAlertChannel(monitoringtest.AlertChannel{})
				svc.AddGroupJSON(`{"id":7,"name":"g"` + test.group + `}`)
				check := svc.AddCheck(monitoringtest.Check{
					GroupID: 7, Outcome: failed, Members: map[string]any{"useGlobalAlertSettings": false, "alertSettings": json.RawMessage(thrice)},
				})
				client := clientOf(t, svc)
				for n := 1; n <= 4; n++ {
					triggerOne(t, client, check)
					time.Sleep(time.Minute)
					require.Len(t, alerts(t, client), map[bool]int{true: 1}[n >= test.want], "after %d failures", n)
				}
			})
		})
	}
}

func TestARunThatFailedBeforeItsCheckWasDeletedHasAlerted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		svc.AddAlertChannel(monitoringtest.AlertChannel{})
		check := svc.AddCheck(monitoringtest.Check{Outcome: failed})
		client := clientOf(t, svc)
		triggerOne(t, client, check)
		time.Sleep(time.Minute)
		require.True(t, svc.RemoveCheck(check))
		require.Len(t, alerts(t, client), 1)
	})
}

func TestACheckAlertsAtTheMinute(t *testing.T) {
	for between, want := range map[time.Duration]int{15 * time.Minute: 1, 15*time.Minute - 1: 0} {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New()
			svc.AddAlertChannel(monitoringtest.AlertChannel{})
			check := svc.AddCheck(monitoringtest.Check{Outcome: failed, Members: map[string]any{
				"useGlobalAlertSettings": false,
				"alertSettings":          json.RawMessage(`{"escalationType":"TIME_BASED","timeBasedEscalation":{"minutesFailingThreshold":15}}`),
			}})
			client := clientOf(t, svc)
			triggerOne(t, client, check)
			time.Sleep(between)
			triggerOne(t, client, check)
			time.Sleep(time.Minute)
			require.Len(t, alerts(t, client), want)
		})
	}
}

func TestAnAlertIsListedAtTheMomentAtWhichItsRunEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		svc.AddAlertChannel(monitoringtest.AlertChannel{})
		check := svc.AddCheck(monitoringtest.Check{Outcome: failed, RunTime: 1500 * time.Millisecond})
		client := clientOf(t, svc)
		_, err := client.CheckSessions.Wait(t.Context(), triggerOne(t, client, check), monitoring.WaitOptions{})
		require.NoError(t, err)
		page, err := client.AlertNotifications.List(t.Context(), monitoring.AlertNotificationListOptions{})
		require.NoError(t, err)
		require.Len(t, page.Items, 1)
		require.Equal(t, time.Now().UTC(), page.Items[0].Timestamp.Time)
		all, err := monitoring.Collect(client.AlertNotifications.All(t.Context(), monitoring.AlertNotificationListOptions{}))
		require.NoError(t, err)
		require.Len(t, all, 1)
		raised, err := client.CheckAlerts.List(t.Context(), monitoring.CheckAlertListOptions{})
		require.NoError(t, err)
		require.Len(t, raised.Items, 1)
		_, body := sendRaw(t, svc, "GET", "/v1/alert-notifications", "")
		require.Contains(t, body, page.Items[0].ID, "also for a program that sends no period")
	})
}

// The first failing run in a row begins the time. Nothing alerts between runs.
func TestAlertSettingsByTimeHaveFiveMinutesByDefault(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New(monitoringtest.WithRunTime(time.Second))
		svc.AddAlertChannel(monitoringtest.AlertChannel{})
		check := svc.AddCheck(monitoringtest.Check{Outcome: failed, Members: map[string]any{
			"useGlobalAlertSettings": false, "alertSettings": map[string]any{"escalationType": "TIME_BASED"},
		}})
		client := clientOf(t, svc)
		run := func(want int, when string) {
			triggerOne(t, client, check)
			time.Sleep(time.Second)
			require.Len(t, alerts(t, client), want, when)
		}
		run(0, "the first failure")
		time.Sleep(5*time.Minute - 2*time.Second)
		run(0, "a second before the time")
		time.Sleep(time.Hour)
		require.Empty(t, alerts(t, client), "nothing ran")
		svc.SetOutcome(check, passed)
		run(0, "it recovers before it has alerted")
		svc.SetOutcome(check, failed)
		run(0, "the first failure of another row")
		time.Sleep(5*time.Minute - time.Second)
		run(1, "the time is over")
	})
}

func TestAGroupThatATestAddsIsActivated(t *testing.T) {
	svc := monitoringtest.New()
	activated := func(id int64) string {
		text, _ := svc.GroupJSON(id)
		return string(memberOf(t, string(text), "activated"))
	}
	require.Equal(t, "true", activated(svc.AddGroup(monitoring.CheckGroup{Name: "new"})))
	require.NoError(t, svc.Seed([]byte(`{"groups":[{"id":7,"name":"seeded"},{"id":8,"name":"off","activated":false}]}`)))
	require.Equal(t, "true", activated(7))
	require.Equal(t, "false", activated(8))
	off, err := clientOf(t, svc).CheckGroups.Get(t.Context(), 8)
	require.NoError(t, err)
	off.ID = 9
	require.Equal(t, "false", activated(svc.AddGroup(*off)), "it was created before")
}

func TestEachChannelSendsWhatItWants(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		svc.AddAlertChannel(monitoringtest.AlertChannel{ID: 1, NoFailures: true})
		svc.AddAlertChannel(monitoringtest.AlertChannel{ID: 2, NoRecoveries: true, Degraded: true})
		svc.AddAlertChannel(monitoringtest.AlertChannel{ID: 3, Degraded: true})
		check := svc.AddCheck(monitoringtest.Check{Outcomes: []monitoring.CheckSessionStatus{failed, degraded, passed, degraded, failed}})
		client := clientOf(t, svc)
		var got []string
		for range 5 {
			before := len(alerts(t, client))
			triggerOne(t, client, check)
			time.Sleep(time.Minute)
			var channels []int64
			for _, a := range alerts(t, client)[before:] {
				channels = append(channels, a.AlertChannelID)
			}
			got = append(got, fmt.Sprint(channels))
		}
		require.Equal(t, []string{"[2 3]", "[1 3]", "[]", "[2 3]", "[2 3]"}, got)
	})
}

func TestASubscriptionOfTheCheckGoesBeforeOneOfItsGroup(t *testing.T) {
	subscribed := func(activated bool) []monitoring.AlertChannelSubscription {
		return []monitoring.AlertChannelSubscription{{AlertChannelID: 5, Activated: activated}}
	}
	for _, test := range []struct {
		name         string
		check, group []monitoring.AlertChannelSubscription
		want         int
	}{
		{"the group's alone counts", nil, subscribed(true), 1},
		{"the group's is off", nil, subscribed(false), 0},
		{"the check's is off and the group's on", subscribed(false), subscribed(true), 0},
		{"the check's is on and the group's off", subscribed(true), subscribed(false), 1},
		{"both are on, and alert once", subscribed(true), subscribed(true), 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc := monitoringtest.New()
				svc.AddAlertChannel(monitoringtest.AlertChannel{ID: 5})
				svc.AddGroup(monitoring.CheckGroup{ID: 7, Name: "g", AlertChannelSubscriptions: test.group})
				if test.check == nil {
					test.check = []monitoring.AlertChannelSubscription{}
				}
				check := svc.AddCheck(monitoringtest.Check{GroupID: 7, Outcome: failed, Members: map[string]any{"alertChannelSubscriptions": test.check}})
				client := clientOf(t, svc)
				triggerOne(t, client, check)
				time.Sleep(time.Minute)
				require.Len(t, alerts(t, client), test.want)
			})
		})
	}
}

func TestAnAlertNamesTheResultThatDecides(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		svc.AddAlertChannel(monitoringtest.AlertChannel{})
		check := svc.AddCheck(monitoringtest.Check{
			Outcomes: []monitoring.CheckSessionStatus{failed}, Attempts: 1, Locations: []string{"eu-west-1", "us-east-1"}, FailIn: []string{"us-east-1"},
		})
		client := clientOf(t, svc)
		first := triggerOne(t, client, check)
		time.Sleep(time.Minute)
		second := triggerOne(t, client, check)
		time.Sleep(time.Minute)
		list := alerts(t, client)
		require.Len(t, list, 2)
		require.Equal(t, svc.ResultIDs(first)[3], list[0].CheckResultID, "the final one that failed")
		require.Equal(t, svc.ResultIDs(second)[1], list[1].CheckResultID, "or else the first final one")
	})
}

// A cancel makes a session end before others that were to end before it.
func TestACancelDoesNotDelayTheAlertsOfOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		svc.AddAlertChannel(monitoringtest.AlertChannel{})
		add := func(minutes time.Duration) string {
			return svc.AddCheck(monitoringtest.Check{Type: monitoring.CheckTypePlaywright, Outcome: failed, RunTime: minutes * time.Minute})
		}
		client := clientOf(t, svc)
		triggerOne(t, client, add(30))
		cancelled := triggerOne(t, client, add(60))
		triggerOne(t, client, add(40))
		require.NoError(t, client.CheckSessions.Cancel(t.Context(), cancelled, monitoring.CancelRequest{}))
		early := add(10)
		triggerOne(t, client, early)
		time.Sleep(15 * time.Minute)
		list := alerts(t, client)
		require.Len(t, list, 1)
		require.Equal(t, early, list[0].CheckID)
		time.Sleep(time.Hour)
		require.Len(t, alerts(t, client), 3)
	})
}

// What is set after the end of a run does not change its alerts.
func TestAlertsFollowFromWhatWasSetAtTheEndOfTheRun(t *testing.T) {
	for name, change := range map[string]func(*testing.T, *monitoringtest.Service, *monitoring.Client){
		"a channel": func(t *testing.T, svc *monitoringtest.Service, _ *monitoring.Client) {
			svc.AddAlertChannel(monitoringtest.AlertChannel{ID: 6})
		},
		"a window": func(t *testing.T, svc *monitoringtest.Service, _ *monitoring.Client) {
			svc.AddMaintenanceWindow(monitoring.MaintenanceWindow{
				Name: "w", SilenceAllAlerts: new(true), StartsAt: monitoring.NewTimestamp(time.Now().Add(-time.Hour)), EndsAt: monitoring.NewTimestamp(time.Now()),
			})
		},
		"a seeded window": func(t *testing.T, svc *monitoringtest.Service, _ *monitoring.Client) {
			require.NoError(t, svc.Seed([]byte(`{"maintenanceWindows":[{"name":"w","silenceAllAlerts":true,"startsAt":"now-1h","endsAt":"now"}]}`)))
		},
		"a group": func(t *testing.T, _ *monitoringtest.Service, client *monitoring.Client) {
			_, err := client.CheckGroups.Edit(t.Context(), 7, func(g *monitoring.CheckGroup) error { g.Muted = new(true); return nil })
			require.NoError(t, err)
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc := monitoringtest.New()
				svc.AddAlertChannel(monitoringtest.AlertChannel{ID: 5})
				svc.AddGroup(monitoring.CheckGroup{ID: 7, Name: "g"})
				check := svc.AddCheck(monitoringtest.Check{GroupID: 7, Outcome: failed, Members: map[string]any{"alertChannelSubscriptions": []any{
					map[string]any{"alertChannelId": 5, "activated": true}, map[string]any{"alertChannelId": 6, "activated": true},
				}}})
				client := clientOf(t, svc)
				triggerOne(t, client, check)
				time.Sleep(time.Minute)
				change(t, svc, client)
				list := alerts(t, client)
				require.Len(t, list, 1)
				require.Equal(t, int64(5), list[0].AlertChannelID)
			})
		})
	}
}

func TestThePeriodOfAlertNotifications(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		now := time.Now()
		var list []monitoring.AlertNotification
		for _, at := range []time.Duration{0, -1, -6 * time.Hour, -6*time.Hour - 1, -12 * time.Hour, -12*time.Hour - 1} {
			list = append(list, monitoring.AlertNotification{ID: at.String(), Timestamp: new(monitoring.NewTimestamp(now.Add(at)))})
		}
		svc.AddAlertNotifications(list[1:4]...)
		ids := func(query string) (ids []string) {
			_, body := sendRaw(t, svc, "GET", "/v1/alert-notifications"+query, "")
			var items []struct{ ID string }
			require.NoError(t, json.Unmarshal([]byte(body), &items))
			for _, item := range items {
				ids = append(ids, item.ID)
			}
			return ids
		}
		require.Equal(t, []string{"-6h0m0s", "-1ns"}, ids(""), "the last six hours")
		svc.AddAlertNotifications(list[4:]...)
		svc.AddAlertNotification(list[0])
		require.Equal(t, []string{"-6h0m0s", "-1ns", "0s"}, ids(""), "the present moment is in it")
		six, twelve := now.Add(-6*time.Hour).Unix(), now.Add(-12*time.Hour).Unix()
		require.Equal(t, []string{"-12h0m0s", "-6h0m0.000000001s"}, ids(fmt.Sprint("?from=", twelve)), "six hours from then")
		require.Equal(t, []string{"-12h0m0s", "-6h0m0.000000001s"}, ids(fmt.Sprint("?to=", six)), "six hours until then")
		require.Equal(t, []string{"-6h0m0s", "-1ns"}, ids(fmt.Sprint("?from=", six)))
		require.Equal(t, []string{"-12h0m0.000000001s"}, ids(fmt.Sprint("?to=", twelve)))
		require.Equal(t, []string{"-12h0m0s", "-6h0m0.000000001s", "-6h0m0s", "-1ns"}, ids(fmt.Sprintf("?from=%d&to=%d", twelve, now.Unix())))
		time.Sleep(1 * time.Nanosecond)
		require.Equal(t, []string{"-6h0m0s", "-1ns", "0s"}[1:], ids(""), "time has passed")
	})
}

func TestAnAlertNotificationIsCompleted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		at := monitoring.NewTimestamp(time.Now())
		generated := svc.AddAlertNotification(monitoring.AlertNotification{Timestamp: &at})
		svc.AddAlertNotification(monitoring.AlertNotification{Type: monitoring.ChannelSMS, Status: monitoring.NotificationFailure, Timestamp: &at})
		own := svc.AddAlertNotification(monitoring.AlertNotification{ID: "own"})
		list := alerts(t, clientOf(t, svc))
		require.Len(t, list, 3)
		require.Equal(t, []any{generated, monitoring.ChannelEmail, monitoring.NotificationSuccess}, []any{list[0].ID, list[0].Type, list[0].Status})
		require.NotEmpty(t, generated)
		require.Equal(t, []any{monitoring.ChannelSMS, monitoring.NotificationFailure}, []any{list[1].Type, list[1].Status})
		require.NotEqual(t, list[0].ID, list[1].ID)
		require.Equal(t, []any{own, monitoring.NotificationSuccess, at}, []any{list[2].ID, list[2].Status, monitoring.NewTimestamp(list[2].Timestamp.Local())}, "it is sent now")
		svc.AddAlertNotification(monitoring.AlertNotification{ID: "on its way", Status: monitoring.NotificationInProgress})
		require.Nil(t, alerts(t, clientOf(t, svc))[3].Timestamp, "it is still being sent")
	})
}

// A check shows the channels that it is subscribed to, of the types that the API shows.
func TestTheChannelsOfACheckAreShown(t *testing.T) {
	svc := monitoringtest.New()
	for i, kind := range []monitoring.AlertChannelType{monitoring.ChannelPagerDuty, monitoring.ChannelSlack, monitoring.ChannelWebhook, monitoring.ChannelSMS, monitoring.ChannelEmail} {
		svc.AddAlertChannel(monitoringtest.AlertChannel{ID: int64(i + 1), Type: kind, Config: map[string]any{
			"address": "a", "url": "u", "name": "n", "method": "POST", "number": "1", "headers": []any{}, "queryParameters": []any{}, "channel": "#c", "secret": "s",
		}})
	}
	subscriptions := []map[string]any{{"alertChannelId": 99, "activated": true}, {"alertChannelId": 2, "activated": false}}
	for id := range 5 {
		if id != 1 {
			subscriptions = append(subscriptions, map[string]any{"alertChannelId": id + 1, "activated": true})
		}
	}
	id := svc.AddCheck(monitoringtest.Check{Members: map[string]any{"alertChannelSubscriptions": subscriptions}})
	_, body := sendRaw(t, svc, "PUT", "/v1/checks/"+id, "{}")
	var check struct{ AlertChannels json.RawMessage }
	require.NoError(t, json.Unmarshal([]byte(body), &check))
	require.JSONEq(t, `{"email":[{"address":"a"}],"sms":[{"number":"1","name":"n"}],"slack":[],
		"webhook":[{"url":"u","name":"n","method":"POST","headers":[],"queryParameters":[]}]}`, string(check.AlertChannels))
}

func TestAnAlertIsListedThatIsSentWhileTheRequestWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		svc.AddAlertChannel(monitoringtest.AlertChannel{})
		client := clientOf(t, svc)
		triggerOne(t, client, svc.AddCheck(monitoringtest.Check{Outcome: failed, RunTime: 10 * time.Second}))
		svc.Inject(monitoringtest.Fault{Operation: "GET /v1/alert-notifications", Delay: 20 * time.Second})
		page, err := client.AlertNotifications.List(t.Context(), monitoring.AlertNotificationListOptions{From: time.Now()})
		require.NoError(t, err)
		require.Len(t, page.Items, 1)
	})
}

func TestARunThatEndsWhileAnUpdateWaitsIsJudgedBefore(t *testing.T) {
	for _, path := range []string{"/v2/check-groups/7", "/v1/checks/" + monitoringtest.UUID("c")} {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New()
			svc.AddAlertChannel(monitoringtest.AlertChannel{})
			svc.AddGroup(monitoring.CheckGroup{ID: 7, Name: "g"})
			check := svc.AddCheck(monitoringtest.Check{ID: monitoringtest.UUID("c"), GroupID: 7, Outcome: failed, RunTime: 10 * time.Second})
			triggerOne(t, clientOf(t, svc), check)
			svc.Inject(monitoringtest.Fault{Delay: 20 * time.Second, Times: 1})
			status, body := sendRaw(t, svc, "PUT", path, `{"name":"g","muted":true}`)
			require.Equal(t, 200, status, body)
			require.Len(t, alerts(t, clientOf(t, svc)), 1)
		})
	}
}
