package world

import (
	"cmp"
	"container/heap"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// Trigger starts a session of each check that matches groups of tags and has one of some ids in
// lower case, and returns them. Without tags, or without ids, all checks match. Only checks are
// started that are activated, and whose group is, if they are of a kind that has sessions. None is
// started if there is no room for all.
func (w *World) Trigger(tags [][]string, ids Set, now time.Time) ([]*Session, error) {
	var matching []*Check
	for _, c := range w.Checks {
		if s := w.Holds(c); w.canRun(c) && MatchesTags(s.Tags, tags) && (len(ids) == 0 || ids[strings.ToLower(c.ID)]) {
			matching = append(matching, c)
		}
	}
	if full := w.Overfull(); full != "" {
		return nil, errors.New(full)
	}
	if !w.hasRoom(len(matching), now) {
		return nil, fmt.Errorf("%d sessions run; the fake keeps at most %d that run: wait for some of them, or reset it",
			len(w.unsettled), mostRunning)
	}
	started := make(map[*Check]*Session, len(matching))
	for _, next := range inGroupOrder(matching) {
		started[next] = w.start(next, now, monitoring.RunSourceTriggerAPI)
	}
	sessions := make([]*Session, len(matching))
	for i, c := range matching {
		sessions[i] = started[c]
	}
	return sessions, nil
}

// canRun reports whether a check can be started.
func (w *World) canRun(c *Check) bool {
	return c.Type != monitoring.CheckTypeHeartbeat && w.Holds(c).Activated
}

// inGroupOrder sorts checks in the order in which they are started: those of a group by
// their groupOrder. The later ones wait if the group's concurrency is used up.
func inGroupOrder(checks []*Check) []*Check {
	list := slices.Clone(checks)
	slices.SortStableFunc(list, func(a, b *Check) int { return cmp.Compare(a.groupOrder, b.groupOrder) })
	return list
}

// start starts a session of a check, whose runs begin when its group has room.
func (w *World) start(c *Check, now time.Time, source monitoring.RunSource) *Session {
	p := c.plan
	outcome := p.Outcome
	if c.runs < len(p.Outcomes) {
		outcome = p.Outcomes[c.runs]
	}
	c.runs++
	s := w.Holds(c)
	if err := w.vetLocations(fmt.Sprintf("check %q", c.Name), s.Locations); c.added && err != nil {
		panic("monitoringtest: " + err.Error()) // a mistake of the test, which may add locations after checks
	}
	x := w.addSession(SessionSpec{
		CheckID: c.ID, Name: c.Name, Type: c.Type, Locations: s.Locations,
		Duration: p.RunTime, Outcome: outcome, Progress: p.Progress, FailIn: p.FailIn, Attempts: p.Attempts,
		ResponseTime: p.ResponseTime, Error: p.Error, HasErrors: p.HasErrors, Result: p.Result, VisibleAfter: p.VisibleAfter, RunSource: source,
	}, now, course{begins: w.room(c.GroupID, now), retries: retries(c.Type, s.Members), parallel: s.Members.Is("runParallel")})
	if w.Groups[c.GroupID] != nil {
		heap.Push(w.queues[c.GroupID], x.End())
	}
	w.holdBack(x)
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
	for len(*ends) > 0 && !(*ends)[0].After(now) { // it has made room
		heap.Pop(ends)
	}
	begins := now
	for len(*ends) > 0 && float64(len(*ends)) >= most {
		begins = heap.Pop(ends).(time.Time)
	}
	return begins
}

// never is how long after its begin a run ends that waits for an agent, as long as none comes.
const never = 100 * 365 * 24 * time.Hour

// holdBack lets the runs of a session that has just started wait whose location has no agent.
func (w *World) holdBack(x *Session) {
	for _, r := range x.runs {
		if w.away[r.location] {
			r.waits, r.planned = true, x.begins.Add(never)
		}
	}
}
