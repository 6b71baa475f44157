package main

import (
	"bytes"
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/examples/internal/cli"
	"github.com/monitoring-api/monitoring-go/examples/internal/clitest"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

const (
	opTrigger    = "POST /v2/check-sessions/trigger"
	opCompletion = "GET /v2/check-sessions/{checkSessionId}/completion"
	opCancel     = "POST /v1/check-sessions/{checkSessionId}/cancel"
	loginID      = "11111111-2222-4333-8444-555555555555"
)

// newService makes a service with a check for each outcome, each with a tag of its own.
func newService() *monitoringtest.Service {
	svc := monitoringtest.New()
	eu, us := "eu-central-1", "us-east-1"
	svc.AddCheck(monitoringtest.Check{ID: loginID, Name: "Login", Tags: []string{"well"}, Locations: []string{eu, us}, Attempts: 2})
	svc.AddCheck(monitoringtest.Check{Name: "Search", Tags: []string{"slow"}, Outcome: monitoring.SessionDegraded})
	svc.AddCheck(monitoringtest.Check{
		Name: "Payment", Tags: []string{"broken"}, Locations: []string{eu, us}, FailIn: []string{us},
		Outcome: monitoring.SessionFailed, Error: "Expected \x1b[31m500\x1b[0m to equal 200",
	})
	svc.AddCheck(monitoringtest.Check{Name: "Port", Type: monitoring.CheckTypeTCP, Tags: []string{"terse"}, Outcome: monitoring.SessionFailed})
	svc.AddCheck(monitoringtest.Check{Name: "Import", Tags: []string{"stuck"}, Outcome: monitoring.SessionTimedOut})
	svc.AddCheck(monitoringtest.Check{
		Name: "Suite", Type: monitoring.CheckTypePlaywright, Tags: []string{"cancelled"}, Outcome: monitoring.SessionCancelled,
	})
	svc.AddCheck(monitoringtest.Check{Name: "Nightly", Type: monitoring.CheckTypePlaywright, Tags: []string{"long"}, RunTime: time.Hour})
	svc.AddCheck(monitoringtest.Check{
		Name: "Tour", Tags: []string{"half"}, Locations: []string{eu, us}, Outcome: monitoring.SessionFailed, RunTime: 10 * time.Minute, Error: "Expected 500 to equal 200",
	})
	return svc
}

// ran is the output of a run of the gate.
type ran struct {
	code            int
	stdout, stderr  string
	junit, markdown string
	took            time.Duration
}

// gate runs the gate against a service in memory. Call it in a bubble.
func gate(ctx context.Context, t *testing.T, svc *monitoringtest.Service, key string, args ...string) ran {
	t.Helper()
	return gateIn(ctx, t, svc, key, clitest.Env(), args...)
}

// gateIn is gate with an environment.
func gateIn(ctx context.Context, t *testing.T, svc *monitoringtest.Service, key string, env cli.Getenv, args ...string) ran {
	t.Helper()
	dir := t.TempDir()
	junit, summary := filepath.Join(dir, "out.xml"), filepath.Join(dir, "out.md")
	var stdout, stderr bytes.Buffer
	started := time.Now()
	code := runWith(ctx, append(args, "-junit", junit, "-summary", summary), env, &stdout, &stderr, func(options) (*monitoring.Client, error) {
		return monitoring.NewClient(monitoringtest.BaseURL, key, monitoring.WithHTTPClient(&http.Client{Transport: svc.Transport()}))
	})
	return ran{code, stdout.String(), stderr.String(), read(t, junit), read(t, summary), time.Since(started)}
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestGate(t *testing.T) {
	tests := []struct {
		name                 string
		args                 []string
		key                  string
		faults               []monitoringtest.Fault
		code                 int
		stdout               []string
		stderr               []string
		junit                []string
		triggered, cancelled int
	}{
		{
			name: "checks that pass open the gate", args: []string{"-tags", "well"}, code: 0, triggered: 1,
			stdout: []string{"Login", "API", "us-east-1", "PASSED", "Checks passed: 1 check in 2.0s: 1 passed."},
			stderr: []string{"PASSED    Login (2.0s)"},
			junit:  []string{`tests="2" failures="0" errors="0" skipped="0"`, `<testcase name="us-east-1"`, "Retried 2 times"},
		},
		{
			name: "checks can be chosen by their ids", args: []string{"-ids", loginID}, code: 0, triggered: 1,
			stdout: []string{"Login", "Checks passed"},
		},
		{
			name: "a check of the ids that is not started leaves the gate closed", args: []string{"-ids", loginID + ",8a55aaaa-0000-4000-8000-00000000000a"}, code: 2, triggered: 1,
			stdout: []string{"Login", "Could not tell whether the checks pass"},
			stderr: []string{"1 of 2 checks were not started: 8a55aaaa-0000-4000-8000-00000000000a: they are deactivated or deleted"},
		},
		{
			name: "unless that is accepted", args: []string{"-allow-missing", "-ids", loginID + ",8a55aaaa-0000-4000-8000-00000000000a"}, code: 0, triggered: 1,
			stdout: []string{"Login", "Checks passed"},
		},
		{
			name: "a failed check closes the gate and is explained", args: []string{"-tags", "broken", "-tags", "well"}, code: 1, triggered: 1,
			stdout: []string{"Payment, us-east-1: FAILED\n  Expected 500 to equal 200\n  https://", "Checks failed: 2 checks in 2.0s: 1 passed, 1 failed."},
			junit:  []string{`<testsuite name="Payment" tests="2" failures="1"`, `<failure message="Expected 500 to equal 200" type="FAILED">`},
		},
		{
			name: "a failed check whose result has no reason says so", args: []string{"-tags", "terse"}, code: 1, triggered: 1,
			stdout: []string{"Port, eu-central-1: FAILED\n  it failed; the result does not say why"}, junit: []string{`<failure message="it failed; the result does not say why" type="FAILED">`},
		},
		{
			name: "a check that ran out of its own time has failed", args: []string{"-tags", "stuck"}, code: 1, triggered: 1,
			stdout: []string{"Import, eu-central-1: FAILED", "did not end in time"},
		},
		{
			name: "details that cannot be read do not change the verdict", args: []string{"-tags", "broken"}, code: 1, triggered: 1,
			faults: []monitoringtest.Fault{{Operation: "GET /v1/check-results/{checkId}/{checkResultId}", Status: 403}},
			stdout: []string{"the details could not be read", "Checks failed"},
		},
		{
			name: "a degraded check has passed", args: []string{"-tags", "slow"}, code: 0, triggered: 1,
			stdout: []string{"DEGRADED", "Checks passed: 1 check in 2.0s: 1 degraded."},
			junit:  []string{`failures="0"`, "The check is degraded", `<property name="degraded" value="1">`, `<property name="passed" value="0">`},
		},
		{
			name: "a degraded check has failed when the flag says so", args: []string{"-tags", "slow", "-fail-on-degraded"}, code: 1, triggered: 1,
			stdout: []string{"Search, eu-central-1: DEGRADED", "response time of 3.50 s"}, junit: []string{`failures="1"`, `type="DEGRADED"`, `<property name="failed" value="1">`},
		},
		{
			name: "the outcome of a cancelled check is unknown", args: []string{"-tags", "cancelled"}, code: 2, triggered: 1,
			stdout: []string{"CANCELLED", "Could not tell whether the checks pass: 1 check in 2.0s: 1 cancelled."}, junit: []string{`skipped="1"`, `<skipped message="cancelled">`},
		},
		{
			name: "a check that failed for certain beats one that is not known", args: []string{"-tags", "long", "-tags", "broken", "-timeout", "5m"}, code: 1, triggered: 1,
			stdout: []string{"Payment, us-east-1: FAILED", "Expected 500", "Nightly, eu-central-1: UNKNOWN\n  not finished within 5m", "Checks failed: 2 checks in 5m0s: 1 failed, 1 unknown."},
			stderr: []string{"FAILED    Payment", "cigate: timeout after 5m: 1 of 2 checks had not finished\n"},
			junit: []string{
				`<error message="not finished within 5m"`, `<error message="timeout after 5m`,
				`<property name="failed" value="1">`, `<property name="unknown" value="1">`, "Checks failed: 2 checks in 5m0s: 1 failed, 1 unknown.",
			},
		},
		{
			name: "a check that failed for certain beats one that was cancelled", args: []string{"-tags", "cancelled", "-tags", "terse", "-tags", "slow"}, code: 1, triggered: 1,
			stdout: []string{"Checks failed: 3 checks in 2.0s: 1 degraded, 1 failed, 1 cancelled."},
		},
		{name: "a timeout may be given in days", args: []string{"-tags", "long", "-timeout", "1d"}, code: 0, triggered: 1},
		{
			name: "a timeout without a failure is unknown", args: []string{"-tags", "long", "-tags", "well", "-timeout", "5m"}, code: 2, triggered: 1,
			stdout: []string{"Could not tell whether the checks pass: 2 checks in 5m0s: 1 passed, 1 unknown."},
		},
		{
			name: "a check that failed in one location has failed for certain, although it still runs in another", args: []string{"-tags", "half", "-timeout", "6m"}, code: 1, triggered: 1,
			stdout: []string{"Tour, eu-central-1: FAILED", "Expected 500", "Tour, us-east-1: UNKNOWN\n  not finished within 6m", "Checks failed: 1 check in 6m0s: 1 failed."},
		},
		{
			name: "a timeout cancels what still runs when the flag says so", args: []string{"-tags", "long", "-timeout", "5m", "-cancel"}, code: 2, triggered: 1, cancelled: 1,
			stderr: []string{"told to stop"},
		},
		{
			name: "a lost response to the trigger is unknown, and nothing is triggered twice", args: []string{"-tags", "well"}, code: 2, triggered: 1,
			faults: []monitoringtest.Fault{{Operation: opTrigger, Kind: monitoringtest.FaultResetAfter}},
			stderr: []string{"nothing is known", "not triggered again", "connection reset"}, stdout: []string{"Could not tell"},
			junit: []string{`errors="1"`, "nothing is known"},
		},
		{
			name: "a trigger that was certainly not carried out is sent again", args: []string{"-tags", "well"}, code: 0, triggered: 1,
			faults: []monitoringtest.Fault{{Operation: opTrigger, Kind: monitoringtest.FaultRefuse, Times: 1}},
		},
		{
			name: "a trigger that hangs until the timeout is unknown", args: []string{"-tags", "well", "-timeout", "10s"}, code: 2,
			faults: []monitoringtest.Fault{{Operation: opTrigger, Delay: time.Hour}}, stderr: []string{"nothing is known"},
		},
		{
			name: "lost connections while waiting are survived", args: []string{"-tags", "well"}, code: 0, triggered: 1,
			faults: []monitoringtest.Fault{{Operation: opCompletion, Kind: monitoringtest.FaultResetAfter, Times: 3}},
		},
		{
			name: "a wrong key is unknown", args: []string{"-tags", "well"}, key: "wrong_key", code: 2,
			stderr: []string{"cigate: monitoring: POST /v2/check-sessions/trigger at monitoring.test: 401 Unauthorized: Bad Token: check the API key\n"},
			stdout: []string{"Could not tell whether the checks pass: no check was seen."},
		},
		{
			name: "no matching check is unknown", args: []string{"-tags", "well,nope"}, code: 2,
			stderr: []string{"cigate: no active check is tagged well and nope\n"},
		},
		{
			name: "an id that no check has is unknown", args: []string{"-ids", "00000000-2222-4333-8444-555555555555"}, code: 2,
			stderr: []string{"cigate: no active check has the id 00000000-"},
		},
		{
			name: "an id that is not a UUID is refused before it is sent", args: []string{"-ids", "login"}, code: 2,
			stderr: []string{"nothing was sent"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc := newService()
				svc.Inject(tt.faults...)
				key := tt.key
				if key == "" {
					key = monitoringtest.APIKey
				}
				got := gate(t.Context(), t, svc, key, tt.args...)
				if got.code != tt.code {
					t.Errorf("exit code %d, want %d", got.code, tt.code)
				}
				wantAll(t, "stdout", got.stdout, tt.stdout)
				wantAll(t, "stderr", got.stderr, tt.stderr)
				wantAll(t, "JUnit", got.junit, tt.junit)
				last := got.stdout[strings.LastIndex(strings.TrimSuffix(got.stdout, "\n"), "\n")+1:]
				headline, counts, _ := strings.Cut(strings.TrimSpace(last), ": ")
				wantAll(t, "JUnit", got.junit, []string{headline + ": " + counts})
				wantAll(t, "summary", got.markdown, []string{"## ", headline, counts})
				if n := svc.Executed(opTrigger); n != tt.triggered {
					t.Errorf("triggered %d times, want %d", n, tt.triggered)
				}
				if n := svc.Executed(opCancel); n != tt.cancelled {
					t.Errorf("cancelled %d times, want %d", n, tt.cancelled)
				}
				for _, text := range []string{got.stdout, got.stderr, got.junit, got.markdown} {
					if strings.Contains(text, key) {
						t.Errorf("the key is shown in\n%s", text)
					}
				}
			})
		})
	}
}

