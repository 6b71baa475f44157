// Alerts prints the alert notifications of the last days as a table or as CSV. It shows a walk over
// a list of any length: each page is printed while the next ones are read.
//
//	go run ./examples/alerts -demo
//	go run ./examples/alerts -days 30 -failed -csv > alerts.csv
//
// The service is the one of MONITORING_BASE_URL and MONITORING_API_KEY. It accepts 5 of these
// requests in 10 seconds and the client keeps to that. The exit code is 2 if something is missing.
package main

import (
	"context"
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("alerts", flag.ContinueOnError)
	flags.SetOutput(stderr)
	days := flags.Int("days", 1, "how many `days` to look back")
	failed := flags.Bool("failed", false, "only those that could not be sent")
	asCSV := flags.Bool("csv", false, "print CSV")
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
	options := monitoring.AlertNotificationListOptions{From: time.Now().AddDate(0, 0, -*days), To: time.Now()}
	rows := [][]string{{"time", "channel", "by", "status", "check", "response"}}
	for page, err := range client.AlertNotifications.Pages(ctx, options) {
		if err != nil { // what was read is printed
			fmt.Fprintln(stderr, errors.Join(err, print(stdout, rows, *asCSV)))
			return 2
		}
		for _, n := range page.Items {
			if *failed && n.Status == monitoring.NotificationSuccess {
				continue
			}
			at := "being sent"
			if n.Timestamp != nil {
				at = n.Timestamp.UTC().Format(time.RFC3339)
			}
			channel := strconv.FormatInt(n.AlertChannelID, 10)
			rows = append(rows, []string{at, channel, string(n.Type), string(n.Status), n.CheckID, monitoring.ValueOr(n.NotificationResult, "")})
		}
		if err := print(stdout, rows, *asCSV); err != nil {
			fmt.Fprintln(stderr, err)
			return 2
		}
		rows = nil
	}
	return 0
}

// print prints rows as CSV, or as texts in columns.
func print(out io.Writer, rows [][]string, asCSV bool) error {
	table, sheet := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0), csv.NewWriter(out)
	for _, row := range rows {
		for i, cell := range row {
			row[i] = clean(cell)
			if asCSV && cell != "" && strings.ContainsRune("=+-@\t\r", rune(cell[0])) { // a program would take it for a formula
				row[i] = "'" + row[i]
			}
		}
		if asCSV {
			sheet.Write(row)
		} else {
			fmt.Fprintln(table, strings.Join(row, "\t"))
		}
	}
	sheet.Flush()
	return errors.Join(table.Flush(), sheet.Error())
}

// clean makes a text of the service one line without invisible characters.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, text)
}
