package world

import (
	"maps"
	"slices"
)

// Holds returns what holds for a check: its own settings, and those that its group enforces. Reads
// that apply the settings of groups, triggers, runs and alerts all go by it, so that what is shown
// is what runs.
//
// A group enforces what it names: its locations and private locations, both lists, if it has any
// of them; its retry strategy unless that is FALLBACK, null for no retries; and doubleCheck, if
// true. Its runParallel and its alert settings hold unless they are null. Its tags come on top of
// those of the check, a check is deactivated or muted if either is, and of two subscriptions to a
// channel that of the check goes first.
func (w *World) Holds(c *Check) *Settings {
	g := w.Groups[c.GroupID]
	if c.holds == nil || c.under != g {
		c.holds, c.under = settingsOf(c.Members, g), g
	}
	return c.holds
}

func settingsOf(check Object, g *Group) *Settings {
	m, own := check, subscriptions(check)
	s := &Settings{
		Activated: m.Is("activated"), muted: m.Is("muted"), Tags: m.List("tags"), names: []string{m.Text("name")},
		subscriptions: make(map[int64]bool, len(own)),
	}
	if g != nil {
		m = maps.Clone(m)
		enforce(m, g.Members)
		s.Activated = s.Activated && (g.Members["activated"] == nil || g.Members.Is("activated"))
		s.muted = s.muted || g.Members.Is("muted")
		s.Tags = m.List("tags")
		s.names = append(s.names, g.Members.Text("name"))
		for _, x := range subscriptions(g.Members) {
			s.subscriptions[x.Channel] = x.Activated
		}
	}
	for _, x := range own {
		s.subscriptions[x.Channel] = x.Activated
	}
	s.names = append(s.names, s.Tags...)
	s.Locations = locationsOf(m)
	s.Members = m
	return s
}

// locationsOf returns the locations of a check or a group, the private ones last.
func locationsOf(o Object) []string {
	return append(o.List("locations"), o.List("privateLocations")...)
}

// enforce puts the settings of a group on top of those of a check.
func enforce(check, group Object) {
	for _, name := range group.List("tags") {
		if tags := check.List("tags"); !slices.Contains(tags, name) {
			check.Set("tags", append(tags, name))
		}
	}
	if len(locationsOf(group)) > 0 {
		check.Set("locations", append([]string{}, group.List("locations")...))
		check.Set("privateLocations", append([]string{}, group.List("privateLocations")...))
	}
	if group["retryStrategy"] != nil && group.Text("retryStrategy") != "FALLBACK" {
		check["retryStrategy"] = GroupBody.Member("retryStrategy").Node.Filled(group["retryStrategy"])
	}
	if group.Is("doubleCheck") {
		check["doubleCheck"] = group["doubleCheck"]
	}
	if group.Has("runParallel") {
		check["runParallel"] = group["runParallel"]
	}
	if !group.Has("useGlobalAlertSettings") && !group.Has("alertSettings") {
		return
	}
	check.Set("useGlobalAlertSettings", group.Is("useGlobalAlertSettings"))
	switch {
	case group.Has("alertSettings"):
		check["alertSettings"] = GroupBody.Member("alertSettings").Node.Filled(group["alertSettings"])
	case !group.Is("useGlobalAlertSettings"):
		check["alertSettings"] = Raw("null") // the first failure alerts
	}
}
