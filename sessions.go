package monitoring

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// CheckSession is a run of a check that was started on demand, with a result for each location and
// attempt.
//
//monitoring:json
type CheckSession struct {
	CheckSessionID string `json:"checkSessionId"`
	// CheckSessionLink is the address of a page about the session, for people.
	CheckSessionLink string `json:"checkSessionLink,omitempty"`
	CheckID          string `json:"checkId"`
	// CheckType and Status are empty if the response to a trigger lacks them.
	CheckType CheckType          `json:"checkType,omitempty"`
	Status    CheckSessionStatus `json:"status,omitempty"`
	StartedAt Timestamp          `json:"startedAt"`
	// StoppedAt is nil while the session runs.
	StoppedAt *Timestamp `json:"stoppedAt"`
	// TimeElapsed is how long the session has taken so far, in milliseconds.
	TimeElapsed  float64    `json:"timeElapsed"`
	RunLocations []string   `json:"runLocations"`
	Name         string     `json:"name,omitempty"`
	RunSource    *RunSource `json:"runSource,omitempty"`
	// Results are partial until the session has ended. Then each location has a FINAL result, and
	// an ATTEMPT result for each earlier attempt that failed. Triggers return none.
	Results []CheckSessionResult `json:"results,omitzero"`

	Extra map[string]json.RawMessage `json:"-"` // unknown fields; see [CheckResult]

	omitted `json:"-"`
}

func (CheckSession) oddMembers() []string {
	return []string{"startedAt", "stoppedAt", "timeElapsed"}
}

// CheckSessionResult is a run of the session's check in one location. For the full result, call
// [CheckResultsService.Get] with CheckID and CheckResultID.
//
//monitoring:json
type CheckSessionResult struct {
	CheckResultID   string    `json:"checkResultId"`
	CheckResultLink string    `json:"checkResultLink,omitempty"`
	CheckID         string    `json:"checkId"`
	CheckType       CheckType `json:"checkType"`
	RunLocation     string    `json:"runLocation"`
	// ResultType is nil while the run is in progress.
	ResultType  *ResultType `json:"resultType"`
	HasErrors   bool        `json:"hasErrors"`
	HasFailures bool        `json:"hasFailures"`
	IsDegraded  bool        `json:"isDegraded"`
	Aborted     bool        `json:"aborted"`
	IsCancelled bool        `json:"isCancelled"`
	Name        string      `json:"name,omitempty"`
	// ResponseTime is in milliseconds, or nil while the run is in progress.
	ResponseTime *float64   `json:"responseTime"`
	StartedAt    *Timestamp `json:"startedAt"`
	StoppedAt    *Timestamp `json:"stoppedAt"`

	Extra map[string]json.RawMessage `json:"-"` // unknown fields; see [CheckResult]

	omitted `json:"-"`
}

func (CheckSessionResult) oddMembers() []string {
	return []string{"responseTime", "startedAt", "stoppedAt"}
}

// Final reports whether r is the final result of its location; false for nil.
func (r *CheckSessionResult) Final() bool {
	return r != nil && r.ResultType != nil && *r.ResultType == ResultFinal
}

// Passed reports whether the run ended without a failure, error or cancellation. A degraded run has
// passed, and nil has not. Use [CheckSessionResult.Verdict] to tell whether a run failed.
func (r *CheckSessionResult) Passed() bool {
	return r != nil && r.ResultType != nil && !r.HasFailures && !r.HasErrors && !r.Aborted && !r.IsCancelled
}

// Done reports whether the session has ended, whatever its verdict. If this package does not know
// its status, it has ended if StoppedAt is set. Done is false for nil.
func (s *CheckSession) Done() bool {
	if s == nil {
		return false
	}
	if s.Status.Done() || s.Status == "" || unfinished(s.Status) {
		return s.Status.Done()
	}
	return s.StoppedAt != nil && !s.StoppedAt.IsZero()
}

// Passed reports whether the session ended as PASSED, or as DEGRADED: slow but working. It is false
// for nil and while the session runs, so use [CheckSession.Verdict] to tell whether the check
// failed.
func (s *CheckSession) Passed() bool {
	return s != nil && (s.Status == SessionPassed || s.Status == SessionDegraded)
}

