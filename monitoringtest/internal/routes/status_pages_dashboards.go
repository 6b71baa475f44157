package routes

import (
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

func deleteService(w *world.World, c *Call) Reply { return deleted(w.DeleteService(c.Params[0]), c) }

func deleteDashboard(w *world.World, c *Call) Reply {
	return deleted(w.DeleteDashboard(c.Params[0]), c)
}

// deleted responds to the delete of what has no other members than its id.
func deleted(wasThere bool, c *Call) Reply {
	if !wasThere {
		return notFound()
	}
	c.did(c.Params[0])
	return noContent()
}
