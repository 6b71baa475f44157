package monitoring

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"

	"github.com/monitoring-api/monitoring-go/internal/reveal"
)

// APICheckDefaults are the defaults that a group gives its API checks. No member is required.
// Nil lists and the zero [Nullable] are left out.
type APICheckDefaults struct {
	URL             Nullable[string]    `json:"url,omitzero"`
	Headers         []KeyValue          `json:"headers,omitzero"`
	QueryParameters []KeyValue          `json:"queryParameters,omitzero"`
	Assertions      []Assertion         `json:"assertions,omitzero"`
	BasicAuth       Nullable[BasicAuth] `json:"basicAuth,omitzero"`

	kept `json:"-"`
}

// BasicAuth is a user name and a password.
type BasicAuth struct {
	Username string `json:"username"`
	// Password is withheld if the response has null for it; see [Secret].
	Password Secret `json:"password"`

	kept `json:"-"`
}

// CheckGroup is a group of checks with common settings. Members that are pointers are nil if
// the service did not return them, or returned null.
//
// A group that was read keeps the JSON that it was read from, without showing it.
// [CheckGroup.ToUpdate] and [json.Marshal] write unchanged members as they were read.
type CheckGroup struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
	// Activated says whether the checks of the group run.
	Activated bool `json:"activated"`
	// Concurrency is how many checks run at once when the group is triggered; at least 1.
	Concurrency      int              `json:"concurrency"`
	APICheckDefaults APICheckDefaults `json:"apiCheckDefaults"`
	// Muted says whether no notifications are sent when checks fail or recover.
	Muted                *bool                 `json:"muted,omitempty"`
	Tags                 []string              `json:"tags"`
	Locations            []Region              `json:"locations"`
	BrowserCheckDefaults *string               `json:"browserCheckDefaults,omitempty"`
	EnvironmentVariables []EnvironmentVariable `json:"environmentVariables"`
	// DoubleCheck says whether failing runs are retried once from another location.
	//
	// Deprecated: RetryStrategy replaces it.
	DoubleCheck *bool `json:"doubleCheck,omitempty"`
	// UseGlobalAlertSettings is nil when the group leaves it to its checks.
	UseGlobalAlertSettings    *bool                      `json:"useGlobalAlertSettings"`
	AlertSettings             *AlertSettings             `json:"alertSettings"`
	AlertChannelSubscriptions []AlertChannelSubscription `json:"alertChannelSubscriptions"`
	SetupSnippetID            *int64                     `json:"setupSnippetId"`
	TearDownSnippetID         *int64                     `json:"tearDownSnippetId"`
	LocalSetupScript          *string                    `json:"localSetupScript"`
	LocalTearDownScript       *string                    `json:"localTearDownScript"`
	RuntimeID                 *RuntimeID                 `json:"runtimeId"`
	PrivateLocations          []string                   `json:"privateLocations"`
	// RetryStrategy is the strategy the group enforces. It is FALLBACK if the checks keep
	// their own, and nil if the group enforces that nothing is retried.
	RetryStrategy *RetryStrategy `json:"retryStrategy"`
	CreatedAt     Timestamp      `json:"created_at,omitzero"`
	UpdatedAt     *Timestamp     `json:"updated_at"`
	// RunParallel is nil when the group leaves it to its checks.
	RunParallel *bool `json:"runParallel"`

	// ProjectBindings comes from newer services only.
	ProjectBindings json.RawMessage `json:"projectBindings,omitempty"`

	kept `json:"-"`
}

// plainGroup is a CheckGroup that encoding/json handles by its fields.
type plainGroup CheckGroup

// UnmarshalJSON reads the group and keeps a copy of the JSON.
func (g *CheckGroup) UnmarshalJSON(data []byte) error { return g.read(bytes.Clone(data)) }

func (g *CheckGroup) read(data []byte) error { return readKeeping((*plainGroup)(g), data) }

// MarshalJSON writes the group. A group that was read is written as it was read, with what
// has changed since; secrets are null. [MarshalWithSecrets] writes secrets, too.
func (g CheckGroup) MarshalJSON() ([]byte, error) { return revealer.EncodeHidden((*plainGroup)(&g)) }

func (g *CheckGroup) open(bool) reveal.Content { return plainContent(g, (*plainGroup)(g)) }

