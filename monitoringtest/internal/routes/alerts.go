package routes

import (
	"encoding/json"

	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

func listAlerts(w *world.World, c *Call) Reply {
	w.Settle(c.Now)
	alerts := w.Alerts.Between(c.period())
	id, byChannel := c.Param("alertChannelId")
	failures, byFailure := c.Param("hasFailures")
	if byChannel || byFailure {
		var kept []world.Alert
		for _, a := range alerts {
			if (!byChannel || a.Channel == Number(id)) && (!byFailure || a.HasFailed(c.Now) == (failures == "true")) {
				kept = append(kept, a)
			}
		}
		alerts = kept
	}
	return list(len(alerts), func(i int) json.RawMessage { return alerts[i].Now(c.Now) })
}
