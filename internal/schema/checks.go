package schema

import (
	"fmt"
	"math"
	"slices"
)

// tcpRequest is the connection of a TCP check.
func tcpRequest() *Node {
	return &Node{Name: "tcpRequest", Kinds: Object,
		Members: []Member{
			{"hostname", hostname, false},
			{"port", port, true},
			{"data", &Node{Kinds: String | Null, Limits: Limits{Length: atLeast(1)}}, false},
			{"assertions", listOf(tcpAssertion()), false},
			{"ipFamily", otherwise(open(String, "IPv4", "IPv6"), `"IPv4"`), false},
			{"url", otherNameOf("hostname", &Node{Kinds: String, Limits: Limits{Length: between(1, 2048)}}), false},
			{"body", otherNameOf("data", notEmpty(String|Null)), false},
		},
		Rules: []Rule{{
			Text:    "A connection needs a hostname, or the url that stands for it.",
			Members: []string{"hostname", "url"},
			check: func(o object) {
				if !o.has("hostname") && !o.has("url") {
					o.broken("hostname", "is required")
				} else if o.is("hostname", "") {
					o.brokenInstead("hostname", "is required")
				}
			},
		}},
	}
}

var (
	hostname = &Node{Kinds: String, Limits: Limits{Length: between(1, 2048), Format: Hostname}}
	port     = bounded(Integer, between(1, math.MaxUint16))
)

// settingsMembers are the members that all checks share. Only a create requires the name.
func settingsMembers(create bool, checkTypes ...string) []Member {
	return []Member{
		{"name", required(), create},
		{"checkType", open(String, checkTypes...), false}, // optional in the newer edition; vendors' clients send it
		{"activated", flag, false},
		{"muted", flag, false},
		{"doubleCheck", flag, false},
		{"shouldFail", flag, false},
		{"tags", tags(), false},
		{"locations", setOf(listOrNullOf(location())), false},
		{"privateLocations", setOf(listOrNullOf(notEmpty(String))), false},
		{"alertSettings", checkAlertSettings(), false},
		{"useGlobalAlertSettings", flag, false},
		{"alertChannelSubscriptions", alertChannelSubscriptions(), false},
		{"groupId", wholeOrNull, false},
		{"groupOrder", bounded(Integer|Null, atLeast(0)), false},
		{"runtimeId", runtime(), false},
		{"retryStrategy", checkRetryStrategy(), false},
		{"triggerIncident", triggerIncident(), false},
		{"runParallel", flag, false},
		{"description", description(), false},
		{"intent", intent(), false},
		{"aiAutoRepairEnabled", flagOrNull, false},
	}
}

// description has at most 500 characters in the document and 510 in the newer edition.
func description() *Node {
	n := &Node{Kinds: String | Null, Limits: Limits{Length: atMost(510)}}
	n.Service.Length = atMost(500)
	return n
}

// responseTime is in milliseconds. Its upper bound depends on the plan, so only the service checks
// it: 5000 for the connection of a TCP check on a plan without longer times, 45000 for a request.
func responseTime(most float64) *Node {
	n := bounded(Number|Null, atLeast(0))
	n.Service.Range = between(0, most)
	return n
}

var frequencies = []float64{0, 1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440}

// scheduleMembers are the members of checks that may run every few seconds.
func scheduleMembers() []Member {
	return []Member{
		{"frequency", oneOf(frequencies...), false},
		{"frequencyOffset", bounded(Integer, atLeast(1)), false},
	}
}

// responseTimes are the times over which a check is degraded and fails.
func responseTimes(time *Node) []Member {
	return []Member{{"degradedResponseTime", time, false}, {"maxResponseTime", time, false}}
}

// scriptMembers are the members of checks that run a script. A create of a check without a script
// has null for it.
func scriptMembers(create bool) []Member {
	return []Member{
		{"script", notEmpty(String | Null), create},
		{"scriptPath", notEmpty(String | Null), false},
		{"dependencies", listOrNullOf(dependency()), false},
		{"environmentVariables", variables(checkVariable()), false},
	}
}

