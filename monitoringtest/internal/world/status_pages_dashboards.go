package world

// AddStatusPageService adds a service of a status page and returns its id, which is
// generated if it is empty.
func (w *World) AddStatusPageService(id string) (string, error) {
	if err := VetUUID("a status page service", id); err != nil {
		return "", err
	}
	if id == "" {
		id = w.ids.text("status page service")
	}
	w.Services.set(id, id)
	return id, nil
}

// AddDashboard adds a dashboard and returns its dashboardId, which is generated if it is
// empty.
func (w *World) AddDashboard(id string) string {
	if id == "" {
		id = w.ids.text("dashboard")[:8]
	}
	w.Dashboards[id] = true
	return id
}

// DeleteService deletes a service of a status page and reports whether there was one.
func (w *World) DeleteService(id string) bool {
	wasThere := w.Services.of(id) != ""
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
