package testkit

import (
	"context"
	"sync"
	"time"
)

// Limiter is a limiter as a user may write it: it does not distinguish attempts, and keeps what it
// was called with. A place takes Slow, and then Err is the error of Wait.
type Limiter struct {
	Slow time.Duration
	Err  error

	mu   sync.Mutex
	Seen []string // "wait", or "throttled" and the time, one for each call
}

// Wait takes a place.
func (l *Limiter) Wait(context.Context) error {
	l.see("wait")
	time.Sleep(l.Slow)
	return l.Err
}

// Throttled is told of a 429.
func (l *Limiter) Throttled(d time.Duration) { l.see("throttled " + d.String()) }

func (l *Limiter) see(call string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.Seen = append(l.Seen, call)
}
