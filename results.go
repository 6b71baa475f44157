package monitoring

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
	"github.com/monitoring-api/monitoring-go/internal/lenient"
)

// CheckResult is the full result of one run. It has one of the eight payloads, depending on
// the kind of check; the others are nil. TCP, URL, DNS, ICMP and HEARTBEAT checks have none.
// Members of payloads are raw JSON if the API document does not fix their form.
//
// Extra, in the result, its payloads and the objects in them, has the members without a
// field, by name and as raw JSON; it is nil if there are none. If the value of a payload's
// member does not fit its field, the member is in Extra, too, and the field is zero. Extra is
// filled when a CheckResult is decoded, not when a payload is decoded by itself.
// [encoding/json.Marshal] writes the members of Extra, too.
type CheckResult struct {
	// ResultType is FINAL or ATTEMPT.
	ResultType ResultType `json:"resultType"`
	// TraceID is nil if no trace was recorded.
	TraceID *string `json:"traceId"`
	ID      string  `json:"id"`
	// Name is the name of the check.
	Name    string `json:"name,omitempty"`
	CheckID string `json:"checkId"`
	// HasFailures says that an assertion or a script failed, or that the run timed out.
	HasFailures bool `json:"hasFailures"`
	// HasErrors says that the service itself had an error.
	HasErrors bool `json:"hasErrors"`
	// IsDegraded says that the run was slower than degradedResponseTime; nil if the service
	// does not say it.
	IsDegraded *bool `json:"isDegraded"`
	// IsCancelled says that the run was cancelled before its end.
	IsCancelled bool `json:"isCancelled"`
	// OverMaxResponseTime says that the run was slower than maxResponseTime; nil if the
	// service does not say it.
	OverMaxResponseTime *bool      `json:"overMaxResponseTime"`
	RunLocation         string     `json:"runLocation,omitempty"`
	StartedAt           *Timestamp `json:"startedAt"`
	StoppedAt           *Timestamp `json:"stoppedAt"`
	CreatedAt           Timestamp  `json:"created_at,omitzero"`
	// ResponseTime is in milliseconds; nil if the service does not return it. What is measured
	// depends on the kind of check: the request for API, URL and GRPC, the connection for
	// TCP, the resolution for DNS, the average latency for ICMP and TRACEROUTE, the handshake
	// for SSL, and the whole run for the kinds that run scripts.
	ResponseTime *float64 `json:"responseTime,omitempty"`

	APICheckResult        *APICheckResult        `json:"apiCheckResult,omitempty"`
	BrowserCheckResult    *BrowserCheckResult    `json:"browserCheckResult,omitempty"`
	MultiStepCheckResult  *MultiStepCheckResult  `json:"multiStepCheckResult,omitempty"`
	PlaywrightCheckResult *PlaywrightCheckResult `json:"playwrightCheckResult,omitempty"`
	AgenticCheckResult    *AgenticCheckResult    `json:"agenticCheckResult,omitempty"`
	TracerouteCheckResult *TracerouteCheckResult `json:"tracerouteCheckResult,omitempty"`
	GRPCCheckResult       *GRPCCheckResult       `json:"grpcCheckResult,omitempty"`
	SSLCheckResult        *SSLCheckResult        `json:"sslCheckResult,omitempty"`

	// CheckRunID identifies the run that produced the result.
	CheckRunID int64 `json:"checkRunId,omitempty"`
	// Attempts is the number of retries; nil if the service does not return it.
	Attempts *int `json:"attempts,omitempty"`
	// SequenceID is the same for all attempts of a run; [CancelRequest] uses it. It is nil if
	// there is none.
	SequenceID *string `json:"sequenceId"`
	// ErrorGroupIDs are the error groups of the failures; empty if there are none.
	ErrorGroupIDs []string `json:"errorGroupIds"`

	Extra map[string]json.RawMessage `json:"-"`
}

