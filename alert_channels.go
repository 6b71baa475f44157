package monitoring

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/route"
	"github.com/monitoring-api/monitoring-go/internal/scrub"
	"github.com/monitoring-api/monitoring-go/internal/updates"
)

// AlertChannel is a channel over which alerts are sent. For its methods, and for fields that are
// not set, see [Check]. Functions such as [SlackChannel] return one to create:
//
//	channel, err := client.AlertChannels.Create(ctx, monitoring.EmailChannel("oncall@shop.test"))
//
// An update replaces everything but Subscriptions. That of a channel that you built needs Type,
// Config, SendFailure, SendRecovery, SendDegraded, SSLExpiry, SSLExpiryThreshold and AutoSubscribe.
//
//monitoring:json
type AlertChannel struct {
	// ID is assigned by the service.
	ID int64 `json:"id,omitzero"`
	// Type and Config are required. Config is a JSON object, which is hidden like a [Secret],
	// because it contains addresses and keys; change it with [AlertChannel.SetConfig]. Its fields
	// depend on Type: address (EMAIL), url and channel (SLACK), slackChannels (SLACK_APP), name and
	// number (SMS, CALL), and those of [WebhookConfig], [PagerDutyConfig] and [OpsgenieConfig],
	// into which you can unmarshal it. For another Type, set it with [NewSecretJSON].
	Type   AlertChannelType `json:"type,omitzero"`
	Config SecretJSON       `json:"config"`
	// SendFailure and SendRecovery are whether alerts are sent when a check fails and recovers; the
	// default is true. SendDegraded is the same for a degraded check; the default is false.
	SendFailure  *bool `json:"sendFailure,omitzero"`
	SendRecovery *bool `json:"sendRecovery,omitzero"`
	SendDegraded *bool `json:"sendDegraded,omitzero"`
	// SSLExpiry alerts about certificates that expire; the default is false. SSLExpiryThreshold is
	// how many days before: 1 to 30, by default 30.
	SSLExpiry          *bool `json:"sslExpiry,omitzero"`
	SSLExpiryThreshold *int  `json:"sslExpiryThreshold,omitzero"`
	// AutoSubscribe subscribes new checks to the channel; the default is false.
	AutoSubscribe *bool `json:"autoSubscribe,omitzero"`
	// Subscriptions are the checks and groups whose alerts are sent over the channel, in no
	// particular order. An update sends them only if you change them. To change one, use
	// [AlertChannelsService.Subscribe].
	Subscriptions []ChannelSubscription `json:"subscriptions,omitzero"`

	// The service makes the fields below. They can only be read.

	CreatedAt Timestamp `json:"created_at,omitzero"`
	// UpdatedAt is nil until the channel is updated.
	UpdatedAt       *Timestamp      `json:"updated_at,omitzero"`
	ProjectBindings json.RawMessage `json:"projectBindings,omitzero"`
	// Extra holds the unknown fields of the response as one JSON object. A time or number that does
	// not fit its field is there as well, and the field is zero.
	Extra SecretJSON `json:"-"`

	object `json:"-"`
}

var channels = blueprint{
	what: "alert channel", creates: "POST /v1/alert-channels", updates: "PUT /v1/alert-channels/{id}",
	id: "id", made: []string{"id", "created_at", "updated_at", "projectBindings"}, keeps: []string{"subscriptions"},
	needs:    []string{"type", "sendFailure", "sendRecovery", "sendDegraded", "sslExpiry", "sslExpiryThreshold", "autoSubscribe"},
	inBodies: channelInBodies,
	sent:     func(fields any) any { return fields.(*plainChannel).sent() },
	rules:    func(fields any, b *updates.Body, v *violations) { fields.(*plainChannel).rules(b, v) },
}

func (c *AlertChannel) form() form {
	return form{blueprint: &channels, key: keyOf(c.ID), fields: (*plainChannel)(c)}
}

// plainChannel has the fields of a channel. Without odd times and numbers it is still of use.
type plainChannel AlertChannel

func (plainChannel) oddMembers() []string {
	return []string{"sslExpiryThreshold", "created_at", "updated_at"}
}

