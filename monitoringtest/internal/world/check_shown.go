package world

import (
	monitoring "github.com/monitoring-api/monitoring-go"
)

// changedLack are the members that reads of a check have, and answers to its create or update lack,
// by type.
var changedLack = map[monitoring.CheckType][]string{
	monitoring.CheckTypeAPI: ofProject, monitoring.CheckTypeDNS: ofProject, monitoring.CheckTypeSSL: ofProject,
	monitoring.CheckTypeTCP: ofProject, monitoring.CheckTypeURL: ofProject,
	monitoring.CheckTypeHeartbeat: append([]string{"locations", "groupId", "groupOrder"}, ofProject...),
}

var ofProject = []string{"project", "logicalId", "member", "pending", "projectBindings"}

// ChangedCheck returns the check as the service shows it after a create or an update: secrets are
// null, members that only requests or other types have are left out, and alertChannels is added.
func (w *World) ChangedCheck(c *Check) Object {
	m := w.readableCheck(c, c.Members)
	delete(m, "dependencies")
	for _, name := range changedLack[c.Type] {
		delete(m, name)
	}
	return m
}

// ReadCheck returns a check as reads show it, without its dependencies unless they are asked for.
// applied says whether the settings hold that its group enforces.
func (w *World) ReadCheck(c *Check, applied, dependencies bool) Object {
	members := c.Members
	if applied {
		members = w.Holds(c).Members
	}
	m := w.readableCheck(c, members)
	if !dependencies {
		delete(m, "dependencies")
	} else if m["script"] != nil && m["dependencies"] == nil {
		m["dependencies"] = Raw("[]")
	}
	return m
}

func (w *World) readableCheck(c *Check, members Object) Object {
	m := w.Withhold(members)
	delete(m, "scriptPath")
	for name := range ofSomeType {
		if form := formDefaults[c.Type]; form != nil && form[name] == nil {
			delete(m, name)
		}
	}
	if m["script"] == nil {
		delete(m, "dependencies")
	}
	m["alertChannels"] = w.shownChannels(m)
	return m
}
