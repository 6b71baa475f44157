package waits_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
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
				require.GreaterOrEqual(t, time.Since(began), 10*time.Second, "the service may need some seconds to know a session")
				require.Less(t, time.Since(began), 2*time.Minute, "the others go on")
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
		for i, options := range []monitoring.WaitOptions{{}, {CancelUnfinished: true, CancelGrace: 3 * time.Second}} {
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
		{t.Context(), monitoring.WaitOptions{Share: 1.1}, "Share is 1.1"},
		{t.Context(), monitoring.WaitOptions{Share: -1}, "Share is -1"},
		{t.Context(), monitoring.WaitOptions{Share: math.NaN()}, "Share is NaN"},
		{t.Context(), monitoring.WaitOptions{Timeout: -1}, "Timeout -1ns"},
		{t.Context(), monitoring.WaitOptions{GiveUpAfter: -1}, "GiveUpAfter -1ns"},
		{t.Context(), monitoring.WaitOptions{CancelGrace: -1}, "CancelGrace -1ns"},
		{none, monitoring.WaitOptions{}, "the context is nil"},
	} {
		_, err := client.CheckSessions.Wait(c.ctx, id, c.options)
		require.ErrorContains(t, err, c.text)
		require.Equal(t, id, kit.ErrAs[*monitoring.SessionError](t, err).ID)
		require.ErrorContains(t, kit.Second(client.CheckSessions.TriggerAndWait(c.ctx, all, c.options)), c.text)
		n := 0
		for _, err = range client.CheckSessions.WaitAll(c.ctx, []string{id, id}, c.options) {
			n++
			require.ErrorContains(t, err, c.text)
		}
		require.Equal(t, 1, n)
	}
	_, err := client.CheckSessions.FetchFailingResults(none, &monitoring.CheckSession{})
	require.EqualError(t, err, "monitoring: fetch failing results: the context is nil")
	require.EqualError(t, kit.Second(client.RootCauseAnalyses.Wait(none, "x")), "monitoring: the context is nil")
	require.Empty(t, svc.Requests())
}

// TestATimeoutHoldsWithinASecond has services of every kind, and sessions that were seen running.
func TestATimeoutHoldsWithinASecond(t *testing.T) {
	const useless = `{"checkSessionId":null}`
	for name, fault := range map[string]monitoringtest.Fault{
		"a service that is down":      {Status: 503, After: 1}, // the trigger is the first request
		"one that does not respond":   {Delay: time.Hour, After: 1},
		"one that asks for a pause":   {Status: 429, Header: http.Header{"Retry-After": {"60"}}, After: 1},
		"one that says nothing":       {Status: 200, Body: useless, After: 1},
		"one without polls":           {Operation: opCompletion, Status: 404},
		"one that is slow to trigger": {Operation: opTrigger, Delay: 20 * time.Second},
		"one whose reads say nothing": {Operation: opGetSession, Status: 200, Body: useless},
	} {
		for _, timeout := range []time.Duration{1, 3 * time.Second, 100 * time.Second} {
			synctest.Test(t, func(t *testing.T) {
				svc := monitoringtest.New(monitoringtest.WithLatency(100 * time.Millisecond))
				for range 5 {
					svc.AddCheck(monitoringtest.Check{RunTime: time.Hour})
				}
				svc.Inject(fault)
				began := time.Now()
				sessions, err := kit.Fake(t, svc).CheckSessions.TriggerAndWait(t.Context(), all, monitoring.WaitOptions{
					Timeout: timeout, OnProgress: func(p monitoring.WaitProgress) { require.NoError(t, p.Err, "what still runs has not failed") },
				})
				requireTimeout(t, err)
				if fault.Operation == opTrigger {
					timeout = max(timeout, fault.Delay) // it counts from the call, but does not end the trigger
				}
				require.LessOrEqual(t, time.Since(began), timeout+time.Second, name)
				require.Len(t, monitoring.SessionErrors(err), 5, name)
				for _, e := range monitoring.SessionErrors(err) {
					require.NotNil(t, e.Session, name)
					require.Contains(t, sessions, e.Session, "the list has it, too")
				}
			})
		}
	}
}

