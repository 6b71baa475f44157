package cli

import (
	"fmt"
	"strings"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// Tags is a flag for the tags of a trigger. A comma in a value means "and"; giving the flag
// again means "or". Its value is the MatchTags of [monitoring.TriggerTarget].
type Tags [][]string

// Set adds a group of tags. It makes Tags a [flag.Value].
func (t *Tags) Set(value string) error {
	group, err := SplitList(value)
	for _, tag := range group {
		if tag == "!" {
			err = fmt.Errorf("there is an empty tag in %q", value)
		}
	}
	if err != nil {
		return err
	}
	*t = append(*t, group)
	return nil
}

// String returns the tags as a phrase, such as "production and api, or critical".
func (t *Tags) String() string {
	if t == nil {
		return ""
	}
	groups := make([]string, len(*t))
	for i, group := range *t {
		groups[i] = strings.Join(group, " and ")
	}
	return strings.Join(groups, ", or ")
}

// SplitList splits a list at its commas. An empty item is an error.
func SplitList(text string) ([]string, error) {
	items := strings.Split(text, ",")
	for i := range items {
		if items[i] = strings.TrimSpace(items[i]); items[i] == "" {
			return nil, fmt.Errorf("there is an empty item in %q", text)
		}
	}
	return items, nil
}

// Count returns a number with its noun: 1 check, 5 checks.
func Count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// Part is a part of a [Tally]: a number and what it counts.
type Part struct {
	N    int
	Name string
}

// Tally returns a number of things and their parts, such as "3 rows: 2 created, 1 refused".
// Parts that are 0 are left out, except for the first.
func Tally(n int, noun string, parts ...Part) string {
	var texts []string
	for i, p := range parts {
		if i == 0 || p.N > 0 {
			texts = append(texts, fmt.Sprintf("%d %s", p.N, p.Name))
		}
	}
	return Count(n, noun) + ": " + strings.Join(texts, ", ") + "."
}

// Millis formats a response time in milliseconds; nil if there is none yet.
func Millis(ms *float64) string {
	if ms == nil {
		return "-"
	}
	if *ms < 1000 {
		return fmt.Sprintf("%.0f ms", *ms)
	}
	return fmt.Sprintf("%.2f s", *ms/1000)
}

// Seconds formats a duration: 0.8s, 12s, 3m5s.
func Seconds(d time.Duration) string {
	if d < 10*time.Second {
		return fmt.Sprintf("%.1fs", d.Seconds())
	}
	return d.Round(time.Second).String()
}

// ResultStatus returns in one word how the run in one location ended.
func ResultStatus(r *monitoring.CheckSessionResult) string {
	switch v := r.Verdict(); {
	case r.ResultType == nil:
		return "RUNNING"
	case v == monitoring.VerdictUnknown:
		return "ERROR"
	default:
		return strings.ToUpper(string(v))
	}
}
