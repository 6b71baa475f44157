package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// check is the session of a check.
type check struct {
	ID        string             `json:"id"`
	CheckID   string             `json:"checkId"`
	Name      string             `json:"name"`    // unlike that of every other check of the report
	Kind      string             `json:"type"`    // such as API; "" if it is not known
	Said      monitoring.Verdict `json:"verdict"` // what the session says
	Status    string             `json:"status"`
	Link      string             `json:"link"`
	Locations []location         `json:"results"`
	Since     string             `json:"since,omitempty"` // what it is in comparison with the run of -baseline
	Verdict   monitoring.Verdict `json:"-"`               // what counts: degraded is failed with -fail-on-degraded
	Took      time.Duration      `json:"-"`
	Running   bool               `json:"-"` // the waiting ended before the session, which goes on
	Anchor    string             `json:"-"` // of the page

	started time.Time
	reasons []string // why it did not pass, if no location says it
	facts   facts
	test    string // the name of the test session that the check is a part of
}

// location is the run of a check in one location.
type location struct {
	Name     string             `json:"location"`
	Said     monitoring.Verdict `json:"verdict"`
	Attempts int                `json:"attempts"`
	Time     *float64           `json:"responseTime"`    // in milliseconds
	Limit    *float64           `json:"limit,omitempty"` // over which Time is, in milliseconds; nil if it is not, or not known
	Reasons  []string           `json:"reasons"`         // why it did not pass, each of one or more lines
	Verdict  monitoring.Verdict `json:"-"`               // as of a check
	Link     string             `json:"-"`

	id    string    // of the result; "" if there is none yet
	tries []try     // attempts before the last one
	ended time.Time // when the last one ended; zero if there is none yet
	details
}

// try is an attempt before the last one: it has failed.
type try struct {
	id    string // of its result
	ended time.Time
	Time  *float64
	details
}

const (
	// mostTime is a response time in milliseconds: more than a day is none.
	mostTime = 24 * 60 * 60 * 1000
	// mostLocations is how many locations of a check the reports have: four times as many as services
	// have, with room for private ones. More hold up the gate, and nobody reads them.
	mostLocations = 1000
	mostTries     = 100 // attempts of a location that are drawn
)

// newCheck makes a check of a session as last seen. waited is why its end was not seen, "" if it
// was.
func newCheck(s *session, waited string, n *notes, o options, clean *cleaner) *check {
	c := &check{
		ID: clean.word(s.id), CheckID: clean.word(s.checkID), Kind: clean.name(s.kind), Said: s.verdict,
		Name: clean.nameOf(s), Status: clean.name(s.status), Link: clean.link(s.link), Locations: []location{}, Verdict: o.judge(s.verdict),
		Took: max(s.took, 0), started: s.started, facts: n.check(s.checkID),
	}
	runs := runsOf(s)
	if c.Said.OK() && (len(runs) == 0 || slices.ContainsFunc(runs, func(r run) bool { return r.open })) {
		c.Said, c.Verdict = monitoring.VerdictUnknown, monitoring.VerdictUnknown // nobody has seen that it passed
	}
	list, left := mostTelling(runs)
	for _, r := range list {
		c.Locations = append(c.Locations, c.newLocation(r, waited, n, o, clean))
	}
	if len(left) > 0 {
		worst := o.judge(c.said(left[0], waited))
		c.Locations = append(c.Locations, location{
			Name: plural(len(left), "more location"), Said: c.said(left[0], waited), Verdict: worst, Link: c.Link,
			Reasons: []string{"they are left out of the reports, which have " + thousands(mostLocations) + " of a check"},
		})
	}
	if o.failOnFlaky && c.Verdict.OK() && c.Attempts() > 1 {
		c.Verdict = monitoring.VerdictFailed
		c.reasons = []string{fmt.Sprintf("flaky: it passed only at attempt %d", c.Attempts())}
		return c
	}
	explained := slices.ContainsFunc(c.Locations, func(l location) bool { return l.Verdict == c.Verdict })
	switch {
	case explained || c.Verdict == monitoring.VerdictPassed:
	case waited != "":
		c.reasons = []string{waited}
	default:
		c.reasons = []string{fmt.Sprintf("the session ended with the status %q, and no result says why", c.Status)}
	}
	return c
}

// run is a final result, or a location that has none, and the attempts before it.
type run struct {
	*result
	open     bool // there is no final result
	attempts []*result
}

// runsOf returns the final results of a session, and behind them the locations that have none.
func runsOf(s *session) (list []run) {
	attempts, ended := make(map[string][]*result), make(map[string]bool)
	for i := range s.results {
		switch r := &s.results[i]; {
		case r.final:
			list, ended[r.location] = append(list, run{result: r}), true
		case r.attempt:
			attempts[r.location] = append(attempts[r.location], r)
		}
	}
	for i := range list {
		list[i].attempts = attempts[list[i].location]
	}
	for _, name := range s.locations {
		if !ended[name] {
			list = append(list, run{&result{location: name, verdict: monitoring.VerdictUnknown}, true, attempts[name]})
			ended[name] = true
		}
	}
	return list
}

