package schema

// This file has the bodies of checks that probe a host or an address and have no script. Bodies of
// ICMP checks also take response times, and most of these bodies a script and its variables. No
// check that is read has them, so they are not described.

// urlCreate is the body of POST /v1/checks/url, and urlUpdate that of PUT /v1/checks/url/{id}.
func urlCreate() *Node {
	return scheduled("URL", true, urlRequest(), responseTimes(responseTime(45000)))
}
func urlUpdate() *Node {
	return scheduled("URL", false, urlRequest(), responseTimes(responseTime(45000)))
}

// urlRequest is the request of a URL check.
func urlRequest() *Node {
	return &Node{Name: "urlRequest", Kinds: Object, Members: []Member{
		{"url", &Node{Kinds: String, Limits: Limits{Length: between(1, 2048)}}, true},
		{"method", open(String, "GET"), false},
		{"followRedirects", flag, false},
		{"skipSSL", flag, false},
		{"ipFamily", open(String, "IPv4", "IPv6"), false},
		{"assertions", listOf(assertion([]string{"STATUS_CODE"}, []string{"EQUALS", "NOT_EQUALS", "LESS_THAN", "GREATER_THAN"})), false},
	}}
}

// icmpCreate is the body of POST /v1/checks/icmp, and icmpUpdate that of PUT /v1/checks/icmp/{id}.
func icmpCreate() *Node { return scheduled("ICMP", true, icmpRequest(), packetLosses()) }
func icmpUpdate() *Node { return scheduled("ICMP", false, icmpRequest(), packetLosses()) }

// packetLosses are the percentages over which a check is degraded and fails.
func packetLosses() []Member {
	percentage := bounded(Number|Null, between(0, 100))
	return []Member{{"degradedPacketLossThreshold", percentage, false}, {"maxPacketLossThreshold", percentage, false}}
}

// icmpRequest says which host an ICMP check pings, and how.
func icmpRequest() *Node {
	return &Node{Name: "icmpRequest", Kinds: Object, Members: []Member{
		{"hostname", &Node{Kinds: String, Limits: Limits{Length: between(1, 2048)}}, true},
		{"ipFamily", open(String|Null, "IPv4", "IPv6"), false},
		{"pingCount", bounded(Integer|Null, between(1, 50)), false},
		{"assertions", listOf(assertion(
			[]string{"LATENCY", "JSON_RESPONSE"},
			[]string{"EQUALS", "NOT_EQUALS", "IS_EMPTY", "NOT_EMPTY", "GREATER_THAN", "LESS_THAN", "CONTAINS", "NOT_CONTAINS",
				"IS_NULL", "NOT_NULL"})), false},
	}}
}
