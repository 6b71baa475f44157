package monitoringtest

import (
	"strconv"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

// AddMaintenanceWindow adds a maintenance window and returns its id, which is generated if 0. While
// it lasts, its checks send no alerts, and the scheduler does not start those that it pauses; a
// trigger does.
func (s *Service) AddMaintenanceWindow(w monitoring.MaintenanceWindow) int64 {
	s.world.Lock()
	defer s.world.Unlock()
	return s.addNumbered(world.MaintenanceWindows, w)
}

// AddVariable adds environment variables to the account. The value of a secret one is null when it
// is listed, or empty with [WithEmptySecrets].
func (s *Service) AddVariable(variables ...monitoring.EnvironmentVariable) {
	s.world.Lock()
	defer s.world.Unlock()
	s.world.AddVariables(variables...)
}

// RemoveVariable removes the variables with this key, and reports whether there were any.
func (s *Service) RemoveVariable(key string) bool {
	s.world.Lock()
	defer s.world.Unlock()
	return s.world.Delete(world.Variables, key)
}

// Variable returns a variable of the account as the service has it, with its value even if that is
// secret, and whether it exists.
func (s *Service) Variable(key string) (monitoring.EnvironmentVariable, bool) {
	s.world.Lock()
	defer s.world.Unlock()
	d := s.world.Of(world.Variables).Find(key)
	if d == nil {
		return monitoring.EnvironmentVariable{}, false
	}
	return decoded[monitoring.EnvironmentVariable](world.JSON(d.Members), true)
}

// AddSnippet adds a snippet and returns its id, which is generated if 0.
func (s *Service) AddSnippet(snippet monitoring.Snippet) int64 {
	s.world.Lock()
	defer s.world.Unlock()
	return s.addNumbered(world.Snippets, snippet)
}

// Snippets returns the snippets, in the order in which they were added.
func (s *Service) Snippets() []monitoring.Snippet {
	s.world.Lock()
	defer s.world.Unlock()
	return read[monitoring.Snippet](s, world.Snippets)
}

// AddErrorGroup adds an error group to the check that it names and returns its id, which is
// generated if empty. Missing times become the present time.
func (s *Service) AddErrorGroup(g monitoring.ErrorGroup) string {
	s.world.Lock()
	defer s.world.Unlock()
	return must(s.world.AddErrorGroup(world.ErrorGroups, world.ObjectOf(g)))
}

// RemoveErrorGroup removes an error group, and reports whether it existed. Its root cause analyses
// stay.
func (s *Service) RemoveErrorGroup(id string) bool {
	s.world.Lock()
	defer s.world.Unlock()
	return s.world.RemoveErrorGroup(id)
}

// AddRootCauseAnalysis adds a root cause analysis and returns its id, which is generated if empty.
// It is PENDING for the time readyAfter; 0 completes it at once.
func (s *Service) AddRootCauseAnalysis(a monitoring.RootCauseAnalysis, readyAfter time.Duration) string {
	s.world.Lock()
	defer s.world.Unlock()
	return must(s.world.AddRootCauseAnalysis(world.ObjectOf(a), readyAfter))
}

// AddStatusPageService adds a service of a status page and returns its id, which is generated if
// empty.
func (s *Service) AddStatusPageService(id string) string {
	s.world.Lock()
	defer s.world.Unlock()
	return must(s.world.Add(world.Services, world.Object{"id": world.JSON(id)}, nil)).ID
}

// StatusPageServices returns the ids of the status page services, sorted.
func (s *Service) StatusPageServices() []string {
	s.world.Lock()
	defer s.world.Unlock()
	return s.world.Of(world.Services).IDs()
}

// AddDashboard adds a dashboard and returns its dashboardId, which is generated if empty.
func (s *Service) AddDashboard(id string) string {
	s.world.Lock()
	defer s.world.Unlock()
	return must(s.world.Add(world.Dashboards, world.Object{"id": world.JSON(id)}, nil)).ID
}

// Dashboards returns the ids of the dashboards, sorted.
func (s *Service) Dashboards() []string {
	s.world.Lock()
	defer s.world.Unlock()
	return s.world.Of(world.Dashboards).IDs()
}

// AddPrivateLocation adds a private location and returns its id, which is generated if empty.
// Checks whose Locations contain its SlugName run there; SlugName defaults to Name.
func (s *Service) AddPrivateLocation(l monitoring.PrivateLocation) string {
	s.world.Lock()
	defer s.world.Unlock()
	return must(s.world.Add(world.PrivateLocations, world.ObjectOf(l), nil)).ID
}

// PrivateLocations returns the private locations with their keys, in the order in which they were
// added.
func (s *Service) PrivateLocations() []monitoring.PrivateLocation {
	s.world.Lock()
	defer s.world.Unlock()
	return read[monitoring.PrivateLocation](s, world.PrivateLocations)
}

// StopAgents stops the agents of a private location: runs that start there from now on wait, and
// their sessions go on, until [Service.StartAgents] or a cancel. In lists the location has no
// agents.
func (s *Service) StopAgents(locationID string) {
	s.world.Lock()
	defer s.world.Unlock()
	mustNot(s.world.SetAgents(locationID, false))
}

// StartAgents restarts the agents of a private location that [Service.StopAgents] stopped. Runs
// that waited for them begin now.
func (s *Service) StartAgents(locationID string) {
	s.world.Lock()
	defer s.world.Unlock()
	mustNot(s.world.SetAgents(locationID, true))
}

// SetEntitlements replaces the entitlements of the account. Nil lists become empty. They limit only
// the number of checks: a metered entitlement such as BROWSER_CHECKS allows its Quantity of checks
// of that kind, or none if it is not Enabled, and CHECKS counts all. Creating more is 402. The
// entitlements that an account begins with limit nothing.
func (s *Service) SetEntitlements(e monitoring.Entitlements) {
	s.world.Lock()
	defer s.world.Unlock()
	s.world.SetEntitlements(e)
}

// addNumbered adds a record of a kind whose ids are numbers, and returns its id.
func (s *Service) addNumbered(k *world.Kind, record any) (id int64) {
	s.world.Settle(s.world.Clock.Now()) // runs that ended before are judged without it
	id, _ = strconv.ParseInt(must(s.world.Add(k, world.ObjectOf(record), nil)).ID, 10, 64)
	return id
}

// read returns the records of a kind as if they had been read, with their secrets.
func read[T any](s *Service, k *world.Kind) (items []T) {
	world.MustUnmarshal(s.world.Of(k).Listed(), &items)
	return items
}
