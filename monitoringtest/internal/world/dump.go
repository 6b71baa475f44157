package world

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// Kinds are the kinds of records that are only stored, in the order in which a seed is read: error
// groups need checks.
var Kinds = []*Kind{
	PrivateLocations, AlertChannels, Variables, MaintenanceWindows, CheckAlerts, ErrorGroups, TestErrorGroups, RootCauseAnalyses, Snippets,
	Services, Dashboards,
}

// Dump returns a still account as the members of a document that seeds another one. Each object is
// as it is in a seed, and has a member stored, with what the account has made itself. restore.go
// reads it. Nobody need hold the lock.
func (w *World) Dump() (members []rawjson.Member) {
	list := func(name string, items []json.RawMessage) {
		if len(items) > 0 {
			members = append(members, rawjson.Member{Name: name, Value: JSON(items)})
		}
	}
	var groups, checks, sessions, tests, alerts []json.RawMessage
	for _, id := range slices.Sorted(maps.Keys(w.Groups)) {
		groups = append(groups, stored(JSON(w.Groups[id].Members), object()))
	}
	for _, c := range w.Checks {
		checks = append(checks, c.dump())
	}
	for _, x := range w.Sessions {
		sessions = append(sessions, x.dump())
	}
	for _, t := range w.TestSessions {
		tests = append(tests, t.dump())
	}
	for i := range w.Alerts.items {
		a := &w.Alerts.items[i]
		alerts = append(alerts, stored(a.Now(forever), object("at", a.at, "sentAt", a.sent)))
	}
	list("groups", groups)
	list("checks", checks)
	list("sessions", sessions)
	list("testSessions", tests)
	list("alertNotifications", alerts)
	for _, k := range Kinds {
		var records []json.RawMessage
		for _, d := range w.Of(k).All {
			records = append(records, k.dump(d))
		}
		list(k.List, records)
	}
	if w.quotas != nil { // they were set, and gate checks
		members = append(members, rawjson.Member{Name: "entitlements", Value: w.Entitlements})
	}
	if w.CheckLimit > 0 {
		members = append(members, rawjson.Member{Name: "checkLimit", Value: JSON(w.CheckLimit)})
	}
	var queues []json.RawMessage
	for _, group := range slices.Sorted(maps.Keys(w.queues)) {
		queues = append(queues, object("groupId", group, "ends", moments(*w.queues[group])))
	}
	return append(members, rawjson.Member{Name: "stored", Value: object("ids", w.ids, "lastRun", w.lastRun, "queues", queues)})
}

// dump returns a record as an object of a dump; its id if it has nothing else.
func (k *Kind) dump(d *Document) json.RawMessage {
	if k.ID == "" {
		return JSON(d.ID)
	}
	members := rawjson.Members(JSON(d.Members))
	made := d.Own
	if len(k.Runs) > 0 && len(d.Own) > 0 {
		members, made = append(members, rawjson.Member{Name: "runs", Value: JSON(d.Own)}), nil
	}
	if made == nil {
		made = Object{}
	}
	return stored(rawjson.Join(members), JSON(made))
}

// forever is a moment at which all that is under way has ended.
var forever = time.Unix(math.MaxInt32*1000, 0)

func (c *Check) dump() json.RawMessage {
	members, a := rawjson.Members(JSON(c.Members)), c.alerting
	if runs := membersOf(c.remaining(), OfCheck...); len(runs) > 0 {
		members = append(members, rawjson.Member{Name: "runs", Value: rawjson.Join(runs)})
	}
	return stored(rawjson.Join(members),
		object("failed", a.failed, "since", a.since, "alerted", a.alerted, "degraded", a.degraded, "next", c.next))
}

func (x *Session) dump() json.RawMessage {
	var runs []json.RawMessage
	for _, r := range x.runs {
		var results []json.RawMessage
		for i, id := range r.results {
			a := r.of(i)
			results = append(results, object("id", id, "set", a.set, "assets", a.assets))
		}
		runs = append(runs, object("location", r.location, "sequenceId", r.sequence, "ends", r.planned, "waits", r.waits, "cancelled", r.cancelled,
			"results", results))
	}
	return stored(rawjson.Join(membersOf(x.Spec)), object("begins", x.begins, "checkRunId", x.runID, "noted", x.noted,
		"alerts", x.heapAt >= 0, "resultsForgotten", x.gone, "runs", runs))
}

func (t *TestSession) dump() json.RawMessage {
	var runs []json.RawMessage
	for _, x := range t.runs {
		runs = append(runs, x.dump())
	}
	return object("id", t.ID, "name", t.Name, "runLocation", t.Location, "metadata", t.Metadata,
		"stored", object("startedAt", t.started, "visibleAt", t.visible, "runs", runs))
}
