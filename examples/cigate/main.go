// Cigate is a deploy gate: it triggers checks and waits for them, and its exit code says
// whether to deploy. It can be used as it is.
//
//	cigate -tags production -junit out.xml -summary out.md
//	cigate -ids 5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11 -timeout 5m -cancel
//	go run ./examples/cigate -demo        # an in-process fake of the service
//	go run ./examples/cigate -h           # flags, environment, exit codes
//
// The service is the one of MONITORING_BASE_URL and MONITORING_API_KEY. The exit codes
// are
//
//	0    every check passed; a degraded one has passed unless -fail-on-degraded is given
//	1    at least one check failed; the outcome of others may be unknown
//	2    no check is known to have failed, but not all outcomes are known: errors of the API,
//	     a timeout, cancelled checks, a lost response to the trigger, no matching check,
//	     checks of -ids that were not started (unless -allow-missing is given),
//	     wrong flags or settings
//	130  interrupted, and no check is known to have failed
//
// Nothing is ever triggered twice, and the exit code is never 0 if an outcome is unknown.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/examples/internal/cli"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

var exits = []cli.Exit{
	{Code: cli.ExitOK, Means: "every check passed; a degraded one has passed unless -fail-on-degraded is given"},
	{Code: cli.ExitNo, Means: "at least one check failed; the outcome of others may be unknown"},
	{Code: cli.ExitTrouble, Means: "no check is known to have failed, but not all outcomes are known: errors of the API, " +
		"a timeout, cancelled checks, a lost response to the trigger, nothing that matched, wrong flags or settings"},
	{Code: cli.ExitInterrupted, Means: "interrupted, and no check is known to have failed"},
}

func main() { cli.Main(run) }

// options are the flags.
type options struct {
	tags           cli.Tags
	ids            []string
	timeout        time.Duration
	junit, summary string
	failOnDegraded bool
	cancel         bool
	allowMissing   bool
	demo           bool
}

// run runs the program and returns its exit code.
func run(ctx context.Context, args []string, getenv cli.Getenv, stdout, stderr io.Writer) int {
	return runWith(ctx, args, getenv, stdout, stderr, func(o options) (*monitoring.Client, error) {
		return cli.Connect(getenv, o.demo, stderr)
	})
}

// runWith is run with a function that makes the client, for tests.
func runWith(
	ctx context.Context, args []string, getenv cli.Getenv, stdout, stderr io.Writer, connect func(options) (*monitoring.Client, error),
) int {
	o := options{timeout: 15 * time.Minute}
	flags := define(&o)
	safe := newSafe(getenv)
	out, errs := safe.screen(stdout, getenv), safe.screen(stderr, getenv)
	if code, ok := flags.Parse(args, getenv, stdout, errs); !ok { // the help needs no guard
		return code
	}
	if err := o.check(); err != nil {
		return flags.Wrong(errs, err)
	}
	client, err := connect(o)
	if err != nil {
		return flags.Wrong(errs, err)
	}
	// If a file cannot be written, say so before anything is triggered.
	junit, err1 := create(o.junit)
	summary, err2 := create(o.summary)
	if err := errors.Join(err1, err2); err != nil {
		return cli.Complain(errs, "cigate", err)
	}
	r := runGate(ctx, client, o, safe, errs)
	r.print(out)
	for _, problem := range r.problems {
		cli.Complain(errs, "cigate", errors.New(problem))
	}
	code := r.exitCode()
	if err := errors.Join(r.writeJUnit(junit), junit.Close(), r.writeMarkdown(summary), summary.Close()); err != nil {
		cli.Complain(errs, "cigate", fmt.Errorf("the reports could not be written: %w", err))
		if code == cli.ExitOK {
			code = cli.ExitTrouble
		}
	}
	return code
}

// define makes the flags, which fill in the options.
func define(o *options) *cli.Flags {
	flags := cli.NewFlags("cigate", "A deploy gate: triggers checks, waits for them, and tells by its exit code whether to go on.", exits,
		"cigate -tags production -junit out.xml -summary out.md",
		"cigate -ids 5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11 -timeout 5m",
		"cigate -demo")
	flags.Value(&o.tags, "tags", "`tags` of the checks: a comma means and, a repeated flag means or, a leading ! means without")
	flags.Func("ids", "`ids` of the checks, with commas between them; may be repeated", func(value string) error {
		list, err := cli.SplitList(value)
		o.ids = append(o.ids, list...)
		return err
	})
	flags.Duration(&o.timeout, "timeout", time.Second, 7*24*time.Hour, "how long to wait for the checks, a `duration` such as 90s or 1d12h")
	flags.String(&o.junit, "junit", "write the results as JUnit XML to this `file`")
	flags.String(&o.summary, "summary", "write a summary in Markdown to this `file`")
	flags.Bool(&o.failOnDegraded, "fail-on-degraded", "count degraded checks as failed")
	flags.Bool(&o.allowMissing, "allow-missing", "accept that checks of -ids were not started, because they are deactivated or deleted")
	flags.Bool(&o.cancel, "cancel", "cancel the checks that still run after a timeout or an interrupt")
	flags.Demo(&o.demo, "make the data up: use an in-process fake of the service; without -tags and -ids its checks of production")
	return flags
}

// check completes and checks the options.
func (o *options) check() error {
	if o.demo && o.tags == nil && o.ids == nil {
		o.tags = cli.Tags{{monitoringtest.DemoProductionTag}}
	}
	switch {
	case o.tags == nil && o.ids == nil:
		return errors.New("say which checks to trigger with -tags or -ids")
	case o.tags != nil && o.ids != nil:
		return errors.New("give either -tags or -ids")
	}
	return nil
}

// selection describes the selected checks, for messages.
func (o options) selection() string {
	if o.tags != nil {
		return "is tagged " + o.tags.String()
	}
	return "has the id " + strings.Join(o.ids, " or ")
}

// create creates a file. Without a name, the output is discarded.
func create(name string) (io.WriteCloser, error) {
	if name == "" {
		return nowhere{io.Discard}, nil
	}
	return os.Create(name)
}

type nowhere struct{ io.Writer }

func (nowhere) Close() error { return nil }
