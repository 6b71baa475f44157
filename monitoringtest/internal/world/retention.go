package world

import (
	"container/heap"
	"slices"
	"time"
)

// forgetSessions forgets the oldest sessions if there are too many, and those at the front
// that ended long ago. There may be a fifth more than allowed before it forgets some, so
// that this does not happen for each new session.
func (w *World) forgetSessions(now time.Time) {
	if w.Retention.Age == 0 {
		return
	}
	n := 0
	if most := w.Retention.Most; len(w.Sessions) >= most+most/5+1 {
		n = len(w.Sessions) - most
	}
	for n < len(w.Sessions) && now.Sub(w.Sessions[n].End()) > w.Retention.Age {
		n++
	}
	for _, x := range w.Sessions[:n] {
		w.sessionsByID.delete(x.Spec.ID)
		w.forgetResults(x)
	}
	w.Sessions = slices.Delete(w.Sessions, 0, n)
}

// forgetResults forgets the results of a session, and that its end has consequences.
func (w *World) forgetResults(x *Session) {
	if x.heapAt >= 0 {
		heap.Remove(&w.unsettled, x.heapAt)
	}
	for _, r := range x.runs {
		for _, id := range r.results {
			w.resultsByID.delete(id)
		}
	}
}

// forgetAlerts is forgetSessions for alert notifications, and for the alerts of checks.
func (w *World) forgetAlerts(now time.Time) {
	if w.Retention.Age == 0 {
		return
	}
	n := 0
	if most := w.Retention.Most; len(w.Alerts.items) >= most+most/5+1 {
		n = len(w.Alerts.items) - most
	}
	for n < len(w.Alerts.items) && now.Sub(w.Alerts.items[n].at) > w.Retention.Age {
		n++
	}
	w.Alerts.items = slices.Delete(w.Alerts.items, 0, n)
	raised := 0
	if most := w.Retention.Most; len(w.CheckAlerts) >= most+most/5+1 {
		raised = len(w.CheckAlerts) - most
	}
	for raised < len(w.CheckAlerts) && now.Sub(w.CheckAlerts[raised].CreatedAt.Time) > w.Retention.Age {
		raised++
	}
	w.CheckAlerts = slices.Delete(w.CheckAlerts, 0, raised)
}
