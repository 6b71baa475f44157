package monitoring

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"iter"
	"slices"
	"time"
	"unicode/utf8"
)

// TestSession is a run of several checks under one name, in one location, and with its own
// variables. It does not count among the results of the checks, and sends no alerts.
//
//monitoring:json
type TestSession struct {
	TestSessionID string `json:"testSessionId"`
	// TestSessionLink is the address of a page about the session, for people.
	TestSessionLink string            `json:"testSessionLink"`
	Name            string            `json:"name"`
	Status          TestSessionStatus `json:"status"`
	// ErrorGroupIDs are error groups of [TestSessionErrorGroupsService], not of
	// [ErrorGroupsService].
	ErrorGroupIDs []string  `json:"errorGroupIds"`
	StartedAt     Timestamp `json:"startedAt"`
	// StoppedAt is nil while the session runs.
	StoppedAt *Timestamp `json:"stoppedAt"`
	// TimeElapsed is how long the session has taken so far, in milliseconds.
	TimeElapsed float64 `json:"timeElapsed"`
	// Metadata describes the code under test, as in the trigger, or is nil.
	Metadata *TestSessionMetadata `json:"metadata,omitempty"`
	// Results are partial until the session has ended, and nil if the service left them out.
	Results []TestSessionResult `json:"results,omitzero"`

	Extra map[string]json.RawMessage `json:"-"` // unknown fields; see [CheckResult]

	omitted `json:"-"`
}

func (TestSession) oddMembers() []string { return []string{"startedAt", "stoppedAt", "timeElapsed"} }

// TestSessionResult is a run of a check in a test session, or an attempt of it. For the full
// result, call [TestSessionsService.Result].
//
//monitoring:json
type TestSessionResult struct {
	TestSessionResultID   string `json:"testSessionResultId"`
	TestSessionResultLink string `json:"testSessionResultLink"`
	// CheckID is nil if the code that ran is not a check of the account.
	CheckID       *string   `json:"checkId"`
	CheckType     CheckType `json:"checkType"`
	Name          string    `json:"name,omitempty"`
	RunLocation   string    `json:"runLocation,omitempty"`
	ErrorGroupIDs []string  `json:"errorGroupIds"`
	// ResultType is FINAL, ATTEMPT, or PENDING while the run is in progress; empty if unknown.
	ResultType  TestResultType    `json:"resultType,omitempty"`
	Status      TestSessionStatus `json:"status"`
	HasErrors   bool              `json:"hasErrors"`
	HasFailures bool              `json:"hasFailures"`
	IsDegraded  bool              `json:"isDegraded"`
	Aborted     bool              `json:"aborted"`
	// ResponseTime is as in [CheckResult], or nil until the run has ended.
	ResponseTime *float64 `json:"responseTime"`
	// StartedAt is nil until the run begins, and StoppedAt until it ends.
	StartedAt *Timestamp `json:"startedAt"`
	StoppedAt *Timestamp `json:"stoppedAt"`

	Extra map[string]json.RawMessage `json:"-"` // unknown fields; see [CheckResult]

	omitted `json:"-"`
}

func (TestSessionResult) oddMembers() []string {
	return []string{"responseTime", "startedAt", "stoppedAt"}
}

// Final reports whether r is the final result of its run: by ResultType or, without one, by a final
// Status. It is false for nil.
func (r *TestSessionResult) Final() bool {
	return r != nil && (r.ResultType == TestResultFinal || r.ResultType == "" && r.Status.Done())
}

// Passed reports whether the run ended without a failure, error or cancellation. A degraded run has
// passed, and nil has not. Use [TestSessionResult.Verdict] to tell whether a run failed.
func (r *TestSessionResult) Passed() bool { return r.Verdict().OK() }

// Done reports whether the session has ended; see [CheckSession.Done].
func (s *TestSession) Done() bool {
	switch {
	case s == nil:
		return false
	case s.Status.known(), s.Status == "":
		return s.Status.Done()
	}
	return s.StoppedAt != nil && !s.StoppedAt.IsZero()
}

func (s TestSessionStatus) known() bool { return s == TestSessionRunning || s.Done() }

// Passed reports whether the session ended as PASSED. It is false for nil and while the session
// runs: see [TestSession.Verdict].
func (s *TestSession) Passed() bool { return s != nil && s.Status == TestSessionPassed }

// FinalResults returns the final result of each run that has one.
func (s *TestSession) FinalResults() []TestSessionResult {
	return s.resultsWhere((*TestSessionResult).Final)
}

