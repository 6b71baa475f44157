package monitoring

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
)

// CheckCommon has the members that every kind of check has in a response. Members that are
// pointers are nil if the service did not return them, or returned null.
type CheckCommon struct {
	ID        string    `json:"id"`
	Name      string    `json:"name"`
	CheckType CheckType `json:"checkType"`
	// Activated says whether the check runs.
	Activated *bool `json:"activated,omitempty"`
	// Muted says whether no notifications are sent when the check fails or recovers.
	Muted *bool `json:"muted,omitempty"`
	// DoubleCheck says whether a failing run is retried once from another location.
	//
	// Deprecated: RetryStrategy replaces it.
	DoubleCheck *bool `json:"doubleCheck,omitempty"`
	// ShouldFail inverts what counts as a failure.
	ShouldFail *bool `json:"shouldFail,omitempty"`
	// Locations are the data-center locations in which the check runs.
	Locations []Region `json:"locations"`
	// Tags organize checks; [TriggerTarget] and maintenance windows select by them.
	Tags []string `json:"tags"`
	// AlertSettings is nil when the service returns null.
	AlertSettings *AlertSettings `json:"alertSettings"`
	// UseGlobalAlertSettings says whether the alert settings of the account are used
	// instead of AlertSettings.
	UseGlobalAlertSettings *bool `json:"useGlobalAlertSettings,omitempty"`
	// GroupID is the id of the check's group; nil for a check without one.
	GroupID *int64 `json:"groupId"`
	// GroupOrder is the order in which the checks of a group are started, from 0.
	GroupOrder *int `json:"groupOrder"`
	// RuntimeID is the runtime of the check's scripts; nil if the check names none.
	RuntimeID                 *RuntimeID                 `json:"runtimeId"`
	AlertChannelSubscriptions []AlertChannelSubscription `json:"alertChannelSubscriptions"`
	// RetryStrategy is nil when the check does not retry.
	RetryStrategy *RetryStrategy `json:"retryStrategy"`
	// TriggerIncident is nil when the check opens no incidents.
	TriggerIncident *TriggerIncident `json:"triggerIncident"`
	// RunParallel says whether the check runs in all its locations at once.
	RunParallel *bool   `json:"runParallel,omitempty"`
	Description *string `json:"description"`
	// Frequency is in minutes; 0 means every FrequencyOffset seconds.
	Frequency *int `json:"frequency,omitempty"`
	// PrivateLocations are the identifiers of the private locations in which the check runs.
	PrivateLocations []string `json:"privateLocations"`
	// AlertChannels are the channels that the check alerts.
	AlertChannels *AlertChannels `json:"alertChannels"`
	CreatedAt     Timestamp      `json:"created_at,omitzero"`
	// UpdatedAt is nil for a check that was never updated.
	UpdatedAt *Timestamp `json:"updated_at"`

	// Intent and AIAutoRepairEnabled come from newer services only.
	Intent              *CheckIntent `json:"intent,omitempty"`
	AIAutoRepairEnabled *bool        `json:"aiAutoRepairEnabled,omitempty"`
}

// CheckIntent states in words the purpose of a check. Older services do not have it.
type CheckIntent struct {
	// Goal is required in requests, with 1 to 2,000 characters.
	Goal string `json:"goal"`
	// RequiredOutcomes and MustPreserve have at most 20 items each.
	RequiredOutcomes []string `json:"requiredOutcomes,omitzero"`
	MustPreserve     []string `json:"mustPreserve,omitzero"`

	kept `json:"-"`
}

// TCPRequest is the connection a TCP check makes.
type TCPRequest struct {
	// Hostname is required. It has neither scheme nor port, and an IPv6 address no brackets.
	Hostname string `json:"hostname,omitempty"`
	// Port is required, 1 to 65535.
	Port int `json:"port"`
	// Data is sent after connecting. To send nothing, leave it out or set it to null; ""
	// is refused.
	Data Nullable[string] `json:"data,omitzero"`
	// Assertions have the sources RESPONSE_DATA and RESPONSE_TIME.
	Assertions []Assertion `json:"assertions,omitzero"`
	// IPFamily is IPv4 or IPv6; the service's default is IPv4.
	IPFamily IPFamily `json:"ipFamily,omitempty"`

	kept `json:"-"`
}

