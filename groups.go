package monitoring

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"

	"github.com/monitoring-api/monitoring-go/internal/route"
)

// CheckGroup is a group of checks with common settings. For its methods, and for fields that are
// not set, see [Check].
//
// An update needs a group that was read, because the service may reset what an update leaves out:
// use [CheckGroupsService.Edit], or start from [CheckGroupsService.Get].
//
//monitoring:json
type CheckGroup struct {
	// ID is assigned by the service.
	ID int64 `json:"id,omitzero"`
	// Name is required.
	Name string `json:"name,omitzero"`
	// Activated is whether the checks of the group run; the default is true.
	Activated *bool `json:"activated,omitzero"`
	// Muted turns off notifications of failures and recoveries; the default is false.
	Muted *bool `json:"muted,omitzero"`
	// Tags organize groups; [TriggerTarget] and maintenance windows select by them.
	Tags []string `json:"tags,omitzero"`
	// Concurrency is how many checks of a triggered group run at once; at least 1, by default 3.
	Concurrency *int `json:"concurrency,omitzero"`

	// Locations and PrivateLocations, if not empty, replace those of the checks in the group.
	Locations        []Region `json:"locations,omitzero"`
	PrivateLocations []string `json:"privateLocations,omitzero"`
	// RunParallel, AlertSettings, RetryStrategy and UseGlobalAlertSettings replace the settings of
	// the checks in the group. With null, the default, each check uses its own. RetryStrategy
	// differs: null turns retries off, and with FALLBACK, its default, each check uses its own.
	RunParallel            Nullable[bool]          `json:"runParallel,omitzero"`
	AlertSettings          Nullable[AlertSettings] `json:"alertSettings,omitzero"`
	RetryStrategy          Nullable[RetryStrategy] `json:"retryStrategy,omitzero"`
	UseGlobalAlertSettings Nullable[bool]          `json:"useGlobalAlertSettings,omitzero"`
	// DoubleCheck retries failing runs once from another location; the default is false.
	//
	// Deprecated: use RetryStrategy.
	DoubleCheck *bool `json:"doubleCheck,omitzero"`

	// AlertChannelSubscriptions are the alert channels that the group uses, and those that it must
	// not use; see [CheckGroup.Subscribe].
	AlertChannelSubscriptions []AlertChannelSubscription `json:"alertChannelSubscriptions,omitzero"`
	// AutoAssignAlerts subscribes the group to all alert channels that exist. A create does so by
	// default. The service never returns this field.
	AutoAssignAlerts *bool `json:"autoAssignAlerts,omitzero"`

	// RuntimeID is the runtime of the scripts of the group's checks; null, the default, names none.
	RuntimeID            Nullable[RuntimeID] `json:"runtimeId,omitzero"`
	APICheckDefaults     *APICheckDefaults   `json:"apiCheckDefaults,omitzero"`
	BrowserCheckDefaults *string             `json:"browserCheckDefaults,omitzero"`
	// EnvironmentVariables are at most 200, or 100 on older services.
	EnvironmentVariables []EnvironmentVariable `json:"environmentVariables,omitzero"`
	// SetupSnippetID and TearDownSnippetID are snippets that run before and after the API checks of
	// the group. LocalSetupScript and LocalTearDownScript are Node.js code for the same.
	SetupSnippetID      Nullable[int64]  `json:"setupSnippetId,omitzero"`
	TearDownSnippetID   Nullable[int64]  `json:"tearDownSnippetId,omitzero"`
	LocalSetupScript    Nullable[string] `json:"localSetupScript,omitzero"`
	LocalTearDownScript Nullable[string] `json:"localTearDownScript,omitzero"`

	// The service makes the fields below. They can only be read.

	CreatedAt Timestamp `json:"created_at,omitzero"`
	// UpdatedAt is nil until the group is updated.
	UpdatedAt *Timestamp `json:"updated_at,omitzero"`
	// ProjectBindings identify the project of the account's code to which the group belongs. Only
	// newer services have it.
	ProjectBindings json.RawMessage `json:"projectBindings,omitzero"`
	// Extra holds the unknown fields of the response as one JSON object. A CreatedAt or UpdatedAt
	// that is not a time is there as well, and the field is zero.
	Extra SecretJSON `json:"-"`

	object `json:"-"`
}

// APICheckDefaults are the defaults of a group for its API checks.
type APICheckDefaults struct {
	URL             Nullable[string]    `json:"url,omitzero"`
	Headers         []KeyValue          `json:"headers,omitzero"`
	QueryParameters []KeyValue          `json:"queryParameters,omitzero"`
	Assertions      []Assertion         `json:"assertions,omitzero"`
	BasicAuth       Nullable[BasicAuth] `json:"basicAuth,omitzero"`
}

