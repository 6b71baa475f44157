package world

import (
	"container/heap"
	"slices"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// Cancel cancels the running sequences of a session, or those with some ids, after the cancel
// delay. Only runs of PLAYWRIGHT checks that the scheduler did not start can be canceled; others
// go on.
func (w *World) Cancel(x *Session, sequences []string, now time.Time) {
	if x.Spec.Type != monitoring.CheckTypePlaywright || x.Spec.RunSource == monitoring.RunSourceScheduler {
		return
	}
	moment := now.Add(w.Clock.Sped(w.CancelDelay))
	for _, r := range x.runs {
		if r.end().After(moment) && (sequences == nil || slices.ContainsFunc(sequences, r.isSequence)) {
			r.cancelled = moment
		}
	}
	w.moved(x)
}

// moved lets those who wait for the end of a session look again when that is.
func (w *World) moved(x *Session) {
	if x.heapAt >= 0 {
		heap.Fix(&w.unsettled, x.heapAt)
	}
	close(x.changed)
	x.changed = make(chan struct{})
}
