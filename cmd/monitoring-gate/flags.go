package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// options are the flags.
type options struct {
	tags          [][]string
	ids, sessions []string
	timeout       time.Duration
	files         []file
	least, most   int // of checks that are started; no most if it is 0
	location      string
	vars          []variable
	baseline      string
	before        baseline // read from that file

	paged   bool // a page is to be written
	pageURL string
	getenv  func(string) string

	test, deactivated bool

	allowMissing, strict, failOnDegraded, failOnFlaky, cancel, detach, all, demo bool
}

// file is a report to be written.
type file struct {
	name   string
	mode   int // how it is opened: with os.O_TRUNC or os.O_APPEND
	render func(*report) []byte
	out    *os.File

	unasked bool // nobody has asked for it, so nothing stops if it cannot be written
}

// open opens a file, and makes its folder. A pipe that nobody reads is an error instead of a wait.
func (f *file) open() (err error) {
	if !f.unasked {
		if err := os.MkdirAll(filepath.Dir(f.name), 0o755); err != nil {
			return err
		}
	}
	f.out, err = os.OpenFile(f.name, f.mode|os.O_CREATE|os.O_WRONLY|syscall.O_NONBLOCK, 0o644)
	if f.unasked {
		return nil
	}
	return err
}

// open opens the files. Two of one file are an error, unless nobody has asked for the later one.
func (o *options) open() error {
	for i := range o.files {
		f := &o.files[i]
		if slices.ContainsFunc(o.files[:i], func(other file) bool { return other.name == f.name }) {
			if f.unasked {
				continue
			}
			return fmt.Errorf("two reports are to be written to %s: give each one a file of its own", f.name)
		}
		if err := f.open(); err != nil {
			return err
		}
		if slices.ContainsFunc(o.files[:i], f.same) {
			if f.unasked {
				f.out.Close()
				f.out = nil
				continue
			}
			return fmt.Errorf("two reports are to be written to one file, and %s is one name of it: give each one a file of its own", f.name)
		}
	}
	o.files = slices.DeleteFunc(o.files, func(f file) bool { return f.out == nil })
	return nil
}

// same reports whether another file is the same one by another name, such as a link. Devices such
// as /dev/null may be there twice.
func (f *file) same(other file) bool {
	if f.out == nil || other.out == nil {
		return false
	}
	a, err1 := f.out.Stat()
	b, err2 := other.out.Stat()
	return err1 == nil && err2 == nil && a.Mode().IsRegular() && os.SameFile(a, b)
}

const longestTimeout = 7 * 24 * time.Hour

