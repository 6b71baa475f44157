package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// What a check that failed now, or in the run of -baseline, is in comparison with that run.
const (
	sinceNew   = "new"
	sinceKnown = "still failing"
	sinceFixed = "fixed"
)

// baseline says of the checks of an earlier run whether they failed, by their ids.
type baseline map[string]bool

// readBaseline reads the JSON of an earlier run. A file that is not there, or is empty because a
// run was killed before its end, is no baseline: nil.
func (o options) readBaseline() (baseline, error) {
	data, err := os.ReadFile(o.baseline)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(data) == 0 {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var last struct{ Sessions []*check }
	if err := json.Unmarshal(data, &last); err != nil {
		return nil, fmt.Errorf("-baseline %s is no report of -json: %w", o.baseline, err)
	}
	if last.Sessions == nil {
		return nil, fmt.Errorf("-baseline %s is no report of -json: it has no sessions", o.baseline)
	}
	before := make(baseline)
	for _, c := range last.Sessions {
		if id := key(c.CheckID); id != "" {
			before[id] = before[id] || o.failed(c, o.judge(c.Said))
		}
	}
	return before, nil
}

// failed reports whether a check with a verdict counts as failed.
func (o options) failed(c *check, v monitoring.Verdict) bool {
	return v == monitoring.VerdictFailed || o.failOnFlaky && v.OK() && c.Attempts() > 1
}

// compare says of each check what it is in comparison with an earlier run. A check without an id
// cannot be compared.
func (r *report) compare(before baseline) {
	for _, c := range r.Checks {
		failed := c.Verdict == monitoring.VerdictFailed
		switch did := before[key(c.CheckID)]; {
		case before == nil || c.CheckID == "":
		case failed && did:
			c.Since = sinceKnown
		case failed:
			c.Since = sinceNew
		case did && c.Verdict.OK():
			c.Since = sinceFixed
		}
	}
}

// SinceText says what is new since the run of -baseline; "" if there is nothing to say.
func (r *report) SinceText() string {
	text := ""
	for _, since := range []string{sinceNew, sinceKnown, sinceFixed} {
		var names []string
		for _, c := range r.Checks {
			if c.Since == since {
				names = append(names, c.Name)
			}
		}
		if len(names) == 0 {
			continue
		}
		if text != "" {
			text += "; "
		}
		slices.Sort(names)
		text += since + ": " + named(names, mostNotRun)
	}
	if text == "" {
		return ""
	}
	return "since the last run: " + text
}
