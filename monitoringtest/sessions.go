package monitoringtest

import (
	"math"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

// Session is a check session to add with [Service.AddSession], for tests of waiting
// that need no check and no trigger. Its zero value is a session of an API check that
// starts now and passes.
type Session struct {
	// ID and CheckID are generated if they are empty. They must be UUIDs; see [UUID].
	ID      string
	CheckID string
	Name    string
	Type    monitoring.CheckType
	// Locations are the locations it runs in; eu-central-1 if there are none.
	Locations []string
	// StartedAt is when it started; the present time if it is zero.
	StartedAt time.Time
	// Duration is the time from start to end; 0 is the default of the service, see
	// [WithRunTime].
	Duration time.Duration
	// Outcome is the status it ends with; PASSED if it is empty.
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
	// RunSource is what started it; TRIGGER_API if it is empty.
	RunSource monitoring.RunSource
}

// AddSession adds a session and returns its id. It panics for mistakes, such as an outcome that no
// session can end with, or a location that is neither a region nor a private location.
//
// If its CheckID is that of a check, and it ends later than now, its end sends alerts
// like that of a session that was triggered.
func (s *Service) AddSession(spec Session) string {
	s.world.Lock()
	defer s.world.Unlock()
	return must(s.world.AddSession(world.SessionSpec(spec)))
}

// Sessions returns the sessions as they are now, in the order in which they started or
// were added, also those that are not yet visible to reads.
func (s *Service) Sessions() []monitoring.CheckSession {
	s.world.Lock()
	defer s.world.Unlock()
	var list []monitoring.CheckSession
	world.MustUnmarshal(world.JSON(s.world.SessionViews(math.MaxInt, s.world.Clock.Now())), &list)
	return list
}

// ResultIDs returns the ids of the results a session has so far, in the order in which a
// read of the session lists them. It panics for a session that does not exist.
func (s *Service) ResultIDs(sessionID string) []string {
	s.world.Lock()
	defer s.world.Unlock()
	return must(s.world.ResultIDs(sessionID))
}

// SetResult sets members of a result as the service returns it, such as "traceId", or
// "apiCheckResult" with "requestError" in it. Payloads may have any shape. Objects are
// replaced member by member, everything else, lists too, as a whole; nil is null. Members
// that the items of a session have as well change there, too. It panics for a result that
// does not exist; see [Service.ResultIDs].
func (s *Service) SetResult(resultID string, members map[string]any) {
	s.world.Lock()
	defer s.world.Unlock()
	mustNot(s.world.SetResult(resultID, members))
}

// AddAsset adds a file to a result, as [monitoring.CheckResultsService.Assets] lists it. A Source
// without a Type becomes the result. What its URL responds is up to the test: teach the path with
// [Service.Handle]. It panics for a result that does not exist; see [Service.ResultIDs].
func (s *Service) AddAsset(resultID string, a monitoring.CheckResultAsset) {
	s.world.Lock()
	defer s.world.Unlock()
	mustNot(s.world.AddAsset(resultID, a))
}
