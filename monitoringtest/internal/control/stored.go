package control

import (
	"encoding/json"
	"fmt"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

// This file reads what a dump has written. An object of a dump is one of a seed, with a member in
// which stands what the service has made itself. It is taken as it is: nothing gets a default, and
// members and types may be any that the service has had.

// stored is the name of that member, and of the one beside the lists.
const stored = "stored"

// either reads an object of a dump in one way, and others in another.
func either(seeded func(node), dumped func(n, made node)) func(node) {
	return func(n node) {
		if rest, made := n.without(stored); made.value != nil {
			rest.asWritten = true
			dumped(rest, made)
		} else {
			seeded(n)
		}
	}
}

// without returns an object without a member, and the member.
func (n node) without(name string) (rest, member node) {
	members, _ := n.value.(map[string]any)
	member = n.member(name, members[name])
	if member.value == nil {
		return n, member
	}
	rest = n
	kept := make(map[string]any)
	for other, v := range members {
		if other != name {
			kept[other] = v
		}
	}
	var texts []rawjson.Member
	for _, m := range rawjson.Members(n.written) {
		if m.Name != name {
			texts = append(texts, m)
		}
	}
	rest.value, rest.written = kept, rawjson.Join(texts)
	return rest, member
}

// plain returns an object as it is written, on one line.
func (n node) plain() json.RawMessage { return rawjson.Compact(n.written) }

func (r *seeding) storedGroup(n, made node) {
	made.object()
	n.require("id")
	var members world.Object
	world.MustUnmarshal(n.plain(), &members)
	id := n.member("id", n.anything()["id"]).integer()
	r.once(n, "group", fmt.Sprint(id), r.world.Groups[id] != nil)
	r.add(func() { r.restore.Group(id, members) })
}

func (r *seeding) storedCheck(n, made node) {
	n.require("id")
	c, _ := r.checkOf(n)
	if err := world.VetPlan(&c, nil); err != nil {
		n.report("%w", err)
	}
	m := made.object("failed", "since", "alerted", "degraded", "next")
	a := world.Alerting{
		Failed: int(m("failed").integer()), Since: m("since").moment(), Alerted: m("alerted").boolean(), Degraded: m("degraded").boolean(),
	}
	next := m("next").moment()
	r.add(func() { r.restore.Check(c, a, next) })
}

func (r *seeding) storedSession(n, made node) {
	x, s := r.readSession(n, made)
	r.add(func() { r.restore.Session(x, s) })
}

// storedTest reads a test session, which only a dump has.
func (r *seeding) storedTest(n, made node) {
	n.require("id")
	m := n.object("id", "name", "runLocation", "metadata")
	t := world.TestSession{ID: m("id").text(), Name: m("name").text(), Location: m("runLocation").text()}
	if m("metadata").value != nil {
		t.Metadata = m("metadata").plain()
	}
	own := made.object("startedAt", "visibleAt", "runs")
	started, visible := own("startedAt").moment(), own("visibleAt").moment()
	r.add(func() { r.restore.TestSession(t, started, visible) })
	own("runs").each(func(n node) {
		n, made := n.without(stored)
		n.asWritten = true
		x, s := r.readSession(n, made)
		r.add(func() { r.restore.TestRun(x, s) })
	})
}

// readSession reads a session of a dump.
func (r *seeding) readSession(n, made node) (world.SessionSpec, world.SessionState) {
	n.require("id")
	x := r.sessionOf(n)
	m := made.object("begins", "checkRunId", "noted", "alerts", "resultsForgotten", "runs")
	s := world.SessionState{
		Begins: m("begins").moment(), RunID: m("checkRunId").integer(), Alerts: m("alerts").boolean(),
		ResultsForgotten: m("resultsForgotten").boolean(), Noted: m("noted").boolean(),
	}
	m("runs").each(func(n node) { s.Runs = append(s.Runs, r.storedRun(n)) })
	if len(s.Runs) == 0 {
		m("runs").report("is required")
	}
	return x, s
}

func (r *seeding) storedRun(n node) world.RunState {
	m := n.object("location", "sequenceId", "ends", "waits", "cancelled", "results")
	run := world.RunState{
		Location: m("location").text(), Sequence: m("sequenceId").text(), Ends: m("ends").moment(), Waits: m("waits").boolean(), Cancelled: m("cancelled").moment(),
	}
	m("results").each(func(n node) {
		m := n.object("id", "set", "assets")
		result := world.ResultState{ID: m("id").text(), Set: m("set").raws()}
		m("assets").each(func(n node) {
			var a monitoring.CheckResultAsset
			r.decode(n, &a)
			result.Assets = append(result.Assets, a)
		})
		run.Results = append(run.Results, result)
	})
	if len(run.Results) == 0 {
		m("results").report("is required")
	}
	return run
}

func (r *seeding) storedNotification(n, made node) {
	m := made.object("at", "sentAt")
	a, err := world.ReadAlert(n.plain(), m("at").moment(), m("sentAt").moment())
	if err != nil {
		n.report("%w", err)
	}
	r.add(func() { r.restore.Alert(a) })
}

// made reads what stands beside the lists of a dump.
func (r *seeding) made(n node) {
	if n.value == nil {
		return
	}
	m := n.object("ids", "lastRun", "queues")
	counts := make(map[string]uint64)
	for kind := range m("ids").anything() {
		counts[kind] = uint64(max(m("ids").member(kind, m("ids").anything()[kind]).integer(), 0))
	}
	last := m("lastRun").integer()
	r.add(func() { r.restore.Made(counts, last) })
	m("queues").each(func(n node) {
		q := n.object("groupId", "ends")
		group := q("groupId").integer()
		var ends []time.Time
		q("ends").each(func(n node) { ends = append(ends, n.moment()) })
		r.add(func() { r.restore.Queue(group, ends) })
	})
}

// decode reads an object in the form of the API.
func (r *seeding) decode(n node, into any) {
	if err := json.Unmarshal(n.written, into); err != nil {
		n.report("%w", err)
	}
}
