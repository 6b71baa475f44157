package monitoring

import (
	"context"
	"encoding/json"
	"net/http"
)

// CheckCommon holds what every kind of check has in a response. Members that are pointers
// are nil where the service did not return them, or returned null.
type CheckCommon struct {
	ID        string    `json:"id"`
	Name      string    `json:"name"`
	CheckType CheckType `json:"checkType"`
	// Activated says whether the check runs.
	Activated *bool `json:"activated,omitempty"`
	// Muted says whether failing and recovering sends no notifications.
	Muted *bool `json:"muted,omitempty"`
	// DoubleCheck repeats a failing run once from another location.
	//
	// Deprecated: RetryStrategy replaces it.
	DoubleCheck *bool `json:"doubleCheck,omitempty"`
	// ShouldFail inverts what counts as a failure.
	ShouldFail *bool    `json:"shouldFail,omitempty"`
	Locations  []Region `json:"locations"`
	Tags       []string `json:"tags"`
	// AlertSettings is nil when the service returns null.
	AlertSettings             *AlertSettings             `json:"alertSettings"`
	UseGlobalAlertSettings    *bool                      `json:"useGlobalAlertSettings,omitempty"`
	GroupID                   *int64                     `json:"groupId"`
	GroupOrder                *int                       `json:"groupOrder"`
	RuntimeID                 *RuntimeID                 `json:"runtimeId"`
	AlertChannelSubscriptions []AlertChannelSubscription `json:"alertChannelSubscriptions"`
	// RetryStrategy is nil when the check does not retry.
	RetryStrategy   *RetryStrategy   `json:"retryStrategy"`
	TriggerIncident *TriggerIncident `json:"triggerIncident"`
	// RunParallel says whether the check runs in all its locations at once.
	RunParallel *bool   `json:"runParallel,omitempty"`
	Description *string `json:"description"`
	// Frequency is in minutes; 0 means every FrequencyOffset seconds.
	Frequency        *int           `json:"frequency,omitempty"`
	PrivateLocations []string       `json:"privateLocations"`
	AlertChannels    *AlertChannels `json:"alertChannels"`
	CreatedAt        Timestamp      `json:"created_at,omitzero"`
	UpdatedAt        *Timestamp     `json:"updated_at"`

	// Intent and AIAutoRepairEnabled come from newer services only.
	Intent              *CheckIntent `json:"intent,omitempty"`
	AIAutoRepairEnabled *bool        `json:"aiAutoRepairEnabled,omitempty"`
}

// CheckIntent states in words what a check is there for. Older services do not know it.
type CheckIntent struct {
	Goal             string   `json:"goal"`
	RequiredOutcomes []string `json:"requiredOutcomes,omitzero"`
	MustPreserve     []string `json:"mustPreserve,omitzero"`

	kept
}

// TCPRequest is the connection a TCP check makes.
type TCPRequest struct {
	// Hostname is required. It has neither scheme nor port, and an IPv6 address no brackets.
	Hostname string `json:"hostname,omitempty"`
	// Port is required, 1 to 65535.
	Port int `json:"port"`
	// Data is sent after connecting; send null or nothing, never "".
	Data       Nullable[string] `json:"data,omitzero"`
	Assertions []Assertion      `json:"assertions,omitzero"`
	// IPFamily is IPv4 by default.
	IPFamily IPFamily `json:"ipFamily,omitempty"`

	kept
}

// TCPCheckRequest is a [TCPRequest] as the service returns it.
type TCPCheckRequest struct {
	TCPRequest
	// URL and Body are names that newer services give the hostname and the data.
	URL  string  `json:"url,omitempty"`
	Body *string `json:"body,omitempty"`

	kept
}

