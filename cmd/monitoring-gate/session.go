package main

import (
	"cmp"
	"slices"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// session is what the gate knows of the run of a check: a check session, or the part of a test
// session that is of one check. Its texts are as the service has sent them.
type session struct {
	id, link, checkID, kind, name, status string

	verdict   monitoring.Verdict
	started   time.Time
	took      time.Duration
	locations []string // of which a result is expected
	results   []result

	// What the service has said: one of them is nil.
	check *monitoring.CheckSession
	test  *monitoring.TestSession
}

// result is a result of a session.
type result struct {
	id, link, location string
	final, attempt     bool
	verdict            monitoring.Verdict
	time               *float64
	stopped            time.Time
}

// newSession is the session of a check.
func newSession(s *monitoring.CheckSession) *session {
	n := &session{
		id: s.CheckSessionID, link: s.CheckSessionLink, checkID: s.CheckID, kind: string(s.CheckType), name: s.Name, status: string(s.Status),
		verdict: s.Verdict(), started: s.StartedAt.Time, took: s.Duration(), locations: s.RunLocations, check: s,
	}
	for i := range s.Results {
		r := &s.Results[i]
		n.results = append(n.results, result{
			r.CheckResultID, r.CheckResultLink, r.RunLocation, r.Final(), monitoring.ValueOr(r.ResultType, "") == monitoring.ResultAttempt, r.Verdict(),
			r.ResponseTime, monitoring.ValueOr(r.StoppedAt, monitoring.Timestamp{}).Time,
		})
	}
	return n
}

// testedChecks are the runs of a test session, one for each check, in the order of its results. If
// it has none, they are the session itself.
func testedChecks(s *monitoring.TestSession) (list []*session) {
	at, whole := make(map[string]*session), wholeTest(s)
	if whole.verdict = s.Verdict(); len(s.Results) == 0 {
		return []*session{whole}
	}
	for i := range s.Results {
		r := &s.Results[i]
		check := cmp.Or(monitoring.ValueOr(r.CheckID, ""), r.Name)
		n := at[check]
		if n == nil {
			n = wholeTest(s)
			n.checkID, n.kind, n.name, n.verdict, n.took, n.locations = monitoring.ValueOr(r.CheckID, ""), string(r.CheckType), cmp.Or(r.Name, "check "+check), "", 0, nil
			n.test.Results = nil
			at[check] = n
			list = append(list, n)
		}
		n.add(r)
	}
	for _, n := range list {
		if n.judge(whole.verdict == monitoring.VerdictCancelled); !n.ended() {
			n.took = s.Duration()
		}
	}
	return list
}

// wholeTest is a test session as if it were one check, without its verdict.
func wholeTest(s *monitoring.TestSession) *session {
	part := *s
	return &session{
		id: s.TestSessionID, link: s.TestSessionLink, name: s.Name, status: string(s.Status), started: s.StartedAt.Time, took: s.Duration(),
		test: &part,
	}
}

// add adds a result of the check.
func (n *session) add(r *monitoring.TestSessionResult) {
	n.test.Results = append(n.test.Results, *r)
	one := result{
		r.TestSessionResultID, r.TestSessionResultLink, r.RunLocation, r.Final(), r.ResultType == monitoring.TestResultAttempt, r.Verdict(),
		r.ResponseTime, monitoring.ValueOr(r.StoppedAt, monitoring.Timestamp{}).Time,
	}
	n.results = append(n.results, one)
	n.locations = append(n.locations, r.RunLocation)
	n.status = string(r.Status)
	if begun := monitoring.ValueOr(r.StartedAt, monitoring.Timestamp{}); !begun.IsZero() && begun.Before(n.started) {
		n.started = begun.Time
	}
	n.took = max(n.took, one.stopped.Sub(n.started))
}

// judge sets the verdict of a check of a test session: the worst of its final results. Without one
// it is not known, unless the session was cancelled.
func (n *session) judge(cancelled bool) {
	n.verdict = monitoring.VerdictUnknown
	if cancelled {
		n.verdict = monitoring.VerdictCancelled
	}
	for _, v := range verdicts { // the worst comes first
		for _, r := range n.results {
			if r.final && r.verdict == v {
				n.verdict = v
				return
			}
		}
	}
}

// ownID is the id of the session of a check, and tells the checks of a test session apart.
func (n *session) ownID() string {
	if n.test == nil {
		return n.id
	}
	return n.id + "/" + cmp.Or(n.checkID, n.name)
}

// failed are the results that [monitoring.CheckSession.FailedRuns] returns.
func (n *session) failed() (list []result) {
	if n.check != nil {
		return newSession(&monitoring.CheckSession{Results: n.check.FailedRuns()}).results
	}
	part := &session{test: new(monitoring.TestSession)}
	for _, r := range n.test.FailedRuns() {
		part.add(&r)
	}
	return part.results
}

// ended reports whether all runs have a final result.
func (n *session) ended() bool {
	runs := runsOf(n)
	return len(runs) > 0 && !slices.ContainsFunc(runs, func(r run) bool { return r.open })
}
