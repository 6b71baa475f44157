package monitoring

import "context"

// StatusPageServicesService deletes services of status pages.
type StatusPageServicesService service

// Delete deletes a service of a status page (DELETE /v1/status-pages/services/{serviceId}).
func (s *StatusPageServicesService) Delete(ctx context.Context, serviceID string, opts ...CallOption) error {
	return exec(ctx, (*service)(s), op("DELETE /v1/status-pages/services/{serviceId}", serviceID), opts)
}
