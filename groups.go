package monitoring

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/monitoring-api/monitoring-go/internal/reveal"
)

// APICheckDefaults are the defaults a group gives its API checks. No member is required.
type APICheckDefaults struct {
	URL             Nullable[string]    `json:"url,omitzero"`
	Headers         []KeyValue          `json:"headers,omitzero"`
	QueryParameters []KeyValue          `json:"queryParameters,omitzero"`
	Assertions      []Assertion         `json:"assertions,omitzero"`
	BasicAuth       Nullable[BasicAuth] `json:"basicAuth,omitzero"`

	kept
}

// BasicAuth is a user name and a password.
type BasicAuth struct {
	Username string `json:"username"`
	// Password is withheld if the service does not tell it.
	Password Secret `json:"password"`

	kept
}

// CheckGroup is a group of checks with settings in common. Members that are pointers are
// nil where the service did not return them, or returned null.
//
// One that was read keeps the JSON that it was read from, without showing it: what is
// not changed is written as it was read, by [CheckGroup.ToUpdate] and by [json.Marshal].
type CheckGroup struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
	// Activated says whether the checks of the group run.
	Activated bool `json:"activated"`
	// Concurrency is how many checks run at once when the group is triggered.
	Concurrency      int              `json:"concurrency"`
	APICheckDefaults APICheckDefaults `json:"apiCheckDefaults"`
	// Muted says whether failing and recovering sends no notifications.
	Muted                *bool                 `json:"muted,omitempty"`
	Tags                 []string              `json:"tags"`
	Locations            []Region              `json:"locations"`
	BrowserCheckDefaults *string               `json:"browserCheckDefaults,omitempty"`
	EnvironmentVariables []EnvironmentVariable `json:"environmentVariables"`
	// DoubleCheck repeats a failing run once.
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
	// RetryStrategy is the strategy the group enforces, FALLBACK when its checks keep
	// their own, nil when it enforces that nothing is retried.
	RetryStrategy *RetryStrategy `json:"retryStrategy"`
	CreatedAt     Timestamp      `json:"created_at,omitzero"`
	UpdatedAt     *Timestamp     `json:"updated_at"`
	// RunParallel is nil when the group leaves it to its checks.
	RunParallel *bool `json:"runParallel"`

	// ProjectBindings comes from newer services only.
	ProjectBindings json.RawMessage `json:"projectBindings,omitempty"`

	kept
}

// plainGroup is a CheckGroup that encoding/json handles by its fields.
type plainGroup CheckGroup

// UnmarshalJSON reads the group and keeps a copy of the JSON.
func (g *CheckGroup) UnmarshalJSON(data []byte) error { return g.read(bytes.Clone(data)) }

func (g *CheckGroup) read(data []byte) error { return readKeeping((*plainGroup)(g), data) }

// MarshalJSON writes the group. One that was read is written as it was read, with what
// was changed since; secrets are null. [MarshalWithSecrets] writes them, too.
func (g CheckGroup) MarshalJSON() ([]byte, error) { return revealer.EncodeHidden((*plainGroup)(&g)) }

func (g *CheckGroup) open(bool) reveal.Content { return plainContent(g, (*plainGroup)(g)) }

// CheckGroupUpdate is the request of [CheckGroupsService.Update]. Only Name is
// required. Start from [CheckGroup.ToUpdate]: the API document does not say what
// becomes of a member that is left out. In an update of your own, a nil list is left out
// and an empty list that is not nil clears it. [CheckGroup.ToUpdate] says what nil means
// in an update that it made.
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
	// EnvironmentVariables replaces the group's variables, at most 200; older services
	// take 100.
	EnvironmentVariables      []EnvironmentVariable      `json:"environmentVariables,omitzero"`
	AlertChannelSubscriptions []AlertChannelSubscription `json:"alertChannelSubscriptions,omitzero"`
	SetupSnippetID            Nullable[int64]            `json:"setupSnippetId,omitzero"`
	TearDownSnippetID         Nullable[int64]            `json:"tearDownSnippetId,omitzero"`
	LocalSetupScript          Nullable[string]           `json:"localSetupScript,omitzero"`
	LocalTearDownScript       Nullable[string]           `json:"localTearDownScript,omitzero"`
	PrivateLocations          []string                   `json:"privateLocations,omitzero"`
	// RunParallel, AlertSettings, RetryStrategy and UseGlobalAlertSettings are enforced
	// on the checks of the group when they have a value. Null leaves them to the checks,
	// except RetryStrategy, whose null enforces that nothing is retried and whose FALLBACK
	// leaves it to the checks.
	RunParallel            Nullable[bool]          `json:"runParallel,omitzero"`
	AlertSettings          Nullable[AlertSettings] `json:"alertSettings,omitzero"`
	RetryStrategy          Nullable[RetryStrategy] `json:"retryStrategy,omitzero"`
	UseGlobalAlertSettings Nullable[bool]          `json:"useGlobalAlertSettings,omitzero"`
	// DoubleCheck repeats a failing run once; the default is false.
	//
	// Deprecated: RetryStrategy replaces it.
	DoubleCheck *bool `json:"doubleCheck,omitempty"`

	// AutoAssignAlerts subscribes new checks to all existing alert channels; nil
	// leaves it to the service, whose default is true.
	AutoAssignAlerts *bool `json:"-"`

	made *made
}

// CheckGroupsService reads and updates check groups.
type CheckGroupsService service

// Get returns a check group (GET /v1/check-groups/{id}).
//
//monitoring:operation GET /v1/check-groups/{id}
func (s *CheckGroupsService) Get(ctx context.Context, id int64, opts ...CallOption) (*CheckGroup, error) {
	return call[CheckGroup](ctx, (*service)(s), &operation{
		method: http.MethodGet, path: path("/v1/check-groups/{id}", groupID(id)), class: classRead,
	}, opts)
}

// Update changes a check group (PUT /v2/check-groups/{id}).
//
//monitoring:operation PUT /v2/check-groups/{id}
func (s *CheckGroupsService) Update(ctx context.Context, id int64, update CheckGroupUpdate, opts ...CallOption) (*CheckGroup, error) {
	return call[CheckGroup](ctx, (*service)(s), &operation{
		method: http.MethodPut, path: path("/v2/check-groups/{id}", groupID(id)), class: classRepeatable,
		query: autoAssignQuery{update.AutoAssignAlerts}, body: update,
	}, opts)
}

// groupID returns the path segment of a group; it is empty, and so refused, where no
// group can have the id.
func groupID(id int64) string {
	if id <= 0 {
		return ""
	}
	return strconv.FormatInt(id, 10)
}
