package world

import (
	"encoding/json"
	"slices"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// AlertChannel says how alerts are sent. What its members mean stands at the type of this name in
// monitoringtest.
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

// Channel is an alert channel of the account.
type Channel struct {
	AlertChannel
	SSLExpiry        bool
	DaysBeforeExpiry int
	AutoSubscribe    bool
	created, updated time.Time // updated is zero for a channel that was not changed
}

// Channels are the alert channels in the order in which they were added.
type Channels []Channel

// find returns a channel; nil if there is none with the id.
func (l Channels) find(id int64) *Channel {
	i := slices.IndexFunc(l, func(c Channel) bool { return c.ID == id })
	if i < 0 {
		return nil
	}
	return &l[i]
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

// subscribe subscribes a check or a group to all channels that its own subscriptions do not name.
func (l Channels) subscribe(to Object) {
	list := subscriptions(to)
	for _, c := range l {
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

// shown returns the member alertChannels of a check: the channels it is subscribed to, by type,
// with the members of their configuration that the API shows.
func (l Channels) shown(check Object) json.RawMessage {
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
		c := l.find(x.Channel)
		if c == nil || !x.Activated {
			continue
		}
		part, isShown := parts[c.Type]
		if !isShown {
			continue
		}
		item := Fields{}
		for _, name := range part.members {
			if v, there := c.Config[name]; there {
				item[name] = v
			}
		}
		shown[part.name] = append(shown[part.name], item)
	}
	return JSON(shown)
}
