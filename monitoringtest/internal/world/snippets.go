package world

import (
	monitoring "github.com/monitoring-api/monitoring-go"
)

// Snippets are scripts that checks share.
var Snippets = &Kind{
	Name: "snippet", List: "snippets", ID: "id",
	Made: "created_at", Moments: []string{"updated_at"}, Members: []string{"name", "script"}, Needs: []string{"name", "script"},
	Defaults: Object{"name": Raw(`""`), "script": Raw(`""`), "updated_at": Raw("null")},
	Example:  func() any { return new(monitoring.Snippet) },
}
