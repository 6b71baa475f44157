package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

const (
	opTrigger    = "POST /v2/check-sessions/trigger"
	opCompletion = "GET /v2/check-sessions/{checkSessionId}/completion"
	opCancel     = "POST /v1/check-sessions/{checkSessionId}/cancel"
	opResult     = "GET /v1/check-results/{checkId}/{checkResultId}"
	loginID      = "11111111-2222-4333-8444-555555555555"
	noID         = "8a55aaaa-0000-4000-8000-00000000000a"
	eu, us       = "eu-central-1", "us-east-1"
)

// newService makes a service with a check for each outcome, each with a tag of its own.
func newService() *monitoringtest.Service {
	svc := monitoringtest.New()
	for _, c := range []monitoringtest.Check{
		{ID: loginID, Name: "Login", Tags: []string{"well"}, Locations: []string{eu, us}, Attempts: 2},
		{Name: "Search", Tags: []string{"slow"}, Outcome: "DEGRADED"},
		{Name: "Payment", Tags: []string{"broken"}, Locations: []string{eu, us}, FailIn: []string{us}, Outcome: "FAILED", Error: "Expected \x1b[31m500\x1b[0m to equal 200"},
		{Name: "Port", Type: "TCP", Tags: []string{"terse"}, Outcome: "FAILED"},
		{Name: "Database", Type: "TCP", Tags: []string{"refused"}, Locations: []string{eu, us}, Outcome: "FAILED", Error: "connect ECONNREFUSED"},
		{Name: "Import", Tags: []string{"stuck"}, Outcome: "TIMED_OUT"},
		{Name: "Suite", Type: "PLAYWRIGHT", Tags: []string{"cancelled"}, Outcome: "CANCELLED"},
		{Name: "Nightly", Type: "PLAYWRIGHT", Tags: []string{"long"}, RunTime: time.Hour},
		{Name: "Tour", Tags: []string{"half"}, Locations: []string{eu, us}, Outcome: "FAILED", RunTime: 10 * time.Minute, Error: "Expected 500 to equal 200"},
		{Name: "Odd", Tags: []string{"troubled"}, Outcome: "FAILED", Result: map[string]any{"hasErrors": true, "hasFailures": false}},
		{Name: "Checkout", Tags: []string{"asleep"}, Deactivated: true},
		{Name: "Old", Tags: []string{"asleep", "old"}, Deactivated: true},
	} {
		svc.AddCheck(c)
	}
	return svc
}

// env returns an environment with these pairs of names and values, and no other variables.
func env(pairs ...string) func(string) string {
	return func(name string) string {
		if i := slices.Index(pairs, name); i >= 0 {
			return pairs[i+1]
		}
		return ""
	}
}

// inBubble runs a part of a test with a clock of its own.
func inBubble(t *testing.T, name string, test func(t *testing.T)) {
	t.Run(name, func(t *testing.T) { synctest.Test(t, test) })
}

// ran is what a run of the gate has written.
type ran struct {
	code                        int
	stdout, stderr              string
	junit, markdown, page, json string
	took                        time.Duration
}

// gateOf runs the gate against a service in memory, with all reports but for -detach.
func gateOf(ctx context.Context, t *testing.T, svc *monitoringtest.Service, getenv func(string) string, args ...string) (out ran) {
	t.Helper()
	dir := t.TempDir()
	var stdout, stderr bytes.Buffer
	if !strings.Contains(strings.Join(args, " "), "-detach") {
		for _, f := range []string{"junit", "summary", "html", "json"} {
			args = append(args, "-"+f, filepath.Join(dir, f))
		}
	}
	began := time.Now()
	p := program{getenv, &stdout, &stderr, func() (*monitoring.Client, error) { return svc.Client() }}
	out.code = p.run(ctx, args)
	out.took, out.stdout, out.stderr = time.Since(began), stdout.String(), stderr.String()
	for f, to := range map[string]*string{"junit": &out.junit, "summary": &out.markdown, "html": &out.page, "json": &out.json} {
		data, _ := os.ReadFile(filepath.Join(dir, f))
		*to = string(data)
	}
	return out
}

func lastLine(text string) string {
	text = strings.TrimSuffix(text, "\n")
	return text[strings.LastIndex(text, "\n")+1:]
}

// outcome is what a run of the gate comes to.
type outcome struct {
	name                  string
	args                  string
	faults                []monitoringtest.Fault
	code                  int
	last                  string   // of stdout: how it begins
	stdout, stderr, junit []string // parts
	triggered, cancelled  int
}

