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
		n.report("%s with the id %s exists already", world.A(kind), id)
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
	if assigns := members["autoAssignAlerts"]; assigns != nil { // of a create, in a file of groups
		n.member("autoAssignAlerts", assigns).boolean()
	}
	delete(members, "autoAssignAlerts")
	if bindings := members["projectBindings"]; bindings != nil {
		o.Set("projectBindings", bindings)
	}
	delete(members, "projectBindings")
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

// alertChannel reads a channel in the form of the API, with how sending goes in its member runs, or
// one with the members of an AlertChannel.
func (r *seeding) alertChannel(n node) {
	n.member("type", n.anything()["type"]).one(channelTypes...)
	var c world.AlertChannel
	if n.hasOther(namesOf(c)) {
		r.seeded(world.AlertChannels, n)
		return
	}
	n.fill(&c, namesOf(c))
	r.known(world.AlertChannels, n, world.Object{"id": world.JSON(c.ID)})
	r.add(func() { must(r.world.AddAlertChannel(c)) })
}

// hasOther reports whether an object has a member beside some. One that is mistyped is reported
// later.
func (n node) hasOther(names []string) bool {
	members, _ := n.value.(map[string]any)
	return slices.ContainsFunc(world.AlertChannels.Names(), func(name string) bool { return members[name] != nil && !slices.Contains(names, name) }) ||
		members["runs"] != nil
}

var (
	ofSession = namesOf(world.SessionSpec{})
	ofRuns    = namesOf(world.CheckSpec{}, world.OfCheck...)
)

// check reads a check in the form of the API, with how its runs go in its member runs, or one with
// the members of a Check.
func (r *seeding) check(n node) {
	c, isAPI := r.checkOf(n)
	if group := n.member("groupId", nil); c.GroupID != 0 && r.world.Groups[c.GroupID] == nil && !r.ids[fmt.Sprint("group ", c.GroupID)] {
		group.report("there is no group with the id %d", c.GroupID)
	}
	plain := c
	plain.ID = ""
	if err := r.world.VetCheck(&plain); err != nil {
		n.report("%w", err)
	}
	r.locations(n.member("locations", n.anything()["locations"]))
	if isAPI {
		r.locations(n.member("privateLocations", n.anything()["privateLocations"]))
	}
	r.add(func() { must(r.world.AddCheck(c)) })
}

// checkOf reads the spec of a check, and whether it is in the form of the API.
func (r *seeding) checkOf(n node) (c world.CheckSpec, isAPI bool) {
	members, isObject := n.value.(map[string]any)
	switch isAPI = members["checkType"] != nil || members["runs"] != nil; {
	case !isObject:
		n.report("must be an object")
	case isAPI:
		c = r.apiCheck(n)
	default:
		n.fill(&c, namesOf(c), "id")
		n.member("type", members["type"]).one(schema.CheckTypes()...)
	}
	if schema.IsUUID(c.ID) {
		r.once(n, "check", c.ID, r.world.Check(c.ID) != nil)
	}
	return c, isAPI
}

// apiCheck reads a check as the service writes it, also one that has members which nobody knows.
func (r *seeding) apiCheck(n node) (c world.CheckSpec) {
	rest, runs := n.without("runs")
	if runs.value != nil {
		runs.fill(&c, ofRuns)
	}
	c.Members = rest.raws()
	m := func(name string) node { return n.member(name, n.anything()[name]) }
	for _, name := range append([]string{"type", "deactivated", "members"}, ofRuns...) {
		if c.Members[name] != nil {
			m(name).report("stands beside checkType: how runs go stands in runs")
		}
	}
	c.ID, c.Name, c.GroupID = m("id").uuid(), m("name").text(), m("groupId").integer()
	if c.Type = monitoring.CheckType(m("checkType").text()); c.Type == "" {
		c.Type = monitoring.CheckTypeAPI
	} else if !n.asWritten {
		m("checkType").one(schema.CheckTypes()...)
	}
	for _, name := range []string{"created_at", "updated_at"} {
		if v := m(name); v.value != nil && !n.asWritten {
			c.Members[name] = fakeclock.Stamp(v.moment())
		}
	}
	if !n.asWritten {
		n.require("name")
		delete(c.Members, "id")
		delete(c.Members, "alertChannels")    // which follow from its subscriptions
		delete(c.Members, "autoAssignAlerts") // of a create, in a file of checks
	}
	return c
}

func (r *seeding) session(n node) {
	x := r.sessionOf(n)
	n.member("type", n.anything()["type"]).one(schema.CheckTypes()...)
	r.locations(n.member("locations", n.anything()["locations"]))
	r.add(func() { must(r.world.AddSession(x)) })
}

func (r *seeding) sessionOf(n node) (x world.SessionSpec) {
	n.fill(&x, ofSession, "id", "checkId")
	plain := x
	plain.ID, plain.CheckID = "", ""
	if err := r.world.VetSession(&plain); err != nil {
		n.report("%w", err)
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
