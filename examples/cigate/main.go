// Cigate is a deploy gate: it triggers checks, waits for them and tells by its exit code
// whether to go on. It can be used as it is.
//
//	cigate -tags production -junit out.xml -summary out.md
//	cigate -ids 5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11 -timeout 5m -cancel
//	go run ./examples/cigate -demo        # a demo service inside the program
//
// The service is the one of MONITORING_BASE_URL, MONITORING_API_KEY and
// MONITORING_ACCOUNT_ID. The exit codes are
//
//	0  every check passed; a degraded one has passed unless -fail-on-degraded is given
//	1  checks failed, and of every check it is known how it ended
//	2  it could not be told: errors of the API, a timeout, an interrupt, cancelled checks,
//	   a lost answer to the trigger, nothing that matched, bad flags
//
// Nothing is ever triggered twice, and a gate that cannot tell never says yes.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/examples/internal/cli"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

const (
	exitPassed  = 0
	exitFailed  = 1
	exitUnknown = 2
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second interrupt ends the program the hard way
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr, os.Getenv))
}

// options are the flags.
type options struct {
	tags           cli.Tags
	ids            []string
	timeout        time.Duration
	junit, summary string
	failOnDegraded bool
	cancel         bool
	demo           bool
}

// run is the program.
func run(ctx context.Context, args []string, stdout, stderr io.Writer, getenv func(string) string) int {
	return runWith(ctx, args, stdout, stderr, func(o options) (*monitoring.Client, error) {
		if !o.demo {
			return cli.FromEnv(getenv)
		}
		fmt.Fprintln(stderr, "This is a demo service inside the program.")
		return monitoringtest.NewDemo().Client()
	})
}

// runWith is run with a client of the caller's, which is how it is tested.
func runWith(ctx context.Context, args []string, stdout, stderr io.Writer, connect func(options) (*monitoring.Client, error)) int {
	o, err := parse(args, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return exitPassed
	case err != nil:
		return exitUnknown // the flag set has said why
	}
	client, err := connect(o)
	if err != nil {
		fmt.Fprintln(stderr, "cigate:", err)
		return exitUnknown
	}
	// Files that cannot be written are found out before anything is triggered.
	junit, err1 := create(o.junit)
	summary, err2 := create(o.summary)
	if err := errors.Join(err1, err2); err != nil {
		fmt.Fprintln(stderr, "cigate:", err)
		return exitUnknown
	}
	r := runGate(ctx, client, o, stderr)
	r.print(stdout)
	for _, problem := range r.problems {
		fmt.Fprintln(stderr, "cigate:", problem)
	}
	if err := errors.Join(r.writeJUnit(junit), junit.Close(), r.writeMarkdown(summary), summary.Close()); err != nil {
		fmt.Fprintln(stderr, "cigate: the reports could not be written:", err)
		return exitUnknown
	}
	return r.exitCode()
}

func parse(args []string, stderr io.Writer) (options, error) {
	var o options
	flags := flag.NewFlagSet("cigate", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Var(&o.tags, "tags", "tags of the checks: a comma means and, a repeated flag means or, a leading ! means without")
	flags.Func("ids", "ids of the checks, with commas between them; may be repeated", func(value string) error {
		for id := range strings.SplitSeq(value, ",") {
			if id = strings.TrimSpace(id); id == "" {
				return errors.New("there is an empty id")
			}
			o.ids = append(o.ids, id)
		}
		return nil
	})
	flags.DurationVar(&o.timeout, "timeout", 15*time.Minute, "how long to wait for the checks")
	flags.StringVar(&o.junit, "junit", "", "write the results as JUnit XML to this file")
	flags.StringVar(&o.summary, "summary", "", "write a summary in Markdown to this file")
	flags.BoolVar(&o.failOnDegraded, "fail-on-degraded", false, "count degraded checks as failed")
	flags.BoolVar(&o.cancel, "cancel", false, "cancel the checks that still run after a timeout or an interrupt")
	flags.BoolVar(&o.demo, "demo", false, "use a demo service inside the program; without -tags and -ids its checks of production")
	if err := cli.Parse(flags, args); err != nil {
		return o, err
	}
	if o.demo && o.tags == nil && o.ids == nil {
		o.tags = cli.Tags{{monitoringtest.DemoProductionTag}}
	}
	var err error
	switch {
	case o.tags == nil && o.ids == nil:
		err = errors.New("say which checks to trigger with -tags or -ids")
	case o.tags != nil && o.ids != nil:
		err = errors.New("give either -tags or -ids")
	case o.timeout <= 0:
		err = errors.New("-timeout must be positive")
	}
	if err != nil {
		fmt.Fprintln(stderr, "cigate:", err)
	}
	return o, err
}

// selection says which checks are meant.
func (o options) selection() string {
	if o.tags != nil {
		return "is tagged " + o.tags.String()
	}
	return "has the id " + strings.Join(o.ids, " or ")
}

// create creates a file. Without a name what is written to it goes nowhere.
func create(name string) (io.WriteCloser, error) {
	if name == "" {
		return nowhere{io.Discard}, nil
	}
	return os.Create(name)
}

type nowhere struct{ io.Writer }

func (nowhere) Close() error { return nil }
