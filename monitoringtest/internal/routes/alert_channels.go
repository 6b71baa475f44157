package routes

import (
	"encoding/json"
	"net/http"

	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

func listChannels(w *world.World, _ *Call) Reply {
	channels, subscribed := w.Of(world.AlertChannels).All, w.Subscribers()
	return list(len(channels), func(i int) json.RawMessage { return world.JSON(w.ShownChannel(channels[i], subscribed)) })
}

func createChannel(w *world.World, c *Call) Reply {
	if no := w.NoRoom("alert channel", len(w.Of(world.AlertChannels).All)); no != "" {
		return fail(http.StatusPaymentRequired, no)
	}
	made, ok := w.SaveChannel(nil, c.Sent, c.Now)
	if !ok {
		return fail(http.StatusBadRequest, noSubscriber)
	}
	c.did(made.ID)
	return reply(http.StatusCreated, shownChannel(w, made))
}

const noSubscriber = "There is no such check or check group to subscribe."

func shownChannel(w *world.World, d *world.Document) world.Object {
	return w.ShownChannel(d, w.Subscribers())
}

func putChannel(w *world.World, c *Call, d *world.Document) Reply {
	if no := w.Overfull(); no != "" {
		return fail(http.StatusPaymentRequired, no)
	}
	if _, ok := w.SaveChannel(d, c.Sent, c.Now); !ok {
		return fail(http.StatusBadRequest, noSubscriber)
	}
	c.did(d.ID)
	return success(shownChannel(w, d))
}

func deleteChannel(w *world.World, c *Call, d *world.Document) Reply {
	w.DeleteChannel(d.ID, c.Now)
	c.did(d.ID)
	return noContent()
}

func subscribeToChannel(w *world.World, c *Call, d *world.Document) Reply {
	var x world.Subscriber
	world.MustUnmarshal(world.JSON(c.Sent), &x)
	if no := w.Overfull(); no != "" {
		return fail(http.StatusPaymentRequired, no)
	}
	if !w.Subscribe(d, x, c.Now) {
		return notFound()
	}
	c.did(d.ID)
	return success(w.ShownSubscription(d, x))
}
