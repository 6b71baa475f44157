package main

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// report is what came of a run of the gate. Every output is made from it and from nothing else, and
// as JSON it is one itself. Its texts have passed the cleaner.
type report struct {
	Verdict  monitoring.Verdict `json:"verdict"` // of all checks together
	Started  time.Time          `json:"started"`
	Ended    time.Time          `json:"ended"`
	Checks   []*check           `json:"sessions"`
	Missing  []string           `json:"missing"` // ids of checks that were to run and were not started
	NotRun   []string           `json:"notRun"`  // names of checks with the tags that are deactivated
	Problems []string           `json:"-"`       // why something is not known, in sentences
	Headline string             `json:"-"`       // the verdict in a few words
	Demo     bool               `json:"-"`       // the data is made up
	ExitCode int                `json:"-"`
	About    about              `json:"-"`
	PageURL  string             `json:"-"` // where the page will be; "" if that is not known
}

// about says what was run, and for which code. Its texts have passed the cleaner.
type about struct {
	What    string // such as "tagged production"
	Account string // the beginning of its id: links have the whole of it
	origin
}

func newReport(demo bool) *report {
	return &report{Started: time.Now().UTC().Truncate(time.Millisecond), Checks: []*check{}, Missing: []string{}, NotRun: []string{}, Demo: demo}
}

// With returns the checks that have one of the verdicts.
func (r *report) With(list ...monitoring.Verdict) (with []*check) {
	for _, v := range list {
		for _, c := range r.Checks {
			if c.Verdict == v {
				with = append(with, c)
			}
		}
	}
	return with
}

// finish names the checks, and judges them together: if one failed, whatever else is not known.
func (r *report) finish(interrupted bool) {
	r.nameChecks()
	number := func(list ...monitoring.Verdict) int { return len(r.With(list...)) }
	unknown := len(r.Problems) + number(monitoring.VerdictUnknown, monitoring.VerdictCancelled)
	r.ExitCode, r.Verdict, r.Headline = exitUnknown, monitoring.VerdictUnknown, "Could not tell whether the checks pass"
	switch {
	case number(monitoring.VerdictFailed) > 0:
		r.ExitCode, r.Verdict, r.Headline = exitFailed, monitoring.VerdictFailed, "Checks failed"
	case interrupted:
		r.ExitCode = exitInterrupted
	case unknown == 0 && len(r.Checks) > 0:
		r.ExitCode, r.Verdict, r.Headline = exitPassed, monitoring.VerdictPassed, "Checks passed"
		if number(monitoring.VerdictDegraded) > 0 {
			r.Verdict = monitoring.VerdictDegraded
		}
	}
}

// tally is how many checks have a verdict.
type tally struct {
	Verdict monitoring.Verdict
	N       int
}

// Tallies returns those of the verdicts that there are.
func (r *report) Tallies() (list []tally) {
	for _, v := range verdicts {
		if n := len(r.With(v)); n > 0 {
			list = append(list, tally{v, n})
		}
	}
	return list
}

// Totals is the verdict in numbers, such as "5 checks in 9.0s: 1 failed, 4 passed".
func (r *report) Totals() string {
	if len(r.Checks) == 0 {
		return "no check was seen"
	}
	var parts []string
	for _, t := range r.Tallies() {
		parts = append(parts, thousands(t.N)+" "+string(t.Verdict))
	}
	return plural(len(r.Checks), "check") + " in " + span(r.Ended.Sub(r.Started)) + ": " + strings.Join(parts, ", ")
}

// NotRunText names the checks that were not run; "" if there are none.
func (r *report) NotRunText() string {
	if len(r.NotRun) == 0 {
		return ""
	}
	return "not run: " + named(r.NotRun, mostNotRun) + " (deactivated)"
}

const mostNotRun = 10 // checks that are named; JSON has all

// Href is the address of a check on the page; "" if nobody has said where the page will be.
func (r *report) Href(c *check) string {
	if r.PageURL == "" {
		return ""
	}
	return r.PageURL + "#" + c.Anchor
}

// nameChecks gives each check a name and an anchor of its own. Checks of one name also get their
// ids, which stay the same from run to run. What is equal even then gets numbers, as sessions of
// one check do.
func (r *report) nameChecks() {
	named, taken := map[string]int{gateName: 1}, map[string]int{gateName: 2}
	for _, c := range r.Checks {
		named[c.Name]++
	}
	anchors := make(map[string]int)
	for _, c := range r.Checks {
		if named[c.Name] > 1 {
			c.Name += " (" + c.CheckID + ")"
		}
		c.Name = unused(c.Name, taken, "")
		c.Anchor = strings.ReplaceAll(unused("check-"+anchored(cmp.Or(c.CheckID, c.ID)), anchors, ""), " #", "-")
	}
}

// anchored is an id of letters, digits and signs that need no escape in an address.
func anchored(id string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > 'z' || r > '9' && r < 'A' || r > 'Z' && r < 'a' {
			return '-'
		}
		return r
	}, id)
}

// unused returns a name, with a number if it is taken, and takes it. What is taken begins with a
// prefix, and has the next number to try: so many equal names take no longer than others.
func unused(name string, taken map[string]int, prefix string) string {
	n := taken[prefix+name]
	if n == 0 {
		taken[prefix+name] = 2
		return name
	}
	free := fmt.Sprintf("%s #%d", name, n)
	for taken[prefix+free] > 0 {
		n++
		free = fmt.Sprintf("%s #%d", name, n)
	}
	taken[prefix+name], taken[prefix+free] = n+1, 2
	return free
}
