package monitoringtest

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/schema"
)

// Check is a check of the service, and what its runs are like. The zero value is an
// API check that passes.
type Check struct {
	// ID is made up when it is empty. It must be a UUID; see [UUID].
	ID string
	// Name is "Check 1" and so on when it is empty.
	Name string
	// Type is API when it is empty.
	Type monitoring.CheckType
	Tags []string
	// Locations are where it runs; eu-central-1 when there are none.
	Locations []string
	// GroupID is the group it belongs to, whose tags count, too; 0 is none.
	GroupID int64
	// Deactivated checks are not run. Muted ones send no alerts.
	Deactivated, Muted bool
	// Members are further members of the check as the service returns it after an
	// update, such as "script"; they replace those made up. Name, tags, activated,
	// muted, locations, groupId and groupOrder among them count for runs as well, and
	// must be understood.
	Members map[string]any

	// RunTime is how long a session of it takes; 0 is the default of the service,
	// see [WithRunTime].
	RunTime time.Duration
	// Outcome is how its sessions end; PASSED when it is empty. A status that the
	// package monitoring does not know is fine, one that is no end is not.
	Outcome monitoring.CheckSessionStatus
	// Outcomes is how its first, second and further sessions end; later ones end with
	// Outcome.
	Outcomes []monitoring.CheckSessionStatus
	// Progress is the status of its sessions from their start to their end; when it is
	// empty it follows from what has happened.
	Progress monitoring.CheckSessionStatus
	// FailIn names the locations in which a failing session fails; all when it is empty.
	FailIn []string
	// Attempts is how many attempts fail in each location before the final one, at most
	// 100.
	Attempts int
	// ResponseTime is that of its results; 0 makes one up that fits.
	ResponseTime time.Duration
	// Error is the message of failing results; there is one for each type by default.
	Error string
	// HasErrors says that the service itself had an error in the runs.
	HasErrors bool
	// Result holds members of its final results, which replace those made up: objects
	// member by member, anything else whole. See [Service.SetResult].
	Result map[string]any
	// VisibleAfter is how long after the trigger its sessions are 404; 0 is the default
	// of the service, see [WithVisibilityDelay].
	VisibleAfter time.Duration
}

type check struct {
	spec       Check
	members    object
	groupOrder float64 // +Inf when it has none

	subscriptions []subscription
	runs          int
	alerting      alerting
}

// AddCheck adds a check and returns its id. Like a check that is created over the API
// it is subscribed to all alert channels that are there, unless its Members have
// alertChannelSubscriptions. It panics for mistakes, such as a second check with the
// same id, or an outcome that no session can have.
func (s *Service) AddCheck(c Check) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.checkCheck(&c); err != nil {
		panic("monitoringtest: " + err.Error())
	}
	return s.addNewCheck(c, time.Now())
}

// checkCheck finds the mistakes of a test's author.
func (s *state) checkCheck(c *Check) error {
	what := fmt.Sprintf("check %q", c.Name)
	if c.ID != "" && !isUUID(c.ID) {
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

// deciding are the members of a check that decide about its runs and alerts.
var deciding = []string{
	"name", "activated", "muted", "tags", "locations", "privateLocations", "groupId", "groupOrder", "alertChannelSubscriptions",
	"alertSettings", "useGlobalAlertSettings",
}

// checkMembers finds members that would not be understood. Others may be anything, and
// so may the names of locations.
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

const mostAttempts = 100

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
			return fmt.Errorf("it fails in %q, but does not run there", l)
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
	c.Result = plain(c.Result) // which panics now, not at a trigger
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

// SetOutcome changes how the sessions of a check end that start from now on. It panics
// for a check that is not there.
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
// limit.
func (s *Service) SetCheckLimit(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.checkLimit = n
}