// reached runs the gate, and compares what it writes with the outcome. Each report says the same.
func (o outcome) reached(t *testing.T, svc *monitoringtest.Service, trigger, cancel string) ran {
	t.Helper()
	svc.Inject(o.faults...)
	got := gateOf(t.Context(), t, svc, env(envKey, monitoringtest.APIKey), strings.Fields(o.args)...)
	require.Equal(t, o.code, got.code, got.stderr)
	require.True(t, strings.HasPrefix(lastLine(got.stdout), o.last), got.stdout)
	for text, parts := range map[*string][]string{&got.stdout: o.stdout, &got.stderr: o.stderr, &got.junit: o.junit} {
		for _, part := range parts {
			require.Contains(t, *text, part)
		}
	}
	headline, counts, _ := strings.Cut(lastLine(got.stdout), ": ")
	for what, text := range map[string]string{"JUnit": got.junit, "Markdown": got.markdown, "page": got.page} {
		require.Contains(t, text, headline, what)
		require.Contains(t, text, strings.TrimSuffix(counts, "."), what)
	}
	require.True(t, json.Valid([]byte(got.json)), got.json)
	require.Equal(t, o.triggered, svc.Executed(trigger))
	require.Equal(t, o.cancelled, svc.Executed(cancel))
	for _, text := range []string{got.stdout, got.stderr, got.junit, got.markdown, got.page, got.json} {
		require.NotContains(t, text, monitoringtest.APIKey)
	}
	return got
}