// sent returns the channel as bodies have it: with the subscriptions in one form and order, and
// without a webhookSecret that is null.
func (c *plainChannel) sent() *plainChannel {
	one := *c
	one.Config = NewSecretJSON(withoutNull(c.Config.Reveal(), "webhookSecret"))
	one.Subscriptions = slices.Clone(c.Subscriptions)
	for i := range one.Subscriptions {
		one.Subscriptions[i].ID = 0
	}
	slices.SortFunc(one.Subscriptions, bySubscriber)
	return &one
}

func bySubscriber(a, b ChannelSubscription) int {
	if (a.CheckID == "") != (b.CheckID == "") {
		return strings.Compare(b.CheckID, a.CheckID)
	}
	activated := map[bool]int{true: 1}
	return cmp.Or(strings.Compare(a.CheckID, b.CheckID), cmp.Compare(a.GroupID, b.GroupID),
		activated[a.Activated]-activated[b.Activated])
}

// channelInBodies returns the JSON of a channel with the config and the subscriptions that bodies
// have.
func channelInBodies(channel []byte) []byte {
	var c plainChannel
	if config := rawjson.Get(channel, "config"); config != nil {
		channel = rawjson.With(channel, "config", withoutNull(config, "webhookSecret"))
	}
	if old := rawjson.Get(channel, "subscriptions"); rawjson.Kind(old) == '[' && unmarshal(old, &c.Subscriptions) == nil {
		data, _ := rawjson.Encode(c.sent().Subscriptions)
		channel = rawjson.With(channel, "subscriptions", data)
	}
	return channel
}

