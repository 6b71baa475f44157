package world

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// noteError notes the error of a session that has failed in the error group of its message, which
// is added if there is none. A group that is archived until its next event is not archived any
// more.
func (w *World) noteError(x *Session) {
	if x.Spec.Error == "" || !x.hasFailed() || w.checksByID.of(x.Spec.CheckID) == nil {
		return
	}
	ended := At(x.End())
	for i := range w.ErrorGroups {
		if g := &w.ErrorGroups[i]; g.isOf(x) {
			g.ArchivedUntilNextEvent = false
			if g.LastSeen.Before(ended.Time) {
				g.LastSeen = ended
			}
			return
		}
	}
	sum := sha256.Sum256([]byte(x.Spec.Error))
	w.ErrorGroups = append(w.ErrorGroups, ErrorGroup{ErrorGroup: monitoring.ErrorGroup{
		ID: w.ids.text("error group"), CheckID: x.Spec.CheckID, ErrorHash: hex.EncodeToString(sum[:16]), RawErrorMessage: &x.Spec.Error,
		CleanedErrorMessage: x.Spec.Error, FirstSeen: ended, LastSeen: ended, RootCauseAnalyses: []json.RawMessage{},
	}})
}

// isOf reports whether an error group is that of the error of a session.
func (g *ErrorGroup) isOf(x *Session) bool {
	return sameID(g.CheckID, x.Spec.CheckID) &&
		(g.CleanedErrorMessage == x.Spec.Error || g.RawErrorMessage != nil && *g.RawErrorMessage == x.Spec.Error)
}

// errorGroupIDs returns the ids of the error groups that a failing result of a session names: that
// of its error, or all those of the check if there is none.
func (w *World) errorGroupIDs(x *Session) []string {
	own, all := []string{}, []string{}
	for i := range w.ErrorGroups {
		g := &w.ErrorGroups[i]
		if x.Spec.Error != "" && g.isOf(x) {
			own = append(own, g.ID)
		}
		if sameID(g.CheckID, x.Spec.CheckID) {
			all = append(all, g.ID)
		}
	}
	if len(own) > 0 {
		return own
	}
	return all
}
