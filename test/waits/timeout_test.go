package waits_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestATimeoutReturnsEachSessionAsItIsAtThatTime(t *testing.T) {
	three := []string{"eu-central-1", "eu-west-1", "us-east-1"}
	t.Run("of Wait", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New()
			id := svc.AddSession(monitoringtest.Session{Duration: 3 * time.Minute, Locations: three})
			began := time.Now()
			session, err := kit.Fake(t, svc).CheckSessions.Wait(t.Context(), id, monitoring.WaitOptions{Timeout: 125 * time.Second})
			require.Nil(t, session)
			failed := requireTimeout(t, err)
			require.Equal(t, monitoring.SessionProgress, failed.Session.Status)
			require.Len(t, failed.Session.FinalResults(), 2)
			require.Equal(t, 125*time.Second, time.Since(began))
			require.EqualError(t, err, fmt.Sprintf("monitoring: wait for check session %q, last seen PROGRESS: not finished within 2m5s", id))
		})
	})
	t.Run("of WaitAll", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New(monitoringtest.WithLatency(150 * time.Millisecond))
			var ids []string
			for i := range 50 {
				ids = append(ids, svc.AddSession(monitoringtest.Session{Duration: time.Duration(i+1) * 12 * time.Second, Locations: three}))
			}
			began := time.Now()
			done, running := 0, 0
			for session, err := range kit.Fake(t, svc).CheckSessions.WaitAll(t.Context(), ids, monitoring.WaitOptions{Timeout: 5 * time.Minute}) {
				if err == nil {
					require.True(t, session.Done())
					done++
					continue
				}
				seen := requireTimeout(t, err).Session
				require.Equal(t, ids[done+running], seen.CheckSessionID, "the sessions are in the order of the ids")
				require.Equal(t, monitoring.SessionProgress, seen.Status)
				require.NotEmpty(t, seen.Results)
				running++
			}
			require.Equal(t, []int{25, 25}, []int{done, running})
			require.InDelta(t, 5*time.Minute, time.Since(began), float64(time.Second))
		})
	})
	t.Run("of TriggerAndWait", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New()
			svc.AddCheck(monitoringtest.Check{RunTime: time.Minute})
			svc.AddCheck(monitoringtest.Check{RunTime: 5 * time.Minute, Locations: three})
			sessions, err := kit.Fake(t, svc).CheckSessions.TriggerAndWait(t.Context(), monitoring.TriggerRequest{AllChecks: true}, monitoring.WaitOptions{Timeout: 4 * time.Minute})
			failed := requireTimeout(t, err)
			require.Len(t, sessions, 2)
			require.True(t, sessions[0].Passed())
			require.Equal(t, monitoring.SessionProgress, sessions[1].Status)
			require.Len(t, sessions[1].FinalResults(), 2)
			require.Same(t, sessions[1], failed.Session)
		})
	})
}

func TestTheShortestTimeoutEndsAWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		id := svc.AddSession(monitoringtest.Session{Duration: time.Hour})
		_, err := kit.Fake(t, svc).CheckSessions.Wait(t.Context(), id, monitoring.WaitOptions{Timeout: 1})
		requireTimeout(t, err)
	})
}

func TestATimeoutCountsFromTheCallButDoesNotEndTheTrigger(t *testing.T) {
	for delay, want := range map[time.Duration]time.Duration{3 * time.Second: 10 * time.Second, 20 * time.Second: 20 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New()
			svc.AddCheck(monitoringtest.Check{RunTime: time.Hour})
			svc.Inject(monitoringtest.Fault{Operation: opTrigger, Delay: delay})
			began := time.Now()
			sessions, err := kit.Fake(t, svc).CheckSessions.TriggerAndWait(t.Context(), monitoring.TriggerRequest{AllChecks: true}, monitoring.WaitOptions{Timeout: 10 * time.Second})
			requireTimeout(t, err)
			require.Len(t, sessions, 1)
			require.Equal(t, want, time.Since(began))
		})
	}
}

func TestASessionThatTheLastReadFindsFinishedIsAResult(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		svc.Inject(monitoringtest.Fault{Operation: opCompletion, Delay: time.Hour}) // polls do not show the end
		id := svc.AddSession(monitoringtest.Session{Duration: time.Minute})
		finished := 0
		for session, err := range kit.Fake(t, svc).CheckSessions.WaitAll(t.Context(), []string{id}, monitoring.WaitOptions{
			Timeout: 70 * time.Second, OnProgress: func(p monitoring.WaitProgress) { finished = p.Finished },
		}) {
			require.NoError(t, err)
			require.True(t, session.Passed())
		}
		require.Equal(t, 1, finished)
	})
}

