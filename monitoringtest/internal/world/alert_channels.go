package world

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/fakeclock"
)

// AddAlertChannel adds an alert channel and returns its id. It refuses a second one with the same
// id, and a negative id or time.
func (w *World) AddAlertChannel(c AlertChannel) (int64, error) {
	if err := w.VetAlertChannel(&c); err != nil {
		return 0, err
	}
	now := w.Clock.Now()
	c.Config = plain(orEmpty(c.Config)) // panics here, and not only when an alert is sent
	w.Settle(now)
	generated := w.ids.number("alert channel")
	if c.ID == 0 {
		c.ID = generated
	}
	if c.Type == "" {
		c.Type = monitoring.ChannelEmail
	}
	if c.Status == "" {
		c.Status = monitoring.NotificationSuccess
	}
	w.Channels = append(w.Channels, Channel{AlertChannel: c, DaysBeforeExpiry: 30, AutoSubscribe: true, created: now})
	return c.ID, nil
}

// VetAlertChannel returns the first mistake in a channel that a test adds.
func (w *World) VetAlertChannel(c *AlertChannel) error {
	if c.ID < 0 || w.Channels.find(c.ID) != nil {
		return fmt.Errorf("the id of an alert channel is %d, which is negative or of another channel", c.ID)
	}
	if c.SendTime < 0 {
		return fmt.Errorf("an alert channel takes %s to send: it must not be negative", c.SendTime)
	}
	return nil
}

// Channel returns an alert channel; nil if there is none with the id.
func (w *World) Channel(id int64) *Channel { return w.Channels.find(id) }

// Subscriber is a check or a group, by its id, and whether its alerts are sent over a channel.
type Subscriber struct {
	CheckID   string `json:"checkId"`
	GroupID   int64  `json:"groupId"`
	Activated bool   `json:"activated"`
}

// members returns the members of the check or the group; nil if there is none.
func (w *World) members(x Subscriber) Object {
	if c := w.Check(x.CheckID); c != nil {
		return c.Members
	}
	if g := w.Groups[x.GroupID]; g != nil {
		return g.Members
	}
	return nil
}

// Subscribe sets the subscription of a check or a group to a channel. It reports whether there is
// such a check or group.
func (w *World) Subscribe(c *Channel, x Subscriber, now time.Time) bool {
	if w.members(x) == nil {
		return false
	}
	w.Settle(now) // runs that ended before alert by the old subscriptions
	w.subscribe(c.ID, x)
	return true
}

func (w *World) subscribe(channel int64, x Subscriber) {
	list := without(subscriptions(w.members(x)), channel)
	w.setSubscriptions(x, append(list, subscription{channel, x.Activated}))
}

// setSubscriptions gives the check or the group other members: those of before may be being read.
func (w *World) setSubscriptions(x Subscriber, list []subscription) {
	m := w.members(x).With(Object{"alertChannelSubscriptions": JSON(list)})
	if c := w.Check(x.CheckID); c != nil {
		c.change(m)
	} else {
		w.Groups[x.GroupID] = &Group{x.GroupID, m}
	}
}

// SaveChannel creates the channel of a body, or, if it is there, replaces its settings: what the
// body leaves out gets its default. Subscriptions that it leaves out stay. It reports whether there
// are all checks and groups that it subscribes.
func (w *World) SaveChannel(c *Channel, sent Object, now time.Time) (*Channel, bool) {
	var subscribed []Subscriber
	sent.Get("subscriptions", &subscribed)
	subscribed = slices.DeleteFunc(subscribed, func(x Subscriber) bool { return x.CheckID == "" && x.GroupID == 0 })
	for _, x := range subscribed {
		if w.members(x) == nil {
			return nil, false
		}
	}
	w.Settle(now)
	if c == nil {
		id := w.ids.number("alert channel")
		for w.Channels.find(id) != nil { // a test has added it
			id = w.ids.number("alert channel")
		}
		w.Channels = append(w.Channels, Channel{AlertChannel: AlertChannel{ID: id, Status: monitoring.NotificationSuccess}, created: now})
		c = &w.Channels[len(w.Channels)-1]
	} else {
		c.updated = now
	}
	all := channelDefaults.With(sent)
	c.Type, c.Config = monitoring.AlertChannelType(all.Text("type")), nil
	all.Get("config", &c.Config)
	c.NoFailures, c.NoRecoveries, c.Degraded = !all.Is("sendFailure"), !all.Is("sendRecovery"), all.Is("sendDegraded")
	c.SSLExpiry, c.AutoSubscribe = all.Is("sslExpiry"), all.Is("autoSubscribe")
	all.Get("sslExpiryThreshold", &c.DaysBeforeExpiry)
	if sent.Has("subscriptions") {
		w.unsubscribeAll(c.ID)
		for _, x := range subscribed {
			w.subscribe(c.ID, x)
		}
	}
	return c, true
}

