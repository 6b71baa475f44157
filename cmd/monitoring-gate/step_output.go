package main

import (
	"cmp"
	"fmt"
	"strings"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// stepOutput are outputs of a step of GitHub Actions, for the next steps: a line of name and value
// each. Ids have no blanks and no commas of their own, so that -ids and -sessions take them.
func (r *report) stepOutput() []byte {
	var b strings.Builder
	line := func(name string, value any) { fmt.Fprintf(&b, "%s=%v\n", name, value) }
	line("verdict", r.Verdict)
	line("checks", len(r.Checks))
	link := ""
	for _, v := range verdicts {
		of := r.With(v)
		line(string(v), len(of))
		if len(of) > 0 && !v.OK() {
			link = cmp.Or(link, of[0].Link)
		}
	}
	line("failed-ids", ids(r.With(monitoring.VerdictFailed), func(c *check) (string, bool) { return c.CheckID, true }))
	line("new-ids", ids(r.Checks, func(c *check) (string, bool) { return c.CheckID, c.Since == sinceNew }))
	line("running-sessions", ids(r.Checks, func(c *check) (string, bool) { return c.ID, c.Running }))
	line("link", link)
	return []byte(b.String())
}

// ids joins ids of checks, each once.
func ids(checks []*check, id func(*check) (id string, wanted bool)) string {
	var list []string
	taken := map[string]bool{"": true}
	for _, c := range checks {
		if id, wanted := id(c); wanted && !taken[id] {
			taken[id] = true
			list = append(list, strings.ReplaceAll(id, ",", "_"))
		}
	}
	return strings.Join(list, ",")
}
