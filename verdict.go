package monitoring

// Verdict says what came of a run: did it pass, and if not, why not. It is the one question that a
// gate asks; statuses and flags say the rest.
type Verdict string

// The verdicts.
const (
	// VerdictPassed is a run that passed.
	VerdictPassed Verdict = "passed"
	// VerdictDegraded is a run that passed, but was slow.
	VerdictDegraded Verdict = "degraded"
	// VerdictFailed is a run in which what the check is about failed.
	VerdictFailed Verdict = "failed"
	// VerdictCancelled is a run that was cancelled before its end.
	VerdictCancelled Verdict = "cancelled"
	// VerdictUnknown is a run that has not ended, or whose end says nothing about what the check
	// is about: the service itself had an error, or ran out of time.
	VerdictUnknown Verdict = "unknown"
)

// Good reports whether what the check is about works: it is true for [VerdictPassed] and
// [VerdictDegraded].
func (v Verdict) Good() bool { return v == VerdictPassed || v == VerdictDegraded }
