package monitoringtest_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

func TestTheSchedulerStartsAChecksRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc, client := monitoringtest.Run(t)
		svc.AddAlertChannel(monitoringtest.AlertChannel{})
		start := time.Now()
		check := svc.AddCheck(monitoringtest.Check{Every: 10 * time.Minute, Tags: []string{"api"}, Outcomes: []monitoring.CheckSessionStatus{passed, failed}})
		svc.AddMaintenanceWindow(monitoring.MaintenanceWindow{
			Name: "pause", Tags: []string{"api"},
			StartsAt: monitoring.NewTimestamp(start.Add(25 * time.Minute)), EndsAt: monitoring.NewTimestamp(start.Add(45 * time.Minute)),
		})
		started := func() (minutes []int) {
			for _, x := range svc.Sessions() {
				require.Equal(t, monitoring.RunSourceScheduler, *x.RunSource)
				require.Equal(t, check, x.CheckID)
				minutes = append(minutes, int(x.StartedAt.Sub(start).Minutes()))
			}
			return minutes
		}
		require.Empty(t, started(), "the first one is a period from now")
		time.Sleep(time.Hour)
		require.Equal(t, []int{10, 20, 50, 60}, started(), "a window pauses those from 30 to 40")
		time.Sleep(time.Minute)
		list := alerts(t, client)
		require.Len(t, list, 2, "one failed, and the next one passed")
		require.Equal(t, start.Add(20*time.Minute+monitoringtest.DefaultRunTime).UTC(), list[0].Timestamp.Time)
		require.Equal(t, start.Add(50*time.Minute+monitoringtest.DefaultRunTime).UTC(), list[1].Timestamp.Time)

		svc.Schedule(check, 30*time.Minute)
		time.Sleep(31 * time.Minute)
		require.Equal(t, []int{10, 20, 50, 60, 91}, started())
		svc.SetOutcome(check, failed)
		time.Sleep(30 * time.Minute)
		require.Equal(t, []int{10, 20, 50, 60, 91, 121}, started(), "other settings of the runs leave the schedule as it is")
		svc.Schedule(check, 0)
		time.Sleep(24 * time.Hour)
		require.Len(t, started(), 6)
	})
}

func TestTheSchedulerLeavesOutWhatCannotRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc, client := monitoringtest.Run(t)
		removed := svc.AddCheck(monitoringtest.Check{Every: time.Minute})
		off := svc.AddCheck(monitoringtest.Check{Deactivated: true})
		svc.Schedule(off, time.Minute)
		svc.RemoveCheck(removed)
		time.Sleep(time.Hour)
		require.Empty(t, svc.Sessions())
		_, err := client.Checks.Edit(t.Context(), off, func(s *monitoring.Check) error {
			s.Activated = new(true)
			return nil
		})
		require.NoError(t, err)
		time.Sleep(2*time.Minute + time.Second)
		require.Len(t, svc.Sessions(), 2, "only those since it is activated")
		heartbeat := svc.AddCheck(monitoringtest.Check{Type: monitoring.CheckTypeHeartbeat})
		require.PanicsWithValue(t, `monitoringtest: check "Check 2": the scheduler starts it every 1m0s: checks of type HEARTBEAT have no runs`,
			func() { svc.Schedule(heartbeat, time.Minute) })
		require.Panics(t, func() { svc.Schedule(off, time.Second-1) })
		require.Panics(t, func() { svc.Schedule(off, -time.Second) })
		require.Panics(t, func() { svc.Schedule(removed, time.Minute) })
	})
}

