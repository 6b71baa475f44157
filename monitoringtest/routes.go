package monitoringtest

import (
	"context"
	"net/http"
	"slices"

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
	uuids     []string          // values of the path that must be UUIDs
	numbers   []string          // values of the path that must be positive integers
	rules     *schema.Operation // nil for one that a test taught
	summary   string
	handle    func(*Service, *call) response                           // with the lock held
	wait      func(*Service, context.Context, *call) (response, error) // instead, without it
	taught    http.Handler                                             // instead, without it

	pattern
}

var (
	byID      = []string{"id"}
	bySession = []string{"checkSessionId"}
)

var routes = []*route{
	{operation: "GET /v1/locations", family: legacy, success: 200, handle: (*Service).listLocations, summary: "List the locations"},
	{operation: "POST /v2/check-sessions/trigger", success: 201, handle: (*Service).trigger, summary: "Trigger check sessions"},
	{operation: "GET /v2/check-sessions/{checkSessionId}", success: 200, uuids: bySession, handle: (*Service).getSessionV2, summary: "Read a check session"},
	{operation: "GET /v2/check-sessions/{checkSessionId}/completion", success: 200, uuids: bySession, wait: (*Service).awaitSession, summary: "Await the end of a check session"},
	{operation: "POST /v1/check-sessions/trigger", family: legacy, success: 201, handle: (*Service).trigger, summary: "Trigger check sessions (deprecated)"},
	{operation: "GET /v1/check-sessions/{checkSessionId}", family: legacy, success: 200, uuids: bySession, handle: (*Service).getSessionV1, summary: "Read a check session (deprecated)"},
	{operation: "POST /v1/check-sessions/{checkSessionId}/cancel", success: 204, uuids: bySession, handle: (*Service).cancelSession, summary: "Cancel a check session"},
	{operation: "GET /v1/check-results/{checkId}/{checkResultId}", success: 200, uuids: []string{"checkId", "checkResultId"}, handle: (*Service).getResult, summary: "Read a check result"},
	{operation: "GET /v1/alert-notifications", family: legacy, success: 200, handle: (*Service).listAlerts, summary: "List alert notifications"},
	{operation: "GET /v1/check-groups/{id}", family: legacy, success: 200, numbers: byID, handle: (*Service).getGroup, summary: "Read a check group"},
	{operation: "PUT /v2/check-groups/{id}", family: legacy, success: 200, numbers: byID, handle: (*Service).putGroup, summary: "Update a check group"},
	{operation: "POST /v1/checks/tcp", success: 201, handle: (*Service).createTCP, summary: "Create a TCP check"},
	{operation: "PUT /v1/checks/browser/{id}", success: 200, uuids: byID, handle: (*Service).putBrowser, summary: "Update a browser check"},
	{operation: "PUT /v1/checks/{id}", success: 200, uuids: byID, handle: (*Service).putCheck, summary: "Update a check (deprecated)"},
	{operation: "GET /v1/maintenance-windows", family: legacy, success: 200, handle: (*Service).listWindows, summary: "List maintenance windows"},
	{operation: "GET /v1/variables", success: 200, handle: (*Service).listVariables, summary: "List environment variables"},
	{operation: "GET /v1/accounts/{accountId}/entitlements", family: legacy, success: 200, uuids: []string{"accountId"}, handle: (*Service).getEntitlements, summary: "Read the entitlements of an account"},
	{operation: "GET /v1/root-cause-analyses/{id}", family: legacy, success: 200, uuids: byID, handle: (*Service).getRootCause, summary: "Read a root cause analysis"},
	{operation: "GET /v1/error-groups/checks/{checkId}", family: legacy, success: 200, uuids: []string{"checkId"}, handle: (*Service).listErrorGroups, summary: "List the error groups of a check"},
	{operation: "DELETE /v1/status-pages/services/{serviceId}", family: legacy, success: 204, uuids: []string{"serviceId"}, handle: (*Service).deleteService, summary: "Delete a status page service"},
	{operation: "DELETE /v1/dashboards/{dashboardId}", success: 204, handle: (*Service).deleteDashboard, summary: "Delete a dashboard"},
	{operation: "GET /openapi.json", family: legacy, success: 200, summary: "Read the description of the API"},
}

// isPaged reports whether the operation is a list with pages.
func (r *route) isPaged() bool {
	return r.rules != nil && slices.ContainsFunc(r.rules.Query, func(p schema.Parameter) bool { return p.Name == "page" })
}

var routesByOperation = func() map[string]*route {
	m := make(map[string]*route, len(routes))
	for _, r := range routes {
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
