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

	started time.Time
	reasons []string // why it did not pass, if no location says it
}

// location is the run of a check in one location.
type location struct {
	Name     string             `json:"location"`
	Said     monitoring.Verdict `json:"verdict"`
	Attempts int                `json:"attempts"`
	Time     *float64           `json:"responseTime"` // in milliseconds
	Reasons  []string           `json:"reasons"`      // why it did not pass, each of one or more lines
	Verdict  monitoring.Verdict `json:"-"`            // as of a check
	Link     string             `json:"-"`

	tries []time.Time // when attempts before the last one ended
	ended time.Time   // when the last one ended; zero if there is none yet
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
// was. why returns what is known about a result that did not pass.
func newCheck(s *monitoring.CheckSession, waited string, why func(resultID string) []string, o options, clean *cleaner) *check {
	c := &check{
		ID: clean.word(s.CheckSessionID), CheckID: clean.word(s.CheckID), Kind: clean.name(string(s.CheckType)), Said: s.Verdict(),
		Name: clean.nameOf(s), Status: clean.name(string(s.Status)), Link: clean.link(s.CheckSessionLink), Locations: []location{}, Verdict: o.judge(s.Verdict()),
		Took: max(s.Duration(), 0), started: s.StartedAt.Time,
	}
	runs := runsOf(s)
	if c.Said.OK() && (len(runs) == 0 || slices.ContainsFunc(runs, func(r run) bool { return r.open })) {
		c.Said, c.Verdict = monitoring.VerdictUnknown, monitoring.VerdictUnknown // nobody has seen that it passed
	}
	list, left := mostTelling(runs)
	for _, r := range list {
		c.Locations = append(c.Locations, c.newLocation(r, waited, why, o, clean))
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
	*monitoring.CheckSessionResult
	open     bool // there is no final result
	attempts []*monitoring.CheckSessionResult
}

// runsOf returns the final results of a session, and behind them the locations that have none.
func runsOf(s *monitoring.CheckSession) (list []run) {
	attempts, ended := make(map[string][]*monitoring.CheckSessionResult), make(map[string]bool)
	for i := range s.Results {
		switch r := &s.Results[i]; {
		case r.Final():
			list, ended[r.RunLocation] = append(list, run{CheckSessionResult: r}), true
		case r.ResultType != nil && *r.ResultType == monitoring.ResultAttempt:
			attempts[r.RunLocation] = append(attempts[r.RunLocation], r)
		}
	}
	for i := range list {
		list[i].attempts = attempts[list[i].RunLocation]
	}
	for _, name := range s.RunLocations {
		if !ended[name] {
			list = append(list, run{&monitoring.CheckSessionResult{RunLocation: name}, true, attempts[name]})
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
		by[r.Verdict()] = append(by[r.Verdict()], r)
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
	return r.Verdict()
}

// newLocation makes the location of a run.
func (c *check) newLocation(r run, waited string, why func(resultID string) []string, o options, clean *cleaner) location {
	l := location{
		Name: cmp.Or(clean.name(r.RunLocation), "no location"), Said: c.said(r, waited), Attempts: len(r.attempts) + 1, Reasons: []string{},
		Link: cmp.Or(clean.link(r.CheckResultLink), c.Link), ended: monitoring.ValueOr(r.StoppedAt, monitoring.Timestamp{}).Time,
	}
	for _, attempt := range r.attempts[:min(len(r.attempts), mostTries)] {
		l.tries = append(l.tries, monitoring.ValueOr(attempt.StoppedAt, monitoring.Timestamp{}).Time)
	}
	if ms := monitoring.ValueOr(r.ResponseTime, -1); ms >= 0 && ms <= mostTime {
		l.Time = &ms
	}
	reason := ""
	switch {
	case r.open && len(r.attempts) > 0 && !c.Said.OK():
		l.Attempts--
		l.Reasons = append(slices.Clone(why(r.attempts[len(r.attempts)-1].CheckResultID)), "an attempt failed, and its retry has no result: "+cmp.Or(waited, "the session ended without it"))
	case r.open:
		l.Attempts--
		reason = cmp.Or(waited, "the session ended without a result of this location")
	case l.Said == monitoring.VerdictDegraded:
		if reason = "degraded: it was slower than the check allows"; l.Time != nil {
			reason = "degraded: a response time of " + millis(l.Time) + " is over the limit of the check"
		}
	case l.Said == monitoring.VerdictCancelled:
		reason = "it was cancelled"
	case !l.Said.OK():
		l.Reasons, reason = why(r.CheckResultID), string(l.Said)+"; the result does not say why"
	}
	if l.Verdict = o.judge(l.Said); l.Said != monitoring.VerdictPassed && len(l.Reasons) == 0 {
		l.Reasons = []string{reason}
	}
	return l
}

// nameOf returns the name of a session's check, or what else tells it from others.
func (c *cleaner) nameOf(s *monitoring.CheckSession) string {
	return cmp.Or(c.name(s.Name), strings.TrimSuffix("check "+c.word(s.CheckID), "check "), "session "+c.word(s.CheckSessionID))
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
