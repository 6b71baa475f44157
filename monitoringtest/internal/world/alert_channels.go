package world

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

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
	w.Channels = append(w.Channels, Channel{c, now})
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

// ShownChannel returns a channel as a list shows it, with the subscriptions of checks and groups
// to it.
func (w *World) ShownChannel(c *Channel) json.RawMessage {
	list := []Fields{}
	add := func(of Object, member string, id any) {
		for _, x := range subscriptions(of) {
			if x.Channel == c.ID {
				f := Fields{"id": len(list) + 1, "checkId": nil, "groupId": nil, "activated": x.Activated}
				f[member] = id
				list = append(list, f)
			}
		}
	}
	for _, check := range w.Checks {
		add(check.Members, "checkId", check.ID)
	}
	for _, id := range slices.Sorted(maps.Keys(w.Groups)) {
		add(w.Groups[id].Members, "groupId", id)
	}
	return JSON(Fields{
		"id": c.ID, "type": c.Type, "config": orEmpty(c.Config), "subscriptions": list,
		"sendFailure": !c.NoFailures, "sendRecovery": !c.NoRecoveries, "sendDegraded": c.Degraded,
		"sslExpiry": false, "sslExpiryThreshold": 30, "autoSubscribe": true, "created_at": fakeclock.Stamp(c.created), "updated_at": nil,
	})
}
