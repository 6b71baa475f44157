package routes

import (
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

func listSnippets(w *world.World, _ *Call) Reply {
	return list(len(w.Snippets), func(i int) json.RawMessage { return world.JSON(w.Snippets[i]) })
}

func createSnippet(w *world.World, c *Call) Reply {
	made := w.CreateSnippet(c.Sent, c.Now)
	c.did(strconv.FormatInt(made.ID, 10))
	return reply(http.StatusCreated, made)
}

func getSnippet(w *world.World, c *Call) Reply {
	snippet := w.Snippet(Number(c.Params[0]))
	if snippet == nil {
		return notFound()
	}
	return success(snippet)
}

func putSnippet(w *world.World, c *Call) Reply {
	snippet := w.Snippet(Number(c.Params[0]))
	if snippet == nil {
		return notFound()
	}
	world.UpdateSnippet(snippet, c.Sent, c.Now)
	c.did(c.Params[0])
	return success(snippet)
}

func deleteSnippet(w *world.World, c *Call) Reply {
	if !w.DeleteSnippet(Number(c.Params[0])) {
		return notFound()
	}
	c.did(c.Params[0])
	return noContent()
}
