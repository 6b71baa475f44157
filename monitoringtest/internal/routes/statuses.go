package routes

import "github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"

// listStatuses leaves out a check that has not run yet. The list may have null for it, and clients
// that do not expect that fail.
func listStatuses(w *world.World, c *Call) Reply {
	all := w.Statuses(c.Now)
	statuses := []*world.CheckStatus{}
	for _, check := range w.Checks {
		if status := all[check.ID]; status != nil {
			statuses = append(statuses, status)
		}
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
