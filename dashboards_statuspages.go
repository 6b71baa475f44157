package monitoring

import (
	"context"
	"net/http"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
)

// DashboardsService deletes dashboards.
type DashboardsService service

// Delete deletes a dashboard (DELETE /v1/dashboards/{dashboardId}). The id is the text in the
// dashboard's URL, not its number. If the response to an attempt was lost and the retry gets
// a 404, the deletion has succeeded.
//
//monitoring:operation DELETE /v1/dashboards/{dashboardId}
func (s *DashboardsService) Delete(ctx context.Context, dashboardID string, opts ...CallOption) error {
	return exec(ctx, (*service)(s), &operation{
		method: http.MethodDelete, path: path("/v1/dashboards/{dashboardId}", dashboardID), class: exchange.Idempotent,
	}, opts)
}

// StatusPageServicesService deletes services of status pages.
type StatusPageServicesService service

// Delete deletes a service of a status page
// (DELETE /v1/status-pages/services/{serviceId}). An unknown id is [ErrNotFound]. If the
// response to an attempt was lost and the retry gets a 404, the deletion has succeeded.
//
//monitoring:operation DELETE /v1/status-pages/services/{serviceId}
func (s *StatusPageServicesService) Delete(ctx context.Context, serviceID string, opts ...CallOption) error {
	return exec(ctx, (*service)(s), &operation{
		method: http.MethodDelete, path: path("/v1/status-pages/services/{serviceId}", serviceID), class: exchange.Idempotent,
	}, opts)
}
