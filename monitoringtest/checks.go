package monitoringtest

import (
	"encoding/json"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

// Check is a check of the service, and how its runs go. The zero value is an API check
// that passes.
type Check struct {
	// ID is generated if it is empty. It must be a UUID; see [UUID].
	ID string
	// Name is "Check 1" and so on if it is empty.
	Name string
	// Type is API if it is empty.
	Type monitoring.CheckType
	Tags []string
	// Locations are the locations it runs in: regions, and private locations by their SlugName, which
	// [Service.AddPrivateLocation] adds. They are eu-central-1 if there are none.
	Locations []string
	// GroupID is the group it belongs to; 0 is none. What the group enforces holds for its runs:
	// tags, locations, retries, runParallel and alert settings.
	GroupID int64
	// Deactivated checks are not run. Muted checks send no alerts.
	Deactivated, Muted bool
	// Members are further members of the check as the service returns it after an update,
	// such as "script". They replace the generated ones. Name, tags, activated, muted,
	// locations, groupId, groupOrder, retryStrategy, doubleCheck, runParallel and the alert
	// settings change the runs as well, so they must be valid.
	Members map[string]any

	// Every makes the scheduler start a session each time that this time has passed on the clock of
	// the service, the first one this long from now, unless the check is deactivated or a
	// maintenance window pauses it; 0 is never. It is at least a second. See [Service.Schedule].
	Every time.Duration
	// RunTime is how long a session of it takes; 0 is the default of the service,
	// see [WithRunTime].
	RunTime time.Duration
	// Outcome is the status its sessions end with; PASSED if it is empty. It may be a
	// status that package monitoring does not know, but not one of a running session.
	Outcome monitoring.CheckSessionStatus
	// Outcomes are the statuses that its first, second and further sessions end with. When
	// they are used up, sessions end with Outcome.
	Outcomes []monitoring.CheckSessionStatus
	// Progress is the status of its sessions from their start to their end. If it is empty,
	// the status follows from the results so far.
	Progress monitoring.CheckSessionStatus
	// FailIn names the locations in which a failing session fails; all if it is empty.
	FailIn []string
	// Attempts is how many attempts fail in each location before the final one: 0 to 100. If it
	// is 0, a run that fails is retried as the check's retryStrategy or doubleCheck says, or
	// those that its group enforces.
	Attempts int
	// ResponseTime is the response time of its results; 0 generates one that fits.
	ResponseTime time.Duration
	// Error is the error message of failing results. If it is empty, each type of check has
	// a message of its own. It stands in the payload of the result, in the alert of the check as
	// Error of a [monitoring.CheckAlert], and in the error group that the result names, which is added
	// if the check has none of this message. Results of TCP, URL, DNS and ICMP checks have no payload.
	Error string
	// HasErrors says that the service itself had an error in the runs: results have hasErrors, and
	// beside it hasFailures if Outcome is FAILED. Set Result to have hasErrors alone.
	HasErrors bool
	// Result holds members of its final results, which replace the generated ones: objects
	// member by member, anything else as a whole. See [Service.SetResult].
	Result map[string]any
	// VisibleAfter is how long after the trigger reads of its sessions are 404; 0 is the
	// default of the service, see [WithVisibilityDelay].
	VisibleAfter time.Duration
}

// AddCheck adds a check and returns its id. Like a check that is created over the API, it is
// subscribed to all alert channels added so far, unless its Members have
// alertChannelSubscriptions. It panics for mistakes, such as a second check with the same id, a
// group that is not there, or an outcome that no session can end with. A run of it panics if one
// of its locations is neither a region nor a private location.
func (s *Service) AddCheck(c Check) string {
	s.world.Lock()
	defer s.world.Unlock()
	return must(s.world.AddCheck(world.CheckSpec(c)))
}

// Check returns a check as the service has it, whether a test or a client made it, and whether
// there is one with this id. The values of its secrets can be read.
func (s *Service) Check(id string) (monitoring.Check, bool) {
	return decoded[monitoring.Check](s.CheckJSON(id))
}

// CheckJSON returns a check as the service has it: the JSON object that its update returns,
// with its secrets.
func (s *Service) CheckJSON(id string) (json.RawMessage, bool) {
	s.world.Lock()
	defer s.world.Unlock()
	c := s.world.Check(id)
	if c == nil {
		return nil, false
	}
	return world.JSON(c.Members), true
}

// Checks returns all checks, in the order in which they were added or created, as
// [Service.CheckJSON] returns one. Use it to find what a create with an unknown outcome has left.
func (s *Service) Checks() []json.RawMessage {
	s.world.Lock()
	defer s.world.Unlock()
	list := make([]json.RawMessage, len(s.world.Checks))
	for i, c := range s.world.Checks {
		list[i] = world.JSON(c.Members)
	}
	return list
}

// SetRuns changes how the sessions of a check go that are started from now on, also of a check that
// a client has created. The function gets the present settings: from Every on, the members of
// [Check] can be changed. Outcomes are those of the next sessions. ID, Name and Type are there to
// be read. It panics for a check that does not exist, for a change of the check itself, which only
// a client can update, and for mistakes as in [Service.AddCheck].
func (s *Service) SetRuns(checkID string, change func(*Check)) {
	runs := Check(must(s.runs(checkID)))
	change(&runs) // without the lock: it may call methods of the service
	s.world.Lock()
	defer s.world.Unlock()
	mustNot(s.world.SetRuns(checkID, world.CheckSpec(runs)))
}

func (s *Service) runs(checkID string) (world.CheckSpec, error) {
	s.world.Lock()
	defer s.world.Unlock()
	return s.world.Runs(checkID)
}

// RemoveCheck removes a check with its results and error groups, as if another program had deleted
// it, and reports whether there was one. [Service.Executed] does not count it. Its sessions stay:
// who waits for one sees its end.
func (s *Service) RemoveCheck(id string) bool {
	s.world.Lock()
	defer s.world.Unlock()
	return s.world.RemoveCheck(id)
}

// SetOutcome changes the status that further sessions of a check end with. It panics for
// a check that does not exist, and for a status that no session can end with.
func (s *Service) SetOutcome(checkID string, outcome monitoring.CheckSessionStatus) {
	s.world.Lock()
	defer s.world.Unlock()
	mustNot(s.world.SetOutcome(checkID, outcome))
}

// Schedule makes the scheduler start a session of a check each time that some time has passed on
// the clock of the service, the first one this long from now: it sets Every of [Check], also for a
// check that a client has created. 0 ends it. Such sessions have the run source SCHEDULER. It
// panics for a check that does not exist, for one of type HEARTBEAT, and for less than a second.
func (s *Service) Schedule(checkID string, every time.Duration) {
	s.world.Lock()
	defer s.world.Unlock()
	mustNot(s.world.Schedule(checkID, every))
}

// SetCheckLimit sets how many checks the plan includes: creating more is 402. 0 is no
// limit, which is the default.
func (s *Service) SetCheckLimit(n int) {
	s.world.Lock()
	defer s.world.Unlock()
	s.world.CheckLimit = n
}