func TestAtTheTimeoutEachOfAThousandSessionsHasAStateOfItsLastThird(t *testing.T) {
	t.Parallel()
	testkit.SkipUnderRace(t)
	const timeout = 6 * time.Minute
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New(monitoringtest.WithLatency(100 * time.Millisecond))
		began := time.Now()
		for _, err := range kit.Fake(t, svc).CheckSessions.WaitAll(t.Context(), addSessions(svc, 1000, anHour), monitoring.WaitOptions{Timeout: timeout}) {
			failed := requireTimeout(t, err)
			require.NotNil(t, failed.Session)
			require.Less(t, began.Add(timeout).Sub(failed.SeenAt), timeout/3)
		}
		require.LessOrEqual(t, time.Since(began), timeout+time.Second)
	})
}

func TestATriggerThatDoesNotSayWhatItStartedIsAnError(t *testing.T) {
	for text, c := range map[string]struct {
		fault monitoringtest.Fault
		is    error
	}{
		"the request may have taken effect":     {monitoringtest.Fault{Kind: monitoringtest.FaultResetAfter}, monitoring.ErrOutcomeUnknown},
		"the response has no sessions":          {monitoringtest.Fault{Status: 201, Body: `{"sessions":[]}`}, monitoring.ErrNoMatchingChecks},
		"$.sessions[0].checkSessionId: missing": {monitoringtest.Fault{Status: 201, Body: `{"sessions":[{}]}`}, nil},
	} {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New()
			svc.AddCheck(monitoringtest.Check{})
			svc.Inject(c.fault)
			sessions, err := kit.Fake(t, svc).CheckSessions.TriggerAndWait(t.Context(), all,
				monitoring.WaitOptions{OnTriggered: func([]*monitoring.CheckSession) { t.Error("OnTriggered was called") }})
			require.ErrorContains(t, err, text)
			require.Equal(t, 1, svc.Count(opTrigger), "it is not retried")
			require.Nil(t, sessions)
			require.ErrorContains(t, err, "monitoring: POST /v2/check-sessions/trigger")
			require.Equal(t, 1, kit.ErrAs[*monitoring.CallError](t, err).Attempts)
			for _, is := range []error{monitoring.ErrOutcomeUnknown, monitoring.ErrNoMatchingChecks} {
				require.Equal(t, is == c.is, errors.Is(err, is))
			}
		})
	}
}

func TestOnTriggeredIsCalledOnceWithWhatWasStarted(t *testing.T) {
	// Before the wait, with each session once.
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		ids := addSessions(svc, 2, func(i int) time.Duration { return time.Minute })
		item := `{"checkSessionId":"%s","status":"STARTED","startedAt":"2026-08-19T10:15:00.120Z"}`
		svc.Inject(monitoringtest.Fault{Operation: opTrigger, Status: 201, Body: fmt.Sprintf(`{"sessions":[`+item+","+item+","+item+`]}`, ids[0], ids[1], ids[0])})
		var told []string
		sessions, err := kit.Fake(t, svc).CheckSessions.TriggerAndWait(t.Context(), all, monitoring.WaitOptions{
			OnTriggered: func(started []*monitoring.CheckSession) {
				time.Sleep(time.Second)
				require.Len(t, svc.Requests(), 1, "the wait has not begun")
				for _, s := range started {
					told = append(told, s.CheckSessionID)
				}
			},
			OnProgress: func(p monitoring.WaitProgress) {
				require.Equal(t, ids, told)
				require.Equal(t, 2, p.Total)
			},
		})
		require.NoError(t, err)
		require.Len(t, sessions, 3, "as the trigger returned them")
		for i, id := range []string{ids[0], ids[1], ids[0]} {
			require.Equal(t, id, sessions[i].CheckSessionID)
			require.True(t, sessions[i].Passed())
		}
	})
	// Although the context ends with the response to the trigger.
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		svc.AddCheck(monitoringtest.Check{RunTime: time.Hour})
		ctx, stop := context.WithCancel(t.Context())
		client := kit.Fake(t, svc, monitoring.WithCallHook(func(context.Context, monitoring.CallInfo) { stop() }))
		told := 0
		_, err := client.CheckSessions.TriggerAndWait(ctx, all, monitoring.WaitOptions{OnTriggered: func(started []*monitoring.CheckSession) { told += len(started) }})
		require.ErrorIs(t, err, context.Canceled)
		require.Equal(t, 1, told)
	})
	// Not for sessions that the call did not trigger.
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		options := monitoring.WaitOptions{OnTriggered: func([]*monitoring.CheckSession) { t.Error("called") }}
		require.NoError(t, kit.Second(kit.Fake(t, svc).CheckSessions.Wait(t.Context(), svc.AddSession(monitoringtest.Session{}), options)))
	})
}

func TestMain(m *testing.M) { testkit.Main(m) }

