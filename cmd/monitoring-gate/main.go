// Command monitoring-gate is a deploy gate: it triggers checks and waits for them, and its exit
// code says whether to deploy.
//
//	go install github.com/monitoring-api/monitoring-go/cmd/monitoring-gate@latest
//	monitoring-gate -tags production -junit out.xml -html out.html
//	monitoring-gate -demo        # made-up data
//	monitoring-gate -h           # flags, environment, exit codes
//
// The service is the one of MONITORING_BASE_URL and MONITORING_API_KEY. The exit codes are
//
//	0    every check passed; a degraded one has passed unless -fail-on-degraded is given
//	1    at least one check failed; the outcome of others may be unknown
//	2    no check is known to have failed, but not everything is known: a check is unknown,
//	     cancelled or missing, an error of the API, wrong flags, or settings that are not there
//	130  interrupted, and no check is known to have failed
//
// Nothing is ever triggered twice, and the exit code is never 0 if an outcome is unknown.
// docs/gate.md shows the outputs.
package main

import (
	"bytes"
	"context"
	"errors"
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
)

// The first interrupt ends the waiting; a second one ends the process at once.
func main() {
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
	o, err := parse(args)
	if errors.Is(err, errHelp) {
		fmt.Fprint(p.stdout, help())
		return exitPassed
	}
	if err != nil {
		p.complain(clean, err.Error())
		p.complain(clean, gateName+" -h shows how to use it")
		return exitUnknown
	}
	client, err := p.connect(o)
	if err != nil {
		p.complain(clean, err.Error())
		return exitUnknown
	}
	// If a file cannot be written, say so before anything is triggered.
	files, err := p.create(o)
	if err != nil {
		p.complain(clean, err.Error())
		return exitUnknown
	}
	if o.demo {
		fmt.Fprintln(p.stderr, "This is a demo: its data is made up.")
	}
	live := isTerminal(p.stderr, p.getenv)
	show := newProgress(p.stderr, live, live && p.getenv("NO_COLOR") == "")
	g := &gate{options: o, client: client, clean: clean, show: show}
	r := g.run(ctx)
	show.stop()
	for _, problem := range r.problems {
		p.complain(clean, problem)
	}
	code := r.exitCode()
	if o.detach {
		code = min(code, exitUnknown)
		if len(r.checks) > 0 && len(r.problems) == 0 && len(r.missing) == 0 {
			code = exitPassed
		}
		io.WriteString(p.stdout, idLines(r.checks))
		return code
	}
	text := r.text(o.all)
	if p.getenv(envActions) == "true" {
		text = r.annotations() + text
	}
	if err := errors.Join(write(files, r), p.appendSummary(r)); err != nil {
		p.complain(clean, "the reports could not be written: "+err.Error())
		if code == exitPassed {
			code = exitUnknown
		}
	}
	io.WriteString(p.stdout, text)
	return code
}

// connect returns the client. Only -demo uses made-up data: without settings a deploy must stop.
func (p program) connect(o options) (*monitoring.Client, error) {
	switch {
	case o.demo:
		return demo().Client()
	case p.client != nil:
		return p.client()
	}
	client, err := monitoring.NewClientFromEnv()
	if err != nil && strings.Contains(err.Error(), " in the environment") {
		err = fmt.Errorf("%w; -demo tries the gate out with made-up data", err)
	}
	return client, err
}

func (p program) complain(clean *cleaner, text string) {
	for line := range strings.SplitSeq(clean.lines(text), "\n") {
		fmt.Fprintf(p.stderr, "%s: %s\n", gateName, strings.TrimPrefix(line, "monitoring: "))
	}
}

// file is a report to be written.
type file struct {
	*os.File
	render func(*report) []byte
}

func (p program) create(o options) (files []file, err error) {
	for _, f := range []struct {
		name   string
		render func(*report) []byte
	}{
		{o.junit, (*report).junit},
		{o.json, (*report).json},
		{o.html, (*report).page},
		{o.summary, func(r *report) []byte { return r.markdown(mostSummary) }},
	} {
		if f.name != "" {
			out, err := os.Create(f.name)
			if err != nil {
				return nil, err
			}
			files = append(files, file{out, f.render})
		}
	}
	return files, nil
}

func write(files []file, r *report) (failed error) {
	for _, f := range files {
		_, err := io.Copy(f, bytes.NewReader(f.render(r)))
		failed = errors.Join(failed, err, f.Close())
	}
	return failed
}

// appendSummary adds the Markdown to the summary of a step of GitHub Actions.
func (p program) appendSummary(r *report) error {
	name := p.getenv(envStepSummary)
	if name == "" || p.getenv(envActions) != "true" {
		return nil
	}
	out, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	room := mostStepSummary
	if info, err := out.Stat(); err == nil {
		room -= int(info.Size()) // all steps of before wrote into files of their own
	}
	_, err = out.Write(r.markdown(max(room, mostSummary/10)))
	return errors.Join(err, out.Close())
}
