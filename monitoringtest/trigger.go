package monitoringtest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	monitoring "github.com/monitoring-api/monitoring-go"
)

const noMatchingChecks = "No matching checks were found."

func (s *Service) triggerV2(c *call) response { return s.trigger(c, false) }

func (s *Service) triggerV1(c *call) response { return s.trigger(c, true) }

// trigger starts a session for each check that matches.
func (s *Service) trigger(c *call, v1 bool) response {
	o, problem := c.readBody()
	if problem != nil {
		return problem.response()
	}
	var target object
	o.get("target", &target)
	groups, wanted, v := readTarget(target, v1)
	if v != nil {
		return v.bad().response()
	}
	var matching []*check
	for _, candidate := range s.checks {
		if s.eligible(candidate) && (len(groups) == 0 || s.matches(candidate, groups)) && (len(wanted) == 0 || wanted[candidate.spec.ID]) {
			matching = append(matching, candidate)
		}
	}
	if len(matching) == 0 {
		return fail(http.StatusNotFound, noMatchingChecks)
	}
	started := make(map[*check]*session, len(matching))
	for _, next := range inGroupOrder(matching) {
		started[next] = s.start(next, c.now)
	}
	items := make([]sessionItem, len(matching))
	var subjects []string
	for i, m := range matching {
		items[i] = started[m].item(c.now)
		items[i].Status = string(monitoring.SessionStarted)
		subjects = append(subjects, m.spec.ID, m.spec.Name)
	}
	s.journal.did(c.operation, subjects...)
	return reply(http.StatusCreated, map[string]any{"sessions": items})
}

// inGroupOrder is the order in which checks are started: those of a group by their
// place in it, which decides who waits when the group's concurrency is spent.
func inGroupOrder(checks []*check) []*check {
	list := slices.Clone(checks)
	slices.SortStableFunc(list, func(a, b *check) int { return cmp.Compare(a.groupOrder, b.groupOrder) })
	return list
}

// readTarget reads the filters of a trigger. The older path family takes single values
// when lists are expected.
func readTarget(target object, v1 bool) (groups [][]string, wanted set, problem *violation) {
	var outer []json.RawMessage
	target.get("matchTags", &outer)
	for i, raw := range outer {
		at := fmt.Sprintf("target.matchTags[%d]", i)
		var tags []string
		var tag string
		switch {
		case json.Unmarshal(raw, &tags) == nil && tags != nil:
		case v1 && json.Unmarshal(raw, &tag) == nil:
			tags = []string{tag}
		default:
			return nil, nil, badPart(at, "must be an array of strings")
		}
		if len(tags) == 0 || slices.Contains(tags, "") || slices.Contains(tags, "!") {
			return nil, nil, badPart(at, "must hold tags that are not empty")
		}
		groups = append(groups, tags)
	}
	if target["checkId"] != nil {
		list := []string{target.text("checkId")}
		if list[0] == "" && json.Unmarshal(target["checkId"], &list) != nil {
			return nil, nil, badPart("target.checkId", "must be an array of strings")
		}
		wanted = make(set, len(list))
		for i, id := range list {
			if !isUUID(id) {
				return nil, nil, badPart(fmt.Sprintf("target.checkId[%d]", i), "must be a valid GUID")
			}
			wanted[id] = true
		}
	}
	return groups, wanted, nil
}

// eligible reports whether a check can be started: it and its group are activated, and
// it is of a kind that has sessions.
func (s *state) eligible(c *check) bool {
	if c.spec.Deactivated || c.spec.Type == monitoring.CheckTypeHeartbeat {
		return false
	}
	g := s.groups[c.spec.GroupID]
	return g == nil || g["activated"] == nil || g.is("activated")
}

// tagsOf are the tags of a check and of its group.
func (s *state) tagsOf(c *check) []string {
	if g := s.groups[c.spec.GroupID]; g != nil {
		return append(slices.Clone(c.spec.Tags), g.list("tags")...)
	}
	return c.spec.Tags
}

// matches reports whether a check, or its group, has all tags of one of the groups of
// tags. A leading ! wants a tag to be absent.
func (s *state) matches(c *check, groups [][]string) bool {
	tags := s.tagsOf(c)
	return slices.ContainsFunc(groups, func(all []string) bool {
		return !slices.ContainsFunc(all, func(tag string) bool {
			if tag[0] == '!' {
				return slices.Contains(tags, tag[1:])
			}
			return !slices.Contains(tags, tag)
		})
	})
}
