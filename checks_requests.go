package monitoring

import (
	"cmp"
	"reflect"

	"github.com/monitoring-api/monitoring-go/internal/lenient"
)

// APIRequest is the HTTP request of an API check:
//
//	API: &monitoring.APIRequest{
//		Method: "POST", URL: "https://api.shop.test/orders",
//		Body: new(`{"amount": 1}`), BodyType: monitoring.APIBodyJSON,
//		Headers: []monitoring.KeyValue{{Key: "Authorization", Value: monitoring.NewSecret(token)}},
//		Assertions: []monitoring.Assertion{{
//			Source:     monitoring.SourceStatusCode,
//			Comparison: monitoring.ComparisonEquals, Target: new("201"),
//		}, {
//			Source:     monitoring.SourceJSONBody, Property: new("$.total"),
//			Comparison: monitoring.ComparisonNotNull,
//		}},
//	},
type APIRequest struct {
	// Method is required: GET, POST, PUT, HEAD, DELETE or PATCH.
	Method string `json:"method,omitzero"`
	// URL is required, with at most 2,048 characters.
	URL string `json:"url,omitzero"`
	// FollowRedirects is whether the check follows redirects. The default is not documented.
	FollowRedirects *bool `json:"followRedirects,omitzero"`
	// SkipSSL accepts invalid certificates; the service's default is false.
	SkipSSL *bool `json:"skipSSL,omitzero"`
	// IPFamily is IPv4 or IPv6; the service's default is IPv4.
	IPFamily IPFamily `json:"ipFamily,omitzero"`
	// Body is the body of the request; the service's default is "". It is a string and not a
	// Secret, so that a file contains the whole check; [WithWireLog] masks it, because it may
	// contain a password.
	Body *string `json:"body,omitzero"`
	// BodyType is the form of the body: JSON, FORM, RAW, GRAPHQL or NONE, the service's default.
	BodyType        APIBodyType `json:"bodyType,omitzero"`
	Headers         []KeyValue  `json:"headers,omitzero"`
	QueryParameters []KeyValue  `json:"queryParameters,omitzero"`
	// BasicAuth is null for a request without credentials.
	BasicAuth Nullable[BasicAuth] `json:"basicAuth,omitzero"`
	// Assertions can use the sources STATUS_CODE, JSON_BODY, HEADERS, TEXT_BODY and RESPONSE_TIME.
	Assertions []Assertion `json:"assertions,omitzero"`
}

// CheckScript is the script of a browser or multi-step check.
type CheckScript struct {
	// Script is required to create a check; services may refuse an empty one.
	Script Nullable[string] `json:"script,omitzero"`
	// ScriptPath is the path of the script in the runtime. Most services do not return it.
	ScriptPath Nullable[string] `json:"scriptPath,omitzero"`
	// Dependencies are files of the script. Most services return them only with [CheckGetOptions].
	Dependencies []Dependency `json:"dependencies,omitzero"`
	// EnvironmentVariables are variables of the check, at most 200, or 100 on older services.
	EnvironmentVariables []EnvironmentVariable `json:"environmentVariables,omitzero"`
	// SSLCheckDomain is the domain whose certificate a browser check verifies; null is none.
	SSLCheckDomain Nullable[string] `json:"sslCheckDomain,omitzero"`
}

// DNSRequest is the query of a DNS check.
type DNSRequest struct {
	// Query is required: the name to look up, 1 to 100 characters.
	Query string `json:"query,omitzero"`
	// RecordType is required: A, AAAA, CNAME, MX, TXT, SOA, NS or HTTPS.
	RecordType DNSRecordType `json:"recordType,omitzero"`
	// NameServer is the server to ask, at most 100 characters; nil or "" leaves it to the service.
	NameServer *string `json:"nameServer,omitzero"`
	// Port is the port of NameServer. The default is not documented.
	Port *int `json:"port,omitzero"`
	// Protocol is UDP or TCP; the service's default is UDP.
	Protocol DNSProtocol `json:"protocol,omitzero"`
	// Assertions can use the sources RESPONSE_TIME, RESPONSE_CODE, TEXT_ANSWER and JSON_ANSWER.
	Assertions []Assertion `json:"assertions,omitzero"`
}

// Heartbeat is when a heartbeat check expects pings, and where they are sent:
//
//	Heartbeat: &monitoring.Heartbeat{
//		Period: 1, PeriodUnit: monitoring.HeartbeatDays,
//		Grace: new(2.0), GraceUnit: monitoring.HeartbeatHours,
//	},
type Heartbeat struct {
	// Period and PeriodUnit are required: the time between pings, from 30 seconds to 365 days.
	Period     float64       `json:"period,omitzero"`
	PeriodUnit HeartbeatUnit `json:"periodUnit,omitzero"`
	// Grace and GraceUnit are required: how late a ping may be, from 0 to 365 days.
	Grace     *float64      `json:"grace,omitzero"`
	GraceUnit HeartbeatUnit `json:"graceUnit,omitzero"`
	// PingToken is a UUID in the address to ping, and therefore a secret. In a create, leave it
	// zero to let the service choose one. A changed Heartbeat needs it, because the API document
	// does not promise that the service keeps a token that is left out.
	PingToken Secret `json:"pingToken,omitzero"`
	// PingURL is the address to ping; Reveal returns it. The service makes it, and it is never sent.
	PingURL Secret `json:"pingUrl,omitzero"`
}

