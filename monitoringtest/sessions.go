package monitoringtest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// Session is a check session to add with [Service.AddSession], for tests of waiting
// that need no check and no trigger. Its zero value is a session of an API check that
// starts now and passes.
type Session struct {
	// ID and CheckID are made up when they are empty.
	ID      string
	CheckID string
	Name    string
	Type    monitoring.CheckType
	// Locations are where it runs; eu-central-1 when there are none.
	Locations []string
	// StartedAt is when it started; the moment of adding when it is zero.
	StartedAt time.Time
	// Duration is from start to end; 0 is the default of the service, see [WithRunTime].
	Duration time.Duration
	// Outcome is how it ends; PASSED when it is empty.
	Outcome monitoring.CheckSessionStatus
	// FailIn, Attempts, ResponseTime and Error are as in [Check].
	FailIn       []string
	Attempts     int
	ResponseTime time.Duration
	Error        string
	// RunSource is what started it; TRIGGER_API when it is empty.
	RunSource monitoring.RunSource
}

// session moves by the clock alone: everything about it follows from its plan, and from
// when its runs were cancelled.
type session struct {
	spec    Session
	link    string
	runs    []*run
	changed chan struct{} // closed and replaced when it is cancelled
}

// run is what happens in one location.
type run struct {
	location  string
	sequence  string
	planned   time.Time // when its last try ends
	results   []string  // the ids of its tries
	cancelled time.Time // zero unless it was
}

func mustBeOutcome(o monitoring.CheckSessionStatus) {
	if o != "" && !o.Done() {
		panic(fmt.Sprintf("monitoringtest: no session ends %s", o))
	}
}

// AddSession adds a session and returns its id.
func (s *Service) AddSession(spec Session) string {
	mustBeOutcome(spec.Outcome)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.addSession(spec, time.Now()).spec.ID
}

func (s *Service) addSession(spec Session, now time.Time) *session {
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
	if spec.Duration <= 0 {
		spec.Duration = s.runTime
	}
	spec.Duration = max(time.Duration(float64(spec.Duration)/s.speed), 1)
	if spec.RunSource == "" {
		spec.RunSource = monitoring.RunSourceTriggerAPI
	}
	if len(spec.Locations) == 0 {
		spec.Locations = []string{string(monitoring.RegionEUCentral1)}
	}
	if s.sessionsByID[spec.ID] != nil {
		panic("monitoringtest: there is a session with the id " + spec.ID)
	}
	x := &session{
		spec:    spec,
		link:    "https://app.monitoring.test/accounts/" + s.account + "/checks/" + spec.CheckID + "/check-sessions/" + spec.ID,
		changed: make(chan struct{}),
	}
	for i, location := range spec.Locations {
		// The locations end one after the other, the last one with the session.
		r := &run{
			location: location, sequence: s.newID("sequence"),
			planned: spec.StartedAt.Add(spec.Duration * time.Duration(i+1) / time.Duration(len(spec.Locations))),
		}
		for try := range spec.Attempts + 1 {
			id := s.newID("result")
			r.results = append(r.results, id)
			s.resultsByID[id] = resultRef{x, r, try}
		}
		x.runs = append(x.runs, r)
	}
	s.sessions = append(s.sessions, x)
	s.sessionsByID[spec.ID] = x
	return x
}

// start starts a session of a check.
func (s *Service) start(c *check, now time.Time) *session {
	spec := c.spec
	outcome := spec.Outcome
	if c.runs < len(spec.Outcomes) {
		outcome = spec.Outcomes[c.runs]
	}
	c.runs++
	return s.addSession(Session{
		CheckID: spec.ID, Name: spec.Name, Type: spec.Type, Locations: spec.Locations,
		Duration: spec.RunTime, Outcome: outcome, FailIn: spec.FailIn, Attempts: spec.Attempts,
		ResponseTime: spec.ResponseTime, Error: spec.Error,
	}, now)
}

// Sessions returns the sessions as they are now, in the order in which they started or
// were added.
func (s *Service) Sessions() []monitoring.CheckSession {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	list := make([]monitoring.CheckSession, len(s.sessions))
	for i, x := range s.sessions {
		if err := json.Unmarshal(mustMarshal(x.view(now)), &list[i]); err != nil {
			panic("monitoringtest: session: " + err.Error())
		}
	}
	return list
}

// tryState is one try in one location at some moment.
type tryState struct {
	run        *run
	index      int
	kind       monitoring.ResultType // empty while it goes on
	begin, end time.Time
	cancelled  bool
}

// tries returns the tries of a run that have begun.
func (x *session) tries(r *run, now time.Time) []tryState {
	var list []tryState
	n := len(r.results)
	slot := r.planned.Sub(x.spec.StartedAt) / time.Duration(n)
	for i := range n {
		t := tryState{run: r, index: i, begin: x.spec.StartedAt.Add(slot * time.Duration(i))}
		t.end, t.kind = t.begin.Add(slot), monitoring.ResultAttempt
		if i == n-1 {
			t.end, t.kind = r.planned, monitoring.ResultFinal
		}
		if now.Before(t.begin) {
			break
		}
		if !r.cancelled.IsZero() && r.cancelled.Before(t.end) {
			t.end, t.kind, t.cancelled = r.cancelled, monitoring.ResultFinal, true
			return append(list, t)
		}
		if now.Before(t.end) {
			t.kind = ""
		}
		list = append(list, t)
	}
	return list
}

// end is when a run ends, as far as is known.
func (r *run) end() time.Time {
	if !r.cancelled.IsZero() {
		return r.cancelled
	}
	return r.planned
}

