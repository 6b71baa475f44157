package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// report is what came of a run of the gate. Every output is made from it and from nothing else.
// Its texts have passed the cleaner.
type report struct {
	started, ended time.Time
	checks         []*check
	missing        []string // ids of checks that were to run and were not started
	problems       []string // why something is not known, in sentences
	interrupted    bool
	demo           bool // the data is made up
}

// check is the session of a check.
type check struct {
	id, checkID string
	name        string // unlike that of every other check of the report
	kind        string // such as API; "" if it is not known
	status      string
	link        string
	said        monitoring.Verdict // what the session says
	verdict     monitoring.Verdict // what counts: degraded is failed with -fail-on-degraded
	started     time.Time
	took        time.Duration
	running     bool // the waiting ended before the session, which goes on
	locations   []location
	reasons     []string // why it did not pass, if no location says it
}

// location is the run of a check in one location.
type location struct {
	name          string
	said, verdict monitoring.Verdict // as of a check
	tries         []time.Time        // when attempts before the last one ended
	ended         time.Time          // when the last one ended; zero if there is none yet
	ms            float64            // response time in milliseconds; below 0 if there is none
	link          string
	reasons       []string // why it did not pass, each of one or more lines

	resultID string
}

// newCheck makes a check of a session as last seen. waited is why its end was not seen, "" if it
// was. read returns what is known about a result that did not pass.
func newCheck(s *monitoring.CheckSession, waited string, read func(resultID string) []string, o options, clean *cleaner) *check {
	c := &check{
		id: clean.word(s.CheckSessionID), checkID: clean.word(s.CheckID), kind: clean.name(string(s.CheckType)),
		status: clean.status(s.Status), link: clean.link(s.CheckSessionLink), said: s.Verdict(),
		started: s.StartedAt.Time, took: max(s.Duration(), 0),
	}
	c.verdict = o.counts(c.said)
	c.name = cmp.Or(clean.name(s.Name), "check "+cmp.Or(c.checkID, c.id, "without a name"))
	tries := make(map[string][]time.Time)
	for _, r := range s.Attempts() {
		tries[r.RunLocation] = append(tries[r.RunLocation], moment(r.StoppedAt))
	}
	for _, r := range s.FinalResults() {
		l := location{
			name: clean.location(r.RunLocation), said: r.Verdict(), tries: tries[r.RunLocation], ended: moment(r.StoppedAt),
			ms: monitoring.Or(r.ResponseTime, -1), link: clean.link(r.CheckResultLink), resultID: r.CheckResultID,
		}
		l.verdict = o.counts(l.said)
		switch {
		case l.said == monitoring.VerdictDegraded:
			l.reasons = []string{"degraded: a response time of " + millis(l.ms) + " is over the limit of the check"}
		case l.said == monitoring.VerdictCancelled:
			l.reasons = []string{"it was cancelled"}
		case !l.said.Good():
			l.reasons = read(r.CheckResultID)
			if len(l.reasons) == 0 {
				l.reasons = []string{string(l.said) + "; the result does not say why"}
			}
		}
		c.locations = append(c.locations, l)
	}
	c.addOpen(s, waited, tries, clean)
	return c
}

// addOpen adds the locations that have no final result, and why the check has its verdict if no
// location says it.
func (c *check) addOpen(s *monitoring.CheckSession, waited string, tries map[string][]time.Time, clean *cleaner) {
	verdict, reason := c.verdict, "the session ended without a result of this location"
	if waited != "" {
		verdict, reason = monitoring.VerdictUnknown, waited
	}
	for _, name := range s.RunLocations {
		if !slices.ContainsFunc(s.FinalResults(), func(r monitoring.CheckSessionResult) bool { return r.RunLocation == name }) {
			l := location{name: clean.location(name), said: verdict, verdict: verdict, tries: tries[name], ms: -1, link: c.link}
			if !l.verdict.Good() {
				l.reasons = []string{reason}
			}
			c.locations = append(c.locations, l)
		}
	}
	explained := slices.ContainsFunc(c.locations, func(l location) bool { return l.verdict == c.verdict })
	switch {
	case explained || c.verdict == monitoring.VerdictPassed:
	case waited != "":
		c.reasons = []string{waited}
	default:
		c.reasons = []string{"the session ended " + cmp.Or(c.status, "without a status") + ", and no result says why"}
	}
}

