package waits_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"slices"
	"strings"
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

// TestWaitsGetThroughGateways waits for five sessions of about ten minutes.
func TestWaitsGetThroughGateways(t *testing.T) {
	for _, c := range []struct {
		cut    time.Duration // requests that take this long are cut
		status int           // of a request that is cut, without a body
		late   time.Duration // from the end of a session to its yield, at most
		most   [3]int        // cuts, polls and reads of a session: holds stay below the cut
	}{
		{5 * time.Second, 504, time.Second, [3]int{8, 160, 2}},
		{20 * time.Second, 200, time.Second, [3]int{8, 50, 2}},
		{5 * time.Second, 408, time.Second, [3]int{150, 160, 2}},             // as the service ends polls
		{700 * time.Millisecond, 504, 13 * time.Second, [3]int{20, 20, 170}}, // shorter than any poll
	} {
		synctest.Test(t, func(t *testing.T) {
			svc := limited(100 * time.Millisecond)
			var cuts atomic.Int64
			behind := svc.Transport()
			gateway := testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
				ctx, stop := context.WithTimeout(req.Context(), c.cut)
				defer stop()
				resp, err := behind.RoundTrip(req.WithContext(ctx))
				if req.Context().Err() != nil || ctx.Err() == nil {
					return resp, err
				}
				cuts.Add(1)
				return testkit.Respond(c.status, nil, ""), nil
			})
			ids := addSessions(svc, 5, func(i int) time.Duration { return 10*time.Minute + time.Duration(i)*7301*time.Millisecond })
			for session, err := range kit.Fake(t, svc, monitoring.WithHTTPClient(&http.Client{Transport: gateway})).CheckSessions.WaitAll(t.Context(), ids, monitoring.WaitOptions{}) {
				require.NoError(t, err)
				require.Less(t, time.Since(session.StoppedAt.Time), c.late)
			}
			for i, n := range []int{int(cuts.Load()), svc.Count(opCompletion), svc.Count(opGetSession)} {
				require.LessOrEqual(t, n, len(ids)*c.most[i], "%+v", c)
			}
		})
	}
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
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		svc.Inject(monitoringtest.Fault{Status: 503})
		_, err := kit.Fake(t, svc).CheckSessions.Wait(t.Context(), unknownID, monitoring.WaitOptions{GiveUpAfter: time.Minute})
		require.ErrorContains(t, err, "gave up: every request failed for 1m")
		require.ErrorIs(t, err, monitoring.ErrServer)
		require.Zero(t, kit.ErrAs[*monitoring.SessionError](t, err).SeenAt, "it was never seen")
	})
}

func TestASessionThatTheServiceForgetsEndsWithItsLastState(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		id := svc.AddSession(monitoringtest.Session{Duration: time.Hour})
		svc.Inject(monitoringtest.Fault{Status: 404, Match: func(monitoringtest.Request) bool { return svc.Count(opCompletion) > 2 }})
		_, err := kit.Fake(t, svc).CheckSessions.Wait(t.Context(), id, monitoring.WaitOptions{})
		require.ErrorIs(t, err, monitoring.ErrNotFound)
		require.ErrorContains(t, err, "last seen STARTED 90 s ago: the service no longer knows the session, which had not ended at ")
		require.Equal(t, monitoring.SessionStarted, kit.ErrAs[*monitoring.SessionError](t, err).Session.Status)
	})
}

func TestAPanicOrExitInAWaitReachesTheCaller(t *testing.T) {
	broken := errors.New("the hook is broken")
	for how, end := range map[string]func(){"panic": func() { panic(broken) }, "exit": runtime.Goexit} {
		for _, where := range []string{opCompletion, opGetResult, "OnTriggered", "OnProgress"} {
			synctest.Test(t, func(t *testing.T) { // a bubble fails if a goroutine is left
				here := func(name string) {
					if name == where {
						end()
					}
				}
				svc := monitoringtest.New()
				svc.AddCheck(monitoringtest.Check{Type: monitoring.CheckTypePlaywright, RunTime: time.Hour})
				sessions := kit.Fake(t, svc, monitoring.WithAttemptHook(func(_ context.Context, a monitoring.AttemptInfo) { here(a.Operation) })).CheckSessions
				panicked, exited := testkit.Ending(func() {
					sessions.FetchFailingResults(t.Context(), failingIn(4))
					sessions.TriggerAndWait(t.Context(), all, monitoring.WaitOptions{
						CancelUnfinished: true,
						OnTriggered:      func([]*monitoring.CheckSession) { here("OnTriggered") },
						OnProgress:       func(monitoring.WaitProgress) { here("OnProgress") },
					})
				})
				require.Equal(t, how == "exit", exited, where)
				if how == "panic" {
					require.ErrorIs(t, panicked.(error), broken)
				}
				require.Equal(t, where != opGetResult, svc.Executed(opCancel) == 1, "what still runs is cancelled")
			})
		}
	}
}

