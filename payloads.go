package monitoring

import (
	"encoding/json"

	"github.com/monitoring-api/monitoring-go/internal/lenient"
)

// APICheckResult is the payload of API checks.
type APICheckResult struct {
	Assertions   []ResultAssertion  `json:"assertions"`
	Request      *APIResultRequest  `json:"request,omitempty"`
	Response     *APIResultResponse `json:"response,omitempty"`
	RequestError *string            `json:"requestError"`
	// JobLog is an object with the arrays setup, request and teardown of log entries.
	JobLog      json.RawMessage `json:"jobLog,omitempty"`
	JobAssets   json.RawMessage `json:"jobAssets,omitempty"`
	PcapDataURL *string         `json:"pcapDataUrl"`

	Extra map[string]json.RawMessage `json:"-"` // see [CheckResult]
}

// MarshalJSON writes the fields and the members of Extra.
func (r APICheckResult) MarshalJSON() ([]byte, error) { return lenient.MarshalExtra(r, r.Extra) }

// APIResultRequest is the request an API check made.
type APIResultRequest struct {
	Method  string          `json:"method,omitempty"`
	URL     string          `json:"url,omitempty"`
	Data    json.RawMessage `json:"data,omitempty"`
	Headers json.RawMessage `json:"headers,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // see [CheckResult]
}

// MarshalJSON writes the fields and the members of Extra.
func (r APIResultRequest) MarshalJSON() ([]byte, error) { return lenient.MarshalExtra(r, r.Extra) }

// APIResultResponse is the response an API check got.
type APIResultResponse struct {
	// Status is the HTTP status; 0 if there was no response.
	Status     int    `json:"status"`
	StatusText string `json:"statusText"`
	// Body is encoded if BodyEncoding is "base64", which newer services use for images.
	Body         string          `json:"body"`
	BodyEncoding string          `json:"bodyEncoding,omitempty"`
	Headers      json.RawMessage `json:"headers,omitempty"`
	Timings      json.RawMessage `json:"timings,omitempty"`
	TimingPhases json.RawMessage `json:"timingPhases,omitempty"`
	Href         string          `json:"href,omitempty"`
	Truncated    bool            `json:"truncated,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // see [CheckResult]
}

// MarshalJSON writes the fields and the members of Extra.
func (r APIResultResponse) MarshalJSON() ([]byte, error) { return lenient.MarshalExtra(r, r.Extra) }

// BrowserCheckResult is the payload of browser checks.
type BrowserCheckResult struct {
	Type string `json:"type,omitempty"`
	// TraceSummary counts consoleErrors, networkErrors, documentErrors and userScriptErrors.
	TraceSummary json.RawMessage `json:"traceSummary,omitempty"`
	// Pages is an array of pages, each with its url and webVitals.
	Pages  json.RawMessage `json:"pages,omitempty"`
	Errors []ResultError   `json:"errors"`
	// StartTime and EndTime are in milliseconds since the UNIX epoch, or since the start of the
	// run; nil if absent.
	StartTime      *float64 `json:"startTime,omitempty"`
	EndTime        *float64 `json:"endTime,omitempty"`
	RuntimeVersion string   `json:"runtimeVersion,omitempty"`
	// JobLog is an array of entries with time, msg and level.
	JobLog                       json.RawMessage `json:"jobLog,omitempty"`
	JobAssets                    json.RawMessage `json:"jobAssets,omitempty"`
	PlaywrightTestVideos         []string        `json:"playwrightTestVideos,omitzero"`
	PlaywrightTestTraces         []string        `json:"playwrightTestTraces,omitzero"`
	PlaywrightTestJSONReportFile *string         `json:"playwrightTestJsonReportFile,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // see [CheckResult]
}

// MarshalJSON writes the fields and the members of Extra.
func (r BrowserCheckResult) MarshalJSON() ([]byte, error) { return lenient.MarshalExtra(r, r.Extra) }

// MultiStepCheckResult is the payload of multi-step checks.
type MultiStepCheckResult struct {
	Errors                       []ResultError   `json:"errors"`
	StartTime                    *float64        `json:"startTime,omitempty"`
	EndTime                      *float64        `json:"endTime,omitempty"`
	RuntimeVersion               string          `json:"runtimeVersion,omitempty"`
	JobLog                       json.RawMessage `json:"jobLog,omitempty"`
	JobAssets                    json.RawMessage `json:"jobAssets,omitempty"`
	PlaywrightTestTraces         []string        `json:"playwrightTestTraces,omitzero"`
	PlaywrightTestJSONReportFile *string         `json:"playwrightTestJsonReportFile,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // see [CheckResult]
}

