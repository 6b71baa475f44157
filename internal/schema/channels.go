package schema

import (
	"slices"
	"sync"
)

// This file has the bodies of alert channels.

// alertChannel is the body of POST /v1/alert-channels and of PUT /v1/alert-channels/{id}, which is
// no patch. What is in config depends on the type, and the API document does not describe it: only
// Service holds it to what the vendor's clients send.
func alertChannel() *Node {
	kind := open(String, "EMAIL", "SLACK", "SLACK_APP", "WEBHOOK", "SMS", "PAGERDUTY", "OPSGENIE", "CALL")
	kind.Limits.Length = atLeast(1)
	return &Node{Kinds: Object, Members: []Member{
		{"type", kind, true},
		{"config", &Node{Kinds: Object, Free: true, Secret: true}, true},
		{"subscriptions", listOf(subscriber(Member{"id", whole, false})), false},
		{"sendRecovery", flag, false},
		{"sendFailure", flag, false},
		{"sendDegraded", flag, false},
		{"sslExpiry", flag, false},
		{"sslExpiryThreshold", bounded(Integer, between(1, 30)), false},
		{"autoSubscribe", flag, false},
	}, Rules: []Rule{{
		Text:    "config has the members that the type needs.",
		Members: []string{"type", "config"},
		check: func(o object) {
			for kind, config := range channelConfigs() {
				if o.level == Service && o.is("type", kind) {
					o.again("config", config)
				}
			}
		},
	}}}
}

var (
	configsMade sync.Once
	configs     map[string]*Node
)

// channelConfigs describes config by the type of the channel. A variable that a call fills would be
// in each program.
func channelConfigs() map[string]*Node {
	configsMade.Do(func() { configs = newChannelConfigs() })
	return configs
}

func newChannelConfigs() map[string]*Node {
	text := func() *Node { return &Node{Kinds: String, Limits: Limits{Length: atLeast(1)}, Secret: true} }
	needs := func(names ...string) (list []Member) {
		for _, name := range names {
			list = append(list, Member{name, text(), true})
		}
		return list
	}
	optional := func(names ...string) (list []Member) {
		for _, name := range names {
			list = append(list, Member{name, &Node{Kinds: String | Null, Secret: true}, false})
		}
		return list
	}
	config := func(members ...[]Member) *Node {
		return &Node{Kinds: Object, Free: true, Members: slices.Concat(members...), Secret: true}
	}
	pairs := []Member{{"headers", listOrNullOf(requestPair()), false}, {"queryParameters", listOrNullOf(requestPair()), false}}
	return map[string]*Node{
		"EMAIL":     config(needs("address")),
		"SLACK":     config(needs("url"), optional("channel")),
		"SLACK_APP": config([]Member{{"slackChannels", listOf(text()), true}}),
		"SMS":       config(needs("number"), optional("name")),
		"CALL":      config(needs("number"), optional("name")),
		"OPSGENIE":  config(needs("apiKey"), optional("name", "region", "priority")),
		"PAGERDUTY": config(needs("serviceKey"), optional("account", "serviceName")),
		"WEBHOOK":   config(needs("url"), optional("name", "method", "template", "webhookSecret", "webhookType"), pairs),
	}
}

// channelSubscription is the body of PUT /v1/alert-channels/{id}/subscriptions.
func channelSubscription() *Node {
	n := subscriber()
	n.Rules = append(n.Rules, Rule{
		Text:    "A subscription is that of a check or of a group.",
		Members: []string{"checkId", "groupId"},
		check: func(o object) {
			if !o.hasValue("checkId") && !o.hasValue("groupId") {
				o.brokenInstead("checkId", "is required unless there is a groupId")
			}
		},
	})
	return n
}

// subscriber is a check or a group that is subscribed to a channel.
func subscriber(more ...Member) *Node {
	return &Node{Name: "channelSubscriber", Kinds: Object,
		Members: append(more,
			Member{"checkId", &Node{Kinds: String | Null, Limits: Limits{Format: UUID}}, false},
			Member{"groupId", bounded(Integer|Null, atLeast(1)), false},
			Member{"activated", flag, true}),
		Rules: []Rule{{
			Text:    "A subscription is that of a check or of a group, not of both.",
			Members: []string{"checkId", "groupId"},
			check: func(o object) {
				if o.hasValue("checkId") && o.hasValue("groupId") {
					o.broken("checkId", "must not be combined with groupId: set one of them")
				}
			},
		}},
	}
}