// failingIn is a session with so many failing results, which no service has.
func failingIn(n int) *monitoring.CheckSession {
	stopped := monitoring.NewTimestamp(time.Now().Add(-25 * time.Hour))
	session, final := &monitoring.CheckSession{StoppedAt: &stopped}, monitoring.ResultFinal
	for i := range n {
		id := fmt.Sprintf("00000000-0000-4000-8000-%012d", i)
		session.Results = append(session.Results, monitoring.CheckSessionResult{CheckID: id, CheckResultID: id, ResultType: &final, HasFailures: true})
	}
	return session
}

func TestEightFailingResultsAreFetchedAtOnce(t *testing.T) {
	for failing, want := range map[int]time.Duration{16: 2 * time.Second, 17: 3 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New(monitoringtest.WithLatency(time.Second))
			began := time.Now()
			results, err := kit.Fake(t, svc).CheckSessions.FetchFailingResults(t.Context(), failingIn(failing))
			require.Len(t, err.(interface{ Unwrap() []error }).Unwrap(), failing, "no service has them")
			require.Len(t, results, failing)
			require.Equal(t, want, time.Since(began).Truncate(time.Second), "%d results", failing)
			require.Len(t, svc.Requests(), failing, "each is fetched once")
		})
	}
}

func TestErrorsOfSessionsAreFoundInAnyErrorAndSayWhatIsKnown(t *testing.T) {
	a, b := &monitoring.SessionError{ID: "a"}, &monitoring.SessionError{ID: "b"}
	require.Equal(t, []*monitoring.SessionError{b, a}, monitoring.SessionErrors(fmt.Errorf("gate: %w", errors.Join(b, io.EOF, fmt.Errorf("again: %w", a)))))
	require.Empty(t, monitoring.SessionErrors(errors.Join(io.EOF, context.Canceled)))
	for status, want := range map[monitoring.CheckSessionStatus]string{
		"":                               `monitoring: wait for check session "1\n2": EOF`,
		monitoring.SessionProgressFailed: `monitoring: wait for check session "1\n2", last seen PROGRESS_FAILED: EOF`,
		"\x1b[1mx":                       `monitoring: wait for check session "1\n2", last seen with unknown status "[1mx": EOF`,
	} {
		require.EqualError(t, &monitoring.SessionError{ID: "1\n2", Err: io.EOF, Session: &monitoring.CheckSession{Status: status}}, want, "one that a caller made")
	}
}

func TestManySessionsOfOneReasonAreOneLineOfAJoinedError(t *testing.T) {
	for checks, grouped := range map[int]bool{3: false, 4: true, 30: true} {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New()
			for range checks {
				svc.AddCheck(monitoringtest.Check{Tags: []string{"all"}, RunTime: time.Hour})
			}
			svc.AddCheck(monitoringtest.Check{Name: "Refused", Tags: []string{"all"}, RunTime: time.Hour})
			ctx, interrupt := context.WithCancelCause(t.Context())
			time.AfterFunc(7*time.Second, func() { interrupt(errors.New("interrupt signal received")) })
			request := monitoring.TriggerRequest{Target: monitoring.TriggerTarget{MatchTags: [][]string{{"all"}}}}
			sessions, err := kit.Fake(t, svc).CheckSessions.TriggerAndWait(ctx, request, monitoring.WaitOptions{
				OnTriggered: func(sessions []*monitoring.CheckSession) {
					id := sessions[checks].CheckSessionID
					svc.Inject(monitoringtest.Fault{Operation: opCompletion, ID: id, Status: 403})
				},
			})
			require.Len(t, monitoring.SessionErrors(err), checks+1)
			require.ErrorIs(t, err, context.Canceled)
			lines := strings.Split(err.Error(), "\n")
			require.Contains(t, lines[0], "monitoring: wait for \"Refused\" (session "+sessions[checks].CheckSessionID)
			require.Contains(t, lines[0], "403 Forbidden")
			if !grouped {
				require.Len(t, lines, checks+1)
				return
			}
			require.Len(t, lines, 2)
			require.Regexp(t, fmt.Sprintf(`^monitoring: wait for %d check sessions, such as (".*" \(session [0-9a-f-]{36}\), ){2}".*" \(session [0-9a-f-]{36}\)`+
				`: context canceled: interrupt signal received; the sessions keep running$`, checks), lines[1])
		})
	}
}

