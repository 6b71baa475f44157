package monitoring

// Verdict is the outcome of a run: whether it passed, and if not, why not. Use it for a gate that
// has to decide; statuses and flags have the details.
type Verdict string

// The verdicts.
const (
	// VerdictPassed is a run that passed.
	VerdictPassed Verdict = "passed"
	// VerdictDegraded is a run that passed, but was slow.
	VerdictDegraded Verdict = "degraded"
	// VerdictFailed is a run in which what the check tests failed.
	VerdictFailed Verdict = "failed"
	// VerdictCancelled is a run that was cancelled before its end.
	VerdictCancelled Verdict = "cancelled"
	// VerdictUnknown is a run that has not ended, or whose end says nothing about what the check
	// tests: the service itself had an error, or ran out of time.
	VerdictUnknown Verdict = "unknown"
)

// OK reports whether what the check tests works: it is true for [VerdictPassed] and
// [VerdictDegraded].
func (v Verdict) OK() bool { return v == VerdictPassed || v == VerdictDegraded }
