package monitoringtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	monitoring "github.com/monitoring-api/monitoring-go"
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
func (o object) with(changes object, schema schema) object {
	merged := maps.Clone(o)
	for name, raw := range changes {
		if isNull(raw) && schema[name]&array != 0 {
			continue
		}
		merged[name] = raw
	}
	return merged
}

func toObject(v any) object {
	var o object
	if err := json.Unmarshal(mustMarshal(v), &o); err != nil {
		panic(fmt.Sprintf("monitoringtest: %T is no JSON object: %s", v, err))
	}
	return o
}

func isNull(raw json.RawMessage) bool { return string(raw) == "null" }

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

func (s schema) check(o object, prefix string) *bad {
	for _, name := range slices.Sorted(maps.Keys(o)) {
		k, known := s[name]
		if !known {
			return badBody(prefix+name, "is not allowed")
		}
		if !k.accepts(o[name]) {
			return badBody(prefix+name, "must be "+k.String())
		}
	}
	return nil
}

func (c *call) bodyObject() (object, *bad) {
	if len(bytes.TrimSpace(c.body)) == 0 {
		return nil, &bad{"payload", "", "The request needs a body"}
	}
	var o object
	if err := json.Unmarshal(c.body, &o); err != nil || o == nil {
		return nil, &bad{"payload", "", "The request body is not a JSON object"}
	}
	return o, nil
}

// bodyOf reads a body and holds it against a schema and further rules.
func (c *call) bodyOf(s schema, rules ...func(object) *bad) (object, *bad) {
	o, problem := c.bodyObject()
	if problem == nil {
		problem = s.check(o, "")
	}
	for _, rule := range rules {
		if problem == nil {
			problem = rule(o)
		}
	}
	return o, problem
}

var regions = func() map[string]bool {
	m := make(map[string]bool, len(locations))
	for _, l := range locations {
		m[string(l.Region)] = true
	}
	return m
}()

var runtimes = []string{"2026.04", "2025.04", "2024.09", "2024.02", "2023.09", "2023.02", "2022.10"}

// ruleCommon holds what checks and groups have in common.
func ruleCommon(o object) *bad {
	if raw, there := o["name"]; there && string(raw) == `""` {
		return badBody("name", "is not allowed to be empty")
	}
	for i, name := range o.list("locations") {
		if !regions[name] {
			return badBody(fmt.Sprintf("locations[%d]", i), "is not a location")
		}
	}
	for _, list := range []string{"tags", "locations", "privateLocations"} {
		var values []any
		o.get(list, &values)
		for i, v := range values {
			if s, isText := v.(string); !isText || s == "" {
				return badBody(fmt.Sprintf("%s[%d]", list, i), "must be a string that is not empty")
			}
		}
	}
	var id string
	if o.get("runtimeId", &id) && !slices.Contains(runtimes, id) {
		return badBody("runtimeId", "is not a runtime")
	}
	if problem := ruleVariables(o); problem != nil {
		return problem
	}
	if problem := ruleSubscriptions(o); problem != nil {
		return problem
	}
	return ruleRetryStrategy(o)
}

func ruleVariables(o object) *bad {
	var list []json.RawMessage
	o.get("environmentVariables", &list)
	if len(list) > 100 {
		return badBody("environmentVariables", "must contain at most 100 items")
	}
	for i, raw := range list {
		at := fmt.Sprintf("environmentVariables[%d]", i)
		var v object
		if json.Unmarshal(raw, &v) != nil || v == nil {
			return badBody(at, "must be an object")
		}
		if problem := (schema{"key": text, "value": text, "locked": boolean, "secret": boolean}).check(v, at+"."); problem != nil {
			return problem
		}
		if v.text("key") == "" {
			return badBody(at+".key", "is required")
		}
		if v["value"] == nil {
			return badBody(at+".value", "is required")
		}
	}
	return nil
}

func ruleSubscriptions(o object) *bad {
	var list []json.RawMessage
	o.get("alertChannelSubscriptions", &list)
	for i, raw := range list {
		var v object
		if json.Unmarshal(raw, &v) != nil || v["alertChannelId"] == nil || v["activated"] == nil {
			return badBody(fmt.Sprintf("alertChannelSubscriptions[%d]", i), "needs alertChannelId and activated")
		}
	}
	return nil
}

func ruleRetryStrategy(o object) *bad {
	raw := o["retryStrategy"]
	if len(raw) == 0 || raw[0] != '{' {
		return nil
	}
	var r object
	o.get("retryStrategy", &r)
	switch kind := r.text("type"); monitoring.RetryStrategyType(kind) {
	case monitoring.RetryStrategyFixed, monitoring.RetryStrategyLinear, monitoring.RetryStrategyExponential:
	case monitoring.RetryStrategySingleRetry:
		if r["maxRetries"] != nil || r["maxDurationSeconds"] != nil {
			return badBody("retryStrategy", "of SINGLE_RETRY has no maxRetries and no maxDurationSeconds")
		}
	case "":
		return badBody("retryStrategy.type", "is required")
	default:
		return badBody("retryStrategy.type", "must be one of FIXED, LINEAR, EXPONENTIAL, SINGLE_RETRY")
	}
	return nil
}

var frequencies = []int{0, 1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440}

// ruleCheck holds what all checks have in common.
func ruleCheck(o object) *bad {
	if utf8.RuneCountInString(o.text("description")) > 500 {
		return badBody("description", "must be at most 500 characters long")
	}
	var order float64
	if o.get("groupOrder", &order) && order < 0 {
		return badBody("groupOrder", "must be at least 0")
	}
	var frequency int
	if o.get("frequency", &frequency) && !slices.Contains(frequencies, frequency) {
		return badBody("frequency", fmt.Sprintf("must be one of %v", frequencies))
	}
	var degraded, most float64
	if o.get("degradedResponseTime", &degraded) && o.get("maxResponseTime", &most) && degraded > most {
		return badBody("degradedResponseTime", "must be at most maxResponseTime")
	}
	return nil
}

// ruleOffset holds a frequency offset against a frequency.
func ruleOffset(o object) *bad {
	var offset int
	if !o.get("frequencyOffset", &offset) {
		return nil
	}
	frequency := 10
	o.get("frequency", &frequency)
	most := frequency * 10
	switch {
	case frequency == 0:
		if offset != 10 && offset != 20 && offset != 30 {
			return badBody("frequencyOffset", "must be 10, 20 or 30")
		}
		return nil
	case frequency > 60:
		most = (frequency + 59) / 60
	}
	if offset < 1 || offset > most {
		return badBody("frequencyOffset", fmt.Sprintf("must be between 1 and %d", most))
	}
	return nil
}
