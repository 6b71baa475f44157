package routes

import (
	"net/http"

	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

func listPrivateLocations(w *world.World, c *Call) Reply {
	return success(w.ShownLocations(c.asks("versions")))
}

func createPrivateLocation(w *world.World, c *Call) Reply {
	made := w.CreateLocation(c.Sent, c.Now)
	c.did(made.ID)
	return reply(http.StatusCreated, world.ShownLocation(made))
}

func getPrivateLocation(w *world.World, c *Call) Reply {
	l := w.PrivateLocation(c.Params[0])
	if l == nil {
		return notFound()
	}
	return success(world.ShownLocation(l))
}

func putPrivateLocation(w *world.World, c *Call) Reply {
	l := w.PrivateLocation(c.Params[0])
	if l == nil {
		return notFound()
	}
	world.UpdateLocation(l, c.Sent, c.Now)
	c.did(l.ID)
	return success(world.ShownLocation(l))
}

// deletePrivateLocation refuses to delete a location that checks or groups still name.
func deletePrivateLocation(w *world.World, c *Call) Reply {
	l := w.PrivateLocation(c.Params[0])
	switch {
	case l == nil:
		return notFound()
	case w.NamesLocation(l.SlugName):
		return fail(http.StatusConflict, locationInUse)
	}
	w.DeleteLocation(l.ID)
	c.did(c.Params[0])
	return noContent()
}

func createKey(w *world.World, c *Call) Reply {
	l := w.PrivateLocation(c.Params[0])
	if l == nil {
		return notFound()
	}
	c.did(l.ID)
	return reply(http.StatusCreated, w.CreateKey(l, c.Now))
}

func deleteKey(w *world.World, c *Call) Reply {
	l := w.PrivateLocation(c.Params[0])
	if l == nil || !world.DeleteKey(l, c.Params[1]) {
		return notFound()
	}
	c.did(l.ID)
	return noContent()
}
