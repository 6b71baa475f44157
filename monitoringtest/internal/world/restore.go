package world

import (
	"container/heap"
	"encoding/json"
	"maps"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// Restore adds what was dumped; see dump.go. Nothing gets a default, and nothing is sent: what
// happened has happened. The document was checked: ids are not taken.
type Restore struct {
	*World
	before ids // how many ids were made before
}

// Restore begins to add what was dumped.
func (w *World) Restore() Restore { return Restore{w, maps.Clone(w.ids)} }

// Group adds a group.
func (r Restore) Group(id int64, members Object) { r.Groups[id] = &Group{id, members} }

// Record adds a record of a kind.
func (r Restore) Record(k *Kind, o, own Object) {
	d := r.restore(k, o, own)
	if own.Is("agentsStopped") {
		r.away[d.slug()] = true
	}
}

// Alerting is what the alert rules keep about a check; see alerting.
type Alerting struct {
	Failed            int
	Since             time.Time
	Alerted, Degraded bool
}

// Check adds a check whose Members are all that it has. next is when the scheduler starts it, if it
// does.
func (r Restore) Check(spec CheckSpec, a Alerting, next time.Time) {
	m := make(Object, len(spec.Members))
	for name, v := range spec.Members {
		m.Set(name, v)
	}
	spec.Members, spec.Result = nil, plain(spec.Result)
	c := &Check{ID: spec.ID, Type: spec.Type, plan: spec, alerting: alerting{a.Failed, a.Since, a.Alerted, a.Degraded}}
	r.insertCheck(c, m)
	r.await(c, next)
}

// SessionState is what a session has besides its spec.
type SessionState struct {
	Begins           time.Time
	RunID            int64
	Alerts           bool // its end counts for the alerts of its check
	ResultsForgotten bool // its check was deleted
	Noted            bool // its error is noted in a group of test sessions
	Runs             []RunState
}

// RunState is the part of a session in one location.
type RunState struct {
	Location, Sequence string
	Ends, Cancelled    time.Time
	Waits              bool // for an agent
	Results            []ResultState
}

// ResultState is the result of an attempt.
type ResultState struct {
	ID     string
	Set    map[string]any // what SetResult set
	Assets []monitoring.CheckResultAsset
}

// Session adds a session.
func (r Restore) Session(spec SessionSpec, s SessionState) {
	x := r.restored(spec, s)
	r.Sessions = append(r.Sessions, x)
	r.sessionsByID.set(spec.ID, x)
	if c := r.World.Check(spec.CheckID); s.Alerts && c != nil {
		r.watch(x, c)
	}
}

// TestSession adds a test session, whose runs are added after it.
func (r Restore) TestSession(t TestSession, started, visible time.Time) {
	t.started, t.visible, t.changed = started, visible, make(chan struct{})
	r.TestSessions = append(r.TestSessions, &t)
}

// TestRun adds a run to the test session that was added last.
func (r Restore) TestRun(spec SessionSpec, s SessionState) {
	t, x := r.TestSessions[len(r.TestSessions)-1], r.restored(spec, s)
	x.test, x.noted = t, s.Noted
	t.runs = append(t.runs, x)
}

// restored makes a session with its results.
func (r Restore) restored(spec SessionSpec, s SessionState) *Session {
	spec.Result = plain(spec.Result)
	x := r.newSession(spec, s.Begins, s.RunID)
	for _, one := range s.Runs {
		made := &run{location: one.Location, sequence: one.Sequence, planned: one.Ends, waits: one.Waits, cancelled: one.Cancelled}
		for attempt, result := range one.Results {
			made.results = append(made.results, result.ID)
			if !s.ResultsForgotten {
				r.resultsByID.set(result.ID, resultRef{session: x, run: made, attempt: attempt})
			}
		}
		for attempt, result := range one.Results {
			if result.Set != nil || len(result.Assets) > 0 {
				made.add(attempt, added{plain(result.Set), result.Assets})
			}
		}
		x.runs = append(x.runs, made)
	}
	x.gone = s.ResultsForgotten
	x.heavy = (&CheckSpec{Error: spec.Error, Result: spec.Result}).size()
	r.held += x.size()
	return x
}

// ReadAlert reads an alert notification. sent is zero if a test has added it.
func ReadAlert(text json.RawMessage, at, sent time.Time) (a Alert, err error) {
	err = json.Unmarshal(text, &a.notification)
	a.at, a.sent, a.Channel, a.failed = at, sent, a.ChannelID, sendingFailed(monitoring.AlertNotificationStatus(a.Status))
	if sent.IsZero() {
		a.json = text
	}
	a.Timestamp = nil // it gets that of the moment at which it is sent
	return a, err
}

// Alert adds an alert notification.
func (r Restore) Alert(a Alert) { r.Alerts.add(a) }

// Made sets how many ids of each kind were made, and the last id of a run, so that none is made
// twice. Both go on from what they were if that is more.
func (r Restore) Made(counts map[string]uint64, lastRun int64) {
	r.ids = maps.Clone(r.before)
	for kind, n := range counts {
		r.ids[kind] = max(r.ids[kind], n)
	}
	r.lastRun = max(r.lastRun, lastRun)
}

// Queue adds the moments at which running checks of a group make room.
func (r Restore) Queue(group int64, ends []time.Time) {
	q := timeHeap(ends)
	heap.Init(&q)
	r.queues[group] = &q
}
