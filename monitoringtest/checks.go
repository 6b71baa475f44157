package monitoringtest

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// Check is a check of the service, and what its runs are like. The zero value is an
// API check that passes.
type Check struct {
	// ID is made up when it is empty.
	ID string
	// Name is "Check 1" and so on when it is empty.
	Name string
	// Type is API when it is empty.
	Type monitoring.CheckType
	Tags []string
	// Locations are where it runs; eu-central-1 when there are none.
	Locations []string
	// GroupID is the group it belongs to, whose tags count, too; 0 is none.
	GroupID int64
	// RunTime is how long a session of it takes; 0 is the default of the service,
	// see [WithRunTime].
	RunTime time.Duration
	// Outcome is how its sessions end; PASSED when it is empty.
	Outcome monitoring.CheckSessionStatus
	// Outcomes is how its first, second and further sessions end; later ones end with
	// Outcome.
	Outcomes []monitoring.CheckSessionStatus
	// FailIn names the locations in which a failing session fails; all when it is empty.
	FailIn []string
	// Attempts is how many tries fail in each location before the final one.
	Attempts int
	// ResponseTime is that of its results; 0 makes one up that fits.
	ResponseTime time.Duration
	// Error is the message of failing results; there is one for each type by default.
	Error string
	// Deactivated checks are not run.
	Deactivated bool
	// Members are further members of the check as the service returns it after an
	// update, such as "script"; they replace those made up.
	Members map[string]any
}

type check struct {
	spec    Check
	members object
	runs    int
}

