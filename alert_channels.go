package monitoring

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/route"
	"github.com/monitoring-api/monitoring-go/internal/updates"
)

// AlertChannelSettings are what [AlertChannelCreate] and [AlertChannelUpdate] have in common.
type AlertChannelSettings struct {
	// Type and Config are required. Functions such as [SlackChannel] return both. For a type that this
	// package does not know, set Config to [NewSecretJSON] of its JSON.
	Type   AlertChannelType `json:"type"`
	Config SecretJSON       `json:"config"`
	// SendFailure and SendRecovery send an alert when a check fails and when it recovers; the default
	// is true. SendDegraded sends one when it is degraded; the default is false.
	SendFailure  *bool `json:"sendFailure,omitempty"`
	SendRecovery *bool `json:"sendRecovery,omitempty"`
	SendDegraded *bool `json:"sendDegraded,omitempty"`
	// SSLExpiry sends alerts about certificates that expire; the default is false. SSLExpiryThreshold
	// is how many days before: 1 to 30, by default 30.
	SSLExpiry          *bool `json:"sslExpiry,omitempty"`
	SSLExpiryThreshold *int  `json:"sslExpiryThreshold,omitempty"`
	// AutoSubscribe subscribes new checks to the channel; the default is false.
	AutoSubscribe *bool `json:"autoSubscribe,omitempty"`
	// Subscriptions are the checks and groups whose alerts are sent over the channel. An update with
	// nil leaves them as they are; [AlertChannelsService.Subscribe] changes one.
	Subscriptions []ChannelSubscriber `json:"subscriptions,omitzero"`
}

// SetConfig sets one member of Config, such as url or apiKey, and leaves the others as they are. A
// dot selects a member of an object in it. The value is encoded like that of [WithBodyMember], a
// [Secret] with its text. It is an error if Config is no JSON object, and then nothing is changed.
//
//	err := update.SetConfig("url", monitoring.NewSecret(address))
func (s *AlertChannelSettings) SetConfig(member string, value any) error {
	set, err := parseMember(member, value)
	if err != nil {
		return fmt.Errorf("monitoring: set config: %w", err)
	}
	config := updates.New(keeping, s.Config.Reveal())
	if err := config.Set(set); err != nil {
		return fmt.Errorf("monitoring: set config: %w", err)
	}
	s.Config = NewSecretJSON(config.JSON)
	return nil
}

// validate refuses a config in which a secret is null, because the service may withhold it, and a
// subscription of nothing.
func (s AlertChannelSettings) validate(v *violations) {
	config := s.Config.Reveal()
	null := func(path string, value []byte) {
		if value != nil && rawjson.IsNull(value) {
			v.always(path, "is null, so the service may withhold it: set Config, or this member with SetConfig")
		}
	}
	for _, secret := range []string{"url", "apiKey", "serviceKey"} {
		null("config."+secret, rawjson.Get(config, secret))
	}
	for _, list := range []string{"headers", "queryParameters"} {
		i := 0
		for item := range rawjson.Items(rawjson.Get(config, list)) {
			null(fmt.Sprintf("config.%s[%d].value", list, i), rawjson.Get(item, "value"))
			i++
		}
	}
	for i, one := range s.Subscriptions {
		one.validateAt(fmt.Sprintf("subscriptions[%d].checkId", i), v)
	}
}

// ChannelSubscriber is a check or a group, and whether its alerts are sent over a channel.
type ChannelSubscriber struct {
	// CheckID is the id of a check, and GroupID that of a group. Exactly one of them is required.
	CheckID string `json:"checkId,omitempty"`
	GroupID *int64 `json:"groupId,omitempty"`
	// Activated says whether alerts are sent. A subscription with false remains, and overrides that of
	// the group.
	Activated bool `json:"activated"`
}

// Validate returns the [*ValidationError] that [AlertChannelsService.Subscribe] would return, and
// nil if there is none. Nothing is sent.
func (s ChannelSubscriber) Validate() error {
	return validateBody("PUT /v1/alert-channels/{id}/subscriptions", s)
}

func (s ChannelSubscriber) validate(v *violations) { s.validateAt("checkId", v) }

func (s ChannelSubscriber) validateAt(path string, v *violations) {
	if s.CheckID == "" && s.GroupID == nil {
		v.always(path, "is required unless there is a groupId")
	}
}

// AlertChannelCreate is the request of [AlertChannelsService.Create]. Type and Config are required.
type AlertChannelCreate struct{ AlertChannelSettings }

// Validate returns the [*ValidationError] that [AlertChannelsService.Create] would return, and nil
// if there is none. Nothing is sent.
func (c AlertChannelCreate) Validate() error { return validateBody("POST /v1/alert-channels", c) }

// AlertChannelUpdate is the request of [AlertChannelsService.Update]. It is not a patch: what is
// left out gets its default, except for Subscriptions. So start from [AlertChannel.ToUpdate], or
// use [AlertChannelsService.Edit]. In an update that was not made from a channel, everything but
// Subscriptions is required. [AlertChannelSettings.SetConfig] changes one member of Config.
type AlertChannelUpdate struct {
	AlertChannelSettings

	ofChannel bool // it was made from a channel, perhaps from one that was not read
	origin    `json:"-"`
}