func TestGate(t *testing.T) {
	for _, tt := range []outcome{
		{
			name: "checks that pass open the gate", args: "-tags well", code: 0, triggered: 1, last: "Checks passed: 1 check in 2.0s: 1 passed.",
			stderr: []string{"passed      2.0s  3 attempts  Login\n"},
			junit:  []string{`tests="2" failures="0" errors="0" skipped="0"`, `<testcase name="us-east-1"`, "It took 3 attempts."},
		},
		{name: "checks can be chosen by their ids", args: "-ids " + loginID, code: 0, triggered: 1, last: "Checks passed"},
		{
			name: "a check of the ids that is not started leaves the gate closed", args: "-ids " + loginID + "," + noID, code: 2, triggered: 1,
			last: "Could not tell whether the checks pass: 1 check", stderr: []string{"1 of 2 checks were not started (" + noID + "): they are deactivated, deleted or heartbeats"},
		},
		{name: "unless that is accepted", args: "-allow-missing -ids " + loginID + "," + noID, code: 0, triggered: 1, last: "Checks passed"},
		{name: "fewer checks than are wanted leave it closed", args: "-min 2 -tags well", code: 2, triggered: 1, last: "Could not tell", stderr: []string{"started 1 check, and -min wants 2"}},
		{name: "as many as are wanted do not", args: "-min 1 -tags well", code: 0, triggered: 1, last: "Checks passed"},
		{
			name: "a failed check closes the gate and is explained", args: "-tags broken -tags well", code: 1, triggered: 1,
			last:   "Checks failed: 2 checks in 2.0s: 1 failed, 1 passed.",
			stdout: []string{"failed    Payment\n  us-east-1: Expected 500 to equal 200\n  https://"},
			stderr: []string{"failed      2.0s  Payment\n", "Payment\n  us-east-1: Expected 500 to equal 200\n"},
			junit:  []string{`<testsuite name="Payment" tests="2" failures="1"`, `<failure message="Expected 500 to equal 200" type="failed">`},
		},
		{name: "a failed check whose result has no reason says so", args: "-tags terse", code: 1, triggered: 1, last: "Checks failed", stdout: []string{"eu-central-1: the run failed, and the result gives no reason\n"}},
		{
			name: "a reason that the result does not have is that of its error group", args: "-tags refused", code: 1, triggered: 1, last: "Checks failed",
			stdout: []string{"failed    Database\n  eu-central-1, us-east-1: connect ECONNREFUSED\n"}, junit: []string{`<failure message="connect ECONNREFUSED"`},
		},
		{name: "a check that ran out of its own time has failed", args: "-tags stuck", code: 1, triggered: 1, last: "Checks failed", stdout: []string{"did not end in time"}},
		{name: "an error of the service itself is no failure of the check", args: "-tags troubled", code: 2, triggered: 1, last: "Could not tell whether the checks pass: 1 check in 2.0s: 1 unknown.", stdout: []string{"unknown   Odd\n"}, junit: []string{`errors="1"`, `type="unknown"`}},
		{name: "details that cannot be read do not change the verdict", args: "-tags broken", code: 1, triggered: 1, last: "Checks failed", faults: []monitoringtest.Fault{{Operation: opResult, Status: 403}}, stdout: []string{"us-east-1: the details could not be read: "}},
		{
			name: "a degraded check has passed", args: "-tags slow", code: 0, triggered: 1, last: "Checks passed: 1 check in 2.0s: 1 degraded.",
			junit: []string{`failures="0"`, "degraded: 3.50 s, limit 3 s", `<property name="degraded" value="1">`, `<property name="passed" value="0">`},
		},
		{
			name: "a degraded check has failed when the flag says so", args: "-tags slow -fail-on-degraded", code: 1, triggered: 1, last: "Checks failed",
			stdout: []string{"failed    Search\n  eu-central-1: degraded: 3.50 s, limit 3 s\n"}, stderr: []string{"failed      2.0s  Search\n  eu-central-1: degraded"},
			junit: []string{`failures="1"`, `<property name="failed" value="1">`},
		},
		{name: "the outcome of a cancelled check is unknown", args: "-tags cancelled", code: 2, triggered: 1, last: "Could not tell whether the checks pass: 1 check in 2.0s: 1 cancelled.", junit: []string{`skipped="1"`, `<skipped message="it was cancelled"`}},
		{
			name: "a check that failed for certain beats one that is not known", args: "-tags long -tags broken -timeout 5m", code: 1, triggered: 1,
			last: "Checks failed: 2 checks in 5m: 1 failed, 1 unknown.", stdout: []string{"failed    Payment", " Nightly\nChecks failed"},
			stderr: []string{"monitoring-gate: timeout after 5m: 1 of 2 checks had not finished\n"}, junit: []string{`<error message="not finished within 5m"`},
		},
		{name: "and one that was cancelled", args: "-tags cancelled -tags terse -tags slow", code: 1, triggered: 1, last: "Checks failed: 3 checks in 2.0s: 1 failed, 1 cancelled, 1 degraded."},
		{name: "a timeout may be given in days", args: "-tags long -timeout 1d", code: 0, triggered: 1, last: "Checks passed"},
		{
			name: "a check that failed in one location has failed, although it runs in another", args: "-tags half -timeout 6m", code: 1, triggered: 1,
			last: "Checks failed: 1 check in 6m: 1 failed.", stdout: []string{"failed    Tour\n  eu-central-1: Expected 500 to equal 200\n  https://"},
			junit: []string{`<failure message="Expected 500 to equal 200"`, `<error message="not finished within 6m"`},
		},
		{
			name: "what still runs after the timeout is cancelled when the flag says so", args: "-tags long -timeout 5m -cancel", code: 2, triggered: 1, cancelled: 1,
			last: "Could not tell", stderr: []string{"they were told to stop"}, stdout: []string{"unknown   Nightly\n  eu-central-1: not finished within 5m\n"},
		},
		{
			name: "a lost response to the trigger is not repeated", args: "-tags well", code: 2, triggered: 1, last: "Could not tell whether the checks pass: no check was seen.",
			faults: []monitoringtest.Fault{{Operation: opTrigger, Kind: monitoringtest.FaultResetAfter}},
			stderr: []string{"the response to the trigger was lost. They may or may not have been started"}, junit: []string{`<error message="nothing is known`},
		},
		{
			name: "checks that are deactivated are named", args: "-tags well -tags asleep,!old", code: 0, triggered: 1, last: "Checks passed",
			stdout: []string{"not run: Checkout (deactivated)\nChecks passed"}, junit: []string{"not run: Checkout (deactivated)"},
		},
		{name: "and make the outcome unknown when the flag says so", args: "-tags well -tags asleep -strict", code: 2, triggered: 1, last: "Could not tell", stderr: []string{"-strict wants every check with the tags to run; not run: Checkout, Old (deactivated)"}},
		{name: "unless all were run", args: "-tags well -strict", code: 0, triggered: 1, last: "Checks passed"},
		{name: "a key that may not list checks hides them", args: "-tags well -tags asleep -strict", code: 0, triggered: 1, last: "Checks passed", faults: []monitoringtest.Fault{{Operation: "GET /v1/checks", Status: 403}}},
		{
			name: "a check that needed a second attempt has failed when the flag says so", args: "-tags well -fail-on-flaky", code: 1, triggered: 1, last: "Checks failed",
			stdout: []string{"flaky: it passed only at attempt 3"}, junit: []string{`<flakyFailure message="it passed only at attempt 3"`},
		},
		{name: "lost connections while waiting are survived", args: "-tags well", code: 0, triggered: 1, last: "Checks passed", faults: []monitoringtest.Fault{{Operation: opCompletion, Kind: monitoringtest.FaultResetAfter, Times: 3}}},
		{
			name: "a wait that is refused is unknown", args: "-tags well", code: 2, triggered: 1, last: "Could not tell", stderr: []string{"unknown", "403 Forbidden"},
			faults: []monitoringtest.Fault{{Operation: opCompletion, Status: 403}}, stdout: []string{"unknown   Login\n", "403 Forbidden"},
		},
		{name: "a refused trigger is unknown", args: "-tags well", code: 2, last: "Could not tell", faults: []monitoringtest.Fault{{Operation: opTrigger, Status: 401}}, stderr: []string{"monitoring-gate: POST /v2/check-sessions/trigger", "check the API key"}},
		{name: "no matching check is unknown", args: "-tags well,nope", code: 2, last: "Could not tell", stderr: []string{"monitoring-gate: no active check is tagged well and nope\n"}},
		{name: "an id that no check has is unknown", args: "-ids " + noID, code: 2, last: "Could not tell", stderr: []string{"no active check has the id 8a55aaaa-"}},
		{name: "an id that is not a UUID is refused before it is sent", args: "-ids login", code: 2, last: "Could not tell", stderr: []string{"not sent"}},
	} {
		inBubble(t, tt.name, func(t *testing.T) { tt.reached(t, newService(), opTrigger, opCancel) })
	}
}

