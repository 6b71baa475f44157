// Alerts prints the alert notifications of a period as a table with a bar chart, as CSV
// or as JSON lines. It shows an iterator over the pages of a list and its filters.
//
//	go run ./examples/alerts -demo                          # an in-process fake of the service
//	go run ./examples/alerts -from -3d -failed
//	go run ./examples/alerts -from 2026-08-01 -to 2026-08-02T12:00:00Z -format csv > alerts.csv
//	go run ./examples/alerts -h                             # flags, environment, exit codes
//
// It reads from the service of MONITORING_BASE_URL and MONITORING_API_KEY. The service
// accepts 5 of these requests in 10 seconds and the client keeps to that, so a long period
// takes a while. The configuration of channels, which has addresses and keys, is never
// printed.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/examples/internal/cli"
)

var exits = []cli.Exit{
	{Code: cli.ExitOK, Means: "all notifications of the period were printed"},
	{Code: cli.ExitTrouble, Means: "not all could be read, which stderr explains; wrong flags or settings"},
	{Code: cli.ExitInterrupted, Means: "interrupted; what was read is printed"},
}

func main() { cli.Main(run) }

// settings are the flags.
type settings struct {
	query  monitoring.AlertNotificationListOptions
	format string
	failed bool
	chart  bool
	demo   bool
}

// run runs the program and returns its exit code.
func run(ctx context.Context, args []string, getenv cli.Getenv, stdout, stderr io.Writer) int {
	s := settings{format: "table", chart: true}
	flags := define(&s, time.Now())
	if code, ok := flags.Parse(args, getenv, stdout, stderr); !ok {
		return code
	}
	if err := s.check(flags, time.Now()); err != nil {
		return flags.Wrong(stderr, err)
	}
	client, err := cli.Connect(getenv, s.demo, stderr)
	if err != nil {
		return flags.Wrong(stderr, err)
	}
	err = list(ctx, client, s, cli.NewScreen(stdout, getenv), cli.NewScreen(stderr, getenv))
	switch {
	case err == nil:
		return cli.ExitOK
	case ctx.Err() != nil:
		cli.Complain(stderr, "alerts", err)
		return cli.ExitInterrupted
	}
	return cli.Complain(stderr, "alerts", err)
}

// list reads the notifications page by page and writes each as soon as it is read.
func list(ctx context.Context, client *monitoring.Client, s settings, stdout, stderr *cli.Screen) error {
	out := newWriter(s.format, stdout)
	hours := newChart(s.query.From, s.query.To)
	if stdout.Live && s.format != "table" {
		stderr.Live = false // rows are printed as they are read: a line of progress would disturb them
	}
	progress := cli.NewProgress(stderr)
	defer progress.Stop()
	progress.Update("reading alert notifications")
	pages, n := 0, 0
	for page, err := range client.AlertNotifications.Pages(ctx, s.query) {
		if err != nil {
			progress.Stop()
			err = ended(ctx, n, err)
			return errors.Join(err, out.flush()) // prints what was read
		}
		pages++
		for _, notification := range page.Items {
			n++
			hours.add(notification)
			if err := out.write(newRow(notification)); err != nil {
				return err
			}
		}
		progress.Update("%s on %s", cli.Count(n, "alert notification"), cli.Count(pages, "page"))
	}
	progress.Stop()
	if err := out.flush(); err != nil {
		return err
	}
	if s.chart {
		to := stdout
		if s.format != "table" {
			to = stderr // keep the data clean
		}
		hours.print(to)
	}
	fmt.Fprintf(stderr, "%s from %s to %s.\n", cli.Count(n, "alert notification"), s.query.From.Format(time.RFC3339),
		s.query.To.Format(time.RFC3339))
	return nil
}

// ended returns the error of a list that was not read to its end, with how much was read.
func ended(ctx context.Context, n int, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("interrupted: %s were read, those after them are missing", cli.Count(n, "alert notification"))
	}
	return fmt.Errorf("after %s, which are printed: %w", cli.Count(n, "alert notification"), err)
}

// define makes the flags, which fill in the settings.
func define(s *settings, now time.Time) *cli.Flags {
	flags := cli.NewFlags("alerts", "Prints the alert notifications of a period.", exits,
		"alerts -demo", "alerts -from -3d -failed", "alerts -from 2026-08-01 -to 2026-08-02 -format csv > alerts.csv")
	flags.Time(&s.query.From, "from", now,
		"beginning of the period: a `time` such as 2026-08-01, 2026-08-01T12:00:00Z, -72h or -3d (default one day before its end)")
	flags.Time(&s.query.To, "to", now, "end of the period, a `time` in the same forms (default now)")
	flags.String(&s.format, "format", "`format` of the output: table, csv or jsonl, which is JSON, a line for each")
	flags.Int(&s.query.AlertChannelID, "channel", 1, math.MaxInt64, "only notifications over the channel with this `id`")
	flags.Bool(&s.failed, "failed", "only notifications that could not be sent")
	flags.Bool(&s.chart, "chart", "draw a bar chart by hour; with csv and jsonl only when the flag is given, and then on "+
		"stderr (default true)")
	flags.Demo(&s.demo, "make the data up: use an in-process fake of the service")
	return flags
}

// check completes and checks the settings.
func (s *settings) check(flags *cli.Flags, now time.Time) error {
	switch s.format {
	case "table", "csv", "jsonl":
	default:
		return fmt.Errorf("-format %s: want table, csv or jsonl", s.format)
	}
	if s.failed {
		s.query.HasFailures = &s.failed
	}
	s.chart = s.chart && (s.format == "table" || flags.Given("chart"))
	if s.query.To.IsZero() {
		s.query.To = now
	}
	s.query.To = s.query.To.UTC().Truncate(time.Second) // the API counts in whole seconds
	if s.query.From.IsZero() {
		s.query.From = s.query.To.Add(-24 * time.Hour)
	}
	s.query.From = s.query.From.UTC().Truncate(time.Second)
	if !s.query.From.Before(s.query.To) {
		return fmt.Errorf("-from %s must be before -to %s", s.query.From.Format(time.RFC3339), s.query.To.Format(time.RFC3339))
	}
	return nil
}
