package world

import (
	"slices"
	"time"
)

// DeleteCheck deletes a check with its results and error groups. Its sessions stay: who waits for
// one sees its end, which sends no alert any more.
func (w *World) DeleteCheck(c *Check, now time.Time) {
	w.Settle(now) // runs that ended before have sent their alerts
	for _, x := range w.Sessions {
		if sameID(x.Spec.CheckID, c.ID) {
			w.forgetResults(x)
		}
	}
	w.Checks = slices.DeleteFunc(w.Checks, func(other *Check) bool { return other == c })
	w.checksByID.delete(c.ID)
	w.unschedule(c)
	w.Of(ErrorGroups).remove(func(d *Document) bool { return sameID(d.errorOf().check, c.ID) })
}
