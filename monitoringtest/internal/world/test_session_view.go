package world

import (
	"encoding/json"
	"slices"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/fakeclock"
)

// TestView is a test session as it is read.
type TestView struct {
	ID            string          `json:"testSessionId"`
	Link          string          `json:"testSessionLink"`
	Name          string          `json:"name"`
	Status        string          `json:"status"`
	ErrorGroupIDs []string        `json:"errorGroupIds"`
	StartedAt     string          `json:"startedAt"`
	StoppedAt     *string         `json:"stoppedAt"`
	TimeElapsed   float64         `json:"timeElapsed"`
	Metadata      json.RawMessage `json:"metadata,omitempty"`
	Results       []TestItem      `json:"results"`
}

// TestItem is a result in a test session.
type TestItem struct {
	ID            string   `json:"testSessionResultId"`
	Link          string   `json:"testSessionResultLink"`
	CheckID       string   `json:"checkId"`
	CheckType     string   `json:"checkType"`
	Name          string   `json:"name"`
	Location      string   `json:"runLocation"`
	ErrorGroupIDs []string `json:"errorGroupIds"`
	Type          string   `json:"resultType"`
	Status        string   `json:"status"`
	HasErrors     bool     `json:"hasErrors"`
	HasFailures   bool     `json:"hasFailures"`
	IsDegraded    bool     `json:"isDegraded"`
	Aborted       bool     `json:"aborted"`
	ResponseTime  *float64 `json:"responseTime"`
	StartedAt     *string  `json:"startedAt"`
	StoppedAt     *string  `json:"stoppedAt"`
}

func (w *World) testLink(t *TestSession) string {
	return "https://app.monitoring.test/accounts/" + w.Account + "/test-sessions/" + t.ID
}

// TestView is a test session as it is read.
func (w *World) TestView(t *TestSession, now time.Time) TestView {
	w.NoteTestErrors(now)
	v := TestView{
		ID: t.ID, Link: w.testLink(t), Name: t.Name, Status: string(t.status(now)), ErrorGroupIDs: []string{},
		StartedAt: fakeclock.Stamp(t.started), Metadata: t.Metadata, Results: []TestItem{},
	}
	until := now
	if t.Done(now) {
		until = t.End()
		v.StoppedAt = new(fakeclock.Stamp(until))
	}
	v.TimeElapsed = millis(max(until.Sub(t.started), 0))
	for _, x := range t.runs {
		for _, a := range x.testAttempts(now) {
			item := w.testItem(t, x, a)
			v.Results = append(v.Results, item)
			for _, id := range item.ErrorGroupIDs {
				if !slices.Contains(v.ErrorGroupIDs, id) {
					v.ErrorGroupIDs = append(v.ErrorGroupIDs, id)
				}
			}
		}
	}
	return v
}

// testAttempts returns the attempts of a run of a test session that have begun.
func (x *Session) testAttempts(now time.Time) (list []attempt) {
	for _, r := range x.runs {
		list = append(list, x.attempts(r, now)...)
	}
	return list
}

func (w *World) testItem(t *TestSession, x *Session, a attempt) TestItem {
	f := x.flags(a)
	i := TestItem{
		ID: a.id(), Link: w.testLink(t) + "/results/" + a.id(), CheckID: x.Spec.CheckID, CheckType: string(x.Spec.Type), Name: x.Spec.Name,
		Location: t.Location, ErrorGroupIDs: w.testErrorIDs(x, a), Type: string(monitoring.TestResultPending), Status: string(testStatusOf(a, f)),
		HasErrors: f.HasErrors, HasFailures: f.HasFailures, IsDegraded: f.IsDegraded, Aborted: f.Aborted, StartedAt: new(fakeclock.Stamp(a.begin)),
	}
	if a.kind == "" {
		return i
	}
	i.Type, i.ResponseTime, i.StoppedAt = string(a.kind), new(x.responseTime(a)), new(fakeclock.Stamp(a.end))
	for _, members := range w.setMembers(x, a) {
		item := i
		if data, err := json.Marshal(members); err == nil && json.Unmarshal(data, &item) == nil {
			item.ID, item.CheckID = i.ID, i.CheckID
			i = item
		}
	}
	return i
}

