package world

import "time"

// SessionViews returns the last sessions as they are now, at most some, also those that reads do
// not find yet.
func (w *World) SessionViews(most int, now time.Time) []SessionView {
	w.Settle(now)
	list := []SessionView{}
	for _, x := range w.Sessions[max(len(w.Sessions)-most, 0):] {
		list = append(list, w.View(x, now))
	}
	return list
}
