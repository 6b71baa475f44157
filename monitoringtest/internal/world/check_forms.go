package world

import (
	"encoding/json"
	"maps"
	"slices"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/fakeclock"
)

// commonDefaults are the members that a check of any type has by default.
var commonDefaults = Object{
	"activated": Raw("true"), "muted": Raw("false"), "locations": Raw("[]"), "tags": Raw("[]"), "alertSettings": defaultAlertSettings,
	"useGlobalAlertSettings": Raw("true"), "groupId": Raw("null"), "groupOrder": Raw("null"), "alertChannelSubscriptions": Raw("[]"),
	"triggerIncident": Raw("null"), "runParallel": Raw("false"), "description": Raw("null"), "privateLocations": Raw("[]"),
	"updated_at": Raw("null"),
	"project":    Raw("null"), "logicalId": Raw("null"), "member": Raw("null"), "pending": Raw("null"),
}

var defaultAlertSettings = BodyOfUpdate("").Member("alertSettings").Node.Filled(Raw("{}"))

// The members that several types of checks have, with their defaults.
var (
	runMembers = Object{
		"doubleCheck": Raw("false"), "shouldFail": Raw("false"), "frequency": Raw("10"), "retryStrategy": Raw("null"), "runtimeId": Raw("null"),
	}
	offsetMembers = Object{"frequencyOffset": Raw("1")}
	timeMembers   = Object{"degradedResponseTime": Raw("3000"), "maxResponseTime": Raw("5000")}
	scriptMembers = Object{"script": Raw(`"const { test } = require('@playwright/test')\n"`), "environmentVariables": Raw("[]")}
)

// The requests of checks that a test adds without one, with the members whose default only the fake
// has. internal/schema has the other defaults.
var writtenRequests = map[monitoring.CheckType]string{
	monitoring.CheckTypeAPI: `{"method":"GET","url":"https://shop.test","followRedirects":true,"headers":[],"queryParameters":[],` +
		`"basicAuth":null,"assertions":[]}`,
	monitoring.CheckTypeURL:  `{"url":"https://shop.test","method":"GET","followRedirects":true,"assertions":[]}`,
	monitoring.CheckTypeDNS:  `{"query":"shop.test","recordType":"A","assertions":[]}`,
	monitoring.CheckTypeICMP: `{"hostname":"shop.test","assertions":[]}`,
	monitoring.CheckTypeSSL:  `{"sslConfig":{"hostname":"shop.test"},"sslClientCertificateId":null,"assertions":[]}`,
	monitoring.CheckTypeTCP:  `{"hostname":"shop.test","port":443,"data":null,"assertions":[]}`,
}

// formDefaults are the members that a check has because of its type, with their defaults.
var formDefaults = map[monitoring.CheckType]Object{
	monitoring.CheckTypeAPI: join(runMembers, offsetMembers, timeMembers, Object{
		"request": requestOf(monitoring.CheckTypeAPI), "setupSnippetId": Raw("null"), "tearDownSnippetId": Raw("null"),
		"localSetupScript": Raw("null"), "localTearDownScript": Raw("null"),
	}),
	monitoring.CheckTypeTCP: join(runMembers, offsetMembers, timeMembers, Object{"request": requestOf(monitoring.CheckTypeTCP)}),
	monitoring.CheckTypeURL: join(runMembers, offsetMembers, timeMembers,
		Object{"request": requestOf(monitoring.CheckTypeURL)}),
	monitoring.CheckTypeDNS: join(runMembers, offsetMembers, timeMembers,
		Object{"request": requestOf(monitoring.CheckTypeDNS), "degradedResponseTime": Raw("500"), "maxResponseTime": Raw("1000")}),
	monitoring.CheckTypeGRPC: join(runMembers, offsetMembers, timeMembers,
		Object{"request": Raw(`{"url":"grpc.shop.test","port":443,"metadata":[]}`)}),
	monitoring.CheckTypeSSL: join(runMembers, offsetMembers, timeMembers,
		Object{"request": requestOf(monitoring.CheckTypeSSL), "maxResponseTime": Raw("10000")}),
	monitoring.CheckTypeTraceroute: join(runMembers, offsetMembers, timeMembers, Object{"request": Raw(`{"hostname":"shop.test"}`)}),
	monitoring.CheckTypeICMP: join(runMembers, offsetMembers, Object{
		"request":                     requestOf(monitoring.CheckTypeICMP),
		"degradedPacketLossThreshold": Raw("10"), "maxPacketLossThreshold": Raw("20"),
	}),
	monitoring.CheckTypeBrowser:   join(runMembers, scriptMembers, Object{"sslCheckDomain": Raw("null")}),
	monitoring.CheckTypeMultiStep: join(runMembers, scriptMembers),
	monitoring.CheckTypeAgentic:   join(runMembers, scriptMembers),
	monitoring.CheckTypePlaywright: {
		"browsers": Raw(`["chromium"]`), "cacheHash": Raw("null"), "codeBundlePath": Raw(`"bundles/shop.tar.gz"`),
		"engine": Raw(`"node"`), "engineVersion": Raw("null"),
		"environmentVariables": Raw("[]"), "frequency": Raw("10"), "installCommand": Raw(`"npm install"`), "playwrightVersion": Raw("null"),
		"testCommand": Raw(`"npx playwright test"`), "workingDir": Raw("null"),
	},
	monitoring.CheckTypeHeartbeat: {
		"heartbeat": Raw(`{"period":1,"periodUnit":"hours","grace":10,"graceUnit":"minutes"}`), // see completeHeartbeat
	},
}

// requestOf returns the request of a check of a kind with all its defaults.
func requestOf(kind monitoring.CheckType) json.RawMessage {
	return BodyOfCreate(kind).Member("request").Node.Filled(Raw(writtenRequests[kind]))
}

// ofSomeType are the members that only checks of some types have.
var ofSomeType = join(slices.Collect(maps.Values(formDefaults))...)

// defaultCheck returns the members that a check has by default.
func defaultCheck(kind monitoring.CheckType, now time.Time) Object {
	m := join(commonDefaults, formDefaults[kind])
	m.Set("checkType", kind)
	m.Set("created_at", fakeclock.Stamp(now))
	return m
}
