package monitoring

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/await"
)

// RootCauseAnalysis is an analysis of why a check failed. While its Status is PENDING, it has only
// ID and Status.
//
//monitoring:json
type RootCauseAnalysis struct {
	ID     string                  `json:"id"`
	Status RootCauseAnalysisStatus `json:"status"`
	// CheckType is the kind of the check that failed.
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
	// UserContext are remarks of users; not every service returns them.
	UserContext []AnalysisContext `json:"userContext,omitzero"`

	Extra map[string]json.RawMessage `json:"-"` // unknown fields; see [CheckResult]

	omitted `json:"-"`
}

func (RootCauseAnalysis) oddMembers() []string {
	return []string{"durationMs", "created_at"}
}

// Completed reports whether the analysis is complete.
func (a *RootCauseAnalysis) Completed() bool { return a.Status == RootCauseAnalysisCompleted }

// Analysis is the content of a root cause analysis.
type Analysis struct {
	Classification string `json:"classification"`
	UserImpact     string `json:"userImpact"`
	RootCause      string `json:"rootCause"`
	// CodeFix is nil if there is none.
	CodeFix        *string             `json:"codeFix"`
	Evidence       []AnalysisEvidence  `json:"evidence"`
	ReferenceLinks []AnalysisReference `json:"referenceLinks"`

	Extra map[string]json.RawMessage `json:"-"` // unknown fields; see [CheckResult]

	omitted `json:"-"`
}

// AnalysisEvidence is an observation and the artifacts that support it.
type AnalysisEvidence struct {
	Description string             `json:"description"`
	Artifacts   []AnalysisArtifact `json:"artifacts"`

	Extra map[string]json.RawMessage `json:"-"` // unknown fields; see [CheckResult]

	omitted `json:"-"`
}

// AnalysisArtifact names a part of a check result.
type AnalysisArtifact struct {
	Name string `json:"name"`
	Type string `json:"type"`

	Extra map[string]json.RawMessage `json:"-"` // unknown fields; see [CheckResult]

	omitted `json:"-"`
}

// AnalysisReference is a link to further reading.
type AnalysisReference struct {
	URL   string `json:"url"`
	Title string `json:"title"`

	Extra map[string]json.RawMessage `json:"-"` // unknown fields; see [CheckResult]

	omitted `json:"-"`
}

// AnalysisContext is a user's remark for an analysis.
type AnalysisContext struct {
	Text string `json:"text"`
	Type string `json:"type"`

	Extra map[string]json.RawMessage `json:"-"` // unknown fields; see [CheckResult]

	omitted `json:"-"`
}

// RootCauseAnalysesService starts and reads root cause analyses.
type RootCauseAnalysesService service

// Get returns a root cause analysis as it is now (GET /v1/root-cause-analyses/{id}).
func (s *RootCauseAnalysesService) Get(ctx context.Context, id string, opts ...CallOption) (*RootCauseAnalysis, error) {
	analysis, _, err := s.get(ctx, id, opts)
	return analysis, err
}

// get also returns the pause that the service asks for, as far as the client obeys it; 0 if it asks
// for none.
func (s *RootCauseAnalysesService) get(ctx context.Context, id string, opts []CallOption) (*RootCauseAnalysis, time.Duration, error) {
	c, analysis := (*service)(s).owner(), new(RootCauseAnalysis)
	o, err := c.doInto(ctx, op("GET /v1/root-cause-analyses/{id}", id).is("id"), analysis, opts)
	if err != nil {
		return nil, c.askedPause(err), err
	}
	analysis.decideBy(o.result.StatusCode)
	asked, _ := c.sender.Clock.RetryAfter(o.result.StatusCode, o.result.Header)
	return analysis, min(asked, c.policy.MaxRetryAfter), nil
}

// decideBy makes an analysis PENDING if the status of its response says so.
func (a *RootCauseAnalysis) decideBy(status int) {
	if status == http.StatusAccepted {
		a.Status = RootCauseAnalysisPending
	}
}

// RootCauseAnalysisCreate is the request of [RootCauseAnalysesService.Create].
type RootCauseAnalysisCreate struct {
	// UserContext is a remark for the analysis, such as what was deployed before the error, of at
	// most 256 characters.
	UserContext string `json:"userContext,omitempty"`
}

