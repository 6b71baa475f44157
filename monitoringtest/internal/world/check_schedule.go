package world

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// leastEvery is how often the scheduler may start a check. More often, moving the clock by a day
// would add more sessions than a test can look at.
const leastEvery = time.Second

// vetSchedule refuses a check that the scheduler cannot start, or not that often.
func vetSchedule(c *CheckSpec) error {
	switch {
	case c.Every == 0:
		return nil
	case c.Every < leastEvery:
		return fmt.Errorf("the scheduler starts it every %s: want at least %s, or 0 for never", c.Every, leastEvery)
	case c.Type == monitoring.CheckTypeHeartbeat:
		return fmt.Errorf("the scheduler starts it every %s: checks of type %s have no runs", c.Every, c.Type)
	}
	return nil
}

// await makes the scheduler start a check at a moment, and then as its plan says.
func (w *World) await(c *Check, next time.Time) {
	w.unschedule(c)
	if c.plan.Every > 0 {
		c.next = next
		w.scheduled = append(w.scheduled, c)
	}
}

func (w *World) unschedule(c *Check) {
	c.next = time.Time{}
	w.scheduled = slices.DeleteFunc(w.scheduled, func(other *Check) bool { return other == c })
}

// startDue starts the sessions that the scheduler has to start up to a moment, in the order of
// their starts. It leaves out those of checks that are deactivated, or that a window pauses at that
// time.
func (w *World) startDue(now time.Time) {
	if w.starting { // one that is started settles what has ended before
		return
	}
	w.starting = true
	defer func() { w.starting = false }()
	for {
		if len(w.scheduled) == 0 {
			return
		}
		c := slices.MinFunc(w.scheduled, func(a, b *Check) int {
			return cmp.Or(a.next.Compare(b.next), cmp.Compare(a.ID, b.ID))
		})
		if c.next.After(now) {
			return
		}
		at := c.next
		c.next = at.Add(c.plan.Every)
		if w.canRun(c) && !w.paused(c, at) && w.hasRoom(1, at) {
			w.start(c, at, monitoring.RunSourceScheduler)
		}
	}
}
