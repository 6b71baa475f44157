package monitoringtest

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/schema"
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
	// Locations are the locations it runs in; eu-central-1 if there are none.
	Locations []string
	// GroupID is the group it belongs to; 0 is none. A trigger matches the group's tags, too.
	GroupID int64
	// Deactivated checks are not run. Muted checks send no alerts.
	Deactivated, Muted bool
	// Members are further members of the check as the service returns it after an update,
	// such as "script". They replace the generated ones. Name, tags, activated, muted,
	// locations, groupId and groupOrder change the runs as well, so they must be valid.
	Members map[string]any

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
	// Attempts is how many attempts fail in each location before the final one: 0 to 100.
	Attempts int
	// ResponseTime is the response time of its results; 0 generates one that fits.
	ResponseTime time.Duration
	// Error is the error message of failing results. If it is empty, each type of check has
	// a message of its own.
	Error string
	// HasErrors says that the service itself had an error in the runs.
	HasErrors bool
	// Result holds members of its final results, which replace the generated ones: objects
	// member by member, anything else as a whole. See [Service.SetResult].
	Result map[string]any
	// VisibleAfter is how long after the trigger reads of its sessions are 404; 0 is the
	// default of the service, see [WithVisibilityDelay].
	VisibleAfter time.Duration
}

type check struct {
	spec       Check
	members    object
	groupOrder float64 // the greatest number when it has none

	subscriptions []subscription
	runs          int
	alerting      alerting
}

// AddCheck adds a check and returns its id. Like a check that is created over the API, it
// is subscribed to all alert channels added so far, unless its Members have
// alertChannelSubscriptions. It panics for mistakes, such as a second check with the
// same id, or an outcome that no session can end with.
func (s *Service) AddCheck(c Check) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.checkCheck(&c); err != nil {
		panic("monitoringtest: " + err.Error())
	}
	return s.addNewCheck(c, time.Now())
}

// checkCheck returns the first mistake in a check that a test adds.
func (s *state) checkCheck(c *Check) error {
	what := fmt.Sprintf("check %q", c.Name)
	if c.ID != "" && !schema.IsUUID(c.ID) {
		return fmt.Errorf("%s has the id %q, but ids of checks are UUIDs: leave it empty, or use monitoringtest.UUID(%[2]q)", what, c.ID)
	}
	if s.checksByID[c.ID] != nil {
		return fmt.Errorf("there is a check with the id %s", c.ID)
	}
	for _, o := range append(slices.Clone(c.Outcomes), c.Outcome) {
		if err := checkOutcome(o); err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
	}
	if err := checkMembers(c.Members); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	locations := c.Locations
	if c.Members["locations"] != nil || c.Members["privateLocations"] != nil {
		locations = nil
	}
	if err := checkRuns(locations, c.FailIn, c.Attempts, c.RunTime, c.ResponseTime, c.VisibleAfter); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// deciding are the members of a check that change its runs and alerts.
var deciding = []string{
	"name", "activated", "muted", "tags", "locations", "privateLocations", "groupId", "groupOrder", "alertChannelSubscriptions",
	"alertSettings", "useGlobalAlertSettings",
}

// checkMembers returns the first of the deciding members that is not valid. Other members
// may be anything, and so may the names of locations.
func checkMembers(members map[string]any) error {
	rules := schema.Lookup("PUT /v1/checks/{id}").Body
	for _, name := range deciding {
		v, there := members[name]
		if !there || v == nil {
			continue
		}
		level := schema.Service
		if name == "locations" {
			level = schema.Client
		}
		if found := rules.Check(mustMarshal(map[string]any{name: v}), level, nil); len(found) > 0 {
			return fmt.Errorf("its member %s: %s", found[0].Path, withoutAdvice(found[0].Message))
		}
	}
	return nil
}

// checkRuns finds mistakes in what a check and a session have in common.
func checkRuns(locations, failIn []string, attempts int, times ...time.Duration) error {
	if attempts < 0 || attempts > mostAttempts {
		return fmt.Errorf("%d attempts before the final one: want 0 to %d", attempts, mostAttempts)
	}
	for _, d := range times {
		if d < 0 {
			return fmt.Errorf("a time of %s: it must not be negative", d)
		}
	}
	for _, l := range failIn {
		if len(locations) > 0 && !slices.Contains(locations, l) {
			return fmt.Errorf("it fails in %q, which is not one of its locations", l)
		}
	}
	return nil
}

func (s *Service) addNewCheck(c Check, now time.Time) string {
	generated := s.newID("check")
	if c.ID == "" {
		c.ID = generated
	}
	if c.Type == "" {
		c.Type = monitoring.CheckTypeAPI
	}
	if c.Name == "" {
		c.Name = "Check " + itoa(len(s.checks)+1)
	}
	if len(c.Locations) == 0 {
		c.Locations = []string{string(monitoring.RegionEUCentral1)}
	}
	m := defaultCheck(c.Type, now)
	m.set("id", c.ID)
	m.set("name", c.Name)
	m.set("activated", !c.Deactivated)
	m.set("muted", c.Muted)
	m.set("tags", append([]string{}, c.Tags...))
	public, private := []string{}, []string{}
	for _, l := range c.Locations {
		if regions[l] {
			public = append(public, l)
		} else {
			private = append(private, l)
		}
	}
	m.set("locations", public)
	m.set("privateLocations", private)
	if c.GroupID != 0 {
		m.set("groupId", c.GroupID)
	}
	s.subscribe(m)
	for name, v := range c.Members {
		m.set(name, v)
	}
	c.Result = plain(c.Result) // panics here, and not only at a trigger
	s.addCheck(&check{spec: c, members: m})
	return c.ID
}

func (s *Service) addCheck(c *check) {
	c.read()
	s.checks = append(s.checks, c)
	s.checksByID[c.spec.ID] = c
}

// Check returns a check as the service has it: the JSON object that its update returns,
// with its secrets.
func (s *Service) Check(id string) (json.RawMessage, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.checksByID[id]
	if c == nil {
		return nil, false
	}
	return mustMarshal(c.members), true
}

// Checks returns all checks, in the order in which they were added or created, as
// [Service.Check] returns one. Use it to find what a create with an unknown outcome has left.
func (s *Service) Checks() []json.RawMessage {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]json.RawMessage, len(s.checks))
	for i, c := range s.checks {
		list[i] = mustMarshal(c.members)
	}
	return list
}

// SetOutcome changes the status that further sessions of a check end with. It panics for
// a check that does not exist, and for a status that no session can end with.
func (s *Service) SetOutcome(checkID string, outcome monitoring.CheckSessionStatus) {
	if err := checkOutcome(outcome); err != nil {
		panic("monitoringtest: " + err.Error())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.checksByID[checkID]
	if c == nil {
		panic("monitoringtest: there is no check with the id " + checkID)
	}
	c.spec.Outcome, c.spec.Outcomes = outcome, nil
}

// SetCheckLimit sets how many checks the plan includes: creating more is 402. 0 is no
// limit, which is the default.
func (s *Service) SetCheckLimit(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.checkLimit = n
}
