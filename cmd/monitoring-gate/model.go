package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
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
	Problems []string           `json:"-"`       // why something is not known, in sentences
	Headline string             `json:"-"`       // the verdict in a few words
	Demo     bool               `json:"-"`       // the data is made up

	exitCode int
}

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

func newReport(demo bool) *report {
	return &report{Started: time.Now().UTC().Truncate(time.Millisecond), Checks: []*check{}, Missing: []string{}, Demo: demo}
}

// newCheck makes a check of a session as last seen. waited is why its end was not seen, "" if it
// was. why returns what is known about a result that did not pass.
func newCheck(s *monitoring.CheckSession, waited string, why func(resultID string) []string, o options, clean *cleaner) *check {
	c := &check{
		ID: clean.word(s.CheckSessionID), CheckID: clean.word(s.CheckID), Kind: clean.name(string(s.CheckType)), Said: s.Verdict(),
		Status: clean.name(string(s.Status)), Link: clean.link(s.CheckSessionLink), Locations: []location{}, Verdict: o.counts(s.Verdict()),
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
		if l.Verdict = o.counts(l.Said); l.Said != monitoring.VerdictPassed && len(l.Reasons) == 0 {
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

// counts returns the verdict that counts for the gate.
func (o options) counts(v monitoring.Verdict) monitoring.Verdict {
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

// look is how outputs show a verdict: never by a color alone.
type look struct {
	Sign, Emoji string
	Shape       string // what a mark in a drawing looks like, and its path from the middle
	Path        string
	Color       string // where the style is refused
	terminal    string
}

// verdicts are in the order in which outputs show them. The first three did not pass.
var verdicts = []monitoring.Verdict{
	monitoring.VerdictFailed, monitoring.VerdictUnknown, monitoring.VerdictCancelled, monitoring.VerdictDegraded, monitoring.VerdictPassed,
}

var looks = map[monitoring.Verdict]look{
	monitoring.VerdictPassed:    {"✓", "✅", "●", "m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z", "#1a7f37", "32"},
	monitoring.VerdictDegraded:  {"▲", "🐢", "▲", "m0-4l4 7.5h-8z", "#8f5500", "33"},
	monitoring.VerdictFailed:    {"✗", "❌", "■", "m-3.5-3.5h7v7h-7z", "#c4241c", "31"},
	monitoring.VerdictCancelled: {"▬", "⏹️", "▬", "m-3.5-1.5h7v3h-7z", "#57606a", "33"},
	monitoring.VerdictUnknown:   {"?", "⚠️", "◆", "m0-4.5l4.5 4.5l-4.5 4.5l-4.5-4.5z", "#6045b4", "33"},
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
	count := func(list ...monitoring.Verdict) int { return len(r.With(list...)) }
	unknown := len(r.Problems) + count(monitoring.VerdictUnknown, monitoring.VerdictCancelled)
	r.exitCode, r.Verdict, r.Headline = exitUnknown, monitoring.VerdictUnknown, "Could not tell whether the checks pass"
	switch {
	case count(monitoring.VerdictFailed) > 0:
		r.exitCode, r.Verdict, r.Headline = exitFailed, monitoring.VerdictFailed, "Checks failed"
	case interrupted:
		r.exitCode = exitInterrupted
	case unknown == 0 && len(r.Checks) > 0:
		r.exitCode, r.Verdict, r.Headline = exitPassed, monitoring.VerdictPassed, "Checks passed"
		if count(monitoring.VerdictDegraded) > 0 {
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

// Counted is the verdict in numbers, such as "5 checks in 9.0s: 1 failed, 4 passed".
func (r *report) Counted() string {
	if len(r.Checks) == 0 {
		return "no check was seen"
	}
	var parts []string
	for _, t := range r.Tallies() {
		parts = append(parts, thousands(t.N)+" "+string(t.Verdict))
	}
	return count(len(r.Checks), "check") + " in " + span(r.Ended.Sub(r.Started)) + ": " + strings.Join(parts, ", ")
}

// json is the report as JSON. The verdicts of sessions and results are theirs: only the verdict at
// the top counts a degraded check as -fail-on-degraded says.
func (r *report) json() []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b) // it escapes < > &, so the JSON may stand in a page
	encoder.SetIndent("", " ")
	encoder.Encode(r) // it does not fail for these types
	return b.Bytes()
}

// nameChecks gives each check a name of its own. Checks of one name also get their ids, which stay
// the same from run to run. What is equal even then gets numbers, as sessions of one check do.
func (r *report) nameChecks() {
	count, taken := map[string]int{gateName: 1}, map[string]bool{gateName: true}
	for _, c := range r.Checks {
		count[c.Name]++
	}
	for _, c := range r.Checks {
		if count[c.Name] > 1 {
			c.Name += " (" + c.CheckID + ")"
		}
		c.Name = unused(c.Name, taken, "")
	}
}

// unused returns a name, with a number if it is taken, and takes it. What is taken begins with a
// prefix.
func unused(name string, taken map[string]bool, prefix string) string {
	free := name
	for n := 2; taken[prefix+free]; n++ {
		free = fmt.Sprintf("%s #%d", name, n)
	}
	taken[prefix+free] = true
	return free
}

// finding is a reason, and the locations that have it; none if it is of the check.
type finding struct {
	Reason    string // one or more lines
	Link      string // to the first of the locations
	Locations []string
}

// findings returns why checks did not pass, or are degraded. Equal reasons are there once.
func findings(checks ...*check) (list []finding) {
	add := func(reasons []string, link string, locations ...string) {
		reason := strings.Join(reasons, "\n")
		i := slices.IndexFunc(list, func(f finding) bool { return f.Reason == reason })
		if i < 0 {
			i, list = len(list), append(list, finding{Reason: reason, Link: link})
		}
		for _, name := range locations {
			if !slices.Contains(list[i].Locations, name) {
				list[i].Locations = append(list[i].Locations, name)
			}
		}
	}
	for _, c := range checks {
		if len(c.reasons) > 0 {
			add(c.reasons, c.Link)
		}
		for _, l := range c.Locations {
			// A location that still runs does not say why the check failed.
			runs := l.Verdict == monitoring.VerdictUnknown && c.Verdict == monitoring.VerdictFailed && l.ended.IsZero()
			if len(l.Reasons) > 0 && !runs {
				add(l.Reasons, l.Link, l.Name)
			}
		}
	}
	return list
}

// card is what an output shows of checks that have equal reasons: of one or two by themselves, of
// three or more at once.
type card struct {
	Verdict  monitoring.Verdict
	Checks   []*check
	Findings []finding // with all locations of all these checks
}

const mostAlike = 2 // checks of equal reasons with a card each

// cards returns cards for the checks of the verdicts.
func (r *report) cards(of ...monitoring.Verdict) (list []card) {
	alike, keys := make(map[string][]*check), make(map[*check]string)
	for _, c := range r.With(of...) {
		reasons := []string{string(c.Verdict)}
		for _, f := range findings(c) {
			reasons = append(reasons, f.Reason)
		}
		slices.Sort(reasons)
		keys[c] = strings.Join(reasons, "\x00")
		alike[keys[c]] = append(alike[keys[c]], c)
	}
	for _, c := range r.With(of...) {
		same := alike[keys[c]]
		if len(same) <= mostAlike {
			same = []*check{c}
		}
		if same[0] == c {
			list = append(list, card{c.Verdict, same, findings(same...)})
		}
	}
	return list
}

// Title names the checks of a card.
func (c card) Title() string {
	if len(c.Checks) == 1 {
		return c.Checks[0].Name
	}
	return count(len(c.Checks), "check") + " for the same reason"
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
func millis(ms *float64) string {
	switch {
	case ms == nil:
		return "-"
	case *ms < 999.5:
		return fmt.Sprintf("%.0f ms", *ms)
	case *ms < 60_000:
		return fmt.Sprintf("%.2f s", *ms/1000)
	}
	return span(time.Duration(*ms * float64(time.Millisecond)))
}

// span formats a duration: 0.8s, 12s, 5m, 3m5s.
func span(d time.Duration) string {
	if d < 10*time.Second {
		return fmt.Sprintf("%.1fs", d.Seconds())
	}
	text := strings.Replace(d.Round(time.Second).String(), "m0s", "m", 1)
	return strings.Replace(text, "h0m", "h", 1)
}
