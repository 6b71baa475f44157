package world

import (
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

// CheckAlertsBetween returns the alerts of a check, or of all for an empty id, from a moment,
// inclusive, to another, exclusive.
func (w *World) CheckAlertsBetween(check string, from, to time.Time) (list []monitoring.CheckAlert) {
	for _, a := range w.CheckAlerts {
		if (check == "" || a.CheckID == check) && !a.CreatedAt.Before(from) && a.CreatedAt.Before(to) {
			list = append(list, a)
		}
	}
	return list
}
