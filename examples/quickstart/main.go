// Quickstart triggers checks, shows their progress and prints how they ended. It shows a
// client, a trigger, waiting with progress, and the details of failures.
//
//	go run ./examples/quickstart                            # an in-process fake of the service
//	go run ./examples/quickstart -tags staging,api          # checks with both tags
//	go run ./examples/quickstart -tags api -tags critical   # checks with one of them
//	go run ./examples/quickstart -h                         # flags, environment, exit codes
//
// With MONITORING_BASE_URL and MONITORING_API_KEY set it does the same against that
// service, and the checks really run.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/examples/internal/cli"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

var exits = []cli.Exit{
	{Code: cli.ExitOK, Means: "every check passed; a degraded check has passed, too"},
	{Code: cli.ExitNo, Means: "at least one check did not pass"},
	{Code: cli.ExitTrouble, Means: "the outcome is unknown: an error, no check with these tags, wrong flags or settings"},
	{Code: cli.ExitInterrupted, Means: "interrupted, and no check is known to have failed; the checks that were started keep running"},
}

// timeout is how long it waits for the checks. Afterwards it shows the present status of the
// unfinished ones.
const timeout = 15 * time.Minute

func main() { cli.Main(run) }

// run runs the program and returns its exit code.
func run(ctx context.Context, args []string, getenv cli.Getenv, stdout, stderr io.Writer) int {
	var tags cli.Tags
	var demo bool
	flags := cli.NewFlags("quickstart",
		"Triggers checks, waits until they have run and prints how they ended. Without settings in the environment it "+
			"does so on an in-process fake of the service.", exits,
		"quickstart", "quickstart -tags staging,api", "quickstart -tags api -tags critical")
	flags.Value(&tags, "tags", "`tags` of the checks: a comma means and, a repeated flag means or (default production)")
	flags.Demo(&demo, "use the in-process fake even when the environment has settings")
	if code, ok := flags.Parse(args, getenv, stdout, stderr); !ok {
		return code
	}
	if tags == nil {
		tags = cli.Tags{{monitoringtest.DemoProductionTag}}
	}
	client, err := cli.Connect(getenv, demo || !cli.Configured(getenv), stdout)
	if err != nil {
		return flags.Wrong(stderr, err)
	}
	return check(ctx, client, tags, cli.NewScreen(stdout, getenv), stderr)
}

// check triggers the checks, waits for them and prints the results. A check that fails is a
// result; an error means that an outcome is not known.
func check(ctx context.Context, client *monitoring.Client, tags cli.Tags, out *cli.Screen, stderr io.Writer) int {
	fmt.Fprintf(out, "Triggering the checks tagged %s.\n", &tags)
	started := time.Now()
	progress := cli.NewProgress(out)
	defer progress.Stop()
	progress.Update("waiting for the service")
	sessions, err := client.CheckSessions.TriggerAndWait(ctx,
		monitoring.TriggerRequest{Target: monitoring.TriggerTarget{MatchTags: tags}},
		monitoring.WaitOptions{Timeout: timeout, OnProgress: func(p monitoring.WaitProgress) { show(progress, p) }},
	)
	progress.Stop()
	if errors.Is(err, monitoring.ErrNoMatchingChecks) {
		err = fmt.Errorf("no active check is tagged %s", &tags)
	}
	if ctx.Err() != nil {
		return interrupted(stderr, sessions, time.Since(started))
	}
	if len(sessions) > 0 {
		printTable(out, sessions)
		printDetails(ctx, client, out, sessions)
		printSummary(out, sessions, time.Since(started))
	}
	if err != nil {
		cli.Complain(stderr, "quickstart", err)
	}
	switch {
	case count(sessions, has(monitoring.VerdictFailed)) > 0:
		return cli.ExitNo
	case err != nil, count(sessions, notGood) > 0:
		return cli.ExitTrouble
	}
	return cli.ExitOK
}

// interrupted prints which sessions are unfinished.
func interrupted(stderr io.Writer, sessions []*monitoring.CheckSession, after time.Duration) int {
	var unfinished []string
	for _, s := range sessions {
		if !s.Done() {
			unfinished = append(unfinished, s.Name)
		}
	}
	text := "before it was known whether the checks were started"
	if sessions != nil {
		text = fmt.Sprintf("%d of %s had finished", len(sessions)-len(unfinished), cli.Count(len(sessions), "check"))
	}
	if len(unfinished) > 0 {
		text += "; not finished, and going on at the service: " + strings.Join(unfinished, ", ")
	}
	cli.Complain(stderr, "quickstart", fmt.Errorf("interrupted after %s: %s", cli.Seconds(after), text))
	if count(sessions, has(monitoring.VerdictFailed)) > 0 {
		return cli.ExitNo
	}
	return cli.ExitInterrupted
}

func has(v monitoring.Verdict) func(*monitoring.CheckSession) bool {
	return func(s *monitoring.CheckSession) bool { return s.Verdict() == v }
}

// show shows the progress. It is called when the waiting begins, when a session finishes, and
// when the status of a running session changes.
func show(progress *cli.Progress, p monitoring.WaitProgress) {
	if s := p.Session; s != nil {
		progress.Line(string(s.Status), fmt.Sprintf("%s (%s)", s.Name, cli.Seconds(s.Duration())))
	}
	progress.Update("%d of %s finished", p.Finished, cli.Count(p.Total, "check"))
}

func notGood(s *monitoring.CheckSession) bool { return !s.Verdict().Good() }

func count(sessions []*monitoring.CheckSession, has func(*monitoring.CheckSession) bool) (n int) {
	for _, s := range sessions {
		if has(s) {
			n++
		}
	}
	return n
}

// printTable prints a row for each location of each check.
func printTable(out *cli.Screen, sessions []*monitoring.CheckSession) {
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
	out.Table([]cli.Column{
		{Title: "CHECK", Min: 10}, {Title: "TYPE"}, {Title: "LOCATION", Min: 14}, {Title: "STATUS", Status: true},
		{Title: "RESPONSE TIME", Min: 8, Right: true},
	}, rows)
}

// printDetails prints what went wrong in each location that failed.
func printDetails(ctx context.Context, client *monitoring.Client, out *cli.Screen, sessions []*monitoring.CheckSession) {
	for _, s := range sessions {
		if s.Verdict().Good() {
			continue
		}
		fmt.Fprintf(out, "\n%s: %s\n", cli.Clean(s.Name), out.Paint(string(s.Status)))
		for _, message := range s.Messages() {
			fmt.Fprintf(out, "  %s\n", cli.Clean(message))
		}
		results, err := client.CheckSessions.FetchFailingResults(ctx, s)
		for _, r := range results {
			if r == nil {
				continue // the error says why there is no result
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

// printSummary prints the counts.
func printSummary(out io.Writer, sessions []*monitoring.CheckSession, took time.Duration) {
	degraded := count(sessions, has(monitoring.VerdictDegraded))
	unknown := count(sessions, has(monitoring.VerdictUnknown))
	fmt.Fprintf(out, "\n%d of %s passed in %s", len(sessions)-count(sessions, notGood), cli.Count(len(sessions), "check"), cli.Seconds(took))
	if degraded > 0 {
		fmt.Fprintf(out, ", %d of them degraded", degraded)
	}
	if unknown > 0 {
		fmt.Fprintf(out, "; of %d it is not known", unknown)
	}
	fmt.Fprintln(out, ".")
}
