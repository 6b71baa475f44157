package monitoring

import (
	"context"
	"iter"
	"net/http"
	"reflect"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
)

// EnvironmentVariable is a variable of the account, a group or a browser check.
type EnvironmentVariable struct {
	// Key is required. It cannot be changed after creation.
	Key string `json:"key"`
	// Value is required in requests. In responses it is withheld for a secret variable; see
	// [Secret]. With Secret, the empty text means withheld, too, because a service that has no
	// null for a value returns it instead; so a secret variable cannot be sent with it.
	Value Secret `json:"value"`
	// Locked hides the value in the UI like a password; the default is false.
	Locked *bool `json:"locked,omitempty"`
	// Secret makes the service withhold the value from then on; it cannot be turned off again.
	// The default is false.
	Secret *bool `json:"secret,omitempty"`

	kept `json:"-"`
}

func (EnvironmentVariable) looseTexts() []string { return []string{"value"} }

// UnmarshalJSON reads a variable. The value of a secret one is withheld if it is null or empty.
func (v *EnvironmentVariable) UnmarshalJSON(data []byte) error { return v.readJSON(data) }

func (v *EnvironmentVariable) readJSON(data []byte) error {
	type plain EnvironmentVariable
	if _, err := responses.ReadAs(data, (*plain)(v), reflect.TypeFor[EnvironmentVariable]()); err != nil {
		return decodeErrorOf(err)
	}
	if v.isWithheld() {
		v.Value = Secret{}
	}
	return nil
}

// isWithheld reports whether the service withholds the value: it is unknown, or secret and empty.
func (v *EnvironmentVariable) isWithheld() bool {
	return v.Value.IsWithheld() || v.Secret != nil && *v.Secret && v.Value.Reveal() == ""
}

// open withholds the value of a variable that would read as withheld.
func (v *EnvironmentVariable) open() ([]string, error) {
	if v.isWithheld() {
		v.Value = Secret{}
	}
	return nil, nil
}

// NewEnvironmentVariable makes a variable that is neither locked nor secret.
func NewEnvironmentVariable(key, value string) EnvironmentVariable {
	return EnvironmentVariable{Key: key, Value: NewSecret(value)}
}

// VariableListOptions selects a page of variables.
type VariableListOptions struct {
	ListOptions
}

// Validate returns the [*ValidationError] that [VariablesService.List] would return, and
// nil if there is none. Nothing is sent.
func (o VariableListOptions) Validate() error {
	return validateQuery("GET /v1/variables", o.ListOptions)
}

// VariablesService lists the environment variables of the account.
type VariablesService service

func (s *VariablesService) lister(opts []CallOption) *lister[EnvironmentVariable] {
	return &lister[EnvironmentVariable]{
		core: (*service)(s).owner(),
		operation: func(page ListOptions) *operation {
			return &operation{method: http.MethodGet, path: path("/v1/variables"), class: exchange.Read, query: page}
		},
		id:   func(v *EnvironmentVariable) string { return v.Key },
		opts: opts,
	}
}

// List returns a page of variables (GET /v1/variables). The value of a secret variable is
// withheld; see [Secret].
//
//monitoring:operation GET /v1/variables
func (s *VariablesService) List(ctx context.Context, options VariableListOptions, opts ...CallOption) (*Page[EnvironmentVariable], error) {
	return s.lister(opts).list(ctx, options.ListOptions)
}

// All iterates over the variables of all pages, from options.Page on. Requests are made while
// it is ranged over, and each range starts a new iteration.
//
// An error of a page is a [*PageError]; it is yielded once, and ends the iteration. A
// variable that cannot be decoded is an [*ItemError] in its place, after which the loop may
// go on. Invalid options are a [*ValidationError], and nothing is sent.
//
// The list may change during the iteration. An item that has an id is never yielded twice. An
// item is not missed if it is in the list from the first request to the last, always on the
// page options.Page or on a later one, and if:
//
//   - each response has the total, and between two requests items are only added or only
//     removed, any number of them, anywhere; or
//   - no response has the total, and no items are removed from pages that were read.
//
// Moving an item counts as removing and adding it. With [WithReadAhead] several pages are
// fetched at the same time. Then an item is not missed if each response has the total and the
// list only grows or only shrinks during the whole iteration.
//
// If the service sends the same page five times in a row, or nothing new on three more pages
// than were read before, it ignores the parameter page. That is an error. If the total grows
// meanwhile, up to a hundred more such pages are accepted.
//
// When the list shrinks, pages are read again: in one iteration at most eight more than it
// has pages. If that is not enough, items may be missed, and [Page.MayMissItems] says so.
func (s *VariablesService) All(ctx context.Context, options VariableListOptions, opts ...CallOption) iter.Seq2[EnvironmentVariable, error] {
	return items(s.Pages(ctx, options, opts...))
}

// Pages is [VariablesService.All] page by page. A page with items that cannot be decoded is
// yielded together with an error, which has an [*ItemError] for each of them; the loop may go
// on. An error without a page ends the iteration.
func (s *VariablesService) Pages(ctx context.Context, options VariableListOptions, opts ...CallOption) iter.Seq2[*Page[EnvironmentVariable], error] {
	return s.lister(opts).pages(ctx, options.ListOptions)
}