func (TCPRequest) looseTexts() []string { return []string{"data"} }

// TCPCheckRequest is a [TCPRequest] as the service returns it.
type TCPCheckRequest struct {
	TCPRequest
	// URL and Body are the hostname and the data under the names of newer services.
	URL  string  `json:"url,omitempty"`
	Body *string `json:"body,omitempty"`

	kept `json:"-"`
}

// TCPCheckCreate is the request of [ChecksService.CreateTCP]. Only Name and Request are
// required. For fields that are left out (nil, or the zero [Nullable]) the service uses its
// default.
type TCPCheckCreate struct {
	Name    string     `json:"name"`
	Request TCPRequest `json:"request"`

	// Activated says whether the check runs; the default is true.
	Activated *bool `json:"activated,omitempty"`
	// Muted turns off notifications when the check fails or recovers; the default is false.
	Muted *bool `json:"muted,omitempty"`
	// DoubleCheck retries a failing run once from another location; the default is true.
	// So a null RetryStrategy alone does not turn retries off: set DoubleCheck to false, too.
	//
	// Deprecated: RetryStrategy replaces it.
	DoubleCheck *bool `json:"doubleCheck,omitempty"`
	// ShouldFail inverts what counts as a failure; the default is false.
	ShouldFail *bool `json:"shouldFail,omitempty"`
	// Locations are the data-center locations in which the check runs.
	Locations []Region `json:"locations,omitzero"`
	// Tags organize checks. Newer services refuse empty ones.
	Tags []string `json:"tags,omitzero"`

	// AlertSettings are used if UseGlobalAlertSettings is false.
	AlertSettings *AlertSettings `json:"alertSettings,omitempty"`
	// UseGlobalAlertSettings uses the alert settings of the account; the default is true.
	UseGlobalAlertSettings *bool `json:"useGlobalAlertSettings,omitempty"`
	// GroupID is the id of the check's group; null is none.
	GroupID Nullable[int64] `json:"groupId,omitzero"`
	// GroupOrder is the order in which the checks of a group are started; at least 0.
	GroupOrder Nullable[int] `json:"groupOrder,omitzero"`
	// RuntimeID is the runtime of the check's scripts; null names none.
	RuntimeID                 Nullable[RuntimeID]        `json:"runtimeId,omitzero"`
	AlertChannelSubscriptions []AlertChannelSubscription `json:"alertChannelSubscriptions,omitzero"`
	// RetryStrategy says how failing runs are retried; null means no retries.
	RetryStrategy Nullable[RetryStrategy] `json:"retryStrategy,omitzero"`
	// TriggerIncident makes the check open and resolve an incident; null is none.
	TriggerIncident Nullable[TriggerIncident] `json:"triggerIncident,omitzero"`
	// RunParallel runs the check in all its locations at once; the default is false.
	RunParallel *bool `json:"runParallel,omitempty"`
	// Description has at most 500 characters; newer services accept 510.
	Description Nullable[string] `json:"description,omitzero"`
	// Frequency is in minutes: 0 (see FrequencyOffset), 1, 2, 5, 10 (the default), 15, 30,
	// 60, 120, 180, 360, 720 or 1440.
	Frequency *int `json:"frequency,omitempty"`
	// FrequencyOffset is 10, 20 or 30 for Frequency 0: the check then runs every that many
	// seconds. Otherwise it is 1 to 10 times the frequency for frequencies up to 60, and 1
	// to the frequency in hours, rounded up, above 60.
	FrequencyOffset *int `json:"frequencyOffset,omitempty"`
	// DegradedResponseTime is the time in milliseconds over which the check is degraded, at
	// least 0 and not over MaxResponseTime; the default is 3000.
	DegradedResponseTime Nullable[float64] `json:"degradedResponseTime,omitzero"`
	// MaxResponseTime is the time in milliseconds over which the check fails, at least 0;
	// the default is 5000. The upper bound depends on the plan.
	MaxResponseTime Nullable[float64] `json:"maxResponseTime,omitzero"`
	// PrivateLocations are the identifiers of the private locations in which the check runs.
	PrivateLocations []string `json:"privateLocations,omitzero"`

	// Only newer services have Intent and AIAutoRepairEnabled.
	Intent              Nullable[CheckIntent] `json:"intent,omitzero"`
	AIAutoRepairEnabled Nullable[bool]        `json:"aiAutoRepairEnabled,omitzero"`

	// AutoAssignAlerts subscribes the new check to all existing alert channels; nil uses
	// the service's default, which is true.
	AutoAssignAlerts *bool `json:"-"`
}

