package contract

import (
	"reflect"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// Operation is an operation and what the SDK reads of its response.
type Operation struct {
	// Name is the method and the path as the document writes them.
	Name string
	// Status is the status of a success.
	Status int
	// Response is the type into which the body is read; nil for a body that is not read.
	Response reflect.Type
}

// triggered is the body of the response to a trigger. The methods return its list.
type triggered struct {
	Sessions []monitoring.CheckSession `json:"sessions"`
}

var operations = []Operation{
	read[[]monitoring.Location]("GET /v1/locations", 200),
	read[triggered]("POST /v2/check-sessions/trigger", 201),
	read[triggered]("POST /v1/check-sessions/trigger", 201),
	read[monitoring.CheckSession]("GET /v1/check-sessions/{checkSessionId}", 200),
	read[monitoring.CheckSession]("GET /v2/check-sessions/{checkSessionId}", 200),
	read[monitoring.CheckSession]("GET /v2/check-sessions/{checkSessionId}/completion", 200),
	{Name: "POST /v1/check-sessions/{checkSessionId}/cancel", Status: 204},
	read[monitoring.CheckResult]("GET /v1/check-results/{checkId}/{checkResultId}", 200),
	read[[]monitoring.AlertNotification]("GET /v1/alert-notifications", 200),
	read[monitoring.CheckGroup]("GET /v1/check-groups/{id}", 200),
	read[monitoring.CheckGroup]("PUT /v2/check-groups/{id}", 200),
	read[monitoring.TCPCheck]("POST /v1/checks/tcp", 201),
	read[monitoring.BrowserCheck]("PUT /v1/checks/browser/{id}", 200),
	read[monitoring.Check]("PUT /v1/checks/{id}", 200),
	read[[]monitoring.MaintenanceWindow]("GET /v1/maintenance-windows", 200),
	read[[]monitoring.EnvironmentVariable]("GET /v1/variables", 200),
	read[monitoring.Entitlements]("GET /v1/accounts/{accountId}/entitlements", 200),
	read[monitoring.RootCauseAnalysis]("GET /v1/root-cause-analyses/{id}", 200),
	read[[]monitoring.ErrorGroup]("GET /v1/error-groups/checks/{checkId}", 200),
	{Name: "DELETE /v1/status-pages/services/{serviceId}", Status: 204},
	{Name: "DELETE /v1/dashboards/{dashboardId}", Status: 204},
	{Name: "GET /openapi.json", Status: 200},
}

func read[T any](name string, status int) Operation {
	return Operation{Name: name, Status: status, Response: reflect.TypeFor[T]()}
}

// Operations returns the operations that the SDK knows, in the order of the document.
func Operations() []Operation { return append([]Operation(nil), operations...) }
