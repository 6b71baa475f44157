package routes

import (
	"encoding/json"
	"strings"

	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

func listErrorGroups(w *world.World, c *Call) Reply {
	return errorGroups(w, c, func(*world.ErrorGroup) bool { return true })
}

func listErrorGroupsOfCheck(w *world.World, c *Call) Reply {
	return errorGroups(w, c, func(g *world.ErrorGroup) bool { return strings.EqualFold(g.CheckID, c.Params[0]) })
}

func errorGroups(w *world.World, c *Call, selects func(*world.ErrorGroup) bool) Reply {
	w.Settle(c.Now) // which notes errors
	var groups []*world.ErrorGroup
	for i := range w.ErrorGroups {
		if g := &w.ErrorGroups[i]; selects(g) {
			groups = append(groups, g)
		}
	}
	return list(len(groups), func(i int) json.RawMessage { return w.ErrorGroupShown(groups[i], c.Now) })
}

func getErrorGroup(w *world.World, c *Call) Reply {
	w.Settle(c.Now) // which notes errors
	g := w.ErrorGroup(c.Params[0])
	if g == nil {
		return notFound()
	}
	return success(w.ErrorGroupShown(g, c.Now))
}

func patchErrorGroup(w *world.World, c *Call) Reply {
	g := w.ErrorGroup(c.Params[0])
	if g == nil {
		return notFound()
	}
	w.ArchiveErrorGroup(g, c.Sent)
	c.did(g.ID)
	return success(w.ErrorGroupShown(g, c.Now))
}
