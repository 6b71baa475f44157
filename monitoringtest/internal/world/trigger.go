package world

import (
	"cmp"
	"slices"
	"strings"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// Trigger starts a session of each check that matches groups of tags and has one of some ids in
// lower case, and returns them. Without tags, or without ids, all checks match. Only checks are
// started that are activated, and whose group is, if they are of a kind that has sessions.
func (w *World) Trigger(tags [][]string, ids Set, now time.Time) []*Session {
	var matching []*Check
	for _, c := range w.Checks {
		if s := w.Holds(c); w.canRun(c) && MatchesTags(s.Tags, tags) && (len(ids) == 0 || ids[strings.ToLower(c.ID)]) {
			matching = append(matching, c)
		}
	}
	started := make(map[*Check]*Session, len(matching))
	for _, next := range inGroupOrder(matching) {
		started[next] = w.start(next, now)
	}
	sessions := make([]*Session, len(matching))
	for i, c := range matching {
		sessions[i] = started[c]
	}
	return sessions
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
