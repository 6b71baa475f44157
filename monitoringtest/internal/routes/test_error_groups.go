package routes

import (
	"encoding/json"
	"strings"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

func listTestErrors(w *world.World, c *Call) Reply {
	w.NoteTestErrors(c.Now)
	return list(len(w.TestErrorGroups), func(i int) json.RawMessage { return w.TestErrorGroupShown(&w.TestErrorGroups[i], c.Now) })
}

func listTestErrorsOfProject(w *world.World, c *Call) Reply {
	w.NoteTestErrors(c.Now)
	groups := []json.RawMessage{}
	for i := range w.TestErrorGroups {
		if g := &w.TestErrorGroups[i]; strings.EqualFold(monitoring.ValueOr(g.ProjectID, ""), c.Params[0]) {
			groups = append(groups, w.TestErrorGroupShown(g, c.Now))
		}
	}
	return success(groups)
}

func getTestError(w *world.World, c *Call) Reply {
	w.NoteTestErrors(c.Now)
	g := w.TestErrorGroup(c.Params[0])
	if g == nil {
		return notFound()
	}
	return success(w.TestErrorGroupShown(g, c.Now))
}

func patchTestError(w *world.World, c *Call) Reply {
	w.NoteTestErrors(c.Now)
	g := w.TestErrorGroup(c.Params[0])
	if g == nil {
		return notFound()
	}
	c.Sent.Get("archivedUntilNextEvent", &g.ArchivedUntilNextEvent)
	c.did(g.ID)
	return success(w.TestErrorGroupShown(g, c.Now))
}

func createTestRootCause(w *world.World, c *Call) Reply {
	w.NoteTestErrors(c.Now)
	g := w.TestErrorGroup(c.Params[0])
	if g == nil {
		return notFound()
	}
	id := w.StartTestAnalysis(g, c.Sent.Text("userContext"))
	c.did(id, g.ID)
	return pending(id)
}
