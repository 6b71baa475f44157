package routes

import (
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

func listPrivateLocations(w *world.World, c *Call) Reply {
	return success(w.ShownLocations(c.asks("versions")))
}