// FailingResults returns the final results that did not pass.
func (s *TestSession) FailingResults() []TestSessionResult {
	return s.resultsWhere(func(r *TestSessionResult) bool { return r.Final() && !r.Passed() })
}

// FailedRuns returns FailingResults, followed by the last attempt of each run that has no final
// result: it failed, and its retry has not ended.
func (s *TestSession) FailedRuns() []TestSessionResult {
	list := s.FailingResults()
	for _, i := range s.openAttempts() {
		list = append(list, s.Results[i])
	}
	return list
}

// openAttempts returns the indexes of the last attempts of the runs without a final result.
func (s *TestSession) openAttempts() []int {
	if s == nil {
		return nil
	}
	return lastAttempts(len(s.Results), func(i int) (string, bool, bool) {
		r := &s.Results[i]
		return r.run(), r.ResultType == TestResultAttempt, r.Final()
	})
}

// run tells the runs of a session apart: results have no id of it.
func (r *TestSessionResult) run() string {
	return cmp.Or(ValueOr(r.CheckID, ""), r.Name) + "\x00" + r.RunLocation
}

// resultsWhere returns the results that are to keep; nil for a nil session.
func (s *TestSession) resultsWhere(keep func(*TestSessionResult) bool) (list []TestSessionResult) {
	if s == nil {
		return nil
	}
	for i := range s.Results {
		if keep(&s.Results[i]) {
			list = append(list, s.Results[i])
		}
	}
	return list
}

// Duration returns the time from the session's start to its end, or TimeElapsed while it runs. It
// is 0 for nil.
func (s *TestSession) Duration() time.Duration {
	if s == nil {
		return 0
	}
	return durationOf(s.StartedAt, s.StoppedAt, s.TimeElapsed)
}

// TestSessionTrigger is the request of [TestSessionsService.Trigger].
type TestSessionTrigger struct {
	// Name is required. The list of sessions shows it.
	Name string `json:"name"`
	// RunLocation is required: a region such as eu-central-1, or the SlugName of a private
	// location. All checks run there.
	RunLocation string `json:"runLocation"`
	// Target filters the checks. A request without any filter would run every eligible check of the
	// account, so it is a [*ValidationError] unless AllChecks is set.
	Target TestSessionTarget `json:"target,omitzero"`
	// EnvironmentVariables are variables of this run, at most 50. They override those of the
	// account, and no response contains them.
	EnvironmentVariables []TestSessionVariable `json:"environmentVariables,omitzero"`
	// RetryStrategy is how this run is retried; null means not at all, and FALLBACK is not allowed.
	// The behavior of the service without one is not documented.
	RetryStrategy Nullable[RetryStrategy] `json:"retryStrategy,omitzero"`
	// RefreshCache makes PLAYWRIGHT checks install their dependencies from scratch; the service's
	// default is false.
	RefreshCache *bool `json:"refreshCache,omitempty"`
	// Metadata describes the code under test.
	Metadata *TestSessionMetadata `json:"metadata,omitempty"`
	// AllChecks confirms that you mean every eligible check of the account.
	AllChecks bool `json:"-"`
}

// Validate checks the request as [TestSessionsService.Trigger] does.
func (r TestSessionTrigger) Validate() error {
	return validateBody("POST /v1/test-sessions/trigger", r)
}

func (r TestSessionTrigger) validate(v *violations) {
	v.filters(r.Target.MatchTags, !r.Target.filters(), r.AllChecks)
}

// validateSent checks that a trigger still has filters after WithBodyField.
func (r TestSessionTrigger) validateSent(body []byte, v *violations) {
	if !r.AllChecks {
		v.filtersSent(body)
	}
}

// Missing returns the CheckIDs of the target for which the session has no result; see
// [TriggerRequest.Missing]. It returns nil while the session runs, and if it came without results.
func (r TestSessionTrigger) Missing(session *TestSession) []string {
	if r.AllChecks || len(r.Target.MatchTags) > 0 || !session.Done() || session.Results == nil {
		return nil
	}
	started := make([]string, len(session.Results))
	for i, result := range session.Results {
		started[i] = ValueOr(result.CheckID, "")
	}
	return missingOf(r.Target.CheckIDs, started)
}

// TestSessionTarget selects the checks of a [TestSessionTrigger].
type TestSessionTarget struct {
	// MatchTags and CheckIDs are as in [TriggerTarget].
	MatchTags [][]string `json:"matchTags,omitempty"`
	CheckIDs  []string   `json:"checkId,omitempty"`
	// AllowDeactivated also runs deactivated checks; the default is false. It does not filter.
	AllowDeactivated *bool `json:"allowDeactivated,omitempty"`
}

