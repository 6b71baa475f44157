package world

import (
	"encoding/json"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// TestRun is a run of a check in a test session, before it begins. What its members mean stands at
// monitoringtest.TestRun.
type TestRun struct {
	Session   string
	CheckID   string
	Name      string
	Type      monitoring.CheckType
	Location  string
	Variables map[string]string

	RunTime   time.Duration
	Outcome   monitoring.CheckSessionStatus
	Error     string
	HasErrors bool
	Result    map[string]any
}

// TestSession is a test session of the account. Its runs are sessions of their own, one for each
// check, which no list of the account has, and whose ends send no alerts.
type TestSession struct {
	ID       string
	Name     string
	Location string
	Metadata json.RawMessage // nil if the trigger had none

	started time.Time
	visible time.Time // when reads find it
	runs    []*Session
	changed chan struct{} // closed and replaced when it is canceled
}

// TestTrigger is what starts a test session.
type TestTrigger struct {
	Name, Location string
	Metadata       json.RawMessage
	Retries        Object // its member retryStrategy; empty for none
}

// End returns when the last run ends.
func (t *TestSession) End() time.Time {
	end := t.started
	for _, x := range t.runs {
		if e := x.End(); e.After(end) {
			end = e
		}
	}
	return end
}

// Done reports whether all runs have ended.
func (t *TestSession) Done(now time.Time) bool { return !now.Before(t.End()) }

// Changed returns a channel that is closed when the session is canceled.
func (t *TestSession) Changed() <-chan struct{} { return t.changed }

// Started returns when the session was created.
func (t *TestSession) Started() time.Time { return t.started }

// Subjects are the ids and names of the checks that run in it, and its own.
func (t *TestSession) Subjects() []string {
	list := []string{t.ID, t.Name}
	for _, x := range t.runs {
		list = append(list, x.Spec.CheckID, x.Spec.Name)
	}
	return list
}

// status is the state of the session at a moment.
func (t *TestSession) status(now time.Time) monitoring.TestSessionStatus {
	if !t.Done(now) {
		return monitoring.TestSessionRunning
	}
	status := monitoring.TestSessionPassed
	for _, x := range t.runs {
		switch x.testStatus(now) {
		case monitoring.TestSessionCancelled:
			return monitoring.TestSessionCancelled
		case monitoring.TestSessionFailed:
			status = monitoring.TestSessionFailed
		}
	}
	return status
}

// testStatus is the state of a run of a test session.
func (x *Session) testStatus(now time.Time) monitoring.TestSessionStatus {
	var last attempt
	for _, r := range x.runs {
		for _, a := range x.attempts(r, now) {
			last = a
		}
	}
	if !x.Done(now) {
		return monitoring.TestSessionRunning
	}
	return testStatusOf(last, x.flags(last))
}

// testStatusOf is the status of an attempt.
func testStatusOf(a attempt, f resultFlags) monitoring.TestSessionStatus {
	switch {
	case a.kind == "":
		return monitoring.TestSessionRunning
	case f.IsCancelled:
		return monitoring.TestSessionCancelled
	case f.HasFailures, f.HasErrors:
		return monitoring.TestSessionFailed
	}
	return monitoring.TestSessionPassed
}
