package world

import "time"

// Tick does what depends on the clock alone: it sends the alerts of runs that have ended, forgets
// old data and adds demo data.
func (w *World) Tick(now time.Time) {
	w.Settle(now)
	w.forgetSessions(now)
	w.NoteTestErrors(now)
	w.forgetTests(now)
	w.forgetAlerts(now)
	if w.Demo != nil {
		w.runSchedule(now)
	}
}
