package routes

import (
	"encoding/json"
	"net/http"
	"strings"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

// trigger starts a session for each check that matches.
func trigger(w *world.World, c *Call) Reply {
	var target world.Object
	c.Sent.Get("target", &target)
	started, err := w.Trigger(tagGroups(target), checkIDs(target), c.Now)
	if err != nil {
		return fail(http.StatusServiceUnavailable, err.Error())
	}
	if len(started) == 0 {
		return fail(http.StatusNotFound, noChecks)
	}
	items := make([]world.SessionItem, len(started))
	var subjects []string
	for i, x := range started {
		items[i] = x.Item(c.Now)
		items[i].Status = string(monitoring.SessionStarted)
		subjects = append(subjects, x.Spec.CheckID, x.Spec.Name)
	}
	c.did(subjects...)
	return reply(http.StatusCreated, map[string]any{"sessions": items})
}

// tagGroups returns the groups of tags of a target. In the older path family, a group
// may be a single tag instead of a list.
func tagGroups(target world.Object) (groups [][]string) {
	var list []json.RawMessage
	target.Get("matchTags", &list)
	for _, group := range list {
		groups = append(groups, oneOrMore(group))
	}
	return groups
}

// checkIDs returns the check ids of a target in lower case.
func checkIDs(target world.Object) world.Set {
	ids := make(world.Set)
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
		world.MustUnmarshal(raw, &list[0])
		return list
	}
	world.MustUnmarshal(raw, &list)
	return list
}
