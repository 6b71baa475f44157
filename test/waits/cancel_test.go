package waits_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestACancelledWaitReturnsAtOnceWithTheSessionAsLastSeen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		id := svc.AddSession(monitoringtest.Session{Duration: time.Hour})
		enough := errors.New("the deploy window is over")
		ctx, stop := context.WithTimeoutCause(t.Context(), 45*time.Second, enough)
		defer stop()
		began := time.Now()
		session, err := kit.Fake(t, svc).CheckSessions.Wait(ctx, id, monitoring.WaitOptions{})
		require.Nil(t, session)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.ErrorIs(t, err, enough)
		require.Equal(t, 45*time.Second, time.Since(began))
		failed := sessionError(t, err)
		require.Equal(t, id, failed.ID)
		require.Equal(t, id, failed.Session.CheckSessionID)
		require.False(t, failed.Session.Done())
		require.Zero(t, svc.Count(opCancel), "the session is not cancelled")
	})
}

func TestCancelOnInterruptCancelsRunningSessions(t *testing.T) {
	for name, options := range map[string]monitoring.WaitOptions{
		"off by default": {}, "at the timeout": {CancelOnInterrupt: true, Timeout: 30 * time.Second}, "when the context ends": {CancelOnInterrupt: true},
		"when the loop is left": {CancelOnInterrupt: true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc := monitoringtest.New()
				done := svc.AddSession(monitoringtest.Session{Type: monitoring.CheckTypePlaywright, Duration: time.Second})
				running := svc.AddSession(monitoringtest.Session{Type: monitoring.CheckTypePlaywright, Duration: time.Hour})
				client := kit.Fake(t, svc)
				ctx, cancel := context.WithCancel(t.Context())
				time.AfterFunc(time.Minute, cancel)
				for range client.CheckSessions.WaitAll(ctx, []string{done, running}, options) {
					if name == "when the loop is left" {
						break
					}
				}
				time.Sleep(monitoringtest.DefaultCancelDelay) // a cancel is carried out later
				session, err := client.CheckSessions.Get(t.Context(), running)
				require.NoError(t, err)
				require.Equal(t, options.CancelOnInterrupt, session.Cancelled())
			})
		})
	}
}

func TestCancellingTakesNoLongerThanTheGrace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		running := svc.AddSession(monitoringtest.Session{Duration: time.Hour})
		svc.Inject(monitoringtest.Fault{Operation: opCancel, Delay: time.Hour})
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		defer stop()
		began := time.Now()
		_, err := kit.Fake(t, svc).CheckSessions.Wait(ctx, running, monitoring.WaitOptions{CancelOnInterrupt: true, CancelGrace: 3 * time.Second})
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Equal(t, 63*time.Second, time.Since(began))
	})
}
