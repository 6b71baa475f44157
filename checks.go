package monitoring

import (
	"context"
	"encoding/json"
	"iter"
)

// CheckCommon has the members that all kinds of checks share in a response. Members that are
// pointers are nil if the service did not return them, or returned null. Heartbeats and Playwright
// checks have no DoubleCheck, ShouldFail, RetryStrategy and RuntimeID, and heartbeats no Frequency.
type CheckCommon struct {
	ID        string    `json:"id"`
	Name      string    `json:"name"`
	CheckType CheckType `json:"checkType"`
	// Activated says whether the check runs.
	Activated *bool `json:"activated,omitempty"`
	// Muted says whether notifications are suppressed when the check fails or recovers.
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
	// AlertChannels are the channels over which the check alerts.
	AlertChannels *AlertChannels `json:"alertChannels"`
	CreatedAt     Timestamp      `json:"created_at,omitzero"`
	// UpdatedAt is nil for a check that was never updated.
	UpdatedAt *Timestamp `json:"updated_at"`

	// Intent and AIAutoRepairEnabled come from newer services only.
	Intent              *CheckIntent `json:"intent,omitempty"`
	AIAutoRepairEnabled *bool        `json:"aiAutoRepairEnabled,omitempty"`

	// Project, LogicalID and ProjectBindings say to which project of the account's code the check
	// belongs. Responses to creates and updates may lack these members, which removes nothing.
	Project         json.RawMessage `json:"project,omitempty"`
	LogicalID       *string         `json:"logicalId,omitzero"`
	Member          *bool           `json:"member,omitempty"`
	Pending         *bool           `json:"pending,omitempty"`
	ProjectBindings json.RawMessage `json:"projectBindings,omitempty"`

	// Extra is an object with the members of the response that have no field, such as those of newer
	// services. It is zero if there are none. It is a copy to read: changing it changes nothing,
	// because [json.Marshal] writes the members as they were read. They are secrets here, as they may
	// be anything.
	Extra SecretJSON `json:"-"`
}

// Check is a check of any kind. At most one of its forms is not nil: CheckType says which one, when
// the check is read.
//
//	switch {
//	case check.API != nil:
//		fmt.Println(check.Name, check.API.Request.URL)
//	case check.Heartbeat != nil:
//		fmt.Println(check.Name, check.Heartbeat.Settings.Period)
//	}
//
// A check that was read keeps the JSON that it was read from, without showing it. [json.Marshal]
// writes unchanged members as they were read, and those that this package does not know. In members
// that belong to another kind, it hides what is secret in that kind. [Check.AsAPI] and the other As
// methods return the check as one of its kind, which has ToUpdate.
type Check struct {
	CheckCommon
	API        *APIForm        `json:"-"` // API
	Browser    *BrowserForm    `json:"-"` // BROWSER
	DNS        *DNSForm        `json:"-"` // DNS
	Heartbeat  *HeartbeatForm  `json:"-"` // HEARTBEAT
	ICMP       *ICMPForm       `json:"-"` // ICMP
	MultiStep  *MultiStepForm  `json:"-"` // MULTI_STEP
	Playwright *PlaywrightForm `json:"-"` // PLAYWRIGHT
	Probe      *ProbeForm      `json:"-"` // GRPC and TRACEROUTE
	SSL        *SSLForm        `json:"-"` // SSL
	TCP        *TCPForm        `json:"-"` // TCP
	URL        *URLForm        `json:"-"` // URL
	// Generic is the form of AGENTIC, of kinds that this package does not know, and of a check
	// whose CheckType the service did not return.
	Generic *GenericForm `json:"-"`

	kept `json:"-"`
}

// oddMembers are those without which the rest of a check is still of use: it keeps them as they
// were read.
func (CheckCommon) oddMembers() []string { return []string{"created_at", "updated_at"} }

// CheckIntent states the purpose of a check in words. Older services do not have it.
type CheckIntent struct {
	// Goal is required in requests, with 1 to 2,000 characters.
	Goal string `json:"goal"`
	// RequiredOutcomes and MustPreserve have at most 20 items each.
	RequiredOutcomes []string `json:"requiredOutcomes,omitzero"`
	MustPreserve     []string `json:"mustPreserve,omitzero"`
}

