// Quickstart runs the checks with a tag, waits for them, and prints how they ended and why.
//
//	go run ./examples/quickstart                # made-up data
//	go run ./examples/quickstart -tag staging
//
// With MONITORING_BASE_URL and MONITORING_API_KEY set, it runs the checks of that service. The exit
// code is 0 if all passed, 1 if one failed, and 2 if something is not known.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"text/tabwriter"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) (code int) {
	flags := flag.NewFlagSet("quickstart", flag.ContinueOnError)
	flags.SetOutput(stderr)
	tag := flags.String("tag", monitoringtest.DemoProductionTag, "`tag` of the checks to run")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return 0
	} else if err != nil {
		return 2
	}
	var client *monitoring.Client
	var err error
	if os.Getenv("MONITORING_BASE_URL")+os.Getenv("MONITORING_API_KEY")+os.Getenv("MONITORING_ACCOUNT_ID") == "" {
		const notice = "No service is set in the environment: this data is made up."
		fmt.Fprintln(stdout, notice)
		defer fmt.Fprintln(stdout, notice)
		client, err = monitoringtest.NewDemo().Client()
	} else {
		client, err = monitoring.NewClientFromEnv()
	}
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 2
	}
	return check(ctx, client, *tag, stdout, stderr)
}

// check runs the checks with a tag. A check that fails is a result; an error means that something
// is not known.
func check(ctx context.Context, client *monitoring.Client, tag string, stdout, stderr io.Writer) (code int) {
	request := monitoring.TriggerRequest{Target: monitoring.TriggerTarget{MatchTags: [][]string{{tag}}}}
	options := monitoring.WaitOptions{Timeout: 15 * time.Minute, OnProgress: func(p monitoring.WaitProgress) {
		fmt.Fprintf(stderr, "%d of %d checks have ended\n", p.Finished, p.Total)
	}}
	sessions, err := client.CheckSessions.TriggerAndWait(ctx, request, options)
	if err != nil {
		fmt.Fprintln(stderr, err)
		code = 2
	}
	table := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	for _, session := range sessions {
		fmt.Fprintf(table, "%s\t%.1fs\t%q\n", session.Verdict(), session.Duration().Seconds(), session.Name)
		switch verdict := session.Verdict(); {
		case verdict == monitoring.VerdictFailed:
			code = 1
		case !verdict.OK() && code == 0:
			code = 2
		}
	}
	table.Flush()
	for _, session := range sessions {
		results, err := client.CheckSessions.FetchFailingResults(ctx, session)
		for _, result := range results {
			if result != nil { // nil for what err is about
				fmt.Fprintf(stdout, "%q in %q: %q\n", session.Name, result.RunLocation, result.Messages())
			}
		}
		if err != nil {
			fmt.Fprintln(stderr, err)
		}
	}
	return code
}
