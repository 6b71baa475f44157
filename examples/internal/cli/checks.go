package cli

import (
	"fmt"
	"strings"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// Tags is a flag for the tags of a trigger: in one value a comma means and, a repeated
// flag means or. It is what [monitoring.TriggerTarget].MatchTags takes.
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

// String reads like a sentence: production and api, or critical.
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

// Count is a number with its noun: 1 check, 5 checks.
func Count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// Part is a number of a tally and what it counts.
type Part struct {
	N    int
	Name string
}

// Tally is a number of things and what came of them: 3 rows: 2 created, 1 refused. Parts
// of nothing are left out, except the first.
func Tally(n int, noun string, parts ...Part) string {
	var texts []string
	for i, p := range parts {
		if i == 0 || p.N > 0 {
			texts = append(texts, fmt.Sprintf("%d %s", p.N, p.Name))
		}
	}
	return Count(n, noun) + ": " + strings.Join(texts, ", ") + "."
}

// Millis formats a response time, which the service gives in milliseconds. It is nil
// while a run goes on.
func Millis(ms *float64) string {
	if ms == nil {
		return "-"
	}
	if *ms < 1000 {
		return fmt.Sprintf("%.0f ms", *ms)
	}
	return fmt.Sprintf("%.2f s", *ms/1000)
}

// Seconds formats how long something took: 0.8s, 12s, 3m5s.
func Seconds(d time.Duration) string {
	if d < 10*time.Second {
		return fmt.Sprintf("%.1fs", d.Seconds())
	}
	return d.Round(time.Second).String()
}

// ResultStatus is how the run of one location ended, in one word.
func ResultStatus(r *monitoring.CheckSessionResult) string {
	switch {
	case r.ResultType == nil:
		return "RUNNING"
	case r.IsCancelled:
		return "CANCELLED"
	case r.HasFailures:
		return "FAILED"
	case r.HasErrors || r.Aborted:
		return "ERROR"
	case r.IsDegraded:
		return "DEGRADED"
	}
	return "PASSED"
}
