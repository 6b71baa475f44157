package monitoring

import (
	"context"
	"errors"
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
	// Activated says whether alerts are sent. A subscription with false stays there, and stands
	// against that of the group.
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
		v.always(path, "want the id of a check or of a group")
	}
}

// AlertChannelCreate is the request of [AlertChannelsService.Create]. Type and Config are required.
type AlertChannelCreate struct{ AlertChannelSettings }

// Validate returns the [*ValidationError] that [AlertChannelsService.Create] would return, and nil
// if there is none. Nothing is sent.
func (c AlertChannelCreate) Validate() error { return validateBody("POST /v1/alert-channels", c) }

// AlertChannelUpdate is the request of [AlertChannelsService.Update]. It is no patch: what is left
// out gets its default, except for Subscriptions. So start from [AlertChannel.ToUpdate], or use
// [AlertChannelsService.Edit]. In an update that was not made from a channel, everything but
// Subscriptions is required.
type AlertChannelUpdate struct {
	AlertChannelSettings

	from *AlertChannelSettings // what the channel had; nil if that is not known
}

// Validate returns the [*ValidationError] that [AlertChannelsService.Update] would return, and nil
// if there is none. Nothing is sent.
func (u AlertChannelUpdate) Validate() error {
	return validateBody("PUT /v1/alert-channels/{id}", u.sent())
}

func (u AlertChannelUpdate) validate(v *violations) {
	u.AlertChannelSettings.validate(v)
	for _, member := range []struct {
		name            string
		absent, wasRead bool
	}{
		{"sendFailure", u.SendFailure == nil, u.from != nil && u.from.SendFailure == nil},
		{"sendRecovery", u.SendRecovery == nil, u.from != nil && u.from.SendRecovery == nil},
		{"sendDegraded", u.SendDegraded == nil, u.from != nil && u.from.SendDegraded == nil},
		{"sslExpiry", u.SSLExpiry == nil, u.from != nil && u.from.SSLExpiry == nil},
		{"sslExpiryThreshold", u.SSLExpiryThreshold == nil, u.from != nil && u.from.SSLExpiryThreshold == nil},
		{"autoSubscribe", u.AutoSubscribe == nil, u.from != nil && u.from.AutoSubscribe == nil},
	} {
		if member.absent && !member.wasRead {
			v.always(member.name, "is required: the service sets an absent one to its default: start from ToUpdate or Edit")
		}
	}
}

// sent returns the update without subscriptions that are as they were. A list that is set to nil is
// sent empty.
func (u AlertChannelUpdate) sent() AlertChannelUpdate {
	if u.from == nil {
		return u
	}
	was := u.from.Subscriptions
	switch {
	case sameSubscribers(u.Subscriptions, was):
		u.Subscriptions = nil
	case u.Subscriptions == nil:
		u.Subscriptions = []ChannelSubscriber{}
	}
	return u
}

// sameSubscribers compares two lists of subscriptions, in any order.
func sameSubscribers(a, b []ChannelSubscriber) bool {
	keys := func(list []ChannelSubscriber) (keys []string) {
		for _, s := range list {
			keys = append(keys, fmt.Sprint(strings.ToLower(s.CheckID), " ", Or(s.GroupID, 0), " ", s.Activated))
		}
		slices.Sort(keys)
		return keys
	}
	return slices.Equal(keys(a), keys(b))
}

// ToUpdate returns the update that writes the channel back as it was read, for
// [AlertChannelsService.Update]. Subscriptions are sent only if they were changed. Members that
// this package does not know are kept in Config, and lost elsewhere; [WithBodyMember] sends one.
//
// A secret that is null in Config may be withheld by the service. If it is one that the channel
// needs, the update is a [*ValidationError] until it is set. A webhookSecret that is null is left
// out.
func (c AlertChannel) ToUpdate() AlertChannelUpdate {
	s := AlertChannelSettings{
		Type: c.Type, Config: NewSecretJSON(withoutNull(c.Config.Reveal(), "webhookSecret")),
		SendFailure: c.SendFailure, SendRecovery: c.SendRecovery, SendDegraded: c.SendDegraded,
		SSLExpiry: c.SSLExpiry, SSLExpiryThreshold: c.SSLExpiryThreshold, AutoSubscribe: c.AutoSubscribe,
	}
	for _, one := range c.Subscriptions {
		subscriber := ChannelSubscriber{Activated: one.Activated}
		if one.CheckID != nil {
			subscriber.CheckID = *one.CheckID
		}
		subscriber.GroupID = one.GroupID
		s.Subscriptions = append(s.Subscriptions, subscriber)
	}
	from := s
	keeping.Copy(&s) // the update shares no pointer with the channel
	return AlertChannelUpdate{s, &from}
}

