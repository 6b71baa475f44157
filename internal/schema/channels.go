package schema

// This file has the bodies of alert channels.

// alertChannel is the body of POST /v1/alert-channels and of PUT /v1/alert-channels/{id}, which is
// no patch. What is in config depends on the type, and the API document does not describe it.
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
	}}
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
					o.broken("checkId", "must not be combined with groupId: give one of them")
				}
			},
		}},
	}
}
