package waits_test

import (
	"context"
	"errors"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestWaitSurvivesTemporaryFailures(t *testing.T) {
	for name, fault := range map[string]monitoringtest.Fault{
		"resets of everything":       {Kind: monitoringtest.FaultResetUnhandled, Times: 4},
		"responses that are cut off": {Operation: opCompletion, Kind: monitoringtest.FaultCutBody, Times: 2},
		"429":                        {Operation: opCompletion, Status: 429, Header: http.Header{"Retry-After": {"5"}}, Times: 2},
		"an outage of two minutes":   {Status: 503, Times: 6},
		"nothing but immediate 408s": {Operation: opCompletion, Status: 408, NoBody: true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc := monitoringtest.New()
				svc.Inject(fault)
				id := svc.AddSession(monitoringtest.Session{Duration: 3 * time.Minute, Outcome: monitoring.SessionFailed})
				session, err := kit.Fake(t, svc).CheckSessions.Wait(t.Context(), id, monitoring.WaitOptions{})
				require.NoError(t, err)
				require.Equal(t, monitoring.SessionFailed, session.Status)
			})
		})
	}
}

// gateway is a proxy between the client and the service. It cuts requests that take too long.
type gateway struct {
	behind http.RoundTripper
	cut    time.Duration // requests that take this long are cut; 0 cuts none
	with   int           // the status of a request that is cut, without a body
	absent int           // the status of every completion; 0 passes them on

	polls, cuts atomic.Int64
}

func (g *gateway) RoundTrip(req *http.Request) (*http.Response, error) {
	if strings.HasSuffix(req.URL.Path, "/completion") {
		g.polls.Add(1)
		if g.absent != 0 {
			return testkit.Respond(g.absent, nil, "<html>no such page"), nil
		}
	}
	if g.cut == 0 {
		return g.behind.RoundTrip(req)
	}
	ctx, stop := context.WithTimeout(req.Context(), g.cut)
	defer stop()
	resp, err := g.behind.RoundTrip(req.WithContext(ctx))
	if req.Context().Err() != nil || ctx.Err() == nil {
		return resp, err
	}
	g.cuts.Add(1)
	return testkit.Respond(g.with, nil, ""), nil
}

// TestWaitsGetThroughGateways waits for five sessions of about ten minutes.
func TestWaitsGetThroughGateways(t *testing.T) {
	for _, c := range []struct {
		name        string
		gateway     *gateway
		most        time.Duration // from the end of a session to its yield
		cuts, polls int64         // at most
		reads       int
	}{
		{"that cut long requests with 504", &gateway{cut: 5 * time.Second, with: 504}, time.Second, 8 * 5, 160 * 5, 2 * 5},
		{"that cut them with an empty response", &gateway{cut: 20 * time.Second, with: 200}, time.Second, 8 * 5, 50 * 5, 2 * 5},
		{"that cut them with 408, as the service ends polls", &gateway{cut: 5 * time.Second, with: 408}, time.Second, 150 * 5, 160 * 5, 2 * 5},
		{"that lack the completion", &gateway{absent: 404}, 6 * time.Second, 0, 20 * 5, 170 * 5},
		{"that have a page instead of it", &gateway{absent: 200}, 6 * time.Second, 0, 20 * 5, 170 * 5},
		{"that cut what is shorter than any poll", &gateway{cut: 700 * time.Millisecond, with: 504}, 13 * time.Second, 20 * 5, 20 * 5, 170 * 5},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc, g := limited(100*time.Millisecond), c.gateway
				g.behind = svc.Transport()
				ids := addSessions(svc, 5, func(i int) time.Duration { return 10*time.Minute + time.Duration(i)*7301*time.Millisecond })
				for session, err := range kit.Fake(t, svc, monitoring.WithHTTPClient(&http.Client{Transport: g})).CheckSessions.WaitAll(t.Context(), ids, monitoring.WaitOptions{}) {
					require.NoError(t, err)
					require.Less(t, time.Since(session.StoppedAt.Time), c.most)
				}
				t.Logf("%d polls, %d cut, %d reads", g.polls.Load(), g.cuts.Load(), svc.Count(opGetSession))
				require.LessOrEqual(t, g.cuts.Load(), c.cuts, "holds stay below the cut")
				require.LessOrEqual(t, g.polls.Load(), c.polls, "polls that fail are tried less and less often")
				require.LessOrEqual(t, svc.Count(opGetSession), c.reads)
			})
		})
	}
}