// Dependency is a file that a script needs.
type Dependency struct {
	// Path is required, with at most 1,000 characters.
	Path string `json:"path"`
	// Content is required; it may be empty.
	Content string `json:"content"`
}

// CheckUpdate is the request of the deprecated [ChecksService.Update]: the fields of a
// browser check and those of other kinds. The service keeps fields that are left out. See
// [BrowserCheckUpdate] for nil, null and empty lists.
type CheckUpdate struct {
	CheckSettings
	CheckType CheckType `json:"checkType,omitempty"`
	// Request is the request object of the check's kind: a [TCPRequest], a pointer to
	// one, or any value that marshals to what the service expects.
	Request any `json:"request,omitempty"`

	// Frequency is in minutes: 1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720 or 1440. API and
	// TCP checks may have 0: they run every FrequencyOffset seconds.
	Frequency *int `json:"frequency,omitempty"`
	// FrequencyOffset is 10, 20 or 30 for Frequency 0. Otherwise it is 1 to 10 times the
	// frequency for frequencies up to 60, and 1 to the frequency in hours, rounded up, above.
	FrequencyOffset *int `json:"frequencyOffset,omitempty"`
	// DegradedResponseTime and MaxResponseTime are in milliseconds; see [TCPCheckCreate].
	DegradedResponseTime Nullable[float64] `json:"degradedResponseTime,omitzero"`
	MaxResponseTime      Nullable[float64] `json:"maxResponseTime,omitzero"`

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
}

// Validate returns the [*ValidationError] that [ChecksService.Update] would return, and nil
// if there is none. Nothing is sent.
func (u CheckUpdate) Validate() error { return validateBody("PUT /v1/checks/{id}", u) }

// validate checks a TCPRequest in the update if CheckType is not TCP. The rules of the update
// check it otherwise.
func (u CheckUpdate) validate(v *violations) {
	v.subscribesAlone(u.subscribed)
	connection, ok := u.Request.(TCPRequest)
	if pointer, is := u.Request.(*TCPRequest); is && pointer != nil {
		connection, ok = *pointer, true
	}
	if !ok || u.CheckType == CheckTypeTCP {
		return
	}
	whole := TCPCheckCreate{CheckSettings: CheckSettings{Name: "any"}, Request: connection}
	for _, found := range violationsOf(whole.Validate()) {
		v.add(found.Path, "%s", found.Message)
	}
}

// CheckListOptions selects checks. A check must match all fields that are set.
type CheckListOptions struct {
	ListOptions
	// Tags selects the checks that have any of these tags; none may be empty.
	Tags []string `url:"tag,omitempty"`
	// CheckType selects the checks of a kind.
	CheckType CheckType `url:"checkType,omitempty"`
	// Search is a part of the name, in upper or lower case.
	Search string `url:"search,omitempty"`
	// Status is passing, failing or degraded.
	Status CheckState `url:"status,omitempty"`
	// APICheckURLFilterPattern selects API checks by the URL of their request.
	APICheckURLFilterPattern string `url:"apiCheckUrlFilterPattern,omitempty"`
	// ApplyGroupSettings is as in [CheckGetOptions].
	ApplyGroupSettings bool `url:"applyGroupSettings,omitempty"`
}

// Validate returns the [*ValidationError] that [ChecksService.List] would return, and nil if there
// is none. Nothing is sent.
func (o CheckListOptions) Validate() error { return validateQuery("GET /v1/checks", o) }

func (o CheckListOptions) validate(v *violations) {
	o.ListOptions.validate(v)
	v.noneEmpty("tag", o.Tags)
}

// CheckGetOptions are the options of [ChecksService.GetWith].
type CheckGetOptions struct {
	// ApplyGroupSettings returns the check with the settings that its group enforces. Updates and
	// creates that are made from such a check are refused, because they would make the settings of the
	// group its own: use Edit.
	ApplyGroupSettings bool `url:"applyGroupSettings,omitempty"`
	// IncludeDependencies also returns the files that the scripts of the check need.
	IncludeDependencies bool `url:"includeDependencies,omitempty"`
}

