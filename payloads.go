package monitoring

import "encoding/json"

// APICheckResult is the payload of API checks.
type APICheckResult struct {
	Assertions   []ResultAssertion  `json:"assertions"`
	Request      *APIResultRequest  `json:"request,omitempty"`
	Response     *APIResultResponse `json:"response,omitempty"`
	RequestError *string            `json:"requestError"`
	// JobLog is an object with the arrays setup, request and teardown.
	JobLog      json.RawMessage `json:"jobLog,omitempty"`
	JobAssets   json.RawMessage `json:"jobAssets,omitempty"`
	PcapDataURL *string         `json:"pcapDataUrl"`
}

// APIResultRequest is the request an API check made.
type APIResultRequest struct {
	Method  string          `json:"method,omitempty"`
	URL     string          `json:"url,omitempty"`
	Data    json.RawMessage `json:"data,omitempty"`
	Headers json.RawMessage `json:"headers,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
}

// APIResultResponse is the response an API check got.
type APIResultResponse struct {
	// Status is 0 when nothing came back.
	Status     int    `json:"status"`
	StatusText string `json:"statusText"`
	// Body is in base64 when BodyEncoding says so.
	Body         string          `json:"body"`
	BodyEncoding string          `json:"bodyEncoding,omitempty"`
	Headers      json.RawMessage `json:"headers,omitempty"`
	Timings      json.RawMessage `json:"timings,omitempty"`
	TimingPhases json.RawMessage `json:"timingPhases,omitempty"`
	Href         string          `json:"href,omitempty"`
	Truncated    bool            `json:"truncated,omitempty"`
}

// BrowserCheckResult is the payload of browser checks.
type BrowserCheckResult struct {
	Type string `json:"type,omitempty"`
	// TraceSummary counts consoleErrors, networkErrors, documentErrors and userScriptErrors.
	TraceSummary json.RawMessage `json:"traceSummary,omitempty"`
	// Pages is an array of pages, each with its url and webVitals.
	Pages  json.RawMessage `json:"pages,omitempty"`
	Errors []ResultError   `json:"errors"`
	// StartTime and EndTime are milliseconds, of the UNIX epoch or from 0.
	StartTime      float64 `json:"startTime"`
	EndTime        float64 `json:"endTime"`
	RuntimeVersion string  `json:"runtimeVersion,omitempty"`
	// JobLog is an array of entries with time, msg and level.
	JobLog                       json.RawMessage `json:"jobLog,omitempty"`
	JobAssets                    json.RawMessage `json:"jobAssets,omitempty"`
	PlaywrightTestVideos         []string        `json:"playwrightTestVideos,omitzero"`
	PlaywrightTestTraces         []string        `json:"playwrightTestTraces,omitzero"`
	PlaywrightTestJSONReportFile *string         `json:"playwrightTestJsonReportFile,omitempty"`
}

// MultiStepCheckResult is the payload of multi-step checks.
type MultiStepCheckResult struct {
	Errors                       []ResultError   `json:"errors"`
	StartTime                    float64         `json:"startTime"`
	EndTime                      float64         `json:"endTime"`
	RuntimeVersion               string          `json:"runtimeVersion,omitempty"`
	JobLog                       json.RawMessage `json:"jobLog,omitempty"`
	JobAssets                    json.RawMessage `json:"jobAssets,omitempty"`
	PlaywrightTestTraces         []string        `json:"playwrightTestTraces,omitzero"`
	PlaywrightTestJSONReportFile *string         `json:"playwrightTestJsonReportFile,omitempty"`
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
	PlaywrightTestJSONReportFile *string         `json:"playwrightTestJsonReportFile,omitempty"`
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
}

// AgenticAssertion is a condition an agent examined.
type AgenticAssertion struct {
	Condition string          `json:"condition"`
	Passed    bool            `json:"passed"`
	Actual    json.RawMessage `json:"actual,omitempty"`
	Expected  json.RawMessage `json:"expected,omitempty"`
}

// AgenticSuggestion is a proposal of how to improve a check.
type AgenticSuggestion struct {
	Summary           string `json:"summary"`
	Prompt            string `json:"prompt"`
	PromptReplacement string `json:"promptReplacement"`
	// Secrets names the secrets the suggestion needs.
	Secrets []string `json:"secrets"`
	// Category is credentials, endpoint or configuration.
	Category string `json:"category"`
}

// AgenticStep is one step of an agent's run.
type AgenticStep struct {
	// Type is tool_call, tool_result or message.
	Type           string          `json:"type"`
	Name           string          `json:"name,omitempty"`
	Input          json.RawMessage `json:"input,omitempty"`
	Output         json.RawMessage `json:"output,omitempty"`
	Timestamp      *Timestamp      `json:"timestamp,omitempty"`
	SequenceNumber int             `json:"sequenceNumber"`
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
}

// TracerouteResponse is what a traceroute found.
type TracerouteResponse struct {
	Hostname           string  `json:"hostname"`
	ResolvedIP         string  `json:"resolvedIp"`
	TotalHops          *int    `json:"totalHops"`
	DestinationReached *bool   `json:"destinationReached"`
	TruncationReason   *string `json:"truncationReason"`
	// FinalHopLatency is nil when the destination was not reached.
	FinalHopLatency *HopLatency `json:"finalHopLatency,omitempty"`
	// Hops is an array of hops, each with hop_number, main_ip, sent, received,
	// loss_percentage and rtt.
	Hops json.RawMessage `json:"hops,omitempty"`
	// Protocol and ProbeProtocol are TCP, UDP, ICMP or SCTP.
	Protocol      string `json:"protocol"`
	ProbeProtocol string `json:"probeProtocol"`
}

// HopLatency is the latency of a hop, in milliseconds. The service spells its members
// in several ways; all of them are read.
type HopLatency struct {
	AvgMs   float64 `json:"avgMs"`
	BestMs  float64 `json:"bestMs"`
	WorstMs float64 `json:"worstMs"`
	// StdDev is the standard deviation; nil where the service does not tell.
	StdDev *float64 `json:"stdDev,omitempty"`
}

// UnmarshalJSON reads avgMs, avg_ms and avg alike, and so on.
func (l *HopLatency) UnmarshalJSON(data []byte) error {
	var wire struct {
		AvgMs, BestMs, WorstMs *float64
		Avg_ms                 *float64 `json:"avg_ms"`
		Best_ms                *float64 `json:"best_ms"`
		Worst_ms               *float64 `json:"worst_ms"`
		Avg, Min, Max, StdDev  *float64
	}
	if err := json.Unmarshal(data, &wire); err != nil {
		return err
	}
	first := func(spellings ...*float64) float64 {
		for _, v := range spellings {
			if v != nil {
				return *v
			}
		}
		return 0
	}
	*l = HopLatency{
		AvgMs:   first(wire.AvgMs, wire.Avg_ms, wire.Avg),
		BestMs:  first(wire.BestMs, wire.Best_ms, wire.Min),
		WorstMs: first(wire.WorstMs, wire.Worst_ms, wire.Max),
		StdDev:  wire.StdDev,
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
}

// GRPCTimingPhases are the phases of a gRPC call, in milliseconds.
type GRPCTimingPhases struct {
	DNS     float64 `json:"dns"`
	Connect float64 `json:"connect"`
	Total   float64 `json:"total"`
}

// GRPCResponse is what a gRPC call gave.
type GRPCResponse struct {
	// GRPCMode is BEHAVIOR or HEALTH.
	GRPCMode          string            `json:"grpcMode"`
	Host              string            `json:"host"`
	ResolvedIP        string            `json:"resolvedIp"`
	Port              int               `json:"port"`
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
	// BaselineVerdict is pass, warn or fail, in either case.
	BaselineVerdict string `json:"baselineVerdict"`
	BaselineGrade   string `json:"baselineGrade"`
	// FailureCategory is for example dns, connect, timeout, handshake, hostname or chain.
	FailureCategory *string           `json:"failureCategory"`
	RequestError    *string           `json:"requestError"`
	Request         json.RawMessage   `json:"request,omitempty"`
	Assertions      []ResultAssertion `json:"assertions"`
	Response        *SSLResponse      `json:"response,omitempty"`
}

// SSLResponse is what a TLS handshake gave.
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

	// The members below come from newer services only.
	OCSPStatus          *string `json:"ocspStatus,omitempty"`
	ChainTrustReason    *string `json:"chainTrustReason,omitempty"`
	ChainTrustDetail    *string `json:"chainTrustDetail,omitempty"`
	IncompleteChain     *bool   `json:"incompleteChain,omitempty"`
	MissingIntermediate *string `json:"missingIntermediate,omitempty"`
}

// ResultAssertion is an assertion of a check and what came of it. Raw is all of it as
// it came; the other members are what could be read of it. Where the result has a
// RequestError its assertions were never evaluated.
type ResultAssertion struct {
	Order      int
	Source     string
	Property   string
	Comparison string
	// Target and Actual are any JSON: "ok", 200.
	Target json.RawMessage
	Regex  string
	// Error says how the assertion failed; it is empty when it held.
	Error  string
	Actual json.RawMessage
	Raw    json.RawMessage
}

// UnmarshalJSON keeps whatever comes and reads of it what it can.
func (a *ResultAssertion) UnmarshalJSON(data []byte) error {
	*a = ResultAssertion{Raw: json.RawMessage(append([]byte(nil), data...))}
	var members map[string]json.RawMessage
	if json.Unmarshal(data, &members) != nil {
		return nil
	}
	readMember(members, "order", &a.Order)
	readMember(members, "source", &a.Source)
	readMember(members, "property", &a.Property)
	readMember(members, "comparison", &a.Comparison)
	readMember(members, "regex", &a.Regex)
	if !readMember(members, "error", &a.Error) {
		a.Error = string(members["error"])
	}
	a.Target, a.Actual = members["target"], members["actual"]
	return nil
}

// MarshalJSON writes the assertion as it came.
func (a ResultAssertion) MarshalJSON() ([]byte, error) { return marshalRaw(a.Raw) }

// ResultError is an error of a run: on the wire a text, or an object with a message.
// Raw is all of it as it came.
type ResultError struct {
	Name    string
	Message string
	Stack   string
	Raw     json.RawMessage
}

// UnmarshalJSON keeps whatever comes and reads of it what it can.
func (e *ResultError) UnmarshalJSON(data []byte) error {
	*e = ResultError{Raw: json.RawMessage(append([]byte(nil), data...))}
	if json.Unmarshal(data, &e.Message) == nil {
		return nil
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(data, &members) != nil {
		return nil
	}
	readMember(members, "name", &e.Name)
	readMember(members, "message", &e.Message)
	readMember(members, "stack", &e.Stack)
	if e.Message == "" { // agentic runs wrap it: {"error": {"message": …}}
		var inner map[string]json.RawMessage
		if readMember(members, "error", &inner) {
			readMember(inner, "message", &e.Message)
		}
	}
	return nil
}

// MarshalJSON writes the error as it came.
func (e ResultError) MarshalJSON() ([]byte, error) { return marshalRaw(e.Raw) }

// readMember reads a member into out and reports whether out now tells it.
func readMember(members map[string]json.RawMessage, name string, out any) bool {
	data, ok := members[name]
	return !ok || json.Unmarshal(data, out) == nil
}

func marshalRaw(raw json.RawMessage) ([]byte, error) {
	if raw == nil {
		return []byte("null"), nil
	}
	return raw, nil
}
