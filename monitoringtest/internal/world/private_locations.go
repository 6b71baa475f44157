package world

import (
	monitoring "github.com/monitoring-api/monitoring-go"
)

// AddPrivateLocation adds a private location and returns its id, which is generated if it is
// empty. A SlugName that is empty is the Name. Checks run in it if their Locations name its
// SlugName.
func (w *World) AddPrivateLocation(l monitoring.PrivateLocation) (string, error) {
	if err := VetUUID("a private location", l.ID); err != nil {
		return "", err
	}
	generated := w.ids.text("private location")
	if l.ID == "" {
		l.ID = generated
	}
	if l.SlugName == "" {
		l.SlugName = l.Name
	}
	if l.CreatedAt.IsZero() {
		l.CreatedAt = At(w.Clock.Now())
	}
	w.PrivateLocations = append(w.PrivateLocations, l)
	return l.ID, nil
}

// ShownLocations returns the private locations, with their agents by version only if it is asked
// to.
func (w *World) ShownLocations(versions bool) []monitoring.PrivateLocation {
	list := append([]monitoring.PrivateLocation{}, w.PrivateLocations...)
	for i := range list {
		if !versions {
			list[i].RunningAgents = nil
		}
	}
	return list
}
