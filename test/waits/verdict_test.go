package waits_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// resultOf is a final result with the flags of a name of TestVerdictOfEverySession.
func resultOf(flags string) []monitoring.CheckSessionResult {
	final, attempt := monitoring.ResultFinal, monitoring.ResultAttempt
	r := monitoring.CheckSessionResult{RunLocation: "eu-west-1", ResultType: &final}
	switch flags {
	case "no result":
		return nil
	case "passed":
	case "degraded":
		r.IsDegraded = true
	case "failed":
		r.HasFailures = true
	case "failed, with errors":
		r.HasFailures, r.HasErrors = true, true
	case "only errors":
		r.HasErrors = true
	case "cancelled":
		r.IsCancelled = true
	case "cancelled and failed":
		r.IsCancelled = true
		return append(resultOf("failed"), r)
	case "aborted":
		r.Aborted = true
	case "only an attempt":
		r.ResultType, r.HasFailures = &attempt, true
	case "running":
		r.ResultType = nil
	default:
		panic(flags)
	}
	return []monitoring.CheckSessionResult{r}
}

func TestVerdictOfEverySession(t *testing.T) {
	columns := []string{"no result", "passed", "degraded", "failed", "failed, with errors", "only errors", "cancelled", "cancelled and failed", "aborted", "only an attempt", "running"}
	letters := map[byte]monitoring.Verdict{
		'P': monitoring.VerdictPassed, 'D': monitoring.VerdictDegraded, 'F': monitoring.VerdictFailed,
		'C': monitoring.VerdictCancelled, '?': monitoring.VerdictUnknown,
	}
	for status, row := range map[monitoring.CheckSessionStatus]string{
		monitoring.SessionPassed:           "PPPPPPPPPPP",
		monitoring.SessionDegraded:         "DDDDDDDDDDD",
		monitoring.SessionFailed:           "FFFFF?CF?FF",
		monitoring.SessionTimedOut:         "???FF?CF???",
		monitoring.SessionCancelled:        "CCCFFCCFCCC",
		monitoring.SessionStarted:          "???FF??F???",
		monitoring.SessionProgress:         "???FF??F???",
		monitoring.SessionProgressFailed:   "???FF??F???",
		monitoring.SessionProgressDegraded: "???FF??F???",
		"PAUSED":                           "???FF??F???",
		"":                                 "???FF??F???",
	} {
		require.Len(t, row, len(columns))
		for i, flags := range columns {
			session := &monitoring.CheckSession{Status: status, RunLocations: []string{"eu-west-1"}, Results: resultOf(flags)}
			want := letters[row[i]]
			require.Equal(t, want, session.Verdict(), "%s, %s", status, flags)
			require.Equal(t, want == "passed" || want == "degraded", want.OK())
			require.Equal(t, want.OK(), len(session.Messages()) == 0, "%s, %s: %q", status, flags, session.Messages())
			if session.Passed() {
				require.True(t, want.OK(), "%s: Passed and Verdict agree", status)
			}
		}
	}
}

func TestASessionAndAResultThatAreNilHaveNoOutcome(t *testing.T) {
	var session *monitoring.CheckSession
	require.Equal(t, monitoring.VerdictUnknown, session.Verdict())
	require.Equal(t, []string{"there is no session"}, session.Messages())
	require.False(t, session.Done() || session.Passed() || session.Cancelled())
	require.Zero(t, session.Duration())
	for _, results := range [][]monitoring.CheckSessionResult{session.FinalResults(), session.FailingResults(), session.Attempts()} {
		require.Nil(t, results)
	}
	var run *monitoring.CheckSessionResult
	require.Equal(t, monitoring.VerdictUnknown, run.Verdict())
	require.False(t, run.Final() || run.Passed())
	for flags, want := range map[string]bool{"passed": true, "degraded": true, "failed": false, "only errors": false, "cancelled": false, "aborted": false, "running": false} {
		require.Equal(t, want, resultOf(flags)[0].Passed(), flags)
	}
	var full *monitoring.CheckResult
	require.Equal(t, monitoring.VerdictUnknown, full.Verdict())
	require.Equal(t, []string{"there is no result"}, full.Messages())
	require.Empty(t, monitoring.CountByStatus([]*monitoring.CheckSession{nil}))
	require.Equal(t, map[monitoring.CheckSessionStatus]int{monitoring.SessionPassed: 1},
		monitoring.CountByStatus([]*monitoring.CheckSession{nil, {Status: monitoring.SessionPassed}}))
}

