package monitoringtest

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
)

// validateBody returns the rules of its operation that a body breaks.
func validateBody(operation string, body []byte) []violation {
	var o object
	if err := json.Unmarshal(body, &o); err != nil || o == nil {
		return []violation{{"", "The request body is not a JSON object"}}
	}
	rules := bodies[operation]
	if v := rules.schema.check(o, ""); v != nil {
		return []violation{*v}
	}
	for _, rule := range rules.rules {
		if v := rule(o); v != nil {
			return []violation{*v}
		}
	}
	return nil
}

// bodyRules is what the body of an operation must be.
type bodyRules struct {
	optional bool // it may be missing
	schema   schema
	rules    []func(object) *violation
}

var bodies = map[string]bodyRules{
	"POST /v2/check-sessions/trigger": {schema: triggerSchema, rules: []func(object) *violation{ruleTarget(false)}},
	"POST /v1/check-sessions/trigger": {optional: true, schema: triggerSchema, rules: []func(object) *violation{ruleTarget(true)}},
	"POST /v1/check-sessions/{checkSessionId}/cancel": {
		optional: true, schema: schema{"sequenceId": array}, rules: []func(object) *violation{ruleSequences},
	},
	"PUT /v2/check-groups/{id}":   {schema: groupSchema, rules: []func(object) *violation{ruleGroup, ruleCommon}},
	"POST /v1/checks/tcp":         {schema: tcpSchema, rules: []func(object) *violation{ruleTCP, ruleCommon, ruleCheck, ruleOffset}},
	"PUT /v1/checks/browser/{id}": {schema: browserSchema, rules: []func(object) *violation{ruleCommon, ruleCheck}},
	"PUT /v1/checks/{id}":         {schema: anySchema, rules: []func(object) *violation{ruleCommon, ruleCheck}},
}

var triggerSchema = schema{"target": members, "refreshCache": boolean}

func ruleTarget(v1 bool) func(object) *violation {
	return func(o object) *violation {
		var target object
		o.get("target", &target)
		ids := array
		if v1 {
			ids |= text
		}
		if v := (schema{"matchTags": array, "checkId": ids}).check(target, "target."); v != nil {
			return v
		}
		_, _, v := readTarget(target, v1)
		return v
	}
}

func ruleSequences(o object) *violation {
	raw, given := o["sequenceId"]
	if !given {
		return nil
	}
	var sequences []string
	if json.Unmarshal(raw, &sequences) != nil || len(sequences) == 0 || slices.ContainsFunc(sequences, func(s string) bool { return !isUUID(s) }) {
		return badPart("sequenceId", "must be an array of at least 1 valid GUID")
	}
	return nil
}

func badPart(path, message string) *violation { return &violation{path, message} }

// kind is a set of JSON types.
type kind uint8

const (
	text kind = 1 << iota
	number
	integer
	boolean
	array
	members
	null
)

func (k kind) String() string {
	switch {
	case k&text != 0 && k&members != 0:
		return "a string or an object"
	case k&text != 0:
		return "a string"
	case k&number != 0:
		return "a number"
	case k&integer != 0:
		return "an integer"
	case k&boolean != 0:
		return "a boolean"
	case k&array != 0:
		return "an array"
	}
	return "an object"
}

func (k kind) accepts(raw json.RawMessage) bool {
	switch raw[0] {
	case '"':
		return k&text != 0
	case 't', 'f':
		return k&boolean != 0
	case '[':
		return k&array != 0
	case '{':
		return k&members != 0
	case 'n':
		return k&null != 0
	}
	if k&number != 0 {
		return true
	}
	n, err := strconv.ParseFloat(string(raw), 64)
	return k&integer != 0 && err == nil && n == math.Trunc(n)
}

// schema is the members an object may have.
type schema map[string]kind

func (s schema) check(o object, prefix string) *violation {
	for _, name := range slices.Sorted(maps.Keys(o)) {
		k, known := s[name]
		if !known {
			return badPart(prefix+name, "is not allowed")
		}
		if !k.accepts(o[name]) {
			return badPart(prefix+name, "must be "+k.String())
		}
	}
	return nil
}