// Cancelled reports whether the session was canceled. It follows from the results if the session
// was read with [CheckSessionsService.GetV1], which reports TIMED_OUT. Cancelled is false for nil.
func (s *CheckSession) Cancelled() bool {
	return s != nil && s.Status == SessionCancelled ||
		s.Done() && slices.ContainsFunc(s.Results, func(r CheckSessionResult) bool { return r.IsCancelled })
}

// FinalResults returns the final result of each location that has one.
func (s *CheckSession) FinalResults() []CheckSessionResult {
	return s.resultsWhere((*CheckSessionResult).Final)
}

// Attempts returns the results of failed attempts before a final result.
func (s *CheckSession) Attempts() []CheckSessionResult {
	return s.resultsWhere(func(r *CheckSessionResult) bool {
		return r.ResultType != nil && *r.ResultType == ResultAttempt
	})
}

// FailingResults returns the final results that did not pass.
func (s *CheckSession) FailingResults() []CheckSessionResult {
	return s.resultsWhere(func(r *CheckSessionResult) bool { return r.Final() && !r.Passed() })
}

// FailedRuns returns FailingResults, followed by the last attempt of each location that has no
// final result: it failed, and its retry has not ended.
func (s *CheckSession) FailedRuns() []CheckSessionResult {
	list := s.FailingResults()
	for _, i := range s.openAttempts() {
		list = append(list, s.Results[i])
	}
	return list
}

// openAttempts returns the indexes of the last attempts in the locations without a final result.
func (s *CheckSession) openAttempts() []int {
	if s == nil {
		return nil
	}
	return lastAttempts(len(s.Results), func(i int) (string, bool, bool) {
		r := &s.Results[i]
		return r.RunLocation, r.ResultType != nil && *r.ResultType == ResultAttempt, r.Final()
	})
}

// lastAttempts returns, in their order, the indexes of the last attempts of runs without a final
// result. of returns the run of a result, and what the result is of it.
func lastAttempts(n int, of func(i int) (run string, attempt, final bool)) (list []int) {
	last := make(map[string]int)
	for i := range n {
		if run, attempt, final := of(i); final {
			last[run] = n // beyond all
		} else if attempt && last[run] < n {
			last[run] = i
		}
	}
	for i := range n {
		if run, attempt, _ := of(i); attempt && last[run] == i {
			list = append(list, i)
		}
	}
	return list
}

// resultsWhere returns the results that are to keep; nil for a nil session.
func (s *CheckSession) resultsWhere(keep func(*CheckSessionResult) bool) []CheckSessionResult {
	if s == nil {
		return nil
	}
	var list []CheckSessionResult
	for i := range s.Results {
		if keep(&s.Results[i]) {
			list = append(list, s.Results[i])
		}
	}
	return list
}

// Duration returns the time from the session's start to its end, or TimeElapsed while it runs. It
// is 0 for nil.
func (s *CheckSession) Duration() time.Duration {
	if s == nil {
		return 0
	}
	return durationOf(s.StartedAt, s.StoppedAt, s.TimeElapsed)
}

func durationOf(started Timestamp, stopped *Timestamp, millis float64) time.Duration {
	if stopped != nil && !stopped.IsZero() && !started.IsZero() {
		return stopped.Sub(started.Time)
	}
	return time.Duration(millis * float64(time.Millisecond))
}

// TriggerRequest selects the checks that [CheckSessionsService.Trigger] starts.
type TriggerRequest struct {
	// Target filters the checks. A request without any filter would start every eligible check of
	// the account, so it is a [*ValidationError] unless AllChecks is set.
	Target TriggerTarget `json:"target,omitzero"`
	// RefreshCache makes PLAYWRIGHT checks install their dependencies from scratch; the service's
	// default is false.
	RefreshCache *bool `json:"refreshCache,omitempty"`
	// AllChecks confirms that you mean every eligible check of the account.
	AllChecks bool `json:"-"`
}

// Validate checks the request as [CheckSessionsService.Trigger] does.
func (r TriggerRequest) Validate() error {
	return validateBody("POST /v2/check-sessions/trigger", r)
}

const noFilters = "is empty, and would start every check of the account: set MatchTags or CheckIDs, or AllChecks if you mean every check"

func (r TriggerRequest) validate(v *violations) {
	v.filters(r.Target.MatchTags, r.Target.IsZero(), r.AllChecks)
}

