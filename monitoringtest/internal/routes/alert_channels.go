package routes

import (
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

func listChannels(w *world.World, _ *Call) Reply {
	subscribed := w.Subscribers()
	return list(len(w.Channels), func(i int) json.RawMessage { return w.ShownChannel(&w.Channels[i], subscribed) })
}

func createChannel(w *world.World, c *Call) Reply {
	made, ok := w.SaveChannel(nil, c.Sent, c.Now)
	if !ok {
		return fail(http.StatusBadRequest, noSubscriber)
	}
	c.did(strconv.FormatInt(made.ID, 10))
	return reply(http.StatusCreated, w.ShownChannel(made, w.Subscribers()))
}

const noSubscriber = "There is no such check or check group to subscribe."

func getChannel(w *world.World, c *Call) Reply {
	channel := w.Channel(Number(c.Params[0]))
	if channel == nil {
		return notFound()
	}
	return success(w.ShownChannel(channel, w.Subscribers()))
}

func putChannel(w *world.World, c *Call) Reply {
	channel := w.Channel(Number(c.Params[0]))
	if channel == nil {
		return notFound()
	}
	if _, ok := w.SaveChannel(channel, c.Sent, c.Now); !ok {
		return fail(http.StatusBadRequest, noSubscriber)
	}
	c.did(c.Params[0])
	return success(w.ShownChannel(channel, w.Subscribers()))
}

func deleteChannel(w *world.World, c *Call) Reply {
	if w.Channel(Number(c.Params[0])) == nil {
		return notFound()
	}
	w.DeleteChannel(Number(c.Params[0]), c.Now)
	c.did(c.Params[0])
	return noContent()
}

func subscribeToChannel(w *world.World, c *Call) Reply {
	channel := w.Channel(Number(c.Params[0]))
	if channel == nil {
		return notFound()
	}
	var x world.Subscriber
	world.MustUnmarshal(world.JSON(c.Sent), &x)
	if !w.Subscribe(channel, x, c.Now) {
		return notFound()
	}
	c.did(c.Params[0])
	return success(w.ShownSubscription(channel, x))
}
