package monitoringtest

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	monitoring "github.com/monitoring-api/monitoring-go"
)

const noMatchingChecks = "No matching checks were found."

// trigger starts a session for each check that matches.
func (s *Service) trigger(c *call) response {
	var target object
	c.sent.get("target", &target)
	groups, wanted := target.tagGroups(), target.checkIDs()
	var matching []*check
	for _, candidate := range s.checks {
		if s.eligible(candidate) && (len(groups) == 0 || s.matches(candidate, groups)) && (len(wanted) == 0 || wanted[strings.ToLower(candidate.spec.ID)]) {
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

// inGroupOrder sorts checks in the order in which they are started: those of a group by
// their groupOrder. The later ones wait if the group's concurrency is used up.
func inGroupOrder(checks []*check) []*check {
	list := slices.Clone(checks)
	slices.SortStableFunc(list, func(a, b *check) int { return cmp.Compare(a.groupOrder, b.groupOrder) })
	return list
}

// tagGroups returns the groups of tags of a target. In the older path family, a group
// may be a single tag instead of a list.
func (target object) tagGroups() (groups [][]string) {
	var list []json.RawMessage
	target.get("matchTags", &list)
	for _, group := range list {
		groups = append(groups, oneOrMore(group))
	}
	return groups
}

// checkIDs returns the check ids of a target in lower case.
func (target object) checkIDs() set {
	ids := make(set)
	for _, id := range oneOrMore(target["checkId"]) {
		ids[strings.ToLower(id)] = true
	}
	return ids
}

// oneOrMore reads a list of strings. A single string is read as a list of one.
func oneOrMore(raw json.RawMessage) (list []string) {
	if len(raw) == 0 {
		return nil
	}
	if raw[0] == '"' {
		list = make([]string, 1)
		mustUnmarshal(raw, &list[0])
		return list
	}
	mustUnmarshal(raw, &list)
	return list
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

// tagsOf returns the tags of a check and of its group.
func (s *state) tagsOf(c *check) []string {
	if g := s.groups[c.spec.GroupID]; g != nil {
		return append(slices.Clone(c.spec.Tags), g.list("tags")...)
	}
	return c.spec.Tags
}

// matches reports whether a check, together with its group, has all tags of one of the
// groups of tags. A tag with a leading ! must be absent.
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
