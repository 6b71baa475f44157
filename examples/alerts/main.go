// Alerts prints the alert notifications of a period as a table with a bar chart, as CSV
// or as JSON lines. It shows an iterator over the pages of a list and its filters.
//
//	go run ./examples/alerts                                # a demo service inside the program
//	go run ./examples/alerts -from -72h -failed
//	go run ./examples/alerts -from 2026-08-01 -to 2026-08-02T12:00:00Z -format csv > alerts.csv
//
// With MONITORING_BASE_URL, MONITORING_API_KEY and MONITORING_ACCOUNT_ID set it reads
// from that service, which takes 5 of these requests in 10 seconds: the client keeps to
// that, so that a long period takes a while. The configuration of channels, which holds
// addresses and keys, is never printed.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/examples/internal/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second interrupt ends the program the hard way
	cli.Exit("alerts", run(ctx, os.Args[1:], os.Stdout, os.Stderr, os.Getenv))
}

// settings are the flags.
type settings struct {
	query  monitoring.AlertNotificationListOptions
	format string
	chart  bool
}

// run is the program.
func run(ctx context.Context, args []string, stdout, stderr io.Writer, getenv func(string) string) error {
	s, err := parse(args, time.Now(), stderr)
	if err != nil {
		return err
	}
	client, err := cli.Connect(getenv, stderr)
	if err != nil {
		return err
	}
	return list(ctx, client, s, stdout, stderr)
}

// list reads the notifications page by page and hands them on as they come.
func list(ctx context.Context, client *monitoring.Client, s settings, stdout, stderr io.Writer) error {
	out := newWriter(s.format, stdout)
	hours := newChart(s.query.From, s.query.To)
	progress := cli.NewProgress(stderr)
	defer progress.Stop()
	progress.Update("reading alert notifications")
	pages, n := 0, 0
	for page, err := range client.AlertNotifications.Pages(ctx, s.query) {
		if err != nil {
			out.flush() // what there is
			if ctx.Err() != nil {
				return fmt.Errorf("interrupted after %s", cli.Count(n, "alert notification"))
			}
			return fmt.Errorf("after %s: %w", cli.Count(n, "alert notification"), err)
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
	progress.Println(cli.Count(n, "alert notification") + " from " + s.query.From.Format(time.RFC3339) + " to " + s.query.To.Format(time.RFC3339) + ".")
	return nil
}

func parse(args []string, now time.Time, stderr io.Writer) (settings, error) {
	now = now.UTC().Truncate(time.Second) // the API counts in whole seconds
	var s settings
	flags := flag.NewFlagSet("alerts", flag.ContinueOnError)
	flags.SetOutput(stderr)
	from := flags.String("from", "", "beginning of the period: a timestamp, a date, or a time before now as in -72h (default 24 hours before its end)")
	to := flags.String("to", "", "end of the period, in the same forms (default now)")
	flags.StringVar(&s.format, "format", "table", "table, csv or jsonl (JSON, a line for each)")
	flags.Int64Var(&s.query.AlertChannelID, "channel", 0, "only notifications over the channel with this id")
	failed := flags.Bool("failed", false, "only notifications that could not be sent")
	chart := flags.Bool("chart", true, "draw a bar chart by hour; where the format is not table only when it is given")
	if err := cli.Parse(flags, args); err != nil {
		return s, err
	}
	if *failed {
		s.query.HasFailures = failed
	}
	s.chart = *chart && s.format == "table"
	flags.Visit(func(f *flag.Flag) {
		if f.Name == "chart" {
			s.chart = *chart
		}
	})
	switch s.format {
	case "table", "csv", "jsonl":
	default:
		return s, fmt.Errorf("-format %s: want table, csv or jsonl", s.format)
	}
	var err error
	if s.query.To, err = parseTime(*to, now, now); err != nil {
		return s, fmt.Errorf("-to %w", err)
	}
	if s.query.From, err = parseTime(*from, now, s.query.To.Add(-24*time.Hour)); err != nil {
		return s, fmt.Errorf("-from %w", err)
	}
	if !s.query.From.Before(s.query.To) {
		return s, errors.New("-from must be before -to; a time before now is written with a minus, as in -72h")
	}
	return s, nil
}

// parseTime reads a timestamp, a date or a duration.
func parseTime(text string, now, fallback time.Time) (time.Time, error) {
	if text == "" {
		return fallback, nil
	}
	if d, err := time.ParseDuration(text); err == nil {
		return now.Add(d), nil
	}
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UTC(), nil
		}
	}
	return time.Time{}, fmt.Errorf("%q: want a timestamp (2026-08-01T12:00:00Z), a date (2026-08-01) or a time before now (-72h)", text)
}
