package monitoring

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

// Verdict returns the outcome of the run in one location. The first rule that applies decides:
//
//   - unknown: r is nil, or has no ResultType because the run is in progress
//   - cancelled: IsCancelled is set
//   - failed: HasFailures is set, even together with HasErrors
//   - unknown: HasErrors or Aborted is set
//   - degraded, or else passed
func (r *CheckSessionResult) Verdict() Verdict {
	if r == nil || r.ResultType == nil || *r.ResultType == "" {
		return VerdictUnknown
	}
	return verdictOf(r.IsCancelled, r.HasFailures, r.HasErrors || r.Aborted, r.IsDegraded)
}

// Verdict returns the outcome of the run, by the rules of [CheckSessionResult.Verdict]. With Fields
// of [CheckResultListOptions], it is unknown without resultType, and missing flags are false.
func (r *CheckResult) Verdict() Verdict {
	if r == nil || r.ResultType == "" {
		return VerdictUnknown
	}
	return verdictOf(r.IsCancelled, r.HasFailures, r.HasErrors, r.IsDegraded != nil && *r.IsDegraded)
}

func verdictOf(cancelled, failed, noResult, degraded bool) Verdict {
	switch {
	case cancelled:
		return VerdictCancelled
	case failed:
		return VerdictFailed
	case noResult:
		return VerdictUnknown
	case degraded:
		return VerdictDegraded
	}
	return VerdictPassed
}

// Verdict returns the outcome of the session as last seen, even after a wait that timed out. The
// first rule that applies decides:
//
//   - PASSED is passed, and DEGRADED is degraded.
//   - A final result that failed means failed, even while the session runs.
//   - A CANCELLED session, or one that ended with a cancelled final result, is cancelled.
//   - A FAILED session is failed, unless a final result is unknown: then the service had an error.
//   - The rest is unknown: a session that runs, TIMED_OUT, a status that this package does not
//     know, and nil.
func (s *CheckSession) Verdict() Verdict {
	if s == nil {
		return VerdictUnknown
	}
	final := func(is Verdict) bool {
		return slices.ContainsFunc(s.Results, func(r CheckSessionResult) bool { return r.Final() && r.Verdict() == is })
	}
	ended := s.Status == SessionFailed || s.Status == SessionTimedOut
	switch {
	case s.Status == SessionPassed:
		return VerdictPassed
	case s.Status == SessionDegraded:
		return VerdictDegraded
	case final(VerdictFailed):
		return VerdictFailed
	case s.Status == SessionCancelled, ended && final(VerdictCancelled):
		return VerdictCancelled
	case s.Status == SessionFailed && !final(VerdictUnknown):
		return VerdictFailed
	}
	return VerdictUnknown
}

// Messages explains a verdict that is not OK: one sentence for each final result that is not OK,
// and for each location without a final result, such as "eu-west-1: failed" or that an attempt
// failed and its retry has not ended. It is empty if and only if the verdict is OK.
//
// Messages makes no request. To see what exactly failed, use
// [CheckSessionsService.FetchFailingResults].
func (s *CheckSession) Messages() []string {
	if s.Verdict().OK() {
		return nil
	}
	if s == nil {
		return []string{"there is no session"}
	}
	var list []string
	ended := make(map[string]bool, len(s.Results)) // locations
	for _, r := range s.FinalResults() {
		ended[r.RunLocation] = true
		if why := whyOf(r.Verdict(), r.HasErrors); why != "" {
			list = append(list, located(r.RunLocation, why))
		}
	}
	retried := make(map[string]bool) // locations without a final result
	for _, i := range s.openAttempts() {
		retried[s.Results[i].RunLocation] = true
	}
	for _, location := range s.RunLocations {
		if !ended[location] {
			list = append(list, located(location, openRun(retried[location], s.Done())))
		}
	}
	if len(list) == 0 {
		list = append(list, unexplained(string(s.Status), s.Status.known()))
	}
	return list
}

