package monitoring

import (
	"context"
	"encoding/json"
)

// CheckStatus is the outcome of a check's last runs. Pointers are nil if the service returned
// nothing.
//
//monitoring:json
type CheckStatus struct {
	CheckID string `json:"checkId"`
	// Name is that of the check.
	Name string `json:"name"`
	// HasFailures is whether the check fails, IsDegraded whether it is degraded, and HasErrors
	// whether the service itself had an error in its last run.
	HasFailures bool `json:"hasFailures"`
	HasErrors   bool `json:"hasErrors"`
	IsDegraded  bool `json:"isDegraded"`
	// LongestRun and ShortestRun are durations of runs, probably in milliseconds.
	LongestRun  *float64 `json:"longestRun"`
	ShortestRun *float64 `json:"shortestRun"`
	// LastRunLocation and LastCheckRunID are those of the last run.
	LastRunLocation *string `json:"lastRunLocation"`
	LastCheckRunID  *string `json:"lastCheckRunId"`
	// SSLDaysRemaining is how many days the certificate is still valid, or nil.
	SSLDaysRemaining *float64   `json:"sslDaysRemaining"`
	CreatedAt        Timestamp  `json:"created_at,omitzero"`
	UpdatedAt        *Timestamp `json:"updated_at"`

	Extra map[string]json.RawMessage `json:"-"` // unknown fields; see [CheckResult]

	omitted `json:"-"`
}

func (CheckStatus) oddMembers() []string {
	return []string{"longestRun", "shortestRun", "sslDaysRemaining", "created_at", "updated_at"}
}

func (CheckStatus) looseTexts() []string { return []string{"lastCheckRunId"} }

// CheckStatusesService reads the statuses of checks.
type CheckStatusesService service

// List returns the statuses of all checks that have one (GET /v1/check-statuses); see
// [CheckStatusesService.Get].
func (s *CheckStatusesService) List(ctx context.Context, opts ...CallOption) ([]CheckStatus, error) {
	o := op("GET /v1/check-statuses")
	o.nullsFit = true
	return callForList[CheckStatus](ctx, (*service)(s), o, opts)
}

// Get returns the status of a check (GET /v1/check-statuses/{checkId}). The service may respond
// with null, for example for a check that has not run yet: then both the status and the error are
// nil.
func (s *CheckStatusesService) Get(ctx context.Context, checkID string, opts ...CallOption) (*CheckStatus, error) {
	return callOrNull[CheckStatus](ctx, (*service)(s), op("GET /v1/check-statuses/{checkId}", checkID).is("checkId"), opts)
}
