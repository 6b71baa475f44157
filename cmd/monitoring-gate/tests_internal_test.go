package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

const (
	opTestTrigger    = "POST /v1/test-sessions/trigger"
	opTestCompletion = "GET /v1/test-sessions/{testSessionId}/completion"
	opTestRead       = "GET /v1/test-sessions/{testSessionId}"
	opTestCancel     = "POST /v1/test-sessions/{testSessionId}/cancel"
	opTestResult     = "GET /v1/test-sessions/{testSessionId}/results/{testSessionResultId}"
)

func TestGateOfATestSession(t *testing.T) {
	const at = "-test -location us-east-1 "
	for _, tt := range []outcome{
		{
			name: "checks that pass open the gate", args: at + "-tags well", code: 0, triggered: 1, last: "Checks passed: 1 check in 2.0s: 1 passed.",
			stderr: []string{"triggered 1 check\n  monitoring-gate tests  https://", "passed      2.0s  3 attempts  Login\n"},
		},
		{
			name: "a check that fails closes it, with a reason", args: at + "-tags broken -tags well", code: 1, triggered: 1, last: "Checks failed: 2 checks in 2.0s: 1 failed, 1 passed.",
			stdout: []string{"failed    Payment\n  us-east-1: Expected 500 to equal 200\n  https://"}, stderr: []string{"failed      2.0s  Payment\n"},
		},
		{name: "the reason of a result without a text is that of its error group", args: at + "-tags refused", code: 1, triggered: 1, last: "Checks failed", stdout: []string{"us-east-1: connect ECONNREFUSED\n"}},
		{name: "a degraded check has passed", args: at + "-tags slow", code: 0, triggered: 1, last: "Checks passed: 1 check in 2.0s: 1 degraded.", stdout: nil},
		{name: "unless a flag says otherwise", args: at + "-tags slow -fail-on-degraded", code: 1, triggered: 1, last: "Checks failed", stdout: []string{"us-east-1: degraded: 3.50 s, limit 3 s\n"}},
		{name: "so has one at a later attempt", args: at + "-tags well -fail-on-flaky", code: 1, triggered: 1, last: "Checks failed", stdout: []string{"flaky: it passed only at attempt 3"}},
		{name: "a cancelled check is not known", args: at + "-tags cancelled", code: 2, triggered: 1, last: "Could not tell whether the checks pass: 1 check in 2.0s: 1 cancelled."},
		{name: "an error of the service is no failure", args: at + "-tags troubled", code: 2, triggered: 1, last: "Could not tell whether the checks pass: 1 check in 2.0s: 1 unknown."},
		{
			name: "what runs on is not known", args: at + "-tags long -tags well -timeout 5m -all", code: 2, triggered: 1, last: "Could not tell whether the checks pass: 2 checks in 5m: 1 unknown, 1 passed.",
			stdout: []string{"unknown         5m  Nightly\n", "Still running; -test -sessions with these ids waits for them:\n"}, stderr: []string{"timeout after 5m: 1 of 2 checks had not finished\n", "passed      2.0s  3 attempts  Login\n"},
		},
		{name: "and is cancelled when the flag says so", args: at + "-tags long -timeout 5m -cancel", code: 2, triggered: 1, cancelled: 1, last: "Could not tell", stderr: []string{"they were told to stop"}},
		{name: "a check that failed beats what is not known", args: at + "-tags long -tags broken -timeout 5m", code: 1, triggered: 1, last: "Checks failed: 2 checks in 5m: 1 failed, 1 unknown."},
		{name: "deactivated checks do not run", args: at + "-tags asleep", code: 2, last: "Could not tell", stderr: []string{"no active check is tagged asleep"}, stdout: []string{"not run: Checkout, Old (deactivated)"}},
		{name: "unless the flag says so", args: at + "-tags asleep -deactivated", code: 0, triggered: 1, last: "Checks passed: 2 checks"},
		{name: "checks can be chosen by ids", args: at + "-ids " + loginID, code: 0, triggered: 1, last: "Checks passed"},
		{name: "and one that is missing leaves the gate closed", args: at + "-ids " + loginID + "," + noID, code: 2, triggered: 1, last: "Could not tell", stderr: []string{"1 of 2 checks were not started (" + noID}},
		{name: "unless that is accepted", args: at + "-allow-missing -ids " + loginID + "," + noID, code: 0, triggered: 1, last: "Checks passed"},
		{name: "fewer checks than are wanted leave it closed", args: at + "-min 2 -tags well", code: 2, triggered: 1, last: "Could not tell", stderr: []string{"started 1 check, and -min wants 2"}},
		{name: "more than are allowed are not started", args: at + "-max 1 -tags well -tags slow", code: 2, last: "Could not tell", stderr: []string{"-max allows 1, and 2 checks would be started"}},
		{name: "with deactivated ones", args: at + "-max 1 -tags asleep -deactivated", code: 2, last: "Could not tell", stderr: []string{"-max allows 1, and 2 checks would be started"}},
		{
			name: "a lost response to the trigger is not repeated", args: at + "-tags well", code: 2, triggered: 1, last: "Could not tell whether the checks pass: no check was seen.",
			faults: []monitoringtest.Fault{{Operation: opTestTrigger, Kind: monitoringtest.FaultResetAfter}}, stderr: []string{"the response to the trigger was lost. They may or may not have been started"},
		},
		{name: "lost connections while waiting are survived", args: at + "-tags well", code: 0, triggered: 1, last: "Checks passed", faults: []monitoringtest.Fault{{Operation: opTestCompletion, Kind: monitoringtest.FaultResetAfter, Times: 3}}},
		{
			name: "a wait that is refused is unknown", args: at + "-tags well -tags slow", code: 2, triggered: 1, last: "Could not tell whether the checks pass: 2 checks in ", faults: []monitoringtest.Fault{{Operation: opTestCompletion, Status: 403}, {Operation: opTestRead, Status: 403}},
			stdout: []string{"403 Forbidden"},
		},
		{name: "a place that is none is refused", args: "-test -location moon -tags well", code: 2, last: "Could not tell", stderr: []string{"runLocation"}},
	} {
		inBubble(t, tt.name, func(t *testing.T) {
			svc := newService()
			got := tt.reached(t, svc, opTestTrigger, opTestCancel)
			require.Zero(t, svc.Count(opTrigger), "it is no check session")
			require.Equal(t, strings.Contains(tt.args, "asleep") && !strings.Contains(tt.args, "-deactivated"), strings.Contains(got.stdout, "not run: "))
		})
	}
}