func (t TestSessionTarget) filters() bool { return len(t.MatchTags) > 0 || len(t.CheckIDs) > 0 }

// IsZero reports whether there is nothing to send. Empty lists do not filter.
func (t TestSessionTarget) IsZero() bool { return !t.filters() && t.AllowDeactivated == nil }

// TestSessionVariable is a variable of a test session.
//
//monitoring:json
type TestSessionVariable struct {
	// Key is required.
	Key string `json:"key"`
	// Value is required. It may be empty only if Secret is set.
	Value Secret `json:"value"`
	// Secret and Locked are as in [EnvironmentVariable].
	Secret *bool `json:"secret,omitempty"`
	Locked *bool `json:"locked,omitempty"`
}

// TestSessionMetadata describes the code under test. Empty fields are not sent.
type TestSessionMetadata struct {
	// Environment is where the code runs, such as staging.
	Environment   string `json:"environment,omitempty"`
	RepoURL       string `json:"repoUrl,omitempty"`
	CommitID      string `json:"commitId,omitempty"`
	CommitOwner   string `json:"commitOwner,omitempty"`
	CommitMessage string `json:"commitMessage,omitempty"`
	BranchName    string `json:"branchName,omitempty"`
	// GitHub describes a run of GitHub Actions, or is nil.
	GitHub *TestSessionGitHub `json:"github,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown fields; see [CheckResult]

	omitted `json:"-"`
}

// TestSessionGitHub is the run of GitHub Actions that a test session belongs to. Empty strings are
// not sent.
type TestSessionGitHub struct {
	// Reporting is whether the service reports to GitHub.
	Reporting  bool   `json:"reporting"`
	Repository string `json:"repository,omitempty"`
	SHA        string `json:"sha,omitempty"`
	RunID      string `json:"runId,omitempty"`
	RunAttempt string `json:"runAttempt,omitempty"`
	Workflow   string `json:"workflow,omitempty"`
	Job        string `json:"job,omitempty"`
	EventName  string `json:"eventName,omitempty"`
	Ref        string `json:"ref,omitempty"`
	HeadRef    string `json:"headRef,omitempty"`
	BaseRef    string `json:"baseRef,omitempty"`
	ServerURL  string `json:"serverUrl,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown fields; see [CheckResult]

	omitted `json:"-"`
}

// TestSessionEntry is a test session in a list, which has other fields than the [TestSession] that
// [TestSessionsService.Get] returns for its ID.
//
//monitoring:json
type TestSessionEntry struct {
	ID        string  `json:"id"`
	AccountID string  `json:"accountId"`
	ProjectID *string `json:"projectId"`
	Name      string  `json:"name"`
	// Provider is where the session comes from. The checks of a session that another program
	// reported may not exist in the account.
	Provider      TestSessionProvider `json:"provider"`
	ErrorGroupIDs []string            `json:"errorGroupIds"`
	// Running, Passed, Failed and Cancelled are sequences of runs, not results; [CancelRequest]
	// accepts those that are running.
	Running   []string `json:"running"`
	Passed    []string `json:"passed"`
	Failed    []string `json:"failed"`
	Cancelled []string `json:"cancelled"`
	// Status is empty if unknown.
	Status            TestSessionStatus   `json:"status,omitempty"`
	Region            string              `json:"region"`
	PrivateLocationID *string             `json:"privateLocationId"`
	Invoker           *TestSessionInvoker `json:"invoker"`
	RepoURL           *string             `json:"repoUrl"`
	CommitID          *string             `json:"commitId"`
	CommitOwner       *string             `json:"commitOwner"`
	CommitMessage     *string             `json:"commitMessage"`
	BranchName        *string             `json:"branchName"`
	Environment       *string             `json:"environment"`
	StartedAt         Timestamp           `json:"startedAt"`
	// StoppedAt is nil while the session runs.
	StoppedAt *Timestamp `json:"stoppedAt"`
	CreatedAt Timestamp  `json:"created_at"`
	UpdatedAt *Timestamp `json:"updated_at"`

	Extra map[string]json.RawMessage `json:"-"` // unknown fields; see [CheckResult]

	omitted `json:"-"`
}

func (TestSessionEntry) oddMembers() []string {
	return []string{"startedAt", "stoppedAt", "created_at", "updated_at"}
}

// TestSessionInvoker is who started a test session.
type TestSessionInvoker struct {
	Name    string  `json:"name"`
	Picture *string `json:"picture"`

	Extra map[string]json.RawMessage `json:"-"` // unknown fields; see [CheckResult]

	omitted `json:"-"`
}