// sessionOf is a session of the response to a trigger that has passed.
func sessionOf(id, checkID string) map[string]any {
	return map[string]any{
		"checkSessionId": id, "checkId": checkID, "name": "Check " + checkID, "status": "PASSED", "startedAt": "2026-08-19T10:15:00.120Z",
		"runLocations": []string{eu}, "results": []map[string]any{{"checkResultId": id, "checkId": checkID, "runLocation": eu, "resultType": "FINAL"}},
	}
}

func TestNothingIsGreenThatWasNotRun(t *testing.T) {
	const id, other = "00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"
	both := "-ids " + loginID + "," + noID
	for name, c := range map[string]struct {
		args       string
		started    []map[string]any
		completion map[string]any // of each of them
		code       int
		why        string
	}{
		"the check that was asked for":              {"-ids " + loginID, []map[string]any{sessionOf(id, loginID)}, sessionOf(id, loginID), exitPassed, ""},
		"one session without an id for two checks":  {both, []map[string]any{sessionOf(id, "")}, sessionOf(id, ""), exitUnknown, "1 of 2 checks were started, and the answer does not say which"},
		"one session that: duplicate field":         {both, []map[string]any{sessionOf(id, ""), sessionOf(id, "")}, sessionOf(id, ""), exitUnknown, "1 of 2 checks were started"},
		"an id that is given twice":                 {"-ids " + loginID + "," + strings.ToUpper(loginID), []map[string]any{sessionOf(id, "")}, sessionOf(id, ""), exitPassed, ""},
		"a stranger instead of it":                  {"-allow-missing -ids " + loginID, []map[string]any{sessionOf(id, noID)}, sessionOf(id, noID), exitUnknown, "a check that was not asked for: Check " + noID},
		"a stranger beside it":                      {"-ids " + loginID, []map[string]any{sessionOf(id, loginID), sessionOf(id, noID)}, sessionOf(id, loginID), exitUnknown, "a check that was not asked for: Check " + noID},
		"an answer about another check":             {"-tags all", []map[string]any{sessionOf(id, loginID)}, sessionOf(id, noID), exitUnknown, "the service answered about another check"},
		"an answer about another session":           {"-tags all", []map[string]any{sessionOf(id, loginID)}, sessionOf(other, loginID), exitUnknown, ""},
		"a session that passed without any results": {"-tags all", []map[string]any{sessionOf(id, loginID)}, without(sessionOf(id, loginID), "results"), exitUnknown, "without a result"},
	} {
		inBubble(t, name, func(t *testing.T) {
			svc := monitoringtest.New()
			for _, started := range c.started {
				delete(started, "results")
				started["status"] = "STARTED"
			}
			for operation, body := range map[string]any{opTrigger: map[string]any{"sessions": c.started}, opCompletion: c.completion} {
				text, err := json.Marshal(body)
				require.NoError(t, err)
				svc.Inject(monitoringtest.Fault{Operation: operation, Status: 200, Body: string(text)})
			}
			got := gateOf(t.Context(), t, svc, env(), strings.Fields(c.args)...)
			require.Equal(t, c.code, got.code, got.stderr)
			require.Contains(t, got.stderr, c.why)
		})
	}
}

func TestAFailedAttemptIsToldWithItsOwnReasonIfItsRetryNeverEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		session := sessionOf("00000000-0000-4000-8000-000000000001", loginID)
		const resultID = "00000000-0000-4000-8000-000000000002"
		session["status"] = "TIMED_OUT"
		session["results"] = []map[string]any{{"checkResultId": resultID, "checkId": loginID, "runLocation": eu, "resultType": "ATTEMPT", "hasFailures": true}}
		svc := monitoringtest.New()
		for operation, body := range map[string]any{
			opTrigger: map[string]any{"sessions": []any{session}}, opCompletion: session,
			opResult: map[string]any{"id": resultID, "checkId": loginID, "hasFailures": true, "apiCheckResult": map[string]any{"requestError": "connection refused"}},
		} {
			text, err := json.Marshal(body)
			require.NoError(t, err)
			svc.Inject(monitoringtest.Fault{Operation: operation, Status: 200, Body: string(text)})
		}
		got := gateOf(t.Context(), t, svc, env(), "-tags", "all")
		require.Equal(t, exitUnknown, got.code)
		require.Contains(t, got.stdout, "eu-central-1: connection refused\n")
		require.Contains(t, got.stdout, "an attempt failed, and its retry has no result: the session ended without it\n")
	})
}

