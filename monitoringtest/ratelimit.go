package monitoringtest

import (
	"fmt"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
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

type rateLimit struct {
	requests int
	per      time.Duration
	kind     RateLimitKind

	log    []time.Time // of SlidingLog: a ring
	oldest int

	window time.Time // of FixedWindow
	count  int

	tokens float64 // of TokenBucket
	filled time.Time
}

func newRateLimit(limit monitoring.RateLimit, kind RateLimitKind) *rateLimit {
	return &rateLimit{requests: limit.Requests, per: limit.Per, kind: kind, tokens: float64(limit.Requests)}
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

// wait returns the time until a request would be let through; 0 is now.
func (l *rateLimit) wait(now time.Time) time.Duration {
	switch l.kind {
	case FixedWindow:
		if window := now.Truncate(l.per); !window.Equal(l.window) {
			l.window, l.count = window, 0
		}
		if l.count < l.requests {
			return 0
		}
		return l.window.Add(l.per).Sub(now)
	case TokenBucket:
		perToken := l.per.Seconds() / float64(l.requests)
		if !l.filled.IsZero() {
			l.tokens = min(float64(l.requests), l.tokens+now.Sub(l.filled).Seconds()/perToken)
		}
		l.filled = now
		return max(time.Duration((1-l.tokens)*perToken*float64(time.Second)), 0)
	default:
		if len(l.log) < l.requests {
			return 0
		}
		return max(l.log[l.oldest].Add(l.per).Sub(now), 0)
	}
}

// take counts a request that is let through.
func (l *rateLimit) take(now time.Time) {
	switch l.kind {
	case FixedWindow:
		l.count++
	case TokenBucket:
		l.tokens--
	default:
		if len(l.log) < l.requests {
			l.log = append(l.log, now)
			return
		}
		l.log[l.oldest] = now
		l.oldest = (l.oldest + 1) % l.requests
	}
}

// admit takes a place in the limits of an operation and returns 0, or returns how long
// to wait.
func (s *Service) admit(operation string, now time.Time) time.Duration {
	var limits [2]*rateLimit
	limits[0], limits[1] = s.common, s.routeLimits[operation]
	var wait time.Duration
	for _, l := range limits {
		if l != nil {
			wait = max(wait, l.wait(now))
		}
	}
	if wait > 0 {
		return wait
	}
	for _, l := range limits {
		if l != nil {
			l.take(now)
		}
	}
	return 0
}
