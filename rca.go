package monitoring

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/await"
	"github.com/monitoring-api/monitoring-go/internal/exchange"
)

// RootCauseAnalysis is an analysis of why a check failed. While Status is PENDING it has only
// ID and Status.
type RootCauseAnalysis struct {
	ID     string                  `json:"id"`
	Status RootCauseAnalysisStatus `json:"status"`
	// CheckType is the kind of the check that triggered the analysis.
	CheckType CheckType `json:"checkType,omitempty"`
	// Provider and Model name the AI provider and its model.
	Provider string `json:"provider,omitempty"`
	Model    string `json:"model,omitempty"`
	// DurationMs is how long the analysis took, in milliseconds.
	DurationMs   float64   `json:"durationMs"`
	CheckID      *string   `json:"checkId"`
	ErrorGroupID *string   `json:"errorGroupId"`
	Analysis     *Analysis `json:"analysis,omitempty"`
	CreatedAt    Timestamp `json:"created_at,omitzero"`
	// UserContext are remarks of users for the analysis; not every service returns them.
	UserContext []AnalysisContext `json:"userContext,omitzero"`
}

// Completed reports whether the analysis is complete.
func (a *RootCauseAnalysis) Completed() bool { return a.Status == RootCauseAnalysisCompleted }

// Analysis is the content of a root cause analysis. CodeFix is nil if there is none.
type Analysis struct {
	Classification string              `json:"classification"`
	UserImpact     string              `json:"userImpact"`
	RootCause      string              `json:"rootCause"`
	CodeFix        *string             `json:"codeFix"`
	Evidence       []AnalysisEvidence  `json:"evidence"`
	ReferenceLinks []AnalysisReference `json:"referenceLinks"`
}

// AnalysisEvidence is an observation and the artifacts that support it.
type AnalysisEvidence struct {
	Description string             `json:"description"`
	Artifacts   []AnalysisArtifact `json:"artifacts"`
}

// AnalysisArtifact names a part of a check result.
type AnalysisArtifact struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// AnalysisReference is a link to further reading.
type AnalysisReference struct {
	URL   string `json:"url"`
	Title string `json:"title"`
}

// AnalysisContext is a remark of a user for an analysis.
type AnalysisContext struct {
	Text string `json:"text"`
	Type string `json:"type"`
}

// RootCauseAnalysesService reads root cause analyses.
type RootCauseAnalysesService service

// Get returns a root cause analysis as it is now (GET /v1/root-cause-analyses/{id}):
// COMPLETED, or PENDING while the service works on it. An unknown id is [ErrNotFound].
func (s *RootCauseAnalysesService) Get(ctx context.Context, id string, opts ...CallOption) (*RootCauseAnalysis, error) {
	analysis, _, err := s.get(ctx, id, opts)
	return analysis, err
}

// get also returns the pause that the service asks for, as far as the client obeys it; 0 if it asks
// for none.
func (s *RootCauseAnalysesService) get(ctx context.Context, id string, opts []CallOption) (*RootCauseAnalysis, time.Duration, error) {
	c := (*service)(s).owner()
	analysis, o, err := callForAny[RootCauseAnalysis](ctx, c, op("GET /v1/root-cause-analyses/{id}", id).is("id"), opts)
	if err != nil {
		return nil, c.askedPause(err), err
	}
	if o.result.StatusCode == http.StatusAccepted {
		analysis.Status = RootCauseAnalysisPending // the status of the response decides
	}
	asked, _ := exchange.RetryAfter(o.result.StatusCode, o.result.Header)
	return analysis, min(asked, c.policy.MaxRetryAfter), nil
}

// Wait reads a root cause analysis until it is COMPLETED and returns it
// (GET /v1/root-cause-analyses/{id}). It reads at once, then after 1 second and growing
// intervals of up to 15 seconds, or after the service's Retry-After, up to
// [RetryPolicy].MaxRetryAfter. The service has neither a long poll for it nor a status for
// failed analyses, so give the context a deadline. Failures that may pass end the waiting only
// if there was nothing else for five minutes. When the context ends, Wait returns the analysis
// as last read, or nil, and an error that also has the last failure.
func (s *RootCauseAnalysesService) Wait(ctx context.Context, id string, opts ...CallOption) (*RootCauseAnalysis, error) {
	if err := (WaitOptions{}).check(ctx, (*service)(s)); err != nil {
		return nil, err
	}
	w := &analysisWait{s, forWait(opts)}
	engine := await.New(w, await.Options{})
	engine.Add(await.Thing[RootCauseAnalysis]{ID: id})
	for end := range engine.Run(ctx) {
		if end.Reason == await.Done {
			return end.State, nil
		}
		reason := &waitError{whyNot(ctx, end, 0), nil}
		return end.State, fmt.Errorf("monitoring: wait for root cause analysis %.64q: %w", s.core.scrubberFor(opts).Text(id), reason)
	}
	return nil, nil // not reached: the wait yields the analysis or its error
}

// analysisWait tells the engine of waits what the service says about a root cause analysis, as its
// await.Service. There are no polls.
type analysisWait struct {
	service *RootCauseAnalysesService
	opts    []CallOption
}

// Read reads an analysis.
func (w *analysisWait) Read(ctx context.Context, id string, placed func()) await.Response[RootCauseAnalysis] {
	analysis, asked, err := w.service.get(ctx, id, ofWait(w.opts, placed, 0))
	if err == nil {
		err = isAbout(&analysis.ID, string(analysis.Status), id)
	}
	r := await.Response[RootCauseAnalysis]{Outcome: await.Runs, State: analysis, Err: err, Pause: asked}
	switch {
	case err != nil:
		r.Outcome, r.State = outcomeOf(err, false), nil
	case analysis.Completed():
		r.Outcome = await.Ended
	}
	return r
}

// Poll is not called.
func (w *analysisWait) Poll(ctx context.Context, id string, _ time.Duration, placed func()) await.Response[RootCauseAnalysis] {
	return w.Read(ctx, id, placed)
}

// Cancel does nothing: an analysis cannot be cancelled.
func (w *analysisWait) Cancel(context.Context, string) error { return nil }

// Changed is not of interest.
func (w *analysisWait) Changed(_, _ *RootCauseAnalysis) bool { return false }

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
	return listOf((*service)(s), op("GET /v1/error-groups/checks/{checkId}", checkID), func(g *ErrorGroup) string { return g.ID }, opts)
}

// ListForCheck returns a page of the error groups of a check
// (GET /v1/error-groups/checks/{checkId}).
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