func TestAStepSummaryThatCannotBeWrittenStopsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		got := gateOf(t.Context(), t, newService(), env(envActions, "true", envStepSummary, filepath.Join(dir, "no", "summary")), "-tags", "well")
		require.Zero(t, got.code, got.stderr)
		for name, pairs := range map[string][]string{
			"outputs of a folder that is not there": {envActions, "true", envStepOutput, filepath.Join(dir, "no", "output")},
			"both in one file":                      {envActions, "true", envStepOutput, filepath.Join(dir, "both"), envStepSummary, filepath.Join(dir, "both")},
			"in the file of a report":               {envActions, "true", envStepSummary, filepath.Join(dir, "one.json"), envStepOutput, filepath.Join(dir, "link")},
		} {
			os.Symlink(filepath.Join(dir, "one.json"), filepath.Join(dir, "link"))
			got = gateOf(t.Context(), t, newService(), env(pairs...), "-tags", "well", "-json", filepath.Join(dir, "one.json"))
			require.Zero(t, got.code, "%s: %s", name, got.stderr)
			data, err := os.ReadFile(filepath.Join(dir, "one.json"))
			require.NoError(t, err)
			require.True(t, json.Valid(data), name)
		}
		got = gateOf(t.Context(), t, newService(), env(), "-tags", "well", "-json", filepath.Join(dir, "new", "deep", "out.json"))
		require.Zero(t, got.code, got.stderr)
		require.FileExists(t, filepath.Join(dir, "new", "deep", "out.json"))
	})
}

func without(members map[string]any, name string) map[string]any {
	delete(members, name)
	return members
}

func TestAListOfChecksThatHangsHoldsTheGateUpForSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := newService()
		svc.Inject(monitoringtest.Fault{Operation: "GET /v1/checks", Delay: time.Hour})
		got := gateOf(t.Context(), t, svc, env(), "-tags", "well")
		require.Zero(t, got.code)
		require.Equal(t, 2*time.Second+listTime, got.took)
	})
}

func TestAnInterruptEndsTheGateAtOnceAndSaysWhatStillRuns(t *testing.T) {
	for name, c := range map[string]struct {
		args   string
		code   int
		faults []monitoringtest.Fault
		first  string
	}{
		"with a code of its own":                {"-tags long -tags well", exitInterrupted, nil, ""},
		"and does not hide a check that failed": {"-tags long -tags broken", exitFailed, nil, "failed    Payment\n  us-east-1: Expected 500 to equal 200\n"},
		"and finishes the reading of a reason":  {"-tags long -tags broken", exitFailed, []monitoringtest.Fault{{Operation: opResult, Delay: 6 * time.Second, Times: 1}}, "failed    Payment\n  us-east-1: Expected 500 to equal 200\n"},
		"but not of one that takes long":        {"-tags long -tags broken", exitFailed, []monitoringtest.Fault{{Operation: opResult, Delay: time.Hour}}, "failed    Payment\n  us-east-1: the details were not read before the gate ended\n"},
		"also while the checks are started":     {"-tags long -tags well", exitInterrupted, []monitoringtest.Fault{{Operation: opTrigger, Delay: 11 * time.Second, Times: 1}}, ""},
	} {
		inBubble(t, name, func(t *testing.T) {
			ctx, interrupt := context.WithCancel(t.Context())
			time.AfterFunc(7*time.Second, interrupt)
			svc := newService()
			svc.Inject(c.faults...)
			got := gateOf(ctx, t, svc, env(), strings.Fields(c.args)...)
			require.Equal(t, c.code, got.code, got.stderr)
			require.LessOrEqual(t, got.took, 7*time.Second+triggerTime)
			require.True(t, strings.HasPrefix(got.stdout, c.first), got.stdout)
			require.Contains(t, got.stderr, "monitoring-gate: interrupted: ")
			before, verdict := strings.TrimSuffix(got.stdout, lastLine(got.stdout)+"\n"), lastLine(got.stdout)
			require.Contains(t, verdict, " unknown")
			require.Contains(t, before, svc.Sessions()[1].CheckSessionID+" Nightly\n")
			require.NotContains(t, got.stdout+got.stderr, "context canceled")
		})
	}
}

func TestAGateThatIsInterruptedBeforeItBeginsStartsNothing(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	interrupt()
	for _, args := range []string{"-tags well", "-tags well -detach"} {
		svc := newService()
		got := gateOf(ctx, t, svc, env(), strings.Fields(args)...)
		require.Equal(t, exitInterrupted, got.code)
		require.Zero(t, svc.Count(opTrigger))
		require.Contains(t, got.stderr, "interrupted, before the checks were started")
	}
}

