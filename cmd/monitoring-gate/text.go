package main

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	monitoring "github.com/monitoring-api/monitoring-go"
)

const (
	mostLines       = 6   // of reasons of a card, without -all
	mostLine        = 400 // characters of one of them
	mostInCard      = 20  // checks that a card names, without -all
	everything      = 1 << 30
	mostAnnotations = 9 // GitHub shows ten of a kind for a step
	// GitHub drops a whole step summary over 1 MiB, and ends a comment at 65,536 characters.
	mostStepSummary = 1_000_000
	mostSummary     = 65_000
	mostInMarkdown  = 50 // checks that a card names
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
	fmt.Fprintf(&b, "%s%s: %s.\n", r.idLines(), r.Headline, r.Counted())
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
	return count(attempts, "attempt") + "  "
}

func (c card) text(b *strings.Builder, most, mostChecks int) {
	if c.Verdict == monitoring.VerdictUnknown && !slices.ContainsFunc(c.Checks, func(c *check) bool { return !c.Running }) {
		return // they stand above the verdict
	}
	fmt.Fprintf(b, "%-9s %s\n", c.Verdict, c.Title())
	for _, line := range lines(c.Findings, most) {
		b.WriteString("  " + line + "\n")
	}
	link := "" // of the run
	if len(c.Checks) == 1 && len(c.Findings) > 0 {
		link = c.Findings[0].Link
	}
	for i, check := range c.Checks {
		if i == mostChecks {
			fmt.Fprintf(b, "  and %s\n", count(len(c.Checks)-i, "more check"))
			break
		}
		text := cmp.Or(link, check.Link, "session "+check.ID)
		if len(c.Checks) > 1 {
			text += "  " + check.Name
		}
		b.WriteString("  " + text + "\n")
	}
}

