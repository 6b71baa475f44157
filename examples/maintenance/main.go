// Maintenance prints which maintenance windows silence alerts or pause checks now, and which
// come next, with the next occurrences of repeating windows. It shows an iterator over a
// list, and what the members of a window mean.
//
//	go run ./examples/maintenance -demo               # an in-process fake of the service
//	go run ./examples/maintenance -within 90d -next 1
//	go run ./examples/maintenance -at 2026-12-24      # as it will be then
//	go run ./examples/maintenance -h                  # flags, environment, exit codes
//
// It reads from the service of MONITORING_BASE_URL and MONITORING_API_KEY.
package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // windows repeat in their time zone, which not every machine knows

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/examples/internal/cli"
)

var exits = []cli.Exit{
	{Code: cli.ExitOK, Means: "the windows were printed, even if there are none"},
	{Code: cli.ExitTrouble, Means: "they could not be read, which stderr explains; wrong flags or settings"},
	{Code: cli.ExitInterrupted, Means: "interrupted; nothing is printed, because windows would be missing"},
}

func main() { cli.Main(run) }

// run runs the program and returns its exit code.
func run(ctx context.Context, args []string, getenv cli.Getenv, stdout, stderr io.Writer) int {
	now := time.Now().UTC()
	within, next, demo := 30*24*time.Hour, int64(3), false
	flags := cli.NewFlags("maintenance", "Shows the maintenance windows that are in force, and the next ones.", exits,
		"maintenance -demo", "maintenance -within 90d -next 1", "maintenance -at 2026-12-24")
	flags.Time(&now, "at", now, "show it as of this `time`: 2026-12-24, 2026-12-24T18:00:00Z, -3d or +12h (default now)")
	flags.Duration(&within, "within", 0, 3660*24*time.Hour, "how far to look ahead, a `duration` such as 12h or 90d")
	flags.Int(&next, "next", 0, 1000, "how many coming occurrences to show of a window, a `number`")
	flags.Demo(&demo, "make the data up: use an in-process fake of the service")
	if code, ok := flags.Parse(args, getenv, stdout, stderr); !ok {
		return code
	}
	client, err := cli.Connect(getenv, demo, stderr)
	if err != nil {
		return flags.Wrong(stderr, err)
	}
	// The service cannot filter them by their end: it would use the end of the first
	// occurrence for a repeating window.
	windows, err := monitoring.Collect(client.MaintenanceWindows.All(ctx, monitoring.MaintenanceWindowListOptions{}))
	switch {
	case err != nil && ctx.Err() != nil:
		cli.Complain(stderr, "maintenance", fmt.Errorf("interrupted: %s were read, those after them are missing",
			cli.Count(len(windows), "window")))
		return cli.ExitInterrupted
	case err != nil:
		return cli.Complain(stderr, "maintenance", err)
	}
	show(cli.NewScreen(stdout, getenv), windows, now, within, int(next))
	return cli.ExitOK
}

// show prints the present windows and the next ones.
func show(out *cli.Screen, windows []monitoring.MaintenanceWindow, now time.Time, within time.Duration, next int) {
	var current, coming []occurrence
	for i := range windows {
		ahead := 0
		for o := range occurrences(&windows[i]) {
			if o.starts.After(now.Add(within)) || ahead == next && o.starts.After(now) {
				break
			}
			switch {
			case !o.ends.After(now): // over
			case o.starts.After(now):
				coming = append(coming, o)
				ahead++
			default:
				current = append(current, o)
			}
		}
	}
	slices.SortStableFunc(current, func(a, b occurrence) int { return a.ends.Compare(b.ends) })
	slices.SortStableFunc(coming, func(a, b occurrence) int { return a.starts.Compare(b.starts) })

	fmt.Fprintf(out, "Now (%s UTC)\n", format(now))
	table(out, current, "UNTIL", func(o occurrence) string {
		return fmt.Sprintf("%s, for %s", format(o.ends), cli.Span(o.ends.Sub(now)))
	})
	fmt.Fprintf(out, "\nNext (within %s)\n", cli.Span(within))
	table(out, coming, "FROM", func(o occurrence) string {
		return fmt.Sprintf("%s, in %s, for %s", format(o.starts), cli.Span(o.starts.Sub(now)), cli.Span(o.ends.Sub(o.starts)))
	})
}

func table(out *cli.Screen, list []occurrence, column string, when func(occurrence) string) {
	if len(list) == 0 {
		fmt.Fprintln(out, "No maintenance window.")
		return
	}
	var rows [][]string
	for _, o := range list {
		rows = append(rows, []string{when(o), o.window.Name, effect(o.window), tags(o.window), repeats(o.window)})
	}
	out.Table([]cli.Column{
		{Title: column, Min: 14}, {Title: "WINDOW", Min: 10}, {Title: "EFFECT", Min: 8}, {Title: "CHECKS AND GROUPS", Min: 8},
		{Title: "REPEATS", Min: 10},
	}, rows)
}

// effect returns what a window does.
func effect(w *monitoring.MaintenanceWindow) string {
	var parts []string
	if w.PauseAllChecks {
		parts = append(parts, "pauses all checks")
	}
	if w.SilenceAllAlerts {
		parts = append(parts, "silences all alerts")
	} else if len(w.SilenceAlertsTags) > 0 {
		parts = append(parts, "silences alerts of "+strings.Join(w.SilenceAlertsTags, ", "))
	}
	if len(parts) == 0 {
		return "applies to its checks and groups"
	}
	return strings.Join(parts, ", ")
}

// tags returns the checks and groups a window applies to.
func tags(w *monitoring.MaintenanceWindow) string {
	return cmp.Or(strings.Join(w.Tags, ", "), "-")
}

func format(t time.Time) string { return t.UTC().Format("Mon 2006-01-02 15:04") }