// unexplained says the status of a session that nothing explains.
func unexplained(status string, known bool) string {
	said := cmp.Or(shownStatus(scrub.New(), status, known).String(), "without a status")
	return fmt.Sprintf("the session is %s, and no result says why", said)
}

// whyOf says why a final result with a verdict is not good; "" if it is.
func whyOf(v Verdict, hasErrors bool) string {
	switch {
	case v.OK():
		return ""
	case v == VerdictUnknown && hasErrors:
		return "the service had an error"
	case v == VerdictUnknown:
		return "the run was aborted"
	}
	return string(v)
}

// openRun says that a run has no final result, perhaps after a failed attempt.
func openRun(attempted, done bool) string {
	why := "no result"
	if attempted {
		why = "an attempt failed, and its retry has no result"
	}
	if !done {
		why += " yet"
	}
	return why
}

// located is a sentence about a location.
func located(location, why string) string {
	return sentence(location, "a location without a name", why)
}

// sentence says something about what has a name, which is a text of the service.
func sentence(name, nameless, why string) string {
	return cmp.Or(strings.TrimSpace(scrub.Clean(name)), nameless) + ": " + why
}

// Missing returns the CheckIDs of the target for which no session was started, in the order of the
// target. Such checks are deactivated, deleted or heartbeats, or the key may not run them; the
// service starts the rest without an error. UUIDs are compared ignoring case, and duplicates count
// once.
//
// Missing returns nil if the target has no CheckIDs or also has MatchTags, or if a session has no
// CheckID.
func (r TriggerRequest) Missing(sessions []CheckSession) []string {
	if r.AllChecks || len(r.Target.MatchTags) > 0 {
		return nil
	}
	started := make([]string, len(sessions))
	for i := range sessions {
		started[i] = sessions[i].CheckID
	}
	return missingOf(r.Target.CheckIDs, started)
}

// missingOf returns the ids that are not among those of the checks that were started; nil if one of
// these is not known.
func missingOf(ids, started []string) (missing []string) {
	if slices.Contains(started, "") {
		return nil
	}
	known := make(map[string]bool)
	for _, id := range started {
		known[strings.ToLower(id)] = true
	}
	for _, id := range ids {
		if lower := strings.ToLower(id); !known[lower] {
			known[lower] = true
			missing = append(missing, id)
		}
	}
	return missing
}

// MissingChecksError means that TriggerAndWait did not start some of the checks that the request
// named. It returns the sessions of the rest.
type MissingChecksError struct {
	// CheckIDs are the checks that were not started; see [TriggerRequest.Missing].
	CheckIDs []string
	// Named is how many checks the request named.
	Named int
}

// mostNamed is how many ids an error names.
const mostNamed = 10

// Error names up to ten of the checks.
func (e *MissingChecksError) Error() string {
	if e == nil {
		return "monitoring: no error"
	}
	ids := strings.Join(e.CheckIDs[:min(len(e.CheckIDs), mostNamed)], ", ")
	if more := len(e.CheckIDs) - mostNamed; more > 0 {
		ids += fmt.Sprintf(" and %d more", more)
	}
	text := fmt.Sprintf("%d of %d checks were not started", len(e.CheckIDs), e.Named)
	if ids == "" {
		return textOf(text)
	}
	return textOf(text+" ("+ids+")", "they are deactivated, deleted or heartbeats, or this key may not run them")
}

// notStarted returns the error of the checks that a trigger did not start; nil if there are none.
func (r TriggerRequest) notStarted(sessions []CheckSession) error {
	ids := r.Missing(sessions)
	if len(ids) == 0 {
		return nil
	}
	return missingChecks(ids, r.Target.CheckIDs)
}

func missingChecks(missing, ids []string) error {
	named := make(map[string]bool)
	for _, id := range ids {
		named[strings.ToLower(id)] = true
	}
	return &MissingChecksError{CheckIDs: missing, Named: len(named)}
}
