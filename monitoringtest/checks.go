package monitoringtest

import (
	"encoding/json"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

// Check is a check of the service, and how its runs go. The zero value is an API check that passes.
type Check struct {
	// ID is generated if it is empty. It must be a UUID; see [UUID].
	ID string
	// Name is "Check 1" and so on by default.
	Name string
	// Type is API by default.
	Type monitoring.CheckType
	Tags []string
	// Locations are regions, and private locations by their SlugName; eu-central-1 by default.
	Locations []string
	// GroupID is the check's group, or 0. What the group enforces applies to its runs: tags,
	// locations, retries, runParallel and alert settings.
	GroupID int64
	// Deactivated checks are not run. Muted checks send no alerts.
	Deactivated, Muted bool
	// Members are more fields of the check as the service returns it after an update, such as
	// "script". They replace generated ones. Those that affect runs must be valid: name, tags,
	// activated, muted, locations, groupId, groupOrder, retryStrategy, doubleCheck, runParallel and
	// the alert settings.
	Members map[string]any

	// Every, if not 0, makes the scheduler start a session at this interval on the clock of the
	// service, the first one after this long, unless the check is deactivated or a maintenance
	// window pauses it. It is at least a second. See [Service.Schedule].
	Every time.Duration
	// RunTime is how long a session takes; 0 means the default of [WithRunTime].
	RunTime time.Duration
	// Outcome is the status with which sessions end; PASSED by default. It may be a status that
	// package monitoring does not know, but not one of a running session.
	Outcome monitoring.CheckSessionStatus
	// Outcomes are the statuses with which the first, second and further sessions end, before
	// Outcome applies.
	Outcomes []monitoring.CheckSessionStatus
	// Progress is the status of running sessions. By default it follows from the results so far.
	Progress monitoring.CheckSessionStatus
	// FailIn are the locations in which a failing session fails; all by default.
	FailIn []string
	// Attempts is how many attempts fail in each location before the final one: 0 to 100. With 0, a
	// run that fails is retried by the retryStrategy or doubleCheck of the check or its group.
	Attempts int
	// ResponseTime is that of the results; 0 generates one that fits.
	ResponseTime time.Duration
	// Error is the message of failing results; each type of check has its own by default. It is in
	// the payload of the result (TCP, URL, DNS and ICMP checks have none), in the alert of the
	// check, and in the error group that the result names, which is added if there is none with
	// this message.
	Error string
	// HasErrors makes results have hasErrors, beside hasFailures if Outcome is FAILED. For a run
	// that the service could not judge, set Outcome to FAILED, and hasFailures to false in Result.
	HasErrors bool
	// Result holds fields of final results, which replace the generated ones: objects field by
	// field, the rest as a whole. See [Service.SetResult].
	Result map[string]any
	// VisibleAfter is how long after the trigger reads of a session are 404; 0 means the default of
	// [WithVisibilityDelay].
	VisibleAfter time.Duration
}

// AddCheck adds a check and returns its id. Unless its Members have alertChannelSubscriptions, it
// is subscribed to all alert channels added so far.
func (s *Service) AddCheck(c Check) string {
	s.world.Lock()
	defer s.world.Unlock()
	return must(s.world.AddCheck(world.CheckSpec(c)))
}

// Check returns a check as the service has it, with its secrets, and whether it exists.
func (s *Service) Check(id string) (monitoring.Check, bool) {
	return decoded[monitoring.Check](s.CheckJSON(id))
}

// CheckJSON returns a check as the JSON object that its update returns, with its secrets.
func (s *Service) CheckJSON(id string) (json.RawMessage, bool) {
	s.world.Lock()
	defer s.world.Unlock()
	c := s.world.Check(id)
	if c == nil {
		return nil, false
	}
	return world.JSON(c.Members), true
}

// Checks returns all checks as [Service.CheckJSON] does, in the order in which they were added or
// created, for example to find what a create with an unknown outcome has left.
func (s *Service) Checks() []json.RawMessage {
	s.world.Lock()
	defer s.world.Unlock()
	list := make([]json.RawMessage, len(s.world.Checks))
	for i, c := range s.world.Checks {
		list[i] = world.JSON(c.Members)
	}
	return list
}

// SetRuns changes how further sessions of a check go, even of one that a client created. change
// gets the present settings and may modify the fields of [Check] from Every on; Outcomes are those
// of the next sessions. SetRuns panics if it modifies the check itself.
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

// RemoveCheck removes a check with its results and error groups, and reports whether it existed.
// Its sessions stay: a wait for one sees its end.
func (s *Service) RemoveCheck(id string) bool {
	s.world.Lock()
	defer s.world.Unlock()
	return s.world.RemoveCheck(id)
}

// SetOutcome sets the status with which further sessions of a check end.
func (s *Service) SetOutcome(checkID string, outcome monitoring.CheckSessionStatus) {
	s.world.Lock()
	defer s.world.Unlock()
	mustNot(s.world.SetOutcome(checkID, outcome))
}

// Schedule makes the scheduler start a session of a check at this interval on the clock of the
// service, the first one after this long: it sets Every of [Check], even for a check that a client
// created. 0 ends it. The run source of such sessions is SCHEDULER. Heartbeats cannot be scheduled,
// and the interval is at least a second.
func (s *Service) Schedule(checkID string, every time.Duration) {
	s.world.Lock()
	defer s.world.Unlock()
	mustNot(s.world.Schedule(checkID, every))
}

// SetCheckLimit sets how many checks the plan includes: creating more is 402. 0, the default, is no
// limit.
func (s *Service) SetCheckLimit(n int) {
	s.world.Lock()
	defer s.world.Unlock()
	s.world.CheckLimit = n
}
