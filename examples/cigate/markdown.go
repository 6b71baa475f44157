package main

import (
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/monitoring-api/monitoring-go/examples/internal/cli"
)

// writeMarkdown writes a summary that fits the summary of a CI job or a comment.
func (r *report) writeMarkdown(w io.Writer) error {
	var b strings.Builder
	sign := map[int]string{cli.ExitOK: "✅", cli.ExitNo: "❌", cli.ExitTrouble: "⚠️", cli.ExitInterrupted: "⚠️"}[r.exitCode()]
	fmt.Fprintf(&b, "## %s %s\n\n%s.\n", sign, r.headline(), r.counts())
	for _, problem := range r.problems {
		fmt.Fprintf(&b, "\n> %s\n", text(problem))
	}
	if len(r.checks) > 0 {
		b.WriteString("\n| Check | Type | Location | Status | Response time | Retries |\n| --- | --- | --- | --- | ---: | ---: |\n")
	}
	for _, c := range r.checks {
		for _, run := range c.runs {
			cells := run.cells()
			fmt.Fprintf(&b, "| %s | %s | %s | %s %s | %s | %s |\n", link(c.name(), c.session.CheckSessionLink),
				text(string(c.session.CheckType)), text(cells[0]), signs[run.verdict], text(cells[1]), cells[2], cells[3])
		}
	}
	for _, c := range r.checks {
		for _, run := range c.findings() {
			fmt.Fprintf(&b, "\n**%s, %s: %s**\n", link(c.name(), run.link), text(run.location), text(run.status))
			b.WriteString(block(run.messages))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

var signs = map[verdict]string{passed: "✅", degraded: "🐢", failed: "❌", cancelled: "⏹️", unknown: "⚠️"}

var escaper = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", "&lt;", ">", "&gt;", "&", "&amp;", "|", `\|`, "#",
	`\#`, "~", `\~`, "@", "&#64;",
)

// text escapes a text of the service, so that it can neither break the table nor add markup.
func text(s string) string { return escaper.Replace(cli.Clean(s)) }

// webLink is a link that cannot break the table: it has only characters that need no escape.
var webLink = regexp.MustCompile(`^https?://[A-Za-z0-9._~:/?#@!$&*+,;=%-]+$`)

// link links a name, or returns it alone if the address is unusual.
func link(name, url string) string {
	if !webLink.MatchString(url) {
		return text(name)
	}
	return fmt.Sprintf("[%s](<%s>)", text(name), url)
}

// block returns a code block with a fence that is longer than any in the lines.
func block(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	body := strings.Join(lines, "\n")
	fence := "```"
	for strings.Contains(body, fence) {
		fence += "`"
	}
	return "\n" + fence + "text\n" + body + "\n" + fence + "\n"
}
