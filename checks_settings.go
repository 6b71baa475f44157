package monitoring

// CheckSettings are the settings that all kinds of checks share. The create and the update of each
// kind embed them, so they are used like fields of its own: update.Muted = new(true). Only a
// literal has to name them:
//
//	monitoring.TCPCheckCreate{
//		CheckSettings: monitoring.CheckSettings{Name: "Database", Tags: []string{"shop"}},
//		Request:       monitoring.TCPRequest{Hostname: "db.shop.test", Port: 5432},
//	}
//
// In a module of Go 1.27 or later, a literal also takes Name, Tags and the others directly.
//
// A field that is nil, or the zero [Nullable], is left out. In a create the service then uses its
// default. In an update it keeps the value that the check has; null unsets it, and an empty list
// that is not nil clears a list. [CheckGroup.ToUpdate] says what nil means in an update that was
// made from a check.
type CheckSettings struct {
	// Name is required in a create. In an update, "" leaves the name as it is. An update that
	// ToUpdate made is refused with "", because a name cannot be unset.
	Name string `json:"name,omitempty"`
	// Activated says whether the check runs; the default is true.
	Activated *bool `json:"activated,omitempty"`
	// Muted turns off notifications when the check fails or recovers; the default is false.
	Muted *bool `json:"muted,omitempty"`
	// DoubleCheck retries a failing run once from another location; the default is true.
	// So a null RetryStrategy alone does not turn retries off: set DoubleCheck to false, too.
	//
	// Deprecated: RetryStrategy replaces it.
	DoubleCheck *bool `json:"doubleCheck,omitempty"`
	// ShouldFail inverts what counts as a failure; the default is false.
	ShouldFail *bool `json:"shouldFail,omitempty"`

	// Tags organize checks; [TriggerTarget] and maintenance windows select by them. Newer services
	// refuse empty ones.
	Tags []string `json:"tags,omitzero"`
	// Locations are the data-center locations in which the check runs; [LocationsService.List]
	// returns them.
	Locations []Region `json:"locations,omitzero"`
	// PrivateLocations are the identifiers of the private locations in which the check runs.
	PrivateLocations []string `json:"privateLocations,omitzero"`

	// AlertSettings say when the check alerts, if UseGlobalAlertSettings is false.
	AlertSettings *AlertSettings `json:"alertSettings,omitempty"`
	// UseGlobalAlertSettings uses the alert settings of the account; the default is true.
	UseGlobalAlertSettings *bool `json:"useGlobalAlertSettings,omitempty"`
	// AlertChannelSubscriptions are the alert channels over which the check alerts, and those over
	// which it does not. AutoAssignAlerts subscribes the check to all of them.
	AlertChannelSubscriptions []AlertChannelSubscription `json:"alertChannelSubscriptions,omitzero"`

	// GroupID is the id of the check's group; null is none, which is the default.
	GroupID Nullable[int64] `json:"groupId,omitzero"`
	// GroupOrder is the order in which the checks of a group are started; at least 0.
	GroupOrder Nullable[int] `json:"groupOrder,omitzero"`
	// RuntimeID is the runtime of the check's scripts; null names none.
	RuntimeID Nullable[RuntimeID] `json:"runtimeId,omitzero"`

	// RetryStrategy says how failing runs are retried; null means no retries. DoubleCheck retries,
	// too.
	RetryStrategy Nullable[RetryStrategy] `json:"retryStrategy,omitzero"`
	// TriggerIncident makes the check open and resolve an incident; null is none.
	TriggerIncident Nullable[TriggerIncident] `json:"triggerIncident,omitzero"`
	// RunParallel runs the check in all its locations at once; the default is false.
	RunParallel *bool `json:"runParallel,omitempty"`

	// Description has at most 500 characters; newer services accept 510. Null is none.
	Description Nullable[string] `json:"description,omitzero"`
	// Intent states in words what the check is for; null states nothing. Only newer services have it.
	Intent Nullable[CheckIntent] `json:"intent,omitzero"`
	// AIAutoRepairEnabled lets the service repair the check by AI. Only newer services have it.
	AIAutoRepairEnabled Nullable[bool] `json:"aiAutoRepairEnabled,omitzero"`

	// AutoAssignAlerts subscribes the check to all existing alert channels. It is a query parameter,
	// not a member of the body. With nil it is left out, and a create uses the default, which is true.
	AutoAssignAlerts *bool `json:"-"`

	subscribed bool // Subscribe was called
	//lint:ignore U1000 mix.go finds it by its name, in whatever embeds these settings
	mixed bool // they are from a check with the settings of its group; see mixGroup
}

// Subscribe sets the entry of one alert channel in AlertChannelSubscriptions, or adds it. If the
// channel has several entries, one is left. Those of other channels stay. With activated false the
// check does not alert over the channel.
//
//	_, err := client.Checks.Edit(ctx, id, func(s *monitoring.CheckSettings) error {
//		s.Subscribe(channelID, true)
//		return nil
//	})
//
// The service replaces the whole list. So after Subscribe, an update that was not made from a check
// that was read is a [*ValidationError]: start from ToUpdate or Edit.
func (s *CheckSettings) Subscribe(channelID int64, activated bool) {
	s.AlertChannelSubscriptions = subscribe(s.AlertChannelSubscriptions, channelID, activated)
	s.subscribed = true
}
