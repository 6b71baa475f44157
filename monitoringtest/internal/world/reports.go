package world

import (
	"math"
	"slices"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// Report is how a check did in a period.
type Report struct {
	Name        string               `json:"name"`
	CheckID     string               `json:"checkId"`
	CheckType   monitoring.CheckType `json:"checkType"`
	Deactivated bool                 `json:"deactivated"`
	Tags        []string             `json:"tags"`
	Aggregate   *Aggregate           `json:"aggregate,omitempty"`
	Aggregates  []Aggregate          `json:"aggregates,omitempty"`
}

// Aggregate summarizes the results of a check. Its period is nil if it is the whole one.
type Aggregate struct {
	From         *monitoring.Timestamp `json:"from,omitempty"`
	To           *monitoring.Timestamp `json:"to,omitempty"`
	SuccessRatio float64               `json:"successRatio"`
	Avg          float64               `json:"avg"`
	P95          float64               `json:"p95"`
	P99          float64               `json:"p99"`
}

// ReportSpec says what is asked for. Granularity divides the period from From, inclusive, to To,
// exclusive, at the midnights of a zone; "" does not.
type ReportSpec struct {
	From, To    time.Time
	Zone        *time.Location
	Granularity monitoring.ReportGranularity
	Selects     func(tags []string, deactivated bool) bool
}

// Reports returns a report of each check that has final results in the period. Those that were
// canceled do not count.
func (w *World) Reports(spec ReportSpec, now time.Time) []Report {
	reports, sessions := []Report{}, make(map[string][]*Session)
	for _, x := range w.Sessions {
		id := IDKey(x.Spec.CheckID)
		sessions[id] = append(sessions[id], x)
	}
	for _, c := range w.Checks {
		holds := w.Holds(c)
		if !spec.Selects(holds.Tags, !holds.Activated) {
			continue
		}
		parts := make(map[time.Time][]Fields) // by their beginning
		for _, x := range sessions[IDKey(c.ID)] {
			for _, f := range x.created(now) {
				if f.Kind != monitoring.ResultFinal || f.Ended.Before(spec.From) || !f.Ended.Before(spec.To) {
					continue
				}
				if result := w.judged(x, f.attempt); result["isCancelled"] != true {
					begin := spec.partOf(f.Ended)
					parts[begin] = append(parts[begin], result)
				}
			}
		}
		if len(parts) == 0 {
			continue
		}
		r := Report{Name: c.Name, CheckID: c.ID, CheckType: c.Type, Deactivated: !holds.Activated, Tags: append([]string{}, holds.Tags...)}
		for begin, results := range parts {
			a := aggregateOf(results)
			if spec.Granularity == "" {
				r.Aggregate = &a
				break
			}
			a.From, a.To = new(At(begin)), new(At(spec.endOf(begin)))
			r.Aggregates = append(r.Aggregates, a)
		}
		slices.SortFunc(r.Aggregates, func(a, b Aggregate) int { return a.From.Compare(b.From.Time) })
		reports = append(reports, r)
	}
	return reports
}

// partOf returns the beginning of the part of the period that has a moment.
func (s ReportSpec) partOf(t time.Time) time.Time {
	if begin := BeginOf(s.Granularity, t.In(s.Zone)); s.Granularity != "" && begin.After(s.From) {
		return begin
	}
	return s.From
}

// endOf returns the end of the part that begins at a moment.
func (s ReportSpec) endOf(begin time.Time) time.Time {
	end := BeginOf(s.Granularity, begin.In(s.Zone))
	switch s.Granularity {
	case monitoring.ReportDaily:
		end = end.AddDate(0, 0, 1)
	case monitoring.ReportWeekly:
		end = end.AddDate(0, 0, 7)
	default:
		end = end.AddDate(0, 1, 0)
	}
	if end.After(s.To) {
		return s.To
	}
	return end
}

// BeginOf returns the beginning of the day, the week or the month of a moment, in its zone. A week
// begins on Monday.
func BeginOf(part monitoring.ReportGranularity, t time.Time) time.Time {
	year, month, day := t.Date()
	switch part {
	case monitoring.ReportWeekly:
		day -= (int(t.Weekday()) + 6) % 7
	case monitoring.ReportMonthly:
		day = 1
	}
	return time.Date(year, month, day, 0, 0, 0, 0, t.Location())
}

// aggregateOf summarizes some results.
func aggregateOf(results []Fields) (a Aggregate) {
	var took []float64
	succeeded := 0
	for _, result := range results {
		if result["hasFailures"] != true && result["hasErrors"] != true {
			succeeded++
		}
		if ms, ok := result["responseTime"].(float64); ok { // a test may have set another value
			took = append(took, ms)
			a.Avg += ms
		}
	}
	a.SuccessRatio = float64(succeeded) / float64(len(results))
	if len(took) == 0 {
		return a
	}
	slices.Sort(took)
	percentile := func(p float64) float64 { return took[int(math.Ceil(p/100*float64(len(took))))-1] }
	a.Avg, a.P95, a.P99 = a.Avg/float64(len(took)), percentile(95), percentile(99)
	return a
}
