package monitoring

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"

	"github.com/monitoring-api/monitoring-go/internal/route"
)

// CheckGroup is a group of checks with common settings. The section Objects of the package
// documentation says what a field that is not set means. The service may set what an update leaves
// out to its default, so an update needs a group that was read: start from
// [CheckGroupsService.Get], or use [CheckGroupsService.Edit].
type CheckGroup struct {
	// ID is made by the service. Create refuses a group that has one, and Update needs it.
	ID int64 `json:"id,omitzero"`
	// Name is required.
	Name string `json:"name,omitzero"`
	// Activated says whether the checks of the group run; the default is true.
	Activated *bool `json:"activated,omitzero"`
	// Muted turns off notifications when checks fail or recover; the default is false.
	Muted *bool `json:"muted,omitzero"`
	// Tags organize groups; [TriggerTarget] and maintenance windows select by them.
	Tags []string `json:"tags,omitzero"`
	// Concurrency is how many checks run at once when the group is triggered: at least 1, by default
	// 3.
	Concurrency *int `json:"concurrency,omitzero"`

	// Locations and PrivateLocations, if there are any, are enforced on the checks of the group.
	Locations        []Region `json:"locations,omitzero"`
	PrivateLocations []string `json:"privateLocations,omitzero"`
	// RunParallel, AlertSettings, RetryStrategy and UseGlobalAlertSettings are enforced on the checks
	// of the group if they have a value. With null, their default, each check uses its own setting.
	// RetryStrategy differs: null enforces that nothing is retried, and with FALLBACK, its default,
	// each check uses its own strategy.
	RunParallel            Nullable[bool]          `json:"runParallel,omitzero"`
	AlertSettings          Nullable[AlertSettings] `json:"alertSettings,omitzero"`
	RetryStrategy          Nullable[RetryStrategy] `json:"retryStrategy,omitzero"`
	UseGlobalAlertSettings Nullable[bool]          `json:"useGlobalAlertSettings,omitzero"`
	// DoubleCheck retries failing runs once from another location; the default is false.
	//
	// Deprecated: RetryStrategy replaces it.
	DoubleCheck *bool `json:"doubleCheck,omitzero"`

	// AlertChannelSubscriptions are the alert channels over which the group alerts, and those over
	// which it does not; see [CheckGroup.Subscribe].
	AlertChannelSubscriptions []AlertChannelSubscription `json:"alertChannelSubscriptions,omitzero"`
	// AutoAssignAlerts subscribes the group to all existing alert channels. The service never returns
	// it. With nil a create uses the service's default, which is true.
	AutoAssignAlerts *bool `json:"autoAssignAlerts,omitzero"`

	// RuntimeID is the runtime of the scripts of the group's checks; null, the default, names none.
	RuntimeID            Nullable[RuntimeID] `json:"runtimeId,omitzero"`
	APICheckDefaults     *APICheckDefaults   `json:"apiCheckDefaults,omitzero"`
	BrowserCheckDefaults *string             `json:"browserCheckDefaults,omitzero"`
	// EnvironmentVariables are at most 200, on older services 100; see [CheckGroup.SetVariable].
	EnvironmentVariables []EnvironmentVariable `json:"environmentVariables,omitzero"`
	// The snippets and scripts run before and after the API checks of the group; the default is null.
	SetupSnippetID      Nullable[int64]  `json:"setupSnippetId,omitzero"`
	TearDownSnippetID   Nullable[int64]  `json:"tearDownSnippetId,omitzero"`
	LocalSetupScript    Nullable[string] `json:"localSetupScript,omitzero"`
	LocalTearDownScript Nullable[string] `json:"localTearDownScript,omitzero"`

	// The service makes the fields below. They can only be read.

	CreatedAt Timestamp `json:"created_at,omitzero"`
	// UpdatedAt is nil for a group that was never updated.
	UpdatedAt *Timestamp `json:"updated_at,omitzero"`
	// ProjectBindings comes from newer services only.
	ProjectBindings json.RawMessage `json:"projectBindings,omitzero"`
	// Extra is an object with the members of the response that have no field; see the section Objects.
	Extra SecretJSON `json:"-"`

	object `json:"-"`
}

