package world

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// AddErrorGroup adds an error group to the check it names and returns its id, which is
// generated if it is empty. Missing times are replaced by the present time.
func (w *World) AddErrorGroup(g monitoring.ErrorGroup) (string, error) {
	if err := VetUUID("an error group", g.ID); err != nil {
		return "", err
	}
	switch {
	case w.checksByID.of(g.CheckID) == nil:
		return "", fmt.Errorf("an error group has the CheckID %q, but there is no such check", g.CheckID)
	case g.ID != "" && w.ErrorGroup(g.ID) != nil:
		return "", fmt.Errorf("there is an error group with the id %s", g.ID)
	}
	generated := w.ids.text("error group")
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
	w.ErrorGroups = append(w.ErrorGroups, ErrorGroup{ErrorGroup: g})
	return g.ID, nil
}

// ErrorGroup returns the error group with an id; nil if there is none.
func (w *World) ErrorGroup(id string) *ErrorGroup {
	i := slices.IndexFunc(w.ErrorGroups, func(g ErrorGroup) bool { return sameID(g.ID, id) })
	if i < 0 {
		return nil
	}
	return &w.ErrorGroups[i]
}

// ErrorGroupShown returns an error group as the service shows it at a moment: with the analyses
// that were started and are ready.
func (w *World) ErrorGroupShown(g *ErrorGroup, now time.Time) json.RawMessage {
	shown := g.ErrorGroup
	shown.RootCauseAnalyses = slices.Clone(shown.RootCauseAnalyses)
	for _, id := range g.analyses {
		if analysis, ready := w.RootCauseAnalysis(id, now); ready {
			shown.RootCauseAnalyses = append(shown.RootCauseAnalyses, analysis)
		}
	}
	return JSON(shown)
}

// ArchiveErrorGroup sets what the body of an update says. That a group is archived for ever is
// shown nowhere.
func (w *World) ArchiveErrorGroup(g *ErrorGroup, sent Object) {
	sent.Get("archivedUntilNextEvent", &g.ArchivedUntilNextEvent)
}
