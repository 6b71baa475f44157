package world

import (
	"fmt"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/fakeclock"
)

// AddGroup adds a check group and returns its id, which is generated if it is 0.
func (w *World) AddGroup(g monitoring.CheckGroup) (int64, error) {
	generated := w.ids.number("group")
	if g.ID == 0 {
		g.ID = generated
	}
	if g.CreatedAt.IsZero() {
		g.CreatedAt = At(w.Clock.Now())
	}
	return w.insertGroup(&Group{g.ID, groupObject(g)})
}

// AddGroupJSON adds a check group as the JSON object that the service returns for it.
func (w *World) AddGroupJSON(text string) (int64, error) {
	g, err := parseGroup(text)
	if err != nil {
		return 0, err
	}
	return w.insertGroup(g)
}

// AddGroupObject adds a group of a document, whose id is generated if it is 0.
func (w *World) AddGroupObject(id int64, members Object) {
	generated := w.ids.number("group")
	if id == 0 {
		id = generated
	}
	members.Set("id", id)
	w.Groups[id] = &Group{id, members}
}

func (w *World) insertGroup(g *Group) (int64, error) {
	if w.Groups[g.ID] != nil {
		return 0, fmt.Errorf("a group with the id %d exists already", g.ID)
	}
	w.Groups[g.ID] = g
	return g.ID, nil
}

// CreateGroup creates a group from the body of its create, which it completes.
func (w *World) CreateGroup(sent Object, subscribe bool, now time.Time) *Group {
	fill(GroupBody, sent)
	w.name(sent)
	id := w.ids.number("group")
	for w.Groups[id] != nil { // a test has added it
		id = w.ids.number("group")
	}
	m := GroupDefaults.With(sent)
	m.Set("id", id)
	m.Set("created_at", fakeclock.Stamp(now))
	m["updated_at"] = Raw("null")
	if subscribe {
		w.subscribeTo(true, m)
	}
	w.hold(m)
	w.Groups[id] = &Group{id, m}
	return w.Groups[id]
}

// UpdateGroup changes the members of a group that the body of an update has. The others keep their
// values, or are set to the defaults of an update, if there are any and the config says so.
func (w *World) UpdateGroup(g *Group, sent Object, now time.Time) *Group {
	before := g.Members
	if w.GroupResets {
		before = join(before, groupUpdateDefaults)
	}
	fill(GroupBody, sent)
	w.name(sent)
	merged := before.With(sent)
	keepSecret(g.Members, merged)
	w.Settle(now) // runs that ended before the update are judged by the old settings
	merged.Set("updated_at", fakeclock.Stamp(now))
	w.hold(merged)
	w.Groups[g.ID] = &Group{g.ID, merged}
	return w.Groups[g.ID]
}

// ChecksOf returns the checks of a group.
func (w *World) ChecksOf(g *Group) (list []*Check) {
	for _, c := range w.Checks {
		if c.GroupID == g.ID {
			list = append(list, c)
		}
	}
	return list
}

// DeleteGroup deletes a group that has no checks.
func (w *World) DeleteGroup(g *Group) {
	delete(w.Groups, g.ID)
	delete(w.queues, g.ID)
}
