package monitoring

import (
	"cmp"
	"encoding/json"
	"reflect"
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

	Extra map[string]json.RawMessage `json:"-"` // unknown fields; see [CheckResult]

	omitted `json:"-"`
}

// APIResultRequest is the request that an API check made.
type APIResultRequest struct {
	Method  string          `json:"method,omitempty"`
	URL     string          `json:"url,omitempty"`
	Data    json.RawMessage `json:"data,omitempty"`
	Headers json.RawMessage `json:"headers,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown fields; see [CheckResult]

	omitted `json:"-"`
}

// APIResultResponse is the response that an API check got.
type APIResultResponse struct {
	// Status is the HTTP status, or 0 if there was no response.
	Status     int    `json:"status"`
	StatusText string `json:"statusText"`
	// Body is encoded if BodyEncoding is "base64", as newer services do for images.
	Body         string          `json:"body"`
	BodyEncoding string          `json:"bodyEncoding,omitempty"`
	Headers      json.RawMessage `json:"headers,omitempty"`
	Timings      json.RawMessage `json:"timings,omitempty"`
	TimingPhases json.RawMessage `json:"timingPhases,omitempty"`
	Href         string          `json:"href,omitempty"`
	Truncated    bool            `json:"truncated,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown fields; see [CheckResult]

	omitted `json:"-"`
}

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
	PlaywrightTestJSONReportFile *string         `json:"playwrightTestJsonReportFile,omitzero"`

	Extra map[string]json.RawMessage `json:"-"` // unknown fields; see [CheckResult]

	omitted `json:"-"`
}

// MultiStepCheckResult is the payload of multi-step checks.
type MultiStepCheckResult struct {
	Errors                       []ResultError   `json:"errors"`
	StartTime                    *float64        `json:"startTime,omitempty"`
	EndTime                      *float64        `json:"endTime,omitempty"`
	RuntimeVersion               string          `json:"runtimeVersion,omitempty"`
	JobLog                       json.RawMessage `json:"jobLog,omitempty"`
	JobAssets                    json.RawMessage `json:"jobAssets,omitempty"`
	PlaywrightTestTraces         []string        `json:"playwrightTestTraces,omitzero"`
	PlaywrightTestJSONReportFile *string         `json:"playwrightTestJsonReportFile,omitzero"`

	Extra map[string]json.RawMessage `json:"-"` // unknown fields; see [CheckResult]

	omitted `json:"-"`
}

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
	PlaywrightTestJSONReportFile *string         `json:"playwrightTestJsonReportFile,omitzero"`

	Extra map[string]json.RawMessage `json:"-"` // unknown fields; see [CheckResult]

	omitted `json:"-"`
}

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

	Extra map[string]json.RawMessage `json:"-"` // unknown fields; see [CheckResult]

	omitted `json:"-"`
}

// AgenticAssertion is a condition that the agent of an AGENTIC check tested.
type AgenticAssertion struct {
	Condition string `json:"condition"`
	// Passed is nil if unknown.
	Passed   *bool           `json:"passed,omitempty"`
	Actual   json.RawMessage `json:"actual,omitempty"`
	Expected json.RawMessage `json:"expected,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown fields; see [CheckResult]

	omitted `json:"-"`
}

// AgenticSuggestion is a suggestion for improving a check.
type AgenticSuggestion struct {
	Summary           string `json:"summary"`
	Prompt            string `json:"prompt"`
	PromptReplacement string `json:"promptReplacement"`
	// Secrets are the names of secrets that the suggestion needs.
	Secrets []string `json:"secrets"`
	// Category is credentials, endpoint or configuration.
	Category string `json:"category"`

	Extra map[string]json.RawMessage `json:"-"` // unknown fields; see [CheckResult]

	omitted `json:"-"`
}

// AgenticStep is one step of an agent's run.
type AgenticStep struct {
	// Type is tool_call, tool_result or message.
	Type           string          `json:"type"`
	Name           string          `json:"name,omitempty"`
	Input          json.RawMessage `json:"input,omitempty"`
	Output         json.RawMessage `json:"output,omitempty"`
	Timestamp      *Timestamp      `json:"timestamp,omitempty"`
	SequenceNumber *int64          `json:"sequenceNumber,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown fields; see [CheckResult]

	omitted `json:"-"`
}

