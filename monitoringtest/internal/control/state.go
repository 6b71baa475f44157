package control

import (
	"encoding/json"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/fakeclock"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/front"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

// mostShown is how many sessions the state shows, the last ones: a page that a person reads.
const mostShown = 100

// state returns the state of the service, without secrets.
func (c *Control) state() world.Fields {
	w := c.world
	w.Lock()
	defer w.Unlock()
	now := w.Clock.Now()
	w.Tick(now)
	checks, groups, faults := []world.Object{}, []world.Object{}, []world.Object{}
	for _, check := range w.Checks {
		checks = append(checks, w.ChangedCheck(check))
	}
	for _, id := range slices.Sorted(maps.Keys(w.Groups)) {
		groups = append(groups, w.Withhold(w.Groups[id].Members))
	}
	injected, happened := c.front.Happened()
	for i, f := range injected {
		faults = append(faults, faultJSON(f, happened[i]))
	}
	counts := c.front.Counts()
	return world.Fields{
		"now": fakeclock.Stamp(now), "account": w.Account, "requests": counts.Requests, "counts": counts.Arrived, "executed": counts.Executed,
		"unexpected": counts.Unexpected, "faults": faults, "checks": checks, "groups": groups, "alertChannels": len(w.Of(world.AlertChannels).All),
		"alertNotifications": w.Alerts.Len(), "maintenanceWindows": len(w.Of(world.MaintenanceWindows).All), "variables": len(w.Of(world.Variables).All), "snippets": len(w.Of(world.Snippets).All),
		"sessions": w.SessionViews(mostShown, now), "sessionCount": len(w.Sessions),
	}
}

// records returns requests as JSON. A body that is JSON stays JSON; others become texts.
func records(list []front.Request) []world.Fields {
	out := make([]world.Fields, len(list))
	for i, r := range list {
		f := world.Fields{
			"time": fakeclock.Stamp(r.Time), "operation": r.Operation, "method": r.Method, "path": r.Path, "query": r.Query,
			"header": r.Header, "status": r.Status, "body": nil,
		}
		switch {
		case len(r.Body) == 0:
		case json.Valid(r.Body):
			f["body"] = json.RawMessage(r.Body)
		case utf8.Valid(r.Body):
			f["body"] = string(r.Body)
		default:
			f["body"] = r.Body // base64
		}
		if r.BodyCut {
			f["bodyCut"] = true
		}
		if r.Refusal != "" {
			f["refusal"] = r.Refusal
		}
		if len(r.Dropped) > 0 {
			f["dropped"] = r.Dropped
		}
		out[i] = f
	}
	return out
}
