package routes

import (
	"encoding/json"

	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

func listErrorGroups(w *world.World, c *Call) Reply {
	groups := w.ErrorGroups[c.Params[0]]
	return list(len(groups), func(i int) json.RawMessage { return groups[i].JSON })
}
