package world

import (
	"strings"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/schema"
)

// This file says what internal/schema describes of checks and groups.

// BodyOfUpdate describes the body of the update of a type. The empty one is the deprecated update
// of any type.
func BodyOfUpdate(kind monitoring.CheckType) *schema.Node {
	if kind == "" {
		return schema.Lookup("PUT /v1/checks/{id}").Body
	}
	return schema.Lookup("PUT " + pathOf(kind) + "/{id}").Body
}

// BodyOfCreate describes the body of the create of a type.
func BodyOfCreate(kind monitoring.CheckType) *schema.Node {
	return schema.Lookup("POST " + pathOf(kind)).Body
}

func pathOf(kind monitoring.CheckType) string {
	return "/v1/checks/" + strings.ToLower(strings.ReplaceAll(string(kind), "_", ""))
}

// GroupBody describes the body of the create and of the update of a group.
var GroupBody = schema.Lookup("PUT /v2/check-groups/{id}").Body

// fill adds to the objects inside the members of a body what they leave out, and drops the members
// that a service takes and drops. internal/schema says what that is, for the client as well.
func fill(body *schema.Node, sent Object) {
	for name, value := range sent {
		if body.Drops(name) != nil {
			delete(sent, name)
		} else if m := body.Member(name); m != nil {
			sent[name] = m.Node.Filled(value)
		}
	}
}