// flags returns the flags, which fill in the options.
func flags(o *options) *flag.FlagSet {
	o.timeout = 15 * time.Minute
	set := flag.NewFlagSet(gateName, flag.ContinueOnError)
	set.SetOutput(io.Discard)
	list := func(name, usage string, add func([]string)) {
		set.Func(name, usage, func(value string) error {
			items := strings.Split(value, ",")
			for i := range items {
				if items[i] = strings.TrimSpace(items[i]); items[i] == "" || items[i] == "!" {
					return fmt.Errorf("there is an empty item in %q", value)
				}
			}
			add(items)
			return nil
		})
	}
	list("tags", "run the checks with these `tags`: a comma means and, a repeated flag means or,\na leading ! means without",
		func(items []string) { o.tags = append(o.tags, items) })
	list("ids", "run the checks with these `ids`, with commas between them",
		func(items []string) { o.ids = append(o.ids, items...) })
	list("sessions", "start nothing, and wait for the sessions with these `ids`, which -detach has printed",
		func(items []string) { o.sessions = append(o.sessions, items...) })
	set.BoolVar(&o.test, "test", false, "run the checks in a test session: in the location of -location, with variables of this\nrun, and without alerts")
	set.StringVar(&o.location, "location", "", "where a test session runs: a `region`, or the slugName of a private location")
	set.Func("var", "a variable of a test session, `NAME=VALUE`; the value is not printed", func(text string) error {
		o.addVar(text)
		return nil
	})
	set.Func("secret", "a secret of a test session, by its `NAME`: the value is that of the environment", func(name string) error {
		o.vars = append(o.vars, variable{key: name, secret: true})
		return nil
	})
	set.BoolVar(&o.deactivated, "deactivated", false, "also run deactivated checks in a test session")
	set.BoolVar(&o.detach, "detach", false, "start the checks, print a line of session id and name for each, and do not wait")
	set.Func("timeout", "how long to wait, a `duration` from 1s to 7d such as 90s or 1d12h (default 15m)", func(text string) (err error) {
		o.timeout, err = duration(text)
		return err
	})
	set.BoolVar(&o.cancel, "cancel", false, "cancel sessions that still run after the timeout or an interrupt; the service can cancel\nonly PLAYWRIGHT checks")
	set.IntVar(&o.least, "min", 0, "exit with 2 if fewer than this `number` of checks were started")
	set.IntVar(&o.most, "max", 0, "start nothing, and exit with 2, if more than this `number` of checks would be started;\nthe key must be able to list checks and groups")
	set.BoolVar(&o.allowMissing, "allow-missing", false, "accept that checks of -ids were not started: they are deactivated, deleted or heartbeats")
	set.BoolVar(&o.strict, "strict", false, "exit with 2 if a check with the tags is deactivated and was not run")
	set.BoolVar(&o.failOnDegraded, "fail-on-degraded", false, "count degraded checks as failed")
	set.BoolVar(&o.failOnFlaky, "fail-on-flaky", false, "count checks that passed only after a failed attempt as failed")
	set.BoolVar(&o.all, "all", false, "print all checks, and reasons in full")
	output := func(flag, usage string, render func(*report) []byte) {
		set.Func(flag, usage, func(name string) error {
			o.paged = o.paged || flag == "html"
			o.add(file{name: name, mode: os.O_TRUNC, render: render})
			return nil
		})
	}
	set.StringVar(&o.baseline, "baseline", "", "mark failures that are new since the run that wrote this `file` with -json; it may be\nmissing, and -json may overwrite it")
	set.Func("html-url", "the `address` where the page of -html will be: annotations and summaries link to its checks", func(address string) error {
		o.pageURL = address
		if !webLink.MatchString(address) || strings.Contains(address, "#") {
			return errors.New("want an address that begins with https:// and has no #")
		}
		return nil
	})
	output("html", "write a page with everything to this `file`", (*report).page)
	output("junit", "write JUnit XML to this `file`", (*report).junit)
	output("json", "write JSON to this `file`", (*report).json)
	output("summary", "write Markdown of at most 65,000 bytes, for a comment, to this `file`",
		func(r *report) []byte { return r.markdown(mostSummary) })
	set.BoolVar(&o.demo, "demo", false, "use made-up data, in which one check fails; with -tags passing, none does")
	return set
}

// parse returns the options, and flag.ErrHelp if help is asked for.
func parse(args []string, getenv func(string) string) (o options, err error) {
	o.getenv = getenv
	set := flags(&o)
	if err := set.Parse(args); err != nil {
		return o, err
	}
	if set.NArg() > 0 {
		name, _, _ := strings.Cut(set.Arg(0), "=") // behind it may be a value of -var
		return o, fmt.Errorf("unexpected argument %q", name)
	}
	if o.demo && o.tags == nil && o.ids == nil && o.sessions == nil {
		o.tags = [][]string{{demoTag}}
	}
	switch {
	case o.tags == nil && o.ids == nil && o.sessions == nil:
		return o, errors.New("say which checks to run with -tags or -ids, or which sessions to wait for with -sessions")
	case o.tags != nil && o.ids != nil, o.tags != nil && o.sessions != nil, o.ids != nil && o.sessions != nil:
		return o, errors.New("give one of -tags, -ids and -sessions")
	case o.least < 0, o.most < 0:
		return o, errors.New("-min, -max: want 0 or more")
	case o.most > 0 && o.sessions != nil:
		return o, errors.New("-max is for what is started, and -sessions starts nothing")
	case o.pageURL != "" && !o.paged:
		return o, errors.New("-html-url is the address of the page of -html: give both")
	case o.detach && o.sessions != nil:
		return o, errors.New("-detach starts checks and -sessions waits for them: give one of them")
	case o.checkTest() != nil:
		return o, o.checkTest()
	case o.detach && (o.files != nil || o.cancel || o.failOnDegraded || o.failOnFlaky || o.all || o.baseline != ""):
		return o, errors.New("-detach does not wait, so there is nothing to report: give the other flags to the run with -sessions")
	}
	return o, nil
}