func TestVerdictOfOneLocation(t *testing.T) {
	yes, final, empty := true, monitoring.ResultFinal, monitoring.ResultType("")
	for flags, want := range map[string]monitoring.Verdict{
		"passed": "passed", "degraded": "degraded", "failed": "failed", "failed, with errors": "failed", "only errors": "unknown",
		"cancelled": "cancelled", "aborted": "unknown", "only an attempt": "failed", "running": "unknown",
	} {
		r := resultOf(flags)[0]
		require.Equal(t, want, r.Verdict(), flags)
		if r.ResultType != nil && !r.Aborted {
			full := monitoring.CheckResult{ResultType: *r.ResultType, HasFailures: r.HasFailures, HasErrors: r.HasErrors, IsCancelled: r.IsCancelled, IsDegraded: &r.IsDegraded}
			require.Equal(t, want, full.Verdict(), flags)
		}
	}
	require.Equal(t, monitoring.VerdictCancelled, (&monitoring.CheckSessionResult{ResultType: &final, IsCancelled: true, HasFailures: true}).Verdict())
	require.Equal(t, monitoring.VerdictUnknown, (&monitoring.CheckSessionResult{ResultType: &empty}).Verdict())
	require.Equal(t, monitoring.VerdictUnknown, (&monitoring.CheckResult{IsDegraded: &yes}).Verdict(), "read with Fields and without resultType")
	require.Equal(t, monitoring.VerdictUnknown, (*monitoring.CheckResult)(nil).Verdict())
	require.Equal(t, monitoring.VerdictUnknown, (*monitoring.CheckSessionResult)(nil).Verdict())
}

func TestMessagesSayWhyASessionIsNotGood(t *testing.T) {
	stopped := monitoring.NewTimestamp(time.Now())
	both := []string{"eu-west-1", "us-east-1"}
	for name, c := range map[string]struct {
		session monitoring.CheckSession
		want    []string
	}{
		"a location that failed": {monitoring.CheckSession{Status: "FAILED", Results: resultOf("failed")}, []string{"eu-west-1: failed"}},
		"and one without a result": {monitoring.CheckSession{Status: "FAILED", StoppedAt: &stopped, RunLocations: both, Results: resultOf("failed")},
			[]string{"eu-west-1: failed", "us-east-1: no result"}},
		"one that runs on": {monitoring.CheckSession{Status: "PROGRESS", RunLocations: both, Results: resultOf("passed")}, []string{"us-east-1: no result yet"}},
		"an error of the service": {monitoring.CheckSession{Status: "FAILED", Results: resultOf("only errors")},
			[]string{"eu-west-1: the service had an error"}},
		"a failure with errors":  {monitoring.CheckSession{Status: "FAILED", Results: resultOf("failed, with errors")}, []string{"eu-west-1: failed"}},
		"an aborted run":         {monitoring.CheckSession{Status: "FAILED", Results: resultOf("aborted")}, []string{"eu-west-1: the run was aborted"}},
		"a cancelled run":        {monitoring.CheckSession{Status: "CANCELLED", Results: resultOf("cancelled")}, []string{"eu-west-1: cancelled"}},
		"no result at all":       {monitoring.CheckSession{Status: "FAILED"}, []string{"the session is FAILED, and no result says why"}},
		"not even a status":      {monitoring.CheckSession{}, []string{"the session is without a status, and no result says why"}},
		"an unknown status":      {monitoring.CheckSession{Status: "A\nB"}, []string{`the session is "A B", and no result says why`}},
		"a location with breaks": {monitoring.CheckSession{Status: "FAILED", RunLocations: []string{"eu\n::error"}}, []string{"eu ::error: no result yet"}},
	} {
		if c.session.Status == "FAILED" && c.session.StoppedAt == nil {
			c.want = []string{strings.ReplaceAll(c.want[0], "no result yet", "no result")}
		}
		require.Equal(t, c.want, c.session.Messages(), name)
	}
}

