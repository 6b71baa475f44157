package schema

import "slices"

// This file has the objects that several bodies share.

// These nodes have a type and no limits.
var (
	anyText     = &Node{Kinds: String}
	textOrNull  = &Node{Kinds: String | Null}
	flag        = &Node{Kinds: Boolean}
	flagOrNull  = &Node{Kinds: Boolean | Null}
	number      = &Node{Kinds: Number}
	whole       = &Node{Kinds: Integer}
	wholeOrNull = &Node{Kinds: Integer | Null}
)

// notEmpty is a string that only the newer edition refuses if it is empty, so the client
// accepts it.
func notEmpty(kinds Kind) *Node {
	n := &Node{Kinds: kinds}
	n.Service.Length = atLeast(1)
	return n
}

// required is a string that every edition refuses if it is empty.
func required() *Node { return &Node{Kinds: String, Limits: Limits{Length: atLeast(1)}} }

// noSetting is a member that answers have and no body may have, for a reason.
func noSetting(reason string) *Node {
	n := &Node{Refusals: make(map[Kind]string)}
	for _, k := range kindNames {
		n.Refusals[k.kind] = reason
	}
	return n
}

// otherwise returns a description with what the service has for an absent member.
func otherwise(n *Node, value string) *Node {
	with := *n
	with.Default = value
	return &with
}

// filledIn returns a description with what the service was seen to fill in.
func filledIn(n *Node, value string) *Node {
	with := *n
	with.FilledIn = value
	return &with
}

// unless returns a description whose default the service does not fill in beside a text of another
// member.
func unless(member, text string, n *Node) *Node {
	n.Unless.Member, n.Unless.Text = member, text
	return n
}

// otherNameOf returns a description of a member that is another name for a member.
func otherNameOf(member string, n *Node) *Node {
	n.OtherName = member
	return n
}

// setOf returns a description of a list whose items have no order.
func setOf(list *Node) *Node {
	list.Set = true
	return list
}

func listOf(items *Node) *Node       { return &Node{Kinds: Array, Items: items} }
func listOrNullOf(items *Node) *Node { return &Node{Kinds: Array | Null, Items: items} }

// open is a string of an enumeration that grows from edition to edition, so the client
// accepts any value.
func open(kinds Kind, values ...string) *Node {
	n := &Node{Kinds: kinds}
	n.Service.Enum = values
	return n
}

// closed is a string of an enumeration that is the same in every edition. Other values are
// refused at both levels.
func closed(values ...string) *Node {
	return &Node{Kinds: String, Limits: Limits{Enum: values}}
}

// oneOf is a whole number of a closed enumeration.
func oneOf(values ...float64) *Node {
	return &Node{Kinds: Integer, Limits: Limits{Numbers: values}}
}

func bounded(kinds Kind, r Range) *Node { return &Node{Kinds: kinds, Limits: Limits{Range: r}} }

// location is open: data centers are added without a new version.
func location() *Node {
	return open(String, "us-east-1", "us-east-2", "us-west-1", "us-west-2", "ca-central-1", "sa-east-1",
		"eu-west-1", "eu-central-1", "eu-west-2", "eu-west-3", "eu-north-1", "eu-south-1", "me-south-1",
		"ap-southeast-1", "ap-northeast-1", "ap-east-1", "ap-southeast-2", "ap-southeast-3", "ap-northeast-2", "ap-northeast-3", "ap-south-1",
		"af-south-1")
}

// runtime is open: runtimes come and go.
func runtime() *Node {
	return open(String|Null, "2026.04", "2025.04", "2024.09", "2024.02", "2023.09", "2023.02", "2022.10")
}

// checkTypes are the types of checks in the document.
var checkTypes = []string{"AGENTIC", "API", "BROWSER", "HEARTBEAT", "ICMP", "MULTI_STEP", "TCP", "PLAYWRIGHT", "TRACEROUTE",
	"URL", "DNS", "SSL", "GRPC"}

// CheckTypes returns the kinds of checks.
func CheckTypes() []string { return slices.Clone(checkTypes) }

// IsCheckType reports whether a text is a kind of checks. A newer service may have others.
func IsCheckType(kind string) bool { return slices.Contains(checkTypes, kind) }

// tags may be empty strings in the older edition.
func tags() *Node { return setOf(listOf(notEmpty(String))) }

// valueWithheld is the message for a value that is null. The service returns null if it
// withholds a value; sending that back would overwrite it.
func valueWithheld() map[Kind]string {
	return map[Kind]string{Null: "is required: sending null would overwrite a value that the service withholds"}
}

// secretText is the value of a variable or header, or a password.
func secretText() *Node { return &Node{Kinds: String, Secret: true, Refusals: valueWithheld()} }