// TCPCheckCreate is the request of [ChecksService.CreateTCP]. Only Name and Request
// are required; what is left out gets the service's default.
type TCPCheckCreate struct {
	Name    string     `json:"name"`
	Request TCPRequest `json:"request"`

	Activated *bool `json:"activated,omitempty"` // default true
	Muted     *bool `json:"muted,omitempty"`     // default false
	// DoubleCheck is true by default, so that a null RetryStrategy alone does not
	// stop the service from repeating a failing run.
	//
	// Deprecated: RetryStrategy replaces it.
	DoubleCheck *bool    `json:"doubleCheck,omitempty"`
	ShouldFail  *bool    `json:"shouldFail,omitempty"` // default false
	Locations   []Region `json:"locations,omitzero"`
	Tags        []string `json:"tags,omitzero"`

	AlertSettings             *AlertSettings             `json:"alertSettings,omitempty"`
	UseGlobalAlertSettings    *bool                      `json:"useGlobalAlertSettings,omitempty"` // default true
	GroupID                   Nullable[int64]            `json:"groupId,omitzero"`
	GroupOrder                Nullable[int]              `json:"groupOrder,omitzero"` // at least 0
	RuntimeID                 Nullable[RuntimeID]        `json:"runtimeId,omitzero"`
	AlertChannelSubscriptions []AlertChannelSubscription `json:"alertChannelSubscriptions,omitzero"`
	RetryStrategy             Nullable[RetryStrategy]    `json:"retryStrategy,omitzero"` // null: no retries
	TriggerIncident           Nullable[TriggerIncident]  `json:"triggerIncident,omitzero"`
	RunParallel               *bool                      `json:"runParallel,omitempty"` // default false
	Description               Nullable[string]           `json:"description,omitzero"`  // at most 500 characters
	Frequency                 *int                       `json:"frequency,omitempty"`   // minutes, default 10
	// FrequencyOffset is 10, 20 or 30 seconds for frequency 0, 1 to 10 times the
	// frequency up to 60, and 1 to the frequency in hours above.
	FrequencyOffset      *int              `json:"frequencyOffset,omitempty"`
	DegradedResponseTime Nullable[float64] `json:"degradedResponseTime,omitzero"` // milliseconds, default 3000
	MaxResponseTime      Nullable[float64] `json:"maxResponseTime,omitzero"`      // milliseconds, default 5000
	PrivateLocations     []string          `json:"privateLocations,omitzero"`

	// Intent and AIAutoRepairEnabled are known to newer services only.
	Intent              Nullable[CheckIntent] `json:"intent,omitzero"`
	AIAutoRepairEnabled Nullable[bool]        `json:"aiAutoRepairEnabled,omitzero"`

	// AutoAssignAlerts subscribes the new check to all existing alert channels; nil
	// leaves it to the service, whose default is true.
	AutoAssignAlerts *bool `json:"-"`
}

// TCPCheck is a check that connects to a port.
type TCPCheck struct {
	CheckCommon
	Request TCPCheckRequest `json:"request"`
	// FrequencyOffset is in seconds when Frequency is 0.
	FrequencyOffset *int `json:"frequencyOffset,omitempty"`
	// DegradedResponseTime and MaxResponseTime are in milliseconds.
	DegradedResponseTime *float64 `json:"degradedResponseTime"`
	MaxResponseTime      *float64 `json:"maxResponseTime"`

	kept
}

// Dependency is a file that a script needs.
type Dependency struct {
	Path    string `json:"path"`
	Content string `json:"content"`

	kept
}

// BrowserCheckUpdate is the request of [ChecksService.UpdateBrowser]. The service
// changes what is there and keeps what is left out. In an update of your own, nil and the
// zero Nullable leave a field alone, null unsets it, and an empty list that is not nil
// clears a list. [CheckGroup.ToUpdate] says what they mean in an update that
// [BrowserCheck.ToUpdate] made.
type BrowserCheckUpdate struct {
	Name      *string `json:"name,omitempty"`
	Activated *bool   `json:"activated,omitempty"`
	Muted     *bool   `json:"muted,omitempty"`
	// DoubleCheck repeats a failing run once.
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
	Description               Nullable[string]           `json:"description,omitzero"` // at most 500 characters
	// Frequency is in minutes: 1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720 or 1440.
	Frequency        *int     `json:"frequency,omitempty"`
	PrivateLocations []string `json:"privateLocations,omitzero"`

	Script         Nullable[string] `json:"script,omitzero"`
	ScriptPath     Nullable[string] `json:"scriptPath,omitzero"`
	Dependencies   []Dependency     `json:"dependencies,omitzero"`
	SSLCheckDomain Nullable[string] `json:"sslCheckDomain,omitzero"`
	// EnvironmentVariables replaces the check's variables, at most 100.
	EnvironmentVariables []EnvironmentVariable `json:"environmentVariables,omitzero"`

	// Intent and AIAutoRepairEnabled are known to newer services only.
	Intent              Nullable[CheckIntent] `json:"intent,omitzero"`
	AIAutoRepairEnabled Nullable[bool]        `json:"aiAutoRepairEnabled,omitzero"`

	// AutoAssignAlerts is a query parameter that the service accepts here too; nil
	// leaves it out.
	AutoAssignAlerts *bool `json:"-"`

	made *made
}

// BrowserCheck is a check that runs a script in a browser.
type BrowserCheck struct {
	CheckCommon
	Script *string `json:"script"`
	// ScriptPath and Dependencies are for requests; most services do not return them.
	ScriptPath           *string               `json:"scriptPath,omitempty"`
	Dependencies         []Dependency          `json:"dependencies,omitzero"`
	SSLCheckDomain       *string               `json:"sslCheckDomain"`
	EnvironmentVariables []EnvironmentVariable `json:"environmentVariables"`

	// The members below come from newer services only.
	Project         json.RawMessage `json:"project,omitempty"`
	LogicalID       *string         `json:"logicalId,omitempty"`
	Member          *bool           `json:"member,omitempty"`
	Pending         *bool           `json:"pending,omitempty"`
	ProjectBindings json.RawMessage `json:"projectBindings,omitempty"`

	kept
}