// lines returns findings as lines, the first ones alone and cut if they are many and long.
func lines(findings []finding, most int) (list []string) {
	for _, f := range findings {
		text := strings.ReplaceAll(f.Reason, "\n", "\n  ")
		if len(f.Locations) > 0 {
			text = strings.Join(f.Locations, ", ") + ": " + text
		}
		list = append(list, strings.Split(text, "\n")...)
	}
	if len(list) > most {
		list = append(list[:most-1], fmt.Sprintf("… and %s", count(len(list)-most+1, "more line")))
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
func (r *report) idLines() (text string) {
	for _, c := range r.Checks {
		if c.Running {
			text += c.ID + " " + c.Name + "\n"
		}
	}
	return text
}

// annotations are commands of GitHub Actions: a mark for each card, and one for those that are left
// out.
func (r *report) annotations() (text string) {
	var marks []string
	for _, c := range r.cards(verdicts[:3]...) {
		marks = append(marks, command(c.Title(), strings.Join(lines(c.Findings, mostLines), "\n")))
	}
	for _, problem := range r.Problems {
		marks = append(marks, command(gateName, problem))
	}
	if more := len(marks) - mostAnnotations; more > 0 {
		marks = append(marks[:mostAnnotations], command(gateName, "and "+thousands(more)+" more; the log has all"))
	}
	return strings.Join(marks, "")
}

// command is the one place that makes a command of GitHub Actions.
func command(title, text string) string {
	data := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property := strings.NewReplacer(":", "%3A", ",", "%2C")
	return "::error title=" + property.Replace(data.Replace(title)) + "::" + data.Replace(text) + "\n"
}

// shown is how much a Markdown text shows.
type shown struct {
	passed bool // the checks that passed
	reason int  // characters of a reason
	cards  int  // of what did not pass
}

// levels are tried one after the other, until the text is short enough.
var levels = []shown{
	{true, mostReason, everything}, {false, mostReason, everything}, {false, 1000, everything}, {false, 200, everything},
	{false, 200, 300}, {false, 200, 100}, {false, 100, 30}, {false, 100, 10}, {false, 0, 0},
}

// markdown is the report as Markdown of at most so many bytes: what did not pass first, and what
// passed inside <details>. If it is too long, what passed is left out first, and then reasons are
// cut.
func (r *report) markdown(most int) (text []byte) {
	cards := r.cards(verdicts[:4]...) // all but those that passed
	for _, level := range levels {
		if text = []byte(r.markdownWith(cards, level)); len(text) <= most {
			break
		}
	}
	return text
}

func (r *report) markdownWith(cards []card, show shown) string {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s %s\n\n%s.\n", looks[r.Verdict].Emoji, r.Headline, r.Counted())
	if r.Demo {
		b.WriteString("\nThis is a demo: its data is made up.\n")
	}
	for i, problem := range r.Problems {
		if show.cards > 0 || i == 0 {
			fmt.Fprintf(&b, "\n> %s\n", escape(shorten(problem, max(show.reason, mostName))))
		}
	}
	left := "what passed"
	if show.reason < mostReason {
		left += ", the ends of long reasons"
	}
	if more := len(cards) - show.cards; more > 0 {
		left += ", " + thousands(more) + " of the " + thousands(len(cards)) + " entries above"
		cards = cards[:show.cards]
	}
	for _, c := range cards {
		c.markdown(&b, show.reason)
	}
	if passed := r.With(monitoring.VerdictPassed); show.passed && len(passed) > 0 {
		fmt.Fprintf(&b, "\n<details><summary>%s passed</summary>\n\n| Check | Type | Locations | Took |\n| --- | --- | --- | ---: |\n",
			count(len(passed), "check"))
		for _, c := range passed {
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", linked(c.Name, c.Link), escape(c.Kind), c.places(), span(c.Took))
		}
		b.WriteString("\n</details>\n")
	}
	if !show.passed {
		fmt.Fprintf(&b, "\nThis text would be too long with everything. Left out: %s.\n", left)
	}
	return b.String()
}

// places are the locations of a check with their response times.
func (c *check) places() string {
	list := make([]string, len(c.Locations))
	for i, l := range c.Locations {
		list[i] = strings.TrimSpace(escape(l.Name) + " " + millis(l.Time) + " " + tried(l.Attempts))
	}
	return strings.Join(list, ", ")
}

// markdown writes a card, with so many characters of a reason.
func (c card) markdown(b *strings.Builder, most int) {
	link := ""
	if len(c.Checks) == 1 {
		link = c.Checks[0].Link
	}
	fmt.Fprintf(b, "\n### %s %s: %s\n", looks[c.Verdict].Emoji, c.Verdict, linked(c.Title(), link))
	if len(c.Checks) > 1 {
		for _, check := range c.Checks[:min(len(c.Checks), mostInMarkdown)] {
			fmt.Fprintf(b, "- %s\n", linked(check.Name, check.Link))
		}
		if more := len(c.Checks) - mostInMarkdown; more > 0 {
			fmt.Fprintf(b, "- and %s\n", count(more, "more check"))
		}
	}
	for _, f := range c.Findings {
		if len(f.Locations) > 0 {
			fmt.Fprintf(b, "\n%s:\n", escape(strings.Join(f.Locations, ", ")))
		}
		reason, fence := shorten(f.Reason, most), "```"
		for strings.Contains(reason, fence) {
			fence += "`"
		}
		fmt.Fprintf(b, "\n%stext\n%s\n%s\n", fence, reason, fence)
	}
}

// A comment is not seen, and ends what looks like a mention, an emoji such as :tada: or an address.
var escapes = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", "&lt;", ">", "&gt;", "&", "&amp;", "|", "&#124;", "~", `\~`,
	"@", "@<!-- -->", ":", ":<!-- -->", "#", `\#<!-- -->`, "www.", "www&#46;", "$", "&#36;",
)
var numbers = regexp.MustCompile(`(?i)\bGH-|[0-9a-f]{6}`) // of an issue or a commit, which GitHub links
var items = regexp.MustCompile(`^([0-9]*)([-+.)])`)       // what begins an item of a list

// escape escapes a text, so that it can neither break a table nor add markup or a link.
func escape(text string) string {
	return items.ReplaceAllString(numbers.ReplaceAllString(escapes.Replace(text), "$0<!-- -->"), `$1\$2`)
}

// linked links a name.
func linked(name, link string) string {
	if link == "" {
		return escape(name)
	}
	return fmt.Sprintf("[%s](<%s>)", escape(name), link)
}
