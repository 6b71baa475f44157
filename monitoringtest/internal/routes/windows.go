package routes

import (
	"time"

	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

func listWindows(w *world.World, c *Call) Reply {
	starts, ends := c.filter("startsAt"), c.filter("endsAt")
	windows := []*world.Document{}
	for _, d := range w.Of(world.MaintenanceWindows).All {
		if m := d.Window(); (starts == nil || starts(m.Starts)) && (ends == nil || ends(m.Ends)) {
			windows = append(windows, d)
		}
	}
	return listOf(w, windows, whole)
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
