// Maintenance shows which maintenance windows silence alerts or pause checks now, and
// which will next, with the coming occurrences of those that repeat. It shows an
// iterator over a list and what the members of a window mean.
//
//	go run ./examples/maintenance                             # a demo service inside the program
//	go run ./examples/maintenance -within 168h -next 1
//	go run ./examples/maintenance -at 2026-12-24T18:00:00Z    # as it will be then
//
// With MONITORING_BASE_URL, MONITORING_API_KEY and MONITORING_ACCOUNT_ID set it asks
// that service.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"
	_ "time/tzdata" // windows repeat in their time zone, which not every machine knows

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/examples/internal/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second interrupt ends the program the hard way
	cli.Exit("maintenance", run(ctx, os.Args[1:], os.Stdout, os.Stderr, os.Getenv))
}

// run is the program.
func run(ctx context.Context, args []string, stdout, stderr io.Writer, getenv func(string) string) error {
	flags := flag.NewFlagSet("maintenance", flag.ContinueOnError)
	flags.SetOutput(stderr)
	now := time.Now().UTC()
	flags.Func("at", "show it as of this moment, as in 2026-12-24T18:00:00Z, instead of now", func(text string) (err error) {
		now, err = time.Parse(time.RFC3339, text)
		return err
	})
	within := flags.Duration("within", 30*24*time.Hour, "how far to look ahead")
	next := flags.Int("next", 3, "how many coming occurrences to show of a window")
	if err := cli.Parse(flags, args); err != nil {
		return err
	}
	client, err := cli.Connect(getenv, stderr)
	if err != nil {
		return err
	}
	windows, err := read(ctx, client)
	if err != nil {
		return err
	}
	return show(stdout, windows, now.UTC(), *within, *next)
}

// read reads all windows. The filter of the service by their end would be no help: that
// of a window which repeats is the end of its first occurrence.
func read(ctx context.Context, client *monitoring.Client) ([]monitoring.MaintenanceWindow, error) {
	windows, err := monitoring.Collect(client.MaintenanceWindows.All(ctx, monitoring.MaintenanceWindowListOptions{}))
	if ctx.Err() != nil {
		return nil, errors.New("interrupted")
	}
	return windows, err
}

// show prints what there is now and what comes next.
func show(out io.Writer, windows []monitoring.MaintenanceWindow, now time.Time, within time.Duration, next int) error {
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
	if err := table(out, current, "UNTIL", func(o occurrence) string {
		return fmt.Sprintf("%s, for %s", format(o.ends), span(o.ends.Sub(now)))
	}); err != nil {
		return err
	}
	fmt.Fprintf(out, "\nNext (within %s)\n", span(within))
	return table(out, coming, "FROM", func(o occurrence) string {
		return fmt.Sprintf("%s, in %s, for %s", format(o.starts), span(o.starts.Sub(now)), span(o.ends.Sub(o.starts)))
	})
}

func table(out io.Writer, list []occurrence, column string, when func(occurrence) string) error {
	if len(list) == 0 {
		_, err := fmt.Fprintln(out, "No maintenance window.")
		return err
	}
	var rows [][]string
	for _, o := range list {
		rows = append(rows, []string{when(o), o.window.Name, effect(o.window), tags(o.window), repeats(o.window)})
	}
	return cli.Table(out, []string{column, "WINDOW", "EFFECT", "CHECKS AND GROUPS", "REPEATS"}, rows)
}

// effect is what a window does.
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

// tags are the checks and groups a window applies to.
func tags(w *monitoring.MaintenanceWindow) string {
	return cmp.Or(strings.Join(w.Tags, ", "), "-")
}

func format(t time.Time) string { return t.UTC().Format("Mon 2006-01-02 15:04") }

// span formats a duration in its two largest units: 3d2h, 1h30m.
func span(d time.Duration) string {
	minutes := int(d.Round(time.Minute).Minutes())
	days, hours, minutes := minutes/(24*60), minutes/60%24, minutes%60
	var text string
	switch {
	case days > 0 && hours > 0:
		text = fmt.Sprintf("%dd%dh", days, hours)
	case days > 0:
		text = fmt.Sprintf("%dd", days)
	case hours > 0 && minutes > 0:
		text = fmt.Sprintf("%dh%dm", hours, minutes)
	case hours > 0:
		text = fmt.Sprintf("%dh", hours)
	default:
		text = fmt.Sprintf("%dm", minutes)
	}
	return text
}
