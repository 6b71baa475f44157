package monitoring

import (
	"sync"
	"time"
)

// retryBudget limits how much retries can add to an outage. All calls of a client share it:
// budgetMost retries, which each call fills up by budgetPerCall. Retries of calls that succeed
// in the end are refunded. After budgetQuiet in which no retry was asked for, at least
// budgetAtRest are in store, whatever happened before.
type retryBudget struct {
	mu     sync.Mutex
	tokens float64
	asked  time.Time // when a retry was last asked for
}

const (
	budgetMost    = 100.0 // retries that may be in store
	budgetPerCall = 0.09  // retries that each call adds: 1,000 calls into an outage stay under 1,200 attempts
	budgetQuiet   = time.Minute
	budgetAtRest  = 10.0 // the least number of retries in store after budgetQuiet
)

func newRetryBudget() *retryBudget { return &retryBudget{tokens: budgetMost} }

// deposit adds the share of a call.
func (b *retryBudget) deposit() { b.add(budgetPerCall) }

// refund gives back the retries of a call that succeeded in the end: that was no outage.
func (b *retryBudget) refund(n int) { b.add(float64(n)) }

func (b *retryBudget) add(tokens float64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tokens = min(budgetMost, b.tokens+tokens)
}

// withdraw takes one retry out of the budget, and reports whether there was one.
func (b *retryBudget) withdraw() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	if now.Sub(b.asked) >= budgetQuiet {
		b.tokens = max(b.tokens, budgetAtRest)
	}
	b.asked = now
	if b.tokens < 1 {
		return false
	}
	b.tokens--
	return true
}
