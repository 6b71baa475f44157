package main

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"strings"
)

// ignored are findings that were looked at and are accepted: lines of a file.
type ignored []*rule

type rule struct {
	text    string
	pattern *regexp.Regexp
	used    bool
}

// readIgnored reads one rule per line: a finding as the table prints it, with one space
// between columns. * matches any text, and the detail may be left out. # begins a comment.
func readIgnored(in io.Reader) (ignored, error) {
	var list ignored
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		text := strings.Join(strings.Fields(lines.Text()), " ")
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		kind, _, _ := strings.Cut(text, " ")
		switch kind {
		case kindNew, kindGone, kindChanged, kindUnknown, "*":
		default:
			return nil, fmt.Errorf("%.200q: want a line to begin with new, gone, changed, unknown or *", text)
		}
		pattern := strings.ReplaceAll(regexp.QuoteMeta(text), `\*`, ".*")
		list = append(list, &rule{text: text, pattern: regexp.MustCompile("^" + pattern + "$")})
	}
	return list, lines.Err()
}

// filter returns the findings that no rule ignores.
func (list ignored) filter(found []finding) []finding {
	kept := []finding{}
	for _, f := range found {
		drop := false
		for _, r := range list {
			if r.pattern.MatchString(f.key()) || r.pattern.MatchString(f.key()+" "+f.Detail) {
				r.used, drop = true, true
			}
		}
		if !drop {
			kept = append(kept, f)
		}
	}
	return kept
}

// unused returns the rules that matched no finding, and are no longer needed.
func (list ignored) unused() []string {
	var texts []string
	for _, r := range list {
		if !r.used {
			texts = append(texts, r.text)
		}
	}
	return texts
}

// key returns the finding without its detail, as a line of the table.
func (f finding) key() string {
	return strings.Join(strings.Fields(f.Kind+" "+f.Operation+" "+f.In+" "+f.Path), " ")
}