// full is an output that takes nothing.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestAReportThatIsLostLeavesTheGateClosed(t *testing.T) {
	for args, want := range map[string]int{"-tags well": exitUnknown, "-tags well -detach": exitUnknown, "-tags broken": exitFailed} {
		inBubble(t, args, func(t *testing.T) {
			var stderr bytes.Buffer
			p := program{env(), full{}, &stderr, func() (*monitoring.Client, error) { return newService().Client() }}
			require.Equal(t, want, p.run(t.Context(), strings.Fields(args)))
			require.Contains(t, stderr.String(), "monitoring-gate: a report could not be written: no space left\n")
		})
	}
}

func TestLeaveAndComeBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := newService()
		left := gateOf(t.Context(), t, svc, env(), "-detach", "-tags", "half", "-tags", "well")
		require.Zero(t, left.code, left.stderr)
		require.Zero(t, left.took)
		sessions := svc.Sessions()
		require.Equal(t, sessions[0].CheckSessionID+" "+sessions[0].Name+"\n"+sessions[1].CheckSessionID+" "+sessions[1].Name+"\n", left.stdout)
		time.Sleep(time.Minute)
		ids := sessions[0].CheckSessionID + "," + sessions[1].CheckSessionID
		back := gateOf(t.Context(), t, svc, env(), "-sessions", ids)
		require.Equal(t, exitFailed, back.code, back.stderr)
		require.Equal(t, 9*time.Minute, back.took)
		require.Equal(t, 1, svc.Executed(opTrigger))
		require.Contains(t, back.stdout, "failed    Tour\n  eu-central-1, us-east-1: Expected 500 to equal 200\n")
		require.Contains(t, back.stderr, "waiting for 2 checks\n")
		require.Contains(t, back.stderr, "  Tour\n")
		for _, text := range []string{back.junit, back.markdown, back.page, back.json} {
			require.Contains(t, text, "Tour")
			require.Contains(t, text, "Login")
		}
		gone := gateOf(t.Context(), t, svc, env(), "-sessions", noID)
		require.Equal(t, exitUnknown, gone.code)
		require.Contains(t, gone.stdout, noID)
	})
}

func TestDetachSaysIfNotAllWereStarted(t *testing.T) {
	for args, code := range map[string]int{
		"-ids " + loginID:                             0,
		"-ids " + loginID + "," + noID:                exitUnknown,
		"-allow-missing -ids " + loginID + "," + noID: 0,
		"-tags nope":                                  exitUnknown,
		"-min 2 -tags well":                           exitUnknown,
		"-tags broken":                                0,
	} {
		got := gateOf(t.Context(), t, newService(), env(), append(strings.Fields(args), "-detach")...)
		require.Equal(t, code, got.code, args)
		require.Equal(t, !strings.Contains(args, "nope"), strings.HasSuffix(got.stdout, "\n"), args)
	}
}

func TestTheDemo(t *testing.T) {
	for args, c := range map[string]struct {
		code int
		last string
	}{
		"-demo":               {exitFailed, "Checks failed: 8 checks in 4.0s: 1 failed, 1 degraded, 6 passed."},
		"-demo -tags passing": {exitPassed, "Checks passed: 6 checks in 4.0s: 6 passed."},
	} {
		synctest.Test(t, func(t *testing.T) {
			got := gateOf(t.Context(), t, nil, env(), strings.Fields(args)...)
			require.Equal(t, c.code, got.code)
			require.Equal(t, c.last, lastLine(got.stdout))
			require.Contains(t, got.stderr, "its data is made up")
			require.Contains(t, got.page, "its data is made up")
			require.Contains(t, got.markdown, "its data is made up")
			require.Contains(t, got.page, "attempt 0.6s, ", "a row says its marks")
			require.Equal(t, c.code == exitFailed, strings.Contains(got.page, "What failed"))
			require.Contains(t, got.stderr, "2 attempts  Payment provider\n")
			require.Regexp(t, `>Payment provider</a>.*\n.*class="h failed" .*class="passed" `, got.page, "attempts lie below final results")
			require.Equal(t, c.code == exitFailed, strings.Contains(got.page, "What failed</h2>") && strings.Contains(got.page, "What was slow</h2>"))
			require.Equal(t, c.code == exitFailed, strings.Contains(got.stdout, "us-east-1: Expected status code 500"))
		})
	}
}