func TestAnInterruptEndsTheGateAtOnce(t *testing.T) {
	tests := []struct {
		name string
		args []string
		code int
	}{
		{"with a code of its own", []string{"-tags", "long", "-tags", "well"}, cli.ExitInterrupted},
		{"and does not hide a check that failed", []string{"-tags", "long", "-tags", "broken"}, cli.ExitNo},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, interrupt := context.WithCancel(t.Context())
				time.AfterFunc(7*time.Second, interrupt)
				got := gate(ctx, t, newService(), monitoringtest.APIKey, tt.args...)
				require.Equal(t, tt.code, got.code)
				require.Equal(t, 7*time.Second, got.took)
				wantAll(t, "stderr", got.stderr, []string{"cigate: interrupted: 1 of 2 checks had not finished\n"})
				wantAll(t, "stdout", got.stdout, []string{"Nightly, eu-central-1: UNKNOWN", "interrupted before it had finished"})
			})
		})
	}
}

func TestTheDemo(t *testing.T) {
	for _, columns := range []int{60, 140} {
		synctest.Test(t, func(t *testing.T) {
			got := clitest.Run(t.Context(), run, clitest.Env("COLUMNS", strconv.Itoa(columns)), "-demo", "-tags", "production", "-tags", "staging")
			require.Zero(t, got.Code, got.Stderr)
			require.Contains(t, got.Stderr, cli.DemoNotice)
			clitest.Golden(t, "demo"+strconv.Itoa(columns)+".txt", got.Stdout, columns)
		})
	}
}

