package monitoringtest

import (
	"encoding/json"
	"maps"
	"math"
	"net/http"
	"slices"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/schema"
)

func raw(s string) json.RawMessage { return json.RawMessage(s) }

func (s *Service) createTCP(c *call) response {
	return s.createCheck(c, monitoring.CheckTypeTCP, nil, completeTCP)
}

func (s *Service) createAPI(c *call) response {
	return s.createCheck(c, monitoring.CheckTypeAPI, object{"degradedResponseTime": raw("5000"), "maxResponseTime": raw("20000")}, completeAPI)
}

func (s *Service) createBrowser(c *call) response {
	return s.createCheck(c, monitoring.CheckTypeBrowser, nil, nil)
}

// createCheck creates a check of a type. defaults are those of a create that checks do not have
// otherwise, and complete adds to the request what it leaves out; nil for a type without one.
func (s *Service) createCheck(c *call, kind monitoring.CheckType, defaults object, complete func(json.RawMessage) json.RawMessage) response {
	o := c.sent
	if s.checkLimit > 0 && len(s.checks) >= s.checkLimit {
		return fail(http.StatusPaymentRequired, "Payment Required")
	}
	completeLists(o)
	m := join(defaultCheck(kind, c.now), defaults)
	m["doubleCheck"] = raw("true")
	m = m.with(o)
	m.set("checkType", kind)
	if o["frequencyOffset"] == nil && m["frequencyOffset"] != nil {
		m["frequencyOffset"] = firstOffset(m)
	}
	if complete != nil {
		m["request"] = complete(o["request"])
	}
	id := s.newID("check")
	m.set("id", id)
	if text, given := c.param("autoAssignAlerts"); !given || text == "true" {
		s.subscribe(m)
	}
	made := &check{spec: Check{ID: id, Type: kind}, members: m}
	s.addCheck(made)
	s.journal.did(c.operation, id, made.spec.Name)
	return reply(http.StatusCreated, s.visibleCheck(made))
}

// completeAPI adds to the request of an API check the members that it leaves out.
func completeAPI(sent json.RawMessage) json.RawMessage {
	var request, o object
	mustUnmarshal(raw(apiRequestDefaults), &request)
	mustUnmarshal(sent, &o)
	completeItems(o, "headers", "locked")
	completeItems(o, "queryParameters", "locked")
	return mustMarshal(join(request, o))
}

// completeTCP adds to the request of a TCP check the members that it leaves out. url and
// body are other names of hostname and data.
func completeTCP(sent json.RawMessage) json.RawMessage {
	request := object{"hostname": raw(`""`), "data": raw("null"), "assertions": raw("[]"), "ipFamily": raw(`"IPv4"`)}
	var o object
	mustUnmarshal(sent, &o)
	for name, other := range map[string]string{"hostname": "url", "data": "body"} {
		if o[other] != nil {
			request[name] = o[other]
		}
	}
	maps.Copy(request, o)
	return mustMarshal(request)
}

// completeLists adds to the variables, headers and query parameters of a check or a group
// the members that a request leaves out.
func completeLists(sent object) {
	completeItems(sent, "environmentVariables", "locked", "secret")
	var defaults object
	if sent.get("apiCheckDefaults", &defaults) {
		completeItems(defaults, "headers", "locked")
		completeItems(defaults, "queryParameters", "locked")
		sent.set("apiCheckDefaults", defaults)
	}
}

// completeItems sets members of the items of a list to false if they are not there.
func completeItems(o object, list string, members ...string) {
	var items []object
	if !o.get(list, &items) {
		return
	}
	for _, item := range items {
		for _, name := range members {
			if item[name] == nil {
				item[name] = raw("false")
			}
		}
	}
	o.set(list, items)
}

// read copies the members that change the runs into the fields of the check.
func (c *check) read() {
	m := c.members
	c.spec.Name, c.spec.Tags = m.text("name"), m.list("tags")
	c.spec.Deactivated, c.spec.Muted = !m.is("activated"), m.is("muted")
	c.spec.Locations = append(m.list("locations"), m.list("privateLocations")...)
	c.spec.GroupID = 0
	m.get("groupId", &c.spec.GroupID)
	c.subscriptions = subscriptions(m)
	c.groupOrder = math.MaxFloat64
	m.get("groupOrder", &c.groupOrder)
}

func (s *Service) putAPI(c *call) response { return s.updateCheck(c, monitoring.CheckTypeAPI) }

func (s *Service) putTCP(c *call) response { return s.updateCheck(c, monitoring.CheckTypeTCP) }

func (s *Service) putBrowser(c *call) response { return s.updateCheck(c, monitoring.CheckTypeBrowser) }

func (s *Service) putCheck(c *call) response { return s.updateCheck(c, "") }

func (s *Service) updateCheck(c *call, kind monitoring.CheckType) response {
	found := s.checksByID[c.params[0]]
	if found == nil || kind != "" && found.spec.Type != kind {
		return notFound()
	}
	completeLists(c.sent)
	merged := found.members.with(c.sent)
	merged.set("checkType", found.spec.Type) // cannot be changed
	keepSecret(found.members, merged)
	if problem := s.checkMerged(kind, found.spec.Type, c.sent, merged); problem != nil {
		return problem.response()
	}
	switch {
	case c.sent["request"] == nil:
	case found.spec.Type == monitoring.CheckTypeTCP:
		merged["request"] = completeTCP(c.sent["request"])
	case kind == monitoring.CheckTypeAPI: // the deprecated update takes any request
		merged["request"] = completeAPI(c.sent["request"])
	}
	s.settle(c.now) // runs that ended before the update are judged by the old settings
	merged.set("updated_at", stamp(c.now))
	found.members = merged
	found.read()
	s.journal.did(c.operation, found.spec.ID, found.spec.Name)
	return success(s.visibleCheck(found))
}

// checkMerged checks the rules about members that belong together, on the check with the
// update applied. It picks a new frequency offset if the present one does not fit a new frequency.
func (s *Service) checkMerged(updated, kind monitoring.CheckType, update, merged object) *bad {
	// The schema of the update has these rules; it needs the members that an update leaves out. That of
	// the deprecated update takes what a check of another type may have got by it.
	operation := "PUT /v1/checks/{id}"
	if updated == monitoring.CheckTypeAPI {
		operation = "PUT /v1/checks/api/{id}"
	}
	body := schema.Lookup(operation).Body
	known := func(member string) bool { return member == "checkType" }
	if update["frequency"] != nil && update["frequencyOffset"] == nil && merged["frequencyOffset"] != nil {
		present := object{"checkType": mustMarshal(kind), "frequency": merged["frequency"], "frequencyOffset": merged["frequencyOffset"]}
		if len(body.Check(mustMarshal(present), schema.Service, known)) > 0 {
			merged["frequencyOffset"] = firstOffset(merged)
		}
	}
	together := object{"checkType": mustMarshal(kind)}
	for _, names := range [][]string{{"frequency", "frequencyOffset"}, {"degradedResponseTime", "maxResponseTime"}, {"request"}} {
		changed := slices.ContainsFunc(names, func(name string) bool { return update[name] != nil })
		for _, name := range names {
			if raw := merged[name]; changed && raw != nil {
				together[name] = raw
			}
		}
	}
	if found := body.Check(mustMarshal(together), schema.Service, known); len(found) > 0 {
		return badBody(found[0])
	}
	return nil
}

// firstOffset is the least offset that fits the frequency of a check.
func firstOffset(check object) json.RawMessage {
	if string(check["frequency"]) == "0" {
		return raw("10")
	}
	return raw("1")
}
