package monitoring

import (
	"context"
	"iter"
	"net/http"
	"strings"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
)

// CheckResultListOptions selects results of a check.
type CheckResultListOptions struct {
	// Limit is the number of results on a page, 1 to 100. If it is 0, List uses the service's
	// default of 10, and iterators ask for 100.
	Limit int `url:"limit,omitempty"`
	// NextID is the cursor of the page to begin with: NextID of a [Page] or of a [PageError].
	// Empty begins with the first page.
	NextID string `url:"-"`
	// From is the beginning of the period, inclusive, and To its end, exclusive; the zero time
	// does not limit it. The request has whole seconds: the period is widened to them. The
	// service keeps results for 30 days.
	From time.Time `url:"from,unix,omitempty"`
	To   time.Time `url:"to,unix,omitempty"`
	// Location selects the results of one location; empty selects all.
	Location Region `url:"location,omitempty"`
	// CheckType selects the results of one kind of checks; empty selects all.
	CheckType CheckType `url:"checkType,omitempty"`
	// HasFailures selects results with failures (true) or without (false); nil selects both.
	HasFailures *bool `url:"hasFailures,omitempty"`
	// ResultType selects final results, attempts before them, or all; empty selects final ones.
	ResultType ResultType `url:"resultType,omitempty"`
	// Fields are the members that the results have, such as "id", "hasFailures" and "createdAt";
	// the other fields are zero then. nil selects all. Without "id" a result that comes twice
	// is not recognized.
	Fields []string `url:"fields,comma,omitempty"`
}

// Validate returns the [*ValidationError] that [CheckResultsService.List] would return, and nil
// if there is none. Nothing is sent.
func (o CheckResultListOptions) Validate() error {
	return validateQuery("GET /v2/check-results/{checkId}", o)
}

func (o CheckResultListOptions) validate(v *violations) {
	ListOptions{Limit: o.Limit}.validate(v)
	if !o.From.IsZero() && !o.To.IsZero() && !o.From.Before(o.To) {
		v.add("to", "must be after from")
	}
	v.noneEmpty("fields", o.Fields)
	for _, name := range o.Fields {
		if strings.Contains(name, ",") {
			v.add("fields", "%.40q has a comma: give each name by itself", name)
		}
	}
}

// resultQuery has the options that are sent, and those that the caller gave, for validation.
type resultQuery struct {
	CheckResultListOptions
	given CheckResultListOptions
}

func (q resultQuery) validate(v *violations) { q.given.validate(v) }

func (s *CheckResultsService) lister(checkID string, options CheckResultListOptions, opts []CallOption) *lister[CheckResult] {
	return &lister[CheckResult]{
		core: (*service)(s).owner(),
		operation: func(page ListOptions) *operation {
			given := options
			given.Limit = page.Limit
			sent := given
			sent.From, sent.To = inWholeSeconds(given.From, given.To)
			return &operation{method: http.MethodGet, path: path("/v2/check-results/{checkId}", checkID), class: exchange.Read, query: resultQuery{sent, given}}
		},
		id:       func(r *CheckResult) string { return r.ID },
		byCursor: true, from: options.NextID, opts: opts,
	}
}

// List returns a page of the results of a check (GET /v2/check-results/{checkId}). The next page
// is the one with NextID of this page in the options; HasMore says whether there is one. The
// service allows 60 of these requests in 60 seconds, besides the common limit; the client keeps
// to both. The API document does not have this operation, and a service may not have it:
// [ErrNotFound].
//
//monitoring:operation GET /v2/check-results/{checkId}
func (s *CheckResultsService) List(ctx context.Context, checkID string, options CheckResultListOptions, opts ...CallOption) (*Page[CheckResult], error) {
	return s.lister(checkID, options, opts).list(ctx, ListOptions{Limit: options.Limit})
}

// AllForCheck iterates over the results of a check, from options.NextID on. Requests are made
// while it is ranged over, and each range starts a new iteration. Pages are read one after the
// other, because each names the next one: [WithReadAhead] has no effect. Errors are as for
// [VariablesService.All]; to resume after a [*PageError], set NextID of the options to its
// NextID. No result is yielded twice: the ids of all are kept until the loop ends, and nothing
// else of a page that was read. The operation is that of [CheckResultsService.List], and like it
// a service may not have it.
func (s *CheckResultsService) AllForCheck(ctx context.Context, checkID string, options CheckResultListOptions, opts ...CallOption) iter.Seq2[CheckResult, error] {
	return items(s.PagesForCheck(ctx, checkID, options, opts...))
}

// PagesForCheck is [CheckResultsService.AllForCheck] page by page; see [VariablesService.Pages].
// To resume after a page, set NextID of the options to that of the page.
func (s *CheckResultsService) PagesForCheck(ctx context.Context, checkID string, options CheckResultListOptions, opts ...CallOption) iter.Seq2[*Page[CheckResult], error] {
	return s.lister(checkID, options, opts).pages(ctx, ListOptions{Limit: options.Limit})
}
