package routes

import (
	"encoding/json"
	"net/http"

	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

func listVariables(w *world.World, _ *Call) Reply {
	return list(len(w.Variables), func(i int) json.RawMessage { return w.WithheldVariable(w.Variables[i]) })
}

// createVariable responds with the value also of a secret variable.
func createVariable(w *world.World, c *Call) Reply {
	v := world.SentVariable(c.Sent.Text("key"), c.Sent)
	if !w.CreateVariable(v) {
		return fail(http.StatusConflict, keyExists)
	}
	c.did(v.Key)
	return reply(http.StatusCreated, v)
}

func getVariable(w *world.World, c *Call) Reply {
	v := w.Variable(c.Params[0])
	if v == nil {
		return notFound()
	}
	return success(w.WithheldVariable(*v))
}

// putVariable responds with the value also of a secret variable.
func putVariable(w *world.World, c *Call) Reply {
	v := w.Variable(c.Params[0])
	if v == nil {
		return notFound()
	}
	w.UpdateVariable(v, world.SentVariable(v.Key, c.Sent))
	c.did(v.Key)
	return success(*v)
}

func deleteVariable(w *world.World, c *Call) Reply {
	if !w.RemoveVariables(c.Params[0]) {
		return notFound()
	}
	c.did(c.Params[0])
	return noContent()
}
