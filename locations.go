package monitoring

import (
	"context"
	"encoding/json"

	"github.com/monitoring-api/monitoring-go/internal/lenient"
)

// Location is a data-center location that checks run from.
//
//monitoring:json
type Location struct {
	// Region is the unique identifier of the location.
	Region Region `json:"region"`
	// Name is the friendly name.
	Name string `json:"name"`

	// Extra has the members without a field; see [CheckResult].
	Extra map[string]json.RawMessage `json:"-"`

	omitted lenient.Omitted
}

func (Location) hasFixedMembers() {}

// LocationsService lists the run locations.
type LocationsService service

// List returns the data-center locations (GET /v1/locations). The list is not paged.
func (s *LocationsService) List(ctx context.Context, opts ...CallOption) ([]Location, error) {
	return callForList[Location](ctx, (*service)(s), op("GET /v1/locations").accountIsUUID(), opts)
}
