package monitoring

import (
	"cmp"
	"context"
	"encoding/json"
	"iter"
	"slices"

	"github.com/monitoring-api/monitoring-go/internal/workers"
)

// TestSessionErrorGroup is an error of test sessions, with all its occurrences. Its ID is not that
// of an [ErrorGroup].
//
//monitoring:json
type TestSessionErrorGroup struct {
	ID        string  `json:"id"`
	ProjectID *string `json:"projectId"`
	// Environments are those in the Metadata of the sessions, or nil.
	Environments []string `json:"environments"`
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
	// PlaywrightTests are the tests in which the error occurred, or nil.
	PlaywrightTests []PlaywrightTest `json:"pwtMetadata"`
	// RootCauseAnalyses are raw JSON. In practice they decode into a [RootCauseAnalysis].
	RootCauseAnalyses []json.RawMessage `json:"rootCauseAnalyses,omitzero"`

	Extra map[string]json.RawMessage `json:"-"` // unknown fields; see [CheckResult]

	omitted `json:"-"`
}

func (TestSessionErrorGroup) oddMembers() []string { return []string{"firstSeen", "lastSeen"} }

func (TestSessionErrorGroup) looseTexts() []string { return []string{"rawErrorMessage"} }

// PlaywrightTest is a test of a suite.
type PlaywrightTest struct {
	ProjectName string `json:"projectName"`
	// SpecID is empty if unknown.
	SpecID    string `json:"specId,omitempty"`
	TestFile  string `json:"testFile"`
	TestTitle string `json:"testTitle"`
	// SuitePath are the titles of the suites around the test, the outermost first.
	SuitePath []string `json:"suitePath"`

	Extra map[string]json.RawMessage `json:"-"` // unknown fields; see [CheckResult]

	omitted `json:"-"`
}

// TestSessionErrorGroupsService reads and archives errors of test sessions.
type TestSessionErrorGroupsService service

func testErrorGroupLister(s *TestSessionErrorGroupsService, opts []CallOption) *lister {
	return listOf((*service)(s), op("GET /v1/test-session-error-groups"), itemsOf(func(g *TestSessionErrorGroup) string { return g.ID }), opts)
}

// List returns a page of error groups (GET /v1/test-session-error-groups).
func (s *TestSessionErrorGroupsService) List(
	ctx context.Context, options ListOptions, opts ...CallOption,
) (*Page[TestSessionErrorGroup], error) {
	return list[TestSessionErrorGroup](ctx, testErrorGroupLister(s, opts), options)
}

// All iterates over error groups; see [ErrorGroupsService.All].
func (s *TestSessionErrorGroupsService) All(
	ctx context.Context, options ListOptions, opts ...CallOption,
) iter.Seq2[TestSessionErrorGroup, error] {
	return items(s.Pages(ctx, options, opts...))
}

// Pages iterates over the pages of [TestSessionErrorGroupsService.All].
func (s *TestSessionErrorGroupsService) Pages(
	ctx context.Context, options ListOptions, opts ...CallOption,
) iter.Seq2[*Page[TestSessionErrorGroup], error] {
	return pages[TestSessionErrorGroup](ctx, testErrorGroupLister(s, opts), options)
}

// ListForProject returns all error groups of a project (GET
// /v1/test-session-error-groups/projects/{projectId}).
func (s *TestSessionErrorGroupsService) ListForProject(
	ctx context.Context, projectID string, opts ...CallOption,
) ([]TestSessionErrorGroup, error) {
	return callForList[TestSessionErrorGroup](ctx, (*service)(s), op("GET /v1/test-session-error-groups/projects/{projectId}", projectID), opts)
}

// Get returns an error group (GET /v1/test-session-error-groups/{id}).
func (s *TestSessionErrorGroupsService) Get(ctx context.Context, id string, opts ...CallOption) (*TestSessionErrorGroup, error) {
	return call[TestSessionErrorGroup](ctx, (*service)(s), op("GET /v1/test-session-error-groups/{id}", id).is("id"), opts)
}

// Update archives an error group, or shows it again (PATCH /v1/test-session-error-groups/{id}).
func (s *TestSessionErrorGroupsService) Update(
	ctx context.Context, id string, update ErrorGroupUpdate, opts ...CallOption,
) (*TestSessionErrorGroup, error) {
	return call[TestSessionErrorGroup](ctx, (*service)(s),
		op("PATCH /v1/test-session-error-groups/{id}", id).mayRepeat().is("id").sends(update), opts)
}

// messages returns the messages of error groups by their ids, without those that cannot be read.
func (s *TestSessionErrorGroupsService) messages(ctx context.Context, ids []string, opts []CallOption) map[string]string {
	ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	texts, messages := make([]string, len(ids)), make(map[string]string, len(ids))
	opts = append(concurrent(opts), WithBackground())
	workers.Each(ctx, len(ids), callsAtOnce, func(ctx context.Context, i int) {
		if g, err := s.Get(ctx, ids[i], opts...); err == nil {
			texts[i] = cmp.Or(ValueOr(g.RawErrorMessage, ""), g.CleanedErrorMessage)
		}
	})
	for i, id := range ids {
		messages[id] = texts[i]
	}
	return messages
}
