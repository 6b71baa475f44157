package monitoring

import (
	"context"
	"encoding/json"

	"github.com/monitoring-api/monitoring-go/internal/lenient"
)

// CheckStatus is what the last runs of a check say about it. Members that are pointers are nil if
// the service did not return them, or returned null.
//
//monitoring:json
type CheckStatus struct {
	CheckID string `json:"checkId"`
	// Name is the name of the check.
	Name string `json:"name"`
	// HasFailures says whether the check fails, and IsDegraded whether it is degraded. HasErrors
	// says whether the service itself had an error in its last run.
	HasFailures bool `json:"hasFailures"`
	HasErrors   bool `json:"hasErrors"`
	IsDegraded  bool `json:"isDegraded"`
	// LongestRun and ShortestRun are durations of runs, probably in milliseconds.
	LongestRun  *float64 `json:"longestRun"`
	ShortestRun *float64 `json:"shortestRun"`
	// LastRunLocation and LastCheckRunID are those of the last run.
	LastRunLocation *string `json:"lastRunLocation"`
	LastCheckRunID  *string `json:"lastCheckRunId"`
	// SSLDaysRemaining is how many days the certificate is still valid; nil if there is none.
	SSLDaysRemaining *float64   `json:"sslDaysRemaining"`
	CreatedAt        Timestamp  `json:"created_at,omitzero"`
	UpdatedAt        *Timestamp `json:"updated_at"`

	// Extra has the members without a field; see [CheckResult]. A time or a number that does not fit
	// its field is there, too, and the field is zero.
	Extra map[string]json.RawMessage `json:"-"`

	omitted lenient.Omitted
}

func (CheckStatus) oddMembers() []string {
	return []string{"longestRun", "shortestRun", "sslDaysRemaining", "created_at", "updated_at"}
}

func (CheckStatus) looseTexts() []string { return []string{"lastCheckRunId"} }

// CheckStatusesService reads the statuses of checks.
type CheckStatusesService service

// List returns the statuses of all checks of the account (GET /v1/check-statuses). The list is not
// paged. The service may return null in place of a status. It is left out, because it does not say
// which check it is about.
func (s *CheckStatusesService) List(ctx context.Context, opts ...CallOption) ([]CheckStatus, error) {
	o := op("GET /v1/check-statuses")
	o.nullsFit = true
	return callForList[CheckStatus](ctx, (*service)(s), o, opts)
}

// Get returns the status of a check (GET /v1/check-statuses/{checkId}). The service may respond
// with null, for example for a check that has not run yet. Then the status and the error are both
// nil, so test the status before you use it. The error is [ErrNotFound] if there is no such check.
func (s *CheckStatusesService) Get(ctx context.Context, checkID string, opts ...CallOption) (*CheckStatus, error) {
	return callOrNull[CheckStatus](ctx, (*service)(s), op("GET /v1/check-statuses/{checkId}", checkID).is("checkId"), opts)
}