// rules refuses a config in which a secret is null, because the service may withhold it, and to
// send a subscription of nothing.
func (c *plainChannel) rules(b *updates.Body, v *violations) {
	config := c.Config.Reveal()
	null := func(path string, value []byte) {
		if rawjson.IsNull(value) {
			v.always(path, "has no value: it was never set, or the service withholds it: set it with SetConfig")
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
	if rawjson.Get(b.JSON, "subscriptions") == nil {
		return
	}
	for i, one := range c.Subscriptions {
		one.validateAt(fmt.Sprintf("subscriptions[%d].checkId", i), v)
	}
}

// SetConfig sets one field of Config, and leaves the rest unchanged. field is its name in JSON, as
// in the tags of [WebhookConfig], and a dot selects a field of a nested object. value is encoded
// like that of [WithBodyField]. SetConfig returns an error, and changes nothing, if Config is not a
// JSON object.
//
//	err := channel.SetConfig("url", monitoring.NewSecret(address))
func (c *AlertChannel) SetConfig(field string, value any) error {
	set, err := parseMember(field, value)
	if err != nil {
		return fmt.Errorf("monitoring: set config: %w", err)
	}
	config := updates.New(&plans, c.Config.Reveal())
	if err := config.Set(set); err != nil {
		return fmt.Errorf("monitoring: set config: %w", err)
	}
	c.Config = NewSecretJSON(config.JSON)
	return nil
}

// Diff returns what you changed since it was read; see [Check.Diff].
func (c *AlertChannel) Diff() []Change { return diffOf(c) }

// DiffFrom returns what a write would change in now; see [Check.DiffFrom].
func (c *AlertChannel) DiffFrom(now *AlertChannel) []Change { return diffWith(c, now) }

// Omitted returns the names of unknown fields, which an update leaves out; see [Check.Omitted].
// Those of Config are sent, but not those of Subscriptions.
//
// If the service withholds all of Config, Omitted includes config, and an update is a
// [*ValidationError] until you set it.
func (c *AlertChannel) Omitted() []string { return leftOut(c) }

// SetFrom copies the fields that desired sets into the channel; see [Check.SetFrom]. A withheld
// Config is not copied if both channels are of the same type.
func (c *AlertChannel) SetFrom(desired *AlertChannel) error {
	if desired != nil && desired.Config.isWithheld() && cmp.Or(desired.Type, c.Type) == c.Type {
		desired = new(*desired)
		desired.Config = SecretJSON{}
	}
	return setFrom(c, desired)
}

// Template returns a copy of the channel to create, without id, times and unknown fields. Its
// subscriptions stay; in another account they mean other checks and groups.
func (c *AlertChannel) Template() *AlertChannel { return template(c).(*AlertChannel) }

// Clone returns a deep copy.
func (c *AlertChannel) Clone() *AlertChannel { return clone(c).(*AlertChannel) }

// Validate checks the channel as Create or Update would; see [Check.Validate]. A secret that is
// null in Config may be withheld: if the channel needs it, a write is refused until you set it. A
// webhookSecret of null is left out.
func (c *AlertChannel) Validate() error { return validateObject(c) }

// String returns the type and id of the channel, and what it is called in Config: the name of a
// WEBHOOK, OPSGENIE, SMS or CALL, the channel of a SLACK, the serviceName of a PAGERDUTY.
func (c AlertChannel) String() string {
	return strings.TrimSpace(scrub.Clean(string(c.Type)) + " " + lineOf(&c, c.name()))
}

// name returns what a channel is called in its config; "" if that shows a part of what else the
// config has, such as the key in a URL.
func (c *AlertChannel) name() string {
	member := ""
	switch c.Type {
	case ChannelWebhook, ChannelOpsgenie, ChannelSMS, ChannelCall:
		member = "name"
	case ChannelSlack:
		member = "channel"
	case ChannelPagerDuty:
		member = "serviceName"
	default:
		return ""
	}
	config := c.Config.Reveal()
	name := rawjson.Text(rawjson.Get(config, member))
	others := rawjson.Texts(rawjson.With(config, member, []byte("null")))
	if len(name) > 200 || slices.ContainsFunc(others, func(other string) bool { return shows(name, other) }) {
		return ""
	}
	return name
}

// shows reports whether a text contains another one, or eight bytes of it.
func shows(text, other string) bool {
	const part = 8
	for i := range max(0, len(text)-part+1) {
		if strings.Contains(other, text[i:i+part]) {
			return true
		}
	}
	return other != "" && strings.Contains(text, other)
}

// Format prints String, or for %+v the JSON with null for Config.
func (c AlertChannel) Format(f fmt.State, verb rune) { formatObject(f, verb, c) }

func (c *AlertChannel) read(data []byte) error { return readFields((*plainChannel)(c), data) }

// ChannelSubscription subscribes a check or group to an [AlertChannel].
//
//monitoring:json
type ChannelSubscription struct {
	// ID is assigned by the service and never sent. It is zero if the service returns no number.
	ID int64 `json:"id,omitzero"`
	// CheckID is the id of a check, and GroupID that of a group. Set exactly one of them.
	CheckID string `json:"checkId,omitzero"`
	GroupID int64  `json:"groupId,omitzero"`
	// Activated is whether alerts are sent. A subscription with false overrides that of a group.
	Activated bool `json:"activated"`
}

// Some services and clients write the id as a text.
func (ChannelSubscription) looseNumbers() []string { return []string{"id"} }
func (ChannelSubscription) oddMembers() []string   { return []string{"id"} }

// Validate checks the subscription as [AlertChannelsService.Subscribe] does.
func (s ChannelSubscription) Validate() error {
	return validateBody("PUT /v1/alert-channels/{id}/subscriptions", s)
}

func (s ChannelSubscription) validate(v *violations) { s.validateAt("checkId", v) }

func (s ChannelSubscription) validateAt(path string, v *violations) {
	if s.CheckID == "" && s.GroupID == 0 {
		v.always(path, "is required unless there is a groupId")
	}
}

// bodyToSend returns the subscription without its ID.
func (s ChannelSubscription) bodyToSend() any {
	s.ID = 0
	return s
}

// AlertChannelsService creates, reads, changes and deletes alert channels, and subscribes checks
// and groups to them.
type AlertChannelsService service

func channelLister(s *AlertChannelsService, opts []CallOption) *lister {
	return listOf((*service)(s), op("GET /v1/alert-channels"), itemsOf(func(c *AlertChannel) string { return numberID(c.ID) }), opts)
}

// List returns a page of alert channels (GET /v1/alert-channels).
func (s *AlertChannelsService) List(ctx context.Context, options ListOptions, opts ...CallOption) (*Page[AlertChannel], error) {
	return list[AlertChannel](ctx, channelLister(s, opts), options)
}

// All iterates over alert channels.
func (s *AlertChannelsService) All(ctx context.Context, options ListOptions, opts ...CallOption) iter.Seq2[AlertChannel, error] {
	return items(s.Pages(ctx, options, opts...))
}

// Pages iterates over the pages of [AlertChannelsService.All].
func (s *AlertChannelsService) Pages(ctx context.Context, options ListOptions, opts ...CallOption) iter.Seq2[*Page[AlertChannel], error] {
	return pages[AlertChannel](ctx, channelLister(s, opts), options)
}

// Get returns an alert channel (GET /v1/alert-channels/{id}).
func (s *AlertChannelsService) Get(ctx context.Context, id int64, opts ...CallOption) (*AlertChannel, error) {
	return call[AlertChannel](ctx, (*service)(s), op("GET /v1/alert-channels/{id}", route.Number(id)).is("id"), opts)
}

// Create creates an alert channel (POST /v1/alert-channels); see [ChecksService.Create]. After
// [ErrOutcomeUnknown], look for its Type and Config with [AlertChannelsService.All]: a channel has
// no name, and a second one alerts twice.
//
//	made, err := client.AlertChannels.Create(ctx, monitoring.EmailChannel("oncall@shop.test"))
func (s *AlertChannelsService) Create(ctx context.Context, channel *AlertChannel, opts ...CallOption) (*AlertChannel, error) {
	return createObject(ctx, (*service)(s), channel, opts)
}

// Update writes an alert channel and returns its new state (PUT /v1/alert-channels/{id}); see
// [ChecksService.Update].
func (s *AlertChannelsService) Update(ctx context.Context, channel *AlertChannel, opts ...CallOption) (*AlertChannel, error) {
	return updateObject(channel, func() *place { return s.at(ctx, channel.ID) }, opts)
}

// Edit reads an alert channel, passes it to edit, and writes what edit changed (GET
// /v1/alert-channels/{id}, then PUT /v1/alert-channels/{id}); see [ChecksService.Edit]. To change
// Config, use [AlertChannel.SetConfig]:
//
//	channel, err := client.AlertChannels.Edit(ctx, id, func(c *monitoring.AlertChannel) error {
//		return c.SetConfig("url", monitoring.NewSecret(address))
//	})
func (s *AlertChannelsService) Edit(ctx context.Context, id int64, edit func(*AlertChannel) error, opts ...CallOption) (*AlertChannel, error) {
	return editObjectAt(s.at(ctx, id), edit, opts)
}

func (s *AlertChannelsService) at(ctx context.Context, id int64) *place {
	return placeOf(ctx, (*service)(s), channels.what, id, func(opts []CallOption) (*AlertChannel, error) { return s.Get(ctx, id, opts...) })
}

// Subscribe sets the subscription of one check or group to an alert channel, and returns it (PUT
// /v1/alert-channels/{id}/subscriptions). Others stay.
func (s *AlertChannelsService) Subscribe(
	ctx context.Context, id int64, subscription ChannelSubscription, opts ...CallOption,
) (*ChannelSubscription, error) {
	o := op("PUT /v1/alert-channels/{id}/subscriptions", route.Number(id)).isAbout("checkId", subscription.CheckID)
	if subscription.GroupID != 0 {
		o.isAbout("groupId", numberID(subscription.GroupID))
	}
	return call[ChannelSubscription](ctx, (*service)(s), o.sends(subscription), opts)
}

// Delete permanently deletes an alert channel and its subscriptions (DELETE
// /v1/alert-channels/{id}).
func (s *AlertChannelsService) Delete(ctx context.Context, id int64, opts ...CallOption) error {
	return exec(ctx, (*service)(s), op("DELETE /v1/alert-channels/{id}", route.Number(id)), opts)
}
