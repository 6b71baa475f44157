package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/examples/internal/cli"
)

// verdict is the outcome of a check, or of its run in one location, for the gate.
type verdict int

const (
	passed   verdict = iota
	degraded         // slow, which counts as passed unless the flag -fail-on-degraded is given
	failed
	cancelled
	unknown
)

// report is the result of a run of the gate.
type report struct {
	started  time.Time
	took     time.Duration
	checks   []*check
	problems []string // why outcomes are not known

	interrupted bool
}

// check is a check with its verdict.
type check struct {
	session *monitoring.CheckSession
	label   string // what the check is called in the reports; its name if it is empty
	verdict verdict
	runs    []locationRun
}

// locationRun is the run of a check in one location.
type locationRun struct {
	location string
	status   string
	verdict  verdict
	response *float64 // milliseconds, nil when there is none
	retries  int      // attempts that failed before this one
	messages []string // what went wrong
	failing  string   // the id of the result that says more about it; empty if there is none
	link     string
}

// newCheck judges a session whose texts are safe. The error, if any, says why its outcome is
// not known.
func newCheck(s *monitoring.CheckSession, err error, failOnDegraded bool) *check {
	c := &check{session: s, verdict: judge(s, failOnDegraded)}
	retries := make(map[string]int)
	for _, attempt := range s.Attempts() {
		retries[attempt.RunLocation]++
	}
	for _, result := range s.FinalResults() {
		r := locationRun{
			location: result.RunLocation, status: cli.ResultStatus(&result), response: result.ResponseTime,
			retries: retries[result.RunLocation], link: result.CheckResultLink,
		}
		switch v := result.Verdict(); {
		case v == monitoring.VerdictFailed || v == monitoring.VerdictUnknown:
			r.verdict, r.failing = verdictOf(v, failOnDegraded), result.CheckResultID
		default:
			r.verdict = verdictOf(v, failOnDegraded)
		}
		if r.verdict == failed && r.failing == "" {
			r.messages = []string{fmt.Sprintf("degraded: the response time of %s is over the limit of the check", cli.Millis(result.ResponseTime))}
		}
		c.runs = append(c.runs, r)
	}
	c.addMissing(err)
	return c
}

// judge returns the verdict of a session for the gate.
func judge(s *monitoring.CheckSession, failOnDegraded bool) verdict {
	return verdictOf(s.Verdict(), failOnDegraded)
}

func verdictOf(v monitoring.Verdict, failOnDegraded bool) verdict {
	switch v {
	case monitoring.VerdictPassed:
		return passed
	case monitoring.VerdictDegraded:
		if failOnDegraded {
			return failed
		}
		return degraded
	case monitoring.VerdictFailed:
		return failed
	case monitoring.VerdictCancelled:
		return cancelled
	}
	return unknown
}

// addMissing adds locations without a final result, and the verdict of the session if no
// location explains it.
func (c *check) addMissing(err error) {
	s := c.session
	status, message, missing := string(s.Status), "the session ended without a result of this location", c.verdict
	switch {
	case err != nil:
		status, message, missing = "UNKNOWN", err.Error(), unknown // the status last seen may be old
	case status == "":
		status = "UNKNOWN"
	}
	for _, location := range s.RunLocations {
		there := slices.ContainsFunc(c.runs, func(r locationRun) bool { return r.location == location })
		if !there {
			c.runs = append(c.runs, locationRun{location: location, status: status, verdict: missing, messages: []string{message},
				link: s.CheckSessionLink})
		}
	}
	explained := slices.ContainsFunc(c.runs, func(r locationRun) bool { return r.verdict == c.verdict })
	if !explained {
		if err == nil {
			message = "the session ended " + status
		}
		c.runs = append(c.runs, locationRun{location: "session", status: status, verdict: c.verdict, messages: []string{message},
			link: s.CheckSessionLink})
	}
}

// addMessages adds what went wrong. The function returns it for the id of a result.
func (c *check) addMessages(of func(resultID string) []string) {
	for i := range c.runs {
		if r := &c.runs[i]; r.failing != "" {
			r.messages = append(r.messages, of(r.failing)...)
		}
	}
}

