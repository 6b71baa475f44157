package main

import (
	"context"
	"fmt"
	"math"
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

func TestTheDemo(t *testing.T) {
	for _, columns := range []int{60, 140} {
		synctest.Test(t, func(t *testing.T) {
			got := clitest.Run(t.Context(), run, clitest.Env("COLUMNS", strconv.Itoa(columns)), "-demo")
			require.Zero(t, got.Code, got.Stderr)
			require.Contains(t, got.Stderr, cli.DemoNotice)
			clitest.Golden(t, "demo"+strconv.Itoa(columns)+".txt", got.Stdout, columns)
		})
	}
}

func TestTheFlags(t *testing.T) {
	tests := []struct {
		name   string
		args   []string
		code   int
		want   []string
		stderr string
	}{
		{"a date is its midnight in UTC", []string{"-demo", "-at", "2026-12-24"}, 0, []string{"Now (Thu 2026-12-24 00:00 UTC)"}, ""},
		{"a distance counts from now", []string{"-demo", "-at", "+1d"}, 0, []string{"Now (Sun 2000-01-02 00:00 UTC)"}, ""},
		{"days are understood", []string{"-demo", "-within", "90d"}, 0, []string{"Next (within 90d)"}, ""},
		{"no occurrence is one of the numbers", []string{"-demo", "-next", "0"}, 0, []string{"Next (within 30d)\nNo maintenance window."}, ""},
		{"a negative number is refused", []string{"-demo", "-next", "-1"}, 2, nil, "want a number from 0 to 1000"},
		{"a negative duration is refused", []string{"-demo", "-within", "-3d"}, 2, nil, "want a duration from 0s to 3660d"},
		{"without settings the error names them and the demo", nil, 2, nil, "set MONITORING_BASE_URL and MONITORING_API_KEY in the environment; -demo"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				got := clitest.Run(t.Context(), run, clitest.Env(), tt.args...)
				require.Equal(t, tt.code, got.Code, got.Stderr)
				clitest.InOrder(t, got.Stdout, tt.want...)
				require.Contains(t, got.Stderr, tt.stderr)
			})
		})
	}
	clitest.Usage(t, run)
}

func TestErrorsAndInterruptsAreOneLine(t *testing.T) {
	svc := monitoringtest.New()
	svc.Inject(monitoringtest.Fault{Operation: "GET /v1/maintenance-windows", Status: 403})
	server := httptest.NewServer(svc)
	defer server.Close()
	settings := clitest.Env(cli.EnvBaseURL, server.URL, cli.EnvAPIKey, monitoringtest.APIKey)

	got := clitest.Run(t.Context(), run, settings)
	require.Equal(t, cli.ExitTrouble, got.Code)
	require.Contains(t, got.Stderr, "GET /v1/maintenance-windows at ")
	require.Equal(t, 1, strings.Count(got.Stderr, "\n"))

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	got = clitest.Run(ctx, run, settings)
	require.Equal(t, cli.ExitInterrupted, got.Code)
	require.Equal(t, "maintenance: interrupted: 0 windows were read, those after them are missing\n", got.Stderr)
	require.Empty(t, got.Stdout)
}

func moment(text string) time.Time {
	t, err := time.Parse("2006-01-02 15:04", text)
	if err != nil {
		panic(err)
	}
	return t
}

func stamp(text string) monitoring.Timestamp {
	var t monitoring.Timestamp
	if err := t.UnmarshalText([]byte(text)); err != nil {
		panic(err)
	}
	return t
}

