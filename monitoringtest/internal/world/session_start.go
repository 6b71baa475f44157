package world

import (
	"container/heap"
	"time"
)

// start starts a session of a check, whose runs begin when its group has room.
func (w *World) start(c *Check, now time.Time) *Session {
	p := c.plan
	outcome := p.Outcome
	if c.runs < len(p.Outcomes) {
		outcome = p.Outcomes[c.runs]
	}
	c.runs++
	s := w.Holds(c)
	x := w.addSession(SessionSpec{
		CheckID: c.ID, Name: c.Name, Type: c.Type, Locations: s.Locations,
		Duration: p.RunTime, Outcome: outcome, Progress: p.Progress, FailIn: p.FailIn, Attempts: p.Attempts,
		ResponseTime: p.ResponseTime, Error: p.Error, HasErrors: p.HasErrors, Result: p.Result, VisibleAfter: p.VisibleAfter,
	}, now, course{begins: w.room(c.GroupID, now), retries: retries(c.Type, s.Members), parallel: s.Members.Is("runParallel")})
	if w.Groups[c.GroupID] != nil {
		heap.Push(w.queues[c.GroupID], x.End())
	}
	w.watch(x, c)
	return x
}

// room returns when one more check of a group may run: at once, or when a running one
// ends if as many run as the group's concurrency allows. It takes that one's place.
func (w *World) room(group int64, now time.Time) time.Time {
	g := w.Groups[group]
	if g == nil {
		return now
	}
	ends := w.queues[group]
	if ends == nil {
		ends = &timeHeap{}
		w.queues[group] = ends
	}
	most := 3.0 // the default
	g.Members.Get("concurrency", &most)
	begins := now
	for len(*ends) > 0 && float64(len(*ends)) >= most {
		begins = heap.Pop(ends).(time.Time)
	}
	return begins
}