// MarshalJSON writes the fields and the members of Extra.
func (r MultiStepCheckResult) MarshalJSON() ([]byte, error) { return lenient.MarshalExtra(r, r.Extra) }

// PlaywrightCheckResult is the payload of PLAYWRIGHT checks.
type PlaywrightCheckResult struct {
	// Errors has one item for each failing test.
	Errors []ResultError `json:"errors"`
	// PlaywrightTraceFiles is an array of files with name, filename and url.
	PlaywrightTraceFiles         json.RawMessage `json:"playwrightTraceFiles,omitempty"`
	JobLog                       json.RawMessage `json:"jobLog,omitempty"`
	JobAssets                    json.RawMessage `json:"jobAssets,omitempty"`
	PlaywrightTestVideos         []string        `json:"playwrightTestVideos,omitzero"`
	PlaywrightTestTraces         []string        `json:"playwrightTestTraces,omitzero"`
	PlaywrightTestJSONReportFile *string         `json:"playwrightTestJsonReportFile,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // see [CheckResult]
}

// MarshalJSON writes the fields and the members of Extra.
func (r PlaywrightCheckResult) MarshalJSON() ([]byte, error) { return lenient.MarshalExtra(r, r.Extra) }

// AgenticCheckResult is the payload of AGENTIC checks.
type AgenticCheckResult struct {
	Summary     *string             `json:"summary"`
	Prompt      *string             `json:"prompt"`
	Assertions  []AgenticAssertion  `json:"assertions"`
	Suggestions []AgenticSuggestion `json:"suggestions"`
	Steps       []AgenticStep       `json:"steps"`
	Errors      []ResultError       `json:"errors"`
	// ArtifactManifest describes files by their path.
	ArtifactManifest json.RawMessage `json:"artifactManifest,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // see [CheckResult]
}

// MarshalJSON writes the fields and the members of Extra.
func (r AgenticCheckResult) MarshalJSON() ([]byte, error) { return lenient.MarshalExtra(r, r.Extra) }

// AgenticAssertion is a condition that the agent of an AGENTIC check has evaluated.
type AgenticAssertion struct {
	Condition string `json:"condition"`
	// Passed is nil if the service does not return it.
	Passed   *bool           `json:"passed,omitempty"`
	Actual   json.RawMessage `json:"actual,omitempty"`
	Expected json.RawMessage `json:"expected,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // see [CheckResult]
}

// MarshalJSON writes the fields and the members of Extra.
func (r AgenticAssertion) MarshalJSON() ([]byte, error) { return lenient.MarshalExtra(r, r.Extra) }

// AgenticSuggestion is a suggestion for improving a check.
type AgenticSuggestion struct {
	Summary           string `json:"summary"`
	Prompt            string `json:"prompt"`
	PromptReplacement string `json:"promptReplacement"`
	// Secrets are the names of the secrets that the suggestion needs.
	Secrets []string `json:"secrets"`
	// Category is credentials, endpoint or configuration.
	Category string `json:"category"`

	Extra map[string]json.RawMessage `json:"-"` // see [CheckResult]
}

// MarshalJSON writes the fields and the members of Extra.
func (r AgenticSuggestion) MarshalJSON() ([]byte, error) { return lenient.MarshalExtra(r, r.Extra) }

// AgenticStep is one step of an agent's run.
type AgenticStep struct {
	// Type is tool_call, tool_result or message.
	Type           string          `json:"type"`
	Name           string          `json:"name,omitempty"`
	Input          json.RawMessage `json:"input,omitempty"`
	Output         json.RawMessage `json:"output,omitempty"`
	Timestamp      *Timestamp      `json:"timestamp,omitempty"`
	SequenceNumber *int64          `json:"sequenceNumber,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // see [CheckResult]
}

// MarshalJSON writes the fields and the members of Extra.
func (r AgenticStep) MarshalJSON() ([]byte, error) { return lenient.MarshalExtra(r, r.Extra) }
