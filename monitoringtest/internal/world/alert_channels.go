package world

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"
)

// AddAlertChannel adds an alert channel and returns its id. It refuses a second one with the same
// id, and a negative id or time.
func (w *World) AddAlertChannel(c AlertChannel) (int64, error) {
	if c.SendTime < 0 {
		return 0, fmt.Errorf("an alert channel takes %s to send: it must not be negative", c.SendTime)
	}
	if err := vetUpper(string(c.Type)); err != nil {
		return 0, fmt.Errorf("an alert channel: %w", err)
	}
	o := Object{
		"id": JSON(c.ID), "config": JSON(orEmpty(c.Config)), // panics here, and not only when an alert is sent
		"sendFailure": JSON(!c.NoFailures), "sendRecovery": JSON(!c.NoRecoveries), "sendDegraded": JSON(c.Degraded),
	}
	if c.Type != "" {
		o["type"] = JSON(c.Type)
	}
	var own Object
	MustUnmarshal(object("sendTime", c.SendTime, "status", c.Status, "response", c.Response), &own)
	w.Settle(w.Clock.Now())
	d, err := w.Add(AlertChannels, o, own)
	if err != nil {
		return 0, err
	}
	return d.Channel().ID, nil
}

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
func (w *World) Subscribe(d *Document, x Subscriber, now time.Time) bool {
	if w.members(x) == nil {
		return false
	}
	w.Settle(now) // runs that ended before alert by the old subscriptions
	w.subscribe(d.Channel().ID, x)
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
func (w *World) SaveChannel(d *Document, sent Object, now time.Time) (*Document, bool) {
	var subscribed []Subscriber
	replaces := sent.Get("subscriptions", &subscribed)
	delete(sent, "subscriptions")
	subscribed = slices.DeleteFunc(subscribed, func(x Subscriber) bool { return x.CheckID == "" && x.GroupID == 0 })
	for _, x := range subscribed {
		if w.members(x) == nil {
			return nil, false
		}
	}
	w.Settle(now)
	if d == nil {
		d, _ = w.Create(AlertChannels, sent, now)
	} else {
		w.Update(AlertChannels, d, sent, now)
	}
	if id := d.Channel().ID; replaces {
		w.unsubscribeAll(id)
		for _, x := range subscribed {
			w.subscribe(id, x)
		}
	}
	return d, true
}

// DeleteChannel deletes a channel and the subscriptions to it, and reports whether there was one.
func (w *World) DeleteChannel(id string, now time.Time) bool {
	d := w.Of(AlertChannels).Find(id)
	if d == nil {
		return false
	}
	w.Settle(now)
	w.unsubscribeAll(d.Channel().ID)
	return w.Delete(AlertChannels, id)
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
func (w *World) ShownSubscription(d *Document, x Subscriber) json.RawMessage {
	if check := w.Check(x.CheckID); check != nil { // in its own spelling
		x.CheckID = check.ID
	}
	return JSON(x.shown(d.Channel().ID))
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
func (w *World) ShownChannel(d *Document, subscribed Subscribers) Object {
	list, id := []Fields{}, d.Channel().ID
	for _, x := range subscribed[id] {
		list = append(list, x.shown(id))
	}
	return join(d.Members, Object{"subscriptions": JSON(list)})
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