// APICheckDefaults are the defaults that a group gives its API checks. No member is required.
// Nil lists and the zero [Nullable] are left out.
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

// Subscribe sets the entry of one alert channel in AlertChannelSubscriptions, or adds it; see
// [Check.Subscribe].
func (g *CheckGroup) Subscribe(channelID int64, activated bool) {
	subscribeIn(&g.object, &g.AlertChannelSubscriptions, channelID, activated)
}

// SetVariable adds a variable, or sets the one with its key; see [Check.SetVariable].
func (g *CheckGroup) SetVariable(v EnvironmentVariable) error {
	return setVariableOf(g, &g.EnvironmentVariables, v)
}

// RemoveVariable removes a variable, even one whose value the service withholds; see
// [Check.RemoveVariable].
func (g *CheckGroup) RemoveVariable(key string) error {
	return removeVariableOf(g, &g.EnvironmentVariables, key)
}

// Diff returns what has changed since the client returned the group; see [Check.Diff].
func (g *CheckGroup) Diff() []Change { return diffOf(g) }

// DiffFrom returns what writing the group would change of another one; see [Check.DiffFrom].
func (g *CheckGroup) DiffFrom(now *CheckGroup) []Change { return diffWith(g, now) }

// Omitted returns the members that an update leaves out, although the group has them; see
// [Check.Omitted].
func (g *CheckGroup) Omitted() []string { return leftOut(g) }

// SetFrom gives the group what another one has, such as one of a file; see [Check.SetFrom].
func (g *CheckGroup) SetFrom(wish *CheckGroup) error { return setFrom(g, wish) }

// Template returns a copy to create, without what only the service makes; see [Check.Template].
func (g *CheckGroup) Template() *CheckGroup { return template(g).(*CheckGroup) }

// Clone returns a copy that shares nothing with the group.
func (g *CheckGroup) Clone() *CheckGroup { return clone(g).(*CheckGroup) }

// Validate returns the [*ValidationError] that Create would return for a group of your own, and
// Update for one that the client has returned. It is nil if there is none. Nothing is sent.
func (g *CheckGroup) Validate() error { return validateObject(g) }

// String returns what it is, the name and the id. It has no secrets.
func (g CheckGroup) String() string { return lineOf(&g, g.Name) }

// Format prints String, and with %+v the JSON with secrets masked.
func (g CheckGroup) Format(f fmt.State, verb rune) { formatObject(f, verb, g) }

// MarshalJSON writes the group. One that was read is written as it was read, with what has changed
// since; secrets are null. [MarshalWithSecrets] writes secrets, too.
func (g CheckGroup) MarshalJSON() ([]byte, error) { return keeping.Marshal(&g, (*plainGroup)(&g)) }

// UnmarshalJSON reads a group of your own, such as one of a file, or a plan; see [MarshalPlan].
func (g *CheckGroup) UnmarshalJSON(data []byte) error { return readOwn(g, data) }

func (g *CheckGroup) read(data []byte) error { return readFields((*plainGroup)(g), data) }

// CheckGroupListOptions selects check groups.
type CheckGroupListOptions struct {
	ListOptions
	// Tags selects the groups that have any of these tags, and Names those that have any of these
	// names, exactly. Neither may contain an empty text.
	Tags  []string `url:"tag,omitempty"`
	Names []string `url:"name,omitempty"`
}

// Validate returns the [*ValidationError] that [CheckGroupsService.List] would return, and nil if
// there is none. Nothing is sent.
func (o CheckGroupListOptions) Validate() error { return validateQuery("GET /v1/check-groups", o) }

func (o CheckGroupListOptions) validate(v *violations) {
	o.ListOptions.validate(v)
	v.noneEmpty("tag", o.Tags)
	v.noneEmpty("name", o.Names)
}

// CheckGroupsService lists, reads, creates, updates and deletes check groups.
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

