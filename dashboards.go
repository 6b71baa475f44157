package monitoring

import "context"

// DashboardsService deletes dashboards.
type DashboardsService service

// Delete deletes a dashboard (DELETE /v1/dashboards/{dashboardId}). The id is the text in the
// dashboard's URL, not its number. If the response to an attempt was lost and the retry gets
// a 404, the deletion has succeeded.
func (s *DashboardsService) Delete(ctx context.Context, dashboardID string, opts ...CallOption) error {
	return exec(ctx, (*service)(s), op("DELETE /v1/dashboards/{dashboardId}", dashboardID), opts)
}