// TestResult returns a result of a test session. There is none before its attempt has ended.
func (w *World) TestResult(session, id string, now time.Time) (Fields, bool) {
	ref := w.resultsByID.of(id)
	t := w.TestSession(session, now)
	if t == nil || ref.session == nil || ref.session.test != t {
		return nil, false
	}
	x := ref.session
	w.NoteTestErrors(now)
	for _, a := range x.testAttempts(now) {
		if a.index == ref.attempt && a.kind != "" {
			return w.testResult(t, x, a), true
		}
	}
	return nil, false
}

// testResult returns the full result of an attempt that has ended: that of a check, with other
// members around it.
func (w *World) testResult(t *TestSession, x *Session, a attempt) Fields {
	v, item := w.result(x, a), w.testItem(t, x, a)
	for _, other := range []string{"checkRunId", "tracerouteCheckResult", "grpcCheckResult", "sslCheckResult"} {
		delete(v, other)
	}
	v["testSessionResultId"], v["testSessionResultLink"], v["checkType"] = item.ID, item.Link, item.CheckType
	v["status"], v["aborted"], v["errorGroupIds"] = item.Status, item.Aborted, item.ErrorGroupIDs
	v["privateLocationId"], v["filePath"], v["scheduleError"], v["updated_at"] = w.privateLocationID(t.Location), nil, nil, nil
	return v
}

// privateLocationID returns the id of the private location with a SlugName; nil if it is none.
func (w *World) privateLocationID(name string) any {
	if d := w.location(name); d != nil {
		return d.ID
	}
	return nil
}

// TestEntry is a test session as it is listed, and what a list selects it by.
type TestEntry struct {
	Fields                                     Fields
	Status, Branch, Owner, Name, Message, Repo string
}

// TestEntry returns a test session as it is listed.
func (w *World) TestEntry(t *TestSession, now time.Time) TestEntry {
	var meta struct {
		Environment, RepoURL, CommitID, CommitOwner, CommitMessage, BranchName *string
	}
	if t.Metadata != nil {
		MustUnmarshal(t.Metadata, &meta)
	}
	lists := map[monitoring.TestSessionStatus][]string{
		monitoring.TestSessionRunning: {}, monitoring.TestSessionPassed: {}, monitoring.TestSessionFailed: {}, monitoring.TestSessionCancelled: {},
	}
	for _, x := range t.runs {
		status := x.testStatus(now)
		lists[status] = append(lists[status], x.runs[0].sequence)
	}
	status := t.status(now)
	v := Fields{
		"id": t.ID, "accountId": w.Account, "projectId": nil, "name": t.Name, "provider": monitoring.TestProviderAPI,
		"errorGroupIds": w.TestView(t, now).ErrorGroupIDs, "running": lists[monitoring.TestSessionRunning],
		"passed": lists[monitoring.TestSessionPassed], "failed": lists[monitoring.TestSessionFailed],
		"cancelled": lists[monitoring.TestSessionCancelled], "status": status, "region": t.Location,
		"privateLocationId": w.privateLocationID(t.Location), "invoker": nil, "repoUrl": meta.RepoURL, "commitId": meta.CommitID,
		"commitOwner": meta.CommitOwner, "commitMessage": meta.CommitMessage, "branchName": meta.BranchName, "environment": meta.Environment,
		"startedAt": fakeclock.Stamp(t.started), "stoppedAt": nil, "created_at": fakeclock.Stamp(t.started), "updated_at": nil,
	}
	if t.Done(now) {
		v["stoppedAt"] = fakeclock.Stamp(t.End())
	}
	text := func(p *string) string { return monitoring.ValueOr(p, "") }
	return TestEntry{v, string(status), text(meta.BranchName), text(meta.CommitOwner), t.Name, text(meta.CommitMessage), text(meta.RepoURL)}
}

// TestViews returns the test sessions as they are now, also those that reads do not find yet.
func (w *World) TestViews(now time.Time) []TestView {
	list := []TestView{}
	for _, t := range w.TestSessions {
		list = append(list, w.TestView(t, now))
	}
	return list
}