// AddCheck adds a check and returns its id. It panics for a second one with the same
// id, and for an outcome no session can have.
func (s *Service) AddCheck(c Check) string {
	if c.Type == "" {
		c.Type = monitoring.CheckTypeAPI
	}
	for _, o := range append(slices.Clone(c.Outcomes), c.Outcome) {
		mustBeOutcome(o)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	generated := s.newID("check")
	if c.ID == "" {
		c.ID = generated
	}
	if s.checksByID[c.ID] != nil {
		panic("monitoringtest: there is a check with the id " + c.ID)
	}
	if c.Name == "" {
		c.Name = "Check " + itoa(len(s.checks)+1)
	}
	if len(c.Locations) == 0 {
		c.Locations = []string{string(monitoring.RegionEUCentral1)}
	}
	m := defaultCheck(c.Type, now)
	m.set("id", c.ID)
	m.set("name", c.Name)
	m.set("activated", !c.Deactivated)
	m.set("tags", append([]string{}, c.Tags...))
	public, private := []string{}, []string{}
	for _, l := range c.Locations {
		if regions[l] {
			public = append(public, l)
		} else {
			private = append(private, l)
		}
	}
	m.set("locations", public)
	m.set("privateLocations", private)
	if c.GroupID != 0 {
		m.set("groupId", c.GroupID)
	}
	for name, v := range c.Members {
		m.set(name, v)
	}
	s.addCheck(&check{spec: c, members: m})
	return c.ID
}

func (s *Service) addCheck(c *check) {
	s.checks = append(s.checks, c)
	s.checksByID[c.spec.ID] = c
}

// Check returns a check as the service has it: the JSON object that its update returns.
func (s *Service) Check(id string) (json.RawMessage, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.checksByID[id]
	if c == nil {
		return nil, false
	}
	return mustMarshal(c.members), true
}

// SetOutcome changes how the sessions of a check end that start from now on.
func (s *Service) SetOutcome(checkID string, outcome monitoring.CheckSessionStatus) {
	mustBeOutcome(outcome)
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.checksByID[checkID]
	if c == nil {
		panic("monitoringtest: there is no check with the id " + checkID)
	}
	c.spec.Outcome, c.spec.Outcomes = outcome, nil
}

// SetCheckLimit sets how many checks the plan includes: creating more is 402. 0 is no
// limit.
func (s *Service) SetCheckLimit(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.checkLimit = n
}

// defaultCheck is what a check has that says nothing.
func defaultCheck(kind monitoring.CheckType, now time.Time) object {
	m := object{
		"activated": raw("true"), "muted": raw("false"), "doubleCheck": raw("false"), "shouldFail": raw("false"),
		"locations": raw("[]"), "tags": raw("[]"), "alertSettings": raw(defaultAlertSettings), "useGlobalAlertSettings": raw("true"),
		"groupId": raw("null"), "groupOrder": raw("null"), "runtimeId": raw("null"), "alertChannelSubscriptions": raw("[]"),
		"retryStrategy": raw("null"), "triggerIncident": raw("null"), "runParallel": raw("false"), "description": raw("null"),
		"frequency": raw("10"), "privateLocations": raw("[]"),
		"alertChannels": raw(`{"email":[],"webhook":[],"slack":[],"sms":[]}`), "updated_at": raw("null"),
	}
	m.set("checkType", kind)
	m.set("created_at", stamp(now))
	switch kind {
	case monitoring.CheckTypeBrowser:
		m.set("script", "const { test } = require('@playwright/test')\n")
		m["sslCheckDomain"], m["environmentVariables"] = raw("null"), raw("[]")
	case monitoring.CheckTypeTCP, monitoring.CheckTypeAPI:
		m["frequencyOffset"] = raw("1")
		m["degradedResponseTime"], m["maxResponseTime"] = raw("3000"), raw("5000")
	}
	return m
}

const defaultAlertSettings = `{"escalationType":"RUN_BASED","runBasedEscalation":{"failedRunThreshold":1},` +
	`"reminders":{"amount":0,"interval":5},"parallelRunFailureThreshold":{"enabled":false,"percentage":10}}`

func raw(s string) json.RawMessage { return json.RawMessage(s) }

var checkSchema = schema{
	"name": text, "activated": boolean, "muted": boolean, "doubleCheck": boolean, "shouldFail": boolean,
	"locations": array | null, "tags": array | null, "alertSettings": members | null, "useGlobalAlertSettings": boolean,
	"groupId": integer | null, "groupOrder": number | null, "runtimeId": text | null, "alertChannelSubscriptions": array | null,
	"retryStrategy": members | null, "triggerIncident": members | null, "runParallel": boolean, "description": text | null,
	"frequency": integer, "privateLocations": array | null, "checkType": text,
	"intent": members | null, "aiAutoRepairEnabled": boolean | null,
}

func (s schema) and(more schema) schema {
	all := maps.Clone(s)
	maps.Copy(all, more)
	return all
}

var (
	tcpSchema = checkSchema.and(schema{
		"request": members, "frequencyOffset": integer, "degradedResponseTime": number | null, "maxResponseTime": number | null,
	})
	browserSchema = checkSchema.and(schema{
		"script": text | null, "scriptPath": text | null, "dependencies": array | null, "sslCheckDomain": text | null,
		"environmentVariables": array | null,
	})
	anySchema = tcpSchema.and(browserSchema).and(schema{
		"setupSnippetId": integer | null, "tearDownSnippetId": integer | null, "localSetupScript": text | null,
		"localTearDownScript": text | null, "heartbeat": members | null,
	})
	tcpRequestSchema = schema{
		"hostname": text, "port": integer, "data": text | null, "assertions": array, "ipFamily": text,
		"url": text, "body": text | null,
	}
)

func ruleTCP(o object) *bad {
	if o["name"] == nil {
		return badBody("name", "is required")
	}
	var request object
	if !o.get("request", &request) {
		return badBody("request", "is required")
	}
	if problem := tcpRequestSchema.check(request, "request."); problem != nil {
		return problem
	}
	var port float64
	if !request.get("port", &port) {
		return badBody("request.port", "is required")
	}
	if port < 1 || port > 65535 {
		return badBody("request.port", "must be between 1 and 65535")
	}
	if family := request.text("ipFamily"); family != "" && family != "IPv4" && family != "IPv6" {
		return badBody("request.ipFamily", "must be one of IPv4, IPv6")
	}
	if kind := o.text("checkType"); kind != "" && kind != "TCP" {
		return badBody("checkType", "must be TCP")
	}
	return nil
}

func (s *Service) createTCP(c *call) answer {
	if problem := c.checkBool("autoAssignAlerts"); problem != nil {
		return problem.answer()
	}
	o, problem := c.bodyOf(tcpSchema, ruleTCP, ruleCommon, ruleCheck, ruleOffset)
	if problem != nil {
		return problem.answer()
	}
	if s.checkLimit > 0 && len(s.checks) >= s.checkLimit {
		return fail(http.StatusPaymentRequired, "Payment Required")
	}
	m := defaultCheck(monitoring.CheckTypeTCP, c.now)
	m["doubleCheck"] = raw("true")
	m = m.with(o, tcpSchema)
	if string(m["frequency"]) == "0" && o["frequencyOffset"] == nil {
		m["frequencyOffset"] = raw("10")
	}
	request := object{"hostname": raw(`""`), "data": raw("null"), "assertions": raw("[]"), "ipFamily": raw(`"IPv4"`)}
	o.get("request", &request)
	m.set("request", request)
	m.set("checkType", monitoring.CheckTypeTCP)
	id := s.newID("check")
	m.set("id", id)
	made := &check{spec: Check{ID: id, Type: monitoring.CheckTypeTCP}, members: m}
	made.read()
	s.addCheck(made)
	s.journal.did(c.operation, id, made.spec.Name)
	return reply(http.StatusCreated, m)
}

// read takes over from the members what decides about runs.
func (c *check) read() {
	m := c.members
	c.spec.Name, c.spec.Tags, c.spec.Deactivated = m.text("name"), m.list("tags"), !m.is("activated")
	c.spec.Locations = append(m.list("locations"), m.list("privateLocations")...)
	if len(c.spec.Locations) == 0 {
		c.spec.Locations = []string{string(monitoring.RegionEUCentral1)}
	}
	c.spec.GroupID = 0
	m.get("groupId", &c.spec.GroupID)
}

func (s *Service) putBrowser(c *call) answer {
	return s.updateCheck(c, browserSchema, monitoring.CheckTypeBrowser)
}

func (s *Service) putCheck(c *call) answer { return s.updateCheck(c, anySchema, "") }

func (s *Service) updateCheck(c *call, sch schema, kind monitoring.CheckType) answer {
	if problem := c.checkBool("autoAssignAlerts"); problem != nil {
		return problem.answer()
	}
	o, problem := c.bodyOf(sch, ruleCommon, ruleCheck)
	if problem != nil {
		return problem.answer()
	}
	found := s.checksByID[c.params[0]]
	if found == nil || kind != "" && found.spec.Type != kind {
		return notFound()
	}
	merged := found.members.with(o, sch)
	merged.set("checkType", found.spec.Type) // cannot be changed
	problem = ruleCheck(merged)
	subMinute := string(merged["frequency"]) == "0"
	switch kind := found.spec.Type; {
	case problem != nil:
	case subMinute && kind != monitoring.CheckTypeAPI && kind != monitoring.CheckTypeTCP:
		problem = badBody("frequency", "of less than a minute is for API and TCP checks")
	case merged["frequencyOffset"] == nil:
	case o["frequency"] != nil && o["frequencyOffset"] == nil: // the service picks one
		merged.set("frequencyOffset", map[bool]int{false: 1, true: 10}[subMinute])
	default:
		problem = ruleOffset(merged)
	}
	if problem != nil {
		return problem.answer()
	}
	merged.set("updated_at", stamp(c.now))
	found.members = merged
	found.read()
	s.journal.did(c.operation, found.spec.ID, found.spec.Name)
	return ok(found.visible())
}

// visible is the check as the service shows it: secrets are null, and what only
// requests have is left out.
func (c *check) visible() object {
	m := maps.Clone(c.members)
	delete(m, "scriptPath")
	delete(m, "dependencies")
	maskSecrets(m)
	return m
}

// maskSecrets makes the values of secret variables null.
func maskSecrets(o object) {
	list := o["environmentVariables"]
	if !strings.Contains(string(list), `"secret"`) {
		return
	}
	var variables []object
	o.get("environmentVariables", &variables)
	for _, v := range variables {
		if v.is("secret") {
			v["value"] = raw("null")
		}
	}
	o.set("environmentVariables", variables)
}
