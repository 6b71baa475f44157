package routes

import (
	"strings"

	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

func getEntitlements(w *world.World, c *Call) Reply {
	if !strings.EqualFold(c.Params[0], w.Account) {
		return notFound()
	}
	return success(w.Entitlements)
}
