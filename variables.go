package monitoring

import (
	"context"
	"iter"
	"net/http"
)

// VariableListOptions selects a page of variables.
type VariableListOptions struct {
	ListOptions
}

// VariablesService lists the environment variables of the account.
type VariablesService service

func (s *VariablesService) lister(opts []CallOption) *lister[EnvironmentVariable] {
	return &lister[EnvironmentVariable]{
		client: (*service)(s).owner(),
		operation: func(page ListOptions) *operation {
			return &operation{method: http.MethodGet, path: path("/v1/variables"), class: classRead, query: page}
		},
		id:   func(v *EnvironmentVariable) string { return v.Key },
		opts: opts,
	}
}

// List returns a page of variables (GET /v1/variables). The value of a secret variable is withheld: see [Secret].
//
//monitoring:operation GET /v1/variables
func (s *VariablesService) List(ctx context.Context, options VariableListOptions, opts ...CallOption) (*Page[EnvironmentVariable], error) {
	return s.lister(opts).list(ctx, options.ListOptions)
}

// All iterates over the variables of all pages, from options.Page on. Nothing is
// fetched before it is ranged over, and ranging again starts again.
//
// An error of a page is a [*PageError], yielded once as the last thing. A variable that
// cannot be decoded is an [*ItemError] in its place, after which the loop may go on.
// Options that make no sense are a [*ValidationError], and nothing is sent.
//
// The list may change meanwhile. An item that has an id is never yielded twice. An item
// is not missed if it is there from the first request to the last, each time on the page
// options.Page or on a later one, and if:
//
//   - each response tells the total, and between one request and the next items are only
//     added or only removed, any number of them, anywhere; or
//   - no total is told, and no items are removed from pages that were read.
//
// To move an item is to remove it and to add it. With [WithReadAhead] pages are fetched
// at once, and an item is not missed if each response tells the total and the list only
// grows or only shrinks during the whole iteration.
//
// A service that sends the same page five times in a row, or nothing new on more pages
// than were read before and three, ignores the page. That is an error, unless the total
// grows: then it may send up to a hundred such pages more.
//
// When the list shrinks, pages are read again: in one iteration at most as many as it
// has pages, and eight more. Where that was not enough, items may be missed, and
// [Page.MayMissItems] says so.
func (s *VariablesService) All(ctx context.Context, options VariableListOptions, opts ...CallOption) iter.Seq2[EnvironmentVariable, error] {
	return items(s.Pages(ctx, options, opts...))
}

// Pages is [VariablesService.All] page by page. A page with items that cannot be decoded
// comes together with an error, which has an [*ItemError] for each of them; the loop may
// go on. An error without a page is the last thing.
func (s *VariablesService) Pages(ctx context.Context, options VariableListOptions, opts ...CallOption) iter.Seq2[*Page[EnvironmentVariable], error] {
	return s.lister(opts).pages(ctx, options.ListOptions)
}