// Validate returns the [*ValidationError] that [AlertChannelsService.Update] would return, and nil
// if there is none. Nothing is sent.
func (u AlertChannelUpdate) Validate() error { return validateUpdate(&u) }

func (u *AlertChannelUpdate) validate(v *violations) {
	u.AlertChannelSettings.validate(v)
	if u.ofChannel {
		return
	}
	for name, absent := range map[string]bool{
		"sendFailure": u.SendFailure == nil, "sendRecovery": u.SendRecovery == nil, "sendDegraded": u.SendDegraded == nil,
		"sslExpiry": u.SSLExpiry == nil, "sslExpiryThreshold": u.SSLExpiryThreshold == nil, "autoSubscribe": u.AutoSubscribe == nil,
	} {
		if absent {
			v.always(name, "is required: the service sets an absent one to its default: start from ToUpdate or Edit")
		}
	}
}

// ToUpdate returns the update that writes the channel back as it was read, for
// [AlertChannelsService.Update]. Subscriptions are sorted, those of checks first, and are sent only
// if they were changed. Members that this package does not know are sent back in Config. Elsewhere
// they are left out: [AlertChannelUpdate.Withheld] names them, and [WithBodyMember] sends one.
//
// A secret that is null in Config may be withheld by the service. If it is one that the channel
// needs, the update is a [*ValidationError] until it is set. A webhookSecret that is null is left
// out.
func (c AlertChannel) ToUpdate() AlertChannelUpdate { return toUpdate[AlertChannelUpdate](&c) }

// Withheld returns the members of the channel that the update leaves out, because this package does
// not know them. It returns config if the service withholds all of it; see
// [CheckGroupUpdate.Withheld]. Without a config the update is a [*ValidationError].
func (u AlertChannelUpdate) Withheld() []string { return u.writeBack().leftOut() }

// Diff returns the changes that the update would make to the channel that was read; see
// [CheckGroupUpdate.Diff]. A changed Config is listed without its members.
func (u AlertChannelUpdate) Diff() []Change { return changesOf(u.writeBack().Diff(false)) }

// DiffFrom returns the changes that the update would make to a channel that was read; see
// [CheckGroupUpdate.DiffFrom].
func (u AlertChannelUpdate) DiffFrom(c *AlertChannel) []Change { return diffFrom(&u, c) }

// MarshalJSON writes the body that would be sent, with null for Config. [MarshalWithSecrets] writes
// it, and what the update was made from, for [AlertChannelsService.Apply].
func (u AlertChannelUpdate) MarshalJSON() ([]byte, error) { return marshalUpdate(&u) }

// UnmarshalJSON reads an update; see [CheckGroupUpdate.UnmarshalJSON].
func (u *AlertChannelUpdate) UnmarshalJSON(data []byte) error {
	return readUpdate[AlertChannel](u, data)
}

// writeBack has the subscriptions in one form and order, and no webhookSecret that was null.
func (u *AlertChannelUpdate) writeBack() *writeBack {
	type plain AlertChannelUpdate
	fields := u
	if !slices.IsSortedFunc(u.Subscriptions, bySubscriber) {
		fields = new(*u)
		fields.Subscriptions = slices.SortedFunc(slices.Values(u.Subscriptions), bySubscriber)
	}
	w := writeBackOf[AlertChannel](u, "PUT /v1/alert-channels/{id}", (*plain)(fields), nil).formed(inFormOfUpdate)
	w.Keeps = []string{"subscriptions"}
	return w
}

// fill sets what has another form in the channel than in its update, and returns these members.
func (u *AlertChannelUpdate) fill(channel any) []string {
	c := channel.(*AlertChannel)
	u.ofChannel = true
	u.Config, u.Subscriptions = NewSecretJSON(withoutNull(c.Config.Reveal(), "webhookSecret")), subscribersOf(c.Subscriptions)
	return []string{"config", "subscriptions"}
}

// inFormOfUpdate returns the JSON of a channel with the config and the subscriptions of its update.
func inFormOfUpdate(channel []byte) []byte {
	if config := rawjson.Get(channel, "config"); config != nil {
		channel = rawjson.With(channel, "config", withoutNull(config, "webhookSecret"))
	}
	var list []ChannelSubscription
	if old := rawjson.Get(channel, "subscriptions"); rawjson.Kind(old) == '[' && unmarshal(old, &list) == nil {
		if data, err := rawjson.Encode(append([]ChannelSubscriber{}, subscribersOf(list)...)); err == nil {
			channel = rawjson.With(channel, "subscriptions", data)
		}
	}
	return channel
}

// subscribersOf returns the subscriptions of a channel as its update has them: those of checks
// first, and sorted, because their order means nothing.
func subscribersOf(list []ChannelSubscription) (subscribers []ChannelSubscriber) {
	for _, one := range list {
		subscribers = append(subscribers, ChannelSubscriber{ValueOr(one.CheckID, ""), one.GroupID, one.Activated})
	}
	slices.SortFunc(subscribers, bySubscriber)
	return subscribers
}