// sslCheckDomain is a member of browser checks.
var sslCheckDomain = Member{"sslCheckDomain", textOrNull, false}

// aroundMembers are the members of API checks that run before and after the request.
func aroundMembers() []Member {
	return []Member{
		{"setupSnippetId", wholeOrNull, false},
		{"tearDownSnippetId", wholeOrNull, false},
		{"localSetupScript", textOrNull, false},
		{"localTearDownScript", textOrNull, false},
	}
}

// apiRequest is the request of an API check.
func apiRequest() *Node {
	return &Node{Name: "apiRequest", Kinds: Object, Members: []Member{
		{"method", open(String, "GET", "POST", "PUT", "HEAD", "DELETE", "PATCH"), true},
		{"url", &Node{Kinds: String, Limits: Limits{Length: between(1, 2048)}}, true},
		{"followRedirects", flag, false},
		{"skipSSL", otherwise(flag, "false"), false},
		{"ipFamily", otherwise(open(String, "IPv4", "IPv6"), `"IPv4"`), false},
		{"body", otherwise(anyText, `""`), false},
		{"bodyType", otherwise(open(String, "JSON", "FORM", "RAW", "GRAPHQL", "NONE"), `"NONE"`), false},
		{"headers", listOf(requestPair()), false},
		{"queryParameters", listOf(requestPair()), false},
		{"basicAuth", basicAuth(), false},
		{"assertions", listOf(apiAssertion()), false},
	}}
}

// requestPair is a header or a query parameter of the request of an API check. Its key must not be
// empty, unlike that of the defaults of a group.
func requestPair() *Node {
	return &Node{Name: "requestPair", Kinds: Object, Members: []Member{{"key", required(), true}, {"value", secretText(), true},
		{"locked", otherwise(flag, "false"), false}}}
}

// apiCheck is the body of POST /v1/checks/api and of PUT /v1/checks/api/{id}, in which nothing is
// required.
func apiCheck(create bool) *Node {
	return scheduled("API", create, apiRequest(), append(responseTimes(responseTime(45000)), aroundMembers()...))
}

// tcpCheck is the body of POST /v1/checks/tcp and of PUT /v1/checks/tcp/{id}.
func tcpCheck(create bool) *Node {
	return scheduled("TCP", create, tcpRequest(), responseTimes(responseTime(5000)))
}

// scheduled is the body of a create or an update of a check that may run every few seconds. Without
// a frequency a create uses 10 minutes, which bounds the offset.
func scheduled(checkType string, create bool, request *Node, own []Member) *Node {
	frequency := 10.0
	if !create {
		frequency = unknownFrequency
	}
	n := &Node{Kinds: Object,
		Members: slices.Concat(settingsMembers(create, checkType), []Member{{"request", request, create}}, scheduleMembers(), own),
		Rules:   []Rule{offsetRule(frequency)},
	}
	if n.Member("maxResponseTime") != nil {
		n.Rules = append(n.Rules, responseTimesRule())
	}
	return n
}

// browserCheck is the body of POST /v1/checks/browser and of PUT /v1/checks/browser/{id}, which
// changes only the members that it has.
func browserCheck(create bool) *Node { return scripted("BROWSER", create, sslCheckDomain) }

// multiStepCheck is the body of POST /v1/checks/multistep and of PUT /v1/checks/multistep/{id}.
func multiStepCheck(create bool) *Node { return scripted("MULTI_STEP", create) }

// scripted is the body of a create or an update of a check that runs a script.
func scripted(checkType string, create bool, more ...Member) *Node {
	return &Node{Kinds: Object,
		Members: slices.Concat(
			settingsMembers(create, checkType),
			scriptMembers(create),
			more,
			[]Member{{"frequency", oneOf(frequencies[1:]...), false}},
		),
		Rules: []Rule{{
			Text:    "A check with a script does not run more often than every minute.",
			Members: []string{"frequency"},
			check: func(o object) {
				if f, ok := o.number("frequency"); ok && f == 0 {
					o.brokenInstead("frequency", subMinute)
				}
			},
		}},
	}
}

const subMinute = "0 (sub-minute) is for API and TCP checks only"

