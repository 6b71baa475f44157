// Quickstart triggers checks, watches them run and says how they ended. It shows a
// client, a trigger, waiting with progress, and the details of what failed.
//
//	go run ./examples/quickstart                            # a demo service inside the program
//	go run ./examples/quickstart -tags staging,api          # checks with both tags
//	go run ./examples/quickstart -tags api -tags critical   # checks with one of them
//
// With MONITORING_BASE_URL, MONITORING_API_KEY and MONITORING_ACCOUNT_ID set it does the
// same against that service, and the checks really run. It exits with 0 when they
// passed and with 1 when they did not or nothing could be told.
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
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

func main() {
	var tags cli.Tags
	flag.Var(&tags, "tags", "tags of the checks: a comma means and, a repeated flag means or (default production)")
	flag.Parse()
	if tags == nil {
		tags = cli.Tags{{"production"}}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	passed, err := run(ctx, tags, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "quickstart:", err)
	}
	if !passed || err != nil {
		os.Exit(1)
	}
}

// run does everything, and reports whether all checks passed.
func run(ctx context.Context, tags cli.Tags, out io.Writer) (passed bool, err error) {
	client, err := connect(out)
	if err != nil {
		return false, err
	}
	return check(ctx, client, tags, out)
}

// connect makes the client. A program has one of them and shares it.
func connect(out io.Writer) (*monitoring.Client, error) {
	if !cli.Configured(os.Getenv) {
		fmt.Fprintln(out, cli.DemoNotice)
		return monitoringtest.NewDemo().Client()
	}
	return monitoring.NewClientFromEnv()
}

// check triggers the checks, waits for them and prints what came of it. A check that
// fails is a result; an error means that something could not be told.
func check(ctx context.Context, client *monitoring.Client, tags cli.Tags, out io.Writer) (passed bool, err error) {
	fmt.Fprintf(out, "Triggering the checks tagged %s.\n", &tags)
	started := time.Now()
	progress := cli.NewProgress(out)
	progress.Update("waiting for the service")
	sessions, err := client.CheckSessions.TriggerAndWait(ctx,
		monitoring.TriggerRequest{Target: monitoring.TriggerTarget{MatchTags: tags}},
		monitoring.WaitOptions{OnProgress: func(p monitoring.WaitProgress) { show(progress, p) }},
	)
	progress.Stop()
	switch {
	case ctx.Err() != nil:
		return false, fmt.Errorf("interrupted after %s: %s had finished; what was started goes on at the service",
			cli.Seconds(time.Since(started)), cli.Count(finished(sessions), "check"))
	case errors.Is(err, monitoring.ErrNoMatchingChecks):
		return false, fmt.Errorf("no active check is tagged %s", &tags)
	case len(sessions) == 0:
		return false, err
	}
	printTable(out, sessions)
	printDetails(ctx, client, out, sessions)
	return printSummary(out, sessions, time.Since(started)), err
}

// show is called when the waiting begins and after each session that has finished.
func show(progress *cli.Progress, p monitoring.WaitProgress) {
	if s := p.Session; s != nil {
		progress.Println(fmt.Sprintf("  %-9s %s (%s)", s.Status, s.Name, cli.Seconds(s.Duration())))
	}
	progress.Update("%d of %s finished", p.Finished, cli.Count(p.Total, "check"))
}

func finished(sessions []*monitoring.CheckSession) (n int) {
	for _, s := range sessions {
		if s.Done() {
			n++
		}
	}
	return n
}

// printTable prints a row for each location of each check.
func printTable(out io.Writer, sessions []*monitoring.CheckSession) {
	var rows [][]string
	for _, s := range sessions {
		results := s.FinalResults()
		for _, r := range results {
			rows = append(rows, []string{s.Name, string(s.CheckType), r.RunLocation, cli.ResultStatus(&r), cli.Millis(r.ResponseTime)})
		}
		if len(results) == 0 {
			rows = append(rows, []string{s.Name, string(s.CheckType), "-", string(s.Status), "-"})
		}
	}
	fmt.Fprintln(out)
	cli.Table(out, []string{"CHECK", "TYPE", "LOCATION", "STATUS", "RESPONSE TIME"}, rows)
}

// printDetails prints what went wrong where something did.
func printDetails(ctx context.Context, client *monitoring.Client, out io.Writer, sessions []*monitoring.CheckSession) {
	for _, s := range sessions {
		if !s.Done() || s.Passed() {
			continue
		}
		fmt.Fprintf(out, "\n%s: %s\n", cli.Clean(s.Name), s.Status)
		results, err := client.CheckSessions.FetchFailingResults(ctx, s)
		for _, r := range results {
			if r == nil {
				continue // the error tells why
			}
			for _, message := range r.Messages() {
				fmt.Fprintf(out, "  %s: %s\n", r.RunLocation, cli.Clean(message))
			}
		}
		if err != nil {
			fmt.Fprintf(out, "  the details could not be read: %s\n", err)
		}
		if s.CheckSessionLink != "" {
			fmt.Fprintf(out, "  %s\n", cli.Clean(s.CheckSessionLink))
		}
	}
}

// printSummary prints the counts and reports whether every check passed. A degraded
// check has passed: it is slow but works.
func printSummary(out io.Writer, sessions []*monitoring.CheckSession, took time.Duration) bool {
	var passed, degraded int
	for _, s := range sessions {
		if s.Passed() {
			passed++
		}
		if s.Status == monitoring.SessionDegraded {
			degraded++
		}
	}
	fmt.Fprintf(out, "\n%d of %s passed in %s", passed, cli.Count(len(sessions), "check"), cli.Seconds(took))
	if degraded > 0 {
		fmt.Fprintf(out, ", %d of them degraded", degraded)
	}
	fmt.Fprintln(out, ".")
	return passed == len(sessions)
}
