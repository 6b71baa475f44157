package monitoring

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"reflect"
)

// CheckResult is the whole result of one run. Of the eight payloads the one of the
// check's kind is there; TCP, URL, DNS, ICMP and HEARTBEAT checks have none. Members
// of payloads whose form the service does not fix stay raw JSON, as they came.
//
// The Extra of the result, of its payloads and of the objects in them holds the members
// that have no field, by name and as they came; it is nil if there are none. A member of
// a payload whose value does not fit its field is there, too, and the field is zero. Extra
// is filled when a CheckResult is decoded, not when a payload is decoded alone.
// [encoding/json.Marshal] writes what is in Extra.
type CheckResult struct {
	// ResultType is FINAL or ATTEMPT.
	ResultType ResultType `json:"resultType"`
	// TraceID is nil when no trace was recorded.
	TraceID *string `json:"traceId"`
	ID      string  `json:"id"`
	// Name is the name of the check.
	Name    string `json:"name,omitempty"`
	CheckID string `json:"checkId"`
	// HasFailures says that an assertion, a timeout or a script failed.
	HasFailures bool `json:"hasFailures"`
	// HasErrors says that the service itself had an error.
	HasErrors bool `json:"hasErrors"`
	// IsDegraded says that the run was slower than degradedResponseTime.
	IsDegraded *bool `json:"isDegraded"`
	// IsCancelled says that the run was cancelled before its end.
	IsCancelled bool `json:"isCancelled"`
	// OverMaxResponseTime says that the run was slower than maxResponseTime.
	OverMaxResponseTime *bool      `json:"overMaxResponseTime"`
	RunLocation         string     `json:"runLocation,omitempty"`
	StartedAt           *Timestamp `json:"startedAt"`
	StoppedAt           *Timestamp `json:"stoppedAt"`
	CreatedAt           Timestamp  `json:"created_at,omitzero"`
	// ResponseTime is the milliseconds of what the kind of check measures: the request
	// for API and URL, the connection for TCP, the resolution for DNS, the average
	// latency for ICMP and TRACEROUTE, the request for GRPC, the handshake for SSL, the
	// whole run for the kinds that run scripts.
	// It is nil if the service does not tell.
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
	// Attempts is the number of retries; nil if the service does not tell.
	Attempts *int `json:"attempts,omitempty"`
	// SequenceID groups the runs of several attempts; [CancelRequest] takes it.
	SequenceID *string `json:"sequenceId"`
	// ErrorGroupIDs are the error groups of the failures; empty when there are none.
	ErrorGroupIDs []string `json:"errorGroupIds"`

	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads a result, the members without a field included.
func (r *CheckResult) UnmarshalJSON(data []byte) error { return r.readJSON(data) }

func (r *CheckResult) readJSON(data []byte) error {
	type plain CheckResult
	moved, err := unmarshalAs(data, (*plain)(r), reflect.TypeFor[CheckResult]())
	if err != nil {
		return err
	}
	fillExtra(data, reflect.ValueOf(r).Elem(), moved)
	return nil
}

// Messages returns in words what went wrong in the run: errors of the request, errors
// of scripts and assertions that did not hold. It is empty for a run that passed and
// for kinds of checks whose results carry no payload.
func (r *CheckResult) Messages() []string {
	var list []string
	evaluated := func(requestError *string, extra map[string]json.RawMessage, assertions []ResultAssertion) {
		text := string(extra["requestError"]) // one that is no text
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

// Get returns the whole result of a run
// (GET /v1/check-results/{checkId}/{checkResultId}).
//
//monitoring:operation GET /v1/check-results/{checkId}/{checkResultId}
func (s *CheckResultsService) Get(ctx context.Context, checkID, resultID string, opts ...CallOption) (*CheckResult, error) {
	return call[CheckResult](ctx, (*service)(s), &operation{
		method: http.MethodGet, path: path("/v1/check-results/{checkId}/{checkResultId}", checkID, resultID), class: classRead,
	}, opts)
}

// CopyRaw copies the whole result of a run to w as it comes
// (GET /v1/check-results/{checkId}/{checkResultId}), without holding it in memory. It goes the
// same way as Get, up to the cap of [WithMaxResponseSize]. Once something was written, a
// failure is not retried, and w has a part of the result.
func (s *CheckResultsService) CopyRaw(ctx context.Context, checkID, resultID string, w io.Writer, opts ...CallOption) error {
	if w == nil {
		return errors.New("monitoring: copy a check result: the writer is nil")
	}
	return exec(ctx, (*service)(s), &operation{
		method: http.MethodGet, path: path("/v1/check-results/{checkId}/{checkResultId}", checkID, resultID), class: classRead, stream: w,
	}, opts)
}