func TestLastReadsTakeFiveSecondsAtMost(t *testing.T) {
	t.Parallel()
	for _, sessions := range testkit.Figures(200, 500) {
		least := 40
		if sessions == 500 {
			least = 5 // 500 polls leave the last reads little of the limit
		}
		t.Run(fmt.Sprint(sessions, " sessions"), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc := monitoringtest.New(monitoringtest.WithRateLimit(monitoring.RateLimit{Requests: 600, Per: time.Minute}), monitoringtest.WithRateLimitKind(monitoringtest.SlidingLog))
				for range sessions {
					svc.AddCheck(monitoringtest.Check{RunTime: time.Hour})
				}
				began := time.Now()
				list, err := kit.Fake(t, svc).CheckSessions.TriggerAndWait(t.Context(), monitoring.TriggerRequest{AllChecks: true}, monitoring.WaitOptions{Timeout: 10 * time.Minute})
				requireTimeout(t, err)
				require.Equal(t, 10*time.Minute+5*time.Second, time.Since(began))
				counts := monitoring.CountByStatus(list)
				require.Equal(t, sessions, counts[monitoring.SessionStarted]+counts[monitoring.SessionProgress])
				t.Logf("%d were read at the end", counts[monitoring.SessionProgress])
				require.GreaterOrEqual(t, counts[monitoring.SessionProgress], least, "as many as the limit allows")
				for _, r := range svc.Requests() {
					require.NotEqual(t, 429, r.Status)
				}
			})
		})
	}
	t.Run("if the service does not respond", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New()
			id := svc.AddSession(monitoringtest.Session{Duration: time.Hour})
			svc.Inject(monitoringtest.Fault{Operation: opGetSession, Delay: time.Hour, After: 1})
			began := time.Now()
			_, err := kit.Fake(t, svc).CheckSessions.Wait(t.Context(), id, monitoring.WaitOptions{Timeout: time.Minute})
			require.Equal(t, monitoring.SessionStarted, requireTimeout(t, err).Session.Status, "as last seen")
			require.Equal(t, 65*time.Second, time.Since(began))
		})
	})
	t.Run("unless the context ends before", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New()
			id := svc.AddSession(monitoringtest.Session{Duration: time.Hour})
			svc.Inject(monitoringtest.Fault{Operation: opGetSession, Delay: time.Hour, After: 1})
			ctx, stop := context.WithTimeout(t.Context(), 62*time.Second)
			defer stop()
			began := time.Now()
			_, err := kit.Fake(t, svc).CheckSessions.Wait(ctx, id, monitoring.WaitOptions{Timeout: time.Minute})
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.Equal(t, 62*time.Second, time.Since(began))
		})
	})
	t.Run("and are retried", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New()
			id := svc.AddSession(monitoringtest.Session{Duration: time.Hour})
			svc.Inject(monitoringtest.Fault{Operation: opGetSession, Kind: monitoringtest.FaultResetAfter, After: 1, Times: 2})
			began := time.Now()
			_, err := kit.Fake(t, svc).CheckSessions.Wait(t.Context(), id, monitoring.WaitOptions{Timeout: 30 * time.Minute})
			require.Equal(t, monitoring.SessionProgress, requireTimeout(t, err).Session.Status)
			require.Equal(t, 30*time.Minute+2*time.Second, time.Since(began))
		})
	})
	t.Run("and find that a session is gone", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New()
			id := svc.AddSession(monitoringtest.Session{Duration: time.Hour})
			svc.Inject(monitoringtest.Fault{Operation: opGetSession, Status: 404, After: 1})
			_, err := kit.Fake(t, svc).CheckSessions.Wait(t.Context(), id, monitoring.WaitOptions{Timeout: time.Minute})
			require.ErrorIs(t, err, monitoring.ErrNotFound)
			require.NotErrorIs(t, err, monitoring.ErrWaitTimeout)
		})
	})
}

func TestPollsAreHeldNoLongerThanTheTimeout(t *testing.T) {
	for _, c := range []struct {
		timeout, deadline time.Duration
		want              []int
	}{
		{timeout: 40 * time.Second, want: []int{30, 10}},
		{deadline: 40 * time.Second, want: []int{30, 10}},
		{timeout: 40 * time.Second, deadline: 35 * time.Second, want: []int{30, 5}},
		{timeout: 300 * time.Millisecond, want: []int{1}},
	} {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New()
			g := &gateway{}
			ctx := t.Context()
			if c.deadline > 0 {
				var stop context.CancelFunc
				ctx, stop = context.WithTimeout(ctx, c.deadline)
				defer stop()
			}
			id := svc.AddSession(monitoringtest.Session{Duration: time.Hour})
			_, err := behindGateway(t, svc, g).CheckSessions.Wait(ctx, id, monitoring.WaitOptions{Timeout: c.timeout})
			require.Error(t, err)
			require.Equal(t, c.want, g.holds[:len(c.want)])
		})
	}
}

