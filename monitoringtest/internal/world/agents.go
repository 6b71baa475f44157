package world

import (
	"fmt"
	"time"
)

// SetAgents starts or stops the agents of a private location. Runs that start there without an
// agent wait for one.
func (w *World) SetAgents(locationID string, running bool) error {
	l := w.Of(PrivateLocations).Find(locationID)
	if l == nil {
		return fmt.Errorf("there is no private location with the id %s", locationID)
	}
	now := w.Clock.Now()
	w.Settle(now) // what starts before goes as the agents were then
	if !running {
		w.away[l.slug()] = true
		l.own("agentsStopped", true)
		return nil
	}
	delete(w.away, l.slug())
	l.Own = nil
	for _, x := range w.Sessions {
		for _, r := range x.runs {
			if r.waits && r.location == l.slug() && !r.isCancelled() {
				w.goOn(x, r, now)
			}
		}
	}
	return nil
}

// goOn lets a run that has waited for an agent take its time from now on.
func (w *World) goOn(x *Session, r *run, now time.Time) {
	if now.Before(x.begins) {
		now = x.begins
	}
	r.waits, r.planned = false, now.Add(x.Spec.Duration)
	w.moved(x)
}