// checkGetQuery are CheckGetOptions as a query. All values are valid.
type checkGetQuery CheckGetOptions

func (checkGetQuery) Validate() error { return nil }

func (checkGetQuery) validate(*violations) {}

// ChecksService lists, reads, creates, updates and deletes checks.
type ChecksService service

func checkLister(s *ChecksService, options CheckListOptions, opts []CallOption) *lister {
	l := itemsOf(func(c *Check) string { return c.ID })
	return l.of((*service)(s), opts, func(page ListOptions) *operation {
		options := options // a copy for each page, because pages may be fetched concurrently
		options.ListOptions = page
		return op("GET /v1/checks").asks(options)
	})
}

// List returns a page of checks (GET /v1/checks).
func (s *ChecksService) List(ctx context.Context, options CheckListOptions, opts ...CallOption) (*Page[Check], error) {
	return list[Check](ctx, checkLister(s, options, opts), options.ListOptions)
}

// All iterates over the checks: 10,000 of them take 100 requests, and only those of a page or two
// are in memory. The section Lists of the package documentation says what it guarantees.
func (s *ChecksService) All(ctx context.Context, options CheckListOptions, opts ...CallOption) iter.Seq2[Check, error] {
	return items(s.Pages(ctx, options, opts...))
}

// Pages is [ChecksService.All] page by page; see [VariablesService.Pages].
func (s *ChecksService) Pages(ctx context.Context, options CheckListOptions, opts ...CallOption) iter.Seq2[*Page[Check], error] {
	return pages[Check](ctx, checkLister(s, options, opts), options.ListOptions)
}

// Get returns a check of any kind (GET /v1/checks/{id}). The error is [ErrNotFound] if there is no
// such check.
func (s *ChecksService) Get(ctx context.Context, id string, opts ...CallOption) (*Check, error) {
	return s.GetWith(ctx, id, CheckGetOptions{}, opts...)
}

// GetWith is [ChecksService.Get] with the options of this operation.
func (s *ChecksService) GetWith(ctx context.Context, id string, options CheckGetOptions, opts ...CallOption) (*Check, error) {
	return getCheckAs[Check](ctx, s, id, options, opts)
}

// getCheckAs reads a check as one of a kind, whatever its kind is.
func getCheckAs[T any](ctx context.Context, s *ChecksService, id string, options CheckGetOptions, opts []CallOption) (*T, error) {
	return call[T](ctx, (*service)(s), op("GET /v1/checks/{id}", id).is("id").asks(checkGetQuery(options)), opts)
}

// remoteCheck is a check of one kind.
func remoteCheck[O any, P source[O], U any, Q target[U]](
	ctx context.Context, s *ChecksService, id string, update func(context.Context, string, U, ...CallOption) (*O, error),
) remote {
	get := func(ctx context.Context, id string, opts ...CallOption) (*O, error) {
		return getCheckAs[O](ctx, s, id, CheckGetOptions{}, opts)
	}
	return remoteObject[string, O, P, U, Q](ctx, (*service)(s), "check", id, get, update)
}

// Delete permanently deletes a check with all its results (DELETE /v1/checks/{id}). The error is
// [ErrNotFound] if there is no such check. If the response to an attempt was lost and the retry
// gets a 404, the deletion has succeeded.
func (s *ChecksService) Delete(ctx context.Context, id string, opts ...CallOption) error {
	return exec(ctx, (*service)(s), op("DELETE /v1/checks/{id}", id), opts)
}

// Update changes an API or a browser check (PUT /v1/checks/{id}). Fields that are left out
// keep their values.
//
// Deprecated: the service has an update for each kind of check instead, such as
// [ChecksService.UpdateAPI] and [ChecksService.UpdateBrowser].
func (s *ChecksService) Update(ctx context.Context, id string, update CheckUpdate, opts ...CallOption) (*Check, error) {
	return call[Check](ctx, (*service)(s), op("PUT /v1/checks/{id}", id).is("id").
		assigns(update.AutoAssignAlerts).sends(update), opts)
}
