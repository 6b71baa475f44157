package monitoring

import (
	"cmp"
	"slices"
)

// Verdict returns the outcome of the run, by the rules of [CheckSessionResult.Verdict]. A result
// that is PENDING, or has neither a ResultType nor a final Status, is unknown; CANCELLED is
// cancelled; and FAILED is failed, unless the service had an error.
func (r *TestSessionResult) Verdict() Verdict {
	if r == nil || r.ResultType == TestResultPending || r.ResultType == "" && !r.Status.Done() {
		return VerdictUnknown
	}
	noResult := r.HasErrors || r.Aborted
	return verdictOf(r.Status == TestSessionCancelled, r.HasFailures || r.Status == TestSessionFailed && !noResult, noResult, r.IsDegraded)
}

// Verdict returns the outcome of the session, by the rules of [CheckSession.Verdict]. A PASSED
// session with a degraded final result is degraded, because sessions have no status for that.
func (s *TestSession) Verdict() Verdict {
	if s == nil {
		return VerdictUnknown
	}
	final := func(is Verdict) bool {
		return slices.ContainsFunc(s.Results, func(r TestSessionResult) bool { return r.Final() && r.Verdict() == is })
	}
	switch {
	case s.Status == TestSessionPassed && final(VerdictDegraded):
		return VerdictDegraded
	case s.Status == TestSessionPassed:
		return VerdictPassed
	case final(VerdictFailed):
		return VerdictFailed
	case s.Status == TestSessionCancelled, s.Status == TestSessionFailed && final(VerdictCancelled):
		return VerdictCancelled
	case s.Status == TestSessionFailed && !final(VerdictUnknown):
		return VerdictFailed
	}
	return VerdictUnknown
}

// Messages explains a verdict that is not OK, with one sentence for each final result that is not
// OK, and for each run without one, such as "Checkout API: failed"; see [CheckSession.Messages].
// For what exactly failed, use [TestSessionsService.FetchFailingResults].
func (s *TestSession) Messages() []string {
	if s.Verdict().OK() {
		return nil
	}
	if s == nil {
		return []string{"there is no session"}
	}
	var list []string
	attempted := make(map[string]int) // runs without a final result, by their last attempts
	for _, i := range s.openAttempts() {
		attempted[s.Results[i].run()] = i
	}
	for i := range s.Results {
		r := &s.Results[i]
		why := ""
		last, retried := attempted[r.run()]
		switch {
		case r.Final():
			why = whyOf(r.Verdict(), r.HasErrors)
		case retried && i == last, !retried && r.ResultType != TestResultAttempt:
			why = openRun(retried, s.Done())
		}
		if why != "" {
			list = append(list, sentence(cmp.Or(r.Name, ValueOr(r.CheckID, "")), "a check without a name", why))
		}
	}
	if len(list) == 0 {
		list = append(list, unexplained(string(s.Status), s.Status.known()))
	}
	return list
}