func moment(t *monitoring.Timestamp) time.Time {
	if t == nil {
		return time.Time{}
	}
	return t.Time
}

// counts returns the verdict that counts for the gate.
func (o options) counts(v monitoring.Verdict) monitoring.Verdict {
	if v == monitoring.VerdictDegraded && o.failOnDegraded {
		return monitoring.VerdictFailed
	}
	return v
}

// attempts is how often the check was tried in the location.
func (l location) attempts() int {
	if l.ended.IsZero() {
		return len(l.tries)
	}
	return len(l.tries) + 1
}

// attempts is how often the check was tried where it was tried most.
func (c *check) attempts() (most int) {
	for _, l := range c.locations {
		most = max(most, l.attempts())
	}
	return most
}

// verdicts are in the order in which outputs show them.
var verdicts = []monitoring.Verdict{
	monitoring.VerdictFailed, monitoring.VerdictUnknown, monitoring.VerdictCancelled, monitoring.VerdictDegraded, monitoring.VerdictPassed,
}

// with returns the checks that have a verdict.
func (r *report) with(v monitoring.Verdict) []*check {
	return slices.DeleteFunc(slices.Clone(r.checks), func(c *check) bool { return c.verdict != v })
}

// running returns the checks that go on.
func (r *report) running() []*check {
	return slices.DeleteFunc(slices.Clone(r.checks), func(c *check) bool { return !c.running })
}

// exitCode is 1 if a check failed, whatever else is not known.
func (r *report) exitCode() int {
	unknown := len(r.problems) > 0 || len(r.missing) > 0 || len(r.checks) == 0
	switch {
	case len(r.with(monitoring.VerdictFailed)) > 0:
		return exitFailed
	case r.interrupted:
		return exitInterrupted
	case unknown, len(r.with(monitoring.VerdictUnknown)) > 0, len(r.with(monitoring.VerdictCancelled)) > 0:
		return exitUnknown
	}
	return exitPassed
}

// verdict is that of all checks together.
func (r *report) verdict() monitoring.Verdict {
	switch code := r.exitCode(); {
	case code == exitFailed:
		return monitoring.VerdictFailed
	case code != exitPassed:
		return monitoring.VerdictUnknown
	case len(r.with(monitoring.VerdictDegraded)) > 0:
		return monitoring.VerdictDegraded
	}
	return monitoring.VerdictPassed
}

// headline is the verdict in a few words.
func (r *report) headline() string {
	switch r.exitCode() {
	case exitPassed:
		return "Checks passed"
	case exitFailed:
		return "Checks failed"
	}
	return "Could not tell whether the checks pass"
}

// counted is the verdict in numbers, such as "5 checks in 9.0s: 1 failed, 4 passed".
func (r *report) counted() string {
	if len(r.checks) == 0 {
		return "no check was seen"
	}
	var parts []string
	for _, v := range verdicts {
		if n := len(r.with(v)); n > 0 {
			parts = append(parts, thousands(n)+" "+string(v))
		}
	}
	return count(len(r.checks), "check") + " in " + span(r.ended.Sub(r.started)) + ": " + strings.Join(parts, ", ")
}

// nameChecks gives each check a name of its own. Checks of one name also get their ids, which stay
// the same from run to run. Only sessions of one check that ran more than once get numbers.
func (r *report) nameChecks() {
	for changed := true; changed; {
		changed = false
		count := map[string]int{gateName: 1}
		for _, c := range r.checks {
			count[c.name]++
		}
		for _, c := range r.checks {
			if suffix := " (" + c.checkID + ")"; count[c.name] > 1 && !strings.HasSuffix(c.name, suffix) {
				c.name, changed = c.name+suffix, true
			}
		}
	}
	taken := map[string]bool{gateName: true}
	for _, c := range r.checks {
		c.name = unused(c.name, func(name string) bool { return taken[name] })
		taken[c.name] = true
	}
}

