package world

import (
	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/schema"
)

// Snippets are scripts that checks share.
var Snippets = &Kind{
	Name: "snippet", List: "snippets", ID: "id",
	Made: "created_at", Moments: []string{"updated_at"}, Members: []string{"name", "script"}, Needs: []string{"name", "script"},
	Defaults: Object{"name": Raw(`""`), "script": Raw(`""`), "updated_at": Raw("null")},
	Example:  func() any { return new(monitoring.Snippet) },
}

// UnknownSnippet returns the first member of a body of a check or a group that names a snippet
// which is not there.
func (w *World) UnknownSnippet(body *schema.Node, sent Object) *schema.Violation {
	for _, name := range []string{"setupSnippetId", "tearDownSnippetId"} {
		if sent.Has(name) && body.Drops(name) == nil && w.Of(Snippets).Find(string(sent[name])) == nil {
			return &schema.Violation{Path: name, Message: "is not the id of a snippet"}
		}
	}
	return nil
}
