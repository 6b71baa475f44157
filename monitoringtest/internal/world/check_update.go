package world

import (
	"slices"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/fakeclock"
)

// UpdateCheck changes a check by the body of an update, or returns the rule that it breaks. updated
// is the type of the update, and empty for the deprecated one of any type.
func (w *World) UpdateCheck(c *Check, updated monitoring.CheckType, sent Object, now time.Time) *schema.Violation {
	if updated == monitoring.CheckTypeDNS {
		sent = dnsUpdateDefaults.With(sent)
	}
	fill(BodyOfUpdate(updated), sent)
	merged := c.Members.With(sent)
	merged.Set("checkType", c.Type) // cannot be changed
	keepSecret(c.Members, merged)
	if problem := vetMerged(updated, c.Type, sent, merged); problem != nil {
		return problem
	}
	// the deprecated update takes any request, but that of a TCP check is completed
	if sent["request"] != nil && (updated != "" || c.Type == monitoring.CheckTypeTCP) {
		merged["request"] = completeRequest(BodyOfUpdate(c.Type), c.Type, sent["request"])
	}
	if sent["heartbeat"] != nil {
		w.completeHeartbeat(merged)
	}
	w.name(sent)
	w.Settle(now) // runs that ended before the update are judged by the old settings
	merged.Set("updated_at", fakeclock.Stamp(now))
	w.hold(merged)
	c.change(merged)
	return nil
}

// dnsUpdateDefaults are what the update of a DNS check, the only one that is no patch, is described
// to set what a body leaves out to. It has no default for the others, such as the retryStrategy.
var dnsUpdateDefaults = Object{
	"activated": Raw("true"), "muted": Raw("false"), "doubleCheck": Raw("true"), "shouldFail": Raw("false"), "locations": Raw("[]"),
	"tags": Raw("[]"), "alertSettings": defaultAlertSettings, "useGlobalAlertSettings": Raw("true"), "groupId": Raw("null"),
	"groupOrder": Raw("null"), "runtimeId": Raw("null"), "runParallel": Raw("false"), "description": Raw("null"), "intent": Raw("null"),
	"aiAutoRepairEnabled": Raw("null"), "frequency": Raw("10"),
}

// vetMerged checks the rules about members that belong together, on the check with the
// update applied. It picks a new frequency offset if the present one does not fit a new frequency.
func vetMerged(updated, kind monitoring.CheckType, update, merged Object) *schema.Violation {
	// The schema of the update has these rules; it needs the members that an update leaves out. It
	// does not know what a check may have got by the deprecated update of any type.
	body := BodyOfUpdate(updated)
	known := func(member string) bool { return member == "checkType" || member == "name" }
	has := func(member string) bool { return merged[member] != nil && body.Member(member) != nil }
	if update["frequency"] != nil && update["frequencyOffset"] == nil && has("frequencyOffset") {
		present := Object{"checkType": JSON(kind), "frequency": merged["frequency"], "frequencyOffset": merged["frequencyOffset"]}
		if len(body.Check(JSON(present), schema.Service, known)) > 0 {
			merged["frequencyOffset"] = firstOffset(merged)
		}
	}
	together := Object{"checkType": JSON(kind)}
	for _, names := range [][]string{{"frequency", "frequencyOffset"}, {"degradedResponseTime", "maxResponseTime"}, {"request"}} {
		changed := slices.ContainsFunc(names, func(name string) bool { return update[name] != nil })
		for _, name := range names {
			if changed && has(name) {
				together[name] = merged[name]
			}
		}
	}
	if found := body.Check(JSON(together), schema.Service, known); len(found) > 0 {
		return &found[0]
	}
	return nil
}
