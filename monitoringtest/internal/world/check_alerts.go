package world

import (
	"slices"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// CheckAlerts are the alerts of checks, in the order of their creation.
var CheckAlerts = &Kind{
	Name: "check alert", List: "checkAlerts", ID: "id", Form: OfTexts,
	Made: "created_at", Moments: []string{"startedAt"},
	Members:  []string{"name", "checkId", "alertType", "checkType", "runLocation", "responseTime", "error", "statusCode"},
	Defaults: Object{"name": Raw(`""`), "alertType": Raw(`"ALERT_FAILURE"`)},
	Example:  func() any { return new(monitoring.CheckAlert) },
}

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
	w.restore(CheckAlerts, ObjectOf(a), nil)
}

// AddCheckAlert adds an alert of a check and returns its id.
func (w *World) AddCheckAlert(a Object) (string, error) {
	d, err := w.Add(CheckAlerts, a, nil)
	if err != nil {
		return "", err
	}
	w.sortCheckAlerts()
	return d.ID, nil
}

func (w *World) sortCheckAlerts() {
	slices.SortStableFunc(w.Of(CheckAlerts).All, func(a, b *Document) int { return a.madeAt().Compare(b.madeAt()) })
}

// madeAt returns when an alert of a check was made.
func (d *Document) madeAt() time.Time {
	return parsed(d, func(d *Document) monitoring.Timestamp {
		var at monitoring.Timestamp
		d.Members.Get("created_at", &at)
		return at
	}).Time
}

// CheckAlertsBetween returns the alerts of a check, or of all for an empty id, from a moment,
// inclusive, to another, exclusive.
func (w *World) CheckAlertsBetween(check string, from, to time.Time) (list []Object) {
	for _, d := range w.Of(CheckAlerts).All {
		if at := d.madeAt(); !at.Before(from) && at.Before(to) && (check == "" || sameID(d.Members.Text("checkId"), check)) {
			list = append(list, d.Members)
		}
	}
	return list
}
