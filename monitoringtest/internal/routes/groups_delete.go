package routes

import (
	"net/http"
	"strconv"

	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

// deleteGroup refuses to delete a group that still has checks.
func deleteGroup(w *world.World, c *Call) Reply {
	g := groupOf(w, c)
	switch {
	case g == nil:
		return notFound()
	case len(w.ChecksOf(g)) > 0:
		return fail(http.StatusConflict, groupHasChecks)
	}
	w.DeleteGroup(g)
	c.did(strconv.FormatInt(g.ID, 10), g.Members.Text("name"))
	return noContent()
}
