package monitoring

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"

	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

// Check is a check of any kind: one that the service returned, one to create, or a change. See the
// Objects section of the package documentation for what a field that is not set means.
//
// Set the field of the kind, one of API to URL, to what only this kind has; it also decides the
// kind. All other settings are fields of Check. To change only those, name the kind with CheckType.
//
//	check, err := client.Checks.Create(ctx, &monitoring.Check{
//		Name: "Database", Tags: []string{"shop"}, Frequency: new(5),
//		TCP:  &monitoring.TCPRequest{Hostname: "db.shop.test", Port: 5432},
//	})
//
// In JSON, a check has the form of a response: one flat object with a checkType. What only the kind
// has is in request or heartbeat, but fields of a script or suite are next to name. To write such a
// file, marshal a [Check.Template]; to read one, use [UnmarshalStrict].
//
//	{"checkType": "TCP", "name": "Database", "request": {"hostname": "db.shop.test", "port": 5432}}
//	{"checkType": "BROWSER", "name": "Login", "script": "…", "environmentVariables": []}
//
// A setting that the kind does not have is refused: "retryStrategy: is not a setting of a
// heartbeat". Kinds without a field, such as GRPC, TRACEROUTE and AGENTIC, keep what only they have
// in Other and Extra. You can read that, and change the other settings.
//
//monitoring:json
type Check struct {
	// ID is assigned by the service: [ChecksService.Create] refuses a check that has one, and
	// [ChecksService.Update] requires it.
	ID string `json:"id,omitzero"`
	// CheckType is the kind. It defaults to that of the kind's field, and cannot be changed.
	CheckType CheckType `json:"checkType,omitzero"`

	// API is the request of an API check.
	API *APIRequest `json:"-"`
	// Browser is the script of a browser check.
	Browser *CheckScript `json:"-"`
	// DNS is the query of a DNS check.
	DNS *DNSRequest `json:"-"`
	// Heartbeat is when a heartbeat check expects pings.
	Heartbeat *Heartbeat `json:"-"`
	// ICMP is the host that an ICMP check pings.
	ICMP *ICMPRequest `json:"-"`
	// MultiStep is the script of a multi-step check.
	MultiStep *CheckScript `json:"-"`
	// Playwright is the suite of a Playwright check, which can only be read.
	Playwright *PlaywrightSuite `json:"-"`
	// SSL is the server that an SSL check connects to.
	SSL *SSLRequest `json:"-"`
	// TCP is the connection of a TCP check.
	TCP *TCPRequest `json:"-"`
	// URL is the request of a URL check.
	URL *URLRequest `json:"-"`
	// Other is the request of a check whose kind has no field. It is hidden, because headers and
	// metadata may contain tokens, and never sent: use [Do] to write such a request.
	Other SecretJSON `json:"-"`

	// Name is required to create a check.
	Name string `json:"name,omitzero"`
	// Description has at most 500 characters, or 510 on newer services.
	Description Nullable[string] `json:"description,omitzero"`
	// Intent states in words what the check is for. Only newer services have it.
	Intent Nullable[CheckIntent] `json:"intent,omitzero"`
	// Tags organize checks; [TriggerTarget] and maintenance windows select by them. Newer services
	// refuse empty tags.
	Tags []string `json:"tags,omitzero"`
	// GroupID is the id of the check's group; null, the default, is none.
	GroupID Nullable[int64] `json:"groupId,omitzero"`
	// GroupOrder, 0 or more, orders the checks of a group when they are started.
	GroupOrder Nullable[int] `json:"groupOrder,omitzero"`

	// Activated is whether the check runs; the default is true.
	Activated *bool `json:"activated,omitzero"`
	// Muted turns off notifications of failures and recoveries; the default is false.
	Muted *bool `json:"muted,omitzero"`
	// ShouldFail inverts what counts as a failure; the default is false.
	ShouldFail *bool `json:"shouldFail,omitzero"`
	// AIAutoRepairEnabled lets an AI repair the check. Only newer services have it.
	AIAutoRepairEnabled Nullable[bool] `json:"aiAutoRepairEnabled,omitzero"`

	// Locations are the data centers that run the check; see [LocationsService.List].
	// PrivateLocations are the slug names of private locations.
	Locations        []Region `json:"locations,omitzero"`
	PrivateLocations []string `json:"privateLocations,omitzero"`
	// RunParallel runs the check in all its locations at once; the default is false.
	RunParallel *bool `json:"runParallel,omitzero"`
	// RuntimeID is the runtime of the check's scripts; null names none.
	RuntimeID Nullable[RuntimeID] `json:"runtimeId,omitzero"`

	// Frequency is the interval in minutes: 1, 2, 5, 10 (the default), 15, 30, 60, 120, 180, 360,
	// 720 or 1440. Checks with a request may also have 0, which means every FrequencyOffset
	// seconds. Heartbeats have none.
	Frequency *int `json:"frequency,omitzero"`
	// FrequencyOffset is 10, 20 or 30 if Frequency is 0. Otherwise it is from 1 to 10 times the
	// frequency if that is at most 60, and from 1 to the frequency in hours, rounded up, if it is
	// more. Only checks with a request have it.
	FrequencyOffset *int `json:"frequencyOffset,omitzero"`

	// DegradedResponseTime and MaxResponseTime are the milliseconds above which the check is
	// degraded, and above which it fails. The plan may lower the maximums.
	//
	//	kind  defaults       at most
	//	API   5000, 20000    45000
	//	DNS    500, 1000      5000
	//	SSL   3000, 10000    30000, whole, of the handshake; null is refused
	//	TCP   3000, 5000     by the plan
	//	URL   3000, 5000     45000
	DegradedResponseTime Nullable[float64] `json:"degradedResponseTime,omitzero"`
	MaxResponseTime      Nullable[float64] `json:"maxResponseTime,omitzero"`
	// DegradedPacketLossThreshold and MaxPacketLossThreshold are the same for an ICMP check, in
	// percent of lost packets: 0 to 100, by default 10 and 20.
	DegradedPacketLossThreshold Nullable[float64] `json:"degradedPacketLossThreshold,omitzero"`
	MaxPacketLossThreshold      Nullable[float64] `json:"maxPacketLossThreshold,omitzero"`

	// RetryStrategy is how failing runs are retried. Null means that this field asks for no
	// retries, but DoubleCheck still does. Heartbeats have neither.
	RetryStrategy Nullable[RetryStrategy] `json:"retryStrategy,omitzero"`
	// DoubleCheck retries a failing run once from another location; the default is true. To turn
	// retries off, set it to false and RetryStrategy to null.
	//
	// Deprecated: use RetryStrategy.
	DoubleCheck *bool `json:"doubleCheck,omitzero"`

	// AlertSettings are when the check alerts, if UseGlobalAlertSettings is false.
	AlertSettings *AlertSettings `json:"alertSettings,omitzero"`
	// UseGlobalAlertSettings uses the alert settings of the account; the default is true.
	UseGlobalAlertSettings *bool `json:"useGlobalAlertSettings,omitzero"`
	// AlertChannelSubscriptions are the alert channels that the check uses, and those that it must
	// not use; see [Check.Subscribe].
	AlertChannelSubscriptions []AlertChannelSubscription `json:"alertChannelSubscriptions,omitzero"`
	// AutoAssignAlerts subscribes the check to all alert channels that exist. A create does so by
	// default. The service never returns this field.
	AutoAssignAlerts *bool `json:"autoAssignAlerts,omitzero"`
	// TriggerIncident makes the check open and resolve an incident.
	TriggerIncident Nullable[TriggerIncident] `json:"triggerIncident,omitzero"`

	// SetupSnippetID and TearDownSnippetID are snippets that run before and after the request of an
	// API check. LocalSetupScript and LocalTearDownScript are Node.js code for the same.
	SetupSnippetID      Nullable[int64]  `json:"setupSnippetId,omitzero"`
	TearDownSnippetID   Nullable[int64]  `json:"tearDownSnippetId,omitzero"`
	LocalSetupScript    Nullable[string] `json:"localSetupScript,omitzero"`
	LocalTearDownScript Nullable[string] `json:"localTearDownScript,omitzero"`

	// The service makes the fields below. They can only be read.

	CreatedAt Timestamp `json:"created_at,omitzero"`
	// UpdatedAt is nil until the check is updated.
	UpdatedAt *Timestamp `json:"updated_at,omitzero"`
	// AlertChannels are the channels that follow from the subscriptions.
	AlertChannels *AlertChannels `json:"alertChannels,omitzero"`
	// Project, LogicalID and ProjectBindings identify the project of the account's code to which the
	// check belongs. The response to a create or update may lack these fields, which removes
	// nothing.
	Project         json.RawMessage `json:"project,omitzero"`
	LogicalID       *string         `json:"logicalId,omitzero"`
	Member          *bool           `json:"member,omitzero"`
	Pending         *bool           `json:"pending,omitzero"`
	ProjectBindings json.RawMessage `json:"projectBindings,omitzero"`
	// SetupScriptDependencies and TearDownScriptDependencies are files that the local scripts need.
	// The service returns them only with IncludeDependencies of [CheckGetOptions].
	SetupScriptDependencies    []Dependency `json:"setupScriptDependencies,omitzero"`
	TearDownScriptDependencies []Dependency `json:"tearDownScriptDependencies,omitzero"`
	// Extra holds the unknown fields of the response as one JSON object. A CreatedAt or UpdatedAt
	// that is not a time is there as well, and the field is zero.
	Extra SecretJSON `json:"-"`

	object `json:"-"`
}

