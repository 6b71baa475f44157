package monitoringtest

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

type set map[string]bool

// rootCause is a root cause analysis that is PENDING until it is ready.
type rootCause struct {
	ready time.Time
	json  json.RawMessage
}

// AddRootCauseAnalysis adds a root cause analysis and returns its id, which is generated
// if it is empty. It is PENDING for the time readyAfter; 0 completes it at once.
func (s *Service) AddRootCauseAnalysis(a monitoring.RootCauseAnalysis, readyAfter time.Duration) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	mustBeUUID("a root cause analysis", a.ID)
	generated := s.newID("root cause analysis")
	if a.ID == "" {
		a.ID = generated
	}
	ready := time.Now().Add(readyAfter)
	a.Status = monitoring.RootCauseAnalysisCompleted
	if a.CheckType == "" {
		a.CheckType = monitoring.CheckTypeAPI
	}
	if a.Provider == "" {
		a.Provider = "some-provider"
	}
	if a.Model == "" {
		a.Model = "some-model-2"
	}
	if a.CreatedAt.IsZero() {
		a.CreatedAt = at(ready)
	}
	a.CreatedAt = asWritten(a.CreatedAt)
	s.rcas[a.ID] = rootCause{ready, wireJSON(a)}
	return a.ID
}

func (s *Service) getRootCause(c *call) response {
	id := c.params[0]
	a, there := s.rcas[id]
	switch {
	case !there:
		return notFound()
	case c.now.Before(a.ready):
		return reply(http.StatusAccepted, map[string]any{"id": id, "status": monitoring.RootCauseAnalysisPending})
	}
	return success(a.json)
}

// AddStatusPageService adds a service of a status page and returns its id, which is
// generated if it is empty. It panics for an id that is not a UUID.
func (s *Service) AddStatusPageService(id string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	mustBeUUID("a status page service", id)
	if id == "" {
		id = s.newID("status page service")
	}
	s.services[id] = true
	return id
}

// StatusPageServices returns the ids of the status page services, sorted.
func (s *Service) StatusPageServices() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.services))
}

func (s *Service) deleteService(c *call) response { return s.delete(c, s.services) }

// AddDashboard adds a dashboard and returns its dashboardId, which is generated if it is
// empty.
func (s *Service) AddDashboard(id string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if id == "" {
		id = s.newID("dashboard")[:8]
	}
	s.dashboards[id] = true
	return id
}

// Dashboards returns the ids of the dashboards, sorted.
func (s *Service) Dashboards() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.dashboards))
}

func (s *Service) deleteDashboard(c *call) response { return s.delete(c, s.dashboards) }

func (s *Service) delete(c *call, from set) response {
	id := c.params[0]
	if !from[id] {
		return notFound()
	}
	delete(from, id)
	s.journal.did(c.operation, id)
	return noContent()
}

// AddPrivateLocation adds a private location and returns its id, which is generated if it is empty. A
// SlugName that is empty is the Name. Checks run in it if their Locations name its SlugName. It
// panics for an id that is not a UUID.
func (s *Service) AddPrivateLocation(l monitoring.PrivateLocation) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	mustBeUUID("a private location", l.ID)
	generated := s.newID("private location")
	if l.ID == "" {
		l.ID = generated
	}
	if l.SlugName == "" {
		l.SlugName = l.Name
	}
	if l.CreatedAt.IsZero() {
		l.CreatedAt = at(time.Now())
	}
	s.private = append(s.private, l)
	return l.ID
}

// listPrivateLocations responds with the agents by version only if it is asked to.
func (s *Service) listPrivateLocations(c *call) response {
	list := slices.Clone(s.private)
	if text, _ := c.param("versions"); text != "true" {
		for i := range list {
			list[i].RunningAgents = nil
		}
	}
	return success(append([]monitoring.PrivateLocation{}, list...))
}

// SetEntitlements replaces the entitlements of the account. Nil lists become empty.
func (s *Service) SetEntitlements(e monitoring.Entitlements) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e.Entitlements == nil {
		e.Entitlements = []monitoring.Entitlement{}
	}
	if e.Locations.All == nil {
		e.Locations.All = []monitoring.EntitlementLocation{}
	}
	s.entitlements = wireJSON(e)
}

func (s *Service) getEntitlements(c *call) response {
	if !strings.EqualFold(c.params[0], s.account) {
		return notFound()
	}
	return success(s.entitlements)
}

var defaultEntitlementsJSON = mustMarshal(defaultEntitlements())

func defaultEntitlements() monitoring.Entitlements {
	all := make([]monitoring.EntitlementLocation, len(locations))
	for i, l := range locations {
		all[i] = monitoring.EntitlementLocation{ID: l.Region, Name: l.Name, Available: l.Region != monitoring.RegionMESouth1}
	}
	return monitoring.Entitlements{
		Plan: "team", PlanDisplayName: "Team",
		Locations: monitoring.EntitlementLocations{All: all},
		Addons:    &monitoring.EntitlementAddons{Communicate: &monitoring.AddonPlan{Tier: monitoring.AddonTierStarter, TierDisplayName: "Communicate Starter"}},
		Entitlements: []monitoring.Entitlement{
			{Key: "BROWSER_CHECKS", Name: "Browser checks", Description: "How many browser checks may exist", Type: monitoring.EntitlementMetered, Enabled: true, Quantity: new(int64(50))},
			{Key: "SMS_ALERTS", Name: "SMS alerts", Description: "Alerts by SMS", Type: monitoring.EntitlementFlag, Enabled: true},
			{Key: "PRIVATE_LOCATIONS", Name: "Private locations", Description: "Run from own network", Type: monitoring.EntitlementMetered, RequiredPlan: "enterprise", RequiredPlanDisplayName: "Enterprise"},
			{
				Key: "BULK_SUBSCRIBE", Name: "Bulk subscribe", Description: "Import subscribers", Type: monitoring.EntitlementFlag,
				RequiredAddon: &monitoring.RequiredAddon{Name: "communicate", DisplayName: "Communicate", Tier: monitoring.AddonTierTeam, TierDisplayName: "Team"},
			},
		},
	}
}
