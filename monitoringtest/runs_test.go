package monitoringtest_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

// outcomes triggers a check some times, one after the other, and returns how its sessions end.
func outcomes(t *testing.T, client *monitoring.Client, id string, times int) (list []*monitoring.CheckSession) {
	for range times {
		sessions, err := client.CheckSessions.TriggerAndWait(t.Context(),
			monitoring.TriggerRequest{Target: monitoring.TriggerTarget{CheckIDs: []string{id}}}, monitoring.WaitOptions{})
		require.NoError(t, err)
		list = append(list, sessions...)
	}
	return list
}

func TestRunsOfACheckThatAClientHasMadeCanBeSet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc, client := monitoringtest.Run(t)
		check, err := client.Checks.Create(t.Context(), &monitoring.Check{
			Name:      "Checkout",
			Locations: []monitoring.Region{"eu-west-1", "us-east-1"},
			API:       &monitoring.APIRequest{Method: "GET", URL: "https://shop.test"},
		})
		require.NoError(t, err)
		svc.SetRuns(check.ID, func(c *monitoringtest.Check) {
			require.Equal(t, monitoringtest.Check{ID: check.ID, Name: "Checkout", Type: monitoring.CheckTypeAPI}, *c)
			c.RunTime, c.Outcomes, c.FailIn = time.Minute, []monitoring.CheckSessionStatus{failed, degraded}, []string{"us-east-1"}
			c.Error, c.Attempts, c.Result = "no route", 2, map[string]any{"traceId": "abc"}
		})
		first := outcomes(t, client, check.ID, 1)[0]
		require.Equal(t, time.Minute, first.Duration())
		require.Equal(t, failed, first.Status)
		require.Len(t, first.Results, 6)
		result, err := client.CheckResults.Get(t.Context(), check.ID, first.Results[5].CheckResultID)
		require.NoError(t, err)
		require.Equal(t, []string{"no route"}, result.Messages())
		require.Equal(t, "abc", *result.TraceID)
		svc.SetRuns(check.ID, func(c *monitoringtest.Check) {
			require.Equal(t, []monitoring.CheckSessionStatus{degraded}, c.Outcomes, "one is used up")
			c.Outcomes = append(c.Outcomes, failed)
			c.Attempts, c.FailIn = 0, nil
			svc.AddVariable() // the service can be used
		})
		var got []monitoring.CheckSessionStatus
		for _, session := range outcomes(t, client, check.ID, 3) {
			got = append(got, session.Status)
		}
		require.Equal(t, []monitoring.CheckSessionStatus{degraded, failed, monitoring.SessionPassed}, got)
	})
}

func TestSettingRunsRefusesMistakes(t *testing.T) {
	svc := monitoringtest.New()
	id := svc.AddCheck(monitoringtest.Check{Name: "Checkout", Locations: []string{"eu-west-1"}, FailIn: []string{"eu-west-1"}})
	const itself = `check "Checkout": they change the check itself, which only an update of a client does`
	for name, c := range map[string]struct {
		change func(*monitoringtest.Check)
		want   string
	}{
		"the id":                  {func(c *monitoringtest.Check) { c.ID = monitoringtest.UUID("other") }, itself},
		"the name":                {func(c *monitoringtest.Check) { c.Name = "Other" }, itself},
		"the type":                {func(c *monitoringtest.Check) { c.Type = monitoring.CheckTypeTCP }, itself},
		"tags":                    {func(c *monitoringtest.Check) { c.Tags = []string{"a"} }, itself},
		"locations":               {func(c *monitoringtest.Check) { c.Locations = []string{"eu-west-1"} }, itself},
		"the group":               {func(c *monitoringtest.Check) { c.GroupID = 7 }, itself},
		"that it is muted":        {func(c *monitoringtest.Check) { c.Muted = true }, itself},
		"that it is off":          {func(c *monitoringtest.Check) { c.Deactivated = true }, itself},
		"an outcome that is none": {func(c *monitoringtest.Check) { c.Outcome = monitoring.SessionStarted }, `check "Checkout": no session ends STARTED`},
		"another location":        {func(c *monitoringtest.Check) { c.FailIn = []string{"mars-1"} }, `it fails in "mars-1", which is not one of its locations`},
		"a time below zero":       {func(c *monitoringtest.Check) { c.RunTime = -time.Second }, "a time of -1s: it must not be negative"},
	} {
		func() {
			defer func() { require.Contains(t, recover(), c.want, name) }()
			svc.SetRuns(id, c.change)
		}()
	}
	require.PanicsWithValue(t, "monitoringtest: there is no check with the id x", func() { svc.SetRuns("x", func(*monitoringtest.Check) {}) })
	client := clientOf(t, svc)
	_, err := client.Checks.Update(t.Context(), &monitoring.Check{ID: id, CheckType: monitoring.CheckTypeAPI, Locations: []monitoring.Region{"eu-west-3"}})
	require.NoError(t, err)
	require.NotPanics(t, func() { svc.SetOutcome(id, failed) }, "the location in which it failed is gone since")
}

