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
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(45*time.Second, cancel)
		began := time.Now()
		session, err := kit.Fake(t, svc).CheckSessions.Wait(ctx, id, monitoring.WaitOptions{})
		require.Nil(t, session)
		require.ErrorIs(t, err, context.Canceled)
		require.Equal(t, 45*time.Second, time.Since(began))
		failed, ok := errors.AsType[*monitoring.SessionError](err)
		require.True(t, ok)
		require.Equal(t, id, failed.ID)
		require.Equal(t, id, failed.Session.CheckSessionID)
		require.False(t, failed.Session.Done())
		require.Zero(t, svc.Count(opCancel), "the session is not cancelled")
	})
}

func TestACancelledWaitAllYieldsAnErrorForEachRunningSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		short := svc.AddSession(monitoringtest.Session{Duration: time.Second})
		long := svc.AddSession(monitoringtest.Session{Duration: time.Hour})
		longer := svc.AddSession(monitoringtest.Session{Duration: 2 * time.Hour})
		enough := errors.New("the deploy window is over")
		ctx, stop := context.WithTimeoutCause(t.Context(), time.Minute, enough)
		defer stop()
		var done, failed []string
		for session, err := range kit.Fake(t, svc).CheckSessions.WaitAll(ctx, []string{short, long, longer}, monitoring.WaitOptions{}) {
			if err == nil {
				done = append(done, session.CheckSessionID)
				continue
			}
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.ErrorIs(t, err, enough)
			e, _ := errors.AsType[*monitoring.SessionError](err)
			failed = append(failed, e.ID)
		}
		require.Equal(t, []string{short}, done)
		require.Equal(t, []string{long, longer}, failed)
	})
}

func TestLeavingTheLoopEndsTheWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // a bubble fails if a goroutine is left
		svc := monitoringtest.New()
		var ids []string
		for i := range 300 {
			ids = append(ids, svc.AddSession(monitoringtest.Session{Duration: time.Duration(i+1) * time.Minute}))
		}
		seq := kit.Fake(t, svc).CheckSessions.WaitAll(t.Context(), ids, monitoring.WaitOptions{})
		require.Empty(t, svc.Requests(), "nothing is sent before the loop")
		for session, err := range seq {
			require.NoError(t, err)
			require.Equal(t, ids[0], session.CheckSessionID)
			break
		}
		requests := len(svc.Requests())
		time.Sleep(time.Hour)
		require.Len(t, svc.Requests(), requests, "nothing is sent after the loop")
	})
}

func TestCancelOnInterruptCancelsRunningSessions(t *testing.T) {
	for name, on := range map[string]bool{"off by default": false, "on": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc := monitoringtest.New()
				done := svc.AddSession(monitoringtest.Session{Type: monitoring.CheckTypePlaywright, Duration: time.Second})
				running := svc.AddSession(monitoringtest.Session{Type: monitoring.CheckTypePlaywright, Duration: time.Hour})
				client := kit.Fake(t, svc)
				ctx, cancel := context.WithCancel(t.Context())
				time.AfterFunc(time.Minute, cancel)
				began := time.Now()
				for range client.CheckSessions.WaitAll(ctx, []string{done, running}, monitoring.WaitOptions{CancelOnInterrupt: on}) {
				}
				require.Equal(t, time.Minute, time.Since(began))
				time.Sleep(monitoringtest.DefaultCancelDelay) // a cancel is carried out later
				session, err := client.CheckSessions.Get(t.Context(), running)
				require.NoError(t, err)
				require.Equal(t, on, session.Cancelled())
			})
		})
	}
	t.Run("takes no longer than the grace period", func(t *testing.T) {
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
	})
}

func TestFinishedSessionsAreYieldedAfterTheContextEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		var ids []string
		for range 40 {
			ids = append(ids, svc.AddSession(monitoringtest.Session{Type: monitoring.CheckTypePlaywright, Duration: time.Second}))
		}
		ids = append(ids, svc.AddSession(monitoringtest.Session{Type: monitoring.CheckTypePlaywright, Duration: time.Hour}))
		ctx, stop := context.WithTimeout(t.Context(), 30*time.Second)
		defer stop()
		done, failed := 0, 0
		for session := range kit.Fake(t, svc).CheckSessions.WaitAll(ctx, ids, monitoring.WaitOptions{CancelOnInterrupt: true}) {
			if session != nil {
				done++
			} else {
				failed++
			}
			time.Sleep(2 * time.Second) // a slow loop
		}
		require.Equal(t, 40, done)
		require.Equal(t, 1, failed)
		require.Equal(t, 1, svc.Count(opCancel), "only what still runs is cancelled")
	})
}

func TestCancelOnInterruptWorksDuringTheFirstRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		id := svc.AddSession(monitoringtest.Session{Duration: time.Hour})
		svc.Inject(monitoringtest.Fault{Operation: opGetSession, Delay: time.Hour})
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		_, err := kit.Fake(t, svc).CheckSessions.Wait(ctx, id, monitoring.WaitOptions{CancelOnInterrupt: true})
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Equal(t, 1, svc.Count(opCancel))
	})
}

func TestLeavingTheLoopCancelsNoSessionThatHasEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		var ids []string
		for _, d := range []time.Duration{time.Second, 2 * time.Second, time.Hour} {
			ids = append(ids, svc.AddSession(monitoringtest.Session{Type: monitoring.CheckTypePlaywright, Duration: d}))
		}
		for range kit.Fake(t, svc).CheckSessions.WaitAll(t.Context(), ids, monitoring.WaitOptions{CancelOnInterrupt: true}) {
			time.Sleep(5 * time.Second) // the second session ends, but is not yielded any more
			break
		}
		require.Equal(t, 1, svc.Count(opCancel))
	})
}

func TestCancelOnInterruptCancelsAfterATimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		id := svc.AddSession(monitoringtest.Session{Type: monitoring.CheckTypePlaywright, Duration: time.Hour})
		client := kit.Fake(t, svc)
		_, err := client.CheckSessions.Wait(t.Context(), id, monitoring.WaitOptions{Timeout: time.Minute, CancelOnInterrupt: true})
		require.Equal(t, monitoring.SessionStarted, requireTimeout(t, err).Session.Status, "the status before the cancel")
		require.Equal(t, 1, svc.Count(opCancel))
	})
}

func TestCancellingTakesTenSecondsAndATenthForEachSession(t *testing.T) {
	for grace, want := range map[time.Duration]time.Duration{0: 10500 * time.Millisecond, 3 * time.Second: 3 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New()
			svc.Inject(monitoringtest.Fault{Operation: opCancel, Delay: time.Hour})
			var ids []string
			for range 5 {
				ids = append(ids, svc.AddSession(monitoringtest.Session{Duration: time.Hour}))
			}
			ctx, stop := context.WithTimeout(t.Context(), time.Minute)
			defer stop()
			began := time.Now()
			for _, err := range kit.Fake(t, svc).CheckSessions.WaitAll(ctx, ids, monitoring.WaitOptions{CancelOnInterrupt: true, CancelGrace: grace}) {
				require.ErrorIs(t, err, context.DeadlineExceeded)
			}
			require.Equal(t, time.Minute+want, time.Since(began))
		})
	}
}
