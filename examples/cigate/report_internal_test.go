package main

import (
	"strings"
	"testing"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/examples/internal/cli"
)

func TestVerdictOfASession(t *testing.T) {
	final := new(monitoring.ResultFinal)
	bad := monitoring.CheckSessionResult{ResultType: final, RunLocation: "eu", HasFailures: true}
	stopped := monitoring.CheckSessionResult{ResultType: final, RunLocation: "eu", IsCancelled: true}
	tests := []struct {
		name    string
		session monitoring.CheckSession
		err     error
		verdict verdict
		runs    string // location and verdict of each
	}{
		{"a location without a result shares the fate of its session", monitoring.CheckSession{Status: "TIMED_OUT", RunLocations: []string{"eu"}}, nil, unknown, "eu unknown"},
		{"a failed session that no location explains gets a case of its own", monitoring.CheckSession{Status: "FAILED"}, nil, failed, "session failed"},
		{
			"a failed location explains its session",
			monitoring.CheckSession{Status: "FAILED", RunLocations: []string{"eu"}, Results: []monitoring.CheckSessionResult{bad}}, nil, failed, "eu failed",
		},
		{
			"a session whose runs were cancelled did not run out of time",
			monitoring.CheckSession{Status: "TIMED_OUT", Results: []monitoring.CheckSessionResult{stopped}}, nil, cancelled, "eu cancelled",
		},
		{"a status of the future is not known", monitoring.CheckSession{Status: "PAUSED", RunLocations: []string{"eu"}}, nil, unknown, "eu unknown"},
		{
			"a session that was not awaited has failed for certain when a location has",
			monitoring.CheckSession{RunLocations: []string{"eu", "us"}, Results: []monitoring.CheckSessionResult{bad}}, monitoring.ErrServer, failed, "eu failed, us unknown",
		},
		{
			"a location that was cancelled is not a failure of a session that was not awaited",
			monitoring.CheckSession{RunLocations: []string{"eu", "us"}, Results: []monitoring.CheckSessionResult{stopped}}, monitoring.ErrServer, unknown, "eu cancelled, us unknown",
		},
		{"a degraded session is a verdict of its own", monitoring.CheckSession{Status: "DEGRADED"}, nil, degraded, "session degraded"},
		{"a session that was not awaited is not known", monitoring.CheckSession{RunLocations: []string{"eu"}}, monitoring.ErrServer, unknown, "eu unknown"},
	}
	names := map[verdict]string{passed: "passed", degraded: "degraded", failed: "failed", cancelled: "cancelled", unknown: "unknown"}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := newCheck(&tt.session, tt.err, false)
			var runs []string
			for _, r := range c.runs {
				runs = append(runs, r.location+" "+names[r.verdict])
			}
			if got := strings.Join(runs, ", "); c.verdict != tt.verdict || got != tt.runs {
				t.Errorf("%s: %s, want %s: %s", names[c.verdict], got, names[tt.verdict], tt.runs)
			}
		})
	}
}

func TestAnEmptyReportIsNoSuccess(t *testing.T) {
	if code := new(report).exitCode(); code != cli.ExitTrouble {
		t.Errorf("exit code %d", code)
	}
}

func TestHostileNamesAreEscaped(t *testing.T) {
	r := &report{took: time.Second, checks: []*check{{
		session: &monitoring.CheckSession{Name: "a|b\n<script>`x`](javascript:1)\x00\x1b[2J", CheckSessionLink: "javascript:alert(1)"},
		verdict: failed,
		runs:    []locationRun{{location: "eu", status: "FAILED", verdict: failed, messages: []string{"```\n]]></failure>\x00"}}},
	}}}
	var table, junit, markdown strings.Builder
	r.print(&cli.Screen{Writer: &table})
	if err := r.writeJUnit(&junit); err != nil {
		t.Fatal(err)
	}
	if err := r.writeMarkdown(&markdown); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(table.String(), "\x00\x1b") {
		t.Errorf("the table passes on control characters: %q", table.String())
	}
	if strings.Contains(junit.String(), "<script>") || strings.Contains(junit.String(), "]]></failure>\x00") {
		t.Errorf("the XML has markup of a name:\n%s", junit.String())
	}
	for _, bad := range []string{"<script>", "(javascript:1)\n", "[a", "|b"} {
		if strings.Contains(strings.ReplaceAll(markdown.String(), `\|`, ""), bad) {
			t.Errorf("the summary has markup of a name, %q:\n%s", bad, markdown.String())
		}
	}
	if !strings.Contains(markdown.String(), "\n````text\n```\n") {
		t.Errorf("a message can end its block:\n%s", markdown.String())
	}
}

func TestTheBarFillsUp(t *testing.T) {
	if got := bar(0, 0) + bar(1, 3) + bar(3, 3); got != "[........................]"+"[########................]"+"[########################]" {
		t.Errorf("bars %s", got)
	}
}
