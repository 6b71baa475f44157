package monitoring

import (
	"bytes"
	"context"
	"encoding/json"
	"iter"

	"github.com/monitoring-api/monitoring-go/internal/route"
)

// APICheckDefaults are the defaults that a group gives its API checks. No member is required.
// Nil lists and the zero [Nullable] are left out.
type APICheckDefaults struct {
	URL             Nullable[string]    `json:"url,omitzero"`
	Headers         []KeyValue          `json:"headers,omitzero"`
	QueryParameters []KeyValue          `json:"queryParameters,omitzero"`
	Assertions      []Assertion         `json:"assertions,omitzero"`
	BasicAuth       Nullable[BasicAuth] `json:"basicAuth,omitzero"`
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
	// Muted says whether notifications are suppressed when checks fail or recover.
	Muted                *bool                 `json:"muted,omitempty"`
	Tags                 []string              `json:"tags"`
	Locations            []Region              `json:"locations"`
	BrowserCheckDefaults *string               `json:"browserCheckDefaults,omitzero"`
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

// UnmarshalJSON reads the group and keeps a copy of the JSON.
func (g *CheckGroup) UnmarshalJSON(data []byte) error { return g.read(bytes.Clone(data)) }

func (g *CheckGroup) read(data []byte) error { return keeping.Read((*plainGroup)(g), data) }

// MarshalJSON writes the group. A group that was read is written as it was read, with what
// has changed since; secrets are null. [MarshalWithSecrets] writes secrets, too.
func (g CheckGroup) MarshalJSON() ([]byte, error) { return keeping.Marshal(&g, (*plainGroup)(&g)) }

// plainGroup has the fields of a group. Without the times of its changes it is still of use.
type plainGroup CheckGroup

func (plainGroup) oddMembers() []string { return []string{"created_at", "updated_at"} }

// CheckGroupUpdate is the request of [CheckGroupsService.Update]. Only Name is required. Start from
// [CheckGroup.ToUpdate], because the API document does not say whether the service keeps members
// that are left out or sets them to their defaults. In an update of your own, nil and the zero
// [Nullable] leave a field out. An empty list that is not nil clears the list.
// [CheckGroup.ToUpdate] says what nil means in an update that it made.
type CheckGroupUpdate struct {
	Name      string   `json:"name"`
	Activated *bool    `json:"activated,omitempty"` // default true
	Muted     *bool    `json:"muted,omitempty"`     // default false
	Tags      []string `json:"tags,omitzero"`
	Locations []Region `json:"locations,omitzero"`
	// Concurrency is at least 1; the service's default is 3.
	Concurrency          *int                `json:"concurrency,omitempty"`
	APICheckDefaults     *APICheckDefaults   `json:"apiCheckDefaults,omitempty"`
	BrowserCheckDefaults *string             `json:"browserCheckDefaults,omitzero"`
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

	subscribed bool // Subscribe was called
	origin     `json:"-"`
}

// Subscribe sets the entry of one alert channel in AlertChannelSubscriptions, or adds it; see
// [CheckSettings.Subscribe].
func (u *CheckGroupUpdate) Subscribe(channelID int64, activated bool) {
	u.AlertChannelSubscriptions = subscribe(u.AlertChannelSubscriptions, channelID, activated)
	u.subscribed = true
}

// Validate returns the [*ValidationError] that [CheckGroupsService.Update] would return, and
// nil if there is none. Nothing is sent.
func (u CheckGroupUpdate) Validate() error { return validateUpdate(&u) }

// ToUpdate returns the update that writes the group back as it was read. Change the update, or
// the group before, and pass the update to [CheckGroupsService.Update].
//
//   - Unchanged members are sent as they were read, as null if the request may have null
//     there. Members that the response did not have are left out. The service may ignore a
//     null list: to clear a list, set an empty list that is not nil.
//   - A list that had items and is set to nil is sent empty. A [Nullable] that is set to its
//     zero value, or to [Null], is sent as null. A pointer that had a value and is set to nil
//     cannot be sent: it is a [*ValidationError].
//   - Members that this package does not know are sent with the object that had them. Unknown
//     members of the group itself are not sent, because a newer service may refuse members
//     of responses. [CheckGroupUpdate.Withheld] lists them, and [WithBodyMember] sends one.
//   - If the service withholds a secret in the variables or in APICheckDefaults, the field has
//     them as they were read, but as long as it is not changed, the member is left out as a
//     whole. [CheckGroupUpdate.Withheld] lists such members and says how to change them.
//
// If the service keeps members that an update leaves out, the group is as it was, except for
// the changes. If it sets them to their defaults, this is so only if Withheld is empty. For
// a group that was not read, the fields that are set are sent.
func (g CheckGroup) ToUpdate() CheckGroupUpdate { return toUpdate[CheckGroupUpdate](&g) }

// ToCreate returns the create that makes an equal group, for a copy or to restore it. It has what a
// create may have: no id, no times, and no members that this package does not know.
// AutoAssignAlerts is false, because the service would subscribe the new one to all alert channels.
//
// A secret that the service withholds is withheld in the create, too. Validate names it, and the
// create is refused until you set it with [NewSecret].
//
// In another account some ids mean other objects: GroupID, AlertChannelSubscriptions,
// SetupSnippetID, TearDownSnippetID, PrivateLocations, SSLClientCertificateID of an [SSLRequest]
// and ServiceID of a [TriggerIncident]. Clear them before you create a copy there; see the example.
func (g CheckGroup) ToCreate() CheckGroupCreate {
	return toCreate[CheckGroupCreate](&g, "POST /v2/check-groups")
}

// MarshalJSON writes the body that would be sent, with null for each secret.
// [MarshalWithSecrets] writes secrets, too.
func (u CheckGroupUpdate) MarshalJSON() ([]byte, error) { return marshalUpdate(&u) }

func (u *CheckGroupUpdate) writeBack() *writeBack {
	type plain CheckGroupUpdate
	return writeBackOf[CheckGroup](u, "PUT /v2/check-groups/{id}", (*plain)(u), &u.AutoAssignAlerts)
}

// UnmarshalJSON reads an update. One that [MarshalWithSecrets] wrote is restored completely: it
// knows what it was made from, and what else that had.
func (u *CheckGroupUpdate) UnmarshalJSON(data []byte) error { return readUpdate[CheckGroup](u, data) }

// Set gives the update what a create has, such as one that was read from a file. What the create
// lacks stays as it is: nil, the zero [Nullable], an empty text, or a number that is 0. Only the
// Grace of a [Heartbeat] may be 0, if it has its unit.
//
//   - A list is replaced as a whole, and an empty list that is not nil clears it. So are
//     RetryStrategy, TriggerIncident and BasicAuth.
//   - [Null] is sent as null.
//   - Other objects, such as AlertSettings, get the members that the create has, at any depth, and
//     keep the others.
//   - A variable or a header without a value keeps the value that the update has for its key, and
//     BasicAuth without a password keeps that of its user. If a key is there more often in one of
//     the two lists, no value of it is kept.
//   - Members that this package does not know stay in an item with the same key, id or content, and
//     in an object of the same type.
//   - If the service withholds the value, and the list does not differ otherwise, it is left out.
//     Otherwise the update is a [*ValidationError] that names what lacks its value.
//   - AutoAssignAlerts is not set.
//
// Nothing of the create is shared with the update. Set before SetVariable and RemoveVariable,
// because it replaces the list that they change.
func (u *CheckGroupUpdate) Set(wish CheckGroupCreate) { setFields(u, &wish) }

// SetVariable adds a variable to the list, or sets the one with its key. Nil Locked and Secret keep
// those of an existing one. An update replaces the whole list, so it needs the value of each
// variable that the service withholds. Give those their values with SetVariable, or remove them,
// before you change others. Otherwise SetVariable returns an error that names them, and changes
// nothing. A variable without a key or a value is an error, and one for an update that does not
// know the list of variables, because it would delete the others.
func (u *CheckGroupUpdate) SetVariable(v EnvironmentVariable) error {
	return setVariable(u, &u.EnvironmentVariables, v)
}

// RemoveVariable removes a variable from the list, even one whose value the service withholds. If
// there is none with the key, nothing is changed. The error is that of
// [CheckGroupUpdate.SetVariable] for other variables that the service withholds.
func (u *CheckGroupUpdate) RemoveVariable(key string) error {
	return removeVariable(u, &u.EnvironmentVariables, key)
}

// Withheld returns the members that the update leaves out, although the group that was read had
// them. First come those in which the service withholds a secret, such as environmentVariables,
// then those that this package does not know. Such a member keeps its value, unless the service
// sets members that are left out to their defaults. [WithCompleteUpdates] refuses such an update
// instead.
//
// Members that are null, and those that only responses have, such as id and created_at, are not
// among them. An unknown member is sent with [WithBodyMember]; Withheld still lists it.
//
// To change a member with a withheld secret, give each withheld secret in it a value from
// [NewSecret], in the field of the update; see the example. If one is missing, the update is a
// [*ValidationError] that names it, even if its item is removed or the field is set to nil. An
// empty list that is not nil deletes all items.
func (u CheckGroupUpdate) Withheld() []string { return u.writeBack().leftOut() }

// Diff returns the changes that the update would make to the group that was read, in the order of
// the body. It is nil if nothing would change. Values are compared by their meaning: 1 and 1.0 are
// equal, and so are tags, locations and subscriptions in another order. In an object, a member that
// is absent equals its default. Other lists are compared item by item. A changed secret is listed,
// but not shown. For an update that [CheckGroup.ToUpdate] did not make, it lists every member that
// is set, because the present values are not known.
//
// The comparison is with what ToUpdate started from. If that is a snapshot,
// [CheckGroupUpdate.DiffFrom] compares with the group as it is now.
func (u CheckGroupUpdate) Diff() []Change { return changesOf(u.writeBack().Diff(false)) }

// DiffWithValues is [CheckGroupUpdate.Diff] with the values of variables that are neither secret
// nor locked.
func (u CheckGroupUpdate) DiffWithValues() []Change { return changesOf(u.writeBack().Diff(true)) }

// DiffFrom returns the changes that the update would make to a group that was read, as
// [CheckGroupUpdate.Diff] does. Use it to see what restoring a snapshot would change. Of a
// group that was not read, only the fields that are set count. A nil group has nothing, so
// everything is a change.
func (u CheckGroupUpdate) DiffFrom(g *CheckGroup) []Change { return diffFrom(&u, g) }

// CheckGroupCreate is the request of [CheckGroupsService.Create]. Only Name is required. For fields
// that are left out (nil, or the zero [Nullable]) the service uses its default.
type CheckGroupCreate struct {
	Name      string   `json:"name"`
	Activated *bool    `json:"activated,omitempty"` // default true
	Muted     *bool    `json:"muted,omitempty"`     // default false
	Tags      []string `json:"tags,omitzero"`
	// Locations and PrivateLocations, if there are any, are enforced on the checks of the group.
	Locations        []Region `json:"locations,omitzero"`
	PrivateLocations []string `json:"privateLocations,omitzero"`
	// Concurrency is how many checks run at once when the group is triggered: at least 1, by default
	// 3.
	Concurrency          *int                `json:"concurrency,omitempty"`
	APICheckDefaults     *APICheckDefaults   `json:"apiCheckDefaults,omitempty"`
	BrowserCheckDefaults *string             `json:"browserCheckDefaults,omitzero"`
	RuntimeID            Nullable[RuntimeID] `json:"runtimeId,omitzero"` // default null
	// EnvironmentVariables are at most 200, on older services 100.
	EnvironmentVariables      []EnvironmentVariable      `json:"environmentVariables,omitzero"`
	AlertChannelSubscriptions []AlertChannelSubscription `json:"alertChannelSubscriptions,omitzero"`
	// The snippets and scripts run before and after the API checks of the group; default null.
	SetupSnippetID      Nullable[int64]  `json:"setupSnippetId,omitzero"`
	TearDownSnippetID   Nullable[int64]  `json:"tearDownSnippetId,omitzero"`
	LocalSetupScript    Nullable[string] `json:"localSetupScript,omitzero"`
	LocalTearDownScript Nullable[string] `json:"localTearDownScript,omitzero"`
	// RunParallel, AlertSettings, RetryStrategy and UseGlobalAlertSettings are as in
	// [CheckGroupUpdate]. By default RetryStrategy is FALLBACK and the others are null: each check
	// uses its own.
	RunParallel            Nullable[bool]          `json:"runParallel,omitzero"`
	AlertSettings          Nullable[AlertSettings] `json:"alertSettings,omitzero"`
	RetryStrategy          Nullable[RetryStrategy] `json:"retryStrategy,omitzero"`
	UseGlobalAlertSettings Nullable[bool]          `json:"useGlobalAlertSettings,omitzero"`
	// DoubleCheck retries failing runs once from another location; the default is false.
	//
	// Deprecated: RetryStrategy replaces it.
	DoubleCheck *bool `json:"doubleCheck,omitempty"`

	// AutoAssignAlerts subscribes the new group to all existing alert channels; nil uses the
	// service's default, which is true.
	AutoAssignAlerts *bool `json:"-"`
}

// Subscribe sets the entry of one alert channel in AlertChannelSubscriptions, or adds it. If the
// channel has several entries, one is left. Those of other channels stay.
func (c *CheckGroupCreate) Subscribe(channelID int64, activated bool) {
	c.AlertChannelSubscriptions = subscribe(c.AlertChannelSubscriptions, channelID, activated)
}

// Validate returns the [*ValidationError] that [CheckGroupsService.Create] would return, and nil if
// there is none. Nothing is sent.
func (c CheckGroupCreate) Validate() error { return validateBody("POST /v2/check-groups", c) }

func (CheckGroupCreate) validate(*violations) {}

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
// group by its name before you create it again, as [WithLookAgain] does. [ErrPaymentRequired] means
// that the plan does not allow it.
func (s *CheckGroupsService) Create(ctx context.Context, group CheckGroupCreate, opts ...CallOption) (*CheckGroup, error) {
	creates := op("POST /v2/check-groups").is("id").assigns(group.AutoAssignAlerts).sends(group)
	return create[CheckGroup](ctx, (*service)(s), creates, opts, s.lookFor)
}

// Update changes a check group (PUT /v2/check-groups/{id}) and returns the updated group. The id
// must be positive. [CheckGroupsService.Edit] reads, changes and writes in one call.
func (s *CheckGroupsService) Update(ctx context.Context, id int64, update CheckGroupUpdate, opts ...CallOption) (*CheckGroup, error) {
	return call[CheckGroup](ctx, (*service)(s), op("PUT /v2/check-groups/{id}", route.Number(id)).is("id").
		assigns(update.AutoAssignAlerts).sends(&update), opts)
}

// Delete permanently deletes a check group with its settings and variables
// (DELETE /v1/check-groups/{id}). The error is [ErrConflict] if the group still has checks. The id
// must be positive. If the response to an attempt was lost and the retry gets a 404, the deletion
// has succeeded.
func (s *CheckGroupsService) Delete(ctx context.Context, id int64, opts ...CallOption) error {
	return exec(ctx, (*service)(s), op("DELETE /v1/check-groups/{id}", route.Number(id)), opts)
}

// Edit reads a check group, calls a function that changes its update, and writes it back
// (GET /v1/check-groups/{id}, then PUT /v2/check-groups/{id}). The update is that of
// [CheckGroup.ToUpdate], and the options apply to both calls. It returns the updated group.
//
//	group, err := client.CheckGroups.Edit(ctx, id, func(u *monitoring.CheckGroupUpdate) error {
//		u.Muted = new(true)
//		return nil
//	})
//
// If the function changes nothing, nothing is written, and the group is returned as it was
// read. If it returns an error, nothing is written either, and the error is returned,
// wrapped. In the function, [CheckGroupUpdate.Diff] lists the changes so far. A nil function
// is an error.
//
// The function may replace the whole update: *u = snapshot.ToUpdate() restores a snapshot. A list
// in which the service withholds a secret is not restored; if only such a list differs, that is a
// [*ValidationError].
//
// If the service withholds a secret, the function sees its list or object as it was read, with
// the withheld values. It is left out of the update as long as it is not changed. A change that
// does not give each withheld secret a value is a [*ValidationError] that names them, and nothing
// is written; [CheckGroupUpdate.Withheld] says more.
//
// Edit one group at a time. Edits of the same group by the same client, and
// [CheckGroupsService.Apply], wait for each other. The next one reads the group when this one has
// ended. They wait until their context ends, and for two minutes if it has no deadline. So a
// function that edits its own group gets an error. Other programs do not wait: if one changes the
// group between the read and the write, that change may be lost.
func (s *CheckGroupsService) Edit(
	ctx context.Context, id int64, edit func(*CheckGroupUpdate) error, opts ...CallOption,
) (*CheckGroup, error) {
	return editObject[CheckGroup](remoteGroup(ctx, s, id), edit, opts)
}

func remoteGroup(ctx context.Context, s *CheckGroupsService, id int64) remote {
	return remoteObject(ctx, (*service)(s), "check group", id, s.Get, s.Update)
}

// Apply writes an update that was made earlier to the group that it was made from
// (GET /v1/check-groups/{id}, then PUT /v2/check-groups/{id}). [MarshalWithSecrets] takes an update
// to another process. If updated_at of the group, or a value that an update could send, has changed
// since, the error is a [*ChangedError]. Nothing is written then. [CheckGroupsService.Update]
// writes the update in any case. Everything else is as for [CheckGroupsService.Edit].
func (s *CheckGroupsService) Apply(ctx context.Context, id int64, update CheckGroupUpdate, opts ...CallOption) (*CheckGroup, error) {
	return applyObject[CheckGroup](remoteGroup(ctx, s, id), update, opts)
}
