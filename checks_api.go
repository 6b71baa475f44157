package monitoring

import (
	"bytes"
	"context"
	"net/http"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
)

// APIRequest is the HTTP request of an API check.
type APIRequest struct {
	// Method is required: GET, POST, PUT, HEAD, DELETE or PATCH.
	Method string `json:"method"`
	// URL is required, with at most 2,048 characters.
	URL string `json:"url"`
	// FollowRedirects says whether redirects are followed.
	FollowRedirects *bool `json:"followRedirects,omitempty"`
	// SkipSSL accepts certificates that are not valid; the service's default is false.
	SkipSSL *bool `json:"skipSSL,omitempty"`
	// IPFamily is IPv4 or IPv6; the service's default is IPv4.
	IPFamily IPFamily `json:"ipFamily,omitempty"`
	// Body is sent as BodyType says; the service's default is "".
	Body *string `json:"body,omitempty"`
	// BodyType is JSON, FORM, RAW, GRAPHQL or NONE; the service's default is NONE.
	BodyType        APIBodyType `json:"bodyType,omitempty"`
	Headers         []KeyValue  `json:"headers,omitzero"`
	QueryParameters []KeyValue  `json:"queryParameters,omitzero"`
	// BasicAuth is null for a request without it.
	BasicAuth Nullable[BasicAuth] `json:"basicAuth,omitzero"`
	// Assertions have the sources STATUS_CODE, JSON_BODY, HEADERS, TEXT_BODY and RESPONSE_TIME.
	Assertions []Assertion `json:"assertions,omitzero"`

	kept `json:"-"`
}

func (APIRequest) looseTexts() []string { return []string{"body"} }

// APIForm is what an API check has: the request that it sends, and what runs around it.
type APIForm struct {
	Request APIRequest `json:"request"`
	// FrequencyOffset is in seconds when Frequency is 0.
	FrequencyOffset *int `json:"frequencyOffset,omitempty"`
	// DegradedResponseTime and MaxResponseTime are in milliseconds.
	DegradedResponseTime *float64 `json:"degradedResponseTime"`
	MaxResponseTime      *float64 `json:"maxResponseTime"`
	// SetupSnippetID and TearDownSnippetID are the snippets that run before and after the request,
	// and LocalSetupScript and LocalTearDownScript Node.js code for the same.
	SetupSnippetID      *int64  `json:"setupSnippetId"`
	TearDownSnippetID   *int64  `json:"tearDownSnippetId"`
	LocalSetupScript    *string `json:"localSetupScript"`
	LocalTearDownScript *string `json:"localTearDownScript"`

	SetupScriptDependencies    []Dependency `json:"setupScriptDependencies,omitzero"`
	TearDownScriptDependencies []Dependency `json:"tearDownScriptDependencies,omitzero"`
}

// APICheck is a check that sends an HTTP request.
type APICheck struct {
	CheckCommon
	APIForm

	kept `json:"-"`
}

