package monitoring

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"

	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

// Check is a check of any kind: as the service returned it, to be created, and as a change. The
// section Objects of the package documentation says what a field that is not set means.
//
// At most one of the fields API to URL is set. It has what only checks of its kind need, and says
// the kind; everything else stands beside it. In a check without one, such as a change of its tags,
// CheckType says the kind.
//
//	check, err := client.Checks.Create(ctx, &monitoring.Check{
//		Name: "Database", Tags: []string{"shop"}, Frequency: new(5),
//		TCP:  &monitoring.TCPRequest{Hostname: "db.shop.test", Port: 5432},
//	})
//
// A setting that the kind does not have is refused before anything is sent: "retryStrategy: is not
// a setting of a heartbeat". Checks of the kinds GRPC, TRACEROUTE, AGENTIC and of newer kinds have
// what only they have in Other and Extra. It can be read, and the other settings can be changed.
type Check struct {
	// ID is made by the service. Create refuses a check that has one, and Update needs it.
	ID string `json:"id,omitzero"`
	// CheckType is the kind. It follows from the field of the kind, if that is set. It cannot be
	// changed.
	CheckType CheckType `json:"checkType,omitzero"`

	// API is the request of an API check.
	API *APIRequest `json:"-"`
	// Browser is the script of a browser check.
	Browser *CheckScript `json:"-"`
	// DNS says which records a DNS check asks for.
	DNS *DNSRequest `json:"-"`
	// Heartbeat says when a heartbeat check expects pings.
	Heartbeat *Heartbeat `json:"-"`
	// ICMP says which host an ICMP check pings.
	ICMP *ICMPRequest `json:"-"`
	// MultiStep is the script of a multi-step check.
	MultiStep *CheckScript `json:"-"`
	// Playwright is the suite of a Playwright check. It can only be read.
	Playwright *PlaywrightSuite `json:"-"`
	// SSL says which server an SSL check connects to.
	SSL *SSLRequest `json:"-"`
	// TCP is the connection of a TCP check.
	TCP *TCPRequest `json:"-"`
	// URL is the request of a URL check.
	URL *URLRequest `json:"-"`
	// Other is the request of a check of a kind without a field. It is hidden, because headers and
	// metadata in it may have tokens, and is never sent: [Do] writes such a request.
	Other SecretJSON `json:"-"`

	// Name is required in a create.
	Name string `json:"name,omitzero"`
	// Description has at most 500 characters; newer services accept 510. Null is none.
	Description Nullable[string] `json:"description,omitzero"`
	// Intent states in words what the check is for; null states nothing. Only newer services have it.
	Intent Nullable[CheckIntent] `json:"intent,omitzero"`
	// Tags organize checks; [TriggerTarget] and maintenance windows select by them. Newer services
	// refuse empty ones.
	Tags []string `json:"tags,omitzero"`
	// GroupID is the id of the check's group; null is none, which is the default.
	GroupID Nullable[int64] `json:"groupId,omitzero"`
	// GroupOrder is the order in which the checks of a group are started; at least 0.
	GroupOrder Nullable[int] `json:"groupOrder,omitzero"`

	// Activated says whether the check runs; the default is true.
	Activated *bool `json:"activated,omitzero"`
	// Muted turns off notifications when the check fails or recovers; the default is false.
	Muted *bool `json:"muted,omitzero"`
	// ShouldFail inverts what counts as a failure; the default is false.
	ShouldFail *bool `json:"shouldFail,omitzero"`
	// AIAutoRepairEnabled lets the service repair the check by AI. Only newer services have it.
	AIAutoRepairEnabled Nullable[bool] `json:"aiAutoRepairEnabled,omitzero"`

	// Locations are the data-center locations in which the check runs; [LocationsService.List]
	// returns them. PrivateLocations are the identifiers of private locations.
	Locations        []Region `json:"locations,omitzero"`
	PrivateLocations []string `json:"privateLocations,omitzero"`
	// RunParallel runs the check in all its locations at once; the default is false.
	RunParallel *bool `json:"runParallel,omitzero"`
	// RuntimeID is the runtime of the check's scripts; null names none.
	RuntimeID Nullable[RuntimeID] `json:"runtimeId,omitzero"`

	// Frequency is in minutes: 1, 2, 5, 10 (the default), 15, 30, 60, 120, 180, 360, 720 or 1440.
	// Checks with a request may have 0: they run every FrequencyOffset seconds. Heartbeats have none.
	Frequency *int `json:"frequency,omitzero"`
	// FrequencyOffset is 10, 20 or 30 for Frequency 0. Otherwise it is 1 to 10 times the frequency for
	// frequencies up to 60, and 1 to the frequency in hours, rounded up, above. Only checks with a
	// request have it.
	FrequencyOffset *int `json:"frequencyOffset,omitzero"`

	// DegradedResponseTime and MaxResponseTime are the times in milliseconds over which the check is
	// degraded, and over which it fails. The plan may lower the upper bounds.
	//
	//	kind  defaults       at most
	//	API   5000, 20000    45000
	//	DNS    500, 1000      5000
	//	SSL   3000, 10000    30000, whole, of the handshake; null is refused
	//	TCP   3000, 5000     by the plan
	//	URL   3000, 5000     45000
	DegradedResponseTime Nullable[float64] `json:"degradedResponseTime,omitzero"`
	MaxResponseTime      Nullable[float64] `json:"maxResponseTime,omitzero"`
	// DegradedPacketLossThreshold and MaxPacketLossThreshold are what an ICMP check has instead: the
	// percentages of lost packets, 0 to 100; the defaults are 10 and 20.
	DegradedPacketLossThreshold Nullable[float64] `json:"degradedPacketLossThreshold,omitzero"`
	MaxPacketLossThreshold      Nullable[float64] `json:"maxPacketLossThreshold,omitzero"`

	// RetryStrategy says how failing runs are retried; null means no retries. DoubleCheck retries, too.
	// Heartbeats have neither.
	RetryStrategy Nullable[RetryStrategy] `json:"retryStrategy,omitzero"`
	// DoubleCheck retries a failing run once from another location; the default is true. So a null
	// RetryStrategy alone does not turn retries off: set DoubleCheck to false, too.
	//
	// Deprecated: RetryStrategy replaces it.
	DoubleCheck *bool `json:"doubleCheck,omitzero"`

	// AlertSettings say when the check alerts, if UseGlobalAlertSettings is false.
	AlertSettings *AlertSettings `json:"alertSettings,omitzero"`
	// UseGlobalAlertSettings uses the alert settings of the account; the default is true.
	UseGlobalAlertSettings *bool `json:"useGlobalAlertSettings,omitzero"`
	// AlertChannelSubscriptions are the alert channels over which the check alerts, and those over
	// which it does not; see [Check.Subscribe].
	AlertChannelSubscriptions []AlertChannelSubscription `json:"alertChannelSubscriptions,omitzero"`
	// AutoAssignAlerts subscribes the check to all existing alert channels. The service never returns
	// it. With nil a create uses the service's default, which is true.
	AutoAssignAlerts *bool `json:"autoAssignAlerts,omitzero"`
	// TriggerIncident makes the check open and resolve an incident; null is none.
	TriggerIncident Nullable[TriggerIncident] `json:"triggerIncident,omitzero"`

	// SetupSnippetID and TearDownSnippetID are the snippets that run before and after the request of
	// an API check, and LocalSetupScript and LocalTearDownScript Node.js code for the same.
	SetupSnippetID      Nullable[int64]  `json:"setupSnippetId,omitzero"`
	TearDownSnippetID   Nullable[int64]  `json:"tearDownSnippetId,omitzero"`
	LocalSetupScript    Nullable[string] `json:"localSetupScript,omitzero"`
	LocalTearDownScript Nullable[string] `json:"localTearDownScript,omitzero"`

	// The service makes the fields below. They can only be read.

	CreatedAt Timestamp `json:"created_at,omitzero"`
	// UpdatedAt is nil for a check that was never updated.
	UpdatedAt *Timestamp `json:"updated_at,omitzero"`
	// AlertChannels are the channels over which the check alerts. They follow from the subscriptions.
	AlertChannels *AlertChannels `json:"alertChannels,omitzero"`
	// Project, LogicalID and ProjectBindings say to which project of the account's code the check
	// belongs. Responses to creates and updates may lack these members, which removes nothing.
	Project         json.RawMessage `json:"project,omitzero"`
	LogicalID       *string         `json:"logicalId,omitzero"`
	Member          *bool           `json:"member,omitzero"`
	Pending         *bool           `json:"pending,omitzero"`
	ProjectBindings json.RawMessage `json:"projectBindings,omitzero"`
	// Only [CheckGetOptions] makes a service return the dependencies of local scripts.
	SetupScriptDependencies    []Dependency `json:"setupScriptDependencies,omitzero"`
	TearDownScriptDependencies []Dependency `json:"tearDownScriptDependencies,omitzero"`
	// Extra is an object with the members of the response that have no field; see the section Objects.
	Extra SecretJSON `json:"-"`

	object `json:"-"`
}

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

