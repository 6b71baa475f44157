package monitoring

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"sync"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/route"
)

// accountLimiter makes every limiter an AccountLimiter.
func accountLimiter(l Limiter) AccountLimiter {
	if account, ok := l.(AccountLimiter); ok {
		return account
	}
	p := &plainLimiter{Limiter: l, polls: newLimiter(DefaultRateLimit)}
	for operation, limit := range DefaultRouteLimits() {
		if err := p.LimitRoute(operation, limit); err != nil {
			panic(err) // they are ours
		}
	}
	return p
}

// plainLimiter is a user's own limiter that does not tell attempts apart. Route limits are
// kept here, and so are not shared with other clients. Long polls are kept to the part of
// the default limit that leaves some of it for others.
type plainLimiter struct {
	Limiter
	polls *limiter

	mu     sync.Mutex
	routes []*plainRoute
}

// plainRoute is a route with a limit of its own beside a plain limiter.
type plainRoute struct {
	pattern route.Pattern
	limit   RateLimit
	own     *limiter
	turn    chan struct{} // held by who waits for both limits; Go serves its waiters in order
}

// plainShare is the share of long polls beside a limiter that cannot put them last.
const plainShare = 0.75

// WaitFor takes a place of the route and one of the user's limiter. A place that is taken
// early and used late would make the window of the route wrong, so that one attempt at a
// time waits for both.
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
	route.own.usedLate(taken, err == nil)
	return err
}

// usedLate corrects a place that was taken at a time and is used only now, or not at all.
func (l *limiter) usedLate(taken time.Time, used bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.common.window.giveBack(taken)
	if used {
		l.common.window.take(time.Now())
	}
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
	if err := limit.check(); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	kept := []*plainRoute{{pattern: pattern, limit: limit, own: newLimiter(limit), turn: make(chan struct{}, 1)}}
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

// State tells nothing of a limiter that does not tell.
func (p *plainLimiter) State() LimiterState { return LimiterState{} }

// unlimited is the limiter of WithoutRateLimit: attempts leave when they come.
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

// pauseAsked is how long the account pauses if the service asks for a time in a 429, and
// calls wait at most for another time. An absurd time asks for nothing.
func pauseAsked(asked, most time.Duration) time.Duration {
	if asked > pauseAbsurd {
		return 0
	}
	return min(asked, most)
}

// routeOption is the limit of a route as an option gives it.
type routeOption struct {
	operation string
	limit     RateLimit
}
