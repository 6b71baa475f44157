package monitoringtest

import (
	"context"
	"net/http"

	"github.com/monitoring-api/monitoring-go/internal/operations"
	"github.com/monitoring-api/monitoring-go/internal/schema"
)

// family is the form in which an operation writes errors. The older operations of the
// service add members to statusCode, error and message; the newer ones do not.
type family bool

const (
	newer  family = false
	legacy family = true
)

// route is an operation of the API document, or one that a test taught.
type route struct {
	operation string
	family    family
	success   int
	ids       []operations.ID   // the kinds of the values in the path
	paged     bool              // whether it is a list with pages
	rules     *schema.Operation // of its body and its parameters; nil for one that a test taught
	summary   string
	handle    func(*Service, *call) response                           // with the lock held
	wait      func(*Service, context.Context, *call) (response, error) // instead, without it
	taught    http.Handler                                             // instead, without it

	pattern
}

// routes are the operations of the API document in its order. What internal/operations and
// internal/schema say of them is filled in below.
var routes = []*route{
	{operation: "GET /v1/locations", handle: (*Service).listLocations, summary: "List the locations"},
	{operation: "POST /v2/check-sessions/trigger", handle: (*Service).trigger, summary: "Trigger check sessions"},
	{operation: "POST /v1/check-sessions/trigger", handle: (*Service).trigger, summary: "Trigger check sessions (deprecated)"},
	{operation: "GET /v1/check-sessions/{checkSessionId}", handle: (*Service).getSessionV1, summary: "Read a check session (deprecated)"},
	{operation: "GET /v2/check-sessions/{checkSessionId}", handle: (*Service).getSessionV2, summary: "Read a check session"},
	{operation: "GET /v2/check-sessions/{checkSessionId}/completion", wait: (*Service).awaitSession, summary: "Await the end of a check session"},
	{operation: "POST /v1/check-sessions/{checkSessionId}/cancel", handle: (*Service).cancelSession, summary: "Cancel a check session"},
	{operation: "GET /v1/check-results/{checkId}/{checkResultId}", handle: (*Service).getResult, summary: "Read a check result"},
	{operation: "GET /v1/alert-notifications", handle: (*Service).listAlerts, summary: "List alert notifications"},
	{operation: "GET /v1/check-groups/{id}", handle: (*Service).getGroup, summary: "Read a check group"},
	{operation: "PUT /v2/check-groups/{id}", handle: (*Service).putGroup, summary: "Update a check group"},
	{operation: "POST /v1/checks/tcp", handle: (*Service).createTCP, summary: "Create a TCP check"},
	{operation: "PUT /v1/checks/browser/{id}", handle: (*Service).putBrowser, summary: "Update a browser check"},
	{operation: "PUT /v1/checks/{id}", handle: (*Service).putCheck, summary: "Update a check (deprecated)"},
	{operation: "GET /v1/maintenance-windows", handle: (*Service).listWindows, summary: "List maintenance windows"},
	{operation: "GET /v1/variables", handle: (*Service).listVariables, summary: "List environment variables"},
	{operation: "GET /v1/accounts/{accountId}/entitlements", handle: (*Service).getEntitlements, summary: "Read the entitlements of an account"},
	{operation: "GET /v1/root-cause-analyses/{id}", handle: (*Service).getRootCause, summary: "Read a root cause analysis"},
	{operation: "GET /v1/error-groups/checks/{checkId}", handle: (*Service).listErrorGroups, summary: "List the error groups of a check"},
	{operation: "DELETE /v1/status-pages/services/{serviceId}", handle: (*Service).deleteService, summary: "Delete a status page service"},
	{operation: "DELETE /v1/dashboards/{dashboardId}", handle: (*Service).deleteDashboard, summary: "Delete a dashboard"},
	{operation: "GET /v1/checks", handle: (*Service).listChecks, summary: "List checks"},
	{operation: "GET /v1/checks/{id}", handle: (*Service).getCheck, summary: "Read a check"},
	{operation: "DELETE /v1/checks/{id}", handle: (*Service).deleteCheck, summary: "Delete a check with its results"},
	{operation: "POST /v1/checks/api", handle: (*Service).createAPI, summary: "Create an API check"},
	{operation: "PUT /v1/checks/api/{id}", handle: (*Service).putAPI, summary: "Update an API check"},
	{operation: "PUT /v1/checks/tcp/{id}", handle: (*Service).putTCP, summary: "Update a TCP check"},
	{operation: "POST /v1/checks/browser", handle: (*Service).createBrowser, summary: "Create a browser check"},
	{operation: "GET /v1/check-statuses", handle: (*Service).listStatuses, summary: "List the statuses of the checks"},
	{operation: "GET /v1/check-statuses/{checkId}", handle: (*Service).getStatus, summary: "Read the status of a check"},
	{operation: "GET /v1/check-groups", handle: (*Service).listGroups, summary: "List the check groups"},
	{operation: "POST /v2/check-groups", handle: (*Service).createGroup, summary: "Create a check group"},
	{operation: "DELETE /v1/check-groups/{id}", handle: (*Service).deleteGroup, summary: "Delete a check group"},
	{operation: "GET /v1/check-groups/{id}/checks", handle: (*Service).listGroupChecks, summary: "List the checks of a group"},
	{operation: "POST /v1/variables", handle: (*Service).createVariable, summary: "Create an environment variable"},
	{operation: "GET /v1/variables/{key}", handle: (*Service).getVariable, summary: "Read an environment variable"},
	{operation: "PUT /v1/variables/{key}", handle: (*Service).putVariable, summary: "Update an environment variable"},
	{operation: "DELETE /v1/variables/{key}", handle: (*Service).deleteVariable, summary: "Delete an environment variable"},
	{operation: "POST /v1/maintenance-windows", handle: (*Service).createWindow, summary: "Create a maintenance window"},
	{operation: "GET /v1/maintenance-windows/{id}", handle: (*Service).getWindow, summary: "Read a maintenance window"},
	{operation: "PUT /v1/maintenance-windows/{id}", handle: (*Service).putWindow, summary: "Update a maintenance window"},
	{operation: "DELETE /v1/maintenance-windows/{id}", handle: (*Service).deleteWindow, summary: "Delete a maintenance window"},
	{operation: "GET /v2/check-results/{checkId}", handle: (*Service).listResults, summary: "List the results of a check"},
	{operation: "GET /v1/alert-channels", handle: (*Service).listChannels, summary: "List the alert channels"},
	{operation: "GET /v1/private-locations", handle: (*Service).listPrivateLocations, summary: "List the private locations"},
	{operation: "GET /openapi.json", summary: "Read the description of the API"},
}

var routesByOperation = func() map[string]*route {
	m := make(map[string]*route, len(routes))
	for _, r := range routes {
		o, _ := operations.Find(r.operation)
		r.family, r.success, r.ids, r.paged = o.Errors == operations.Legacy, o.Status, o.IDs, o.Pages == operations.Numbered
		r.pattern, r.rules = mustParsePattern(r.operation), schema.Lookup(r.operation)
		m[r.operation] = r
	}
	return m
}()

func init() { // the description lists the routes, of which it is one
	routesByOperation["GET /openapi.json"].handle = (*Service).getDescription
}

// Operations returns the operations of the service, as the API document writes them.
// Those that a test taught are not among them.
func Operations() []string {
	list := make([]string, len(routes))
	for i, r := range routes {
		list[i] = r.operation
	}
	return list
}
