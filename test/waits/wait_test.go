package waits_test

import (
	"context"
	"errors"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestWaitMakesOneRequestAndOneForEachHalfMinute(t *testing.T) {
	for duration, most := range map[time.Duration]int{0: 1, 29 * time.Second: 2, 31 * time.Second: 3, 10 * time.Minute: 21} {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New()
			id := svc.AddSession(monitoringtest.Session{StartedAt: time.Now().Add(-1), Duration: duration + 1, Outcome: monitoring.SessionFailed})
			session, err := kit.Fake(t, svc).CheckSessions.Wait(t.Context(), id, monitoring.WaitOptions{})
			require.NoError(t, err, "a failed session is a result")
			require.Less(t, time.Since(session.StoppedAt.Time), time.Millisecond, "it returns with the response of the service")
			require.LessOrEqual(t, len(svc.Requests()), most)
		})
	}
}

func TestWaitAllYieldsEachSessionOnceAsItFinishes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		began := time.Now()
		ids := addSessions(svc, 2, func(i int) time.Duration { return time.Duration(2-i) * 10 * time.Minute })
		svc.Inject(monitoringtest.Fault{Status: 503, After: 4, Times: 10}) // an outage does not end the wait
		var got []string
		var reported error
		options := monitoring.WaitOptions{OnProgress: func(p monitoring.WaitProgress) { reported = p.Err }}
		for session, err := range kit.Fake(t, svc).CheckSessions.WaitAll(t.Context(), append(ids, unknownID, ids[0]), options) {
			require.Equal(t, err, reported)
			if err != nil {
				require.ErrorIs(t, err, monitoring.ErrNotFound)
				require.NotContains(t, err.Error(), "no longer", "it was never seen")
				require.Zero(t, time.Since(began), "the others go on")
				session = &monitoring.CheckSession{CheckSessionID: "unknown"}
			}
			got = append(got, session.CheckSessionID)
		}
		require.Equal(t, []string{"unknown", ids[1], ids[0]}, got)
	})
}

func TestACancelledWaitReturnsAtOnceWithTheSessionAsLastSeen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		id := svc.AddSession(monitoringtest.Session{Type: monitoring.CheckTypePlaywright, Duration: time.Hour})
		svc.Inject(monitoringtest.Fault{Operation: opCancel, Delay: time.Hour})
		enough := errors.New("the deploy window is over")
		for i, options := range []monitoring.WaitOptions{{}, {CancelOnInterrupt: true, CancelGrace: 3 * time.Second}} {
			ctx, stop := context.WithTimeoutCause(t.Context(), 45*time.Second, enough)
			defer stop()
			began := time.Now()
			session, err := kit.Fake(t, svc).CheckSessions.Wait(ctx, id, options)
			require.Nil(t, session)
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.ErrorIs(t, err, enough)
			require.Equal(t, 45*time.Second+options.CancelGrace, time.Since(began))
			require.Equal(t, i, svc.Count(opCancel), "off by default")
			failed := kit.ErrAs[*monitoring.SessionError](t, err)
			require.Equal(t, []string{id, id}, []string{failed.ID, failed.Session.CheckSessionID})
			require.True(t, failed.SeenAt.Equal(began), "it was read once, before its polls")
		}
	})
}

func TestInvalidWaitsAreErrorsAndSendNothing(t *testing.T) {
	var none context.Context
	svc := monitoringtest.New()
	id := svc.AddSession(monitoringtest.Session{})
	client := kit.Fake(t, svc)
	for _, c := range []struct {
		ctx     context.Context
		options monitoring.WaitOptions
		text    string
	}{
		{t.Context(), monitoring.WaitOptions{Share: 1.1}, "a share of 1.1"},
		{t.Context(), monitoring.WaitOptions{Share: -1}, "a share of -1"},
		{t.Context(), monitoring.WaitOptions{Share: math.NaN()}, "a share of NaN"},
		{t.Context(), monitoring.WaitOptions{Timeout: -1}, "the timeout of -1ns"},
		{t.Context(), monitoring.WaitOptions{GiveUpAfter: -1}, "the time of -1ns to give up"},
		{t.Context(), monitoring.WaitOptions{CancelGrace: -1}, "the grace of -1ns for"},
		{none, monitoring.WaitOptions{}, "the context is nil"},
	} {
		_, err := client.CheckSessions.Wait(c.ctx, id, c.options)
		require.ErrorContains(t, err, c.text)
		require.Equal(t, id, kit.ErrAs[*monitoring.SessionError](t, err).ID)
		_, err = client.CheckSessions.TriggerAndWait(c.ctx, all, c.options)
		require.ErrorContains(t, err, "monitoring: wait: "+c.text)
		n := 0
		for _, err = range client.CheckSessions.WaitAll(c.ctx, []string{id, id}, c.options) {
			n++
			require.ErrorContains(t, err, c.text)
		}
		require.Equal(t, 1, n)
	}
	_, err := client.CheckSessions.FetchFailingResults(none, &monitoring.CheckSession{})
	require.EqualError(t, err, "monitoring: fetch failing results: the context is nil")
	require.EqualError(t, kit.Second(client.RootCauseAnalyses.Wait(none, "x")), "monitoring: wait: the context is nil")
	require.Empty(t, svc.Requests())
}
