package monitoringtest

import (
	"fmt"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/gates"
)

// RateLimitKind says how a rate limit counts.
type RateLimitKind uint8

const (
	// SlidingLog never lets more than the limit through in any window of its length.
	SlidingLog RateLimitKind = iota
	// FixedWindow starts to count from 0 in each window. Windows start at multiples of
	// their length.
	FixedWindow
	// TokenBucket has as many tokens as the limit has requests, and fills evenly.
	TokenBucket
)

// String is the name of the kind.
func (k RateLimitKind) String() string {
	switch k {
	case SlidingLog:
		return "SlidingLog"
	case FixedWindow:
		return "FixedWindow"
	case TokenBucket:
		return "TokenBucket"
	}
	return fmt.Sprintf("RateLimitKind(%d)", uint8(k))
}

// newRateLimit returns the model of a limit.
func newRateLimit(limit monitoring.RateLimit, kind RateLimitKind) gates.Limit {
	switch kind {
	case FixedWindow:
		return &gates.FixedWindows{Most: limit.Requests, Window: limit.Per, Begin: time.Unix(0, 0).Truncate(limit.Per)}
	case TokenBucket:
		return &gates.TokenBucket{Most: limit.Requests, Window: limit.Per}
	}
	return &gates.SlidingLog{Most: limit.Requests, Window: limit.Per}
}

func mustBeLimit(limit monitoring.RateLimit) {
	if limit.Requests <= 0 || limit.Per <= 0 {
		panic(fmt.Sprintf("monitoringtest: rate limit of %d in %s: want a positive number and time", limit.Requests, limit.Per))
	}
}

// LimitRoute gives an operation a limit of its own besides the common one, from now on.
// It panics for an operation that the service does not have, and for a limit without
// requests or time.
func (s *Service) LimitRoute(operation string, limit monitoring.RateLimit) {
	mustBeLimit(limit)
	s.mustKnow(operation)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.routeLimits[operation] = newRateLimit(limit, SlidingLog)
}

// admit takes a place in the limits of an operation and returns 0, or returns how long
// to wait.
func (s *Service) admit(operation string, now time.Time) time.Duration {
	limits := [2]gates.Limit{s.common, s.routeLimits[operation]}
	var wait time.Duration
	for _, l := range limits {
		if l != nil {
			wait = max(wait, l.Wait(now))
		}
	}
	if wait > 0 {
		return wait
	}
	for _, l := range limits {
		if l != nil {
			l.Take(now)
		}
	}
	return 0
}