// ICMPRequest is the host that an ICMP check pings, and how.
type ICMPRequest struct {
	// Hostname is required: a name or IP address without scheme and port, at most 2,048 characters.
	Hostname string `json:"hostname,omitzero"`
	// IPFamily is IPv4 or IPv6; the service's default is IPv4.
	IPFamily Nullable[IPFamily] `json:"ipFamily,omitzero"`
	// PingCount is how many packets a run sends, 1 to 50; the service's default is 10.
	PingCount Nullable[int] `json:"pingCount,omitzero"`
	// Assertions can use the source LATENCY, with the property avg, min, max or stdDev, and
	// JSON_RESPONSE. They have the comparisons of API checks except those about keys and values.
	Assertions []Assertion `json:"assertions,omitzero"`
}

// PlaywrightSuite is the test suite of a Playwright check, from a code bundle.
type PlaywrightSuite struct {
	// Browsers are the browsers in which the tests run.
	Browsers       []string `json:"browsers,omitzero"`
	CodeBundlePath string   `json:"codeBundlePath,omitzero"`
	CacheHash      *string  `json:"cacheHash,omitzero"`
	// Engine is node or bun.
	Engine               *string               `json:"engine,omitzero"`
	EngineVersion        *string               `json:"engineVersion,omitzero"`
	EnvironmentVariables []EnvironmentVariable `json:"environmentVariables,omitzero"`
	InstallCommand       *string               `json:"installCommand,omitzero"`
	PlaywrightVersion    *string               `json:"playwrightVersion,omitzero"`
	TestCommand          *string               `json:"testCommand,omitzero"`
	WorkingDir           *string               `json:"workingDir,omitzero"`
}

// TCPRequest is the connection of a TCP check.
type TCPRequest struct {
	// Hostname is required: without a scheme and port, and an IPv6 address without brackets. Newer
	// services call it url.
	Hostname string `json:"hostname,omitzero"`
	// Port is required, 1 to 65535.
	Port int `json:"port,omitzero"`
	// Data is sent after connecting. Null, or no value, sends nothing; "" is refused. Newer
	// services call it body.
	Data Nullable[string] `json:"data,omitzero"`
	// Assertions can use the sources RESPONSE_DATA and RESPONSE_TIME.
	Assertions []Assertion `json:"assertions,omitzero"`
	// IPFamily is IPv4 or IPv6; the service's default is IPv4.
	IPFamily IPFamily `json:"ipFamily,omitzero"`
}

// URLRequest is the request of a URL check, without headers and body.
type URLRequest struct {
	// URL is required, with at most 2,048 characters.
	URL string `json:"url,omitzero"`
	// Method can only be GET, the default.
	Method string `json:"method,omitzero"`
	// FollowRedirects is whether the check follows redirects. The default is not documented.
	FollowRedirects *bool `json:"followRedirects,omitzero"`
	// SkipSSL accepts invalid certificates; the service's default is false.
	SkipSSL *bool `json:"skipSSL,omitzero"`
	// IPFamily is IPv4 or IPv6; the service's default is IPv4.
	IPFamily IPFamily `json:"ipFamily,omitzero"`
	// Assertions can use STATUS_CODE with EQUALS, NOT_EQUALS, LESS_THAN and GREATER_THAN.
	Assertions []Assertion `json:"assertions,omitzero"`
}

func (APIRequest) looseTexts() []string { return []string{"body"} }

func (APIRequest) maskedMembers() []string { return []string{"body"} }

func (TCPRequest) looseTexts() []string { return []string{"data"} }

// readAs are the names that newer services have for the host and the data. They are not sent,
// because they would contradict these after a change.
func (TCPRequest) readAs() []string { return []string{"url", "body"} }

func (TCPRequest) maskedMembers() []string { return []string{"data", "body"} }

// tcpNames has a field for each name of a member of a [TCPRequest].
type tcpNames struct {
	Hostname   string           `json:"hostname"`
	URL        string           `json:"url"`
	Port       int              `json:"port"`
	Data       Nullable[string] `json:"data"`
	Body       Nullable[string] `json:"body"`
	Assertions []Assertion      `json:"assertions"`
	IPFamily   IPFamily         `json:"ipFamily"`
}

func (tcpNames) looseTexts() []string { return []string{"data", "body"} }

func (*TCPRequest) spellings() reflect.Type { return reflect.TypeFor[tcpNames]() }

// UnmarshalJSON reads the host and the data under either of their names.
func (r *TCPRequest) UnmarshalJSON(data []byte) error {
	var names tcpNames
	if err := lenient.Strict(data, &names); err != nil {
		return err
	}
	*r = TCPRequest{cmp.Or(names.Hostname, names.URL), names.Port, names.Data, names.Assertions, names.IPFamily}
	if r.Data.IsZero() {
		r.Data = names.Body
	}
	return nil
}
