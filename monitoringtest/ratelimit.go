package monitoringtest

import (
	"fmt"

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

// LimitRoute gives an operation a limit of its own besides the common one, from now on.
// It panics for an operation that the service does not have, and for a limit without
// requests or time.
func (s *Service) LimitRoute(operation string, limit monitoring.RateLimit) {
	mustNot(s.front.LimitRoute(operation, limit))
}
