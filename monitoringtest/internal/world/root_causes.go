package world

import (
	"slices"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// RootCauseAnalyses are analyses of errors. Own of one has readyAt, until when it is PENDING.
var RootCauseAnalyses = &Kind{
	Name: "root cause analysis", List: "rootCauseAnalyses", ID: "id", Form: OfUUIDs, Moments: []string{"created_at"},
	Members: []string{
		"status", "checkType", "provider", "model", "durationMs", "checkId", "errorGroupId", "analysis", "userContext",
	},
	Own: []string{"readyAfter"},
	Defaults: Object{
		"checkType": Raw(`"API"`), "provider": Raw(`"some-provider"`), "model": Raw(`"some-model-2"`), "durationMs": Raw("0"),
		"checkId": Raw("null"), "errorGroupId": Raw("null"),
	},
	Example: func() any { return new(monitoring.RootCauseAnalysis) },
}

// AddRootCauseAnalysis adds a root cause analysis and returns its id. It is PENDING for the time
// readyAfter; 0 completes it at once.
func (w *World) AddRootCauseAnalysis(a Object, readyAfter time.Duration) (string, error) {
	ready := w.Clock.Now().Add(readyAfter)
	a = join(a, Object{"status": JSON(monitoring.RootCauseAnalysisCompleted)})
	if !a.Has("created_at") {
		a["created_at"] = JSON(At(ready))
	}
	for _, name := range []string{"checkType", "provider", "model"} {
		if a.Text(name) == "" {
			delete(a, name)
		}
	}
	d, err := w.Add(RootCauseAnalyses, a, Object{"readyAt": JSON(moment(ready))})
	if err != nil {
		return "", err
	}
	return d.ID, nil
}

// analysisTime is how long an analysis is PENDING that a client has started.
const analysisTime = 5 * time.Second

// StartAnalysis starts an analysis of an error group and returns its id.
func (w *World) StartAnalysis(g *Document, remark string) string {
	a := monitoring.RootCauseAnalysis{
		ErrorGroupID: new(g.ID), DurationMs: float64(analysisTime / time.Millisecond),
		Analysis: &monitoring.Analysis{
			Classification: "APPLICATION ERROR", UserImpact: "Users of the check meet the error.", RootCause: "The service responded with an error.",
			Evidence: []monitoring.AnalysisEvidence{}, ReferenceLinks: []monitoring.AnalysisReference{},
		},
	}
	if check := g.errorOf().check; check != "" {
		a.CheckID = &check
		if c := w.Check(check); c != nil {
			a.CheckType = c.Type
		}
	}
	if remark != "" {
		a.UserContext = []monitoring.AnalysisContext{{Text: remark, Type: "TEXT"}}
	}
	id := must(w.AddRootCauseAnalysis(ObjectOf(a), w.Clock.Slowed(analysisTime)))
	w.forgetOldest(RootCauseAnalyses)
	kept := slices.DeleteFunc(g.Own.List("analyses"), func(id string) bool { return w.Of(RootCauseAnalyses).Find(id) == nil })
	g.own("analyses", append(kept, id))
	return id
}

// RootCauseAnalysis returns an analysis and whether it is ready. It is nil if there is none.
func (w *World) RootCauseAnalysis(id string, now time.Time) (analysis Object, ready bool) {
	d := w.Of(RootCauseAnalyses).Find(id)
	if d == nil {
		return nil, false
	}
	at, _ := time.Parse(time.RFC3339Nano, d.Own.Text("readyAt"))
	return d.Members, !now.Before(at)
}
