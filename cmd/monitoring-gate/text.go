package main

import (
	"fmt"
	"strings"

	monitoring "github.com/monitoring-api/monitoring-go"
)

const (
	mostLines  = 6  // of reasons of a card, without -all
	mostInCard = 20 // checks that a card names, without -all
	everything = 1 << 30
)

// text is the report for stdout: what did not pass, what still runs, and the verdict, which is its
// last line. With all it has every check, and reasons without a cut.
func (r *report) text(all bool) string {
	var b strings.Builder
	most, mostChecks := mostLines, mostInCard
	if all {
		most, mostChecks = everything, everything
		for _, c := range r.checks {
			c.row(&b)
		}
	}
	for _, v := range verdicts[:3] { // those that did not pass
		for _, card := range r.cards(v) {
			card.text(&b, most, mostChecks)
		}
	}
	b.WriteString(idLines(r.running()))
	fmt.Fprintf(&b, "%s: %s.\n", r.headline(), r.counted())
	return b.String()
}

// row writes a check with its locations. Names stand last.
func (c *check) row(b *strings.Builder) {
	fmt.Fprintf(b, "%-9s %8s  %s\n", c.verdict, span(c.took), c.name)
	for _, l := range c.locations {
		fmt.Fprintf(b, "  %-9s %6s  ", l.verdict, millis(l.ms))
		if n := l.attempts(); n > 1 {
			fmt.Fprintf(b, "%s  ", count(n, "attempt"))
		}
		b.WriteString(l.name + "\n")
	}
}

func (c *card) text(b *strings.Builder, most, mostChecks int) {
	still := 0
	for _, check := range c.checks {
		if check.running {
			still++
		}
	}
	if still == len(c.checks) && c.verdict == monitoring.VerdictUnknown {
		return // they stand above the verdict
	}
	fmt.Fprintf(b, "%-9s %s\n", c.verdict, c.title())
	for _, line := range lines(c.findings, most) {
		b.WriteString("  " + line + "\n")
	}
	for i, check := range c.checks {
		if i == mostChecks {
			fmt.Fprintf(b, "  and %s\n", count(len(c.checks)-i, "more check"))
			break
		}
		link := check.link
		if len(c.checks) == 1 && len(c.findings) > 0 && c.findings[0].link != "" {
			link = c.findings[0].link
		}
		if link == "" {
			link = "session " + check.id
		}
		if len(c.checks) > 1 {
			link += "  " + check.name
		}
		b.WriteString("  " + link + "\n")
	}
}

// idLines are lines that -sessions takes up again: the id of a session, and the name of its check.
func idLines(checks []*check) string {
	var b strings.Builder
	for _, c := range checks {
		b.WriteString(c.id + " " + c.name + "\n")
	}
	return b.String()
}

const mostAnnotations = 9 // GitHub shows ten of a kind for a step

// annotations are commands of GitHub Actions: a mark for each card, and one for those that are left
// out.
func (r *report) annotations() string {
	var b strings.Builder
	type mark struct{ title, text string }
	var marks []mark
	for _, v := range verdicts[:3] {
		for _, c := range r.cards(v) {
			marks = append(marks, mark{c.title(), strings.Join(lines(c.findings, mostLines), "\n")})
		}
	}
	for _, problem := range r.problems {
		marks = append(marks, mark{gateName, problem})
	}
	for i, m := range marks {
		if i == mostAnnotations {
			m = mark{gateName, "and " + thousands(len(marks)-i) + " more" + "; the log has all"}
		}
		if i <= mostAnnotations {
			b.WriteString(command(m.title, m.text))
		}
	}
	return b.String()
}

// command is the one place that makes a command of GitHub Actions.
func command(title, text string) string {
	data := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	return "::error title=" + property.Replace(title) + "::" + data.Replace(text) + "\n"
}