func TestRequestsOfWaitsAreNotChargedToTheRetryBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		client := kit.Fake(t, svc)
		svc.Inject(monitoringtest.Fault{Operation: opCompletion, Status: 503})
		for range client.CheckSessions.WaitAll(t.Context(), addSessions(svc, 100, anHour), monitoring.WaitOptions{Timeout: 2 * time.Minute}) {
		}
		require.Greater(t, svc.Count(opCompletion), 300)
		svc.ClearFaults()
		svc.Inject(monitoringtest.Fault{Operation: "GET /v1/locations", Status: 503, Times: 60})
		var calls sync.WaitGroup
		for range 60 {
			calls.Go(func() {
				if err := kit.Second(client.Locations.List(t.Context())); err != nil {
					t.Error("the budget has no retry for each:", err)
				}
			})
		}
		calls.Wait()
	})
}

func TestAServiceThatIsDownGetsNoMoreRequestsThanOneThatWorks(t *testing.T) {
	var requests []int
	for _, status := range []int{503, 0} {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New(monitoringtest.WithLatency(100 * time.Millisecond))
			if status > 0 {
				svc.Inject(monitoringtest.Fault{Status: status})
			}
			for range kit.Fake(t, svc).CheckSessions.WaitAll(t.Context(), addSessions(svc, 10, anHour), monitoring.WaitOptions{Timeout: 5 * time.Minute}) {
			}
			requests = append(requests, len(svc.Requests()))
		})
	}
	t.Log("if it is down, and if it works:", requests)
	require.True(t, slices.IsSorted(requests), requests)
}

func TestASessionThatTheServiceForgetsEndsWithItsLastState(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		id := svc.AddSession(monitoringtest.Session{Duration: time.Hour})
		svc.Inject(monitoringtest.Fault{Status: 404, Match: func(monitoringtest.Request) bool { return svc.Count(opCompletion) > 2 }})
		_, err := kit.Fake(t, svc).CheckSessions.Wait(t.Context(), id, monitoring.WaitOptions{})
		require.ErrorIs(t, err, monitoring.ErrNotFound)
		require.ErrorContains(t, err, "last seen STARTED: the service no longer knows the session, which had not ended at ")
		require.Equal(t, monitoring.SessionStarted, kit.ErrAs[*monitoring.SessionError](t, err).Session.Status)
	})
}

func TestAPanicOrExitInAWaitReachesTheCaller(t *testing.T) {
	broken := errors.New("the hook is broken")
	for how, end := range map[string]func(){"panic": func() { panic(broken) }, "exit": runtime.Goexit} {
		for _, where := range []string{"a request", "OnTriggered", "OnProgress", "a result"} {
			t.Run(how+" in "+where, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { // a bubble fails if a goroutine is left
					svc := monitoringtest.New()
					svc.AddCheck(monitoringtest.Check{Type: monitoring.CheckTypePlaywright, RunTime: time.Hour})
					client := kit.Fake(t, svc, monitoring.WithAttemptHook(func(_ context.Context, a monitoring.Attempt) {
						if where == "a request" && a.Operation == opCompletion || where == "a result" {
							end()
						}
					}))
					options := monitoring.WaitOptions{CancelOnInterrupt: true, OnTriggered: func([]*monitoring.CheckSession) {
						if where == "OnTriggered" {
							end()
						}
					}, OnProgress: func(monitoring.WaitProgress) {
						if where == "OnProgress" {
							end()
						}
					}}
					panicked, exited := testkit.Ending(func() {
						if where == "a result" {
							client.CheckSessions.FetchFailingResults(t.Context(), failingIn(4))
							return
						}
						client.CheckSessions.TriggerAndWait(t.Context(), all, options)
					})
					require.Equal(t, how == "exit", exited)
					if how == "panic" {
						require.ErrorIs(t, panicked.(error), broken)
					}
					if where != "a result" {
						require.Equal(t, 1, svc.Executed(opCancel), "what still runs is cancelled")
					}
				})
			})
		}
	}
}
