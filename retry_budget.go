package monitoring

import (
	"sync"
	"time"
)

// retryBudget keeps retries from multiplying an outage: all calls of a client share what
// may be spent on retries that do not help. A client that has needed no retry for a while
// has enough for its next call, whatever happened before.
type retryBudget struct {
	mu     sync.Mutex
	tokens float64
	asked  time.Time // when a retry was last asked for
}

const (
	budgetMost    = 100.0 // retries that may be in store
	budgetPerCall = 0.09  // retries that each call adds: 1,000 calls into an outage stay under 1,200 attempts
	budgetQuiet   = time.Minute
	budgetAtRest  = 10.0 // retries that are in store at least, after budgetQuiet without being asked
)

func newRetryBudget() *retryBudget { return &retryBudget{tokens: budgetMost} }

// deposit adds the share of a call.
func (b *retryBudget) deposit() { b.add(budgetPerCall) }

// refund gives back what a call took that succeeded in the end: that was no outage.
func (b *retryBudget) refund(n int) {
	if n > 0 {
		b.add(float64(n))
	}
}

func (b *retryBudget) add(tokens float64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tokens = min(budgetMost, b.tokens+tokens)
}

// withdraw takes the right to one retry.
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
