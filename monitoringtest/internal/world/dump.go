package world

import (
	"encoding/json"
	"maps"
	"math"
	"reflect"
	"slices"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// Dump is an account as a document that seeds another one. Each object is as a test writes it in a
// seed, and has a member stored, with what the account has made itself. restore.go reads it.
type Dump struct {
	Groups             []json.RawMessage `json:"groups,omitempty"`
	AlertChannels      []json.RawMessage `json:"alertChannels,omitempty"`
	Checks             []json.RawMessage `json:"checks,omitempty"`
	Sessions           []json.RawMessage `json:"sessions,omitempty"`
	TestSessions       []json.RawMessage `json:"testSessions,omitempty"`
	Variables          []json.RawMessage `json:"variables,omitempty"`
	MaintenanceWindows []json.RawMessage `json:"maintenanceWindows,omitempty"`
	AlertNotifications []json.RawMessage `json:"alertNotifications,omitempty"`
	CheckAlerts        []json.RawMessage `json:"checkAlerts,omitempty"`
	ErrorGroups        []json.RawMessage `json:"errorGroups,omitempty"`
	TestErrorGroups    []json.RawMessage `json:"testSessionErrorGroups,omitempty"`
	RootCauseAnalyses  []json.RawMessage `json:"rootCauseAnalyses,omitempty"`
	PrivateLocations   []json.RawMessage `json:"privateLocations,omitempty"`
	Snippets           []json.RawMessage `json:"snippets,omitempty"`
	StatusPageServices []string          `json:"statusPageServices,omitempty"`
	Dashboards         []string          `json:"dashboards,omitempty"`
	Entitlements       json.RawMessage   `json:"entitlements,omitempty"`
	CheckLimit         int               `json:"checkLimit,omitempty"`
	Stored             json.RawMessage   `json:"stored"`
}

// Dump returns the account as it is now.
func (w *World) Dump() Dump {
	now := w.Clock.Now()
	w.Tick(now)
	d := Dump{
		StatusPageServices: slices.Sorted(maps.Values(w.Services)), Dashboards: slices.Sorted(maps.Keys(w.Dashboards)),
		CheckLimit: w.CheckLimit,
	}
	if w.quotas != nil { // they were set, and gate checks
		d.Entitlements = w.Entitlements
	}
	for _, id := range slices.Sorted(maps.Keys(w.Groups)) {
		d.Groups = append(d.Groups, stored(JSON(w.Groups[id].Members), object()))
	}
	for i := range w.Channels {
		d.AlertChannels = append(d.AlertChannels, w.Channels[i].dump())
	}
	for _, c := range w.Checks {
		d.Checks = append(d.Checks, w.dumpCheck(c))
	}
	for _, x := range w.Sessions {
		d.Sessions = append(d.Sessions, w.dumpSession(x))
	}
	for _, t := range w.TestSessions {
		d.TestSessions = append(d.TestSessions, w.dumpTest(t))
	}
	for _, v := range w.Variables {
		d.Variables = append(d.Variables, stored(JSON(v), object()))
	}
	for _, m := range w.Windows {
		d.MaintenanceWindows = append(d.MaintenanceWindows, stored(m.JSON, object()))
	}
	for i := range w.Alerts.items {
		a := &w.Alerts.items[i]
		d.AlertNotifications = append(d.AlertNotifications, stored(a.Now(forever), object("at", a.at, "sentAt", a.sent)))
	}
	for _, a := range w.CheckAlerts {
		d.CheckAlerts = append(d.CheckAlerts, stored(JSON(a), object()))
	}
	for _, g := range w.ErrorGroups {
		d.ErrorGroups = append(d.ErrorGroups, stored(JSON(g.ErrorGroup), object("analyses", g.analyses)))
	}
	for _, g := range w.TestErrorGroups {
		d.TestErrorGroups = append(d.TestErrorGroups, stored(JSON(g.TestSessionErrorGroup), object("analyses", g.analyses)))
	}
	for _, id := range slices.Sorted(maps.Keys(w.rootCauses)) {
		a := w.rootCauses[id]
		d.RootCauseAnalyses = append(d.RootCauseAnalyses, stored(a.json, object("readyAt", a.ready)))
	}
	for _, l := range w.PrivateLocations {
		d.PrivateLocations = append(d.PrivateLocations, stored(JSON(l), object("agentsStopped", w.away[l.SlugName])))
	}
	for _, s := range w.Snippets {
		d.Snippets = append(d.Snippets, stored(JSON(s), object()))
	}
	var queues []json.RawMessage
	for _, group := range slices.Sorted(maps.Keys(w.queues)) {
		queues = append(queues, object("groupId", group, "ends", moments(*w.queues[group])))
	}
	d.Stored = object("ids", w.ids, "lastRun", w.lastRun, "queues", queues)
	return d
}

// forever is a moment at which all that is under way has ended.
var forever = time.Unix(math.MaxInt32*1000, 0)

func (c *Channel) dump() json.RawMessage {
	return object("id", c.ID, "type", c.Type, "config", c.Config, "noFailures", c.NoFailures, "noRecoveries", c.NoRecoveries,
		"degraded", c.Degraded, "sendTime", c.SendTime, "status", c.Status, "response", c.Response,
		"stored", object("sslExpiry", c.SSLExpiry, "sslExpiryThreshold", c.DaysBeforeExpiry, "autoSubscribe", c.AutoSubscribe,
			"createdAt", c.created, "updatedAt", c.updated))
}

func (w *World) dumpCheck(c *Check) json.RawMessage {
	p, a := c.remaining(), c.alerting
	return object("id", c.ID, "name", c.Name, "type", c.Type, "members", c.Members,
		"every", p.Every, "runTime", p.RunTime, "outcome", p.Outcome, "outcomes", p.Outcomes, "progress", p.Progress, "failIn", p.FailIn, "attempts", p.Attempts,
		"responseTime", p.ResponseTime, "error", p.Error, "hasErrors", p.HasErrors, "result", p.Result, "visibleAfter", p.VisibleAfter,
		"stored", object("failed", a.failed, "since", a.since, "alerted", a.alerted, "degraded", a.degraded, "next", c.next))
}

func (w *World) dumpSession(x *Session) json.RawMessage {
	s := x.Spec
	var runs []json.RawMessage
	known := false
	for _, r := range x.runs {
		var results []json.RawMessage
		for _, id := range r.results {
			ref, there := w.resultsByID[IDKey(id)]
			known = known || there
			results = append(results, object("id", id, "set", ref.set, "assets", w.assets.of(id)))
		}
		runs = append(runs, object("location", r.location, "sequenceId", r.sequence, "ends", r.planned, "waits", r.waits, "cancelled", r.cancelled,
			"results", results))
	}
	return object("id", s.ID, "checkId", s.CheckID, "name", s.Name, "type", s.Type, "locations", s.Locations, "startedAt", s.StartedAt,
		"duration", s.Duration, "outcome", s.Outcome, "progress", s.Progress, "failIn", s.FailIn, "attempts", s.Attempts,
		"responseTime", s.ResponseTime, "error", s.Error, "hasErrors", s.HasErrors, "result", s.Result, "visibleAfter", s.VisibleAfter,
		"runSource", s.RunSource,
		"stored", object("begins", x.begins, "checkRunId", x.runID, "noted", x.noted, "alerts", x.heapAt >= 0, "resultsForgotten", !known, "runs", runs))
}

func (w *World) dumpTest(t *TestSession) json.RawMessage {
	var runs []json.RawMessage
	for _, x := range t.runs {
		runs = append(runs, w.dumpSession(x))
	}
	return object("id", t.ID, "name", t.Name, "runLocation", t.Location, "metadata", t.Metadata,
		"stored", object("startedAt", t.started, "visibleAt", t.visible, "runs", runs))
}

// object returns an object with the members of pairs of a name and a value that is not zero.
func object(pairs ...any) json.RawMessage {
	var members []rawjson.Member
	for i := 0; i < len(pairs); i += 2 {
		value := pairs[i+1]
		if reflect.ValueOf(value).IsZero() {
			continue
		}
		switch v := value.(type) {
		case time.Duration:
			value = v.String()
		case time.Time:
			value = moment(v)
		}
		members = append(members, rawjson.Member{Name: pairs[i].(string), Value: JSON(value)})
	}
	return rawjson.Join(members)
}

// stored adds to an object what the account has made itself.
func stored(o, made json.RawMessage) json.RawMessage {
	return rawjson.Join(append(rawjson.Members(o), rawjson.Member{Name: "stored", Value: made}))
}

// moment writes a moment without loss.
func moment(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

func moments(list []time.Time) (written []string) {
	for _, t := range list {
		written = append(written, moment(t))
	}
	return written
}