// Validate returns the [*ValidationError] that [ChecksService.CreateTCP] would return, and
// nil if there is none. Nothing is sent.
func (c TCPCheckCreate) Validate() error { return validateBody("POST /v1/checks/tcp", c) }

func (TCPCheckCreate) validate(*violations) {}

// TCPCheck is a check that connects to a port.
type TCPCheck struct {
	CheckCommon
	Request TCPCheckRequest `json:"request"`
	// FrequencyOffset is in seconds when Frequency is 0.
	FrequencyOffset *int `json:"frequencyOffset,omitempty"`
	// DegradedResponseTime and MaxResponseTime are in milliseconds.
	DegradedResponseTime *float64 `json:"degradedResponseTime"`
	MaxResponseTime      *float64 `json:"maxResponseTime"`

	kept `json:"-"`
}

func (c *TCPCheck) missing() string {
	if c.ID == "" {
		return "$.id"
	}
	return ""
}

// Dependency is a file that a script needs.
type Dependency struct {
	// Path is required, with at most 1,000 characters.
	Path string `json:"path"`
	// Content is required; it may be empty.
	Content string `json:"content"`

	kept `json:"-"`
}

// UnmarshalJSON reads the check and keeps a copy of the JSON.
func (c *TCPCheck) UnmarshalJSON(data []byte) error { return c.read(bytes.Clone(data)) }

func (c *TCPCheck) read(data []byte) error { return keeping.Read(c.plain(), data) }

// MarshalJSON writes the check. A check that was read is written as it was read, with what
// has changed since; secrets are null. [MarshalWithSecrets] writes secrets, too.
func (c TCPCheck) MarshalJSON() ([]byte, error) { return keeping.Marshal(&c, c.plain()) }

func (c *TCPCheck) plain() any {
	type plain TCPCheck
	return (*plain)(c)
}

