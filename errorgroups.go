package monitoring

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
)

// ErrorGroup is one error of a check, with all its occurrences.
type ErrorGroup struct {
	ID      string `json:"id"`
	CheckID string `json:"checkId"`
	// ErrorHash is the hash of the cleaned message.
	ErrorHash string `json:"errorHash"`
	// RawErrorMessage is the message as recorded in a result; nil if there is none.
	RawErrorMessage *string `json:"rawErrorMessage"`
	// CleanedErrorMessage is the message without the parts that differ from run to run.
	CleanedErrorMessage string    `json:"cleanedErrorMessage"`
	FirstSeen           Timestamp `json:"firstSeen"`
	LastSeen            Timestamp `json:"lastSeen"`
	// ArchivedUntilNextEvent says whether the group is hidden until it occurs again.
	ArchivedUntilNextEvent bool `json:"archivedUntilNextEvent"`
	// RootCauseAnalyses are raw JSON, because the API document does not describe their
	// members. In practice they decode into a [RootCauseAnalysis].
	RootCauseAnalyses []json.RawMessage `json:"rootCauseAnalyses,omitzero"`
}

func (ErrorGroup) looseTexts() []string { return []string{"rawErrorMessage"} }

// ErrorGroupListOptions selects a page of error groups.
type ErrorGroupListOptions struct {
	ListOptions
}

// Validate returns the [*ValidationError] that [ErrorGroupsService.ListForCheck] would
// return for the options, and nil if there is none. Nothing is sent.
func (o ErrorGroupListOptions) Validate() error {
	return validateQuery("GET /v1/error-groups/checks/{checkId}", o.ListOptions)
}

// ErrorGroupsService lists the error groups of a check.
type ErrorGroupsService service

func (s *ErrorGroupsService) lister(checkID string, opts []CallOption) *lister[ErrorGroup] {
	return &lister[ErrorGroup]{
		core: (*service)(s).owner(),
		operation: func(page ListOptions) *operation {
			return &operation{
				method: http.MethodGet, path: path("/v1/error-groups/checks/{checkId}", checkID), class: exchange.Read, query: page,
			}
		},
		id:   func(g *ErrorGroup) string { return g.ID },
		opts: opts,
	}
}

// ListForCheck returns a page of the error groups of a check
// (GET /v1/error-groups/checks/{checkId}).
//
//monitoring:operation GET /v1/error-groups/checks/{checkId}
func (s *ErrorGroupsService) ListForCheck(ctx context.Context, checkID string, options ErrorGroupListOptions, opts ...CallOption) (*Page[ErrorGroup], error) {
	return s.lister(checkID, opts).list(ctx, options.ListOptions)
}

// AllForCheck iterates over the error groups of a check. [VariablesService.All] says what
// iterations promise if the list changes.
func (s *ErrorGroupsService) AllForCheck(ctx context.Context, checkID string, options ErrorGroupListOptions, opts ...CallOption) iter.Seq2[ErrorGroup, error] {
	return items(s.PagesForCheck(ctx, checkID, options, opts...))
}

// PagesForCheck is [ErrorGroupsService.AllForCheck] page by page; see
// [VariablesService.Pages].
func (s *ErrorGroupsService) PagesForCheck(ctx context.Context, checkID string, options ErrorGroupListOptions, opts ...CallOption) iter.Seq2[*Page[ErrorGroup], error] {
	return s.lister(checkID, opts).pages(ctx, options.ListOptions)
}
