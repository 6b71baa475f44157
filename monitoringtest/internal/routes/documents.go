package routes

import (
	"encoding/json"
	"net/http"

	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

// This file has the operations of records that are only stored. shown is how such a record is read.

type shown func(*world.World, *world.Document) world.Object

var whole shown = (*world.World).Shown

func lists(k *world.Kind, as shown) Handler {
	return func(w *world.World, _ *Call) Reply { return listOf(w, w.Of(k).All, as) }
}

func listOf(w *world.World, records []*world.Document, as shown) Reply {
	return list(len(records), func(i int) json.RawMessage { return world.JSON(as(w, records[i])) })
}

// finds handles requests for a record that is there.
func finds(k *world.Kind, handle func(*world.World, *Call, *world.Document) Reply) Handler {
	return func(w *world.World, c *Call) Reply {
		d := w.Of(k).Find(c.Params[0])
		if d == nil {
			return notFound()
		}
		return handle(w, c, d)
	}
}

func gets(k *world.Kind, as shown) Handler {
	return finds(k, func(w *world.World, _ *Call, d *world.Document) Reply { return success(as(w, d)) })
}

func creates(k *world.Kind, as shown) Handler {
	return func(w *world.World, c *Call) Reply {
		if no := w.NoRoom(k.Name, len(w.Of(k).All)); no != "" {
			return fail(http.StatusPaymentRequired, no)
		}
		w.Settle(c.Now) // runs that ended before are judged by what was there
		made, problem := w.Create(k, c.Sent, c.Now)
		if problem != nil {
			return refused(problem)
		}
		c.did(made.ID, made.Members.Text("name"))
		return reply(http.StatusCreated, as(w, made))
	}
}

func puts(k *world.Kind, as shown) Handler {
	return finds(k, func(w *world.World, c *Call, d *world.Document) Reply {
		if no := w.Overfull(); no != "" {
			return fail(http.StatusPaymentRequired, no)
		}
		w.Settle(c.Now)
		if problem := w.Update(k, d, c.Sent, c.Now); problem != nil {
			return refused(problem)
		}
		c.did(d.ID)
		return success(as(w, d))
	})
}

func deletes(k *world.Kind) Handler {
	return finds(k, func(w *world.World, c *Call, d *world.Document) Reply {
		w.Settle(c.Now)
		w.Delete(k, d.ID)
		c.did(d.ID)
		return noContent()
	})
}
