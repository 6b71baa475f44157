package monitoringtest

import (
	"strconv"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// checkStatus is the status of a check as it is read.
type checkStatus struct {
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
}

// statuses returns the statuses of checks by their ids. A check has one after its first session has
// ended. A session that was cancelled does not change it.
func (s *state) statuses(now time.Time) map[string]*checkStatus {
	all := make(map[string]*checkStatus)
	for _, x := range s.sessions {
		c, end := s.checksByID[x.spec.CheckID], x.end()
		if c == nil || !x.done(now) || x.isCancelled() {
			continue
		}
		took := millis(end.Sub(x.begins))
		status := all[c.spec.ID]
		if status == nil {
			status = &checkStatus{CheckID: c.spec.ID, CreatedAt: stamp(end), LongestRun: took, ShortestRun: took}
			all[c.spec.ID] = status
		}
		status.LongestRun, status.ShortestRun = max(status.LongestRun, took), min(status.ShortestRun, took)
		if !end.Before(status.ended) {
			status.ended = end
			status.last(x, c)
		}
	}
	return all
}

// last makes the status that of the last session.
func (status *checkStatus) last(x *session, c *check) {
	outcome := x.spec.Outcome
	status.Name = c.spec.Name
	status.HasFailures = outcome == monitoring.SessionFailed || outcome == monitoring.SessionTimedOut
	status.HasErrors, status.IsDegraded = x.spec.HasErrors, outcome == monitoring.SessionDegraded
	status.LastRunLocation, status.LastCheckRunID = x.runs[len(x.runs)-1].location, strconv.FormatInt(x.runID, 10)
	status.UpdatedAt = stamp(status.ended)
	if c.spec.Type == monitoring.CheckTypeSSL {
		status.SSLDaysRemaining = new(64.0)
	}
}

// listStatuses responds null in place of a check that has not run yet.
func (s *Service) listStatuses(c *call) response {
	all := s.statuses(c.now)
	list := make([]*checkStatus, len(s.checks))
	for i, check := range s.checks {
		list[i] = all[check.spec.ID]
	}
	return success(list)
}

func (s *Service) getStatus(c *call) response {
	if s.checksByID[c.params[0]] == nil {
		return notFound()
	}
	return success(s.statuses(c.now)[c.params[0]])
}
