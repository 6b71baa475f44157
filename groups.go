package monitoring

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
)

// APICheckDefaults are the defaults a group gives its API checks. No member is required.
type APICheckDefaults struct {
	URL             Nullable[string]    `json:"url,omitzero"`
	Headers         []KeyValue          `json:"headers,omitzero"`
	QueryParameters []KeyValue          `json:"queryParameters,omitzero"`
	Assertions      []Assertion         `json:"assertions,omitzero"`
	BasicAuth       Nullable[BasicAuth] `json:"basicAuth,omitzero"`
}

// BasicAuth is a user name and a password.
type BasicAuth struct {
	Username string `json:"username"`
	// Password is withheld if the service does not tell it.
	Password Secret `json:"password"`
}

// withheld reports whether the service withholds a password or the value of a header or
// a query parameter.
func (d APICheckDefaults) withheld() bool {
	auth, ok := d.BasicAuth.Get()
	return ok && auth.Password.IsWithheld() ||
		slices.ContainsFunc(slices.Concat(d.Headers, d.QueryParameters), func(kv KeyValue) bool { return kv.Value.IsWithheld() })
}

// CheckGroup is a group of checks with settings in common.
type CheckGroup struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
	// Activated says whether the checks of the group run.
	Activated bool `json:"activated"`
	// Concurrency is how many checks run at once when the group is triggered.
	Concurrency      int              `json:"concurrency"`
	APICheckDefaults APICheckDefaults `json:"apiCheckDefaults"`
	// Muted says whether failing and recovering sends no notifications.
	Muted                bool                  `json:"muted"`
	Tags                 []string              `json:"tags"`
	Locations            []Region              `json:"locations"`
	BrowserCheckDefaults string                `json:"browserCheckDefaults"`
	EnvironmentVariables []EnvironmentVariable `json:"environmentVariables"`
	// DoubleCheck repeats a failing run once.
	//
	// Deprecated: RetryStrategy replaces it.
	DoubleCheck bool `json:"doubleCheck"`
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

	received received
}

// UnmarshalJSON reads the group and remembers which members were there.
func (g *CheckGroup) UnmarshalJSON(data []byte) error {
	type plain CheckGroup
	if err := json.Unmarshal(data, (*plain)(g)); err != nil {
		return err
	}
	return json.Unmarshal(data, &g.received)
}

// ToUpdate returns the update that writes the group back as it was read: change what
// should change and pass it to [CheckGroupsService.Update]. It is complete, because
// nobody says whether the service keeps what an update of a group leaves out: what
// was null is null again, save lists, and only what the response did not have is left out. Where the service held a
// secret back and returned null, all of EnvironmentVariables or of APICheckDefaults is
// left out, because sending it would overwrite the secret.
func (g *CheckGroup) ToUpdate() CheckGroupUpdate {
	r := g.received
	u := CheckGroupUpdate{
		Name:                      g.Name,
		Activated:                 carry(r, "activated", g.Activated),
		Muted:                     carry(r, "muted", g.Muted),
		Tags:                      g.Tags,
		Locations:                 g.Locations,
		Concurrency:               carry(r, "concurrency", g.Concurrency),
		BrowserCheckDefaults:      carry(r, "browserCheckDefaults", g.BrowserCheckDefaults),
		RuntimeID:                 carryNull(r, "runtimeId", g.RuntimeID),
		EnvironmentVariables:      carryVariables(g.EnvironmentVariables),
		AlertChannelSubscriptions: g.AlertChannelSubscriptions,
		SetupSnippetID:            carryNull(r, "setupSnippetId", g.SetupSnippetID),
		TearDownSnippetID:         carryNull(r, "tearDownSnippetId", g.TearDownSnippetID),
		LocalSetupScript:          carryNull(r, "localSetupScript", g.LocalSetupScript),
		LocalTearDownScript:       carryNull(r, "localTearDownScript", g.LocalTearDownScript),
		PrivateLocations:          g.PrivateLocations,
		RunParallel:               carryNull(r, "runParallel", g.RunParallel),
		AlertSettings:             carryNull(r, "alertSettings", g.AlertSettings),
		RetryStrategy:             carryNull(r, "retryStrategy", g.RetryStrategy),
		UseGlobalAlertSettings:    carryNull(r, "useGlobalAlertSettings", g.UseGlobalAlertSettings),
		DoubleCheck:               carry(r, "doubleCheck", g.DoubleCheck),
	}
	if (bool(r["apiCheckDefaults"]) || r == nil) && !g.APICheckDefaults.withheld() {
		u.APICheckDefaults = new(g.APICheckDefaults)
	}
	// The update of a group does not know this leftover of old groups.
	if s, ok := u.AlertSettings.Get(); ok {
		s.SSLCertificates = nil
		u.AlertSettings = Value(s)
	}
	return clone(u)
}

// CheckGroupUpdate is the request of [CheckGroupsService.Update]. Only Name is
// required. Start from [CheckGroup.ToUpdate]: the API document does not say what
// becomes of a member that is left out. A nil list is left out, an empty list that is
// not nil clears it.
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
	// EnvironmentVariables replaces the group's variables, at most 100.
	EnvironmentVariables      []EnvironmentVariable      `json:"environmentVariables,omitzero"`
	AlertChannelSubscriptions []AlertChannelSubscription `json:"alertChannelSubscriptions,omitzero"`
	SetupSnippetID            Nullable[int64]            `json:"setupSnippetId,omitzero"`
	TearDownSnippetID         Nullable[int64]            `json:"tearDownSnippetId,omitzero"`
	LocalSetupScript          Nullable[string]           `json:"localSetupScript,omitzero"`
	LocalTearDownScript       Nullable[string]           `json:"localTearDownScript,omitzero"`
	PrivateLocations          []string                   `json:"privateLocations,omitzero"`
	// RunParallel, AlertSettings, RetryStrategy and UseGlobalAlertSettings are enforced
	// on the checks of the group when they have a value. Null leaves them to the checks,
	// save RetryStrategy, whose null enforces that nothing is retried and whose FALLBACK
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
