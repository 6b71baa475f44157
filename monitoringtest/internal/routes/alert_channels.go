package routes

import (
	"encoding/json"

	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

func listChannels(w *world.World, _ *Call) Reply {
	return list(len(w.Channels), func(i int) json.RawMessage { return w.ShownChannel(&w.Channels[i]) })
}