// Subscribe sets the entry of one alert channel in AlertChannelSubscriptions, or adds it. If the
// channel has several entries, one is left. Those of other channels stay. With activated false the
// check does not alert over the channel. The service replaces the whole list, so Update refuses a
// check of your own after Subscribe: use [ChecksService.Edit].
func (c *Check) Subscribe(channelID int64, activated bool) {
	subscribeIn(&c.object, &c.AlertChannelSubscriptions, channelID, activated)
}

// SetVariable adds a variable to a check with a script, or sets the one with its key. Nil Locked
// and Secret keep those of an existing one. An update replaces the whole list, so it needs the
// value of each variable that the service withholds: SetVariable returns an error that names them,
// and changes nothing, as long as one is missing. It is an error, too, if the variable has no key
// or no value.
func (c *Check) SetVariable(v EnvironmentVariable) error {
	script := c.script()
	if script == nil {
		return fmt.Errorf("monitoring: set variable %q: %s has no variables", v.Key, c.form().what)
	}
	return setVariableOf(c, &script.EnvironmentVariables, v)
}

// RemoveVariable removes a variable, even one whose value the service withholds. If there is none
// with the key, nothing is changed. The error is that of [Check.SetVariable].
func (c *Check) RemoveVariable(key string) error {
	script := c.script()
	if script == nil {
		return nil
	}
	return removeVariableOf(c, &script.EnvironmentVariables, key)
}

