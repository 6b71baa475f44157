package monitoringtest

import (
	"fmt"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// RateLimitKind is how a rate limit counts.
type RateLimitKind uint8

const (
	// SlidingLog lets no more than the limit through in any window.
	SlidingLog RateLimitKind = iota
	// FixedWindow counts from 0 in each window. Windows start at multiples of their length.
	FixedWindow
	// TokenBucket holds as many tokens as the limit has requests, and fills evenly.
	TokenBucket
)

// String returns the name of the kind.
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

// LimitRoute limits an operation in addition to the common limit, from now on.
func (s *Service) LimitRoute(operation string, limit monitoring.RateLimit) {
	mustNot(s.front.LimitRoute(operation, limit))
}
