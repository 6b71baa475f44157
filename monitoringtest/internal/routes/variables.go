package routes

import (
	"net/http"

	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

// createVariable responds with the value also of a secret variable.
func createVariable(w *world.World, c *Call) Reply {
	if w.Of(world.Variables).Find(c.Sent.Text("key")) != nil {
		return fail(http.StatusConflict, keyExists)
	}
	return creates(world.Variables, whole)(w, c)
}

// putVariable responds with the value also of a secret variable.
func putVariable(w *world.World, c *Call, d *world.Document) Reply {
	if no := w.Overfull(); no != "" {
		return fail(http.StatusPaymentRequired, no)
	}
	w.UpdateVariable(d, c.Sent)
	c.did(d.ID)
	return success(d.Members)
}
