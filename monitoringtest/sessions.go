package monitoringtest

import (
	"container/heap"
	"fmt"
	"strconv"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/schema"
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

// session is a session of the service. Its state at a moment follows from its plan and
// from when its runs were cancelled; nothing else changes it.
type session struct {
	spec    Session
	link    string
	begins  time.Time // when its runs begin: after its start if they queue
	visible time.Time // when reads find it
	runID   int64
	runs    []*run
	changed chan struct{} // closed and replaced when it is cancelled
	check   *check        // its end counts for the alerts of this check; nil for none
	heapAt  int           // its index in unsettled
}

// run is the part of a session in one location.
type run struct {
	location  string
	sequence  string
	planned   time.Time // when its last attempt ends
	results   []string  // the ids of its attempts
	cancelled time.Time // when it is cancelled, perhaps in the future; zero: never
}

// checkOutcome refuses the statuses of running sessions. An unknown status may be an end.
func checkOutcome(o monitoring.CheckSessionStatus) error {
	switch o {
	case monitoring.SessionStarted, monitoring.SessionProgress, monitoring.SessionProgressFailed, monitoring.SessionProgressDegraded:
		return fmt.Errorf("no session ends %s", o)
	}
	return nil
}

// AddSession adds a session and returns its id. It panics for mistakes, such as an
// outcome that no session can end with.
//
// If its CheckID is that of a check, and it ends later than now, its end sends alerts
// like that of a session that was triggered.
func (s *Service) AddSession(spec Session) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.checkSession(&spec); err != nil {
		panic("monitoringtest: " + err.Error())
	}
	return s.addWatched(spec, time.Now()).spec.ID
}

func (s *Service) addWatched(spec Session, now time.Time) *session {
	x := s.addSession(spec, now, now)
	if c := s.checksByID[spec.CheckID]; c != nil && x.end().After(now) {
		s.watch(x, c)
	}
	return x
}

func (s *state) checkSession(spec *Session) error {
	what := fmt.Sprintf("session %q", spec.Name)
	for _, id := range []string{spec.ID, spec.CheckID} {
		if id != "" && !schema.IsUUID(id) {
			return fmt.Errorf("%s has the id %q, but ids of sessions and checks are UUIDs: leave it empty, or use monitoringtest.UUID(%[2]q)", what, id)
		}
	}
	if s.sessionsByID[spec.ID] != nil {
		return fmt.Errorf("there is a session with the id %s", spec.ID)
	}
	if err := checkOutcome(spec.Outcome); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	if err := checkRuns(spec.Locations, spec.FailIn, spec.Attempts, spec.Duration, spec.ResponseTime, spec.VisibleAfter); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// addSession adds a session whose runs begin at a moment, or at its start if that is later.
func (s *Service) addSession(spec Session, now, begins time.Time) *session {
	generated := s.newID("session")
	if spec.ID == "" {
		spec.ID = generated
	}
	if spec.CheckID == "" {
		spec.CheckID = s.newID("check")
	}
	if spec.Type == "" {
		spec.Type = monitoring.CheckTypeAPI
	}
	if spec.Outcome == "" {
		spec.Outcome = monitoring.SessionPassed
	}
	if spec.StartedAt.IsZero() {
		spec.StartedAt = now
	}
	if spec.Duration == 0 {
		spec.Duration = s.runTime
	}
	spec.Duration = s.sped(spec.Duration)
	if spec.VisibleAfter == 0 {
		spec.VisibleAfter = s.visibleAfter
	}
	spec.Result = plain(spec.Result)
	if spec.RunSource == "" {
		spec.RunSource = monitoring.RunSourceTriggerAPI
	}
	if len(spec.Locations) == 0 {
		spec.Locations = []string{string(monitoring.RegionEUCentral1)}
	}
	if begins.Before(spec.StartedAt) || spec.StartedAt.Before(now) {
		begins = spec.StartedAt
	}
	x := &session{
		spec: spec, begins: begins, visible: spec.StartedAt.Add(spec.VisibleAfter), runID: s.newRunID(spec.StartedAt),
		link:    "https://app.monitoring.test/accounts/" + s.account + "/checks/" + spec.CheckID + "/check-sessions/" + spec.ID,
		changed: make(chan struct{}), heapAt: -1,
	}
	for i, location := range spec.Locations {
		// The locations end one after the other, the last one with the session.
		r := &run{
			location: location, sequence: s.newID("sequence"),
			planned: begins.Add(spec.Duration * time.Duration(i+1) / time.Duration(len(spec.Locations))),
		}
		for attempt := range spec.Attempts + 1 {
			id := s.newID("result")
			r.results = append(r.results, id)
			s.resultsByID[id] = resultRef{session: x, run: r, attempt: attempt}
		}
		x.runs = append(x.runs, r)
	}
	s.sessions = append(s.sessions, x)
	s.sessionsByID[spec.ID] = x
	s.forgetSessions(now)
	return x
}

// sped returns a duration divided by the speed of the service.
func (c *config) sped(d time.Duration) time.Duration {
	return time.Duration(float64(d) / c.speed)
}

// newRunID makes the id of a run from the moment of its start. No id is used twice.
func (s *state) newRunID(start time.Time) int64 {
	s.lastRun = max(s.lastRun+1, start.UnixMilli())
	return s.lastRun
}

// start starts a session of a check, whose runs begin when its group has room.
func (s *Service) start(c *check, now time.Time) *session {
	spec := c.spec
	outcome := spec.Outcome
	if c.runs < len(spec.Outcomes) {
		outcome = spec.Outcomes[c.runs]
	}
	c.runs++
	x := s.addSession(Session{
		CheckID: spec.ID, Name: spec.Name, Type: spec.Type, Locations: spec.Locations,
		Duration: spec.RunTime, Outcome: outcome, Progress: spec.Progress, FailIn: spec.FailIn, Attempts: spec.Attempts,
		ResponseTime: spec.ResponseTime, Error: spec.Error, HasErrors: spec.HasErrors, Result: spec.Result, VisibleAfter: spec.VisibleAfter,
	}, now, s.room(spec.GroupID, now))
	if s.groups[spec.GroupID] != nil {
		heap.Push(s.queues[spec.GroupID], x.end())
	}
	s.watch(x, c)
	return x
}

// timeHeap is a heap of moments; the earliest is on top.
type timeHeap []time.Time

func (h timeHeap) Len() int           { return len(h) }
func (h timeHeap) Less(i, j int) bool { return h[i].Before(h[j]) }
func (h timeHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *timeHeap) Push(x any)        { *h = append(*h, x.(time.Time)) }
func (h *timeHeap) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// room returns when one more check of a group may run: at once, or when a running one
// ends if as many run as the group's concurrency allows. It takes that one's place.
func (s *state) room(group int64, now time.Time) time.Time {
	g := s.groups[group]
	if g == nil {
		return now
	}
	ends := s.queues[group]
	if ends == nil {
		ends = &timeHeap{}
		s.queues[group] = ends
	}
	most := 3.0 // the default
	g.get("concurrency", &most)
	begins := now
	for len(*ends) > 0 && float64(len(*ends)) >= most {
		begins = heap.Pop(ends).(time.Time)
	}
	return begins
}

// Sessions returns the sessions as they are now, in the order in which they started or
// were added, also those that are not yet visible to reads.
func (s *Service) Sessions() []monitoring.CheckSession {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	list := make([]monitoring.CheckSession, len(s.sessions))
	for i, x := range s.sessions {
		mustUnmarshal(mustMarshal(s.view(x, now)), &list[i])
	}
	return list
}

func itoa(n int) string { return strconv.Itoa(n) }
