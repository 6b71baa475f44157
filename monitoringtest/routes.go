package monitoringtest

import (
	"context"
	"net/url"
	"strings"
)

// route is an operation of the API document.
type route struct {
	operation string
	success   int
	query     []string // what it takes; "name[]" takes name[anything]
	body      bool
	summary   string
	handle    func(*Service, *call) answer                           // with the lock held
	wait      func(*Service, context.Context, *call) (answer, error) // instead, without it

	method   string
	segments []string // of the path; a placeholder is empty
}

var paging = []string{"limit", "page"}

var routes = []*route{
	{operation: "GET /v1/locations", success: 200, handle: (*Service).listLocations, summary: "List the locations"},
	{operation: "POST /v2/check-sessions/trigger", success: 201, body: true, handle: (*Service).triggerV2, summary: "Trigger check sessions"},
	{operation: "GET /v2/check-sessions/{checkSessionId}", success: 200, handle: (*Service).getSessionV2, summary: "Read a check session"},
	{operation: "GET /v2/check-sessions/{checkSessionId}/completion", success: 200, query: []string{"maxWaitSeconds"}, wait: (*Service).awaitSession, summary: "Await the end of a check session"},
	{operation: "POST /v1/check-sessions/trigger", success: 201, body: true, handle: (*Service).triggerV1, summary: "Trigger check sessions (deprecated)"},
	{operation: "GET /v1/check-sessions/{checkSessionId}", success: 200, handle: (*Service).getSessionV1, summary: "Read a check session (deprecated)"},
	{operation: "POST /v1/check-sessions/{checkSessionId}/cancel", success: 204, body: true, handle: (*Service).cancelSession, summary: "Cancel a check session"},
	{operation: "GET /v1/check-results/{checkId}/{checkResultId}", success: 200, handle: (*Service).getResult, summary: "Read a check result"},
	{operation: "GET /v1/alert-notifications", success: 200, query: []string{"limit", "page", "from", "to", "alertChannelId", "hasFailures"}, handle: (*Service).listAlerts, summary: "List alert notifications"},
	{operation: "GET /v1/check-groups/{id}", success: 200, handle: (*Service).getGroup, summary: "Read a check group"},
	{operation: "PUT /v2/check-groups/{id}", success: 200, query: []string{"autoAssignAlerts"}, body: true, handle: (*Service).putGroup, summary: "Update a check group"},
	{operation: "POST /v1/checks/tcp", success: 201, query: []string{"autoAssignAlerts"}, body: true, handle: (*Service).createTCP, summary: "Create a TCP check"},
	{operation: "PUT /v1/checks/browser/{id}", success: 200, query: []string{"autoAssignAlerts"}, body: true, handle: (*Service).putBrowser, summary: "Update a browser check"},
	{operation: "PUT /v1/checks/{id}", success: 200, query: []string{"autoAssignAlerts"}, body: true, handle: (*Service).putCheck, summary: "Update a check (deprecated)"},
	{operation: "GET /v1/maintenance-windows", success: 200, query: []string{"limit", "page", "startsAt[]", "endsAt[]"}, handle: (*Service).listWindows, summary: "List maintenance windows"},
	{operation: "GET /v1/variables", success: 200, query: paging, handle: (*Service).listVariables, summary: "List environment variables"},
	{operation: "GET /v1/accounts/{accountId}/entitlements", success: 200, handle: (*Service).getEntitlements, summary: "Read the entitlements of an account"},
	{operation: "GET /v1/root-cause-analyses/{id}", success: 200, handle: (*Service).getRootCause, summary: "Read a root cause analysis"},
	{operation: "GET /v1/error-groups/checks/{checkId}", success: 200, query: paging, handle: (*Service).listErrorGroups, summary: "List the error groups of a check"},
	{operation: "DELETE /v1/status-pages/services/{serviceId}", success: 204, handle: (*Service).deleteService, summary: "Delete a status page service"},
	{operation: "DELETE /v1/dashboards/{dashboardId}", success: 204, handle: (*Service).deleteDashboard, summary: "Delete a dashboard"},
	{operation: "GET /openapi.json", success: 200, summary: "Read the description of the API"},
}

var routesByOperation = func() map[string]*route {
	m := make(map[string]*route, len(routes))
	for _, r := range routes {
		method, path, _ := strings.Cut(r.operation, " ")
		r.method, r.segments = method, strings.Split(path[1:], "/")
		for i, s := range r.segments {
			if strings.HasPrefix(s, "{") {
				r.segments[i] = ""
			}
		}
		m[r.operation] = r
	}
	return m
}()

func init() { // the description lists the routes, of which it is one
	routesByOperation["GET /openapi.json"].handle = (*Service).getDescription
}

// findRoute finds the operation of a path and the values of its placeholders.
func findRoute(method, path string) (*route, []string) {
	if !strings.HasPrefix(path, "/") {
		return nil, nil
	}
	segments := strings.Split(path[1:], "/")
	for _, r := range routes {
		if r.method != method || !r.matches(segments) {
			continue
		}
		var params []string
		for i, s := range segments {
			if r.segments[i] == "" {
				value, err := url.PathUnescape(s)
				if err != nil {
					return nil, nil
				}
				params = append(params, value)
			}
		}
		return r, params
	}
	return nil, nil
}

func (r *route) matches(segments []string) bool {
	if len(segments) != len(r.segments) {
		return false
	}
	for i, s := range r.segments {
		if s != segments[i] && (s != "" || segments[i] == "") {
			return false
		}
	}
	return true
}

// Operations returns the operations of the service, as the API document writes them.
func Operations() []string {
	list := make([]string, len(routes))
	for i, r := range routes {
		list[i] = r.operation
	}
	return list
}
