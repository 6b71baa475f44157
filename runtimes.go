package monitoring

import (
	"context"
	"encoding/json"

	"github.com/monitoring-api/monitoring-go/internal/lenient"
)

// Runtime is a version of the software that scripts of checks run in.
//
//monitoring:json
type Runtime struct {
	// Name is its id, the RuntimeID of checks and groups.
	Name RuntimeID `json:"name"`
	// MultiStepSupport says whether multi-step checks can run in it.
	MultiStepSupport bool   `json:"multiStepSupport"`
	NodeJSVersion    string `json:"nodeJsVersion"`
	// Dependencies are the packages that scripts can use, each with its version.
	Dependencies map[string]string `json:"dependencies"`
	// Stage is ALPHA, BETA, CURRENT, STABLE, DEPRECATED or REMOVED; empty if it was not returned.
	Stage string `json:"stage,omitempty"`
	// RuntimeEndOfLife says when it is removed, as a text; empty if that is not known.
	RuntimeEndOfLife string `json:"runtimeEndOfLife,omitempty"`
	Description      string `json:"description,omitempty"`

	// Extra has the members without a field; see [CheckResult].
	Extra map[string]json.RawMessage `json:"-"`

	omitted lenient.Omitted
}

// RuntimesService lists and reads runtimes.
type RuntimesService service

// List returns the runtimes (GET /v1/runtimes). The list is not paged.
func (s *RuntimesService) List(ctx context.Context, opts ...CallOption) ([]Runtime, error) {
	return callForList[Runtime](ctx, (*service)(s), op("GET /v1/runtimes"), opts)
}

// Get returns a runtime (GET /v1/runtimes/{id}). Its id is its name, such as "2024.02". The error
// is [ErrNotFound] if there is no such runtime.
func (s *RuntimesService) Get(ctx context.Context, id RuntimeID, opts ...CallOption) (*Runtime, error) {
	return call[Runtime](ctx, (*service)(s), op("GET /v1/runtimes/{id}", string(id)).is("name"), opts)
}
