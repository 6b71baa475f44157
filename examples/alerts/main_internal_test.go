package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"net/http/httptest"
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

const opAlerts = "GET /v1/alert-notifications"

func TestTheDemo(t *testing.T) {
	tests := []struct {
		name string
		args []string
		want []string
		not  []string
	}{
		{"a table and a chart of the last day", nil, []string{"TIME", "WEBHOOK", "SUCCESS", "by hour", "██"}, nil},
		{"without the chart", []string{"-chart=false"}, []string{"TIME"}, []string{"by hour"}},
		{"only what failed", []string{"-from", "-3d", "-failed"}, []string{"FAILURE", "upstream 503"}, []string{"SUCCESS"}},
		{"only one channel", []string{"-channel", "263585"}, []string{"EMAIL"}, []string{"WEBHOOK", "SLACK"}},
		{"CSV has no chart", []string{"-format", "csv"}, []string{"id,timestamp,type"}, []string{"by hour"}},
		{"nothing at all", []string{"-from", "2001-01-01", "-to", "2001-01-02"}, nil, []string{"TIME"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				started := time.Now()
				got := clitest.Run(t.Context(), run, clitest.Env(), append(tt.args, "-demo")...)
				require.Zero(t, got.Code, got.Stderr)
				clitest.InOrder(t, got.Stdout, tt.want...)
				for _, part := range append(tt.not, "hooks.shop.test", "oncall@") { // the latter are of alertConfig
					require.NotContains(t, got.Stdout, part)
				}
				clitest.InOrder(t, got.Stderr, cli.DemoNotice, "alert notification")
				require.Less(t, time.Since(started), 10*time.Second)
			})
		})
	}
}

func TestTheTableFitsItsTerminal(t *testing.T) {
	for _, columns := range []int{60, 140} {
		synctest.Test(t, func(t *testing.T) {
			got := clitest.Run(t.Context(), run, clitest.Env("COLUMNS", strconv.Itoa(columns)), "-demo", "-from", "-12h")
			require.Zero(t, got.Code, got.Stderr)
			clitest.Golden(t, "demo"+strconv.Itoa(columns)+".txt", got.Stdout, columns)
		})
	}
}

func TestUsage(t *testing.T) {
	clitest.Usage(t, run)
	got := clitest.Run(t.Context(), run, clitest.Env())
	require.Equal(t, cli.ExitTrouble, got.Code)
	require.Empty(t, got.Stdout, "there is no demo data unless -demo is given")
	require.Contains(t, got.Stderr, "set MONITORING_BASE_URL and MONITORING_API_KEY in the environment; -demo")
}

// On a terminal the line of progress must be removed before the table is printed.
func TestTheLineOfProgressIsGoneBeforeTheTable(t *testing.T) {
	for _, format := range []string{"table", "csv", "jsonl"} {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New()
			svc.AddAlertNotifications(monitoring.AlertNotification{ID: "n-1"}, monitoring.AlertNotification{ID: "n-2"})
			var both bytes.Buffer
			screen := cli.Screen{Writer: &both, Live: true, Width: 60}
			stdout, stderr := screen, screen
			s := mustParse(t, time.Now().Add(time.Hour), "-format", format)
			require.NoError(t, list(t.Context(), newClient(t, svc), s, &stdout, &stderr))
			if format == "table" {
				require.Contains(t, both.String(), "reading alert notifications")
			}
			for line := range strings.Lines(both.String()) {
				if strings.Contains(line, "reading") {
					clitest.InOrder(t, line, "\r", "reading alert notifications, 0s", "\r", strings.Repeat(" ", 30), "\r")
					_, shown, _ := strings.Cut(line, strings.Repeat(" ", 30))
					require.NotContains(t, shown, "page")
				}
				if format != "table" {
					require.NotContains(t, line, "\r", "rows come as they are read")
				}
			}
		})
	}
}