// CheckIntent states what a check is for. Only newer services have it.
type CheckIntent struct {
	// Goal is required, with 1 to 2,000 characters.
	Goal string `json:"goal"`
	// RequiredOutcomes and MustPreserve have at most 20 items each.
	RequiredOutcomes []string `json:"requiredOutcomes,omitzero"`
	MustPreserve     []string `json:"mustPreserve,omitzero"`
}

// Dependency is a file that a script needs.
//
//monitoring:json
type Dependency struct {
	// Path is required and has at most 1,000 characters.
	Path string `json:"path"`
	// Content is required; it may be empty.
	Content string `json:"content"`
}

// Subscribe adds or replaces the entry of an alert channel in AlertChannelSubscriptions; the
// entries of other channels stay. With activated false, the check never uses the channel.
//
// Use it within [ChecksService.Edit]. The service replaces the whole list, so Update refuses a
// check that you built yourself.
func (c *Check) Subscribe(channelID int64, activated bool) {
	subscribeIn(&c.object, &c.AlertChannelSubscriptions, channelID, activated)
}

// SetVariable adds v to the variables of a check with a script, or replaces the one with its key.
// If Locked or Secret of v is nil, it stays.
//
// An update replaces the whole list, so it needs the value of each variable that the service
// withholds. SetVariable changes nothing and returns an error that names the missing ones, or if v
// has no key or no value.
func (c *Check) SetVariable(v EnvironmentVariable) error {
	script := c.script()
	if script == nil {
		return fmt.Errorf("monitoring: set variable %q: %s has no variables", v.Key, c.form().one())
	}
	return setVariableOf(c, &script.EnvironmentVariables, v)
}

