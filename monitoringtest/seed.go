package monitoringtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/schema"
)

// Seed adds what a JSON document describes. If the document has mistakes, nothing is
// added, and the error names each mistake with its JSON path, such as
// "$.checks[1].attempts: must be an integer".
//
// The document is an object with any of these lists: groups, maintenanceWindows and
// alertNotifications, as the API writes them; alertChannels, checks, sessions, variables
// and faults, whose members are those of [AlertChannel], [Check], [Session],
// [monitoring.EnvironmentVariable] and [Fault], with a small first letter; and
// statusPageServices and dashboards, which are lists of ids. Durations are written as in
// "1m30s". Times are ISO 8601 timestamps, or relative as in "now-1h30m", so that a file
// need not be updated.
func (s *Service) Seed(document []byte) error {
	now := time.Now()
	root, err := parseNode(document, now)
	if err != nil {
		return fmt.Errorf("monitoringtest: seed: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	r := &seeding{Service: s, now: now, ids: make(map[string]bool)}
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
	*Service
	now  time.Time
	ids  map[string]bool // of kinds and ids that the document adds
	adds []func()
}

var seedLists = []string{
	"groups", "alertChannels", "checks", "sessions", "variables", "maintenanceWindows", "alertNotifications",
	"faults", "statusPageServices", "dashboards",
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
	list("faults").each(func(n node) {
		f := r.fault(n)
		r.add(func() { r.addFaults(f) })
	})
	list("statusPageServices").each(func(n node) {
		id := n.uuid()
		r.add(func() { r.services[id] = true })
	})
	list("dashboards").each(func(n node) {
		id := n.text()
		r.add(func() { r.dashboards[id] = true })
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
	o := maps.Clone(groupDefaults)
	o.set("created_at", stamp(n.now))
	o["updated_at"] = raw("null")
	for _, name := range []string{"id", "created_at", "updated_at"} {
		if v := n.member(name, members[name]); v.value != nil && name != "id" {
			o.set(name, stamp(v.moment()))
		}
		delete(members, name)
	}
	for _, v := range schema.Lookup("PUT /v2/check-groups/{id}").Body.Check(mustMarshal(members), schema.Service, nil) {
		n.member(v.Path, nil).report("%s", withoutAdvice(v.Message))
	}
	for name, v := range members {
		o.set(name, v)
	}
	if id > 0 {
		r.once(n, "group", fmt.Sprint(id), r.groups[id] != nil)
	}
	r.add(func() {
		generated := r.newNumber("group")
		if id == 0 {
			id = generated
		}
		o.set("id", id)
		r.groups[id] = o
	})
}

var channelTypes = []string{"EMAIL", "SLACK", "SLACK_APP", "WEBHOOK", "SMS", "PAGERDUTY", "OPSGENIE", "CALL"}

func (r *seeding) alertChannel(n node) {
	m := n.object("id", "type", "config", "noFailures", "noRecoveries", "degraded", "sendTime", "status", "response")
	c := AlertChannel{
		ID: m("id").integer(), Type: monitoring.AlertChannelType(m("type").one(channelTypes...)), Config: m("config").anything(),
		NoFailures: m("noFailures").boolean(), NoRecoveries: m("noRecoveries").boolean(), Degraded: m("degraded").boolean(),
		SendTime: m("sendTime").duration(), Status: monitoring.AlertNotificationStatus(m("status").text()), Response: m("response").text(),
	}
	if err := r.checkChannel(&c); err != nil {
		n.report("%w", err)
	}
	if c.ID > 0 {
		r.once(n, "alert channel", fmt.Sprint(c.ID), false)
	}
	r.add(func() { r.addChannel(c, r.now) })
}

var checkTypes = []string{
	"AGENTIC", "API", "BROWSER", "HEARTBEAT", "ICMP", "MULTI_STEP", "TCP", "PLAYWRIGHT", "TRACEROUTE", "URL", "DNS", "SSL", "GRPC",
}

func (r *seeding) check(n node) {
	m := n.object("id", "name", "type", "tags", "locations", "groupId", "deactivated", "muted", "members", "runTime", "outcome", "outcomes",
		"progress", "failIn", "attempts", "responseTime", "error", "hasErrors", "result", "visibleAfter")
	c := Check{
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
	if group := m("groupId"); c.GroupID != 0 && r.groups[c.GroupID] == nil && !r.ids[fmt.Sprint("group ", c.GroupID)] {
		group.report("there is no group with the id %d", c.GroupID)
	}
	if schema.IsUUID(c.ID) {
		r.once(n, "check", c.ID, r.checksByID[c.ID] != nil)
	}
	plain := c
	plain.ID = ""
	if err := r.checkCheck(&plain); err != nil {
		n.report("%w", err)
	}
	r.add(func() { r.addNewCheck(c, r.now) })
}

func (r *seeding) session(n node) {
	m := n.object("id", "checkId", "name", "type", "locations", "startedAt", "duration", "outcome", "progress", "failIn", "attempts",
		"responseTime", "error", "hasErrors", "result", "visibleAfter", "runSource")
	x := Session{
		ID: m("id").uuid(), CheckID: m("checkId").uuid(), Name: m("name").text(), Type: monitoring.CheckType(m("type").one(checkTypes...)),
		Locations: m("locations").texts(), StartedAt: m("startedAt").moment(), Duration: m("duration").duration(),
		Outcome: monitoring.CheckSessionStatus(m("outcome").text()), Progress: monitoring.CheckSessionStatus(m("progress").text()),
		FailIn: m("failIn").texts(), Attempts: int(m("attempts").integer()), ResponseTime: m("responseTime").duration(), Error: m("error").text(),
		HasErrors: m("hasErrors").boolean(), Result: m("result").anything(), VisibleAfter: m("visibleAfter").duration(),
		RunSource: monitoring.RunSource(m("runSource").text()),
	}
	if schema.IsUUID(x.ID) {
		r.once(n, "session", x.ID, r.sessionsByID[x.ID] != nil)
	}
	plain := x
	plain.ID, plain.CheckID = "", ""
	if err := r.checkSession(&plain); err != nil {
		n.report("%w", err)
	}
	r.add(func() { r.addWatched(x, r.now) })
}

func (r *seeding) variable(n node) {
	m := n.object("key", "value", "locked", "secret")
	v := monitoring.EnvironmentVariable{
		Key: m("key").text(), Value: secret(m("value").text()), Locked: new(m("locked").boolean()), Secret: new(m("secret").boolean()),
	}
	if v.Key == "" {
		m("key").report("is required")
	}
	r.add(func() { r.addVariable(v) })
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
	r.add(func() {
		r.settle(r.now)
		r.addWindow(w, r.now)
	})
}

func (r *seeding) notification(n node) {
	var a monitoring.AlertNotification
	r.record(n, &a, []string{"timestamp"}, "id", "type", "status", "alertConfig", "notificationResult", "checkType", "checkId", "checkAlertId",
		"alertChannelId", "checkResultId")
	r.add(func() { r.addAlert(a) })
}

// record reads an object in the form of the API, in which times may be relative.
func (r *seeding) record(n node, into any, moments []string, others ...string) {
	m := n.object(append(slices.Clone(moments), others...)...)
	members := maps.Clone(n.anything())
	for _, name := range moments {
		if v := m(name); v.value != nil {
			members[name] = stamp(v.moment())
		}
	}
	if err := json.Unmarshal(mustMarshal(members), into); err != nil {
		n.report("%w", err)
	}
}

// fault reads a fault.
func (s *Service) fault(n node) Fault {
	m := n.object("operation", "id", "page", "bodyContains", "account", "attempt", "after", "times", "probability", "kind", "status", "header",
		"body", "noBody", "delay", "delayAfter", "bodyTime", "cutAfter")
	f := Fault{
		Operation: m("operation").text(), ID: m("id").text(), Page: int(m("page").integer()), BodyContains: m("bodyContains").text(),
		Account: m("account").text(), Attempt: int(m("attempt").integer()), After: int(m("after").integer()), Times: int(m("times").integer()),
		Probability: m("probability").number(), Status: int(m("status").integer()), Body: m("body").text(), NoBody: m("noBody").boolean(),
		Delay: m("delay").duration(), DelayAfter: m("delayAfter").duration(), BodyTime: m("bodyTime").duration(), CutAfter: m("cutAfter").duration(),
	}
	_ = f.Kind.UnmarshalText([]byte(m("kind").one(faultWords...))) // one has reported a text that is not a kind
	header := m("header")
	for _, name := range sortedNames(header.anything()) {
		if f.Header == nil {
			f.Header = make(http.Header)
		}
		f.Header.Set(name, header.member(name, header.anything()[name]).text())
	}
	if err := s.checkFault(&f); err != nil {
		n.report("%w", err)
	}
	return f
}
