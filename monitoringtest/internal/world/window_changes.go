package world

import (
	"fmt"
	"slices"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/fakeclock"
)

// AddWindow adds a maintenance window and returns its id, which is generated if it is 0.
func (w *World) AddWindow(added monitoring.MaintenanceWindow) (int64, error) {
	if err := w.VetWindow(&added); err != nil {
		return 0, err
	}
	now := w.Clock.Now()
	w.Settle(now)
	return w.insertWindow(added, now), nil
}

// VetWindow returns the first mistake in a window that a test adds.
func (w *World) VetWindow(added *monitoring.MaintenanceWindow) error {
	if added.ID != 0 && w.Window(added.ID) != nil {
		return fmt.Errorf("there is a maintenance window with the id %d", added.ID)
	}
	if problem := vetWindow(windowMembers(*added)); problem != nil {
		return fmt.Errorf("maintenance window %q: its %s %s", added.Name, problem.Path, problem.Message)
	}
	return nil
}

// windowMembers returns a window that a test adds as the service shows it.
func windowMembers(m monitoring.MaintenanceWindow) (o Object) {
	if m.Tags == nil {
		m.Tags = []string{}
	}
	m.StartsAt, m.EndsAt, m.CreatedAt = At(m.StartsAt.Time), At(m.EndsAt.Time), At(m.CreatedAt.Time)
	if m.UpdatedAt != nil {
		m.UpdatedAt = new(At(m.UpdatedAt.Time))
	}
	if m.RepeatEndsAt != nil {
		m.RepeatEndsAt = new(At(dayOf(m.RepeatEndsAt.Time)))
	}
	MustUnmarshal(JSON(m), &o)
	return o
}

func (w *World) insertWindow(m monitoring.MaintenanceWindow, now time.Time) int64 {
	if m.ID == 0 {
		m.ID = w.ids.number("window")
	}
	if m.CreatedAt.IsZero() {
		m.CreatedAt = At(now)
	}
	w.Windows = append(w.Windows, readWindow(JSON(windowMembers(m))))
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
	completeWindow(sent)
	m := windowDefaults.With(sent)
	if problem := vetWindow(m); problem != nil {
		return nil, problem
	}
	id := w.ids.number("window")
	for w.Window(id) != nil { // a test has added it
		id = w.ids.number("window")
	}
	m.Set("id", id)
	m.Set("created_at", fakeclock.Stamp(now))
	w.Settle(now) // runs that ended before are judged without the window
	w.Windows = append(w.Windows, readWindow(JSON(m)))
	return m, nil
}

// UpdateWindow changes the members that the body of an update has, or returns the rule that it
// breaks.
func (w *World) UpdateWindow(m *Window, sent Object, now time.Time) *schema.Violation {
	completeWindow(sent)
	var before Object
	MustUnmarshal(m.JSON, &before)
	merged := before.With(sent)
	if problem := vetWindow(merged); problem != nil {
		return problem
	}
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
