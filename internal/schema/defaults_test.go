package schema_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/schema"
)

func TestTheServiceFillsInWhatObjectsLack(t *testing.T) {
	const reminders = `"reminders":{"amount":0,"interval":5},"parallelRunFailureThreshold":{"enabled":false,"percentage":10}`
	for name, test := range map[string]struct{ operation, member, sent, want string }{
		"a retry strategy": {
			"PUT /v1/checks/tcp/{id}", "retryStrategy", `{"type":"FIXED"}`,
			`{"type":"FIXED","baseBackoffSeconds":60,"sameRegion":true,"maxRetries":2,"maxDurationSeconds":600}`,
		},
		"a retry strategy that has it all": {
			"PUT /v1/checks/tcp/{id}", "retryStrategy", `{"maxRetries":7,"maxDurationSeconds":0,"sameRegion":false,"baseBackoffSeconds":1.5,"type":"LINEAR"}`,
			`{"maxRetries":7,"maxDurationSeconds":0,"sameRegion":false,"baseBackoffSeconds":1.5,"type":"LINEAR"}`,
		},
		"a single retry, which has no number": {
			"PUT /v1/checks/tcp/{id}", "retryStrategy", `{"type":"SINGLE_RETRY"}`, `{"type":"SINGLE_RETRY","baseBackoffSeconds":60,"sameRegion":true}`,
		},
		"no retries":                         {"PUT /v1/checks/tcp/{id}", "retryStrategy", `null`, `null`},
		"a strategy that is that of a check": {"PUT /v2/check-groups/{id}", "retryStrategy", `"FALLBACK"`, `"FALLBACK"`},
		"alert settings without a word": {
			"PUT /v1/checks/tcp/{id}", "alertSettings", `{}`, `{"escalationType":"RUN_BASED","runBasedEscalation":{"failedRunThreshold":1},` + reminders + `}`,
		},
		"alert settings by time": {
			"PUT /v2/check-groups/{id}", "alertSettings", `{"escalationType":"TIME_BASED"}`,
			`{"escalationType":"TIME_BASED","timeBasedEscalation":{"minutesFailingThreshold":5},` + reminders + `}`,
		},
		"alert settings with half of an object": {
			"PUT /v2/check-groups/{id}", "alertSettings", `{"reminders":{"amount":3},"timeBasedEscalation":{}}`,
			`{"reminders":{"amount":3,"interval":5},"timeBasedEscalation":{"minutesFailingThreshold":5},"escalationType":"RUN_BASED",
				"runBasedEscalation":{"failedRunThreshold":1},"parallelRunFailureThreshold":{"enabled":false,"percentage":10}}`,
		},
		"no alert settings": {"PUT /v2/check-groups/{id}", "alertSettings", `null`, `null`},
		"assertions": {
			"POST /v1/checks/api", "request", `{"method":"GET","url":"https://h","assertions":[{"source":"STATUS_CODE"},{"target":"x","regex":null}]}`,
			`{"method":"GET","url":"https://h","skipSSL":false,"ipFamily":"IPv4","body":"","bodyType":"NONE","assertions":[
				{"source":"STATUS_CODE","property":"","target":"","regex":""},{"target":"x","regex":null,"property":""}]}`,
		},
		"an intent":                       {"POST /v1/checks/tcp", "intent", `{"goal":"g"}`, `{"goal":"g","requiredOutcomes":[],"mustPreserve":[]}`},
		"variables":                       {"POST /v1/checks/browser", "environmentVariables", `[{"key":"K","value":"v","locked":true}]`, `[{"key":"K","value":"v","locked":true,"secret":false}]`},
		"defaults of a group, which stay": {"PUT /v2/check-groups/{id}", "apiCheckDefaults", `{}`, `{}`},
		"an SSL check": {
			"POST /v1/checks/ssl", "request", `{"sslConfig":{"hostname":"h","securityBaseline":{"sctPresent":{"severity":"fail"}}}}`,
			`{"sslConfig":{"hostname":"h","port":443,"serverName":null,"ipFamily":"IPv4","skipChainValidation":false,"handshakeTimeoutMs":10000,
				"alertDaysBeforeExpiry":20,"securityBaseline":{"enabled":true,
				"minTLSVersion":{"severity":"fail","value":"TLS1.2"},"minKeySizeBits":{"severity":"fail","value":2048},
				"weakSignatureAlgorithm":{"severity":"fail"},"weakCipherSuite":{"severity":"fail"},"knownBadCA":{"severity":"fail"},
				"recommendedTLSVersion":{"severity":"ignore","value":"TLS1.3"},"recommendedKeySizeBits":{"severity":"ignore","value":3072},
				"ocspMustStapleRespected":{"severity":"ignore"},"sctPresent":{"severity":"fail"}}}}`,
		},
		"an SSL check that is changed, whose absent rules are empty": {
			"PUT /v1/checks/ssl/{id}", "request", `{"sslConfig":{"hostname":"h","securityBaseline":{"enabled":false,"sctPresent":{"severity":"fail"}}}}`,
			`{"sslConfig":{"hostname":"h","port":443,"serverName":null,"ipFamily":"IPv4","skipChainValidation":false,"handshakeTimeoutMs":10000,
				"alertDaysBeforeExpiry":20,"securityBaseline":{"enabled":false,"minTLSVersion":{},"minKeySizeBits":{},"weakSignatureAlgorithm":{},
				"weakCipherSuite":{},"knownBadCA":{},"recommendedTLSVersion":{},"recommendedKeySizeBits":{},"ocspMustStapleRespected":{},
				"sctPresent":{"severity":"fail"}}}}`,
		},
		"an SSL check that is changed without a word about its security": {
			"PUT /v1/checks/ssl/{id}", "request", `{"sslConfig":{"hostname":"h"}}`,
			`{"sslConfig":{"hostname":"h","port":443,"serverName":null,"ipFamily":"IPv4","skipChainValidation":false,"handshakeTimeoutMs":10000,
				"alertDaysBeforeExpiry":20}}`,
		},
		"a DNS check":   {"POST /v1/checks/dns", "request", `{"query":"h","recordType":"A"}`, `{"query":"h","recordType":"A","protocol":"UDP"}`},
		"an ICMP check": {"POST /v1/checks/icmp", "request", `{"hostname":"h"}`, `{"hostname":"h","ipFamily":"IPv4","pingCount":10}`},
		"how status pages show a window": {
			"PUT /v1/maintenance-windows/{id}", "statusPageVisibility", `{"enabled":true}`,
			`{"enabled":true,"severity":null,"affectAllServices":false,"suppressAutoIncidents":false,"notifyOnStart":false,"notifyOnEnd":false,
				"reminderMinutesBefore":[],"autoStart":true,"autoEnd":true,"showAffectedServices":true,"statusPageIds":[],"serviceIds":[]}`,
		},
		"a header in them": {
			"PUT /v2/check-groups/{id}", "apiCheckDefaults", `{"headers":[{"key":"K","value":"v"}]}`, `{"headers":[{"key":"K","value":"v","locked":false}]}`,
		},
		"members that are not known": {"PUT /v1/checks/tcp/{id}", "retryStrategy", `{"type":"SINGLE_RETRY","new":{"a":[1, 2]}}`,
			`{"type":"SINGLE_RETRY","new":{"a":[1,2]},"baseBackoffSeconds":60,"sameRegion":true}`},
	} {
		t.Run(name, func(t *testing.T) {
			node := schema.Lookup(test.operation).Body.Member(test.member).Node
			filled := node.Filled([]byte(test.sent))
			require.JSONEq(t, test.want, string(filled))
			require.Equal(t, string(filled), string(node.Filled(filled)), "there is nothing more to fill in")
		})
	}
}
