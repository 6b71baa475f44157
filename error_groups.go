package monitoring

import (
	"context"
	"encoding/json"
	"iter"
)

// ErrorGroup is an error of a check, with all its occurrences.
//
//monitoring:json
type ErrorGroup struct {
	ID      string `json:"id"`
	CheckID string `json:"checkId"`
	// ErrorHash is the hash of the cleaned message.
	ErrorHash string `json:"errorHash"`
	// RawErrorMessage is the message as recorded in a result, or nil.
	RawErrorMessage *string `json:"rawErrorMessage"`
	// CleanedErrorMessage is the message without the parts that differ from run to run.
	CleanedErrorMessage string    `json:"cleanedErrorMessage"`
	FirstSeen           Timestamp `json:"firstSeen"`
	LastSeen            Timestamp `json:"lastSeen"`
	// ArchivedUntilNextEvent is whether the group is hidden until it occurs again.
	ArchivedUntilNextEvent bool `json:"archivedUntilNextEvent"`
	// RootCauseAnalyses are raw JSON, because the API document does not describe them. In practice
	// they decode into a [RootCauseAnalysis].
	RootCauseAnalyses []json.RawMessage `json:"rootCauseAnalyses,omitzero"`

	Extra map[string]json.RawMessage `json:"-"` // unknown fields; see [CheckResult]

	omitted `json:"-"`
}

func (ErrorGroup) oddMembers() []string {
	return []string{"firstSeen", "lastSeen"}
}

func (ErrorGroup) looseTexts() []string { return []string{"rawErrorMessage"} }

// ErrorGroupListOptions selects a page of error groups.
type ErrorGroupListOptions struct {
	ListOptions
}

// Validate checks the options as [ErrorGroupsService.ListForCheck] does.
func (o ErrorGroupListOptions) Validate() error {
	return validateQuery("GET /v1/error-groups/checks/{checkId}", o.ListOptions)
}

// ErrorGroupUpdate changes an error group. Nil fields keep their value.
type ErrorGroupUpdate struct {
	// ArchivedUntilNextEvent hides the group until its error occurs again, or shows it again.
	ArchivedUntilNextEvent *bool `json:"archivedUntilNextEvent,omitempty"`
	// ArchiveForEver hides the group even when its error occurs again. No response shows it.
	ArchiveForEver *bool `json:"archiveForEver,omitempty"`
}

// Validate checks the update as [ErrorGroupsService.Update] does.
func (u ErrorGroupUpdate) Validate() error { return validateBody("PATCH /v1/error-groups/{id}", u) }

func (ErrorGroupUpdate) validate(*violations) {}

// ErrorGroupsService lists, reads and archives error groups.
type ErrorGroupsService service

func errorGroupLister(s *ErrorGroupsService, op *operation, opts []CallOption) *lister {
	return listOf((*service)(s), op, itemsOf(func(g *ErrorGroup) string { return g.ID }), opts)
}

func ofCheck(id string) *operation { return op("GET /v1/error-groups/checks/{checkId}", id) }

// List returns a page of the error groups of all checks (GET /v1/error-groups).
func (s *ErrorGroupsService) List(ctx context.Context, options ListOptions, opts ...CallOption) (*Page[ErrorGroup], error) {
	return list[ErrorGroup](ctx, errorGroupLister(s, op("GET /v1/error-groups"), opts), options)
}

// All iterates over the error groups of all checks. Their order is not documented: sort by
// FirstSeen or LastSeen.
func (s *ErrorGroupsService) All(ctx context.Context, options ListOptions, opts ...CallOption) iter.Seq2[ErrorGroup, error] {
	return items(s.Pages(ctx, options, opts...))
}

// Pages iterates over the pages of [ErrorGroupsService.All].
func (s *ErrorGroupsService) Pages(ctx context.Context, options ListOptions, opts ...CallOption) iter.Seq2[*Page[ErrorGroup], error] {
	return pages[ErrorGroup](ctx, errorGroupLister(s, op("GET /v1/error-groups"), opts), options)
}

// ListForCheck returns a page of the error groups of a check
// (GET /v1/error-groups/checks/{checkId}).
func (s *ErrorGroupsService) ListForCheck(
	ctx context.Context, checkID string, options ErrorGroupListOptions, opts ...CallOption,
) (*Page[ErrorGroup], error) {
	return list[ErrorGroup](ctx, errorGroupLister(s, ofCheck(checkID), opts), options.ListOptions)
}

// AllForCheck iterates over the error groups of a check; see [ErrorGroupsService.All].
func (s *ErrorGroupsService) AllForCheck(
	ctx context.Context, checkID string, options ErrorGroupListOptions, opts ...CallOption,
) iter.Seq2[ErrorGroup, error] {
	return items(s.PagesForCheck(ctx, checkID, options, opts...))
}

// PagesForCheck iterates over the pages of [ErrorGroupsService.AllForCheck].
func (s *ErrorGroupsService) PagesForCheck(
	ctx context.Context, checkID string, options ErrorGroupListOptions, opts ...CallOption,
) iter.Seq2[*Page[ErrorGroup], error] {
	return pages[ErrorGroup](ctx, errorGroupLister(s, ofCheck(checkID), opts), options.ListOptions)
}

// Get returns an error group (GET /v1/error-groups/{id}).
func (s *ErrorGroupsService) Get(ctx context.Context, id string, opts ...CallOption) (*ErrorGroup, error) {
	return call[ErrorGroup](ctx, (*service)(s), op("GET /v1/error-groups/{id}", id).is("id"), opts)
}

// Update archives an error group, or shows it again (PATCH /v1/error-groups/{id}). It is retried
// like other updates.
func (s *ErrorGroupsService) Update(ctx context.Context, id string, update ErrorGroupUpdate, opts ...CallOption) (*ErrorGroup, error) {
	return call[ErrorGroup](ctx, (*service)(s), op("PATCH /v1/error-groups/{id}", id).mayRepeat().is("id").sends(update), opts)
}