func (x *session) end() time.Time {
	end := x.runs[0].end()
	for _, r := range x.runs[1:] {
		if e := r.end(); e.After(end) {
			end = e
		}
	}
	return end
}

func (x *session) done(now time.Time) bool { return !now.Before(x.end()) }

// status is the state of the session at a moment.
func (x *session) status(now time.Time) monitoring.CheckSessionStatus {
	if x.done(now) {
		for _, r := range x.runs {
			if !r.cancelled.IsZero() {
				return monitoring.SessionCancelled
			}
		}
		return x.spec.Outcome
	}
	degraded := false
	for _, r := range x.runs {
		for _, t := range x.tries(r, now) {
			f := x.flags(t)
			if f.HasFailures {
				return monitoring.SessionProgressFailed
			}
			degraded = degraded || f.IsDegraded
		}
	}
	switch {
	case degraded:
		return monitoring.SessionProgressDegraded
	case now.Sub(x.spec.StartedAt) < x.spec.Duration/10:
		return monitoring.SessionStarted
	}
	return monitoring.SessionProgress
}

type resultFlags struct {
	HasErrors   bool `json:"hasErrors"`
	HasFailures bool `json:"hasFailures"`
	IsDegraded  bool `json:"isDegraded"`
	Aborted     bool `json:"aborted"`
	IsCancelled bool `json:"isCancelled"`
}

// flags is how a try ended.
func (x *session) flags(t tryState) resultFlags {
	switch {
	case t.kind == "":
		return resultFlags{}
	case t.cancelled:
		return resultFlags{Aborted: true, IsCancelled: true}
	case t.kind == monitoring.ResultAttempt:
		return resultFlags{HasFailures: true}
	}
	if len(x.spec.FailIn) > 0 && !slices.Contains(x.spec.FailIn, t.run.location) {
		return resultFlags{}
	}
	switch x.spec.Outcome {
	case monitoring.SessionFailed:
		return resultFlags{HasFailures: true}
	case monitoring.SessionDegraded:
		return resultFlags{IsDegraded: true}
	case monitoring.SessionTimedOut:
		return resultFlags{HasFailures: true, Aborted: true}
	case monitoring.SessionCancelled:
		return resultFlags{Aborted: true, IsCancelled: true}
	}
	return resultFlags{}
}

// responseTime is the milliseconds of a try that has ended.
func (x *session) responseTime(t tryState) float64 {
	f := x.flags(t)
	switch {
	case x.spec.ResponseTime > 0:
		return millis(x.spec.ResponseTime)
	case runsScripts(x.spec.Type):
		return millis(t.end.Sub(t.begin))
	case f.IsDegraded:
		return 3500.25
	}
	return 120.5 + float64(10*(len(t.run.location)+t.index))
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func runsScripts(kind monitoring.CheckType) bool {
	switch kind {
	case monitoring.CheckTypeBrowser, monitoring.CheckTypeMultiStep, monitoring.CheckTypePlaywright, monitoring.CheckTypeAgentic:
		return true
	}
	return false
}

// sessionItem is a session as a trigger returns it.
type sessionItem struct {
	ID          string   `json:"checkSessionId"`
	Link        string   `json:"checkSessionLink"`
	CheckID     string   `json:"checkId"`
	CheckType   string   `json:"checkType"`
	Name        string   `json:"name"`
	Status      string   `json:"status"`
	StartedAt   string   `json:"startedAt"`
	StoppedAt   *string  `json:"stoppedAt"`
	TimeElapsed float64  `json:"timeElapsed"`
	Locations   []string `json:"runLocations"`
	RunSource   string   `json:"runSource"`
}

// sessionView is a session as it is read.
type sessionView struct {
	sessionItem
	Results []resultItem `json:"results"`
}

type resultItem struct {
	ID        string  `json:"checkResultId"`
	Link      string  `json:"checkResultLink"`
	CheckID   string  `json:"checkId"`
	CheckType string  `json:"checkType"`
	Name      string  `json:"name"`
	Location  string  `json:"runLocation"`
	Type      *string `json:"resultType"`
	resultFlags
	ResponseTime *float64 `json:"responseTime"`
	StartedAt    string   `json:"startedAt"`
	StoppedAt    *string  `json:"stoppedAt"`
}

func (x *session) item(now time.Time) sessionItem {
	i := sessionItem{
		ID: x.spec.ID, Link: x.link, CheckID: x.spec.CheckID, CheckType: string(x.spec.Type), Name: x.spec.Name,
		Status: string(x.status(now)), StartedAt: stamp(x.spec.StartedAt), Locations: x.spec.Locations, RunSource: string(x.spec.RunSource),
	}
	if end := x.end(); !now.Before(end) {
		i.StoppedAt = new(stamp(end))
		now = end
	}
	i.TimeElapsed = millis(max(now.Sub(x.spec.StartedAt), 0))
	return i
}

func (x *session) view(now time.Time) sessionView {
	v := sessionView{sessionItem: x.item(now), Results: []resultItem{}}
	for _, r := range x.runs {
		for _, t := range x.tries(r, now) {
			id := r.results[t.index]
			i := resultItem{
				ID: id, Link: x.link + "/results/" + id, CheckID: x.spec.CheckID, CheckType: string(x.spec.Type), Name: x.spec.Name,
				Location: r.location, StartedAt: stamp(t.begin), resultFlags: x.flags(t),
			}
			if t.kind != "" {
				i.Type, i.ResponseTime, i.StoppedAt = new(string(t.kind)), new(x.responseTime(t)), new(stamp(t.end))
			}
			v.Results = append(v.Results, i)
		}
	}
	return v
}

func itoa(n int) string { return strconv.Itoa(n) }
