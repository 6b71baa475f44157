package world

import "time"

// silenced reports whether no alerts of a check are sent at a moment: it or its group
// is muted, or a maintenance window silences or pauses it.
func (w *World) silenced(c *Check, moment time.Time) bool {
	return w.Holds(c).muted ||
		w.inWindow(c, moment, func(w *Window, names []string) bool { return w.pauses.has(names) || w.silences.has(names) })
}

// subscribed returns the channels that a check alerts.
func (w *World) subscribed(c *Check) (list []*Channel) {
	wanted := w.Holds(c).subscriptions
	for _, d := range w.Of(AlertChannels).All {
		if channel := d.Channel(); wanted[channel.ID] {
			list = append(list, channel)
		}
	}
	return list
}

// paused reports whether a maintenance window pauses a check at a moment.
func (w *World) paused(c *Check, moment time.Time) bool {
	return w.inWindow(c, moment, func(w *Window, names []string) bool { return w.pauses.has(names) })
}

// inWindow reports whether a moment is in a window that is for a check, as told by its names and
// tags and those of its group.
func (w *World) inWindow(c *Check, moment time.Time, isFor func(w *Window, names []string) bool) bool {
	names := w.Holds(c).names
	for _, d := range w.Of(MaintenanceWindows).All {
		if w := d.Window(); isFor(w, names) && w.covers(moment) {
			return true
		}
	}
	return false
}