// TestTheTimeOfMessagesGrowsLikeTheNumberOfLocations compares two sizes, 16 apart: linear work
// takes 16 times as long, and quadratic work 256 times.
func TestTheTimeOfMessagesGrowsLikeTheNumberOfLocations(t *testing.T) {
	testkit.SkipUnderRace(t)
	least := func(n int) time.Duration {
		session := monitoring.CheckSession{Status: "FAILED"}
		for i := range n {
			one := resultOf("failed")[0]
			one.RunLocation = fmt.Sprint("location ", i)
			session.Results = append(session.Results, one)
			session.RunLocations = append(session.RunLocations, fmt.Sprint("location ", n-i), fmt.Sprint("open ", i))
		}
		return testkit.Least(func() { require.Len(t, session.Messages(), 2*n+1) })
	}
	few, many := least(1000), least(16_000)
	require.Less(t, many, 64*few+20*time.Millisecond, "%v for 1,000, %v for 16,000", few, many)
}

func TestMissingChecksAreTold(t *testing.T) {
	const a, b, c = "8a55aaaa-0000-4000-8000-00000000000a", "d8d9bbbb-0000-4000-8000-00000000000b", "d8d9cccc-0000-4000-8000-00000000000c"
	of := func(ids ...string) (list []monitoring.CheckSession) {
		for _, id := range ids {
			list = append(list, monitoring.CheckSession{CheckID: id})
		}
		return list
	}
	named := func(ids ...string) monitoring.TriggerRequest {
		return monitoring.TriggerRequest{Target: monitoring.TriggerTarget{CheckIDs: ids}}
	}
	withTags := named(a)
	withTags.Target.MatchTags = [][]string{{"x"}}
	for name, row := range map[string]struct {
		request  monitoring.TriggerRequest
		sessions []monitoring.CheckSession
		want     []string
	}{
		"all were started":                     {named(a, b), of(b, a), nil},
		"case does not matter":                 {named(strings.ToUpper(a)), of(a), nil},
		"one is missing":                       {named(a, b, c), of(b), []string{a, c}},
		"one that is named twice is told once": {named(c, a, strings.ToUpper(c)), of(a), []string{c}},
		"a session without a check may be any": {named(a, b), of(a, ""), nil},
		"no session":                           {named(a, b), nil, []string{a, b}},
		"tags":                                 {withTags, of(b), nil},
		"all checks":                           {monitoring.TriggerRequest{AllChecks: true}, of(b), nil},
	} {
		require.Equal(t, row.want, row.request.Missing(row.sessions), name)
	}
	err := &monitoring.MissingChecksError{CheckIDs: []string{a, c}, Named: 3}
	require.EqualError(t, err, "monitoring: 2 of 3 checks were not started ("+a+", "+c+"): they are deactivated, deleted or heartbeats, or this key may not run them")
	long := &monitoring.MissingChecksError{Named: 20}
	for range 12 {
		long.CheckIDs = append(long.CheckIDs, a)
	}
	require.Equal(t, 10, strings.Count(long.Error(), a))
	require.Contains(t, long.Error(), " and 2 more): ")
}