// TestSessionListOptions selects the test sessions that match all fields that are set; of a list,
// one value must match.
type TestSessionListOptions struct {
	// Limit is the number of sessions on a page, 1 to 100. If it is 0, List uses the service's
	// default of 20, and iterators ask for 100.
	Limit int `url:"limit,omitempty"`
	// NextID is the cursor of the page to begin with, from a [Page] or [PageError], or empty.
	NextID string `url:"-"`
	// From is the beginning of the period in which the sessions were created, inclusive, and To its
	// end, exclusive, widened to whole seconds. Zero times do not limit it.
	From time.Time `url:"from,unix,omitempty"`
	To   time.Time `url:"to,unix,omitempty"`
	// Statuses are those of the sessions, and Branches those of their metadata.
	Statuses []TestSessionStatus `url:"statuses,omitempty"`
	Branches []string            `url:"branches,omitempty"`
	// Users are owners of commits, or ids of users who started sessions.
	Users     []string              `url:"users,omitempty"`
	Providers []TestSessionProvider `url:"providers,omitempty"`
	// NoUsers also selects sessions without a user.
	NoUsers *bool `url:"noUsers,omitempty"`
	// TextSearch has 3 to 200 characters. Which fields the service searches is not documented.
	TextSearch string `url:"textSearch,omitempty"`
	// ErrorGroupID selects sessions with this error; see [TestSessionErrorGroupsService].
	ErrorGroupID string `url:"errorGroupId,omitempty"`
}

// Validate checks the options as [TestSessionsService.List] does.
func (o TestSessionListOptions) Validate() error { return validateQuery("GET /v1/test-sessions", o) }

func (o TestSessionListOptions) validate(v *violations) {
	ListOptions{Limit: o.Limit}.validate(v)
	if !o.From.IsZero() && !o.To.IsZero() && !o.From.Before(o.To) {
		v.add("to", "must be after from")
	}
	if slices.Contains(o.Statuses, "") {
		v.add("statuses", "must not be empty")
	}
	v.noneEmpty("branches", o.Branches)
	v.noneEmpty("users", o.Users)
	if slices.Contains(o.Providers, "") {
		v.add("providers", "must not be empty")
	}
	if n := utf8.RuneCountInString(o.TextSearch); o.TextSearch != "" && (n < 3 || n > 200) {
		v.add("textSearch", "%d characters are outside 3..200", n)
	}
}

func testSessionLister(s *TestSessionsService, options TestSessionListOptions, opts []CallOption) *lister {
	l := itemsOf(func(e *TestSessionEntry) string { return e.ID })
	l.byCursor, l.from = true, options.NextID
	return l.of((*service)(s), opts, func(page ListOptions) *operation {
		given := options
		given.Limit = page.Limit
		sent := given
		sent.From, sent.To = inWholeSeconds(given.From, given.To)
		return op("GET /v1/test-sessions").asksFor(given, sent)
	})
}

// TestSessionsService runs checks as a test, for example against a preview deployment: in one
// location, with variables of the run, and without alerts. Most programs need only
// [TestSessionsService.TriggerAndWait].
type TestSessionsService service

// Trigger starts a test session of the checks that match, without waiting for it (POST
// /v1/test-sessions/trigger). It returns [ErrNoMatchingChecks] if nothing matches. After
// [ErrOutcomeUnknown], list the sessions since the time of the call, and look for the Name or for
// something in the Metadata that no other session has.
func (s *TestSessionsService) Trigger(ctx context.Context, request TestSessionTrigger, opts ...CallOption) (*TestSession, error) {
	return call[TestSession](ctx, (*service)(s), op("POST /v1/test-sessions/trigger").is("testSessionId").sends(request).starts(), opts)
}

// Get returns a session as it is now (GET /v1/test-sessions/{testSessionId}).
func (s *TestSessionsService) Get(ctx context.Context, id string, opts ...CallOption) (*TestSession, error) {
	return call[TestSession](ctx, (*service)(s), op("GET /v1/test-sessions/{testSessionId}", id).is("testSessionId"), opts)
}

// Completion waits for the end of a session with one long poll (GET
// /v1/test-sessions/{testSessionId}/completion); see [CheckSessionsService.Completion]. The service
// may leave out the results, which [TestSessionsService.Wait] then reads.
func (s *TestSessionsService) Completion(
	ctx context.Context, id string, options CompletionOptions, opts ...CallOption,
) (*TestSession, error) {
	options = options.withDefault()
	return call[TestSession](ctx, (*service)(s), op("GET /v1/test-sessions/{testSessionId}/completion", id).is("testSessionId").
		holds(time.Duration(options.MaxWaitSeconds)*time.Second).asks(options), opts)
}

