// Command monitoring-gate is a deploy gate: it runs checks, waits for them, and exits with 0 only
// if every check passed.
//
//	go install github.com/monitoring-api/monitoring-go/cmd/monitoring-gate@latest
//	monitoring-gate -tags production -junit out.xml -html out.html
//	monitoring-gate -test -location eu-central-1 -tags shop -var BASE_URL=https://preview.shop.test
//	monitoring-gate -demo        # made-up data
//	monitoring-gate -h           # flags, environment, exit codes
//
// MONITORING_BASE_URL and MONITORING_API_KEY select the service. The exit code is 0 if every check
// passed, 1 if one failed, 2 if something is not known, and 130 after an interrupt. Nothing is ever
// triggered twice.
//
// docs/gate.md shows the outputs.
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

	monitoring "github.com/monitoring-api/monitoring-go"
)

// gateName is the name of the gate in its outputs, where no check may have it.
const gateName = "monitoring-gate"

const mostAccount = 9 // characters of the id of an account that the page shows, with the dots behind them

// The exit codes.
const (
	exitPassed      = 0
	exitFailed      = 1
	exitUnknown     = 2
	exitInterrupted = 130
)

// The variables of the environment that the gate reads itself.
const (
	envKey, envAccount = "MONITORING_API_KEY", "MONITORING_ACCOUNT_ID"
	envActions         = "GITHUB_ACTIONS"
	envStepSummary     = "GITHUB_STEP_SUMMARY"
	envStepOutput      = "GITHUB_OUTPUT"
)

// The first interrupt ends the waiting; a second one ends the process at once. If nobody reads the
// progress any more, the gate goes on.
func main() {
	signal.Ignore(syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	p := program{os.Getenv, os.Stdout, os.Stderr, nil}
	os.Exit(p.run(ctx, os.Args[1:]))
}

// program is what the gate has to do with the rest of the system.
type program struct {
	getenv         func(name string) string
	stdout, stderr io.Writer
	client         func() (*monitoring.Client, error) // for tests; nil makes one of the environment
}

// run runs the gate and returns its exit code.
func (p program) run(ctx context.Context, args []string) int {
	clean := newCleaner(p.getenv)
	complain := func(text string) {
		for line := range strings.SplitSeq(clean.text(text), "\n") {
			fmt.Fprintf(p.stderr, "%s: %s\n", gateName, strings.TrimPrefix(line, "monitoring: "))
		}
	}
	o, client, err := p.prepare(args)
	clean = clean.withVars(o.vars)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(p.stdout, help())
		return exitPassed
	}
	if err != nil {
		complain(err.Error())
		return exitUnknown
	}
	if o.demo {
		fmt.Fprintln(p.stderr, "This is a demo: its data is made up.")
	}
	live := isTerminal(p.stderr, p.getenv)
	show := newProgress(p.stderr, live, live && p.getenv("NO_COLOR") == "")
	g := &gate{options: o, client: client, clean: clean, show: show, report: newReport(o.demo), origin: readOrigin(p.getenv)}
	g.report.About = about{clean.line(o.what()), shorten(clean.account, mostAccount), g.origin.shown(clean)}
	g.report.PageURL = clean.link(o.pageURL)
	r := g.run(ctx)
	show.stop()
	for _, problem := range r.Problems {
		complain(problem)
	}
	code := r.ExitCode
	if o.detach && len(r.Checks) > 0 && len(r.Problems) == 0 {
		code = exitPassed
	}
	for _, f := range o.files {
		_, wrong := f.out.Write(f.render(r))
		if wrong = errors.Join(wrong, f.out.Close()); !f.unasked {
			err = errors.Join(err, wrong)
		}
	}
	text := r.text(o.all)
	if o.detach {
		text = r.idLines()
	} else if p.getenv(envActions) == "true" {
		text = r.annotations() + text
	}
	_, wrong := io.WriteString(p.stdout, text)
	if err = errors.Join(err, wrong); err != nil {
		if complain("a report could not be written: " + err.Error()); code == exitPassed {
			code = exitUnknown
		}
	}
	return code
}

// prepare reads the flags, makes the client, and opens the files. If one cannot be written, that is
// said before anything is triggered.
func (p program) prepare(args []string) (o options, client *monitoring.Client, err error) {
	if o, err = parse(args, p.getenv); err != nil {
		return o, nil, fmt.Errorf("%w\n-h shows how to use it", err)
	}
	switch { // only -demo uses made-up data: without settings a deploy must stop
	case o.demo:
		client, err = demo().Client()
	case p.client != nil:
		client, err = p.client()
	default:
		if client, err = monitoring.NewClientFromEnv(); err != nil && strings.Contains(err.Error(), " in the environment") {
			err = fmt.Errorf("%w; -demo tries the gate out with made-up data", err)
		}
	}
	if err == nil && o.baseline != "" { // before a report is written there
		o.before, err = o.readBaseline()
	}
	if p.getenv(envActions) == "true" {
		p.addUnasked(&o)
	}
	if err == nil {
		err = o.open()
	}
	return o, client, err
}

// addUnasked adds the files of a step of GitHub Actions.
func (p program) addUnasked(o *options) {
	if name := p.getenv(envStepSummary); !o.detach {
		room := mostStepSummary
		if info, err := os.Stat(name); err == nil {
			room = max(room-int(info.Size()), mostSummary/10) // all steps of before wrote into files of their own
		}
		o.add(file{name: name, mode: os.O_APPEND, unasked: true, render: func(r *report) []byte { return r.markdown(room) }})
	}
	o.add(file{name: p.getenv(envStepOutput), mode: os.O_APPEND, unasked: true, render: (*report).stepOutput})
}
