package monitoringtest

import (
	"bytes"
	"encoding/json"
	"maps"
)

// object is a JSON object by its members.
type object map[string]json.RawMessage

// get decodes a member; it is false where it is absent, null or of another type.
func (o object) get(name string, out any) bool {
	raw, there := o[name]
	return there && !isNull(raw) && json.Unmarshal(raw, out) == nil
}

func (o object) text(name string) (v string)   { o.get(name, &v); return }
func (o object) is(name string) (v bool)       { o.get(name, &v); return }
func (o object) list(name string) (v []string) { o.get(name, &v); return }

func (o object) set(name string, v any) { o[name] = mustMarshal(v) }

// with is the object with the members of another on top. Lists that are null change
// nothing.
func (o object) with(changes object) object {
	merged := maps.Clone(o)
	for name, raw := range changes {
		if isNull(raw) && lists[name] {
			continue
		}
		merged[name] = raw
	}
	return merged
}

func isNull(raw json.RawMessage) bool { return string(raw) == "null" }

// lists are the members of checks and groups that are lists.
var lists = map[string]bool{
	"locations": true, "tags": true, "privateLocations": true, "environmentVariables": true,
	"alertChannelSubscriptions": true, "dependencies": true,
}

// violation is what is wrong with a part of a body, which is told by its JSON path; the
// path of the whole body is empty.
type violation struct{ path, message string }

func (v violation) bad() *bad {
	if v.path == "" {
		return &bad{"payload", "", v.message}
	}
	return badBody(v.path, v.message)
}

// readBody reads the body of a request. It is refused when it breaks a rule of its
// operation; the first one is told.
func (c *call) readBody() (object, *bad) {
	if len(bytes.TrimSpace(c.body)) == 0 {
		if bodies[c.operation].optional {
			return object{}, nil
		}
		return nil, &bad{"payload", "", "The request needs a body"}
	}
	if found := validateBody(c.operation, c.body); len(found) > 0 {
		return nil, found[0].bad()
	}
	var o object
	if err := json.Unmarshal(c.body, &o); err != nil {
		return nil, &bad{"payload", "", "The request body is not a JSON object"}
	}
	return o, nil
}
