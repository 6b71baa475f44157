package routes

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"

	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

func groupOf(w *world.World, c *Call) *world.Group { return w.Groups[Number(c.Params[0])] }

func listGroups(w *world.World, c *Call) Reply {
	var found []world.Object
	for _, id := range slices.Sorted(maps.Keys(w.Groups)) {
		g := w.Groups[id].Members
		if c.selects("name", g.Text("name")) && world.HasTag(g.List("tags"), c.Query["tag"]) {
			found = append(found, g)
		}
	}
	return list(len(found), func(i int) json.RawMessage { return world.JSON(w.Withhold(found[i])) })
}

func createGroup(w *world.World, c *Call) Reply {
	if no := w.NoRoom("check group", len(w.Groups)); no != "" {
		return fail(http.StatusPaymentRequired, no)
	}
	if problem := w.UnknownSnippet(world.GroupBody, c.Sent); problem != nil {
		return refused(problem)
	}
	made := w.CreateGroup(c.Sent, c.subscribes(), c.Now)
	c.did(strconv.FormatInt(made.ID, 10), made.Members.Text("name"))
	return reply(http.StatusCreated, w.Withhold(made.Members))
}

func getGroup(w *world.World, c *Call) Reply {
	g := groupOf(w, c)
	if g == nil {
		return notFound()
	}
	return success(w.Withhold(g.Members))
}

// putGroup changes the members that the body has. Whether the others keep their values or are set
// to their defaults, the API document does not say.
func putGroup(w *world.World, c *Call) Reply {
	g := groupOf(w, c)
	if g == nil {
		return notFound()
	}
	if no := w.Overfull(); no != "" {
		return fail(http.StatusPaymentRequired, no)
	}
	if problem := w.UnknownSnippet(world.GroupBody, c.Sent); problem != nil {
		return refused(problem)
	}
	changed := w.UpdateGroup(g, c.Sent, c.Now)
	c.did(strconv.FormatInt(g.ID, 10))
	return success(w.Withhold(changed.Members))
}

// listGroupChecks lists the checks of a group with its settings applied.
func listGroupChecks(w *world.World, c *Call) Reply {
	g := groupOf(w, c)
	if g == nil {
		return notFound()
	}
	checks := w.ChecksOf(g)
	return list(len(checks), func(i int) json.RawMessage { return world.JSON(w.ReadCheck(checks[i], true, false)) })
}