func TestALongPeriodIsReadWithinTheLimitOfTheRoute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New(monitoringtest.WithRouteLimits())
		end := time.Now().UTC()
		begin := end.AddDate(0, 0, -10)
		for i := range 500 {
			at := monitoring.NewTimestamp(begin.Add(time.Duration(i) * 28 * time.Minute))
			svc.AddAlertNotification(monitoring.AlertNotification{Timestamp: &at, AlertConfig: monitoring.NewSecretJSON(json.RawMessage(`{"key":"s3cret"}`))})
		}
		var stdout bytes.Buffer
		s := mustParse(t, time.Now(), "-from", "-10d", "-format", "jsonl")
		require.NoError(t, list(t.Context(), newClient(t, svc), s, &cli.Screen{Writer: &stdout}, &cli.Screen{Writer: io.Discard}))
		seen := make(map[string]bool)
		for line := range strings.Lines(stdout.String()) {
			var r row
			if err := json.Unmarshal([]byte(line), &r); err != nil {
				t.Fatalf("%s: %s", err, line)
			}
			seen[r.ID] = true
		}
		if len(seen) != 500 {
			t.Errorf("%d different notifications, want 500", len(seen))
		}
		if strings.Contains(stdout.String(), "s3cret") || strings.Contains(stdout.String(), "alertConfig") {
			t.Error("the output has the configuration of a channel")
		}
		for _, request := range svc.Requests() {
			if request.Status != 200 {
				t.Errorf("a request got %d: the limit of the route is not kept", request.Status)
			}
		}
	})
}

func TestWhatWasReadBeforeAnErrorIsNotLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		for i := range 150 {
			at := monitoring.NewTimestamp(time.Now().Add(-time.Duration(i) * time.Minute))
			svc.AddAlertNotification(monitoring.AlertNotification{Timestamp: &at, NotificationResult: new("a, \"b\"\nc")})
		}
		svc.Inject(monitoringtest.Fault{Operation: opAlerts, Status: 402, After: 1})
		var stdout bytes.Buffer
		s := mustParse(t, time.Now(), "-format", "csv")
		err := list(t.Context(), newClient(t, svc), s, &cli.Screen{Writer: &stdout}, &cli.Screen{Writer: io.Discard})
		if err == nil || !strings.Contains(err.Error(), "after 100 alert notifications") || !strings.Contains(err.Error(), "page 2") {
			t.Errorf("error %v", err)
		}
		records, err := csv.NewReader(&stdout).ReadAll()
		if err != nil || len(records) != 101 || records[1][9] != "a, \"b\"\nc" {
			t.Errorf("%d records, error %v", len(records), err)
		}
	})
}

func TestAnInterruptPrintsWhatWasReadAndSaysWhatIsMissing(t *testing.T) {
	svc := monitoringtest.NewDemo()
	svc.Inject(monitoringtest.Fault{Operation: opAlerts, Delay: time.Hour})
	server := httptest.NewServer(svc)
	defer server.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	got := clitest.Run(ctx, run, clitest.Env(cli.EnvBaseURL, server.URL, cli.EnvAPIKey, monitoringtest.APIKey), "-format", "csv")
	require.Equal(t, cli.ExitInterrupted, got.Code)
	require.Equal(t, "alerts: interrupted: 0 alert notifications were read, those after them are missing\n", got.Stderr)
	require.Contains(t, got.Stdout, "id,timestamp")
}

// mustParse makes the settings as the program does.
func mustParse(t *testing.T, now time.Time, args ...string) settings {
	t.Helper()
	s, err := parse(now, args...)
	require.NoError(t, err)
	return s
}

func parse(now time.Time, args ...string) (settings, error) {
	s := settings{format: "table", chart: true}
	flags := define(&s, now)
	var stderr bytes.Buffer
	if _, ok := flags.Parse(args, clitest.Env(), io.Discard, &stderr); !ok {
		return s, errors.New(stderr.String())
	}
	return s, s.check(flags, now)
}

