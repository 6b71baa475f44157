package exchange

import (
	"math/rand/v2"
	"sync"
	"time"
)

// Backoff bounds the waits between attempts.
type Backoff struct {
	Min, Max time.Duration // of the random wait, if the service asks for none
	// MaxRetryAfter is the longest wait that the service may ask for. If it asks for more, there is
	// no retry.
	MaxRetryAfter time.Duration
}

// bound is the longest wait before retry n, counted from 0: Min, which doubles with each retry up
// to Max.
func (b Backoff) bound(n int) time.Duration {
	if b.Min <= b.Max>>n { // so that no shift goes too far
		return b.Min << n
	}
	return b.Max
}

// wait is the wait before retry n, counted from 0: random up to its bound, so that clients that
// failed together do not retry together.
func (b Backoff) wait(n int) time.Duration {
	return rand.N(max(b.bound(n), 1)) // of 0 it would panic
}

// Budget limits how much retries can add to an outage. All calls of a client share it:
// budgetMost retries, which each call fills up by budgetPerCall. Retries of calls that succeed
// in the end are refunded. After budgetQuiet in which no retry was asked for, at least
// budgetAtRest are in store, whatever happened before.
type Budget struct {
	mu     sync.Mutex
	tokens float64
	asked  time.Time // when a retry was last asked for
}

// NewBudget returns a full budget.
func NewBudget() *Budget { return &Budget{tokens: budgetMost} }

// deposit adds the share of a call.
func (b *Budget) deposit() { b.add(budgetPerCall) }

// refund gives back the retries of a call that succeeded in the end: that was no outage.
func (b *Budget) refund(n int) { b.add(float64(n)) }

func (b *Budget) add(tokens float64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tokens = min(budgetMost, b.tokens+tokens)
}

// withdraw takes one retry out of the budget, and reports whether there was one.
func (b *Budget) withdraw() bool {
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