// All iterates over the check groups. The section Lists of the package documentation says what it
// guarantees.
func (s *CheckGroupsService) All(ctx context.Context, options CheckGroupListOptions, opts ...CallOption) iter.Seq2[CheckGroup, error] {
	return items(s.Pages(ctx, options, opts...))
}

// Pages is [CheckGroupsService.All] page by page; see [VariablesService.Pages].
func (s *CheckGroupsService) Pages(
	ctx context.Context, options CheckGroupListOptions, opts ...CallOption,
) iter.Seq2[*Page[CheckGroup], error] {
	return pages[CheckGroup](ctx, groupLister(s, options, opts), options.ListOptions)
}

// ListChecks returns a page of the checks of a group (GET /v1/check-groups/{id}/checks), with the
// settings of the group applied to them. Updates and creates that are made from these checks are
// refused, because they would make the settings of the group their own: use [ChecksService.Edit].
// Members other than ID and CheckType may be missing. The id must be positive. The error is
// [ErrNotFound] if there is no such group.
func (s *CheckGroupsService) ListChecks(ctx context.Context, id int64, options ListOptions, opts ...CallOption) (*Page[Check], error) {
	return list[Check](ctx, groupCheckLister(s, id, opts), options)
}

// AllChecks iterates over the checks of a group; see [CheckGroupsService.ListChecks]. The section
// Lists of the package documentation says what it guarantees.
func (s *CheckGroupsService) AllChecks(ctx context.Context, id int64, options ListOptions, opts ...CallOption) iter.Seq2[Check, error] {
	return items(s.PagesOfChecks(ctx, id, options, opts...))
}

// PagesOfChecks is [CheckGroupsService.AllChecks] page by page; see [VariablesService.Pages].
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

// Get returns a check group (GET /v1/check-groups/{id}). The id must be positive. The error is
// [ErrNotFound] if there is no such group.
func (s *CheckGroupsService) Get(ctx context.Context, id int64, opts ...CallOption) (*CheckGroup, error) {
	return call[CheckGroup](ctx, (*service)(s), op("GET /v1/check-groups/{id}", route.Number(id)).is("id"), opts)
}

// Create creates a check group (POST /v2/check-groups). It is retried only if the service certainly
// did not carry it out. Otherwise the error of a lost response is [ErrOutcomeUnknown]: look for the
// group by its name before you create it again, as [WithCreateRecovery] does. [ErrPaymentRequired]
// means that the plan does not allow it. A group with an ID is refused: [CheckGroup.Template] makes
// a copy to create.
func (s *CheckGroupsService) Create(ctx context.Context, group *CheckGroup, opts ...CallOption) (*CheckGroup, error) {
	creates, err := creation(group)
	if err != nil {
		return nil, err
	}
	return create[CheckGroup](ctx, (*service)(s), creates, opts, s.lookFor)
}

// Update writes a group that the client has returned, and returns it as it is then (PUT
// /v2/check-groups/{id}). If nothing has changed, nothing is sent. Otherwise the rest is sent as it
// was read, because the service may set what is left out to its default. So a group that was not
// read is refused: use [CheckGroupsService.Edit]. The error is [ErrNotFound] if there is no such
// group. See [ChecksService.Update].
func (s *CheckGroupsService) Update(ctx context.Context, group *CheckGroup, opts ...CallOption) (*CheckGroup, error) {
	return updateObject(group, func() *place { return s.at(ctx, group.ID) }, opts)
}

// Delete permanently deletes a check group with its settings and variables
// (DELETE /v1/check-groups/{id}). The error is [ErrConflict] if the group still has checks. The id
// must be positive. If the response to an attempt was lost and the retry gets a 404, the deletion
// has succeeded.
func (s *CheckGroupsService) Delete(ctx context.Context, id int64, opts ...CallOption) error {
	return exec(ctx, (*service)(s), op("DELETE /v1/check-groups/{id}", route.Number(id)), opts)
}

// Edit reads a check group, lets a function change it, and writes what has changed
// (GET /v1/check-groups/{id}, then PUT /v2/check-groups/{id}); see [ChecksService.Edit].
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
