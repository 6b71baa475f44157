package main

import (
	"fmt"
	"strings"

	monitoring "github.com/monitoring-api/monitoring-go"
)

const (
	// GitHub drops a whole step summary over 1 MiB, and ends a comment at 65,536 characters.
	mostStepSummary = 1_000_000
	mostSummary     = 65_000
)

// detail is how much a Markdown text shows.
type detail struct {
	passed bool // the checks that passed
	reason int  // characters of a reason
	cards  int  // of what did not pass
}

// details are tried one after the other, until the text is short enough.
var details = []detail{
	{true, mostReason, everything}, {false, mostReason, everything}, {false, 1000, everything}, {false, 200, everything},
	{false, 200, 300}, {false, 200, 100}, {false, 100, 30}, {false, 100, 10}, {false, 0, 0},
}

// markdown is the report as Markdown of at most so many bytes: what did not pass first, and what
// passed inside <details>. If it is too long, what passed is left out first, and then reasons are
// cut.
func (r *report) markdown(most int) (text []byte) {
	var cards []*card
	for _, v := range verdicts[:4] { // all but those that passed
		cards = append(cards, r.cards(v)...)
	}
	for _, d := range details {
		if text = []byte(r.markdownWith(cards, d)); len(text) <= most {
			break
		}
	}
	return text
}

var signs = map[monitoring.Verdict]string{
	monitoring.VerdictPassed: "✅", monitoring.VerdictDegraded: "🐢", monitoring.VerdictFailed: "❌",
	monitoring.VerdictCancelled: "⏹️", monitoring.VerdictUnknown: "⚠️",
}

func (r *report) markdownWith(cards []*card, d detail) string {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s %s\n\n%s.\n", signs[r.verdict()], r.headline(), r.counted())
	if r.demo {
		b.WriteString("\nThis is a demo: its data is made up.\n")
	}
	for i, problem := range r.problems {
		if d.cards > 0 || i == 0 {
			fmt.Fprintf(&b, "\n> %s\n", escape(shorten(problem, max(d.reason, mostName))))
		}
	}
	cut := false
	for _, c := range cards[:min(len(cards), d.cards)] {
		cut = c.markdown(&b, d) || cut
	}
	passed := r.with(monitoring.VerdictPassed)
	if d.passed && len(passed) > 0 {
		fmt.Fprintf(&b, "\n<details><summary>%s passed</summary>\n\n| Check | Type | Locations | Took |\n| --- | --- | --- | ---: |\n",
			count(len(passed), "check"))
		for _, c := range passed {
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", linked(c.name, c.link), escape(c.kind), c.places(), span(c.took))
		}
		b.WriteString("\n</details>\n")
	}
	var left []string
	if !d.passed && len(passed) > 0 {
		left = append(left, "the "+count(len(passed), "check")+" that passed")
	}
	if more := len(cards) - d.cards; more > 0 {
		left = append(left, thousands(more)+" of the "+thousands(len(cards))+" entries above")
	}
	if cut {
		left = append(left, "the ends of long reasons")
	}
	if len(left) > 0 {
		fmt.Fprintf(&b, "\nThis text would be too long with everything. Left out: %s.\n", strings.Join(left, ", "))
	}
	return b.String()
}

// places are the locations of a check with their response times.
func (c *check) places() string {
	var list []string
	for _, l := range c.locations {
		text := escape(l.name) + " " + millis(l.ms)
		if n := l.attempts(); n > 1 {
			text += fmt.Sprintf(" (%d attempts)", n)
		}
		list = append(list, text)
	}
	return strings.Join(list, ", ")
}

const mostInMarkdown = 50 // checks that a card names

// markdown writes a card, and reports whether a reason was cut.
func (c *card) markdown(b *strings.Builder, d detail) (cut bool) {
	title := escape(c.title())
	if len(c.checks) == 1 {
		title = linked(c.title(), c.checks[0].link)
	}
	fmt.Fprintf(b, "\n### %s %s: %s\n", signs[c.verdict], c.verdict, title)
	for i, check := range c.checks {
		switch {
		case len(c.checks) == 1:
		case i == mostInMarkdown:
			fmt.Fprintf(b, "- and %s\n", count(len(c.checks)-i, "more check"))
		case i < mostInMarkdown:
			fmt.Fprintf(b, "- %s\n", linked(check.name, check.link))
		}
	}
	for _, f := range c.findings {
		if len(f.locations) > 0 {
			names := make([]string, len(f.locations))
			for i, name := range f.locations {
				names[i] = escape(name)
			}
			fmt.Fprintf(b, "\n%s:\n", strings.Join(names, ", "))
		}
		reason := shorten(f.reason, max(d.reason, 1))
		cut = cut || reason != f.reason
		b.WriteString(block(reason))
	}
	return cut
}

var escaper = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", "&lt;", ">", "&gt;", "&", "&amp;", "|", `\|`, "#", `\#`, "~", `\~`,
	"@", "&#64;", "://", "&#58;//", "www.", "www&#46;",
)

// escape escapes a text, so that it can neither break a table nor add markup or a link.
func escape(text string) string { return escaper.Replace(text) }

// linked links a name.
func linked(name, link string) string {
	if link == "" {
		return escape(name)
	}
	return fmt.Sprintf("[%s](<%s>)", escape(name), link)
}

// block is a block of code with a fence that is longer than any in the text.
func block(text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return "\n" + fence + "text\n" + text + "\n" + fence + "\n"
}
