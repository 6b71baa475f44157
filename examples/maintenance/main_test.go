package main

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

func TestTheDemoNeedsNoSettings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var stdout, stderr bytes.Buffer
		if err := run(t.Context(), nil, &stdout, &stderr, func(string) string { return "" }); err != nil {
			t.Fatal(err)
		}
		now, next, _ := strings.Cut(stdout.String(), "\nNext (within 30d)\n")
		for _, part := range []string{"for 1h30m", "Staging refresh", "silences alerts of staging"} {
			if !strings.Contains(now, part) {
				t.Errorf("now lacks %q:\n%s", part, stdout.String())
			}
		}
		for _, part := range []string{"Payment provider migration", "pauses all checks", "checkout", "every week until", "database"} {
			if !strings.Contains(next, part) {
				t.Errorf("next lacks %q:\n%s", part, stdout.String())
			}
		}
		if strings.Count(next, "Weekly database upgrade") != 3 || strings.Contains(stdout.String(), "Network upgrade") {
			t.Errorf("want three weekly windows, and none that is over:\n%s", stdout.String())
		}
	})
}

func TestErrorsAreToldInALine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		svc.Inject(monitoringtest.Fault{Operation: "GET /v1/maintenance-windows", Status: 403})
		client, err := svc.Client()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := read(t.Context(), client); err == nil || !strings.Contains(err.Error(), "403") {
			t.Errorf("error %v", err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := read(ctx, client); err == nil || err.Error() != "interrupted" {
			t.Errorf("error %v", err)
		}
	})
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
		{"a repetition that ends with an occurrence has it", window("2026-01-01 02:00", 1, 1, "DAY", "2026-01-02T02:00:00Z", ""), "01-01 02:00-03:00, 01-02 02:00-03:00"},
		{"a date as its end is that whole day", window("2026-01-01 02:00", 1, 1, "DAY", "2026-01-02", ""), "01-01 02:00-03:00, 01-02 02:00-03:00"},
		{"an end before the beginning leaves the window itself", window("2026-01-01 02:00", 1, 1, "DAY", "2025-01-01", ""), "01-01 02:00-03:00"},
		{"an interval of nothing is no repetition", window("2026-01-01 02:00", 1, 0, "DAY", "", ""), "01-01 02:00-03:00"},
		{"a unit of the future is no repetition", window("2026-01-01 02:00", 1, 1, "FORTNIGHT", "", ""), "01-01 02:00-03:00"},
		{"an interval beyond every calendar ends", window("2026-01-01 02:00", 1, 1<<62, "MONTH", "", ""), "01-01 02:00-03:00"},
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
		Name: "Weekly\x1b[2J upgrade", StartsAt: stamp("2026-01-01T02:00:00Z"), EndsAt: stamp("2026-01-01T04:30:00Z"), Tags: []string{"database", "api"},
		RepeatInterval: new(2), RepeatUnit: new(monitoring.RepeatWeek), RepeatEndsAt: new(stamp("2026-12-31")), SilenceAllAlerts: true, PauseAllChecks: true,
	}
	var out strings.Builder
	if err := show(&out, []monitoring.MaintenanceWindow{weekly}, moment("2026-01-15 03:00"), 20*24*time.Hour, 3); err != nil {
		t.Fatal(err)
	}
	want := `Now (Thu 2026-01-15 03:00 UTC)
UNTIL                           WINDOW          EFFECT                                  CHECKS AND GROUPS  REPEATS
Thu 2026-01-15 04:30, for 1h30m  Weekly upgrade  pauses all checks, silences all alerts  database, api      every 2 weeks until 2026-12-31

Next (within 20d)
FROM                                         WINDOW          EFFECT                                  CHECKS AND GROUPS  REPEATS
Thu 2026-01-29 02:00, in 13d23h, for 2h30m  Weekly upgrade  pauses all checks, silences all alerts  database, api      every 2 weeks until 2026-12-31
`
	if squeeze(out.String()) != squeeze(want) {
		t.Errorf("output\n%swant\n%s", out.String(), want)
	}
	out.Reset()
	if err := show(&out, nil, moment("2026-01-15 03:00"), time.Hour, 3); err != nil {
		t.Fatal(err)
	}
	if strings.Count(out.String(), "No maintenance window.") != 2 {
		t.Errorf("output without windows\n%s", out.String())
	}
}

// squeeze makes the widths of columns not matter.
func squeeze(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	return strings.Join(lines, "\n")
}
