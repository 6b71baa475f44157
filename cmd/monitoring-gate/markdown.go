package main

import (
	"fmt"
	"regexp"
	"strings"

	monitoring "github.com/monitoring-api/monitoring-go"
)

const (
	// GitHub drops a whole step summary over 1 MiB, and ends a comment at 65,536 characters.
	mostStepSummary = 1_000_000
	mostSummary     = 65_000
	mostInMarkdown  = 50 // checks that a card names
)

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
	fmt.Fprintf(&b, "## %s %s\n\n%s.\n", looks[r.Verdict].Emoji, r.Headline, r.Totals())
	if r.Demo {
		b.WriteString("\nThis is a demo: its data is made up.\n")
	}
	for _, text := range []string{r.NotRunText(), r.SinceText()} {
		if text != "" {
			fmt.Fprintf(&b, "\n%s\n", escape(text))
		}
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
		c.markdown(&b, show.reason, r.Href)
	}
	if passed := r.With(monitoring.VerdictPassed); show.passed && len(passed) > 0 {
		fmt.Fprintf(&b, "\n<details><summary>%s passed</summary>\n\n| Check | Type | Locations | Took |\n| --- | --- | --- | ---: |\n",
			plural(len(passed), "check"))
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
	var list []string
	for _, l := range c.Locations[:min(len(c.Locations), mostPlaces)] {
		list = append(list, strings.TrimSpace(escape(l.Name)+" "+millis(l.Time)+" "+tried(l.Attempts)))
	}
	if more := len(c.Locations) - len(list); more > 0 {
		list = append(list, thousands(more)+" more")
	}
	return strings.Join(list, ", ")
}

// markdown writes a card, with so many characters of a reason.
// href is where the page has a check, or "".
func (c card) markdown(b *strings.Builder, most int, href func(*check) string) {
	link, more := "", ""
	if len(c.Checks) == 1 {
		link, more = c.Checks[0].Link, evidenceAt(href(c.Checks[0]))
	}
	fmt.Fprintf(b, "\n### %s %s: %s%s\n", looks[c.Verdict].Emoji, c.Verdict, linked(c.Title(), link), more)
	if len(c.Checks) > 1 {
		for _, check := range c.Checks[:min(len(c.Checks), mostInMarkdown)] {
			fmt.Fprintf(b, "- %s%s\n", linked(check.Name, check.Link), evidenceAt(href(check)))
		}
		if more := len(c.Checks) - mostInMarkdown; more > 0 {
			fmt.Fprintf(b, "- and %s\n", plural(more, "more check"))
		}
	}
	for _, f := range c.Findings {
		if len(f.Locations) > 0 {
			fmt.Fprintf(b, "\n%s:\n", escape(f.Where()))
		}
		reason, fence := shorten(f.Reason, most), "```"
		for strings.Contains(reason, fence) {
			fence += "`"
		}
		fmt.Fprintf(b, "\n%stext\n%s\n%s\n", fence, reason, fence)
	}
}

// evidenceAt links the page.
func evidenceAt(href string) string {
	if href == "" {
		return ""
	}
	return fmt.Sprintf(" ([evidence](<%s>))", href)
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