const (
	opCompletion = "GET /v2/check-sessions/{checkSessionId}/completion"
	opGetSession = "GET /v2/check-sessions/{checkSessionId}"
	opGetResult  = "GET /v1/check-results/{checkId}/{checkResultId}"
	opTrigger    = "POST /v2/check-sessions/trigger"
	opCancel     = "POST /v1/check-sessions/{checkSessionId}/cancel"
)

const unknownID = "00000000-0000-4000-8000-000000000001" // no service has a session with it

var all = monitoring.TriggerRequest{AllChecks: true}

// limited is a service with a latency that enforces the limit.
func limited(latency time.Duration, opts ...monitoringtest.Option) *monitoringtest.Service {
	return monitoringtest.New(append(opts, monitoringtest.WithLatency(latency),
		monitoringtest.WithRateLimit(monitoring.RateLimit{Requests: 600, Per: time.Minute}), monitoringtest.WithRateLimitKind(monitoringtest.SlidingLog))...)
}

// requireNo429 requires that the service refused no request.
func requireNo429(t *testing.T, svc *monitoringtest.Service) {
	t.Helper()
	require.NotEmpty(t, svc.Requests())
	for _, r := range svc.Requests() {
		require.NotEqual(t, 429, r.Status)
	}
}

// addSessions adds n sessions and returns their ids.
func addSessions(svc *monitoringtest.Service, n int, duration func(i int) time.Duration) (ids []string) {
	for i := range n {
		ids = append(ids, svc.AddSession(monitoringtest.Session{Duration: duration(i)}))
	}
	return ids
}

func anHour(int) time.Duration { return time.Hour }

// requireTimeout requires the error of a session that still ran after the timeout.
func requireTimeout(t *testing.T, err error) *monitoring.SessionError {
	t.Helper()
	require.ErrorIs(t, err, monitoring.ErrWaitTimeout)
	require.NotErrorIs(t, err, context.DeadlineExceeded)
	require.NotErrorIs(t, err, context.Canceled)
	return kit.ErrAs[*monitoring.SessionError](t, err)
}

func TestASessionMayBeUnknownForTenSecondsAfterItsTrigger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		svc.AddCheck(monitoringtest.Check{RunTime: time.Minute})
		for _, operation := range []string{opCompletion, opGetSession} {
			svc.Inject(monitoringtest.Fault{Operation: operation, Status: 404, Times: 4}) // at 0, 1, 3 and 7 seconds
		}
		sessions, err := kit.Fake(t, svc).CheckSessions.TriggerAndWait(t.Context(), all, monitoring.WaitOptions{})
		require.NoError(t, err)
		require.True(t, sessions[0].Passed())
	})
}

