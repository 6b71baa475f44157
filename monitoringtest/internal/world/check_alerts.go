package world

import (
	"fmt"
	"slices"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// raise notes an alert of a check about the end of a session.
func (w *World) raise(id string, x *Session, kind string) {
	a := monitoring.CheckAlert{
		ID: id, Name: x.Spec.Name, CheckID: x.Spec.CheckID, AlertType: kind, CheckType: x.Spec.Type,
		CreatedAt: At(x.End()), StartedAt: new(At(x.Spec.StartedAt)),
	}
	if len(x.Spec.Locations) > 0 {
		a.RunLocation = x.Spec.Locations[0]
	}
	if x.Spec.Error != "" {
		a.Error = &x.Spec.Error
	}
	w.CheckAlerts = append(w.CheckAlerts, a)
}

// AddCheckAlert adds an alert of a check and returns its id. An empty id is replaced by a generated
// one, and a missing time of creation by the present. It refuses a second one with the same id.
func (w *World) AddCheckAlert(a monitoring.CheckAlert) (string, error) {
	if generated := w.ids.text("check alert"); a.ID == "" {
		a.ID = generated
	}
	if w.HasCheckAlert(a.ID) {
		return "", fmt.Errorf("there is a check alert with the id %s", a.ID)
	}
	if a.AlertType == "" {
		a.AlertType = "ALERT_FAILURE"
	}
	if a.CreatedAt = asWritten(a.CreatedAt); a.CreatedAt.IsZero() {
		a.CreatedAt = At(w.Clock.Now())
	}
	a.StartedAt = asWrittenOrNil(a.StartedAt)
	w.CheckAlerts = append(w.CheckAlerts, a)
	slices.SortStableFunc(w.CheckAlerts, func(a, b monitoring.CheckAlert) int { return a.CreatedAt.Compare(b.CreatedAt.Time) })
	return a.ID, nil
}

// HasCheckAlert reports whether there is an alert of a check with an id.
func (w *World) HasCheckAlert(id string) bool {
	return slices.ContainsFunc(w.CheckAlerts, func(a monitoring.CheckAlert) bool { return a.ID == id })
}

// CheckAlertsBetween returns the alerts of a check, or of all for an empty id, from a moment,
// inclusive, to another, exclusive.
func (w *World) CheckAlertsBetween(check string, from, to time.Time) (list []monitoring.CheckAlert) {
	for _, a := range w.CheckAlerts {
		if (check == "" || sameID(a.CheckID, check)) && !a.CreatedAt.Before(from) && a.CreatedAt.Before(to) {
			list = append(list, a)
		}
	}
	return list
}