func TestTriggerAndWaitTellsWhichChecksWereNotStarted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		a := svc.AddCheck(monitoringtest.Check{Name: "A"})
		off := svc.AddCheck(monitoringtest.Check{Name: "B", Deactivated: true})
		const gone = "d8d9cccc-0000-4000-8000-00000000000c"
		request := monitoring.TriggerRequest{Target: monitoring.TriggerTarget{CheckIDs: []string{strings.ToUpper(a), off, gone, a}}}
		sessions, err := kit.Fake(t, svc).CheckSessions.TriggerAndWait(t.Context(), request, monitoring.WaitOptions{})
		missing := requireAs[*monitoring.MissingChecksError](t, err)
		require.Equal(t, &monitoring.MissingChecksError{CheckIDs: []string{off, gone}, Named: 3}, missing)
		require.False(t, monitoring.SafeToRetry(err), "the others were started")
		require.Len(t, sessions, 1)
		require.Equal(t, monitoring.VerdictPassed, sessions[0].Verdict(), "what was started is waited for")
		request.Target.CheckIDs = []string{off, gone}
		_, err = kit.Fake(t, svc).CheckSessions.TriggerAndWait(t.Context(), request, monitoring.WaitOptions{})
		require.ErrorIs(t, err, monitoring.ErrNoMatchingChecks)
		require.NotErrorAs(t, err, &missing)
	})
}

func requireAs[E error](t *testing.T, err error) (found E) {
	t.Helper()
	require.ErrorAs(t, err, &found)
	return found
}

func TestReasonsThatComeLateAreAwaited(t *testing.T) {
	const opResult = "GET /v1/check-results/{checkId}/{checkResultId}"
	for name, c := range map[string]struct {
		late, old time.Duration // from the fetch to the result, and from the end of the session to the fetch
		found     bool
		within    time.Duration
	}{
		"a result that comes at once":         {0, 0, true, 0},
		"one that comes 1.5 s late":           {1500 * time.Millisecond, 0, true, 2 * time.Second},
		"one that comes 8.5 s late":           {8500 * time.Millisecond, 23 * time.Hour, true, 9 * time.Second},
		"one that does not come":              {time.Hour, 0, false, 10 * time.Second},
		"one of a session that ended earlier": {time.Second, 24 * time.Hour, false, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New()
			svc.AddCheck(monitoringtest.Check{Name: "Shop", Outcome: monitoring.SessionFailed, Error: "Expected 500"})
			client := kit.Fake(t, svc)
			sessions, err := client.CheckSessions.TriggerAndWait(t.Context(), all, monitoring.WaitOptions{})
			require.NoError(t, err)
			time.Sleep(c.old)
			began := time.Now()
			if c.late > 0 {
				svc.Inject(monitoringtest.Fault{Operation: opResult, Status: 404})
			}
			time.AfterFunc(c.late, svc.ClearFaults)
			results, err := client.CheckSessions.FetchFailingResults(t.Context(), sessions[0])
			require.Equal(t, c.within, time.Since(began).Truncate(time.Second), name)
			require.Equal(t, c.found, err == nil, "%s: %v", name, err)
			require.Equal(t, c.found, results[0] != nil, name)
			if !c.found {
				require.ErrorIs(t, err, monitoring.ErrNotFound)
			}
			time.Sleep(c.late)
		})
	}
	synctest.Test(t, func(t *testing.T) {
		client := kit.Fake(t, monitoringtest.New())
		ctx, stop := context.WithTimeout(t.Context(), 2500*time.Millisecond)
		defer stop()
		session := failingIn(1)
		session.StoppedAt = nil
		began := time.Now()
		_, err := client.CheckSessions.FetchFailingResults(ctx, session)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.ErrorIs(t, err, monitoring.ErrNotFound, "it says what was seen last")
		require.Equal(t, 2500*time.Millisecond, time.Since(began))
	})
}