// A wait gets the same response again and again. The session has ended or runs; the wait ends with
// an error at once, or after the ten seconds in which the session may be new; all requests fail,
// which ends it after a minute; or it asks by reads, because polls are of no use.
func TestWhatAWaitMakesOfAResponse(t *testing.T) {
	const ended, runs, refused, absent, failing, asksByReads = "ended", "runs", "refused", "absent", "failing", "asks by reads"
	const id = "00000000-0000-4000-8000-00000000000a"
	body := func(status string) string {
		return fmt.Sprintf(`{"checkSessionId":%q,"status":%q,"startedAt":"2026-08-19T10:15:00.120Z"}`, id, status)
	}
	// outcome is how a wait ends. Polls and reads get different responses.
	outcome := func(t *testing.T, wait func(context.Context, *monitoring.Client, monitoring.WaitOptions) error, read, poll func() (*http.Response, error)) (is string) {
		synctest.Test(t, func(t *testing.T) {
			began, reads := time.Now(), atomic.Int32{} // several requests may be on their way
			client := kit.Client(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
				if strings.HasSuffix(req.URL.Path, "/completion") {
					return poll()
				}
				reads.Add(1)
				return read()
			}))
			err := wait(t.Context(), client, monitoring.WaitOptions{Timeout: 2 * time.Minute, GiveUpAfter: time.Minute})
			took := time.Since(began)
			switch {
			case err == nil:
				require.Zero(t, took)
				is = ended
			case strings.Contains(err.Error(), ": gave up: every request failed for 1m"):
				is = failing
			case errors.Is(err, monitoring.ErrWaitTimeout) && reads.Load() > 20:
				is = asksByReads
			case errors.Is(err, monitoring.ErrWaitTimeout):
				is = runs
			case took == 0:
				is = refused
			default:
				require.GreaterOrEqual(t, took, 10*time.Second)
				require.Less(t, took, 20*time.Second)
				is = absent
			}
		})
		return is
	}
	for _, c := range []struct {
		name       string
		status     int
		body       string
		read, poll string
	}{
		{"a session that runs", 200, body("PROGRESS"), asksByReads, runs},
		{"one that has failures, and runs", 200, body("PROGRESS_FAILED"), asksByReads, runs},
		{"one that passed", 200, body("PASSED"), ended, ended},
		{"one that failed", 200, body("FAILED"), ended, ended},
		{"an unknown status", 200, body("PAUSED"), asksByReads, runs},
		{"an unknown status with an end", 200, strings.Replace(body("PAUSED"), "started", "stopped", 1), ended, ended},
		{"no status", 200, "{}", failing, asksByReads},
		{"no id", 200, `{"status":"PASSED"}`, ended, ended},
		{"another session", 200, strings.Replace(body("PASSED"), "a", "9", 1), refused, refused},
		{"an id in capital letters", 200, strings.Replace(body("PASSED"), "a", "A", 1), ended, ended},
		{"a page of a gateway", 200, "<html>", refused, asksByReads},
		{"204, as if there were nothing yet", 204, "", refused, asksByReads},
		{"400", 400, "", refused, refused},
		{"403", 403, "", refused, refused},
		{"404", 404, "", absent, asksByReads},
		{"405", 405, "", refused, asksByReads},
		{"408, which is the end of a poll", 408, "", failing, runs},
		{"410", 410, "", refused, asksByReads},
		{"429", 429, "", failing, failing},
		{"425", 425, "", failing, failing},
		{"498", 498, "", refused, refused},
		{"499", 499, "", failing, failing},
		{"500", 500, "", failing, failing},
		{"501", 501, "", refused, asksByReads},
		{"a lost connection", 0, "", failing, asksByReads},
	} {
		t.Run(c.name, func(t *testing.T) {
			respond := func() (*http.Response, error) {
				if c.status == 0 {
					return nil, syscall.ECONNRESET
				}
				return testkit.Respond(c.status, http.Header{"Retry-After": {"7"}}, c.body), nil
			}
			running := func() (*http.Response, error) { return testkit.Respond(200, nil, body("PROGRESS")), nil }
			unknown := func() (*http.Response, error) { return testkit.Respond(404, nil, ""), nil }
			one := func(ctx context.Context, client *monitoring.Client, options monitoring.WaitOptions) error { // reads first
				return kit.Second(client.CheckSessions.Wait(ctx, id, options))
			}
			all := func(ctx context.Context, client *monitoring.Client, options monitoring.WaitOptions) (failed error) { // polls
				for _, err := range client.CheckSessions.WaitAll(ctx, []string{id}, options) {
					failed = err
				}
				return failed
			}
			require.Equal(t, c.read, outcome(t, one, respond, unknown), "of a read, if there are no polls")
			require.Equal(t, c.poll, outcome(t, all, running, respond), "of a poll, if reads say that it runs")
		})
	}
}

func TestATriggeredSessionMayBeUnknownForTenSecondsFromItsStart(t *testing.T) {
	for started, want := range map[time.Duration]time.Duration{
		-time.Hour:      10 * time.Second,
		0:               10 * time.Second,
		8 * time.Second: 18 * time.Second,
		time.Minute - 1: 70*time.Second - 1,
		time.Minute:     10 * time.Second, // so far ahead that a clock must be wrong
	} {
		for _, ahead := range []time.Duration{0, 40 * time.Second, -3 * time.Minute} { // the clock of the service
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				theirs := began.Add(ahead)
				client := kit.Client(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
					if req.Method == http.MethodPost {
						return testkit.Respond(201, http.Header{"Date": {theirs.UTC().Format(http.TimeFormat)}},
							fmt.Sprintf(`{"sessions":[{"checkSessionId":%q,"status":"PROGRESS","startedAt":%q}]}`,
								unknownID, theirs.Add(started).Format(time.RFC3339Nano))), nil
					}
					return testkit.Respond(404, nil, ""), nil
				}))
				_, err := client.CheckSessions.TriggerAndWait(t.Context(), all, monitoring.WaitOptions{})
				require.ErrorIs(t, err, monitoring.ErrNotFound)
				require.GreaterOrEqual(t, time.Since(began), want, "started %s from now, clock %s", started, ahead)
				require.Less(t, time.Since(began), want+8*time.Second, "started %s from now, clock %s", started, ahead)
			})
		}
	}
}