func bySubscriber(a, b ChannelSubscriber) int {
	if (a.CheckID == "") != (b.CheckID == "") {
		return strings.Compare(b.CheckID, a.CheckID)
	}
	activated := map[bool]int{true: 1}
	return cmp.Or(strings.Compare(a.CheckID, b.CheckID), cmp.Compare(ValueOr(a.GroupID, 0), ValueOr(b.GroupID, 0)),
		activated[a.Activated]-activated[b.Activated])
}

// Create creates an alert channel (POST /v1/alert-channels). It is retried only if the service
// certainly did not carry it out. Otherwise the error of a lost response is [ErrOutcomeUnknown]:
// look for the channel before you create it again.
//
//	var channel monitoring.AlertChannelCreate
//	channel.Type, channel.Config = monitoring.EmailChannel("oncall@shop.test")
//	made, err := client.AlertChannels.Create(ctx, channel)
func (s *AlertChannelsService) Create(ctx context.Context, channel AlertChannelCreate, opts ...CallOption) (*AlertChannel, error) {
	return call[AlertChannel](ctx, (*service)(s), op("POST /v1/alert-channels").is("id").sends(channel), opts)
}

// Get returns an alert channel (GET /v1/alert-channels/{id}). The id must be positive. The error is
// [ErrNotFound] if there is no such channel.
func (s *AlertChannelsService) Get(ctx context.Context, id int64, opts ...CallOption) (*AlertChannel, error) {
	return call[AlertChannel](ctx, (*service)(s), op("GET /v1/alert-channels/{id}", route.Number(id)).is("id"), opts)
}

// Update replaces the settings of an alert channel (PUT /v1/alert-channels/{id}) and returns the
// updated channel; see [AlertChannelUpdate]. The id must be positive. The error is [ErrNotFound] if
// there is no such channel.
func (s *AlertChannelsService) Update(ctx context.Context, id int64, update AlertChannelUpdate, opts ...CallOption) (*AlertChannel, error) {
	return call[AlertChannel](ctx, (*service)(s), op("PUT /v1/alert-channels/{id}", route.Number(id)).is("id").sends(&update), opts)
}

// Edit reads an alert channel, lets a function change its update, and writes it
// (GET /v1/alert-channels/{id}, then PUT /v1/alert-channels/{id}). If the function changes nothing,
// nothing is written. See [CheckGroupsService.Edit] for details. Config is a secret as a whole:
// [AlertChannelSettings.SetConfig] changes one member of it.
//
//	channel, err := client.AlertChannels.Edit(ctx, id, func(u *monitoring.AlertChannelUpdate) error {
//		return u.SetConfig("url", monitoring.NewSecret(address))
//	})
func (s *AlertChannelsService) Edit(
	ctx context.Context, id int64, edit func(*AlertChannelUpdate) error, opts ...CallOption,
) (*AlertChannel, error) {
	return editObject[AlertChannel](remoteChannel(ctx, s, id), edit, opts)
}

// Apply writes an update of an alert channel that was made earlier, if the channel has not changed
// since (GET /v1/alert-channels/{id}, then PUT /v1/alert-channels/{id}); see
// [CheckGroupsService.Apply].
func (s *AlertChannelsService) Apply(
	ctx context.Context, id int64, update AlertChannelUpdate, opts ...CallOption,
) (*AlertChannel, error) {
	return applyObject[AlertChannel](remoteChannel(ctx, s, id), update, opts)
}

func remoteChannel(ctx context.Context, s *AlertChannelsService, id int64) remote {
	return remoteObject(ctx, (*service)(s), "alert channel", id, s.Get, s.Update)
}

// Subscribe sets the subscription of one check or one group to an alert channel
// (PUT /v1/alert-channels/{id}/subscriptions), and returns it. The others stay as they are. The id
// must be positive. The error is [ErrNotFound] if there is no such channel.
func (s *AlertChannelsService) Subscribe(
	ctx context.Context, id int64, subscriber ChannelSubscriber, opts ...CallOption,
) (*ChannelSubscription, error) {
	o := op("PUT /v1/alert-channels/{id}/subscriptions", route.Number(id)).isAbout("checkId", subscriber.CheckID)
	if subscriber.GroupID != nil {
		o.isAbout("groupId", numberID(*subscriber.GroupID))
	}
	return call[ChannelSubscription](ctx, (*service)(s), o.sends(subscriber), opts)
}

// Delete permanently deletes an alert channel with its subscriptions
// (DELETE /v1/alert-channels/{id}). The id must be positive. The error is [ErrNotFound] if there is
// no such channel. If the response to an attempt was lost and the retry gets a 404, the deletion
// has succeeded.
func (s *AlertChannelsService) Delete(ctx context.Context, id int64, opts ...CallOption) error {
	return exec(ctx, (*service)(s), op("DELETE /v1/alert-channels/{id}", route.Number(id)), opts)
}
