package monitoringtest_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

// Each time here would make the test hang for hours if the clock of the service did not move.
func TestAdvanceMovesTheClockOfTheService(t *testing.T) {
	t.Run("so that a request that it holds gets its response", func(t *testing.T) {
		inMemoryAndLoopback(t, func() *monitoringtest.Service { return monitoringtest.New() }, func(t *testing.T, svc *monitoringtest.Service, client *monitoring.Client) {
			id := svc.AddCheck(monitoringtest.Check{RunTime: 3 * time.Hour, Outcome: failed})
			ended := make(chan *monitoring.CheckSession, 1)
			go func() {
				sessions, _ := client.CheckSessions.TriggerAndWait(t.Context(), monitoring.TriggerRequest{AllChecks: true}, monitoring.WaitOptions{})
				ended <- sessions[0]
			}()
			for svc.Count("GET /v2/check-sessions/{checkSessionId}/completion") == 0 {
				time.Sleep(time.Millisecond)
			}
			svc.Advance(3 * time.Hour)
			session := <-ended
			require.Equal(t, failed, session.Status)
			require.Equal(t, 3*time.Hour, session.Duration())
			status, err := client.CheckStatuses.Get(t.Context(), id)
			require.NoError(t, err)
			require.True(t, status.HasFailures)
		})
	})
	t.Run("in steps, until what it holds has come", func(t *testing.T) {
		svc, client := monitoringtest.Run(t, monitoringtest.WithLatency(time.Hour))
		done := make(chan error, 1)
		go func() {
			_, err := client.Locations.List(t.Context(), monitoring.WithTimeout(time.Minute))
			done <- err
		}()
		for minutes := 1; ; minutes++ {
			svc.Advance(time.Minute)
			select {
			case err := <-done:
				require.NoError(t, err)
				require.GreaterOrEqual(t, minutes, 60)
				return
			case <-time.After(time.Millisecond):
			}
		}
	})
	t.Run("also for its limits", func(t *testing.T) {
		for _, kind := range []monitoringtest.RateLimitKind{monitoringtest.SlidingLog, monitoringtest.FixedWindow, monitoringtest.TokenBucket} {
			svc := monitoringtest.New(monitoringtest.WithRateLimit(monitoring.RateLimit{Requests: 1, Per: time.Hour}), monitoringtest.WithRateLimitKind(kind))
			require.NoError(t, list(t, svc))
			require.ErrorIs(t, list(t, svc), monitoring.ErrRateLimited)
			svc.Advance(time.Hour)
			require.NoError(t, list(t, svc), kind)
		}
	})
	t.Run("also for retention and alerts", func(t *testing.T) {
		svc := monitoringtest.New(monitoringtest.WithRetention(24*time.Hour, 100))
		client := clientOf(t, svc)
		svc.AddAlertChannel(monitoringtest.AlertChannel{})
		id := svc.AddCheck(monitoringtest.Check{RunTime: time.Hour, Outcome: failed})
		session := triggerOne(t, client, id)
		svc.Advance(2 * time.Hour)
		page, err := client.AlertNotifications.List(t.Context(), monitoring.AlertNotificationListOptions{To: time.Now().Add(3 * time.Hour)})
		require.NoError(t, err)
		require.Len(t, page.Items, 1)
		require.WithinDuration(t, time.Now().Add(time.Hour), page.Items[0].Timestamp.Time, time.Minute)
		svc.Advance(24 * time.Hour)
		_, err = client.CheckSessions.Get(t.Context(), session)
		require.ErrorIs(t, err, monitoring.ErrNotFound)
	})
	t.Run("until it is reset", func(t *testing.T) {
		svc, client := monitoringtest.Run(t)
		svc.Advance(time.Hour)
		svc.Reset()
		group, err := client.CheckGroups.Create(t.Context(), &monitoring.CheckGroup{Name: "Shop"})
		require.NoError(t, err)
		require.WithinDuration(t, time.Now(), group.CreatedAt.Time, time.Minute)
	})
}

func TestAdvanceRefusesWhatItCannotDo(t *testing.T) {
	require.PanicsWithValue(t, "monitoringtest: a clock that goes 1s back: it only goes forward", func() { monitoringtest.New().Advance(-time.Second) })
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(5 * 365 * 24 * time.Hour)
		svc := monitoringtest.New()
		require.PanicsWithValue(t, "monitoringtest: advance in a bubble of testing/synctest: sleep instead, which moves the clocks of clients as well",
			func() { svc.Advance(time.Second) })
	})
}
