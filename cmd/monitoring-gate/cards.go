package main

import (
	"slices"
	"strings"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// finding is a reason, and the locations that have it; none if it is of the check.
type finding struct {
	Reason    string // one or more lines
	Link      string // to the first of the locations
	Locations []string
}

// Where names the locations, the first ones alone if they are many.
func (f finding) Where() string { return named(f.Locations, mostPlaces) }

const mostPlaces = 20 // locations that are named for a reason

// named joins names, and says how many there are beyond the first ones.
func named(names []string, most int) string {
	if more := len(names) - most; more > 0 {
		return strings.Join(names[:most], ", ") + " and " + thousands(more) + " more"
	}
	return strings.Join(names, ", ")
}

// findings returns why checks did not pass, or are degraded. Equal reasons are there once.
func findings(checks ...*check) (list []finding) {
	at, placed := make(map[string]int), make(map[[2]string]bool)
	add := func(reasons []string, link string, locations ...string) {
		reason := strings.Join(reasons, "\n")
		i, known := at[reason]
		if !known {
			i, list = len(list), append(list, finding{Reason: reason, Link: link})
			at[reason] = i
		}
		for _, name := range locations {
			if key := [2]string{reason, name}; !placed[key] {
				placed[key] = true
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

// Reasons that are not known: the end of one, and the beginnings of others.
const (
	unexplained = "the result does not say why"
	notRead     = "the details were not read"
	unreadable  = "the details could not be read: "
)

const mostAlike = 2 // checks of equal reasons with a card each

// cards returns cards for the checks of the verdicts.
func (r *report) cards(of ...monitoring.Verdict) (list []card) {
	alike, keys := make(map[string][]*check), make(map[*check]string)
	for _, c := range r.With(of...) {
		reasons := []string{string(c.Verdict)}
		for _, f := range findings(c) {
			reasons = append(reasons, f.Reason)
		}
		if slices.ContainsFunc(reasons, func(text string) bool { return strings.HasSuffix(text, unexplained) }) {
			reasons = append(reasons, c.ID) // nobody knows that what is not known is the same
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
	if slices.ContainsFunc(c.Findings, func(f finding) bool {
		return strings.HasPrefix(f.Reason, notRead) || strings.HasPrefix(f.Reason, unreadable)
	}) {
		return plural(len(c.Checks), "check") + " whose details were not read"
	}
	return plural(len(c.Checks), "check") + " for the same reason"
}
