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

// readIgnored reads a line for each rule: a finding as the table prints it, its columns
// parted by one space, in which * stands for any text. The detail may be left out. # begins
// a comment.
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

// filter drops what is ignored.
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

// unused are the rules that matched nothing: what they were for is over.
func (list ignored) unused() []string {
	var texts []string
	for _, r := range list {
		if !r.used {
			texts = append(texts, r.text)
		}
	}
	return texts
}

// key is the finding without its detail, as a line of the table.
func (f finding) key() string {
	return strings.Join(strings.Fields(f.Kind+" "+f.Operation+" "+f.In+" "+f.Path), " ")
}