// checkUpdate is the body of PUT /v1/checks/{id}, which is deprecated. It accepts the
// members of every type of check; request and heartbeat differ from type to type.
func checkUpdate() *Node {
	connection := tcpRequest()
	settings := settingsMembers(false, checkTypes...)
	(&Node{Members: settings}).Member("alertSettings").Node.Kinds |= Null // unlike those of one type
	return &Node{Kinds: Object,
		Members: slices.Concat(
			settings,
			[]Member{{"request", &Node{Kinds: Object, Free: true, Members: []Member{{"port", port, false}}}, false}},
			scheduleMembers(),
			responseTimes(&Node{Kinds: Number | Null}),
			scriptMembers(false),
			[]Member{sslCheckDomain},
			aroundMembers(),
			[]Member{{"heartbeat", &Node{Kinds: Object | Null, Free: true}, false}},
		),
		Rules: []Rule{
			{
				Text:    "Only API and TCP checks run more often than every minute.",
				Members: []string{"checkType", "frequency"},
				check: func(o object) {
					fast := !o.has("checkType") || o.is("checkType", "") || o.is("checkType", "API") || o.is("checkType", "TCP")
					if f, ok := o.number("frequency"); ok && f == 0 && !fast {
						o.brokenInstead("frequency", subMinute)
					}
				},
			},
			offsetRule(unknownFrequency),
			responseTimesRule(),
			{
				Text:    "If checkType is TCP, the request is that of a TCP check.",
				Members: []string{"checkType", "request"},
				check: func(o object) {
					if o.is("checkType", "TCP") {
						o.again("request", connection)
					}
				},
			},
		},
	}
}

// unknownFrequency stands for a frequency that the body does not have. The offset then has
// the widest bounds.
const unknownFrequency = -1

// offsetRule checks a frequency offset against the frequency. If the body has none, it
// uses the given frequency.
func offsetRule(otherwise float64) Rule {
	return Rule{
		Text: "With frequency 0 the offset is 10, 20 or 30. Up to 60 it is 1 to ten times the frequency, " +
			"above 60 it is 1 to the frequency in hours, rounded up.",
		Members: []string{"frequency", "frequencyOffset"},
		check: func(o object) {
			offset, ok := o.number("frequencyOffset")
			if !ok || o.level == Service && offset != math.Trunc(offset) {
				return // the check of the member itself has reported it
			}
			frequency := otherwise
			if o.has("frequency") {
				if frequency, ok = o.number("frequency"); !ok || !slices.Contains(frequencies, frequency) {
					frequency = unknownFrequency
				}
			}
			if message := offsetMistake(offset, frequency); message != "" {
				o.brokenInstead("frequencyOffset", quoteNumber(o.raw("frequencyOffset"))+message)
			}
		},
	}
}

func offsetMistake(offset, frequency float64) string {
	most := frequency * 10
	switch {
	case frequency == 0 && (offset == 10 || offset == 20 || offset == 30):
		return ""
	case frequency == 0:
		return " is not 10, 20 or 30 for frequency 0"
	case frequency == unknownFrequency:
		most = 600
	case frequency > 60:
		most = math.Ceil(frequency / 60)
	}
	switch {
	case offset >= 1 && offset <= most:
		return ""
	case frequency == unknownFrequency:
		return " is outside 1..600"
	}
	return fmt.Sprintf(" is outside 1..%g for frequency %g", most, frequency)
}

// responseTimesRule compares the two times if the body has both. It does not know the
// value that the service has for a missing one.
func responseTimesRule() Rule {
	return Rule{
		Text:    "degradedResponseTime is not over maxResponseTime.",
		Members: []string{"degradedResponseTime", "maxResponseTime"},
		check: func(o object) {
			degraded, hasDegraded := o.number("degradedResponseTime")
			most, hasMost := o.number("maxResponseTime")
			if hasDegraded && hasMost && degraded > most {
				o.broken("degradedResponseTime", quoteNumber(o.raw("degradedResponseTime"))+
					" is over the maxResponseTime of "+quoteNumber(o.raw("maxResponseTime")))
			}
		},
	}
}