// RemoveVariable removes the variable with this key, if there is one, even if its value is
// withheld. It returns the same error as [Check.SetVariable].
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

// Diff returns what you changed since the client returned the check, in the order of the request
// body, or nil. For a check that you built yourself, it lists all that is set. A changed secret is
// listed, but not shown.
//
// Diff compares meaning, not spelling: 1.0 equals 1, the order of tags, locations and subscriptions
// does not matter, and inside an object a missing field equals its default. Other lists are
// compared item by item.
func (c *Check) Diff() []Change { return diffOf(c) }

// DiffFrom returns what writing the check would change in now, such as in the check as it is on the
// service. If now is nil, everything is a change. A secret that a file lacks counts as changed: to
// compare with a file, call SetFrom on the check that was read, and then Diff.
func (c *Check) DiffFrom(now *Check) []Change { return diffWith(c, now) }

// Omitted returns the names of the fields that an update leaves out although the check has them:
// those that contain a secret which the service withholds, such as environmentVariables, and then
// those that this package does not know. The service normally keeps them; to refuse such updates,
// use [WithStrictUpdates].
//
// To change a field with withheld secrets, set all of these with [NewSecret]. Otherwise Update
// returns a [*ValidationError] that names the missing ones. An empty list deletes all items.
func (c *Check) Omitted() []string { return leftOut(c) }

