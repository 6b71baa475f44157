package routes

import "github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"

func listLocations(*world.World, *Call) Reply { return success(world.Locations) }
