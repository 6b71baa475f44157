package main

import (
	"bytes"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

func moment(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse("2006-01-02 15:04", text)
	require.NoError(t, err)
	return at
}

func TestTheNextOccurrence(t *testing.T) {
	for name, c := range map[string]struct {
		starts       string
		hours, every int
		unit         monitoring.RepeatUnit
		ends, zone   string
		now, want    string // "" if there is none
	}{
		"in force now":     {"2026-01-10 22:00", 3, 0, "", "", "", "2026-01-11 00:30", "2026-01-10 22:00"},
		"over":             {"2026-01-10 22:00", 3, 0, "", "", "", "2026-01-11 01:00", ""},
		"every second day": {"2026-01-30 02:00", 1, 2, "DAY", "", "", "2026-01-30 03:00", "2026-02-01 02:00"},
		"every week":       {"2026-01-01 02:00", 1, 1, "WEEK", "", "", "2026-06-01 00:00", "2026-06-04 02:00"},
		"a month that lacks the day has its last day": {"2026-01-31 02:00", 1, 1, "MONTH", "", "", "2026-02-01 00:00", "2026-02-28 02:00"},
		"the hour stays when the clocks change":       {"2026-03-22 03:00", 2, 1, "WEEK", "", "Europe/Berlin", "2026-03-25 00:00", "2026-03-29 02:00"},
		"an unknown zone counts as UTC":               {"2026-03-22 03:00", 2, 1, "WEEK", "", "Nowhere/At", "2026-03-25 00:00", "2026-03-29 03:00"},
		"on the last day one may begin":               {"2026-01-01 02:00", 1, 1, "DAY", "2026-01-03 00:00", "", "2026-01-02 12:00", "2026-01-03 02:00"},
		"and none after it":                           {"2026-01-01 02:00", 1, 1, "DAY", "2026-01-03 00:00", "", "2026-01-03 12:00", ""},
		"a unit of the future repeats nothing":        {"2026-01-01 02:00", 1, 1, "FORTNIGHT", "", "", "2026-01-02 00:00", ""},
		"an interval of nothing repeats nothing":      {"2026-01-01 02:00", 1, 0, "DAY", "", "", "2026-01-02 00:00", ""},
		"an interval beyond every calendar ends":      {"2026-01-01 02:00", 1, math.MaxInt, "MONTH", "", "", "2026-01-02 00:00", ""},
		"a negative one, too":                         {"2026-01-01 02:00", 1, -1, "DAY", "", "", "2026-01-02 00:00", ""},
	} {
		t.Run(name, func(t *testing.T) {
			starts := moment(t, c.starts)
			w := monitoring.MaintenanceWindow{
				StartsAt: monitoring.NewTimestamp(starts), EndsAt: monitoring.NewTimestamp(starts.Add(time.Duration(c.hours) * time.Hour)),
				RepeatInterval: monitoring.Value(c.every), RepeatUnit: monitoring.Value(c.unit),
			}
			if c.ends != "" {
				w.RepeatEndsAt = monitoring.Value(monitoring.DateOf(moment(t, c.ends)))
			}
			if c.zone != "" {
				w.Timezone = monitoring.Value(c.zone)
			}
			o, found := next(w, moment(t, c.now))
			require.Equal(t, c.want != "", found)
			if found {
				require.Equal(t, c.want, o.starts.UTC().Format("2006-01-02 15:04"))
			}
		})
	}
}

func TestTheDemoAndErrors(t *testing.T) {
	t.Setenv("MONITORING_BASE_URL", "")
	t.Setenv("MONITORING_API_KEY", "")
	var stdout, stderr bytes.Buffer
	require.Zero(t, run(t.Context(), []string{"-demo", "-days", "60"}, time.Now(), &stdout, &stderr), stderr.String())
	require.Regexp(t, `(?m)^next +\d{4}-.* checks paused: true, alerts silenced: false +\["database"\] "Weekly database upgrade"$`, stdout.String())
	require.Contains(t, stderr.String(), "made up")
	stdout.Reset()
	require.Equal(t, 2, run(t.Context(), nil, time.Now(), &stdout, &stderr))
	require.Contains(t, stderr.String(), "set MONITORING_BASE_URL and MONITORING_API_KEY")

	svc := monitoringtest.New()
	svc.Inject(monitoringtest.Fault{Operation: "GET /v1/maintenance-windows", Status: 403})
	url, stop := svc.Start()
	defer stop()
	t.Setenv("MONITORING_BASE_URL", url)
	t.Setenv("MONITORING_API_KEY", monitoringtest.APIKey)
	require.Equal(t, 2, run(t.Context(), nil, time.Now(), &stdout, &stderr))
	require.Empty(t, stdout.String())
	require.Contains(t, stderr.String(), "403")
}