// keyValue is a header or a query parameter.
func keyValue() *Node {
	return &Node{Name: "keyValue", Kinds: Object, Members: []Member{
		{"key", anyText, true}, // may be empty: the document has no bound
		{"value", secretText(), true},
		{"locked", otherwise(flag, "false"), false},
	}}
}

// checkVariable is a variable of a check. Its value may be null. The API document does not say
// whether that keeps a stored secret, so the SDK never sends it.
func checkVariable() *Node {
	value := secretText()
	value.Kinds, value.Refusals = String|Null, nil
	return variable(Member{"key", required(), true}, value)
}

// groupVariable is a variable of a group. It may lack its key, and its value may not be null.
func groupVariable() *Node { return variable(Member{"key", anyText, false}, secretText()) }

func variable(key Member, value *Node) *Node {
	return &Node{Name: "environmentVariable", Kinds: Object, Members: []Member{key, {"value", value, true},
		{"locked", otherwise(flag, "false"), false}, {"secret", otherwise(flag, "false"), false}}}
}

// variables is a list of at most 100 items in the document, and 200 in the newer edition.
func variables(item *Node) *Node {
	n := listOrNullOf(item)
	n.Unit = "variables"
	n.Limits.Count = atMost(200)
	n.Service.Count = atMost(100)
	return n
}

func basicAuth() *Node {
	return &Node{Name: "basicAuth", Kinds: Object | Null, Members: []Member{
		{"username", &Node{Kinds: String, Secret: true, Default: `""`}, true},
		{"password", otherwise(secretText(), `""`), true},
	}}
}

// assertion has open enumerations for source and comparison, because the document lists
// neither. No member is required. A target is a string, also for numbers.
func assertion(sources, comparisons []string) *Node {
	return &Node{Name: "assertion", Kinds: Object, Members: []Member{
		{"source", open(String, sources...), false},
		{"comparison", open(String, comparisons...), false},
		{"property", otherwise(anyText, `""`), false},
		{"target", otherwise(anyText, `""`), false},
		{"regex", otherwise(textOrNull, `""`), false},
	}}
}

func apiAssertion() *Node {
	return assertion(
		[]string{"STATUS_CODE", "JSON_BODY", "HEADERS", "TEXT_BODY", "RESPONSE_TIME"},
		[]string{"EQUALS", "NOT_EQUALS", "HAS_KEY", "NOT_HAS_KEY", "HAS_VALUE", "NOT_HAS_VALUE", "IS_EMPTY", "NOT_EMPTY",
			"GREATER_THAN", "LESS_THAN", "CONTAINS", "NOT_CONTAINS", "IS_NULL", "NOT_NULL"})
}

func tcpAssertion() *Node {
	return assertion(
		[]string{"RESPONSE_DATA", "RESPONSE_TIME"},
		[]string{"EQUALS", "NOT_EQUALS", "IS_EMPTY", "NOT_EMPTY", "LESS_THAN", "GREATER_THAN", "CONTAINS", "NOT_CONTAINS"})
}

// apiCheckDefaults has no required member; its default is {}, which answers have, too.
func apiCheckDefaults() *Node {
	return &Node{Name: "apiCheckDefaults", Kinds: Object, Sparse: true, Members: []Member{
		{"url", otherwise(textOrNull, `""`), false},
		{"headers", listOf(keyValue()), false},
		{"queryParameters", listOf(keyValue()), false},
		{"assertions", listOf(apiAssertion()), false},
		{"basicAuth", basicAuth(), false},
	}}
}

// alertSettings has no required member, at any depth. Its numbers are closed enumerations:
// the service refuses other numbers, and does not round them.
func alertSettings(kinds Kind, more ...Member) *Node {
	return &Node{Name: "alertSettings", Kinds: kinds, Members: append([]Member{
		{"escalationType", otherwise(closed("RUN_BASED", "TIME_BASED"), `"RUN_BASED"`), false},
		{"runBasedEscalation", unless("escalationType", "TIME_BASED", ofDefaults(
			Member{"failedRunThreshold", otherwise(bounded(Integer, between(1, 5)), "1"), false},
		)), false},
		{"timeBasedEscalation", unless("escalationType", "RUN_BASED", ofDefaults(
			Member{"minutesFailingThreshold", filledIn(oneOf(5, 10, 15, 30), "5"), false},
		)), false},
		{"reminders", ofDefaults(
			Member{"amount", otherwise(oneOf(0, 1, 2, 3, 4, 5, 100000), "0"), false}, // 100000 means without end
			Member{"interval", otherwise(oneOf(1, 2, 3, 4, 5, 10, 15, 30), "5"), false},
		), false},
		{"parallelRunFailureThreshold", ofDefaults(
			Member{"enabled", otherwise(flag, "false"), false},
			Member{"percentage", otherwise(oneOf(10, 20, 30, 40, 50, 60, 70, 80, 90, 100), "10"), false},
		), false},
	}, more...)}
}

