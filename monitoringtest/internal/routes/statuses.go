package routes

import (
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

// listStatuses responds null in place of a check that has not run yet.
func listStatuses(w *world.World, c *Call) Reply {
	all := w.Statuses(c.Now)
	statuses := make([]*world.CheckStatus, len(w.Checks))
	for i, check := range w.Checks {
		statuses[i] = all[check.ID]
	}
	return success(statuses)
}

func getStatus(w *world.World, c *Call) Reply {
	check := w.Check(c.Params[0])
	if check == nil {
		return notFound()
	}
	return success(w.Statuses(c.Now)[check.ID])
}