// Validate checks the request as [RootCauseAnalysesService.Create] does.
func (r RootCauseAnalysisCreate) Validate() error {
	return validateBody("POST /v1/root-cause-analyses/error-groups/{errorGroupId}", r)
}

func (RootCauseAnalysisCreate) validate(*violations) {}

// Create starts a root cause analysis of an error group (POST
// /v1/root-cause-analyses/error-groups/{errorGroupId}) and returns it, PENDING. Use
// [RootCauseAnalysesService.Wait] to wait for it. After [ErrOutcomeUnknown], look at
// RootCauseAnalyses of the [ErrorGroup].
func (s *RootCauseAnalysesService) Create(
	ctx context.Context, errorGroupID string, request RootCauseAnalysisCreate, opts ...CallOption,
) (*RootCauseAnalysis, error) {
	return s.create(ctx, op("POST /v1/root-cause-analyses/error-groups/{errorGroupId}", errorGroupID), request, opts)
}

// CreateForTestSession is [RootCauseAnalysesService.Create] for an error group of test sessions
// (POST /v1/root-cause-analyses/test-session-error-groups/{testSessionErrorGroupId}); see
// [TestSessionErrorGroupsService].
func (s *RootCauseAnalysesService) CreateForTestSession(
	ctx context.Context, errorGroupID string, request RootCauseAnalysisCreate, opts ...CallOption,
) (*RootCauseAnalysis, error) {
	return s.create(ctx, op("POST /v1/root-cause-analyses/test-session-error-groups/{testSessionErrorGroupId}", errorGroupID), request, opts)
}

func (s *RootCauseAnalysesService) create(
	ctx context.Context, create *operation, request RootCauseAnalysisCreate, opts []CallOption,
) (*RootCauseAnalysis, error) {
	create = create.is("id").sends(request)
	analysis := new(RootCauseAnalysis)
	o, err := (*service)(s).owner().doInto(ctx, create, analysis, opts)
	if err != nil {
		return nil, err
	}
	analysis.decideBy(o.result.StatusCode)
	return analysis, nil
}

// Wait reads a root cause analysis until it is COMPLETED, and returns it (GET
// /v1/root-cause-analyses/{id}): at once, after 1 second, and then at growing intervals of up to 15
// seconds or the service's Retry-After. Temporary failures end the wait only if there is nothing
// else for five minutes.
//
// Give the context a deadline, because the service has no status for an analysis that failed. When
// the context ends, Wait returns the analysis as last read, or nil, and an error that also wraps
// the last failure.
func (s *RootCauseAnalysesService) Wait(ctx context.Context, id string, opts ...CallOption) (*RootCauseAnalysis, error) {
	if err := (WaitOptions{}).check(ctx, (*service)(s)); err != nil {
		return nil, err
	}
	w := &analysisWait{s, forWait(opts)}
	engine := await.New(w, await.Options{})
	engine.Add(await.Thing{ID: id})
	for end := range engine.Run(ctx) {
		if end.Reason == await.Done {
			return stateOf[RootCauseAnalysis](end), nil
		}
		reason := &waitError{whyNot(ctx, end, 0), nil}
		return stateOf[RootCauseAnalysis](end), fmt.Errorf("monitoring: wait for root cause analysis %.64q: %w",
			(*service)(s).owner().scrubberFor(opts).Text(id), reason)
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
func (w *analysisWait) Read(ctx context.Context, id string, placed func()) await.Response {
	analysis, asked, err := w.service.get(ctx, id, ofWait(w.opts, placed, 0))
	if err == nil {
		err = isAbout(&analysis.ID, string(analysis.Status), id)
	}
	r := await.Response{Outcome: await.Runs, State: analysis, Err: err, Pause: asked}
	switch {
	case err != nil:
		r.Outcome, r.State = outcomeOf(err, false), nil
	case analysis.Completed():
		r.Outcome = await.Ended
	}
	return r
}

// Poll is not called.
func (w *analysisWait) Poll(ctx context.Context, id string, _ time.Duration, placed func()) await.Response {
	return w.Read(ctx, id, placed)
}

// Cancel does nothing: an analysis cannot be cancelled.
func (w *analysisWait) Cancel(context.Context, string) error { return nil }

// Changed is not of interest.
func (w *analysisWait) Changed(_, _ any) bool { return false }