func TestTheUnknownStatusInASessionErrorIsQuotedWithoutSecrets(t *testing.T) {
	const key, account = "sk_live/42+secret", "5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11"
	for status, want := range map[string]string{
		`A" ok`:                       `unknown status "A\" ok" 60 s ago: `,
		strings.Repeat("ä", 40):       `unknown status "` + strings.Repeat("ä", 40) + `" 60 s ago: `,
		strings.Repeat("ä", 41):       `unknown status "` + strings.Repeat("ä", 39) + `…" 60 s ago: `,
		`is sk_live\/42\u002bsecret`:  `unknown status "is [redacted]" 60 s ago: `,
		account + "!":                 `unknown status "[redacted]!" 60 s ago: `,
		strings.Repeat("x", 35) + key: `unknown status "` + strings.Repeat("x", 35) + `[red…" 60 s ago: `, // not cut before it is one
	} {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New(monitoringtest.WithAPIKey(key))
			quoted, err := json.Marshal(status)
			require.NoError(t, err)
			svc.Inject(monitoringtest.Fault{Operation: opTrigger, Status: 201, Body: `{"sessions":[{"checkSessionId":"` + unknownID + `","startedAt":"2026-08-19T10:15:00.120Z","status":` + string(quoted) + `}]}`},
				monitoringtest.Fault{Status: 503})
			_, err = kit.Fake(t, svc).CheckSessions.TriggerAndWait(t.Context(), all, monitoring.WaitOptions{Timeout: time.Minute}, monitoring.WithAccount(account))
			require.ErrorContains(t, requireTimeout(t, err), want)
		})
	}
}

func TestTheErrorOfAWaitForARootCauseAnalysisSaysWhatHappened(t *testing.T) {
	for name, c := range map[string]struct {
		fault  monitoringtest.Fault
		within time.Duration
		want   string
		is     error
		seen   bool
	}{
		"at the deadline":    {monitoringtest.Fault{Times: 1}, 10 * time.Second, "context deadline exceeded", context.DeadlineExceeded, true},
		"with a failure":     {monitoringtest.Fault{Status: 503, After: 1}, 10 * time.Second, "context deadline exceeded: the last request failed: GET ", monitoring.ErrServer, true},
		"after five minutes": {monitoringtest.Fault{Status: 503, After: 1}, time.Hour, "gave up: every request failed for 5m", monitoring.ErrServer, true},
		"if it has no id":    {monitoringtest.Fault{Status: 200, Body: "{}", After: 1}, 10 * time.Second, "context deadline exceeded: the last request failed: the response has no status", context.DeadlineExceeded, true},
		"if it is accepted":  {monitoringtest.Fault{Status: 202, Body: `{"status":"COMPLETED"}`}, 10 * time.Second, "context deadline exceeded", context.DeadlineExceeded, true},
		"after a long pause": {monitoringtest.Fault{Header: http.Header{"Retry-After": {"3600"}}, Times: 1}, 3 * time.Minute, "context deadline exceeded", context.DeadlineExceeded, true},
		"if it is another":   {monitoringtest.Fault{Status: 200, Body: `{"id":"` + unknownID + `","status":"COMPLETED"}`}, time.Hour, "the response has another id", nil, false},
		"if there is none":   {monitoringtest.Fault{Status: 404}, time.Hour, "GET ", monitoring.ErrNotFound, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New()
			id := svc.AddRootCauseAnalysis(monitoring.RootCauseAnalysis{}, 2*time.Hour)
			svc.Inject(c.fault)
			ctx, stop := context.WithTimeout(t.Context(), c.within)
			defer stop()
			began := time.Now()
			analysis, err := kit.Fake(t, svc).RootCauseAnalyses.Wait(ctx, id)
			if c.is != nil {
				require.ErrorIs(t, err, c.is, name)
			}
			require.ErrorContains(t, err, "monitoring: wait for root cause analysis \""+id+"\": "+c.want, name)
			require.NotContains(t, err.Error()[1:], "monitoring:", "there is one prefix")
			if c.seen {
				require.Equal(t, monitoring.RootCauseAnalysisPending, analysis.Status, "as last seen")
			}
			if c.fault.Header != nil {
				require.Equal(t, 2*time.Minute, svc.Requests()[1].Time.Sub(began), "MaxRetryAfter")
			}
		})
	}
}

func TestASessionErrorSaysWhenTheSessionWasSeen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		svc.AddCheck(monitoringtest.Check{RunTime: time.Hour})
		triggered := time.Now()
		ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
		defer stop()
		sessions := kit.Fake(t, svc).CheckSessions
		_, err := sessions.TriggerAndWait(ctx, all, monitoring.WaitOptions{})
		late := kit.ErrAs[*monitoring.SessionError](t, err)
		require.True(t, late.SeenAt.Equal(triggered), "the trigger is the last response about it")
		_, err = sessions.Wait(t.Context(), late.ID, monitoring.WaitOptions{Timeout: time.Minute})
		require.WithinDuration(t, time.Now(), requireTimeout(t, err).SeenAt, 5*time.Second, "the session was read at the timeout")
	})
}