// TracerouteCheckResult is the payload of TRACEROUTE checks.
type TracerouteCheckResult struct {
	TotalHops          *int                `json:"totalHops"`
	DestinationReached *bool               `json:"destinationReached"`
	FinalHopLatency    *HopLatency         `json:"finalHopLatency,omitempty"`
	TimingPhases       json.RawMessage     `json:"timingPhases,omitempty"`
	RequestError       *string             `json:"requestError"`
	Request            json.RawMessage     `json:"request,omitempty"`
	Assertions         []ResultAssertion   `json:"assertions"`
	Response           *TracerouteResponse `json:"response,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown fields; see [CheckResult]

	omitted `json:"-"`
}

// TracerouteResponse is the result of a traceroute.
type TracerouteResponse struct {
	Hostname           string  `json:"hostname"`
	ResolvedIP         string  `json:"resolvedIp"`
	TotalHops          *int    `json:"totalHops"`
	DestinationReached *bool   `json:"destinationReached"`
	TruncationReason   *string `json:"truncationReason"`
	// FinalHopLatency is nil if the destination was not reached.
	FinalHopLatency *HopLatency `json:"finalHopLatency,omitempty"`
	// Hops is an array of hops, each with hop_number, main_ip, sent, received,
	// loss_percentage and rtt.
	Hops json.RawMessage `json:"hops,omitempty"`
	// Protocol and ProbeProtocol are TCP, UDP, ICMP or SCTP.
	Protocol      string `json:"protocol"`
	ProbeProtocol string `json:"probeProtocol"`

	Extra map[string]json.RawMessage `json:"-"` // unknown fields; see [CheckResult]

	omitted `json:"-"`
}

// HopLatency is the latency of a hop in milliseconds. Fields are nil if the service did not return
// them under any of its spellings.
type HopLatency struct {
	AvgMs   *float64 `json:"avgMs,omitempty"`
	BestMs  *float64 `json:"bestMs,omitempty"`
	WorstMs *float64 `json:"worstMs,omitempty"`
	// StdDev is the standard deviation.
	StdDev *float64 `json:"stdDev,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown fields; see [CheckResult]

	omitted `json:"-"`
}

// hopLatencyNames has a field for each spelling.
type hopLatencyNames struct {
	AvgMs      *float64 `json:"avgMs"`
	AvgSnake   *float64 `json:"avg_ms"`
	Avg        *float64 `json:"avg"`
	BestMs     *float64 `json:"bestMs"`
	BestSnake  *float64 `json:"best_ms"`
	Min        *float64 `json:"min"`
	WorstMs    *float64 `json:"worstMs"`
	WorstSnake *float64 `json:"worst_ms"`
	Max        *float64 `json:"max"`
	StdDev     *float64 `json:"stdDev"`

	Extra map[string]json.RawMessage `json:"-"`
}

func (*HopLatency) spellings() reflect.Type { return reflect.TypeFor[hopLatencyNames]() }

// UnmarshalJSON reads avgMs, avg_ms and avg, and so on.
func (l *HopLatency) UnmarshalJSON(data []byte) error {
	var names hopLatencyNames
	if err := readObject(data, &names); err != nil {
		return err
	}
	*l = HopLatency{
		AvgMs:   cmp.Or(names.AvgMs, names.AvgSnake, names.Avg),
		BestMs:  cmp.Or(names.BestMs, names.BestSnake, names.Min),
		WorstMs: cmp.Or(names.WorstMs, names.WorstSnake, names.Max),
		StdDev:  names.StdDev,
		Extra:   names.Extra,
	}
	return nil
}

// GRPCCheckResult is the payload of GRPC checks.
type GRPCCheckResult struct {
	// GRPCStatusCode is a standard code of gRPC, 0 to 16.
	GRPCStatusCode *int `json:"grpcStatusCode"`
	// HealthStatus is 0 UNKNOWN, 1 SERVING, 2 NOT_SERVING or 3 SERVICE_UNKNOWN.
	HealthStatus *int              `json:"healthStatus"`
	TimingPhases *GRPCTimingPhases `json:"timingPhases,omitempty"`
	RequestError *string           `json:"requestError"`
	Request      json.RawMessage   `json:"request,omitempty"`
	Assertions   []ResultAssertion `json:"assertions"`
	Response     *GRPCResponse     `json:"response,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown fields; see [CheckResult]

	omitted `json:"-"`
}

// GRPCTimingPhases are the phases of a gRPC call in milliseconds, or nil if unknown; more phases
// are in Extra.
type GRPCTimingPhases struct {
	DNS     *float64 `json:"dns,omitempty"`
	Connect *float64 `json:"connect,omitempty"`
	Total   *float64 `json:"total,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown fields; see [CheckResult]

	omitted `json:"-"`
}

