package routes

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

func listWindows(w *world.World, c *Call) Reply {
	starts, ends := c.filter("startsAt"), c.filter("endsAt")
	windows := w.Windows
	if starts != nil || ends != nil {
		windows = nil
		for _, m := range w.Windows {
			if (starts == nil || starts(m.Starts)) && (ends == nil || ends(m.Ends)) {
				windows = append(windows, m)
			}
		}
	}
	return list(len(windows), func(i int) json.RawMessage { return windows[i].JSON })
}

func createWindow(w *world.World, c *Call) Reply {
	made, problem := w.CreateWindow(c.Sent, c.Now)
	if problem != nil {
		return refused(problem)
	}
	c.did(string(made["id"]), made.Text("name"))
	return reply(http.StatusCreated, made)
}

func getWindow(w *world.World, c *Call) Reply {
	m := w.Window(Number(c.Params[0]))
	if m == nil {
		return notFound()
	}
	return success(m.JSON)
}

func putWindow(w *world.World, c *Call) Reply {
	m := w.Window(Number(c.Params[0]))
	if m == nil {
		return notFound()
	}
	if problem := w.UpdateWindow(m, c.Sent, c.Now); problem != nil {
		return refused(problem)
	}
	c.did(c.Params[0])
	return success(m.JSON)
}

func deleteWindow(w *world.World, c *Call) Reply {
	m := w.Window(Number(c.Params[0]))
	if m == nil {
		return notFound()
	}
	w.DeleteWindow(m.ID, c.Now)
	c.did(c.Params[0])
	return noContent()
}

// filter reads a filter such as startsAt[gte]=2026-08-01; nil if there is none.
func (c *Call) filter(field string) func(time.Time) bool {
	for operator, holds := range map[string]func(order int) bool{
		"[gt]":  func(order int) bool { return order > 0 },
		"[gte]": func(order int) bool { return order >= 0 },
		"[lt]":  func(order int) bool { return order < 0 },
		"[lte]": func(order int) bool { return order <= 0 },
	} {
		if text, given := c.Param(field + operator); given {
			limit := world.Date(text)
			return func(t time.Time) bool { return holds(t.Compare(limit)) }
		}
	}
	return nil
}