// findings returns the runs that did not pass. Locations with the same messages are one
// finding.
func (c *check) findings() []locationRun {
	var list []locationRun
	for _, r := range c.runs {
		if r.verdict == passed || r.verdict == degraded {
			continue
		}
		same := slices.IndexFunc(list, func(f locationRun) bool { return f.status == r.status && f.text() == r.text() })
		if same >= 0 {
			list[same].location += ", " + r.location
		} else {
			list = append(list, r)
		}
	}
	return list
}

// name returns the name of the check by which the reports tell it from others.
func (c *check) name() string {
	switch {
	case c.label != "":
		return c.label
	case c.session.Name != "":
		return c.session.Name
	}
	return "check " + c.session.CheckID
}

func (r *report) count(v verdict) (n int) {
	for _, c := range r.checks {
		if c.verdict == v {
			n++
		}
	}
	return n
}

// exitCode is 1 if at least one check is known to have failed, even if others are unknown.
func (r *report) exitCode() int {
	switch {
	case r.count(failed) > 0:
		return cli.ExitNo
	case r.interrupted:
		return cli.ExitInterrupted
	case len(r.problems) > 0, len(r.checks) == 0, r.count(unknown) > 0, r.count(cancelled) > 0:
		return cli.ExitTrouble
	}
	return cli.ExitOK
}

// headline returns the verdict in a few words.
func (r *report) headline() string {
	switch r.exitCode() {
	case cli.ExitOK:
		return "Checks passed"
	case cli.ExitNo:
		return "Checks failed"
	}
	return "Could not tell whether the checks pass"
}

var verdicts = []struct {
	verdict verdict
	name    string
}{{passed, "passed"}, {degraded, "degraded"}, {failed, "failed"}, {cancelled, "cancelled"}, {unknown, "unknown"}}

// counts returns the verdict in numbers, such as "5 checks in 9.0s: 3 passed, 1 degraded, 1
// failed". A check counts once.
func (r *report) counts() string {
	var parts []string
	for _, v := range verdicts {
		if n := r.count(v.verdict); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, v.name))
		}
	}
	if len(parts) == 0 {
		return "no check was seen"
	}
	return cli.Count(len(r.checks), "check") + " in " + cli.Seconds(r.took) + ": " + strings.Join(parts, ", ")
}

// print prints the table, what went wrong, and the verdict.
func (r *report) print(out *cli.Screen) {
	if len(r.checks) > 0 {
		var rows [][]string
		for _, c := range r.checks {
			for _, run := range c.runs {
				rows = append(rows, append([]string{c.name(), string(c.session.CheckType)}, run.cells()...))
			}
		}
		out.Table([]cli.Column{
			{Title: "CHECK", Min: 8}, {Title: "TYPE"}, {Title: "LOCATION", Min: 8}, {Title: "STATUS", Status: true},
			{Title: "TIME", Right: true}, {Title: "RETRIES", Right: true},
		}, rows)
		fmt.Fprintln(out)
	}
	for _, c := range r.checks {
		for _, run := range c.findings() {
			fmt.Fprintf(out, "%s, %s: %s\n", cli.Clean(c.name()), cli.Clean(run.location), out.Paint(run.status))
			for line := range strings.SplitSeq(run.text(), "\n") {
				fmt.Fprintf(out, "  %s\n", cli.Clean(line))
			}
		}
	}
	fmt.Fprintf(out, "%s: %s.\n", r.headline(), r.counts())
}

// cells returns the cells that the tables of all reports share.
func (r locationRun) cells() []string {
	retries := "-"
	if r.retries > 0 {
		retries = fmt.Sprint(r.retries)
	}
	return []string{r.location, r.status, cli.Millis(r.response), retries}
}

// text returns everything that is known about what went wrong.
func (r locationRun) text() string {
	lines := slices.Clone(r.messages)
	if r.link != "" {
		lines = append(lines, r.link)
	}
	return strings.Join(lines, "\n")
}