// GRPCResponse is the response to a gRPC call.
type GRPCResponse struct {
	// GRPCMode is BEHAVIOR or HEALTH.
	GRPCMode          string            `json:"grpcMode"`
	Host              string            `json:"host"`
	ResolvedIP        string            `json:"resolvedIp"`
	Port              *int              `json:"port,omitempty"`
	GRPCMethod        string            `json:"grpcMethod"`
	ResponseMessage   json.RawMessage   `json:"responseMessage,omitempty"`
	GRPCStatusCode    *int              `json:"grpcStatusCode"`
	GRPCStatusMessage string            `json:"grpcStatusMessage"`
	HealthStatus      *int              `json:"healthStatus"`
	HealthStatusLabel *string           `json:"healthStatusLabel"`
	Metadata          json.RawMessage   `json:"metadata,omitempty"`
	DiscoveredMethods json.RawMessage   `json:"discoveredMethods,omitempty"`
	RequestError      *string           `json:"requestError"`
	TimingPhases      *GRPCTimingPhases `json:"timingPhases,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown fields; see [CheckResult]

	omitted `json:"-"`
}

// SSLCheckResult is the payload of SSL checks.
type SSLCheckResult struct {
	TLSVersion  string `json:"tlsVersion"`
	CipherSuite string `json:"cipherSuite"`
	// DaysUntilExpiry is negative for a certificate that has expired.
	DaysUntilExpiry  *float64 `json:"daysUntilExpiry"`
	HandshakeTimeMs  *float64 `json:"handshakeTimeMs"`
	ChainTrusted     *bool    `json:"chainTrusted"`
	HostnameVerified *bool    `json:"hostnameVerified"`
	// BaselineVerdict is pass, warn or fail, in lower or upper case.
	BaselineVerdict string `json:"baselineVerdict"`
	BaselineGrade   string `json:"baselineGrade"`
	// FailureCategory is for example dns, connect, timeout, handshake, hostname or chain.
	FailureCategory *string           `json:"failureCategory"`
	RequestError    *string           `json:"requestError"`
	Request         json.RawMessage   `json:"request,omitempty"`
	Assertions      []ResultAssertion `json:"assertions"`
	Response        *SSLResponse      `json:"response,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown fields; see [CheckResult]

	omitted `json:"-"`
}

// SSLResponse is the result of a TLS handshake. Times are in milliseconds.
type SSLResponse struct {
	ResolvedIP       string          `json:"resolvedIp"`
	Protocol         string          `json:"protocol"`
	CipherSuite      string          `json:"cipherSuite"`
	HandshakeTimeMs  *float64        `json:"handshakeTimeMs"`
	HostnameVerified *bool           `json:"hostnameVerified"`
	ChainTrusted     *bool           `json:"chainTrusted"`
	DaysUntilExpiry  *float64        `json:"daysUntilExpiry"`
	OCSPStapled      *bool           `json:"ocspStapled"`
	SecurityBaseline json.RawMessage `json:"securityBaseline,omitempty"`
	Certificate      json.RawMessage `json:"certificate,omitempty"`
	Chain            json.RawMessage `json:"chain,omitempty"`

	// OCSPStatus and the fields below are only returned by newer services.
	OCSPStatus          *string `json:"ocspStatus,omitzero"`
	ChainTrustReason    *string `json:"chainTrustReason,omitzero"`
	ChainTrustDetail    *string `json:"chainTrustDetail,omitzero"`
	IncompleteChain     *bool   `json:"incompleteChain,omitempty"`
	MissingIntermediate *string `json:"missingIntermediate,omitzero"`

	Extra map[string]json.RawMessage `json:"-"` // unknown fields; see [CheckResult]

	omitted `json:"-"`
}