// ofDefaults is an object that has the defaults of its members if it is absent.
func ofDefaults(members ...Member) *Node {
	return otherwise(&Node{Kinds: Object, Members: members}, "{}")
}

// checkAlertSettings also accept the deprecated sslCertificates, which only answers of groups have.
func checkAlertSettings() *Node {
	return alertSettings(Object, Member{"sslCertificates", &Node{Kinds: Object, Members: []Member{
		{"enabled", flag, false},
		{"alertThreshold", whole, false},
	}}, false})
}

// alertChannelSubscriptions require both members of each item.
func alertChannelSubscriptions() *Node {
	return setOf(listOf(&Node{Name: "alertChannelSubscription", Kinds: Object, Members: []Member{
		{"alertChannelId", bounded(Integer, atLeast(1)), true},
		{"activated", flag, true},
	}}))
}

// retryStrategy has a closed enumeration for its type. Seconds may have a fraction.
func retryStrategy() Node {
	return Node{Name: "retryStrategy", Kinds: Object | Null,
		Members: []Member{
			{"type", closed("FIXED", "LINEAR", "EXPONENTIAL", "SINGLE_RETRY"), true},
			{"baseBackoffSeconds", otherwise(number, "60"), false},
			{"sameRegion", otherwise(flag, "true"), false},
			{"maxRetries", unless("type", "SINGLE_RETRY", filledIn(bounded(Integer, between(1, 10)), "2")), false},
			{"maxDurationSeconds", unless("type", "SINGLE_RETRY", filledIn(bounded(Number, between(0, 600)), "600")), false},
			{"onlyOn", onlyOn(), false}, // the service takes more of a check: checkRetryStrategy
		},
		Rules: []Rule{{
			Text:    "A SINGLE_RETRY has neither maxRetries nor maxDurationSeconds, not even 0.",
			Members: []string{"type", "maxRetries", "maxDurationSeconds"},
			check: func(o object) {
				for _, member := range [...]string{"maxRetries", "maxDurationSeconds"} {
					if o.is("type", "SINGLE_RETRY") && o.has(member) {
						o.brokenInstead(member, "must be omitted for SINGLE_RETRY")
					}
				}
			},
		}},
	}
}

// onlyOn is a list of exactly one item or a bare string in the older edition. The newer one has a
// list, for groups of one item. Its enumeration is open: the document has one value.
func onlyOn() *Node {
	condition := open(String, "NETWORK_ERROR")
	n := &Node{Kinds: Array | String, Items: condition, Set: true}
	n.Service.Kinds = Array
	n.Service.Count = between(1, 1)
	return n
}

// checkRetryStrategy is an object, or null for no retries.
func checkRetryStrategy() *Node {
	n := retryStrategy()
	n.Refusals = map[Kind]string{String: "FALLBACK is for groups: a check takes a strategy or null"}
	n.Member("onlyOn").Node.Service.Count = Range{}
	return &n
}

// groupRetryStrategy may also be FALLBACK: each check uses its own strategy.
func groupRetryStrategy() *Node {
	n := retryStrategy()
	n.Kinds |= String
	n.Limits.Enum = []string{"FALLBACK"}
	return &n
}

// triggerIncident requires every member.
func triggerIncident() *Node {
	return &Node{Name: "triggerIncident", Kinds: Object | Null, Members: []Member{
		{"serviceId", &Node{Kinds: String, Limits: Limits{Format: UUID}}, true},
		{"severity", closed("CRITICAL", "MAJOR", "MEDIUM", "MINOR"), true},
		{"name", anyText, true},
		{"description", anyText, true},
		{"notifySubscribers", flag, true},
	}}
}

// dependency is a file that the script of a browser check uses.
func dependency() *Node {
	path := notEmpty(String)
	path.Limits.Length, path.Service.Length = atMost(1000), between(1, 1000)
	return &Node{Name: "dependency", Kinds: Object, Members: []Member{
		{"path", path, true},
		{"content", notEmpty(String), true},
	}}
}

// intent exists in the newer edition only.
func intent() *Node {
	return &Node{Name: "intent", Kinds: Object | Null, Closed: true, Members: []Member{
		{"goal", &Node{Kinds: String, Limits: Limits{Length: between(1, 2000)}}, true},
		{"requiredOutcomes", otherwise(&Node{Kinds: Array, Items: outcome(), Limits: Limits{Count: atMost(20)}}, "[]"), false},
		{"mustPreserve", otherwise(&Node{Kinds: Array, Items: outcome(), Limits: Limits{Count: atMost(20)}}, "[]"), false},
	}}
}

func outcome() *Node { return &Node{Kinds: String, Limits: Limits{Length: between(1, 1000)}} }
