package routes

import (
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

// listResults responds with a page of the results of a check. The cursor is the id of the first
// result of the next page, so results that are added meanwhile change nothing. One that is
// unknown, or was forgotten, is the end.
func listResults(w *world.World, c *Call) Reply {
	limit, next := 10, any(nil)
	if text, given := c.Param("limit"); given {
		limit = int(Number(text))
	}
	from, begun := c.Query.Get("nextId"), !c.Query.Has("nextId")
	entries := []world.Fields{}
	for _, f := range w.ResultsOf(c.Params[0], c.Now) {
		begun = begun || f.ID == from
		if !begun {
			continue
		}
		result := w.Whole(f)
		if !c.selectsResult(f, result) {
			continue
		}
		if len(entries) == limit {
			next = f.ID
			break
		}
		entries = append(entries, c.project(result))
	}
	return success(world.Fields{"length": len(entries), "entries": entries, "nextId": next})
}