func TestARunWaitsForTheAgentOfItsLocation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc, client := monitoringtest.Run(t)
		location := svc.AddPrivateLocation(monitoring.PrivateLocation{Name: "dc-1", AgentCount: new(2), RunningAgents: []monitoring.RunningAgents{{Version: "1", Count: 2}}})
		check := svc.AddCheck(monitoringtest.Check{Type: monitoring.CheckTypePlaywright, Locations: []string{"eu-central-1", "dc-1"}, RunTime: 10 * time.Minute})
		agents := func() int {
			list, err := client.PrivateLocations.List(t.Context(), monitoring.WithQuery("versions", "true"))
			require.NoError(t, err)
			require.Len(t, list[0].RunningAgents, min(*list[0].AgentCount, 1))
			return *list[0].AgentCount
		}
		svc.StopAgents(location)
		require.Zero(t, agents())
		id := triggerOne(t, client, check)
		_, err := client.CheckSessions.Wait(t.Context(), id, monitoring.WaitOptions{Timeout: time.Hour})
		require.ErrorIs(t, err, monitoring.ErrWaitTimeout)
		x, err := client.CheckSessions.Get(t.Context(), id)
		require.NoError(t, err)
		require.Equal(t, []monitoring.ResultType{monitoring.ResultFinal, ""}, []monitoring.ResultType{*x.Results[0].ResultType, orZero(x.Results[1].ResultType)})
		cancelled := triggerOne(t, client, check)
		require.NoError(t, client.CheckSessions.Cancel(t.Context(), cancelled, monitoring.CancelRequest{}))
		back := time.Now().Add(20 * time.Minute)
		time.AfterFunc(20*time.Minute, func() { svc.StartAgents(location) })
		x, err = client.CheckSessions.Wait(t.Context(), id, monitoring.WaitOptions{Timeout: time.Hour})
		require.NoError(t, err)
		require.Equal(t, passed, x.Status)
		require.Equal(t, back.Add(10*time.Minute).UTC(), x.StoppedAt.UTC(), "it takes its time from then on")
		require.Equal(t, 2, agents())
		x, err = client.CheckSessions.Get(t.Context(), cancelled)
		require.NoError(t, err)
		require.Equal(t, monitoring.SessionCancelled, x.Status)
		require.Panics(t, func() { svc.StopAgents(monitoringtest.UUID("nowhere")) })
	})
}

// What runs already, or waits in another location, goes on as it would.
func TestAgentsThatAreBackChangeOnlyWhatHasWaitedForThem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc, client := monitoringtest.Run(t)
		first := svc.AddPrivateLocation(monitoring.PrivateLocation{Name: "dc-1", SlugName: "dc-1"})
		second := svc.AddPrivateLocation(monitoring.PrivateLocation{Name: "dc-2", SlugName: "dc-2"})
		check := svc.AddCheck(monitoringtest.Check{Locations: []string{"dc-1", "dc-2"}, RunTime: 10 * time.Minute})
		finals := func(id string) (ended []bool) {
			x, err := client.CheckSessions.Get(t.Context(), id)
			require.NoError(t, err)
			for _, r := range x.Results {
				ended = append(ended, orZero(r.ResultType) == monitoring.ResultFinal)
			}
			return ended
		}
		runs := triggerOne(t, client, check)
		time.Sleep(9 * time.Minute)
		svc.StopAgents(first)
		svc.StopAgents(second)
		waits := triggerOne(t, client, check)
		later := svc.AddSession(monitoringtest.Session{CheckID: check, Locations: []string{"dc-1"}, StartedAt: time.Now().Add(time.Hour), Duration: 10 * time.Minute})
		svc.StartAgents(first)
		time.Sleep(time.Minute)
		require.Equal(t, []bool{true, true}, finals(runs), "it had an agent")
		time.Sleep(10 * time.Minute)
		require.Equal(t, []bool{true, false}, finals(waits))
		time.Sleep(58 * time.Minute)
		require.Equal(t, []bool{false}, finals(later), "it begins an hour later")
		time.Sleep(time.Minute)
		require.Equal(t, []bool{true}, finals(later))
		_, body := sendRaw(t, svc, "GET", "/v1/private-locations?versions=true", "")
		require.NotContains(t, body, "runningAgents", "the test has not said which")
	})
}

func TestAKeyIsRotatedDuringAWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc, _ := monitoringtest.Run(t, monitoringtest.WithUnexpected())
		var key atomic.Value
		key.Store(monitoringtest.APIKey)
		client, err := svc.Client(monitoring.WithKeySource(func(context.Context, monitoring.Secret) (string, error) { return key.Load().(string), nil }))
		require.NoError(t, err)
		id := triggerOne(t, client, svc.AddCheck(monitoringtest.Check{RunTime: 10 * time.Minute}))
		time.AfterFunc(time.Minute, func() {
			svc.SetAPIKey("sv_second")
			key.Store("sv_second")
		})
		x, err := client.CheckSessions.Wait(t.Context(), id, monitoring.WaitOptions{})
		require.NoError(t, err)
		require.Equal(t, passed, x.Status)
		later, err := svc.Client()
		require.NoError(t, err)
		_, err = later.Locations.List(t.Context())
		require.NoError(t, err, "a client that is made later has the new key")
		require.Panics(t, func() { svc.SetAPIKey("") })
		svc.Reset()
		_, err = later.Locations.List(t.Context())
		require.ErrorIs(t, err, monitoring.ErrUnauthorized, "the first key is back")
	})
}

func orZero[T any](v *T) (zero T) {
	if v == nil {
		return zero
	}
	return *v
}
