package kit

import (
	"context"
	"sync"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// Limiter is a limiter as a user may write it. It has no limit of its own, and keeps what it was
// called with.
type Limiter struct {
	// Place is called for each attempt; nil gives it its place at once.
	Place func(context.Context) error
	// Now is the state.
	Now monitoring.LimiterState

	mu       sync.Mutex
	Asked    []monitoring.AttemptRequest // of all calls of Wait
	Outcomes []monitoring.AttemptOutcome // of all calls of Ended
}

// Wait takes a place.
func (l *Limiter) Wait(ctx context.Context, a monitoring.AttemptRequest) error {
	l.mu.Lock()
	l.Asked = append(l.Asked, a)
	l.mu.Unlock()
	if l.Place == nil {
		return nil
	}
	return l.Place(ctx)
}

// Ended keeps the outcome.
func (l *Limiter) Ended(_ monitoring.AttemptRequest, o monitoring.AttemptOutcome) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.Outcomes = append(l.Outcomes, o)
}

// LimitRoute does nothing.
func (*Limiter) LimitRoute(string, monitoring.RateLimit) error { return nil }

// State returns Now.
func (l *Limiter) State() monitoring.LimiterState { return l.Now }
