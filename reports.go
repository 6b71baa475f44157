package monitoring

import (
	"context"
	"encoding/json"
	"time"
)

// Report is how a check performed in a period. It has an Aggregate, or Aggregates if the options
// have a Granularity.
//
//monitoring:json
type Report struct {
	Name        string    `json:"name"` // of the check
	CheckID     string    `json:"checkId"`
	CheckType   CheckType `json:"checkType"`
	Deactivated bool      `json:"deactivated"`
	Tags        []string  `json:"tags"`
	// Aggregate covers the whole period.
	Aggregate *ReportAggregate `json:"aggregate,omitempty"`
	// Aggregates cover each day, week or month of the period that has results.
	Aggregates []ReportAggregate `json:"aggregates,omitzero"`

	Extra map[string]json.RawMessage `json:"-"` // unknown fields; see [CheckResult]

	omitted `json:"-"`
}

// ReportAggregate summarizes the results of a check. Fields may be nil.
type ReportAggregate struct {
	// From is the beginning of the part of the period, and To its end. They are nil in the
	// aggregate of a whole period.
	From *Timestamp `json:"from,omitempty"`
	To   *Timestamp `json:"to,omitempty"`
	// SuccessRatio is the share of successful results, from 0 to 1.
	SuccessRatio *float64 `json:"successRatio,omitempty"`
	// Avg is the mean of the response times in milliseconds, and P95 and P99 are their percentiles.
	Avg *float64 `json:"avg,omitempty"`
	P95 *float64 `json:"p95,omitempty"`
	P99 *float64 `json:"p99,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown fields; see [CheckResult]

	omitted `json:"-"`
}

func (ReportAggregate) oddMembers() []string {
	return []string{"from", "to", "successRatio", "avg", "p95", "p99"}
}

// ReportOptions selects a period, by default 24 hours, and checks.
type ReportOptions struct {
	// From is the beginning of the period, inclusive, and To its end, exclusive, widened to whole
	// seconds. They override QuickRange.
	From time.Time `url:"from,unix,omitempty"`
	To   time.Time `url:"to,unix,omitempty"`
	// QuickRange names a period; empty means [ReportLast24Hours].
	QuickRange ReportRange `url:"quickRange,omitempty"`
	// Tags selects checks with these tags; nil selects all.
	Tags []string `url:"filterByTags,omitempty"`
	// Deactivated selects checks that are deactivated (true) or not (false); nil selects both.
	Deactivated *bool `url:"deactivated,omitempty"`
	// Granularity divides the period into days, weeks or months; empty does not. The period then
	// has at most 400 days and 120 parts.
	Granularity ReportGranularity `url:"granularity,omitempty"`
	// Timezone is an IANA name, such as Europe/Berlin; days begin by it. Empty leaves it to the
	// service.
	Timezone string `url:"timezone,omitempty"`
}

// Validate checks the options as [ReportsService.List] does.
func (o ReportOptions) Validate() error { return validateQuery("GET /v1/reporting", o) }

// The longest periods of reports that are divided. A day has 23 to 25 hours, so one hour more is no
// mistake.
const (
	maxReportDays  = 400
	maxReportParts = 120
)

func (o ReportOptions) validate(v *violations) {
	v.noneEmpty("filterByTags", o.Tags)
	if o.From.IsZero() || o.To.IsZero() {
		return
	}
	most := maxReportDays
	if o.Granularity == ReportDaily {
		most = maxReportParts
	}
	switch length := o.To.Sub(o.From); {
	case length <= 0:
		v.add("to", "must be after from")
	case o.Granularity != "" && length > time.Duration(most)*24*time.Hour+time.Hour:
		v.add("to", "is more than %d days after from, too long for this granularity", most)
	}
}

// ReportsService reports how checks performed.
type ReportsService service

// List returns a report of each check (GET /v1/reporting).
func (s *ReportsService) List(ctx context.Context, options ReportOptions, opts ...CallOption) ([]Report, error) {
	sent := options
	sent.From, sent.To = inWholeSeconds(options.From, options.To)
	return callForList[Report](ctx, (*service)(s), op("GET /v1/reporting").asksFor(options, sent), opts)
}
