package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	monitoring "github.com/monitoring-api/monitoring-go"
)

const (
	mostLines  = 6   // of reasons of a card, without -all
	mostLine   = 400 // characters of one of them
	mostInCard = 20  // checks that a card names, without -all
	everything = 1 << 30
)

// text is the report for stdout: what did not pass, what still runs, and the verdict, which is its
// last line. With all it has every check, and reasons without a cut.
func (r *report) text(all bool) string {
	var b strings.Builder
	most, mostChecks := mostLines, mostInCard
	if all {
		most, mostChecks = everything, everything
		for _, c := range r.Checks {
			c.row(&b)
		}
	}
	for _, card := range r.cards(verdicts[:3]...) {
		card.text(&b, most, mostChecks)
	}
	if text := r.NotRunText(); text != "" {
		b.WriteString(text + "\n")
	}
	if text := r.SinceText(); text != "" {
		b.WriteString(text + "\n")
	}
	if ids := r.idLines(); ids != "" {
		flag := "-sessions"
		if slices.ContainsFunc(r.Checks, func(c *check) bool { return c.Running && c.test != "" }) {
			flag = "-test -sessions"
		}
		b.WriteString("Still running; " + flag + " with these ids waits for them:\n" + ids)
	}
	fmt.Fprintf(&b, "%s: %s.\n", r.Headline, r.Totals())
	return b.String()
}

// row writes a check with its locations. Names stand last.
func (c *check) row(b *strings.Builder) {
	fmt.Fprintf(b, "%-9s %8s  %s\n", c.Verdict, span(c.Took), c.Name)
	for _, l := range c.Locations {
		fmt.Fprintf(b, "  %-9s %6s  %s%s\n", l.Verdict, millis(l.Time), tried(l.Attempts), l.Name)
	}
}

// tried says how many attempts there were, if there was more than one.
func tried(attempts int) string {
	if attempts < 2 {
		return ""
	}
	return plural(attempts, "attempt") + "  "
}

func (c card) text(b *strings.Builder, most, mostChecks int) {
	if c.Verdict == monitoring.VerdictUnknown && !slices.ContainsFunc(c.Checks, func(c *check) bool { return !c.Running }) {
		return // they stand above the verdict
	}
	fmt.Fprintf(b, "%-9s %s\n", c.Verdict, c.Title())
	for _, line := range reasonLines(c.Findings, most) {
		b.WriteString("  " + line + "\n")
	}
	link := "" // of the run
	for _, f := range c.Findings {
		if len(c.Checks) == 1 {
			link = cmp.Or(link, f.Link)
		}
	}
	for i, check := range c.Checks {
		if i == mostChecks {
			fmt.Fprintf(b, "  and %s\n", plural(len(c.Checks)-i, "more check"))
			break
		}
		text := cmp.Or(link, check.Link, "session "+check.ID)
		if len(c.Checks) > 1 {
			text = check.Name + "  " + text
		}
		b.WriteString("  " + text + "\n")
	}
}

// reasonLines returns findings as lines, the first ones alone and cut if they are many and long.
func reasonLines(findings []finding, most int) (list []string) {
	for _, f := range findings {
		text := strings.ReplaceAll(f.Reason, "\n", "\n  ")
		if len(f.Locations) > 0 {
			where := f.Where()
			if most == everything {
				where = strings.Join(f.Locations, ", ")
			}
			text = where + ": " + text
		}
		list = append(list, strings.Split(text, "\n")...)
	}
	if len(list) > most {
		list = append(list[:most-1], fmt.Sprintf("… and %s", plural(len(list)-most+1, "more line")))
	}
	for i := range list {
		if most != everything {
			list[i] = shorten(list[i], mostLine)
		}
	}
	return list
}

// idLines are of what still runs, and -sessions takes them up again: the id of a session, and the
// name of its check.
func (r *report) idLines() string {
	var b strings.Builder
	taken := make(map[string]bool) // the checks of a test session have one id
	for _, c := range r.Checks {
		if c.Running && !(c.test != "" && taken[c.ID]) {
			taken[c.ID] = true
			b.WriteString(c.ID + " " + cmp.Or(c.test, c.Name) + "\n")
		}
	}
	return b.String()
}