func TestWrongUseIsReportedBeforeAnythingIsTriggered(t *testing.T) {
	tests := []struct {
		name string
		args []string
		want string
	}{
		{"no selection", nil, "-tags or -ids"},
		{"tags and ids", []string{"-tags", "a", "-ids", loginID}, "either -tags or -ids"},
		{"an empty tag", []string{"-tags", "a,"}, "empty item"},
		{"an empty id", []string{"-ids", ""}, "empty item"},
		{"a timeout of nothing", []string{"-tags", "a", "-timeout", "0s"}, "-timeout"},
		{"a stray argument", []string{"-tags", "a", "b"}, `"b"`},
		{"an unknown flag", []string{"-what"}, "-what"},
		{"missing settings", []string{"-tags", "a"}, "set MONITORING_BASE_URL and MONITORING_API_KEY"},
		{"a report that cannot be written", []string{"-demo", "-junit", "no/such/directory/out.xml"}, "no/such/directory"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := clitest.Run(t.Context(), run, clitest.Env(), tt.args...)
			require.Equal(t, cli.ExitTrouble, got.Code)
			require.Empty(t, got.Stdout)
			require.Contains(t, got.Stderr, tt.want)
		})
	}
	clitest.Usage(t, run)
}

func wantAll(t *testing.T, what, text string, parts []string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%s lacks %q:\n%s", what, part, text)
		}
	}
}
