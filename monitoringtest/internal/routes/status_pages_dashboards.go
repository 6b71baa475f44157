package routes

import (
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

func deleteService(w *world.World, c *Call) Reply { return deleteFrom(w.Services, c) }

func deleteDashboard(w *world.World, c *Call) Reply { return deleteFrom(w.Dashboards, c) }

func deleteFrom(ids world.Set, c *Call) Reply {
	id := c.Params[0]
	if !ids[id] {
		return notFound()
	}
	delete(ids, id)
	c.did(id)
	return noContent()
}
