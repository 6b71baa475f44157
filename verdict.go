package monitoring

// Verdict is the outcome of a run: whether it passed, and if not, why not. Let a gate decide by it;
// the statuses and flags of sessions have the details.
type Verdict string

// The verdicts.
const (
	// VerdictPassed is a run that passed.
	VerdictPassed Verdict = "passed"
	// VerdictDegraded is a run that passed slowly.
	VerdictDegraded Verdict = "degraded"
	// VerdictFailed is a run that found a failure of the check's target.
	VerdictFailed Verdict = "failed"
	// VerdictCancelled is a run that was canceled.
	VerdictCancelled Verdict = "cancelled"
	// VerdictUnknown is a run that tells nothing about the target: it has not ended, its session
	// timed out, or the service had an error. If it has a result that failed, it is VerdictFailed.
	VerdictUnknown Verdict = "unknown"
)

// OK reports whether the target works: the verdict is passed or degraded.
func (v Verdict) OK() bool { return v == VerdictPassed || v == VerdictDegraded }
