package waits_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

func TestAWaitHookGetsTheEndOfEachWait(t *testing.T) {
	type marks struct{}
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		quick := svc.AddCheck(monitoringtest.Check{Name: "quick", RunTime: time.Minute})
		slow := svc.AddCheck(monitoringtest.Check{Name: "slow", RunTime: time.Hour})
		var waits []monitoring.WaitInfo
		client, err := svc.Client(
			monitoring.WithWaitHook(func(ctx context.Context, w monitoring.WaitInfo) {
				require.Equal(t, "of the caller", ctx.Value(marks{}))
				waits = append(waits, w)
			}),
			monitoring.WithWaitHook(func(context.Context, monitoring.WaitInfo) { waits = append(waits, monitoring.WaitInfo{}) }))
		require.NoError(t, err)
		ctx := context.WithValue(t.Context(), marks{}, "of the caller")

		both := monitoring.TriggerRequest{Target: monitoring.TriggerTarget{CheckIDs: []string{quick, slow}}}
		sessions, err := client.CheckSessions.TriggerAndWait(ctx, both, monitoring.WaitOptions{Timeout: 2 * time.Minute})
		require.ErrorIs(t, err, monitoring.ErrWaitTimeout)
		require.Len(t, waits, 4, "both hooks for both sessions")
		require.Equal(t, monitoring.VerdictPassed, waits[0].Verdict)
		require.Equal(t, sessions[0].CheckSessionID, waits[0].ID)
		require.NoError(t, waits[0].Err)
		require.InDelta(t, time.Minute, waits[0].Duration, float64(10*time.Second))
		require.Zero(t, waits[1], "the second hook")
		require.Equal(t, monitoring.VerdictUnknown, waits[2].Verdict, "it runs")
		require.ErrorIs(t, waits[2].Err, monitoring.ErrWaitTimeout)
		require.InDelta(t, 2*time.Minute, waits[2].Duration, float64(time.Second))

		waits = nil
		_, err = client.CheckSessions.Wait(ctx, sessions[0].CheckSessionID, monitoring.WaitOptions{})
		require.NoError(t, err)
		require.Equal(t, sessions[0].CheckSessionID, waits[0].ID)
		waits = nil
		for range client.CheckSessions.WaitAll(ctx, []string{sessions[0].CheckSessionID, sessions[1].CheckSessionID}, monitoring.WaitOptions{}) {
			break
		}
		require.Len(t, waits, 2, "the hooks of the one that was yielded")
	})
}
