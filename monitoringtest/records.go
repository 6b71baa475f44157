package monitoringtest

import (
	"strconv"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

// AddMaintenanceWindow adds a maintenance window and returns its id, which is generated
// if it is 0. While it lasts, its checks send no alerts. The
// scheduler does not start those that it pauses; a trigger does. It panics for a second
// window with the same id, for one that ends before it starts, and for an unknown time zone.
func (s *Service) AddMaintenanceWindow(w monitoring.MaintenanceWindow) int64 {
	s.world.Lock()
	defer s.world.Unlock()
	return s.addNumbered(world.MaintenanceWindows, w)
}

// AddVariable adds environment variables to the account. The value of a secret one is
// null when it is listed, or empty with [WithEmptySecrets].
func (s *Service) AddVariable(variables ...monitoring.EnvironmentVariable) {
	s.world.Lock()
	defer s.world.Unlock()
	s.world.AddVariables(variables...)
}

// RemoveVariable removes the variables with a key and reports whether there were any,
// for tests of lists that change while they are read.
func (s *Service) RemoveVariable(key string) bool {
	s.world.Lock()
	defer s.world.Unlock()
	return s.world.Delete(world.Variables, key)
}

// Variable returns a variable of the account as the service has it, with its value also if it is
// secret, and whether there is one with this key.
func (s *Service) Variable(key string) (monitoring.EnvironmentVariable, bool) {
	s.world.Lock()
	defer s.world.Unlock()
	d := s.world.Of(world.Variables).Find(key)
	if d == nil {
		return monitoring.EnvironmentVariable{}, false
	}
	return decoded[monitoring.EnvironmentVariable](world.JSON(d.Members), true)
}

// AddSnippet adds a snippet and returns its id, which is generated if it is 0. It panics for a
// second snippet with the same id, and for a negative one.
func (s *Service) AddSnippet(snippet monitoring.Snippet) int64 {
	s.world.Lock()
	defer s.world.Unlock()
	return s.addNumbered(world.Snippets, snippet)
}

// Snippets returns the snippets of the account, in the order in which they were added.
func (s *Service) Snippets() []monitoring.Snippet {
	s.world.Lock()
	defer s.world.Unlock()
	return read[monitoring.Snippet](s, world.Snippets)
}

// AddErrorGroup adds an error group to the check it names and returns its id, which is generated
// if it is empty. Missing times are replaced by the present time. It panics if there is no such
// check, and for a second group with the same id.
func (s *Service) AddErrorGroup(g monitoring.ErrorGroup) string {
	s.world.Lock()
	defer s.world.Unlock()
	return must(s.world.AddErrorGroup(world.ErrorGroups, world.ObjectOf(g)))
}

// RemoveErrorGroup removes an error group and reports whether there was one. [Service.Executed]
// does not count it. Root cause analyses of it stay.
func (s *Service) RemoveErrorGroup(id string) bool {
	s.world.Lock()
	defer s.world.Unlock()
	return s.world.RemoveErrorGroup(id)
}

// AddRootCauseAnalysis adds a root cause analysis and returns its id, which is generated if it is
// empty. It is PENDING for the time readyAfter; 0 completes it at once. It panics for an id of
// another analysis.
func (s *Service) AddRootCauseAnalysis(a monitoring.RootCauseAnalysis, readyAfter time.Duration) string {
	s.world.Lock()
	defer s.world.Unlock()
	return must(s.world.AddRootCauseAnalysis(world.ObjectOf(a), readyAfter))
}

// AddStatusPageService adds a service of a status page and returns its id, which is
// generated if it is empty. It panics for an id that is not a UUID, and for a second service with
// the same id.
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

// AddDashboard adds a dashboard and returns its dashboardId, which is generated if it is
// empty. It panics for a second dashboard with the same id.
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

// AddPrivateLocation adds a private location and returns its id, which is generated if it is
// empty. A SlugName that is empty is the Name. Checks run in it if their Locations name its
// SlugName. It panics for an id that is not a UUID, and for the id or the SlugName of another
// location.
func (s *Service) AddPrivateLocation(l monitoring.PrivateLocation) string {
	s.world.Lock()
	defer s.world.Unlock()
	return must(s.world.Add(world.PrivateLocations, world.ObjectOf(l), nil)).ID
}

// PrivateLocations returns the private locations of the account with their keys, in the order in
// which they were added.
func (s *Service) PrivateLocations() []monitoring.PrivateLocation {
	s.world.Lock()
	defer s.world.Unlock()
	return read[monitoring.PrivateLocation](s, world.PrivateLocations)
}

// StopAgents stops the agents of a private location, by its id: runs that start there from now on
// wait, and their sessions go on, until [Service.StartAgents] or a cancel. In lists the location
// has no agents. It panics for a private location that does not exist.
func (s *Service) StopAgents(locationID string) {
	s.world.Lock()
	defer s.world.Unlock()
	mustNot(s.world.SetAgents(locationID, false))
}

// StartAgents starts the agents of a private location again that [Service.StopAgents] has stopped.
// Runs that waited for them take their time from now on.
func (s *Service) StartAgents(locationID string) {
	s.world.Lock()
	defer s.world.Unlock()
	mustNot(s.world.SetAgents(locationID, true))
}

// SetEntitlements replaces the entitlements of the account. Nil lists become empty. They gate
// nothing but the number of checks: a metered entitlement such as BROWSER_CHECKS allows its
// Quantity of checks of that kind, none if it is not Enabled, and CHECKS counts all of them.
// Creating more is 402. The entitlements that an account begins with gate nothing.
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