// channelDefaults are the settings that a channel has by default.
var channelDefaults = Object{
	"sendFailure": Raw("true"), "sendRecovery": Raw("true"), "sendDegraded": Raw("false"), "sslExpiry": Raw("false"),
	"sslExpiryThreshold": Raw("30"), "autoSubscribe": Raw("false"),
}

// DeleteChannel deletes a channel and the subscriptions to it.
func (w *World) DeleteChannel(id int64, now time.Time) {
	w.Settle(now)
	w.unsubscribeAll(id)
	w.Channels = slices.DeleteFunc(w.Channels, func(c Channel) bool { return c.ID == id })
}

func (w *World) unsubscribeAll(channel int64) {
	for _, x := range w.subscribers() {
		list := subscriptions(w.members(x))
		if kept := without(list, channel); len(kept) < len(list) {
			w.setSubscriptions(x, kept)
		}
	}
}

// subscribers returns all checks and groups, in their order.
func (w *World) subscribers() (list []Subscriber) {
	for _, c := range w.Checks {
		list = append(list, Subscriber{CheckID: c.ID})
	}
	for _, id := range slices.Sorted(maps.Keys(w.Groups)) {
		list = append(list, Subscriber{GroupID: id})
	}
	return list
}

// ShownSubscription returns the subscription of a check or a group to a channel as the channel
// shows it.
func (w *World) ShownSubscription(c *Channel, x Subscriber) json.RawMessage {
	if check := w.Check(x.CheckID); check != nil { // in its own spelling
		x.CheckID = check.ID
	}
	return JSON(x.shown(c.ID))
}

// Subscribers are the checks and groups that are subscribed to channels, by the channel.
type Subscribers map[int64][]Subscriber

// Subscribers finds out who is subscribed to all channels: a list of channels reads each check
// once.
func (w *World) Subscribers() Subscribers {
	all := make(Subscribers)
	for _, x := range w.subscribers() {
		for _, to := range subscriptions(w.members(x)) {
			x.Activated = to.Activated
			all[to.Channel] = append(all[to.Channel], x)
		}
	}
	return all
}

// ShownChannel returns a channel as a list shows it, with the subscriptions of checks and groups
// to it.
func (w *World) ShownChannel(c *Channel, subscribed Subscribers) json.RawMessage {
	var updated any
	if !c.updated.IsZero() {
		updated = fakeclock.Stamp(c.updated)
	}
	list := []Fields{}
	for _, x := range subscribed[c.ID] {
		list = append(list, x.shown(c.ID))
	}
	return JSON(Fields{
		"id": c.ID, "type": c.Type, "config": orEmpty(c.Config), "subscriptions": list,
		"sendFailure": !c.NoFailures, "sendRecovery": !c.NoRecoveries, "sendDegraded": c.Degraded,
		"sslExpiry": c.SSLExpiry, "sslExpiryThreshold": c.DaysBeforeExpiry, "autoSubscribe": c.AutoSubscribe,
		"created_at": fakeclock.Stamp(c.created), "updated_at": updated,
	})
}

// shown returns a subscription to a channel as the channel shows it.
func (x Subscriber) shown(channel int64) Fields {
	f := Fields{"checkId": nil, "groupId": nil, "activated": x.Activated}
	if x.CheckID != "" {
		f["checkId"], f["id"] = x.CheckID, subscriptionID(channel, "checkId"+x.CheckID)
	} else {
		f["groupId"], f["id"] = x.GroupID, subscriptionID(channel, fmt.Sprint("groupId", x.GroupID))
	}
	return f
}

// subscriptionID makes the id of a subscription. It follows from what it subscribes, so it stays
// when others come and go.
func subscriptionID(channel int64, subscriber string) uint64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "subscription of %s to %d", subscriber, channel))
	return binary.BigEndian.Uint64(sum[:8])>>24 + 1 // 40 bits, which any JSON decoder reads
}