var groups = blueprint{
	what: "check group", creates: "POST /v2/check-groups", updates: "PUT /v2/check-groups/{id}",
	id: "id", made: []string{"id", "created_at", "updated_at", "projectBindings"}, whollyRead: true,
}

func (g *CheckGroup) form() form {
	return form{blueprint: &groups, key: keyOf(g.ID), fields: (*plainGroup)(g), auto: &g.AutoAssignAlerts}
}

// plainGroup has the fields of a group. Without the times of its changes it is still of use.
type plainGroup CheckGroup

func (plainGroup) oddMembers() []string { return []string{"created_at", "updated_at"} }

// Subscribe adds or replaces the entry of a channel; see [Check.Subscribe].
func (g *CheckGroup) Subscribe(channelID int64, activated bool) {
	subscribeIn(&g.object, &g.AlertChannelSubscriptions, channelID, activated)
}

// SetVariable adds v or replaces the one with its key; see [Check.SetVariable].
func (g *CheckGroup) SetVariable(v EnvironmentVariable) error {
	return setVariableOf(g, &g.EnvironmentVariables, v)
}

// RemoveVariable removes the variable with this key; see [Check.RemoveVariable].
func (g *CheckGroup) RemoveVariable(key string) error {
	return removeVariableOf(g, &g.EnvironmentVariables, key)
}

// Diff returns what you changed since it was read; see [Check.Diff].
func (g *CheckGroup) Diff() []Change { return diffOf(g) }

// DiffFrom returns what a write would change in now; see [Check.DiffFrom].
func (g *CheckGroup) DiffFrom(now *CheckGroup) []Change { return diffWith(g, now) }

// Omitted returns the fields that an update leaves out; see [Check.Omitted].
func (g *CheckGroup) Omitted() []string { return leftOut(g) }

// SetFrom copies the fields that desired sets; see [Check.SetFrom].
func (g *CheckGroup) SetFrom(desired *CheckGroup) error { return setFrom(g, desired) }

// Template returns a copy of the group to create; see [Check.Template].
func (g *CheckGroup) Template() *CheckGroup { return template(g).(*CheckGroup) }

// Clone returns a deep copy.
func (g *CheckGroup) Clone() *CheckGroup { return clone(g).(*CheckGroup) }

// Validate checks the group as Create or Update would; see [Check.Validate].
func (g *CheckGroup) Validate() error { return validateObject(g) }

// String returns the name and id of the group.
func (g CheckGroup) String() string { return lineOf(&g, g.Name) }

// Format prints String, or for %+v the JSON with secrets masked.
func (g CheckGroup) Format(f fmt.State, verb rune) { formatObject(f, verb, g) }

func (g *CheckGroup) read(data []byte) error { return readFields((*plainGroup)(g), data) }

// CheckGroupListOptions selects check groups.
type CheckGroupListOptions struct {
	ListOptions
	// Tags selects the groups that have any of these tags, and Names those that have exactly one of
	// these names. Neither may contain an empty string.
	Tags  []string `url:"tag,omitempty"`
	Names []string `url:"name,omitempty"`
}

// Validate checks the options as [CheckGroupsService.List] does.
func (o CheckGroupListOptions) Validate() error { return validateQuery("GET /v1/check-groups", o) }

func (o CheckGroupListOptions) validate(v *violations) {
	o.ListOptions.validate(v)
	v.noneEmpty("tag", o.Tags)
	v.noneEmpty("name", o.Names)
}

// CheckGroupsService creates, reads, changes and deletes check groups.
type CheckGroupsService service

func groupLister(s *CheckGroupsService, options CheckGroupListOptions, opts []CallOption) *lister {
	l := itemsOf(func(g *CheckGroup) string { return numberID(g.ID) })
	return l.of((*service)(s), opts, func(page ListOptions) *operation {
		options := options // a copy for each page, because pages may be fetched concurrently
		options.ListOptions = page
		return op("GET /v1/check-groups").asks(options)
	})
}

// List returns a page of check groups (GET /v1/check-groups).
func (s *CheckGroupsService) List(ctx context.Context, options CheckGroupListOptions, opts ...CallOption) (*Page[CheckGroup], error) {
	return list[CheckGroup](ctx, groupLister(s, options, opts), options.ListOptions)
}

