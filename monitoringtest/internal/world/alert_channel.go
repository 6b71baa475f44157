package world

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// AlertChannels say how alerts are sent. Own of one says how sending goes: the members sendTime,
// status and response of an AlertChannel. Who is subscribed stands in the checks and groups.
var AlertChannels = &Kind{
	Name: "alert channel", List: "alertChannels", ID: "id", Made: "created_at", Moments: []string{"updated_at"},
	Members:  []string{"type", "config", "sendFailure", "sendRecovery", "sendDegraded", "sslExpiry", "sslExpiryThreshold", "autoSubscribe", "projectBindings", "subscriptions"},
	Defaults: join(channelSettings, Object{"type": Raw(`"EMAIL"`), "config": Raw("{}"), "updated_at": Raw("null")}),
	Runs:     []string{"sendTime", "status", "response"},
	Resets:   channelSettings,
	Example:  func() any { return new(monitoring.AlertChannel) },
	added:    func(o Object) { delete(o, "subscriptions") }, // which stand in the checks and groups
}

// channelSettings are the settings that a channel has by default.
var channelSettings = Object{
	"sendFailure": Raw("true"), "sendRecovery": Raw("true"), "sendDegraded": Raw("false"), "sslExpiry": Raw("false"),
	"sslExpiryThreshold": Raw("30"), "autoSubscribe": Raw("false"),
}

// AlertChannel is a channel that a test adds. What its members mean stands at the type of this name
// in monitoringtest.
type AlertChannel struct {
	ID                       int64
	Type                     monitoring.AlertChannelType
	Config                   map[string]any
	NoFailures, NoRecoveries bool
	Degraded                 bool
	SendTime                 time.Duration
	Status                   monitoring.AlertNotificationStatus
	Response                 string
}

// Channel is what the rules of alerts know of an alert channel.
type Channel struct {
	ID                         int64
	Type                       monitoring.AlertChannelType
	failures, recoveries, slow bool // what it sends; slow is degraded
	subscribes                 bool // new checks
	sendTime                   time.Duration
	status, response           string
	config                     json.RawMessage
}

// Channel returns what an alert channel is read as.
func (d *Document) Channel() *Channel {
	return parsed(d, func(d *Document) *Channel {
		c := &Channel{
			Type: monitoring.AlertChannelType(d.Members.Text("type")), failures: d.Members.Is("sendFailure"),
			recoveries: d.Members.Is("sendRecovery"), slow: d.Members.Is("sendDegraded"),
			subscribes: d.Members.Is("autoSubscribe"),
			status:     cmp.Or(d.Own.Text("status"), string(monitoring.NotificationSuccess)), response: d.Own.Text("response"),
		}
		d.Members.Get("id", &c.ID)
		c.config = d.Members["config"]
		c.sendTime, _ = time.ParseDuration(d.Own.Text("sendTime"))
		return c
	})
}

// subscription is an item of alertChannelSubscriptions.
type subscription struct {
	Channel   int64 `json:"alertChannelId"`
	Activated bool  `json:"activated"`
}

func subscriptions(o Object) (list []subscription) {
	o.Get("alertChannelSubscriptions", &list)
	return list
}

// subscribeTo subscribes a check or a group to all channels that its own subscriptions do not name,
// or only to those that subscribe new checks by themselves.
func (w *World) subscribeTo(all bool, to Object) {
	list := subscriptions(to)
	for _, d := range w.Of(AlertChannels).All {
		c := d.Channel()
		if !all && !c.subscribes {
			continue
		}
		if !slices.ContainsFunc(list, func(x subscription) bool { return x.Channel == c.ID }) {
			list = append(list, subscription{c.ID, true})
		}
	}
	to.Set("alertChannelSubscriptions", list)
}

// without returns subscriptions without those to a channel.
func without(list []subscription, channel int64) []subscription {
	kept := slices.DeleteFunc(slices.Clone(list), func(x subscription) bool { return x.Channel == channel })
	return append([]subscription{}, kept...)
}

// shownChannels returns the member alertChannels of a check: the channels it is subscribed to, by
// type, with the members of their configuration that the API shows.
func (w *World) shownChannels(check Object) json.RawMessage {
	shown := map[string][]Fields{"email": {}, "webhook": {}, "slack": {}, "sms": {}}
	parts := map[monitoring.AlertChannelType]struct {
		name    string
		members []string
	}{
		monitoring.ChannelEmail:   {"email", []string{"address"}},
		monitoring.ChannelWebhook: {"webhook", []string{"url", "name", "method", "headers", "queryParameters"}},
		monitoring.ChannelSlack:   {"slack", []string{"url"}},
		monitoring.ChannelSMS:     {"sms", []string{"number", "name"}},
	}
	for _, x := range subscriptions(check) {
		d := w.Of(AlertChannels).Find(strconv.FormatInt(x.Channel, 10))
		if d == nil || !x.Activated {
			continue
		}
		c := d.Channel()
		part, isShown := parts[c.Type]
		if !isShown {
			continue
		}
		item := Fields{}
		var config Object
		MustUnmarshal(c.config, &config)
		for _, name := range part.members {
			if v, there := config[name]; there {
				item[name] = v
			}
		}
		shown[part.name] = append(shown[part.name], item)
	}
	return JSON(shown)
}