// CheckUpdate is the request of the deprecated [ChecksService.Update]: the fields of a
// browser check and those of other kinds. The service keeps fields that are left out. See
// [BrowserCheckUpdate] for nil, null and empty lists, and [TCPCheckCreate] for the shared
// fields.
type CheckUpdate struct {
	CheckType CheckType `json:"checkType,omitempty"`
	Name      *string   `json:"name,omitempty"`
	// Request is the request object of the check's kind: a [TCPRequest], a pointer to
	// one, or any value that marshals to what the service expects.
	Request   any   `json:"request,omitempty"`
	Activated *bool `json:"activated,omitempty"`
	Muted     *bool `json:"muted,omitempty"`
	// DoubleCheck retries a failing run once from another location.
	//
	// Deprecated: RetryStrategy replaces it.
	DoubleCheck *bool    `json:"doubleCheck,omitempty"`
	ShouldFail  *bool    `json:"shouldFail,omitempty"`
	Locations   []Region `json:"locations,omitzero"`
	Tags        []string `json:"tags,omitzero"`

	AlertSettings             *AlertSettings             `json:"alertSettings,omitempty"`
	UseGlobalAlertSettings    *bool                      `json:"useGlobalAlertSettings,omitempty"`
	GroupID                   Nullable[int64]            `json:"groupId,omitzero"`
	GroupOrder                Nullable[int]              `json:"groupOrder,omitzero"` // at least 0
	RuntimeID                 Nullable[RuntimeID]        `json:"runtimeId,omitzero"`
	AlertChannelSubscriptions []AlertChannelSubscription `json:"alertChannelSubscriptions,omitzero"`
	RetryStrategy             Nullable[RetryStrategy]    `json:"retryStrategy,omitzero"` // null: no retries
	TriggerIncident           Nullable[TriggerIncident]  `json:"triggerIncident,omitzero"`
	RunParallel               *bool                      `json:"runParallel,omitempty"`
	Description               Nullable[string]           `json:"description,omitzero"` // at most 500 characters, 510 on newer services
	// Frequency is in minutes: 1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720 or 1440. API and
	// TCP checks may have 0: they run every FrequencyOffset seconds.
	Frequency *int `json:"frequency,omitempty"`
	// FrequencyOffset is 10, 20 or 30 for Frequency 0. Otherwise it is 1 to 10 times the
	// frequency for frequencies up to 60, and 1 to the frequency in hours, rounded up, above.
	FrequencyOffset      *int              `json:"frequencyOffset,omitempty"`
	DegradedResponseTime Nullable[float64] `json:"degradedResponseTime,omitzero"` // milliseconds
	MaxResponseTime      Nullable[float64] `json:"maxResponseTime,omitzero"`      // milliseconds
	PrivateLocations     []string          `json:"privateLocations,omitzero"`

	Script         Nullable[string] `json:"script,omitzero"`
	ScriptPath     Nullable[string] `json:"scriptPath,omitzero"`
	Dependencies   []Dependency     `json:"dependencies,omitzero"`
	SSLCheckDomain Nullable[string] `json:"sslCheckDomain,omitzero"`
	// EnvironmentVariables replaces the variables of a browser check: at most 200, on older
	// services 100.
	EnvironmentVariables []EnvironmentVariable `json:"environmentVariables,omitzero"`

	// SetupSnippetID and TearDownSnippetID are the snippets that run before and after an API
	// check, and LocalSetupScript and LocalTearDownScript Node.js code for the same.
	SetupSnippetID      Nullable[int64]  `json:"setupSnippetId,omitzero"`
	TearDownSnippetID   Nullable[int64]  `json:"tearDownSnippetId,omitzero"`
	LocalSetupScript    Nullable[string] `json:"localSetupScript,omitzero"`
	LocalTearDownScript Nullable[string] `json:"localTearDownScript,omitzero"`
	// Heartbeat is the heartbeat object of a HEARTBEAT check.
	Heartbeat Nullable[json.RawMessage] `json:"heartbeat,omitzero"`

	// AutoAssignAlerts is a query parameter that the service accepts here, too; nil leaves
	// it out.
	AutoAssignAlerts *bool `json:"-"`
}

// Validate returns the [*ValidationError] that [ChecksService.Update] would return, and nil
// if there is none. Nothing is sent.
func (u CheckUpdate) Validate() error { return validateBody("PUT /v1/checks/{id}", u) }

// validate checks a TCPRequest in the update if CheckType is not TCP. The rules of the update
// check it otherwise.
func (u CheckUpdate) validate(v *violations) {
	connection, ok := u.Request.(TCPRequest)
	if pointer, is := u.Request.(*TCPRequest); is && pointer != nil {
		connection, ok = *pointer, true
	}
	if !ok || u.CheckType == CheckTypeTCP {
		return
	}
	whole := TCPCheckCreate{Name: "any", Request: connection}
	for _, found := range violationsOf(whole.Validate()) {
		v.add(found.Path, "%s", found.Message)
	}
}

