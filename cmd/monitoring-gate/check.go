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
	Verdict   monitoring.Verdict `json:"-"` // what counts: degraded is failed with -fail-on-degraded
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

// mostTime is a response time in milliseconds: more than a day is none.
const mostTime = 24 * 60 * 60 * 1000

// newCheck makes a check of a session as last seen. waited is why its end was not seen, "" if it
// was. why returns what is known about a result that did not pass.
func newCheck(s *monitoring.CheckSession, waited string, why func(resultID string) []string, o options, clean *cleaner) *check {
	c := &check{
		ID: clean.word(s.CheckSessionID), CheckID: clean.word(s.CheckID), Kind: clean.name(string(s.CheckType)), Said: s.Verdict(),
		Status: clean.name(string(s.Status)), Link: clean.link(s.CheckSessionLink), Locations: []location{}, Verdict: o.judge(s.Verdict()),
		Took: max(s.Duration(), 0), started: s.StartedAt.Time,
	}
	c.Name = cmp.Or(clean.name(s.Name), strings.TrimSuffix("check "+c.CheckID, "check "), "session "+c.ID)
	tries, results := make(map[string][]time.Time), s.FinalResults()
	for _, r := range s.Attempts() {
		tries[r.RunLocation] = append(tries[r.RunLocation], monitoring.ValueOr(r.StoppedAt, monitoring.Timestamp{}).Time)
	}
	final := len(results) // of a location that has none there is an empty one behind them
	for _, name := range s.RunLocations {
		if !slices.ContainsFunc(results, func(r monitoring.CheckSessionResult) bool { return r.RunLocation == name }) {
			results = append(results, monitoring.CheckSessionResult{RunLocation: name})
		}
	}
	for i, r := range results {
		before := tries[r.RunLocation]
		l := location{
			Name: cmp.Or(clean.name(r.RunLocation), "no location"), Said: r.Verdict(), Attempts: len(before) + 1, Reasons: []string{},
			Link: cmp.Or(clean.link(r.CheckResultLink), c.Link), tries: before, ended: monitoring.ValueOr(r.StoppedAt, monitoring.Timestamp{}).Time,
		}
		if ms := monitoring.ValueOr(r.ResponseTime, -1); ms >= 0 && ms <= mostTime {
			l.Time = &ms
		}
		reason := ""
		switch {
		case i >= final && waited != "":
			l.Said, l.Attempts, reason = monitoring.VerdictUnknown, l.Attempts-1, waited
		case i >= final:
			l.Said, l.Attempts, reason = c.Said, l.Attempts-1, "the session ended without a result of this location"
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
		c.Locations = append(c.Locations, l)
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