func TestOccurrences(t *testing.T) {
	window := func(starts string, hours int, interval int, unit monitoring.RepeatUnit, ends, zone string) monitoring.MaintenanceWindow {
		w := monitoring.MaintenanceWindow{
			StartsAt: monitoring.NewTimestamp(moment(starts)),
			EndsAt:   monitoring.NewTimestamp(moment(starts).Add(time.Duration(hours) * time.Hour)),
		}
		if unit != "" {
			w.RepeatInterval, w.RepeatUnit = &interval, &unit
		}
		if ends != "" {
			w.RepeatEndsAt = new(stamp(ends))
		}
		if zone != "" {
			w.Timezone = &zone
		}
		return w
	}
	tests := []struct {
		name   string
		window monitoring.MaintenanceWindow
		want   string // the first five, in UTC
	}{
		{"a window that does not repeat occurs once", window("2026-01-10 22:00", 3, 0, "", "", ""), "01-10 22:00-01:00"},
		{"every second day", window("2026-01-30 02:00", 1, 2, "DAY", "2026-02-05T00:00:00Z", ""), "01-30 02:00-03:00, 02-01 02:00-03:00, 02-03 02:00-03:00"},
		{
			"every week without end", window("2026-01-01 02:00", 1, 1, "WEEK", "", ""),
			"01-01 02:00-03:00, 01-08 02:00-03:00, 01-15 02:00-03:00, 01-22 02:00-03:00, 01-29 02:00-03:00",
		},
		{
			"a month that lacks the day has it on its last day", window("2026-01-31 02:00", 1, 1, "MONTH", "2026-05-01T00:00:00Z", ""),
			"01-31 02:00-03:00, 02-28 02:00-03:00, 03-31 02:00-03:00, 04-30 02:00-03:00",
		},
		{
			"the time of day stays the same in the zone of the window when its clocks change",
			window("2026-03-22 03:00", 2, 1, "WEEK", "2026-04-06T00:00:00Z", "Europe/Berlin"),
			"03-22 03:00-05:00, 03-29 02:00-04:00, 04-05 02:00-04:00",
		},
		{"a window that ends with an occurrence has it", window("2026-01-01 02:00", 1, 1, "DAY", "2026-01-02T02:00:00Z", ""), "01-01 02:00-03:00, 01-02 02:00-03:00"},
		{"a date as its end is that whole day", window("2026-01-01 02:00", 1, 1, "DAY", "2026-01-02", ""), "01-01 02:00-03:00, 01-02 02:00-03:00"},
		{"an end before the beginning leaves the window itself", window("2026-01-01 02:00", 1, 1, "DAY", "2025-01-01", ""), "01-01 02:00-03:00"},
		{"an interval of nothing repeats nothing", window("2026-01-01 02:00", 1, 0, "DAY", "", ""), "01-01 02:00-03:00"},
		{"a unit of the future repeats nothing", window("2026-01-01 02:00", 1, 1, "FORTNIGHT", "", ""), "01-01 02:00-03:00"},
		{"an interval beyond every calendar ends", window("2026-01-01 02:00", 1, math.MaxInt/2, "MONTH", "", ""), "01-01 02:00-03:00"},
		{"an unknown zone counts as UTC", window("2026-01-01 02:00", 1, 0, "", "", "Nowhere/At all"), "01-01 02:00-03:00"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for o := range occurrences(&tt.window) {
				got = append(got, o.starts.UTC().Format("01-02 15:04")+"-"+o.ends.UTC().Format("15:04"))
				if len(got) == 5 {
					break
				}
			}
			if strings.Join(got, ", ") != tt.want {
				t.Errorf("occurrences %s\nwant        %s", strings.Join(got, ", "), tt.want)
			}
		})
	}
}

func TestShow(t *testing.T) {
	weekly := monitoring.MaintenanceWindow{
		Name: "Weekly\x1b[2J アップグレード 🚀", StartsAt: stamp("2026-01-01T02:00:00Z"), EndsAt: stamp("2026-01-01T04:30:00Z"), Tags: []string{"database", "api"},
		RepeatInterval: new(2), RepeatUnit: new(monitoring.RepeatWeek), RepeatEndsAt: new(stamp("2026-12-31")), SilenceAllAlerts: true, PauseAllChecks: true,
	}
	for _, columns := range []int{60, 140} {
		var out strings.Builder
		show(&cli.Screen{Writer: &out, Width: columns}, []monitoring.MaintenanceWindow{weekly}, moment("2026-01-15 03:00"), 20*24*time.Hour, 3)
		clitest.Golden(t, fmt.Sprintf("wide%d.txt", columns), out.String(), columns)
	}
	var out strings.Builder
	show(&cli.Screen{Writer: &out}, nil, moment("2026-01-15 03:00"), time.Hour, 3)
	require.Equal(t, 2, strings.Count(out.String(), "No maintenance window."))
}
