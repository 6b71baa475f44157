package world

import (
	"fmt"
	"slices"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// AddPrivateLocation adds a private location and returns its id, which is generated if it is
// empty. A SlugName that is empty is the Name. Checks run in it if their Locations name its
// SlugName.
func (w *World) AddPrivateLocation(l monitoring.PrivateLocation) (string, error) {
	if err := w.VetPrivateLocation(&l); err != nil {
		return "", err
	}
	generated := w.ids.text("private location")
	if l.ID == "" {
		l.ID = generated
	}
	if l.SlugName == "" {
		l.SlugName = l.Name
	}
	if l.CreatedAt.IsZero() {
		l.CreatedAt = At(w.Clock.Now())
	}
	w.PrivateLocations = append(w.PrivateLocations, l)
	return l.ID, nil
}

// VetPrivateLocation returns the first mistake in a private location that a test adds.
func (w *World) VetPrivateLocation(l *monitoring.PrivateLocation) error {
	if err := VetUUID("a private location", l.ID); err != nil {
		return err
	}
	if l.ID != "" && w.PrivateLocation(l.ID) != nil {
		return fmt.Errorf("there is a private location with the id %s", l.ID)
	}
	for _, key := range l.Keys {
		if err := VetUUID("a key of a private location", key.ID); err != nil {
			return err
		}
	}
	return nil
}

// ShownLocations returns the private locations, with their agents by version only if it is asked
// to.
func (w *World) ShownLocations(versions bool) []monitoring.PrivateLocation {
	list := append([]monitoring.PrivateLocation{}, w.PrivateLocations...)
	for i := range list {
		if !versions {
			list[i].RunningAgents = nil
		}
		if w.away[list[i].SlugName] {
			list[i].AgentCount = new(0)
			list[i].RunningAgents = list[i].RunningAgents[:0]
		}
	}
	return list
}

// PrivateLocation returns a private location; nil if there is none with the id.
func (w *World) PrivateLocation(id string) *monitoring.PrivateLocation {
	i := slices.IndexFunc(w.PrivateLocations, func(l monitoring.PrivateLocation) bool { return sameID(l.ID, id) })
	if i < 0 {
		return nil
	}
	return &w.PrivateLocations[i]
}

// ShownLocation returns a private location as all responses but those of lists show it: without
// what is known of its agents.
func ShownLocation(l *monitoring.PrivateLocation) monitoring.PrivateLocation {
	shown := *l
	shown.LastSeen, shown.AgentCount, shown.MinAgentVersion, shown.RunningAgents, shown.ProjectBindings = nil, nil, nil, nil, nil
	return shown
}

// CreateLocation creates the private location of a body.
func (w *World) CreateLocation(sent Object, now time.Time) *monitoring.PrivateLocation {
	w.PrivateLocations = append(w.PrivateLocations, monitoring.PrivateLocation{
		ID: w.ids.text("private location"), SlugName: sent.Text("slugName"), CreatedAt: At(now), Keys: []monitoring.PrivateLocationKey{},
	})
	made := &w.PrivateLocations[len(w.PrivateLocations)-1]
	setLocation(made, sent)
	return made
}

// UpdateLocation replaces the settings of a private location by those of a body: what the body
// leaves out gets its default.
func UpdateLocation(l *monitoring.PrivateLocation, sent Object, now time.Time) {
	setLocation(l, sent)
	l.UpdatedAt = new(At(now))
}

func setLocation(l *monitoring.PrivateLocation, sent Object) {
	l.Name, l.Icon, l.ProxyURL = sent.Text("name"), new("location"), monitoring.Secret{}
	sent.Get("icon", &l.Icon)
	if sent.Has("proxyUrl") {
		l.ProxyURL = monitoring.NewSecret(sent.Text("proxyUrl"))
	}
}

// NamesLocation reports whether a check or a group names a private location.
func (w *World) NamesLocation(slug string) bool {
	names := func(o Object) bool { return slices.Contains(o.List("privateLocations"), slug) }
	for _, g := range w.Groups {
		if names(g.Members) {
			return true
		}
	}
	return slices.ContainsFunc(w.Checks, func(c *Check) bool { return names(c.Members) })
}

// DeleteLocation deletes a private location with its keys.
func (w *World) DeleteLocation(id string) {
	delete(w.away, w.PrivateLocation(id).SlugName)
	w.PrivateLocations = slices.DeleteFunc(w.PrivateLocations, func(l monitoring.PrivateLocation) bool { return sameID(l.ID, id) })
}

// CreateKey creates a key of a private location.
func (w *World) CreateKey(l *monitoring.PrivateLocation, now time.Time) monitoring.PrivateLocationKey {
	id := w.ids.text("key of a private location")
	key := monitoring.PrivateLocationKey{
		ID: id, RawKey: monitoring.NewSecret("pl_" + id[24:]), MaskedKey: "..." + id[32:], CreatedAt: At(now),
	}
	l.Keys = append(slices.Clip(l.Keys), key)
	return key
}

// DeleteKey deletes a key of a private location and reports whether there was one.
func DeleteKey(l *monitoring.PrivateLocation, id string) bool {
	kept := slices.DeleteFunc(slices.Clone(l.Keys), func(k monitoring.PrivateLocationKey) bool { return sameID(k.ID, id) })
	found := len(kept) < len(l.Keys)
	l.Keys = kept
	return found
}