func TestTheErrorOfAWaitThatEndsNamesTheLastFailure(t *testing.T) {
	down := monitoringtest.Fault{Status: 503, Body: `{"statusCode":503,"error":"Service Unavailable","message":"database is down"}`}
	t.Run("at the deadline", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New()
			id := svc.AddSession(monitoringtest.Session{Duration: time.Hour})
			svc.Inject(down)
			ctx, stop := context.WithTimeout(t.Context(), 6*time.Second)
			defer stop()
			_, err := kit.Fake(t, svc).CheckSessions.Wait(ctx, id, monitoring.WaitOptions{})
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.ErrorIs(t, err, monitoring.ErrServer)
			require.ErrorContains(t, err, "context deadline exceeded: the last request failed: GET ")
			require.ErrorContains(t, err, "database is down")
			require.NotContains(t, err.Error()[len("monitoring:"):], "monitoring:", "there is one prefix")
		})
	})
	t.Run("at the timeout", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New()
			id := svc.AddSession(monitoringtest.Session{Duration: time.Hour})
			svc.Inject(down)
			_, err := kit.Fake(t, svc).CheckSessions.Wait(t.Context(), id, monitoring.WaitOptions{Timeout: 6 * time.Second})
			requireTimeout(t, err)
			require.ErrorIs(t, err, monitoring.ErrServer)
			require.ErrorContains(t, err, "not finished within 6s: the last request failed: GET ")
		})
	})
	t.Run("unless a later request succeeded", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New()
			id := svc.AddSession(monitoringtest.Session{Duration: time.Hour})
			down := down
			down.Times = 4
			svc.Inject(down)
			ctx, stop := context.WithTimeout(t.Context(), time.Minute)
			defer stop()
			_, err := kit.Fake(t, svc).CheckSessions.Wait(ctx, id, monitoring.WaitOptions{})
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.NotErrorIs(t, err, monitoring.ErrServer)
		})
	})
	t.Run("and a failure that was known is not replaced", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New()
			short := svc.AddSession(monitoringtest.Session{Duration: time.Second})
			ctx, stop := context.WithTimeout(t.Context(), time.Minute)
			defer stop()
			svc.Inject(monitoringtest.Fault{Operation: opCompletion, Status: 403, After: 1})
			gone := svc.AddSession(monitoringtest.Session{Duration: time.Hour})
			n := 0
			for _, err := range kit.Fake(t, svc).CheckSessions.WaitAll(ctx, []string{short, gone}, monitoring.WaitOptions{}) {
				n++
				if err != nil {
					require.ErrorIs(t, err, monitoring.ErrForbidden)
					require.NotErrorIs(t, err, context.DeadlineExceeded)
				}
				time.Sleep(2 * time.Minute) // a slow loop: both results are known before the context ends
			}
			require.Equal(t, 2, n)
		})
	})
}

func TestGiveUpAfterBoundsATimeOfFailures(t *testing.T) {
	for after, most := range map[time.Duration]time.Duration{0: 5*time.Minute + 11*time.Second, 20 * time.Second: 31 * time.Second, time.Hour: time.Hour + 11*time.Second} {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New()
			id := svc.AddSession(monitoringtest.Session{Duration: 2 * time.Hour})
			svc.Inject(monitoringtest.Fault{Kind: monitoringtest.FaultResetUnhandled, After: 2})
			began := time.Now()
			_, err := kit.Fake(t, svc).CheckSessions.Wait(t.Context(), id, monitoring.WaitOptions{GiveUpAfter: after})
			if after == 0 {
				after = 5 * time.Minute
			}
			took := time.Since(began) - 30*time.Second // the first poll succeeded
			require.Greater(t, took, after)
			require.Less(t, took, most)
			require.ErrorContains(t, err, "gave up: every request failed for ")
			require.ErrorContains(t, err, "connection reset")
			require.NotErrorIs(t, err, monitoring.ErrWaitTimeout)
			require.Equal(t, monitoring.SessionStarted, sessionError(t, err).Session.Status)
		})
	}
}
