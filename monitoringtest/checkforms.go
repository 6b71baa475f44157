package monitoringtest

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// commonDefaults are the members that a check of any type has by default.
var commonDefaults = object{
	"activated": raw("true"), "muted": raw("false"), "locations": raw("[]"), "tags": raw("[]"), "alertSettings": raw(defaultAlertSettings),
	"useGlobalAlertSettings": raw("true"), "groupId": raw("null"), "groupOrder": raw("null"), "alertChannelSubscriptions": raw("[]"),
	"triggerIncident": raw("null"), "runParallel": raw("false"), "description": raw("null"), "privateLocations": raw("[]"), "updated_at": raw("null"),
	"project": raw("null"), "logicalId": raw("null"), "member": raw("null"), "pending": raw("null"),
}

const defaultAlertSettings = `{"escalationType":"RUN_BASED","runBasedEscalation":{"failedRunThreshold":1},` +
	`"reminders":{"amount":0,"interval":5},"parallelRunFailureThreshold":{"enabled":false,"percentage":10}}`

// The members that several types of checks have, with their defaults.
var (
	runMembers = object{
		"doubleCheck": raw("false"), "shouldFail": raw("false"), "frequency": raw("10"), "retryStrategy": raw("null"), "runtimeId": raw("null"),
	}
	offsetMembers = object{"frequencyOffset": raw("1")}
	timeMembers   = object{"degradedResponseTime": raw("3000"), "maxResponseTime": raw("5000")}
	scriptMembers = object{"script": raw(`"const { test } = require('@playwright/test')\n"`), "environmentVariables": raw("[]")}
)

const (
	apiRequestDefaults = `{"method":"GET","url":"https://shop.test","followRedirects":true,"skipSSL":false,"ipFamily":"IPv4","body":"","bodyType":"NONE",` +
		`"headers":[],"queryParameters":[],"basicAuth":null,"assertions":[]}`
	tcpRequestDefaults = `{"hostname":"shop.test","port":443,"data":null,"assertions":[],"ipFamily":"IPv4"}`
)

// formDefaults are the members that a check has because of its type, with their defaults.
var formDefaults = map[monitoring.CheckType]object{
	monitoring.CheckTypeAPI: join(runMembers, offsetMembers, timeMembers, object{
		"request": raw(apiRequestDefaults), "setupSnippetId": raw("null"), "tearDownSnippetId": raw("null"), "localSetupScript": raw("null"), "localTearDownScript": raw("null"),
	}),
	monitoring.CheckTypeTCP:        join(runMembers, offsetMembers, timeMembers, object{"request": raw(tcpRequestDefaults)}),
	monitoring.CheckTypeURL:        join(runMembers, offsetMembers, timeMembers, object{"request": raw(`{"url":"https://shop.test","assertions":[]}`)}),
	monitoring.CheckTypeDNS:        join(runMembers, offsetMembers, timeMembers, object{"request": raw(`{"query":"shop.test","recordType":"A","assertions":[]}`)}),
	monitoring.CheckTypeGRPC:       join(runMembers, offsetMembers, timeMembers, object{"request": raw(`{"url":"grpc.shop.test","port":443,"metadata":[]}`)}),
	monitoring.CheckTypeSSL:        join(runMembers, offsetMembers, timeMembers, object{"request": raw(`{"hostname":"shop.test","port":443}`)}),
	monitoring.CheckTypeTraceroute: join(runMembers, offsetMembers, timeMembers, object{"request": raw(`{"hostname":"shop.test"}`)}),
	monitoring.CheckTypeICMP: join(runMembers, offsetMembers, object{
		"request": raw(`{"hostname":"shop.test"}`), "degradedPacketLossThreshold": raw("10"), "maxPacketLossThreshold": raw("20"),
	}),
	monitoring.CheckTypeBrowser:   join(runMembers, scriptMembers, object{"sslCheckDomain": raw("null")}),
	monitoring.CheckTypeMultiStep: join(runMembers, scriptMembers),
	monitoring.CheckTypeAgentic:   join(runMembers, scriptMembers),
	monitoring.CheckTypePlaywright: {
		"browsers": raw(`["chromium"]`), "cacheHash": raw("null"), "codeBundlePath": raw(`"bundles/shop.tar.gz"`), "engine": raw(`"node"`), "engineVersion": raw("null"),
		"environmentVariables": raw("[]"), "frequency": raw("10"), "installCommand": raw(`"npm install"`), "playwrightVersion": raw("null"),
		"testCommand": raw(`"npx playwright test"`), "workingDir": raw("null"),
	},
	monitoring.CheckTypeHeartbeat: {
		"heartbeat": raw(`{"period":1,"periodUnit":"hours","grace":10,"graceUnit":"minutes","pingToken":"ping-1","pingUrl":"https://ping.shop.test/ping-1"}`),
	},
}

// ofSomeType are the members that only checks of some types have.
var ofSomeType = join(slices.Collect(maps.Values(formDefaults))...)

