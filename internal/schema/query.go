package schema

import (
	"fmt"
	"maps"
	"math"
	"net/url"
	"slices"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// Parameter is a query parameter.
type Parameter struct {
	Name string
	// Operators are the operators of a filter, which is written name[operator]=value; nil
	// for a parameter that is written name=value.
	Operators []string
	// Node describes the value: a String, an Integer in digits, or a Boolean.
	Node *Node
	// Repeated says that it may be given several times.
	Repeated bool
}

// QueryRule is a rule across query parameters.
type QueryRule struct {
	// Text is the rule as a sentence.
	Text string

	check func(url.Values, Level) []Violation
}

func paging() []Parameter {
	return []Parameter{
		{Name: "limit", Node: bounded(Integer, between(1, 100))},
		{Name: "page", Node: bounded(Integer, atLeast(1))},
	}
}

// pagingFromZero is paging of a list that takes the page 0, too.
func pagingFromZero() []Parameter {
	return []Parameter{paging()[0], {Name: "page", Node: bounded(Integer, atLeast(0))}}
}

func autoAssignAlerts() []Parameter { return []Parameter{{Name: "autoAssignAlerts", Node: flag}} }

// seconds is a UNIX timestamp. The bound keeps the year within what time.Time can format.
func seconds() *Node { return bounded(Integer, between(0, 1<<36)) }

func alertParameters() []Parameter {
	return slices.Concat(paging(), []Parameter{
		{Name: "from", Node: seconds()},
		{Name: "to", Node: seconds()},
		{Name: "alertChannelId", Node: &Node{Kinds: Integer, Limits: Limits{Range: atLeast(1)}, Beyond: "is not the id of a channel"}},
		{Name: "hasFailures", Node: flag},
	})
}

func checkAlertParameters() []Parameter {
	return append(pagingFromZero(), Parameter{Name: "from", Node: seconds()}, Parameter{Name: "to", Node: seconds()})
}

func reportParameters() []Parameter {
	return slices.Concat([]Parameter{
		{Name: "from", Node: seconds()},
		{Name: "to", Node: seconds()},
		{Name: "quickRange", Node: open(String, "last24Hrs", "last7Days", "last30Days", "thisWeek", "thisMonth", "lastWeek", "lastMonth")},
	}, anyOf("filterByTags"), []Parameter{
		{Name: "deactivated", Node: flag},
		{Name: "granularity", Node: open(String, "day", "week", "month")},
		{Name: "timezone", Node: required()},
	})
}

func checkParameters() []Parameter {
	return slices.Concat(paging(), anyOf("tag"), []Parameter{
		{Name: "checkType", Node: open(String, checkTypes...)},
		{Name: "search", Node: anyText},
		{Name: "status", Node: open(String, "passing", "failing", "degraded")},
		{Name: "apiCheckUrlFilterPattern", Node: required()},
		{Name: "applyGroupSettings", Node: flag},
	})
}

var (
	operators = []string{"gt", "gte", "lt", "lte"}
	date      = &Node{Kinds: String, Limits: Limits{Format: Date}}
)

func windowParameters() []Parameter {
	return slices.Concat(paging(), []Parameter{
		{Name: "startsAt", Operators: operators, Node: date},
		{Name: "endsAt", Operators: operators, Node: date},
	})
}

func resultParameters() []Parameter {
	return []Parameter{
		paging()[0],
		{Name: "nextId", Node: required()},
		{Name: "from", Node: seconds()},
		{Name: "to", Node: seconds()},
		{Name: "location", Node: resultLocation()},
		{Name: "checkType", Node: open(String, checkTypes...)},
		{Name: "hasFailures", Node: flag},
		{Name: "resultType", Node: &Node{Kinds: String, Limits: Limits{Enum: []string{"FINAL", "ATTEMPT", "ALL"}}}},
		{Name: "fields", Node: required()},
	}
}

// resultLocation is a data center: private locations are no values of the filter.
func resultLocation() *Node {
	n := location()
	n.Limits.Length = atLeast(1)
	return n
}

func assetParameters() []Parameter {
	return []Parameter{
		{Name: "type", Node: open(String, "log", "trace", "video", "screenshot", "pcap", "report", "file"), Repeated: true},
		{Name: "name", Node: &Node{Kinds: String, Limits: Limits{Length: atMost(200)}}},
	}
}

func testSessionParameters() []Parameter {
	return slices.Concat([]Parameter{
		paging()[0],
		{Name: "nextId", Node: required()},
		{Name: "from", Node: seconds()},
		{Name: "to", Node: seconds()},
		{Name: "statuses", Node: open(String, "RUNNING", "FAILED", "PASSED", "CANCELLED"), Repeated: true},
	}, anyOf("branches", "users"), []Parameter{
		{Name: "providers", Node: open(String, "GITHUB", "VERCEL", "API", "TRIGGER", "PW_REPORTER"), Repeated: true},
		{Name: "noUsers", Node: flag},
		{Name: "textSearch", Node: &Node{Kinds: String, Limits: Limits{Length: between(3, 200)}}},
		{Name: "errorGroupId", Node: required()},
	})
}

// anyOf are parameters that may be given several times: each selects further items.
func anyOf(names ...string) (list []Parameter) {
	for _, name := range names {
		list = append(list, Parameter{Name: name, Node: required(), Repeated: true})
	}
	return list
}

// CheckQuery returns every rule that query parameters break at a level, nil if there is
// none. The level Service refuses unknown and repeated parameters too.
func (o *Operation) CheckQuery(query url.Values, level Level) []Violation {
	var found []Violation
	for _, p := range o.Query {
		for _, name := range p.names() {
			values := query[name]
			for _, value := range values {
				if message := p.Node.parameterMistake(value, level); message != "" {
					found = append(found, Violation{name, message})
				}
			}
			if len(values) > 1 && !p.Repeated && level == Service {
				found = append(found, Violation{name, "must be given once"})
			}
		}
	}
	for _, r := range o.QueryRules {
		found = append(found, r.check(query, level)...)
	}
	if level == Service {
		found = append(found, o.unknownParameters(query)...)
	}
	return found
}

func (o *Operation) unknownParameters(query url.Values) (found []Violation) {
	for _, name := range slices.Sorted(maps.Keys(query)) {
		if !o.has(name) {
			found = append(found, Violation{pathName(textOf(name)), "is not allowed"})
		}
	}
	return found
}

// has reports whether the operation has a parameter that is written with a name.
func (o *Operation) has(name string) bool {
	return slices.ContainsFunc(o.Query, func(p Parameter) bool { return slices.Contains(p.names(), name) })
}

// Documented takes the parameters out of a query that the operation does not have, and returns them
// as [Operation.CheckQuery] would at the level Service.
func (o *Operation) Documented(query url.Values) (undocumented []Violation) {
	undocumented = o.unknownParameters(query)
	maps.DeleteFunc(query, func(name string, _ []string) bool { return !o.has(name) })
	return undocumented
}

// names returns the names under which a parameter may be written in a query.
func (p Parameter) names() []string {
	if p.Operators == nil {
		return []string{p.Name}
	}
	names := make([]string, len(p.Operators))
	for i, operator := range p.Operators {
		names[i] = p.Name + "[" + operator + "]"
	}
	return names
}

// parameterMistake says what is wrong with a value, "" if nothing is.
func (n *Node) parameterMistake(value string, level Level) string {
	switch {
	case n.Kinds&Boolean != 0:
		if value != "true" && value != "false" {
			return "must be true or false"
		}
	case n.Kinds&Integer != 0:
		if !isWhole(value) {
			return "must be a whole number"
		}
		return n.numberMistake([]byte(value), level)
	default:
		return n.textMistake(textOf(value), level, false)
	}
	return ""
}

// isWhole reports whether a text is a whole number in digits.
func isWhole(s string) bool {
	return s != "" && strings.Trim(s, "-0123456789") == "" && rawjson.EndOfValid([]byte(s), 0, 0) == len(s)
}

// periodRule bounds the period of alert notifications. If an end is missing, the service
// chooses it, so there is nothing to compare.
func periodRule() QueryRule {
	return QueryRule{
		Text: "to is after from, by at most 24 hours.",
		check: func(query url.Values, _ Level) []Violation {
			if length, ok := periodOf(query); ok && length > 24*60*60 {
				return []Violation{{"to", "is more than 24 hours after from: All iterates over longer periods"}}
			}
			return toAfterFrom(query)
		},
	}
}

func endRule() QueryRule {
	return QueryRule{Text: "to is after from.", check: func(query url.Values, _ Level) []Violation { return toAfterFrom(query) }}
}

// reportRule bounds the period of reports that is divided. A day has 23 to 25 hours, so one hour
// more is no mistake.
func reportRule() QueryRule {
	return QueryRule{
		Text: "to is after from, with granularity by at most 400 days, and 120 with the granularity day.",
		check: func(query url.Values, _ Level) []Violation {
			most := map[string]float64{"": math.Inf(1), "day": 120}[query.Get("granularity")]
			if most == 0 {
				most = 400
			}
			if length, ok := periodOf(query); ok && length > (most*24+1)*60*60 {
				return []Violation{{"to", fmt.Sprintf("is more than %g days after from, too long for this granularity", most)}}
			}
			return toAfterFrom(query)
		},
	}
}

func toAfterFrom(query url.Values) []Violation {
	if length, ok := periodOf(query); ok && length <= 0 {
		return []Violation{{"to", "must be after from"}}
	}
	return nil
}

// periodOf returns how many seconds to is after from, if both are there.
func periodOf(query url.Values) (length float64, ok bool) {
	from, to := query.Get("from"), query.Get("to")
	if !isWhole(from) || !isWhole(to) {
		return 0, false
	}
	return parseNumber([]byte(to)) - parseNumber([]byte(from)), true
}

// operatorRule bounds the operators of a filter. The OpenAPI descriptions promise one
// operator for each field. The client refuses only two bounds of the same side, because a
// service may accept ranges.
func operatorRule(field string) QueryRule {
	return QueryRule{
		Text: field + " has one operator.",
		check: func(query url.Values, level Level) []Violation {
			has := func(operator string) bool { return query.Has(field + "[" + operator + "]") }
			var found []Violation
			for _, side := range [...]string{"gt", "lt"} {
				if has(side) && has(side+"e") {
					found = append(found, Violation{field, "has both " + side + " and " + side + "e"})
				}
			}
			lower, upper := has("gt") || has("gte"), has("lt") || has("lte")
			if level == Service && lower && upper {
				found = append(found, Violation{field, "must have one operator"})
			}
			return found
		},
	}
}
