package monitoringtest

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// AlertChannel says how alerts are sent when runs of checks fail or recover; see
// [Service.AddAlertChannel]. The zero value is a channel that sends mail.
type AlertChannel struct {
	// ID is generated if it is 0. It must not be negative.
	ID int64
	// Type is EMAIL if it is empty.
	Type monitoring.AlertChannelType
	// Config is the configuration: address of EMAIL, url of SLACK, url, name, method,
	// headers and queryParameters of WEBHOOK, number and name of SMS, and so on. It is the
	// alertConfig of notifications.
	Config map[string]any
	// NoFailures sends nothing when runs fail, and NoRecoveries nothing when they recover.
	NoFailures, NoRecoveries bool
	// Degraded sends alerts also when runs become degraded and recover from that.
	Degraded bool
	// SendTime is how long sending takes; notifications are IN_PROGRESS until then. The
	// default is 0: they are sent at once.
	SendTime time.Duration
	// Status is how sending ends; SUCCESS if it is empty.
	Status monitoring.AlertNotificationStatus
	// Response is the notificationResult, such as the body of a webhook's response; null
	// if it is empty.
	Response string

	created time.Time
}

// AddAlertChannel adds an alert channel and returns its id. Checks that are added or
// created later are subscribed to it; checks that exist already are not. It panics for a
// second channel with the same id, and for a negative id or SendTime.
func (s *Service) AddAlertChannel(c AlertChannel) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.checkChannel(&c); err != nil {
		panic("monitoringtest: " + err.Error())
	}
	return s.addChannel(c, time.Now())
}

func (s *state) checkChannel(c *AlertChannel) error {
	if c.ID < 0 || s.channel(c.ID) != nil {
		return fmt.Errorf("the id of an alert channel is %d, which is negative or of another channel", c.ID)
	}
	if c.SendTime < 0 {
		return fmt.Errorf("an alert channel takes %s to send: it must not be negative", c.SendTime)
	}
	return nil
}

func (s *Service) addChannel(c AlertChannel, now time.Time) int64 {
	c.Config = plain(orEmpty(c.Config)) // panics here, and not only when an alert is sent
	s.settle(now)
	generated := s.newNumber("alert channel")
	if c.ID == 0 {
		c.ID = generated
	}
	if c.Type == "" {
		c.Type = monitoring.ChannelEmail
	}
	if c.Status == "" {
		c.Status = monitoring.NotificationSuccess
	}
	c.created = now
	s.channels = append(s.channels, c)
	return c.ID
}

func (s *state) channel(id int64) *AlertChannel {
	i := slices.IndexFunc(s.channels, func(c AlertChannel) bool { return c.ID == id })
	if i < 0 {
		return nil
	}
	return &s.channels[i]
}

// subscription is an item of alertChannelSubscriptions.
type subscription struct {
	Channel   int64 `json:"alertChannelId"`
	Activated bool  `json:"activated"`
}

func subscriptions(o object) (list []subscription) {
	o.get("alertChannelSubscriptions", &list)
	return list
}

// subscribe subscribes a check or a group to all channels that its own subscriptions do not name.
func (s *state) subscribe(to object) {
	list := subscriptions(to)
	for _, c := range s.channels {
		if !slices.ContainsFunc(list, func(x subscription) bool { return x.Channel == c.ID }) {
			list = append(list, subscription{c.ID, true})
		}
	}
	to.set("alertChannelSubscriptions", list)
}

// channelsOf returns the channels that a check alerts: those that the check or its group
// is subscribed to. A subscription of the check itself goes before one of the group.
func (s *state) channelsOf(c *check) []AlertChannel {
	wanted := make(map[int64]bool)
	for _, x := range subscriptions(s.groups[c.spec.GroupID]) {
		wanted[x.Channel] = x.Activated
	}
	for _, x := range c.subscriptions {
		wanted[x.Channel] = x.Activated
	}
	var list []AlertChannel
	for _, channel := range s.channels {
		if wanted[channel.ID] {
			list = append(list, channel)
		}
	}
	return list
}

// listChannels responds with the channels and the subscriptions of checks and groups to them.
func (s *Service) listChannels(c *call) response {
	return s.list(c, len(s.channels), func(i int) json.RawMessage {
		channel := &s.channels[i]
		list := []fields{}
		add := func(of object, member string, id any) {
			for _, x := range subscriptions(of) {
				if x.Channel == channel.ID {
					f := fields{"id": len(list) + 1, "checkId": nil, "groupId": nil, "activated": x.Activated}
					f[member] = id
					list = append(list, f)
				}
			}
		}
		for _, check := range s.checks {
			add(check.members, "checkId", check.spec.ID)
		}
		for _, id := range slices.Sorted(maps.Keys(s.groups)) {
			add(s.groups[id], "groupId", id)
		}
		return mustMarshal(fields{
			"id": channel.ID, "type": channel.Type, "config": orEmpty(channel.Config), "subscriptions": list,
			"sendFailure": !channel.NoFailures, "sendRecovery": !channel.NoRecoveries, "sendDegraded": channel.Degraded,
			"sslExpiry": false, "sslExpiryThreshold": 30, "autoSubscribe": true, "created_at": stamp(channel.created), "updated_at": nil,
		})
	})
}

// shownChannels returns the member alertChannels of a check: the channels it is
// subscribed to, by type, with the members of their configuration that the API shows.
func (s *state) shownChannels(check object) json.RawMessage {
	shown := map[string][]fields{"email": {}, "webhook": {}, "slack": {}, "sms": {}}
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
		c := s.channel(x.Channel)
		if c == nil || !x.Activated {
			continue
		}
		part, isShown := parts[c.Type]
		if !isShown {
			continue
		}
		item := fields{}
		for _, name := range part.members {
			if v, there := c.Config[name]; there {
				item[name] = v
			}
		}
		shown[part.name] = append(shown[part.name], item)
	}
	return mustMarshal(shown)
}
