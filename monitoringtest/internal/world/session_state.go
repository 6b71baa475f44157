package world

import (
	"slices"
	"strings"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// attempt is one attempt in one location, as it is at some moment.
type attempt struct {
	run        *run
	index      int
	kind       monitoring.ResultType // empty while it goes on
	begin, end time.Time
	cancelled  bool
}

func (a attempt) id() string { return a.run.results[a.index] }

// attempts returns the attempts of a run that have begun.
func (x *Session) attempts(r *run, now time.Time) []attempt {
	var list []attempt
	n := len(r.results)
	slot := r.planned.Sub(x.begins) / time.Duration(n)
	for i := range n {
		a := attempt{run: r, index: i, begin: x.begins.Add(slot * time.Duration(i))}
		a.end, a.kind = a.begin.Add(slot), monitoring.ResultAttempt
		if i == n-1 {
			a.end, a.kind = r.planned, monitoring.ResultFinal
		}
		if r.isCancelled() && r.cancelled.Before(a.end) {
			a.end, a.kind, a.cancelled = r.cancelled, monitoring.ResultFinal, true
			if a.begin.After(a.end) { // it was canceled before it began
				a.begin = a.end
			}
		}
		if now.Before(a.begin) {
			break
		}
		if now.Before(a.end) {
			a.kind = ""
		}
		list = append(list, a)
		if a.cancelled {
			break
		}
	}
	return list
}

// isCancelled reports whether a cancel comes before the end of the run.
func (r *run) isCancelled() bool { return !r.cancelled.IsZero() && r.cancelled.Before(r.planned) }

// end returns when a run ends: when it is canceled, or when its last attempt ends.
func (r *run) end() time.Time {
	if r.isCancelled() {
		return r.cancelled
	}
	return r.planned
}

// End returns when the last run ends.
func (x *Session) End() time.Time {
	var end time.Time
	for _, r := range x.runs {
		if e := r.end(); e.After(end) {
			end = e
		}
	}
	return end
}

// Done reports whether all runs have ended.
func (x *Session) Done(now time.Time) bool { return !now.Before(x.End()) }

func (x *Session) isCancelled() bool { return slices.ContainsFunc(x.runs, (*run).isCancelled) }

// status is the state of the session at a moment.
func (x *Session) status(now time.Time) monitoring.CheckSessionStatus {
	switch {
	case x.Done(now) && x.isCancelled():
		return monitoring.SessionCancelled
	case x.Done(now):
		return x.Spec.Outcome
	case x.Spec.Progress != "":
		return x.Spec.Progress
	}
	degraded := false
	for _, r := range x.runs {
		for _, a := range x.attempts(r, now) {
			f := x.flags(a)
			if f.HasFailures {
				return monitoring.SessionProgressFailed
			}
			degraded = degraded || f.IsDegraded
		}
	}
	switch {
	case degraded:
		return monitoring.SessionProgressDegraded
	case now.Sub(x.begins) < x.Spec.Duration/10:
		return monitoring.SessionStarted
	}
	return monitoring.SessionProgress
}

type resultFlags struct {
	HasErrors   bool `json:"hasErrors"`
	HasFailures bool `json:"hasFailures"`
	IsDegraded  bool `json:"isDegraded"`
	Aborted     bool `json:"aborted"`
	IsCancelled bool `json:"isCancelled"`
}

// flags returns how an attempt ended.
func (x *Session) flags(a attempt) (f resultFlags) {
	switch {
	case a.kind == "":
		return f
	case a.cancelled:
		return resultFlags{Aborted: true, IsCancelled: true}
	case a.kind == monitoring.ResultAttempt:
		return resultFlags{HasFailures: true}
	}
	f.HasErrors = x.Spec.HasErrors
	if !x.isIn(a.run.location) {
		return f
	}
	switch x.Spec.Outcome {
	case monitoring.SessionFailed:
		f.HasFailures = true
	case monitoring.SessionDegraded:
		f.IsDegraded = true
	case monitoring.SessionTimedOut:
		f.HasFailures, f.Aborted = true, true
	case monitoring.SessionCancelled:
		f.Aborted, f.IsCancelled = true, true
	}
	return f
}

// isIn reports whether the outcome of the session is that of a location.
func (x *Session) isIn(location string) bool {
	return len(x.Spec.FailIn) == 0 || slices.Contains(x.Spec.FailIn, location)
}

// hasFailed reports whether the session fails in the end.
func (x *Session) hasFailed() bool {
	return x.Spec.Outcome == monitoring.SessionFailed || x.Spec.Outcome == monitoring.SessionTimedOut
}

// fails reports whether the session fails in a location.
func (x *Session) fails(location string) bool { return x.hasFailed() && x.isIn(location) }

// responseTime returns the response time of an attempt that has ended, in milliseconds.
func (x *Session) responseTime(a attempt) float64 {
	f := x.flags(a)
	switch {
	case x.Spec.ResponseTime > 0:
		return millis(x.Spec.ResponseTime)
	case runsScripts(x.Spec.Type):
		return millis(a.end.Sub(a.begin))
	case f.IsDegraded:
		return 3500.25
	}
	return 120.5 + float64(10*(len(a.run.location)+a.index))
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func runsScripts(kind monitoring.CheckType) bool {
	switch kind {
	case monitoring.CheckTypeBrowser, monitoring.CheckTypeMultiStep, monitoring.CheckTypePlaywright, monitoring.CheckTypeAgentic:
		return true
	}
	return false
}

// isSequence reports whether an id is that of the run's sequence.
func (r *run) isSequence(id string) bool { return strings.EqualFold(id, r.sequence) }

// Changed returns a channel that is closed when the session is canceled.
func (x *Session) Changed() <-chan struct{} { return x.changed }