// testSessionOf is a test session with results, each of a check, a type and a status.
func testSessionOf(status string, results ...[3]string) map[string]any {
	const id = "00000000-0000-4000-8000-000000000001"
	var list []map[string]any
	for i, r := range results {
		list = append(list, map[string]any{
			"testSessionResultId": monitoringtest.UUID(fmt.Sprint("result ", i)), "testSessionResultLink": "https://monitoring.test/r", "checkId": r[0], "name": "Check " + r[0], "checkType": "API",
			"runLocation": us, "errorGroupIds": []string{}, "resultType": r[1], "status": r[2], "hasFailures": r[2] == "FAILED",
			"hasErrors": false, "isDegraded": false, "aborted": false, "startedAt": "2026-08-19T10:15:00.120Z", "stoppedAt": "2026-08-19T10:15:01.120Z",
		})
	}
	return map[string]any{
		"testSessionId": id, "testSessionLink": "https://monitoring.test/t", "name": "Tests", "status": status, "errorGroupIds": []string{},
		"startedAt": "2026-08-19T10:15:00.120Z", "stoppedAt": "2026-08-19T10:15:02.120Z", "timeElapsed": 2000, "results": list,
	}
}

func TestNoTestSessionIsGreenThatWasNotRun(t *testing.T) {
	login, other := [3]string{loginID, "FINAL", "PASSED"}, [3]string{noID, "FINAL", "PASSED"}
	one, both := "-ids "+loginID, "-ids "+loginID+","+noID
	for name, c := range map[string]struct {
		args string
		ends map[string]any
		code int
		why  string // in stderr or stdout
	}{
		"the check that was asked for":                   {one, testSessionOf("PASSED", login), exitPassed, ""},
		"a stranger instead of it":                       {"-allow-missing " + one, testSessionOf("PASSED", other), exitUnknown, "a check that was not asked for: Check " + noID},
		"a stranger beside it":                           {one, testSessionOf("PASSED", login, other), exitUnknown, "a check that was not asked for"},
		"one of two":                                     {both, testSessionOf("PASSED", login), exitUnknown, "1 of 2 checks were not started (" + noID},
		"a result without a check for two":               {both, testSessionOf("PASSED", [3]string{"", "FINAL", "PASSED"}), exitUnknown, "1 of 2 checks were started, and the answer does not say which"},
		"no results at all":                              {"-tags all", without(testSessionOf("PASSED"), "results"), exitUnknown, `the session ended with the status "PASSED", and no result says why`},
		"a result that never came":                       {"-tags all", testSessionOf("PASSED", login, [3]string{noID, "PENDING", "RUNNING"}), exitUnknown, "the session ended without a result of this location"},
		"a retry that never came":                        {"-tags all", testSessionOf("PASSED", [3]string{loginID, "ATTEMPT", "FAILED"}), exitUnknown, "its retry has no result"},
		"a session that failed, and no check says why":   {"-tags all", testSessionOf("FAILED", login), exitUnknown, "the test session says FAILED, and no check of it says why"},
		"one that failed, and a check has no result":     {"-tags all", testSessionOf("FAILED", login, [3]string{noID, "PENDING", "RUNNING"}), exitUnknown, "the session ended without a result"},
		"a check that failed although the session is ok": {"-tags all", testSessionOf("PASSED", login, [3]string{noID, "FINAL", "FAILED"}), exitFailed, "failed"},
		"one that: duplicate field":                      {"-tags all", testSessionOf("PASSED", login, [3]string{loginID, "FINAL", "FAILED"}), exitFailed, "failed"},
		"a session that was cancelled":                   {"-tags all", testSessionOf("CANCELLED", login, [3]string{noID, "PENDING", "CANCELLED"}), exitUnknown, "cancelled"},
		"another session":                                {"-tags all", func() map[string]any { s := testSessionOf("PASSED", login); s["testSessionId"] = noID; return s }(), exitUnknown, "the response has another id"},
	} {
		inBubble(t, name, func(t *testing.T) {
			svc := monitoringtest.New()
			begun := testSessionOf("RUNNING")
			delete(begun, "results")
			delete(begun, "stoppedAt")
			for operation, body := range map[string]any{opTestTrigger: begun, opTestCompletion: c.ends, opTestRead: c.ends, opTestResult: map[string]any{}} {
				text, err := json.Marshal(body)
				require.NoError(t, err)
				svc.Inject(monitoringtest.Fault{Operation: operation, Status: 200, Body: string(text)})
			}
			got := gateOf(t.Context(), t, svc, env(), append(strings.Fields(c.args), "-test", "-location", us)...)
			require.Equal(t, c.code, got.code, got.stderr)
			require.Contains(t, got.stderr+got.stdout, c.why)
			require.NotContains(t, got.json, `"name": "Tests"`+",\n   \"type\": \"\",\n   \"verdict\": \"passed\"")
		})
	}
}