// mostTelling returns the runs that the reports have, and those that are left out. If there are too
// many, those that did not pass come first.
func mostTelling(runs []run) (list, left []run) {
	if len(runs) <= mostLocations {
		return runs, nil
	}
	by := make(map[monitoring.Verdict][]run)
	for _, r := range runs {
		by[r.verdict] = append(by[r.verdict], r)
	}
	runs = nil
	for _, v := range verdicts {
		runs = append(runs, by[v]...)
	}
	return runs[:mostLocations], runs[mostLocations:]
}

// said is what is said of a run: one that has no result shares the fate of its session.
func (c *check) said(r run, waited string) monitoring.Verdict {
	switch {
	case r.open && waited != "":
		return monitoring.VerdictUnknown
	case r.open:
		return c.Said
	}
	return r.verdict
}

// newLocation makes the location of a run.
func (c *check) newLocation(r run, waited string, n *notes, o options, clean *cleaner) location {
	l := location{
		Name: cmp.Or(clean.name(r.location), "no location"), Said: c.said(r, waited), Attempts: len(r.attempts) + 1, Reasons: []string{},
		Link: cmp.Or(clean.link(r.link), c.Link), id: r.id, ended: r.stopped, Time: timeOf(r.time), details: n.result(r.id),
	}
	for _, a := range r.attempts[max(len(r.attempts)-mostTries, 0):] {
		l.tries = append(l.tries, try{a.id, a.stopped, timeOf(a.time), n.result(a.id)})
	}
	if r.open {
		l.Attempts--
	}
	l.Limit = c.limit(l)
	l.Verdict = o.judge(l.Said)
	l.Reasons = append(l.Reasons, l.why(r, waited)...)
	return l
}

// timeOf returns a response time, nil if it is none.
func timeOf(ms *float64) *float64 {
	if t := monitoring.ValueOr(ms, -1); t < 0 || t > mostTime {
		return nil
	}
	return ms
}

// limit returns the limit that the response time of a location is over, nil if there is none.
func (c *check) limit(l location) *float64 {
	limit := 0.0
	switch l.Said {
	case monitoring.VerdictDegraded:
		limit = c.facts.degraded
	case monitoring.VerdictFailed:
		limit = c.facts.failed
	}
	if l.Time == nil || limit <= 0 || *l.Time <= limit {
		return nil
	}
	return &limit
}

// why says why a location did not pass, or is degraded.
func (l location) why(r run, waited string) []string {
	const overMost = "is over the maxResponseTime"
	switch {
	case l.Said == monitoring.VerdictPassed:
		return nil
	case r.open && len(r.attempts) > 0 && !l.Said.OK():
		last := l.tries[len(l.tries)-1]
		return append(slices.Clone(last.reasons), "an attempt failed, and its retry has no result: "+cmp.Or(waited, "the session ended without it"))
	case r.open:
		return []string{cmp.Or(waited, "the session ended without a result of this location")}
	case l.Said == monitoring.VerdictDegraded && l.Limit != nil:
		return []string{"degraded: " + l.Value()}
	case l.Said == monitoring.VerdictDegraded && l.Time != nil:
		return []string{"degraded: a response time of " + millis(l.Time) + " is over the limit of the check"}
	case l.Said == monitoring.VerdictDegraded:
		return []string{"degraded: it was slower than the check allows"}
	case l.Said == monitoring.VerdictCancelled:
		return []string{"it was cancelled"}
	case len(l.reasons) == 0:
		return []string{string(l.Said) + "; " + unexplained}
	case l.Limit != nil && strings.HasSuffix(l.reasons[0], overMost):
		return []string{l.Value() + ": the response time " + overMost}
	}
	return l.reasons
}

// Value is the response time of a location, beside the limit that it is over: "2.14 s, limit 2 s".
func (l location) Value() string {
	text := millis(l.Time)
	if l.Limit != nil {
		text += ", limit " + limitText(*l.Limit)
	}
	return text
}

// limitText is a limit in milliseconds without digits that say nothing.
func limitText(ms float64) string { return strings.Replace(millis(&ms), ".00 s", " s", 1) }

// nameOf returns the name of a session's check, or what else tells it from others.
func (c *cleaner) nameOf(s *session) string {
	return cmp.Or(c.name(s.name), strings.TrimSuffix("check "+c.word(s.checkID), "check "), "session "+c.word(s.id))
}

// judge returns the verdict that counts for the gate.
func (o options) judge(v monitoring.Verdict) monitoring.Verdict {
	if v == monitoring.VerdictDegraded && o.failOnDegraded {
		return monitoring.VerdictFailed
	}
	return v
}

// Attempts is how often the check was tried where it was tried most.
func (c *check) Attempts() (most int) {
	for _, l := range c.Locations {
		most = max(most, l.Attempts)
	}
	return most
}