// SetFrom copies the fields that desired sets into the check, for example from a file. The rest
// stays. It returns an error, and changes nothing, if desired is of another kind.
//
//   - Lists are replaced as a whole, and so are RetryStrategy, TriggerIncident and BasicAuth. An
//     empty list clears a list, and null unsets a field.
//   - Other objects, such as AlertSettings and a request, get the fields that desired sets.
//   - A variable or header without a value keeps the value that the check has for its key, and
//     BasicAuth without a password keeps that of its user.
//   - Unknown fields of an item stay with the item that has the same key, id or content.
//   - Fields that can only be read, and AutoAssignAlerts, are not copied.
//
// The two share nothing afterward. Call SetFrom before SetVariable and RemoveVariable.
func (c *Check) SetFrom(desired *Check) error { return setFrom(c, desired) }

// Template returns a copy of the check to pass to [ChecksService.Create], without the id, times and
// other fields that the service sets, and without unknown fields. AutoAssignAlerts is false, so
// that the copy is not subscribed to all alert channels.
//
// A withheld secret stays withheld: Create refuses it until you set it. The PingToken of a
// heartbeat stays, so that a restored check keeps its address; clear it for a second check.
//
// In another account, ids mean other objects. Clear GroupID, AlertChannelSubscriptions, snippets,
// private locations, SSLClientCertificateID of an [SSLRequest] and ServiceID of a
// [TriggerIncident].
func (c *Check) Template() *Check { return template(c).(*Check) }

// Clone returns a deep copy. Copying the struct shares its pointers and lists.
func (c *Check) Clone() *Check { return clone(c).(*Check) }

// Validate returns the [*ValidationError] that Update would return for a check with an ID, or
// Create for one without. It returns nil if the check is valid. In the function of an edit it
// returns that of the edit, but not after *c = *copy, which makes c the copy: there, use
// [ErrDryRun].
func (c *Check) Validate() error { return validateObject(c) }

// String returns kind, name and id of the check, and whether it is activated.
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

// Format prints String, or for %+v JSON with secrets and bodies masked.
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

// UnmarshalJSON reads a check of a file, or a plan of [MarshalPlan]. Without a checkType, request
// ends up in Extra, which [UnmarshalStrict] refuses.
func (c *Check) UnmarshalJSON(data []byte) error { return readOwn(c, data) }

// CheckListOptions selects the checks that match all fields that are set.
type CheckListOptions struct {
	ListOptions
	// Tags selects the checks that have any of these tags. None may be empty.
	Tags []string `url:"tag,omitempty"`
	// CheckType selects one kind.
	CheckType CheckType `url:"checkType,omitempty"`
	// Search selects the checks whose name contains it, ignoring case.
	Search string `url:"search,omitempty"`
	// Status selects the checks that are passing, failing or degraded.
	Status CheckState `url:"status,omitempty"`
	// APICheckURLFilterPattern selects API checks by the URL of their request.
	APICheckURLFilterPattern string `url:"apiCheckUrlFilterPattern,omitempty"`
	// ApplyGroupSettings is as in [CheckGetOptions].
	ApplyGroupSettings bool `url:"applyGroupSettings,omitempty"`
}

// Validate checks the options as [ChecksService.List] does.
func (o CheckListOptions) Validate() error { return validateQuery("GET /v1/checks", o) }

func (o CheckListOptions) validate(v *violations) {
	o.ListOptions.validate(v)
	v.noneEmpty("tag", o.Tags)
}

// CheckGetOptions are options of [ChecksService.GetWithOptions].
type CheckGetOptions struct {
	// ApplyGroupSettings returns the check with the settings that its group enforces. Such a check
	// cannot be written, because these settings would become its own.
	ApplyGroupSettings bool `url:"applyGroupSettings,omitempty"`
	// IncludeDependencies also returns the files that the check's scripts need.
	IncludeDependencies bool `url:"includeDependencies,omitempty"`
}

// checkGetQuery are CheckGetOptions as a query. All values are valid.
type checkGetQuery CheckGetOptions

func (checkGetQuery) Validate() error { return nil }

func (checkGetQuery) validate(*violations) {}

// ChecksService creates, reads, changes and deletes checks.
type ChecksService service

