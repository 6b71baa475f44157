package world

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// TestRuns returns how the runs of the checks go that match, as their checks say it. Deactivated
// checks are among them only if that is asked for. The variables are those of the account, and
// those that are sent, which win.
func (w *World) TestRuns(tags [][]string, ids Set, deactivated bool, t TestTrigger, sent []Object) []*TestRun {
	variables := make(map[string]string)
	for _, d := range w.Of(Variables).All {
		variables[d.ID] = d.Members.Text("value")
	}
	for _, v := range sent {
		variables[v.Text("key")] = v.Text("value")
	}
	var runs []*TestRun
	for _, c := range w.Checks {
		s := w.Holds(c)
		if c.Type == monitoring.CheckTypeHeartbeat || !s.Activated && !deactivated ||
			!MatchesTags(s.Tags, tags) || len(ids) > 0 && !ids[strings.ToLower(c.ID)] {
			continue
		}
		own := make(map[string]string, len(variables))
		for key, value := range variables {
			own[key] = value
		}
		p := c.plan
		run := &TestRun{
			Session: t.Name, CheckID: c.ID, Name: c.Name, Type: c.Type, Location: t.Location, Variables: own,
			RunTime: p.RunTime, Outcome: p.Outcome, Error: p.Error, HasErrors: p.HasErrors, Result: p.Result,
		}
		if c.runs < len(p.Outcomes) {
			run.Outcome = p.Outcomes[c.runs]
		}
		if run.Outcome == "" {
			run.Outcome = monitoring.SessionPassed
		}
		runs = append(runs, run)
	}
	return runs
}

// StartTest starts a test session with some runs.
func (w *World) StartTest(t TestTrigger, runs []*TestRun, now time.Time) (*TestSession, error) {
	if full := w.Overfull(); full != "" {
		return nil, errors.New(full)
	}
	if !w.hasRoom(len(runs)+w.testsRunning(now), now) {
		return nil, fmt.Errorf("too many sessions run; the fake keeps at most %d that run: wait for some of them, or reset it", mostRunning)
	}
	x := &TestSession{
		ID: w.ids.text("test session"), Name: t.Name, Location: t.Location, Metadata: t.Metadata,
		started: now, visible: now.Add(w.VisibleAfter), changed: make(chan struct{}),
	}
	for _, run := range runs {
		if err := vetOutcome(run.Outcome); err != nil {
			panic(fmt.Sprintf("monitoringtest: the run of check %q in a test session: %s", run.Name, err)) // a mistake of the test
		}
		c := w.Check(run.CheckID)
		if c == nil {
			continue // it was deleted meanwhile
		}
		c.runs++
		p := c.plan
		spec := SessionSpec{
			CheckID: c.ID, Name: c.Name, Type: c.Type, Locations: []string{t.Location}, Duration: run.RunTime, Outcome: run.Outcome,
			Attempts: p.Attempts, ResponseTime: p.ResponseTime, Error: run.Error, HasErrors: run.HasErrors, Result: run.Result,
		}
		one := w.makeSession(spec, now, course{begins: now, retries: retries(c.Type, t.Retries)})
		one.test = x
		x.runs = append(x.runs, one)
	}
	w.held += len(x.Name) + len(x.Metadata)
	w.TestSessions = append(w.TestSessions, x)
	w.forgetTests(now)
	return x, nil
}

// testsRunning returns how many runs of test sessions go on.
func (w *World) testsRunning(now time.Time) (n int) {
	for _, x := range w.TestSessions {
		if !x.Done(now) {
			n += len(x.runs)
		}
	}
	return n
}

// CancelTest cancels the running sequences of a test session, or those with some ids.
func (w *World) CancelTest(t *TestSession, sequences []string, now time.Time) {
	for _, x := range t.runs {
		w.Cancel(x, sequences, now)
	}
	close(t.changed)
	t.changed = make(chan struct{})
}

// TestSession returns a test session that is visible to reads; nil if there is none.
func (w *World) TestSession(id string, now time.Time) *TestSession {
	i := slices.IndexFunc(w.TestSessions, func(t *TestSession) bool { return sameID(t.ID, id) && !now.Before(t.visible) })
	if i < 0 {
		return nil
	}
	return w.TestSessions[i]
}

// forgetTests forgets the oldest test sessions as forgetSessions does sessions.
func (w *World) forgetTests(now time.Time) {
	if w.Retention.Age == 0 {
		return
	}
	spare := len(w.TestSessions) - w.Retention.Most
	w.TestSessions = slices.DeleteFunc(w.TestSessions, func(t *TestSession) bool {
		if !t.Done(now) || spare <= 0 && now.Sub(t.End()) <= w.Retention.Age {
			return false
		}
		spare--
		for _, x := range t.runs {
			w.forgetResults(x)
		}
		return true
	})
}
