package world

import (
	"container/heap"
	"slices"
	"time"
)

// mostRunning is how many sessions may run at once if old data is forgotten. Below: a program that
// triggers 12,500 checks and waits for them is refused. Above: memory, about 4 KB for each.
const mostRunning = 100_000

// hasRoom reports whether some more sessions may run.
func (w *World) hasRoom(more int, now time.Time) bool {
	if w.Retention.Age == 0 {
		return true
	}
	w.Settle(now)
	return len(w.unsettled)+more <= mostRunning && w.Overfull() == ""
}

// forgetSessions forgets the oldest sessions that have ended if there are too many, and those at
// the front that ended long ago. It never forgets one that runs, because somebody may wait for it.
// There may be a fifth more than allowed before it forgets some, so that this does not happen for
// each new session.
func (w *World) forgetSessions(now time.Time) {
	if w.Retention.Age == 0 {
		return
	}
	w.Settle(now) // what is forgotten has sent its alerts
	if most := w.Retention.Most; len(w.Sessions) > max(most, w.stayed)*6/5 {
		spare := len(w.Sessions) - most
		w.Sessions = slices.DeleteFunc(w.Sessions, func(x *Session) bool {
			if spare <= 0 || !x.Done(now) {
				return false
			}
			spare--
			w.forgetSession(x)
			return true
		})
		w.stayed = len(w.Sessions)
	}
	n := 0
	for n < len(w.Sessions) && now.Sub(w.Sessions[n].End()) > w.Retention.Age {
		w.forgetSession(w.Sessions[n])
		n++
	}
	w.Sessions = slices.Delete(w.Sessions, 0, n)
}

func (w *World) forgetSession(x *Session) {
	w.sessionsByID.delete(x.Spec.ID)
	w.forgetResults(x)
}

// forgetResults forgets the results of a session, and that its end has consequences.
func (w *World) forgetResults(x *Session) {
	if x.heapAt >= 0 {
		heap.Remove(&w.unsettled, x.heapAt)
	}
	x.gone = true
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
	for i := range n {
		delete(w.addedAlerts, w.Alerts.items[i].ID)
	}
	w.Alerts.items = slices.Delete(w.Alerts.items, 0, n)
	alerts := w.Of(CheckAlerts)
	raised := 0
	if most := w.Retention.Most; len(alerts.All) >= most+most/5+1 {
		raised = len(alerts.All) - most
	}
	for raised < len(alerts.All) && now.Sub(alerts.All[raised].madeAt()) > w.Retention.Age {
		raised++
	}
	alerts.forget(raised)
}
