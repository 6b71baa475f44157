package schema

import "slices"

// This file has the bodies of checks that probe a host or an address and have no script.

// droppedByProbes are members of checks of other kinds that bodies of these checks have, too. What
// the service does with them is not stated, and answers are not described to have them.
func droppedByProbes() []Member {
	path := &Node{Kinds: String | Null, Limits: Limits{Length: atLeast(1)}}
	return slices.Concat([]Member{
		{"heartbeat", &Node{Kinds: Object | Null, Free: true}, false},
		{"script", textOrNull, false},
		{"scriptPath", path, false},
		sslCheckDomain,
		{"environmentVariables", variables(checkVariable()), false},
	}, aroundMembers())
}

// dropping returns a description of a body with members that the service takes and drops.
func dropping(n *Node, members ...Member) *Node {
	n.Dropped = members
	return n
}

// longTimes are response times that a body takes for a check that has none.
func longTimes() []Member { return responseTimes(bounded(Number|Null, between(0, 300000))) }

// urlCheck is the body of POST /v1/checks/url and of PUT /v1/checks/url/{id}.
func urlCheck(create bool) *Node {
	return scheduled("URL", create, urlRequest(), responseTimes(responseTime(45000)))
}

// urlRequest is the request of a URL check.
func urlRequest() *Node {
	return &Node{Name: "urlRequest", Kinds: Object, Members: []Member{
		{"url", &Node{Kinds: String, Limits: Limits{Length: between(1, 2048)}}, true},
		{"method", open(String, "GET"), false},
		{"followRedirects", flag, false},
		{"skipSSL", otherwise(flag, "false"), false},
		{"ipFamily", otherwise(open(String, "IPv4", "IPv6"), `"IPv4"`), false},
		{"assertions", listOf(assertion([]string{"STATUS_CODE"}, []string{"EQUALS", "NOT_EQUALS", "LESS_THAN", "GREATER_THAN"})), false},
	}}
}

// icmpCheck is the body of POST /v1/checks/icmp and of PUT /v1/checks/icmp/{id}.
func icmpCheck(create bool) *Node {
	return dropping(scheduled("ICMP", create, icmpRequest(), packetLosses()), slices.Concat(droppedByProbes(), longTimes())...)
}

// packetLosses are the percentages over which a check is degraded and fails.
func packetLosses() []Member {
	percentage := bounded(Number|Null, Range{Min: 0, HasMin: true, Above: true, Max: 100, HasMax: true})
	return []Member{{"degradedPacketLossThreshold", percentage, false}, {"maxPacketLossThreshold", percentage, false}}
}

// icmpRequest says which host an ICMP check pings, and how.
func icmpRequest() *Node {
	return &Node{Name: "icmpRequest", Kinds: Object, Members: []Member{
		{"hostname", &Node{Kinds: String, Limits: Limits{Length: between(1, 2048)}}, true},
		{"ipFamily", otherwise(open(String|Null, "IPv4", "IPv6"), `"IPv4"`), false},
		{"pingCount", otherwise(bounded(Integer|Null, between(1, 50)), "10"), false},
		{"assertions", listOf(assertion(
			[]string{"LATENCY", "JSON_RESPONSE"},
			[]string{"EQUALS", "NOT_EQUALS", "IS_EMPTY", "NOT_EMPTY", "GREATER_THAN", "LESS_THAN", "CONTAINS", "NOT_CONTAINS",
				"IS_NULL", "NOT_NULL"})), false},
	}}
}

// sslCheck is the body of POST /v1/checks/ssl and of PUT /v1/checks/ssl/{id}. Its response times are
// whole and cannot be null.
func sslCheck(create bool) *Node {
	return dropping(scheduled("SSL", create, sslRequest(create), responseTimes(handshakeTime())), droppedByProbes()...)
}

func handshakeTime() *Node {
	n := bounded(Integer, atLeast(0))
	n.Service.Range = between(0, 30000)
	return n
}

// sslRequest says which server an SSL check connects to, and what it requires of it. Unlike those
// of other kinds, its assertions must say what they compare, and how.
func sslRequest(create bool) *Node {
	source := open(String, "CERTIFICATE", "CONNECTION", "RESPONSE_TIME", "JSON_RESPONSE", "TEXT_RESPONSE")
	source.Limits.Length = atLeast(1)
	return &Node{Name: "sslRequest", Kinds: Object, Members: []Member{
		{"sslConfig", sslConfig(create), true},
		{"sslClientCertificateId", &Node{Kinds: String | Null, Limits: Limits{Format: UUID}}, false},
		{"assertions", listOf(&Node{Name: "sslAssertion", Kinds: Object, Members: []Member{
			{"source", source, true},
			{"comparison", required(), true},
			{"property", otherwise(anyText, `""`), false},
			{"target", otherwise(anyText, `""`), false},
			{"regex", otherwise(textOrNull, `""`), false},
		}}), false},
	}}
}

