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
	r := &seeding{Control: c, ids: make(map[string]bool)}
	r.read(root)
	if problems := *root.reports; len(problems) > 0 {
		return fmt.Errorf("monitoringtest: seed: %w", errors.Join(problems...))
	}
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

	faults []front.Fault
}

var seedLists = []string{
	"groups", "alertChannels", "checks", "sessions", "variables", "maintenanceWindows", "alertNotifications",
	"faults", "statusPageServices", "dashboards", "snippets",
}

func (r *seeding) read(root node) {
	list := root.object(seedLists...)
	list("groups").each(r.group)
	list("alertChannels").each(r.alertChannel)
	list("checks").each(r.check)
	list("sessions").each(r.session)
	list("variables").each(r.variable)
	list("maintenanceWindows").each(r.window)
	list("alertNotifications").each(r.notification)
	list("snippets").each(r.snippet)
	list("faults").each(func(n node) {
		f := r.fault(n, r.faults)
		r.faults = append(r.faults, f)
		r.add(func() { r.front.AddFaults(f) })
	})
	list("statusPageServices").each(func(n node) {
		id := n.uuid()
		r.add(func() { must(r.world.AddStatusPageService(id)) })
	})
	list("dashboards").each(func(n node) {
		id := n.text()
		r.add(func() { r.world.Dashboards[id] = true })
	})
}

func (r *seeding) add(f func()) { r.adds = append(r.adds, f) }

// once reports an id that is already taken by another object of the kind.
func (r *seeding) once(n node, kind, id string, taken bool) {
	if taken || r.ids[kind+" "+id] {
		n.report("there is already a %s with the id %s", kind, id)
	}
	r.ids[kind+" "+id] = true
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
	c := world.AlertChannel{
		ID: m("id").integer(), Type: monitoring.AlertChannelType(m("type").one(channelTypes...)), Config: m("config").anything(),
		NoFailures: m("noFailures").boolean(), NoRecoveries: m("noRecoveries").boolean(), Degraded: m("degraded").boolean(),
		SendTime: m("sendTime").duration(), Status: monitoring.AlertNotificationStatus(m("status").text()), Response: m("response").text(),
	}
	if err := r.world.VetAlertChannel(&c); err != nil {
		n.report("%w", err)
	}
	if c.ID > 0 {
		r.once(n, "alert channel", fmt.Sprint(c.ID), false)
	}
	r.add(func() { must(r.world.AddAlertChannel(c)) })
}

var checkTypes = []string{
	"AGENTIC", "API", "BROWSER", "HEARTBEAT", "ICMP", "MULTI_STEP", "TCP", "PLAYWRIGHT", "TRACEROUTE", "URL", "DNS", "SSL", "GRPC",
}

func (r *seeding) check(n node) {
	m := n.object("id", "name", "type", "tags", "locations", "groupId", "deactivated", "muted", "members", "runTime", "outcome", "outcomes",
		"progress", "failIn", "attempts", "responseTime", "error", "hasErrors", "result", "visibleAfter")
	c := world.CheckSpec{
		ID: m("id").uuid(), Name: m("name").text(), Type: monitoring.CheckType(m("type").one(checkTypes...)), Tags: m("tags").texts(),
		Locations: m("locations").texts(), GroupID: m("groupId").integer(), Deactivated: m("deactivated").boolean(), Muted: m("muted").boolean(),
		Members: m("members").anything(), RunTime: m("runTime").duration(), Outcome: monitoring.CheckSessionStatus(m("outcome").text()),
		Progress: monitoring.CheckSessionStatus(m("progress").text()), FailIn: m("failIn").texts(), Attempts: int(m("attempts").integer()),
		ResponseTime: m("responseTime").duration(), Error: m("error").text(), HasErrors: m("hasErrors").boolean(), Result: m("result").anything(),
		VisibleAfter: m("visibleAfter").duration(),
	}
	for _, o := range m("outcomes").texts() {
		c.Outcomes = append(c.Outcomes, monitoring.CheckSessionStatus(o))
	}
	if group := m("groupId"); c.GroupID != 0 && r.world.Groups[c.GroupID] == nil && !r.ids[fmt.Sprint("group ", c.GroupID)] {
		group.report("there is no group with the id %d", c.GroupID)
	}
	if schema.IsUUID(c.ID) {
		r.once(n, "check", c.ID, r.world.Check(c.ID) != nil)
	}
	plain := c
	plain.ID = ""
	if err := r.world.VetCheck(&plain); err != nil {
		n.report("%w", err)
	}
	r.add(func() { must(r.world.AddCheck(c)) })
}