// script returns the script of a browser or a multi-step check, which has the variables; nil for
// other kinds.
func (c *Check) script() *CheckScript {
	if c.Browser != nil {
		return c.Browser
	}
	return c.MultiStep
}

// Diff returns what has changed since the client returned the check, in the order of the body. It
// is nil if nothing has. Values are compared by their meaning: 1 and 1.0 are equal, and so are
// tags, locations and subscriptions in another order. In an object, a member that is absent equals
// its default. Other lists are compared item by item. A changed secret is listed, but not shown. Of
// a check of your own, it lists all that is set.
func (c *Check) Diff() []Change { return diffOf(c) }

// DiffFrom returns what writing the check would change of another one, such as of the check as it
// is now. A nil check has nothing, so everything is a change.
func (c *Check) DiffFrom(now *Check) []Change { return diffWith(c, now) }

// Omitted returns the members that an update leaves out, although the check has them. First come
// those in which the service withholds a secret, such as environmentVariables, then those that this
// package does not know. The service keeps them, unless it sets what is left out to its default.
// [WithStrictUpdates] refuses such an update instead.
//
// To change a member with a withheld secret, give each withheld secret in it a value from
// [NewSecret]. If one is missing, Update returns a [*ValidationError] that names it. An empty list
// deletes all items.
func (c *Check) Omitted() []string { return leftOut(c) }

