package monitoring

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"sync"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/route"
)

// accountLimiter returns l if it is an AccountLimiter, and otherwise a plainLimiter with it.
func accountLimiter(l Limiter) (AccountLimiter, error) {
	if account, ok := l.(AccountLimiter); ok {
		return account, nil
	}
	polls, err := newLocalLimiter(DefaultRateLimit)
	if err != nil {
		return nil, err
	}
	p := &plainLimiter{Limiter: l, polls: polls}
	for operation, limit := range DefaultRouteLimits() {
		if err := p.LimitRoute(operation, limit); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// plainLimiter is a user's own limiter that does not distinguish attempts. Route limits are
// kept here, and so are not shared with other clients. Long polls get at most plainShare of
// the default limit, so that ordinary calls get the rest.
type plainLimiter struct {
	Limiter
	polls *localLimiter

	mu     sync.Mutex
	routes []*plainRoute
}

// plainRoute is a route with a limit of its own beside a plain limiter.
type plainRoute struct {
	pattern route.Pattern
	limit   RateLimit
	own     *localLimiter
	turn    chan struct{} // held by the attempt that waits for both limits; a channel keeps the order
}

// plainShare is the share of long polls beside a limiter that cannot put them last.
const plainShare = 0.75

// WaitFor takes a place of the route and one of the user's limiter. A place that is taken
// early and used late would make the window of the route wrong. So only one attempt of the
// route waits for both at a time.
func (p *plainLimiter) WaitFor(ctx context.Context, a LimitedAttempt) error {
	if a.Waiting {
		if a.Share <= 0 || a.Share > plainShare {
			a.Share = plainShare
		}
		if err := p.polls.WaitFor(ctx, a); err != nil {
			return err
		}
	}
	route := p.route(a.Operation)
	if route == nil {
		return p.wait(ctx)
	}
	select {
	case route.turn <- struct{}{}:
	case <-ctx.Done():
		return newPlaceError(ctx, time.Time{})
	}
	defer func() { <-route.turn }()
	if err := route.own.WaitFor(ctx, LimitedAttempt{}); err != nil {
		return err
	}
	taken := time.Now()
	err := p.wait(ctx)
	route.own.engine.UsedLate(taken, err == nil)
	return err
}

func (p *plainLimiter) wait(ctx context.Context) error {
	if err := p.Limiter.Wait(ctx); err != nil {
		return fmt.Errorf("waiting for the rate limit: %w", err)
	}
	return nil
}

func (p *plainLimiter) route(operation string) *plainRoute {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, r := range p.routes {
		if r.pattern.Matches(operation) {
			return r
		}
	}
	return nil
}

// Ended passes a 429 on to the limit that it concerns.
func (p *plainLimiter) Ended(a LimitedAttempt, o AttemptOutcome) {
	if route := p.route(a.Operation); route != nil {
		route.own.Ended(LimitedAttempt{}, o)
	} else if o.StatusCode == http.StatusTooManyRequests {
		p.Limiter.Throttled(o.RetryAfter)
	}
}

// LimitRoute gives a route a limit of its own.
func (p *plainLimiter) LimitRoute(operation string, limit RateLimit) error {
	pattern, err := route.Parse(operation)
	if err != nil {
		return err
	}
	own, err := newLocalLimiter(limit)
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	kept := []*plainRoute{{pattern: pattern, limit: limit, own: own, turn: make(chan struct{}, 1)}}
	for _, r := range p.routes {
		switch {
		case r.pattern.Operation != operation:
			kept = append(kept, r)
		case r.limit == limit:
			kept[0] = r
		}
	}
	p.routes = kept
	return nil
}

// State returns the zero LimiterState: a user's own limiter need not have a State.
func (p *plainLimiter) State() LimiterState { return LimiterState{} }

var errNoLimit = errors.New("a route cannot have a limit, because WithoutRateLimit is set")

// unlimited is the limiter of WithoutRateLimit: attempts do not wait.
type unlimited struct{}

func (unlimited) Wait(ctx context.Context) error {
	if ctx.Err() != nil {
		return newPlaceError(ctx, time.Time{})
	}
	return nil
}

func (u unlimited) WaitFor(ctx context.Context, _ LimitedAttempt) error { return u.Wait(ctx) }
func (unlimited) Throttled(time.Duration)                               {}
func (unlimited) Ended(LimitedAttempt, AttemptOutcome)                  {}
func (unlimited) LimitRoute(string, RateLimit) error                    { return errNoLimit }
func (unlimited) State() LimiterState                                   { return LimiterState{Places: math.MaxInt} }
