package world

import (
	"container/heap"
	"fmt"
	"slices"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/schema"
)

// AddSession adds a session and returns its id. If its CheckID is that of a check, and it ends
// later than now, its end sends alerts like that of a session that was triggered.
func (w *World) AddSession(spec SessionSpec) (string, error) {
	if err := w.VetSession(&spec); err != nil {
		return "", err
	}
	if err := w.vetLocations(fmt.Sprintf("session %q", spec.Name), spec.Locations); err != nil {
		return "", err
	}
	now := w.Clock.Now()
	x := w.addSession(spec, now, course{begins: now})
	if c := w.Check(spec.CheckID); c != nil && x.End().After(now) {
		w.watch(x, c)
	} else {
		w.noteError(x)
	}
	return x.Spec.ID, nil
}

// VetSession returns the first mistake in a session that a test adds.
func (w *World) VetSession(spec *SessionSpec) error {
	what := fmt.Sprintf("session %q", spec.Name)
	for _, id := range []string{spec.ID, spec.CheckID} {
		if id != "" && !schema.IsUUID(id) {
			return fmt.Errorf("%s has the id %q, but ids of sessions and checks are UUIDs: leave it empty, or use monitoringtest.UUID(%[2]q)",
				what, id)
		}
	}
	if w.HasSession(spec.ID) {
		return fmt.Errorf("a session with the id %s exists already", spec.ID)
	}
	if err := vetOutcome(spec.Outcome); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	if err := vetUpper(string(spec.Type)); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	locations := spec.Locations
	if len(locations) == 0 {
		locations = defaultLocations
	}
	if err := vetRuns(locations, spec.FailIn, spec.Attempts, spec.Duration, spec.ResponseTime, spec.VisibleAfter); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// course is how the runs of a session go, as far as its spec does not say it.
type course struct {
	begins   time.Time // or at the start of the session if that is later
	retries  int       // attempts that fail before the final one, where a run fails
	parallel bool      // else the locations end one after the other, the last one with the session
}

// addSession adds a session.
func (w *World) addSession(spec SessionSpec, now time.Time, how course) *Session {
	x := w.makeSession(spec, now, how)
	w.Sessions = append(w.Sessions, x)
	w.sessionsByID.set(x.Spec.ID, x)
	w.forgetSessions(now)
	return x
}

// makeSession makes a session with its runs, whose results are found.
func (w *World) makeSession(spec SessionSpec, now time.Time, how course) *Session {
	generated := w.ids.text("session")
	if spec.ID == "" {
		spec.ID = generated
	}
	if spec.CheckID == "" {
		spec.CheckID = w.ids.text("check")
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
		spec.Duration = w.RunTime
	}
	spec.Duration = w.Clock.Sped(spec.Duration)
	if spec.VisibleAfter == 0 {
		spec.VisibleAfter = w.VisibleAfter
	}
	spec.Result = plain(spec.Result)
	if spec.RunSource == "" {
		spec.RunSource = monitoring.RunSourceTriggerAPI
	}
	if len(spec.Locations) == 0 {
		spec.Locations = slices.Clone(defaultLocations)
	}
	begins := how.begins
	if begins.Before(spec.StartedAt) || spec.StartedAt.Before(now) {
		begins = spec.StartedAt
	}
	x := w.newSession(spec, begins, w.newRunID(spec.StartedAt))
	for i, location := range spec.Locations {
		r := &run{location: location, sequence: w.ids.text("sequence"), planned: begins.Add(spec.Duration)}
		if !how.parallel {
			r.planned = begins.Add(spec.Duration * time.Duration(i+1) / time.Duration(len(spec.Locations)))
		}
		attempts := spec.Attempts
		if attempts == 0 && x.fails(location) {
			attempts = how.retries
		}
		for attempt := range attempts + 1 {
			id := w.ids.text("result")
			r.results = append(r.results, id)
			w.resultsByID.set(id, resultRef{session: x, run: r, attempt: attempt})
		}
		x.runs = append(x.runs, r)
	}
	x.heavy = (&CheckSpec{Error: spec.Error, Result: spec.Result}).size()
	w.held += x.size()
	return x
}

// newSession makes a session, without its runs, of a spec that leaves nothing out.
func (w *World) newSession(spec SessionSpec, begins time.Time, runID int64) *Session {
	return &Session{
		Spec: spec, begins: begins, visible: spec.StartedAt.Add(spec.VisibleAfter), runID: runID,
		link:    "https://app.monitoring.test/accounts/" + w.Account + "/checks/" + spec.CheckID + "/check-sessions/" + spec.ID,
		changed: make(chan struct{}), heapAt: -1,
	}
}

// newRunID makes the id of a run from the moment of its start. No id is used twice.
func (w *World) newRunID(start time.Time) int64 {
	w.lastRun = max(w.lastRun+1, start.UnixMilli())
	return w.lastRun
}

// watch makes the end of a session count for the alerts of its check.
func (w *World) watch(x *Session, c *Check) {
	x.check = c
	heap.Push(&w.unsettled, x)
}