func TestATestSessionHasVariablesAndSaysWhatItTests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const address, token, short = "https://preview-118.shop.test", "s3cr3t-t0k3n", "p1n"
		svc := newService()
		var seen map[string]string
		svc.OnTestRun(func(run *monitoringtest.TestRun) {
			seen = run.Variables
			require.Equal(t, "office", run.Location)
			run.Outcome, run.Error = "FAILED", "GET "+address+"/api: 401 for "+token+" and "+short
		})
		svc.AddPrivateLocation(monitoring.PrivateLocation{Name: "office"})
		github := env(
			envActions, "true", "GITHUB_SHA", "8deeeb8c0ffee", "GITHUB_REF_NAME", "118/merge", "GITHUB_HEAD_REF", "release/118", "GITHUB_WORKFLOW", "Deploy", "GITHUB_JOB", "gate",
			"GITHUB_SERVER_URL", "https://github.com", "GITHUB_REPOSITORY", "shop/web", "GITHUB_RUN_ID", "77", "GITHUB_ACTOR", "ada", "TOKEN", token, "PIN", short,
		)
		got := gateOf(t.Context(), t, svc, github, "-test", "-location", "office", "-tags", "well", "-var", "BASE_URL="+address+"?a=b", "-secret", "TOKEN", "-secret", "PIN")
		require.Equal(t, exitFailed, got.code, got.stderr)
		require.Equal(t, address+"?a=b", seen["BASE_URL"])
		var sent struct {
			EnvironmentVariables []struct {
				Key    string
				Secret *bool
			}
		}
		require.NoError(t, json.Unmarshal(svc.Requests()[0].Body, &sent))
		require.Nil(t, sent.EnvironmentVariables[0].Secret)
		require.True(t, *sent.EnvironmentVariables[1].Secret && *sent.EnvironmentVariables[2].Secret)
		require.Equal(t, []string{token, short}, []string{seen["TOKEN"], seen["PIN"]})
		session := svc.TestSessions()[0]
		require.Equal(t, "monitoring-gate Deploy / gate release/118", session.Name)
		require.Equal(t, "8deeeb8c0ffee release/118 https://github.com/shop/web ada", strings.Join([]string{session.Metadata.CommitID, session.Metadata.BranchName, session.Metadata.RepoURL, session.Metadata.CommitOwner}, " "))
		require.Equal(t, "gate 77 Deploy", strings.Join([]string{session.Metadata.GitHub.Job, session.Metadata.GitHub.RunID, session.Metadata.GitHub.Workflow}, " "))
		require.Contains(t, inText(got.page), "tagged well, as a test session in office\nCommit\n")
		require.Contains(t, got.stdout, "401 for [redacted] and [redacted]")
		for what, output := range map[string]string{"stdout": got.stdout, "stderr": got.stderr, "JUnit": got.junit, "Markdown": got.markdown, "page": got.page, "JSON": got.json} {
			require.NotContains(t, output, token, what)
			require.NotContains(t, output, short, what)
		}

		svc.OnTestRun(func(run *monitoringtest.TestRun) {
			run.Outcome, run.Error = "FAILED", "no answer of "+address
		})
		got = gateOf(t.Context(), t, svc, github, "-test", "-location", "office", "-tags", "well", "-var", "BASE_URL="+address)
		for what, output := range map[string]string{"stdout": got.stdout, "stderr": got.stderr, "JUnit": got.junit, "Markdown": got.markdown, "page": got.page, "JSON": got.json} {
			require.NotContains(t, output, "preview-118", what)
		}
	})
}

func TestLeaveATestSessionAndComeBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := newService()
		left := gateOf(t.Context(), t, svc, env(), "-test", "-location", us, "-detach", "-tags", "half", "-tags", "well")
		require.Zero(t, left.code, left.stderr)
		id := svc.TestSessions()[0].TestSessionID
		require.Equal(t, id+" monitoring-gate tests\n", left.stdout, "one line, although it has two checks")
		time.Sleep(time.Minute)
		back := gateOf(t.Context(), t, svc, env(), "-test", "-sessions", id)
		require.Equal(t, exitFailed, back.code, back.stderr)
		require.Equal(t, 9*time.Minute, back.took)
		require.Equal(t, 1, svc.Executed(opTestTrigger))
		require.Contains(t, back.stderr, "waiting for 2 checks\n  monitoring-gate tests  https://")
		require.Contains(t, back.junit, `<property name="testSessionId" value="`+id+`">`)
		for _, text := range []string{back.junit, back.markdown, back.page, back.json} {
			require.Contains(t, text, "Tour")
			require.Contains(t, text, "Login")
		}
		gone := gateOf(t.Context(), t, svc, env(), "-test", "-sessions", noID)
		require.Equal(t, exitUnknown, gone.code)
		require.Contains(t, gone.stdout, noID)
	})
}

