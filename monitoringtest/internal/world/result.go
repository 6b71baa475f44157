package world

import (
	"fmt"
	"maps"
	"slices"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/fakeclock"
)

// SetResult sets members of a result, which replace the generated ones: objects member by member.
func (w *World) SetResult(id string, members map[string]any) error {
	ref := w.resultsByID.of(id)
	if ref.session == nil {
		return fmt.Errorf("there is no result with the id %s", id)
	}
	a := ref.run.of(ref.attempt)
	a.set = plain(members)
	ref.run.add(ref.attempt, a)
	return nil
}

// AddAsset adds a file to a result.
func (w *World) AddAsset(resultID string, a monitoring.CheckResultAsset) error {
	ref := w.resultsByID.of(resultID)
	if ref.session == nil {
		return fmt.Errorf("there is no result with the id %s", resultID)
	}
	if t := ref.session.test; a.Source.Type == "" && t != nil {
		a.Source = monitoring.AssetSource{Type: "test-session-result", CheckID: ref.session.Spec.CheckID, ResultID: resultID, TestSessionID: t.ID}
	} else if a.Source.Type == "" {
		a.Source = monitoring.AssetSource{Type: "check-result", CheckID: ref.session.Spec.CheckID, ResultID: resultID}
	}
	has := ref.run.of(ref.attempt)
	has.assets = append(slices.Clip(has.assets), a)
	ref.run.add(ref.attempt, has)
	return nil
}

// Assets returns the files of a result.
func (w *World) Assets(resultID string) []monitoring.CheckResultAsset {
	ref := w.resultsByID.of(resultID)
	if ref.session == nil {
		return nil
	}
	return ref.run.of(ref.attempt).assets
}

// Result returns a result of a check. There is none before its attempt has ended, and none of an
// attempt that never ran.
func (w *World) Result(check, id string, now time.Time) (Fields, bool) {
	ref := w.resultsByID.of(id)
	if ref.session == nil || ref.session.test != nil || !sameID(ref.session.Spec.CheckID, check) || now.Before(ref.session.visible) {
		return nil, false
	}
	for _, a := range ref.session.attempts(ref.run, now) {
		if a.index == ref.attempt && a.kind != "" {
			return w.result(ref.session, a), true
		}
	}
	return nil, false
}

// setMembers returns the members of a result that a test set, in the order in which they
// are put on top of the generated ones.
func (w *World) setMembers(x *Session, a attempt) []map[string]any {
	var list []map[string]any
	if a.kind == monitoring.ResultFinal && x.Spec.Result != nil {
		list = append(list, x.Spec.Result)
	}
	if set := a.run.of(a.index).set; set != nil && !x.gone {
		list = append(list, set)
	}
	return list
}

// judged returns the members of a result that say how an attempt went, much faster than result.
func (w *World) judged(x *Session, t attempt) Fields {
	v := x.judged(t)
	for _, members := range w.setMembers(x, t) {
		v = merge(v, members)
	}
	return v
}

func (x *Session) judged(t attempt) Fields {
	f := x.flags(t)
	return Fields{
		"hasFailures": f.HasFailures, "hasErrors": f.HasErrors, "isDegraded": f.IsDegraded, "isCancelled": f.IsCancelled,
		"responseTime": x.responseTime(t),
	}
}

// result returns the full result of an attempt that has ended.
func (w *World) result(x *Session, t attempt) Fields {
	f := x.flags(t)
	v := Fields{
		"id": t.id(), "name": x.Spec.Name, "checkId": x.Spec.CheckID,
		"overMaxResponseTime": false, "runLocation": t.run.location,
		"startedAt": fakeclock.Stamp(t.begin), "stoppedAt": fakeclock.Stamp(t.end),
		"created_at": fakeclock.Stamp(t.end.Add(100 * time.Millisecond)),
		"checkRunId": x.runID, "attempts": t.index,
		"resultType": t.kind, "sequenceId": t.run.sequence, "traceId": nil, "errorGroupIds": []string{},
		"apiCheckResult": nil, "browserCheckResult": nil, "multiStepCheckResult": nil, "agenticCheckResult": nil,
		"playwrightCheckResult": nil, "tracerouteCheckResult": nil, "grpcCheckResult": nil, "sslCheckResult": nil,
	}
	maps.Copy(v, x.judged(t))
	if f.HasFailures {
		v["errorGroupIds"] = w.errorGroupIDs(x)
	}
	maps.Copy(v, payload(x, t, f))
	for _, members := range w.setMembers(x, t) {
		v = merge(v, members)
	}
	delete(v, "aborted") // which only sessions tell
	return v
}
