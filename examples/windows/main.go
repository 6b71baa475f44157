// Windows prints the maintenance windows that are in force now, and when the others come next. It
// shows what the members of a window mean: how it repeats, and what it pauses or silences.
//
//	go run ./examples/windows -demo
//	go run ./examples/windows -days 90
//
// The service is the one of MONITORING_BASE_URL and MONITORING_API_KEY.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"text/tabwriter"
	"time"
	_ "time/tzdata" // windows repeat in their time zone, which not every machine knows

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], time.Now(), os.Stdout, os.Stderr))
}

func run(ctx context.Context, args []string, now time.Time, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("windows", flag.ContinueOnError)
	flags.SetOutput(stderr)
	days := flags.Int("days", 30, "how many `days` to look ahead")
	demo := flags.Bool("demo", false, "use made-up data")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return 0
	} else if err != nil {
		return 2
	}
	client, err := monitoring.NewClientFromEnv()
	if *demo {
		fmt.Fprintln(stderr, "This is a demo: its data is made up.")
		client, err = monitoringtest.NewDemo().Client()
	}
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 2
	}
	var list []occurrence
	for window, err := range client.MaintenanceWindows.All(ctx, monitoring.MaintenanceWindowListOptions{}) {
		if err != nil { // with windows missing, nothing is better than a part
			fmt.Fprintln(stderr, err)
			return 2
		}
		if o, found := next(window, now); found && o.starts.Before(now.AddDate(0, 0, *days)) {
			list = append(list, o)
		}
	}
	slices.SortStableFunc(list, func(a, b occurrence) int { return a.starts.Compare(b.starts) })
	table := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	for _, o := range list {
		state := "next"
		if !o.starts.After(now) {
			state = "now"
		}
		w := o.window
		fmt.Fprintf(table, "%s\t%s\t%s\tchecks paused: %t, alerts silenced: %t\t%q %q\n", state, o.starts.UTC().Format(time.DateTime),
			o.ends.Sub(o.starts), isTrue(w.PauseAllChecks) || len(w.Tags) > 0, isTrue(w.SilenceAllAlerts) || len(w.SilenceAlertsTags) > 0, w.Tags, w.Name)
	}
	table.Flush()
	return 0
}

func isTrue(flag *bool) bool { return monitoring.ValueOr(flag, false) }

// occurrence is one time at which a window is in force.
type occurrence struct {
	window       monitoring.MaintenanceWindow
	starts, ends time.Time
}

// next returns the occurrence of a window that is in force, or else the first one after now. They
// keep their time of day in the time zone of the window, or in UTC. If a month lacks the day of a
// monthly window, it has the window on its last day.
func next(w monitoring.MaintenanceWindow, now time.Time) (o occurrence, found bool) {
	name, _ := w.Timezone.Get() // "" is UTC
	zone, err := time.LoadLocation(name)
	if err != nil {
		zone = time.UTC
	}
	unit, _ := w.RepeatUnit.Get()
	every, _ := w.RepeatInterval.Get()
	last, ends := w.RepeatEndsAt.Get()
	first, took := w.StartsAt.In(zone), w.EndsAt.Sub(w.StartsAt.Time)
	for n := 0; n < 100_000; n += every {
		starts := first
		switch unit {
		case monitoring.RepeatDay:
			starts = first.AddDate(0, 0, n)
		case monitoring.RepeatWeek:
			starts = first.AddDate(0, 0, 7*n)
		case monitoring.RepeatMonth:
			if starts = first.AddDate(0, n, 0); starts.Day() != first.Day() { // it ran over into the next month
				starts = starts.AddDate(0, 0, -starts.Day())
			}
		default: // it does not repeat, or in a way that this program does not know
			every = 0
		}
		if n > 0 && ends && !starts.Before(time.Date(last.Year, last.Month, last.Day+1, 0, 0, 0, 0, time.UTC)) {
			break // the last day on which one may begin is over
		}
		if o = (occurrence{w, starts, starts.Add(took)}); o.ends.After(now) {
			return o, true
		}
		if every < 1 {
			break
		}
	}
	return occurrence{}, false
}
