// Package junitcheck checks the JUnit XML of cigate with a third-party reader of the format.
// It is a module of its own, so that the SDK does not depend on that reader:
//
//	cd examples/cigate/junitcheck && go test ./...
package junitcheck_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/joshdk/go-junit"
	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

var gate string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "junitcheck")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	gate = filepath.Join(dir, "cigate.exe")
	code := 1
	if out, err := exec.Command("go", "build", "-o", gate, "github.com/monitoring-api/monitoring-go/examples/cigate").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build cigate: %s\n%s", err, out)
	} else {
		code = m.Run()
	}
	os.RemoveAll(dir)
	os.Exit(code)
}

// runGate runs the gate with the settings of a service and reads its report.
func runGate(t *testing.T, settings []string, args ...string) (suites map[string]junit.Suite, code int) {
	t.Helper()
	report := filepath.Join(t.TempDir(), "out.xml")
	command := exec.Command(gate, append(args, "-junit", report)...)
	command.Env = append(os.Environ(), settings...)
	out, err := command.CombinedOutput()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		code = exit.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	list, err := junit.IngestFile(report)
	if err != nil {
		t.Fatalf("the report cannot be read: %s\n%s", err, out)
	}
	suites = make(map[string]junit.Suite)
	for _, s := range list {
		suites[s.Name] = s
	}
	return suites, code
}

func TestTheDemo(t *testing.T) {
	suites, code := runGate(t, nil, "-demo", "-tags", "critical")
	if code != 0 || len(suites) != 3 { // two checks, and the gate itself
		t.Fatalf("exit code %d, suites %v", code, suites)
	}
	checkout := suites["Checkout API"]
	if got, want := checkout.Totals.Passed, 2; got != want || checkout.Totals.Tests != want {
		t.Errorf("%d of %d cases passed, want %d", got, checkout.Totals.Tests, want)
	}
	for _, test := range checkout.Tests {
		if test.Status != junit.StatusPassed || test.Classname != "Checkout API" || test.Duration <= 0 || !strings.Contains(test.SystemOut, "Retried once") {
			t.Errorf("case %+v", test)
		}
	}
	if checkout.Properties["checkId"] != monitoringtest.DemoCheckID {
		t.Errorf("properties %v", checkout.Properties)
	}
}

func TestEveryOutcome(t *testing.T) {
	svc := monitoringtest.New(monitoringtest.WithRunTime(20 * time.Millisecond))
	eu, us := "eu-central-1", "us-east-1"
	for _, check := range []monitoringtest.Check{
		{Name: "Well", Locations: []string{eu, us}, ResponseTime: 1250 * time.Millisecond},
		{Name: "Broken", Locations: []string{eu, us}, Outcome: monitoring.SessionFailed, FailIn: []string{us}, Attempts: 2},
		{Name: "Slow", Outcome: monitoring.SessionDegraded},
		{Name: "Cancelled", Type: monitoring.CheckTypePlaywright, Outcome: monitoring.SessionCancelled},
		{Name: `A "name" <of> ]]> & öäü 日本`, Outcome: monitoring.SessionFailed, Error: "line 1 <b>&\n\x1b[31mline 2\x1b[0m \x00 ]]>"},
	} {
		check.Tags = []string{"all"}
		svc.AddCheck(check)
	}
	url, stop := svc.Start()
	defer stop()
	settings := []string{
		"MONITORING_BASE_URL=" + url, "MONITORING_API_KEY=" + monitoringtest.APIKey, "MONITORING_ACCOUNT_ID=" + monitoringtest.AccountID,
	}
	suites, code := runGate(t, settings, "-tags", "all", "-fail-on-degraded")
	if code != 1 { // one was cancelled, but others failed for certain
		t.Errorf("exit code %d", code)
	}
	want := map[string]string{
		"Well":                       "eu-central-1 passed, us-east-1 passed",
		"Broken":                     "eu-central-1 passed, us-east-1 failed",
		"Slow":                       "eu-central-1 failed",
		"Cancelled":                  "eu-central-1 skipped",
		`A "name" <of> ]]> & öäü 日本`: "eu-central-1 failed",
	}
	for name, want := range want {
		suite := suites[name]
		var got []string
		for _, test := range suite.Tests {
			got = append(got, test.Name+" "+string(test.Status))
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("suite %q: %s, want %s", name, got, want)
		}
		if n := suite.Totals; n.Tests != n.Passed+n.Failed+n.Skipped+n.Error || n.Tests != len(suite.Tests) {
			t.Errorf("suite %q: totals %+v", name, n)
		}
	}
	gate := suites["cigate"].Properties
	if gate["checks"] != "5" || gate["passed"] != "1" || gate["failed"] != "3" || gate["cancelled"] != "1" || gate["unknown"] != "0" {
		t.Errorf("counts %v", gate)
	}
	if d := suites["Well"].Tests[0].Duration; d != 1250*time.Millisecond {
		t.Errorf("a response time of 1.25 s reads as %s", d)
	}
	broken := suites["Broken"].Tests[1]
	if broken.Message != "Expected 500 to equal 200" || !strings.Contains(broken.SystemOut, "Retried 2 times") {
		t.Errorf("case %+v", broken)
	}
	if failure, ok := broken.Error.(junit.Error); !ok || failure.Type != "FAILED" || !strings.Contains(failure.Body, "https://") {
		t.Errorf("failure %+v", broken.Error)
	}
	odd := suites[`A "name" <of> ]]> & öäü 日本`].Tests[0]
	if failure, ok := odd.Error.(junit.Error); !ok || !strings.Contains(failure.Body, "line 1 <b>&\nline 2") {
		t.Errorf("failure %+v", odd.Error)
	}
}

func TestAnUnknownOutcomeIsAnError(t *testing.T) {
	svc := monitoringtest.New()
	url, stop := svc.Start()
	defer stop()
	suites, code := runGate(t, []string{"MONITORING_BASE_URL=" + url, "MONITORING_API_KEY=wrong", "MONITORING_ACCOUNT_ID="}, "-tags", "all")
	suite := suites["cigate"]
	if code != 2 || suite.Totals.Error != 1 || !strings.Contains(suite.Tests[0].Message, "check the API key") {
		t.Errorf("exit code %d, suite %+v", code, suite)
	}
}
