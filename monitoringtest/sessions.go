package monitoringtest

import (
	"math"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

// Session is a check session to add with [Service.AddSession], for tests of waits that need no
// check and no trigger. The zero value is a session of an API check that starts now and passes.
type Session struct {
	// ID and CheckID are generated if they are empty. They must be UUIDs; see [UUID].
	ID      string
	CheckID string
	Name    string
	Type    monitoring.CheckType
	// Locations are where it runs; eu-central-1 by default.
	Locations []string
	// StartedAt is when it started; now by default.
	StartedAt time.Time
	// Duration is the time from start to end; 0 means the default of [WithRunTime].
	Duration time.Duration
	// Outcome is the status with which it ends; PASSED by default.
	Outcome monitoring.CheckSessionStatus
	// Progress, FailIn, Attempts, ResponseTime, Error, HasErrors, Result and VisibleAfter
	// are as in [Check].
	Progress     monitoring.CheckSessionStatus
	FailIn       []string
	Attempts     int
	ResponseTime time.Duration
	Error        string
	HasErrors    bool
	Result       map[string]any
	VisibleAfter time.Duration
	// RunSource is what started it; TRIGGER_API by default.
	RunSource monitoring.RunSource
}

// AddSession adds a session and returns its id. If its CheckID is that of a check, and it ends
// later than now, its end sends alerts.
func (s *Service) AddSession(spec Session) string {
	s.world.Lock()
	defer s.world.Unlock()
	return must(s.world.AddSession(world.SessionSpec(spec)))
}

// Sessions returns the sessions as they are now, even those that are not yet visible to reads, in
// the order in which they started or were added.
func (s *Service) Sessions() []monitoring.CheckSession {
	s.world.Lock()
	defer s.world.Unlock()
	var list []monitoring.CheckSession
	world.MustUnmarshal(world.JSON(s.world.SessionViews(math.MaxInt, s.world.Clock.Now())), &list)
	return list
}

// ResultIDs returns the ids of the results that a session has so far, in the order in which the
// session lists them.
func (s *Service) ResultIDs(sessionID string) []string {
	s.world.Lock()
	defer s.world.Unlock()
	return must(s.world.ResultIDs(sessionID))
}

// SetResult sets fields of a result as the service returns it, such as "traceId", or
// "apiCheckResult" with "requestError" in it. Payloads may have any shape. Objects are replaced
// field by field, and the rest, including lists, as a whole; nil is null. Fields that also occur in
// the session also change there.
func (s *Service) SetResult(resultID string, fields map[string]any) {
	s.world.Lock()
	defer s.world.Unlock()
	mustNot(s.world.SetResult(resultID, fields))
}

// AddAsset adds a file to a result, as [monitoring.CheckResultsService.Assets] lists it. An empty
// Source becomes the result. The client reads the file only if its URL begins with the base URL,
// which is [BaseURL] in memory; to serve it, use [Service.Handle].
func (s *Service) AddAsset(resultID string, a monitoring.CheckResultAsset) {
	s.world.Lock()
	defer s.world.Unlock()
	mustNot(s.world.AddAsset(resultID, a))
}
