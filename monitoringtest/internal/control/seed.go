package control

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/fakeclock"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/front"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

// Seed adds what a JSON document describes. If the document has mistakes, nothing is added, and the
// error names each of them with its JSON path. What a document holds stands at monitoringtest.Seed.
func (c *Control) Seed(document []byte) error {
	now := c.world.Clock.Now()
	root, err := parseNode(document, now)
	if err != nil {
		return fmt.Errorf("monitoringtest: seed: %w", err)
	}
	c.world.Lock()
	defer c.world.Unlock()
	r := &seeding{Control: c, ids: make(map[string]bool), slugs: make(map[string]bool), restore: c.world.Restore()}
	r.read(root)
	if problems := *root.reports; len(problems) > 0 {
		return fmt.Errorf("monitoringtest: seed: %w", errors.Join(problems...))
	}
	c.world.Settle(now) // runs that ended before are judged by what was there
	for _, add := range r.adds {
		add()
	}
	return nil
}

// seeding is a document that is being read. Nothing is added before all of it was read.
type seeding struct {
	*Control
	ids  map[string]bool // of kinds and ids that the document adds
	adds []func()

	faults  []front.Fault
	slugs   map[string]bool // of private locations that the document adds
	restore world.Restore
}

var seedLists = []string{
	"groups", "alertChannels", "checks", "sessions", "testSessions", "variables", "maintenanceWindows", "alertNotifications",
	"checkAlerts", "errorGroups", "testSessionErrorGroups", "rootCauseAnalyses", "privateLocations", "snippets", "statusPageServices", "dashboards", "entitlements",
	"checkLimit", "faults", stored,
}

func (r *seeding) read(root node) {
	list := root.object(seedLists...)
	records := func(kinds ...*world.Kind) {
		for _, k := range kinds {
			list(k.List).each(r.recordOf(k))
		}
	}
	records(world.PrivateLocations)
	list("groups").each(either(r.group, r.storedGroup))
	list("alertChannels").each(either(r.alertChannel, r.storedRecord(world.AlertChannels)))
	list("checks").each(either(r.check, r.storedCheck))
	list("sessions").each(either(r.session, r.storedSession))
	list("testSessions").each(either(func(n node) { n.report("is no part of a seed: a trigger makes test sessions") }, r.storedTest))
	list("alertNotifications").each(either(r.notification, r.storedNotification))
	records(world.Variables, world.MaintenanceWindows, world.CheckAlerts, world.ErrorGroups, world.TestErrorGroups, world.RootCauseAnalyses,
		world.Snippets)
	list("faults").each(func(n node) {
		f := r.fault(n, r.faults)
		r.faults = append(r.faults, f)
		r.add(func() { r.front.AddFaults(f) })
	})
	records(world.Services, world.Dashboards)
	r.entitlements(list("entitlements"))
	if limit := list("checkLimit"); limit.value != nil {
		n := int(limit.integer())
		if n < 0 {
			limit.report("must not be negative")
		}
		r.add(func() { r.world.CheckLimit = n })
	}
	r.made(list(stored))
}

func (r *seeding) add(f func()) { r.adds = append(r.adds, f) }

// once reports an id that is already taken by another object of the kind.
func (r *seeding) once(n node, kind, id string, taken bool) {
	if taken || r.ids[kind+" "+id] {
		n.report("there is already %s with the id %s", world.A(kind), id)
	}
	r.ids[kind+" "+id] = true
}

// locations reports what is neither a region nor a private location.
func (r *seeding) locations(n node) {
	if _, isList := n.value.([]any); !isList {
		return // which is reported where it is read
	}
	n.each(func(item node) {
		if name, isText := item.value.(string); isText && !r.slugs[name] && !r.world.KnowsLocation(name) {
			item.report("%q is neither a region nor the slugName of a private location", name)
		}
	})
}

func (r *seeding) group(n node) {
	members, isObject := n.value.(map[string]any)
	if !isObject {
		n.report("must be an object")
		return
	}
	id := n.member("id", members["id"]).integer()
	if id < 0 {
		n.member("id", id).report("must be positive")
	}
	o := maps.Clone(world.GroupDefaults)
	o.Set("created_at", fakeclock.Stamp(n.now))
	o["updated_at"] = world.Raw("null")
	for _, name := range []string{"id", "created_at", "updated_at"} {
		if v := n.member(name, members[name]); v.value != nil && name != "id" {
			o.Set(name, fakeclock.Stamp(v.moment()))
		}
		delete(members, name)
	}
	for _, v := range schema.Lookup("PUT /v2/check-groups/{id}").Body.Check(world.JSON(members), schema.Service, nil) {
		n.member(v.Path, nil).report("%s", world.WithoutAdvice(v.Message))
	}
	r.locations(n.member("privateLocations", members["privateLocations"]))
	for name, v := range members {
		o.Set(name, v)
	}
	if id > 0 {
		r.once(n, "group", fmt.Sprint(id), r.world.Groups[id] != nil)
	}
	r.add(func() { r.world.AddGroupObject(id, o) })
}

var channelTypes = []string{"EMAIL", "SLACK", "SLACK_APP", "WEBHOOK", "SMS", "PAGERDUTY", "OPSGENIE", "CALL"}