// filters checks the rules of this package about the filters of a trigger. The service would accept
// these requests and start more checks than the caller means.
func (v *violations) filters(matchTags [][]string, none, all bool) {
	switch {
	case none && !all:
		v.always("target", noFilters)
	case !none && all:
		v.always("target", "AllChecks cannot be combined with filters")
	}
	for i, group := range matchTags {
		if len(group) == 0 {
			v.always(fmt.Sprintf("target.matchTags[%d]", i), "must not be empty")
		}
	}
}

// validateSent checks that a trigger still has filters after [WithBodyField].
func (r TriggerRequest) validateSent(body []byte, v *violations) {
	if !r.AllChecks {
		v.filtersSent(body)
	}
}

// filtersSent checks that the body of a trigger has filters, of which none matches everything.
func (v *violations) filtersSent(body []byte) {
	filtered := false
	for name, value := range rawjson.Each(rawjson.Get(body, "target")) {
		if rawjson.IsEmpty(value) || string(name) == "allowDeactivated" {
			continue
		}
		filtered = true
		index := 0
		for group := range rawjson.Items(value) {
			if rawjson.IsEmpty(group) {
				v.always(fmt.Sprintf("target.%s[%d]", name, index), "must not be empty")
			}
			index++
		}
	}
	if !filtered {
		v.always("target", noFilters)
	}
}

// TriggerTarget selects checks by tags or by ids.
type TriggerTarget struct {
	// MatchTags is a list of groups of tags. A check matches if it has every tag of one of the
	// groups; the tags of its check group count as well. A tag with a leading ! must be absent. For
	// example, {{"production", "api"}, {"critical", "!flaky"}} means (production and api) or
	// (critical and not flaky). Neither groups nor tags may be empty.
	MatchTags [][]string `json:"matchTags,omitempty"`
	// CheckIDs are ids of checks, which are UUIDs. Use either CheckIDs or MatchTags: how the
	// service combines them is not documented.
	CheckIDs []string `json:"checkId,omitempty"`
}

// IsZero reports whether there is no filter. Empty lists do not filter.
func (t TriggerTarget) IsZero() bool { return len(t.MatchTags) == 0 && len(t.CheckIDs) == 0 }

type triggerResponse struct {
	Sessions []CheckSession `json:"sessions"`
}

func (r *triggerResponse) missing() string {
	if r.Sessions == nil {
		return "$.sessions"
	}
	for i := range r.Sessions {
		if r.Sessions[i].CheckSessionID == "" {
			return fmt.Sprintf("$.sessions[%d].checkSessionId", i)
		}
	}
	return ""
}

// CancelRequest selects what [CheckSessionsService.Cancel] cancels.
type CancelRequest struct {
	// SequenceIDs are the sequences to cancel, UUIDs as in [CheckResult].SequenceID. Nil cancels
	// everything in progress. An empty list that is not nil is a [*ValidationError].
	SequenceIDs []string `json:"sequenceId,omitzero"`
}

// Validate checks the request as [CheckSessionsService.Cancel] does.
func (r CancelRequest) Validate() error {
	return validateBody("POST /v1/check-sessions/{checkSessionId}/cancel", r)
}

func (r CancelRequest) validate(v *violations) {
	if r.SequenceIDs != nil && len(r.SequenceIDs) == 0 { // the service might take it for everything
		v.always("sequenceId", "must not be an empty list: leave it nil to cancel everything in progress")
	}
}

// CompletionOptions are options of [CheckSessionsService.Completion].
type CompletionOptions struct {
	// MaxWaitSeconds is how long the service may hold the request: 1 to 30 seconds, or 0 for 30.
	MaxWaitSeconds int `url:"maxWaitSeconds"`
}

// Validate checks the options as [CheckSessionsService.Completion] does.
func (o CompletionOptions) Validate() error {
	return validateQuery("GET /v2/check-sessions/{checkSessionId}/completion", o.withDefault())
}

// withDefault sets the longest wait if none is given.
func (o CompletionOptions) withDefault() CompletionOptions {
	if o.MaxWaitSeconds == 0 {
		o.MaxWaitSeconds = int(maxCompletionWait / time.Second)
	}
	return o
}