func TestChecksOfATestSessionAreShownAsTheyEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := newService()
		var stderr bytes.Buffer
		var at []time.Duration
		began := time.Now()
		p := program{env(), new(bytes.Buffer), written(func(text []byte) (int, error) {
			if bytes.Contains(text, []byte("passed ")) || bytes.Contains(text, []byte("failed ")) {
				at = append(at, time.Since(began))
			}
			return stderr.Write(text)
		}), func() (*monitoring.Client, error) { return svc.Client() }}
		require.Equal(t, exitFailed, p.run(t.Context(), []string{"-test", "-location", us, "-tags", "well", "-tags", "half"}))
		require.Len(t, at, 2)
		require.Less(t, at[0], time.Minute, "it ended after two seconds")
		require.Equal(t, 10*time.Minute, at[1])
		require.Contains(t, stderr.String(), "1 of 2 checks, still running: Tour")
	})
}

func TestAnInterruptEndsATestSessionAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, interrupt := context.WithCancel(t.Context())
		time.AfterFunc(40*time.Second, interrupt)
		svc := newService()
		got := gateOf(ctx, t, svc, env(), "-test", "-location", us, "-tags", "long", "-tags", "well")
		require.Equal(t, exitInterrupted, got.code)
		require.LessOrEqual(t, got.took, 40*time.Second+interruptTime)
		require.Contains(t, got.stderr, "monitoring-gate: interrupted: 1 of 2 checks had not finished\n")
		require.Contains(t, got.stdout, svc.TestSessions()[0].TestSessionID+" monitoring-gate tests\n")
		require.Contains(t, got.junit, `<error message="interrupted before it had finished"`)
	})
}

func TestWrongUseOfTestSessionsShowsNoValue(t *testing.T) {
	for args, want := range map[string]string{
		"-tags a -var A=5ec4e7":                                         "add -test",
		"-tags a -location eu":                                          "add -test",
		"-tags a -deactivated":                                          "add -test",
		"-tags a -test":                                                 "say in which, with -location",
		"-test -location eu":                                            "say which checks to run",
		"-test -location eu -sessions a":                                "-sessions starts nothing",
		"-test -sessions a -var A=5ec4e7":                               "-sessions starts nothing",
		"-tags a -test -location eu -var 5ec4e7":                        "-var 5ec4e7: want NAME=VALUE",
		"-tags a -test -location eu -var A=":                            "-var A: want NAME=VALUE, and the value must not be empty",
		"-tags a -test -location eu -var =5ec4e7":                       "want NAME=VALUE",
		"-tags a -test -location eu -var A=5ec4e7 B=5ec4e7":             `unexpected argument "B"`,
		"-tags a -test -location eu -var A=5ec4e7 -var A=5ec4e7x":       "the variable is there twice",
		"-tags a -test -location eu -secret GONE":                       "set GONE in the environment",
		"-tags a -test -location eu -secret THERE -var A=5ec4e7 -nope":  "-nope",
		"-tags a -test -location eu -secret THERE -var THERE=5ec4e7":    "the variable is there twice",
		"-tags a -test -location eu -detach -min 3":                     "at its end",
		"-tags a -test -location eu -strict -deactivated":               "give one of them",
		"-tags a -test -location eu" + strings.Repeat(" -secret A", 51): "at most 50",
	} {
		var stdout, stderr bytes.Buffer
		code := program{env("THERE", "5ec4e75ec4e7", "A", "x"), &stdout, &stderr, func() (*monitoring.Client, error) { return monitoringtest.New().Client() }}.run(t.Context(), strings.Fields(args))
		require.Equal(t, exitUnknown, code, args)
		require.Contains(t, stderr.String(), want, args)
		if !strings.Contains(args, "-var 5ec4e7") {
			require.NotContains(t, stdout.String()+stderr.String(), "5ec4e7", args)
		}
	}
}