// CheckGroupUpdate is the request of [CheckGroupsService.Update]. Only Name is required.
// Start from [CheckGroup.ToUpdate], because the API document does not say whether the
// service keeps members that are left out or sets them to their defaults. In an update of
// your own, nil and the zero [Nullable] leave a field out, and an empty list that is not nil
// clears the list. [CheckGroup.ToUpdate] says what nil means in an update that it made.
type CheckGroupUpdate struct {
	Name      string   `json:"name"`
	Activated *bool    `json:"activated,omitempty"` // default true
	Muted     *bool    `json:"muted,omitempty"`     // default false
	Tags      []string `json:"tags,omitzero"`
	Locations []Region `json:"locations,omitzero"`
	// Concurrency is at least 1; the service's default is 3.
	Concurrency          *int                `json:"concurrency,omitempty"`
	APICheckDefaults     *APICheckDefaults   `json:"apiCheckDefaults,omitempty"`
	BrowserCheckDefaults *string             `json:"browserCheckDefaults,omitempty"`
	RuntimeID            Nullable[RuntimeID] `json:"runtimeId,omitzero"`
	// EnvironmentVariables replaces the group's variables: at most 200, on older services 100.
	EnvironmentVariables      []EnvironmentVariable      `json:"environmentVariables,omitzero"`
	AlertChannelSubscriptions []AlertChannelSubscription `json:"alertChannelSubscriptions,omitzero"`
	SetupSnippetID            Nullable[int64]            `json:"setupSnippetId,omitzero"`
	TearDownSnippetID         Nullable[int64]            `json:"tearDownSnippetId,omitzero"`
	LocalSetupScript          Nullable[string]           `json:"localSetupScript,omitzero"`
	LocalTearDownScript       Nullable[string]           `json:"localTearDownScript,omitzero"`
	PrivateLocations          []string                   `json:"privateLocations,omitzero"`
	// RunParallel, AlertSettings, RetryStrategy and UseGlobalAlertSettings are enforced on
	// the checks of the group if they have a value. With null each check uses its own
	// setting. RetryStrategy differs: null enforces that nothing is retried, and with
	// FALLBACK (the default) each check uses its own strategy.
	RunParallel            Nullable[bool]          `json:"runParallel,omitzero"`
	AlertSettings          Nullable[AlertSettings] `json:"alertSettings,omitzero"`
	RetryStrategy          Nullable[RetryStrategy] `json:"retryStrategy,omitzero"`
	UseGlobalAlertSettings Nullable[bool]          `json:"useGlobalAlertSettings,omitzero"`
	// DoubleCheck retries failing runs once from another location; the default is false.
	//
	// Deprecated: RetryStrategy replaces it.
	DoubleCheck *bool `json:"doubleCheck,omitempty"`

	// AutoAssignAlerts subscribes new checks to all existing alert channels; nil uses the
	// service's default, which is true.
	AutoAssignAlerts *bool `json:"-"`

	made *made
}

// Validate returns the [*ValidationError] that [CheckGroupsService.Update] would return, and
// nil if there is none. Nothing is sent.
func (u CheckGroupUpdate) Validate() error { return validateBody("PUT /v2/check-groups/{id}", u) }

func (CheckGroupUpdate) validate(*violations) {}

// CheckGroupsService reads and updates check groups.
type CheckGroupsService service

// Get returns a check group (GET /v1/check-groups/{id}). The id must be positive. An unknown
// id is [ErrNotFound].
//
//monitoring:operation GET /v1/check-groups/{id}
func (s *CheckGroupsService) Get(ctx context.Context, id int64, opts ...CallOption) (*CheckGroup, error) {
	return call[CheckGroup](ctx, (*service)(s), &operation{
		method: http.MethodGet, path: path("/v1/check-groups/{id}", numericID(id)), ownID: "id", class: classRead,
	}, opts)
}

// Update changes a check group (PUT /v2/check-groups/{id}) and returns it as it is then. The
// id must be positive. [CheckGroupsService.Edit] reads, changes and writes in one call.
//
//monitoring:operation PUT /v2/check-groups/{id}
func (s *CheckGroupsService) Update(ctx context.Context, id int64, update CheckGroupUpdate, opts ...CallOption) (*CheckGroup, error) {
	return call[CheckGroup](ctx, (*service)(s), &operation{
		method: http.MethodPut, path: path("/v2/check-groups/{id}", numericID(id)), ownID: "id", class: classIdempotent,
		query: autoAssignQuery{update.AutoAssignAlerts}, body: bodyOf(update),
	}, opts)
}