func TestWhatIsRemovedIsGoneAndNotCounted(t *testing.T) {
	svc, client := monitoringtest.Run(t)
	ctx := t.Context()
	group := svc.AddGroup(monitoring.CheckGroup{Name: "Shop", Tags: []string{"shop"}})
	channel := svc.AddAlertChannel(monitoringtest.AlertChannel{})
	check := svc.AddCheck(monitoringtest.Check{GroupID: group, Members: map[string]any{"groupOrder": 2}})
	other := svc.AddCheck(monitoringtest.Check{})
	errors := svc.AddErrorGroup(monitoring.ErrorGroup{CheckID: other, ErrorHash: "h"})

	require.True(t, svc.RemoveAlertChannel(channel))
	require.False(t, svc.RemoveAlertChannel(channel))
	_, err := client.AlertChannels.Get(ctx, channel)
	require.ErrorIs(t, err, monitoring.ErrNotFound)

	require.True(t, svc.RemoveGroup(group))
	require.False(t, svc.RemoveGroup(group))
	_, err = client.CheckGroups.Get(ctx, group)
	require.ErrorIs(t, err, monitoring.ErrNotFound)
	left, err := client.Checks.Get(ctx, check)
	require.NoError(t, err)
	require.True(t, left.GroupID.IsNull())
	require.True(t, left.GroupOrder.IsNull())
	require.Empty(t, left.AlertChannelSubscriptions)

	require.True(t, svc.RemoveErrorGroup(errors))
	require.False(t, svc.RemoveErrorGroup(errors))
	_, err = client.ErrorGroups.Get(ctx, errors)
	require.ErrorIs(t, err, monitoring.ErrNotFound)

	require.True(t, svc.RemoveCheck(check))
	require.False(t, svc.RemoveCheck(check))
	_, err = client.Checks.Get(ctx, check)
	require.ErrorIs(t, err, monitoring.ErrNotFound)
	require.Len(t, svc.Checks(), 1)
	for _, operation := range []string{"DELETE /v1/alert-channels/{id}", "DELETE /v1/check-groups/{id}", "DELETE /v1/checks/{id}"} {
		require.Zero(t, svc.Executed(operation))
	}
}

func TestACheckOfAGroupThatIsRemovedAlertsAsTheGroupSaidUntilThen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc, client := monitoringtest.Run(t)
		svc.AddAlertChannel(monitoringtest.AlertChannel{})
		group := svc.AddGroup(monitoring.CheckGroup{Name: "Shop", Muted: new(true)})
		check := svc.AddCheck(monitoringtest.Check{GroupID: group, Outcome: failed})
		outcomes(t, client, check, 1)
		svc.RemoveGroup(group)
		time.Sleep(time.Second)
		require.Empty(t, alerts(t, client), "the group was muted when the run ended")
	})
}
