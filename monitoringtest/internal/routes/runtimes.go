package routes

import "github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"

func listRuntimes(*world.World, *Call) Reply { return success(world.Runtimes) }

func getRuntime(_ *world.World, c *Call) Reply {
	for _, r := range world.Runtimes {
		if string(r.Name) == c.Params[0] {
			return success(r)
		}
	}
	return notFound()
}
