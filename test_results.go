package monitoring

import "encoding/json"

// TestResult is the full result of a run of a test session. It has the payload of its check's kind,
// one of the five fields from APICheckResult to AgenticCheckResult; other kinds have none.
//
//monitoring:json
type TestResult struct {
	// ID is the same as TestSessionResultID.
	ID                    string `json:"id"`
	TestSessionResultID   string `json:"testSessionResultId"`
	TestSessionResultLink string `json:"testSessionResultLink"`
	// CheckID is nil if the code that ran is not a check of the account.
	CheckID   *string   `json:"checkId"`
	CheckType CheckType `json:"checkType"`
	Name      string    `json:"name,omitempty"`
	// RunLocation is a region or a private location, which also has a PrivateLocationID.
	RunLocation       string  `json:"runLocation,omitempty"`
	PrivateLocationID *string `json:"privateLocationId"`
	// FilePath is the file of the code that ran, or nil if unknown.
	FilePath *string `json:"filePath"`
	// ErrorGroupIDs are error groups of [TestSessionErrorGroupsService].
	ErrorGroupIDs []string `json:"errorGroupIds"`
	// ErrorGroupMessages are as in [CheckResult], read by
	// [TestSessionsService.FetchFailingResults].
	ErrorGroupMessages []string          `json:"-"`
	ResultType         TestResultType    `json:"resultType,omitempty"`
	Status             TestSessionStatus `json:"status"`
	// HasErrors, HasFailures, IsDegraded, IsCancelled and OverMaxResponseTime are as in [CheckResult].
	HasErrors           bool `json:"hasErrors"`
	HasFailures         bool `json:"hasFailures"`
	IsDegraded          bool `json:"isDegraded"`
	Aborted             bool `json:"aborted"`
	IsCancelled         bool `json:"isCancelled"`
	OverMaxResponseTime bool `json:"overMaxResponseTime"`
	// ResponseTime is in milliseconds, or nil until the run has ended.
	ResponseTime *float64   `json:"responseTime"`
	StartedAt    *Timestamp `json:"startedAt"`
	StoppedAt    *Timestamp `json:"stoppedAt"`
	CreatedAt    Timestamp  `json:"created_at"`
	UpdatedAt    *Timestamp `json:"updated_at"`
	// Attempts is the number of retries.
	Attempts int `json:"attempts"`
	// SequenceID is the same for all attempts of a run; see [CancelRequest].
	SequenceID *string `json:"sequenceId"`
	// ScheduleError is why the run could not begin, or nil.
	ScheduleError *string `json:"scheduleError"`
	// TraceID is nil if no trace was recorded.
	TraceID *string `json:"traceId"`

	APICheckResult        *APICheckResult        `json:"apiCheckResult,omitempty"`
	BrowserCheckResult    *BrowserCheckResult    `json:"browserCheckResult,omitempty"`
	MultiStepCheckResult  *MultiStepCheckResult  `json:"multiStepCheckResult,omitempty"`
	PlaywrightCheckResult *PlaywrightCheckResult `json:"playwrightCheckResult,omitempty"`
	AgenticCheckResult    *AgenticCheckResult    `json:"agenticCheckResult,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown fields; see [CheckResult]

	omitted `json:"-"`
}

func (TestResult) oddMembers() []string {
	return []string{"responseTime", "startedAt", "stoppedAt", "created_at", "updated_at", "attempts"}
}

// Verdict returns the outcome of the run, by the rules of [TestSessionResult.Verdict]. A run with
// IsCancelled is also cancelled.
func (r *TestResult) Verdict() Verdict {
	if r == nil {
		return VerdictUnknown
	}
	status := r.Status
	if r.IsCancelled {
		status = TestSessionCancelled
	}
	return (&TestSessionResult{
		ResultType: r.ResultType, Status: status,
		HasErrors: r.HasErrors, HasFailures: r.HasFailures, IsDegraded: r.IsDegraded, Aborted: r.Aborted,
	}).Verdict()
}

// Messages returns what went wrong in the run, as [CheckResult.Messages] does, and why it could not
// begin.
func (r *TestResult) Messages() []string {
	if r == nil {
		return (*CheckResult)(nil).Messages()
	}
	list := r.asCheckResult().Messages()
	if why := ValueOr(r.ScheduleError, ""); why != "" {
		list = append([]string{why}, list...)
	}
	if len(list) == 0 && !r.Verdict().OK() {
		list = []string{string(r.Verdict())}
	}
	return list
}

// asCheckResult returns what the result has in common with one of a check.
func (r *TestResult) asCheckResult() *CheckResult {
	return &CheckResult{
		HasErrors: r.HasErrors, HasFailures: r.HasFailures, IsCancelled: r.IsCancelled || r.Status == TestSessionCancelled,
		OverMaxResponseTime: &r.OverMaxResponseTime, ResponseTime: r.ResponseTime, ErrorGroupMessages: r.ErrorGroupMessages,
		APICheckResult: r.APICheckResult, BrowserCheckResult: r.BrowserCheckResult, MultiStepCheckResult: r.MultiStepCheckResult,
		PlaywrightCheckResult: r.PlaywrightCheckResult, AgenticCheckResult: r.AgenticCheckResult,
	}
}

func (r *TestResult) wantsGroups() bool {
	return r != nil && ValueOr(r.ScheduleError, "") == "" && r.asCheckResult().wantsGroups(r.ErrorGroupIDs)
}
