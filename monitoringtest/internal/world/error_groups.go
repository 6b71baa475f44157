package world

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// ErrorGroups are those of checks, and TestErrorGroups those of test sessions. Own of one has the
// ids of the analyses that clients have started.
var (
	ErrorGroups = &Kind{
		Name: "error group", List: "errorGroups", ID: "id", Form: OfUUIDs, Moments: []string{"firstSeen", "lastSeen"},
		Members:  append([]string{"checkId"}, errorMembers...),
		Defaults: errorDefaults,
		Example:  func() any { return new(monitoring.ErrorGroup) },
		needs: func(w *World, o Object) error {
			if w.Check(o.Text("checkId")) == nil {
				return fmt.Errorf("an error group has the CheckID %q, but there is no such check", o.Text("checkId"))
			}
			return nil
		},
	}
	TestErrorGroups = &Kind{
		Name: "test session error group", List: "testSessionErrorGroups", ID: "id", Form: OfUUIDs, Moments: []string{"firstSeen", "lastSeen"},
		Members:  append([]string{"projectId", "environments", "pwtMetadata"}, errorMembers...),
		Defaults: join(errorDefaults, Object{"projectId": Raw("null"), "environments": Raw("null"), "pwtMetadata": Raw("null")}),
		Example:  func() any { return new(monitoring.TestSessionErrorGroup) },
	}
	errorMembers  = []string{"errorHash", "rawErrorMessage", "cleanedErrorMessage", "archivedUntilNextEvent", "rootCauseAnalyses"}
	errorDefaults = Object{
		"errorHash": Raw(`""`), "rawErrorMessage": Raw("null"), "cleanedErrorMessage": Raw(`""`), "archivedUntilNextEvent": Raw("false"),
		"rootCauseAnalyses": Raw("[]"),
	}
)

// AddErrorGroup adds an error group and returns its id. A missing moment is that of the last error,
// which is the present one without it.
func (w *World) AddErrorGroup(k *Kind, o Object) (string, error) {
	o = join(o)
	if !o.Has("lastSeen") {
		o["lastSeen"] = JSON(At(w.Clock.Now()))
	}
	if !o.Has("firstSeen") {
		o["firstSeen"] = o["lastSeen"]
	}
	d, err := w.Add(k, o, nil)
	if err != nil {
		return "", err
	}
	return d.ID, nil
}

// errorOf is what tells error groups apart.
type errorOf struct{ check, cleaned, raw string }

func (d *Document) errorOf() errorOf {
	return parsed(d, func(d *Document) errorOf {
		return errorOf{d.Members.Text("checkId"), d.Members.Text("cleanedErrorMessage"), d.Members.Text("rawErrorMessage")}
	})
}

// isOf reports whether an error group is that of an error of a check; of test sessions they have no
// check.
func (d *Document) isOf(check, message string) bool {
	g := d.errorOf()
	return sameID(g.check, check) && message != "" && (g.cleaned == message || g.raw == message)
}

// note notes an error in the error group of its message, which is added if there is none. A group
// that is archived until its next event is not archived any more.
func (w *World) note(k *Kind, check, message string, ended time.Time) *Document {
	for _, d := range w.Of(k).All {
		if d.isOf(check, message) {
			d.seen(ended)
			return d
		}
	}
	sum := sha256.Sum256([]byte(message))
	o := join(k.Defaults, Object{
		"id": JSON(w.newID(k)), "errorHash": JSON(hex.EncodeToString(sum[:16])), "rawErrorMessage": JSON(message),
		"cleanedErrorMessage": JSON(message), "firstSeen": JSON(At(ended)), "lastSeen": JSON(At(ended)),
	})
	if check != "" {
		o.Set("checkId", check)
	}
	d := w.restore(k, o, nil)
	w.forgetOldest(k)
	return d
}

// seen notes that the error of a group has happened again.
func (d *Document) seen(at time.Time) {
	changes := Object{}
	if d.Members.Is("archivedUntilNextEvent") {
		changes["archivedUntilNextEvent"] = Raw("false")
	}
	var last monitoring.Timestamp
	if d.Members.Get("lastSeen", &last); last.Before(at) {
		changes["lastSeen"] = JSON(At(at))
	}
	if len(changes) > 0 {
		d.change(changes)
	}
}

// noteError notes the error of a session that has failed.
func (w *World) noteError(x *Session) {
	if x.Spec.Error != "" && x.hasFailed() && w.Check(x.Spec.CheckID) != nil {
		w.note(ErrorGroups, x.Spec.CheckID, x.Spec.Error, x.End())
	}
}

// errorGroupIDs returns the ids of the error groups that a failing result of a session names: that
// of its error, or all those of the check if there is none.
func (w *World) errorGroupIDs(x *Session) []string {
	own, all := []string{}, []string{}
	for _, d := range w.Of(ErrorGroups).All {
		if d.isOf(x.Spec.CheckID, x.Spec.Error) {
			own = append(own, d.ID)
		}
		if sameID(d.errorOf().check, x.Spec.CheckID) {
			all = append(all, d.ID)
		}
	}
	if len(own) > 0 {
		return own
	}
	return all
}

// NoteTestErrors notes the errors of the runs of test sessions that have ended.
func (w *World) NoteTestErrors(now time.Time) {
	for _, t := range w.TestSessions {
		for _, x := range t.runs {
			if !x.noted && x.Done(now) {
				x.noted = true
				w.noteTestError(t, x)
			}
		}
	}
}

func (w *World) noteTestError(t *TestSession, x *Session) {
	if x.Spec.Error == "" || !x.hasFailed() || x.isCancelled() {
		return
	}
	var meta struct{ Environment string }
	if t.Metadata != nil {
		MustUnmarshal(t.Metadata, &meta)
	}
	d := w.note(TestErrorGroups, "", x.Spec.Error, x.End())
	if environments := d.Members.List("environments"); meta.Environment != "" && !slices.Contains(environments, meta.Environment) {
		d.change(Object{"environments": JSON(append(environments, meta.Environment))})
	}
}

// testErrorIDs returns the ids of the error groups that an attempt names: that of its error, if it
// has failed.
func (w *World) testErrorIDs(x *Session, a attempt) []string {
	if x.noted && x.flags(a).HasFailures {
		for _, d := range w.Of(TestErrorGroups).All {
			if d.isOf("", x.Spec.Error) {
				return []string{d.ID}
			}
		}
	}
	return []string{}
}

// ShownErrorGroup returns an error group as the service shows it now: with the analyses that were
// started and are ready.
func (w *World) ShownErrorGroup(d *Document) Object {
	started := d.Own.List("analyses")
	if len(started) == 0 {
		return d.Members
	}
	var analyses []json.RawMessage
	d.Members.Get("rootCauseAnalyses", &analyses)
	for _, id := range started {
		if analysis, ready := w.RootCauseAnalysis(id, w.Clock.Now()); ready {
			analyses = append(analyses, JSON(analysis))
		}
	}
	return join(d.Members, Object{"rootCauseAnalyses": JSON(analyses)})
}

// ArchiveErrorGroup sets what the body of an update says. That a group is archived forever is
// shown nowhere.
func (w *World) ArchiveErrorGroup(d *Document, sent Object) {
	if v := sent["archivedUntilNextEvent"]; v != nil {
		d.change(Object{"archivedUntilNextEvent": v})
	}
}