func (o CompletionOptions) validate(v *violations) {
	if o.MaxWaitSeconds < 1 || o.MaxWaitSeconds > 30 {
		v.add("maxWaitSeconds", "%d is outside 1..30", o.MaxWaitSeconds)
	}
}

// CheckSessionsService runs checks on demand, and reports their outcome. Most programs need only
// [CheckSessionsService.TriggerAndWait].
type CheckSessionsService service

// Trigger starts one session for each check that matches, without waiting for them (POST
// /v2/check-sessions/trigger). [TriggerRequest.Missing] returns the checks that you named and that
// were not started.
//
// Trigger returns [ErrNoMatchingChecks] if nothing matches. If the response is lost, it returns
// [ErrOutcomeUnknown]: checks may be running.
func (s *CheckSessionsService) Trigger(ctx context.Context, request TriggerRequest, opts ...CallOption) ([]CheckSession, error) {
	return s.trigger(ctx, op("POST /v2/check-sessions/trigger"), request, opts)
}

// TriggerV1 is [CheckSessionsService.Trigger] of the older path family (POST
// /v1/check-sessions/trigger). It accepts some ids that Trigger refuses.
//
// Deprecated: use [CheckSessionsService.Trigger].
func (s *CheckSessionsService) TriggerV1(ctx context.Context, request TriggerRequest, opts ...CallOption) ([]CheckSession, error) {
	return s.trigger(ctx, op("POST /v1/check-sessions/trigger"), request, opts)
}

func (s *CheckSessionsService) trigger(
	ctx context.Context, op *operation, request TriggerRequest, opts []CallOption,
) ([]CheckSession, error) {
	response, err := call[triggerResponse](ctx, (*service)(s), op.sends(request).starts(), opts)
	if err != nil {
		return nil, err
	}
	return response.Sessions, nil
}

// Get returns a session as it is now (GET /v2/check-sessions/{checkSessionId}).
func (s *CheckSessionsService) Get(ctx context.Context, id string, opts ...CallOption) (*CheckSession, error) {
	return call[CheckSession](ctx, (*service)(s), op("GET /v2/check-sessions/{checkSessionId}", id).is("checkSessionId"), opts)
}

// GetV1 is [CheckSessionsService.Get] of the older path family (GET
// /v1/check-sessions/{checkSessionId}), which reports a canceled session as TIMED_OUT; see
// [CheckSession.Cancelled].
//
// Deprecated: use [CheckSessionsService.Get].
func (s *CheckSessionsService) GetV1(ctx context.Context, id string, opts ...CallOption) (*CheckSession, error) {
	return call[CheckSession](ctx, (*service)(s), op("GET /v1/check-sessions/{checkSessionId}", id).is("checkSessionId"), opts)
}

// Completion waits for the end of a session with one long poll (GET
// /v2/check-sessions/{checkSessionId}/completion). If the session is still running after
// MaxWaitSeconds, Completion returns [ErrNotCompleted]: call it again, or use
// [CheckSessionsService.Wait]. MaxWaitSeconds is added to the timeout of the attempt.
func (s *CheckSessionsService) Completion(
	ctx context.Context, id string, options CompletionOptions, opts ...CallOption,
) (*CheckSession, error) {
	options = options.withDefault()
	return call[CheckSession](ctx, (*service)(s), op("GET /v2/check-sessions/{checkSessionId}/completion", id).is("checkSessionId").
		holds(time.Duration(options.MaxWaitSeconds)*time.Second).asks(options), opts)
}

// Cancel asks the service to cancel a session, or some of its sequences (POST
// /v1/check-sessions/{checkSessionId}/cancel). This takes effect a little later; use
// [CheckSessionsService.Wait] to wait for it. Only PLAYWRIGHT checks can be canceled; other runs
// go on.
func (s *CheckSessionsService) Cancel(ctx context.Context, id string, request CancelRequest, opts ...CallOption) error {
	return exec(ctx, (*service)(s), op("POST /v1/check-sessions/{checkSessionId}/cancel", id).mayRepeat().
		sends(request).accountIsUUID().idIsUUID(), opts)
}

func (s *CheckSession) about() (id *string, status, name string, known bool) {
	return &s.CheckSessionID, string(s.Status), s.Name, s.Status.known()
}

func (s *CheckSession) progressed(before awaited) bool {
	return before.(*CheckSession).Status != s.Status
}