// add adds a file to be written. One without a name is none.
func (o *options) add(f file) {
	if whole, err := filepath.Abs(f.name); f.name != "" && err == nil { // of the same file the same
		f.name = whole
		o.files = append(o.files, f)
	}
}

// duration is [time.ParseDuration] with days: 7d, 1d12h.
func duration(text string) (time.Duration, error) {
	days, rest, found := strings.Cut(text, "d")
	if !found {
		days, rest = "0", text
	}
	n, err1 := strconv.ParseUint(days, 10, 8)
	d, err2 := time.ParseDuration("0s" + rest)
	if d += time.Duration(n) * 24 * time.Hour; err1 != nil || err2 != nil || d < time.Second || d > longestTimeout {
		return 0, errors.New("want a duration from 1s to 7d, such as 90s, 15m or 1d12h")
	}
	return d, nil
}

// selection describes the selected checks, for messages.
func (o options) selection() string {
	if o.ids != nil {
		return "has the id " + strings.Join(o.ids, " or ")
	}
	return "is " + o.tagged()
}

// what describes what is run, for the page.
func (o options) what() string {
	if o.test && o.sessions == nil {
		o.test = false
		return o.what() + ", as a test session in " + o.location
	}
	switch {
	case o.sessions != nil:
		return plural(len(o.sessions), "session") + " started before"
	case o.ids != nil:
		return "ids " + named(o.ids, 2)
	}
	return o.tagged()
}

func (o options) tagged() string {
	groups := make([]string, len(o.tags))
	for i, group := range o.tags {
		groups[i] = strings.Join(group, " and ")
	}
	return "tagged " + strings.Join(groups, ", or ")
}

// help is what -h prints.
func help() string {
	var b, list bytes.Buffer
	set := flags(new(options))
	set.SetOutput(&list)
	set.PrintDefaults()
	fmt.Fprintf(&b, `Usage: %[1]s [flags]

A deploy gate: runs checks, waits for them, and exits with 0 if the deploy may continue.

Examples:
  %[1]s -tags production -junit out.xml -html out.html
  %[1]s -ids 5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11 -timeout 5m
  %[1]s -tags production -detach > started
  %[1]s -sessions "$(cut -d' ' -f1 started | paste -sd, -)"
  %[1]s -test -location eu-central-1 -tags shop -var BASE_URL=https://preview.shop.test
  %[1]s -demo -html demo.html

Flags:
%[2]s
Environment:
  MONITORING_BASE_URL, MONITORING_API_KEY, and for keys of users MONITORING_ACCOUNT_ID
  MONITORING_INSECURE_HTTP  1 allows plain http to another machine, which sends the key unencrypted
  GITHUB_ACTIONS            true adds annotations, a summary in the file of GITHUB_STEP_SUMMARY, and
                            outputs for the next steps in that of GITHUB_OUTPUT
  NO_COLOR                  any value turns colors off

Exit codes:
  0    every check passed; a degraded one has passed unless -fail-on-degraded is given
  1    at least one check failed; the outcome of others may be unknown
  2    something is not known: a check is unknown, canceled or missing, a call failed, or
       settings are wrong
  130  interrupted, and no check is known to have failed
`, gateName, list.String())
	return b.String()
}
