package world

import (
	"encoding/json"
	"fmt"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// AddRootCauseAnalysis adds a root cause analysis and returns its id, which is generated
// if it is empty. It is PENDING for the time readyAfter; 0 completes it at once.
func (w *World) AddRootCauseAnalysis(a monitoring.RootCauseAnalysis, readyAfter time.Duration) (string, error) {
	if err := VetUUID("a root cause analysis", a.ID); err != nil {
		return "", err
	}
	if w.rootCauses.of(a.ID).json != nil {
		return "", fmt.Errorf("there is a root cause analysis with the id %s", a.ID)
	}
	generated := w.ids.text("root cause analysis")
	if a.ID == "" {
		a.ID = generated
	}
	ready := w.Clock.Now().Add(readyAfter)
	a.Status = monitoring.RootCauseAnalysisCompleted
	if a.CheckType == "" {
		a.CheckType = monitoring.CheckTypeAPI
	}
	if a.Provider == "" {
		a.Provider = "some-provider"
	}
	if a.Model == "" {
		a.Model = "some-model-2"
	}
	if a.CreatedAt.IsZero() {
		a.CreatedAt = At(ready)
	}
	a.CreatedAt = asWritten(a.CreatedAt)
	w.rootCauses.set(a.ID, rootCause{ready, JSON(a)})
	return a.ID, nil
}

// analysisTime is how long an analysis is PENDING that a client has started.
const analysisTime = 5 * time.Second

// StartAnalysis starts an analysis of an error group and returns its id.
func (w *World) StartAnalysis(g *ErrorGroup, remark string) string {
	a := monitoring.RootCauseAnalysis{CheckID: new(g.CheckID), ErrorGroupID: new(g.ID)}
	if c := w.Check(g.CheckID); c != nil {
		a.CheckType = c.Type
	}
	id := w.startAnalysis(a, remark)
	g.analyses = append(g.analyses, id)
	return id
}

// startAnalysis starts an analysis that says what it is about, and returns its id.
func (w *World) startAnalysis(a monitoring.RootCauseAnalysis, remark string) string {
	a.DurationMs = float64(analysisTime / time.Millisecond)
	a.Analysis = &monitoring.Analysis{
		Classification: "APPLICATION ERROR", UserImpact: "Users of the check meet the error.", RootCause: "The service responded with an error.",
		Evidence: []monitoring.AnalysisEvidence{}, ReferenceLinks: []monitoring.AnalysisReference{},
	}
	if remark != "" {
		a.UserContext = []monitoring.AnalysisContext{{Text: remark, Type: "TEXT"}}
	}
	return must(w.AddRootCauseAnalysis(a, w.Clock.Slowed(analysisTime)))
}

// RootCauseAnalysis returns an analysis and whether it is ready. It is nil if there is none.
func (w *World) RootCauseAnalysis(id string, now time.Time) (json.RawMessage, bool) {
	a := w.rootCauses.of(id)
	return a.json, !now.Before(a.ready)
}
