package monitoring

import "context"

// DashboardsService deletes dashboards.
type DashboardsService service

// Delete deletes a dashboard (DELETE /v1/dashboards/{dashboardId}). The id is that in the
// dashboard's URL, not its number.
func (s *DashboardsService) Delete(ctx context.Context, dashboardID string, opts ...CallOption) error {
	return exec(ctx, (*service)(s), op("DELETE /v1/dashboards/{dashboardId}", dashboardID), opts)
}