// All iterates over check groups.
func (s *CheckGroupsService) All(ctx context.Context, options CheckGroupListOptions, opts ...CallOption) iter.Seq2[CheckGroup, error] {
	return items(s.Pages(ctx, options, opts...))
}

// Pages iterates over the pages of [CheckGroupsService.All].
func (s *CheckGroupsService) Pages(
	ctx context.Context, options CheckGroupListOptions, opts ...CallOption,
) iter.Seq2[*Page[CheckGroup], error] {
	return pages[CheckGroup](ctx, groupLister(s, options, opts), options.ListOptions)
}

// ListChecks returns a page of the checks of a group (GET /v1/check-groups/{id}/checks), with the
// settings of the group applied to them. Such a check cannot be written, because these settings
// would become its own: use [ChecksService.Edit]. Fields other than ID and CheckType may be
// missing.
func (s *CheckGroupsService) ListChecks(ctx context.Context, id int64, options ListOptions, opts ...CallOption) (*Page[Check], error) {
	return list[Check](ctx, groupCheckLister(s, id, opts), options)
}

// AllChecks iterates over the checks of a group; see ListChecks.
func (s *CheckGroupsService) AllChecks(ctx context.Context, id int64, options ListOptions, opts ...CallOption) iter.Seq2[Check, error] {
	return items(s.PagesOfChecks(ctx, id, options, opts...))
}

// PagesOfChecks iterates over the pages of [CheckGroupsService.AllChecks].
func (s *CheckGroupsService) PagesOfChecks(
	ctx context.Context, id int64, options ListOptions, opts ...CallOption,
) iter.Seq2[*Page[Check], error] {
	return pages[Check](ctx, groupCheckLister(s, id, opts), options)
}

func groupCheckLister(s *CheckGroupsService, id int64, opts []CallOption) *lister {
	checks := itemsOf(func(c *Check) string { return c.ID })
	ofGroup := op("GET /v1/check-groups/{id}/checks", route.Number(id))
	ofGroup.withGroup = true
	return listOf((*service)(s), ofGroup, checks, opts)
}

// Get returns a check group (GET /v1/check-groups/{id}).
func (s *CheckGroupsService) Get(ctx context.Context, id int64, opts ...CallOption) (*CheckGroup, error) {
	return call[CheckGroup](ctx, (*service)(s), op("GET /v1/check-groups/{id}", route.Number(id)).is("id"), opts)
}

// Create creates a check group (POST /v2/check-groups); see [ChecksService.Create].
func (s *CheckGroupsService) Create(ctx context.Context, group *CheckGroup, opts ...CallOption) (*CheckGroup, error) {
	creates, err := creation((*service)(s), group, opts)
	if err != nil {
		return nil, err
	}
	look := func(ctx context.Context, name string, opts []CallOption) ([]item[CheckGroup], error) {
		return s.named(ctx, name, pagesOfALook, opts)
	}
	return create[CheckGroup](ctx, (*service)(s), creates, opts, look)
}

// Update writes a group that the client returned, and returns its new state (PUT
// /v2/check-groups/{id}); see [ChecksService.Update]. The group is sent whole, and one that was not
// read is refused, because the service may reset what an update leaves out.
func (s *CheckGroupsService) Update(ctx context.Context, group *CheckGroup, opts ...CallOption) (*CheckGroup, error) {
	return updateObject(group, func() *place { return s.at(ctx, group.ID) }, opts)
}

// Delete permanently deletes a check group with its settings and variables (DELETE
// /v1/check-groups/{id}), or returns [ErrConflict] if it has checks.
func (s *CheckGroupsService) Delete(ctx context.Context, id int64, opts ...CallOption) error {
	return exec(ctx, (*service)(s), op("DELETE /v1/check-groups/{id}", route.Number(id)), opts)
}

// Edit reads a check group, passes it to edit, and writes what edit changed (GET
// /v1/check-groups/{id}, then PUT /v2/check-groups/{id}); see [ChecksService.Edit].
//
//	group, err := client.CheckGroups.Edit(ctx, id, func(g *monitoring.CheckGroup) error {
//		g.Muted = new(true)
//		return nil
//	})
func (s *CheckGroupsService) Edit(ctx context.Context, id int64, edit func(*CheckGroup) error, opts ...CallOption) (*CheckGroup, error) {
	return editObjectAt(s.at(ctx, id), edit, opts)
}

func (s *CheckGroupsService) at(ctx context.Context, id int64) *place {
	return placeOf(ctx, (*service)(s), groups.what, id, func(opts []CallOption) (*CheckGroup, error) { return s.Get(ctx, id, opts...) })
}
