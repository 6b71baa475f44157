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

// AddTestErrorGroup adds an error group of test sessions and returns its id, which is generated if
// it is empty. Missing times are replaced by the present time.
func (w *World) AddTestErrorGroup(g monitoring.TestSessionErrorGroup) (string, error) {
	if err := VetUUID("an error group", g.ID); err != nil {
		return "", err
	}
	if g.ID != "" && w.TestErrorGroup(g.ID) != nil {
		return "", fmt.Errorf("there is an error group with the id %s", g.ID)
	}
	generated := w.ids.text("test session error group")
	if g.ID == "" {
		g.ID = generated
	}
	if g.RootCauseAnalyses == nil {
		g.RootCauseAnalyses = []json.RawMessage{}
	}
	if g.LastSeen.IsZero() {
		g.LastSeen = At(w.Clock.Now())
	}
	if g.FirstSeen.IsZero() {
		g.FirstSeen = g.LastSeen
	}
	g.FirstSeen, g.LastSeen = asWritten(g.FirstSeen), asWritten(g.LastSeen)
	w.TestErrorGroups = append(w.TestErrorGroups, TestErrorGroup{TestSessionErrorGroup: g})
	return g.ID, nil
}

// TestErrorGroup returns the error group with an id; nil if there is none.
func (w *World) TestErrorGroup(id string) *TestErrorGroup {
	i := slices.IndexFunc(w.TestErrorGroups, func(g TestErrorGroup) bool { return sameID(g.ID, id) })
	if i < 0 {
		return nil
	}
	return &w.TestErrorGroups[i]
}

// TestErrorGroupShown returns an error group as the service shows it at a moment.
func (w *World) TestErrorGroupShown(g *TestErrorGroup, now time.Time) json.RawMessage {
	shown := g.TestSessionErrorGroup
	shown.RootCauseAnalyses = slices.Clone(shown.RootCauseAnalyses)
	for _, id := range g.analyses {
		if analysis, ready := w.RootCauseAnalysis(id, now); ready {
			shown.RootCauseAnalyses = append(shown.RootCauseAnalyses, analysis)
		}
	}
	return JSON(shown)
}

// NoteTestErrors notes the errors of the runs of test sessions that have ended, each in the group
// of its message, which is added if there is none. A group that is archived until its next event is
// not archived any more.
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
	id := w.testErrorGroupID(x)
	if id == "" {
		sum := sha256.Sum256([]byte(x.Spec.Error))
		id = must(w.AddTestErrorGroup(monitoring.TestSessionErrorGroup{
			ErrorHash: hex.EncodeToString(sum[:16]), RawErrorMessage: &x.Spec.Error, CleanedErrorMessage: x.Spec.Error, LastSeen: At(x.End()),
		}))
	}
	g := w.TestErrorGroup(id)
	g.ArchivedUntilNextEvent = false
	if ended := At(x.End()); g.LastSeen.Before(ended.Time) {
		g.LastSeen = ended
	}
	if meta.Environment != "" && !slices.Contains(g.Environments, meta.Environment) {
		g.Environments = append(g.Environments, meta.Environment)
	}
}

// testErrorGroupID returns the id of the error group of a run; "" if there is none.
func (w *World) testErrorGroupID(x *Session) string {
	for _, g := range w.TestErrorGroups {
		if x.Spec.Error != "" && (g.CleanedErrorMessage == x.Spec.Error || g.RawErrorMessage != nil && *g.RawErrorMessage == x.Spec.Error) {
			return g.ID
		}
	}
	return ""
}

// testErrorIDs returns the ids of the error groups that an attempt names: that of its error, if it
// has failed.
func (w *World) testErrorIDs(x *Session, a attempt) []string {
	if id := w.testErrorGroupID(x); id != "" && x.noted && x.flags(a).HasFailures {
		return []string{id}
	}
	return []string{}
}

// StartTestAnalysis starts an analysis of an error group of test sessions and returns its id.
func (w *World) StartTestAnalysis(g *TestErrorGroup, remark string) string {
	id := w.startAnalysis(monitoring.RootCauseAnalysis{ErrorGroupID: new(g.ID)}, remark)
	g.analyses = append(g.analyses, id)
	return id
}
