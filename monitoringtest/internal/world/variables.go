package world

import (
	monitoring "github.com/monitoring-api/monitoring-go"
)

// Variables are the environment variables of the account. A test may add a key twice.
var Variables = &Kind{
	Name: "variable", List: "variables", ID: "key", Form: OfTexts, Repeats: true,
	Members: []string{"value", "locked", "secret"}, Needs: []string{"key"},
	Defaults: Object{"value": Raw(`""`), "locked": Raw("false"), "secret": Raw("false")},
	Resets:   Object{"locked": Raw("false"), "secret": Raw("false")},
	Example:  func() any { return new(monitoring.EnvironmentVariable) },
}

// AddVariables adds variables.
func (w *World) AddVariables(list ...monitoring.EnvironmentVariable) {
	for _, v := range list {
		must(w.Add(Variables, ObjectOf(v), nil))
	}
}

// UpdateVariable gives a variable another value and flags. One that is secret stays so.
func (w *World) UpdateVariable(d *Document, sent Object) {
	if d.Members.Is("secret") {
		sent["secret"] = Raw("true")
	}
	w.Update(Variables, d, sent, w.Clock.Now())
}

// WithheldVariable returns a variable as reads show it, without the value if it is secret.
func (w *World) WithheldVariable(d *Document) Object {
	if d.Members.Is("secret") {
		return join(d.Members, Object{"value": w.withheldSecret()})
	}
	return d.Members
}
