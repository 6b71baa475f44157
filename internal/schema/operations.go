package schema

import (
	"slices"
	"sync"
)

// Operation describes the body and the query parameters that an operation accepts.
type Operation struct {
	// Name is the method and the path as the document writes them.
	Name string
	// Body describes the request body; nil for an operation without one.
	Body *Node
	// BodyOptional says that the service also accepts a request without a body.
	BodyOptional bool
	// Query are the query parameters, in the order of the document.
	Query []Parameter
	// QueryRules hold across parameters.
	QueryRules []QueryRule
}

// table has the operations that take a body or parameters. It is made when it is used for the first
// time, by a function and not by the initialization of the package: so a program that sends no
// bodies pays neither for its size nor for the time to make it.
var table struct {
	once   sync.Once
	list   []*Operation
	byName map[string]*Operation
}

func makeTable() {
	table.list = operations()
	table.byName = make(map[string]*Operation, len(table.list))
	for _, o := range table.list {
		table.byName[o.Name] = o
	}
}

func operations() []*Operation {
	const create, update = true, false
	return []*Operation{
		{Name: "POST /v2/check-sessions/trigger", Body: triggerV2()},
		{Name: "POST /v1/check-sessions/trigger", Body: triggerV1(), BodyOptional: true},
		{Name: "GET /v2/check-sessions/{checkSessionId}/completion",
			Query: []Parameter{{Name: "maxWaitSeconds", Node: bounded(Integer, between(1, 30))}}},
		{Name: "POST /v1/check-sessions/{checkSessionId}/cancel", Body: cancel(), BodyOptional: true},
		{Name: "GET /v1/alert-notifications", Query: alertParameters(), QueryRules: []QueryRule{periodRule()}},
		{Name: "PUT /v2/check-groups/{id}", Body: groupSettings(), Query: autoAssignAlerts()},
		{Name: "POST /v1/checks/tcp", Body: tcpCheck(create), Query: autoAssignAlerts()},
		{Name: "PUT /v1/checks/browser/{id}", Body: browserCheck(update), Query: autoAssignAlerts()},
		{Name: "PUT /v1/checks/{id}", Body: checkUpdate(), Query: autoAssignAlerts()},
		{Name: "GET /v1/maintenance-windows", Query: windowParameters(),
			QueryRules: []QueryRule{operatorRule("startsAt"), operatorRule("endsAt")}},
		{Name: "GET /v1/variables", Query: paging()},
		{Name: "GET /v1/error-groups/checks/{checkId}", Query: paging()},
		{Name: "GET /v1/checks", Query: checkParameters()},
		{Name: "GET /v1/checks/{id}", Query: []Parameter{{Name: "applyGroupSettings", Node: flag}, {Name: "includeDependencies", Node: flag}}},
		{Name: "POST /v1/checks/api", Body: apiCheck(create), Query: autoAssignAlerts()},
		{Name: "PUT /v1/checks/api/{id}", Body: apiCheck(update), Query: autoAssignAlerts()},
		{Name: "PUT /v1/checks/tcp/{id}", Body: tcpCheck(update), Query: autoAssignAlerts()},
		{Name: "POST /v1/checks/url", Body: urlCheck(create), Query: autoAssignAlerts()},
		{Name: "PUT /v1/checks/url/{id}", Body: urlCheck(update), Query: autoAssignAlerts()},
		{Name: "POST /v1/checks/icmp", Body: icmpCheck(create), Query: autoAssignAlerts()},
		{Name: "PUT /v1/checks/icmp/{id}", Body: icmpCheck(update), Query: autoAssignAlerts()},
		{Name: "POST /v1/checks/ssl", Body: sslCheck(create), Query: autoAssignAlerts()},
		{Name: "PUT /v1/checks/ssl/{id}", Body: sslCheck(update), Query: autoAssignAlerts()},
		{Name: "POST /v1/checks/dns", Body: dnsCreate(), Query: autoAssignAlerts()},
		{Name: "PUT /v1/checks/dns/{id}", Body: dnsUpdate(), Query: autoAssignAlerts()},
		{Name: "POST /v1/checks/browser", Body: browserCheck(create), Query: autoAssignAlerts()},
		{Name: "POST /v1/checks/heartbeat", Body: heartbeatCheck(create), Query: autoAssignAlerts()},
		{Name: "PUT /v1/checks/heartbeat/{id}", Body: heartbeatCheck(update), Query: autoAssignAlerts()},
		{Name: "POST /v1/checks/multistep", Body: multiStepCheck(create), Query: autoAssignAlerts()},
		{Name: "PUT /v1/checks/multistep/{id}", Body: multiStepCheck(update), Query: autoAssignAlerts()},
		{Name: "GET /v1/check-groups", Query: slices.Concat(paging(), anyOf("tag", "name"))},
		{Name: "POST /v2/check-groups", Body: groupSettings(), Query: autoAssignAlerts()},
		{Name: "POST /v1/maintenance-windows", Body: windowCreate()},
		{Name: "PUT /v1/maintenance-windows/{id}", Body: windowUpdate()},
		{Name: "GET /v1/check-groups/{id}/checks", Query: paging()},
		{Name: "POST /v1/variables", Body: variableCreate()},
		{Name: "PUT /v1/variables/{key}", Body: variableUpdate()},
		{Name: "GET /v2/check-results/{checkId}", Query: resultParameters(), QueryRules: []QueryRule{endRule()}},
		{Name: "GET /v1/check-results/{checkId}/{checkResultId}/assets", Query: assetParameters()},
		{Name: "GET /v1/alert-channels", Query: paging()},
		{Name: "GET /v1/error-groups", Query: paging()},
		{Name: "PATCH /v1/error-groups/{id}", Body: errorGroupUpdate()},
		{Name: "POST /v1/root-cause-analyses/error-groups/{errorGroupId}", Body: analysisCreate(), BodyOptional: true},
		{Name: "GET /v1/test-session-error-groups", Query: paging()},
		{Name: "PATCH /v1/test-session-error-groups/{id}", Body: errorGroupUpdate()},
		{Name: "POST /v1/root-cause-analyses/test-session-error-groups/{testSessionErrorGroupId}", Body: analysisCreate(), BodyOptional: true},
		{Name: "POST /v1/test-sessions/trigger", Body: testTrigger()},
		{Name: "GET /v1/test-sessions", Query: testSessionParameters(), QueryRules: []QueryRule{endRule()}},
		{Name: "GET /v1/test-sessions/{testSessionId}/completion",
			Query: []Parameter{{Name: "maxWaitSeconds", Node: bounded(Integer, between(1, 30))}}},
		{Name: "POST /v1/test-sessions/{testSessionId}/cancel", Body: cancel(), BodyOptional: true},
		{Name: "GET /v1/test-sessions/{testSessionId}/results/{testSessionResultId}/assets", Query: assetParameters()},
		{Name: "POST /v1/alert-channels", Body: alertChannel()},
		{Name: "PUT /v1/alert-channels/{id}", Body: alertChannel()},
		{Name: "PUT /v1/alert-channels/{id}/subscriptions", Body: channelSubscription()},
		{Name: "GET /v1/snippets", Query: pagingFromZero()},
		{Name: "POST /v1/snippets", Body: snippet()},
		{Name: "PUT /v1/snippets/{id}", Body: snippet()},
		{Name: "GET /v1/reporting", Query: reportParameters(), QueryRules: []QueryRule{reportRule()}},
		{Name: "GET /v1/check-alerts", Query: checkAlertParameters(), QueryRules: []QueryRule{periodRule()}},
		{Name: "GET /v1/check-alerts/{checkId}", Query: checkAlertParameters(), QueryRules: []QueryRule{periodRule()}},
		{Name: "GET /v1/private-locations", Query: []Parameter{{Name: "versions", Node: flag}}},
		{Name: "POST /v1/private-locations", Body: privateLocationCreate()},
		{Name: "PUT /v1/private-locations/{id}", Body: privateLocation()},
	}
}

// Operations returns the operations that take a body or parameters, in the order of the document.
// The list and its items must not be changed.
func Operations() []*Operation {
	table.once.Do(makeTable)
	return table.list
}

// Lookup returns what the operation of a name like "PUT /v2/check-groups/{id}" accepts: neither a
// body nor parameters, if it is not among [Operations].
func Lookup(name string) *Operation {
	table.once.Do(makeTable)
	if found := table.byName[name]; found != nil {
		return found
	}
	return &Operation{Name: name}
}