// Create creates a check of any kind that can be created (POST /v1/checks/api, browser, dns,
// heartbeat, icmp, multistep, ssl, tcp, url). The field that is set, such as TCP, decides the kind.
//
// If the response is lost, Create returns [ErrOutcomeUnknown]: look for the name before you create
// it again, or use [WithCreateRecovery], which does that for checks and groups. A check with an ID
// is refused; see [Check.Template].
func (s *ChecksService) Create(ctx context.Context, check *Check, opts ...CallOption) (*Check, error) {
	creates, err := creation((*service)(s), check, opts)
	if err != nil {
		return nil, err
	}
	is, _ := check.kind()
	kind := is.checkType
	look := func(ctx context.Context, name string, opts []CallOption) ([]item[Check], error) {
		found, err := s.named(ctx, name, CheckListOptions{CheckType: kind}, pagesOfALook, opts)
		return slices.DeleteFunc(found, func(c item[Check]) bool { return c.kind != "" && c.kind != kind }), err
	}
	return create[Check](ctx, (*service)(s), creates, opts, look)
}

// Update writes a check and returns its new state (PUT /v1/checks/api/{id}, browser, dns,
// heartbeat, icmp, multistep, ssl, tcp, url; the deprecated PUT /v1/checks/{id} for other kinds).
//
// For a check that the client returned, Update sends what you changed since, or nothing if that is
// nothing. For any other, it sends all that is set; ID and CheckType identify the check:
//
//	check, err := client.Checks.Update(ctx, &monitoring.Check{
//		ID: id, CheckType: monitoring.CheckTypeAPI, Muted: new(true),
//	})
//
// The service keeps the rest. (A DNS check is sent whole, because the service may reset what its
// update leaves out.) The last write wins: to refuse the update if the check has changed since it
// was read, use [WithUnchanged]. If the response still has the old value of a change, Update
// returns the check and an [*UpdateIgnoredError].
//
// Update does not modify check: base your next change on what it returns.
func (s *ChecksService) Update(ctx context.Context, check *Check, opts ...CallOption) (*Check, error) {
	return updateObject(check, func() *place { return s.at(ctx, check.ID) }, opts)
}

// Edit reads a check, passes it to edit, and writes what edit changed (GET /v1/checks/{id}, then
// the update of its kind; see [ChecksService.Update]). It returns the updated check.
//
//	check, err := client.Checks.Edit(ctx, id, func(c *monitoring.Check) error {
//		c.Tags = append(c.Tags, "team-a")
//		return nil
//	})
//
// Edit writes nothing if edit changes nothing or returns an error; return [ErrDryRun] for a
// preview. Only the field of the check's own kind is set, so test it before you use it. To restore
// an earlier copy of the check, assign it: *c = *copy.
//
// Edits of the same check through the same client run one at a time. An edit waits for its turn
// until its context ends, or for two minutes if that has no deadline, so do not edit a check inside
// its own edit function. Other programs are not locked out: a change of theirs between the read and
// the write may be lost. To detect it, use Update with [WithUnchanged].
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

// All iterates over checks. 10,000 take 100 requests, and memory for two pages.
func (s *ChecksService) All(ctx context.Context, options CheckListOptions, opts ...CallOption) iter.Seq2[Check, error] {
	return items(s.Pages(ctx, options, opts...))
}

// Pages iterates over the pages of [ChecksService.All].
func (s *ChecksService) Pages(ctx context.Context, options CheckListOptions, opts ...CallOption) iter.Seq2[*Page[Check], error] {
	return pages[Check](ctx, checkLister(s, options, opts), options.ListOptions)
}

// Get returns a check of any kind (GET /v1/checks/{id}).
func (s *ChecksService) Get(ctx context.Context, id string, opts ...CallOption) (*Check, error) {
	return s.GetWithOptions(ctx, id, CheckGetOptions{}, opts...)
}

// GetWithOptions is [ChecksService.Get] with options.
func (s *ChecksService) GetWithOptions(ctx context.Context, id string, options CheckGetOptions, opts ...CallOption) (*Check, error) {
	return call[Check](ctx, (*service)(s), op("GET /v1/checks/{id}", id).is("id").asks(checkGetQuery(options)), opts)
}

// Delete permanently deletes a check and all its results (DELETE /v1/checks/{id}).
func (s *ChecksService) Delete(ctx context.Context, id string, opts ...CallOption) error {
	return exec(ctx, (*service)(s), op("DELETE /v1/checks/{id}", id), opts)
}
