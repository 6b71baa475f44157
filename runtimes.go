package monitoring

import (
	"context"
	"encoding/json"
)

// Runtime is a version of the software that runs scripts of checks.
//
//monitoring:json
type Runtime struct {
	// Name is its id, the RuntimeID of checks and groups.
	Name RuntimeID `json:"name"`
	// MultiStepSupport is whether multi-step checks can use it.
	MultiStepSupport bool   `json:"multiStepSupport"`
	NodeJSVersion    string `json:"nodeJsVersion"`
	// Dependencies are the packages that scripts can use, with their versions.
	Dependencies map[string]string `json:"dependencies"`
	// Stage is ALPHA, BETA, CURRENT, STABLE, DEPRECATED or REMOVED, or empty if unknown.
	Stage string `json:"stage,omitempty"`
	// RuntimeEndOfLife is when it will be removed, as a string, or empty if unknown.
	RuntimeEndOfLife string `json:"runtimeEndOfLife,omitempty"`
	Description      string `json:"description,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown fields; see [CheckResult]

	omitted `json:"-"`
}

// RuntimesService lists and reads runtimes.
type RuntimesService service

// List returns all runtimes (GET /v1/runtimes).
func (s *RuntimesService) List(ctx context.Context, opts ...CallOption) ([]Runtime, error) {
	return callForList[Runtime](ctx, (*service)(s), op("GET /v1/runtimes"), opts)
}

// Get returns a runtime by its name, such as "2024.02" (GET /v1/runtimes/{id}).
func (s *RuntimesService) Get(ctx context.Context, id RuntimeID, opts ...CallOption) (*Runtime, error) {
	return call[Runtime](ctx, (*service)(s), op("GET /v1/runtimes/{id}", string(id)).is("name"), opts)
}