func TestWrongUseIsReportedBeforeAnythingIsTriggered(t *testing.T) {
	for _, name := range []string{"MONITORING_BASE_URL", envKey, envAccount} {
		t.Setenv(name, "")
	}
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("file", nil, 0o600))
	require.NoError(t, os.WriteFile("target", nil, 0o600))
	require.NoError(t, os.WriteFile("notes.json", []byte("notes"), 0o600))
	require.NoError(t, os.WriteFile("other.json", []byte("{}"), 0o600))
	require.NoError(t, os.Symlink("target", "link"))
	for args, want := range map[string]string{
		"":                              "with -tags or -ids",
		"-tags a -ids " + loginID:       "one of -tags",
		"-ids a -sessions b":            "one of -tags",
		"-tags a,":                      "empty item",
		"-tags a,!":                     "empty item",
		"-ids ,":                        "empty item",
		"-tags a -timeout 0s":           "want a duration",
		"-tags a -timeout 8d":           "want a duration",
		"-tags a -timeout -1d3h":        "want a duration",
		"-tags a -min -1":               "-min",
		"-tags a -max -1":               "-max",
		"-sessions a -max 1":            "starts nothing",
		"-tags a -baseline x -detach":   "nothing to report",
		"-demo -baseline notes.json":    "-baseline notes.json is no report of -json",
		"-demo -baseline other.json":    "it has no sessions",
		"-tags a b":                     `"b"`,
		"-what":                         "-what",
		"-sessions a -detach":           "give one of them",
		"-tags a -detach -html x":       "nothing to report",
		"-tags a":                       "set MONITORING_BASE_URL and MONITORING_API_KEY in the environment; -demo",
		"-demo -junit file/out.xml":     "file",
		"-demo -html link -json target": "two reports are to be written to one file",
		"-demo -html x -json ./x":       "two reports are to be written to ",
	} {
		var stdout, stderr bytes.Buffer
		code := program{env(), &stdout, &stderr, nil}.run(t.Context(), strings.Fields(args))
		require.Equal(t, exitUnknown, code, args)
		require.Empty(t, stdout.String(), args)
		require.Contains(t, stderr.String(), want, args)
	}
	var stdout bytes.Buffer
	require.Zero(t, program{env(), &stdout, &stdout, nil}.run(t.Context(), []string{"-h"}))
	for _, part := range []string{"Usage: ", "-fail-on-degraded", "-sessions ids", "MONITORING_API_KEY", "Exit codes:\n  0 ", "\n  130  "} {
		require.Contains(t, stdout.String(), part)
	}
	for line := range strings.Lines(stdout.String()) {
		require.LessOrEqual(t, len(line), 101, line)
	}
}

func TestDurations(t *testing.T) {
	for text, want := range map[string]time.Duration{"1s": time.Second, "90s": 90 * time.Second, "7d": longestTimeout, "1d12h": 36 * time.Hour, "2h30m": 150 * time.Minute} {
		got, err := duration(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got)
	}
	for _, text := range []string{"", "d", "1", "-1s", "7d1s", "1.5d", "1e3d", "+1d", "1dd", "500ms"} {
		_, err := duration(text)
		require.Error(t, err, text)
	}
	for d, want := range map[time.Duration]string{0: "0.0s", 9900 * time.Millisecond: "9.9s", 10 * time.Second: "10s", 5 * time.Minute: "5m", time.Hour: "1h", 185 * time.Second: "3m5s", 36 * time.Hour: "36h"} {
		require.Equal(t, want, span(d))
	}
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 12_345: "12,345", 1_000_000: "1,000,000"} {
		require.Equal(t, want, thousands(n))
	}
	for ms, want := range map[float64]string{0: "0 ms", 0.4: "0 ms", 999.4: "999 ms", 999.7: "1.00 s", 59_000: "59.00 s", 150_000: "2m30s", mostTime: "24h"} {
		require.Equal(t, want, millis(&ms))
	}
}