// CheckUpdate is the request of the deprecated [ChecksService.Update]: the fields of
// a browser check and those of other kinds. It keeps what is left out, as
// [BrowserCheckUpdate] does.
type CheckUpdate struct {
	CheckType CheckType `json:"checkType,omitempty"`
	Name      *string   `json:"name,omitempty"`
	// Request is the request object of the check's kind: a [TCPRequest], a pointer to
	// one, or any value that marshals to what the service expects.
	Request   any   `json:"request,omitempty"`
	Activated *bool `json:"activated,omitempty"`
	Muted     *bool `json:"muted,omitempty"`
	// DoubleCheck repeats a failing run once.
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
	Description               Nullable[string]           `json:"description,omitzero"` // at most 500 characters
	Frequency                 *int                       `json:"frequency,omitempty"`  // minutes
	// FrequencyOffset is 10, 20 or 30 seconds for frequency 0, 1 to 10 times the
	// frequency up to 60, and 1 to the frequency in hours above.
	FrequencyOffset      *int              `json:"frequencyOffset,omitempty"`
	DegradedResponseTime Nullable[float64] `json:"degradedResponseTime,omitzero"` // milliseconds
	MaxResponseTime      Nullable[float64] `json:"maxResponseTime,omitzero"`      // milliseconds
	PrivateLocations     []string          `json:"privateLocations,omitzero"`

	Script         Nullable[string] `json:"script,omitzero"`
	ScriptPath     Nullable[string] `json:"scriptPath,omitzero"`
	Dependencies   []Dependency     `json:"dependencies,omitzero"`
	SSLCheckDomain Nullable[string] `json:"sslCheckDomain,omitzero"`
	// EnvironmentVariables replaces the variables of a browser check, at most 100.
	EnvironmentVariables []EnvironmentVariable `json:"environmentVariables,omitzero"`

	SetupSnippetID      Nullable[int64]  `json:"setupSnippetId,omitzero"`
	TearDownSnippetID   Nullable[int64]  `json:"tearDownSnippetId,omitzero"`
	LocalSetupScript    Nullable[string] `json:"localSetupScript,omitzero"`
	LocalTearDownScript Nullable[string] `json:"localTearDownScript,omitzero"`
	// Heartbeat is the heartbeat object of a HEARTBEAT check.
	Heartbeat Nullable[json.RawMessage] `json:"heartbeat,omitzero"`

	// AutoAssignAlerts is a query parameter that the service accepts here too; nil
	// leaves it out.
	AutoAssignAlerts *bool `json:"-"`
}

// Check is a check of any kind; CheckType tells which. Members of the kinds this
// package does not type stay as they came.
type Check struct {
	CheckCommon
	Request              json.RawMessage       `json:"request,omitempty"`
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

	kept
}

// ChecksService creates and updates checks.
type ChecksService service

type autoAssignQuery struct {
	AutoAssignAlerts *bool `url:"autoAssignAlerts,omitempty"`
}

// Every value is allowed.

func (autoAssignQuery) Validate() error      { return nil }
func (autoAssignQuery) validate(*violations) {}

// CreateTCP creates a TCP check (POST /v1/checks/tcp). It is repeated only when the
// service surely did not carry it out; otherwise a lost response is [ErrOutcomeUnknown].
// [ErrPaymentRequired] means that the plan's number of checks is used up.
//
//monitoring:operation POST /v1/checks/tcp
func (s *ChecksService) CreateTCP(ctx context.Context, check TCPCheckCreate, opts ...CallOption) (*TCPCheck, error) {
	return call[TCPCheck](ctx, (*service)(s), &operation{
		method: http.MethodPost, path: path("/v1/checks/tcp"), class: classUnsafe,
		query: autoAssignQuery{check.AutoAssignAlerts}, body: check,
	}, opts)
}

// UpdateBrowser changes a browser check (PUT /v1/checks/browser/{id}). Fields that
// are left out keep their value.
//
//monitoring:operation PUT /v1/checks/browser/{id}
func (s *ChecksService) UpdateBrowser(ctx context.Context, id string, update BrowserCheckUpdate, opts ...CallOption) (*BrowserCheck, error) {
	return call[BrowserCheck](ctx, (*service)(s), &operation{
		method: http.MethodPut, path: path("/v1/checks/browser/{id}", id), class: classRepeatable,
		query: autoAssignQuery{update.AutoAssignAlerts}, body: update,
	}, opts)
}

// Update changes an API or a browser check (PUT /v1/checks/{id}). Fields that are
// left out keep their value.
//
// Deprecated: the service replaces it by one update per kind of check; for browser
// checks that is [ChecksService.UpdateBrowser], for others see [Client.Do].
//
//monitoring:operation PUT /v1/checks/{id}
func (s *ChecksService) Update(ctx context.Context, id string, update CheckUpdate, opts ...CallOption) (*Check, error) {
	return call[Check](ctx, (*service)(s), &operation{
		method: http.MethodPut, path: path("/v1/checks/{id}", id), class: classRepeatable,
		query: autoAssignQuery{update.AutoAssignAlerts}, body: update,
	}, opts)
}
