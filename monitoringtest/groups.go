package monitoringtest

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// groupDefaults are the members that a group has by default.
var groupDefaults = object{
	"activated": raw("true"), "muted": raw("false"), "tags": raw("[]"), "locations": raw("[]"), "concurrency": raw("3"),
	"apiCheckDefaults": raw("{}"), "browserCheckDefaults": raw(`""`), "runtimeId": raw("null"), "environmentVariables": raw("[]"),
	"alertChannelSubscriptions": raw("[]"), "setupSnippetId": raw("null"), "tearDownSnippetId": raw("null"),
	"localSetupScript": raw("null"), "localTearDownScript": raw("null"), "privateLocations": raw("[]"),
	"runParallel": raw("null"), "alertSettings": raw("null"), "retryStrategy": raw(`"FALLBACK"`),
	"useGlobalAlertSettings": raw("null"), "doubleCheck": raw("false"),
}

// AddGroup adds a check group and returns its id, which is generated if it is 0. The
// service keeps the group as JSON: a concurrency of 0 becomes the default of 3, nil lists
// and a nil BrowserCheckDefaults become empty, and a nil Muted or DoubleCheck false.
// Checks of a group that is not Activated are not started. It panics for a second group
// with the same id.
func (s *Service) AddGroup(g monitoring.CheckGroup) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	generated := s.newNumber("group")
	if g.ID == 0 {
		g.ID = generated
	}
	if g.Concurrency == 0 {
		g.Concurrency = 3
	}
	if g.CreatedAt.IsZero() {
		g.CreatedAt = at(time.Now())
	}
	g.CreatedAt, g.UpdatedAt = asWritten(g.CreatedAt), asWrittenOrNil(g.UpdatedAt)
	o := toObject(g)
	completeLists(o)
	for _, name := range []string{"tags", "locations", "alertChannelSubscriptions", "environmentVariables", "privateLocations"} {
		if rawjson.IsNull(o[name]) {
			o[name] = raw("[]")
		}
	}
	for name, value := range map[string]string{"muted": "false", "doubleCheck": "false", "browserCheckDefaults": `""`} {
		if o[name] == nil {
			o[name] = raw(value)
		}
	}
	if err := s.putGroupObject(g.ID, o); err != nil {
		panic("monitoringtest: " + err.Error())
	}
	return g.ID
}

// AddGroupJSON adds a check group as the JSON object the service returns for it, which
// must have an id. It panics for anything else.
func (s *Service) AddGroupJSON(group string) int64 {
	var o object
	var id int64
	if err := json.Unmarshal([]byte(group), &o); err != nil {
		panic("monitoringtest: the group is not a JSON object: " + err.Error())
	}
	if !o.get("id", &id) || id <= 0 {
		panic("monitoringtest: the group has no id, or one that is not a positive integer")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.putGroupObject(id, o); err != nil {
		panic("monitoringtest: " + err.Error())
	}
	return id
}

func (s *state) putGroupObject(id int64, o object) error {
	if s.groups[id] != nil {
		return fmt.Errorf("there is a group with the id %d", id)
	}
	s.groups[id] = o
	return nil
}

// Group returns a check group as the service has it, with its secrets.
func (s *Service) Group(id int64) (json.RawMessage, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.groups[id]
	if g == nil {
		return nil, false
	}
	return mustMarshal(g), true
}

func (s *Service) listGroups(c *call) response {
	var list []object
	for _, id := range slices.Sorted(maps.Keys(s.groups)) {
		g := s.groups[id]
		if c.selects("name", g.text("name")) && c.selects("tag", g.list("tags")...) {
			list = append(list, g)
		}
	}
	return s.list(c, len(list), func(i int) json.RawMessage { return mustMarshal(s.withhold(list[i])) })
}

func (s *Service) createGroup(c *call) response {
	completeLists(c.sent)
	id := s.newNumber("group")
	for s.groups[id] != nil { // a test has added it
		id = s.newNumber("group")
	}
	g := groupDefaults.with(c.sent)
	g.set("id", id)
	g.set("created_at", stamp(c.now))
	g["updated_at"] = raw("null")
	if text, given := c.param("autoAssignAlerts"); !given || text == "true" {
		s.subscribe(g)
	}
	s.groups[id] = g
	s.journal.did(c.operation, fmt.Sprint(id), g.text("name"))
	return reply(http.StatusCreated, s.withhold(g))
}

func (s *Service) getGroup(c *call) response {
	g := s.groups[number(c.params[0])]
	if g == nil {
		return notFound()
	}
	return success(s.withhold(g))
}

// putGroup changes the members that the body has. The others keep their values, or are
// set to their defaults with WithGroupResets.
func (s *Service) putGroup(c *call) response {
	id := number(c.params[0])
	g := s.groups[id]
	if g == nil {
		return notFound()
	}
	before := g
	if s.groupResets {
		g = maps.Clone(g)
		maps.Copy(g, groupDefaults)
	}
	completeLists(c.sent)
	merged := g.with(c.sent)
	keepSecret(before, merged)
	s.settle(c.now) // runs that ended before the update are judged by the old settings
	merged.set("updated_at", stamp(c.now))
	s.groups[id] = merged
	s.journal.did(c.operation, fmt.Sprint(id))
	return success(s.withhold(merged))
}

// listGroupChecks lists the checks of a group with its settings applied.
func (s *Service) listGroupChecks(c *call) response {
	id := number(c.params[0])
	if s.groups[id] == nil {
		return notFound()
	}
	var list []*check
	for _, candidate := range s.checks {
		if candidate.spec.GroupID == id {
			list = append(list, candidate)
		}
	}
	return s.list(c, len(list), func(i int) json.RawMessage {
		shown := s.readableCheck(list[i], s.withGroupSettings(list[i]))
		delete(shown, "dependencies")
		return mustMarshal(shown)
	})
}

// deleteGroup refuses to delete a group that still has checks.
func (s *Service) deleteGroup(c *call) response {
	id := number(c.params[0])
	g := s.groups[id]
	switch {
	case g == nil:
		return notFound()
	case slices.ContainsFunc(s.checks, func(c *check) bool { return c.spec.GroupID == id }):
		return fail(http.StatusConflict, "The check group still has checks.")
	}
	delete(s.groups, id)
	delete(s.queues, id)
	s.journal.did(c.operation, fmt.Sprint(id), g.text("name"))
	return noContent()
}
