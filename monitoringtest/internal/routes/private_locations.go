package routes

import (
	"net/http"

	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

func listPrivateLocations(w *world.World, c *Call) Reply {
	return success(w.ShownLocations(c.asks("versions")))
}

// deletePrivateLocation refuses to delete a location that checks or groups still name.
func deletePrivateLocation(w *world.World, c *Call, d *world.Document) Reply {
	if w.NamesLocation(d.Members.Text("slugName")) {
		return fail(http.StatusConflict, locationInUse)
	}
	w.DeleteLocation(d)
	c.did(d.ID)
	return noContent()
}

func createKey(w *world.World, c *Call, d *world.Document) Reply {
	if no := w.NoRoom(world.KeyOfLocation, d.Keys()); no != "" {
		return fail(http.StatusPaymentRequired, no)
	}
	c.did(d.ID)
	return reply(http.StatusCreated, w.CreateKey(d, c.Now))
}

func deleteKey(_ *world.World, c *Call, d *world.Document) Reply {
	if !d.DeleteKey(c.Params[1]) {
		return notFound()
	}
	c.did(d.ID)
	return noContent()
}
