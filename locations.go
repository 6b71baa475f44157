package monitoring

import (
	"context"
	"encoding/json"
)

// Location is a data center that runs checks.
//
//monitoring:json
type Location struct {
	// Region identifies the location.
	Region Region `json:"region"`
	// Name is the friendly name.
	Name string `json:"name"`

	Extra map[string]json.RawMessage `json:"-"` // unknown fields; see [CheckResult]

	omitted `json:"-"`
}

func (Location) hasFixedMembers() {}

// LocationsService lists the data centers that run checks.
type LocationsService service

// List returns all data centers (GET /v1/locations).
func (s *LocationsService) List(ctx context.Context, opts ...CallOption) ([]Location, error) {
	return callForList[Location](ctx, (*service)(s), op("GET /v1/locations").accountIsUUID(), opts)
}