// SetFrom gives the check what another one has, such as one of a file. What the other one lacks
// stays. The error says that it is of another kind; nothing is changed then.
//
//   - A list is replaced as a whole, and an empty list clears it. So are RetryStrategy,
//     TriggerIncident and BasicAuth. Null is null.
//   - Other objects, such as AlertSettings and a request, get the members that the other one has.
//   - A variable or a header without a value keeps the value that the check has for its key, and
//     BasicAuth without a password that of its user.
//   - Members that this package does not know stay in an item with the same key, id or content.
//   - Fields that can only be read, and AutoAssignAlerts, are not set.
//
// Nothing is shared afterwards. Call it before SetVariable and RemoveVariable.
func (c *Check) SetFrom(wish *Check) error { return setFrom(c, wish) }

// Template returns a copy to create: without id, times, and what else only the service makes, and
// without members that this package does not know. AutoAssignAlerts is false, because the service
// would subscribe the new check to all alert channels.
//
// A secret that the service withholds is withheld in it, too: Create refuses it until you set it.
// The PingToken of a heartbeat stays, so a restored check has its old address. Clear it for a
// second check.
//
// In another account some ids mean other objects: GroupID, AlertChannelSubscriptions, snippets,
// private locations, SSLClientCertificateID of an [SSLRequest] and ServiceID of a
// [TriggerIncident]. Clear them.
func (c *Check) Template() *Check { return template(c).(*Check) }

// Clone returns a copy that shares nothing with the check. A copy of the struct shares pointers and
// lists.
func (c *Check) Clone() *Check { return clone(c).(*Check) }

// Validate returns the [*ValidationError] that Create would return for a check of your own, and
// Update for one that the client has returned. It is nil if there is none. Nothing is sent.
func (c *Check) Validate() error { return validateObject(c) }

// String returns the kind, the name and the id of the check, and whether it is activated. It has no
// secrets.
func (c Check) String() string {
	text := lineOf(&c, c.Name)
	switch {
	case c.Activated == nil:
		return text
	case *c.Activated:
		return text + ", activated"
	}
	return text + ", deactivated"
}

// Format prints String, and with %+v the JSON, in which secrets and the body or data that a request
// sends are masked.
func (c Check) Format(f fmt.State, verb rune) { formatObject(f, verb, c.masked()) }

// masked returns a copy in which the members are masked that may have a password, although they are
// texts.
func (c Check) masked() Check {
	if c.API != nil && ValueOr(c.API.Body, "") != "" {
		request := *c.API
		request.Body, c.API = new(scrub.Redacted), &request
	}
	if c.TCP != nil && c.TCP.Data.Or("") != "" {
		request := *c.TCP
		request.Data, c.TCP = Value(scrub.Redacted), &request
	}
	return c
}

// MarshalJSON writes the check as one object: the members of its kind stand beside the others. What
// was read is written as it was read, with what has changed since; secrets are null.
// [MarshalWithSecrets] writes secrets, too.
func (c Check) MarshalJSON() ([]byte, error) {
	kind := c.asKind()
	return keeping.Marshal(kind, kind)
}

// UnmarshalJSON reads a check of your own, such as one of a file. Its checkType says the kind.
// Without it, the members of the kind are in Extra. [UnmarshalStrict] refuses that, and members
// that cannot be written.
func (c *Check) UnmarshalJSON(data []byte) error { return readOwn(c, data) }

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

// CheckGetOptions are the options of [ChecksService.GetWithOptions].
type CheckGetOptions struct {
	// ApplyGroupSettings returns the check with the settings that its group enforces. Such a check
	// cannot be written: the settings of the group would become its own.
	ApplyGroupSettings bool `url:"applyGroupSettings,omitempty"`
	// IncludeDependencies also returns the files that the scripts of the check need.
	IncludeDependencies bool `url:"includeDependencies,omitempty"`
}

// checkGetQuery are CheckGetOptions as a query. All values are valid.
type checkGetQuery CheckGetOptions

func (checkGetQuery) Validate() error { return nil }

func (checkGetQuery) validate(*violations) {}

// ChecksService lists, reads, creates, changes and deletes checks.
type ChecksService service