func sslConfig(create bool) *Node {
	return &Node{Name: "sslConfig", Kinds: Object, Members: []Member{
		{"hostname", &Node{Kinds: String, Limits: Limits{Length: between(1, 2048), Format: OneLine}}, true},
		{"port", otherwise(port, "443"), false},
		{"serverName", otherwise(&Node{Kinds: String | Null, Limits: Limits{Length: atMost(2048), Format: OneLine}}, "null"), false},
		{"ipFamily", otherwise(open(String, "IPv4", "IPv6"), `"IPv4"`), false},
		{"skipChainValidation", otherwise(flag, "false"), false},
		{"handshakeTimeoutMs", otherwise(bounded(Integer, between(1000, 30000)), "10000"), false},
		{"alertDaysBeforeExpiry", otherwise(bounded(Integer, between(1, 365)), "20"), false},
		{"clientCertificateMode", open(String, "auto", "explicit"), false},
		{"securityBaseline", securityBaseline(create), false},
	}}
}

// securityBaseline has nine rules: two have a version of TLS, and two the size of a key. In a
// create the first five fail a check by default, and the others are ignored. Nobody states what
// becomes of a rule that an update leaves out, so an update has no defaults: only what was read is
// known to have them.
func securityBaseline(create bool) *Node {
	known := filledIn
	if create {
		known = otherwise
	}
	rule := func(name, severity string, value ...Member) Member {
		n := ofDefaults(append([]Member{
			{"severity", known(open(String, "fail", "degrade", "ignore"), severity), false},
		}, value...)...)
		n.Closed, n.Sparse = true, !create
		return Member{name, n, false}
	}
	version := func(least string) Member {
		return Member{"value", known(open(String, "TLS1.2", "TLS1.3"), least), false}
	}
	size := func(least string) Member {
		return Member{"value", known(bounded(Integer, between(1024, 16384)), least), false}
	}
	const fail, ignore = `"fail"`, `"ignore"`
	n := &Node{Kinds: Object, Closed: true, Members: []Member{
		{"enabled", known(flag, "true"), false},
		rule("minTLSVersion", fail, version(`"TLS1.2"`)), rule("minKeySizeBits", fail, size("2048")),
		rule("weakSignatureAlgorithm", fail), rule("weakCipherSuite", fail), rule("knownBadCA", fail),
		rule("recommendedTLSVersion", ignore, version(`"TLS1.3"`)), rule("recommendedKeySizeBits", ignore, size("3072")),
		rule("ocspMustStapleRespected", ignore), rule("sctPresent", ignore),
	}}
	if create {
		n.Default = "{}"
	}
	return n
}

// dnsCreate is the body of POST /v1/checks/dns, the only create that is closed.
func dnsCreate() *Node {
	n := dropping(scheduled("DNS", true, dnsRequest(), responseTimes(responseTime(5000))), droppedByProbes()...)
	n.Closed, n.Member("retryStrategy").Node.Closed, n.Member("triggerIncident").Node.Closed = true, true, true
	return n
}

// dnsUpdate is the body of PUT /v1/checks/dns/{id}. Unlike those of other kinds it is no patch and
// requires the name. It also takes null for alertSettings, and members that only answers have,
// which it does not change. Its response times have no bounds.
func dnsUpdate() *Node {
	n := dropping(scheduled("DNS", false, dnsRequest(), responseTimes(&Node{Kinds: Number | Null})),
		Member{"id", required(), false}, Member{"created_at", anyText, false}, Member{"updated_at", textOrNull, false},
		Member{"alertChannels", &Node{Kinds: Object | Null, Free: true}, false})
	n.Member("name").Required = true
	n.Member("alertSettings").Node.Kinds |= Null
	n.Member("description").Node.Limits.Length = atMost(500)
	return n
}

// dnsRequest says which records a DNS check asks for, and whom.
func dnsRequest() *Node {
	record := open(String, "A", "AAAA", "CNAME", "MX", "TXT", "SOA", "NS", "HTTPS")
	record.Limits.Length = atLeast(1)
	anyPort := &Node{Kinds: Integer}
	anyPort.Service.Range = port.Limits.Range
	return &Node{Name: "dnsRequest", Kinds: Object, Members: []Member{
		{"query", &Node{Kinds: String, Limits: Limits{Length: between(1, 100)}}, true},
		{"recordType", record, true},
		{"nameServer", &Node{Kinds: String, Limits: Limits{Length: atMost(100)}}, false},
		{"port", anyPort, false},
		{"protocol", otherwise(open(String, "UDP", "TCP"), `"UDP"`), false},
		{"assertions", listOf(assertion(
			[]string{"RESPONSE_TIME", "RESPONSE_CODE", "TEXT_ANSWER", "JSON_ANSWER"},
			apiAssertion().Member("comparison").Node.Service.Enum)), false},
	}}
}