func TestMoreChecksThanAreAllowedAreNotStarted(t *testing.T) {
	for name, c := range map[string]struct {
		args  string
		fault monitoringtest.Fault
		code  int
		why   string
	}{
		"as many as are allowed":                   {"-max 2 -tags well -tags broken", monitoringtest.Fault{}, exitFailed, ""},
		"more of them":                             {"-max 1 -tags well -tags broken", monitoringtest.Fault{}, exitUnknown, "-max allows 1, and 2 checks would be started: nothing was"},
		"one of them by the tag of its group":      {"-max 1 -tags well -tags grouped", monitoringtest.Fault{}, exitUnknown, "2 checks would be started"},
		"deactivated ones do not count":            {"-max 1 -tags well -tags asleep", monitoringtest.Fault{}, exitPassed, ""},
		"ids, which count once":                    {"-max 1 -ids " + loginID + "," + strings.ToUpper(loginID), monitoringtest.Fault{}, exitPassed, ""},
		"more ids":                                 {"-max 1 -ids " + loginID + "," + noID, monitoringtest.Fault{}, exitUnknown, "-max allows 1, and 2 checks"},
		"a key that may not list checks":           {"-max 9 -tags well", monitoringtest.Fault{Operation: "GET /v1/checks", Status: 403}, exitUnknown, "the checks could not be counted, so nothing was started"},
		"or groups":                                {"-max 9 -tags well", monitoringtest.Fault{Operation: "GET /v1/check-groups", Status: 403}, exitUnknown, "the checks could not be counted"},
		"a list that hangs":                        {"-max 9 -tags well -timeout 1m", monitoringtest.Fault{Operation: "GET /v1/checks", Delay: time.Hour}, exitUnknown, "the checks could not be counted"},
		"a list that lacks some of those that ran": {"-max 1 -tags well -tags broken", monitoringtest.Fault{Operation: "GET /v1/checks", Status: 200, Body: "[]"}, exitFailed, "started 2 checks, and -max allows 1"},
	} {
		inBubble(t, name, func(t *testing.T) {
			svc := newService()
			group := svc.AddGroup(monitoring.CheckGroup{Name: "Team", Tags: []string{"grouped"}})
			svc.AddCheck(monitoringtest.Check{Name: "Member", GroupID: group})
			if c.fault.Operation != "" {
				svc.Inject(c.fault)
			}
			got := gateOf(t.Context(), t, svc, env(), strings.Fields(c.args)...)
			require.Equal(t, c.code, got.code, got.stderr)
			require.Contains(t, got.stderr, c.why)
			require.Equal(t, c.code != exitUnknown, svc.Count(opTrigger) == 1)
			require.LessOrEqual(t, got.took, time.Minute)
		})
	}
}

func TestWhatIsNewSinceTheLastRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		last, output := filepath.Join(dir, "last.json"), filepath.Join(dir, "output")
		svc := newService()
		basket := svc.AddCheck(monitoringtest.Check{Name: "Basket", Tags: []string{"well"}})
		run := func(more ...string) ran {
			args := append(more, "-baseline", last, "-json", last, "-tags", "well", "-tags", "broken", "-tags", "slow")
			got := gateOf(t.Context(), t, svc, env(envActions, "true", envStepOutput, output), args...)
			require.Equal(t, exitFailed, got.code, got.stderr)
			return got
		}
		require.NotContains(t, run().stdout, "since the last run", "there was none")
		require.NoError(t, os.WriteFile(last, nil, 0o600))
		require.NotContains(t, run().stdout, "since the last run", "it was killed, so its file is empty")
		require.Contains(t, run().stdout, "\nsince the last run: still failing: Payment\nChecks failed")
		svc.SetOutcome(basket, "FAILED")
		got := run()
		const text = "since the last run: new: Basket; still failing: Payment"
		for what, output := range map[string]string{"stdout": got.stdout, "JUnit": got.junit, "page": got.page, "Markdown": strings.ReplaceAll(got.markdown, "<!-- -->", "")} {
			require.Contains(t, output, text, what)
		}
		require.Contains(t, got.json, `"since": "still failing"`)
		outputs, err := os.ReadFile(output)
		require.NoError(t, err)
		require.Contains(t, string(outputs), "\nnew-ids="+basket+"\n")
		svc.SetOutcome(basket, "PASSED")
		require.Contains(t, run().stdout, "since the last run: still failing: Payment; fixed: Basket\n")
		require.Contains(t, run("-fail-on-degraded", "-fail-on-flaky").stdout, "since the last run: still failing: Login, Payment, Search\n", "a verdict of then counts by the flags of now")
	})
}

func TestTheNextStepGetsWhatItNeeds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "output")
		require.NoError(t, os.WriteFile(file, []byte("of=another step\n"), 0o600))
		svc := newService()
		got := gateOf(t.Context(), t, svc, env(envActions, "true", envStepOutput, file), "-tags", "well", "-tags", "broken", "-tags", "long", "-timeout", "1m")
		require.Equal(t, exitFailed, got.code)
		sessions := svc.Sessions()
		want := []string{"of=another step", "verdict=failed", "checks=3", "failed=1", "unknown=1", "cancelled=0", "degraded=0", "passed=1",
			"failed-ids=" + sessions[1].CheckID, "new-ids=", "running-sessions=" + sessions[2].CheckSessionID, "link=" + sessions[1].CheckSessionLink, ""}
		outputs, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, want, strings.Split(string(outputs), "\n"))

		require.NoError(t, os.Remove(file))
		left := gateOf(t.Context(), t, svc, env(envActions, "true", envStepOutput, file), "-tags", "well", "-detach")
		require.Zero(t, left.code)
		outputs, err = os.ReadFile(file)
		require.NoError(t, err)
		require.Contains(t, string(outputs), "\nrunning-sessions="+svc.Sessions()[3].CheckSessionID+"\n")
	})
}