// Check is a check of any kind; see CheckType. Its fields are as in [CheckUpdate].
type Check struct {
	CheckCommon
	// Request and Heartbeat are raw JSON, because their members depend on the kind of check.
	Request json.RawMessage `json:"request,omitempty"`
	// FrequencyOffset is in seconds when Frequency is 0.
	FrequencyOffset      *int                  `json:"frequencyOffset,omitempty"`
	DegradedResponseTime *float64              `json:"degradedResponseTime"` // milliseconds
	MaxResponseTime      *float64              `json:"maxResponseTime"`      // milliseconds
	Script               *string               `json:"script,omitempty"`
	ScriptPath           *string               `json:"scriptPath,omitempty"`
	Dependencies         []Dependency          `json:"dependencies,omitzero"`
	SSLCheckDomain       *string               `json:"sslCheckDomain,omitempty"`
	EnvironmentVariables []EnvironmentVariable `json:"environmentVariables,omitzero"`
	SetupSnippetID       *int64                `json:"setupSnippetId,omitempty"`
	TearDownSnippetID    *int64                `json:"tearDownSnippetId,omitempty"`
	LocalSetupScript     *string               `json:"localSetupScript,omitempty"`
	LocalTearDownScript  *string               `json:"localTearDownScript,omitempty"`
	Heartbeat            json.RawMessage       `json:"heartbeat,omitempty"`

	// SetupScriptDependencies and TearDownScriptDependencies come from newer services only.
	SetupScriptDependencies    []Dependency `json:"setupScriptDependencies,omitzero"`
	TearDownScriptDependencies []Dependency `json:"tearDownScriptDependencies,omitzero"`

	kept `json:"-"`
}

// UnmarshalJSON reads the check and keeps a copy of the JSON.
func (c *Check) UnmarshalJSON(data []byte) error { return c.read(bytes.Clone(data)) }

func (c *Check) read(data []byte) error { return keeping.Read(c.plain(), data) }

// MarshalJSON writes the check. A check that was read is written as it was read, with what
// has changed since; secrets are null. [MarshalWithSecrets] writes secrets, too.
func (c Check) MarshalJSON() ([]byte, error) { return keeping.Marshal(&c, c.plain()) }

func (c *Check) plain() any {
	type plain Check
	return (*plain)(c)
}

// ChecksService creates and updates checks.
type ChecksService service

type autoAssignQuery struct {
	AutoAssignAlerts *bool `url:"autoAssignAlerts,omitempty"`
}

// Both values, and none, are valid.

func (autoAssignQuery) Validate() error      { return nil }
func (autoAssignQuery) validate(*violations) {}

// CreateTCP creates a TCP check (POST /v1/checks/tcp). It is retried only if the service
// certainly did not carry it out. Otherwise the error of a lost response is
// [ErrOutcomeUnknown]: look for the check before you create it again. [ErrPaymentRequired]
// means that the plan allows no more checks.
//
//monitoring:operation POST /v1/checks/tcp
func (s *ChecksService) CreateTCP(ctx context.Context, check TCPCheckCreate, opts ...CallOption) (*TCPCheck, error) {
	return call[TCPCheck](ctx, (*service)(s), &operation{
		method: http.MethodPost, path: path("/v1/checks/tcp"), class: exchange.Unsafe,
		query: autoAssignQuery{check.AutoAssignAlerts}, body: bodyOf(check),
	}, opts)
}

// Update changes an API or a browser check (PUT /v1/checks/{id}). Fields that are left out
// keep their values.
//
// Deprecated: the service has an update for each kind of check instead: for browser checks
// [ChecksService.UpdateBrowser], for the others use [Do].
//
//monitoring:operation PUT /v1/checks/{id}
func (s *ChecksService) Update(ctx context.Context, id string, update CheckUpdate, opts ...CallOption) (*Check, error) {
	return call[Check](ctx, (*service)(s), &operation{
		method: http.MethodPut, path: path("/v1/checks/{id}", id), ownID: "id", class: exchange.Idempotent,
		query: autoAssignQuery{update.AutoAssignAlerts}, body: bodyOf(update),
	}, opts)
}
