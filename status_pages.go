package monitoring

import "context"

// StatusPageServicesService deletes services of status pages.
type StatusPageServicesService service

// Delete deletes a service of a status page
// (DELETE /v1/status-pages/services/{serviceId}). The error is [ErrNotFound] if there is no such
// service. If the response to an attempt was lost and the retry gets a 404, the deletion has
// succeeded.
func (s *StatusPageServicesService) Delete(ctx context.Context, serviceID string, opts ...CallOption) error {
	return exec(ctx, (*service)(s), op("DELETE /v1/status-pages/services/{serviceId}", serviceID), opts)
}
