package world

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// Group is a check group of the account. Its members never change: an update makes another Group.
type Group struct {
	ID      int64
	Members Object // with secrets
}

// GroupDefaults are the members that a group has by default.
var GroupDefaults = Object{
	"activated": Raw("true"), "muted": Raw("false"), "tags": Raw("[]"), "locations": Raw("[]"), "concurrency": Raw("3"),
	"apiCheckDefaults": Raw("{}"), "browserCheckDefaults": Raw(`""`), "runtimeId": Raw("null"), "environmentVariables": Raw("[]"),
	"alertChannelSubscriptions": Raw("[]"), "setupSnippetId": Raw("null"), "tearDownSnippetId": Raw("null"),
	"localSetupScript": Raw("null"), "localTearDownScript": Raw("null"), "privateLocations": Raw("[]"),
	"runParallel": Raw("null"), "alertSettings": Raw("null"), "retryStrategy": Raw(`"FALLBACK"`),
	"useGlobalAlertSettings": Raw("null"), "doubleCheck": Raw("false"),
}

// groupUpdateDefaults are what an update is described to set what a body leaves out to. It has no
// default for the lists, and for browserCheckDefaults.
var groupUpdateDefaults = func() Object {
	o := maps.Clone(GroupDefaults)
	for _, name := range []string{
		"tags", "locations", "privateLocations", "environmentVariables", "alertChannelSubscriptions", "browserCheckDefaults",
	} {
		delete(o, name)
	}
	return o
}()

// groupObject returns the members of a group that a test adds. What is not set gets its default.
func groupObject(g monitoring.CheckGroup) Object {
	g.CreatedAt, g.UpdatedAt = asWritten(g.CreatedAt), asWrittenOrNil(g.UpdatedAt)
	var o Object
	MustUnmarshal(JSON(g), &o)
	delete(o, "autoAssignAlerts") // a query of requests
	fill(GroupBody, o)
	o = GroupDefaults.With(o)
	if o["updated_at"] == nil {
		o["updated_at"] = Raw("null")
	}
	return o
}

// parseGroup reads a group as the service returns it, which has an id.
func parseGroup(text string) (*Group, error) {
	g := new(Group)
	if err := json.Unmarshal([]byte(text), &g.Members); err != nil {
		return nil, fmt.Errorf("the group is not a JSON object: %w", err)
	}
	if !g.Members.Get("id", &g.ID) || g.ID <= 0 {
		return nil, errors.New("the group has no id, or one that is not a positive integer")
	}
	return g, nil
}
