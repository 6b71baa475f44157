package world

import (
	"slices"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/fakeclock"
)

// AddWindow adds a maintenance window and returns its id, which is generated if it is 0.
func (w *World) AddWindow(added monitoring.MaintenanceWindow) int64 {
	now := w.Clock.Now()
	w.Settle(now)
	return w.insertWindow(added, now)
}

func (w *World) insertWindow(m monitoring.MaintenanceWindow, now time.Time) int64 {
	if m.ID == 0 {
		m.ID = w.ids.number("window")
	}
	if m.CreatedAt.IsZero() {
		m.CreatedAt = At(now)
	}
	if m.Tags == nil {
		m.Tags = []string{}
	}
	m.StartsAt, m.EndsAt, m.CreatedAt = asWritten(m.StartsAt), asWritten(m.EndsAt), asWritten(m.CreatedAt)
	m.UpdatedAt, m.RepeatEndsAt = asWrittenOrNil(m.UpdatedAt), asWrittenOrNil(m.RepeatEndsAt)
	w.Windows = append(w.Windows, readWindow(JSON(m)))
	return m.ID
}

// Window returns a maintenance window; nil if there is none with the id.
func (w *World) Window(id int64) *Window {
	i := slices.IndexFunc(w.Windows, func(m Window) bool { return m.ID == id })
	if i < 0 {
		return nil
	}
	return &w.Windows[i]
}

// CreateWindow creates a window from the body of its create, or returns the rule that it breaks.
func (w *World) CreateWindow(sent Object, now time.Time) (Object, *schema.Violation) {
	if problem := completeWindow(sent); problem != nil {
		return nil, problem
	}
	id := w.ids.number("window")
	for w.Window(id) != nil { // a test has added it
		id = w.ids.number("window")
	}
	m := windowDefaults.With(sent)
	m.Set("id", id)
	m.Set("created_at", fakeclock.Stamp(now))
	w.Settle(now) // runs that ended before are judged without the window
	w.Windows = append(w.Windows, readWindow(JSON(m)))
	return m, nil
}

// UpdateWindow changes the members that the body of an update has, or returns the rule that it
// breaks.
func (w *World) UpdateWindow(m *Window, sent Object, now time.Time) *schema.Violation {
	if problem := completeWindow(sent); problem != nil {
		return problem
	}
	var before Object
	MustUnmarshal(m.JSON, &before)
	merged := before.With(sent)
	merged.Set("updated_at", fakeclock.Stamp(now))
	w.Settle(now) // runs that ended before the update are judged by the old window
	*m = readWindow(JSON(merged))
	return nil
}

// DeleteWindow deletes a window.
func (w *World) DeleteWindow(id int64, now time.Time) {
	w.Settle(now)
	w.Windows = slices.DeleteFunc(w.Windows, func(m Window) bool { return m.ID == id })
}