func TestANewSessionMayBeUnknownForTenSeconds(t *testing.T) {
	for _, n := range []int{1, 5, 20, 60, 200} {
		synctest.Test(t, func(t *testing.T) {
			svc := limited(100*time.Millisecond, monitoringtest.WithVisibilityDelay(2*time.Second))
			for i := range n {
				svc.AddCheck(monitoringtest.Check{Name: fmt.Sprint(i), RunTime: 30 * time.Second})
			}
			client := kit.Fake(t, svc)
			sessions, err := client.CheckSessions.Trigger(t.Context(), all)
			require.NoError(t, err)
			var ids []string
			for _, s := range sessions {
				ids = append(ids, s.CheckSessionID)
			}
			passed := 0
			for session, err := range client.CheckSessions.WaitAll(t.Context(), ids, monitoring.WaitOptions{}) {
				require.NoError(t, err, "%d sessions", n)
				require.Equal(t, monitoring.VerdictPassed, session.Verdict())
				passed++
			}
			require.Equal(t, n, passed)
		})
	}
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		_, err := kit.Fake(t, monitoringtest.New()).CheckSessions.Wait(t.Context(), unknownID, monitoring.WaitOptions{})
		require.ErrorIs(t, err, monitoring.ErrNotFound, "a wrong id is told after that time")
		require.Equal(t, 10*time.Second, time.Since(began))
	})
	synctest.Test(t, func(t *testing.T) {
		_, err := kit.Fake(t, monitoringtest.New()).CheckSessions.Wait(t.Context(), unknownID, monitoring.WaitOptions{Timeout: 5 * time.Second})
		require.ErrorIs(t, err, monitoring.ErrWaitTimeout)
		require.ErrorIs(t, err, monitoring.ErrNotFound)
		require.Regexp(t, `not finished within 5s: .*404 Not Found: No such check session; whether it runs is not known$`, err.Error())
	})
}

func TestErrorsOfWaitsNameTheCheckAndWhatBecomesOfTheSession(t *testing.T) {
	for name, c := range map[string]struct {
		kind   monitoring.CheckType
		cancel bool
		want   string
	}{
		"without canceling it runs on":        {monitoring.CheckTypePlaywright, false, "; the session keeps running"},
		"with canceling it is cancelled":      {monitoring.CheckTypePlaywright, true, "; the service agreed to cancel the session"},
		"a check that cannot be cancelled":    {monitoring.CheckTypeAPI, true, "; the session keeps running, because only PLAYWRIGHT checks can be canceled"},
		"a cancel that fails leaves it alive": {"", true, "; the session keeps running"},
	} {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New()
			kind := c.kind
			if kind == "" {
				kind = monitoring.CheckTypePlaywright
				svc.Inject(monitoringtest.Fault{Operation: "POST /v1/check-sessions/{checkSessionId}/cancel", Status: 403})
			}
			svc.AddCheck(monitoringtest.Check{Name: "Checkout \"API\"", Type: kind, RunTime: time.Hour})
			ctx, stop := context.WithTimeout(t.Context(), time.Minute)
			defer stop()
			sessions, err := kit.Fake(t, svc).CheckSessions.TriggerAndWait(ctx, all, monitoring.WaitOptions{CancelUnfinished: c.cancel})
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.Len(t, monitoring.SessionErrors(err), 1)
			one := monitoring.SessionErrors(err)[0]
			require.Equal(t, c.cancel && c.kind != "", one.Cancelled, name)
			require.Regexp(t, `^monitoring: wait for "Checkout \\"API\\"" \(session `+sessions[0].CheckSessionID+`, last seen [A-Z]+ \d+ s ago\): context deadline exceeded.*`+c.want+`$`, err.Error(), name)
		})
	}
	require.EqualError(t, &monitoring.SessionError{ID: "1", Err: errors.New("x"), Session: &monitoring.CheckSession{Name: "A\nB", Status: "STARTED"}},
		`monitoring: wait for "A B" (session 1, last seen STARTED): x`)
}