func (r *seeding) session(n node) {
	m := n.object("id", "checkId", "name", "type", "locations", "startedAt", "duration", "outcome", "progress", "failIn", "attempts",
		"responseTime", "error", "hasErrors", "result", "visibleAfter", "runSource")
	x := world.SessionSpec{
		ID: m("id").uuid(), CheckID: m("checkId").uuid(), Name: m("name").text(), Type: monitoring.CheckType(m("type").one(checkTypes...)),
		Locations: m("locations").texts(), StartedAt: m("startedAt").moment(), Duration: m("duration").duration(),
		Outcome: monitoring.CheckSessionStatus(m("outcome").text()), Progress: monitoring.CheckSessionStatus(m("progress").text()),
		FailIn: m("failIn").texts(), Attempts: int(m("attempts").integer()), ResponseTime: m("responseTime").duration(), Error: m("error").text(),
		HasErrors: m("hasErrors").boolean(), Result: m("result").anything(), VisibleAfter: m("visibleAfter").duration(),
		RunSource: monitoring.RunSource(m("runSource").text()),
	}
	if schema.IsUUID(x.ID) {
		r.once(n, "session", x.ID, r.world.HasSession(x.ID))
	}
	plain := x
	plain.ID, plain.CheckID = "", ""
	if err := r.world.VetSession(&plain); err != nil {
		n.report("%w", err)
	}
	r.add(func() { must(r.world.AddSession(x)) })
}

func (r *seeding) variable(n node) {
	m := n.object("key", "value", "locked", "secret")
	v := monitoring.EnvironmentVariable{
		Key: m("key").text(), Value: monitoring.NewSecret(m("value").text()), Locked: new(m("locked").boolean()),
		Secret: new(m("secret").boolean()),
	}
	if v.Key == "" {
		m("key").report("is required")
	}
	r.add(func() { r.world.AddVariables(v) })
}

func (r *seeding) window(n node) {
	var w monitoring.MaintenanceWindow
	r.record(n, &w, []string{"startsAt", "endsAt", "created_at", "updated_at", "repeatEndsAt"},
		"id", "name", "tags", "repeatInterval", "repeatUnit", "timezone", "description", "statusPageVisibility",
		"pauseAllChecks", "silenceAlertsTags", "silenceAllAlerts")
	for _, name := range []string{"name", "startsAt", "endsAt"} {
		if n.anything()[name] == nil {
			n.member(name, nil).report("is required")
		}
	}
	if w.EndsAt.Before(w.StartsAt.Time) {
		n.member("endsAt", nil).report("is before startsAt")
	}
	r.add(func() { r.world.AddWindow(w) })
}

func (r *seeding) notification(n node) {
	var a monitoring.AlertNotification
	r.record(n, &a, []string{"timestamp"}, "id", "type", "status", "alertConfig", "notificationResult", "checkType", "checkId", "checkAlertId",
		"alertChannelId", "checkResultId")
	r.add(func() { r.world.AddAlert(a) })
}

func (r *seeding) snippet(n node) {
	var s monitoring.Snippet
	r.record(n, &s, []string{"created_at", "updated_at"}, "id", "name", "script")
	for _, name := range []string{"name", "script"} {
		if n.anything()[name] == nil {
			n.member(name, nil).report("is required")
		}
	}
	if err := r.world.VetSnippet(&s); err != nil {
		n.report("%w", err)
	}
	if s.ID > 0 {
		r.once(n, "snippet", fmt.Sprint(s.ID), false)
	}
	r.add(func() { must(r.world.AddSnippet(s)) })
}

// record reads an object in the form of the API, in which times may be relative.
func (r *seeding) record(n node, into any, moments []string, others ...string) {
	m := n.object(append(slices.Clone(moments), others...)...)
	members := maps.Clone(n.anything())
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
