package monitoringtest

import (
	"encoding/json"
	"maps"
	"strconv"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// AddGroup adds a check group and returns its id, which is made up when it is 0. It is
// kept as the JSON object that the group marshals to; a concurrency of 0 is the default
// of 3, lists and a BrowserCheckDefaults that are nil are empty, and a nil Muted or
// DoubleCheck is false. Checks of a group that is not Activated are not started.
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
	o := toObject(g)
	for _, name := range []string{"tags", "locations", "alertChannelSubscriptions", "environmentVariables", "privateLocations"} {
		if isNull(o[name]) {
			o[name] = raw("[]")
		}
	}
	for name, value := range map[string]string{"muted": "false", "doubleCheck": "false", "browserCheckDefaults": `""`} {
		if o[name] == nil {
			o[name] = raw(value)
		}
	}
	s.putGroupObject(g.ID, o)
	return g.ID
}

// AddGroupJSON adds a check group as the JSON object the service returns for it, which
// must have an id. It panics for anything else.
func (s *Service) AddGroupJSON(group string) int64 {
	var o object
	var id int64
	if err := json.Unmarshal([]byte(group), &o); err != nil {
		panic("monitoringtest: the group is no JSON object: " + err.Error())
	}
	if !o.get("id", &id) || id <= 0 {
		panic("monitoringtest: the group has no id")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.putGroupObject(id, o)
	return id
}

func (s *Service) putGroupObject(id int64, o object) {
	if s.groups[id] != nil {
		panic("monitoringtest: there is a group with the id " + strconv.FormatInt(id, 10))
	}
	s.groups[id] = o
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

var groupSchema = schema{
	"name": text, "activated": boolean, "muted": boolean, "tags": array | null, "locations": array | null, "concurrency": number,
	"apiCheckDefaults": members, "browserCheckDefaults": text, "runtimeId": text | null, "environmentVariables": array | null,
	"alertChannelSubscriptions": array | null, "setupSnippetId": integer | null, "tearDownSnippetId": integer | null,
	"localSetupScript": text | null, "localTearDownScript": text | null, "privateLocations": array | null,
	"runParallel": boolean | null, "alertSettings": members | null, "retryStrategy": members | text | null,
	"useGlobalAlertSettings": boolean | null, "doubleCheck": boolean,
}

var apiDefaultsSchema = schema{
	"url": text | null, "headers": array, "queryParameters": array, "assertions": array, "basicAuth": members | null,
}

func ruleGroup(o object) *bad {
	if o["name"] == nil {
		return badBody("name", "is required")
	}
	var concurrency float64
	if o.get("concurrency", &concurrency) && concurrency < 1 {
		return badBody("concurrency", "must be at least 1")
	}
	if s := o.text("retryStrategy"); s != "" && s != "FALLBACK" {
		return badBody("retryStrategy", "must be an object or FALLBACK")
	}
	var defaults object
	if o.get("apiCheckDefaults", &defaults) {
		return apiDefaultsSchema.check(defaults, "apiCheckDefaults.")
	}
	return nil
}

func (s *Service) getGroup(c *call) answer {
	g, problem := s.groupOf(c)
	switch {
	case problem != nil:
		return problem.answer()
	case g == nil:
		return notFound()
	}
	return ok(visibleGroup(g))
}

func visibleGroup(g object) object {
	g = maps.Clone(g)
	maskSecrets(g)
	return g
}

func (s *Service) groupOf(c *call) (object, *bad) {
	id, err := strconv.ParseInt(c.params[0], 10, 64)
	if err != nil || id <= 0 {
		return nil, badParam("id", "must be a positive integer")
	}
	return s.groups[id], nil
}

// putGroup changes what is sent, and keeps the rest.
func (s *Service) putGroup(c *call) answer {
	if problem := c.checkBool("autoAssignAlerts"); problem != nil {
		return problem.answer()
	}
	o, problem := c.bodyOf(groupSchema, ruleGroup, ruleCommon)
	if problem != nil {
		return problem.answer()
	}
	g, problem := s.groupOf(c)
	switch {
	case problem != nil:
		return problem.answer()
	case g == nil:
		return notFound()
	}
	merged := g.with(o, groupSchema)
	merged.set("updated_at", stamp(c.now))
	id, _ := strconv.ParseInt(c.params[0], 10, 64)
	s.groups[id] = merged
	s.journal.did(c.operation, strconv.FormatInt(id, 10))
	return ok(visibleGroup(merged))
}
