package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
)

// baseline has the differences that are known: lines of a file, of which each may have a reason.
type baseline struct {
	comments []string          // lines that begin with #
	reasons  map[string]string // by line; empty without a reason
}

// loadBaseline reads a file. Without a name nothing is known, and in a file that is yet to be
// created neither.
func loadBaseline(name string, create bool) (*baseline, error) {
	b := &baseline{reasons: map[string]string{}}
	if name == "" {
		return b, nil
	}
	data, err := os.ReadFile(name)
	if create && errors.Is(err, fs.ErrNotExist) {
		b.comments = []string{"# Known differences between the SDK and the service. A reason may stand behind a line: # text"}
		return b, nil
	}
	if err != nil {
		return nil, err
	}
	for text := range strings.Lines(string(data)) {
		text = strings.Join(strings.Fields(text), " ")
		if strings.HasPrefix(text, "#") {
			b.comments = append(b.comments, text)
			continue
		}
		line, reason, _ := strings.Cut(text, " #")
		switch kind, _, _ := strings.Cut(line, " "); kind {
		case kindAdded, kindGone, kindChanged, kindUnclear:
			b.reasons[line] = strings.TrimSpace(reason)
		case "":
		default: // another file, which an update would overwrite
			return nil, fmt.Errorf("%s is no baseline: %.200q does not begin with added, gone, changed or unclear", name, text)
		}
	}
	return b, nil
}

// report tells the findings that are new from those that are known.
func (b *baseline) report(found []finding) *report {
	r, left := &report{Findings: []finding{}}, maps.Clone(b.reasons)
	for _, f := range found {
		if _, known := b.reasons[f.line()]; known {
			r.Known++
		} else {
			r.Findings = append(r.Findings, f)
		}
		delete(left, f.line())
	}
	r.Stale = slices.AppendSeq([]string{}, maps.Keys(left))
	slices.Sort(r.Stale)
	return r
}

// update makes all findings known and writes the file. It keeps the comments, at the top, and the
// reasons of findings that were known before.
func (b *baseline) update(name string, found []finding) error {
	reasons := make(map[string]string, len(found))
	for _, f := range found {
		reasons[f.line()] = b.reasons[f.line()]
	}
	b.reasons = reasons
	text := strings.Join(append(b.comments, ""), "\n")
	for _, line := range slices.Sorted(maps.Keys(reasons)) {
		text += line
		if reasons[line] != "" {
			text += " # " + reasons[line]
		}
		text += "\n"
	}
	return os.WriteFile(name, []byte(text), 0o644)
}

// line returns the finding as a line of a baseline: a line of the table, with one space between
// columns. A # that would begin a reason is replaced.
func (f finding) line() string {
	columns := plain(strings.Join([]string{f.Kind, f.Operation, f.In, f.Path, f.Detail}, " "))
	return strings.ReplaceAll(strings.Join(strings.Fields(columns), " "), " #", " ?")
}
