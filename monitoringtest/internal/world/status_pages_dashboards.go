package world

import "fmt"

// AddStatusPageService adds a service of a status page and returns its id, which is
// generated if it is empty. It refuses a second one with the same id.
func (w *World) AddStatusPageService(id string) (string, error) {
	if err := VetUUID("a status page service", id); err != nil {
		return "", err
	}
	if id == "" {
		id = w.ids.text("status page service")
	}
	if w.HasService(id) {
		return "", fmt.Errorf("there is a status page service with the id %s", id)
	}
	w.Services.set(id, id)
	return id, nil
}

// AddDashboard adds a dashboard and returns its dashboardId, which is generated if it is
// empty. It refuses a second one with the same id.
func (w *World) AddDashboard(id string) (string, error) {
	if id == "" {
		id = w.ids.text("dashboard")[:8]
	}
	if w.Dashboards[id] {
		return "", fmt.Errorf("there is a dashboard with the id %s", id)
	}
	w.Dashboards[id] = true
	return id, nil
}

// HasService reports whether there is a service of a status page with an id.
func (w *World) HasService(id string) bool { return w.Services.of(id) != "" }

// DeleteService deletes a service of a status page and reports whether there was one.
func (w *World) DeleteService(id string) bool {
	wasThere := w.HasService(id)
	w.Services.delete(id)
	return wasThere
}

// DeleteDashboard deletes a dashboard and reports whether there was one. Its id is no UUID, so case
// counts in it.
func (w *World) DeleteDashboard(id string) bool {
	wasThere := w.Dashboards[id]
	delete(w.Dashboards, id)
	return wasThere
}
