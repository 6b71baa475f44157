package routes

import (
	"net/http"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

func getRootCause(w *world.World, c *Call) Reply {
	id := c.Params[0]
	analysis, ready := w.RootCauseAnalysis(id, c.Now)
	switch {
	case analysis == nil:
		return notFound()
	case !ready:
		return pending(id)
	}
	return success(analysis)
}

func pending(id string) Reply {
	return reply(http.StatusAccepted, map[string]any{"id": id, "status": monitoring.RootCauseAnalysisPending})
}
