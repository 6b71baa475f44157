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
// fetched before it is ranged over, and ranging again starts again. An error of a page
// is a [*PageError], yielded once as the last thing.
//
// The list may change meanwhile. An item that has an id is never yielded twice, and one
// that is there from beginning to end is yielded, too, where the service tells the
// total, for then pages are read again when the list shrank. Where it does not, or where
// as many items came as went, an item may be missed that moved to an earlier page.
func (s *VariablesService) All(ctx context.Context, options VariableListOptions, opts ...CallOption) iter.Seq2[EnvironmentVariable, error] {
	return items(s.Pages(ctx, options, opts...))
}

// Pages is [VariablesService.All] page by page.
func (s *VariablesService) Pages(ctx context.Context, options VariableListOptions, opts ...CallOption) iter.Seq2[*Page[EnvironmentVariable], error] {
	return s.lister(opts).pages(ctx, options.ListOptions)
}
