package monitoring

import (
	"context"
	"net/http"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
)

// Location is a data-center location that checks run from.
type Location struct {
	// Region is the unique identifier of the location.
	Region Region `json:"region"`
	// Name is the friendly name.
	Name string `json:"name"`
}

// LocationsService lists the run locations.
type LocationsService service

// List returns the data-center locations (GET /v1/locations). It does not page.
//
//monitoring:operation GET /v1/locations
func (s *LocationsService) List(ctx context.Context, opts ...CallOption) ([]Location, error) {
	list, _, err := callForAny[[]Location](ctx, (*service)(s).owner(), &operation{
		method: http.MethodGet, path: path("/v1/locations"), class: exchange.Read, accountUUID: true,
	}, opts)
	if err != nil {
		return nil, err
	}
	return *list, nil
}
