package world

import (
	"fmt"
	"slices"
	"strings"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/schema"
)

// mostAttempts is how many attempts before its final one a check may have. The service makes a few.
const mostAttempts = 100

// deciding are the members of a check that change its runs and alerts.
var deciding = []string{
	"name", "activated", "muted", "tags", "locations", "privateLocations", "groupId", "groupOrder", "alertChannelSubscriptions",
	"alertSettings", "useGlobalAlertSettings", "retryStrategy", "doubleCheck", "runParallel",
}

// vetMembers returns the first of the deciding members that is not valid. Other members
// may be anything, and so may the names of locations.
func vetMembers(members map[string]any) error {
	rules := schema.Lookup("PUT /v1/checks/{id}").Body
	for _, name := range deciding {
		v, there := members[name]
		if !there || v == nil {
			continue
		}
		level := schema.Service
		if name == "locations" {
			level = schema.Client
		}
		if found := rules.Check(JSON(map[string]any{name: v}), level, nil); len(found) > 0 {
			return fmt.Errorf("its member %s: %s", found[0].Path, WithoutAdvice(found[0].Message))
		}
	}
	return nil
}

// vetRuns finds mistakes in what a check and a session have in common.
func vetRuns(locations, failIn []string, attempts int, times ...time.Duration) error {
	if attempts < 0 || attempts > mostAttempts {
		return fmt.Errorf("%d attempts before the final one: want 0 to %d", attempts, mostAttempts)
	}
	for _, d := range times {
		if d < 0 {
			return fmt.Errorf("a time of %s: it must not be negative", d)
		}
	}
	for _, l := range failIn {
		if len(locations) > 0 && !slices.Contains(locations, l) {
			return fmt.Errorf("it fails in %q, which is not one of its locations", l)
		}
	}
	return nil
}

// vetOutcome refuses the statuses of running sessions. An unknown status may be an end.
func vetOutcome(o monitoring.CheckSessionStatus) error {
	switch o {
	case monitoring.SessionStarted, monitoring.SessionProgress, monitoring.SessionProgressFailed, monitoring.SessionProgressDegraded:
		return fmt.Errorf("no session ends %s", o)
	}
	return vetUpper(string(o))
}

// vetUpper refuses a type or status that is not in upper case: it would be an unknown one.
func vetUpper(word string) error {
	if upper := strings.ToUpper(word); upper != word {
		return fmt.Errorf("%q is not in upper case: write %q", word, upper)
	}
	return nil
}

// WithoutAdvice cuts the advice for callers of the SDK that package schema adds to a rule.
func WithoutAdvice(rule string) string {
	if strings.HasPrefix(rule, `"`) {
		return rule // it begins with a quoted value, which may have these separators
	}
	for _, separator := range [...]string{"; ", ": "} {
		rule, _, _ = strings.Cut(rule, separator)
	}
	return rule
}
