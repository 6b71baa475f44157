package world

import (
	"strconv"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/fakeclock"
)

// CheckStatus is the status of a check as it is read.
type CheckStatus struct {
	CheckID          string   `json:"checkId"`
	Name             string   `json:"name"`
	HasFailures      bool     `json:"hasFailures"`
	HasErrors        bool     `json:"hasErrors"`
	IsDegraded       bool     `json:"isDegraded"`
	LongestRun       float64  `json:"longestRun"`
	ShortestRun      float64  `json:"shortestRun"`
	LastRunLocation  string   `json:"lastRunLocation"`
	LastCheckRunID   string   `json:"lastCheckRunId"`
	SSLDaysRemaining *float64 `json:"sslDaysRemaining"`
	CreatedAt        string   `json:"created_at"`
	UpdatedAt        string   `json:"updated_at"`

	ended time.Time // when the last run ended
	by    *Session  // which was the last
}

// Statuses returns the statuses of checks by their ids. A check has one after its first session has
// ended. A session that was canceled does not change it.
func (w *World) Statuses(now time.Time) map[string]*CheckStatus {
	all := make(map[string]*CheckStatus)
	for _, x := range w.Sessions {
		c, end := w.Check(x.Spec.CheckID), x.End()
		if c == nil || !x.Done(now) || x.isCancelled() {
			continue
		}
		took := millis(end.Sub(x.begins))
		status := all[c.ID]
		if status == nil {
			status = &CheckStatus{CheckID: c.ID, CreatedAt: fakeclock.Stamp(end), LongestRun: took, ShortestRun: took}
			all[c.ID] = status
		}
		status.LongestRun, status.ShortestRun = max(status.LongestRun, took), min(status.ShortestRun, took)
		if !end.Before(status.ended) {
			status.ended, status.by = end, x
		}
	}
	for id, status := range all {
		status.last(status.by, w.Check(id))
	}
	return all
}

// last makes the status that of the last session.
func (status *CheckStatus) last(x *Session, c *Check) {
	outcome := x.Spec.Outcome
	status.Name = c.Name
	status.HasFailures = outcome == monitoring.SessionFailed || outcome == monitoring.SessionTimedOut
	status.HasErrors, status.IsDegraded = x.Spec.HasErrors, outcome == monitoring.SessionDegraded
	status.LastRunLocation, status.LastCheckRunID = x.runs[len(x.runs)-1].location, strconv.FormatInt(x.runID, 10)
	status.UpdatedAt = fakeclock.Stamp(status.ended)
	if c.Type == monitoring.CheckTypeSSL {
		status.SSLDaysRemaining = new(64.0)
	}
}

// Filter returns the status as the filter of a list has it; none for a check that has not run yet.
func (status *CheckStatus) Filter() []string {
	switch {
	case status == nil:
		return nil
	case status.HasFailures || status.HasErrors:
		return []string{"failing"}
	case status.IsDegraded:
		return []string{"degraded"}
	}
	return []string{"passing"}
}