// differs reports whether an update would change anything of a channel.
func (u AlertChannelUpdate) differs(now *AlertChannelSettings) bool {
	return !sameSubscribers(u.Subscriptions, now.Subscriptions) || !rawjson.Equal(u.encoded(nil), now.encoded(nil))
}

// encoded returns the JSON of the settings with other subscriptions. It is empty if Config is no
// JSON: that differs from all others, and is an error when it is sent.
func (s AlertChannelSettings) encoded(subscriptions []ChannelSubscriber) []byte {
	s.Subscriptions = subscriptions
	result, _ := keeping.Encode(s)
	return result.JSON
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

// Get returns an alert channel (GET /v1/alert-channels/{id}). The id must be positive. An unknown
// id is [ErrNotFound].
func (s *AlertChannelsService) Get(ctx context.Context, id int64, opts ...CallOption) (*AlertChannel, error) {
	return call[AlertChannel](ctx, (*service)(s), op("GET /v1/alert-channels/{id}", route.Number(id)).is("id"), opts)
}

// Update replaces the settings of an alert channel (PUT /v1/alert-channels/{id}) and returns it as
// it is then; see [AlertChannelUpdate]. The id must be positive. An unknown id is [ErrNotFound].
func (s *AlertChannelsService) Update(ctx context.Context, id int64, update AlertChannelUpdate, opts ...CallOption) (*AlertChannel, error) {
	return call[AlertChannel](ctx, (*service)(s), op("PUT /v1/alert-channels/{id}", route.Number(id)).is("id").sends(update.sent()), opts)
}

// Edit reads an alert channel, lets a function change its update, and writes it
// (GET /v1/alert-channels/{id}, then PUT /v1/alert-channels/{id}). The update is that of
// [AlertChannel.ToUpdate], and the options apply to both calls. It returns the channel as it is
// then.
//
//	channel, err := client.AlertChannels.Edit(ctx, id, func(u *monitoring.AlertChannelUpdate) error {
//		return u.SetConfig("url", monitoring.NewSecret(address))
//	})
//
// If the function changes nothing, nothing is written. If it returns an error, nothing is written
// either, and the error is returned, wrapped. A nil function is an error. Edits of one channel by
// one client wait for each other; see [CheckGroupsService.Edit].
func (s *AlertChannelsService) Edit(
	ctx context.Context, id int64, edit func(*AlertChannelUpdate) error, opts ...CallOption,
) (*AlertChannel, error) {
	failed := func(err error) error { return fmt.Errorf("monitoring: edit alert channel %d: %w", id, err) }
	if edit == nil {
		return nil, unsent(failed(errors.New("the function is nil")))
	}
	end, err := (*service)(s).editTurn(ctx, fmt.Sprint("alert channel ", id), opts)
	if err != nil {
		return nil, unsent(failed(err))
	}
	defer end()
	var sets bool
	channel, err := s.Get(ctx, id, forRead(opts, &sets)...)
	if err != nil {
		return nil, err
	}
	update, now := channel.ToUpdate(), channel.ToUpdate()
	dry, err := dryRun(edit(&update))
	if err != nil {
		return nil, failed(err)
	}
	if update.from != nil { // perhaps another channel, or an earlier state of this one
		update.from = now.from
	}
	if !sets && !update.differs(now.from) {
		return channel, nil
	}
	was := now.from.encoded(now.from.Subscriptions)
	answer, err := s.Update(ctx, id, update, forWrite(opts, &writeOfEdit{dry, was})...)
	return written(answer, err, channel)
}

// Subscribe sets the subscription of one check or one group to an alert channel
// (PUT /v1/alert-channels/{id}/subscriptions), and returns it. The others stay as they are. The id
// must be positive. An unknown id is [ErrNotFound].
func (s *AlertChannelsService) Subscribe(
	ctx context.Context, id int64, subscriber ChannelSubscriber, opts ...CallOption,
) (*ChannelSubscription, error) {
	o := op("PUT /v1/alert-channels/{id}/subscriptions", route.Number(id)).isAbout("checkId", subscriber.CheckID)
	if subscriber.GroupID != nil {
		o.isAbout("groupId", numberID(*subscriber.GroupID))
	}
	return call[ChannelSubscription](ctx, (*service)(s), o.sends(subscriber), opts)
}

// Delete deletes an alert channel with its subscriptions for good (DELETE /v1/alert-channels/{id}).
// The id must be positive. An unknown id is [ErrNotFound]. If the response to an attempt was lost
// and the retry gets a 404, the deletion has succeeded.
func (s *AlertChannelsService) Delete(ctx context.Context, id int64, opts ...CallOption) error {
	return exec(ctx, (*service)(s), op("DELETE /v1/alert-channels/{id}", route.Number(id)), opts)
}