// join returns an object with the members of all objects.
func join(objects ...object) object {
	joined := make(object)
	for _, o := range objects {
		maps.Copy(joined, o)
	}
	return joined
}

// defaultCheck returns the members that a check has by default.
func defaultCheck(kind monitoring.CheckType, now time.Time) object {
	m := join(commonDefaults, formDefaults[kind])
	m.set("checkType", kind)
	m.set("created_at", stamp(now))
	return m
}

// visibleCheck returns the check as the service shows it after a create or an update: secrets are
// null, members that only requests or other types have are left out, and alertChannels is added.
func (s *Service) visibleCheck(c *check) object {
	m := s.readableCheck(c, c.members)
	delete(m, "dependencies")
	if c.spec.Type == monitoring.CheckTypeAPI || c.spec.Type == monitoring.CheckTypeTCP {
		for _, name := range [...]string{"project", "logicalId", "member", "pending", "projectBindings"} {
			delete(m, name)
		}
	}
	return m
}

// readableCheck is visibleCheck as reads show the check, with its dependencies.
func (s *Service) readableCheck(c *check, members object) object {
	m := s.withhold(members)
	delete(m, "scriptPath")
	for name := range ofSomeType {
		if form := formDefaults[c.spec.Type]; form != nil && form[name] == nil {
			delete(m, name)
		}
	}
	if m["script"] == nil {
		delete(m, "dependencies")
	}
	m["alertChannels"] = s.shownChannels(m)
	return m
}

// withGroupSettings returns the members of a check with what its group enforces on it.
func (s *Service) withGroupSettings(c *check) object {
	g := s.groups[c.spec.GroupID]
	m := maps.Clone(c.members)
	for _, name := range [...]string{"runParallel", "alertSettings", "useGlobalAlertSettings"} {
		if g.has(name) {
			m[name] = g[name]
		}
	}
	if g != nil && g["retryStrategy"] != nil && g.text("retryStrategy") != "FALLBACK" {
		m["retryStrategy"] = g["retryStrategy"]
	}
	return m
}

// readCheck returns a check as a request reads it.
func (s *Service) readCheck(c *call, found *check) object {
	members := found.members
	if text, _ := c.param("applyGroupSettings"); text == "true" {
		members = s.withGroupSettings(found)
	}
	m := s.readableCheck(found, members)
	if text, _ := c.param("includeDependencies"); text != "true" {
		delete(m, "dependencies")
	} else if m["script"] != nil && m["dependencies"] == nil {
		m["dependencies"] = raw("[]")
	}
	return m
}

// listChecks lists the checks in the order in which they were added or created.
func (s *Service) listChecks(c *call) response {
	states := s.statuses(c.now)
	var list []*check
	for _, candidate := range s.checks {
		if c.selects("checkType", string(candidate.spec.Type)) && c.selects("tag", candidate.spec.Tags...) && c.selectsPart("search", candidate.spec.Name) &&
			c.selects("status", states[candidate.spec.ID].name()...) && (!c.query.Has("apiCheckUrlFilterPattern") || c.selectsPart("apiCheckUrlFilterPattern", candidate.apiURL())) {
			list = append(list, candidate)
		}
	}
	return s.list(c, len(list), func(i int) json.RawMessage { return mustMarshal(s.readCheck(c, list[i])) })
}

// selectsPart reports whether a text has the value of a parameter in it, in any case, or whether the
// parameter was not given. An empty text has nothing in it.
func (c *call) selectsPart(name, text string) bool {
	part, given := c.param(name)
	return !given || text != "" && strings.Contains(strings.ToLower(text), strings.ToLower(part))
}

// apiURL returns the URL of the request of an API check, and "" for others.
func (c *check) apiURL() string {
	var request object
	if c.spec.Type != monitoring.CheckTypeAPI {
		return ""
	}
	c.members.get("request", &request)
	return request.text("url")
}

// name returns the status as the filter of a list has it; none for a check that has not run yet.
func (status *checkStatus) name() []string {
	switch {
	case status == nil:
		return nil
	case status.HasFailures || status.HasErrors:
		return []string{"failing"}
	case status.IsDegraded:
		return []string{"degraded"}
	}
	return []string{"passing"}
}

func (s *Service) getCheck(c *call) response {
	found := s.checksByID[c.params[0]]
	if found == nil {
		return notFound()
	}
	return success(s.readCheck(c, found))
}

// deleteCheck deletes a check with its results and error groups. Its sessions stay: who waits for one
// sees its end, which sends no alert any more.
func (s *Service) deleteCheck(c *call) response {
	found := s.checksByID[c.params[0]]
	if found == nil {
		return notFound()
	}
	s.settle(c.now) // runs that ended before have sent their alerts
	for _, x := range s.sessions {
		if x.spec.CheckID == found.spec.ID {
			s.forgetResults(x)
		}
	}
	s.checks = slices.DeleteFunc(s.checks, func(other *check) bool { return other == found })
	delete(s.checksByID, found.spec.ID)
	delete(s.errorGroups, found.spec.ID)
	s.journal.did(c.operation, found.spec.ID, found.spec.Name)
	return noContent()
}
