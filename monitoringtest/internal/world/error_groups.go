package world

import (
	"encoding/json"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// AddErrorGroup adds an error group to the check it names and returns its id, which is
// generated if it is empty. Missing times are replaced by the present time.
func (w *World) AddErrorGroup(g monitoring.ErrorGroup) (string, error) {
	if err := VetUUID("the check of an error group", g.CheckID); err != nil {
		return "", err
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
	w.ErrorGroups[g.CheckID] = append(w.ErrorGroups[g.CheckID], Item{g.ID, JSON(g)})
	return g.ID, nil
}