// unused returns a name, with a number if it is taken.
func unused(name string, taken func(string) bool) string {
	free := name
	for n := 2; taken(free); n++ {
		free = fmt.Sprintf("%s #%d", name, n)
	}
	return free
}

// finding is a reason, and the locations that have it; none if it is of the check.
type finding struct {
	locations []string
	reason    string // one or more lines
	link      string // to the first of the locations
}

// findings returns why a check did not pass, or is degraded. Equal reasons are there once.
func (c *check) findings() (list []finding) {
	if len(c.reasons) > 0 {
		list = append(list, finding{reason: strings.Join(c.reasons, "\n"), link: c.link})
	}
	for _, l := range c.locations {
		if len(l.reasons) == 0 || l.verdict == monitoring.VerdictUnknown && c.verdict == monitoring.VerdictFailed && l.ended.IsZero() {
			continue // a location that still runs does not say why the check failed
		}
		reason := strings.Join(l.reasons, "\n")
		if i := slices.IndexFunc(list, func(f finding) bool { return f.reason == reason }); i >= 0 && len(list[i].locations) > 0 {
			list[i].locations = append(list[i].locations, l.name)
			continue
		}
		list = append(list, finding{[]string{l.name}, reason, cmp.Or(l.link, c.link)})
	}
	return list
}

// card is what an output shows of checks that have equal reasons: of one or two by themselves, of
// three or more at once.
type card struct {
	verdict  monitoring.Verdict
	checks   []*check
	findings []finding // with all locations of all these checks
}

const mostAlike = 2 // checks of equal reasons with a card each

// cards returns cards for the checks of a verdict.
func (r *report) cards(v monitoring.Verdict) (list []*card) {
	alike := make(map[string][]*check)
	keys := make(map[*check]string)
	for _, c := range r.with(v) {
		var reasons []string
		for _, f := range c.findings() {
			reasons = append(reasons, f.reason)
		}
		slices.Sort(reasons)
		keys[c] = strings.Join(reasons, "\x00")
		alike[keys[c]] = append(alike[keys[c]], c)
	}
	for _, c := range r.with(v) {
		switch same := alike[keys[c]]; {
		case len(same) <= mostAlike:
			list = append(list, &card{v, []*check{c}, c.findings()})
		case same[0] == c:
			list = append(list, &card{v, same, together(same)})
		}
	}
	return list
}

// together returns the findings of checks that have equal reasons, with the locations of all.
func together(checks []*check) []finding {
	list := checks[0].findings()
	for _, c := range checks[1:] {
		for _, f := range c.findings() {
			i := slices.IndexFunc(list, func(same finding) bool { return same.reason == f.reason })
			for _, name := range f.locations {
				if !slices.Contains(list[i].locations, name) {
					list[i].locations = append(list[i].locations, name)
				}
			}
		}
	}
	return list
}

// title names the checks of a card.
func (c *card) title() string {
	if len(c.checks) == 1 {
		return c.checks[0].name
	}
	return count(len(c.checks), "check") + " for the same reason"
}

// count returns a number with its noun: 1 check, 5 checks.
func count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return thousands(n) + " " + noun
}

func thousands(n int) string {
	if n >= 1000 {
		return fmt.Sprintf("%s,%03d", thousands(n/1000), n%1000)
	}
	return fmt.Sprint(n)
}

// millis formats a response time in milliseconds, "-" if there is none.
func millis(ms float64) string {
	switch {
	case ms < 0:
		return "-"
	case ms < 1000:
		return fmt.Sprintf("%.0f ms", ms)
	}
	return fmt.Sprintf("%.2f s", ms/1000)
}

// span formats a duration: 0.8s, 12s, 5m, 3m5s.
func span(d time.Duration) string {
	if d < 10*time.Second {
		return fmt.Sprintf("%.1fs", d.Seconds())
	}
	text := d.Round(time.Second).String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}
