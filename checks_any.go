package monitoring

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
)

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
