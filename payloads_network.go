package monitoring

import (
	"cmp"
	"encoding/json"
	"reflect"

	"github.com/monitoring-api/monitoring-go/internal/lenient"
)

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

	Extra map[string]json.RawMessage `json:"-"` // see [CheckResult]
}

// MarshalJSON writes the fields and the members of Extra.
func (r TracerouteCheckResult) MarshalJSON() ([]byte, error) { return lenient.MarshalExtra(r, r.Extra) }

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

	Extra map[string]json.RawMessage `json:"-"` // see [CheckResult]
}

// MarshalJSON writes the fields and the members of Extra.
func (r TracerouteResponse) MarshalJSON() ([]byte, error) { return lenient.MarshalExtra(r, r.Extra) }

// HopLatency is the latency of a hop, in milliseconds. The service has several spellings of
// its members; all of them are read. Fields are nil if the service does not return them.
type HopLatency struct {
	AvgMs   *float64 `json:"avgMs,omitempty"`
	BestMs  *float64 `json:"bestMs,omitempty"`
	WorstMs *float64 `json:"worstMs,omitempty"`
	// StdDev is the standard deviation.
	StdDev *float64 `json:"stdDev,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // see [CheckResult]
}

// MarshalJSON writes the fields and the members of Extra.
func (r HopLatency) MarshalJSON() ([]byte, error) { return lenient.MarshalExtra(r, r.Extra) }

// hopLatencyNames has a field for each spelling.
var hopLatencyNames struct {
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
}

func (*HopLatency) spellings() reflect.Type { return reflect.TypeOf(hopLatencyNames) }

// UnmarshalJSON reads every spelling: avgMs, avg_ms and avg, and so on.
func (l *HopLatency) UnmarshalJSON(data []byte) error {
	names := hopLatencyNames
	if err := json.Unmarshal(data, &names); err != nil {
		return err
	}
	*l = HopLatency{
		AvgMs:   cmp.Or(names.AvgMs, names.AvgSnake, names.Avg),
		BestMs:  cmp.Or(names.BestMs, names.BestSnake, names.Min),
		WorstMs: cmp.Or(names.WorstMs, names.WorstSnake, names.Max),
		StdDev:  names.StdDev,
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

	Extra map[string]json.RawMessage `json:"-"` // see [CheckResult]
}

// MarshalJSON writes the fields and the members of Extra.
func (r GRPCCheckResult) MarshalJSON() ([]byte, error) { return lenient.MarshalExtra(r, r.Extra) }

// GRPCTimingPhases are the phases of a gRPC call, in milliseconds. A phase is nil if the
// service does not return it; phases without a field are in Extra.
type GRPCTimingPhases struct {
	DNS     *float64 `json:"dns,omitempty"`
	Connect *float64 `json:"connect,omitempty"`
	Total   *float64 `json:"total,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // see [CheckResult]
}

// MarshalJSON writes the fields and the members of Extra.
func (r GRPCTimingPhases) MarshalJSON() ([]byte, error) { return lenient.MarshalExtra(r, r.Extra) }

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

	Extra map[string]json.RawMessage `json:"-"` // see [CheckResult]
}

// MarshalJSON writes the fields and the members of Extra.
func (r GRPCResponse) MarshalJSON() ([]byte, error) { return lenient.MarshalExtra(r, r.Extra) }

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

	Extra map[string]json.RawMessage `json:"-"` // see [CheckResult]
}

// MarshalJSON writes the fields and the members of Extra.
func (r SSLCheckResult) MarshalJSON() ([]byte, error) { return lenient.MarshalExtra(r, r.Extra) }

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

	// The members below come from newer services only.
	OCSPStatus          *string `json:"ocspStatus,omitempty"`
	ChainTrustReason    *string `json:"chainTrustReason,omitempty"`
	ChainTrustDetail    *string `json:"chainTrustDetail,omitempty"`
	IncompleteChain     *bool   `json:"incompleteChain,omitempty"`
	MissingIntermediate *string `json:"missingIntermediate,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // see [CheckResult]
}

// MarshalJSON writes the fields and the members of Extra.
func (r SSLResponse) MarshalJSON() ([]byte, error) { return lenient.MarshalExtra(r, r.Extra) }