func TestPeriod(t *testing.T) {
	now := time.Date(2026, 8, 1, 12, 30, 0, 123, time.UTC)
	tests := []struct {
		name     string
		args     []string
		from, to string
		err      string
	}{
		{"the last day is the default", nil, "2026-07-31T12:30:00Z", "2026-08-01T12:30:00Z", ""},
		{"days count, too", []string{"-from", "-3d"}, "2026-07-29T12:30:00Z", "2026-08-01T12:30:00Z", ""},
		{"a channel is a positive number", []string{"-channel", "-1"}, "", "", "want a number from 1"},
		{"a duration counts from now", []string{"-from", "-72h"}, "2026-07-29T12:30:00Z", "2026-08-01T12:30:00Z", ""},
		{"a date is its midnight in UTC", []string{"-from", "2026-07-01", "-to", "2026-07-02"}, "2026-07-01T00:00:00Z", "2026-07-02T00:00:00Z", ""},
		{"a timestamp may have a zone", []string{"-from", "2026-08-01T01:00:00+02:00"}, "2026-07-31T23:00:00Z", "2026-08-01T12:30:00Z", ""},
		{"an end alone takes the day before it", []string{"-to", "2026-07-02"}, "2026-07-01T00:00:00Z", "2026-07-02T00:00:00Z", ""},
		{"a forgotten minus is reported", []string{"-from", "72h"}, "", "", "-72h is before"},
		{"an end before the beginning is reported", []string{"-from", "2026-07-02", "-to", "2026-07-01"}, "", "", "-from 2026-07-02T00:00:00Z must be before -to 2026-07-01"},
		{"a flag that is not a time is reported", []string{"-from", "yesterday"}, "", "", `"yesterday" for flag -from: want a date`},
		{"an unknown format is reported", []string{"-format", "xml"}, "", "", "-format xml"},
		{"a stray argument is reported", []string{"x"}, "", "", `unexpected argument "x"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, err := parse(now, tt.args...)
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Errorf("error %v, want one with %q", err, tt.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if from, to := s.query.From.Format(time.RFC3339Nano), s.query.To.Format(time.RFC3339Nano); from != tt.from || to != tt.to {
				t.Errorf("period %s to %s, want %s to %s", from, to, tt.from, tt.to)
			}
		})
	}
}

func TestChart(t *testing.T) {
	from := time.Date(2026, 8, 1, 10, 30, 0, 0, time.UTC)
	c := newChart(from, from.Add(2*time.Hour))
	for i := range 100 {
		n := monitoring.AlertNotification{Timestamp: new(monitoring.NewTimestamp(from.Add(time.Minute))), Status: monitoring.NotificationSuccess}
		if i == 0 {
			n.Status = monitoring.NotificationRateLimited
		}
		c.add(n)
	}
	c.add(monitoring.AlertNotification{}) // still being sent
	c.add(monitoring.AlertNotification{Timestamp: new(monitoring.NewTimestamp(from.AddDate(1, 0, 0)))})
	var b strings.Builder
	c.print(&cli.Screen{Writer: &b})
	want := "08-01 10:00  " + strings.Repeat("█", 39) + "░ 100 (1 failed)\n08-01 11:00\n08-01 12:00\n"
	if !strings.HasSuffix(b.String(), want) {
		t.Errorf("chart\n%swant\n%s", b.String(), want)
	}
}

func TestTheChartOfALongPeriodFitsOnAScreen(t *testing.T) {
	to := time.Date(2026, 8, 1, 10, 30, 0, 0, time.UTC)
	for _, days := range []int{1, 3, 7, 30, 365} {
		c := newChart(to.AddDate(0, 0, -days), to)
		if days <= 3 && c.step != time.Hour || len(c.bars) > mostBars {
			t.Errorf("%d days: %d bars of %s", days, len(c.bars), c.step)
		}
	}
}

func newClient(t *testing.T, svc *monitoringtest.Service) *monitoring.Client {
	t.Helper()
	client, err := svc.Client()
	if err != nil {
		t.Fatal(err)
	}
	return client
}