func (r *seeding) alertChannel(n node) {
	m := n.object("id", "type", "config", "noFailures", "noRecoveries", "degraded", "sendTime", "status", "response")
	m("type").one(channelTypes...)
	c := world.AlertChannel{
		ID: m("id").integer(), Type: monitoring.AlertChannelType(m("type").text()), Config: m("config").anything(),
		NoFailures: m("noFailures").boolean(), NoRecoveries: m("noRecoveries").boolean(), Degraded: m("degraded").boolean(),
		SendTime: m("sendTime").duration(), Status: monitoring.AlertNotificationStatus(m("status").text()), Response: m("response").text(),
	}
	if err := r.world.Vet(world.AlertChannels, world.Object{"id": world.JSON(c.ID)}); err != nil {
		n.report("%w", err)
	}
	if c.ID > 0 {
		r.once(n, "alert channel", fmt.Sprint(c.ID), false)
	}
	r.add(func() { must(r.world.AddAlertChannel(c)) })
}

func (r *seeding) check(n node) {
	m := n.object(checkMembers...)
	m("type").one(schema.CheckTypes()...)
	c := r.checkOf(n, m)
	if group := m("groupId"); c.GroupID != 0 && r.world.Groups[c.GroupID] == nil && !r.ids[fmt.Sprint("group ", c.GroupID)] {
		group.report("there is no group with the id %d", c.GroupID)
	}
	plain := c
	plain.ID = ""
	if err := r.world.VetCheck(&plain); err != nil {
		n.report("%w", err)
	}
	r.locations(m("locations"))
	r.add(func() { must(r.world.AddCheck(c)) })
}

var (
	checkMembers = append([]string{"id", "name", "type", "tags", "locations", "groupId", "deactivated", "muted", "members"}, runMembers...)
	runMembers   = []string{
		"every", "runTime", "outcome", "outcomes", "progress", "failIn", "attempts", "responseTime", "error", "hasErrors", "result",
		"visibleAfter",
	}
)

func (r *seeding) checkOf(n node, m func(string) node) world.CheckSpec {
	c := world.CheckSpec{
		ID: m("id").uuid(), Name: m("name").text(), Type: monitoring.CheckType(m("type").text()), Tags: m("tags").texts(),
		Locations: m("locations").texts(), GroupID: m("groupId").integer(), Deactivated: m("deactivated").boolean(), Muted: m("muted").boolean(),
		Members: m("members").raws(), Every: m("every").duration(), RunTime: m("runTime").duration(), Outcome: monitoring.CheckSessionStatus(m("outcome").text()),
		Progress: monitoring.CheckSessionStatus(m("progress").text()), FailIn: m("failIn").texts(), Attempts: int(m("attempts").integer()),
		ResponseTime: m("responseTime").duration(), Error: m("error").text(), HasErrors: m("hasErrors").boolean(), Result: m("result").anything(),
		VisibleAfter: m("visibleAfter").duration(), Outcomes: m("outcomes").statuses(),
	}
	if schema.IsUUID(c.ID) {
		r.once(n, "check", c.ID, r.world.Check(c.ID) != nil)
	}
	return c
}

func (r *seeding) session(n node) {
	m := n.object(sessionMembers...)
	m("type").one(schema.CheckTypes()...)
	x := r.sessionOf(n, m)
	plain := x
	plain.ID, plain.CheckID = "", ""
	if err := r.world.VetSession(&plain); err != nil {
		n.report("%w", err)
	}
	r.locations(m("locations"))
	r.add(func() { must(r.world.AddSession(x)) })
}

var sessionMembers = []string{
	"id", "checkId", "name", "type", "locations", "startedAt", "duration", "outcome", "progress", "failIn", "attempts", "responseTime",
	"error", "hasErrors", "result", "visibleAfter", "runSource",
}

func (r *seeding) sessionOf(n node, m func(string) node) world.SessionSpec {
	x := world.SessionSpec{
		ID: m("id").uuid(), CheckID: m("checkId").uuid(), Name: m("name").text(), Type: monitoring.CheckType(m("type").text()),
		Locations: m("locations").texts(), StartedAt: m("startedAt").moment(), Duration: m("duration").duration(),
		Outcome: monitoring.CheckSessionStatus(m("outcome").text()), Progress: monitoring.CheckSessionStatus(m("progress").text()),
		FailIn: m("failIn").texts(), Attempts: int(m("attempts").integer()), ResponseTime: m("responseTime").duration(), Error: m("error").text(),
		HasErrors: m("hasErrors").boolean(), Result: m("result").anything(), VisibleAfter: m("visibleAfter").duration(),
		RunSource: monitoring.RunSource(m("runSource").text()),
	}
	if schema.IsUUID(x.ID) {
		r.once(n, "session", x.ID, r.world.HasSession(x.ID))
	}
	return x
}

func (r *seeding) notification(n node) {
	var a monitoring.AlertNotification
	r.record(n, &a, []string{"timestamp"}, "id", "type", "status", "alertConfig", "notificationResult", "checkType", "checkId", "checkAlertId",
		"alertChannelId", "checkResultId")
	if a.ID != "" {
		r.once(n, "alert notification", a.ID, r.world.HasAlert(a.ID))
	}
	r.add(func() { must(r.world.AddAlert(a)) })
}

// record reads an object in the form of the API, in which times may be relative.
func (r *seeding) record(n node, into any, moments []string, others ...string) {
	if n.asWritten {
		r.decode(n, into)
		return
	}
	m := n.object(append(slices.Clone(moments), others...)...)
	members := n.raws()
	for _, name := range moments {
		if v := m(name); v.value != nil {
			members[name] = fakeclock.Stamp(v.moment())
		}
	}
	if err := json.Unmarshal(world.JSON(members), into); err != nil {
		n.report("%w", err)
	}
}

// must panics for a mistake that reading the document has not found.
func must[T any](_ T, err error) {
	if err != nil {
		panic("monitoringtest: seed: " + err.Error())
	}
}