// APICheckCreate is the request of [ChecksService.CreateAPI]. Only Name and Request are required.
// For fields that are left out (nil, or the zero [Nullable]) the service uses its default. Fields
// without a comment are as in [TCPCheckCreate].
type APICheckCreate struct {
	Name    string     `json:"name"`
	Request APIRequest `json:"request"`

	Activated *bool `json:"activated,omitempty"`
	Muted     *bool `json:"muted,omitempty"`
	// DoubleCheck retries a failing run once from another location; the default is true.
	// So a null RetryStrategy alone does not turn retries off: set DoubleCheck to false, too.
	//
	// Deprecated: RetryStrategy replaces it.
	DoubleCheck *bool    `json:"doubleCheck,omitempty"`
	ShouldFail  *bool    `json:"shouldFail,omitempty"`
	Locations   []Region `json:"locations,omitzero"`
	Tags        []string `json:"tags,omitzero"`

	AlertSettings             *AlertSettings             `json:"alertSettings,omitempty"`
	UseGlobalAlertSettings    *bool                      `json:"useGlobalAlertSettings,omitempty"`
	GroupID                   Nullable[int64]            `json:"groupId,omitzero"`
	GroupOrder                Nullable[int]              `json:"groupOrder,omitzero"`
	RuntimeID                 Nullable[RuntimeID]        `json:"runtimeId,omitzero"`
	AlertChannelSubscriptions []AlertChannelSubscription `json:"alertChannelSubscriptions,omitzero"`
	RetryStrategy             Nullable[RetryStrategy]    `json:"retryStrategy,omitzero"`
	TriggerIncident           Nullable[TriggerIncident]  `json:"triggerIncident,omitzero"`
	RunParallel               *bool                      `json:"runParallel,omitempty"`
	Description               Nullable[string]           `json:"description,omitzero"`
	Frequency                 *int                       `json:"frequency,omitempty"`
	FrequencyOffset           *int                       `json:"frequencyOffset,omitempty"`
	// DegradedResponseTime is the time in milliseconds over which the check is degraded, at least 0
	// and not over MaxResponseTime; the default is 5000.
	DegradedResponseTime Nullable[float64] `json:"degradedResponseTime,omitzero"`
	// MaxResponseTime is the time in milliseconds over which the check fails, at least 0; the
	// default is 20000. The upper bound depends on the plan; no plan has more than 45000.
	MaxResponseTime  Nullable[float64] `json:"maxResponseTime,omitzero"`
	PrivateLocations []string          `json:"privateLocations,omitzero"`

	// SetupSnippetID and TearDownSnippetID are the snippets that run before and after the request,
	// and LocalSetupScript and LocalTearDownScript Node.js code for the same; null is none.
	SetupSnippetID      Nullable[int64]  `json:"setupSnippetId,omitzero"`
	TearDownSnippetID   Nullable[int64]  `json:"tearDownSnippetId,omitzero"`
	LocalSetupScript    Nullable[string] `json:"localSetupScript,omitzero"`
	LocalTearDownScript Nullable[string] `json:"localTearDownScript,omitzero"`

	// Only newer services have Intent and AIAutoRepairEnabled.
	Intent              Nullable[CheckIntent] `json:"intent,omitzero"`
	AIAutoRepairEnabled Nullable[bool]        `json:"aiAutoRepairEnabled,omitzero"`

	AutoAssignAlerts *bool `json:"-"`
}

// Validate returns the [*ValidationError] that [ChecksService.CreateAPI] would return, and nil if
// there is none. Nothing is sent.
func (c APICheckCreate) Validate() error { return validateBody("POST /v1/checks/api", c) }

func (APICheckCreate) validate(*violations) {}

// UnmarshalJSON reads the check and keeps a copy of the JSON.
func (c *APICheck) UnmarshalJSON(data []byte) error { return c.read(bytes.Clone(data)) }

func (c *APICheck) read(data []byte) error { return keeping.Read(c.plain(), data) }

// MarshalJSON writes the check. A check that was read is written as it was read, with what
// has changed since; secrets are null. [MarshalWithSecrets] writes secrets, too.
func (c APICheck) MarshalJSON() ([]byte, error) { return keeping.Marshal(&c, c.plain()) }

func (c *APICheck) plain() any { return (*plainAPICheck)(c) }

// CreateAPI creates an API check (POST /v1/checks/api). It is retried only if the service certainly
// did not carry it out. Otherwise the error of a lost response is [ErrOutcomeUnknown]: look for the
// check before you create it again. [ErrPaymentRequired] means that the plan allows no more checks.
//
// The API document does not have this operation; a service without it responds [ErrNotFound].
//
//monitoring:operation POST /v1/checks/api
func (s *ChecksService) CreateAPI(ctx context.Context, check APICheckCreate, opts ...CallOption) (*APICheck, error) {
	return call[APICheck](ctx, (*service)(s), &operation{
		method: http.MethodPost, path: path("/v1/checks/api"), newID: "id", class: exchange.Unsafe,
		query: autoAssignQuery{check.AutoAssignAlerts}, body: bodyOf(check),
	}, opts)
}
