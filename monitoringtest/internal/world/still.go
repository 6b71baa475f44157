package world

import (
	"maps"
	"slices"
)

// Still returns an account that is as this one is now, and stays so: what changes in records is
// copied, and what never changes is shared. It is made quickly, so that others wait for the lock
// only for that time, and can only be dumped.
func (w *World) Still() *World {
	w.Tick(w.Clock.Now())
	still := &World{Config: w.Config, state: state{
		ids: maps.Clone(w.ids), lastRun: w.lastRun, CheckLimit: w.CheckLimit, Entitlements: w.Entitlements, quotas: w.quotas,
		Groups: maps.Clone(w.Groups), Sessions: stillSessions(w.Sessions), Alerts: AlertList{items: slices.Clone(w.Alerts.items)},
		stores: make(map[*Kind]*Store, len(w.stores)), queues: make(map[int64]*timeHeap, len(w.queues)),
		Checks: copies(w.Checks), TestSessions: copies(w.TestSessions),
	}}
	for _, t := range still.TestSessions {
		t.runs = stillSessions(t.runs)
	}
	for k, s := range w.stores {
		still.stores[k] = &Store{All: copies(s.All)}
	}
	for group, ends := range w.queues {
		still.queues[group] = new(slices.Clone(*ends))
	}
	return still
}

// copies returns copies of some values, in one piece of memory.
func copies[T any](list []*T) []*T {
	values, pointers := make([]T, len(list)), make([]*T, len(list))
	for i, v := range list {
		values[i], pointers[i] = *v, &values[i]
	}
	return pointers
}

// stillSessions returns copies of some sessions with their runs.
func stillSessions(list []*Session) []*Session {
	var runs []*run
	for _, x := range list {
		runs = append(runs, x.runs...)
	}
	list, runs = copies(list), copies(runs)
	for _, x := range list {
		n := len(x.runs)
		x.runs, runs = runs[:n:n], runs[n:]
	}
	return list
}
