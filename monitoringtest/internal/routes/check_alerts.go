package routes

import (
	"encoding/json"

	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

// listCheckAlerts lists the alerts of all checks, or of the one in the path.
func listCheckAlerts(w *world.World, c *Call) Reply {
	w.Settle(c.Now)
	check := ""
	if len(c.Params) > 0 {
		if check = c.Params[0]; w.Check(check) == nil {
			return notFound()
		}
	}
	from, to := c.period()
	alerts := w.CheckAlertsBetween(check, from, to)
	return list(len(alerts), func(i int) json.RawMessage { return world.JSON(alerts[i]) })
}