// MarshalJSON writes the fields and the members of Extra.
func (r CheckResult) MarshalJSON() ([]byte, error) { return lenient.MarshalExtra(r, r.Extra) }

func (CheckResult) hasFixedMembers() {}

// UnmarshalJSON reads a result. Members without a field go to Extra.
func (r *CheckResult) UnmarshalJSON(data []byte) error { return r.readJSON(data) }

func (r *CheckResult) readJSON(data []byte) error {
	type plain CheckResult
	return unmarshalObject[CheckResult](data, (*plain)(r))
}

// Messages returns what went wrong in the run, as texts: errors of the request, errors of
// scripts and failed assertions. It is empty for a run that passed, and for kinds of checks
// whose results have no payload.
func (r *CheckResult) Messages() []string {
	var list []string
	evaluated := func(requestError *string, extra map[string]json.RawMessage, assertions []ResultAssertion) {
		text := string(extra["requestError"]) // there if it is not a string
		if requestError != nil {
			text = *requestError
		}
		if text != "" {
			list = append(list, text)
			return // the assertions were never evaluated
		}
		for _, a := range assertions {
			if a.Error != "" {
				list = append(list, a.Error)
			}
		}
	}
	errors := func(errs []ResultError) {
		for _, e := range errs {
			if e.Message != "" {
				list = append(list, e.Message)
			} else {
				list = append(list, string(e.Raw))
			}
		}
	}
	if p := r.APICheckResult; p != nil {
		evaluated(p.RequestError, p.Extra, p.Assertions)
	}
	if p := r.BrowserCheckResult; p != nil {
		errors(p.Errors)
	}
	if p := r.MultiStepCheckResult; p != nil {
		errors(p.Errors)
	}
	if p := r.PlaywrightCheckResult; p != nil {
		errors(p.Errors)
	}
	if p := r.AgenticCheckResult; p != nil {
		errors(p.Errors)
		for _, a := range p.Assertions {
			if a.Passed != nil && !*a.Passed {
				list = append(list, a.Condition+": expected "+string(a.Expected)+", got "+string(a.Actual))
			}
		}
	}
	if p := r.TracerouteCheckResult; p != nil {
		evaluated(p.RequestError, p.Extra, p.Assertions)
	}
	if p := r.GRPCCheckResult; p != nil {
		evaluated(p.RequestError, p.Extra, p.Assertions)
	}
	if p := r.SSLCheckResult; p != nil {
		evaluated(p.RequestError, p.Extra, p.Assertions)
	}
	return list
}

// CheckResultsService reads check results.
type CheckResultsService service

// Get returns the full result of a run (GET /v1/check-results/{checkId}/{checkResultId}). An
// unknown result is [ErrNotFound].
//
//monitoring:operation GET /v1/check-results/{checkId}/{checkResultId}
func (s *CheckResultsService) Get(ctx context.Context, checkID, resultID string, opts ...CallOption) (*CheckResult, error) {
	return call[CheckResult](ctx, (*service)(s), &operation{
		method: http.MethodGet, path: path("/v1/check-results/{checkId}/{checkResultId}", checkID, resultID), ownID: "id", class: exchange.Read,
	}, opts)
}

// CopyRaw copies the JSON of a result to w while it is received
// (GET /v1/check-results/{checkId}/{checkResultId}), without keeping it in memory. Options,
// retries and the limit of [WithMaxResponseSize] are as for Get. A failure after something
// was written is not retried, and w has a part of the result then. A nil w is an error.
func (s *CheckResultsService) CopyRaw(ctx context.Context, checkID, resultID string, w io.Writer, opts ...CallOption) error {
	if w == nil {
		return errors.New("monitoring: copy a check result: the writer is nil")
	}
	return exec(ctx, (*service)(s), &operation{
		method: http.MethodGet, path: path("/v1/check-results/{checkId}/{checkResultId}", checkID, resultID), class: exchange.Read, stream: w,
	}, opts)
}
