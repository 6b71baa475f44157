package front

import (
	"fmt"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/gates"
)

// LimitKind says how a limit counts.
type LimitKind uint8

// The kinds of limits, as in monitoringtest.
const (
	SlidingLog LimitKind = iota
	FixedWindow
	TokenBucket
)

// limits are the limits of a service: the common one, and those of operations.
type limits struct {
	common gates.Limit // nil: none
	routes map[string]gates.Limit
}

func newLimits(common monitoring.RateLimit, kind LimitKind, routeLimited bool) limits {
	l := limits{routes: make(map[string]gates.Limit)}
	if common.Requests > 0 {
		l.common = newLimit(common, kind)
	}
	if routeLimited {
		for operation, limit := range monitoring.DefaultRouteLimits() {
			l.routes[operation] = newLimit(limit, SlidingLog)
		}
	}
	return l
}

// newLimit returns the model of a limit.
func newLimit(limit monitoring.RateLimit, kind LimitKind) gates.Limit {
	switch kind {
	case FixedWindow:
		return &gates.FixedWindows{Most: limit.Requests, Window: limit.Per, Begin: time.Unix(0, 0).Truncate(limit.Per)}
	case TokenBucket:
		return &gates.TokenBucket{Most: limit.Requests, Window: limit.Per}
	}
	return &gates.SlidingLog{Most: limit.Requests, Window: limit.Per}
}

// VetLimit refuses a limit without requests or time.
func VetLimit(limit monitoring.RateLimit) error {
	if limit.Requests <= 0 || limit.Per <= 0 {
		return fmt.Errorf("rate limit of %d requests in %s: want a positive number and time", limit.Requests, limit.Per)
	}
	return nil
}

// admit takes a place in the limits of an operation and returns 0, or returns how long
// to wait.
func (l *limits) admit(operation string, now time.Time) time.Duration {
	all := [2]gates.Limit{l.common, l.routes[operation]}
	var wait time.Duration
	for _, limit := range all {
		if limit != nil {
			wait = max(wait, limit.Wait(now))
		}
	}
	if wait > 0 {
		return wait
	}
	for _, limit := range all {
		if limit != nil {
			limit.Take(now)
		}
	}
	return 0
}
