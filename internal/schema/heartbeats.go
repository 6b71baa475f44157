package schema

import "slices"

// This file has the bodies of heartbeat checks.

// heartbeatCheck is the body of POST /v1/checks/heartbeat and of PUT /v1/checks/heartbeat/{id}.
func heartbeatCheck(create bool) *Node {
	members := settingsMembers(create, "HEARTBEAT")
	for i, m := range members {
		if m.Name == "retryStrategy" || m.Name == "privateLocations" {
			members[i].Node = noSetting("is not a setting of a heartbeat")
		}
	}
	// A heartbeat has a period, and neither a frequency nor a request.
	dropped := slices.DeleteFunc(droppedByProbes(), func(m Member) bool { return m.Name == "heartbeat" })
	return &Node{Kinds: Object,
		Members: slices.Concat(members, []Member{{"heartbeat", heartbeat(), create}}),
		Dropped: slices.Concat(dropped, scheduleMembers(), longTimes(), []Member{{"request", &Node{Kinds: Object | Null, Free: true}, false}}),
	}
}

// heartbeat says when pings are expected. The bounds of its times are those of the vendor's
// clients, so only the service checks them.
func heartbeat() *Node {
	unit := closed("seconds", "minutes", "hours", "days")
	unit.Limits.Length = atLeast(1)
	url := noSetting("is set by the service: omit it")
	url.Secret = true
	return &Node{Name: "heartbeat", Kinds: Object,
		Members: []Member{
			{"period", number, true},
			{"periodUnit", unit, true},
			{"grace", number, true},
			{"graceUnit", unit, true},
			{"pingToken", &Node{Kinds: String | Null, Limits: Limits{Format: UUID}, Secret: true, Lax: true}, false},
			{"pingUrl", url, false},
		},
		Rules: []Rule{
			spanRule("A period is from 30 seconds to 365 days.", "period", "periodUnit", 30, "30 seconds"),
			spanRule("A grace is from 0 to 365 days.", "grace", "graceUnit", 0, "0"),
		},
	}
}

// spanRule bounds a time that has a unit of its own. least is in seconds.
func spanRule(text, member, unit string, least float64, name string) Rule {
	const day = 24 * 60 * 60
	return Rule{Text: text, Members: []string{member, unit}, check: func(o object) {
		span, ok := o.number(member)
		for u, seconds := range map[string]float64{"seconds": 1, "minutes": 60, "hours": 60 * 60, "days": day} {
			if ok && o.level == Service && o.is(unit, u) && !between(least, 365*day).has(span*seconds) {
				o.broken(member, quoteNumber(o.raw(member))+" "+u+" are outside "+name+"..365 days")
			}
		}
	}}
}
