package routes

import (
	"encoding/json"
	"net/http"
	"strconv"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

func listSnippets(w *world.World, _ *Call) Reply {
	return list(len(w.Snippets), func(i int) json.RawMessage { return shownSnippet(&w.Snippets[i]) })
}

func createSnippet(w *world.World, c *Call) Reply {
	made := w.CreateSnippet(c.Sent, c.Now)
	c.did(strconv.FormatInt(made.ID, 10))
	return reply(http.StatusCreated, shownSnippet(made))
}

func getSnippet(w *world.World, c *Call) Reply {
	snippet := w.Snippet(Number(c.Params[0]))
	if snippet == nil {
		return notFound()
	}
	return success(shownSnippet(snippet))
}

func putSnippet(w *world.World, c *Call) Reply {
	snippet := w.Snippet(Number(c.Params[0]))
	if snippet == nil {
		return notFound()
	}
	world.UpdateSnippet(snippet, c.Sent, c.Now)
	c.did(c.Params[0])
	return success(shownSnippet(snippet))
}

func deleteSnippet(w *world.World, c *Call) Reply {
	if !w.DeleteSnippet(Number(c.Params[0])) {
		return notFound()
	}
	c.did(c.Params[0])
	return noContent()
}

func shownSnippet(s *monitoring.Snippet) json.RawMessage { return world.Shown(s, "updated_at") }
