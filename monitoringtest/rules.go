package monitoringtest

import (
	"encoding/json"
	"fmt"
	"slices"
	"unicode/utf8"

	monitoring "github.com/monitoring-api/monitoring-go"
)

var regions = func() map[string]bool {
	m := make(map[string]bool, len(locations))
	for _, l := range locations {
		m[string(l.Region)] = true
	}
	return m
}()

var runtimes = []string{"2026.04", "2025.04", "2024.09", "2024.02", "2023.09", "2023.02", "2022.10"}

// ruleCommon holds what checks and groups have in common.
func ruleCommon(o object) *violation {
	if raw, there := o["name"]; there && string(raw) == `""` {
		return badPart("name", "is not allowed to be empty")
	}
	for i, name := range o.list("locations") {
		if !regions[name] {
			return badPart(fmt.Sprintf("locations[%d]", i), "is not a location")
		}
	}
	for _, list := range []string{"tags", "locations", "privateLocations"} {
		var values []any
		o.get(list, &values)
		for i, v := range values {
			if s, isText := v.(string); !isText || s == "" {
				return badPart(fmt.Sprintf("%s[%d]", list, i), "must be a string that is not empty")
			}
		}
	}
	var id string
	if o.get("runtimeId", &id) && !slices.Contains(runtimes, id) {
		return badPart("runtimeId", "is not a runtime")
	}
	if problem := ruleVariables(o); problem != nil {
		return problem
	}
	if problem := ruleSubscriptions(o); problem != nil {
		return problem
	}
	return ruleRetryStrategy(o)
}

func ruleVariables(o object) *violation {
	var list []json.RawMessage
	o.get("environmentVariables", &list)
	if len(list) > 100 {
		return badPart("environmentVariables", "must contain at most 100 items")
	}
	for i, raw := range list {
		at := fmt.Sprintf("environmentVariables[%d]", i)
		var v object
		if json.Unmarshal(raw, &v) != nil || v == nil {
			return badPart(at, "must be an object")
		}
		if problem := (schema{"key": text, "value": text, "locked": boolean, "secret": boolean}).check(v, at+"."); problem != nil {
			return problem
		}
		if v.text("key") == "" {
			return badPart(at+".key", "is required")
		}
		if v["value"] == nil {
			return badPart(at+".value", "is required")
		}
	}
	return nil
}

func ruleSubscriptions(o object) *violation {
	var list []json.RawMessage
	o.get("alertChannelSubscriptions", &list)
	for i, raw := range list {
		var v object
		if json.Unmarshal(raw, &v) != nil || v["alertChannelId"] == nil || v["activated"] == nil {
			return badPart(fmt.Sprintf("alertChannelSubscriptions[%d]", i), "needs alertChannelId and activated")
		}
	}
	return nil
}

func ruleRetryStrategy(o object) *violation {
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
			return badPart("retryStrategy", "of SINGLE_RETRY has no maxRetries and no maxDurationSeconds")
		}
	case "":
		return badPart("retryStrategy.type", "is required")
	default:
		return badPart("retryStrategy.type", "must be one of FIXED, LINEAR, EXPONENTIAL, SINGLE_RETRY")
	}
	return nil
}

var frequencies = []int{0, 1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440}

// ruleCheck holds what all checks have in common.
func ruleCheck(o object) *violation {
	if utf8.RuneCountInString(o.text("description")) > 500 {
		return badPart("description", "must be at most 500 characters long")
	}
	var order float64
	if o.get("groupOrder", &order) && order < 0 {
		return badPart("groupOrder", "must be at least 0")
	}
	var frequency int
	if o.get("frequency", &frequency) && !slices.Contains(frequencies, frequency) {
		return badPart("frequency", fmt.Sprintf("must be one of %v", frequencies))
	}
	var degraded, most float64
	if o.get("degradedResponseTime", &degraded) && o.get("maxResponseTime", &most) && degraded > most {
		return badPart("degradedResponseTime", "must be at most maxResponseTime")
	}
	return nil
}

// ruleOffset holds a frequency offset against a frequency.
func ruleOffset(o object) *violation {
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
			return badPart("frequencyOffset", "must be 10, 20 or 30")
		}
		return nil
	case frequency > 60:
		most = (frequency + 59) / 60
	}
	if offset < 1 || offset > most {
		return badPart("frequencyOffset", fmt.Sprintf("must be between 1 and %d", most))
	}
	return nil
}
