// Package routes is the table of the operations of the fake, and what each of them does: it reads
// what a request asks for, calls world, and says what to respond. The files are those of the parts
// of the API. That a request has a key and an account, and breaks no rule of its operation, was
// seen before, and how a reply is written is seen to later: both are the front's.
package routes

import (
	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/operations"
	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

// Table has the operations of the API document in its order. What internal/operations and
// internal/schema say of them is filled in below.
var Table = []*Route{
	{Operation: "GET /v1/locations", Handle: listLocations, Summary: "List the locations"},
	{Operation: "POST /v2/check-sessions/trigger", Handle: trigger, Summary: "Trigger check sessions"},
	{Operation: "POST /v1/check-sessions/trigger", Handle: trigger, Summary: "Trigger check sessions (deprecated)"},
	{Operation: "GET /v1/check-sessions/{checkSessionId}", Handle: getSessionV1, Summary: "Read a check session (deprecated)"},
	{Operation: "GET /v2/check-sessions/{checkSessionId}", Handle: getSessionV2, Summary: "Read a check session"},
	{Operation: "GET /v2/check-sessions/{checkSessionId}/completion", Wait: awaitSession, Summary: "Await the end of a check session"},
	{Operation: "POST /v1/check-sessions/{checkSessionId}/cancel", Handle: cancelSession, Summary: "Cancel a check session"},
	{Operation: "GET /v1/check-results/{checkId}/{checkResultId}", Handle: getResult, Summary: "Read a check result"},
	{Operation: "GET /v1/alert-notifications", Handle: listAlerts, Summary: "List alert notifications"},
	{Operation: "GET /v1/check-groups/{id}", Handle: getGroup, Summary: "Read a check group"},
	{Operation: "PUT /v2/check-groups/{id}", Handle: putGroup, Summary: "Update a check group"},
	{Operation: "POST /v1/checks/tcp", Handle: createCheck(monitoring.CheckTypeTCP), Summary: "Create a TCP check"},
	{Operation: "PUT /v1/checks/browser/{id}", Handle: updateCheck(monitoring.CheckTypeBrowser), Summary: "Update a browser check"},
	{Operation: "PUT /v1/checks/{id}", Handle: updateCheck(""), Summary: "Update a check (deprecated)"},
	{Operation: "GET /v1/maintenance-windows", Handle: listWindows, Summary: "List maintenance windows"},
	{Operation: "GET /v1/variables", Handle: lists(world.Variables, (*world.World).WithheldVariable), Summary: "List environment variables"},
	{Operation: "GET /v1/accounts/{accountId}/entitlements", Handle: getEntitlements, Summary: "Read the entitlements of an account"},
	{Operation: "GET /v1/root-cause-analyses/{id}", Handle: getRootCause, Summary: "Read a root cause analysis"},
	{Operation: "GET /v1/error-groups/checks/{checkId}", Handle: listErrorGroupsOfCheck, Summary: "List the error groups of a check"},
	{Operation: "DELETE /v1/status-pages/services/{serviceId}", Handle: deletes(world.Services), Summary: "Delete a status page service"},
	{Operation: "DELETE /v1/dashboards/{dashboardId}", Handle: deletes(world.Dashboards), Summary: "Delete a dashboard"},
	{Operation: "GET /v1/checks", Handle: listChecks, Summary: "List checks"},
	{Operation: "GET /v1/checks/{id}", Handle: getCheck, Summary: "Read a check"},
	{Operation: "DELETE /v1/checks/{id}", Handle: deleteCheck, Summary: "Delete a check with its results"},
	{Operation: "POST /v1/checks/api", Handle: createCheck(monitoring.CheckTypeAPI), Summary: "Create an API check"},
	{Operation: "PUT /v1/checks/api/{id}", Handle: updateCheck(monitoring.CheckTypeAPI), Summary: "Update an API check"},
	{Operation: "PUT /v1/checks/tcp/{id}", Handle: updateCheck(monitoring.CheckTypeTCP), Summary: "Update a TCP check"},
	{Operation: "POST /v1/checks/url", Handle: createCheck(monitoring.CheckTypeURL), Summary: "Create a URL check"},
	{Operation: "PUT /v1/checks/url/{id}", Handle: updateCheck(monitoring.CheckTypeURL), Summary: "Update a URL check"},
	{Operation: "POST /v1/checks/icmp", Handle: createCheck(monitoring.CheckTypeICMP), Summary: "Create an ICMP check"},
	{Operation: "PUT /v1/checks/icmp/{id}", Handle: updateCheck(monitoring.CheckTypeICMP), Summary: "Update an ICMP check"},
	{Operation: "POST /v1/checks/ssl", Handle: createCheck(monitoring.CheckTypeSSL), Summary: "Create an SSL check"},
	{Operation: "PUT /v1/checks/ssl/{id}", Handle: updateCheck(monitoring.CheckTypeSSL), Summary: "Update an SSL check"},
	{Operation: "POST /v1/checks/dns", Handle: createCheck(monitoring.CheckTypeDNS), Summary: "Create a DNS check"},
	{Operation: "PUT /v1/checks/dns/{id}", Handle: updateCheck(monitoring.CheckTypeDNS), Summary: "Update a DNS check"},
	{Operation: "POST /v1/checks/browser", Handle: createCheck(monitoring.CheckTypeBrowser), Summary: "Create a browser check"},
	{Operation: "POST /v1/checks/heartbeat", Handle: createCheck(monitoring.CheckTypeHeartbeat), Summary: "Create a heartbeat check"},
	{Operation: "PUT /v1/checks/heartbeat/{id}", Handle: updateCheck(monitoring.CheckTypeHeartbeat), Summary: "Update a heartbeat check"},
	{Operation: "POST /v1/checks/multistep", Handle: createCheck(monitoring.CheckTypeMultiStep), Summary: "Create a multi-step check"},
	{Operation: "PUT /v1/checks/multistep/{id}", Handle: updateCheck(monitoring.CheckTypeMultiStep), Summary: "Update a multi-step check"},
	{Operation: "GET /v1/check-statuses", Handle: listStatuses, Summary: "List the statuses of the checks"},
	{Operation: "GET /v1/check-statuses/{checkId}", Handle: getStatus, Summary: "Read the status of a check"},
	{Operation: "GET /v1/check-groups", Handle: listGroups, Summary: "List the check groups"},
	{Operation: "POST /v2/check-groups", Handle: createGroup, Summary: "Create a check group"},
	{Operation: "DELETE /v1/check-groups/{id}", Handle: deleteGroup, Summary: "Delete a check group"},
	{Operation: "GET /v1/check-groups/{id}/checks", Handle: listGroupChecks, Summary: "List the checks of a group"},
	{Operation: "POST /v1/variables", Handle: createVariable, Summary: "Create an environment variable"},
	{Operation: "GET /v1/variables/{key}", Handle: gets(world.Variables, (*world.World).WithheldVariable), Summary: "Read an environment variable"},
	{Operation: "PUT /v1/variables/{key}", Handle: finds(world.Variables, putVariable), Summary: "Update an environment variable"},
	{Operation: "DELETE /v1/variables/{key}", Handle: deletes(world.Variables), Summary: "Delete an environment variable"},
	{Operation: "POST /v1/maintenance-windows", Handle: creates(world.MaintenanceWindows, whole), Summary: "Create a maintenance window"},
	{Operation: "GET /v1/maintenance-windows/{id}", Handle: gets(world.MaintenanceWindows, whole), Summary: "Read a maintenance window"},
	{Operation: "PUT /v1/maintenance-windows/{id}", Handle: puts(world.MaintenanceWindows, whole), Summary: "Update a maintenance window"},
	{Operation: "DELETE /v1/maintenance-windows/{id}", Handle: deletes(world.MaintenanceWindows), Summary: "Delete a maintenance window"},
	{Operation: "GET /v2/check-results/{checkId}", Handle: listResults, Summary: "List the results of a check"},
	{Operation: "GET /v1/check-results/{checkId}/{checkResultId}/assets", Handle: listAssets, Summary: "List the files that a run has left"},
	{Operation: "GET /v1/alert-channels", Handle: listChannels, Summary: "List the alert channels"},
	{Operation: "POST /v1/alert-channels", Handle: createChannel, Summary: "Create an alert channel"},
	{Operation: "GET /v1/alert-channels/{id}", Handle: gets(world.AlertChannels, shownChannel), Summary: "Read an alert channel"},
	{Operation: "PUT /v1/alert-channels/{id}", Handle: finds(world.AlertChannels, putChannel), Summary: "Update an alert channel"},
	{Operation: "DELETE /v1/alert-channels/{id}", Handle: finds(world.AlertChannels, deleteChannel), Summary: "Delete an alert channel"},
	{Operation: "PUT /v1/alert-channels/{id}/subscriptions", Handle: finds(world.AlertChannels, subscribeToChannel),
		Summary: "Subscribe a check or a group to an alert channel"},
	{Operation: "GET /v1/snippets", Handle: lists(world.Snippets, whole), Summary: "List the snippets"},
	{Operation: "POST /v1/snippets", Handle: creates(world.Snippets, whole), Summary: "Create a snippet"},
	{Operation: "GET /v1/snippets/{id}", Handle: gets(world.Snippets, whole), Summary: "Read a snippet"},
	{Operation: "PUT /v1/snippets/{id}", Handle: puts(world.Snippets, whole), Summary: "Update a snippet"},
	{Operation: "DELETE /v1/snippets/{id}", Handle: deletes(world.Snippets), Summary: "Delete a snippet"},
	{Operation: "GET /v1/runtimes", Handle: listRuntimes, Public: true, Summary: "List the runtimes"},
	{Operation: "GET /v1/runtimes/{id}", Handle: getRuntime, Public: true, Summary: "Read a runtime"},
	{Operation: "GET /v1/reporting", Handle: listReports, Summary: "Report how the checks did"},
	{Operation: "GET /v1/check-alerts", Handle: listCheckAlerts, Summary: "List the alerts of checks"},
	{Operation: "GET /v1/check-alerts/{checkId}", Handle: listCheckAlerts, Summary: "List the alerts of a check"},
	{Operation: "GET /v1/private-locations", Handle: listPrivateLocations, Summary: "List the private locations"},
	{Operation: "POST /v1/private-locations", Handle: creates(world.PrivateLocations, (*world.World).ShownLocation), Summary: "Create a private location"},
	{Operation: "GET /v1/private-locations/{id}", Handle: gets(world.PrivateLocations, (*world.World).ShownLocation), Summary: "Read a private location"},
	{Operation: "PUT /v1/private-locations/{id}", Handle: puts(world.PrivateLocations, (*world.World).ShownLocation), Summary: "Update a private location"},
	{Operation: "DELETE /v1/private-locations/{id}", Handle: finds(world.PrivateLocations, deletePrivateLocation), Summary: "Delete a private location"},
	{Operation: "POST /v1/private-locations/{id}/keys", Handle: finds(world.PrivateLocations, createKey), Summary: "Create a key of a private location"},
	{Operation: "DELETE /v1/private-locations/{id}/keys/{keyId}", Handle: finds(world.PrivateLocations, deleteKey), Summary: "Delete a key of a private location"},
	{Operation: "GET /v1/error-groups", Handle: listErrorGroups(world.ErrorGroups), Summary: "List the error groups of all checks"},
	{Operation: "GET /v1/error-groups/{id}", Handle: getErrorGroup(world.ErrorGroups), Summary: "Read an error group"},
	{Operation: "PATCH /v1/error-groups/{id}", Handle: patchErrorGroup(world.ErrorGroups), Summary: "Archive an error group, or show it again"},
	{Operation: "POST /v1/root-cause-analyses/error-groups/{errorGroupId}", Handle: createRootCause(world.ErrorGroups),
		Summary: "Start a root cause analysis of an error group"},
	{Operation: "POST /v1/test-sessions/trigger", Wait: triggerTest, Summary: "Trigger a test session"},
	{Operation: "GET /v1/test-sessions", Handle: listTests, Summary: "List the test sessions"},
	{Operation: "GET /v1/test-sessions/{testSessionId}", Handle: getTest, Summary: "Read a test session"},
	{Operation: "GET /v1/test-sessions/{testSessionId}/completion", Wait: awaitTest, Summary: "Await the end of a test session"},
	{Operation: "POST /v1/test-sessions/{testSessionId}/cancel", Handle: cancelTest, Summary: "Cancel a test session"},
	{Operation: "GET /v1/test-sessions/{testSessionId}/results/{testSessionResultId}", Handle: getTestResult,
		Summary: "Read a result of a test session"},
	{Operation: "GET /v1/test-sessions/{testSessionId}/results/{testSessionResultId}/assets", Handle: listTestAssets,
		Summary: "List the files that a run of a test session has left"},
	{Operation: "GET /v1/test-session-error-groups", Handle: listErrorGroups(world.TestErrorGroups), Summary: "List the error groups of test sessions"},
	{Operation: "GET /v1/test-session-error-groups/projects/{projectId}", Handle: listErrorGroupsOfProject,
		Summary: "List the error groups of the test sessions of a project"},
	{Operation: "GET /v1/test-session-error-groups/{id}", Handle: getErrorGroup(world.TestErrorGroups), Summary: "Read an error group of test sessions"},
	{Operation: "PATCH /v1/test-session-error-groups/{id}", Handle: patchErrorGroup(world.TestErrorGroups),
		Summary: "Archive an error group of test sessions, or show it again"},
	{Operation: "POST /v1/root-cause-analyses/test-session-error-groups/{testSessionErrorGroupId}", Handle: createRootCause(world.TestErrorGroups),
		Summary: "Start a root cause analysis of an error group of test sessions"},
	{Operation: "GET /openapi.json", Summary: "Read the description of the API"},
}

// Operations returns the operations of the table, as the API document writes them.
func Operations() []string {
	names := make([]string, len(Table))
	for i, r := range Table {
		names[i] = r.Operation
	}
	return names
}

var byOperation = func() map[string]*Route {
	m := make(map[string]*Route, len(Table))
	for _, r := range Table {
		o, _ := operations.Find(r.Operation)
		r.Errors, r.Success, r.IDs, r.Paged = o.Errors, o.Status, o.IDs, o.Pages == operations.Numbered
		r.Pattern, r.Rules = mustParse(r.Operation), schema.Lookup(r.Operation)
		m[r.Operation] = r
	}
	return m
}()

// Has reports whether there is an operation.
func Has(operation string) bool { return byOperation[operation] != nil }