// Create creates a check of any kind that has a create (POST /v1/checks/api, browser, dns,
// heartbeat, icmp, multistep, ssl, tcp, url). The kind is that of the field that is set, such as
// TCP. It is retried only if the service certainly did not carry it out. Otherwise the error of a
// lost response is [ErrOutcomeUnknown]: look for the check before you create it again, as
// [WithCreateRecovery] does. [ErrPaymentRequired] means that the plan allows no more checks.
//
// A check with an ID is refused: [Check.Template] makes a copy to create.
func (s *ChecksService) Create(ctx context.Context, check *Check, opts ...CallOption) (*Check, error) {
	creates, err := creation[Check](check)
	if err != nil {
		return nil, err
	}
	kind := check.form().checkType
	look := func(ctx context.Context, name string, opts []CallOption) ([]item[Check], error) {
		found, err := s.named(ctx, name, CheckListOptions{CheckType: kind}, pagesOfALook, opts)
		return slices.DeleteFunc(found, func(c item[Check]) bool { return c.kind != "" && c.kind != kind }), err
	}
	return create[Check](ctx, (*service)(s), creates, opts, look)
}

// Update writes a check and returns it as it is then (PUT /v1/checks/api/{id}, browser, dns,
// heartbeat, icmp, multistep, ssl, tcp, url; the deprecated PUT /v1/checks/{id} for other kinds).
// Of a check that the client has returned it sends what has changed since, and nothing if nothing
// has. Of any other it sends all that is set; ID and CheckType say which one it is.
//
//	check, err := client.Checks.Update(ctx, &monitoring.Check{ID: id, CheckType: monitoring.CheckTypeAPI, Muted: new(true)})
//
// The service keeps the rest. Only a DNS check is sent whole, because its update may reset what is
// left out. The last writer wins: [WithUnchanged] refuses the update if the check has changed since
// it was read, and [ChecksService.Edit] reads it just before. The error is [ErrNotFound] if there
// is no such check, and a [*UpdateIgnoredError] if the response still has the old value of a
// change.
func (s *ChecksService) Update(ctx context.Context, check *Check, opts ...CallOption) (*Check, error) {
	return updateObject(check, func() *place { return s.at(ctx, check.ID) }, opts)
}

// Edit reads a check of any kind, lets a function change it, and writes what has changed
// (GET /v1/checks/{id}, then the update of its kind; see [ChecksService.Update]).
//
//	check, err := client.Checks.Edit(ctx, id, func(c *monitoring.Check) error {
//		c.Tags = append(c.Tags, "team-a")
//		return nil
//	})
//
// If the function changes nothing, nothing is sent, and the check is returned as it was read. If it
// returns an error, nothing is sent either. The field of another kind is nil: look at it before you
// use what is in it. [Check.Diff] lists the changes so far. The function may replace the check with
// a copy of the same check that was read before. That writes the copy back.
//
// Edits of one check by one client wait for each other: until their context ends, and for two
// minutes if it has no deadline. So a function that edits its own check gets an error. Other
// programs do not wait: if one changes the check between the read and the write, that change may be
// lost.
func (s *ChecksService) Edit(ctx context.Context, id string, edit func(*Check) error, opts ...CallOption) (*Check, error) {
	return editObjectAt(s.at(ctx, id), edit, opts)
}

func (s *ChecksService) at(ctx context.Context, id string) *place {
	return placeOf(ctx, (*service)(s), "check", id, func(opts []CallOption) (*Check, error) { return s.Get(ctx, id, opts...) })
}

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
	return s.GetWithOptions(ctx, id, CheckGetOptions{}, opts...)
}

// GetWithOptions is [ChecksService.Get] with the options of this operation.
func (s *ChecksService) GetWithOptions(ctx context.Context, id string, options CheckGetOptions, opts ...CallOption) (*Check, error) {
	return call[Check](ctx, (*service)(s), op("GET /v1/checks/{id}", id).is("id").asks(checkGetQuery(options)), opts)
}

// Delete permanently deletes a check with all its results (DELETE /v1/checks/{id}). The error is
// [ErrNotFound] if there is no such check. If the response to an attempt was lost and the retry
// gets a 404, the deletion has succeeded.
func (s *ChecksService) Delete(ctx context.Context, id string, opts ...CallOption) error {
	return exec(ctx, (*service)(s), op("DELETE /v1/checks/{id}", id), opts)
}