// Cancel asks the service to cancel a session, or some of its sequences (POST
// /v1/test-sessions/{testSessionId}/cancel); see [CheckSessionsService.Cancel]. Sequences are in
// Running of a [TestSessionEntry], and in a [TestResult].
func (s *TestSessionsService) Cancel(ctx context.Context, id string, request CancelRequest, opts ...CallOption) error {
	return exec(ctx, (*service)(s), op("POST /v1/test-sessions/{testSessionId}/cancel", id).mayRepeat().sends(request), opts)
}

// List returns a page of test sessions (GET /v1/test-sessions). For the next page, set NextID of
// the options to that of the page.
func (s *TestSessionsService) List(
	ctx context.Context, options TestSessionListOptions, opts ...CallOption,
) (*Page[TestSessionEntry], error) {
	return list[TestSessionEntry](ctx, testSessionLister(s, options, opts), ListOptions{Limit: options.Limit})
}

// All iterates over test sessions by cursor, as [CheckResultsService.AllForCheck] does over
// results. The order is not documented: sort by CreatedAt.
func (s *TestSessionsService) All(
	ctx context.Context, options TestSessionListOptions, opts ...CallOption,
) iter.Seq2[TestSessionEntry, error] {
	return items(s.Pages(ctx, options, opts...))
}

// Pages iterates over the pages of [TestSessionsService.All]. To resume after a page, set NextID of
// the options to that of the page.
func (s *TestSessionsService) Pages(
	ctx context.Context, options TestSessionListOptions, opts ...CallOption,
) iter.Seq2[*Page[TestSessionEntry], error] {
	return pages[TestSessionEntry](ctx, testSessionLister(s, options, opts), ListOptions{Limit: options.Limit})
}

// Result returns the full result of a run (GET
// /v1/test-sessions/{testSessionId}/results/{testSessionResultId}).
func (s *TestSessionsService) Result(ctx context.Context, sessionID, resultID string, opts ...CallOption) (*TestResult, error) {
	return call[TestResult](ctx, (*service)(s),
		op("GET /v1/test-sessions/{testSessionId}/results/{testSessionResultId}", sessionID, resultID).is("id"), opts)
}

// Assets returns the files that a run produced (GET
// /v1/test-sessions/{testSessionId}/results/{testSessionResultId}/assets).
func (s *TestSessionsService) Assets(
	ctx context.Context, sessionID, resultID string, options CheckResultAssetOptions, opts ...CallOption,
) (*CheckResultAssets, error) {
	assets := op("GET /v1/test-sessions/{testSessionId}/results/{testSessionResultId}/assets", sessionID, resultID).asks(options)
	return call[CheckResultAssets](ctx, (*service)(s), assets, opts)
}

// CopyAsset copies a file of [TestSessionsService.Assets] to w; see
// [CheckResultsService.CopyAsset].
func (s *TestSessionsService) CopyAsset(ctx context.Context, asset CheckResultAsset, w io.Writer, opts ...CallOption) error {
	return (*CheckResultsService)(s).CopyAsset(ctx, asset, w, opts...)
}

// FetchFailingResults fetches the full results of [TestSession.FailedRuns] (GET
// /v1/test-sessions/{testSessionId}/results/{testSessionResultId}); see
// [CheckSessionsService.FetchFailingResults]. Error groups that it needs are read by id, each once.
func (s *TestSessionsService) FetchFailingResults(ctx context.Context, session *TestSession, opts ...CallOption) ([]*TestResult, error) {
	if session == nil {
		return nil, errNoSession
	}
	failed := session.FailedRuns()
	results, err := fetchLate(ctx, (*service)(s), len(failed), session.StoppedAt, opts, func(ctx context.Context, i int, opts []CallOption) (*TestResult, error) {
		return s.Result(ctx, session.TestSessionID, failed[i].TestSessionResultID, opts...)
	})
	var ids []string
	for _, r := range results {
		if r.wantsGroups() {
			ids = append(ids, r.ErrorGroupIDs...)
		}
	}
	messages := (*TestSessionErrorGroupsService)(s).messages(ctx, ids, opts)
	for _, r := range results {
		if r.wantsGroups() {
			r.ErrorGroupMessages = messagesOf(r.ErrorGroupIDs, messages)
		}
	}
	return results, err
}
