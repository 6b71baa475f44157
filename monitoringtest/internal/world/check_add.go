package world

import (
	"fmt"
	"slices"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/schema"
)

// AddCheck adds a check and returns its id. Like a check that is created over the API, it
// is subscribed to all alert channels added so far, unless its Members have
// alertChannelSubscriptions.
func (w *World) AddCheck(c CheckSpec) (string, error) {
	if err := w.VetCheck(&c); err != nil {
		return "", err
	}
	if c.GroupID != 0 && w.Groups[c.GroupID] == nil {
		return "", fmt.Errorf("check %q: there is no group with the id %d: add it first", c.Name, c.GroupID)
	}
	return w.addNewCheck(c, w.Clock.Now()), nil
}

// VetCheck returns the first mistake in a check that a test adds.
func (w *World) VetCheck(c *CheckSpec) error {
	what := fmt.Sprintf("check %q", c.Name)
	if c.ID != "" && !schema.IsUUID(c.ID) {
		return fmt.Errorf("%s has the id %q, but ids of checks are UUIDs: leave it empty, or use monitoringtest.UUID(%[2]q)", what, c.ID)
	}
	if w.Check(c.ID) != nil {
		return fmt.Errorf("a check with the id %s exists already", c.ID)
	}
	if err := vetMembers(c.Members); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	if err := vetUpper(string(c.Type)); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	locations := c.Locations
	if len(locations) == 0 {
		locations = defaultLocations
	}
	if c.Members["locations"] != nil || c.Members["privateLocations"] != nil {
		locations = nil
	}
	if g := w.Groups[c.GroupID]; g != nil && len(locationsOf(g.Members)) > 0 {
		locations = locationsOf(g.Members)
	}
	if err := VetPlan(c, locations); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// defaultLocations are those of a check or session that names none.
var defaultLocations = []string{string(monitoring.RegionEUCentral1)}

func (w *World) addNewCheck(c CheckSpec, now time.Time) string {
	generated := w.ids.text("check")
	if c.ID == "" {
		c.ID = generated
	}
	if c.Type == "" {
		c.Type = monitoring.CheckTypeAPI
	}
	if c.Name == "" {
		c.Name = "Check " + itoa(len(w.Checks)+1)
	}
	if len(c.Locations) == 0 {
		c.Locations = slices.Clone(defaultLocations)
	}
	m := defaultCheck(c.Type, now)
	m.Set("id", c.ID)
	m.Set("name", c.Name)
	m.Set("activated", !c.Deactivated)
	m.Set("muted", c.Muted)
	m.Set("tags", append([]string{}, c.Tags...))
	public, private := []string{}, []string{}
	for _, l := range c.Locations {
		if regions[l] {
			public = append(public, l)
		} else {
			private = append(private, l)
		}
	}
	m.Set("locations", public)
	m.Set("privateLocations", private)
	if c.GroupID != 0 {
		m.Set("groupId", c.GroupID)
	}
	w.subscribeTo(true, m)
	for name, v := range c.Members {
		m.Set(name, v)
	}
	fill(BodyOfUpdate(""), m)
	c.Result = plain(c.Result) // panics here, and not only at a trigger
	made := &Check{ID: c.ID, Type: c.Type, plan: c, added: true}
	w.insertCheck(made, m)
	w.await(made, now.Add(c.Every))
	return c.ID
}

func (w *World) insertCheck(c *Check, members Object) {
	w.completeHeartbeat(members)
	w.hold(members)
	c.change(members)
	w.Checks = append(w.Checks, c)
	w.checksByID.set(c.ID, c)
}
